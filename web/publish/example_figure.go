package publish

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/task"
	"hush/web/parts"
	"hush/web/say"
)

// ExampleFigure is a histogram of whole numbers as a publication, drawn without the chart library:
// it is seen before any program runs. All its statements are read from the release.
type ExampleFigure struct {
	app.Compo

	Release *task.Release
}

// young is the age below which the headline counts.
const young = 10

// Render draws the headline, the picture in three widths of which one is shown, and what a reader
// needs to judge it.
func (x *ExampleFigure) Render() app.UI {
	r := x.Release
	c := histogramOf(r)
	one, many := r.Recipe.Noun.Words()
	people, person := say.Phrase(many), say.Phrase(one)
	return app.Figure().Class("figure").Body(
		app.Div().Class("top").Body(
			app.Span().Text(say.Text("Example of an answer")), parts.VerdictChip(c.grade)),
		c.headline(person),
		composed("p", "All %s %s by %s, in bins of %d %s", message.Grouped(r.Plan.People), people,
			r.Recipe.Label, c.width, r.Recipe.Unit).Class("sub"),
		c.draw("narrow", 304, 230), c.draw("middle", 560, 262), c.draw("wide", 720, 320),
		app.FigCaption().Class("foot").Body(
			app.Span().Body(
				composed("span", "Noise added for privacy: ε = %s per %s.", r.Recipe.Epsilon,
					person), app.Text(" "),
				parts.SVG("svg").Class("key").Attr("viewBox", "0 0 9 14").Aria("hidden", "true").
					Body(parts.SVG("path").Attr("d", "M4.5 1v12M1.5 1h6M1.5 13h6")),
				app.Text(" "),
				app.Span().Text(say.Text("The range that holds in 95 of 100 releases.")),
				app.If(c.anyFew(), func() app.UI {
					return app.Span().Text(" " + say.Text("Hatched: too few to tell."))
				}),
			),
			composed("span", "Source: %s · Hush", r.Recipe.Source),
		),
		app.Details().Class("more").Body(
			app.Summary().Text(say.Text("The same as a table")),
			app.Div().Class("scroll low").TabIndex(0).Role("region").
				Aria("label", say.Text("The same as a table")).Body(c.table()),
		),
	)
}

// composed returns an element with a text whose parts are not messages of the page. It records the
// parts: static/language.js composes them in another language before the program runs.
func composed(tag string, format phrase.Key, args ...any) app.HTMLElem {
	return composedIn(app.Elem(tag), format, args...)
}

// composedIn is composed for a given element.
func composedIn(e app.HTMLElem, format phrase.Key, args ...any) app.HTMLElem {
	said := string(format)
	for _, arg := range args {
		said += "|" + fmt.Sprint(arg) // go-app cannot write quotation marks
	}
	return e.DataSet("said", said).Text(say.Format(format, args...))
}

// histogram holds what is drawn of a release.
type histogram struct {
	lo, width int64 // where the first bin begins, and the width of each
	counts    []int64
	labels    []string
	err       int64 // the error of each count
	total     int64
	grade     ask.Grade
	axis      []any  // "age", "years"
	unit      string // "patients"
}

// histogramOf reads a release of a histogram of whole numbers.
func histogramOf(r *task.Release) histogram {
	answer := r.Answer.Result.(*task.Histogram)
	lo, _ := strconv.ParseInt(r.Recipe.Domain.Lo, 10, 64)
	width, _ := strconv.ParseInt(r.Recipe.Params["width"], 10, 64)
	_, many := r.Recipe.Noun.Words()
	c := histogram{lo: lo, width: width, err: answer.Error, total: r.Plan.People,
		axis: []any{r.Recipe.Label, r.Recipe.Unit}, unit: say.Phrase(many)}
	for _, b := range answer.Bins {
		c.counts, c.labels = append(c.counts, b.Count), append(c.labels, b.Label)
	}
	if r.Verdict != nil {
		c.grade = r.Verdict.Grade
	} else {
		c.grade = ask.Judge(float64(c.err), float64(c.total)/float64(len(c.counts)))
	}
	return c
}

// key returns the number of bins that the headline is about, and of people in them.
func (c histogram) key() (bins int, people int64) {
	for i, n := range c.counts {
		if c.lo+int64(i+1)*c.width <= young {
			bins, people = i+1, people+n
		}
	}
	return bins, people
}

// axisText is the name of the axis.
const axisText phrase.Key = "%s in %s"

func (c histogram) headline(person string) app.UI {
	_, n := c.key()
	return composed("h2", "One %s in %d is under %d: about %s of %s.", person,
		int64(math.Round(float64(c.total)/float64(n))), int64(young), message.Grouped(n),
		message.Grouped(c.total))
}

// few reports whether a count is too small to distinguish from nothing.
func (c histogram) few(i int) bool { return c.counts[i] < 2*c.err }

func (c histogram) anyFew() bool {
	for i := range c.counts {
		if c.few(i) {
			return true
		}
	}
	return false
}

// step returns a round distance of ticks, about five of which cover most.
func step(most int64) int64 {
	for s := int64(1); ; s *= 10 {
		for _, k := range []int64{1, 2, 5} {
			if s*k*5 >= most {
				return s * k
			}
		}
	}
}

