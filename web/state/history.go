package state

import (
	"fmt"
	"hash/fnv"
	"slices"

	"hush/core/privacy"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
)

// SeriesName is a release in a legend.
func (p *Past) SeriesName() string {
	if p.Name != "" {
		return p.Name
	}
	return fmt.Sprintf("%d · %s", p.Number, say.Phrase(p.Release.Plan.Loss))
}

// Title tells releases apart: "2 · Histogram of age, ε = 0.5".
func (p *Past) Title() string {
	return say.Format("%d · %s of %s, %s", p.Number, p.Release.Plan.Task, p.Release.Plan.Column,
		p.Release.Plan.Loss)
}

// History is every release since the page was loaded. It lives in the page's memory only.
type History struct {
	Past []Past // oldest first

	last int // number given
}

// Past is one of them.
type Past struct {
	Number  int // from 1, in order; never given again
	Release *task.Release
	Day     string // "2026-01-31", where the person is
	ID      string // tells it from others: "da88 341e"
	Name    string // in a legend; empty: its number and its loss
	Compare bool   // chosen to stand beside others
}

// Add keeps a release under a number of its own.
func (h *History) Add(r *task.Release, day string) {
	h.last++
	h.Past = append(h.Past, Past{Number: h.last, Release: r, Day: day, ID: ShortID(r)})
}

// ShortID is made of all that is published with a release: enough to tell it from others.
func ShortID(r *task.Release) string {
	sum := fnv.New64a()
	sum.Write([]byte(engine.Encode(r)))
	return ShortPrint(fmt.Sprintf("%016x", sum.Sum64()))
}

// Of is what is kept of a release; nil where it is none of this session's.
func (h *History) Of(r *task.Release) *Past {
	for i := range h.Past {
		if h.Past[i].Release == r {
			return &h.Past[i]
		}
	}
	return nil
}

// Others reports whether there is a release beside the one that is shown.
func (h *History) Others(shown *task.Release) bool {
	return slices.ContainsFunc(h.Past, func(p Past) bool { return p.Release != shown })
}

// at is the place of a number, or −1.
func (h *History) at(number int) int {
	return slices.IndexFunc(h.Past, func(p Past) bool { return p.Number == number })
}

// Compared lists what is chosen to stand side by side.
func (h *History) Compared() []*Past {
	var chosen []*Past
	for i := range h.Past {
		if h.Past[i].Compare {
			chosen = append(chosen, &h.Past[i])
		}
	}
	return chosen
}

// Together is what all of them cost, if they are about the same people: the sum.
func (h *History) Together() privacy.Loss {
	var sum privacy.Loss
	for _, p := range h.Past {
		sum = sum.Plus(p.Release.Plan.Loss)
	}
	return sum
}

// LookAgain shows an earlier release. A running one is not disturbed.
func (m *Publish) LookAgain(number int) {
	i := m.History.at(number)
	if i < 0 || m.Release.Phase == ReleaseRunning {
		return
	}
	m.Release = Release{Phase: ReleaseDone, Result: m.History.Past[i].Release}
	m.show()
	m.Update()
}

// Compare chooses a release to stand beside others, or no longer.
func (m *Publish) Compare(number int, chosen bool) {
	if i := m.History.at(number); i >= 0 {
		m.History.Past[i].Compare = chosen
		m.Update()
	}
}

// ClearHistory empties the list. The record of what was spent stays as it is.
func (m *Publish) ClearHistory() {
	m.History.Past = nil
	m.Update()
}

// When is the day of a release and what it is called: "2026-01-31 · da88 341e".
func (p *Past) When() string { return p.Day + " · " + p.ID }
