// This file takes the place of go-app's route.go for the browser's binary, see build.sh: the page has one route, and
// regular expressions would be a thirtieth of what a visitor loads.

package app

type router struct{ newComponent func() Composer }

func makeRouter() router { return router{} }

func (r *router) route(_ string, newComponent func() Composer) { r.newComponent = newComponent }

// routeWithRegexp takes the pattern of every path only.
func (r *router) routeWithRegexp(pattern string, newComponent func() Composer) {
	if pattern != ".*" {
		panic("app: this copy knows the route .* only")
	}
	r.newComponent = newComponent
}

func (r *router) routed(string) bool { return r.newComponent != nil }

func (r *router) createComponent(string) (Composer, bool) {
	if r.newComponent == nil {
		return nil, false
	}
	return r.newComponent(), true
}
