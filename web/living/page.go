// Package living draws a living table: a release that answers questions without its data.
package living

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/joint"
	"hush/core/task"
	"hush/core/verify"
	"hush/web/chart"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/claim"
	"hush/web/state/place"
)

// Page opens a living table and answers questions about it. Embedded, it is the table alone.
type Page struct {
	app.Compo

	Living   *claim.Living  // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser // for files and charts
	Embedded bool
}

const (
	inputID     = "table-file"
	acceptFiles = ".json,application/json"
)

// Render draws the way to a file, or the question and its answer.
func (v *Page) Render() app.UI {
	l := v.Living
	body := []app.UI{}
	if !v.Embedded {
		body = append(body, v.head())
	}
	switch {
	case l.Table != nil:
		body = append(body, v.asked(), v.about())
	case l.Report != nil:
		body = append(body, v.refused(), v.drop())
	case l.Fault != "":
		body = append(body, parts.Note("bad", l.Fault), v.drop())
	case v.Embedded:
		body = append(body, app.P().Class("soft").Role("status").Text(say.Text("Loading…")))
	default:
		body = append(body, v.drop())
	}
	return app.Div().Class("checking living").Body(body...)
}

// head draws the title, and the name of the open file.
func (v *Page) head() app.UI {
	l := v.Living
	return app.Div().Class("check-head").Body(
		app.Div().Body(
			app.H1().Text(say.Text("Living table")),
			app.P().Class("soft").Text(say.Text("A release that answers questions by itself: no "+
				"data, no cost, nothing is sent.")),
		),
		parts.FileInput(inputID, acceptFiles, v.open),
		app.If(l.Table != nil, func() app.UI {
			return app.Div().Class("file-line").Body(
				app.Span().Body(
					app.B().Body(app.Bdi().Text(l.Name)),
					app.Span().Class("soft small").Text(say.Bytes(l.Size)),
				),
				v.pick(say.Text("Open another…")),
			)
		}),
	)
}

func (v *Page) open(f engine.File) {
	v.Browser.Text(f, func(text string) { v.Living.Open(f.Name(), text) }, v.Living.Refuse)
}

func (v *Page) pick(text string) app.UI {
	return app.Button().Class("button").Type("button").Text(text).
		OnClick(func(app.Context, app.Event) { v.Browser.Pick(inputID) })
}

// drop draws the place where a file can be dropped, which page.js handles.
func (v *Page) drop() app.UI {
	if v.Embedded {
		return parts.Absent()
	}
	return app.Div().Class("drop").Body(
		app.Strong().Text(say.Text("Drop a living table here")),
		v.pick(say.Text("Choose a file…")),
		app.P().Class("soft small").Text(say.Text("The JSON of made-up data that keeps what goes "+
			"together. It is read in this tab and sent nowhere.")),
	)
}

// refused says what is wrong with a file, where, and what to do.
func (v *Page) refused() app.UI {
	body := []app.UI{app.H2().Text(say.Text("This file does not open."))}
	for _, c := range v.Living.Report.Checks {
		if c.Status != verify.Fails {
			continue
		}
		body = append(body, app.H3().Text(c.Title))
		for _, f := range c.Faults {
			body = append(body,
				app.P().Text(say.Format("Line %d: %s %s", f.Line, f.Says, f.Law)),
				app.P().Class("soft").Text(f.Means))
		}
	}
	return app.Div().Class("note bad stack").Role("alert").Body(body...)
}

// asked draws the question beside its answer.
func (v *Page) asked() app.UI {
	return app.Div().Class("living-grid").Body(
		app.Section().Class("card pad stack").Aria("labelledby", "table-question").
			Body(append([]app.UI{app.H2().ID("table-question").Text(say.Text("Ask it"))},
				v.form()...)...),
		app.Section().Class("card pad stack").ID("table-answer").Aria("live", "polite").
			Body(v.answer()...),
	)
}

