package threshold

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
)

func TestEveryValue(t *testing.T) {
	e := must(NewEveryValue(EveryValueParams{Epsilon: epsilon("1"), Size: big.NewInt(5)}))
	codes := domain.SortedCodes(
		slices.Concat(slices.Repeat([]uint64{1}, 1000), slices.Repeat([]uint64{4}, 500)), 3)
	good := 0
	for seed := range coin.Seed(200) {
		f := must(e.Release(coin.NewSeeded(seed), codes, nil))
		worst := 0.0
		for x, want := range []float64{0, 1000, 1000, 1000, 1500} {
			worst = max(worst, math.Abs(f.Count(big.NewInt(int64(x)))-want))
		}
		if worst <= e.ErrorBound() {
			good++
		}
	}
	if good < 190 {
		t.Errorf("within %g in %d of 200 runs", e.ErrorBound(), good)
	}
	for field, p := range map[string]EveryValueParams{
		// H: quantiles.md small-domain
		"epsilon": {Size: values(8)}, "size": {Epsilon: epsilon("1"), Size: values(21)},
		"beta": {Epsilon: epsilon("1"), Size: values(8), Beta: 3},
	} {
		_, err := NewEveryValue(p)
		wantRefusal(t, err, field)
	}
	_, err := e.Release(coin.NewSeeded(1), domain.SortedCodes([]uint64{}, 2), nil)
	wantRefusal(t, err, "codes")
}

// TestMedianOfRelease checks kolmogorov.md, Theorem: a function within a third of the codes has
// an interior point for its median.
func TestMedianOfRelease(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 42))
	e := must(NewEveryValue(EveryValueParams{Epsilon: epsilon("1"), Size: values(5)}))
	src := coin.NewSeeded(11)
	checked := 0
	for range 3000 {
		list := randomCodes(random, 5, 60)
		codes := domain.SortedCodes(list, 5)
		f := must(e.Release(src, codes, nil))
		off := math.Abs(f.Total() - float64(len(list)))
		for x := range int64(32) {
			_, upTo := codes.Rank(big.NewInt(x))
			off = max(off, math.Abs(f.Count(big.NewInt(x))-float64(upTo)))
		}
		if 3*off < float64(len(list)) {
			checked++
			if x := f.Quantile(0.5); interior(list, x.Uint64()) < 1 {
				t.Fatalf("codes %v: median %v of a function that is off by %g", list, x, off)
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d functions near enough", checked)
	}
}

// TestLearnsWithin draws persons from a known population.
func TestLearnsWithin(t *testing.T) {
	q := must(NewQuantiles(
		QuantilesParams{Epsilon: epsilon("1"), Size: values(30), Persons: 20_000}))
	random := rand.New(rand.NewPCG(43, 44))
	good := 0
	for seed := range coin.Seed(20) {
		list := make([]uint64, 20_000)
		for i := range list {
			list[i] = uint64(math.Ldexp(math.Pow(random.Float64(), 3), 30))
		}
		slices.Sort(list)
		f := must(q.Release(coin.NewSeeded(seed), domain.SortedCodes(list, 30), nil))
		worst := 0.0
		for k := range 1000 {
			x := math.Ldexp(math.Pow(float64(k)/1000, 3), 30)
			worst = max(worst, math.Abs(f.Count(big.NewInt(int64(x)))/20_000-float64(k)/1000))
		}
		if worst <= LearnsWithin(q.ErrorBound(), int64(q.persons), 0.01) {
			good++
		}
	}
	if good < 18 {
		t.Errorf("%d of 20 runs are within the bound", good)
	}
}
