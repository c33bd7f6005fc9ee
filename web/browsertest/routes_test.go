//go:build browser

package browsertest

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"hush/web/host"
)

// The server on a desk and the one at the edge answer the same requests in the same way.
func TestRoutes(t *testing.T) {
	t.Run("native", func(t *testing.T) { checkRoutes(t, serveBundle(t).url) })
	t.Run("edge", func(t *testing.T) { checkRoutes(t, serveEdge(t)) })
}

func checkRoutes(t *testing.T, address string) {
	const immutable, revalidated = "public, max-age=31536000, immutable", "no-cache"
	bundle := readBundle(t)
	versioned := host.Versioned + versionOf(t, bundle) + "/"
	for _, c := range []struct {
		method, path string
		status       int
		body         string // the file of the bundle
		mime, cache  string // empty: whatever the platform says
	}{
		{"GET", "", 200, "index.html", "text/html; charset=utf-8", revalidated},
		{"GET", "?a=b", 200, "index.html", "text/html; charset=utf-8", revalidated},
		{"GET", "index.html", 200, "index.html", "text/html; charset=utf-8", revalidated},
		{"GET", "app-worker.js", 200, "app-worker.js", "text/javascript; charset=utf-8",
			revalidated},
		{"GET", host.FrameFile, 200, host.FrameFile, "text/html; charset=utf-8", revalidated},
		{"GET", host.FrameFile + "?a=b", 200, host.FrameFile, "text/html; charset=utf-8",
			revalidated},
		{"HEAD", host.FrameFile, 200, "", "text/html; charset=utf-8", revalidated},
		{"GET", host.ScriptFile, 200, host.ScriptFile, "text/javascript; charset=utf-8",
			"public, max-age=86400"},
		{"GET", "example.html", 200, "example.html", "text/html; charset=utf-8", revalidated},
		{"GET", "package.html", 200, "package.html", "text/html; charset=utf-8", revalidated},
		{"GET", "hush.tgz", 200, "hush.tgz", "application/gzip", revalidated},
		{"GET", "embed", 404, "", "text/html; charset=utf-8", revalidated},
		{"GET", "manifest.webmanifest", 200, "manifest.webmanifest", "application/manifest+json",
			revalidated},
		{"GET", versioned + "app.wasm", 200, versioned + "app.wasm", "application/wasm", immutable},
		{"GET", versioned + "style.css", 200, versioned + "style.css", "text/css; charset=utf-8",
			immutable},
		{"GET", versioned + "hush.js", 200, versioned + "hush.js", "text/javascript; charset=utf-8",
			immutable},
		{"GET", versioned + "evidence.json", 200, versioned + "evidence.json", "application/json",
			immutable},
		{"GET", versioned + "icons/icon.svg", 200, versioned + "icons/icon.svg", "image/svg+xml",
			immutable},
		{"GET", versioned + "icons/icon-192.png", 200, versioned + "icons/icon-192.png",
			"image/png", immutable},
		{"HEAD", "", 200, "", "text/html; charset=utf-8", revalidated},
		{"GET", "nothing.html", 404, "", "text/html; charset=utf-8", revalidated},
		{"GET", "v/", 404, "", "text/html; charset=utf-8", revalidated},
		{"GET", versioned + "app.wasm.br", 404, "", "text/html; charset=utf-8", revalidated},
		{"GET", host.RulesFile, 404, "", "text/html; charset=utf-8", revalidated},
		{"GET", host.IgnoreFile, 404, "", "text/html; charset=utf-8", revalidated},
		{"POST", "", 405, "", "text/plain; charset=utf-8", ""},
		{"PUT", versioned + "app.wasm", 405, "", "", ""},
	} {
		t.Run(c.method+" /"+strings.ReplaceAll(c.path, versioned, "v/…/"), func(t *testing.T) {
			answer, text := request(t, c.method, address+c.path, "")
			if answer.StatusCode != c.status {
				t.Fatalf("answered with %d, want %d", answer.StatusCode, c.status)
			}
			if c.body != "" && text != string(bundle[c.body]) {
				t.Errorf("the answer has %d bytes and is not %s of %d bytes", len(text), c.body,
					len(bundle[c.body]))
			}
			framers, users := "'none'", "same-origin"
			switch file, _, _ := strings.Cut(c.path, "?"); file {
			case host.FrameFile:
				framers, users = "*", "cross-origin"
			case host.ScriptFile:
				users = "cross-origin"
			}
			for name, want := range map[string]string{
				"Content-Type": c.mime, "Cache-Control": c.cache,
				"Content-Security-Policy":      host.Policy + "; frame-ancestors " + framers,
				"Cross-Origin-Opener-Policy":   "same-origin",
				"Cross-Origin-Resource-Policy": users,
				"Permissions-Policy": "camera=(), display-capture=(), geolocation=(), " +
					"microphone=(), payment=(), usb=()",
				"Referrer-Policy":        "no-referrer",
				"X-Content-Type-Options": "nosniff",
			} {
				if got := strings.Join(answer.Header.Values(name), ", "); got != want &&
					want != "" {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			if tag := answer.Header.Get("ETag"); c.status == 200 && c.method == "GET" {
				again, _ := request(t, "GET", address+c.path, tag)
				if tag == "" || again.StatusCode != http.StatusNotModified {
					t.Errorf("asked again with the tag %q it is answered with %d", tag,
						again.StatusCode)
				}
			}
		})
	}
}

// request asks without compression, with an ETag unless it is empty.
func request(t *testing.T, method, address, tag string) (*http.Response, string) {
	t.Helper()
	ask, err := http.NewRequest(method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	ask.Header.Set("Accept-Encoding", "identity")
	if tag != "" {
		ask.Header.Set("If-None-Match", tag)
	}
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}

// serveEdge runs the Worker that ./build.sh edge runs, and says how long it took to start.
func serveEdge(t *testing.T) string {
	t.Helper()
	const folder = "../../static/edge"
	wrangler := filepath.Join("node_modules", "wrangler", "bin", "wrangler.js")
	for _, needed := range []string{filepath.Join(folder, wrangler), "../../.cache/edge/app.wasm"} {
		if _, err := os.Stat(needed); err != nil {
			t.Fatalf("%s is missing: ./build.sh test makes it (%v)", needed, err)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, "node", wrangler, "dev", "--local", "--ip", "127.0.0.1",
		"--port", "0", "--show-interactive-dev-session=false")
	command.Dir = folder
	command.Env = append(os.Environ(), "CLOUDFLARE_CF_FETCH_ENABLED=false", "CI=1", "NO_COLOR=1",
		"WRANGLER_SEND_METRICS=false")
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // it starts others, which end with it
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		command.Wait() // its error is that it was ended
	})
	ready, said := make(chan string, 1), new(strings.Builder)
	go func() {
		defer close(ready)
		for lines := bufio.NewScanner(output); lines.Scan(); {
			if _, address, found := strings.Cut(lines.Text(), "Ready on "); found {
				ready <- strings.TrimSpace(address) + "/"
			}
			said.WriteString(lines.Text() + "\n")
		}
	}()
	select {
	case address, alive := <-ready:
		if !alive {
			t.Fatalf("wrangler ended early:\n%s", said)
		}
		first := timeOf(t, address)
		t.Logf("the Worker answers its first request after %v, the next after %v", first,
			timeOf(t, address))
		return address
	case <-time.After(2 * patience):
		t.Fatal(errors.New("wrangler is not ready"))
	}
	return ""
}

func timeOf(t *testing.T, address string) time.Duration {
	t.Helper()
	start := time.Now()
	if answer, _ := request(t, "GET", address, ""); answer.StatusCode != http.StatusOK {
		t.Fatalf("the page is answered with %d", answer.StatusCode)
	}
	return time.Since(start).Round(time.Millisecond)
}
