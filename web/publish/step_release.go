package publish

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/publish/explore"
	"hush/web/say"
	"hush/web/state"
)

// ReleaseStep is step 4: the button that spends, the run, and the answer with its exports.
type ReleaseStep struct {
	app.Compo

	Model    *state.Model   // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser // for the chart and the downloads

	Progress engine.Progress // Model.Release.Progress

	offered *ask.Plan // what the button spends, as it stands on the screen
}

// Render draws the step in its phase.
func (s *ReleaseStep) Render() app.UI {
	m := s.Model
	r := m.Release
	var status, run app.UI
	switch r.Phase {
	case state.ReleaseRunning:
		status, run = parts.Meter(phaseText(r.Progress.Phase), r.Progress, m.CancelRun),
			parts.Absent()
	case state.ReleaseFailed:
		status, run = failedRun(r.Failure), s.runButton(say.Text("Try again"), "button main")
	case state.ReleaseDone:
		status, run = &Result{Model: m, Revision: m.Revision, Browser: s.Browser},
			s.runButton(say.Text("Release once more"), "button")
	default:
		status, run = s.waiting(), s.runButton(say.Text("Release"), "button main")
	}
	past := parts.Absent()
	if len(m.History.Past) > 0 {
		past = &SessionHistory{Model: m, Revision: m.Revision, Browser: s.Browser}
	}
	return parts.Step(4, "step-release", say.Text("Release"), r.Phase == state.ReleaseIdle &&
		!m.Priced(), status, run, parts.LookedNote(m), s.open(), past)
}

func (s *ReleaseStep) waiting() app.UI {
	if after, priced := s.Model.After(); priced && after.Over {
		return app.P().Text(say.Text("This costs more than the limit leaves, and will be " +
			"refused. Ask for less privacy loss, or change the limit."))
	}
	if s.Model.Priced() {
		return app.P().Text(say.Text("Everything is ready. Releasing spends the privacy loss " +
			"above, once and for good; the answer can then be published."))
	}
	text := s.Model.Missing()
	if text == "" {
		text = say.Text("Something in the form needs another look.")
	}
	return app.Div().Class("empty").Body(
		app.Img().Src("/web/icons/quiet.svg").Role("presentation").Aria("hidden", "true").
			Width(160).Height(72),
		app.P().Text(say.Text("The private answer will appear here.")),
		app.P().Class("small").Text(text),
	)
}

func (s *ReleaseStep) runButton(verb, class string) app.UI {
	m := s.Model
	s.offered = m.Forecast.Plan
	text := verb
	if m.Priced() {
		text = say.Format("%s, spending ε = %s", verb, m.Recipe().Epsilon)
	}
	return app.Button().ID("run").Class(class + " no-print").Type("button").Text(text).
		Disabled(!m.Priced() || !m.MayAsk()).
		OnClick(func(app.Context, app.Event) {
			if m.Forecast.Plan == s.offered { // else another price came, and is not drawn yet
				m.Run()
			}
		})
}

const releaseInputID = "release-file"

// open takes a release that was saved before.
func (s *ReleaseStep) open() app.UI {
	m := s.Model
	return app.Div().Class("no-print").Body(
		app.If(m.Release.NotOpened != "", func() app.UI {
			return parts.Note("bad", m.Release.NotOpened)
		}),
		app.Button().ID("open-release").Class("button plain").Type("button").
			Text(say.Text("Open a saved release…")).
			Disabled(m.Release.Phase == state.ReleaseRunning).
			OnClick(func(app.Context, app.Event) { s.Browser.Pick(releaseInputID) }),
		parts.FileInput(releaseInputID, parts.AcceptJSON, say.Text("Saved release"),
			func(f engine.File) { s.Browser.Text(f, m.OpenRelease, m.RefuseRelease) }),
	)
}

func phaseText(phase string) string {
	switch phase {
	case "reading":
		return say.Text("Reading the column…")
	case "computing":
		return say.Text("Drawing the answer…")
	}
	return say.Text("Starting…")
}

func failedRun(f *engine.Fault) app.UI {
	if f.Code == engine.Cancelled {
		return parts.Note("warn", say.Text("Cancelled. If the run had already begun to draw, its "+
			"privacy loss stays in the record: what is spent is never given back."))
	}
	if f.Code == engine.OverLimit {
		return parts.OverLimitNote(f)
	}
	return parts.FailureNote(f)
}

// Result is the release that is shown: what it says, what can be asked of it, its table, and the
// ways to take it along.
type Result struct {
	app.Compo
	gradual

	Model    *state.Model   // read and changed; it has a release
	Revision int            // Model.Revision
	Browser  *parts.Browser // for the chart and the downloads
}