// draw draws the histogram at one width; the style sheet hides all other widths.
func (c histogram) draw(name string, width, height float64) app.UI {
	const left, right, top, bottom = 38, 14, 26, 44
	var most int64
	for _, n := range c.counts {
		most = max(most, n+c.err)
	}
	tick := step(most)
	ceiling := float64((most + tick - 1) / tick * tick)
	x := func(edge int) float64 {
		return left + (width-left-right)*float64(edge)/float64(len(c.counts))
	}
	y := func(n int64) float64 {
		return height - bottom - (height-top-bottom)*float64(max(n, 0))/ceiling
	}
	at := func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
	text := func(x, y float64, anchor, words string) app.HTMLElem {
		return parts.SVG("text").Attr("x", at(x)).Attr("y", at(y)).Attr("text-anchor", anchor).
			Text(words)
	}
	id := "example-" + name
	body := []app.UI{
		composedIn(parts.SVG("title").ID(id+"-title"), "%s by %s in %s",
			append([]any{c.unit}, c.axis...)...),
		c.described(parts.SVG("desc").ID(id + "-desc")),
		parts.SVG("defs").Body(parts.SVG("pattern").ID(id+"-hatch").Attr("width", "6").
			Attr("height", "6").Attr("patternUnits", "userSpaceOnUse").
			Attr("patternTransform", "rotate(45)").Body(
			parts.SVG("path").Class("hatch-line").Attr("d", "M0 0v6"))),
		text(0, 12, "start", c.unit).Attr("translate", "no"),
	}
	var lines strings.Builder
	for n := int64(0); float64(n) <= ceiling; n += tick {
		fmt.Fprintf(&lines, "M%s %sH%s", at(left), at(y(n)), at(width-right))
		body = append(body, text(left-8, y(n)+5, "end", message.Grouped(n)))
	}
	body = append(body, parts.SVG("path").Class("grid").Attr("d", lines.String()))
	key, _ := c.key()
	var inside, outside, ends strings.Builder // error bars, and ticks at the edges of bins
	for i, n := range c.counts {
		bar := parts.SVG("rect").Attr("x", at(x(i))).Attr("y", at(y(n))).
			Attr("width", at(x(i+1)-x(i))).Attr("height", at(y(0)-y(n)))
		switch {
		case c.few(i):
			bar = bar.Class("bar few-bar").Attr("fill", "url(#"+id+"-hatch)")
		case i < key:
			bar = bar.Class("bar key")
		default:
			bar = bar.Class("bar")
		}
		body = append(body, bar)
		middle, cap := (x(i)+x(i+1))/2, min(4, (x(i+1)-x(i))/3)
		low, high := y(n-c.err), y(max(n+c.err, 0))
		fmt.Fprintf(&outside, "M%s %sV%sM%s %sh%s", at(middle), at(y(n)), at(high),
			at(middle-cap), at(high), at(2*cap))
		where := &inside
		if c.few(i) {
			where = &outside
		}
		fmt.Fprintf(where, "M%s %sV%sM%s %sh%s", at(middle), at(y(n)), at(low),
			at(middle-cap), at(low), at(2*cap))
	}
	every := 2 // edges between labels
	if width < 400 {
		every = 4
	}
	for i := 0; i <= len(c.counts); i += every {
		fmt.Fprintf(&ends, "M%s %sv5", at(x(i)), at(y(0)))
		body = append(body,
			text(x(i), y(0)+20, "middle", fmt.Sprint(c.lo+int64(i)*c.width)))
	}
	body = append(body,
		parts.SVG("path").Class("err").Attr("d", outside.String()),
		parts.SVG("path").Class("err in").Attr("d", inside.String()),
		parts.SVG("path").Class("axis").
			Attr("d", fmt.Sprintf("M%s %sH%s", at(left), at(y(0)), at(width-right))+ends.String()),
		composedIn(text((left+width-right)/2, height-6, "middle", ""), axisText, c.axis...))
	return parts.SVG("svg").Class("chart "+name).Role("img").
		Attr("viewBox", fmt.Sprintf("0 0 %s %s", at(width), at(height))).
		Aria("labelledby", id+"-title").Aria("describedby", id+"-desc").Body(body...)
}

// described describes the picture in words.
func (c histogram) described(e app.HTMLElem) app.UI {
	largest := 0
	for i, n := range c.counts {
		if n > c.counts[largest] {
			largest = i
		}
	}
	return composedIn(
		e, "%d bars. The highest is %s with about %s; each is off by at most %s in 95 "+
			"of 100 releases.", len(c.counts), c.labels[largest],
		message.Grouped(c.counts[largest]),
		message.Grouped(c.err))
}

func (c histogram) table() app.UI {
	return app.Table().Class("table").Body(
		app.THead().Body(app.Tr().Body(
			composed("th", axisText, c.axis...).Attr("scope", "col"),
			app.Th().Scope("col").Class("num").Attr("translate", "no").Text(c.unit))),
		app.TBody().Body(app.Range(c.counts).Slice(func(i int) app.UI {
			return app.Tr().Body(app.Th().Scope("row").Text(c.labels[i]),
				app.Td().Class("num").Text(fmt.Sprintf("%s ± %s", message.Grouped(c.counts[i]),
					message.Grouped(c.err))))
		})),
	)
}
