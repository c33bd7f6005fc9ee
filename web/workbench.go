package web

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/message"
	"hush/web/engine"
)

// Page is the frame around every view: the masthead, the view that the address names, and the footer.
type Page struct {
	app.Compo

	model      *Model
	browser    *browser
	waiting    int  // steps of the workbench that are not drawn yet
	unfinished bool // it is drawn for the first time, each part in a task of its own: all at once would hold up the browser
}

// OnInit makes the model, also where the page is only drawn and never mounted: there it is drawn whole.
func (p *Page) OnInit() {
	if p.model == nil {
		p.model = NewModel()
	}
	if app.IsClient {
		p.waiting, p.unfinished = lastStep, true
	}
}

// OnMount connects the page to the browser.
func (p *Page) OnMount(ctx app.Context) {
	p.browser = newBrowser(
		func(f func()) { ctx.Dispatch(func(app.Context) { f() }) },
		p.news,
	)
	p.browser.watchKeys(keys())
	p.model.Start(p.browser, func() { ctx.Update() })
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
	if before != ViewWorkbench && p.model.View == ViewWorkbench && p.model.Release.Phase == ReleaseDone {
		p.waiting = lastStep
		p.drawOn(ctx)
	}
}

// drawOn draws the steps that wait, each in a task of its own: all at once they are the page's longest.
func (p *Page) drawOn(ctx app.Context) {
	ctx.Async(func() {
		Yield()
		ctx.Dispatch(func(ctx app.Context) {
			p.waiting--
			p.unfinished = p.unfinished && p.waiting > 0
			if p.waiting > 0 {
				ctx.Defer(p.drawOn) // when this one is drawn
			}
		})
	})
}

// Render draws the frame and the view.
func (p *Page) Render() app.UI {
	m, class := p.model, "page"
	if p.unfinished {
		class = "page unfinished" // static/early.js shows the bundle's until this one is whole
	}
	return app.Div().Class(class).Body(
		app.A().Class("skip").Href("#"+mainID).Text(message.Text("Skip to the content")),
		app.Header().Class("masthead").Body(
			app.A().Class("brand").Href("#/").Body(
				app.Img().Src("/web/icons/icon.svg").Role("presentation").Aria("hidden", "true").Width(32).Height(32),
				app.Span().Text(message.Text("Hush")),
			),
			app.Nav().Class("views").Aria("label", message.Text("Pages")).Body(
				app.Range(views).Slice(func(i int) app.UI {
					return app.If(views[i].title != "", func() app.UI {
						link := app.A().Href("#" + views[i].Path()).Text(message.Text(views[i].title))
						if views[i].View == m.View {
							link = link.Aria("current", "page")
						}
						return link
					})
				}),
			),
			app.Div().Class("masthead-end").Body(
				&Promise{Requests: m.Requests, Off: m.Network.Off && m.Network.Able},
				installButton(m.Network, func() *browser { return p.browser }),
				app.Button().Class("button plain").Type("button").Text(message.Text("Offline")).OnClick(func(app.Context, app.Event) { p.browser.showDialog(offlineID) }),
				app.Button().Class("button plain").Type("button").Text(message.Text("Keys")).OnClick(func(app.Context, app.Event) { p.browser.showDialog(keysID) }),
				app.Button().Class("button plain").Type("button").Text(message.Text("Light or dark")).OnClick(func(app.Context, app.Event) { p.toggleTheme() }),
			),
		),
		app.Main().ID(mainID).TabIndex(-1).Body(
			app.If(m.Offer, func() app.UI {
				return &UpdateOffer{Lost: m.Lost(), Running: m.Release.Phase == ReleaseRunning, OnAccept: func() { p.browser.acceptUpdate() }, OnLater: m.DeclineUpdate}
			}),
			engineNote(m.Engine),
			noPageNote(m.NoPage),
			p.view(),
		),
		app.Footer().Class("footer").Body(
			app.P().Text(message.Text("Hush implements differential privacy with exact arithmetic: no floating-point number decides what is released, "+
				"and all randomness comes from the system's cryptographic generator.")),
			app.P().Text(message.Text("Known limits: how long a run takes is not hidden. The record of what was spent is a memory aid on this device: "+
				"an edited file counts as a new one.")),
			languageField(p.browser),
			app.P().Body(app.A().Href("#"+ViewDocs.Path()).Text(message.Text("Every question, described"))),
			app.P().Body(app.A().Href("#"+ViewGallery.Path()).Text(message.Text("Every part of this page, in every state"))),
		),
		app.If(!p.unfinished, func() app.UI {
			return &KeysDialog{ID: keysID, Off: m.KeysOff, OnClose: func() { p.browser.hideDialog(keysID) }, OnOff: func(off bool) { p.browser.turnKeysOff(off) }}
		}),
		app.If(!p.unfinished, func() app.UI { return &OfflineDialog{ID: offlineID, Network: m.Network, Browser: p.browser} }),
	)
}

