// Package state is the page without its pictures: what each of its places knows and does. It does
// not depend on go-app.
package state

import (
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/account"
	"hush/web/state/claim"
	"hush/web/state/course"
	"hush/web/state/dataset"
	"hush/web/state/lesson"
	"hush/web/state/place"
)

// Model is the page without its pictures: each of its places, and the shell around them. Components
// read it and call its methods; nothing here depends on go-app. All of it runs on one goroutine.
type Model struct {
	Shell
	Publish  // its fields and methods are met most
	Ledger   account.Ledger
	Learn    lesson.Learn
	Course   course.Course
	Look     lesson.Look
	Proof    claim.Proof    // the page that proves claims
	Evidence claim.Evidence // the findings of the tests
	Check    claim.Check    // a release that was opened to be checked
	Living   claim.Living   // a release that is asked as a living table

	// Revision grows with every change except progress; components take it as a prop, so that
	// go-app sees that they must be drawn again.
	Revision int

	changed func()
}

// NewModel returns the page as a visitor first meets it: nothing is connected.
func NewModel() *Model {
	m := &Model{Revision: 1, changed: func() {}}
	m.Publish.join(func() { m.changed() }, m.Ledger.Ask)
	m.Ledger = account.Ledger{Data: &m.Data, Take: m.TakeAccount, Tasks: m.Question.Tasks}
	m.Learn = lesson.Learn{Tasks: m.Question.Tasks, Question: &m.Question,
		Shown: m.Forecast.Shown}
	m.Look = lesson.Look{Question: &m.Question, Data: &m.Data, Noted: m.Ledger.Ask,
		Show: m.Learn.ShowOwn}
	m.connect(nil)
	return m
}

// connect links each place to the engine.
func (m *Model) connect(e place.Engine) {
	k := place.Link{Engine: e, Changed: m.update}
	for _, link := range append(m.Publish.links(), &m.Ledger.Link, &m.Learn.Link, &m.Course.Link,
		&m.Look.Link, &m.Proof.Link, &m.Evidence.Link, &m.Check.Link, &m.Living.Link) {
		*link = k
	}
}

// Surroundings is the environment of the page.
type Surroundings interface {
	place.Window
	claim.Figures
	course.Keeper
}

// Start connects the engine and the page. changed is called after each change, to draw the page.
func (m *Model) Start(e place.Engine, w Surroundings, changed func()) {
	m.changed = changed
	m.connect(e)
	m.Publish.Way.Window, m.Proof.WriteAddress, m.Evidence.Figures = w, w.Address, w
	m.Course.Keeper, m.Course.WriteAddress, m.Learn.WriteAddress = w, w.Address, w.Address
	e.Call(engine.Catalogue.With(nil), func(_ engine.Request, kind string, body []byte) {
		if kind == engine.ReplyDone {
			m.Engine = EngineReady
			m.Kept.Restore()
			m.update()
		}
	})
}

// News takes unsolicited reports from the engine or the page.
func (m *Model) News(kind string, body []byte) {
	switch kind {
	case "died":
		m.Engine = EngineDied
		m.Votes.End(say.Text("the engine that held them stopped"))
	case "restarted":
		m.Engine = EngineReady
		m.Codebook.ExpectAnew()
	case "update":
		m.Offer = true
	case "keys-off":
		engine.Decode(body, &m.KeysOff)
	case "course":
		var done string
		engine.Decode(body, &done)
		m.Course.Recall(done)
	case "polls":
		var codes string
		engine.Decode(body, &codes)
		m.Course.Poll.Recall(codes)
	case "requests":
		engine.Decode(body, &m.Requests)
		m.changed() // only the masthead shows them
		return
	case "network":
		engine.Decode(body, &m.Network)
	case "ledger":
		m.Ledger.Ask()
		m.Kept.Ask(nil)
	case "step":
		var at place.Step
		engine.Decode(body, &at)
		m.Publish.step(at)
	}
	m.update()
}

func (m *Model) update() {
	m.Revision++
	if m.Way.Window != nil && m.View == place.ViewWorkbench {
		if m.Saved.Waiting == nil && m.Data.Phase == dataset.Opened {
			m.Way.Window.Address(m.Question.Address())
		}
		m.Way.Window.Stand(m.stands())
	}
	m.changed()
}
