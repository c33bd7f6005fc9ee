package app

import (
	"runtime"
	"syscall/js"
	"time"
)

// Start draws in short tasks, see slicedFrames.
func (e *engineX) Start(framerate int) {
	newSlicedFrames(e, framerate, pageTasks{}, garbage{heap: heapInUse, collect: runtime.GC}).run()
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// pageTasks are those of the page's window. Its callbacks live as long as the page.
type pageTasks struct{}

func callback(run func()) js.Func {
	return js.FuncOf(func(js.Value, []js.Value) any {
		run()
		return nil
	})
}

func (pageTasks) now() time.Time { return time.Now() }

func (pageTasks) after(run func()) (begin func(pause time.Duration)) {
	task := callback(run)
	return func(pause time.Duration) {
		js.Global().Call("setTimeout", task, pause.Milliseconds())
	}
}

func (pageTasks) rested(run func(), pause time.Duration) (begin func()) {
	task, timer := callback(run), js.Undefined()
	return func() {
		js.Global().Call("clearTimeout", timer)
		timer = js.Global().Call("setTimeout", task, pause.Milliseconds())
	}
}

func (pageTasks) shown(run func()) (begin func()) {
	task := callback(run)
	return func() { js.Global().Call("requestAnimationFrame", task) }
}

func (pageTasks) idle(run func()) (begin func()) {
	task, name := callback(run), "requestIdleCallback"
	if js.Global().Get(name).IsUndefined() {
		name = "setTimeout"
	}
	return func() { js.Global().Call(name, task) }
}

func (pageTasks) onInput(run func()) {
	task := callback(run)
	for _, event := range []string{"keydown", "pointerdown", "click"} {
		js.Global().
			Call("addEventListener", event, task, map[string]any{"capture": true, "passive": true})
	}
}
