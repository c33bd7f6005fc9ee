// Package place holds the parts that all places of the page share: how they ask the engine and
// report changes.
package place

import "hush/web/engine"

// Engine is the worker that holds the data and runs the mechanisms, as seen by the page.
type Engine interface {
	Call(engine.Call, engine.Reply) engine.Request
	Cancel(engine.Request)
}

// Link connects a place to the engine and to those whom it informs of changes. The zero value
// reaches nobody, as in a made-up state.
type Link struct {
	Engine  Engine
	Changed func()
}

// Call asks the engine.
func (k Link) Call(c engine.Call, reply engine.Reply) engine.Request {
	if k.Engine == nil {
		return 0
	}
	return k.Engine.Call(c, reply)
}

// Cancel cancels a request, if there is one.
func (k Link) Cancel(r engine.Request) {
	if k.Engine != nil && r != 0 {
		k.Engine.Cancel(r)
	}
}

// Update reports that the place has changed.
func (k Link) Update() {
	if k.Changed != nil {
		k.Changed()
	}
}

// Failure reads why the engine refused or failed.
func Failure(body []byte) *engine.Fault {
	f := new(engine.Fault)
	engine.Decode(body, f)
	f.Message = engine.Said(f.Message)
	return f
}
