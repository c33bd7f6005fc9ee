package editor

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/privacy"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/publish/answer"
	"hush/web/say"
	"hush/web/state/dataset"
	"hush/web/state/edit"
)

const doubtID = "page-doubt"

// bar stays at the bottom: with the verdict on everything, the total price, and the button that
// spends it.
func (p *Page) bar() app.UI {
	e := &p.Model.Page
	t := e.Tally()
	if t.Figures == 0 {
		return parts.Absent()
	}
	var body []app.UI
	switch {
	case e.Run.Running:
		body = []app.UI{app.Div().Class("fact first0 run").Body(
			parts.Meter(runText(e), p.Progress, e.CancelRun))}
	default:
		body = []app.UI{p.verdict(t), p.cost(t), p.spent(), p.buttons(t)}
	}
	return app.Section().ID("page-bar").TabIndex(-1).Class("bar-stay no-print").
		Aria("label", say.Text("The whole page")).
		Body(app.Div().Class("bar-in").Body(body...))
}

func runText(e *edit.Page) string {
	if at, of := e.Run.Progress.Question, e.Run.Progress.Questions; of > 0 {
		return say.Format("Drawing figure %d of %d…", at, of)
	}
	return say.Text("Starting…")
}

// verdict is the verdict on all figures: the worst, with the number of figures that have it.
func (p *Page) verdict(t edit.Tally) app.UI {
	never := 0
	if chosen := p.Model.Page.Prices.Chosen; chosen != nil {
		never = len(chosen.Never)
	}
	switch {
	case never > 0 && t.Noise+t.Rough+t.Unknown <= never:
		grade := ask.Rough
		if t.Noise > 0 {
			grade = ask.Noise
		}
		return parts.CountedChip(grade, say.Format("%d good, %d that no ε makes good",
			t.Figures-never, never))
	case t.Noise > 0:
		return parts.CountedChip(ask.Noise,
			say.Count(int64(t.Noise), "%d of %d is noise", "%d of %d are noise", t.Noise,
				t.Figures))
	case t.Rough > 0:
		return parts.CountedChip(ask.Rough,
			say.Count(int64(t.Rough), "%d of %d is rough", "%d of %d are rough", t.Rough,
				t.Figures))
	}
	for _, piece := range p.Model.Page.Pieces {
		if piece.Kind == edit.Figure && piece.Verdict() == nil {
			return parts.Absent() // not known yet
		}
	}
	if good := t.Figures - t.Unknown; t.Unknown > 0 {
		return parts.CountedChip(ask.Unknown, say.Format("%d good, %d only if …", good, t.Unknown))
	}
	return parts.CountedChip(ask.Good, say.Count(int64(t.Figures), "Good to publish",
		"All %d good to publish", t.Figures))
}

// cost states what everything to be drawn costs, and what it would cost one by one.
func (p *Page) cost(t edit.Tally) app.UI {
	e := &p.Model.Page
	chosen := e.Prices.Chosen
	switch {
	case e.Run.Entry != "":
		return parts.BarFact("first", say.Count(int64(t.Paid), "One figure is paid for",
			"%d figures are paid for", t.Paid), say.Text("They cost nothing more."))
	case t.Planned == 0:
		return parts.BarFact("first", say.Count(int64(t.Drawn), "One figure is released",
			"All %d figures are released", t.Drawn), say.Text("The page costs nothing more."))
	case chosen == nil:
		text := say.Text("The price is being worked out…")
		if e.Prices.Fault != nil || e.Elsewhere() {
			text = say.Text("Something on the page needs another look.")
		}
		if e.Open == "" {
			text = say.Text("Open a file first.")
		}
		return parts.BarFact("first", say.Text("Nothing is spent yet"), text)
	}
	detail := ""
	if !chosen.Apart.AtMost(chosen.Total.Loss) {
		detail = parts.Together(say.Format("one by one they would cost %s", chosen.Apart.Brief()))
	}
	return parts.BarFact("first", parts.Together(say.Count(int64(t.Planned),
		"%[2]s for one figure", "%[2]s for %[1]d figures", t.Planned,
		chosen.Total.Loss.Brief())), detail)
}

// budget returns the budget of the open data, and what the page costs of it; ok is false without a
// limit.
func (p *Page) budget() (before engine.Budget, loss privacy.Loss, ok bool) {
	m := p.Model
	if m.Data.Account == nil || m.Data.Phase != dataset.Opened {
		return before, loss, false
	}
	if chosen := m.Page.Prices.Chosen; chosen != nil {
		loss = chosen.Total.Loss
	}
	before, err := m.Data.Account.Budget()
	return before, loss, err == nil && before.Limit != nil
}

