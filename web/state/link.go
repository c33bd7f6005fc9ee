package state

import "hush/web/engine"

// Engine is the worker that holds the data and runs the mechanisms, as the page sees it.
type Engine interface {
	Call(engine.Call, engine.Reply) engine.Request
	Cancel(engine.Request)
}

// link is how a place asks the engine and tells that it has changed. The zero value reaches nobody, as in a made-up state.
type link struct {
	engine  Engine
	changed func()
}

func (k link) call(c engine.Call, reply engine.Reply) engine.Request {
	if k.engine == nil {
		return 0
	}
	return k.engine.Call(c, reply)
}

// cancel gives a request up, if there is one.
func (k link) cancel(r engine.Request) {
	if k.engine != nil && r != 0 {
		k.engine.Cancel(r)
	}
}

func (k link) update() {
	if k.changed != nil {
		k.changed()
	}
}
