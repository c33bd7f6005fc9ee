//go:build browser

package browsertest

import (
	"bufio"
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The command as a person starts it: it says where it is when it is ready, and what is wrong when
// it cannot be.
func TestServeCommand(t *testing.T) {
	command := filepath.Join(t.TempDir(), "serve")
	if out, err := exec.Command("go", "build", "-o", command, "hush").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	start := exec.Command(command, "-addr", "localhost:0", "-dir", "../../dist")
	output, err := start.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := start.Start(); err != nil {
		t.Fatal(err)
	}
	defer start.Process.Kill()
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, address, ok := strings.Cut(line, "http://")
	address, _, _ = strings.Cut(address, " ")
	if !ok || !strings.HasPrefix(address, "localhost:") {
		t.Fatalf("the command says %q, want an address", line)
	}
	answer, err := http.Get("http://" + address + "/")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("the page is answered with %d", answer.StatusCode)
	}

	_, port, _ := strings.Cut(address, ":")
	for name, c := range map[string]struct {
		args []string
		env  string
		want string
	}{
		"busy by flag": {[]string{"-addr", address, "-dir", "../../dist"}, "",
			"already in use"},
		"busy by variable": {[]string{"-dir", "../../dist"}, "PORT=" + port,
			"localhost:" + port + " is already in use"},
		"no bundle": {[]string{"-addr", "localhost:0", "-dir", t.TempDir()}, "",
			"./build.sh build"},
		"a word too many": {[]string{"here"}, "", `unknown argument "here"`},
	} {
		var said bytes.Buffer
		again := exec.Command(command, c.args...)
		again.Env = append(os.Environ(), c.env)
		again.Stderr = &said
		if err := again.Run(); err == nil || !strings.Contains(said.String(), c.want) {
			t.Errorf("%s: ends with %v and says %q, want %q", name, err, said.String(), c.want)
		}
	}

	if err := start.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- start.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("after an interrupt the command ends with %v", err)
		}
	case <-time.After(patience):
		t.Error("the command does not end after an interrupt")
	}
}
