package web

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/message"
	"hush/core/task"
	"hush/web/engine"
)

// ReleaseStep is step 4: the button that spends, the run, and the answer with its exports.
type ReleaseStep struct {
	app.Compo

	Model    *Model   // read and changed
	Revision int      // Model.Revision
	Browser  *browser // for the chart and the downloads

	Progress engine.Progress // Model.Release.Progress
}

// Render draws the step in its phase.
func (s *ReleaseStep) Render() app.UI {
	m := s.Model
	r := m.Release
	body := []app.UI{}
	switch r.Phase {
	case ReleaseRunning:
		body = append(body, meter(phaseText(r.Progress.Phase), r.Progress, m.CancelRun))
	case ReleaseFailed:
		body = append(body, failedRun(r.Failure), s.runButton(message.Text("Try again"), "button main"))
	case ReleaseDone:
		body = append(body, s.result(r.Result)...)
		body = append(body, s.runButton(message.Text("Release once more"), "button"))
	default:
		body = append(body, s.waiting(), s.runButton(message.Text("Release"), "button main"))
	}
	body = append(body, lookedNote(m), s.open())
	if len(m.History.Past) > 0 {
		body = append(body, &SessionHistory{Model: m, Revision: m.Revision, Browser: s.Browser})
	}
	return step(4, "step-release", message.Text("Release"), r.Phase == ReleaseIdle && !m.Priced(), body...)
}

func (s *ReleaseStep) waiting() app.UI {
	if after, priced := s.Model.After(); priced && after.Over {
		return app.P().Text(message.Text("This costs more than the limit leaves, and will be refused. Ask for less privacy loss, or change the limit."))
	}
	if s.Model.Priced() {
		return app.P().Text(message.Text("Everything is ready. Releasing spends the privacy loss above, once and for good; the answer can then be published."))
	}
	text := s.Model.Missing()
	if text == "" {
		text = message.Text("Something in the form needs another look.")
	}
	return app.Div().Class("empty").Body(
		app.Img().Src("/web/icons/quiet.svg").Role("presentation").Aria("hidden", "true").Width(160).Height(72),
		app.P().Text(message.Text("The private answer will appear here.")),
		app.P().Class("small").Text(text),
	)
}

func (s *ReleaseStep) runButton(verb, class string) app.UI {
	m := s.Model
	text := verb
	if m.Priced() {
		text = message.Format("%s, spending ε = %s", verb, m.Recipe().Epsilon)
	}
	return app.Button().ID("run").Class(class + " no-print").Type("button").Text(text).Disabled(!m.Priced() || !m.MayAsk()).
		OnClick(func(app.Context, app.Event) { m.Run() })
}

const releaseInputID = "release-file"

// open takes a release that was saved before.
func (s *ReleaseStep) open() app.UI {
	m := s.Model
	return app.Div().Class("no-print").Body(
		app.If(m.Release.NotOpened != "", func() app.UI { return note("bad", m.Release.NotOpened) }),
		app.Button().ID("open-release").Class("button plain").Type("button").Text(message.Text("Open a saved release…")).Disabled(m.Release.Phase == ReleaseRunning).
			OnClick(func(app.Context, app.Event) { s.Browser.pick(releaseInputID) }),
		fileInput(releaseInputID, acceptJSON, message.Text("Saved release"), func(f File) { s.Browser.text(f, m.OpenRelease, m.refuseRelease) }),
	)
}

func phaseText(phase string) string {
	switch phase {
	case "reading":
		return message.Text("Reading the column…")
	case "computing":
		return message.Text("Drawing the answer…")
	}
	return message.Text("Starting…")
}

func failedRun(f *engine.Fault) app.UI {
	if f.Code == engine.Cancelled {
		return note("warn", message.Text("Cancelled. If the run had already begun to draw, its privacy loss stays in the record: what is spent is never given back."))
	}
	if f.Code == engine.OverLimit {
		return overLimitNote(f)
	}
	return failureNote(f)
}

