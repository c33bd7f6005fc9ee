package joint

import (
	"math"
	"slices"
	"testing"

	"hush/core/coin"
)

// TestColumnSums: the sums of one column by all tables are off by no more than is said in 95 of 100
// releases, and in 95 of 100 by not much less: the bound is that of the worse of both noises. Of
// eight columns they are known more than twice as well as by one table.
func TestColumnSums(t *testing.T) {
	const releases, beta = 400, .05
	sizes := []int{4, 2, 5, 3, 6, 4, 2, 5}
	people, truth := make([][]uint8, len(sizes)), make([][]float64, len(sizes))
	for column, size := range sizes {
		truth[column] = make([]float64, size)
		for person := range 600 { // crowds, ties, and a place with nobody
			place := person * (column + 3) / 7 % size
			if place == size-1 || person%5 == 0 {
				place = 0
			}
			people[column] = append(people[column], uint8(place))
			truth[column][place]++
		}
	}
	for _, c := range []struct {
		epsilon, delta string
		alone          int64
	}{{"1", "0", 0}, {"2", "0", 40}, {"1", "0.0000001", 0}, {"8", "0.0000001", 40},
		{"30", "0", 0}} {
		by := must(NewPairs(PairsParams{Epsilon: epsilon(c.epsilon), Delta: delta(c.delta),
			Sizes: sizes, Alone: c.alone}))
		src, off := coin.NewSeeded(5), make([][]float64, len(sizes))
		bound, narrower := make([]float64, len(sizes)), 0.0
		for release := range releases {
			m := must(by.Release(src, people, nil))
			for column := range sizes {
				s, ok := m.ColumnSums(column)
				if !ok {
					t.Fatal("no table has a column")
				}
				all := 0.0
				for place, persons := range s.Persons {
					all += persons
					off[column] = append(off[column], math.Abs(persons-truth[column][place]))
				}
				if math.Abs(all-600) > 1e-6 {
					t.Fatalf("%v people", all)
				}
				if release > 0 {
					continue // the bound is the same
				}
				bound[column] = s.Bound(beta)
				for _, one := range m.Tables { // as a sum of one table was bounded
					if one.Columns[0] == column {
						cells := float64(sizes[one.Columns[1]])
						narrower = max(narrower, 2.12*one.StdDev*math.Sqrt(cells)/bound[column])
					}
				}
			}
		}
		for column, list := range off {
			slices.Sort(list)
			beyond := 0
			for _, x := range list {
				if x > bound[column] {
					beyond++
				}
			}
			// of one release the places go together; 5 % of 400 is 20, with a standard deviation
			// of 4.4: 40 has a chance below 10^-4
			if part := float64(beyond) / float64(len(list)); part > .1 {
				t.Errorf("ε = %s, δ = %s, column %d: %.3f are beyond ± %.1f", c.epsilon, c.delta,
					column, part, bound[column])
			}
			if within := list[len(list)*95/100]; bound[column] > 1.2*within {
				t.Errorf("ε = %s, δ = %s, column %d: ± %.1f, 95 of 100 are within %.1f", c.epsilon,
					c.delta, column, bound[column], within)
			}
		}
		if narrower < 2.5 {
			t.Errorf("ε = %s, δ = %s: at best %.2f times narrower than one table", c.epsilon,
				c.delta, narrower)
		}
	}
	// A column that no table has is not known.
	m := &Measured{Sizes: []int{2, 2, 2}, Persons: 3, Tables: []Table{{Columns: [2]int{0, 1},
		StdDev: 1, Counts: []int64{1, 1, 1, 0}}}}
	if _, ok := m.ColumnSums(2); ok {
		t.Error("a column without a table has sums")
	}
}
