package state

import (
	"slices"

	"hush/core/task"
)

// Collect adds an answer to the report, at its end. What is mostly noise is added only where a
// person knows it.
func (m *Publish) Collect(r *task.Release) {
	if r != nil && !m.Collected.Holds(r) && m.MayCopy(r) {
		m.Collected = append(m.Collected, r)
		m.Kept.Report(r, true)
		m.Update()
	}
}

// Drop takes the answer of that number, from 0, out of the report, and leads to what is left of it.
func (m *Publish) Drop(i int) {
	if i >= len(m.Collected) {
		return
	}
	m.Kept.Report(m.Collected[i], false)
	m.Collected = slices.Delete(m.Collected, i, i+1)
	if len(m.Collected) > 0 {
		m.reveal(ReportID)
	} else {
		m.reveal(BarID)
	}
	m.Update()
}

// swap puts an answer that was added to in the place of what it was, wherever that is kept.
func (m *Publish) swap(before, after *task.Release) {
	if m.Release.Result == before {
		m.Release.Result = after
	}
	m.History.Swap(before, after)
	for _, list := range [][]*task.Release{m.Collected, m.known} {
		if i := slices.Index(list, before); i >= 0 {
			list[i] = after
		}
	}
}
