package density

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/internal/prooftest"
	"hush/core/mechanism"
	"hush/core/param"
	"hush/core/phrase"
)

func TestProofs(t *testing.T) { prooftest.Check(t, os.DirFS(".")) }

// learners are all algorithms for one question.
func learners(size *big.Int, persons uint64) []Learner {
	e, d := epsilon("1"), delta("1e-6")
	return []Learner{
		must(NewHistogram(HistogramParams{Epsilon: e, Size: size, Persons: persons, Cells: 100})),
		must(NewHierarchy(HierarchyParams{Epsilon: e, Size: size, Persons: persons, Cells: 300})),
		must(NewPrivTree(PrivTreeParams{Epsilon: e, Size: size, Persons: persons})),
		must(NewQuantileTree(
			QuantileTreeParams{Epsilon: e, Delta: d, Size: size, Persons: persons})),
		must(NewMERR(MERRParams{Epsilon: e, Delta: d, Size: size, Persons: persons, Rounds: 6})),
		must(NewMERR(
			MERRParams{Epsilon: e, Delta: d, Size: size, Persons: persons, Rounds: 6, Recount: 5})),
		must(NewMERR(
			MERRParams{Epsilon: e, Delta: d, Size: size, Persons: persons, Rounds: 4,
				Rule: Capped})),
		must(NewMERR(
			MERRParams{Epsilon: e, Size: size, Persons: persons, Rounds: 4, Rule: Intervals})),
	}
}

// sloped are codes of which more are small, with one value that many have; a tenth of the persons
// have none.
func sloped(n int, size uint64) []uint64 {
	codes := make([]uint64, n)
	for i := range codes {
		u := float64(i) / float64(n)
		if codes[i] = uint64(u * u * float64(size)); i%4 == 0 {
			codes[i] = size / 3
		}
	}
	slices.Sort(codes)
	return codes
}

// TestBandsHold counts how often some value is outside of the band, which may happen in 5 % of the
// runs: 30 of 300, and 8 of 30, would be four standard deviations too many.
func TestBandsHold(t *testing.T) {
	const n = 2000
	runs := 300
	if testing.Short() {
		runs = 30
	}
	size := big.NewInt(100_000)
	codes := sloped(n*9/10, size.Uint64())
	view := domain.SortedCodes(codes, bitsOf(size))
	for k, learner := range learners(size, n) {
		missed, src := 0, coin.NewSeeded(coin.Seed(k))
		for range runs {
			d := must(learner.Release(src, view, nil))
			outside := false
			for _, x := range append(codes[:len(codes):len(codes)], 0, size.Uint64()-1) {
				for _, x := range []uint64{x, max(x, 1) - 1} {
					_, count := view.Rank(new(big.Int).SetUint64(x))
					low, high := d.Within(new(big.Int).SetUint64(x))
					outside = outside || float64(count) < low || float64(count) > high
				}
			}
			if outside {
				missed++
			}
		}
		if missed > max(runs/10, 8) {
			t.Errorf("%s: %d of %d bands miss", learner.Name(), missed, runs)
		}
	}
}

// TestLearnersLearn wants a Kolmogorov error below a tenth of the persons, of a domain beyond 64
// bits too, and a consistent Distribution.
func TestLearnersLearn(t *testing.T) {
	const n = 20_000
	size := new(big.Int).Lsh(oneInt, 40)
	codes := sloped(n*9/10, size.Uint64())
	for k, learner := range learners(size, n) {
		view := domain.SortedCodes(codes, bitsOf(size))
		d := must(learner.Release(coin.NewSeeded(coin.Seed(k)), view, nil))
		worst, sum := 0.0, 0.0
		for _, x := range codes {
			at := new(big.Int).SetUint64(x)
			_, count := view.Rank(at)
			low, high := d.Within(at)
			worst = max(worst, math.Abs(d.Count(at)-float64(count)))
			if low > high || d.Count(at) < -1e-6 || d.Count(at) > n+1e-6 {
				t.Fatalf("%s: count %g, band %g to %g", learner.Name(), d.Count(at), low, high)
			}
		}
		for i := range d.Cells() {
			first, last, mass := d.Cell(i)
			if mass < 0 || first.Cmp(last) > 0 {
				t.Fatalf("%s: cell %d is %v to %v with %g", learner.Name(), i, first, last, mass)
			}
			sum += mass
		}
		if math.Abs(sum-d.Total()) > 1e-6 || math.Abs(d.Total()-n*9/10) > n/10 {
			t.Errorf("%s: %g persons, in cells %g", learner.Name(), d.Total(), sum)
		}
		if worst > n/4 {
			t.Errorf("%s: off by %g of %d persons", learner.Name(), worst, n)
		}
	}
}

