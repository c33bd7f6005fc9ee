// Package session is what the page keeps of answers until it is closed: all of this session, those
// of the report, the one that was opened, and the one that a visitor meets first.
package session

import (
	"fmt"
	"hash/fnv"
	"slices"

	"hush/core/privacy"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/account"
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

// History is the list of answers: those since the page was loaded, and those that are kept and were
// in the list before.
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
	return account.ShortPrint(fmt.Sprintf("%016x", sum.Sum64()))
}

// Releases are all of them, oldest first.
func (h *History) Releases() (all []*task.Release) {
	for _, p := range h.Past {
		all = append(all, p.Release)
	}
	return all
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

// Swap puts an answer that was added to in the place of the one before.
func (h *History) Swap(before, after *task.Release) {
	if p := h.Of(before); p != nil {
		p.Release = after
	}
}

// Others reports whether there is a release beside the one that is shown.
func (h *History) Others(shown *task.Release) bool {
	return slices.ContainsFunc(h.Past, func(p Past) bool { return p.Release != shown })
}

// At is the place of a number, or −1.
func (h *History) At(number int) int {
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

// Together is what all of them cost, if they are about the same people: the sum, in which an answer
// that was made more exact costs what the last of its answers does.
func (h *History) Together() privacy.Loss {
	var sum privacy.Loss
	paid := map[string]bool{} // with the answer that was made of them
	for _, p := range h.Past {
		if head := p.Release.Head; head != nil {
			for _, before := range head.Before {
				paid[before.Digest] = true
			}
		}
	}
	for _, p := range h.Past {
		if digest := p.Release.Digest(); digest == "" || !paid[digest] {
			sum = sum.Plus(p.Release.Plan.Loss)
		}
	}
	return sum
}

// When is the day of a release and what it is called: "2026-01-31 · da88 341e".
func (p *Past) When() string { return p.Day + " · " + p.ID }
