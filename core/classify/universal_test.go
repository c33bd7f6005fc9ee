package classify

import (
	"math"
	"math/rand/v2"
	"testing"

	"hush/core/coin"
	"hush/core/privacy"
)

func TestUniversal(t *testing.T) {
	skipShort(t)
	random := rand.New(rand.NewPCG(15, 16))
	const size, n, m = 1 << 20, 1_000_000, 40
	u, err := NewUniversal(UniversalParams{Class: stumps(Below, size), Epsilon: epsilon("4"), Delta: delta("1e-8"), Persons: n, Queries: m})
	if err != nil {
		t.Fatal(err)
	}
	if loss := must(u.Loss(1)); !loss.AtMost(privacy.ApproximateLoss(epsilon("4"), delta("1e-8"))) {
		t.Errorf("loss %v", loss)
	}
	l := must(u.Start(coin.NewSeeded(7), noisyThreshold(random, n, size, 0.2), nil))
	wrong := 0
	for i := range 400 {
		x := random.Uint64N(size)
		a := must(l.Answer(Point{x}, nil))
		if (l.Rule() != nil) != (i >= m) {
			t.Fatalf("after case %d the rule is %v", i, l.Rule())
		}
		if i >= m && a.Yes != (x < size/2) {
			wrong++
		}
	}
	if wrong > 36 {
		t.Errorf("%v: %d of 360 later cases wrong", l.Rule(), wrong)
	}
}

func TestFirstPhase(t *testing.T) {
	class := stumps(Below, 1<<40)
	for _, alpha := range []float64{0.2, 0.05, 0.01} {
		m := FirstPhase(class, alpha, 0.05)
		cover := func(n uint64) float64 {
			return 2 / float64(n) * (2*class.LogGrowth(int(2*n)) + math.Log(40)) / math.Ln2
		}
		if cover(m) > alpha || cover(m-m/32-1) < alpha {
			t.Errorf("α %g: %d cases, cover %g", alpha, m, cover(m))
		}
	}
}
