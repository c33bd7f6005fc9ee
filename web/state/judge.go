package state

import (
	"slices"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/state/session"
	"hush/web/state/stage"
)

// Answered reports whether an answer is on the screen, and not the question.
func (m *Publish) Answered() bool {
	return m.Release.Phase == ReleaseDone && m.Way.Stage() == stage.Answer
}

// Verdict judges what is on the screen: the answer, or else the question as it was priced last; nil
// where nothing does.
func (m *Publish) Verdict() *ask.Verdict {
	switch {
	case m.Answered():
		return session.VerdictOf(m.Release.Result)
	case m.Forecast.Plan != nil:
		return m.Forecast.Plan.Verdict
	}
	return nil
}

// Know notes that a person knows, or no longer says so, that an answer is mostly noise: only then
// it is handed out.
func (m *Publish) Know(r *task.Release, knows bool) {
	m.known = slices.DeleteFunc(m.known, func(k *task.Release) bool { return k == r })
	if knows {
		m.known = append(m.known, r)
	}
	m.Update()
}

// MayCopy reports whether an answer is handed out: it is no noise, or a person knows that it is.
func (m *Publish) MayCopy(r *task.Release) bool {
	return !session.IsNoise(r) || slices.Contains(m.known, r)
}
