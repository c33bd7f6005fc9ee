package query

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/privacy"
)

// categorical are columns of this many categories each, of which the first is none.
func categorical(sizes ...int) (columns []Column) {
	from := 0
	for _, size := range sizes {
		var column Column
		for range size - 1 {
			column, from = append(column, Set{}.With(from)), from+1
		}
		columns = append(columns, column)
	}
	return columns
}

// persons are records of people who are in these categories of categorical columns.
func personsIn(sizes []int, codes ...[]int) *Records {
	size := sizeOf(categorical(sizes...))
	r := must(NewRecords(len(codes), size))
	for person, code := range codes {
		from := -1
		for i, c := range code {
			if c > 0 {
				r.Yes(person, from+c)
			}
			from += sizes[i] - 1
		}
	}
	return r
}

// margins are all tables of this many of some columns.
func margins(columns, width int) (all []Margin) {
	for _, s := range subsets(columns, width) {
		if s.Len() == width {
			all = append(all, Margin{Columns: s.Members()})
		}
	}
	return all
}

// near fails where numbers are not equal, but for rounding.
func near(t *testing.T, name string, have []float64, want ...float64) {
	t.Helper()
	if len(have) != len(want) {
		t.Fatalf("%s: %v, want %v", name, have, want)
	}
	for i := range want {
		if math.Abs(have[i]-want[i]) > 1e-9*max(1, math.Abs(want[i])) {
			t.Fatalf("%s: %v, want %v", name, have, want)
		}
	}
}

// TestResidualVector is the exact vector of the specification: contrasts, squared sensitivities,
// residuals from given noise, tables, variances and prices at σ = 1.
func TestResidualVector(t *testing.T) {
	columns := categorical(2, 3)
	m := must(newResiduals(columns, margins(2, 2)))
	var people [][]int
	for cell, count := range []int{3, 1, 0, 2, 2, 4} {
		for range count {
			people = append(people, []int{cell / 3, cell % 3})
		}
	}
	records := personsIn([]int{2, 3}, people...)
	exact := must(m.exact(records, nil))
	if want := []int64{-4, 4, 3, -3, 0, 7, 1, -8, -7, -1, 8}; !slices.Equal(exact, want) {
		t.Fatalf("contrasts %v, want %v", exact, want)
	}
	for i, want := range []uint64{8, 18, 48} {
		most := uint64(0)
		for d := uint64(1); d < 4; d++ {
			most = max(most, m.columns.contrastMoves(m.residuals[i].has[0], d))
		}
		if most != want {
			t.Errorf("sensitivity of residual %d: %d, want %d", i, most, want)
		}
	}
	for i, z := range []int64{1, -2, 0, 3, -1, 2, -1, 0, 1, 4, -3} {
		exact[i] += z
	}
	r := &Release{Format: format, Method: ByResiduals, Kind: Conjunctions, Size: 3, Persons: 12,
		Columns: columns, Counts: exact}
	for _, residual := range m.residuals {
		r.Residuals = append(r.Residuals, Residual{residual.columns, 1})
	}
	r = reopened(t, r)
	open := must(r.opened())
	near(t, "residual of 0", r.part(open, Set{1}).persons, -5./4, 5./4)
	near(t, "residual of 1", r.part(open, Set{2}).persons, 7./9, -2./9, -5./9)
	near(t, "residual of both", r.part(open, Set{3}).persons, 23./18, -2./9, -19./18, -23./18,
		2./9, 19./18)
	for _, c := range []struct {
		columns  []int
		variance float64
		persons  []float64
	}{
		{[]int{0}, 1. / 2, []float64{19. / 4, 29. / 4}},
		{[]int{1}, 2. / 3, []float64{43. / 9, 34. / 9, 31. / 9}},
		{[]int{0, 1}, 5. / 9, []float64{13. / 4, 5. / 4, 1. / 4, 55. / 36, 91. / 36, 115. / 36}},
	} {
		table := must(r.Table(c.columns...))
		near(t, "table", table.Persons, c.persons...)
		near(t, "variance", []float64{table.StdDev * table.StdDev}, c.variance)
	}
	for d, want := range []float64{5. / 3, 3. / 2, 13. / 6} {
		price := 0.0
		for _, residual := range m.residuals {
			cells := float64(residual.cells)
			price += float64(m.columns.contrastMoves(residual.has[0], uint64(d)+1)) /
				(2 * cells * cells)
		}
		near(t, "price", []float64{price}, want)
	}
	a := must(r.Ask(set(3, 1, 3)))
	near(t, "a conjunction", []float64{a.Persons, a.Noise * a.Noise}, 115./36, 5./9)
	a = must(r.AskAny(set(3, 1, 3))) // all but the cells of 0 with 0 or 1
	near(t, "a disjunction", []float64{a.Persons}, 12-13./4-5./4)
}

