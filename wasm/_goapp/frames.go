// This file is added to go-app's package for the browser's binary, see build.sh.

package app

import (
	"maps"
	"runtime"
	"slices"
	"syscall/js"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/errors"
)

// slice is how long a task goes on drawing components. What is left is another task: the browser looks in between at what a person does.
const slice = 10 * time.Millisecond

// Start takes the place of go-app's loop. There a frame draws all that has changed in one task, and Go looks at its timers whenever it
// runs, so that on a slow machine many frames would be one task. Here each begins a task, draws for a slice of time at most, and lets the
// browser first show what a person has just done.
func (e *engineX) Start(framerate int) {
	pause := time.Second / time.Duration(framerate)
	frames, collectAtRest := newFrameTimer(), newCollector()
	frames.after(0)
	waiting := true  // for a frame
	whole := true    // is what the last one drew
	changed := false // something may have since
	e.states.CleanupExpiredPersistedStates(e.baseContext())
	for {
		select {
		case dispatch := <-e.dispatches:
			if !waiting {
				waiting = true
				frames.after(pause)
			}
			changed = true
			dispatch()

		case <-frames.due:
			if changed && !whole {
				e.drawAround()
			}
			changed = false
			whole = e.drawSlice()
			if waiting = !whole; waiting {
				frames.after(0)
			} else {
				collectAtRest()
			}

		case <-e.ctx.Done():
			return
		}
	}
}

// drawSlice draws what has changed, from the outermost component on, until its time is over; whole reports whether that was all. What was
// deferred until all is drawn is done then.
func (e *engineX) drawSlice() (whole bool) {
	end := time.Now().Add(slice)
	for _, components := range e.updates.pending {
		for c, changes := range components {
			if !time.Now().Before(end) {
				return false
			}
			delete(components, c)
			if changes <= 0 || !c.Mounted() {
				continue
			}
			if _, err := e.nodes.UpdateComponentRoot(e.baseContext(), c); err != nil {
				panic(errors.New("updating component failed").Wrap(err))
			}
		}
	}
	e.executeDefers()
	e.actions.Cleanup()
	e.states.Cleanup()
	return true
}

// drawAround has those components drawn again that are around one that is not drawn yet, as they were when it was found to have changed:
// more has changed since, and it may be no part of them any more.
func (e *engineX) drawAround() {
	var left []Composer
	for _, components := range e.updates.pending {
		left = slices.AppendSeq(left, maps.Keys(components))
	}
	for _, c := range left {
		for around, ok := component(c.parent()); ok; around, ok = component(around.parent()) {
			e.updates.Add(around, 1)
		}
	}
}

// frameTimer begins frames, by the browser's timers.
type frameTimer struct {
	due   chan struct{}
	begin js.Func

	unseen bool // a person did something that the browser has not shown yet
	late   bool // a frame waits for that
}

// unseenAtMost is how long a frame waits for the browser to show something, which it does not do in a tab that nobody sees.
const unseenAtMost = 100 * time.Millisecond

func newFrameTimer() *frameTimer {
	t := &frameTimer{due: make(chan struct{}, 1)}
	t.begin = js.FuncOf(func(js.Value, []js.Value) any {
		if t.late = t.unseen; !t.late {
			t.due <- struct{}{} // the only one: the next is set when this one is over
		}
		return nil
	})
	t.watch()
	return t
}

// after begins a frame after a pause.
func (t *frameTimer) after(pause time.Duration) {
	js.Global().Call("setTimeout", t.begin, pause.Milliseconds())
}

// watch notes what a person does, and when it is shown.
func (t *frameTimer) watch() {
	seen := js.FuncOf(func(js.Value, []js.Value) any {
		if t.unseen = false; t.late {
			t.late = false
			t.due <- struct{}{}
		}
		return nil
	})
	showing := js.FuncOf(func(js.Value, []js.Value) any { // and the next task is when it is shown
		js.Global().Call("setTimeout", seen)
		return nil
	})
	done := js.FuncOf(func(js.Value, []js.Value) any {
		if !t.unseen {
			t.unseen = true
			js.Global().Call("requestAnimationFrame", showing)
			js.Global().Call("setTimeout", seen, unseenAtMost.Milliseconds())
		}
		return nil
	})
	for _, event := range []string{"keydown", "pointerdown", "click"} {
		js.Global().Call("addEventListener", event, done, map[string]any{"capture": true, "passive": true})
	}
}

// newCollector returns what has Go collect its garbage once nothing was drawn for a while and the browser has nothing to do. Else it
// collects in the middle of what a person waits for.
func newCollector() (atRest func()) {
	const (
		rest  = 500 // ms
		spare = 1 << 20
	)
	whenIdle := "requestIdleCallback"
	if js.Global().Get(whenIdle).IsUndefined() {
		whenIdle = "setTimeout"
	}
	var kept uint64
	collect := js.FuncOf(func(js.Value, []js.Value) any {
		var m runtime.MemStats
		if runtime.ReadMemStats(&m); m.HeapAlloc > kept+spare {
			runtime.GC()
			runtime.ReadMemStats(&m)
			kept = m.HeapAlloc
		}
		return nil
	})
	rested := js.FuncOf(func(js.Value, []js.Value) any {
		js.Global().Call(whenIdle, collect)
		return nil
	})
	timer := js.Undefined()
	return func() {
		js.Global().Call("clearTimeout", timer)
		timer = js.Global().Call("setTimeout", rested, rest)
	}
}
