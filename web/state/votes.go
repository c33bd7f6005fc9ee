package state

import (
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/place"
)

// Votes are those of a release whose rules still label cases, one at a time. The rules are in the
// engine's memory.
type Votes struct {
	Release *task.Release // with the cases labelled so far; nil: no votes go on
	Ended   string        // why they label no more; empty: they do
	Fault   *engine.Fault // what was wrong with the last case

	request engine.Request // for a case under way
}

// Asking reports whether a case is under way.
func (v *Votes) Asking() bool { return v.request != 0 }

// NewVotes begins with a release, where cases may be asked later.
func (m *Publish) NewVotes(r *task.Release) {
	m.Votes = Votes{}
	if l, ok := r.Answer.Result.(*task.Labels); ok && l.Left != nil {
		m.Votes.Release = r
	}
}

// EndVotes notes why they end.
func (m *Publish) EndVotes(why string) {
	if m.Votes.Release != nil && m.Votes.Ended == "" {
		m.Votes.Ended, m.Votes.Fault, m.Votes.request = why, nil, 0
	}
}

// LabelCase asks the votes for one more case, which was paid for with the release.
func (m *Publish) LabelCase(cells []string) {
	v := &m.Votes
	if v.Release == nil || v.Ended != "" || v.request != 0 {
		return
	}
	v.Fault = nil
	v.request = m.Call(engine.Label.With(cells), func(r engine.Request, kind string, body []byte) {
		if r != v.request || kind == engine.ReplyProgress {
			return
		}
		v.request = 0
		if kind == engine.ReplyDone {
			m.labelled(engine.Label.Read(body))
		} else if v.Fault = place.Failure(body); v.Fault.Code == engine.Ended {
			m.EndVotes(say.Text("they are no longer in the engine's memory"))
		}
		m.Update()
	})
	m.Update()
}

// labelled takes the release with one more case in it, wherever the old one is shown.
func (m *Publish) labelled(a engine.Released) {
	before, after := m.Votes.Release, a.Release
	m.Votes.Release = after
	m.swap(before, after)
	m.Kept.Swap(before, a)
	switch left := after.Answer.Result.(*task.Labels).Left; {
	case left.Cases == 0:
		m.EndVotes(say.Text("all cases that were paid for are labelled"))
	case left.Unstable == 0:
		m.EndVotes(say.Text("they were too close as often as was paid for"))
	}
}
