package selection

import (
	"math"
	"math/big"
	"testing"

	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// TestRunsSpendWhatTheyClaim: what the parts of one run cost comes to the loss by which the best of
// many is priced.
func TestRunsSpendWhatTheyClaim(t *testing.T) {
	epsilon, delta := must(privacy.ParseEpsilon("1")), must(privacy.ParseDelta("0.001"))
	law := must(Geometric(big.NewRat(1, 8), 0))
	check := func(name string, claims mechanism.Mechanism, run privacy.Loss) {
		t.Helper()
		audittest.InGroups(t, name, claims)
		audittest.InGroups(t, "the best", must(NewBest(BestParams{run, law})))
		claimed, spent := must(claims.Loss(1)), must(must(NewBest(BestParams{run, law})).Loss(1))
		if !spent.AtMost(claimed) || !claimed.AtMost(privacy.PureLoss(epsilon)) {
			t.Errorf("%s: claimed %v, spent %v", name, claimed, spent)
		}
	}
	for _, rounds := range []int{1, 4} {
		c := must(NewClusters(ClustersParams{
			Epsilon: epsilon, Sizes: []int{2, 3}, Dimensions: 2, Side: 8, Rounds: rounds,
			Repetitions: law,
		}))
		run := must(c.score.Loss(1))
		for range c.rounds {
			run = run.Plus(must(c.counts.Loss(1))).Plus(must(c.sums.Loss(1)))
		}
		check("clusters", c, run)
	}
	c := must(NewComponents(ComponentsParams{
		Epsilon: epsilon, Ranks: []int{1, 2}, Dimensions: 3, Side: 8, Worth: big.NewRat(1, 4),
		Repetitions: law,
	}))
	check("components", c, must(c.scatter.Loss(1)).Plus(must(c.score.Loss(1))))
	d := must(NewDirections(ComponentsParams{
		Epsilon: epsilon, Ranks: []int{1, 2}, Dimensions: 3, Side: 8, Worth: big.NewRat(1, 4),
		Repetitions: law,
	}))
	audittest.InGroups(t, "directions", d)
	claimed, spent := must(d.Loss(1)), must(d.middle.Loss(1)).Plus(must(d.Components.Loss(1)))
	if !spent.AtMost(claimed) || !claimed.AtMost(privacy.PureLoss(epsilon)) {
		t.Errorf("directions: claimed %v, spent %v", claimed, spent)
	}

	// Scores of several sensitivities have noises of their own: a person moves one by its
	// sensitivity.
	sensitivities := []uint64{1, 3, 10}
	each, _, err := shareOut(epsilon, delta, law)
	if err != nil {
		t.Fatal(err)
	}
	noisy := must(NewNoisyScores(NoisyScoresParams{
		Epsilon: epsilon, Delta: delta, Sensitivities: sensitivities, Repetitions: law,
	}))
	for i, sensitivity := range sensitivities {
		spent := float64(sensitivity) * noisy.noises[i].Log()
		if granted := each.Float64(); spent > granted*(1+1e-9) || spent < granted*0.999 {
			t.Errorf("noisy scores: a run has ε = %g, and spends %g", granted, spent)
		}
	}
}

// TestGeneralisedPaysForItsSteps: however far the scores of two data sets differ, each by at most
// its sensitivity, the scores of the choice differ by what its base is made for, and by that
// somewhere.
func TestGeneralisedPaysForItsSteps(t *testing.T) {
	sensitivities := []uint64{1, 3}
	m := must(NewGeneralised(GeneralisedParams{
		Epsilon: must(privacy.ParseEpsilon("1")), Sensitivities: sensitivities,
	}))
	worst := int64(0)
	for a := int64(-6); a <= 6; a++ {
		for b := int64(-6); b <= 6; b++ {
			before := m.normalise([]int64{a, b})
			for x := int64(-1); x <= 1; x++ {
				for y := int64(-3); y <= 3; y++ {
					for i, score := range m.normalise([]int64{a + x, b + y}) {
						worst = max(worst, score-before[i], before[i]-score)
					}
				}
			}
		}
	}
	const tiny = 1e-300 // the bound is then ln(2/tiny)/ln r, to a whole number
	log := (math.Ln2 - math.Log(tiny)) / float64(m.choice.ErrorBound(tiny, big.NewInt(2))+1)
	// What one person makes likelier, and the others together less likely: twice.
	if spent := 2 * float64(worst) * log; spent > 1.0001 || spent < 0.99 {
		t.Errorf("scores move by %d steps, which takes ε = %g of 1", worst, spent)
	}
}
