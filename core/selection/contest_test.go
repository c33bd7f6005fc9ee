package selection

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"hush/core/coin"
	"hush/core/internal/stattest"
	"hush/core/mechanism"
	"hush/core/param"
	"hush/core/privacy"
)

// TestSearchesPayNowhereInReach: wherever a lesson can search for a threshold, it leaves less of ε
// for one run than random stopping does, and random stopping with as many runs hardly ever misses:
// what the question on the most frequent value says.
func TestSearchesPayNowhereInReach(t *testing.T) {
	delta, err := privacy.ParseDelta("1e-7")
	if err != nil {
		t.Fatal(err)
	}
	could := 0
	texts, least := []string{"0.1", "1", "10", "100"}, 8
	if testing.Short() {
		texts, least = []string{"0.5", "5"}, 3
	}
	for _, text := range texts {
		for _, k := range []int64{2, 6, 106} {
			epsilon, err := privacy.ParseEpsilon(text)
			if err != nil {
				t.Fatal(err)
			}
			m, err := NewContest(
				ContestParams{Way: ByThreshold, Epsilon: epsilon, Delta: delta, Candidates: k,
					Persons: 3200})
			if err != nil {
				if refused := new(param.Error); !errors.As(err, &refused) ||
					refused.Field != "way" { // H: contest.md way
					t.Error(err)
				}
				continue
			}
			could++
			if each := m.Facts().Run; each > epsilon.Float64()/8 {
				t.Errorf("ε = %s, %d values: a run has %v", text, k, each)
			}
			stopping, err := Geometric(
				new(big.Rat).SetFrac64(1, int64(min(m.Facts().Samples, 1<<30))), 0)
			if err != nil {
				t.Fatal(err)
			}
			if miss := stopping.Miss(1 / float64(2*k)); miss > .01 {
				t.Errorf("ε = %s, %d values: random stopping with %d runs misses %v", text, k,
					m.Facts().Samples, miss)
			}
		}
	}
	if could < least {
		t.Errorf("a threshold can be searched for in %d cases", could)
	}
}

// TestChances: the oracle's probabilities are those of noise, as private as said for every pair of
// neighbouring counts, and near is of.
func TestChances(t *testing.T) {
	c := chances{3}
	odds, one, sum := c.odds(), big.NewRat(1, 1), 0.0
	base, err := coin.BaseFromRat(odds)
	if err != nil {
		t.Fatal(err)
	}
	noise, err := mechanism.NewLaplaceNoise(base)
	if err != nil {
		t.Fatal(err)
	}
	within := func(a, b *big.Rat) bool {
		return a.Cmp(new(big.Rat).Mul(b, odds)) <= 0 && b.Cmp(new(big.Rat).Mul(a, odds)) <= 0
	}
	for score := int64(-farthest*4 - 2); score <= farthest*4+2; score++ {
		p, next := c.of(score, 0), c.of(score+1, 0)
		if !within(p, next) || !within(new(big.Rat).Sub(one, p), new(big.Rat).Sub(one, next)) {
			t.Fatalf("from %d to %d the chance moves from %v to %v", score, score+1, p, next)
		}
		exact, _ := p.Float64()
		if near := c.near(score, 0); math.Abs(near-exact) > 1e-12 {
			t.Errorf("%d: %v is near %v", score, near, exact)
		}
		after, _ := next.Float64()
		if math.Abs(after-exact-stattest.LaplacePMF(noise.Log(), -score-1)) > 1e-12 {
			t.Errorf("%d: the noise has %v there", score, after-exact)
		}
		sum += after - exact
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the chances rise by %v in all", sum)
	}
}

