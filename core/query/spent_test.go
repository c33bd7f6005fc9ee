package query

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"hush/core/mechanism"
	"hush/core/privacy"
)

// TestSpendsWhatItClaims: what each part of a release costs by itself composes to no more than the
// release claims, which is no more than was granted.
func TestSpendsWhatItClaims(t *testing.T) {
	workload := OfWidth(2)
	for _, text := range []string{"0", "1e-6"} {
		granted, half := delta(text), halfDelta(delta(text))
		of := func(m mechanism.Mechanism, err error) privacy.Loss {
			return must(must(m, err).Loss(1))
		}
		composed := func(times int, within privacy.Delta, losses ...privacy.Loss) privacy.Loss {
			return must(privacy.Compose(slices.Repeat(losses, times), within)).Loss
		}
		at := func(moves int, z noise, within privacy.Delta) privacy.Loss {
			law := must(z.law(moves, 1<<meanBits)).(mechanism.Mechanism)
			return must(of(law, nil).At(within))
		}
		check := func(name string, claims mechanism.Mechanism, spent privacy.Loss) {
			t.Helper()
			claimed := of(claims, nil)
			if !spent.AtMost(claimed) {
				t.Errorf("%s, δ %s: claimed %v, spent %v", name, text, claimed, spent)
			}
			if !claimed.AtMost(privacy.ApproximateLoss(epsilon("1"), granted)) {
				t.Errorf("%s, δ %s: claimed %v", name, text, claimed)
			}
		}
		for _, times := range []int{1, 2, 9} {
			mwem := must(NewMWEM(MWEMParams{
				Epsilon: epsilon("1"), Delta: granted, Width: 2, Rounds: times,
			}))
			choice, count := of(mwem.choice, nil), of(mwem.count, nil)
			check("MWEM", mwem, composed(times, granted, choice, count))

			sampled := must(NewSampled(SampledParams{
				Epsilon: epsilon("1"), Delta: granted, Workload: workload,
				Threshold: big.NewRat(1, 4), Updates: times, Checks: 5,
			}))
			update := of(sampled.above, nil).Plus(of(sampled.count, nil))
			check("sampled", sampled, composed(times, granted, update))

			oracle := must(NewOracle(OracleParams{
				Epsilon: epsilon("1"), Delta: granted, Queries: times,
			}))
			check("oracle", oracle, composed(times, granted, of(oracle.laplace, nil)))

			pieces := must(NewPieces(PiecesParams{
				Epsilon: epsilon("1"), Delta: granted, Most: times, Threshold: big.NewRat(1, 4),
				Workloads: []Workload{workload}, Signed: times == 9,
			}))
			spent := at(times, pieces.means, granted)
			if times > 1 {
				runs := composed(times-1, half, of(pieces.above, nil))
				spent = runs.Plus(at(times, pieces.means, half))
			}
			check("pieces", pieces, spent)
		}
		marginals := must(NewMarginals(MarginalsParams{
			Epsilon: epsilon("1"), Delta: granted, Width: 2,
		}))
		check("marginals", marginals, at(10, marginals.noise, granted))
		tables := must(NewTables(TablesParams{
			Epsilon: epsilon("1"), Delta: granted, Width: 2,
		}))
		check("tables", tables, at(12, tables.noise, granted)) // six of four attributes
		if text == "0" {
			continue
		}
		residuals := must(NewResiduals(ResidualsParams{Epsilon: epsilon("1"), Delta: granted,
			Columns: categorical(2, 3, 4, 2), Margins: margins(4, 2)}))
		most := new(big.Rat)
		for differs := uint64(1); differs < 16; differs++ {
			sum := new(big.Rat)
			for _, r := range residuals.residuals {
				moves := ratOf(residuals.columns.contrastMoves(r.has[0], differs))
				sum.Add(sum, moves.Mul(moves, of(r.noise, nil).Rho()))
			}
			if sum.Cmp(most) > 0 {
				most = sum
			}
		}
		all := privacy.ConcentratedLoss(must(privacy.NewRho(most)))
		check("residuals", residuals, must(all.At(granted)))
	}
	pairs := must(NewPairs(PairsParams{Epsilon: epsilon("1")}))
	if spent := 2 * pairs.laplace.Noise().Log(); spent > 1 || spent < 0.999 {
		// an edge leaves a pair for another
		t.Errorf("pairs: granted ε = 1, spent %g", spent)
	}
	for _, greedy := range []bool{false, true} {
		l := must(NewRuleLearner(RuleParams{Epsilon: epsilon("1"), Width: 2, Greedy: greedy}))
		spent := must(l.learner.Loss(1)).Plus(must(l.count.Loss(1)))
		if claimed := must(l.Loss(1)); !spent.AtMost(claimed) {
			t.Errorf("rule, greedy %v: claimed %v, spent %v", greedy, claimed, spent)
		}
	}
}

// TestUnitsOfNoise: values that move by a unit have noise wider by it, of either kind: times
// the unit in L1, times its square in squared L2.
func TestUnitsOfNoise(t *testing.T) {
	const moves, unit = 3, 7
	for name, c := range map[string]struct {
		z    noise
		want float64 // of the standard deviations, about
	}{
		"Gaussian": {noise{rho: must(privacy.NewRho(rat(1, 50)))}, unit},
		"Laplace":  {noise{epsilon: must(privacy.ParseEpsilon("0.2"))}, unit},
	} {
		one, wide := must(c.z.law(moves, 1)), must(c.z.law(moves, unit))
		if by := wide.StdDev() / one.StdDev(); math.Abs(by-c.want) > .01 {
			t.Errorf("%s: the noise is %.3f times as wide, want %v", name, by, c.want)
		}
	}
}