// wide are codes beyond 64 bits: the 40 bits of a number in front and zeros behind.
type wide struct {
	domain.Sorted
	more uint
}

func (w wide) Bits() int { return w.Sorted.Bits() + int(w.more) }
func (w wide) Lcp(i, j int) int {
	if l := w.Sorted.Lcp(i, j); l < w.Sorted.Bits() {
		return l
	}
	return w.Bits()
}
func (w wide) Bit(i, depth int) int {
	if depth < w.Sorted.Bits() {
		return w.Sorted.Bit(i, depth)
	}
	return 0
}
func (w wide) Number(i int) *big.Int { n := w.Sorted.Number(i); return n.Lsh(n, w.more) }
func (w wide) Rank(n *big.Int) (below, notAbove int) {
	high := new(big.Int).Rsh(n, w.more)
	below, notAbove = w.Sorted.Rank(high)
	if n.Cmp(new(big.Int).Lsh(high, w.more)) > 0 {
		below = notAbove
	}
	return below, notAbove
}

// TestWideDomain learns on codes of 600 bits what it learns on their first 40.
func TestWideDomain(t *testing.T) {
	const n = 20_000
	narrow := new(big.Int).Lsh(oneInt, 40)
	codes := sloped(n, narrow.Uint64())
	view := wide{domain.SortedCodes(codes, 40), 560}
	size := new(big.Int).Lsh(oneInt, 600)
	for _, rule := range []Rule{Prefix, Capped} {
		m := must(NewMERR(
			MERRParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: size, Persons: n,
				Rounds: 8, Rule: rule}))
		d := must(m.Release(coin.NewSeeded(7), view, nil))
		for i := 0; i < n; i += 500 {
			at := view.Number(i)
			_, count := view.Rank(at)
			if rule == Capped && codes[i] == narrow.Uint64()/3 {
				// all nodes of a chain are alike to this rule: it comes near a single value, not
				// down to it
				continue
			}
			if off := math.Abs(d.Count(at) - float64(count)); off > n/5 {
				t.Errorf("%s: off by %g of %d persons", rule, off, n)
			}
		}
		if q := d.Quantile(0.999); q.Cmp(size) >= 0 || q.BitLen() < 590 {
			t.Errorf("%s: the last quantile has %d bits", rule, q.BitLen())
		}
	}
	if _, err := NewMERR(
		MERRParams{Epsilon: epsilon("1"), Size: size, Persons: n, Rule: Intervals}); err == nil {
		t.Error("all intervals of a wide domain were taken")
	}
}

// TestMERRVectors is one round by hand: codes 0, 0, 1, 5 of a domain of 8.
func TestMERRVectors(t *testing.T) {
	view := domain.SortedCodes([]uint64{0, 0, 1, 5}, 3)
	a := newApproximation(big.NewInt(8), 4)
	d := &dyadic{view, a, true}
	for _, v := range []struct {
		i, depth              int
		count, weight, capped int64
	}{{0, 0, 4, 4, 1}, {0, 1, 3, 2, 2}, {3, 1, 1, 2, 1}, {0, 2, 3, 1, 2}, {3, 2, 1, 1, 0}} {
		n := d.at(v.i, v.depth, 0, 4)
		if count, weight, score := int64(n.to-n.from), d.weight(n), d.score(n); count != v.count ||
			weight != v.weight || score != v.capped {
			t.Errorf("node of code %d at depth %d: %d persons, A %d, score %d, want %+v", v.i,
				v.depth, count, weight, score, v)
		}
	}
	a.measured(big.NewInt(2), 3)
	a.repair()
	if fmt.Sprint(a.at, a.value) != "[0 2 8] [0 3 4]" {
		t.Errorf("have %v %v", a.at, a.value)
	}
	// Crossing measurements are pooled, the same place is averaged, the end counts as n until it is
	// measured.
	a.measured(big.NewInt(5), 1)
	a.measured(big.NewInt(5), 3)
	a.repair()
	if fmt.Sprint(a.at, a.value) != "[0 2 5 8] [0 2 2 4]" {
		t.Errorf("have %v %v", a.at, a.value)
	}
	a.measured(big.NewInt(9), 3)
	a.repair()
	if fmt.Sprint(a.value) != "[0 2 2 3]" {
		t.Errorf("have %v", a.value)
	}
}

