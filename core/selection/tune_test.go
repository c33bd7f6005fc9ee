package selection

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"hush/core/coin"
	"hush/core/param"
	"hush/core/privacy"
)

// TestShareOfRun: the shares of the runs add up to the allowed ε, or a little less, with a law and
// without.
func TestShareOfRun(t *testing.T) {
	epsilon, delta := must(privacy.ParseEpsilon("1")), must(privacy.ParseDelta("1e-7"))
	for _, k := range []int64{2, 3, 10, 32} {
		law := must(Stopping(epsilon, k, RunsPerTry))
		if Pays(law, epsilon, k) != (k > 2) {
			t.Errorf("%d combinations: a law for %v", k, law.Loss)
		}
		if k == 2 {
			law = nil
		}
		share := must(
			ShareOfRun(RunParams{Epsilon: epsilon, Delta: delta, Combinations: k, Law: law}))
		one := must(privacy.NewLoss(share.Epsilon.Rat(), share.Delta.Rat()))
		whole := must(CostOfTrying(law, k, one))
		spent, _ := whole.Epsilon()
		near := big.NewRat(999, 1000)
		if spent.Cmp(epsilon.Rat()) > 0 || whole.Delta().Cmp(delta.Rat()) > 0 || whole.Delta().
			Cmp(near.Mul(near, delta.Rat())) < 0 {
			t.Errorf("%d combinations cost %v", k, whole)
		}
		if four := new(big.Rat).
			Mul(share.Score.Rat(), big.NewRat(4, 1)); four.Cmp(share.Epsilon.Rat()) != 0 {
			t.Errorf("the score has %v of %v", share.Score, share.Epsilon)
		}
	}
	var refused *param.Error
	if _, err := ShareOfRun(RunParams{Epsilon: epsilon}); !errors.As(err, &refused) ||
		refused.Field != "combinations" {
		t.Errorf("no combinations: %v", err)
	}
	if _, err := Stopping(epsilon, 0, 4); !errors.As(err, &refused) ||
		refused.Field != "candidates" {
		t.Errorf("no candidates: %v", err)
	}
}

// TestUntil: however many combinations there are, a search costs twice one run, so that a run has
// half of ε, and δ is what is allowed; it gives up after as many runs as the best of all takes.
func TestUntil(t *testing.T) {
	epsilon, delta := must(privacy.ParseEpsilon("1")), must(privacy.ParseDelta("1e-7"))
	for _, k := range []int64{2, 3, 10, 32} {
		share := must(ShareOfRun(
			RunParams{Epsilon: epsilon, Delta: delta, Combinations: k, Until: true}))
		if share.Epsilon.Rat().Cmp(big.NewRat(1, 2)) != 0 ||
			share.Score.Rat().Cmp(big.NewRat(1, 8)) != 0 {
			t.Errorf("%d combinations: a run has %v, its score %v", k, share.Epsilon, share.Score)
		}
		search := must(Until(must(privacy.NewLoss(share.Epsilon.Rat(), share.Delta.Rat())), k,
			privacy.Delta{}))
		whole := must(search.Loss(1))
		spent, _ := whole.Epsilon()
		near := big.NewRat(999, 1000)
		if spent.Cmp(epsilon.Rat()) != 0 || whole.Delta().Cmp(delta.Rat()) > 0 ||
			whole.Delta().Cmp(near.Mul(near, delta.Rat())) < 0 {
			t.Errorf("%d combinations cost %v", k, whole)
		}
		if runs := search.Calls(0); runs != float64(8*k) {
			t.Errorf("%d combinations: %g runs", k, runs)
		}
		if miss := search.Miss(1 / float64(2*k)); miss >= .2 {
			t.Errorf("%d combinations: nothing in %g", k, miss)
		}
	}
	if _, err := Until(privacy.PureLoss(epsilon), 0, privacy.Delta{}); err == nil {
		t.Error("no combinations are searched")
	}
}

