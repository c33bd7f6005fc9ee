// This file takes the place of http.go and resource.go in go-app's package for the browser's binary, see build.sh.
// Those serve pages and bring net/http and TLS along; a page that is served needs only what is below.

package app

import "strings"

// Handler is named by the browser's half of GenerateStaticWebsite, which cannot be called there.
type Handler struct{}

// clientResourceResolver turns /web/x into x in the folder of the versioned files. Other addresses stay as they are.
func clientResourceResolver(folder string) func(string) string {
	return func(location string) string {
		if name, ok := strings.CutPrefix(strings.TrimPrefix(location, "/"), "web/"); ok {
			return folder + "/" + name
		}
		return location
	}
}
