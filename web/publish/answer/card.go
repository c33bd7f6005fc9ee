package answer

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/engine"
	"hush/web/living"
	"hush/web/parts"
	"hush/web/publish/explore"
	"hush/web/report"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/session"
	"hush/web/state/stage"
)

// Card is the release that is shown: its statement, what can be asked of it, its table, and the
// ways to take it along.
type Card struct {
	app.Compo
	gradual

	Model    *state.Model   // read and changed; it has a release
	Revision int            // Model.Revision
	Browser  *parts.Browser // for the chart and the downloads
}

// Render draws its parts.
func (c *Card) Render() app.UI {
	m := c.Model
	r := m.Answer.Result
	class := "published"
	return app.Div().ID(stage.ReleaseID).TabIndex(-1).Class(class).Body(c.Parts(
		func() app.UI {
			figure := &Figure{Release: r, Opened: m.Answer.Opened, Doubts: m.Answer.Doubts,
				Example: m.Answer.Example, Browser: c.Browser}
			if p := m.History.Of(r); p != nil {
				figure.When = p.When()
			}
			return figure
		},
		func() app.UI {
			if t, is := r.Answer.Result.(*task.ContingencyTable); is && len(t.Axes) > 1 {
				return &CrossTable{Release: r}
			}
			if t, is := r.Answer.Result.(*task.TableSet); is && t.Together > 1 {
				return &ChosenTable{Release: r}
			}
			if _, is := r.Answer.Result.(*task.Joint); is {
				return app.Div().Class("stack across").Body(&PairsMap{Release: r},
					&ChosenTable{Release: r, Browser: c.Browser})
			}
			return &ReleasedTable{Release: r}
		},
		func() app.UI {
			return &Aside{Model: m, Revision: c.Revision, Release: r, Browser: c.Browser}
		},
		func() app.UI { return c.explored(r) },
	)...)
}

// Figure shows a release's statement and picture, and how exact it is. It is drawn once for each
// release: its chart is large.
type Figure struct {
	app.Compo

	Release *task.Release
	When    string         // the day and the name of the release; empty where they are not known
	Opened  bool           // from a file
	Doubts  []string       // what that file says that cannot be so
	Example bool           // the landing's
	Browser *parts.Browser // for the chart
}

// Render draws headline, chart and note.
func (f *Figure) Render() app.UI {
	r := f.Release
	option, tall := chart.Of(r)
	words := chart.TextOf(r)
	class := "chart short"
	if tall {
		class = "chart"
	}
	verdict := app.UI(app.Span())
	if f.Opened {
		verdict = UnverifiedChip()
	} else if v := session.VerdictOf(r); v != nil {
		verdict = parts.VerdictChip(v.Grade)
	}
	return app.Article().Class("card pad").Aria("labelledby", "statement").Body(
		app.If(f.Example, func() app.UI {
			return app.P().Class("small soft").Text(say.Text("An example, released when Hush was " +
				"made: looking at it costs nothing."))
		}),
		app.If(f.Opened, func() app.UI {
			return parts.Note("", say.Text("Opened from a file, and not verified: the file does "+
				"not prove that its numbers were released. Its promise was worked out again from "+
				"the question. Looking at it costs nothing."))
		}),
		app.If(len(f.Doubts) > 0, func() app.UI { return parts.Note("bad", f.Doubts...) }),
		app.Figure().Class("figure").Body(
			app.Div().Class("top").Body(verdict,
				app.Span().Class("n when").Attr("translate", "no").Text(f.When)),
			app.H2().ID("statement").Text(parts.Together(r.Statement)),
			app.P().Class("sub").Text(words.Subtitle),
			&parts.Chart{ID: "release-chart", Option: string(option), Class: class,
				Label: chart.Spoken(r), Browser: f.Browser},
			// the picture shows them too, but screen readers only get its label
			app.FigCaption().Class("hidden-visually").Text(words.Note+" "+words.Source),
		),
	)
}

// UnverifiedChip stands in place of a grade.
func UnverifiedChip() app.UI {
	return app.Span().Class("verdict").Text(say.Text("Unverified"))
}

