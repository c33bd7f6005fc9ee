package web

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/phrase"
	"hush/web/say"
)

const (
	notPrivate phrase.Key = "Not private, and never a release: this is what your file really says, beside draws from seeded coins. Publish nothing of this page, " +
		"and tell nobody who may not see the file."
	lookedText phrase.Key = "You have looked at what this data set really says, so nothing more is released from it, except questions that you froze before: " +
		"each of them once, unchanged."
)

// choice is the page on which an owner chooses to see what the open file really says.
func (p *LearnPage) choice() app.UI {
	return app.Div().ID("learn").Body(
		app.Div().Class("intro").Body(
			app.P().Class("small").Body(app.A().Href("#"+ViewLearn.Path()).Text(say.Text("All lessons"))),
			app.H1().Text(say.Text("Your own file, without protection")),
			app.P().Text(say.Text("Lessons are about made-up people. You can see the same of the file that is open: what it really says beside private answers. "+
				"That protects nobody, and it cannot be undone.")),
		),
		p.section("choice", say.Text("What you choose"), p.choiceBody()...),
	)
}

func (p *LearnPage) choiceBody() []app.UI {
	m := p.Model
	first := func(text, view, link string) []app.UI {
		return []app.UI{app.P().Text(text), app.P().Body(app.A().Href("#" + view).Text(link))}
	}
	switch {
	case m.Data.Phase == DataOpened && m.Data.Sample:
		return first(say.Text("The open data set is made up: lessons show it as it is, and nothing has to be chosen."), ViewLearn.Path(), say.Text("All lessons"))
	case m.Data.Phase == DataOpened && m.Data.Opened.StorageRefused != "":
		return []app.UI{note("bad", say.Format("What is chosen here must be written down, and there is no ledger to rely on: %s.", m.Data.Opened.StorageRefused))}
	case !m.Priced():
		return first(say.Text("Open your file and fill in a question first: it is the one that is shown."), ViewWorkbench.Path(), say.Text("To the workbench"))
	}
	body := []app.UI{
		app.Ul().Body(
			app.Li().Text(say.Text("From then on nothing is released from this data set. Whoever knows the true answers chooses questions, bounds and draws by them, and that tells "+
				"about the people in it, outside of every guarantee.")),
			app.Li().Text(say.Text("There is no way back. The ledger keeps the choice for good, under the fingerprint of the file.")),
			app.Li().Text(say.Text("A question that you freeze before may still be released, exactly as it is, and once.")),
		),
		frozenList(m),
		app.Div().Body(app.Button().Class("button").Type("button").Text(say.Format("Freeze this question: %s", questionText(m.Recipe(), m))).Disabled(m.IsFrozen()).
			OnClick(func(app.Context, app.Event) { m.Freeze() })),
		checkField("look-agree", say.Text("I want to see what this file really says, and I give up releasing anything else from it, for good"), m.Look.Agreed, say.Text("Nothing is noted before the button is pressed."), m.Agree),
		app.Div().Body(app.Button().ID("look").Class("button main").Type("button").Text(say.Text("Show what it really says")).Disabled(!m.Look.Agreed).
			OnClick(func(app.Context, app.Event) { m.StartLook() })),
	}
	if m.Look.Failure != nil {
		body = append(body, failureNote(m.Look.Failure))
	}
	return body
}

// frozenList lists the frozen questions of the open data set; one can be put into the form.
func frozenList(m *Model) app.UI {
	if m.Ledger == nil || len(m.Ledger.Frozen) == 0 {
		return absent()
	}
	list := m.Ledger.Frozen
	return app.Div().Class("more").Body(
		app.P().Text(say.Text("Frozen questions:")),
		app.Ul().Body(app.Range(list).Slice(func(i int) app.UI {
			return app.Li().Body(app.Text(questionText(list[i], m)+" "), app.If(m.View == ViewWorkbench, func() app.UI {
				return app.Button().Class("button plain").Type("button").Text(say.Text("Put it into the form")).
					OnClick(func(app.Context, app.Event) { m.Adopt(list[i]) }, app.EventScope(m.Ledger.Fingerprint, i))
			}))
		})),
	)
}

// questionText names a question in a line.
func questionText(r ask.Recipe, m *Model) string {
	text := m.taskTitle(r.Task)
	if r.Label != "" {
		text += " " + say.Format("of %s", r.Label)
	}
	return text + ", ε = " + r.Epsilon
}

// lookedNote says what a look means for the release.
func lookedNote(m *Model) app.UI {
	switch {
	case !m.Looked():
		return absent()
	case m.MayAsk():
		return note("", say.Text("This question was frozen before you looked at the data: it may be released once."))
	}
	return app.Div().ID("looked").Class("more").Body(note("warn", say.Text(lookedText)), frozenList(m))
}
