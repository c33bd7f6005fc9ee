package local

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"
	"time"
)

// dial opens a connection that is closed with the test, and sends a text.
func dial(t *testing.T, address, text string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	return c
}

const request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

// answered tells whether an answer comes on a connection within a time.
func answered(c net.Conn, within time.Duration) bool {
	c.SetReadDeadline(time.Now().Add(within))
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	return err == nil && answer.StatusCode == http.StatusOK
}

// TestHalfOpenClientsDelayNobody: as many clients as there are places open a connection and send
// nothing, or half a request, or were answered and keep it. Who comes then is answered soon, and so
// is the next.
func TestHalfOpenClientsDelayNobody(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("page"), 0o600); err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	go Serve(ctx, address, dir)
	for range 100 {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			break
		}
		<-time.After(20 * time.Millisecond) // it begins to listen
	}
	for i := range mostConnections {
		text := []string{"", "GET / HTTP/1.1\r\nHost:", request}[i%3]
		if c := dial(t, address, text); text == request && !answered(c, 5*time.Second) {
			t.Fatalf("client %d is not answered", i)
		}
	}
	for i := range 4 {
		began := time.Now()
		if !answered(dial(t, address, request), 4*time.Second) {
			t.Errorf("among half-open clients number %d is not answered in %v", i,
				time.Since(began))
		}
	}
}

// TestWhoIsAnsweredStays: while all places are taken by clients that are being answered the next
// one waits; nobody is cut off, and the next has the first place that becomes free.
func TestWhoIsAnsweredStays(t *testing.T) {
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	going, finish := make(chan bool, 8), make(chan bool)
	server := newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		going <- true
		<-finish
		fmt.Fprint(w, "page")
	}))
	go server.Serve(newHouse(listener, 2))
	t.Cleanup(func() { server.Close() })
	address := listener.Addr().String()
	first, second := dial(t, address, request), dial(t, address, request)
	<-going
	<-going
	late := dial(t, address, request)
	select {
	case <-going:
		t.Error("more are answered than there are places")
	case <-time.After(mostSilent + mostSilent/2):
	}
	finish <- true
	finish <- true
	if !answered(first, time.Second) || !answered(second, time.Second) {
		t.Error("one that was being answered is cut off")
	}
	finish <- true // the late one has a place as soon as one of the two is silent for long enough
	if !answered(late, time.Second) {
		t.Error("the late one is not answered")
	}
}

// TestEndedConnectionsAreForgotten: what ended while it was answered holds no place, and is not
// waited for again.
func TestEndedConnectionsAreForgotten(t *testing.T) {
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	h := newHouse(listener, 1)
	for range 3 {
		client := dial(t, listener.Addr().String(), "")
		c, err := h.Accept()
		if err != nil {
			t.Fatal(err)
		}
		done := c.(*patient).answering()
		c.Close()
		done()
		client.Close()
	}
	if len(h.silent) != 0 || len(h.places) != 0 {
		t.Errorf("%d connections are waited for, %d places are taken", len(h.silent),
			len(h.places))
	}
}

// TestVersions: bundles of several versions are each served below its name, with the headers of the
// host, and the root leads to the newest; a directory with a bundle of its own is that alone.
func TestVersions(t *testing.T) {
	page := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	files := fstest.MapFS{"1.9/index.html": page("nine"), "1.9/v/ab/a.js": page("9"),
		"1.10/index.html": page("ten"), "1.10-b/index.html": page("b"),
		"notes/readme.txt": page("no bundle"), "hashes.txt": page("at the root")}
	answers, err := bundles(files)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]struct {
		code int
		text string
	}{
		"/1.9/": {200, "nine"}, "/1.9/v/ab/a.js": {200, "9"}, "/1.10/": {200, "ten"},
		"/1.10/v/ab/a.js": {404, ""}, "/notes/readme.txt": {404, ""}, "/hashes.txt": {404, ""},
		"/2.0/": {404, ""},
	} {
		w := httptest.NewRecorder()
		answers.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != want.code || want.text != "" && (w.Body.String() != want.text ||
			w.Header().Get("Content-Security-Policy") == "") {
			t.Errorf("%s: %d %q with %v", path, w.Code, w.Body, w.Header())
		}
	}
	w := httptest.NewRecorder()
	answers.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if to := w.Header().Get("Location"); w.Code != http.StatusFound || to != "/1.10-b/" {
		t.Errorf("the root leads to %q with %d, want /1.10-b/", to, w.Code)
	}
	w = httptest.NewRecorder()
	answers.ServeHTTP(w, httptest.NewRequest("GET", "/1.9", nil))
	if to := w.Header().Get("Location"); to != "/1.9/" {
		t.Errorf("a version without its last stroke leads to %q", to)
	}

	files["index.html"] = page("one")
	answers, err = bundles(files)
	if err != nil {
		t.Fatal(err)
	}
	w = httptest.NewRecorder()
	answers.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if w.Body.String() != "one" {
		t.Errorf("a bundle at the root is %q", w.Body)
	}
	if _, err := bundles(fstest.MapFS{"a/b.txt": page("")}); err == nil {
		t.Error("a directory without a bundle is served")
	}
	sorted := []string{"0.9", "1", "1.2", "1.10", "2", "2026-11-26", "a"}
	if !slices.IsSortedFunc(sorted, byVersion) {
		t.Error("versions are not in order")
	}
}