func TestAuditHistogram(t *testing.T) {
	h := &Histogram{bounds: whole(0, 1, 3), bits: 2, persons: 2, beta: 0.05,
		counts: must(
			mechanism.NewLaplace(mechanism.LaplaceParams{Base: base(3, 2), L1Sensitivity: 2}))}
	audittest.Holds(t, audit.Audit[string]{
		Name: "histogram, 2 cells", Space: audit.Space{Persons: 2, Values: 3},
		Claim: claimOf(h.Loss(1)), Law: cellsOf(h, 2),
	})
}

// cellsOf is the law of the noisy counts, kept between −2 and persons + 2, from which a release is
// made.
func cellsOf(h *Histogram, persons int64) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		return coin.Enumerate(coin.Limits{Top: 6}, func(src coin.Source) (string, error) {
			noisy, err := h.counts.Release(
				src, cellCounts(h.bounds, sortedRows(rows, h.bits), h.persons), nil)
			for i, x := range noisy {
				noisy[i] = min(max(x, -2), persons+2)
			}
			return fmt.Sprint(noisy), err
		})
	}
}

func TestPlantedHistogram(t *testing.T) {
	h := &Histogram{bounds: whole(0, 1, 3), bits: 2, persons: 2, beta: 0.05,
		counts: must(
			mechanism.NewLaplace(mechanism.LaplaceParams{Base: base(3, 2), L1Sensitivity: 1}))}
	audittest.Caught(t, audit.Audit[string]{
		Name: "histogram, noise for a person added", Space: audit.Space{Persons: 2, Values: 3},
		Claim: claimOf(h.Loss(1)), Law: cellsOf(h, 2),
	})
}

func hierarchyOf(sensitivity uint64) *Hierarchy {
	return &Hierarchy{bounds: whole(0, 1, 2, 3), bits: 2, persons: 1, beta: 0.05, levels: 2,
		fanout: 2,
		counts: must(
			mechanism.NewLaplace(
				mechanism.LaplaceParams{Base: base(2, 1), L1Sensitivity: sensitivity}))}
}

func TestAuditHierarchy(t *testing.T) {
	h := hierarchyOf(4)
	audittest.Holds(t, audit.Audit[string]{
		Name: "hierarchy, 2 levels of 2 (mass cut at 2)", Space: audit.Space{Persons: 1, Values: 3},
		Claim: claimOf(h.Loss(1)), Law: nodes(h),
	})
}

func TestPlantedHierarchy(t *testing.T) {
	h := hierarchyOf(2) // as if a person were on one level only
	audittest.Caught(t, audit.Audit[string]{
		Name: "hierarchy, noise for one level", Space: audit.Space{Persons: 1, Values: 3},
		Claim: claimOf(h.Loss(1)), Law: nodes(h),
	})
}

// nodes is the law of the noisy counts of all nodes, kept between 0 and 1, from which a release is
// made.
func nodes(h *Hierarchy) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		return coin.Enumerate(coin.Limits{Top: 1}, func(src coin.Source) (string, error) {
			noisy, err := h.measure(src,
				cellCounts(h.bounds, sortedRows(rows, h.bits), h.persons), nil)
			for _, level := range noisy {
				for i, x := range level {
					level[i] = min(max(x, 0), 1)
				}
			}
			return fmt.Sprint(noisy), err
		})
	}
}

