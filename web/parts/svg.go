package parts

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/phrase"
	"hush/web/say"
)

// svgSpace names the elements of a picture; it is a name, and nothing is fetched there.
const svgSpace = "http:/" + "/www.w3.org/2000/svg"

// SVG returns an element of a picture.
func SVG(tag string) app.HTMLElem { return app.Elem(tag).XMLNS(svgSpace) }

// The lines of icons of 16 by 16.
const (
	IconMenu  = "M2 4h12M2 8h12M2 12h12"
	IconCheck = "M3 8.5 6.5 12 13 4.5"
	IconOpen  = "M2.8 8a5.2 5.2 0 0 1 10.4 0a5.2 5.2 0 0 1-10.4 0"
)

// Icon draws lines beside words that say the same.
func Icon(lines string) app.UI { return IconIn("0 0 16 16", lines) }

// IconIn is Icon in another box.
func IconIn(box, lines string) app.UI {
	return SVG("svg").Class("icon").Attr("viewBox", box).Aria("hidden", "true").
		Body(SVG("path").Attr("d", lines))
}

// VerdictWords names each grade for the reader.
var VerdictWords = map[ask.Grade]phrase.Key{
	ask.Good:  "Good to publish",
	ask.Rough: "Rough",
	ask.Noise: "Mostly noise",

	ask.Unknown: "Not known before",
}

// bars draws what the logo has left: a path in a field of 18 by 16.
var bars = map[ask.Grade]string{
	ask.Good: "M3 0a2 2 0 0 1 2 2v12a2 2 0 0 1-4 0V2a2 2 0 0 1 2-2z" +
		"M9 3a2 2 0 0 1 2 2v6a2 2 0 0 1-4 0V5a2 2 0 0 1 2-2z" +
		"M15 5.5a2 2 0 0 1 2 2v1a2 2 0 0 1-4 0v-1a2 2 0 0 1 2-2z",
	ask.Rough: "M3 3a2 2 0 0 1 2 2v6a2 2 0 0 1-4 0V5a2 2 0 0 1 2-2z" +
		"M9 6a2 2 0 0 1 0 4a2 2 0 0 1 0-4z",
	ask.Noise: "M3 6.5a1.5 1.5 0 0 1 0 3a1.5 1.5 0 0 1 0-3z" +
		"M9 6.5a1.5 1.5 0 0 1 0 3a1.5 1.5 0 0 1 0-3z" +
		"M15 6.5a1.5 1.5 0 0 1 0 3a1.5 1.5 0 0 1 0-3z",
	ask.Unknown: "M9 0a5 5 0 0 1 5 5c0 3-4 3-4 6h-2c0-4 4-4 4-6a3 3 0 0 0-6 0h-2a5 5 0 0 1 5-5z" +
		"M8 13h2v2h-2z",
}

// VerdictChip shows a grade in words, beside the logo, which loses bars with each worse grade.
func VerdictChip(g ask.Grade) app.UI { return chip(g, say.Text(VerdictWords[g])) }

// ForecastChip shows the grade of an answer to come, with the smallest answer for which it holds
// (ask.Verdict.From).
func ForecastChip(g ask.Grade, from string) app.UI {
	switch {
	case from == "":
	case g == ask.Unknown:
		return chip(g, say.Format("Good if %s or more", from))
	case g == ask.Rough:
		return chip(g, say.Format("Rough if %s or more", from))
	}
	return VerdictChip(g)
}

// CountedChip shows a grade beside words that say how many answers have it.
func CountedChip(g ask.Grade, words string) app.UI { return chip(g, words) }

func chip(g ask.Grade, words string) app.UI {
	return app.Span().Class("verdict "+string(g)).Body(
		SVG("svg").Attr("viewBox", "0 0 18 16").Aria("hidden", "true").
			Body(SVG("path").Attr("d", bars[g])),
		app.Text(words),
	)
}