// mainID is the element that holds the view.
const mainID = "content"

func (p *Page) view() app.UI {
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
		m := p.model
		return &Workbench{Model: m, Revision: m.Revision, Browser: p.browser, Reading: m.Data.Progress, Running: m.Release.Progress, Waiting: p.waiting}
	}
}

func (p *Page) toggleTheme() {
	if p.browser.theme() == "dark" {
		p.browser.setTheme("light")
	} else {
		p.browser.setTheme("dark")
	}
}

// engineNote tells when the engine has died and was replaced.
func engineNote(phase EnginePhase) app.UI {
	if phase != EngineDied {
		return app.Div().Hidden(true)
	}
	return note("warn", message.Text("The engine stopped and a fresh one is starting. Your file and your question are kept; what was already spent stays spent."))
}

// noPageNote tells that the address leads to no page.
func noPageNote(name string) app.UI {
	if name == "" {
		return app.Div().Hidden(true)
	}
	return note("warn", message.Format("There is no page named “%s” here. This is the workbench.", name))
}

const lastStep = 4

// Workbench is the main view: four steps from a file to a release.
type Workbench struct {
	app.Compo

	Model    *Model   // read and changed
	Revision int      // Model.Revision
	Browser  *browser // for files, charts and downloads

	Waiting int // how many of the last steps are drawn later

	Reading, Running engine.Progress // Model.Data.Progress and Model.Release.Progress: progress alone draws only what shows it
}

// Render draws the steps.
func (w *Workbench) Render() app.UI {
	m, drawn := w.Model, lastStep-w.Waiting
	return app.Div().Body(
		app.Div().Class("intro").Body(
			app.H1().Text(message.Text("Publish figures about people, not the people")),
			app.P().Text(message.Text("Drop a table, ask a question, choose how much privacy loss to accept. The answer is safe to publish, "+
				"with its guarantee and its error. Everything runs in this tab: the file never leaves it.")),
		),
		app.Div().Class("bench").Body(
			app.Div().Class("column").Body(
				app.If(drawn >= 1, func() app.UI { return &DataStep{Model: m, Shown: m.dataShown(), Browser: w.Browser} }),
				app.If(drawn >= 2, func() app.UI { return &QuestionStep{Model: m, Revision: m.Revision, Browser: w.Browser} }),
				app.If(drawn >= 3, func() app.UI { return &PrivacyStep{Model: m, Revision: m.Revision, Browser: w.Browser} }),
			),
			app.Div().Class("column answer").Body(
				app.If(drawn >= lastStep, func() app.UI {
					return &ReleaseStep{Model: m, Revision: m.Revision, Browser: w.Browser, Progress: w.Running}
				}),
			),
		),
	)
}

// Promise says that nothing leaves the tab, with the live count of requests that shows it.
type Promise struct {
	app.Compo

	Requests Requests // what the tab asked of the network so far
	Off      bool     // the network is switched off
}

// Render draws a pill with a dot that turns red should a foreign request ever be seen.
func (p *Promise) Render() app.UI {
	class, text := "promise", message.Text("Nothing leaves this tab")
	if p.Off {
		class, text = "promise off", message.Text("Offline: nothing can leave this tab")
	}
	if p.Requests.Foreign > 0 {
		class, text = "promise broken", message.Text("A foreign request was seen")
	}
	detail := message.Text("0 requests to other servers, 0 files of this page") // before the program runs: a script translates whole texts only
	if p.Requests.Own+p.Requests.Foreign > 0 {
		detail = message.Format("%d requests to other servers, %d files of this page", p.Requests.Foreign, p.Requests.Own)
	}
	return app.Div().Class(class).Role("status").ID("promise").Body(
		app.Span().Class("dot").Aria("hidden", "true"),
		app.Span().Text(text),
		app.Span().Class("soft number").ID("request-count").Text(detail),
	)
}
