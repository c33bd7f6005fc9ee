package web

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Register tells go-app which component is the page. Routes live behind the # of one path, so that the bundle works
// on any host at any sub-path.
func Register() {
	app.RouteWithRegexp(".*", func() app.Composer { return new(Page) })
}
