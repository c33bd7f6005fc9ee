package web

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/learn"
	"hush/web/state/lesson"
)

// Register tells go-app which component draws which document. The page's own routes live behind one
// path's #, so that the bundle works on any host at any sub-path.
func Register() {
	app.Route(lesson.EmbedDocument, func() app.Composer { return new(learn.Embed) })
	app.RouteWithRegexp(".*", func() app.Composer { return new(Page) })
}
