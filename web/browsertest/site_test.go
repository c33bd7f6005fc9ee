//go:build browser

package browsertest

import (
	"errors"
	"io/fs"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"hush/web/host"
)

// site is a server on this machine that can be stopped and started again at the same address.
type site struct {
	t      *testing.T
	url    string // of the page, with a slash at its end
	addr   string
	server *http.Server
	sent   atomic.Int64 // bytes written to connections, headers included

	mu      sync.Mutex
	handler http.Handler
	served  []served
}

// served is one answer.
type served struct {
	path, encoding string
	status         int
}

// serveBundle serves dist as serve.go does.
func serveBundle(t *testing.T) *site { return serve(t, host.New(bundleFiles(t)), "/") }

// servePlain serves dist below a path as any file server does: without our headers, variants and
// cache rules.
func servePlain(t *testing.T, path string) *site {
	mux := http.NewServeMux()
	mux.Handle(path, http.StripPrefix(path, http.FileServerFS(bundleFiles(t))))
	return serve(t, mux, path)
}

func bundleFiles(t *testing.T) fs.FS {
	t.Helper()
	files := os.DirFS("../../dist")
	if _, err := fs.Stat(files, "index.html"); err != nil {
		t.Fatalf("there is no bundle: run ./build.sh build first (%v)", err)
	}
	return files
}

// readBundle returns every file of the bundle by its name.
func readBundle(t *testing.T) map[string][]byte {
	t.Helper()
	return readFiles(t, bundleFiles(t))
}

func readFiles(t *testing.T, files fs.FS) map[string][]byte {
	t.Helper()
	bundle := map[string][]byte{}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			bundle[name], err = fs.ReadFile(files, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return bundle
}

// serve starts a site for any handler; path is where its page is.
func serve(t *testing.T, handler http.Handler, path string) *site {
	t.Helper()
	s := &site{t: t, handler: handler, addr: "127.0.0.1:0"}
	s.start()
	s.url = "http://" + s.addr + path
	t.Cleanup(s.stop)
	return s
}

// start listens, after the first time at the address it had.
func (s *site) start() {
	s.t.Helper()
	listener, err := net.Listen("tcp", s.addr)
	if err != nil {
		s.t.Fatal(err)
	}
	s.addr = listener.Addr().String()
	s.server = &http.Server{Handler: http.HandlerFunc(s.note)}
	go s.server.Serve(countingListener{listener, &s.sent})
}

// stop closes the listener and every connection: to the browser the machine is gone.
func (s *site) stop() {
	if err := s.server.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		s.t.Error(err)
	}
}

// replace serves something else at the same address from now on.
func (s *site) replace(handler http.Handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handler = handler
}

func (s *site) note(w http.ResponseWriter, r *http.Request) {
	noted := &notedWriter{ResponseWriter: w, status: http.StatusOK}
	s.mu.Lock()
	handler := s.handler
	s.mu.Unlock()
	handler.ServeHTTP(noted, r)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.served = append(s.served,
		served{r.URL.Path, w.Header().Get("Content-Encoding"), noted.status})
}

// answers returns what was served so far.
func (s *site) answers() []served {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.served)
}

type notedWriter struct {
	http.ResponseWriter
	status int
}

func (w *notedWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

type countingListener struct {
	net.Listener
	sent *atomic.Int64
}

func (l countingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return countingConn{c, l.sent}, err
}

type countingConn struct {
	net.Conn
	sent *atomic.Int64
}

func (c countingConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.sent.Add(int64(n))
	return n, err
}
