package state

import (
	"cmp"
	"slices"

	"hush/core/task"
	"hush/web/engine"
)

// Look is the choice of an owner to see what the open data set really says. It is noted in the ledger for good, and from then on
// nothing is released from that data set but questions frozen before.
type Look struct {
	Agreed  bool          // the words of the choice are ticked
	Failure *engine.Fault // why it could not be noted
}

// OwnLesson is the lesson of the open file, behind ViewLearn.
const OwnLesson = "own"

// Looked reports whether the open data set was looked at.
func (m *Model) Looked() bool { return m.Ledger != nil && m.Ledger.Looked != "" }

// MayAsk reports whether the question is not shut out by a look.
func (m *Model) MayAsk() bool { return !m.Looked() || m.Ledger.MayAsk(m.Recipe()) }

// IsFrozen reports whether the question was frozen as it is.
func (m *Model) IsFrozen() bool {
	text := engine.Encode(m.Recipe())
	return m.Ledger != nil && slices.ContainsFunc(m.Ledger.Frozen, func(r task.Recipe) bool { return engine.Encode(r) == text })
}

// learnOwn shows the workbench's question of the open file, if its owner has chosen to look; the choice otherwise.
func (m *Model) learnOwn() {
	r := m.Recipe()
	m.Learn = Learn{Own: &r, Epsilon: "1", Draws: 10, Params: task.Params{}, Seed: 1}
	if slices.Contains(Epsilons, r.Epsilon) {
		m.Learn.Epsilon = r.Epsilon
	}
	if m.Looked() && m.Priced() && !m.Data.Sample {
		m.Learn.Task = m.Task()
		m.ShowFilm(m.Learn.Task.Films[0])
		m.teach()
	}
}

// Agree ticks the words of the choice.
func (m *Model) Agree(on bool) {
	m.Look.Agreed = on
	m.update()
}

// Freeze fixes the question, so that it may be released once after a look.
func (m *Model) Freeze() {
	m.engine.Call(engine.Freeze.With(m.Recipe()), m.noted(func() {}))
}

// StartLook notes the choice, once its words are ticked, and shows the lesson.
func (m *Model) StartLook() {
	if m.Look.Agreed {
		m.engine.Call(engine.Look.With(nil), m.noted(func() {
			if m.Ledger == nil { // the file was closed meanwhile
				return
			}
			m.Ledger.Looked = cmp.Or(m.Ledger.Looked, "now") // the ledger tells the time
			m.Look.Agreed = false
			m.learnOwn()
		}))
	}
}

func (m *Model) noted(done func()) engine.Reply {
	return func(_ engine.Request, kind string, body []byte) {
		m.Look.Failure = nil
		switch kind {
		case engine.ReplyDone:
			done()
			m.AskLedger()
		case engine.ReplyFailed:
			m.Look.Failure = Failure(body)
		}
		m.update()
	}
}

// Recipe is the question from which the lesson starts.
func (l *Learn) Recipe() task.Recipe {
	if l.Own != nil {
		return *l.Own
	}
	return l.Task.Example.Recipe
}