// TestConsistentIsLeastSquares solves the normal equations, with the sum of all leaves as a heavy
// measurement of its own.
func TestConsistentIsLeastSquares(t *testing.T) {
	const f, levels = 3, 2
	noisy := [][]float64{{1, 5, -2, 4, 4, 0, 7, 1, 3}, {6, 2, 13}, {20}}
	rows, want := []([]float64){}, []float64{}
	for level := range levels + 1 {
		for i, y := range noisy[level] {
			row := make([]float64, 9)
			for leaf := range row {
				if leaf/power(f, level) == i {
					row[leaf] = 1
				}
			}
			if level == levels {
				for leaf := range row {
					row[leaf] *= 1e6
				}
				y *= 1e6
			}
			rows, want = append(rows, row), append(want, y)
		}
	}
	matrix := mat.NewDense(len(rows), 9, slices.Concat(rows...))
	var x mat.VecDense
	if err := x.SolveVec(matrix, mat.NewVecDense(len(want), want)); err != nil {
		t.Fatal(err)
	}
	copied := [][]float64{slices.Clone(noisy[0]), slices.Clone(noisy[1]), noisy[2]}
	for i, have := range consistent(copied, f) {
		if math.Abs(have-x.AtVec(i)) > 1e-6 {
			t.Errorf("leaf %d: %g, want %g", i, have, x.AtVec(i))
		}
	}
}

// TestTotalVariationBound draws persons from an even distribution on 50 cells: the bound may fail
// in 5 % of the runs.
func TestTotalVariationBound(t *testing.T) {
	const n, cells, runs = 3000, 50, 200
	h := must(NewHistogram(
		HistogramParams{Epsilon: epsilon("1"), Size: big.NewInt(cells), Persons: n}))
	src := coin.NewSeeded(3)
	missed, largest := 0, 0.0
	for range runs {
		counts := make([]int64, cells)
		for range n {
			counts[src.Uniform(cells)]++
		}
		distance := 0.0
		for _, c := range must(h.counts.Release(src, counts, nil)) {
			distance += math.Abs(float64(c)/n-1.0/cells) / 2
		}
		if largest = max(largest, distance); distance > h.TotalVariationBound(0.05) {
			missed++
		}
	}
	if missed > 20 || largest < h.TotalVariationBound(0.05)/3 {
		t.Errorf("missed in %d of %d runs, largest %g, bound %g", missed, runs, largest,
			h.TotalVariationBound(0.05))
	}
}

func TestSmoothed(t *testing.T) {
	x := []float64{1, 3, 2, 2, 50, 48, 52, 0, 0, 0}
	if got := fmt.Sprint(smoothed(x, 10)); got != "[2 2 2 2 50 50 50 0 0 0]" {
		t.Error(got)
	}
	if got := fmt.Sprint(smoothed(x, 0)); got != fmt.Sprint(x) {
		t.Error(got)
	}
}