func (s *ReleaseStep) result(r *task.Release) []app.UI {
	option, tall := chartOption(r)
	class := "chart short"
	if tall {
		class = "chart"
	}
	table := r.Table()
	return []app.UI{
		app.Div().ID(releaseID).TabIndex(-1).Class("more").Body(
			app.If(s.Model.Release.Opened, func() app.UI {
				return note("", message.Text("Opened from a file. It was released before, from data that this page does not have; looking at it costs nothing."))
			}),
			app.P().Class("statement").ID("statement").Text(r.Statement),
			&Chart{ID: "release-chart", Option: string(option), Class: class, Label: r.Statement, Browser: s.Browser},
			app.Div().Class("note good").Body(
				app.P().ID("guarantee").Text(r.Plan.Guarantee.Plain),
				app.Details().Body(
					app.Summary().Text(message.Text("The guarantee exactly, and how it was kept")),
					app.Div().Class("more").Body(
						app.P().Text(r.Plan.Guarantee.Exact+"."),
						app.P().Class("soft").Text(r.Plan.Guarantee.Neighbours),
						app.P().Class("soft").Text(message.Format("Algorithm: %s. %s Randomness: the system's cryptographic generator.", r.Plan.Algorithm, columnsText(r.Plan))),
					),
				),
			),
			explain(r.Statement, r.Plan.Guarantee.Exact, r.Plan.Guarantee.Neighbours, r.Plan.Algorithm, strings.Join(table[0], " ")),
			s.explored(r),
			releaseTable(r.Answer.Kind(), table[0], table[1:]),
			&Exports{Model: s.Model, Revision: s.Model.Revision, Browser: s.Browser},
		),
	}
}

// releaseTable draws the first rows of a release: more would keep the page busy for seconds.
func releaseTable(kind string, header []string, rows [][]string) app.UI {
	shown := rows[:min(len(rows), mostReleased)]
	table := dataTable(message.Text("The release as a table"), header, groupedCounts(kind, shown), "tall", figuresIn(shown))
	if len(shown) == len(rows) {
		return table
	}
	return app.Div().Class("more").Body(table,
		app.P().Class("small soft").Text(message.Format("These are the first %d of %d rows. The CSV file and the report have them all.", len(shown), len(rows))))
}

const mostReleased = 500 // rows of a release on the screen

// figuresIn tells which columns of an answer's table are for numbers: all but the first, unless there are words in them.
func figuresIn(rows [][]string) func(column int) bool {
	return func(column int) bool {
		return column > 0 && !slices.ContainsFunc(rows, func(row []string) bool {
			return strings.IndexFunc(row[column], unicode.IsLetter) == 0
		})
	}
}

// groupedCounts writes the numbers of people in an answer's table as everywhere on the page; files keep their plain digits. Other answers hold values
// of the column, where a whole number may be a year.
func groupedCounts(kind string, rows [][]string) [][]string {
	if kind != "histogram" && kind != "distribution" {
		return rows
	}
	list := make([][]string, len(rows))
	for i, row := range rows {
		list[i] = slices.Clone(row)
		for k := 1; k < len(row); k++ {
			if n, err := strconv.ParseInt(row[k], 10, 64); err == nil {
				list[i][k] = grouped(n)
			}
		}
	}
	return list
}

// explored is what a kind of answer offers beside its chart and its table.
func (s *ReleaseStep) explored(r *task.Release) app.UI {
	switch view := viewOfAnswer(r).(type) {
	case exploredView:
		return view.explore(r, s.Model.Revision, s.Browser)
	case continuedView:
		return view.goOn(s.Model, r, s.Browser)
	}
	return app.Div().Hidden(true)
}

// columnsText says which values the columns can have.
func columnsText(p task.Plan) string {
	if len(p.Others) == 0 {
		return message.Format("Column: %s.", p.Domain)
	}
	var list []string
	if p.Domain != "" {
		list = append(list, p.Column+", "+p.Domain)
	}
	for _, o := range p.Others {
		list = append(list, fmt.Sprintf("%s (%s), %s", o.Column, o.Role, o.Domain))
	}
	return message.Format("Columns: %s.", strings.Join(list, "; "))
}
