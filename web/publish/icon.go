package publish

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// svgSpace names the elements of a picture; it is a name, and nothing is fetched there.
const svgSpace = "http:/" + "/www.w3.org/2000/svg"

// The lines of icons of 16 by 16.
const (
	iconDone  = "M3 8.5 6.5 12 13 4.5"
	iconOpen  = "M2.8 8a5.2 5.2 0 0 1 10.4 0a5.2 5.2 0 0 1-10.4 0"
	iconAlert = "M8 2 1.5 13.5h13zM8 6.5v3M8 11.7v.1"
	iconDown  = "M4 6l4 4 4-4"
	iconEye   = "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8z" +
		"M6 8a2 2 0 0 1 4 0a2 2 0 0 1-4 0"
	iconSearch = "M2.5 7a4.5 4.5 0 0 1 9 0a4.5 4.5 0 0 1-9 0M10.5 10.5 14 14"
)

// icon draws lines beside words that say the same.
func icon(lines string) app.UI { return iconOf("0 0 16 16", lines) }

func iconOf(box, lines string) app.UI {
	return app.Elem("svg").XMLNS(svgSpace).Class("icon").Attr("viewBox", box).
		Aria("hidden", "true").
		Body(app.Elem("path").XMLNS(svgSpace).Attr("d", lines))
}
