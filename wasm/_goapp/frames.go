// This file is added to go-app's package for the browser's binary, see build.sh.

package app

import (
	"syscall/js"
	"time"
)

// frameTimer takes the place of the engine's time.Ticker. Go looks at its own timers whenever it runs, so that a frame would begin in
// the task of whatever took long, such as another frame, and on a slow machine one task would be made of many. The browser's begin tasks.
type frameTimer struct {
	C     chan time.Time
	due   js.Func
	timer js.Value
}

func newFrameTimer(first time.Duration) *frameTimer {
	t := &frameTimer{C: make(chan time.Time, 1)}
	t.due = js.FuncOf(func(js.Value, []js.Value) any {
		select {
		case t.C <- time.Now():
		default: // one is due already
		}
		return nil
	})
	t.Reset(first)
	return t
}

// Reset begins a frame after that time, and not at the one set before.
func (t *frameTimer) Reset(after time.Duration) {
	t.Stop()
	t.timer = js.Global().Call("setTimeout", t.due, float64(after)/float64(time.Millisecond))
}

// Stop takes back the frame that was set.
func (t *frameTimer) Stop() { js.Global().Call("clearTimeout", t.timer) }
