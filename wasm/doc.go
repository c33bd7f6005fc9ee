//go:build js

// Hush's one binary. Compiled for the browser it starts as the page where there is a document, and
// as the engine in a worker where there is none; both sides share its code, so the pair is smaller
// than two binaries and the engine comes from the browser's cache. Web/bundle writes what it is
// served with.
//
// Rules of the *_js.go files: they parse, call and convert, and nothing else. No js.Value travels
// inward, every js.FuncOf has an owner, nothing long runs without looking at the event loop.
package main
