package web

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/say"
)

// Page is the frame around every view: the masthead, the view that the address names, and the footer.
type Page struct {
	app.Compo

	model      *Model
	browser    *browser
	drawn      revisions // of the workbench
	next       int       // the step to look at
	drawing    bool      // it will be
	unfinished bool      // the page is drawn for the first time
}

// OnInit makes the model, also where the page is only drawn and never mounted.
func (p *Page) OnInit() {
	if p.model == nil {
		p.model = NewModel()
	}
	p.unfinished = app.IsClient
}

// OnMount connects the page to the browser.
func (p *Page) OnMount(ctx app.Context) {
	p.browser = newBrowser(
		func(f func()) { ctx.Dispatch(func(app.Context) { f() }) },
		p.news,
	)
	p.browser.watchKeys(keys())
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
	decode(body, &key)
	p.press(key)
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
		p.drawn, p.next = revisions{}, 0
	}
	p.drawOn(ctx)
}

// drawOn draws what has changed, the steps of the workbench each in a frame of its own: all at once would hold up the browser.
func (p *Page) drawOn(ctx app.Context) {
	if p.drawing || app.IsServer {
		return
	}
	p.drawing = true
	ctx.Dispatch(func(ctx app.Context) {
		p.drawing = false
		step, behind := p.drawn.behind(p.model.Revision, p.next)
		behind = behind && p.model.View == ViewWorkbench
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
		&Masthead{View: m.View, Requests: m.Requests, Network: m.Network, Browser: p.browser},
		app.Main().ID(mainID).TabIndex(-1).Body(
			app.If(m.Offer, func() app.UI {
				return &UpdateOffer{Lost: m.Lost(), Running: m.Release.Phase == ReleaseRunning, OnAccept: func() { p.browser.acceptUpdate() }, OnLater: m.DeclineUpdate}
			}),
			engineNote(m.Engine),
			noPageNote(m.NoPage),
			p.content(),
		),
		&Footer{Browser: p.browser},
		app.If(!p.unfinished, func() app.UI {
			return &KeysDialog{ID: keysID, Off: m.KeysOff, Browser: p.browser}
		}),
		app.If(!p.unfinished, func() app.UI { return &OfflineDialog{ID: offlineID, Network: m.Network, Browser: p.browser} }),
	)
}

// mainID is the element that holds the view.
const mainID = "content"

func (p *Page) content() app.UI {
	switch p.model.View {
	case ViewLedger:
		return &LedgerPage{Model: p.model, Revision: p.model.Revision, Browser: p.browser}
	case ViewLearn:
		return &LearnPage{Model: p.model, Revision: p.model.Revision, Browser: p.browser}
	case ViewWords:
		return &WordsPage{}
	case ViewDocs:
		return &DocsPage{Tasks: p.model.Tasks, Address: p.model.Address}
	case ViewProof:
		return &ProofPage{Model: p.model, Revision: p.model.Revision, Browser: p.browser}
	case ViewEvidence:
		return &EvidencePage{Model: p.model, Revision: p.model.Revision}
	case ViewGallery:
		return &GalleryPage{Address: p.model.Address, Browser: p.browser}
	default:
		m, drawn := p.model, p.drawn
		if app.IsServer { // whole, at once
			drawn = revisions{1, 1, 1, 1}
		}
		return &Workbench{Model: m, Drawn: drawn, Browser: p.browser, Reading: m.Data.Progress, Running: m.Release.Progress}
	}
}

// engineNote tells when the engine has died and was replaced.
func engineNote(phase EnginePhase) app.UI {
	if phase != EngineDied {
		return absent()
	}
	return note("warn", say.Text("The engine stopped and a fresh one is starting. Your file and your question are kept; what was already spent stays spent."))
}

// noPageNote tells that the address leads to no page.
func noPageNote(name string) app.UI {
	if name == "" {
		return absent()
	}
	return note("warn", say.Format("There is no page named “%s” here. This is the workbench.", name))
}
