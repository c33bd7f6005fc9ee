package state

// Stage is the part of the way from a file to an answer that is open on the page. What lies before
// it folds to a line.
type Stage int

// The stages, in order.
const (
	StageLanding  Stage = iota // no file
	StageData                  // the file is read, and how it is read is confirmed
	StageColumns               // the codebook: columns are described
	StageQuestion              // the question, and what its answer will look like
	StageAnswer                // the answer
)

// Stage is the one that is open: the one that was chosen last, as far as the way is free.
func (m *Publish) Stage() Stage { return min(m.chosen, m.reached()) }

// Landed reports whether the page is where a visit begins. A file may be open all the same: a
// person who went back to the beginning can go on with it.
func (m *Publish) Landed() bool { return m.Stage() == StageLanding }

// GoOn leads from the beginning to the file that is open.
func (m *Publish) GoOn() { m.GoTo(StageQuestion) }

// GoTo opens a stage, and moves the focus to its heading.
func (m *Publish) GoTo(s Stage) {
	before := m.Stage()
	m.chosen = s
	m.Update()
	if now := m.Stage(); now != before {
		m.reveal(now.ID())
	}
}

// reveal moves the focus to an element, and shows it.
func (m *Publish) reveal(element string) {
	if m.window != nil { // else there is no page
		m.window.Reveal(element)
	}
}

// ID is the element of the stage, whose name is its heading.
func (s Stage) ID() string {
	switch s {
	case StageColumns:
		return "step-columns"
	case StageQuestion:
		return "step-question"
	case StageAnswer:
		return ReleaseID
	}
	return "step-data"
}

// Reached reports whether a stage can be opened.
func (m *Publish) Reached(s Stage) bool { return s <= m.reached() }

// reached is the last stage that can be opened.
func (m *Publish) reached() Stage {
	switch {
	case m.Release.Phase != ReleaseIdle:
		return StageAnswer
	case m.Data.Phase == DataNone:
		return StageLanding
	case !m.Data.Confirmed:
		return StageData
	}
	return StageQuestion
}
