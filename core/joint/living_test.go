package joint

import (
	"errors"
	"math"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/param"
)

// laid are the tables of a town with noise, with the mechanism, and what the noise was drawn onto.
// The rows of the model are those of columns that have nothing to do with each other, so that its
// answers are far off: intervals must come from the counts.
func laid(t *testing.T, e, d string, seed uint64, people [][]uint8, sizes []int,
	of ...[2]int) *Living {
	t.Helper()
	by := pairsOf(e, d, sizes, of...)
	measured := must(by.Release(coin.NewSeeded(coin.Seed(seed)), people, nil))
	rows := newChain(coin.NewSeeded(1), measured).rows
	return must(NewLiving(&Model{Measured: measured, Strength: 1, rows: rows}, by))
}

func places(size int, list ...int) []bool {
	out := make([]bool, size)
	for _, place := range list {
		out[place] = true
	}
	return out
}

// truth is how many people meet conditions.
func truth(people [][]uint8, where ...Within) (n float64) {
	for person := range people[0] {
		is := true
		for _, w := range where {
			is = is && w.Places[people[w.Column][person]]
		}
		n += one(is)
	}
	return n
}

// raw is the interval of the counts, which is not widened.
func (l *Living) raw(where []Within, beta float64) (low, high float64) {
	if len(where) == 1 {
		return l.interval(l.ofEvent(where[0]), beta)
	}
	way, _ := l.ofEvents(where[0], where[1])
	return l.interval([]linear{way}, beta)
}

const nan = 0x7ff8000000000001 // of a place without a value

var (
	firstValues = []float64{0, 10, 20, math.Float64frombits(nan)}
	laterValues = []float64{1, 2, 4, 8, 16}
)

// TestLivingCoverage: over many releases the truth is in the interval at least as often as is said,
// by the law of the noise alone, and where weights are alike not much more often.
func TestLivingCoverage(t *testing.T) {
	const beta = .2
	releases := 200
	if testing.Short() {
		releases = 80
	}
	tries := float64(releases)
	// 95 of 100 releases at least as many as this, were the chance exactly 1 − beta
	least := tries*(1-beta) - 4*math.Sqrt(tries*beta*(1-beta))
	sizes, people := town(500)
	one := Within{1, places(5, 0, 2)}
	other := Within{0, places(4, 0, 1)}
	third := Within{2, places(3, 0)}
	mean, slope := meanOf(people, nil), slopeOf(people)
	meanWhere := meanOf(people, &one)
	for _, delta := range []string{"0.0000001", "0"} {
		hits := map[string]int{}
		narrow := map[string]bool{"count": true, "pair": true, "mean": true,
			"mean where": true}
		for seed := range uint64(releases) {
			l := laid(t, "2", delta, seed+1, people, sizes)
			hit := func(name string, low, value, high float64) {
				if low <= value && value <= high {
					hits[name]++
				}
			}
			low, high := l.raw([]Within{one}, beta)
			hit("count", low, truth(people, one), high)
			low, high = l.raw([]Within{one, other}, beta)
			hit("pair", low, truth(people, one, other), high)
			low, high, _ = l.triple([]Within{one, other, third}, beta)
			hit("triple", low, truth(people, one, other, third), high)
			of := l.among(0, nil, meanTest)
			low, high = l.between(0, 20, beta, of, nil, 0)
			hit("mean", low, mean, high)
			low, high = l.between(0, 20, beta, l.among(0, []Within{one}, meanTest), nil, 0)
			hit("mean where", low, meanWhere, high)
			steep := l.slope(0, 1, firstValues, laterValues, beta)
			if steep.Known != ByCounts {
				t.Fatalf("%+v", steep)
			}
			hit("slope", steep.Low, slope, steep.High)
			all := places(5, 0, 1, 2, 3, 4)
			odds := l.oddsRatio(one, all, Coefficient{Column: 0, Place: 1}, beta)
			hit("odds ratio", odds.Low, logOdds(people, one, 1)-logOdds(people, one, 0), odds.High)
			at, first, last, _, _, _ := l.Quantile(1, all, .4, nil, beta)
			if at < first || at > last {
				t.Fatalf("%d is not from %d to %d", at, first, last)
			}
			hit("quantile", float64(first), float64(quantileOf(people[1], .4)), float64(last))
		}
		for _, name := range []string{"count", "pair", "triple", "mean", "mean where", "slope",
			"odds ratio", "quantile"} {
			t.Logf("δ = %s, %s: %d of %d", delta, name, hits[name], releases)
			if float64(hits[name]) < least {
				t.Errorf("δ = %s, %s: the truth is in %d of %d intervals", delta, name, hits[name],
					releases)
			}
			if narrow[name] && float64(hits[name]) > least+8*math.Sqrt(tries*beta*(1-beta)) {
				t.Errorf("δ = %s, %s: %d of %d intervals hold the truth: they are too wide", delta,
					name, hits[name], releases)
			}
		}
	}
}