// columns lists the columns to choose from: those that fit and are not taken elsewhere.
func (v *Page) columns(none string, fits func(column int) bool,
	taken ...int) (list []parts.Option) {
	if none != "" {
		list = append(list, parts.Option{Value: "0", Text: none})
	}
	for i, a := range v.Living.Table.Axes {
		if fits(i) && !slices.Contains(taken, i) {
			list = append(list, parts.Option{Value: strconv.Itoa(i + 1), Text: a.Column})
		}
	}
	return list
}

func anyColumn(int) bool { return true }

// form draws the fields of the question.
func (v *Page) form() []app.UI {
	l, q := v.Living, v.Living.Question
	t := l.Table
	fits := func(k task.LivingKind) func(column int) bool {
		switch k {
		case task.LivingMean, task.LivingLine:
			return t.Numbers
		case task.LivingQuantile:
			return t.Ordered
		}
		return anyColumn
	}
	kinds := []parts.Option{{Value: string(task.LivingCount), Text: say.Text("How many")}}
	for _, k := range []struct {
		kind  task.LivingKind
		text  string
		needs int
	}{
		{task.LivingMean, say.Text("The mean"), 1},
		{task.LivingQuantile, say.Text("A quantile, such as the median"), 1},
		{task.LivingLine, say.Text("How one goes with another (a straight line)"), 2},
		{task.LivingLogistic, say.Text("What goes with a yes (logistic regression)"), 2},
	} {
		if len(v.columns("", fits(k.kind))) >= k.needs {
			kinds = append(kinds, parts.Option{Value: string(k.kind), Text: k.text})
		}
	}
	body := []app.UI{parts.SelectField("table-kind", say.Text("What to know"), string(q.Kind),
		kinds, "", "", func(text string) {
			l.Ask(func(q *task.LivingQuestion) { v.begin(q, task.LivingKind(text), fits) })
		})}
	at := func(k int) int {
		if k < len(q.Columns) {
			return q.Columns[k]
		}
		return -1
	}
	field := func(k int, label, none string, fits func(int) bool) {
		var taken []int
		for i, column := range q.Columns {
			if i != k {
				taken = append(taken, column)
			}
		}
		id := "table-column-" + strconv.Itoa(k+1)
		body = append(body, parts.DataField(id, label, strconv.Itoa(at(k)+1),
			v.columns(none, fits, taken...), "", "", func(text string) {
				l.Ask(func(q *task.LivingQuestion) { setColumn(q, k, parts.Number(text)-1) })
			}))
	}
	switch q.Kind {
	case task.LivingCount:
		for k := range min(len(q.Columns)+1, 3, len(t.Axes)) {
			field(k, say.Format("By column %d", k+1), say.Text("no further column"), anyColumn)
		}
	case task.LivingLine:
		field(0, say.Text("How much of"), "", t.Numbers)
		field(1, say.Text("for each more of"), "", t.Numbers)
	case task.LivingLogistic:
		field(0, say.Text("The odds that"), "", anyColumn)
		body = append(body, v.places("table-place", say.Text("is"), q.Columns[0], q.Place, true,
			func(q *task.LivingQuestion, place int) { q.Place = place }))
		for k := 1; k <= min(len(q.Columns), task.MostPredictors, len(t.Axes)-1); k++ {
			none := ""
			if k > 1 {
				none = say.Text("no further column")
			}
			field(k, say.Format("By column %d", k), none, anyColumn)
		}
	default:
		field(0, say.Text("Of"), "", fits(q.Kind))
		field(1, say.Text("For each"), say.Text("no group"), anyColumn)
	}
	if q.Kind == task.LivingQuantile {
		body = append(body, parts.TextField("table-part", say.Text("Part at or below it"), q.Part,
			say.Text("0.5 is the median"), "", func(text string) {
				l.Ask(func(q *task.LivingQuestion) { q.Part = text })
			}))
	}
	if q.Kind != task.LivingLine {
		body = append(body, v.conditions()...)
	}
	return body
}

