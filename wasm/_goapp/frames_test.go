package app

import (
	"context"
	"slices"
	"strconv"
	"testing"
	"time"
)

// fakePage is a page's thread with a clock of its own: tasks run one after another, each at its
// time, and drawing takes the time that a component says.
type fakePage struct {
	clock   time.Time
	pending []*fakeTask
	input   func() // what a person does
	hidden  bool   // nothing is painted
	busy    bool   // the thread is never idle

	shownNext, idleNext []func()
}

type fakeTask struct {
	at  time.Time
	run func()
}

func (p *fakePage) now() time.Time { return p.clock }

func (p *fakePage) after(run func()) (begin func(pause time.Duration)) {
	return func(pause time.Duration) {
		p.pending = append(p.pending, &fakeTask{p.clock.Add(pause), run})
	}
}

func (p *fakePage) rested(run func(), pause time.Duration) (begin func()) {
	var timer *fakeTask
	return func() {
		p.pending = slices.DeleteFunc(p.pending, func(t *fakeTask) bool { return t == timer })
		timer = &fakeTask{p.clock.Add(pause), run}
		p.pending = append(p.pending, timer)
	}
}

func (p *fakePage) shown(run func()) (begin func()) {
	return func() { p.shownNext = append(p.shownNext, run) }
}

func (p *fakePage) idle(run func()) (begin func()) {
	return func() { p.idleNext = append(p.idleNext, run) }
}

func (p *fakePage) onInput(run func()) { p.input = run }

// paint shows what there is, unless nobody sees it.
func (p *fakePage) paint() {
	if p.hidden {
		return
	}
	for _, run := range take(&p.shownNext) {
		run()
	}
}

func take(runs *[]func()) []func() {
	taken := *runs
	*runs = nil
	return taken
}

// task runs the next task that is due until then, and reports whether there was one.
func (p *fakePage) task(until time.Time) bool {
	if len(p.pending) == 0 {
		return false
	}
	next := slices.MinFunc(p.pending, func(a, b *fakeTask) int { return a.at.Compare(b.at) })
	if next.at.After(until) {
		return false
	}
	p.pending = slices.DeleteFunc(p.pending, func(t *fakeTask) bool { return t == next })
	if p.clock.Before(next.at) {
		p.clock = next.at
	}
	next.run()
	return true
}

// slowCompo takes a while to draw.
type slowCompo struct {
	Compo

	Name     string
	Children []UI
	draw     func(name string)
}

func (c *slowCompo) Render() UI {
	c.draw(c.Name)
	return Div().Body(c.Children...)
}

// drawing is an engine that draws in short tasks on a fake page, and what it does.
type drawing struct {
	*fakePage
	t      *testing.T
	engine *engineX
	frames *slicedFrames

	cost  time.Duration // of each component
	drawn []string      // in this frame
	tasks [][]string    // what was drawn in each frame before

	heap      uint64
	collected int
}

// newDrawing has a component a around b0, b1, …, and all is drawn.
func newDrawing(t *testing.T, inner int) (d *drawing, around *slowCompo, within []*slowCompo) {
	t.Helper()
	d = &drawing{fakePage: &fakePage{clock: time.Unix(0, 0)}, t: t}
	compo := func(name string, children ...UI) *slowCompo {
		return &slowCompo{Name: name, Children: children, draw: func(name string) {
			d.drawn = append(d.drawn, name)
			d.clock = d.clock.Add(d.cost)
		}}
	}
	var children []UI
	for i := range inner {
		c := compo("b" + strconv.Itoa(i))
		within, children = append(within, c), append(children, c)
	}
	around = compo("a", children...)
	d.engine = NewTestEngine().(*engineX)
	if err := d.engine.Load(around); err != nil {
		t.Fatal(err)
	}
	d.engine.ConsumeAll()
	d.frames = newSlicedFrames(d.engine, 100, d, garbage{
		heap:    func() uint64 { return d.heap },
		collect: func() { d.collected++; d.heap /= 2 },
	})
	d.frames.begin()
	d.run(0)
	d.tasks, d.drawn = nil, nil
	return d, around, within
}

// run lets time pass as the engine's loop does.
func (d *drawing) run(pass time.Duration) {
	until := d.clock.Add(pass)
	for {
		select {
		case do := <-d.engine.dispatches:
			d.frames.dispatch(do)
			continue
		case <-d.frames.timer.due:
			d.frames.frame()
			d.tasks, d.drawn = append(d.tasks, d.drawn), nil
			continue
		default:
		}
		if !d.task(until) {
			break
		}
	}
	if d.clock.Before(until) {
		d.clock = until
	}
	if !d.busy {
		for _, run := range take(&d.idleNext) {
			run()
		}
	}
}

