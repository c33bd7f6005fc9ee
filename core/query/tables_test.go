package query

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/coin"
)

// mixed are the columns of seven attributes: the sides of two cut points, two categories and a yes.
func mixed() []Column {
	return []Column{{{0b1010}, {0b1001}, {0b0101}}, {{1 << 4}, {1 << 5}}, {{1 << 6}}}
}

// randomTables are n records that are mostly in cells of these columns, and sometimes have any
// attributes.
func randomTables(random *rand.Rand, n, size int, columns []Column) *Records {
	r := must(NewRecords(n, size))
	for person := range n {
		value := random.IntN(8)
		for _, column := range columns {
			if c := (value + random.IntN(2)) % (len(column) + 1); c < len(column) {
				for _, x := range column[c].Members() {
					r.Yes(person, x)
				}
			}
		}
		if random.IntN(20) == 0 {
			r.Yes(person, random.IntN(size))
		}
	}
	return r
}

// exactTables is a release without noise, which says that it has noise of 1.
func exactTables(records *Records, columns []Column, width int) *Release {
	r := must(must(NewTables(TablesParams{Epsilon: loud, Columns: columns, Width: width})).
		Release(coin.NewSeeded(1), records, nil))
	r.Counts, r.Noise = exactCells(must(newPartition(records.Size(), columns)), records, width), 1
	return r
}

// exactCells counts who is in each cell of each table.
func exactCells(of *partition, records *Records, width int) []int64 {
	tables, cells, _ := of.tables(width)
	counts := make([]int64, cells)
	for _, t := range tables {
		for person := range records.Persons() {
			cell := 0
			for _, i := range t.columns {
				cell = cell*of.cells(i) + of.cell(i, records.Row(person))
			}
			counts[t.at+cell]++
		}
	}
	return counts
}

// TestTables: without noise the tables of any width answer every conjunction and disjunction of as
// many columns exactly. Answers are linear in the counts, with the standard deviation that they
// say.
func TestTables(t *testing.T) {
	records := randomTables(rand.New(rand.NewPCG(1, 9)), 400, 7, mixed())
	fitted := must(newPartition(7, mixed())).fitted(records)
	for width := 1; width <= 3; width++ {
		r := reopened(t, exactTables(records, mixed(), width))
		for _, s := range everySet(7)[1:] {
			for any, truth := range map[bool]float64{false: float64(trueCount(fitted, s)),
				true: float64(Coverage{fitted}.Value(s))} {
				asked := func() (Answer, error) {
					if any {
						return r.AskAny(s)
					}
					return r.Ask(s)
				}
				a, err := asked()
				if columns := touched(s); columns > width {
					field(t, err, "set")
					continue
				}
				if err != nil || math.Abs(a.Persons-truth) > 1e-6 {
					t.Fatalf("width %d, %v, any %v: %v, %v, want %v", width, s.Members(), any, a,
						err, truth)
				}
				if truth < 2 || truth > 398 {
					continue // changed counts would give answers below 0 or above n
				}
				variance := 0.0
				for i := range r.Counts {
					r.Counts[i]++
					r.tabled.known = map[string]estimate{}
					off := must(asked()).Persons - a.Persons
					variance += off * off
					r.Counts[i]--
				}
				r.tabled.known = map[string]estimate{}
				if math.Abs(math.Sqrt(variance)-a.Noise) > 1e-6 {
					t.Errorf("width %d, %v, any %v: noise %v, says %v", width, s.Members(), any,
						math.Sqrt(variance), a.Noise)
				}
			}
		}
	}
}

// touched is how many of the mixed columns a set has attributes of.
func touched(s Set) (columns int) {
	for _, mask := range must(newPartition(7, mixed())).masks {
		if s.Meets(mask) {
			columns++
		}
	}
	return columns
}

