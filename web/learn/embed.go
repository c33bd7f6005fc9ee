package learn

import (
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/chart/taught"
	"hush/web/living"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/course"
	"hush/web/state/form"
	"hush/web/state/lesson"
	"hush/web/state/place"
)

// Embed is the document that other sites may frame: one lesson, compact. It opens no file, knows no
// ledger and releases nothing.
type Embed struct {
	app.Compo

	model   *state.Model
	browser *parts.Browser
	demo    *lesson.Demo // that is shown, of whatever theme; nil before the first
	fault   string       // what is wrong with the address, in words
	// of the slider: go-app keeps the handlers of the first drawing, so they look here
	stops []string
}

// OnInit makes the model, also where the document is only drawn and never mounted.
func (e *Embed) OnInit() {
	if e.model == nil {
		e.model = state.NewModel()
	}
}

// OnMount connects the document to the browser.
func (e *Embed) OnMount(ctx app.Context) {
	e.browser = parts.NewBrowser(func(f func()) { ctx.Dispatch(func(app.Context) { f() }) },
		e.model.News)
	e.model.Start(e.browser, e.browser, func() { ctx.Update() })
	// the address is the demo's, and what is done in it is kept nowhere
	e.model.Learn.WriteAddress, e.model.Course.WriteAddress = nil, nil
	e.model.Course.Keeper = nil
}

// OnNav shows the demo that the address names. What is drawn ahead, for every address, names none.
func (e *Embed) OnNav(ctx app.Context) {
	if app.IsClient {
		e.show(ctx.Page().URL().EscapedFragment())
	}
}

func (e *Embed) show(fragment string) {
	d, err := lesson.ReadDemo(fragment)
	d.Theme = "" // static/frame.js sees to it, and what was drawn stays
	if e.demo != nil && *e.demo == d {
		return
	}
	e.demo, e.fault = &d, ""
	e.model.Course.Show(place.ViewLearn.Path() + "/" + d.Course)
	if err == nil && d.Course != "" {
		e.model.Learn.LeaveDemo()
		if e.model.Course.Number == 0 {
			e.fault = say.Format("There is no lesson %q: want one of 1 to %d.", d.Course,
				course.Lessons)
		}
		return
	}
	if err == nil && d.Table != "" {
		e.model.Learn.LeaveDemo()
		e.table(d.Table)
		return
	}
	if err == nil {
		err = e.model.Learn.ShowDemo(d)
	} else {
		e.model.Learn.LeaveDemo()
	}
	if err != nil {
		e.fault = task.Capital(say.Error(err)) + "."
	} else {
		e.stops = epsilonsWith(e.model.Learn.Epsilon)
	}
}

// table opens a living table: from a link that holds it, or else from a file of the bundle's site.
func (e *Embed) table(address string) {
	l := &e.model.Living
	if _, link, is := strings.Cut(address, "#"+place.ViewTable.Path()+"/"); is {
		l.Show(place.ViewTable.Path() + "/" + link)
		return
	}
	e.browser.Table(address, func(text string) {
		if e.demo.Table == address {
			l.Open("", text)
		}
	}, l.Refuse)
}

// Framed returns the document with a demo, as it stands before anything was drawn or after a change
// of the lesson.
func Framed(m *state.Model, b *parts.Browser, fragment string, change func(*lesson.Lesson)) app.UI {
	e := &Embed{model: m, browser: b}
	e.show(fragment)
	change(&m.Learn.Lesson)
	return e.body()
}

// Render draws the document.
func (e *Embed) Render() app.UI { return app.Main().ID("embed").Body(e.body()) }

// body draws the demo in its phase.
func (e *Embed) body() app.UI {
	l := &e.model.Learn
	body := []app.UI{}
	switch {
	case e.fault != "":
		body = append(body, parts.Note("bad", e.fault))
	case e.demo != nil && e.demo.Table != "":
		body = append(body, app.H1().Text(say.Text("Living table")),
			&living.Page{Living: &e.model.Living, Revision: e.model.Revision, Browser: e.browser,
				Embedded: true})
	case e.model.Course.Number > 0:
		body = append(body, &Lesson{Course: &e.model.Course, Revision: e.model.Revision,
			Browser: e.browser, Embedded: true})
	case l.Task == nil:
		body = append(body,
			app.P().Class("soft").Role("status").Text(say.Text("Loading the demo…")))
	default:
		body = append(body,
			app.Div().Class("embed-head").
				Body(app.H1().Text(say.Text(l.Task.Title)),
					app.Span().Class("tag").Text(say.Text("On made-up data, not a release"))),
			app.P().Text(say.Text(l.Task.Question)),
			e.controls(l),
		)
		body = append(body, e.outcome(l)...)
	}
	return app.Div().Class("embed").Body(append(body, e.foot(l))...)
}