// TestRefusals are all fields that can be refused.
func TestRefusals(t *testing.T) {
	e, s := epsilon("1"), big.NewInt(100)
	build := map[string]func() error{
		// H: merr.md some-epsilon
		"epsilon": func() error { _, err := NewMERR(MERRParams{Size: s, Persons: 5}); return err },
		"delta": func() error { // H: merr.md delta
			_, err := NewMERR(MERRParams{Epsilon: e, Size: s, Persons: 5, Rule: Capped})
			return err
		},
		"size": func() error { // H: merr.md size
			_, err := NewHistogram(HistogramParams{Epsilon: e, Persons: 5})
			return err
		},
		"persons": func() error { // H: merr.md persons
			_, err := NewHierarchy(HierarchyParams{Epsilon: e, Size: s})
			return err
		},
		"rule": func() error { // H: merr.md rule
			_, err := NewMERR(MERRParams{Epsilon: e, Size: s, Persons: 5, Rule: "best"})
			return err
		},
		"rounds": func() error { // H: merr.md rounds
			_, err := NewMERR(MERRParams{Epsilon: e, Size: s, Persons: 5, Rounds: 257})
			return err
		},
		"recount": func() error { // H: merr.md recount
			_, err := NewMERR(MERRParams{Epsilon: e, Size: s, Persons: 5, Recount: 16})
			return err
		},
		"beta": func() error { // H: merr.md beta
			_, err := NewMERR(MERRParams{Epsilon: e, Size: s, Persons: 5, Beta: 1})
			return err
		},
		"bounds": func() error { // H: histogram.md bounds
			_, err := NewHistogram(
				HistogramParams{Epsilon: e, Size: s, Persons: 5, Bounds: whole(5, 5)})
			return err
		},
		"cells": func() error {
			_, err := NewHierarchy(HierarchyParams{Epsilon: e, Size: s, Persons: 5, Cells: -1})
			return err
		},
		"levels": func() error { // H: hierarchy.md levels
			_, err := NewHierarchy(HierarchyParams{Epsilon: e, Size: s, Persons: 5, Levels: 21})
			return err
		},
		"codes": func() error { // H: merr.md bits
			m := must(NewMERR(MERRParams{Epsilon: e, Size: s, Persons: 5}))
			_, err := m.Release(coin.NewSeeded(1), domain.SortedCodes([]uint64{1}, 9), nil)
			return err
		},
		"count": func() error {
			_, err := uniformOf(s).Draw(coin.NewSeeded(1), -1, nil)
			return err
		},
	}
	wide := new(big.Int).Lsh(s, 1<<20)
	more := []struct {
		field string
		build func() error
	}{
		{"persons", func() error { // H: merr.md persons
			_, err := NewHierarchy(HierarchyParams{Epsilon: e, Size: s, Persons: 1<<40 + 1})
			return err
		}},
		{"size", func() error { // H: merr.md size
			_, err := NewMERR(MERRParams{Epsilon: e, Size: wide, Persons: 5})
			return err
		}},
		{"rule", func() error { // H: merr.md rule
			_, err := NewMERR(MERRParams{Epsilon: e, Size: new(big.Int).Lsh(s, 64), Persons: 5,
				Rule: Intervals})
			return err
		}},
		{"cells", func() error { // H: hierarchy.md cells
			_, err := NewHierarchy(HierarchyParams{Epsilon: e, Size: s, Persons: 5,
				Cells: mostCells + 1})
			return err
		}},
		{"bounds", func() error { // H: histogram.md bounds
			_, err := NewHistogram(
				HistogramParams{Epsilon: e, Size: s, Persons: 5, Bounds: whole(5, 101)})
			return err
		}},
		{"cells", func() error { // H: histogram.md cells
			_, err := NewHistogram(HistogramParams{Epsilon: e, Size: s, Persons: 5,
				Cells: mostCells + 1})
			return err
		}},
		{"epsilon", func() error { // H: privtree.md fine
			_, err := NewPrivTree(PrivTreeParams{Epsilon: e.Part(1, 1<<51), Size: s, Persons: 5})
			return err
		}},
		{"learners", func() error { // H: madeup.md some-learner
			_, err := NewMadeUp(MadeUpParams{})
			return err
		}},
		{"count", func() error { // H: distribution.md count
			_, err := uniformOf(s).Draw(coin.NewSeeded(1), MostDrawn+1, nil)
			return err
		}},
	}
	for field, f := range build {
		more = append(more, struct {
			field string
			build func() error
		}{field, f})
	}
	for i, c := range more {
		var refused *param.Error
		if err := c.build(); !errors.As(err, &refused) || refused.Field != c.field ||
			refused.Package != "density" {
			t.Errorf("%d, %s: %v", i, c.field, err)
		}
	}
}

var _ func(domain.Sorted) int = domain.Sorted.Len // H: merr.md whole-counts

func uniformOf(size *big.Int) *Distribution {
	d := newDistribution([]*big.Int{new(big.Int), size}, []float64{10}, 10, phrase.Plain("even"))
	d.band = bandAround(d, 0)
	return d
}

// TestCancel ends every learner at each of its steps.
func TestCancel(t *testing.T) {
	size := big.NewInt(1 << 30)
	view := domain.SortedCodes(sloped(500, size.Uint64()), 30)
	stop := errors.New("stop")
	for _, learner := range learners(size, 500) {
		for after := 0; after < 8; after++ {
			left := after
			d, err := learner.Release(coin.NewSeeded(1), view, func(done, total int64) error {
				if left--; left < 0 {
					return stop
				}
				return nil
			})
			if (err == nil) != (d != nil) || err != nil && !errors.Is(err, stop) {
				t.Fatalf("%s: %v", learner.Name(), err)
			}
			if err == nil && after == 0 {
				t.Errorf("%s never steps", learner.Name())
			}
		}
	}
}

// consistent is the list of leaves whose sums are nearest to the noisy counts of all nodes (least
// squares, all levels alike), the root being exact. noisy are the levels from the leaves up.
func consistent(noisy [][]float64, fanout int) []float64 {
	return downwards(upwards(noisy, fanout), noisy[len(noisy)-1], fanout, nil)
}
