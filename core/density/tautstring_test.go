package density

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
)

// shortest says what is wrong with a line as the shortest one in a tube: it must stay inside, and
// bend only where the tube makes it, upwards at an upper end and downwards at a lower one.
func shortest(line, low, high []float64) string {
	const tiny = 1e-9
	for i, y := range line {
		if y < low[i]-tiny || y > high[i]+tiny {
			return "it leaves the tube"
		}
		if i == 0 || i == len(line)-1 {
			continue
		}
		bend := line[i+1] - 2*y + line[i-1]
		if bend > tiny && math.Abs(y-high[i]) > tiny || bend < -tiny && math.Abs(y-low[i]) > tiny {
			return "it bends where nothing holds it"
		}
	}
	return ""
}

// TestTaut checks the string in random tubes, some of whose places have no width, by the conditions
// that only the shortest line meets; in rising tubes it must rise.
func TestTaut(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		size, rises, held := 2+random.IntN(40), random.IntN(2) == 0, random.IntN(2)*random.IntN(8)
		low, high, middle := make([]float64, size), make([]float64, size), 0.0
		width := float64(random.IntN(6))
		for i := range low {
			step := float64(random.IntN(12) - 6)
			if rises {
				step = max(step, 0)
			}
			middle += step
			room := width
			if i == 0 || i == size-1 || held > 0 && random.IntN(held) == 0 {
				room = 0
			}
			low[i], high[i] = middle-room, middle+room
		}
		line := taut(low, high)
		if wrong := shortest(line, low, high); wrong != "" {
			t.Fatalf("%v in %v … %v: %s", line, low, high, wrong)
		}
		for i := 1; rises && i < size; i++ {
			if line[i] < line[i-1]-1e-9 {
				t.Fatalf("%v in %v … %v falls", line, low, high)
			}
		}
	}
}

// TestCalmed: noise about a straight line goes, a value with many persons keeps them all.
func TestCalmed(t *testing.T) {
	counts := []float64{10, 12, 9, 11, 500, 10, 8, 12, 10, 10}
	got := calmed(runningSums(counts), counts, 5)
	if spike := got[4] - got[3]; math.Abs(spike-500) > 1e-9 {
		t.Errorf("the value of 500 persons has %g", spike)
	}
	for i, next := range got[6:] {
		if step := next - got[5+i]; math.Abs(step-10) > 1e-9 {
			t.Errorf("cell %d has %g, want 10", 6+i, step)
		}
	}
	if got := calmed(runningSums(counts), counts, 200); got[4]-got[3] > 450 {
		t.Errorf("noise of 200 leaves a value of 500 persons %g", got[4]-got[3])
	}
}

// TestNoises gives each node of small trees a noise of 1 alone. What that does to the sums are the
// weights of Theorem 2.
func TestNoises(t *testing.T) {
	for _, tree := range []struct{ levels, fanout int }{{1, 2}, {1, 7}, {2, 2}, {2, 3}, {2, 8},
		{3, 2}, {3, 4}, {5, 2}} {
		leaves := power(tree.fanout, tree.levels)
		squares := make([]float64, leaves)
		for level := range tree.levels {
			for node := range leaves / power(tree.fanout, level) {
				noisy := make([][]float64, tree.levels+1)
				for l := range noisy {
					noisy[l] = make([]float64, leaves/power(tree.fanout, l))
				}
				noisy[level][node] = 1
				for i, w := range runningSums(consistent(noisy, tree.fanout)) {
					if squares[i] += w * w; math.Abs(w) > 1+1e-9 {
						t.Errorf("%+v: a noise of 1 moves the sum %d by %g", tree, i, w)
					}
				}
			}
		}
		if most, bound := slices.Max(squares),
			noises(tree.levels, tree.fanout); most > bound+1e-9 || most < bound/3 {
			t.Errorf("%+v: the variance is up to %g, the bound %g", tree, most, bound)
		}
	}
}