// begin changes the question to one of another kind, with the first columns that fit.
func (v *Page) begin(q *task.LivingQuestion, k task.LivingKind,
	fits func(task.LivingKind) func(int) bool) {
	*q = task.LivingQuestion{Kind: k}
	columns := 1
	if k == task.LivingLine || k == task.LivingLogistic {
		columns = 2
	}
	for _, o := range v.columns("", fits(k))[:columns] {
		q.Columns = append(q.Columns, parts.Number(o.Value)-1)
	}
	if k == task.LivingQuantile {
		q.Part = "0.5"
	}
}

// places draws the choice of a place of a column; valued leaves out the place of people without a
// value.
func (v *Page) places(id, label string, column, chosen int, valued bool,
	set func(q *task.LivingQuestion, place int)) app.UI {
	var options []parts.Option
	for i, p := range v.Living.Table.Axes[column].Places {
		options = append(options, parts.Option{Value: strconv.Itoa(i + 1), Text: p.Label})
	}
	if valued {
		options = options[:len(options)-1]
	}
	return parts.DataField(id, label, strconv.Itoa(chosen+1), options, "", "", func(text string) {
		v.Living.Ask(func(q *task.LivingQuestion) { set(q, parts.Number(text)-1) })
	})
}

// setColumn puts a column into its place; a column below 0 frees the place, and those behind it
// move up. Conditions on a column that is asked about are dropped.
func setColumn(q *task.LivingQuestion, k, column int) {
	q.Columns = slices.Clone(q.Columns)
	if k == 0 {
		q.Place = 0
	}
	switch {
	case column < 0:
		q.Columns = slices.Delete(q.Columns, min(k, len(q.Columns)), min(k+1, len(q.Columns)))
	case k < len(q.Columns):
		q.Columns[k] = column
	default:
		q.Columns = append(q.Columns, column)
	}
	q.Where = slices.DeleteFunc(slices.Clone(q.Where), func(w task.LivingCondition) bool {
		return slices.Contains(q.Columns, w.Column)
	})
}

// mostConditions is the largest number of conditions that the form offers.
const mostConditions = 3

// conditions draws the fields that keep the people in a place of a column.
func (v *Page) conditions() (body []app.UI) {
	l, q := v.Living, v.Living.Question
	for k := range min(len(q.Where)+1, mostConditions) {
		var taken []int
		taken = append(taken, q.Columns...)
		column, place := -1, 0
		for i, w := range q.Where {
			if i != k {
				taken = append(taken, w.Column)
			} else {
				column, place = w.Column, w.Place
			}
		}
		options := v.columns(say.Text("everyone"), anyColumn, taken...)
		if len(options) < 2 {
			break
		}
		id := "table-where-" + strconv.Itoa(k+1)
		body = append(body, parts.DataField(id, say.Format("Only where, %d", k+1),
			strconv.Itoa(column+1), options, "", "", func(text string) {
				l.Ask(func(q *task.LivingQuestion) {
					q.Where = slices.Clone(q.Where)
					switch to := parts.Number(text) - 1; {
					case to < 0:
						q.Where = slices.Delete(q.Where, min(k, len(q.Where)),
							min(k+1, len(q.Where)))
					case k < len(q.Where):
						q.Where[k] = task.LivingCondition{Column: to}
					default:
						q.Where = append(q.Where, task.LivingCondition{Column: to})
					}
				})
			}))
		if column < 0 {
			continue
		}
		body = append(body, v.places(id+"-is", say.Format("is, %d", k+1), column, place, false,
			func(q *task.LivingQuestion, place int) {
				q.Where = slices.Clone(q.Where)
				q.Where[k].Place = place
			}))
	}
	return body
}

