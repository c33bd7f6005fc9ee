package exhibit

import (
	"hush/web/engine"
	"hush/web/state/place"
)

// Still is an engine that answers nothing, and a page that does nothing.
type Still struct{}

func (Still) Call(engine.Call, engine.Reply) engine.Request { return 0 }

func (Still) Cancel(engine.Request) {}

func (Still) Evidence(engine.Reply) engine.Request { return 0 }

func (Still) Reveal(string) {}

func (Still) Address(string) {}

func (Still) KeepCourse(string) {}

func (Still) KeepPolls(string) {}

func (Still) Stand(place.Step) {}

func (Still) Today() string { return "2026-01-31" }