// TestWeightedBound: sums of noises with weights that are wholes, halves and quarters, of one sum
// of squares, are beyond the bound of 5 % in fewer runs than that, and beyond the bound for a ninth
// of the squares in more.
func TestWeightedBound(t *testing.T) {
	const runs, squares = 2000, 4
	noise := must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: base(5, 4), L1Sensitivity: 1}))
	src := coin.NewSeeded(4)
	for _, weight := range []float64{1, 0.5, 0.25} {
		counts := make([]int64, int(squares/(weight*weight)))
		beyond, low := 0, 0
		for range runs {
			sum := 0.0
			for _, z := range must(noise.Release(src, counts, nil)) {
				sum += weight * float64(z)
			}
			if math.Abs(sum) > noise.Noise().WeightedBound(squares, 0.05) {
				beyond++
			}
			if math.Abs(sum) > noise.Noise().WeightedBound(squares/9.0, 0.05) {
				low++
			}
		}
		if beyond > runs/20 || low < runs/20 {
			t.Errorf("weights of %g: %d of %d are beyond the bound, %d beyond that for a ninth",
				weight, beyond, runs, low)
		}
	}
}

// TestHierarchyForecast: where few values have persons, many do, and all do alike, the distribution
// stays by its bands and within the forecast, which may be missed in 5 % of the runs.
func TestHierarchyForecast(t *testing.T) {
	const n, size, runs = 4000, 600, 40
	for name, codes := range columns(n, size) {
		view := domain.SortedCodes(codes, bitsOf(big.NewInt(size)))
		h := must(NewHierarchy(
			HierarchyParams{Epsilon: epsilon("0.5"), Size: big.NewInt(size), Persons: n}))
		src, missed, largest := coin.NewSeeded(1), 0, 0.0
		for range runs {
			d := must(h.Release(src, view, nil))
			worst := 0.0
			for i, upTo := range d.counts(size) {
				_, count := view.Rank(big.NewInt(int64(i)))
				worst = max(worst, math.Abs(upTo-float64(count)))
				if low, high := d.Within(big.NewInt(int64(i))); upTo < low-1 || upTo > high+1 {
					t.Fatalf("%s: %g persons up to %d, the band is %g to %g", name, upTo, i, low,
						high)
				}
			}
			if largest = max(largest, worst); worst > h.Forecast().Within {
				missed++
			}
		}
		if missed > 6 || largest < h.Forecast().Within/20 {
			t.Errorf("%s: the forecast %g fails in %d of %d runs, the largest error is %g", name,
				h.Forecast().Within, missed, runs, largest)
		}
	}
}

// columns are codes of n persons: nearly all of one value, all values alike, all different from
// their neighbours.
func columns(n, size int) map[string][]uint64 {
	all := map[string][]uint64{}
	for i := range n {
		rare := uint64(i % size)
		if i%20 > 0 {
			rare = 7
		}
		all["one value"] = append(all["one value"], rare)
		all["even"] = append(all["even"], uint64(i%size))
		all["rugged"] = append(all["rugged"], uint64(i%(size/10)*10))
	}
	for _, codes := range all {
		slices.Sort(codes)
	}
	return all
}

// TestHierarchyIsCalm compares with what least squares and rising sums alone give of the same
// noise: better where the data have structure, and not worse where each value is different.
func TestHierarchyIsCalm(t *testing.T) {
	const n, size, runs = 40_000, 600, 41
	for name, codes := range columns(n, size) {
		view := domain.SortedCodes(codes, bitsOf(big.NewInt(size)))
		h := must(NewHierarchy(
			HierarchyParams{Epsilon: epsilon("0.2"), Size: big.NewInt(size), Persons: n}))
		var with, without []float64
		worst := func(upTo []float64) (worst float64) {
			for i := range size {
				_, count := view.Rank(big.NewInt(int64(i)))
				worst = max(worst, math.Abs(upTo[i]-float64(count)))
			}
			return worst
		}
		for seed := range coin.Seed(runs) {
			with = append(with,
				worst(must(h.Release(coin.NewSeeded(seed), view, nil)).counts(size)))
			noisy := must(h.measure(coin.NewSeeded(seed),
				cellCounts(h.bounds, view, h.persons), nil))
			without = append(without, worst(rising(runningSums(consistent(noisy, h.fanout)))))
		}
		most := map[string]float64{"one value": 0.875, "even": 0.92, "rugged": 1.03}[name]
		if part := median(with) / median(without); part > most {
			t.Errorf("%s: the error is %.3g of what it would be, want at most %g", name, part, most)
		} else {
			t.Logf("%s: %.3g", name, part)
		}
	}
}