// TestResidualMoves compares the price of random weights with the largest weighted change of exact
// contrasts between any two persons, over many shapes: never above, and attained; and each residual
// alone with its closed form.
func TestResidualMoves(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 2))
	shapes := [][]int{{2}, {3}, {7}, {2, 2}, {2, 3}, {4, 3}, {5, 5}, {2, 2, 2}, {2, 3, 4},
		{3, 3, 3}, {4, 2, 3}, {2, 2, 2, 2}, {3, 2, 2, 3}, {2, 2, 2, 2, 2}}
	for _, sizes := range shapes {
		for width := 1; width <= min(len(sizes), mostOfMargin); width++ {
			columns := categorical(sizes...)
			m := must(newResiduals(columns, margins(len(sizes), width)))
			for trial := range 3 {
				weights := make([]uint64, len(m.residuals))
				for i := range weights {
					weights[i] = m.residuals[i].weight
					if trial > 0 {
						weights[i] = random.Uint64N(9)
					}
				}
				price := m.columns.priceOf(maskOf(m), weights)
				if trial == 0 && price != m.price {
					t.Errorf("%v: price %d, says %d", sizes, price, m.price)
				}
				if most := largest(t, m, sizes, weights); most != price {
					t.Errorf("%v, width %d: %d, claimed %d", sizes, width, most, price)
				}
			}
			for i, r := range m.residuals {
				alone := make([]uint64, len(m.residuals))
				alone[i] = 1
				c := m.columns.sizes(r.columns)
				slices.Sort(c)
				want := 2 * uint64(c[0]*c[0])
				for _, c := range c[1:] {
					want *= uint64(c * (c - 1))
				}
				if most := largest(t, m, sizes, alone); most != want {
					t.Errorf("%v, residual of %v: %d, want %d", sizes, r.columns, most, want)
				}
			}
		}
	}
}

// maskOf are the columns of each residual.
func maskOf(m *Residuals) (sets []uint64) {
	for _, r := range m.residuals {
		sets = append(sets, r.has[0])
	}
	return sets
}

// largest is the largest sum of the squares of moves times weights between two persons.
func largest(t *testing.T, m *Residuals, sizes []int, weights []uint64) (most uint64) {
	var all [][]int64
	count := 1
	for _, c := range sizes {
		count *= c
	}
	for cell := range count {
		code, rest := make([]int, len(sizes)), cell
		for i, c := range sizes {
			code[i], rest = rest%c, rest/c
		}
		all = append(all, must(m.exact(personsIn(sizes, code), nil)))
	}
	for _, a := range all {
		for _, b := range all {
			sum := uint64(0)
			for i, r := range m.residuals {
				for k := r.at; k < r.at+r.cells; k++ {
					move := weights[i] * uint64(distance(a[k], b[k]))
					sum += move * move
				}
			}
			most = max(most, sum)
		}
	}
	return most
}