// Aside stands beside an answer: it shows what would help if the answer is not good, the ways to
// take it along, and what is promised.
type Aside struct {
	app.Compo

	Model    *state.Model  // read and changed
	Revision int           // Model.Revision
	Release  *task.Release // that is shown
	Browser  *parts.Browser

	told  string        // what became of the last copy
	about *task.Release // the release that was copied

	drawnOf         *task.Release // the release that the two below are about
	drawn, formulas string        // what it says of a population; empty: nothing
}

// Render draws its sections.
func (a *Aside) Render() app.UI {
	m, r := a.Model, a.Release
	if a.about != r {
		a.about, a.told = r, ""
	}
	help, collect := parts.Absent(), parts.Absent() // help comes later, and moves nothing
	if len(m.Help.List) > 0 && m.Forecast.AsksThis(r) && !isGood(r) {
		help = app.Div().Class("card pad").Body(
			&HelpList{Model: m, Revision: a.Revision, Place: "answer", Browser: a.Browser})
	}
	if session.IsNoise(r) && !m.Page.Has(r) {
		collect = CollectButton(m, "button")
	}
	if offer := m.TopUp.Offered(r); offer != nil {
		help = app.Div().Class("stack wide").Body(a.topUp(offer), help)
	} else if f := m.TopUp.Refused(r); f != nil && f.Code == engine.NoTopUp {
		help = app.Div().Class("stack wide").Body(
			app.P().ID("no-topup").Class("small soft").
				Text(task.Capital(strings.TrimSuffix(f.Message, "."))+"."), help)
	}
	before, after := help, parts.Absent()
	if !session.IsNoise(r) { // the downloads are open, and stay in place when help arrives
		before, after = after, before
	}
	return app.Aside().Class("stack wide").Aria("label", say.Text("About this answer")).Body(
		before,
		&Exports{Model: m, Revision: a.Revision, Browser: a.Browser},
		collect,
		a.taken(), after, app.Hr().Class("rule"), a.promise(),
	)
}

// isGood reports whether nothing speaks against an answer.
func isGood(r *task.Release) bool {
	v := session.VerdictOf(r)
	return v == nil || v.Grade == ask.Good
}

// taken is the sentence to copy and, if the question is about made-up data, the question to embed.
func (a *Aside) taken() app.UI {
	m := a.Model
	demo, embeddable := m.DemoOfQuestion()
	embeddable = embeddable && m.Forecast.AsksThis(a.Release)
	return app.Div().Class("stack no-print").Body(
		app.Div().Class("row").Body(
			app.Button().ID("copy-statement").Class("button small quiet").Type("button").
				Text(say.Text("Copy the sentence")).Disabled(!m.Answer.MayCopy(a.Release)).
				OnClick(func(ctx app.Context, _ app.Event) {
					a.Browser.Copy("statement", func(_ engine.Request, kind string, _ []byte) {
						a.told = parts.CopiedText(kind)
						ctx.Update()
					})
				}),
			app.If(embeddable, func() app.UI {
				return parts.EmbedButton("embed-answer", func() *parts.Browser { return a.Browser })
			}),
		),
		app.P().Class("small soft").Role("status").Text(a.told),
		app.If(embeddable, func() app.UI {
			return &parts.EmbedDialog{ID: "embed-answer", Demo: demo,
				Words: parts.DemoWords(m.Question.Task(), nil), Browser: a.Browser}
		}),
	)
}

// promise is the guarantee, in plain words and exactly, with the reasons for the verdict.
func (a *Aside) promise() app.UI {
	r := a.Release
	plan := r.Plan
	why := parts.Absent()
	if v := session.VerdictOf(r); v != nil && v.Text != "" && !a.Model.Answer.Opened {
		title := map[ask.Grade]string{ask.Good: say.Text("Why it is good to publish"),
			ask.Rough: say.Text("Why it is rough"),
			ask.Noise: say.Text("Why it is mostly noise")}[v.Grade]
		why = app.Details().Class("more").Open(v.Grade != ask.Good).Body(
			app.Summary().Text(title), app.P().Class("small").ID("why").Text(v.Text))
	}
	return app.Section().Class("stack").Aria("labelledby", "promise-title").Body(
		app.H3().ID("promise-title").Class("minor").Text(say.Text("What is promised")),
		app.P().ID("guarantee").Class("promise-text").Text(plan.Guarantee.Line()),
		exactly(plan.Guarantee, app.P().Class("small soft").Text(say.Format(
			"Algorithm: %s. %s Randomness: %s.",
			plan.Algorithm, columnsText(plan), report.OriginText(r.Origin)))),
		why,
		a.population(),
		parts.Explain(r.Statement, plan.Guarantee.Exact, plan.Guarantee.Neighbours, plan.Algorithm,
			strings.Join(r.Table(say.Language())[0], " ")),
	)
}

