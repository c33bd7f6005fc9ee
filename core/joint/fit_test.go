package joint

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/privacy"
)

// exact are the tables of people, as if they had been measured with this noise.
func exact(sizes []int, columns [][]uint8, stdDev float64) *Measured {
	m := pairsOf("1", "0.0000001", sizes)
	out := &Measured{Sizes: sizes, Persons: len(columns[0])}
	for _, t := range m.tables {
		out.Tables = append(out.Tables, Table{t.columns, stdDev, m.count(t.columns, columns, nil)})
	}
	return out
}

// town are people of four columns: the second follows the first, the third the second, and the last
// nothing.
func town(persons int) (sizes []int, columns [][]uint8) {
	sizes, columns = []int{4, 5, 3, 2}, make([][]uint8, 4)
	src := coin.NewSeeded(5)
	for range persons {
		first := src.Uniform(4)
		second := min(first+src.Uniform(2), 4)
		third := second % 3
		if src.Uniform(4) == 0 {
			third = src.Uniform(3)
		}
		for i, place := range []uint64{first, second, third, src.Uniform(2)} {
			columns[i] = append(columns[i], uint8(place))
		}
	}
	return sizes, columns
}

// TestFit: where there is little noise, pairs are met closely, and triples, which follow from them
// here, as well; several times closer than by independent columns.
func TestFit(t *testing.T) {
	sizes, people := town(20000)
	model := must(Fit(coin.NewSeeded(1), exact(sizes, people, 20), nil))
	made := columnsOf(model)
	if model.Rows() != 20000 {
		t.Errorf("%d rows", model.Rows())
	}
	if off := distance(people, made, sizes, 2); off > .012 {
		t.Errorf("pairs are off by %v", off)
	}
	if off := distance(people, made, sizes, 3); off > .03 {
		t.Errorf("triples are off by %v", off)
	}
	alone := noisySingles(coin.NewSeeded(2), people, sizes, must(
		privacy.RhoFor(epsilon("1"), delta("0.0000001"))))
	if off := distance(people, alone, sizes, 2); off < .1 {
		t.Errorf("independent columns are off by %v: the people do not need a fit", off)
	}
}

// TestFitIndependent: of columns that have nothing to do with each other rows are not much farther
// from them than by independent columns, and the fit is short.
func TestFitIndependent(t *testing.T) {
	sizes, people := town(20000)
	src := coin.NewSeeded(3)
	for i := range people {
		for k := range people[i] {
			other := src.Uniform(uint64(k + 1))
			people[i][k], people[i][other] = people[i][other], people[i][k]
		}
	}
	p := PairsParams{Epsilon: epsilon("0.1"), Delta: delta("0.0000001"), Sizes: sizes}
	measured := must(must(NewPairs(p)).Release(src, people, nil))
	sweeps := 0
	model := must(Fit(src, measured, func(done, total int64) error {
		sweeps = int(done*MostSweeps/total) + 1
		return nil
	}))
	alone := distance(people, noisySingles(src, people, sizes,
		must(privacy.RhoFor(p.Epsilon, p.Delta))), sizes, 2)
	if off := distance(people, columnsOf(model), sizes, 2); off > 1.5*alone+.01 {
		t.Errorf("off by %v, independent columns by %v", off, alone)
	}
	if sweeps > MostSweeps*9/10 {
		t.Errorf("%d sweeps of %d", sweeps, MostSweeps)
	}
}

// TestFitAlone: with tables of one column, rows of columns that have nothing to do with each other
// are nearer to the people than independent columns of as many persons are by chance, and those of
// columns that have are as near as without these tables. The made-up rows of a saved model are the
// same.
func TestFitAlone(t *testing.T) {
	sizes, people := town(20000)
	p := PairsParams{Epsilon: epsilon("1"), Delta: delta("0.0000001"), Sizes: sizes}
	p.Alone = must(PartAlone(p, 20000))
	measured := must(must(NewPairs(p)).Release(coin.NewSeeded(3), people, nil))
	model := must(Fit(coin.NewSeeded(4), measured, nil))
	if off := distance(people, columnsOf(model), sizes, 2); off > .02 {
		t.Errorf("off by %v", off)
	}
	src := coin.NewSeeded(3)
	for i := range people {
		for k := range people[i] {
			other := src.Uniform(uint64(k + 1))
			people[i][k], people[i][other] = people[i][other], people[i][k]
		}
	}
	ours, alone := 0.0, 0.0
	for seed := range coin.Seed(6) {
		p.Epsilon = epsilon("0.2")
		p.Alone = must(PartAlone(p, 20000))
		measured := must(must(NewPairs(p)).Release(coin.NewSeeded(seed), people, nil))
		model := must(Fit(coin.NewSeeded(seed), measured, nil))
		ours += distance(people, columnsOf(model), sizes, 2)
		alone += distance(people, noisySingles(coin.NewSeeded(seed+9), people, sizes,
			must(privacy.RhoFor(p.Epsilon, p.Delta))), sizes, 2)
	}
	if ours > 1.1*alone {
		t.Errorf("off by %v, independent columns by %v", ours/6, alone/6)
	}
}