// TestResidualPlan: no division of the loss found by chance is better, and prices are far below the
// sum of the worst of each residual.
func TestResidualPlan(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 1))
	for _, c := range []struct {
		sizes []int
		width int
		gain  float64 // of the variance, over the closed form for a sum of maxima
	}{{[]int{2, 2, 2, 2, 2, 2, 2, 2}, 2, 1.5}, {[]int{2, 2, 2, 2, 2, 2, 2, 2}, 3, 1.6},
		{[]int{10, 8, 16, 7, 6}, 2, 1.1}, {[]int{2, 3, 4}, 2, 1.2}, {[]int{5}, 1, 1}} {
		of := must(newPartition(sizeOf(categorical(c.sizes...)), categorical(c.sizes...)))
		plan := must(of.plan(margins(len(c.sizes), c.width)))
		values := make([]float64, len(plan.sets))
		for i, set := range plan.sets {
			for _, margin := range margins(len(c.sizes), c.width) {
				columns := must(NewSet(len(c.sizes), margin.Columns...))
				if (Set{set}).Within(columns) {
					values[i] += of.ofCell(Set{set}, columns)
				}
			}
		}
		variance := func(weights []uint64) (sum float64) {
			price := float64(of.priceOf(plan.sets, weights))
			for i, weight := range weights {
				wide := float64(weight) * of.cellsOf(plan.sets[i])
				sum += values[i] * price / (2 * wide * wide)
			}
			return sum
		}
		best := variance(plan.weights)
		for range 300 {
			other := slices.Clone(plan.weights)
			for i := range other {
				if random.IntN(3) == 0 {
					other[i] = uint64(float64(other[i]) * (0.8 + 0.4*random.Float64()))
				}
			}
			if found := variance(other); found < best*0.997 {
				t.Fatalf("%v, width %d: %g, found %g", c.sizes, c.width, best, found)
			}
		}
		closed := make([]uint64, len(plan.sets))
		for i, set := range plan.sets {
			worst := 0.0
			for d := uint64(1); d < 1<<len(c.sizes); d++ {
				worst = max(worst, float64(of.contrastMoves(set, d)))
			}
			cells := of.cellsOf(set)
			precision := math.Sqrt(values[i] * 2 * cells * cells / worst)
			closed[i] = uint64(1 << 24 * math.Sqrt(precision) / cells)
		}
		sum := 0.0
		for i, weight := range closed { // priced as the sum of the worst of each
			worst := uint64(0)
			for d := uint64(1); d < 1<<len(c.sizes); d++ {
				worst = max(worst, of.contrastMoves(plan.sets[i], d))
			}
			sum += float64(weight) * float64(weight) * float64(worst)
		}
		apart := 0.0
		for i, weight := range closed {
			wide := float64(weight) * of.cellsOf(plan.sets[i])
			apart += values[i] * sum / (2 * wide * wide)
		}
		t.Logf("%v, width %d: variance %.4g of the closed form's, %.4g with the joint price",
			c.sizes, c.width, best/apart, variance(closed)/apart)
		if best*c.gain > apart*1.001 || best > variance(closed)*1.003 {
			t.Errorf("%v, width %d: %g, the closed form has %g, jointly %g", c.sizes, c.width, best,
				apart, variance(closed))
		}
	}
}

// TestResiduals: without noise every table and every conjunction of its columns comes back; answers
// are linear in the values, with the standard deviations that they say.
func TestResiduals(t *testing.T) {
	records := randomTables(rand.New(rand.NewPCG(1, 9)), 400, 7, mixed())
	of := must(newPartition(7, mixed()))
	fitted := of.fitted(records)
	for width := 1; width <= 3; width++ {
		m := must(NewResiduals(ResidualsParams{Epsilon: epsilon("1"), Delta: delta("1e-6"),
			Columns: mixed(), Margins: margins(3, width)}))
		r := must(m.Release(coin.NewSeeded(2), records, nil))
		r.Counts = must(m.exact(records, nil))
		r = reopened(t, r)
		tables := exactTables(records, mixed(), width)
		for _, s := range subsets(3, 3) {
			table, err := r.Table(s.Members()...)
			if s.Len() > width {
				field(t, err, "columns")
				continue
			}
			truth := must(tables.Table(s.Members()...))
			near(t, "table", must(table, err).Persons, truth.Persons...)
			total := 0.0
			for _, persons := range table.Persons {
				total += persons
			}
			near(t, "total", []float64{total}, 400)
			near(t, "variance", []float64{table.StdDev}, spreadOf(m, r, func(r *Release) float64 {
				return must(r.Table(s.Members()...)).Persons[1]
			}))
		}
		for _, s := range everySet(7)[1:] {
			if touched(s) > width {
				_, err := r.Ask(s)
				field(t, err, "set")
				continue
			}
			a := must(r.Ask(s))
			near(t, "all of", []float64{a.Persons}, float64(trueCount(fitted, s)))
			near(t, "noise", []float64{a.Noise}, spreadOf(m, r, func(r *Release) float64 {
				return must(r.Ask(s)).Persons
			}))
			a = must(r.AskAny(s))
			near(t, "any of", []float64{a.Persons}, float64(Coverage{fitted}.Value(s)))
		}
	}
}

