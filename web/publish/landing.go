package publish

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/parts"
	"hush/web/publish/data"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/dataset"
	"hush/web/state/place"
)

// Landing is what a visitor sees while no file is open: what Hush does, beside an answer.
type Landing struct {
	app.Compo

	Model    *state.Model   // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser // to open the system's file dialog
	Answer   *task.Release  // a histogram (session.Landing)

	pasted data.Pasted
}

// Render draws the words first, and then the answer.
func (l *Landing) Render() app.UI {
	return app.Div().ID("drop").Class("landing").Body(
		app.Div().Class("pitch").Body(
			app.H1().Text(say.Text("Publish the numbers, not the people.")),
			app.P().Class("lead").Text(say.Text("Hush turns a confidential CSV into charts and "+
				"tables you can publish, with just enough noise to hide any one person.")),
			l.actions(),
			l.before(),
			app.Ul().Class("facts").Body(
				assurance(say.Text("Your file never leaves this tab."),
					app.Text(say.Text("No account, no server, works offline."))),
				assurance(say.Text("You see the error before you pay for it."),
					app.Text(say.Text("Good, rough or mostly noise."))),
				assurance(say.Text("You need not believe us."),
					app.A().Href("#"+place.ViewProof.Path()).Text(say.Text("Try to break it")),
					app.Text(" · "),
					app.A().Href("#"+place.ViewEvidence.Path()).
						Text(say.Text("Read the evidence"))),
			),
			ways(),
		),
		app.Section().Class("card pad").Aria("label", say.Text("An example of an answer")).
			Body(&ExampleFigure{Release: l.Answer}),
	)
}

// assurance is one of the reasons to trust the page.
func assurance(claim string, more ...app.UI) app.UI {
	return app.Li().Body(parts.Icon(parts.IconCheck),
		app.Span().Body(app.B().Text(claim), app.Text(" "),
			app.Span().Class("soft").Body(more...)))
}

// ways says where to begin, for each kind of visitor.
func ways() app.UI {
	way := func(who, where, to string) app.UI {
		return app.Li().Body(app.B().Text(who), app.Text(" "), app.A().Href(to).Text(where))
	}
	// a document beside the page is not one of its places, so it opens in another tab
	beside := func(who, where, to string) app.UI {
		return app.Li().Body(app.B().Text(who), app.Text(" "),
			app.A().Href(to).Target("_blank").Text(where))
	}
	learn := "#" + place.ViewLearn.Path()
	return app.Nav().Class("ways small").Aria("label", say.Text("Where to begin")).Body(
		app.Ul().Body(
			way(say.Text("Publish"), say.Text("What can be asked"), "#"+place.ViewDocs.Path()),
			way(say.Text("Teach or learn"), say.Text("A first lesson"), learn+"/1"),
			way(say.Text("Study"), say.Text("The five papers"), learn),
			beside(say.Text("Embed"), say.Text("A demo in your page"), "./example.html"),
			beside(say.Text("Program"), say.Text("The engine as a package"), "./package.html"),
		),
	)
}

// actions are the ways to begin: two that everybody sees, and the others folded.
func (l *Landing) actions() app.UI {
	m := l.Model
	return app.Div().Class("actions").Body(
		app.Div().Class("row").Body(
			app.Button().ID("open-file").Class("button main large").Type("button").
				Text(say.Text("Open a CSV…")).
				OnClick(func(app.Context, app.Event) { l.Browser.Pick(data.FileInputID) }),
			data.FileInput(m),
			app.Button().ID("try-example").Class("button large").Type("button").
				Text(say.Text("Try it with made-up patients")).
				OnClick(func(app.Context, app.Event) { m.TryExample() }),
		),
		data.QuestionWaits(m),
		app.If(m.Saved.Fault != "", func() app.UI { return parts.Note("bad", m.Saved.Fault) }),
		data.NotOpened(m, func() *parts.Browser { return l.Browser }),
		app.P().Class("small soft").
			Text(say.Text("Or drop a file anywhere, or paste from a spreadsheet.")),
		l.others(),
	)
}

// before shows what is left from before: a file that is open, and answers that are kept.
func (l *Landing) before() app.UI {
	m := l.Model
	last := len(m.History.Past) - 1
	return app.If(last >= 0 || m.Data.Phase == dataset.Opened, func() app.UI {
		return app.Section().ID("before").Class("stack tight").
			Aria("label", say.Text("From before")).Body(
			app.If(m.Data.Phase == dataset.Opened, func() app.UI {
				return app.P().Body(app.Text(say.Text("Your file is still open.")), app.Text(" "),
					app.Button().ID("go-on").Class("button small").Type("button").
						Text(say.Text("Go on with it")).
						OnClick(func(app.Context, app.Event) { m.Way.GoOn() }))
			}),
			app.If(last >= 0, func() app.UI {
				return app.P().Body(
					app.Text(say.Count(int64(last+1), "One answer is at hand.",
						"%d answers are at hand.", last+1)), app.Text(" "),
					app.Button().ID("last-answer").Class("button small").Type("button").
						Text(say.Text("Show the last one")).
						OnClick(func(app.Context, app.Event) {
							past := m.History.Past
							m.Answer.LookAgain(past[len(past)-1].Number)
						}),
					app.Text(" "),
					app.A().Href("#"+place.ViewLedger.Path()).Text(say.Text("All of them")))
			}),
		)
	})
}

// others are the ways to begin that fewer people need.
func (l *Landing) others() app.UI {
	m := l.Model
	return app.Details().ID("begin").Class("more").Body(
		app.Summary().Text(say.Text("Other ways to begin")),
		app.Div().Class("stack").Body(
			// static/page.js puts anything pasted elsewhere into this field
			app.Div().Class("stack tight").Body(l.pasted.Fields(m, 3, "button small")...),
			app.P().Class("label").Text(say.Text("Other made-up data")),
			data.SampleButtons(m),
			app.Div().Class("row").Body(
				app.Button().ID("open-question").Class("button small").Type("button").
					Text(say.Text("Open a question…")).
					OnClick(func(app.Context, app.Event) { l.Browser.Pick(data.RecipeInputID) }),
				data.RecipeInput(m, func() *parts.Browser { return l.Browser }),
				app.Button().ID("open-release").Class("button small").Type("button").
					Text(say.Text("Open a saved release…")).
					OnClick(func(app.Context, app.Event) { l.Browser.Pick(data.ReleaseInputID) }),
				data.ReleaseInput(m, func() *parts.Browser { return l.Browser }),
			),
		),
	)
}
