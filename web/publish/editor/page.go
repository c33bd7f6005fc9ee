// Package editor draws the page of figures in the making: its pieces in their order, the total
// cost, and the bar that stays.
package editor

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/message"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/publish/data"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/dataset"
	"hush/web/state/edit"
	"hush/web/state/place"
)

// Page is the editor.
type Page struct {
	app.Compo

	Model    *state.Model   // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser // for downloads and dialogs
	Progress engine.Progress

	dragged int  // the piece that is dragged; 0: none
	signs   bool // the saved page is signed
}

// Render draws the pieces, what stands beside them, and the bar.
func (p *Page) Render() app.UI {
	m := p.Model
	e := &m.Page
	return app.Div().ID(edit.PageID).TabIndex(-1).Class("stack wide").Body(
		app.H1().Class("unseen").Text(say.Text("The page of figures")),
		p.about(),
		p.notes(),
		app.Div().Class("editor").Body(
			app.Div().Class("stack wide").Body(
				p.head(),
				app.P().Hidden(true).ID("how-to-move").
					Text(say.Text("Arrow up and arrow down move it one place.")),
				app.P().Class("unseen").ID("moved").Role("status").Text(e.Moved),
				app.If(len(e.Pieces) == 0, p.empty),
				app.Ol().Class("pieces").Body(app.Range(e.Pieces).Slice(func(i int) app.UI {
					return p.piece(e.Pieces[i], i)
				})),
				p.adders(),
			),
			p.beside(),
		),
		&Proposals{Model: m, Revision: p.Revision, Browser: p.Browser},
		p.bar(),
		p.doubt(),
		preview(p.Browser),
	)
}

// about states which data are asked, with the way back to them.
func (p *Page) about() app.UI {
	m := p.Model
	text := say.Text("No file is open: you can read the page, and draw nothing.")
	link := say.Text("Open a file")
	if m.Data.Phase == dataset.Opened {
		link = say.Text("Back to the question")
		text = m.Data.Name + " · " + say.Count(m.Data.Opened.Rows, "%s row", "%s rows",
			message.Grouped(m.Data.Opened.Rows))
	}
	return app.P().Class("row small soft no-print").Body(
		app.Span().Attr("translate", "no").Text(text),
		app.A().ID("to-question").Href("#"+place.ViewWorkbench.Path()).Text(link))
}

// notes are what must be known before anything else.
func (p *Page) notes() app.UI {
	m := p.Model
	e := &m.Page
	var body []app.UI
	if e.Elsewhere() && e.Open != "" {
		body = append(body, app.Div().Class("note warn").Role("status").Body(
			app.P().Text(say.Text("The questions on this page were made for another file, so "+
				"none of them is asked about this one.")),
			app.Div().Body(app.Button().ID("ask-here").Class("button small").Type("button").
				Text(say.Text("Ask them of this file")).
				OnClick(func(app.Context, app.Event) { e.AskHere() }))))
	}
	if f := e.Run.Failure; f != nil && !e.Run.Running {
		if f.Code == engine.Cancelled {
			body = append(body, parts.Note("warn", say.Text("Cancelled. The price of the page is "+
				"spent; you can draw the figures that are left without paying again.")))
		} else if f.Code == engine.OverLimit {
			body = append(body, parts.OverLimitNote(f))
		} else {
			body = append(body, parts.FailureNote(f))
		}
	}
	if f := e.Prices.Fault; f != nil {
		body = append(body, parts.FailureNote(f))
	}
	if m.Answer.NoExport != "" {
		body = append(body, parts.Note("bad", m.Answer.NoExport))
	}
	if len(body) == 0 {
		return parts.Absent()
	}
	return app.Div().Class("stack").Body(body...)
}

// head is the title, and how much of the page is drawn.
func (p *Page) head() app.UI {
	e := &p.Model.Page
	t := e.Tally()
	return app.Div().Class("edit-head").Body(
		app.Div().Class("own-h1").Body(&parts.TextInput{ID: "page-title", Class: "bare serif",
			Lines: 2, Label: say.Text("Title of the page"), Holder: say.Text("Title of the page"),
			Value: e.Title, OnText: func(text string) { e.Set(&e.Title, text) }}),
		p.proposedTitle(),
		app.Div().Class("own-p").Body(&parts.TextInput{ID: "page-lead", Class: "bare", Lines: 2,
			Label:  say.Text("Paragraph below the title"),
			Holder: say.Text("The page in one or two sentences"),
			Value:  e.Lead, OnText: func(text string) { e.Set(&e.Lead, text) }}),
		app.If(t.Figures > 0, func() app.UI {
			return app.P().Class("state-line").Body(
				app.If(t.Drawn > 0, func() app.UI {
					return app.Span().Class("mark drawn").Body(parts.Icon(parts.IconCheck),
						app.Text(say.Format("%d released", t.Drawn)))
				}),
				app.If(t.Planned+t.Paid > 0, func() app.UI {
					return app.Span().Class("mark todo").
						Text(say.Format("%d to be drawn", t.Planned+t.Paid))
				}),
				app.If(t.Planned > 0, func() app.UI {
					return app.Span().Class("soft").
						Text(say.Text("Nothing is spent on these yet."))
				}))
		}),
	)
}

// proposedTitle offers a title to a page that has none.
func (p *Page) proposedTitle() app.UI {
	e := &p.Model.Page
	proposed := e.Proposed()
	if e.Title != "" || proposed == "" {
		return parts.Absent()
	}
	return app.Div().Class("no-print").Body(app.Button().ID("use-title").Class("button small").
		Type("button").Text(say.Format("Use the title “%s”", proposed)).
		OnClick(func(app.Context, app.Event) { e.Set(&e.Title, e.Proposed()) }))
}

// empty explains how to begin a page.
func (p *Page) empty() app.UI {
	return app.P().Class("soft").ID("page-empty").Text(say.Text("Put figures on the page. " +
		"Questions cost nothing until you release them all together; answers that you have are " +
		"already paid for."))
}

// adders are the buttons that add pieces at the end.
func (p *Page) adders() app.UI {
	m := p.Model
	button := func(id, text string, does func()) app.UI {
		return app.Button().ID(id).Class("button").Type("button").
			Body(parts.Icon(iconPlus), app.Text(text)).
			OnClick(func(app.Context, app.Event) { does() })
	}
	return app.Div().Class("row adders no-print").Body(
		app.If(m.Data.Phase == dataset.Opened, func() app.UI {
			return button("add-figure", say.Text("Figure"), func() {
				p.Browser.ShowDialog(proposalsID)
			})
		}),
		button("add-heading", say.Text("Heading"), func() { m.Page.AddWords(edit.Heading) }),
		button("add-paragraph", say.Text("Paragraph"), func() { m.Page.AddWords(edit.Paragraph) }),
		app.Button().ID("add-saved").Class("button quiet").Type("button").
			Text(say.Text("Add a saved release…")).
			OnClick(func(app.Context, app.Event) { p.Browser.Pick(addInputID) }),
		parts.FileInput(addInputID, parts.AcceptJSON,
			func(f engine.File) {
				p.Browser.Text(f, m.Answer.Bring(f, m.Figures.AddSaved), m.Answer.RefuseBrought(f))
			}),
		data.NotOpened(m, func() *parts.Browser { return p.Browser }),
	)
}

const (
	addInputID = "add-saved-file"
	iconPlus   = "M8 3v10M3 8h10"
)