// spreadOf is the standard deviation of an answer that is linear in the values of a release.
func spreadOf(m *Residuals, r *Release, answer func(*Release) float64) float64 {
	const many = 1000 // persons, so that no answer is below 0 or above n
	moved := *r
	moved.Persons = many
	at := func() float64 {
		moved.tabled = nil
		return answer(&moved)
	}
	before, variance := at(), 0.0
	for i, residual := range m.residuals {
		for k := residual.at; k < residual.at+residual.cells; k++ {
			moved.Counts = slices.Clone(r.Counts)
			moved.Counts[k] += 100
			change := (at() - before) / 100
			wide := r.Residuals[i].StdDev * float64(residual.cells)
			variance += change * change * wide * wide
		}
	}
	return math.Sqrt(variance)
}

// TestTableOf: tables derived from tables of any width, through the residuals of them all, agree
// with each other and with n, and have their stated variance; their cells vary no more than the
// mean of the tables that have all the columns.
func TestTableOf(t *testing.T) {
	records := randomTables(rand.New(rand.NewPCG(2, 9)), 400, 7, mixed())
	for width := 1; width <= 3; width++ {
		m := must(NewTables(TablesParams{Epsilon: epsilon("1"), Columns: mixed(), Width: width}))
		r := reopened(t, must(m.Release(coin.NewSeeded(3), records, nil)))
		for _, s := range subsets(3, width) {
			table := must(r.Table(s.Members()...))
			variance := 0.0
			for i := range r.Counts {
				moved := *r
				moved.tabled, moved.Counts = nil, slices.Clone(r.Counts)
				moved.Counts[i] += 100
				change := (must(moved.Table(s.Members()...)).Persons[1] - table.Persons[1]) / 100
				variance += change * change * r.Noise * r.Noise
			}
			near(t, "variance", []float64{table.StdDev}, math.Sqrt(variance))
			if e := r.estimate(must(r.opened()), s); table.StdDev*table.StdDev >
				e.variance*(1-1/float64(len(e.persons)))+1e-9 {
				t.Errorf("width %d, %v: variance %g, of the mean %g", width, table.Columns,
					table.StdDev*table.StdDev, e.variance)
			}
			for drop := range table.Columns {
				fewer := slices.Delete(slices.Clone(table.Columns), drop, drop+1)
				sizes := table.Cells
				sum := make([]float64, len(table.Persons)/sizes[drop])
				at := 0
				lines(sizes, drop, func(start, apart int) {
					for k := range sizes[drop] {
						sum[at] += table.Persons[start+k*apart]
					}
					at++
				})
				near(t, "margin", must(r.Table(fewer...)).Persons, sum...)
			}
		}
	}
	weights := must(must(NewMWEM(MWEMParams{Epsilon: epsilon("1"), Width: 2, Rounds: 3})).
		Release(coin.NewSeeded(1), correlated(50, 4), nil))
	table := must(weights.Table(1, 3))
	near(t, "cell", []float64{table.Persons[3]}, must(weights.Ask(set(4, 2, 4))).Persons)
	_, err := weights.Table(3, 1)
	field(t, err, "columns")
	_, err = must(must(NewMarginals(MarginalsParams{Epsilon: epsilon("1"), Width: 1})).
		Release(coin.NewSeeded(1), correlated(50, 4), nil)).Table(0)
	field(t, err, "method")
}

// TestResidualsMeter: what a release draws is what its loss says, and on neighbours the contrasts
// move no further than they are priced.
func TestResidualsMeter(t *testing.T) {
	m := must(NewResiduals(ResidualsParams{Epsilon: epsilon("1"), Delta: delta("1e-6"),
		Columns: categorical(2, 3, 2), Margins: margins(3, 2)}))
	sizes := []int{2, 3, 2}
	var cells [][]int
	for cell := range 12 {
		cells = append(cells, []int{cell / 6, cell / 2 % 3, cell % 2})
	}
	for _, x := range cells {
		recorded := meter.Record(7)
		before := must(m.Release(recorded, personsIn(sizes, x, cells[5]), nil))
		for _, y := range cells {
			replayed := recorded.Replay()
			after := must(m.Release(replayed, personsIn(sizes, y, cells[5]), nil))
			if found := replayed.Violations(); found != nil {
				t.Fatal(found)
			}
			if !slices.Equal(before.Counts, after.Counts) {
				t.Fatal("a replay gives other counts")
			}
		}
	}
	metered := meter.New(coin.NewSeeded(7))
	must(m.Release(metered, personsIn(sizes, cells...), nil))
	if err := metered.Over(must(m.Loss(1))); err != nil {
		t.Error(err)
	}
}