// TestHeads has the whole law of a few coins, and the moments of many.
func TestHeads(t *testing.T) {
	for _, p := range []float64{0, .25, .625, 1} {
		law, err := coin.Enumerate(coin.Limits{}, func(src coin.Source) (uint64, error) {
			return heads(src, 3, p), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for fell := range uint64(4) {
			want := float64([]int{1, 3, 3, 1}[fell]) * math.Pow(p, float64(fell)) *
				math.Pow(1-p, float64(3-fell))
			if have, _ := law.Mass(fell).Float64(); math.Abs(have-want) > 1e-12 {
				t.Errorf("chance %v: %d of 3 fall with %v, want %v", p, fell, have, want)
			}
		}
	}
	src := coin.NewSeeded(3)
	for _, n := range []float64{1 << 12, 1 << 22, 1 << 36} {
		for _, p := range []float64{1e-2, .3, .999} {
			const draws = 400
			mean, square := 0.0, 0.0
			for range draws {
				off := (float64(heads(src, uint64(n), p)) - n*p) / math.Sqrt(n*p*(1-p))
				mean, square = mean+off/draws, square+off*off/draws
			}
			if math.Abs(mean) > .2 || math.Abs(square-1) > .3 {
				t.Errorf("of %.0f coins of chance %v as many fall as if the mean were %.2f off "+
					"and the variance %.2f", n, p, mean, square)
			}
		}
	}
}

// TestContestWithinWhatIsGranted: the cheap ways to a candidate cost no more than is granted, and
// hardly less. With a limit on the runs a run has a little less; where the run has a δ, all have a
// multiple of it, and where there is none for it, or the limit alone costs more, it is refused.
func TestContestWithinWhatIsGranted(t *testing.T) {
	epsilon, delta := must(privacy.ParseEpsilon("1")), must(privacy.ParseDelta("1e-6"))
	run := map[Way]float64{}
	for _, way := range []Way{BySplitting, ByAmplifying, ByStopping, ByHardStop, ByApproximate,
		ByBinomial, ByLogarithmic, ByOracle} {
		p := ContestParams{Way: way, Epsilon: epsilon, Candidates: 5, Persons: 100}
		granted := privacy.PureLoss(epsilon)
		if way == ByApproximate {
			p.Delta, granted = delta, privacy.ApproximateLoss(epsilon, delta)
		}
		c := must(NewContest(p))
		loss := must(c.Loss(1))
		if spent, _ := loss.Epsilon(); !loss.AtMost(granted) || spent.Cmp(rat("0.99")) < 0 {
			t.Errorf("%s costs %v", way, loss)
		}
		if way == ByApproximate && loss.AtMost(privacy.ApproximateLoss(epsilon,
			must(privacy.ParseDelta("9.9e-7")))) {
			t.Errorf("%v is spent of %v", loss, granted)
		}
		run[way] = c.Facts().Run
	}
	if run[ByHardStop] >= run[ByStopping] || run[ByHardStop] < run[ByStopping]*0.999 ||
		run[ByApproximate] != run[ByHardStop] {
		t.Errorf("a run has %v", run)
	}
	for _, p := range []ContestParams{{Way: ByApproximate, Epsilon: epsilon},
		{Way: ByHardStop, Epsilon: must(privacy.ParseEpsilon("0.0005"))}} {
		p.Candidates, p.Persons = 5, 100
		if _, err := NewContest(p); err == nil {
			t.Errorf("%+v is not refused", p)
		}
	}
}

// TestHardStop: with a limit the number of candidates never passes it, whatever the coins.
func TestHardStop(t *testing.T) {
	c := must(NewContest(ContestParams{Way: ByHardStop, Epsilon: must(privacy.ParseEpsilon("1")),
		Candidates: 2, Persons: 9}))
	most := int64(0)
	for seed := range coin.Seed(20_000) {
		_, drawn, err := c.Release(coin.NewSeeded(seed), []int64{3, 6}, nil)
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, drawn)
	}
	if most != c.Facts().Limit || most != 2*hardStop {
		t.Errorf("at most %d were drawn, the limit is %d", most, c.Facts().Limit)
	}
}
