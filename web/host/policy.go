package host

import (
	"maps"
	"path"
)

// Policy is the Content Security Policy of every document and worker: our own scripts, styles and
// files, nothing else, and no text that becomes a script or markup but through static/trust.js. A
// page may carry it in a meta element too, for hosts that set no headers. Workers start from a
// blob, and so are under the policy of the page on such hosts too.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' '" +
	ReportStyle + "'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; " +
	"worker-src 'self' blob:; manifest-src 'self'; frame-src 'self' blob:; " +
	"base-uri 'none'; form-action 'none'; " +
	"require-trusted-types-for 'script'; trusted-types default"

// ReportStyle is the hash of the one style that a report carries in itself. The preview of a report
// is a frame under the policy of the page.
const ReportStyle = "sha256-1i9lKmt8+cV5+ehAuyrKxqq5AfgHtzeg3wSmoFSnRko="

// headers go with every answer. Framing can be forbidden by header only, a meta element is ignored
// there.
var headers = map[string]string{
	"Content-Security-Policy":      Policy + "; frame-ancestors 'none'",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy": "camera=(), display-capture=(), geolocation=(), " +
		"microphone=(), payment=(), usb=()",
	"Referrer-Policy":        "no-referrer",
	"X-Content-Type-Options": "nosniff",
}

// The two files that pages of other sites may use: the document that they may frame, and the script
// that frames it.
const (
	FrameFile  = "embed.html"
	ScriptFile = "embed.js"
)

// shared holds the headers in which those files differ from all others. The script may be a day
// old: a page that holds it needs no network for it.
var shared = map[string]map[string]string{
	FrameFile: {"Content-Security-Policy": Policy + "; frame-ancestors *",
		"Cross-Origin-Resource-Policy": "cross-origin"},
	ScriptFile: {"Cross-Origin-Resource-Policy": "cross-origin",
		"Cache-Control": "public, max-age=86400"},
}

// Headers returns the headers of an entry document that is answered from a browser's cache, where
// no host is asked.
func Headers(name string) map[string]string {
	all := maps.Clone(headers)
	maps.Copy(all, shared[name])
	all["Content-Type"] = types[path.Ext(name)].mime
	return all
}