// TestBestTriedOnce: without a law each candidate runs once, and the first of the best is
// published; an error ends it.
func TestBestTriedOnce(t *testing.T) {
	runs := 0
	candidate := func(output int, score int64, err error) Candidate[int] {
		return func(coin.Source) (Scored[int], error) {
			runs++
			return Scored[int]{Output: output, Score: score}, err
		}
	}
	src := coin.NewSeeded(1)
	best, err := BestTried(src, nil, privacy.Loss{},
		[]Candidate[int]{candidate(1, 3, nil), candidate(2, 5, nil), candidate(3, 5, nil)}, nil)
	if err != nil || best.Output != 2 || runs != 3 {
		t.Errorf("%+v after %d runs, %v", best, runs, err)
	}
	stop := errors.New("stop")
	if best, err := BestTried(src, nil, privacy.Loss{},
		[]Candidate[int]{candidate(1, 3, nil), candidate(2, 5, stop)}, nil); err != stop ||
		best != (Scored[int]{}) {
		t.Errorf("%+v, %v", best, err)
	}
}

// TestOneOfBest: a law gives one of the best share in 95 of 100 releases, for at most three
// times one run, and says when it takes too many. For one of the best 1 % it is random stopping,
// for more of them a law that costs less.
func TestOneOfBest(t *testing.T) {
	epsilon := must(privacy.ParseEpsilon("1"))
	last := 0.0
	for _, percent := range []int64{50, 20, 10, 5, 1} {
		law := must(OneOfBest(epsilon, big.NewRat(percent, 100)))
		most := 3800/float64(percent) + 1
		if cost, _ := law.Loss.Epsilon(); cost.Cmp(ratOf(3)) > 0 || law.Runs > most ||
			law.Repetitions.Miss(float64(percent)/100) > 0.05+1e-9 || law.Runs < last {
			t.Errorf("%d %%: %v, %g runs, misses %g", percent, law.Loss, law.Runs, law.Miss)
		}
		cost, _ := law.Loss.Epsilon()
		if geometric := cost.Cmp(ratOf(3)) == 0; geometric != (percent == 1) {
			t.Errorf("%d %%: %v, of %s", percent, law.Loss, law.Rule)
		}
		t.Logf("%d %%: %v, %.0f runs: %s", percent, law.Loss, law.Runs, law.Rule)
		last = law.Runs
	}
	var refused *param.Error
	if _, err := OneOfBest(epsilon, big.NewRat(1, 10_000)); !errors.As(err, &refused) ||
		refused.Field != "share" {
		t.Errorf("%v", err)
	}
}

// TestHalves: a run and its score each get the whole share of a run.
func TestHalves(t *testing.T) {
	epsilon := must(privacy.ParseEpsilon("1"))
	share := must(ShareOfRun(RunParams{Epsilon: epsilon, Combinations: 2, Halves: true}))
	if share.Score.Rat().Cmp(share.Epsilon.Rat()) != 0 {
		t.Errorf("%v", share)
	}
	half := must(NewHalves(privacy.PureLoss(share.Epsilon), share.Score))
	if e, _ := must(half.Loss(1)).Epsilon(); e.Cmp(big.NewRat(1, 2)) != 0 {
		t.Errorf("a run costs %v", e)
	}
}

// TestSought: the share of a run grows with ε and with the number of runs allowed, all runs cost at
// most ε together, and a search that takes too many runs is refused.
func TestSought(t *testing.T) {
	p := SoughtParams{Delta: must(privacy.ParseDelta("1e-7")), Combinations: 3,
		Levels: []int64{6, 5, 4, 3, 2, 1}, Runs: 1 << 20}
	before := 0.0
	for _, c := range []struct {
		total string
		run   float64 // as in tune.md
	}{{"4", 0.06}, {"10", 0.48}, {"20", 1.38}} {
		p.Epsilon = must(privacy.ParseEpsilon(c.total))
		run := must(p.Run())
		if math.Abs(run.Float64()-c.run) > 0.01 || run.Float64() <= before {
			t.Errorf("ε = %s: a run has %v", c.total, run)
		}
		before = run.Float64()
		m := must(p.Search(privacy.PureLoss(run)))
		if loss := must(m.Loss(1)); m.Samples() > p.Runs || !loss.AtMost(
			privacy.ApproximateLoss(p.Epsilon, p.Delta)) {
			t.Errorf("ε = %s: %d runs for %v", c.total, m.Samples(), loss)
		}
	}
	few := p
	few.Runs = 1 << 17
	if run := must(few.Run()); run.Float64() >= before {
		t.Errorf("fewer runs leave %v", run)
	}
	p.Epsilon = must(privacy.ParseEpsilon("1"))
	if _, err := p.Run(); err == nil {
		t.Error("a million runs are enough for ε = 1")
	}
}
