package editor

import (
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/publish/answer"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/edit"
	"hush/web/state/place"
)

const iconGrip = "M6 3.5v.01M10 3.5v.01M6 8v.01M10 8v.01M6 12.5v.01M10 12.5v.01"

// piece draws one part of the page.
func (p *Page) piece(piece *edit.Piece, i int) app.UI {
	switch piece.Kind {
	case edit.Heading:
		return p.row(piece, i, "word", say.Text("Move the heading"),
			app.Div().Class("own-h").Body(p.words(piece, "bare serif", 1, say.Text("Heading"))),
			p.menu(piece, i, say.Text("More about this heading")))
	case edit.Paragraph:
		return p.row(piece, i, "word", say.Text("Move the paragraph"),
			app.Div().Class("own-p").Body(p.words(piece, "bare", 2, say.Text("Paragraph"))),
			p.menu(piece, i, say.Text("More about this paragraph")))
	}
	n := p.Model.Page.Number(piece)
	class := "fig todo"
	switch {
	case piece.Drawn() && piece.Noise():
		class = "fig drawn alarm"
	case piece.Drawn():
		class = "fig drawn"
	case piece.Noise():
		class = "fig todo alarm"
	}
	return p.row(piece, i, class, say.Format("Move figure %d", n),
		mini(piece), p.text(piece, n), p.side(piece, n),
		p.menu(piece, i, say.Format("More about figure %d", n)),
		p.alarm(piece))
}

// row is a piece behind its grip.
func (p *Page) row(piece *edit.Piece, i int, class, move string, body ...app.UI) app.UI {
	e, id := &p.Model.Page, piece.ID
	grip := app.Button().ID(piece.GripID()).Class("grip no-print").Type("button").
		Aria("label", move).Aria("describedby", "how-to-move").Draggable(true).
		Body(parts.Icon(iconGrip)).
		OnKeyDown(func(ctx app.Context, event app.Event) {
			by := map[string]int{"ArrowUp": -1, "ArrowDown": 1}[event.Get("key").String()]
			if by != 0 {
				event.PreventDefault()
				e.MoveBy(id, by)
				p.hold(ctx, piece)
			}
		}, app.EventScope(id)).
		OnDragStart(func(_ app.Context, event app.Event) {
			p.dragged = id
			// Firefox requires this for a dragged element
			event.Get("dataTransfer").Call("setData", "text/plain", "")
		}, app.EventScope(id))
	return app.Li().Class("piece "+class).Body(append([]app.UI{grip}, body...)...).
		OnDragOver(func(_ app.Context, event app.Event) {
			if p.dragged > 0 {
				event.PreventDefault()
			}
		}, app.EventScope(id)).
		OnDrop(func(_ app.Context, event app.Event) {
			event.PreventDefault()
			if p.dragged > 0 {
				e.MoveTo(p.dragged, i)
			}
			p.dragged = 0
		}, app.EventScope(id, i))
}

// hold moves the focus to the grip of a moved piece, once it is drawn in its place.
func (p *Page) hold(ctx app.Context, piece *edit.Piece) {
	ctx.Dispatch(func(ctx app.Context) {
		ctx.Defer(func(app.Context) { p.Browser.Reveal(piece.GripID()) })
	})
}

// words is the text of a heading or a paragraph, typed in place.
func (p *Page) words(piece *edit.Piece, class string, lines int, label string) app.UI {
	e, id := &p.Model.Page, piece.ID
	return &parts.TextInput{ID: piece.WordsID(), Class: class, Lines: lines, Label: label,
		Holder: label, Value: piece.Text, OnText: func(text string) { e.Write(id, text) }}
}

// text is the question of a figure, or its statement.
func (p *Page) text(piece *edit.Piece, n int) app.UI {
	mark := app.Span().Class("mark todo").Text(say.Text("to be drawn"))
	if piece.Drawn() {
		mark = app.Span().Class("mark drawn").
			Body(parts.Icon(parts.IconCheck), app.Text(say.Text("released")))
	}
	kicker := app.P().Class("kicker").Body(app.B().Text(say.Format("Figure %d", n)), mark)
	if piece.Drawn() {
		r := piece.Release
		sentence := r.Statement
		if piece.Text != "" {
			sentence = piece.Text
		}
		return app.Div().Class("piece-text").Body(kicker,
			app.H2().Class("finding").Text(parts.Together(sentence)),
			app.P().Class("detail").Text(answer.QuestionTitle(r.Plan)),
			app.Details().Class("more own").Body(
				app.Summary().Text(say.Text("Write the sentence yourself")),
				&parts.TextInput{ID: piece.WordsID(), Lines: 2,
					Label: say.Format("Sentence of figure %d", n), Holder: r.Statement,
					Value: piece.Text, OnText: func(text string) {
						p.Model.Page.Write(piece.ID, text)
					}}))
	}
	return app.Div().Class("piece-text").Body(kicker,
		app.H2().Class("asking").Text(parts.Together(p.question(*piece.Recipe))),
		app.P().Class("detail").Text(parts.Together(detail(piece))))
}

