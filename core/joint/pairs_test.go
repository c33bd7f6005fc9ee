package joint

import (
	"errors"
	"math"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/privacy"
)

func epsilon(text string) privacy.Epsilon { return must(privacy.ParseEpsilon(text)) }
func delta(text string) privacy.Delta     { return must(privacy.ParseDelta(text)) }

func pairsOf(e, d string, sizes []int, of ...[2]int) *Pairs {
	return must(NewPairs(PairsParams{Epsilon: epsilon(e), Delta: delta(d), Sizes: sizes, Of: of}))
}

// records are all that a person can be.
func records(sizes []int) (all [][]int) {
	all = [][]int{nil}
	for _, size := range sizes {
		var next [][]int
		for _, record := range all {
			for place := range size {
				next = append(next, append(slices.Clone(record), place))
			}
		}
		all = next
	}
	return all
}

// columnsFrom are people by column.
func columnsFrom(people ...[]int) [][]uint8 {
	columns := make([][]uint8, len(people[0]))
	for _, record := range people {
		for i, place := range record {
			columns[i] = append(columns[i], uint8(place))
		}
	}
	return columns
}

// TestPairsMoves: no two persons cost more than the ρ that was granted, and two that differ in all
// columns cost all of it.
func TestPairsMoves(t *testing.T) {
	for _, sizes := range [][]int{{2, 2}, {2, 3, 4}, {1, 2, 3}, {2, 2, 2, 3}} {
		m := pairsOf("1", "0.0000001", sizes)
		granted := must(privacy.RhoFor(epsilon("1"), delta("0.0000001"))).Rat()
		most := new(big.Rat)
		all := records(sizes)
		for _, from := range all {
			for _, to := range all {
				cost := new(big.Rat)
				for _, table := range m.tables {
					was := m.count(table.columns, columnsFrom(from), nil)
					squares := int64(0)
					for cell, count := range m.count(table.columns, columnsFrom(to), nil) {
						squares += (count - was[cell]) * (count - was[cell])
					}
					rho := must(table.noise.Loss(1)).Rho()
					cost.Add(cost, rho.Mul(rho, big.NewRat(squares, moves)))
				}
				if cost.Cmp(most) > 0 {
					most = cost
				}
			}
		}
		want := granted
		if slices.Contains(sizes, 1) {
			want = most // the table of a column of one place moves less
		}
		if most.Cmp(want) != 0 || most.Cmp(granted) > 0 {
			t.Errorf("%v: the most is %v, granted %v", sizes, most.FloatString(9),
				granted.FloatString(9))
		}
	}
}

// TestPairsAlone: columns by themselves get their part of ρ: a person who changes all columns costs
// all that was granted, tables of one column Alone of a hundred parts of it.
func TestPairsAlone(t *testing.T) {
	sizes := []int{2, 3, 4}
	for _, d := range []string{"0", "0.0000001"} {
		p := PairsParams{Epsilon: epsilon("1"), Delta: delta(d), Sizes: sizes, Alone: 30}
		m := must(NewPairs(p))
		plain := p
		plain.Alone = 0
		whole := must(NewPairs(plain))
		cost := func(n noise) float64 {
			if d == "0" {
				loss := must(n.Loss(1))
				e, _ := loss.Epsilon()
				x, _ := e.Float64()
				return x
			}
			rho, _ := must(n.Loss(1)).Rho().Float64()
			return rho
		}
		one, two, all := 0.0, 0.0, 0.0
		for _, n := range m.alone {
			one += cost(n)
		}
		for i := range m.tables {
			two += cost(m.tables[i].noise)
			all += cost(whole.tables[i].noise)
		}
		if math.Abs(one/all-.3) > 1e-6 || math.Abs(two/all-.7) > 1e-6 {
			t.Errorf("δ = %s: %v and %v of %v", d, one, two, all)
		}
		if loss := must(m.Loss(1)); !loss.AtMost(privacy.ApproximateLoss(epsilon("1"), delta(d))) {
			t.Errorf("δ = %s: %v", d, loss)
		}
		were, are := columnsFrom([]int{0, 0, 0}, []int{1, 2, 9}), columnsFrom([]int{1, 1, 1},
			[]int{0, 1, 0})
		recording := meter.Record(3)
		first := must(m.Release(recording, were, nil))
		if err := first.Check(); err != nil || len(first.Singles) != 3 || !m.Alone() {
			t.Errorf("%+v, %v", first, err)
		}
		if err := recording.Over(must(m.Loss(1))); err != nil {
			t.Error(err)
		}
		replay := recording.Replay()
		must(m.Release(replay, are, nil))
		if len(replay.Violations()) == 0 {
			t.Errorf("δ = %s: two replaced persons are not noticed", d)
		}
	}
	m := must(NewPairs(PairsParams{Epsilon: epsilon("1"), Sizes: sizes, Alone: 30}))
	if got := m.countAlone(2, []uint8{0, 9, 3, 1}, []uint64{2, 1, 1, 5}); !slices.Equal(got,
		[]int64{2, 5, 0, 2}) {
		t.Errorf("%v", got)
	}
}

