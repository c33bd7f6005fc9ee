package selection

import (
	"math"
	"math/big"
	"slices"
	"sort"

	"hush/core/phrase"
	"hush/core/privacy"
)

// Each returns the largest loss found, to a relative 2^-20, for one run without δ such that
// publishing the best run costs at most total. Proof: validate.md, Each.
func Each(total privacy.Epsilon, r Repetitions) (privacy.Epsilon, error) {
	const parts = 1 << 20
	fits := func(part int64) bool {
		loss, err := r.Cost(privacy.PureLoss(total.Part(part, parts)))
		if err != nil {
			return false
		}
		epsilon, ok := loss.Epsilon()
		return ok && epsilon.Cmp(total.Rat()) <= 0
	}
	low, high := int64(0), int64(parts+1) // low fits
	for low+1 < high {
		if middle := (low + high) / 2; fits(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	if low == 0 {
		return privacy.Epsilon{},
			refuse("epsilon", total.String(),
				"more than the cost of the hard stop alone: a larger limit")
	}
	return total.Part(low, parts), nil
}

// AdviseParams are the public facts on which Advise decides.
type AdviseParams struct {
	// Loss covers one run. Required, with an ε.
	Loss privacy.Loss

	// Share is the probability that one run is good enough, above 0 and below 1. Take 1/(2K) if the
	// best of K candidates is good enough in half of its runs. Required.
	Share *big.Rat

	// Beta is the probability with which no run may be good enough, above 0 and below 1. Required.
	Beta *big.Rat

	// Runs is the largest affordable number of expected runs, from 1 to 2^20. Required.
	Runs uint64
}

// Option is one way to publish the best of many runs.
type Option struct {
	// Rule names it: "logarithmic, stop 1/512", or "47 runs, all paid for".
	Rule phrase.Phrase

	// Loss is the proven bound on its cost.
	Loss privacy.Loss

	// Repetitions is the law to use; nil where a fixed number of runs is paid for one by one.
	Repetitions Repetitions

	// Runs is the expected number of runs, and Miss the probability that none of them is good
	// enough.
	Runs, Miss float64
}

// Advise lists the ways to publish the best of many runs that need at most Runs of them: first
// those that miss with probability at most Beta, the cheapest first, then those that miss more
// often, the most reliable first. It decides on public facts, in floating point where only
// forecasts depend on that; every Loss is the proven bound. Proof: validate.md, Advise.
func Advise(p AdviseParams) ([]Option, error) {
	if _, err := oddsOf(p.Loss); err != nil {
		return nil, err
	}
	if err := checkShare("share", p.Share); err != nil {
		return nil, err
	}
	if err := checkShare("beta", p.Beta); err != nil {
		return nil, err
	}
	if p.Runs == 0 || p.Runs > 1<<20 {
		return nil, refuse("runs", countText(p.Runs), "a whole number from 1 to 2^20")
	}
	share, beta := floatOf(p.Share), floatOf(p.Beta)
	var options []Option
	for _, quarters := range []int64{4, 3, 2, 1, 0, -2} {
		option, err := rarest(p, share, beta, big.NewRat(quarters, 4))
		if err != nil {
			return nil, err
		}
		options = append(options, option)
	}
	// Poisson misses with e^(−mean·share).
	mean := new(big.Rat).SetFloat64(math.Ceil(-math.Log(beta)/share*64+1) / 64)
	if most := new(big.Rat).SetInt(new(big.Int).SetUint64(p.Runs)); mean.Cmp(most) > 0 {
		mean = most
	}
	random, err := Poisson(mean)
	if err != nil {
		return nil, err
	}
	option, err := optionOf(p, share, random)
	if err != nil {
		return nil, err
	}
	fixed, err := fixedRuns(p, share, beta)
	if err != nil {
		return nil, err
	}
	options = append(options, option, fixed)
	slices.SortStableFunc(options, func(a, b Option) int {
		reliable := func(o Option) bool { return o.Miss <= beta }
		switch {
		case reliable(a) != reliable(b):
			if reliable(a) {
				return -1
			}
			return 1
		case !reliable(a) && a.Miss != b.Miss:
			if a.Miss < b.Miss {
				return -1
			}
			return 1
		}
		x, _ := a.Loss.Epsilon()
		y, _ := b.Loss.Epsilon()
		return x.Cmp(y)
	})
	return options, nil
}

// rarest returns the negative binomial law of this shape that stops with probability 1/n, for the
// least n that is reliable enough, or for the largest that p.Runs allows.
func rarest(p AdviseParams, share, beta float64, shape *big.Rat) (Option, error) {
	law := func(n int) negativeBinomial {
		return negativeBinomial{newTrials(big.NewRat(1, int64(n))), shape}
	}
	const most = 1 << 30
	n := 1 + sort.Search(most-1, func(i int) bool { return law(1+i).Miss(share) <= beta })
	affordable := func(n int) bool { return law(n).about() <= float64(p.Runs) }
	if !affordable(n) {
		n = max(1, sort.Search(n, func(i int) bool { return !affordable(1 + i) }))
	}
	return optionOf(p, share, law(n))
}

func optionOf(p AdviseParams, share float64, r Repetitions) (Option, error) {
	loss, err := r.Cost(p.Loss)
	return Option{Rule: r.Phrase(), Loss: loss, Repetitions: r, Runs: floatOf(r.Mean()),
		Miss: r.Miss(share)}, err
}

// fixedRuns pays for each of its runs by basic composition, which needs no further δ.
func fixedRuns(p AdviseParams, share, beta float64) (Option, error) {
	runs := min(uint64(math.Ceil(math.Log(beta)/math.Log1p(-share))), p.Runs)
	runs = max(runs, 1)
	epsilon, _ := p.Loss.Epsilon()
	times := new(big.Rat).SetInt(new(big.Int).SetUint64(runs))
	delta := p.Loss.Delta()
	loss, err := privacy.NewLoss(epsilon.Mul(epsilon, times), delta.Mul(delta, times))
	return Option{Rule: phrase.Of("%d runs, all paid for", runs), Loss: loss, Runs: float64(runs),
		Miss: math.Pow(1-share, float64(runs))}, err
}
