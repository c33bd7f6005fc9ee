package selection

import (
	"testing"

	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/meter"
	"hush/core/privacy"
)

func TestChoicesInGroups(t *testing.T) {
	delta := must(privacy.ParseDelta("1e-6"))
	loss := odds("101/100", "0")
	audittest.InGroups(t, "association", newAssociation(SmallerBound))
	audittest.InGroups(t, "amplified", amplify(loss, 2, must(coin.NewBase(3, 2)), 4))
	audittest.InGroups(t, "threshold", newThreshold(loss, "1/4", 0))
	audittest.InGroups(t, "halves", must(NewHalves(loss,
		must(privacy.ParseEpsilon("0.25")))))
	audittest.InGroups(t, "unknown threshold", must(NewUnknown(UnknownParams{Loss: loss,
		Epsilon: must(privacy.ParseEpsilon("2")), Delta: delta, Levels: []int64{95, 75, 0},
		Share: rat("1/4"), Beta: rat("1/4")})))
	audittest.InGroups(t, "sampled percentiles", must(NewSampledPercentiles(
		SampledPercentilesParams{coarseSampling(loss, "1e-6"), 2})))
	audittest.InGroups(t, "contest", must(NewContest(ContestParams{Way: ByThreshold,
		Epsilon: must(privacy.ParseEpsilon("4")), Delta: delta, Candidates: 3, Persons: 3200})))
}

// TestSearchesCostWhatIsGranted: a search for a percentile or a threshold, with all its runs, costs
// no more than was granted, and hardly less; a search for a threshold at least half of it, as its
// runs have a power of two of a part.
func TestSearchesCostWhatIsGranted(t *testing.T) {
	epsilon, delta := must(privacy.ParseEpsilon("10")), must(privacy.ParseDelta("1e-7"))
	for way, least := range map[Way]int64{BySampling: 99, ByThreshold: 50} {
		m := must(NewContest(ContestParams{Way: way, Epsilon: epsilon, Delta: delta, Candidates: 2,
			Persons: 3200}))
		loss := must(m.Loss(1))
		spent, _ := loss.Epsilon()
		if !loss.AtMost(privacy.ApproximateLoss(epsilon, delta)) ||
			spent.Cmp(epsilon.Part(least, 100).Rat()) < 0 {
			t.Errorf("%s costs %v of ε = 10", way, loss)
		}
	}
	m := must(NewSampledPercentiles(SampledPercentilesParams{
		coarseSampling(odds("101/100", "0"), "1e-6"), 2}))
	if loss := must(m.Loss(1)); loss.String() != "ε = 1, δ = 0.000001" {
		t.Errorf("sampled percentiles cost %v", loss)
	}
}

// TestSampledPercentilesPayOnce: one sparse vector is all that a run may draw beside its samples.
func TestSampledPercentilesPayOnce(t *testing.T) {
	m := must(NewSampledPercentiles(SampledPercentilesParams{
		coarseSampling(odds("101/100", "0"), "1e-6"), 2}))
	loss := must(m.Loss(1))
	for times, over := range map[int]bool{1: false, 2: true} {
		spent := meter.New(coin.NewSeeded(1))
		inside := meter.Within(spent, m.spend)
		for range times {
			m.above.Start(inside, 0)
		}
		if err := spent.Over(loss); (err != nil) != over {
			t.Errorf("%d sparse vectors: %v", times, err)
		}
	}
}
