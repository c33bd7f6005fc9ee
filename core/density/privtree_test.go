package density

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/meter"
	"hush/core/privacy"
)

// TestShapeOdds has sums by mpmath 1.3, of 200 terms to 40 digits: three times ln r and the series
// of privtree.md, Theorem 1.
func TestShapeOdds(t *testing.T) {
	for _, c := range []struct {
		num, den, decay int64
		want            float64
	}{{5, 4, 3, .811454474}, {3, 2, 2, 1.407252970}, {11, 10, 7, .347088387}} {
		odds := shapeOdds(big.NewRat(c.num, c.den), c.decay, 128)
		loss, _ := privacy.LogUp(odds).Float64()
		if math.Abs(loss-c.want) > 2e-9 {
			t.Errorf("r = %d/%d, decay %d: ε = %.9f, want %.9f", c.num, c.den, c.decay, loss,
				c.want)
		}
	}
	for depth, want := range map[int]*big.Rat{1: big.NewRat(2, 1), 2: big.NewRat(4, 1),
		3: big.NewRat(8, 1), 4: big.NewRat(10, 1), 5: big.NewRat(11, 1)} {
		if odds := shapeOdds(big.NewRat(2, 1), 1, depth); odds.Cmp(want) != 0 {
			t.Errorf("%d levels: %v, want %v", depth, odds, want)
		}
	}
	exact := big.NewRat(1, 1)
	for range 40 {
		exact.Mul(exact, big.NewRat(1001, 1024))
	}
	if up := powerUp(big.NewRat(1001, 1024), 40); up.Cmp(exact) != 0 {
		t.Error("a short power is not exact")
	}
	long := big.NewRat(math.MaxInt64-1, math.MaxInt64)
	exact.Set(long)
	for range 9 {
		exact.Mul(exact, long)
	}
	if up := powerUp(long, 10); up.Cmp(exact) < 0 || new(big.Rat).Sub(up, exact).Cmp(
		new(big.Rat).SetFrac(big.NewInt(16), new(big.Int).Lsh(oneInt, 256))) > 0 {
		t.Error("a long power is not rounded up closely")
	}
}

// TestPrivTreePaysForBoth: shape and counts, as drawn, cost no more than is granted, nearly all of
// it, on domains of one value, of 2^40, and beyond the deepest level.
func TestPrivTreePaysForBoth(t *testing.T) {
	for _, bits := range []uint{0, 1, 2, 40, 600} {
		for _, e := range []string{"1e-9", "0.1", "1", "30"} {
			size := new(big.Int).Lsh(oneInt, bits)
			p := must(NewPrivTree(PrivTreeParams{Epsilon: epsilon(e), Size: size, Persons: 500}))
			shape, _ := p.shape.spend.Loss.Epsilon()
			counts := p.counts.Rat()
			spent, _ := new(big.Rat).Add(shape, counts).Float64()
			if granted := epsilon(e).Float64(); spent > granted || spent < .8*granted {
				t.Errorf("2^%d values: ε = %g spent of %g", bits, spent, granted)
			}
			if bits == 600 {
				continue
			}
			codes := domain.SortedCodes(sloped(450, size.Uint64()), bitsOf(size))
			m := meter.New(coin.NewSeeded(1))
			must(p.Release(m, codes, nil))
			if err := m.Over(privacy.PureLoss(epsilon(e))); err != nil {
				t.Errorf("2^%d values, ε = %s: %v", bits, e, err)
			}
		}
	}
}

// TestPrivTreeForecast: on data of all kinds no tree has more cells than may be, and no count at
// any value is off by more than is forecast, in all of a few runs: both fail with 5 % at most.
func TestPrivTreeForecast(t *testing.T) {
	const n = 3000
	for name, draw := range wideData {
		for _, e := range []string{"0.1", "1", "8"} {
			p := must(NewPrivTree(
				PrivTreeParams{Epsilon: epsilon(e), Size: big.NewInt(wideSize), Persons: n}))
			codes := wideCodes(draw, n)
			for run := range 5 {
				d := must(p.Release(coin.NewSeeded(coin.Seed(run)), codes, nil))
				if d.Cells() > p.Forecast().Cells {
					t.Errorf("%s, ε = %s: %d cells of %d", name, e, d.Cells(), p.Forecast().Cells)
				}
				if gap := must(d.Gap(codes, nil)); float64(gap) > p.ErrorAnywhere() {
					t.Errorf("%s, ε = %s: off by %d, forecast %g", name, e, gap, p.ErrorAnywhere())
				}
			}
		}
	}
}

// TestPrivTreeGrows: of data without persons the number of splits is that of a branching process,
// whose law is exceeded as often as is said, and not by far; with persons at as many nodes as may
// be large it stays within.
func TestPrivTreeGrows(t *testing.T) {
	const runs = 400
	g := grown(big.NewRat(11, 10), 3, 0, 40).shape
	count := func(codes domain.Sorted, beta float64, n int64) (beyond int, most float64) {
		for run := range runs {
			cells := float64(len(must(g.cells(coin.NewSeeded(coin.Seed(run)), codes,
				big.NewInt(1<<40), nil))) - 1)
			if cells > g.grows(n, beta) {
				beyond++
			}
			most = max(most, cells)
		}
		return beyond, most
	}
	nobody := domain.SortedCodes([]uint64{}, 40)
	if beyond, most := count(nobody, .2, 0); beyond > runs/5 || most < g.grows(0, .2)/2 {
		t.Errorf("nobody: %d of %d beyond %g, most %g", beyond, runs, g.grows(0, .2), most)
	}
	var codes []uint64
	for i := range uint64(16) { // each of 16 values has persons for 30 levels
		codes = append(codes, slices.Repeat([]uint64{i<<36 + i}, 100)...)
	}
	if beyond, _ := count(domain.SortedCodes(codes, 40), .2, 1600); beyond > runs/5 {
		t.Errorf("values that many have: %d of %d beyond %g", beyond, runs, g.grows(1600, .2))
	}
}

// wideSize are the values, and wideData the laws, that the table of TREES.md is about: numbers from
// 0 to 1.
const wideSize = 1_000_000_000_000

var wideData = map[string]func(r *rand.Rand) float64{
	"two Gaussians": func(r *rand.Rand) float64 {
		if r.Float64() < .65 {
			return .275 + .075*r.NormFloat64()
		}
		return .65 + .1*r.NormFloat64()
	},
	"even": (*rand.Rand).Float64,
	"60 values": func(r *rand.Rand) float64 {
		return math.Sqrt(float64(1+r.IntN(60)) / 61)
	},
	"even logarithms": func(r *rand.Rand) float64 { return math.Pow(wideSize, r.Float64()-1) },
	"nine tenths alike": func(r *rand.Rand) float64 {
		if r.IntN(10) > 0 {
			return .123456789
		}
		return r.Float64()
	},
}

// wideCodes are the codes of n persons.
func wideCodes(draw func(r *rand.Rand) float64, n int) domain.Sorted {
	random := rand.New(rand.NewPCG(1, 1))
	return sortedOf(n, func() float64 { return draw(random) * wideSize }, wideSize)
}

// sortedOf are n numbers, kept below size.
func sortedOf(n int, draw func() float64, size uint64) domain.Sorted {
	codes := make([]uint64, n)
	for i := range codes {
		codes[i] = min(uint64(max(draw(), 0)), size-1)
	}
	slices.Sort(codes)
	return domain.SortedCodes(codes, bitsOf(new(big.Int).SetUint64(size)))
}