// Render draws its parts.
func (s *Result) Render() app.UI {
	r := s.Model.Release.Result
	return app.Div().ID(state.ReleaseID).TabIndex(-1).Class("more").Body(s.Parts(
		func() app.UI {
			return &Released{Release: r, Opened: s.Model.Release.Opened, Browser: s.Browser}
		},
		func() app.UI { return s.explored(r) },
		func() app.UI { return &ReleasedTable{Release: r} },
		func() app.UI { return &Exports{Model: s.Model, Revision: s.Revision, Browser: s.Browser} },
	)...)
}

// Released says what a release tells, draws it, and names its guarantee. It is drawn once for each
// release: its chart is large.
type Released struct {
	app.Compo

	Release *task.Release
	Opened  bool           // from a file
	Browser *parts.Browser // for the chart
}

// Render draws statement, chart and guarantee.
func (r *Released) Render() app.UI {
	release := r.Release
	option, tall := chart.Of(release)
	class := "chart short"
	if tall {
		class = "chart"
	}
	return app.Div().Class("more").Body(
		app.If(r.Opened, func() app.UI {
			return parts.Note("", say.Text("Opened from a file. It was released before, from "+
				"data that this page does not have; looking at it costs nothing."))
		}),
		app.P().Class("statement").ID("statement").Text(parts.Together(release.Statement)),
		&parts.Chart{ID: "release-chart", Option: string(option), Class: class,
			Label: release.Statement, Browser: r.Browser},
		app.Div().Class("note good").Body(
			app.P().ID("guarantee").Text(release.Plan.Guarantee.Plain),
			app.Details().Body(
				app.Summary().Text(say.Text("The guarantee exactly, and how it was kept")),
				app.Div().Class("more").Body(
					app.P().Text(release.Plan.Guarantee.Exact+"."),
					app.P().Class("soft").Text(release.Plan.Guarantee.Neighbours),
					app.P().Class("soft").
						Text(say.Format(
							"Algorithm: %s. %s Randomness: the system's cryptographic generator.",
							release.Plan.Algorithm, columnsText(release.Plan))),
				),
			),
		),
		parts.Explain(release.Statement, release.Plan.Guarantee.Exact,
			release.Plan.Guarantee.Neighbours, release.Plan.Algorithm,
			strings.Join(release.Table(say.Language())[0], " ")),
	)
}

// ReleasedTable is a release as a table: its first rows, since more would keep the page busy for
// seconds.
type ReleasedTable struct {
	app.Compo

	Release *task.Release

	table parts.Table // as it is drawn, made once: it is drawn in many pieces
	all   int         // the rows of the release
}

// OnUpdate is another release.
func (r *ReleasedTable) OnUpdate(app.Context) { r.table = parts.Table{} }

// Render draws the table, and says where the other rows are.
func (r *ReleasedTable) Render() app.UI {
	if r.table.Header == nil {
		rows := r.Release.Table(say.Language())
		shown := rows[1:min(len(rows), 1+mostReleased)]
		r.table = *parts.DataTable(say.Text("The release as a table"), rows[0],
			chart.GroupedCounts(r.Release.Answer.Kind(), shown), "tall", chart.NumberColumns(shown))
		r.all = len(rows) - 1
	}
	table := r.table
	return app.Div().Class("more").Body(
		&table,
		app.If(len(table.Rows) < r.all, func() app.UI {
			return app.P().Class("small soft").
				Text(say.Format(
					"These are the first %d of %d rows. The CSV file and the report have them all.",
					len(table.Rows), r.all))
		}),
	)
}

const mostReleased = 500 // rows of a release on the screen

// explored is what a kind of answer offers beside its chart and its table. It works on the release
// alone, so what it shows is post-processing and costs nothing; votes that go on ask the engine
// too, for what was paid for with the release.
func (s *Result) explored(r *task.Release) app.UI {
	revision := s.Model.Revision
	switch r.Answer.Result.(type) {
	case *task.Conjunctions, *task.Contacts:
		return &explore.SetAsk{Release: r, Revision: revision, Browser: s.Browser}
	case *task.Density:
		return &explore.DensityAsk{Release: r, Revision: revision, Browser: s.Browser}
	case *task.Distribution:
		return &explore.DistributionAsk{Release: r, Revision: revision}
	case *task.MadeUp:
		return &explore.MadeUpRows{Release: r, Revision: revision, Browser: s.Browser}
	case *task.Labels:
		return &explore.CaseForm{Model: s.Model, Release: r, Revision: revision, Browser: s.Browser}
	}
	return parts.Absent()
}

// columnsText says which values the columns can have.
func columnsText(p ask.Plan) string {
	if len(p.Others) == 0 {
		return say.Format("Column: %s.", p.Domain)
	}
	var list []string
	if p.Domain != "" {
		list = append(list, p.Column+", "+p.Domain)
	}
	for _, o := range p.Others {
		list = append(list, fmt.Sprintf("%s (%s), %s", o.Column, o.Role, o.Domain))
	}
	return say.Format("Columns: %s.", strings.Join(list, "; "))
}
