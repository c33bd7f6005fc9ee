package ledger

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/engine"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/account"
	"hush/web/state/place"
)

// keptText says whether the answer of a debit is kept on this device.
func (l *Account) keptText(e engine.Entry) string {
	if e.Questions == 0 {
		if _, kept := l.Model.Kept.Answers[e.ID]; kept {
			return say.Text("kept")
		}
		return say.Text("not kept")
	}
	kept := 0
	for number := range e.Questions {
		if _, is := l.Model.Kept.Answers[engine.PlanEntry(e.ID, number+1)]; is {
			kept++
		}
	}
	text := say.Count(int64(kept), "one is kept", "%d are kept", kept)
	if p := e.Plan; p != nil && len(p.Drawn) < e.Questions {
		text += ", " + say.Format("%d to be drawn", e.Questions-len(p.Drawn))
	}
	return text
}

// answers lists the kept answers of a data set, newest first, and what can be done with each.
func (l *Account) answers(entries []engine.Entry) app.UI {
	list := []app.UI{}
	for _, e := range slices.Backward(entries) {
		if k, kept := l.Model.Kept.Answers[e.ID]; kept {
			list = append(list, l.answer(e, k, l.Ledger.EntryTitle(e), e.Task))
		}
		for number := range e.Questions {
			k, kept := l.Model.Kept.Answers[engine.PlanEntry(e.ID, number+1)]
			if !kept {
				continue
			}
			title, task := say.Format("Figure %d of %d", number+1, e.Questions), e.Task
			if e.Plan != nil {
				task = e.Plan.Questions[number].Task
				title += ": " + account.TaskTitle(l.Ledger.Tasks, task)
			}
			list = append(list, l.answer(e, k, title, task))
		}
	}
	return app.If(len(list) > 0, func() app.UI {
		return app.Div().Class("stack tight kept").Body(
			app.H3().Class("minor").Text(say.Text("Kept answers")),
			app.Ul().Class("shelf").Body(list...))
	})
}

func (l *Account) answer(e engine.Entry, k engine.Kept, title, task string) app.UI {
	m, id := l.Model, k.Entry
	button := func(name, text, label string, do func()) app.UI {
		return app.Button().ID(name+"-"+id).Class("button plain").Type("button").Text(text).
			Aria("label", label).OnClick(func(app.Context, app.Event) { do() }, app.EventScope(id))
	}
	report := button("add", say.Text("Put it on the page"),
		say.Format("Put it on the page: %s", title),
		func() { m.Kept.Collect(id) })
	if k.Report > 0 {
		report = app.Span().Class("here").Text(say.Text("on the page"))
	}
	return app.Li().Body(
		app.Span().Body(app.B().Text(title),
			app.Span().Class("small soft").Text(" "+account.TimeText(e.Time))),
		app.Div().Class("row").Body(
			button("open", say.Text("Open"), say.Format("Open the answer: %s", title), func() {
				m.Kept.Show(id, func() {})
				l.Browser.Visit(place.ViewWorkbench.Path())
			}),
			report,
			button("json", say.Text("JSON"), say.Format("Download as JSON: %s", title), func() {
				m.Kept.Text(id, func(text string) {
					l.Browser.Download("hush-"+task+".json", "application/json", text)
				})
			}),
		),
		app.Details().Class("more").Body(
			parts.ShortSummary(say.Format("Delete: %s", title), say.Text("Delete")),
			app.P().Class("small soft").Text(say.Text("What it cost stays spent: the same "+
				"question asked again costs as much once more.")),
			button("delete", say.Text("Delete this answer"),
				say.Format("Delete this answer: %s", title), func() { m.Kept.Delete(id) }),
		),
	)
}

// keeping draws the switch that decides whether answers are kept.
func (l *Page) keeping() app.UI {
	if l.Model == nil || !l.Model.Kept.Read {
		return parts.Absent()
	}
	s := &l.Model.Kept
	n := int64(len(s.Answers))
	body := []app.UI{parts.CheckField("keep-answers", say.Text("Keep answers on this device"),
		!s.Off, say.Text("Each answer is stored in this browser before it is shown, so closing "+
			"the page loses nothing that was paid for. Answers are safe to publish; no data and "+
			"no file names are stored with them."),
		s.Keep)}
	if s.Refused != "" {
		body = append(body, parts.Note("bad", say.Format("No answers are kept: %s. Save each "+
			"answer before you close the page.", s.Refused)))
	}
	if s.Failed != "" {
		body = append(body, parts.Note("bad", s.Failed))
	}
	if n > 0 {
		body = append(body,
			app.P().Text(say.Count(n, "One answer is kept.", "%d answers are kept.", n)),
			app.Details().Class("more").Body(
				app.Summary().Text(say.Text("Delete all kept answers")),
				app.P().Class("small soft").Text(say.Text("The ledger stays as it is: their cost "+
					"stays spent.")),
				app.Div().Body(app.Button().ID("delete-answers").Class("button").Type("button").
					Text(say.Text("Delete them all now")).
					OnClick(func(app.Context, app.Event) { s.DeleteAll() })),
			))
	}
	return parts.Card("kept-answers", say.Text("Answers on this device"), body)
}