// TestPartAlone: the part falls with ε and with the persons, and a release can have it.
func TestPartAlone(t *testing.T) {
	sizes, last := []int{5, 4, 3, 6}, int64(100)
	for i, e := range []string{"0.001", "0.1", "1", "10", "100"} {
		p := PairsParams{Epsilon: epsilon(e), Delta: delta("0.0000001"), Sizes: sizes}
		part := must(PartAlone(p, 10000))
		if i == 0 && part != mostAlone || part >= last || part < 0 {
			t.Errorf("ε = %s: %d after %d", e, part, last)
		}
		if more := must(PartAlone(p, 100)); more < part {
			t.Errorf("ε = %s: %d of 10000 persons, %d of 100", e, part, more)
		}
		last = part
	}
}

// TestPairsLoss: all tables together cost what is granted, and no more.
func TestPairsLoss(t *testing.T) {
	for _, d := range []string{"0", "0.0000001"} {
		loss := must(pairsOf("1", d, []int{3, 4, 5}).Loss(1))
		most := privacy.ApproximateLoss(epsilon("1"), delta(d))
		less := privacy.ApproximateLoss(epsilon("0.999"), delta(d))
		if !loss.AtMost(most) || loss.AtMost(less) {
			t.Errorf("δ = %s: %v", d, loss)
		}
	}
}

// TestPairsMeter: what is drawn fits what is stated, and on neighbours no table moves further than
// it claims.
func TestPairsMeter(t *testing.T) {
	sizes := []int{2, 3, 2}
	for _, d := range []string{"0", "0.0000001"} {
		m := pairsOf("1", d, sizes)
		one, other := columnsFrom([]int{0, 0, 0}, []int{1, 2, 1}),
			columnsFrom([]int{1, 1, 1}, []int{1, 2, 1})
		recording := meter.Record(3)
		first := must(m.Release(recording, one, nil))
		if err := recording.Over(must(m.Loss(1))); err != nil {
			t.Error(err)
		}
		replay := recording.Replay()
		again := must(m.Release(replay, other, nil))
		if found := replay.Violations(); len(found) > 0 {
			t.Errorf("δ = %s: %v", d, found)
		}
		for k := range first.Tables {
			if !slices.Equal(first.Tables[k].Counts, again.Tables[k].Counts) {
				t.Errorf("δ = %s: the replay releases other counts", d)
			}
		}
		two := columnsFrom([]int{1, 1, 1}, []int{0, 1, 0})
		replay = recording.Replay()
		must(m.Release(replay, two, nil))
		if len(replay.Violations()) == 0 {
			t.Errorf("δ = %s: two replaced persons are not noticed", d)
		}
	}
}

