package basic

import (
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/privacy"
)

// deltaOf is the δ of a question's pairs at an ε whose e^ε is a power of its base.
func deltaOf(t *testing.T, n *Noise, epsilon *big.Rat) *big.Rat {
	t.Helper()
	pairs, ok := n.Pairs()
	if !ok {
		t.Fatal("no pairs")
	}
	return must(privacy.ComposePairs(pairs)).Delta(epsilon)
}

// TestPairsDominate: at many ε the exact δ of the noisy sums, over all neighbours, is at most that
// of the pairs, and as large for a count and a histogram.
func TestPairsDominate(t *testing.T) {
	r := base(3, 2)
	count := must(NewCount(CountParams{Base: r, Where: atLeastOneCode}))
	sum := must(NewSum(SumParams{Base: r, Scale: numbers(3, "0", "1"), People: 2}))
	bins := must(NewHistogram(HistogramParams{Base: r, Size: 2, Width: 1}))
	both := must(NewSum(SumParams{Base: r, Scale: numbers(2, "-1", "2"), People: 2}))
	uneven := must(NewSum(SumParams{Base: r, Scale: numbers(2, "-1", "4"), People: 2}))
	space, byGroup := audit.Space{Persons: 2, Values: 2}, audit.Space{Persons: 2, Values: 4}
	three := audit.Space{Persons: 2, Values: 3}
	for name, c := range map[string]struct {
		noise *Noise
		times uint64
		law   func([]int) (*coin.Law[sums], error)
		space audit.Space
		exact bool
	}{
		"count": {count.Noise(), 1, noisyLaw(count.asked, 1, space), space, true},
		"count by group": {grouped(count, 2).noise, 2, noisyLaw(grouped(count, 2), 2, byGroup),
			byGroup, true},
		"sum":       {sum.Noise(), 1, noisyLaw(sum.asked, 1, three), three, true},
		"histogram": {bins.Noise(), 2, noisyLaw(bins.asked, 1, space), space, true},
		"sum of -1 and 1 by group": {grouped(both, 2).noise, 1,
			noisyLaw(grouped(both, 2), 2, byGroup), byGroup, true},
		"sum of -1 and 3 by group": {grouped(uneven, 2).noise, 2,
			noisyLaw(grouped(uneven, 2), 2, byGroup), byGroup, false},
	} {
		if pairs, _ := c.noise.Pairs(); len(pairs) != 1 || pairs[0].Times != c.times {
			t.Errorf("%s: pairs %v, want %d", name, pairs, c.times)
		}
		for power := uint64(0); power <= 4; power++ {
			odds := r.Pow(power).Rat()
			report := must(audit.Run(audit.Audit[sums]{Space: c.space, Law: c.law,
				Claim: audit.Claim{Odds: odds, Delta: big.NewRat(1, 1)}}, nil))
			have := deltaOf(t, c.noise, privacy.LogDown(odds))
			off := new(big.Rat).Sub(have, report.High)
			if off.Sign() < 0 || c.exact && off.Cmp(big.NewRat(1, 1e9)) > 0 {
				t.Errorf("%s, (3/2)^%d: δ = %s by its pairs, %s in truth", name, power,
					have.FloatString(9), report.High.FloatString(9))
			}
		}
	}
}

// TestPlanAcrossZero: ten sums by group over a range as long on both sides of 0, and ten counts by
// group, at ε = 1/2 each, cost less than two shifts by the whole range would for each sum (9.987).
func TestPlanAcrossZero(t *testing.T) {
	sum := must(NewSum(SumParams{Epsilon: epsilon("1/2"), Scale: numbers(21, "-10", "1"),
		People: 100}))
	count := must(NewCount(CountParams{Epsilon: epsilon("1/2"), Where: atLeastOneCode}))
	var plan []privacy.Planned
	for range 10 {
		for _, n := range []*Noise{grouped(sum, 2).noise, grouped(count, 2).noise} {
			pairs, _ := n.Pairs()
			plan = append(plan, privacy.Planned{Loss: must(n.Loss(1)), Pairs: pairs})
		}
	}
	total := must(privacy.ComposePlan(plan, delta("1e-6")))
	if e, _ := total.Loss.Epsilon(); e.Cmp(big.NewRat(871, 100)) > 0 {
		t.Errorf("ε = %s by %s, want at most 8.71", e.FloatString(3), total.Rule)
	}
}

// TestNoPairs: without a proof there are none.
func TestNoPairs(t *testing.T) {
	mean := must(NewMean(MeanParams{Base: base(3, 2), Scale: numbers(9, "0", "1"), People: 9}))
	wide := must(NewSum(SumParams{Base: base(3, 2), Scale: numbers(1<<12, "0", "1"), People: 9}))
	count := func(text string) *Noise {
		return must(NewCount(CountParams{Epsilon: epsilon(text)})).Noise()
	}
	finer := count("0.2")
	must(finer.TopUp(count("0.1"), Raw{Sums: []int64{7}, Bases: count("0.1").bases()}))
	for name, n := range map[string]*Noise{"mean": mean.Noise(), "wide sum": wide.Noise(),
		"top-up": finer} {
		if pairs, ok := n.Pairs(); ok {
			t.Errorf("%s: %v", name, pairs)
		}
	}
	gaussian := must(newGaussian(grant(epsilon("1"), coin.Base{}, delta("1e-6")),
		design{weights: []uint64{1}, within: 2}, false))
	if _, ok := gaussian.Pairs(); ok {
		t.Error("noise of no question has pairs")
	}
	gaussian.moving = 2
	pairs, ok := gaussian.Pairs()
	if !ok || pairs[0].Times != 2 {
		t.Fatalf("Gaussian noise of two cells: %v", pairs)
	}
	own, _ := gaussian.one.Epsilon()
	if law, _ := must(must(privacy.ComposePairs(pairs)).At(delta("1e-6"))).Epsilon(); law.Cmp(
		own) >= 0 {
		t.Errorf("by its law ε = %s, by its ρ %s", law.FloatString(6), own.FloatString(6))
	}
}
