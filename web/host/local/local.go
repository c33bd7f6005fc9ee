// Package local serves bundles from a directory of one machine.
package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"hush/web/host"
)

// Serve answers with the bundle in dir, or with those in its directories, until ctx ends, then lets
// running answers finish for a few seconds.
func Serve(ctx context.Context, addr, dir string) error {
	root, err := os.OpenRoot(dir) // no link leads out of it
	if err != nil {
		return fmt.Errorf("there is no bundle in %q: run ./build.sh build first (%w)", dir, err)
	}
	defer root.Close()
	answers, err := bundles(root.FS())
	if err != nil {
		return fmt.Errorf("there is no bundle in %q: run ./build.sh build first (%w)", dir, err)
	}
	listener, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s is already in use: choose another port with PORT=8001, or another "+
			"address with -addr", addr)
	}
	if err != nil {
		return err
	}
	server := newServer(answers)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(newHouse(listener, mostConnections)) }()
	fmt.Printf("Hush is ready at http://%s (stop with Ctrl+C)\n", shown(addr, listener.Addr()))

	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return server.Shutdown(last)
}

// bundles answers with the bundle at the root of files, or with those in its directories, each
// below its own name, so that a recipe can be asked of the version that made it. The root then
// leads to the newest.
func bundles(files fs.FS) (http.Handler, error) {
	_, err := fs.Stat(files, "index.html")
	if err == nil {
		return host.New(files), nil
	}
	list, failed := fs.ReadDir(files, ".")
	if failed != nil {
		return nil, failed
	}
	var names []string
	mux := http.NewServeMux()
	for _, d := range list {
		below, failed := fs.Sub(files, d.Name())
		if failed != nil {
			continue // no name of a directory that can be served
		}
		if _, failed := fs.Stat(below, "index.html"); failed == nil {
			names = append(names, d.Name())
			at := "/" + url.PathEscape(d.Name())
			mux.Handle(at+"/", http.StripPrefix("/"+d.Name(), host.New(below)))
		}
	}
	if len(names) == 0 {
		return nil, err
	}
	newest := slices.MaxFunc(names, byVersion)
	mux.Handle("GET /{$}",
		http.RedirectHandler("/"+url.PathEscape(newest)+"/", http.StatusFound))
	return mux, nil
}

// byVersion compares names of versions, the numbers in them by value: 1.9 comes before 1.10.
func byVersion(a, b string) int {
	for a != "" && b != "" {
		x, y := leadingNumber(a), leadingNumber(b)
		var c int
		if x != "" && y != "" {
			m, n := strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
			c = cmp.Or(cmp.Compare(len(m), len(n)), cmp.Compare(m, n))
		} else {
			x, y = a[:1], b[:1]
			c = cmp.Compare(x, y)
		}
		if c != 0 {
			return c
		}
		a, b = a[len(x):], b[len(y):]
	}
	return cmp.Compare(len(a), len(b))
}

func leadingNumber(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
}

// newServer answers all connections that newHouse lets in, and notes which ones.
func newServer(answers http.Handler) *http.Server {
	type visit struct{}
	return &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if c, ours := r.Context().Value(visit{}).(*patient); ours {
				defer c.answering()()
			}
			answers.ServeHTTP(w, r)
		}),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, visit{}, c)
		},
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       10 * time.Second,
		IdleTimeout:       30 * time.Second,
		MaxHeaderBytes:    16 << 10,
	}
}

// What one machine gives its readers: a browser opens six connections to a server.
const (
	mostConnections = 256
	mostSilent      = time.Second      // for readers who ask nothing while others wait outside
	mostStalled     = 20 * time.Second // for clients that read nothing
	mostAtOnce      = 64 << 10         // bytes, which a very slow line takes in that time
)

// house lets a number of connections in. When it is full the next one waits until one has ended, or
// takes the place of the one that has asked nothing for the longest time: of a client that has gone
// without a word, sends half a request, or keeps its connection for later.
type house struct {
	net.Listener
	places chan struct{}

	mu     sync.Mutex
	silent map[*patient]time.Time // since when they ask nothing
}

func newHouse(l net.Listener, places int) *house {
	return &house{Listener: l, places: make(chan struct{}, places),
		silent: map[*patient]time.Time{}}
}

// Accept waits for a connection, and then for a place.
func (h *house) Accept() (net.Conn, error) {
	c, err := h.Listener.Accept()
	if err != nil {
		return nil, err
	}
	for {
		select {
		case h.places <- struct{}{}:
			p := &patient{Conn: c, house: h}
			p.leave = sync.OnceFunc(func() { h.left(p) })
			h.note(p, true)
			return p, nil
		default:
		}
		if wait := h.makePlace(); wait > 0 {
			<-time.After(wait)
		}
	}
}

// note says whether a connection asks nothing from now on.
func (h *house) note(p *patient, silent bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if delete(h.silent, p); silent && !p.gone {
		h.silent[p] = time.Now()
	}
}

// left gives the place of a connection that has ended to another.
func (h *house) left(p *patient) {
	h.mu.Lock()
	defer h.mu.Unlock()
	p.gone = true
	delete(h.silent, p)
	<-h.places
}

// makePlace ends the connection that has been silent for the longest time, if that is long enough,
// or else returns how long to wait before looking again.
func (h *house) makePlace() time.Duration {
	h.mu.Lock()
	var longest *patient
	for p, since := range h.silent {
		if longest == nil || since.Before(h.silent[longest]) {
			longest = p
		}
	}
	wait := mostSilent / 20 // where all are answered, one may be done at any time
	if longest != nil {
		wait = min(wait, mostSilent-time.Since(h.silent[longest]))
	}
	h.mu.Unlock()
	if wait <= 0 {
		longest.Close()
	}
	return wait
}

// patient is a connection that goes on as long as its reader takes something: an answer may take
// hours on a slow line, and a reader that takes nothing is left.
type patient struct {
	net.Conn
	house *house
	leave func()
	gone  bool // kept by the house
}

// answering notes that a request of the connection is answered, until what it returns is called.
func (c *patient) answering() (done func()) {
	c.house.note(c, false)
	return func() { c.house.note(c, true) }
}

// Write sends in pieces, each of which has its time.
func (c *patient) Write(b []byte) (sent int, err error) {
	for {
		piece := b[sent:min(sent+mostAtOnce, len(b))]
		if err := c.SetWriteDeadline(time.Now().Add(mostStalled)); err != nil {
			return sent, err
		}
		n, err := c.Conn.Write(piece)
		if sent += n; err != nil || sent == len(b) {
			return sent, err
		}
	}
}

// Close gives the place to another.
func (c *patient) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// shown returns the address to type into a browser: with the port that was really taken, and a name
// for "every interface".
func shown(asked string, got net.Addr) string {
	name, _, err := net.SplitHostPort(asked)
	_, port, err2 := net.SplitHostPort(got.String())
	if err != nil || err2 != nil {
		return got.String()
	}
	if ip := net.ParseIP(name); name == "" || ip != nil && ip.IsUnspecified() {
		name = "localhost"
	}
	return net.JoinHostPort(name, port)
}
