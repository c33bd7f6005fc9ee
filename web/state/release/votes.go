package release

import (
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/place"
)

// Votes belong to a release whose rules still label cases, one at a time. The rules are in the
// engine's memory.
type Votes struct {
	place.Link
	Release *task.Release // with the cases labelled so far; nil: no votes continue
	Ended   string        // why they label no more; empty: they do
	Fault   *engine.Fault // what was wrong with the last case

	// Swap replaces an answer by the one with one more case.
	Swap func(before *task.Release, after engine.Released)

	request engine.Request // for a case under way
}

// Asking reports whether a case is under way.
func (v *Votes) Asking() bool { return v.request != 0 }

// Forget forgets the votes: there is another data set.
func (v *Votes) Forget() { v.Release, v.Ended, v.Fault, v.request = nil, "", nil, 0 }

// Begin starts with a release, if cases may be asked later.
func (v *Votes) Begin(r *task.Release) {
	v.Forget()
	if l, ok := r.Answer.Result.(*task.Labels); ok && l.Left != nil {
		v.Release = r
	}
}

// End records why they end.
func (v *Votes) End(why string) {
	if v.Release != nil && v.Ended == "" {
		v.Ended, v.Fault, v.request = why, nil, 0
	}
}

// Label has the votes label one more case, which was paid for with the release.
func (v *Votes) Label(cells []string) {
	if v.Release == nil || v.Ended != "" || v.request != 0 {
		return
	}
	v.Fault = nil
	v.request = v.Call(engine.Label.With(cells), func(r engine.Request, kind string, body []byte) {
		if r != v.request || kind == engine.ReplyProgress {
			return
		}
		v.request = 0
		if kind == engine.ReplyDone {
			v.labelled(engine.Label.Read(body))
		} else if v.Fault = place.Failure(body); v.Fault.Code == engine.Ended {
			v.End(say.Text("they are no longer in the engine's memory"))
		}
		v.Update()
	})
	v.Update()
}

// labelled takes the release with one more case in it, wherever the old one is shown.
func (v *Votes) labelled(a engine.Released) {
	before, after := v.Release, a.Release
	v.Release = after
	v.Swap(before, a)
	switch left := after.Answer.Result.(*task.Labels).Left; {
	case left.Cases == 0:
		v.End(say.Text("all cases that were paid for are labelled"))
	case left.Unstable == 0:
		v.End(say.Text("they were too close as often as was paid for"))
	}
}