// question writes a recipe's question as a sentence.
func (p *Page) question(r ask.Recipe) string { return questionOf(p.Model, r) }

func questionOf(m *state.Model, r ask.Recipe) string {
	for i := range m.Question.Tasks {
		if m.Question.Tasks[i].ID == r.Task {
			return task.Capital(m.Question.Tasks[i].Words(say.Language(), r))
		}
	}
	return r.Task // unreachable: a recipe of another version is refused on entry
}

// takesTypical reports whether a question takes a typical size of its answer.
func takesTypical(m *state.Model, r ask.Recipe) bool {
	return slices.ContainsFunc(m.Question.Tasks, func(t ask.Task) bool {
		return t.ID == r.Task && slices.ContainsFunc(t.Params, func(p ask.Param) bool {
			return p.Name == task.ParamTypical
		})
	})
}

// detail states how exact a figure will be.
func detail(piece *edit.Piece) string {
	plan := piece.Price
	switch {
	case piece.Failed != nil:
		return say.Format("Its draw failed, and is paid for: %s", engine.Said(piece.Failed.Message))
	case piece.Paid > 0:
		return say.Format("Paid for, ε = %s", piece.Epsilon)
	case plan == nil:
		return say.Text("The price is being worked out…")
	case plan.Range != "" && !piece.Drawn():
		return say.Format("about %s, if values are spread evenly", plan.Range)
	case plan.Verdict != nil && plan.Verdict.Error >= 0:
		return ask.OffBy(plan.Verdict.Error, plan.ErrorUnit)
	case len(plan.Forecast) > 0:
		return plan.Forecast[0].Label + ": " + plan.Forecast[0].Value
	}
	return ""
}

// weights are the possible weights of a figure.
var weights = []struct {
	value float64
	words phrase.Key
}{{0.5, "low"}, {1, "normal"}, {2, "double"}, {3, "threefold"}}

// side shows the verdict on a figure, its cost and its weight.
func (p *Page) side(piece *edit.Piece, n int) app.UI {
	e, id := &p.Model.Page, piece.ID
	chip := parts.Absent()
	if v := piece.Verdict(); v != nil {
		chip = parts.ForecastChip(v.Grade, v.From)
		if piece.Drawn() {
			chip = parts.VerdictChip(v.Grade)
		}
	}
	if piece.Drawn() {
		spent := say.Text("spent")
		if piece.Plan > 0 {
			spent = say.Text("part of the price of the page")
		}
		return app.Div().Class("piece-side").Body(chip, app.P().Class("share").Body(
			app.B().Class("n").Text(parts.Together(say.Phrase(piece.Release.Plan.Loss))),
			app.Span().Text(spent)))
	}
	epsilon := "ε …"
	if piece.Epsilon != "" {
		epsilon = "ε = " + message.GroupedText(piece.Epsilon)
	}
	return app.Div().Class("piece-side").Body(chip, app.Div().Class("share").Body(
		app.Span().Class("select").Body(
			app.Select().ID("weight-"+strconv.Itoa(id)).Class("input small").
				Aria("label", say.Format("Importance of figure %d", n)).Body(
				app.Range(weights).Slice(func(i int) app.UI {
					w := weights[i]
					return app.Option().Value(strconv.FormatFloat(w.value, 'g', -1, 64)).
						Text(say.Text(w.words)).Selected(w.value == piece.Weight)
				})).
				OnChange(func(ctx app.Context, _ app.Event) {
					w, err := strconv.ParseFloat(ctx.JSSrc().Get("value").String(), 64)
					if err == nil {
						e.Weigh(id, w)
					}
				}, app.EventScope(id)),
			parts.Icon("M4 6l4 4 4-4")),
		app.B().Class("n").Text(parts.Together(epsilon))))
}

// menu lists the other actions on a piece.
func (p *Page) menu(piece *edit.Piece, i int, label string) app.UI {
	m, id := p.Model, piece.ID
	e := &m.Page
	item := func(name, text string, does func()) app.UI {
		return app.Li().Body(app.Button().ID(name+"-"+strconv.Itoa(id)).Type("button").
			Text(text).OnClick(func(app.Context, app.Event) { does() }, app.EventScope(id, i)))
	}
	var items []app.UI
	if piece.Planned() {
		items = append(items, item("change", say.Text("Change the question"), func() {
			m.Figures.Change(id)
			p.Browser.Visit(place.ViewWorkbench.Path())
		}), item("twice", say.Text("Make two of it"), func() { e.Twice(id) }))
	}
	if piece.Drawn() {
		items = append(items, item("look", say.Text("Look at the answer"), func() {
			m.Answer.LookAt(piece.Release)
			p.Browser.Visit(place.ViewWorkbench.Path())
		}))
	}
	if i > 0 {
		items = append(items, item("up", say.Text("Move it up"), func() { e.MoveBy(id, -1) }))
	}
	if i+1 < len(e.Pieces) {
		items = append(items, item("down", say.Text("Move it down"), func() { e.MoveBy(id, 1) }))
	}
	items = append(items, item("off", say.Text("Take it off the page"),
		func() { m.Figures.TakeOff(id) }))
	return app.Details().Class("menu no-print").Body(
		parts.ShortSummary(label, "…"), app.Ul().Body(items...))
}