// logOdds are those of a condition among the people in a place of the first column.
func logOdds(people [][]uint8, is Within, place int) float64 {
	in := Within{0, places(4, place)}
	both := truth(people, in, is)
	return math.Log(both / (truth(people, in) - both))
}

func meanTest(guess float64, place int) float64 {
	if math.IsNaN(firstValues[place]) {
		return 0
	}
	return firstValues[place] - guess
}

func meanOf(people [][]uint8, where *Within) float64 {
	sum, n := 0.0, 0.0
	for person, place := range people[0] {
		v := firstValues[place]
		if !math.IsNaN(v) && (where == nil || where.Places[people[where.Column][person]]) {
			sum, n = sum+v, n+1
		}
	}
	return sum / n
}

func slopeOf(people [][]uint8) float64 {
	var n, x, y, xx, xy float64
	for person, place := range people[0] {
		if u, v := firstValues[place], laterValues[people[1][person]]; !math.IsNaN(u) {
			n, x, y, xx, xy = n+1, x+u, y+v, xx+u*u, xy+u*v
		}
	}
	return (xy - x*y/n) / (xx - x*x/n)
}

func quantileOf(column []uint8, part float64) int {
	sorted := slices.Sorted(slices.Values(column))
	return int(sorted[int(math.Ceil(part*float64(len(sorted))))-1])
}

// TestLivingLinear: linear numbers are those of the counts, whichever columns come
// first, whatever the rows; weights that are mostly 1 cost no more noise than few.
func TestLivingLinear(t *testing.T) {
	sizes, people := town(3000)
	for _, delta := range []string{"0.0000001", "0"} {
		l := laid(t, "1", delta, 7, people, sizes)
		for k, one := range l.model.Measured.Tables {
			i, j := one.Columns[0], one.Columns[1]
			for cell, count := range one.Counts {
				a := Within{i, places(sizes[i], cell/sizes[j])}
				b := Within{j, places(sizes[j], cell%sizes[j])}
				for _, order := range [][2]Within{{a, b}, {b, a}} {
					way, is := l.ofEvents(order[0], order[1])
					if got := l.value(way); !is || got != float64(count) {
						t.Fatalf("%v: %v, measured is %d", one.Columns, got, count)
					}
					bound := l.bound(way, .05)
					if want := l.sum(k, 1, .05); bound != want {
						t.Fatalf("%v: ± %v, want ± %v", one.Columns, bound, want)
					}
				}
				n := l.Table(nil, []Within{a, b}, .05)[0]
				if n.Known != ByCounts || n.Value < n.Low || n.Value > n.High || n.Low < 0 ||
					n.High > 3000 {
					t.Fatalf("%+v", n)
				}
			}
		}
		few, most := Within{1, places(5, 3)}, Within{1, places(5, 0, 1, 2, 4)}
		_, narrow := l.narrowest(l.ofEvent(few), .05)
		_, wide := l.narrowest(l.ofEvent(most), .05)
		if narrow != wide {
			t.Errorf("± %v of one place, ± %v of all others", narrow, wide)
		}
		if all := l.Table(nil, []Within{{1, places(5, 0, 1, 2, 3, 4)}}, .05)[0]; all.Low != 3000 ||
			all.High != 3000 {
			t.Errorf("all people are %+v", all)
		}
		if all := l.Table(nil, nil, .05)[0]; all.Known != Certain || all.Value != 3000 {
			t.Errorf("%+v", all)
		}
	}
}

