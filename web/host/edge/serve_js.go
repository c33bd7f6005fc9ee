package edge

import (
	"embed"
	"io"
	"net/http"
	"strings"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare"
	"github.com/syumai/workers/cloudflare/fetch"

	"hush/web/host"
)

// assets is the platform's name for the bundle, from static/edge/wrangler.json.
const assets = "ASSETS"

// Serve reports whether this program is a Worker; then it has served, until the platform ended it.
func Serve() bool {
	workers.Serve(http.HandlerFunc(answer))
	return true
}

// answer sends the page for the root. Whatever else comes here is not in the bundle: the handler of
// an empty one knows what to say.
func answer(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" || r.Method != http.MethodGet && r.Method != http.MethodHead {
		host.New(embed.FS{}).ServeHTTP(w, r)
		return
	}
	page := *r.URL
	page.Path, page.RawQuery = "/index.html", ""
	ask, err := fetch.NewRequest(r.Context(), http.MethodGet, page.String(), nil)
	if err != nil {
		http.Error(w, "the page cannot be asked for", http.StatusInternalServerError)
		return
	}
	for _, name := range []string{"Accept-Encoding", "If-None-Match"} {
		if value := r.Header.Get(name); value != "" {
			ask.Header.Set(name, value)
		}
	}
	found, err := fetch.NewClient(fetch.WithBinding(cloudflare.GetBinding(assets))).Do(ask, nil)
	if err != nil {
		http.Error(w, "the page cannot be read", http.StatusInternalServerError)
		return
	}
	defer found.Body.Close()
	for name, values := range found.Header {
		w.Header().Set(name, strings.Join(values, ","))
	}
	w.WriteHeader(found.StatusCode)
	if r.Method == http.MethodGet {
		io.Copy(w, found.Body) // an error here means that the reader has gone
	}
}