// TestGoal: with tables of one column every table has the same sums, means of all counts of a
// column by the inverse of their variances. Where interactions are noise, there are none.
func TestGoal(t *testing.T) {
	m := &Measured{Sizes: []int{2, 2}, Persons: 1000,
		Tables:  []Table{{[2]int{0, 1}, 1, []int64{400, 100, 100, 400}}},
		Singles: []Single{{1, []int64{530, 470}}, {2, []int64{500, 500}}}}
	shares := m.singles()
	if want := .52; math.Abs(shares[0][0]-want) > 1e-9 { // variances 2 and 1
		t.Errorf("%v, want %v", shares[0], want)
	}
	g := newGoal(m, shares)
	for place := range 2 {
		if sum := g.tables[0][2*place] + g.tables[0][2*place+1]; math.Abs(sum-
			1000*shares[0][place]) > 1e-6 {
			t.Errorf("place %d: %v", place, sum)
		}
	}
	if off := g.tables[0][0] - g.tables[0][1] - g.tables[0][2] + g.tables[0][3]; math.Abs(off-
		600) > 1e-6 {
		t.Errorf("the interaction is %v", off)
	}
	m.Tables[0].StdDev, m.Tables[0].Counts = 300, []int64{400, 100, 140, 360}
	g = newGoal(m, m.singles())
	for cell, count := range independent(m, m.singles())[0] {
		if math.Abs(g.tables[0][cell]-count) > 1e-6 {
			t.Errorf("noise is taken for an interaction: %v", g.tables[0])
		}
	}
}

// TestFitBelowZero: a count below 0 leaves its cell nearly empty, and where the tables contradict
// each other the fit ends as near as it comes.
func TestFitBelowZero(t *testing.T) {
	m := &Measured{Sizes: []int{2, 2}, Persons: 1000, Tables: []Table{
		{[2]int{0, 1}, 5, []int64{600, -40, 10, 430}}}}
	model := must(Fit(coin.NewSeeded(1), m, nil))
	counts := make([]int, 4)
	for row := range model.Rows() {
		at := model.Row(row)
		counts[2*at[0]+at[1]]++
	}
	if counts[1] > 20 || counts[0] < 560 || counts[3] < 400 || model.Rows() != leastRows {
		t.Errorf("%v of %d rows", counts, model.Rows())
	}
	// three columns, of which each two always differ
	m = &Measured{Sizes: []int{2, 2, 2}, Persons: 2000}
	for _, of := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
		m.Tables = append(m.Tables, Table{of, 3, []int64{0, 1000, 1000, 0}})
	}
	model = must(Fit(coin.NewSeeded(1), m, nil))
	same := 0
	for row := range model.Rows() {
		if at := model.Row(row); at[0] == at[1] {
			same++
		}
	}
	// of three yes or no answers two are the same: a third of the pairs at least
	if part := float64(same) / float64(model.Rows()); math.Abs(part-1.0/3) > .03 {
		t.Errorf("%v of the rows have the first two alike, want a third", part)
	}
}

// TestPulled: four tables at a time add up to the same bits as one after the other.
func TestPulled(t *testing.T) {
	src, size := coin.NewSeeded(1), 7
	number := func() float64 { return float64(src.Uniform(1<<53)) / float64(1+src.Uniform(1<<40)) }
	for tables := range 10 {
		row := make([]uint8, tables)
		var links []link
		for k := range row {
			row[k] = uint8(src.Uniform(3))
			l := link{other: k}
			for range 3 * size {
				l.pull = append(l.pull, number()-number())
			}
			links = append(links, l)
		}
		got, want := make([]float64, size), make([]float64, size)
		for place := range want {
			want[place] = number()
			got[place] = want[place]
			for _, l := range links {
				want[place] += l.pull[int(row[l.other])*size+place]
			}
		}
		(&chain{}).pulled(got, row, links)
		if !slices.Equal(got, want) {
			t.Errorf("%d tables: %v, want %v", tables, got, want)
		}
	}
}

// TestFitLarge: of more persons than rows, a row stands for several.
func TestFitLarge(t *testing.T) {
	sizes, people := town(2000)
	m := exact(sizes, people, 2000)
	m.Persons *= 1000
	for k := range m.Tables {
		for cell := range m.Tables[k].Counts {
			m.Tables[k].Counts[cell] *= 1000
		}
	}
	if testing.Short() {
		t.Skip("seconds of sweeps")
	}
	model := must(Fit(coin.NewSeeded(1), m, nil))
	if off := distance(people, columnsOf(model), sizes, 2); off > .015 || model.Rows() != mostRows {
		t.Errorf("%d rows, off by %v", model.Rows(), off)
	}
}