// TestLivingTriples: a table of three columns adds up to the tables of two, each cell within bounds
// that hold the truth; four columns follow from pairs only, and so do two that were not measured.
func TestLivingTriples(t *testing.T) {
	sizes, people := town(20000)
	l := laid(t, "4", "0.0000001", 3, people, sizes)
	cells := l.Table([]int{0, 2, 1}, nil, .05)
	pairs := l.Table([]int{0, 2}, nil, .05)
	held := 0
	for cell, n := range cells {
		if n.Known != ByBounds || n.Low > n.Value || n.Value > n.High {
			t.Fatalf("%d: %+v", cell, n)
		}
		pairs[cell/5].Value -= n.Value
		is := truth(people, Within{0, places(4, cell/15)}, Within{2, places(3, cell/5%3)},
			Within{1, places(5, cell%5)})
		if n.Low <= is && is <= n.High {
			held++
		}
	}
	if held < len(cells)*95/100 {
		t.Errorf("%d of %d cells hold the truth", held, len(cells))
	}
	fitted := *l
	fitted.model = must(Fit(coin.NewSeeded(1), l.model.Measured, nil))
	if line, ok := fitted.Line(0, 1, firstValues, laterValues, .05); !ok ||
		line.Slope.High-line.Slope.Low > .1*slopeOf(people) {
		t.Errorf("a slope of %v is known as %+v", slopeOf(people), line.Slope)
	}
	if m, _ := l.Mean(0, firstValues, firstValues, nil, .05); m.High-m.Low > .2 {
		t.Errorf("a mean of %v is known as %+v", meanOf(people, nil), m)
	}
	for _, n := range pairs {
		if math.Abs(n.Value) > 1e-6 {
			t.Errorf("what is left of a cell is %v", n.Value)
		}
	}
	for _, n := range l.Table([]int{0, 1, 2, 3}, nil, .05) {
		if n.Known != Unmeasured {
			t.Fatalf("%+v", n)
		}
	}
	for _, n := range l.Table([]int{0, 1}, []Within{{2, places(3, 1)}}, .05) {
		if n.Known != ByBounds {
			t.Fatalf("%+v", n)
		}
	}
	some := laid(t, "4", "0.0000001", 3, people, sizes, [2]int{0, 1}, [2]int{1, 2})
	for _, columns := range [][]int{{0, 2}, {0, 1, 2}, {3}} {
		if n := some.Table(columns, nil, .05)[0]; n.Known != Unmeasured || n.High != 20000 {
			t.Errorf("%v: %+v", columns, n)
		}
	}
	if m, ok := some.Mean(0, firstValues, firstValues, []Within{{2, places(3, 1)}}, .05); !ok ||
		m.Known != Unmeasured {
		t.Errorf("%+v", m)
	}
	if _, ok := some.Mean(0, firstValues, firstValues, []Within{{2, places(3)}}, .05); ok {
		t.Error("a mean of nobody")
	}
	if _, ok := some.Line(0, 1, []float64{3, 3, 3, 3}, laterValues, .05); ok {
		t.Error("a line through one value")
	}
}

// TestLivingRefusals: a model and a mechanism that do not belong together.
func TestLivingRefusals(t *testing.T) {
	sizes, people := town(500)
	by := pairsOf("1", "0.0000001", sizes)
	for field, change := range map[string]func(m *Measured, by **Pairs){
		// H: living.md same-law
		"stdDev": func(m *Measured, _ **Pairs) { m.Tables[2].StdDev *= 1.001 },
		// H: living.md same-law
		"pairs": func(_ *Measured, by **Pairs) { *by = pairsOf("1", "0.0000001", sizes[:3]) },
		"sizes": func(_ *Measured, by **Pairs) {
			*by = pairsOf("1", "0.0000001", []int{4, 5, 2, 2})
		},
	} {
		measured, with := must(by.Release(coin.NewSeeded(1), people, nil)), by
		change(measured, &with)
		var refused *param.Error
		_, err := NewLiving(&Model{Measured: measured}, with)
		if !errors.As(err, &refused) || refused.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