// TestResidualNoise: a release is the contrasts and noise of the standard deviation that it says.
func TestResidualNoise(t *testing.T) {
	m := must(NewResiduals(ResidualsParams{Epsilon: epsilon("2"), Delta: delta("1e-6"),
		Columns: categorical(2, 3), Margins: margins(2, 2)}))
	records := personsIn([]int{2, 3}, []int{1, 2}, []int{0, 1})
	exact, squares := must(m.exact(records, nil)), make([]float64, len(m.residuals))
	const runs = 3000
	for seed := range coin.Seed(runs) {
		r := must(m.Release(coin.NewSeeded(seed), records, nil))
		for i, residual := range m.residuals {
			for k := residual.at; k < residual.at+residual.cells; k++ {
				off := float64(r.Counts[k]-exact[k]) / float64(residual.cells)
				squares[i] += off * off / float64(residual.cells) / runs
			}
			if seed == 0 && r.Residuals[i].StdDev != residual.noise.StdDev()/
				float64(residual.cells) {
				t.Error("another standard deviation than that of the noise")
			}
		}
	}
	for i, residual := range m.residuals {
		want := residual.noise.StdDev() / float64(residual.cells)
		if have := math.Sqrt(squares[i]); have < 0.95*want || have > 1.05*want {
			t.Errorf("residual %d has noise of %g, says %g", i, have, want)
		}
	}
}

func TestResidualRefusals(t *testing.T) {
	good := ResidualsParams{Epsilon: epsilon("1"), Delta: delta("1e-6"),
		Columns: categorical(2, 3, 4), Margins: margins(3, 2)}
	for want, changes := range map[string][]func(*ResidualsParams){
		// H: residuals.md some-epsilon
		"epsilon": {func(p *ResidualsParams) { p.Epsilon = privacy.Epsilon{} }},
		"delta":   {func(p *ResidualsParams) { p.Delta = delta("0") }}, // H: residuals.md delta
		"columns": {func(p *ResidualsParams) { p.Columns = []Column{{}} },
			// H: residuals.md tables
			func(p *ResidualsParams) { p.Columns = categorical(slices.Repeat([]int{2}, 11)...) }},
		// H: residuals.md tables
		"margins": {func(p *ResidualsParams) { p.Margins = nil },
			func(p *ResidualsParams) { p.Margins = []Margin{{}} },
			func(p *ResidualsParams) { p.Margins = []Margin{{Columns: []int{3}}} },
			func(p *ResidualsParams) { p.Margins = []Margin{{Columns: []int{1, 0}}} },
			func(p *ResidualsParams) { p.Margins = []Margin{{Columns: []int{1, 1}}} },
			func(p *ResidualsParams) { p.Margins = append(p.Margins, p.Margins[0]) },
			func(p *ResidualsParams) { p.Margins[0].Weight = 1<<20 + 1 },
			func(p *ResidualsParams) {
				// H: residuals.md cells
				p.Columns = categorical(1<<11, 1<<11)
				p.Margins = margins(2, 2)
			},
			func(p *ResidualsParams) {
				p.Columns, p.Epsilon = categorical(1<<10, 1<<9), epsilon("0.000001")
				p.Margins = margins(2, 2)
			},
			func(p *ResidualsParams) {
				p.Columns = categorical(2, 2, 2, 2, 2)
				p.Margins = []Margin{{Columns: []int{0, 1, 2, 3, 4}}}
			},
			func(p *ResidualsParams) { // H: residuals.md cells
				p.Columns, p.Margins = categorical(1<<10, 1<<9, 1<<9), margins(3, 2)
			}},
	} {
		for i, change := range changes {
			p := good
			p.Margins = slices.Clone(good.Margins)
			change(&p)
			_, err := NewResiduals(p)
			if err == nil {
				t.Errorf("%s %d: accepted", want, i)
				continue
			}
			field(t, err, want)
		}
	}
	m := must(NewResiduals(good))
	_, err := m.Release(coin.NewSeeded(1), correlated(5, 2), nil) // H: residuals.md fits
	field(t, err, "columns")
	r := must(m.Release(coin.NewSeeded(1), correlated(5, 6), nil))
	for want, changes := range map[string][]func(*Release){
		"counts":  {func(r *Release) { r.Counts = r.Counts[1:] }},
		"columns": {func(r *Release) { r.Columns = r.Columns[1:] }},
		"residuals": {func(r *Release) { r.Residuals[0].Columns = []int{9} },
			func(r *Release) { r.Residuals[4].Columns = []int{2, 0} },
			func(r *Release) { r.Residuals[0].StdDev = 0 },
			func(r *Release) { r.Residuals[1].Columns = nil },
			func(r *Release) { r.Residuals, r.Counts = r.Residuals[1:], r.Counts[2:] }},
	} {
		for i, change := range changes {
			broken := *reopened(t, r)
			broken.tabled = nil
			change(&broken)
			_, err := read(must(json.Marshal(&broken)))
			if err == nil {
				t.Errorf("%s %d: accepted", want, i)
				continue
			}
			field(t, err, want)
		}
	}
}

