package state

import (
	"hush/web/state/release"
	"hush/web/state/session"
	"hush/web/state/stage"
)

// TryExample opens the example's data set, asks its question and shows its answer, which was
// released before, so that nothing is spent.
func (m *Publish) TryExample() {
	r := session.Landing()
	m.Saved.Waiting, m.Saved.Fault = &r.Recipe, ""
	m.Data.OpenSample(session.LandingSet())
	m.Codebook.TakeSample(session.LandingSet()) // so that everything can be asked next
	m.Codebook.Learn(r.Recipe, m.Question.Tasks)
	m.Codebook.Note = "" // its bins end at round numbers, which matters to nobody here
	m.example = r
}

// showExample shows its answer, now that the data are open.
func (m *Publish) showExample() {
	if m.example == nil {
		return
	}
	m.Answer.Shown = release.Shown{Phase: release.Done, Result: m.example, Example: true}
	m.example, m.Way.Chosen = nil, stage.Answer
	m.Way.Window.Reveal(stage.ReleaseID)
}
