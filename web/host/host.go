// Package host serves the bundle: an http.Handler over any fs.FS, the same for the little server on
// a desk and for a server at the edge of a network. It reads files, keeps no state, and needs
// neither a clock nor an operating system.
//
// The bundle has two kinds of files. Those below v/<hash>/ never change under their name and are
// cached for good. All others (the entry documents) are asked for again each time and answered with
// 304 when nothing changed. A file x may have x.br and x.gz beside it; a client that accepts them
// gets them in its place.
package host

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// Versioned is the directory of the files that never change; the next part of their path is the
// bundle's content hash.
const Versioned = "v/"

// How long an answer is good for: a versioned file for ever, an entry document until it is asked
// for again.
const (
	immutable   = "public, max-age=31536000, immutable"
	revalidated = "no-cache"
)

const notFound = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Not found</title>
<h1>Not found</h1><p>There is no such file here.</p></html>
`

// New returns a handler for the bundle at the root of files. It answers GET and HEAD; anything else
// is refused with 405. Ranges are not answered, and it says so: a file is sent whole.
func New(files fs.FS) http.Handler {
	return handler{files}
}

type handler struct{ files fs.FS }

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	for name, value := range headers {
		header.Set(name, value)
	}
	header.Set("Accept-Ranges", "none") // files are compared with their hashes, so sent whole
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD are answered here", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	var f *file
	if Known(name) {
		f = h.find(name, r.Header.Get("Accept-Encoding"))
	}
	if f == nil {
		h.sendNotFound(w)
		return
	}
	defer f.Close()

	header.Set("Content-Type", types[path.Ext(name)].mime)
	if Packed(name) {
		header.Set("Vary", "Accept-Encoding")
	}
	var body io.Reader = f
	tag, forGood := versionOf(name)
	if forGood {
		header.Set("Cache-Control", immutable)
	} else {
		header.Set("Cache-Control", revalidated)
		for field, value := range shared[name] {
			header.Set(field, value)
		}
		text, err := io.ReadAll(f)
		if err != nil {
			http.Error(w, "the file cannot be read", http.StatusInternalServerError)
			return
		}
		hash := sha256.Sum256(text)
		tag, body, f.size = hex.EncodeToString(hash[:16]), bytes.NewReader(text), int64(len(text))
	}
	etag := `"` + tag + f.encoding.suffix + `"`
	header.Set("ETag", etag)
	if matches(r.Header.Get("If-None-Match"), etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if f.encoding.name != "" {
		header.Set("Content-Encoding", f.encoding.name)
	}
	header.Set("Content-Length", strconv.FormatInt(f.size, 10))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		io.Copy(w, body) // an error here means that the reader has gone
	}
}

func (h handler) sendNotFound(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(notFound)))
	w.Header().Set("Cache-Control", revalidated)
	w.WriteHeader(http.StatusNotFound)
	io.WriteString(w, notFound) // net/http drops the body of an answer to HEAD
}

// versionOf returns the content hash in the path of a versioned file.
func versionOf(name string) (string, bool) {
	rest, ok := strings.CutPrefix(name, Versioned)
	version, _, below := strings.Cut(rest, "/")
	return version, ok && below && version != ""
}

// matches reports whether an If-None-Match header names the tag. The comparison is the weak one of
// RFC 9110.
func matches(header, etag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == etag {
			return true
		}
	}
	return false
}
