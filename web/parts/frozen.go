package parts

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/phrase"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/account"
	"hush/web/state/place"
)

const (
	NotPrivate phrase.Key = "Not private, and never a release: this is what your file really " +
		"says, beside draws from seeded coins. Do not publish this page or describe it to anyone " +
		"who may not see the file."
	lookedText phrase.Key = "You have looked at the true answers of this data set, so nothing " +
		"more is released from it, except questions that you froze before: each once, and " +
		"unchanged."
)

// FrozenList lists the frozen questions of the open data set; one can be put into the form.
func FrozenList(m *state.Model) app.UI {
	if m.Data.Account == nil || len(m.Data.Account.Frozen) == 0 {
		return Absent()
	}
	list := m.Data.Account.Frozen
	return app.Div().Class("more").Body(
		app.P().Text(say.Text("Frozen questions:")),
		app.Ul().Body(app.Range(list).Slice(func(i int) app.UI {
			return app.Li().
				Body(app.Text(QuestionText(list[i], m)+" "),
					app.If(m.View == place.ViewWorkbench, func() app.UI {
						return app.Button().Class("button plain").Type("button").
							Text(say.Text("Put it into the form")).
							OnClick(func(app.Context, app.Event) {
								m.Saved.Adopt(list[i])
							}, app.EventScope(m.Data.Account.Fingerprint, i))
					}))
		})),
	)
}

// QuestionText names a question in a line.
func QuestionText(r ask.Recipe, m *state.Model) string {
	text := account.TaskTitle(m.Question.Tasks, r.Task)
	if r.Label != "" {
		text += " " + say.Format("of %s", r.Label)
	}
	return text + ", ε = " + r.Epsilon
}

// LookedNote says what a look means for the release.
func LookedNote(m *state.Model) app.UI {
	switch {
	case !m.Data.Looked():
		return Absent()
	case m.Question.MayAsk():
		return Note(
			"", say.Text(
				"This question was frozen before you looked at the data: it may be released once."))
	}
	return app.Div().ID("looked").Class("more").
		Body(Note("warn", say.Text(lookedText)), FrozenList(m))
}