func TestFitCancelled(t *testing.T) {
	sizes, people := town(3000)
	stop, calls := errors.New("stop"), 0
	_, err := Fit(coin.NewSeeded(1), exact(sizes, people, 5), func(done, total int64) error {
		if done < 0 || done >= total {
			t.Errorf("%d of %d", done, total)
		}
		if calls++; calls == 20 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || calls != 20 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

// TestModel: a model is read as it was written, and what is none is refused.
func TestModel(t *testing.T) {
	sizes, people := town(3000)
	model := must(Fit(coin.NewSeeded(1), exact(sizes, people, 5), nil))
	text := must(json.Marshal(model))
	var read Model
	if err := json.Unmarshal(text, &read); err != nil || !slices.Equal(read.rows, model.rows) ||
		read.Rows() != 3000 || !slices.Equal(read.Strengths, model.Strengths) {
		t.Errorf("%v: %d rows", err, len(read.rows))
	}
	for name, change := range map[string]func(m *Model){
		"no tables":     func(m *Model) { m.Measured = nil },
		"other sizes":   func(m *Model) { m.Measured.Sizes[0] = 5 },
		"nobody":        func(m *Model) { m.Measured.Persons = 0 },
		"no noise":      func(m *Model) { m.Measured.Tables[0].StdDev = 0 },
		"fewer counts":  func(m *Model) { m.Measured.Tables[0].Counts = nil },
		"no strength":   func(m *Model) { m.Strengths[0] = 0 },
		"few strengths": func(m *Model) { m.Strengths = m.Strengths[1:] },
		"fewer rows":    func(m *Model) { m.Packed = m.Packed[1:] },
		"another place": func(m *Model) { m.Packed[0] = 0xff },
	} {
		var changed Model
		if err := json.Unmarshal(text, &changed); err != nil {
			t.Fatal(err)
		}
		change(&changed)
		if err := json.Unmarshal(must(json.Marshal(&changed)), &read); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestDraw: the first rows are those of the model, and further ones are others that fit as well.
func TestDraw(t *testing.T) {
	sizes, people := town(5000)
	model := must(Fit(coin.NewSeeded(1), exact(sizes, people, 20), nil))
	if most := model.Most(1_000_000); most != 1_000_000 || model.Most(7) != 7 {
		t.Errorf("%d rows of few columns", most)
	}
	wide := slices.Repeat([]int{50}, 20)
	large := &Model{Measured: &Measured{Sizes: wide}, rows: make([]uint8, 36000*len(wide))}
	for _, of := range must(checkPairs(wide, nil)) {
		large.Measured.Tables = append(large.Measured.Tables, Table{Columns: of})
	}
	if most := large.Most(50_000); most != 36000 {
		t.Errorf("%d rows of many columns, want those of the model alone", most)
	}
	for _, rows := range []int{1, 5000, 12000} {
		drawn := make([][]uint8, len(sizes))
		if err := model.Draw(coin.NewSeeded(2), rows, func(row []uint8) {
			for i, place := range row {
				drawn[i] = append(drawn[i], place)
			}
		}); err != nil {
			t.Fatal(err)
		}
		if len(drawn[0]) != rows || drawn[0][0] != model.Row(0)[0] {
			t.Fatalf("%d rows, want %d", len(drawn[0]), rows)
		}
		if rows < 12000 {
			continue
		}
		second, moved := make([][]uint8, len(sizes)), 0
		for i := range drawn {
			second[i] = drawn[i][5000:10000]
			for row, place := range second[i] {
				if place != drawn[i][row] {
					moved++
				}
			}
		}
		if off := distance(people, second, sizes, 2); off > .02 {
			t.Errorf("further rows are off by %v", off)
		}
		if moved < 5000 {
			t.Errorf("only %d values of further rows are others", moved)
		}
	}
}

// TestExp: the logarithm of a chance is as good as that of the library.
func TestExp(t *testing.T) {
	for x := -39.9; x <= 0; x += 0.013 {
		if off := math.Abs(exp(x)/math.Exp(x) - 1); off > 1e-7 {
			t.Fatalf("exp(%v) is off by %v", x, off)
		}
	}
	if exp(-41) != 0 || exp(math.Inf(-1)) != 0 || exp(0) != 1 {
		t.Error("ends")
	}
}

// BenchmarkFit is about as many people as the Adult data have: ten columns as there, and twenty of
// 50 places.
func BenchmarkFit(b *testing.B) {
	for name, sizes := range map[string][]int{
		"10": {10, 9, 16, 7, 15, 6, 2, 4, 4, 2}, "20 of 50": slices.Repeat([]int{50}, 20)} {
		b.Run(name, func(b *testing.B) {
			src, columns := coin.NewSeeded(1), make([][]uint8, len(sizes))
			for range 36000 {
				common := src.Uniform(1000)
				for i, size := range sizes {
					place := src.Uniform(uint64(size))
					if src.Uniform(2) == 0 {
						place = common * uint64(size) / 1000
					}
					columns[i] = append(columns[i], uint8(place))
				}
			}
			m := must(pairsOf("1", "0.0000001", sizes).Release(src, columns, nil))
			b.ResetTimer()
			sweeps := int64(0)
			for range b.N {
				must(Fit(src, m, func(done, total int64) error {
					sweeps = done*MostSweeps/total + 1
					return nil
				}))
			}
			b.ReportMetric(float64(sweeps), "sweeps")
		})
	}
}