// change has components drawn, by one dispatch.
func (d *drawing) change(changed ...*slowCompo) {
	d.engine.dispatch(func() {
		for _, c := range changed {
			d.engine.updates.Add(c, 1)
		}
	})
	d.run(0)
}

// counts returns how many were drawn in each frame.
func (d *drawing) counts() (n []int) {
	for _, names := range d.tasks {
		n = append(n, len(names))
	}
	return n
}

func (d *drawing) want(what string, counts ...int) {
	d.t.Helper()
	if got := d.counts(); !slices.Equal(got, counts) {
		d.t.Errorf("%s: frames drew %d components, want %d", what, got, counts)
	}
}

func TestDrawingStops(t *testing.T) {
	d, _, within := newDrawing(t, 7)
	d.cost = 4 * time.Millisecond
	d.change(within...)
	d.run(time.Second)
	d.want("4 ms each", 3, 3, 1)
	names := slices.Concat(d.tasks...)
	slices.Sort(names)
	if want := []string{"b0", "b1", "b2", "b3", "b4", "b5", "b6"}; !slices.Equal(names, want) {
		t.Errorf("drawn are %q, want each once", names)
	}
}

func TestDrawingOfOneThatIsSlow(t *testing.T) {
	d, _, within := newDrawing(t, 3)
	d.cost = 25 * time.Millisecond
	d.change(within...)
	d.run(time.Second)
	d.want("25 ms each", 1, 1, 1)
}

// TestTasksBetweenSlices: what a person does while there is something left to draw is done before
// it is drawn.
func TestTasksBetweenSlices(t *testing.T) {
	d, _, within := newDrawing(t, 6)
	d.cost = 6 * time.Millisecond
	var framesBefore []int
	d.after(func() { framesBefore = append(framesBefore, len(d.tasks)) })(15 * time.Millisecond)
	d.change(within...)
	d.run(time.Second)
	d.want("6 ms each", 2, 2, 2)
	if !slices.Equal(framesBefore, []int{1}) {
		t.Errorf("the task of another came after %d frames, want one", framesBefore)
	}
}

func TestFrameRate(t *testing.T) {
	d, around, within := newDrawing(t, 2)
	d.change(within[0])
	d.run(9 * time.Millisecond)
	d.want("before the next frame")
	d.change(around, within[1])
	d.run(1 * time.Millisecond)
	d.want("two changes before one frame", 3)
	d.run(time.Second)
	d.want("at rest", 3)
}

func TestOutermostFirst(t *testing.T) {
	for range 20 { // in whatever order a map has
		d, around, within := newDrawing(t, 5)
		d.change(append(slices.Clone(within), around)...)
		d.run(time.Second)
		if len(d.tasks) != 1 || d.tasks[0][0] != "a" || len(d.tasks[0]) != 6 {
			t.Fatalf("drawn are %q, want a and then each of b once", d.tasks)
		}
	}
}

// TestDrawAround: what changes between two slices may take a component away that is still to be
// drawn.
func TestDrawAround(t *testing.T) {
	d, around, within := newDrawing(t, 4)
	d.cost = 6 * time.Millisecond
	d.change(within...)
	d.run(10 * time.Millisecond)
	d.want("half", 2)
	around.Children = nil // and nobody says that it has changed
	d.change()
	d.run(time.Second)
	if names := slices.Concat(d.tasks[1:]...); !slices.Equal(names, []string{"a"}) {
		t.Errorf("drawn are %q, want the one around and none of those that are gone", names)
	}
}

// TestNothingAround: without a change in between the rest is drawn, and nothing around it.
func TestNothingAround(t *testing.T) {
	d, _, within := newDrawing(t, 4)
	d.cost = 6 * time.Millisecond
	d.change(within...)
	d.run(time.Second)
	if slices.Contains(slices.Concat(d.tasks...), "a") {
		t.Errorf("drawn are %q, want nothing around them", d.tasks)
	}
}

func TestUnmountedIsNotDrawn(t *testing.T) {
	d, around, within := newDrawing(t, 2)
	around.Children = nil
	d.change(around)
	d.run(time.Second)
	d.change(within...)
	d.run(time.Second)
	d.want("one around, then what is gone", 1, 0)
}