// TestChooseTables: the forecast of each way is the noise that its tables say, on any data, and the
// best is first.
func TestChooseTables(t *testing.T) {
	for _, c := range []struct {
		name    string
		size    int
		columns []Column
		width   int
		delta   string
		first   string
		number  int
	}{
		{"eight attributes, pairs", 8, nil, 2, "0", "full", 3},
		{"eight attributes, pairs", 8, nil, 2, "1e-6", "residuals", 4},
		{"eight attributes, threes", 8, nil, 3, "1e-6", "full", 4},
		{"eight attributes, threes", 8, nil, 3, "1e-2", "residuals", 4},
		{"one column", 4, categorical(5), 1, "1e-6", "independent", 2},
		{"five columns", 17, categorical(4, 5, 3, 6, 4), 2, "0", "independent", 2},
		{"nine columns", 27, categorical(4, 4, 4, 4, 4, 4, 4, 4, 4), 2, "1e-6", "residuals", 2},
		{"eleven columns", 33, categorical(slices.Repeat([]int{4}, 11)...), 2, "1e-6",
			"independent", 1},
	} {
		p := ChoiceParams{Epsilon: epsilon("1"), Delta: delta(c.delta), Persons: 5000, Size: c.size,
			Width: c.width, Columns: c.columns}
		choices := must(ChooseTables(p))
		if choices[0].Name != c.first || len(choices) != c.number {
			var names []string
			for _, choice := range choices {
				names = append(names, choice.Name)
			}
			t.Errorf("%s, δ = %s: %s", c.name, c.delta, strings.Join(names, ", "))
		}
		records := correlated(50, c.size)
		last := 0.0
		for _, choice := range choices {
			if choice.Error < last {
				t.Errorf("%s: %s is better than the one before", c.name, choice.Name)
			}
			last = choice.Error
			r := must(must(choice.New()).Release(coin.NewSeeded(1), records, nil))
			if choice.Name == "MWEM" {
				continue
			}
			mean, number := 0.0, 0.0
			columns := len(must(newPartition(c.size, c.columns)).columns)
			for _, m := range margins(columns, c.width) {
				mean += normalMean * must(r.Table(m.Columns...)).StdDev
				number++
			}
			if off := mean / number / 5000; math.Abs(off-choice.Error) > 0.03*off {
				t.Errorf("%s: %s says %g, expected %g", c.name, choice.Name, off, choice.Error)
			}
		}
	}
	for want, p := range map[string]ChoiceParams{
		"epsilon": {Persons: 1, Size: 1, Width: 1},
		"width":   {Epsilon: epsilon("1"), Persons: 1, Size: 1, Width: 2},
		"columns": {Epsilon: epsilon("1"), Persons: 1, Size: 1, Width: 1, Columns: []Column{{}}},
	} {
		_, err := ChooseTables(p)
		field(t, err, want)
	}
}
