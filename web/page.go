// Package web is the page: the frame around its places, and the routes that lead to them.
package web

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/chart"
	"hush/web/engine"
	"hush/web/frame"
	"hush/web/help"
	"hush/web/learn"
	"hush/web/ledger"
	"hush/web/living"
	"hush/web/parts"
	"hush/web/proof"
	"hush/web/publish"
	"hush/web/publish/editor"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/place"
	"hush/web/state/release"
	"hush/web/state/session"
)

// Page is the frame around every view: the masthead, the view that the address names, and the
// dialogs of the whole page.
type Page struct {
	app.Compo

	model      *state.Model
	browser    *parts.Browser
	drawn      publish.Revisions // of the workbench
	next       int               // the step to look at
	drawing    bool              // it will be
	unfinished bool              // the page is drawn for the first time
	example    *task.Release     // of the landing
}

// OnInit makes the model, also where the page is only drawn and never mounted.
func (p *Page) OnInit() {
	if p.model == nil {
		p.model = state.NewModel()
		p.model.Kept.Draw = func(r *task.Release) {
			chart.Of(r)
			chart.TextOf(r)
		}
	}
	p.unfinished = app.IsClient
}

// OnMount connects the page to the browser.
func (p *Page) OnMount(ctx app.Context) {
	p.browser = parts.NewBrowser(
		func(f func()) { ctx.Dispatch(func(app.Context) { f() }) },
		p.news,
	)
	p.browser.WatchKeys(help.Keys())
	p.model.Start(p.browser, p.browser, func() { p.drawOn(ctx) })
	p.drawOn(ctx)
}

// news takes what the browser says unasked: keys are the page's, all else is the model's.
func (p *Page) news(kind string, body []byte) {
	if kind != "key" {
		p.model.News(kind, body)
		return
	}
	var key string
	engine.Decode(body, &key)
	help.Press(key, p.model, p.browser)
}

// OnNav shows the view that the address names. An address without a slash is a place on the page.
func (p *Page) OnNav(ctx app.Context) {
	fragment := ctx.Page().URL().Fragment
	if fragment == mainID {
		p.browser.Reveal(mainID)
		return
	}
	before := p.model.View
	p.model.Go(fragment)
	if p.model.View != before {
		p.drawn, p.next = publish.Revisions{}, 0
	}
	p.drawOn(ctx)
}

// drawOn draws what has changed, the steps of the workbench each in a frame of its own: all at once
// would hold up the browser.
func (p *Page) drawOn(ctx app.Context) {
	if p.drawing || app.IsServer {
		return
	}
	p.drawing = true
	ctx.Dispatch(func(ctx app.Context) {
		p.drawing = false
		step, behind := p.drawn.Behind(p.model.Revision, p.next)
		behind = behind && p.model.View == place.ViewWorkbench && !p.model.Way.Landed()
		p.unfinished = p.unfinished && behind
		if behind {
			p.drawn[step], p.next = p.model.Revision, step+1
			ctx.Defer(p.drawOn) // when this one is drawn
		}
	})
}

// Render draws the frame and the view.
func (p *Page) Render() app.UI {
	m, class := p.model, "page"
	if p.unfinished {
		class = "page unfinished" // static/early.js shows the bundle's until this one is whole
	}
	return app.Div().Class(class).Body(
		app.A().Class("skip").Href("#"+mainID).Text(say.Text("Skip to the content")),
		&frame.Masthead{View: m.View, Requests: m.Requests, Network: m.Network, Browser: p.browser},
		app.Main().ID(mainID).TabIndex(-1).Body(
			app.If(m.Offer, func() app.UI {
				return &frame.UpdateOffer{
					Lost: m.Lost(), Running: m.Answer.Phase == release.Running,
					OnAccept: func() { p.browser.AcceptUpdate() }, OnLater: m.DeclineUpdate}
			}),
			frame.EngineNote(m.Engine),
			frame.NoPageNote(m.NoPage),
			p.content(),
		),
		app.If(!p.unfinished, func() app.UI {
			return &help.KeysDialog{ID: parts.KeysID, Off: m.KeysOff, Browser: p.browser}
		}),
		app.If(!p.unfinished, func() app.UI {
			return &frame.AboutDialog{ID: frame.AboutID, Browser: p.browser}
		}),
		app.If(!p.unfinished, func() app.UI {
			return &parts.OfflineDialog{ID: parts.OfflineID, Network: m.Network, Browser: p.browser}
		}),
	)
}

// mainID is the element that holds the view.
const mainID = "content"

// place draws the place that a visitor has gone to.
func (p *Page) place() app.UI {
	switch p.model.View {
	case place.ViewLedger:
		return &ledger.Page{Ledger: &p.model.Ledger, Model: p.model, Revision: p.model.Revision,
			Browser: p.browser}
	case place.ViewPage:
		return &editor.Page{Model: p.model, Revision: p.model.Revision, Browser: p.browser,
			Progress: p.model.Page.Run.Progress}
	case place.ViewLearn:
		return &learn.Page{Model: p.model, Revision: p.model.Revision, Browser: p.browser}
	case place.ViewWords:
		return &help.WordsPage{}
	case place.ViewDocs:
		return &help.DocsPage{Tasks: p.model.Question.Tasks, Address: p.model.Address}
	case place.ViewProof:
		return &proof.Page{Proof: &p.model.Proof, Revision: p.model.Revision, Browser: p.browser}
	case place.ViewEvidence:
		return &proof.EvidencePage{Evidence: &p.model.Evidence, Revision: p.model.Revision}
	case place.ViewCheck:
		return &proof.CheckPage{Check: &p.model.Check, Revision: p.model.Revision,
			Browser: p.browser}
	case place.ViewTable:
		return &living.Page{Living: &p.model.Living, Revision: p.model.Revision,
			Browser: p.browser}
	default:
		m, drawn := p.model, p.drawn
		if m.Way.Landed() {
			if p.example == nil {
				p.example = session.Landing()
			}
			return &publish.Landing{Model: m, Revision: m.Revision, Browser: p.browser,
				Answer: p.example}
		}
		if app.IsServer { // whole, at once
			drawn = publish.Revisions{1, 1, 1, 1}
		}
		return &publish.Workbench{Model: m, Drawn: drawn, Browser: p.browser,
			Reading: m.Data.Progress, Running: m.Answer.Progress}
	}
}
