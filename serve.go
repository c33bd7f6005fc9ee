// Command serve serves the bundle that ./build.sh build has made: on one machine, or, built by
// ./build.sh edge, as a Cloudflare Worker.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"hush/web/host/edge"
	"hush/web/host/local"
)

func main() {
	if edge.Serve() {
		return
	}
	addr := flag.String("addr", "localhost:"+defaultPort(),
		"address to listen on; the port's default is the variable PORT, or 8000")
	dir := flag.String("dir", "dist", "directory of the bundle, or of several, "+
		"each in a directory named after its version: they are served below these names")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "serve: unknown argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := local.Serve(ctx, *addr, *dir); err != nil {
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
