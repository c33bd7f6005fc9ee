package state

import (
	"fmt"

	"hush/core/message"
	"hush/core/task"
	"hush/web/engine"
)

// Model is the workbench without its pictures: what was opened, what was asked, what it costs, what came out.
// Components read it and call its methods; nothing here knows go-app. All of it runs on one goroutine.
type Model struct {
	View     View
	Address  string // behind the #, as it was when the view was chosen
	NoPage   string // the page that the address names where there is none of that name
	Tasks    []task.Task
	Engine   EnginePhase
	Data     Data
	Question Question
	Cells    Cells
	Forecast Forecast
	Wish     Wish
	Release  Release
	Votes    Votes
	History  History
	Ledger   *engine.Account // what was spent on the opened data so far; nil before it is known
	Book     Book            // what was spent on every data set
	Learn    Learn
	Look     Look
	Proof    Proof    // the page that proves claims
	Evidence Evidence // what the tests found out
	Requests Requests
	Network  Network
	Offer    bool // a new version of the page waits to be asked for
	KeysOff  bool // single keys do nothing

	// Revision grows with every change but progress; components take it as a prop, so that go-app sees that they must be drawn again.
	Revision int

	// Waiting is a recipe that waits for its file, and RecipeFault what is wrong with one that was brought.
	Waiting     *task.Recipe
	RecipeFault string

	// notRead is the field whose file could not be read, and why.
	notRead struct{ field, why string }

	engine    Engine
	window    Window
	changed   func()
	undo      []Question
	lastField string // the field typed into last
}

// EnginePhase says how the engine is.
type EnginePhase int

const (
	EngineStarting EnginePhase = iota
	EngineReady
	EngineDied // and a fresh one is on its way
)

// Engine is the worker that holds the data and runs the mechanisms, as the page sees it.
type Engine interface {
	Call(engine.Call, engine.Reply) engine.Request
	Cancel(engine.Request)
}

// Window is what the model asks of the page around it.
type Window interface {
	Evidence(engine.Reply) engine.Request // the figures of the tests, which the bundle carries
	Reveal(element string)
	Address(path string) // writes the address behind the #, without a step in the history
}

// NewModel returns the workbench as a visitor first meets it.
func NewModel() *Model {
	return &Model{Tasks: task.Catalogue(), Question: newQuestion(), Revision: 1, changed: func() {}}
}

// Start connects the engine and the page. changed is called after each change, to draw it.
func (m *Model) Start(e Engine, w Window, changed func()) {
	m.engine, m.window, m.changed = e, w, changed
	e.Call(engine.Catalogue.With(nil), func(_ engine.Request, kind string, body []byte) {
		if kind == engine.ReplyDone {
			m.Engine = EngineReady
			m.update()
		}
	})
}

// News takes what the engine or the page says unasked.
func (m *Model) News(kind string, body []byte) {
	switch kind {
	case "died":
		m.Engine = EngineDied
		m.EndVotes(message.Text("the engine that held them stopped"))
	case "restarted":
		m.Engine = EngineReady
	case "update":
		m.Offer = true
	case "keys-off":
		engine.Decode(body, &m.KeysOff)
	case "requests":
		engine.Decode(body, &m.Requests)
		m.changed() // nothing but the masthead shows them
		return
	case "network":
		engine.Decode(body, &m.Network)
	case "ledger":
		m.AskLedger()
	}
	m.update()
}

func (m *Model) update() {
	m.Revision++
	if m.window != nil && m.View == ViewWorkbench && m.Waiting == nil && m.Data.Phase == DataOpened {
		m.window.Address(m.RecipeAddress())
	}
	m.changed()
}

func Failure(body []byte) *engine.Fault {
	f := new(engine.Fault)
	engine.Decode(body, f)
	f.Message = engine.Said(f.Message)
	return f
}

// Task returns the chosen task, or nil.
func (m *Model) Task() *task.Task {
	for i := range m.Tasks {
		if m.Tasks[i].ID == m.Question.Task {
			return &m.Tasks[i]
		}
	}
	return nil
}

// BytesText writes a file size: "12.3 MB".
func BytesText(n int64) string {
	const mega = 1_000_000
	switch {
	case n < 1000:
		return message.Format("%d bytes", n)
	case n < mega:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	case n < 1000*mega:
		return fmt.Sprintf("%.1f MB", float64(n)/mega)
	}
	return fmt.Sprintf("%.2f GB", float64(n)/(1000*mega))
}
