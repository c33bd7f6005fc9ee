package task

import (
	"slices"

	"hush/core/basic"
	"hush/core/domain"
	"hush/core/message"
)

// What a histogram says in a sentence. It is made of the released counts alone, and says nothing as
// a fact that the noise could have made: each claim holds in 95 of 100 releases, whichever of the
// bins it turns out to be about.

// run is a number of neighbouring bins, and how many people they hold together.
type run struct {
	from, to      int // the first bin, and the last one
	people, error int64
}

// majority is the shortest run of bins that certainly hold more than half of all n: of those as
// short, the one that most are in. Categories have no neighbours, so that only one alone counts. A
// run of more than two fifths of the bins would be no news, and is not looked for.
func (h *histogram) majority(counts []int64, n int64) (best run, found bool) {
	bins := len(counts)
	longest := 2 * bins / 5
	if h.edges == nil {
		longest = min(longest, 1)
	}
	sums := make([]int64, bins+1)
	for i, c := range counts {
		sums[i+1] = sums[i] + c
	}
	for k := 1; k <= longest; k++ {
		// Of all runs the one is told that looks best: none of them may be off by more.
		off := h.mechanism.Noise().SumBound(k, basic.Beta/float64(bins*(bins+1)/2))
		for i := range bins + 1 - k {
			people := sums[i+k] - sums[i]
			if 2*(people-off) > n && people > best.people {
				best, found = run{i, i + k - 1, people, off}, true
			}
		}
		if found {
			return best, true
		}
	}
	return run{}, false
}

// leader is the bin of the highest count, and whether it certainly is the one that most are in.
func leader(counts []int64, allError int64) (at int, certain bool) {
	at = slices.Index(counts, slices.Max(counts))
	for i, c := range counts {
		if i != at && counts[at]-c <= 2*allError {
			return at, false
		}
	}
	return at, true
}

// headline is the sentence.
func (h *histogram) headline(out *Histogram) string {
	counts := make([]int64, len(out.Bins))
	for i, b := range out.Bins {
		counts[i] = b.Count
	}
	say, column, n := h.query.Say, h.query.Label, h.query.People
	off := message.Grouped(out.AllError)
	if most, found := h.majority(counts, n); found {
		return say.Format("%s is %s for more than half of the %s: about %s of %s (± %s, in 95 of "+
			"100 releases).", Capital(column), h.spoken(most.from, most.to), h.query.Many(),
			message.Grouped(min(most.people, n)), message.Grouped(n), message.Grouped(most.error))
	}
	at, certain := leader(counts, out.AllError)
	about := message.Grouped(min(max(counts[at], 0), n))
	switch {
	case certain:
		return say.Format("%s is most often %s: about %s of %s (± %s, in 95 of 100 releases).",
			Capital(column), h.spoken(at, at), about, h.query.Count(n), off)
	case h.edges == nil:
		return say.Format("No category of %s clearly leads: %s has the highest count, about %s of "+
			"%s (± %s, in 95 of 100 releases).", column, h.spoken(at, at), about,
			h.query.Count(n), off)
	}
	return say.Format("No bin of %s clearly leads: the highest count, %s, is about %s of %s "+
		"(± %s, in 95 of 100 releases).", column, h.spoken(at, at), about, h.query.Count(n), off)
}

// spoken are the values of neighbouring bins, as a sentence has them.
func (h *histogram) spoken(from, to int) string {
	low, _ := h.mechanism.Range(from, h.size)
	_, high := h.mechanism.Range(to, h.size)
	first, last := h.query.Domain.Decode(low), h.query.Domain.Decode(high)
	switch {
	case low != high:
		return h.query.Say.Format("between %s and %s", h.query.Bare(first), h.query.Value(last))
	case h.query.Recipe.Domain.Kind == domain.Category:
		return first
	}
	return h.query.Value(last)
}