// TestPairsCount: the tables are those of the people, and places beyond the last are the last.
func TestPairsCount(t *testing.T) {
	m := pairsOf("100", "0.5", []int{2, 3, 2}, [2]int{0, 1}, [2]int{1, 2})
	people := columnsFrom([]int{0, 0, 1}, []int{1, 2, 1}, []int{1, 2, 0}, []int{7, 9, 0})
	for k, want := range [][]int64{{1, 0, 0, 0, 0, 3}, {0, 1, 0, 0, 2, 1}} {
		if got := m.count(m.tables[k].columns, people, nil); !slices.Equal(got, want) {
			t.Errorf("table %d: %v, want %v", k, got, want)
		}
	}
	out := must(m.Release(coin.NewSeeded(1), people, nil))
	if err := out.Check(); err != nil || out.Persons != 4 || len(out.Tables) != 2 {
		t.Errorf("%+v, %v", out, err)
	}
}

// TestPairsShares: no other division of the loss that is near has a smaller error.
func TestPairsShares(t *testing.T) {
	sizes := []int{2, 5, 20}
	for _, d := range []string{"0", "0.0000001"} {
		p := PairsParams{Epsilon: epsilon("1"), Delta: delta(d), Sizes: sizes}
		of := must(checkPairs(sizes, nil))
		shares, all := p.shares(of)
		total := func(shift float64) (sum float64) {
			for i, pair := range of {
				cells := float64(sizes[pair[0]] * sizes[pair[1]])
				share := float64(shares[i]) / float64(all)
				switch i {
				case 0:
					share -= shift
				case 1:
					share += shift
				}
				if p.Delta.IsZero() {
					sum += cells / share
				} else {
					sum += cells / math.Sqrt(share)
				}
			}
			return sum
		}
		if best := total(0); total(.01) < best || total(-.01) < best {
			t.Errorf("δ = %s: %v, shifted %v and %v", d, best, total(.01), total(-.01))
		}
	}
	m := pairsOf("1", "0.0000001", sizes)
	if off := m.Error(); off < 2 || off > 40 {
		t.Errorf("the mean error is %v", off)
	}
}

// A person has one place in a column and not a list of them: columns are places, by person.
var _ func(coin.Source, [][]uint8, coin.Step) (*Measured, error) = // H: pairs.md one-place
(*Pairs)(nil).Release

// TestPairsBeyondTheLast: a place beyond the last counts as the last, in tables of both kinds.
func TestPairsBeyondTheLast(t *testing.T) {
	m := must(NewPairs(PairsParams{Epsilon: epsilon("1"), Sizes: []int{2, 3}, Alone: 10}))
	in, out := [][]uint8{{1, 0}, {2, 1}}, [][]uint8{{255, 0}, {3, 1}} // H: pairs.md in-column
	for i := range in {
		if a, b := m.countAlone(i, in[i], nil), m.countAlone(i, out[i], nil); !slices.Equal(a, b) {
			t.Errorf("column %d: %v, and beyond the last %v", i, a, b)
		}
	}
	of := [2]int{0, 1}
	if a, b := m.count(of, in, nil), m.count(of, out, nil); !slices.Equal(a, b) {
		t.Errorf("table: %v, and beyond the last %v", a, b)
	}
}