// TestMoves compares the sensitivities with the largest change of exact counts between any two
// persons: never above, and attained, for every set of attributes that a person may have.
func TestMoves(t *testing.T) {
	for _, columns := range [][]Column{mixed(), nil, {{{1}, {2}, {4}}, {{8}}, {{16}}},
		{{{1}, {2}}, {{4}, {8}}, {{16}, {32}}}, {{{0b11}, {0b10}}, {{4}}}} {
		size := 5
		if columns != nil {
			size = 0
			for _, column := range columns {
				for _, cell := range column {
					size = max(size, slices.Max(cell.Members())+1)
				}
			}
		}
		of := must(newPartition(size, columns))
		for width := 1; width <= len(of.columns); width++ {
			tables, _, err := of.tables(width)
			if err != nil {
				t.Fatal(err)
			}
			marginal, tabular := func(row Set) (counts []int64) {
				one := of.fitted(&Records{size, 1, row})
				for _, s := range subsets(size, width) {
					counts = append(counts, trueCount(one, s))
				}
				return counts
			}, func(row Set) []int64 {
				return exactCells(of, &Records{size, 1, row}, width)
			}
			for name, c := range map[string]struct {
				counts func(Set) []int64
				moves  int
			}{"conjunctions": {marginal, of.moves(width)}, "tables": {tabular, 2 * len(tables)}} {
				var all [][]int64
				for _, s := range everySet(size) {
					all = append(all, c.counts(s))
				}
				most := 0
				for _, a := range all {
					for _, b := range all {
						moves := 0
						for i := range a {
							if off := distance(a[i], b[i]); off > 1 {
								t.Fatalf("%s: a count moves by %d", name, off)
							} else if off == 1 {
								moves++
							}
						}
						most = max(most, moves)
					}
				}
				// cells that share attributes are counted as if they did not
				if most > c.moves || most < c.moves && size != 3 {
					t.Errorf("%s of %d attributes, width %d: %d move, claimed %d", name, size,
						width, most, c.moves)
				}
			}
		}
	}
}

// TestPartition refuses what are no columns, in a release that is opened as well.
func TestPartition(t *testing.T) {
	// H: tables.md parted
	for _, columns := range [][]Column{{}, {{}, {{3}}}, {{{1}}}, {{{1}, {2}}, {{2}}},
		{{{1}, {1}}, {{2}}}, {{{3}, {}}}, {{{3}, {4}}}} {
		_, err := newPartition(2, columns)
		field(t, err, "columns")
	}
	m := must(NewTables(TablesParams{Epsilon: loud, Width: 3}))
	_, err := m.Release(coin.NewSeeded(1), correlated(5, 2), nil)
	field(t, err, "width") // H: tables.md width
	_, err = m.Release(coin.NewSeeded(1), correlated(5, 300), nil)
	field(t, err, "width")
	_, err = NewTables(TablesParams{Epsilon: loud})
	field(t, err, "width") // H: tables.md width
	_, err = NewTables(TablesParams{Width: 1})
	field(t, err, "epsilon") // H: tables.md some-epsilon
	r := must(must(NewTables(TablesParams{Epsilon: loud, Width: 1})).
		Release(coin.NewSeeded(1), correlated(5, 2), nil))
	for want, change := range map[string]func(*Release){
		"columns": func(r *Release) { r.Columns = r.Columns[:1] },
		"width":   func(r *Release) { r.Width = 1 << 40 },
		"counts":  func(r *Release) { r.Counts = r.Counts[:3] },
	} {
		broken := *r
		broken.tabled = nil
		change(&broken)
		_, err := read(must(json.Marshal(&broken)))
		field(t, err, want)
	}
}

// TestTablesGain: on made-up data counting by columns has the error that Choose expects, far below
// that of counting every conjunction as if a person could have any.
func TestTablesGain(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 7))
	var categories []Column
	for size, from := 8, 0; len(categories) < 5; from += size {
		var column Column
		for x := range size {
			column = append(column, Column{emptySet(40).With(from + x)}...)
		}
		categories = append(categories, column)
	}
	for _, c := range []struct {
		name     string
		size     int
		columns  []Column
		width    int
		together int
		gain     float64
	}{
		{"eight attributes, pairs", 8, nil, 2, 8, 2},
		{"eight attributes, threes", 8, nil, 3, 8, 5},
		{"five columns of eight categories, pairs", 40, categories, 2, 2, 20},
	} {
		columns := must(newPartition(c.size, c.columns)).columns
		records := randomTables(random, 20_000, c.size, columns)
		choice := must(Choose(ChoiceParams{Epsilon: epsilon("1"), Persons: 20_000, Size: c.size,
			Width: c.width, Columns: c.columns}))[0]
		if choice.Name != "tables" || choice.Together != c.together {
			t.Errorf("%s: %s of %d", c.name, choice.Name, choice.Together)
		}
		truth := must(newPartition(c.size, c.columns)).fitted(records)
		off := func(m Conjunctive) (mean float64) {
			r, number := must(m.Release(coin.NewSeeded(4), records, nil)), 0.0
			for _, s := range subsets(c.size, c.width) {
				if want := trueCount(truth, s); want > 0 {
					mean += math.Abs(must(r.Ask(s)).Persons - float64(want))
					number++
				}
			}
			return mean / number
		}
		before := off(must(NewMarginals(MarginalsParams{Epsilon: epsilon("1"), Width: c.width})))
		now, expected := off(must(choice.New())), choice.Error*20_000
		if now*c.gain > before || now < expected/2 || now > expected*2 {
			t.Errorf("%s: off by %.1f, expected %.1f, before %.1f", c.name, now, expected, before)
		}
	}
}
