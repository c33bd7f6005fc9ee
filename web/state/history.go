package state

import (
	"hush/web/state/place"
	"hush/web/state/stage"
)

// stands returns where the person is, for the browser's history.
func (m *Publish) stands() place.Step {
	at := place.Step{Stage: int(m.Way.Stage()), Heard: m.heard, Unsaved: m.Unsaved()}
	if m.awaits { // the answer that the history shows is on its way
		at.Heard = -1
	}
	if m.Way.Stage() == stage.Answer {
		at.Answer = m.Kept.Entry(m.Answer.Result)
	}
	return at
}

// Unsaved reports whether leaving the page loses what was typed about the data, or an answer that
// is not kept.
func (m *Publish) Unsaved() bool {
	answers, report := m.Kept.Loses()
	return m.Codebook.Unsaved() || answers || report
}

// step follows the browser's history.
func (m *Publish) step(to place.Step) {
	m.heard, m.Way.Chosen = to.Heard, stage.Stage(to.Stage)
	if to.Answer != "" && m.Kept.Entry(m.Answer.Result) != to.Answer {
		m.awaits = true
		m.Kept.Show(to.Answer, func() { m.awaits = false })
		return
	}
	m.Way.Reveal(m.Way.Stage().ID())
}
