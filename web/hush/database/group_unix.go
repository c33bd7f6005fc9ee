//go:build unix

package database

import (
	"os/exec"
	"syscall"
)

// apart puts a program into a process group of its own, which ends with it: DuckDB from PyPI is a
// script that starts another program, and would leave that running.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
