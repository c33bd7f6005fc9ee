package threshold

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"hush/core/coin"
)

func TestNewCDF(t *testing.T) {
	f := newCDF(big.NewInt(100), []*big.Int{big.NewInt(10), big.NewInt(20)}, []int64{8, 10, 30},
		[]int64{2, 5})
	again, err := NewCDF(big.NewInt(100), f.points, f.before, f.upTo, f.total)
	if err != nil || again.Count(big.NewInt(15)) != f.Count(big.NewInt(15)) || again.Quantile(0.3).
		Cmp(f.Quantile(0.3)) != 0 {
		t.Errorf("%v, %v", again, err)
	}
	points := []*big.Int{big.NewInt(3), big.NewInt(5)}
	for name, make := range map[string]func() (*CDF, error){
		"too few counts": func() (*CDF, error) {
			return NewCDF(big.NewInt(9), points, []float64{1}, []float64{1, 2}, 3)
		},
		"points out of order": func() (*CDF, error) {
			return NewCDF(big.NewInt(9), []*big.Int{points[1], points[0]}, []float64{0, 1},
				[]float64{1, 2}, 3)
		},
		"a point too large": func() (*CDF, error) {
			return NewCDF(big.NewInt(5), points, []float64{0, 1}, []float64{1, 2}, 3)
		},
		"falling counts": func() (*CDF, error) {
			return NewCDF(big.NewInt(9), points, []float64{0, 1}, []float64{2, 2}, 3)
		},
		"more than in all": func() (*CDF, error) {
			return NewCDF(big.NewInt(9), points, []float64{0, 1}, []float64{1, 4}, 3)
		},
		"a count that is not a number": func() (*CDF, error) {
			return NewCDF(big.NewInt(9), points, []float64{0, math.NaN()}, []float64{1, 2}, 3)
		},
	} {
		if _, err := make(); err == nil {
			t.Errorf("%s: taken", name)
		} else {
			wantRefusal(t, err, "points")
		}
	}
}

// TestSumBound compares the bound on sums of noise with frequencies.
func TestSumBound(t *testing.T) {
	counts := tinyLaplace(base(11, 10))
	src := coin.NewSeeded(9)
	for _, n := range []int{1, 15, 127} {
		bound := counts.Noise().SumBound(n, 0.05)
		beyond, largest := 0, 0.0
		for range 2000 {
			sum, worst := 0.0, 0.0
			for _, z := range must(counts.Release(src, make([]int64, n), nil)) {
				sum += float64(z)
				worst = max(worst, math.Abs(sum))
			}
			if worst > bound {
				beyond++
			}
			largest = max(largest, worst)
		}
		if beyond > 100 || largest < bound/2 {
			t.Errorf("%d noises: %d of 2000 sums beyond %g, the largest is %g", n, beyond, bound,
				largest)
		}
	}
}

func TestCDF(t *testing.T) {
	points := []*big.Int{big.NewInt(10), big.NewInt(20), big.NewInt(21)}
	f := newCDF(big.NewInt(100), points, []int64{8, 10, 0, 30}, []int64{2, 5, 1})
	if f.Total() != 56 {
		t.Errorf("total %g", f.Total())
	}
	for x, want := range map[int64]float64{-1: 0, 4: 4, 9: 8, 10: 10, 19: 20, 15: 10 + 10*5.0/9,
		20: 25, 21: 26, 99: 56, 500: 56, 60: 26 + 30*39.0/78} {
		if have := f.Count(big.NewInt(x)); math.Abs(have-want) > 1e-9 {
			t.Errorf("up to %d: %g, want %g", x, have, want)
		}
	}
	for q, want := range map[float64]int64{0: 0, 4.0 / 56: 4, 0.5: 27, 10.0 / 56: 10, 9.5 / 56: 10,
		23.0 / 56: 20, 25.5 / 56: 21, 1: 99} {
		if have := f.Quantile(q); have.Int64() != want {
			t.Errorf("quantile %g is %v, want %d", q, have, want)
		}
	}
	if len(f.Points()) != 3 {
		t.Error("points")
	}
	if below, upTo := f.At(1); below != 20 || upTo != 25 {
		t.Errorf("at point 1: %g, %g", below, upTo)
	}
}

// TestCDFIsMonotone takes noisy counts of any kind: the function rises, its quantiles are inverse
// to it, and it is as near to a true function as the sums are.
func TestCDFIsMonotone(t *testing.T) {
	random := rand.New(rand.NewPCG(39, 40))
	for range 2000 {
		size := int64(1 + random.IntN(40))
		var points []*big.Int
		for x := range size {
			if random.IntN(4) == 0 {
				points = append(points, big.NewInt(x))
			}
		}
		n := len(points)
		cells, atoms := make([]int64, n+1), make([]int64, n)
		trueCells, trueAtoms := make([]int64, n+1), make([]int64, n)
		fill := func(noisy, exact []int64) {
			for i := range noisy {
				exact[i] = random.Int64N(10)
				noisy[i] = exact[i] + random.Int64N(13) - 6
			}
		}
		fill(cells, trueCells)
		fill(atoms, trueAtoms)
		f, truth := newCDF(big.NewInt(size), points, cells, atoms),
			newCDF(big.NewInt(size), points, trueCells, trueAtoms)
		off, sum := 0.0, 0.0
		for i := range cells {
			sum += float64(cells[i] - trueCells[i])
			off = max(off, math.Abs(sum))
			if i < n {
				sum += float64(atoms[i] - trueAtoms[i])
				off = max(off, math.Abs(sum))
			}
		}
		before := 0.0
		for x := int64(-1); x <= size; x++ {
			count := f.Count(big.NewInt(x))
			if count < before-1e-9 || count > f.Total()+1e-9 {
				t.Fatalf("count %g at %d after %g, total %g", count, x, before, f.Total())
			}
			before = count
		}
		for i := range points {
			below, upTo := f.At(i)
			b, u := truth.At(i)
			if math.Abs(below-b) > off || math.Abs(upTo-u) > off {
				t.Fatalf("at point %d: %g, %g, truly %g, %g; sums are off by %g at most", i, below,
					upTo, b, u, off)
			}
		}
		for k := range 11 {
			q := float64(k) / 10
			x := f.Quantile(q)
			if x.Sign() < 0 || x.Cmp(big.NewInt(size)) >= 0 {
				t.Fatalf("quantile %g is %v of %d", q, x, size)
			}
			if below := f.Count(new(big.Int).Sub(x, oneInt)); below > q*f.Total()+1e-6 {
				t.Fatalf("quantile %g of %g is %v, but %g are below it", q, f.Total(), x, below)
			}
			if upTo := f.Count(x); upTo < q*f.Total()-1e-6 && x.Int64() < size-1 {
				t.Fatalf("quantile %g of %g is %v, but only %g are up to it", q, f.Total(), x, upTo)
			}
		}
	}
}
