package task

import (
	"hush/core/ask"
	"hush/core/basic"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Questions of sums with noise can be topped up: their noise draws from the numbers of a release in
// place of from nothing (topup.md of core/basic).
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
func (e *estimate) Raw() ([]int64, []string, bool) { return rawOf(e) }

// Raw is that of ask.Refining.
func (h *histogram) Raw() ([]int64, []string, bool) { return rawOf(h) }

// Raw is that of ask.Refining.
func (t *contingency) Raw() ([]int64, []string, bool) { return rawOf(t) }

func rawOf(h hidden) (sums []int64, bases []string, ok bool) {
	noise := h.noise()
	if noise == nil {
		return nil, nil, false
	}
	raw, ok := noise.Drawn()
	return raw.Sums, raw.Bases, ok
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
func (e *estimate) Give(sums []int64) ([]string, bool) { return give(e, sums) }

// Give is that of ask.Drawing.
func (h *histogram) Give(sums []int64) ([]string, bool) { return give(h, sums) }

// Give is that of ask.Drawing.
func (t *contingency) Give(sums []int64) ([]string, bool) { return give(t, sums) }

func give(h hidden, sums []int64) (bases []string, ok bool) {
	noise := h.noise()
	if noise == nil {
		return nil, false
	}
	noise.Give(sums)
	return noise.Bases(), true
}

// Refine is that of ask.Refining.
func (e *estimate) Refine(first ask.Refining, sums []int64, bases []string) (privacy.Loss, error) {
	return refine(e, first, sums, bases)
}

// Refine is that of ask.Refining.
func (h *histogram) Refine(first ask.Refining, sums []int64, bases []string) (privacy.Loss, error) {
	return refine(h, first, sums, bases)
}

// Refine is that of ask.Refining.
func (t *contingency) Refine(first ask.Refining, sums []int64,
	bases []string) (privacy.Loss, error) {
	return refine(t, first, sums, bases)
}

func refine(h hidden, first ask.Refining, sums []int64, bases []string) (privacy.Loss, error) {
	before, is := first.(hidden)
	if !is || h.noise() == nil || before.noise() == nil {
		return privacy.Loss{}, ask.Refuse("release", phrase.Of("with groups that were found"),
			phrase.Of("a public list of groups: ask again"))
	}
	return h.noise().TopUp(before.noise(), basic.Raw{Sums: sums, Bases: bases})
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
