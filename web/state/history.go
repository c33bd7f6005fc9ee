package state

import (
	"reflect"

	"hush/core/task"
	"hush/web/state/kept"
	"hush/web/state/place"
)

// stands is where the person stands, for the browser's history.
func (m *Publish) stands() place.Step {
	at := place.Step{Stage: int(m.Stage()), Heard: m.heard, Unsaved: m.Unsaved()}
	if m.awaits { // the answer that the history shows is on its way
		at.Heard = -1
	}
	if m.Stage() == StageAnswer {
		at.Answer = m.Kept.Entry(m.Release.Result)
	}
	return at
}

// Unsaved reports whether leaving the page loses what was typed about the data, or an answer that
// is not kept.
func (m *Publish) Unsaved() bool {
	typed := m.Data.Phase == DataOpened && !m.Data.Sample && m.Codebook.Described() > 0 &&
		!reflect.DeepEqual(m.Codebook, m.saved)
	return typed || m.Kept.Loses(m.History.Releases()...) || m.Kept.Loses(m.Collected...)
}

// SaveCodebook hands the codebook to save.
func (m *Publish) SaveCodebook(save func(text string)) {
	save(m.CodebookText())
	m.saved = m.Codebook
	m.Update()
}

// step goes where the browser's history went.
func (m *Publish) step(to place.Step) {
	m.heard, m.chosen = to.Heard, Stage(to.Stage)
	if to.Answer != "" && m.Kept.Entry(m.Release.Result) != to.Answer {
		m.awaits = true
		m.OpenKept(to.Answer)
		return
	}
	m.reveal(m.Stage().ID())
}

// OpenKept shows an answer that this device keeps. A running release is not disturbed.
func (m *Publish) OpenKept(entry string) {
	m.Kept.Ask(func() {
		m.Kept.Open([]string{entry}, func(all []kept.Answer) {
			m.awaits = false
			for _, a := range all {
				m.list(a)
				m.LookAgain(m.History.Of(a.Release).Number)
			}
		})
	})
}

// CollectKept adds an answer that this device keeps to the report.
func (m *Publish) CollectKept(entry string) {
	m.Kept.Open([]string{entry}, func(all []kept.Answer) {
		for _, a := range all {
			m.list(a)
			if m.Collect(a.Release); !m.Collected.Holds(a.Release) { // noise: its owner has to say so
				m.LookAgain(m.History.Of(a.Release).Number)
			}
		}
	})
}

// list puts a kept answer into the list, where it is not in it.
func (m *Publish) list(a kept.Answer) {
	if m.History.Of(a.Release) == nil {
		m.History.Add(a.Release, a.Day())
		m.Kept.List([]*task.Release{a.Release}, true)
	}
}

// restore brings back the list and the report.
func (m *Publish) restore(listed, report []kept.Answer) {
	for _, a := range listed {
		if m.History.Of(a.Release) == nil {
			m.History.Add(a.Release, a.Day())
		}
	}
	for _, a := range report {
		if !m.Collected.Holds(a.Release) {
			m.Collected = append(m.Collected, a.Release)
		}
	}
}