// answer draws the sentence, the source of its error, the chart and the table.
func (v *Page) answer() []app.UI {
	l := v.Living
	if l.Refused != nil {
		return []app.UI{parts.Note("warn", task.Capital(say.Error(l.Refused))+".")}
	}
	a := l.Answer
	kind := "warn"
	if a.Known == joint.Certain || a.Known == joint.ByCounts {
		kind = "good"
	}
	body := []app.UI{
		app.H2().ID("table-sentence").Text(a.Sentence),
		parts.Note(kind, a.Note),
	}
	option, left := chart.OfLiving(a, l.Question.Kind == task.LivingCount)
	if option != nil {
		body = append(body, &parts.Chart{ID: "table-chart", Option: string(option),
			Class: "chart", Label: a.Sentence, Browser: v.Browser})
	}
	if left > 0 {
		body = append(body, app.P().Class("small soft").Text(say.Count(int64(left),
			"%d further number is in the table.", "%d further numbers are in the table.", left)))
	}
	names, rows := len(a.Names), a.Table(say.Language())
	return append(body, parts.DataTable(a.Title, rows[0], rows[1:], "low", func(column int) bool {
		return column >= names && column < names+3
	}))
}

// about says where the table comes from, and what was checked about it.
func (v *Page) about() app.UI {
	r := v.Living.Report
	list := func(checks []verify.Check) app.UI {
		return app.Ul().Body(app.Range(checks).Slice(func(i int) app.UI {
			return app.Li().Body(app.B().Text(checks[i].Title), app.Text(" "+checks[i].Detail))
		}))
	}
	return app.Section().Class("card pad stack").Aria("labelledby", "table-about").Body(
		app.H2().ID("table-about").Class("minor").Text(say.Text("Where it comes from")),
		app.P().Text(r.About+". "+r.Loss+"."),
		app.P().Class("soft").Text(say.Text(task.OnlyPairs)),
		app.Details().Class("more").Body(
			app.Summary().Text(say.Text("Checked when it was opened")), list(r.Checks)),
		app.Details().Class("more").Body(
			app.Summary().Text(say.Text("What no file can prove")), list(r.Unknowable)),
	)
}

// Offer opens a release as a living table, saves it as a file, and copies a link where it is small.
type Offer struct {
	app.Compo

	Living   *claim.Living // where it is opened
	Release  *task.Release
	Revision int // Model.Revision
	Browser  *parts.Browser

	of   *task.Release // of which the link is
	link string
	told string
}

// FileName returns the name under which the file is saved.
const FileName = "hush-living-table.json"

// Render draws the buttons.
func (o *Offer) Render() app.UI {
	if o.of != o.Release {
		o.of, o.told = o.Release, ""
		if o.link = task.LivingLink(o.Release, o.build()); o.link != "" {
			o.link = o.Browser.Base() + "#" + place.ViewTable.Path() + "/" + o.link
		}
	}
	const id = "living-link"
	return app.Section().Class("more no-print").Aria("labelledby", "living-title").Body(
		app.H3().ID("living-title").Text(say.Text("A living table")),
		app.P().Class("small soft").Text(say.Text("This release can answer questions by itself: "+
			"counts, tables, means, quantiles and lines, for anyone, without the data and at no "+
			"further cost.")),
		app.Div().Class("row").Body(
			o.button(say.Text("Open as a living table"), func(app.Context) {
				o.Living.Open("", o.Release.JSON(o.build()))
				o.Browser.Visit(place.ViewTable.Path())
			}),
			o.button(say.Text("Save the living table"), func(app.Context) {
				o.Browser.Download(FileName, "application/json", o.Release.JSON(o.build()))
			}),
			app.If(o.link != "", func() app.UI {
				return o.button(say.Text("Copy the link"), func(ctx app.Context) {
					o.Browser.Copy(id, func(_ engine.Request, kind string, _ []byte) {
						o.told = parts.CopiedText(kind)
						ctx.Update()
					})
				})
			}),
		),
		app.P().Class("small soft").Role("status").Text(o.told),
		app.Span().ID(id).Class("hidden-visually").Aria("hidden", "true").
			Attr("translate", "no").Text(o.link),
	)
}

func (o *Offer) build() string {
	if o.Browser == nil {
		return ""
	}
	return o.Browser.Build()
}

func (o *Offer) button(text string, do func(app.Context)) app.UI {
	return app.Button().Class("button").Type("button").Text(text).
		OnClick(func(ctx app.Context, _ app.Event) { do(ctx) })
}