// TestPreventedIsNotDrawn: what a handler says has not changed counts against what has.
func TestPreventedIsNotDrawn(t *testing.T) {
	d, _, within := newDrawing(t, 2)
	d.engine.dispatch(func() { d.engine.updates.Add(within[0], -1) })
	d.change(within...)
	d.run(time.Second)
	if names := slices.Concat(d.tasks...); !slices.Equal(names, []string{"b1"}) {
		t.Errorf("drawn are %q, want b1", names)
	}
}

func TestDeferredUntilAllIsDrawn(t *testing.T) {
	d, _, within := newDrawing(t, 4)
	d.cost = 6 * time.Millisecond
	framesBefore := -1
	d.engine.dispatch(func() {
		d.engine.defere(func() { framesBefore = len(d.tasks) })
	})
	d.change(within...)
	d.run(time.Second)
	d.want("6 ms each", 2, 2)
	if framesBefore != 1 { // the second is not over
		t.Errorf("what is deferred is done after %d frames, want it in the second", framesBefore)
	}
}

// TestInputFirst: a frame waits until what a person did is painted.
func TestInputFirst(t *testing.T) {
	d, _, within := newDrawing(t, 1)
	d.input()
	d.change(within...)
	d.run(50 * time.Millisecond)
	d.want("before it is painted")
	d.paint()
	d.want("in the task that paints")
	d.run(0)
	d.want("after it is painted", 1)
	d.run(time.Second)
	d.change(within...)
	d.run(10 * time.Millisecond)
	d.want("without input", 1, 1)
}

// TestInputWithoutPaint: in a tab that nobody sees nothing is painted, and a frame waits no longer
// than that.
func TestInputWithoutPaint(t *testing.T) {
	d, _, within := newDrawing(t, 1)
	d.hidden = true
	d.input()
	d.change(within...)
	d.paint()
	d.run(99 * time.Millisecond)
	d.want("in the first 99 ms")
	d.run(1 * time.Millisecond)
	d.want("after 100 ms", 1)
}

// TestInputBetweenFrames: what is painted before a frame is due does not hold it up.
func TestInputBetweenFrames(t *testing.T) {
	d, _, within := newDrawing(t, 1)
	d.change(within...)
	d.input()
	d.input() // as a click has a pointer that went down
	if len(d.shownNext) != 1 {
		t.Errorf("it asks %d times to be told of the next painting, want once", len(d.shownNext))
	}
	d.run(5 * time.Millisecond)
	d.paint()
	d.run(5 * time.Millisecond)
	d.want("painted in time", 1)
	d.run(time.Second)
	d.want("at rest", 1)
}

func TestCollectedAtRest(t *testing.T) {
	d, _, within := newDrawing(t, 1)
	d.run(time.Second)
	d.collected = 0
	d.heap = 4 << 20
	d.change(within...) // drawn 10 ms later
	d.run(300 * time.Millisecond)
	d.change(within...)
	d.run(509 * time.Millisecond)
	if d.collected != 0 {
		t.Error("it collects less than 500 ms after something was drawn")
	}
	d.busy = true
	d.run(1 * time.Millisecond)
	if d.collected != 0 {
		t.Error("it collects while the browser has something to do")
	}
	d.busy = false
	d.run(0)
	if d.collected != 1 {
		t.Errorf("it collected %d times at rest, want once", d.collected)
	}
	d.run(time.Minute)
	if d.collected != 1 {
		t.Error("it collects again without anything drawn")
	}

	d.heap += 1 << 20 // 2 MB were kept
	d.change(within...)
	d.run(time.Second)
	if d.collected != 1 {
		t.Error("it collects what is not worth it")
	}
	d.heap++
	d.change(within...)
	d.run(time.Second)
	if d.collected != 2 {
		t.Errorf("it collected %d times, want a second one for more than 1 MB", d.collected)
	}
}

// TestLoop runs the loop itself, by the clock, which ends with the engine's context.
func TestLoop(t *testing.T) {
	d, _, within := newDrawing(t, 1)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	d.engine.ctx = ctx
	d.engine.dispatch(func() { d.engine.updates.Add(within[0], 1) })
	d.engine.dispatch(func() { d.engine.defere(cancel) })
	none := garbage{heap: func() uint64 { return 0 }, collect: func() {}}
	newSlicedFrames(d.engine, 100, &clockTimers{}, none).run()
	if !slices.Equal(d.drawn, []string{"b0"}) {
		t.Errorf("the loop drew %q, want b0", d.drawn)
	}
}

// clockTimers go by the clock.
type clockTimers struct{ fakePage }

func (*clockTimers) now() time.Time { return time.Now() }

func (*clockTimers) after(run func()) (begin func(pause time.Duration)) {
	return func(pause time.Duration) { time.AfterFunc(pause, run) }
}
