package lesson

import (
	"hush/core/coin"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/state/form"
	"hush/web/state/place"
)

// RowsLesson is the name, behind ViewLearn, of the lesson about the bound on the rows of each
// person.
const RowsLesson = "rows"

const usualRows = "0.1" // its ε

// Rows is that lesson: visits of made-up patients, counted with several bounds.
type Rows struct {
	Shown   bool
	Epsilon string // one of Epsilons
	Seed    coin.Seed
	Taught  *task.Visits // nil before there is one
	Fault   *engine.Fault
	Running bool

	request engine.Request
}

// Best is the index of the bound with the smallest error; −1 before there is one.
func (r *Rows) Best() int {
	best := -1
	if r.Taught == nil {
		return best
	}
	for i, b := range r.Taught.Bounds {
		if best < 0 || b.Off < r.Taught.Bounds[best].Off {
			best = i
		}
	}
	return best
}

// showRows shows the lesson again.
func (l *Learn) showRows(set settings) {
	l.Lesson, l.Rows = Lesson{}, Rows{Shown: true, Epsilon: usualRows, Seed: 1}
	set.text("epsilon", form.Epsilons, &l.Rows.Epsilon)
	set.seed(&l.Rows.Seed)
	l.teachRows()
}

// ChangeRows takes another ε, or the same with other noise, and asks again. The former outcome
// stays until the new one is there.
func (l *Learn) ChangeRows(epsilon string) {
	if l.Rows.Seed++; !l.Rows.Shown {
		return
	}
	l.Rows.Epsilon = epsilon
	l.teachRows()
	l.write()
	l.Update()
}

func (l *Learn) teachRows() {
	l.Cancel(l.Rows.request)
	l.Rows.Running, l.Rows.Fault = true, nil
	asked := engine.Rows.With(task.VisitsLesson{Epsilon: l.Rows.Epsilon, Seed: l.Rows.Seed})
	l.Rows.request = l.Call(asked, func(r engine.Request, kind string, body []byte) {
		if r != l.Rows.request {
			return
		}
		switch kind {
		case engine.ReplyDone:
			l.Rows.Taught, l.Rows.Running = engine.Rows.Read(body), false
		case engine.ReplyFailed:
			l.Rows.Fault, l.Rows.Running = place.Failure(body), false
		}
		l.Update()
	})
}
