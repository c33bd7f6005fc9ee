// This file takes the place of go-app's route.go for the browser's binary, see build.sh: the page has few routes, and
// regular expressions would be a thirtieth of what a visitor loads.

package app

import "strings"

type router struct {
	documents    map[string]func() Composer // by the end of their path
	newComponent func() Composer            // for every other path
}

func makeRouter() router { return router{documents: map[string]func() Composer{}} }

// route takes a document at the root of the bundle, wherever that is. Some hosts leave ".html" out of its address.
func (r *router) route(path string, newComponent func() Composer) {
	r.documents[path] = newComponent
	r.documents[strings.TrimSuffix(path, ".html")] = newComponent
}

// routeWithRegexp takes the pattern of every path only.
func (r *router) routeWithRegexp(pattern string, newComponent func() Composer) {
	if pattern != ".*" {
		panic("app: this copy knows the route .* only")
	}
	r.newComponent = newComponent
}

func (r *router) routed(string) bool { return r.newComponent != nil }

func (r *router) createComponent(path string) (Composer, bool) {
	if newComponent, ok := r.documents[path[strings.LastIndex(path, "/"):]]; ok {
		return newComponent(), true
	}
	if r.newComponent == nil {
		return nil, false
	}
	return r.newComponent(), true
}
