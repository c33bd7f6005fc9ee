package state

// LookAgain shows an earlier release. A running one is not disturbed.
func (m *Publish) LookAgain(number int) {
	i := m.History.At(number)
	if i < 0 || m.Release.Phase == ReleaseRunning {
		return
	}
	m.Release = Release{Phase: ReleaseDone, Result: m.History.Past[i].Release}
	m.show()
	m.Update()
}

// Compare chooses a release to stand beside others, or no longer.
func (m *Publish) Compare(number int, chosen bool) {
	if i := m.History.At(number); i >= 0 {
		m.History.Past[i].Compare = chosen
		m.Update()
	}
}

// ClearHistory empties the list. The record of the budget spent stays, and so do the answers kept.
func (m *Publish) ClearHistory() {
	m.Kept.List(m.History.Releases(), false)
	m.History.Past = nil
	m.Update()
}
