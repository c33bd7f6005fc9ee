package host

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Files with rules for hosts of static files on how to serve the bundle; they are not served
// themselves.
const (
	RulesFile  = "_headers"      // holds Rules
	IgnoreFile = ".assetsignore" // holds Ignored
)

// Ignored lists the files that a host of static files should not serve, since it compresses files
// itself.
const Ignored = "*.br\n*.gz\n"

// Rules writes the headers of every answer as the _headers file that static hosts (Cloudflare,
// Netlify) read, so that they say there what this package says here.
func Rules() []byte {
	var b strings.Builder
	b.WriteString("/*\n")
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		fmt.Fprintf(&b, "  %s: %s\n", name, headers[name])
	}
	fmt.Fprintf(&b, "  Cache-Control: %s\n", revalidated)
	for _, extension := range slices.Sorted(maps.Keys(types)) {
		fmt.Fprintf(&b, "/*%s\n  Content-Type: %s\n", extension, types[extension].mime)
	}
	for _, file := range slices.Sorted(maps.Keys(shared)) {
		fmt.Fprintf(&b, "/%s\n", file)
		for _, name := range slices.Sorted(maps.Keys(shared[file])) {
			fmt.Fprintf(&b, "  ! %s\n  %[1]s: %s\n", name, shared[file][name])
		}
	}
	fmt.Fprintf(&b, "/%s*\n  ! Cache-Control\n  Cache-Control: %s\n", Versioned, immutable)
	return []byte(b.String())
}
