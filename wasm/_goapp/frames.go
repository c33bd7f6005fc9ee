package app

import (
	"maps"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/errors"
)

const (
	// slice is how long a task goes on drawing components. What is left is another task: the
	// browser looks in between at what a person does.
	slice = 10 * time.Millisecond

	// unseenAtMost is how long a frame waits for the browser to show something, which it does not
	// do in a tab that nobody sees.
	unseenAtMost = 100 * time.Millisecond

	// restBefore is how long nothing is drawn before garbage is collected, and spareHeap how much
	// there has to be since the last time, in bytes.
	restBefore = 500 * time.Millisecond
	spareHeap  = 1 << 20
)

// tasks are the browser's ways to start a task on the page's thread (frames_js.go). Each takes a
// function once, and returns one that schedules it.
type tasks interface {
	now() time.Time
	after(run func()) (begin func(pause time.Duration))    // a pause
	rested(run func(), pause time.Duration) (begin func()) // a pause since it began last
	shown(run func()) (begin func())                       // before the screen is painted next
	idle(run func()) (begin func())                        // when there is nothing else to do
	onInput(run func())                                    // whenever a person does something
}

// slicedFrames takes the place of go-app's loop. There a frame draws all that has changed in one
// task, and Go looks at its timers whenever it runs, so that on a slow machine many frames would be
// one task. Here each begins a task, draws for a slice of time at most, and lets the browser first
// show what a person has just done.
type slicedFrames struct {
	engine        *engineX
	now           func() time.Time
	timer         *frameTimer
	collectAtRest func()
	pause         time.Duration // between frames

	waiting bool // for a frame
	whole   bool // is what the last frame drew
	changed bool // something may have since
}

func newSlicedFrames(e *engineX, framerate int, t tasks, g garbage) *slicedFrames {
	return &slicedFrames{
		engine: e, now: t.now, timer: newFrameTimer(t), collectAtRest: newCollector(t, g),
		pause: time.Second / time.Duration(framerate), whole: true,
	}
}

// run returns when the engine's context ends.
func (f *slicedFrames) run() {
	f.begin()
	for {
		select {
		case dispatch := <-f.engine.dispatches:
			f.dispatch(dispatch)
		case <-f.timer.due:
			f.frame()
		case <-f.engine.ctx.Done():
			return
		}
	}
}

func (f *slicedFrames) begin() {
	f.waiting = true
	f.timer.after(0)
	f.engine.states.CleanupExpiredPersistedStates(f.engine.baseContext())
}

func (f *slicedFrames) dispatch(do func()) {
	if !f.waiting {
		f.waiting = true
		f.timer.after(f.pause)
	}
	f.changed = true
	do()
}

func (f *slicedFrames) frame() {
	if f.changed && !f.whole {
		f.drawAround()
	}
	f.changed = false
	f.whole = f.drawSlice()
	if f.waiting = !f.whole; f.waiting {
		f.timer.after(0)
	} else {
		f.collectAtRest()
	}
}

// drawSlice draws what has changed, from the outermost component on, until its time is over; whole
// reports whether that was all. What was deferred until all is drawn is done then.
func (f *slicedFrames) drawSlice() (whole bool) {
	e := f.engine
	end := f.now().Add(slice)
	for _, components := range e.updates.pending {
		for c, changes := range components {
			if !f.now().Before(end) {
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

// drawAround has those components drawn again that are around one that is not drawn yet, as they
// were when it was found to have changed: more has changed since, and it may be no part of them any
// more.
func (f *slicedFrames) drawAround() {
	updates := &f.engine.updates
	var left []Composer
	for _, components := range updates.pending {
		left = slices.AppendSeq(left, maps.Keys(components))
	}
	for _, c := range left {
		for around, ok := component(c.parent()); ok; around, ok = component(around.parent()) {
			updates.Add(around, 1)
		}
	}
}

// frameTimer begins frames, by the browser's timers.
type frameTimer struct {
	due   chan struct{}
	after func(pause time.Duration) // begins a frame after a pause

	unseen bool // a person did something that the browser has not shown yet
	late   bool // a frame waits for that
}

func newFrameTimer(tasks tasks) *frameTimer {
	t := &frameTimer{due: make(chan struct{}, 1)}
	t.after = tasks.after(func() {
		if t.late = t.unseen; !t.late {
			t.due <- struct{}{} // the only one: the next is set when this one is over
		}
	})
	seen := tasks.after(func() {
		if t.unseen = false; t.late {
			t.late = false
			t.due <- struct{}{}
		}
	})
	showing := tasks.shown(func() { seen(0) }) // the next task is when it is shown
	tasks.onInput(func() {
		if !t.unseen {
			t.unseen = true
			showing()
			seen(unseenAtMost)
		}
	})
	return t
}

// garbage is what Go's memory holds, in bytes, and what has it collected.
type garbage struct {
	heap    func() uint64
	collect func()
}

// newCollector returns a function that makes Go collect its garbage once nothing was drawn for a
// while and the browser is idle. Otherwise Go would collect while a person waits.
func newCollector(t tasks, g garbage) (atRest func()) {
	var kept uint64
	collect := t.idle(func() {
		if g.heap() > kept+spareHeap {
			g.collect()
			kept = g.heap()
		}
	})
	return t.rested(collect, restBefore)
}
