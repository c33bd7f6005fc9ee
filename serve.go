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
	bundle := os.DirFS(dir)
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
		WriteTimeout:      10 * time.Minute, // for the whole binary over a very slow line
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
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
