package task

import (
	"hush/core/ask"
	"hush/core/basic"
	"hush/core/mechanism"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Questions of sums with noise can be topped up: Laplace noise draws from the numbers of a release
// in place of from nothing, and Gaussian noise is drawn once more and averaged (topup.md of
// core/basic).
var (
	_ ask.Refining = (*estimate)(nil)
	_ ask.Refining = (*histogram)(nil)
	_ ask.Refining = (*contingency)(nil)

	_ ask.Drawing = (*estimate)(nil)
	_ ask.Drawing = (*histogram)(nil)
	_ ask.Drawing = (*contingency)(nil)
)

// hidden is a question of sums that one noise hides; nil: they are not to be topped up.
type hidden interface{ noise() *basic.Noise }

// noise is nil where groups were found: they are released too, and would have to be the same.
func (e *estimate) noise() *basic.Noise {
	if e.finding != nil {
		return nil
	}
	return e.asked.Noise()
}

func (h *histogram) noise() *basic.Noise { return h.mechanism.Noise() }

func (t *contingency) noise() *basic.Noise { return t.mechanism.Noise() }

// Raw is that of ask.Refining.
func (e *estimate) Raw() (ask.Head, bool) { return rawOf(e) }

// Raw is that of ask.Refining.
func (h *histogram) Raw() (ask.Head, bool) { return rawOf(h) }

// Raw is that of ask.Refining.
func (t *contingency) Raw() (ask.Head, bool) { return rawOf(t) }

func rawOf(h hidden) (ask.Head, bool) {
	noise := h.noise()
	if noise == nil {
		return ask.Head{}, false
	}
	raw, ok := noise.Drawn()
	return headOf(raw), ok
}

// headOf is a draw as a release holds it.
func headOf(raw basic.Raw) ask.Head {
	return ask.Head{Sums: raw.Sums, Bases: raw.Bases, Draws: drawsOf(raw.Draws)}
}

func drawsOf(draws []mechanism.Draw) (list []ask.Draw) {
	for _, d := range draws {
		list = append(list, ask.Draw{Rho: d.Rho.Rat().RatString(), Sums: d.Sums})
	}
	return list
}

// rawIn is the draw that a release holds.
func rawIn(head ask.Head) (basic.Raw, error) {
	raw := basic.Raw{Sums: head.Sums, Bases: head.Bases}
	for _, d := range head.Draws {
		draw := basic.Draw{Sums: d.Sums}
		if err := draw.Rho.UnmarshalText([]byte(d.Rho)); err != nil {
			return raw, err
		}
		raw.Draws = append(raw.Draws, draw)
	}
	return raw, nil
}

// Averages is that of ask.Refining.
func (e *estimate) Averages() int { return averages(e) }

// Averages is that of ask.Refining.
func (h *histogram) Averages() int { return averages(h) }

// Averages is that of ask.Refining.
func (t *contingency) Averages() int { return averages(t) }

func averages(h hidden) int {
	if noise := h.noise(); noise != nil {
		return noise.Averages()
	}
	return 1
}

// Sums is that of ask.Drawing.
func (e *estimate) Sums() []int64 { return sumsOf(e) }

// Sums is that of ask.Drawing.
func (h *histogram) Sums() []int64 { return sumsOf(h) }

// Sums is that of ask.Drawing.
func (t *contingency) Sums() []int64 { return sumsOf(t) }

func sumsOf(h hidden) []int64 {
	if noise := h.noise(); noise != nil {
		return noise.Sums()
	}
	return nil
}

// Give is that of ask.Drawing.
func (e *estimate) Give(head ask.Head) (ask.Head, bool) { return give(e, head) }

// Give is that of ask.Drawing.
func (h *histogram) Give(head ask.Head) (ask.Head, bool) { return give(h, head) }

// Give is that of ask.Drawing.
func (t *contingency) Give(head ask.Head) (ask.Head, bool) { return give(t, head) }

func give(h hidden, head ask.Head) (again ask.Head, ok bool) {
	noise := h.noise()
	if noise == nil {
		return again, false
	}
	raw, err := rawIn(head)
	if err != nil {
		return again, false
	}
	if raw, err = noise.Give(raw); err != nil {
		return again, false
	}
	return headOf(raw), true
}

// Refine is that of ask.Refining.
func (e *estimate) Refine(first ask.Refining, head ask.Head) (ask.Debit, error) {
	return refine(e, first, head)
}

// Refine is that of ask.Refining.
func (h *histogram) Refine(first ask.Refining, head ask.Head) (ask.Debit, error) {
	return refine(h, first, head)
}

// Refine is that of ask.Refining.
func (t *contingency) Refine(first ask.Refining, head ask.Head) (ask.Debit, error) {
	return refine(t, first, head)
}

func refine(h hidden, first ask.Refining, head ask.Head) (debit ask.Debit, err error) {
	before, is := first.(hidden)
	if !is || h.noise() == nil || before.noise() == nil {
		return debit, ask.Refuse("release", phrase.Of("with groups that were found"),
			phrase.Of("a public list of groups: ask again"))
	}
	raw, err := rawIn(head)
	if err != nil {
		return debit, err
	}
	if debit.Each, err = h.noise().TopUp(before.noise(), raw); err != nil {
		return debit, err
	}
	if person, ok := h.noise().DebitOfPerson(); ok {
		debit.Person = &person
	}
	return debit, nil
}

// Pairs is that of ask.Paired.
func (e *estimate) Pairs() ([]privacy.Pairs, bool) { return pairsOf(e) }

// Pairs is that of ask.Paired.
func (h *histogram) Pairs() ([]privacy.Pairs, bool) { return pairsOf(h) }

// Pairs is that of ask.Paired.
func (t *contingency) Pairs() ([]privacy.Pairs, bool) { return pairsOf(t) }

func pairsOf(h hidden) ([]privacy.Pairs, bool) {
	noise := h.noise()
	if noise == nil {
		return nil, false
	}
	return noise.Pairs()
}
