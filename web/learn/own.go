package learn

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/dataset"
	"hush/web/state/place"
)

// choice is the page on which an owner chooses to see what the open file really says.
func (p *Page) choice() app.UI {
	return app.Div().ID("learn").Body(
		app.Div().Class("intro").Body(
			app.P().Class("small").
				Body(app.A().Href("#"+place.ViewLearn.Path()).Text(say.Text("All lessons"))),
			app.H1().Text(say.Text("Your own file, without protection")),
			app.P().Text(say.Text("Lessons are about made-up people. You can see the same for "+
				"the open file: its true answers beside private ones. That protects nobody, and "+
				"it cannot be undone.")),
		),
		p.Section("choice", say.Text("What you choose"), p.choiceBody()...),
	)
}

func (p *Page) choiceBody() []app.UI {
	m := p.Model
	first := func(text, view, link string) []app.UI {
		return []app.UI{app.P().Text(text), app.P().Body(app.A().Href("#" + view).Text(link))}
	}
	switch {
	case m.Data.Phase == dataset.Opened && m.Data.Sample:
		return first(
			say.Text("The open data set is made up: lessons show it as it is, without giving "+
				"anything up."), place.ViewLearn.Path(), say.Text("All lessons"))
	case m.Data.Phase == dataset.Opened && m.Data.Opened.StorageRefused != "":
		return []app.UI{
			parts.Note("bad",
				say.Format("What is chosen here must be written down, and there is no ledger to "+
					"rely on: %s.", m.Data.Opened.StorageRefused))}
	case !m.Forecast.Priced():
		return first(
			say.Text("Open your file and fill in a question first: the lesson shows that "+
				"question."),
			place.ViewWorkbench.Path(), say.Text("To the workbench"))
	}
	body := []app.UI{
		app.Ul().Body(
			app.Li().Text(say.Text("From then on nothing is released from this data set. Anyone "+
				"who knows the true answers may choose questions, bounds and draws accordingly, "+
				"and such choices reveal facts about the people in it, outside every guarantee.")),
			app.Li().Text(say.Text("There is no way back. The ledger keeps the choice for good, "+
				"under the fingerprint of the file.")),
			app.Li().Text(say.Text("A question that you freeze before may still be released, "+
				"exactly as it is, and once.")),
		),
		parts.FrozenList(m),
		app.Div().Body(
			app.Button().Class("button").Type("button").
				Text(say.Format("Freeze this question: %s",
					parts.QuestionText(m.Question.Recipe(), m))).
				Disabled(m.Question.IsFrozen()).
				OnClick(func(app.Context, app.Event) { m.Look.Freeze() })),
		parts.CheckField("look-agree", say.Text("I want to see the true answers of this file, "+
			"and I give up releasing anything else from it, for good"), m.Look.Agreed,
			say.Text("Nothing is noted before the button is pressed."), m.Look.Agree),
		app.Div().Body(app.Button().ID("look").Class("button main").Type("button").
			Text(say.Text("Show the true answers")).Disabled(!m.Look.Agreed).
			OnClick(func(app.Context, app.Event) { m.Look.Start() })),
	}
	if m.Look.Failure != nil {
		body = append(body, parts.FailureNote(m.Look.Failure))
	}
	return body
}
