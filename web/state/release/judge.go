package release

import (
	"slices"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/state/session"
	"hush/web/state/stage"
)

// OnScreen reports whether an answer is on the screen, rather than the question.
func (a *Answer) OnScreen() bool {
	return a.Phase == Done && a.Way.Stage() == stage.Answer
}

// Verdict judges what is on the screen: the answer, or else the question as last priced; nil if
// there is no verdict.
func (a *Answer) Verdict() *ask.Verdict {
	switch {
	case a.OnScreen():
		return session.VerdictOf(a.Result)
	case a.Forecast.Plan != nil:
		return a.Forecast.Plan.Verdict
	}
	return nil
}

// Know records whether a person knows that an answer is mostly noise: it is handed out only then.
func (a *Answer) Know(r *task.Release, knows bool) {
	a.known = slices.DeleteFunc(a.known, func(k *task.Release) bool { return k == r })
	if knows {
		a.known = append(a.known, r)
	}
	a.Update()
}

// MayCopy reports whether an answer may be handed out: it is not noise, or a person knows that it
// is.
func (a *Answer) MayCopy(r *task.Release) bool {
	return !session.IsNoise(r) || slices.Contains(a.known, r)
}
