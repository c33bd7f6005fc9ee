// Command hush serves the bundle that ./build.sh build has made: on one machine, or, built by
// ./build.sh edge, as a Cloudflare Worker.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"hush/web/host"
	"hush/web/host/edge"
)

func main() {
	if edge.Serve() {
		return
	}
	addr := flag.String("addr", "localhost:"+defaultPort(),
		"address to listen on; the port's default is the variable PORT, or 8000")
	dir := flag.String("dir", "dist", "directory of the bundle")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "serve: unknown argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, *addr, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func defaultPort() string {
	if port := os.Getenv("PORT"); port != "" {
		return port
	}
	return "8000"
}

// serve answers until ctx ends, then lets running answers finish for a few seconds.
func serve(ctx context.Context, addr, dir string) error {
	root, err := os.OpenRoot(dir) // no link leads out of it
	if err != nil {
		return fmt.Errorf("there is no bundle in %q: run ./build.sh build first (%w)", dir, err)
	}
	defer root.Close()
	bundle := root.FS()
	if _, err := fs.Stat(bundle, "index.html"); err != nil {
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
	server := &http.Server{
		Handler:           host.New(bundle),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       10 * time.Second,
		IdleTimeout:       30 * time.Second,
		MaxHeaderBytes:    16 << 10,
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(newLimited(listener)) }()
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

// What one machine gives its readers: a browser opens six connections to a server.
const (
	mostConnections = 256
	mostStalled     = 20 * time.Second // for readers who take nothing of what is sent
	mostAtOnce      = 64 << 10         // bytes, which a very slow line takes in that time
)

// limited lets so many connections in; others wait until one has ended.
type limited struct {
	net.Listener
	places chan struct{}
}

func newLimited(l net.Listener) limited {
	return limited{l, make(chan struct{}, mostConnections)}
}

// Accept waits for a place, and then for a connection.
func (l limited) Accept() (net.Conn, error) {
	l.places <- struct{}{}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	return &patient{Conn: c, leave: sync.OnceFunc(func() { <-l.places })}, nil
}

// patient is a connection that goes on as long as its reader takes something: an answer may take
// hours on a slow line, and a reader that takes nothing is left.
type patient struct {
	net.Conn
	leave func()
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

// shown is the address to type into a browser: the port that was really taken, and a name for
// "every interface".
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
