//go:build browser

package browsertest

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// buildCommand makes the command and returns its path.
func buildCommand(t *testing.T) string {
	t.Helper()
	command := filepath.Join(t.TempDir(), "serve")
	if out, err := exec.Command("go", "build", "-o", command, "hush").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return command
}

// startCommand has it serve a directory, and returns where.
func startCommand(t *testing.T, command, dir string) (start *exec.Cmd, address string) {
	t.Helper()
	start = exec.Command(command, "-addr", "localhost:0", "-dir", dir)
	output, err := start.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := start.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { start.Process.Kill() })
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, address, ok := strings.Cut(line, "http://")
	address, _, _ = strings.Cut(address, " ")
	if !ok || !strings.HasPrefix(address, "localhost:") {
		t.Fatalf("the command says %q, want an address", line)
	}
	return start, address
}

// TestServeShowsTheBundleOnly: no link leads out of the directory, and what is hidden stays so.
func TestServeShowsTheBundleOnly(t *testing.T) {
	dir, secret := t.TempDir(), filepath.Join(t.TempDir(), "secret.txt")
	for _, name := range []string{filepath.Join(dir, "index.html"), filepath.Join(dir, ".env.txt"),
		secret} {
		if err := os.WriteFile(name, []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(secret, filepath.Join(dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(secret), filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	_, address := startCommand(t, buildCommand(t), dir)
	for path, want := range map[string]int{"/": 200, "/link.txt": 404, "/out/secret.txt": 404,
		"/.env.txt": 404} {
		answer, err := http.Get("http://" + address + path)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Body.Close(); answer.StatusCode != want {
			t.Errorf("%s is answered with %d, want %d", path, answer.StatusCode, want)
		}
	}
}

// TestServeLeavesWhoTakesNothing: a reader that asks for a large file and then takes nothing of it
// is left after a while.
func TestServeLeavesWhoTakesNothing(t *testing.T) {
	_, address := startCommand(t, buildCommand(t), "../../dist")
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	idle := c.(*net.TCPConn)
	idle.SetReadBuffer(4096)
	version := versionOf(t, readBundle(t))
	if _, err := fmt.Fprintf(idle, "GET /v/%s/app.wasm HTTP/1.1\r\nHost: x\r\n\r\n",
		version); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	pace := time.NewTicker(200 * time.Millisecond)
	defer pace.Stop()
	for range pace.C { // a server that has left refuses what is sent to it
		if _, err := idle.Write([]byte("G")); err != nil {
			break
		}
		if time.Since(began) > time.Minute {
			t.Fatal("who takes nothing is still waited for after a minute")
		}
	}
}

// The command as a person starts it: it says where it is when it is ready, and what is wrong when
// it cannot be.
func TestServeCommand(t *testing.T) {
	command := buildCommand(t)
	start, address := startCommand(t, command, "../../dist")
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
