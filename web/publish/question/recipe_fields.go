package question

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
	"hush/web/publish/data"
	"hush/web/say"
	"hush/web/state"
)

// RecipeFields shows the question as a recipe: to save, to share by the page's address, and to open
// again.
type RecipeFields struct {
	app.Compo

	Model    *state.Model   // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser // for files

	text string // what was pasted
}

// Render draws the recipe and the ways to bring one back.
func (r *RecipeFields) Render() app.UI {
	m := r.Model
	complete := m.Question.Stated()
	demo, embeddable := m.DemoOfQuestion()
	said := say.Text("A recipe holds the whole question, but neither the data nor the file's " +
		"name. The address of this page holds it too: a bookmark or a link brings the question " +
		"back.")
	unshared := complete && m.Question.Unshared()
	if unshared {
		said = say.Text("A recipe holds the whole question, but neither the data nor the file's " +
			"name. The values in its filter stay out of this page's address, and so out of the " +
			"browser's history, until you ask for a link.")
	}
	return app.Details().Open(m.Saved.Fault != "").Body(
		app.Summary().Text(say.Text("The question as a recipe: save, share, open")),
		app.Div().Class("more").Body(
			app.P().Class("small soft").Text(said),
			app.If(m.Saved.Fault != "", func() app.UI { return parts.Note("bad", m.Saved.Fault) }),
			app.If(complete, func() app.UI {
				return app.Pre().Attr("translate", "no").ID("recipe").Class("code").TabIndex(0).
					Aria("label", say.Text("The recipe")).Text(m.Question.Text())
			}),
			app.Div().Class("row").Body(
				app.Button().ID("save-recipe").Class("button").Type("button").
					Text(say.Text("Save the question")).Disabled(!complete).
					OnClick(func(app.Context, app.Event) {
						r.Browser.Download("hush-question.json", "application/json",
							m.Question.Text())
					}),
				app.If(unshared, func() app.UI {
					return app.Button().ID("share").Class("button").Type("button").
						Text(say.Text("Put the question into the address")).
						OnClick(func(app.Context, app.Event) { m.Question.Share() })
				}),
				app.If(embeddable, func() app.UI {
					return parts.EmbedButton("embed-question", func() *parts.Browser {
						return r.Browser
					})
				}),
				app.Button().Class("button").Type("button").Text(say.Text("Open a question…")).
					OnClick(func(app.Context, app.Event) { r.Browser.Pick(data.RecipeInputID) }),
				data.RecipeInput(m, func() *parts.Browser { return r.Browser }),
			),
			parts.Labelled("recipe-text", say.Text("Or paste one"),
				&parts.TextInput{ID: "recipe-text", Value: r.text, Lines: 3,
					OnText: func(v string) { r.text = v }}, "", ""),
			app.Div().Body(app.Button().ID("adopt").Class("button").Type("button").
				Text(say.Text("Take the pasted question")).
				OnClick(func(app.Context, app.Event) {
					m.Saved.AdoptText(r.text)
				})),
			app.If(embeddable, func() app.UI {
				return &parts.EmbedDialog{ID: "embed-question", Demo: demo,
					Words: parts.DemoWords(m.Question.Task(), nil), Browser: r.Browser}
			}),
		),
	)
}
