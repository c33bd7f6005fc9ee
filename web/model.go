package web

import (
	"encoding/json"
	"fmt"

	"hush/core/ask"
	"hush/core/message"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
)

// Model is the workbench without its pictures: what was opened, what was asked, what it costs, what came out.
// Components read it and call its methods; nothing here knows go-app. All of it runs on one goroutine.
type Model struct {
	View     View
	Address  string // behind the #, as it was when the view was chosen
	NoPage   string // the page that the address names where there is none of that name
	Tasks    []ask.Task
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
	Waiting     *ask.Recipe
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
	Call(engine.Call, Reply) Request
	Cancel(Request)
}

// Window is what the model asks of the page around it.
type Window interface {
	Evidence(Reply) Request // the figures of the tests, which the bundle carries
	Reveal(element string)
	Address(path string) // writes the address behind the #, without a step in the history
}

// Request numbers a call of the engine, so that a late answer is told from the one that counts. 0 is none.
type Request int

// File is a file as the browser hands it over; only its public face is seen here.
type File interface {
	Name() string
	Size() int64
}

// Reply takes what the engine says about one request.
type Reply func(r Request, kind string, body []byte)

// What a reply can be.
const (
	ReplyDone     = "done"
	ReplyFailed   = "failed"
	ReplyProgress = "progress"
)

// Requests counts what the tab asked of the network.
type Requests struct {
	Own     int `json:"own"`
	Foreign int `json:"foreign"`
}

// NewModel returns the workbench as a visitor first meets it.
func NewModel() *Model {
	return &Model{Tasks: task.Catalogue(), Question: newQuestion(), Revision: 1, changed: func() {}}
}

// Start connects the engine and the page. changed is called after each change, to draw it.
func (m *Model) Start(e Engine, w Window, changed func()) {
	m.engine, m.window, m.changed = e, w, changed
	e.Call(engine.Catalogue.With(nil), func(_ Request, kind string, body []byte) {
		if kind == ReplyDone {
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
		m.endVotes(say.Text("the engine that held them stopped"))
	case "restarted":
		m.Engine = EngineReady
	case "update":
		m.Offer = true
	case "keys-off":
		decode(body, &m.KeysOff)
	case "requests":
		decode(body, &m.Requests)
		m.changed() // nothing but the masthead shows them
		return
	case "network":
		decode(body, &m.Network)
	case "ledger":
		m.askLedger()
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

// decode reads what our own engine wrote; anything else is a broken build.
func decode(body []byte, into any) {
	if err := json.Unmarshal(body, into); err != nil {
		panic("web: internal error: the engine's answer: " + err.Error())
	}
}

func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("web: internal error: " + err.Error())
	}
	return string(text)
}

func failure(body []byte) *engine.Fault {
	f := new(engine.Fault)
	decode(body, f)
	f.Message = engine.Said(f.Message)
	return f
}

// Task returns the chosen task, or nil.
func (m *Model) Task() *ask.Task {
	for i := range m.Tasks {
		if m.Tasks[i].ID == m.Question.Task {
			return &m.Tasks[i]
		}
	}
	return nil
}

// grouped writes a whole number as everywhere on the page: 1 234 567.
func grouped(n int64) string { return message.Grouped(n) }

// bytesText writes a file size: "12.3 MB".
func bytesText(n int64) string {
	const mega = 1_000_000
	switch {
	case n < 1000:
		return say.Format("%d bytes", n)
	case n < mega:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	case n < 1000*mega:
		return fmt.Sprintf("%.1f MB", float64(n)/mega)
	}
	return fmt.Sprintf("%.2f GB", float64(n)/(1000*mega))
}
