package threshold

import (
	"math/big"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/privacy"
)

// TestLossWithinWhatIsGranted: everything built from ε and δ costs no more than that, both as
// claimed and as reported to the meter.
func TestLossWithinWhatIsGranted(t *testing.T) {
	epsilon, delta := must(privacy.ParseEpsilon("1")), must(privacy.ParseDelta("1e-6"))
	size := big.NewInt(1 << 12)
	agnostic := must(NewAgnostic(AgnosticParams{Epsilon: epsilon, Size: size}))
	exponential := must(NewExponential(ExponentialParams{Epsilon: epsilon, Size: size}))
	search := must(NewBinarySearch(BinarySearchParams{Epsilon: epsilon, Delta: delta, Size: size}))
	tree := must(NewTreeLog(TreeLogParams{Epsilon: epsilon, Delta: delta, Size: size}))
	heavy := must(NewHeavyPaths(HeavyPathsParams{Epsilon: epsilon, Delta: delta, Size: size,
		Rounds: 2}))
	realizable := must(NewRealizable(RealizableParams{Epsilon: epsilon, Size: size}))
	each := must(NewEveryValue(EveryValueParams{Epsilon: epsilon, Size: size}))
	quantiles := must(NewQuantiles(QuantilesParams{Epsilon: epsilon, Size: size, Persons: 1000,
		Depth: 3}))
	for name, m := range map[string]struct {
		mechanism.Mechanism
		spend *meter.Spend
	}{
		"agnostic": {agnostic, agnostic.spend}, "exponential": {exponential, exponential.spend},
		"search": {search, search.spend}, "TreeLog": {tree, tree.spend},
		"HeavyPaths": {heavy, heavy.spend}, "realizable": {realizable, realizable.spend},
		"each value": {each, nil},
		"quantiles":  {quantiles, quantiles.spend},
	} {
		audittest.InGroups(t, name, m)
		claimed := must(m.Loss(1))
		if !claimed.AtMost(privacy.ApproximateLoss(epsilon, delta)) {
			t.Errorf("%s costs %v", name, claimed)
		}
		if m.spend != nil && (!m.spend.Loss.AtMost(claimed) || !claimed.AtMost(m.spend.Loss)) {
			t.Errorf("%s costs %v, and tells the meter %v", name, claimed, m.spend.Loss)
		}
	}
	if drawn := 2 * each.counts.Noise().Log(); drawn > 1+1e-9 {
		t.Errorf("counts of each value have noise for ε = %g", drawn)
	}
	called, _ := must(quantiles.finder.Loss(1)).Epsilon()
	counted, _ := must(quantiles.counts.Loss(1)).Epsilon()
	parts := called.Add(called.Mul(called, big.NewRat(3, 1)), counted)
	if whole, _ := must(quantiles.Loss(1)).Epsilon(); whole.Cmp(parts) < 0 {
		t.Errorf("quantiles cost ε = %v, their parts %v", whole, parts)
	}
	exceptions := heavy.path.cost(heavy.bits, 0).plus(heavy.climb.chosen.times(1 + 2)).removeDelta
	exceptions.Add(exceptions, must(heavy.stop.Loss(1)).Delta())
	if delta := must(heavy.Loss(1)).Delta(); delta.Cmp(exceptions) < 0 {
		t.Errorf("HeavyPaths has δ = %v, its parts %v", delta, exceptions)
	}
	both := must(NewCutoff(CutoffParams{Agnostic: agnostic, Curve: each}))
	audittest.InGroups(t, "a cut with its accuracy", both)
	audittest.InGroups(t, "ranks", must(NewRanks(RanksParams{Finder: tree, Size: size,
		Parts: []*big.Rat{big.NewRat(1, 2)}})))
	sum := must(agnostic.Loss(1)).Plus(must(each.Loss(1)))
	if loss := must(both.Loss(1)); !sum.AtMost(loss) {
		t.Errorf("a cut with its accuracy costs %v, its parts %v", loss, sum)
	}
}

// TestQuantilesHideCounts: of equal data, seeds give other counts.
func TestQuantilesHideCounts(t *testing.T) {
	q := must(NewQuantiles(QuantilesParams{Epsilon: must(privacy.ParseEpsilon("1")),
		Size: big.NewInt(16), Persons: 10, Depth: 1}))
	codes := domain.SortedCodes([]uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 4)
	different := map[float64]bool{}
	for seed := range 20 {
		different[must(q.Release(coin.NewSeeded(coin.Seed(seed)), codes, nil)).Total()] = true
	}
	if len(different) < 5 {
		t.Errorf("%d different totals in 20 releases", len(different))
	}
}