func (e *Embed) controls(l *lesson.Learn) app.UI {
	m := e.model
	return app.Div().Class("embed-controls").Body(
		app.Div().Class("field").Body(
			app.Label().For("embed-epsilon").Text(say.Text("Privacy loss ε")),
			app.Input().ID("embed-epsilon").Type("range").Min(0).Max(len(e.stops)-1).Step(1).
				Value(slices.Index(e.stops, l.Epsilon)).Aria("valuetext", l.Epsilon).
				OnChange(func(ctx app.Context, _ app.Event) {
					if i := parts.Number(ctx.JSSrc().Get("value").String()); i >= 0 &&
						i < len(e.stops) {
						m.Learn.Change(func(l *lesson.Lesson) { l.Epsilon = e.stops[i] })
					}
				}),
			app.P().Class("help").Text(l.Epsilon),
		),
		app.Button().Class("button main").Type("button").Text(say.Text("Draw again")).
			OnClick(func(app.Context, app.Event) {
				m.Learn.Change(func(l *lesson.Lesson) { l.Seed++ })
			}),
	)
}

// epsilonsWith returns the slider's stops, and one more where the demo begins between them.
func epsilonsWith(own string) []string {
	at, exact := slices.BinarySearchFunc(form.Epsilons, own, form.CompareDecimal)
	if exact && form.Epsilons[at] == own {
		return form.Epsilons
	}
	return slices.Insert(slices.Clone(form.Epsilons), at, own)
}

func (e *Embed) outcome(l *lesson.Learn) (list []app.UI) {
	if l.Fault != nil {
		list = append(list, parts.FailureNote(l.Fault))
	}
	t := l.Taught
	if t == nil {
		if l.Fault == nil {
			list = append(list, app.P().Class("soft").Role("status").Text(say.Text("Drawing…")))
		}
		return list
	}
	option, class := taught.Draw(t)
	return append(list,
		app.Dl().Class("pairs").Body(
			app.Dt().Text(say.Text("A private answer")),
			app.Dd().ID("embed-draw").Aria("live", "polite").Text(t.Draws[0].Statement),
			app.Dt().Text(task.Capital(taught.Quiet())),
			app.Dd().ID("embed-quiet").Text(t.Quiet.Statement),
		),
		&parts.Chart{ID: "embed-chart", Option: string(option), Class: class, Browser: e.browser,
			Label: say.Format("What the data say, and %d draws; the table below says the same.",
				len(t.Draws))},
		app.Details().Body(
			app.Summary().Text(say.Text("As a table, and how it is answered")),
			app.Div().Class("more").Body(
				parts.DataTable(say.Text("What the data say, and a private answer"),
					[]string{"", taught.Quiet(), say.Text("draw 1")},
					taught.Rows(t), "low", func(c int) bool { return c > 0 }),
				app.P().Text(say.Text(l.Set().About)),
				app.P().Text(say.Text(l.Task.How)),
			),
		),
	)
}

// foot leads to the whole page, and holds the switch that closes the network.
func (e *Embed) foot(l *lesson.Learn) app.UI {
	path := place.ViewLearn.Path()
	switch {
	case e.demo != nil && e.demo.Table != "":
		path = place.ViewTable.Path()
	case e.model.Course.Number > 0:
		path += "/" + strconv.Itoa(e.model.Course.Number)
	case l.Task != nil:
		path += "/" + l.Task.ID
	}
	state := say.Text("Nothing leaves this frame")
	if n := e.model.Network; n.Off && n.Able {
		state = say.Text("Offline: every request is refused")
	}
	return app.Div().Class("embed-foot").Body(
		app.Details().Body(
			app.Summary().ID("embed-network").Text(state),
			parts.OfflineSwitch(parts.OfflineID, e.model.Network, func() *parts.Browser {
				return e.browser
			}),
		),
		app.A().Href("./#"+path).Target("_blank").Rel("noopener").Text(say.Text("Open in Hush")),
	)
}