// population states what the answer implies for the population that the people were drawn from.
func (a *Aside) population() app.UI {
	if a.drawnOf != a.Release {
		a.drawnOf = a.Release
		a.drawn, a.formulas, _ = task.Population(say.Language(), a.Release)
	}
	if a.drawn == "" {
		return parts.Absent()
	}
	return app.Div().Body(
		app.P().Class("small").ID("population").Text(a.drawn),
		app.Details().Class("more").Body(app.Summary().Text(say.Text("Its formula")),
			app.P().Class("small soft").Text(a.formulas)),
	)
}

// exactly is the complete guarantee, folded away, with whatever else belongs there.
func exactly(g ask.Guarantee, more ...app.UI) app.UI {
	return app.Details().Class("more").Body(append([]app.UI{
		app.Summary().Text(say.Text("The guarantee exactly")),
		app.P().Class("small").Text(g.Plain),
		app.P().Class("small").Text(g.Exact + "."),
		app.P().Class("small soft").Text(g.Neighbours),
	}, more...)...)
}

// verdictIn is the verdict on an answer in a list of answers.
func verdictIn(r *task.Release) app.UI {
	if r.Unverified {
		return app.Span().Body(UnverifiedChip())
	}
	if v := session.VerdictOf(r); v != nil {
		return app.Span().Body(parts.VerdictChip(v.Grade))
	}
	return parts.Absent()
}

// ReleasedTable is a release as a table: its first rows only, since more would keep the page busy
// for seconds.
type ReleasedTable struct {
	app.Compo

	Release *task.Release

	table parts.Table // built once, since it is drawn in many pieces
	all   int         // the rows of the release
}

// OnUpdate discards the table of the former release.
func (r *ReleasedTable) OnUpdate(app.Context) { r.table = parts.Table{} }

// Render draws the table, and says where the other rows are.
func (r *ReleasedTable) Render() app.UI {
	if r.table.Header == nil {
		rows := r.Release.Table(say.Language())
		shown := rows[1:min(len(rows), 1+mostReleased)]
		r.table = *parts.DataTable(say.Text("The release as a table"), rows[0],
			chart.GroupedCounts(r.Release.Answer.Result, shown), "tall", chart.NumberColumns(shown))
		r.table.Names = []string{r.Release.Plan.Column}
		for _, o := range r.Release.Plan.Others {
			r.table.Names = append(r.table.Names, o.Column)
		}
		r.all = len(rows) - 1
	}
	table := r.table
	return app.Section().Class("data card pad stack").Aria("label", say.Text("The numbers")).Body(
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

// explored draws the tools that a kind of answer offers besides its chart and its table. They work
// on the release alone, so they are post-processing and cost nothing; votes that continue also ask
// the engine, for cases that the release has paid for.
func (c *Card) explored(r *task.Release) app.UI {
	var ask app.UI
	switch revision := c.Model.Revision; r.Answer.Result.(type) {
	case *task.Conjunctions, *task.Contacts:
		ask = &explore.SetAsk{Release: r, Revision: revision, Browser: c.Browser}
	case *task.Density:
		ask = &explore.DensityAsk{Release: r, Revision: revision, Browser: c.Browser}
	case *task.Distribution:
		ask = &explore.DistributionAsk{Release: r, Revision: revision}
	case *task.MadeUp:
		ask = &explore.MadeUpRows{Release: r, Revision: revision, Browser: c.Browser}
	case *task.Joint:
		return app.Div().Class("card pad explored").Body(
			&explore.MadeUpRows{Release: r, Revision: revision, Browser: c.Browser},
			&living.Offer{Living: &c.Model.Living, Release: r, Revision: revision,
				Browser: c.Browser})
	case *task.Labels:
		ask = &explore.CaseForm{Model: c.Model, Release: r, Revision: revision, Browser: c.Browser}
	default:
		return parts.Absent()
	}
	return app.Div().Class("card pad explored").Body(ask)
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
