package basic

import (
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
)

// twoByTwo are the columns of rows of an audit: 0 to 3 are the cells of a table of two columns of
// two places, 4 has a place in the first one only, 5 in neither.
func twoByTwo(rows []int) []Values {
	var first, second column
	for _, v := range rows {
		switch {
		case v >= 0 && v < 4:
			first, second = append(first, v/2), append(second, v%2)
		case v == 4:
			first, second = append(first, 1), append(second, -1)
		default:
			first, second = append(first, -1), append(second, -1)
		}
	}
	return []Values{first, second}
}

// fourCounts are released counts whose far ends are lumped together.
type fourCounts [4]int64

func lumped(counts []int64) (c fourCounts) {
	for i, n := range counts {
		c[i] = min(max(n, -1), 2)
	}
	return c
}

// tableLaw is the law of a table's release.
func tableLaw(release func(src coin.Source, columns []Values) ([]int64, error)) func(
	[]int) (*coin.Law[fourCounts], error) {
	return func(rows []int) (*coin.Law[fourCounts], error) {
		return coin.Enumerate(coin.Limits{Top: 4}, func(src coin.Source) (fourCounts, error) {
			counts, err := release(src, twoByTwo(rows))
			if err != nil {
				return fourCounts{}, err
			}
			return lumped(counts), nil
		})
	}
}

// TestAuditTable: the whole law of a table of 2 × 2, for all neighbours of two persons and of four,
// with and without places; and how far their counts lie apart.
func TestAuditTable(t *testing.T) {
	table := must(NewTable(TableParams{Base: base(3, 1), Sizes: []uint64{2, 2}}))
	law := tableLaw(func(src coin.Source, columns []Values) ([]int64, error) {
		return table.Release(src, columns, nil)
	})
	for name, persons := range map[string]int{"table of 2 × 2": 2, "table of 2 × 2, four": 4} {
		if persons == 2 || !testing.Short() {
			audittest.Holds(t, audit.Audit[fourCounts]{Name: name, Law: law,
				Space: audit.Space{Persons: persons, Values: 6}, Claim: claimOf(table.Loss(1))})
		}
	}

	worst := int64(0)
	for _, d := range tablesOf(4) {
		from := must(table.exact(Crossed(twoByTwo(d), table.sizes), nil, 1, nil))
		for person := range d {
			for v := range 6 {
				other := slices.Clone(d)
				other[person] = v
				to := must(table.exact(Crossed(twoByTwo(other), table.sizes), nil, 1, nil))
				moved := int64(0)
				for i := range from {
					moved += max(from[i]-to[i], to[i]-from[i])
				}
				worst = max(worst, moved)
			}
		}
	}
	if worst != 2 {
		t.Errorf("counts of four persons move by %d, claimed are 2", worst)
	}
}

// tablesOf are all data sets of this many persons of twoByTwo.
func tablesOf(persons int) (all [][]int) {
	all = [][]int{{}}
	for range persons {
		var longer [][]int
		for _, d := range all {
			for v := range 6 {
				longer = append(longer, append(slices.Clone(d), v))
			}
		}
		all = longer
	}
	return all
}

// TestPlantedTable: mistakes that are easily made with tables are caught.
func TestPlantedTable(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of big fractions")
	}
	table := must(NewTable(TableParams{Base: base(3, 1), Sizes: []uint64{2, 2}}))
	claim := claimOf(table.Loss(1))
	caught := func(name string, release func(coin.Source, []Values) ([]int64, error)) {
		t.Helper()
		audittest.Caught(t, audit.Audit[fourCounts]{Name: name,
			Space: audit.Space{Persons: 2, Values: 6}, Claim: claim, Law: tableLaw(release)})
	}
	// as if only one count changed: the sensitivity of somebody who comes or goes
	half := must(NewTable(TableParams{Base: base(9, 1), Sizes: []uint64{2, 2}}))
	caught("table with the noise of L1 = 1",
		func(src coin.Source, columns []Values) ([]int64, error) {
			return half.Release(src, columns, nil)
		})
	caught("table whose margin is counted and not paid for",
		func(src coin.Source, columns []Values) ([]int64, error) {
			counts, err := table.Release(src, columns, nil)
			if err != nil {
				return nil, err
			}
			exact := must(table.exact(Crossed(columns, table.sizes), nil, 1, nil))
			counts[0] = exact[0] + exact[1] - counts[1]
			return counts, nil
		})
	caught("table that hides the cells that are empty",
		func(src coin.Source, columns []Values) ([]int64, error) {
			counts, err := table.Release(src, columns, nil)
			if err != nil {
				return nil, err
			}
			for i, n := range must(table.exact(Crossed(columns, table.sizes), nil, 1, nil)) {
				if n == 0 {
					counts[i] = 0
				}
			}
			return counts, nil
		})
}

// TestTable: places are combined, rows without one count nowhere, and counted rows count for as
// many.
func TestTable(t *testing.T) {
	table := must(NewTable(TableParams{Epsilon: epsilon("100"), Sizes: []uint64{2, 3}}))
	first := column{0, 0, 1, 1, -1, 1}
	second := column{0, 2, 1, 1, 1, 3} // H: sums.md in-codes
	got := must(table.Release(coin.NewSeeded(1), []Values{first, second}, nil))
	if want := []int64{1, 0, 1, 0, 2, 0}; !slices.Equal(got, want) {
		t.Errorf("counts are %v, want %v", got, want)
	}
	counted := WithCounts(first, []uint64{1, 2, 3, 4, 5, 6})
	got = must(table.Release(coin.NewSeeded(1), []Values{counted, second}, nil))
	if want := []int64{1, 0, 2, 0, 7, 0}; !slices.Equal(got, want) {
		t.Errorf("counts of counted rows are %v, want %v", got, want)
	}
	if table.Cells() != 6 {
		t.Errorf("%d cells, want 6", table.Cells())
	}
	// H: sums.md cells
	for _, sizes := range [][]uint64{nil, {0}, {2, 2, 2, 2, 2}, {1 << 10, 1 << 11}} {
		_, err := NewTable(TableParams{Epsilon: epsilon("1"), Sizes: sizes})
		if err == nil {
			t.Errorf("sizes of %v are taken", sizes)
		}
	}
}