// spent shows the limit of the open data, and what is left of it afterwards.
func (p *Page) spent() app.UI {
	before, loss, ok := p.budget()
	if !ok {
		return parts.Absent()
	}
	return parts.Leaves(parts.SpentOf(before), before, loss)
}

// buttons save the page as it is, and release what is to be drawn.
func (p *Page) buttons(t edit.Tally) app.UI {
	m := p.Model
	e := &m.Page
	left, saves := t.Planned, "button main"
	text, class := say.Count(int64(t.Planned), "Release one figure", "Release %d figures",
		t.Planned), "button main"
	if e.Run.Entry != "" {
		left = t.Paid
		text = say.Count(int64(left), "Draw the figure that is left",
			"Draw the %d figures that are left", left)
	}
	if left > 0 {
		saves = "button"
	}
	if t.Noise > 0 && e.Run.Entry == "" {
		text, class = text+"…", "button danger"
	}
	return app.Div().Class("push").Body(
		app.Button().ID("preview-page").Class("button").Type("button").
			Text(say.Text("Preview the page")).
			OnClick(func(app.Context, app.Event) { p.showPreview() }),
		app.If(t.Drawn > 0, p.forms),
		app.If(t.Drawn > 0, func() app.UI {
			return app.Button().ID("save-report").Class(saves).Type("button").
				Text(say.Text("Download the page")).
				OnClick(func(app.Context, app.Event) { p.save(answer.Forms[0]) })
		}),
		app.If(left > 0, func() app.UI {
			return app.Button().ID("release-page").Class(class).Type("button").Text(text).
				Disabled(!e.Ready() || p.overLimit()).
				OnClick(func(app.Context, app.Event) { p.press() })
		}))
}

// press releases everything to be drawn. It asks for confirmation if a figure would be noise, or
// most of the limit would be used.
func (p *Page) press() {
	e := &p.Model.Page
	if e.Run.Entry == "" && (e.Tally().Noise > 0 || p.nearLimit()) {
		p.Browser.ShowDialog(doubtID)
		return
	}
	p.Model.Figures.Release()
}

// overLimit reports whether the page costs more than the limit leaves.
func (p *Page) overLimit() bool {
	before, loss, ok := p.budget()
	return ok && p.Model.Page.Run.Entry == "" && before.After(loss).Over
}

// nearLimit reports whether less than a fifth of the limit is left afterwards.
func (p *Page) nearLimit() bool {
	before, loss, ok := p.budget()
	return ok && before.After(loss).Level >= engine.LevelMost
}

// doubt asks for confirmation before noise, or most of the limit, is paid for.
func (p *Page) doubt() app.UI {
	e := &p.Model.Page
	t := e.Tally()
	if t.Planned == 0 || e.Prices.Chosen == nil {
		return parts.Absent()
	}
	title := say.Text("Spend most of the rest?")
	if t.Noise > 0 {
		title = say.Count(int64(t.Noise), "Release a figure that is mostly noise?",
			"Release %d figures that are mostly noise?", t.Noise)
	}
	var noisy []app.UI
	for _, piece := range e.Planned() {
		if piece.Noise() {
			noisy = append(noisy, app.Li().Text(say.Format("Figure %d: %s", e.Number(piece),
				p.question(*piece.Recipe))))
		}
	}
	return app.Dialog().ID(doubtID).Class("dialog").Aria("labelledby", doubtID+"-title").Body(
		app.H2().ID(doubtID+"-title").Text(title),
		app.If(len(noisy) > 0, func() app.UI { return app.Ul().Body(noisy...) }),
		app.P().Text(parts.Together(say.Format("The page costs %s, once and for good.",
			e.Prices.Chosen.Total.Loss))),
		app.Div().Class("row").Body(
			app.Button().ID("page-doubt-change").Class("button main").Type("button").
				Text(say.Text("Change the page")).
				OnClick(func(app.Context, app.Event) { p.Browser.HideDialog(doubtID) }),
			app.Button().ID("page-doubt-release").Class("button danger").Type("button").
				Text(say.Text("Release anyway")).
				OnClick(func(app.Context, app.Event) {
					p.Browser.HideDialog(doubtID)
					p.Model.Figures.Release()
				})))
}
