package app

import "testing"

// TestInBundle compares with go-app's own resolver, which is not in the browser's binary.
func TestInBundle(t *testing.T) {
	const folder = "v/0123456789abcdef"
	for location, want := range map[string]string{
		"/web/icons/icon.svg":    folder + "/icons/icon.svg",
		"web/app.wasm":           folder + "/app.wasm",
		"/":                      "/",
		"":                       "",
		"app-worker.js":          "app-worker.js",
		"/website":               "/website",
		"data:image/svg+xml,web": "data:image/svg+xml,web",
	} {
		if got := inBundle(folder, location); got != want {
			t.Errorf("inBundle(%q) = %q, want %q", location, got, want)
		}
		if got := clientResourceResolver(folder)(location); got != want {
			t.Errorf("go-app resolves %q to %q, want %q", location, got, want)
		}
	}
}
