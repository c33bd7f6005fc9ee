// Package session holds the answers that the page keeps until it is closed: all of this session,
// those of the report, the one that was opened, and the one that a visitor sees first.
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

// SeriesName names a release in a legend.
func (p *Past) SeriesName() string {
	if p.Name != "" {
		return p.Name
	}
	return fmt.Sprintf("%d · %s", p.Number, say.Phrase(p.Release.Plan.Loss))
}

// Title distinguishes releases: "2 · Histogram of age, ε = 0.5".
func (p *Past) Title() string {
	return say.Format("%d · %s of %s, %s", p.Number, p.Release.Plan.Task, p.Release.Plan.Column,
		p.Release.Plan.Loss)
}

// History is the list of answers: those since the page was loaded, and those that were kept and
// were in the list before.
type History struct {
	Past []Past // oldest first

	last int // the last number given
}

// Past is an answer in the list.
type Past struct {
	Number  int // from 1, in order; never given again
	Release *task.Release
	Day     string // "2026-01-31", in the person's time zone
	ID      string // distinguishes it from others: "da88 341e"
	Name    string // for a legend; empty: its number and its loss
	Compare bool   // chosen to stand beside others
}

// Add keeps a release under a number of its own.
func (h *History) Add(r *task.Release, day string) {
	h.last++
	h.Past = append(h.Past, Past{Number: h.last, Release: r, Day: day, ID: ShortID(r)})
}

// ShortID returns a short digest of everything published with a release: enough to distinguish it.
func ShortID(r *task.Release) string {
	sum := fnv.New64a()
	sum.Write([]byte(engine.Encode(r)))
	return account.ShortPrint(fmt.Sprintf("%016x", sum.Sum64()))
}

// Releases returns all of them, oldest first.
func (h *History) Releases() (all []*task.Release) {
	for _, p := range h.Past {
		all = append(all, p.Release)
	}
	return all
}

// Of returns what is kept of a release; nil if it is not in this session.
func (h *History) Of(r *task.Release) *Past {
	for i := range h.Past {
		if h.Past[i].Release == r {
			return &h.Past[i]
		}
	}
	return nil
}

// Swap replaces an answer by its extended version.
func (h *History) Swap(before, after *task.Release) {
	if p := h.Of(before); p != nil {
		p.Release = after
	}
}

// Others reports whether there is a release other than the one shown.
func (h *History) Others(shown *task.Release) bool {
	return slices.ContainsFunc(h.Past, func(p Past) bool { return p.Release != shown })
}

// At returns the index of a number, or −1.
func (h *History) At(number int) int {
	return slices.IndexFunc(h.Past, func(p Past) bool { return p.Number == number })
}

// Compared lists the releases chosen for side-by-side comparison.
func (h *History) Compared() []*Past {
	var chosen []*Past
	for i := range h.Past {
		if h.Past[i].Compare {
			chosen = append(chosen, &h.Past[i])
		}
	}
	return chosen
}

// Together is the cost of all of them, if they are about the same people: the sum, in which an
// answer that was made more exact counts as the last of its answers.
func (h *History) Together() privacy.Loss {
	var sum privacy.Loss
	paid := map[string]bool{} // with the answer that improves them
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

// When states the day of a release and its short ID: "2026-01-31 · da88 341e".
func (p *Past) When() string { return p.Day + " · " + p.ID }
