package app

import "strings"

type router struct {
	routes       map[string]func() Composer // documents, by the end of their path
	newComponent func() Composer            // for every other path
}

func makeRouter() router { return router{routes: map[string]func() Composer{}} }

// route takes a document at the root of the bundle, wherever that is. Some hosts leave ".html" out
// of its address.
func (r *router) route(path string, newComponent func() Composer) {
	r.routes[path] = newComponent
	r.routes[strings.TrimSuffix(path, ".html")] = newComponent
}

// routeWithRegexp takes the pattern of every path only.
func (r *router) routeWithRegexp(pattern string, newComponent func() Composer) {
	if pattern != ".*" {
		panic("app: this copy knows the route .* only")
	}
	r.newComponent = newComponent
}

func (r *router) routed(path string) bool {
	_, ok := r.find(path)
	return ok
}

func (r *router) createComponent(path string) (Composer, bool) {
	newComponent, ok := r.find(path)
	if !ok {
		return nil, false
	}
	return newComponent(), true
}

func (r *router) find(path string) (newComponent func() Composer, ok bool) {
	newComponent, ok = r.routes[path[max(strings.LastIndex(path, "/"), 0):]]
	if !ok {
		newComponent, ok = r.newComponent, r.newComponent != nil
	}
	return newComponent, ok
}