// use shows a way to improve a figure, with a button that applies it.
func use(piece *edit.Piece, name, text, detail string, does func()) app.UI {
	id := piece.ID
	return app.Li().Body(app.B().Text(text), app.Span().Class("soft").Text(parts.Together(detail)),
		app.Button().ID(name+"-"+strconv.Itoa(id)).Class("button small").Type("button").
			Text(say.Text("Use")).Aria("label", say.Format("Use: %s", text)).
			OnClick(func(app.Context, app.Event) { does() }, app.EventScope(id, name)))
}

// mend lists the remedies for a drawn figure that is mostly noise: making it good for the
// difference, asking another question, or leaving it out.
func (p *Page) mend(piece *edit.Piece) app.UI {
	m, e, r := p.Model, &p.Model.Page, piece.Release
	var list []app.UI
	if mend := e.Mend(piece); mend != nil && m.Figures.Mendable(piece) {
		if offer := mend.Offer; offer != nil && !m.Figures.Over(offer) {
			more := say.Text("paid for, and not drawn")
			if epsilon, known := offer.Debit.Epsilon(); known && !offer.Paid {
				more = say.Format("ε = %s more", privacy.Number(epsilon))
			}
			list = append(list, use(piece, "good", say.Text("Make it good"), more,
				func() { m.Figures.MakeGood(piece) }))
		}
		for i, h := range mend.Help {
			again := h.Recipe.Epsilon != r.Recipe.Epsilon
			if !h.Exact || again && mend.Offer != nil || len(list) > mostMends {
				continue
			}
			text := say.Format("Ask it coarser: %s", h.Text)
			if again {
				text = say.Format("Ask it again: %s", h.Text)
			}
			list = append(list, use(piece, "instead"+strconv.Itoa(i), text,
				say.Format("about ε = %s, ± %s", message.GroupedText(h.Recipe.Epsilon),
					message.Prose(h.Error)), func() { m.Figures.AskInstead(piece, h.Recipe) }))
		}
	}
	list = append(list, use(piece, "leave", say.Text("Leave it out"), say.Text("free"),
		func() { m.Figures.TakeOff(piece.ID) }))
	return app.Div().Class("note noise piece-note").Body(
		app.P().Text(parts.Together(piece.Verdict().Text)), app.Ul().Class("try").Body(list...))
}

// mostMends is the number of other questions shown for a figure that is noise, besides the offer
// for the difference.
const mostMends = 2

// alarm says what would help a figure that is or would be noise and, for one that is good only if
// its answer is large enough, how large, and how to make sure.
func (p *Page) alarm(piece *edit.Piece) app.UI {
	v := piece.Verdict()
	if piece.Drawn() && piece.Noise() {
		return p.mend(piece)
	}
	never := p.Model.Page.Never(piece)
	if !piece.Planned() || v == nil || v.Grade != ask.Noise && v.Grade != ask.Unknown && !never {
		return parts.Absent()
	}
	m, e, id := p.Model, &p.Model.Page, piece.ID
	use := func(name, text, detail string, does func()) app.UI {
		return use(piece, name, text, detail, does)
	}
	var list []app.UI
	if v.Grade == ask.Unknown {
		if piece.Open() && e.Division == ask.LeastTotal && piece.Weight <= 1 {
			list = append(list, use("half", say.Text("Make it good down to half of that"),
				say.Text("about twice its ε"), func() { e.Weigh(id, 2) }))
		}
		if piece.Open() && takesTypical(m, *piece.Recipe) {
			list = append(list, use("typical", say.Text("State the usual size"),
				say.Text("public knowledge only; it costs nothing"), func() {
					m.Figures.Change(id)
					p.Browser.Visit(place.ViewWorkbench.Path())
				}))
		}
		return app.Div().Class("note piece-note").Body(app.P().Text(parts.Together(v.Text)),
			app.If(len(list) > 0, func() app.UI { return app.Ul().Class("try").Body(list...) }))
	}
	for i, h := range e.HelpFor(id) {
		if h.Exact {
			list = append(list, use("help"+strconv.Itoa(i), h.Text,
				parts.Together("± "+message.Prose(h.Error)), func() { e.UseHelp(id, h) }))
		}
	}
	if o, ok := e.Prices.Offers[ask.LeastTotal]; ok && o.Fault == nil && len(o.Never) == 0 &&
		e.Division != ask.LeastTotal {
		list = append(list, use("least", say.Text("Make every figure good"),
			parts.Together(say.Format("%s in all", o.Loss.Brief())),
			func() { e.Divide(ask.LeastTotal) }))
	}
	list = append(list, use("leave", say.Text("Leave it out"), "", func() { e.Remove(id) }))
	text := piece.Price.Verdict.Text + " "
	if never {
		text += say.Text("No ε makes it good.") + " "
	}
	return app.Div().Class("note noise piece-note").Body(
		app.P().Text(parts.Together(strings.TrimSpace(text+say.Text("What would help:")))),
		app.Ul().Class("try").Body(list...))
}
