package app

import "testing"

type (
	documentCompo struct{ Compo }
	otherCompo    struct{ Compo }
)

func TestRouter(t *testing.T) {
	r := makeRouter()
	r.route("/embed.html", func() Composer { return new(documentCompo) })
	for _, path := range []string{"", "/", "/index.html"} {
		if _, ok := r.createComponent(path); ok || r.routed(path) {
			t.Errorf("%q is routed before there is a route for it", path)
		}
	}
	r.routeWithRegexp(".*", func() Composer { return new(otherCompo) })
	for path, document := range map[string]bool{
		"/embed.html":           true,
		"/embed":                true,
		"/some/folder/embed":    true,
		"/a/b/embed.html":       true,
		"/":                     false,
		"":                      false,
		"embed":                 false,
		"/index.html":           false,
		"/embed.html/more":      false,
		"/not-embed.html":       false,
		"/some/folder/anything": false,
	} {
		c, ok := r.createComponent(path)
		if !ok || !r.routed(path) {
			t.Errorf("%q is not routed", path)
		}
		if _, is := c.(*documentCompo); is != document {
			t.Errorf("%q is %T", path, c)
		}
	}
}

func TestRouterRefusesPatterns(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a pattern that is not .* is taken")
		}
	}()
	r := makeRouter()
	r.routeWithRegexp("^/a", func() Composer { return new(otherCompo) })
}