func TestPairsRefusals(t *testing.T) {
	good := PairsParams{Epsilon: epsilon("1"), Sizes: []int{2, 3}}
	for name, c := range map[string]struct {
		change func(p *PairsParams)
		field  string
	}{
		// H: pairs.md some-loss
		"no epsilon": {func(p *PairsParams) { p.Epsilon = privacy.Epsilon{} }, "epsilon"},
		// H: pairs.md columns
		"one column": {func(p *PairsParams) { p.Sizes = []int{2} }, "sizes"},
		// H: pairs.md columns
		"too many": {func(p *PairsParams) { p.Sizes = make([]int, 21) }, "sizes"},
		// H: pairs.md columns
		"no place": {func(p *PairsParams) { p.Sizes = []int{2, 0} }, "sizes"},
		// H: pairs.md columns
		"too many places": {func(p *PairsParams) { p.Sizes = []int{2, 257} }, "sizes"},
		// H: pairs.md cells
		"twice":        {func(p *PairsParams) { p.Of = [][2]int{{0, 1}, {0, 1}} }, "pairs"},
		"below 0":      {func(p *PairsParams) { p.Alone = -1 }, "alone"},  // H: pairs.md alone
		"nothing else": {func(p *PairsParams) { p.Alone = 100 }, "alone"}, // H: pairs.md alone
		// H: pairs.md cells
		"descending": {func(p *PairsParams) { p.Of = [][2]int{{1, 0}} }, "pairs"},
		// H: pairs.md cells
		"outside": {func(p *PairsParams) { p.Of = [][2]int{{0, 2}} }, "pairs"},
		// H: pairs.md cells
		"none": {func(p *PairsParams) { p.Of = [][2]int{} }, "pairs"},
		"too many cells": {func(p *PairsParams) { // H: pairs.md cells
			p.Sizes = slices.Repeat([]int{256}, 20)
		}, "pairs"},
		"too wide": {func(p *PairsParams) {
			p.Epsilon, p.Delta = epsilon("0.000000001"), delta("1e-30")
		}, "pairs"},
	} {
		p := good
		c.change(&p)
		_, err := NewPairs(p)
		var refused *param.Error
		if !errors.As(err, &refused) || refused.Field != c.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	m := must(NewPairs(good))
	// H: pairs.md same-persons
	for _, columns := range [][][]uint8{nil, {{1}}, {{1}, {}}, {{}, {}}} {
		_, err := m.Release(coin.NewSeeded(1), columns, nil)
		var refused *param.Error
		if !errors.As(err, &refused) || refused.Field != "columns" {
			t.Errorf("%v: %v", columns, err)
		}
	}
	for name, times := range map[string][]uint64{
		"a row without a number": {1},                // H: pairs.md same-persons
		"too many persons":       {1 << 53, 1},       // H: pairs.md countable
		"more than 64 bits":      {1 << 63, 1 << 63}, // H: pairs.md countable
	} {
		_, err := m.ReleaseCounted(coin.NewSeeded(1), [][]uint8{{0, 1}, {0, 2}}, times, nil)
		var refused *param.Error
		if !errors.As(err, &refused) || refused.Field != "times" {
			t.Errorf("%s: %v", name, err)
		}
	}
	stop := errors.New("stop")
	if _, err := m.Release(coin.NewSeeded(1), columnsFrom([]int{0, 0}),
		func(done, total int64) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("cancelled: %v", err)
	}
}

var _ mechanism.Mechanism = (*Pairs)(nil)

// TestPairsOfCounts: rows with counts are asked as the rows written out are, and counts of nobody
// or of too many are refused.
func TestPairsOfCounts(t *testing.T) {
	m := pairsOf("1", "0.0000001", []int{3, 4, 2})
	rows := columnsFrom([]int{0, 1, 1}, []int{2, 3, 0}, []int{1, 1, 1}, []int{2, 3, 0})
	times := []uint64{3, 0, 1, 5}
	var spread [][]uint8
	for _, column := range rows {
		var one []uint8
		for row, place := range column {
			one = append(one, slices.Repeat([]uint8{place}, int(times[row]))...)
		}
		spread = append(spread, one)
	}
	counted := must(m.ReleaseCounted(coin.NewSeeded(7), rows, times, nil))
	written := must(m.Release(coin.NewSeeded(7), spread, nil))
	if !reflect.DeepEqual(counted, written) || counted.Persons != 9 {
		t.Errorf("of counts %+v, of rows %+v", counted, written)
	}
	for _, times := range [][]uint64{{1, 2, 3}, {1 << 53, 1, 0, 0}} {
		if _, err := m.ReleaseCounted(coin.NewSeeded(7), rows, times, nil); err == nil {
			t.Errorf("%v is taken", times)
		}
	}
}
