package parts

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/web/say"
)

// Verdict is a grade as a chip: in words, and as the logo, of which the fewer bars remain the less
// of an answer can be heard.
func Verdict(g ask.Grade) app.UI {
	marks := make([]app.UI, 0, 3)
	for _, m := range strings.Fields(map[ask.Grade]string{
		ask.Good:  "1,0,16 7,3,10 13,5.5,5",
		ask.Rough: "1,0,16 7,4.5,7 15",
		ask.Noise: "1,5,6 9 15",
	}[g]) {
		if at := strings.Split(m, ","); len(at) == 1 {
			marks = append(marks,
				SVG("circle").Attr("cx", at[0]).Attr("cy", "8").Attr("r", "1.3"))
		} else {
			marks = append(marks, SVG("rect").Attr("x", at[0]).Attr("y", at[1]).
				Attr("width", "4").Attr("height", at[2]).Attr("rx", "2"))
		}
	}
	return app.Span().Class("verdict "+string(g)).Body(
		SVG("svg").Attr("viewBox", "0 0 18 16").Aria("hidden", "true").Body(marks...),
		app.Text(VerdictText(g)),
	)
}

// VerdictText is a grade in words.
func VerdictText(g ask.Grade) string {
	switch g {
	case ask.Good:
		return say.Text("Good to publish")
	case ask.Rough:
		return say.Text("Rough")
	}
	return say.Text("Mostly noise")
}

// svgSpace names the elements of a picture; it is a name, and nothing is fetched there.
const svgSpace = "http:/" + "/www.w3.org/2000/svg"

// SVG is an element of a picture.
func SVG(tag string) app.HTMLElem { return app.Elem(tag).XMLNS(svgSpace) }
