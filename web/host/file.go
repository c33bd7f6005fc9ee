package host

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// kind says how files of one extension travel. A file of any other extension is not served.
type kind struct {
	mime   string
	packed bool // whether compressed variants are looked for
}

var types = map[string]kind{
	".html":        {"text/html; charset=utf-8", true},
	".js":          {"text/javascript; charset=utf-8", true},
	".css":         {"text/css; charset=utf-8", true},
	".csv":         {"text/csv; charset=utf-8", true},
	".txt":         {"text/plain; charset=utf-8", true},
	".json":        {"application/json", true},
	".svg":         {"image/svg+xml", true},
	".wasm":        {"application/wasm", true},
	".webmanifest": {"application/manifest+json", true},
	".png":         {"image/png", false},
	".tgz":         {"application/gzip", false}, // a package of npm
	".woff2":       {"font/woff2", false},       // compressed as it is
}

// Known reports whether a file of that name is served at all: of a type that the bundle has, and
// not hidden.
func Known(name string) bool {
	_, known := types[path.Ext(name)]
	return known && !hidden(name)
}

// hidden reports whether a file or a folder on the way to it has a name that begins with a dot:
// what is so named is not meant to be shown.
func hidden(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") {
			return true
		}
	}
	return false
}

// Packed reports whether the file of that name travels compressed and so has variants in the
// bundle.
func Packed(name string) bool { return types[path.Ext(name)].packed }

type encoding struct{ name, suffix, extension string }

// The encodings that a bundle may hold, best first.
var encodings = []encoding{{"br", "-br", ".br"}, {"gzip", "-gz", ".gz"}}

// file is an open regular file of the bundle in one encoding.
type file struct {
	fs.File
	size     int64
	encoding encoding
}

// find opens the best variant that is there and accepted, or returns nil.
func (h handler) find(name, accept string) *file {
	if Packed(name) {
		for _, e := range encodings {
			if accepts(accept, e.name) {
				if f := open(h.files, name+e.extension); f != nil {
					f.encoding = e
					return f
				}
			}
		}
	}
	return open(h.files, name)
}

func open(files fs.FS, name string) *file {
	// refuses names that are not valid paths, such as those with ".."
	opened, err := files.Open(name)
	if err != nil {
		return nil
	}
	info, err := opened.Stat()
	if err != nil || !info.Mode().IsRegular() {
		opened.Close()
		return nil
	}
	return &file{File: opened, size: info.Size()}
}

// accepts reports whether an Accept-Encoding header allows the encoding: it is named, or "*" stands
// for it, with a weight above zero (RFC 9110, section 12.5.3).
func accepts(header, name string) bool {
	star := false
	for part := range strings.SplitSeq(header, ",") {
		coding, params, _ := strings.Cut(part, ";")
		coding = strings.ToLower(strings.TrimSpace(coding))
		switch coding {
		case name:
			return weight(params) > 0
		case "*":
			star = weight(params) > 0
		}
	}
	return star
}

func weight(params string) float64 {
	value, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(params)), "q=")
	if !ok {
		return 1
	}
	q, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return 0
	}
	return q
}
