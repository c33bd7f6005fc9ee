package lesson

import (
	"slices"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/task"
	"hush/web/engine"
)

// DifferenceLesson is the name, behind ViewLearn, of the lesson about making answers more exact.
const DifferenceLesson = "difference"

// Difference is that lesson: a rough answer about made-up people is made good for the difference of
// two ε, and compared with a fresh answer.
type Difference struct {
	Shown       bool
	First, Then string // from FirstEpsilons and ThenEpsilons
	Seed        coin.Seed
	Taught      *task.Difference // nil before there is one
}

const usualFirst, usualThen = "0.3", "0.5" // where both begin

// The ends of the stops.
const differenceFrom, differenceTo = "0.05", "5"

// FirstEpsilons are the stops of the first answer.
func (d *Difference) FirstEpsilons() []string {
	return stopsBetween(differenceFrom, "1")
}

// ThenEpsilons are the stops above the first.
func (d *Difference) ThenEpsilons() []string {
	return stopsBetween(d.First, differenceTo)[1:]
}

// stopsBetween returns the stops of ε from one of them to another.
func stopsBetween(from, to string) []string {
	all := ask.CurveEpsilons
	return all[slices.Index(all, from) : slices.Index(all, to)+1]
}

// showDifference shows the lesson again.
func (l *Learn) showDifference(set settings) {
	l.Lesson = Lesson{}
	d := Difference{Shown: true, First: usualFirst, Then: usualThen, Seed: 1}
	set.text("first", d.FirstEpsilons(), &d.First)
	if set.text("then", d.ThenEpsilons(), &d.Then); !slices.Contains(d.ThenEpsilons(), d.Then) {
		d.Then = d.ThenEpsilons()[0]
	}
	set.seed(&d.Seed)
	l.Difference = d
	l.ShowFilm("topup")
	l.teachDifference()
}

// ChangeDifference takes another ε of the first answer, or of both, or the same with other noise.
// The former outcome stays until the new one is there.
func (l *Learn) ChangeDifference(first, then string) {
	d := &l.Difference
	if d.Seed++; !d.Shown {
		return
	}
	d.First = first
	if d.Then = then; !slices.Contains(d.ThenEpsilons(), then) {
		d.Then = d.ThenEpsilons()[0]
	}
	l.Halt()
	l.teachDifference()
	l.write()
	l.Update()
}

func (l *Learn) teachDifference() {
	d := &l.Difference
	asked := task.DifferenceLesson{First: d.First, Then: d.Then, Seed: d.Seed}
	l.follow(engine.Difference.With(asked), func(body []byte, fault *engine.Fault) {
		if l.Fault = fault; fault == nil {
			d.Taught = engine.Difference.Read(body)
		}
	})
}
