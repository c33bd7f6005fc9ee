package query

import (
	"bufio"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/coin"
)

// adult names the Adult data as whole numbers by column ("age,workclass,…"), which is not part of
// the project; without it, made-up records stand in.
var adult = flag.String("adult", "", "the Adult data, for TestCompare")

// compare asks for TestCompare, which prints and takes minutes.
var compare = flag.Bool("compare", false, "compare the methods' errors")

// attribute is a yes/no question about a row of the Adult data: value at least, or equal to, a
// public constant.
type attribute struct {
	column string
	equal  bool
	value  int
}

// adultAttributes lists 64; the first 16 and 32 of them are used on their own. Ages are counted
// from 17.
func adultAttributes() (list []attribute) {
	is := func(column string, value int) { list = append(list, attribute{column, true, value}) }
	from := func(column string, values ...int) {
		for _, v := range values {
			list = append(list, attribute{column, false, v})
		}
	}
	is("sex", 1)
	is("income>50K", 1)
	from("age", 23)
	from("education-num", 9)
	is("marital-status", 0)
	is("marital-status", 2)
	is("relationship", 1)
	is("relationship", 3)
	is("race", 0)
	is("native-country", 0)
	from("hours-per-week", 40)
	from("capital-gain", 1)
	is("workclass", 0)
	is("occupation", 0)
	from("capital-loss", 1)
	from("age", 13)
	for v := 1; v < 5; v++ {
		is("occupation", v)
		is("workclass", v)
		is("race", v)
	}
	from("age", 8, 33)
	from("education-num", 12)
	from("hours-per-week", 30)
	for v := 5; v < 15; v++ {
		is("occupation", v)
	}
	is("marital-status", 1)
	from("age", 3, 18, 28, 38, 43, 48)
	from("education-num", 5, 8, 10, 11, 13)
	from("hours-per-week", 20, 35, 41, 50, 60)
	is("relationship", 0)
	is("relationship", 2)
	is("marital-status", 3)
	is("workclass", 5)
	is("native-country", 1)
	return list[:64]
}

// adultRecords reads the first size attributes of everybody.
func adultRecords(t *testing.T, size int) *Records {
	return adultRead(t, adultAttributes()[:size])
}

// adultRead reads attributes of everybody.
func adultRead(t *testing.T, attributes []attribute) *Records {
	file, err := os.Open(*adult)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Scan()
	header := strings.Split(lines.Text(), ",")
	var rows [][]string
	for lines.Scan() {
		rows = append(rows, strings.Split(lines.Text(), ","))
	}
	records := must(NewRecords(len(rows), len(attributes)))
	for x, a := range attributes {
		column := slices.Index(header, a.column)
		for i, row := range rows {
			v := must(strconv.Atoi(row[column]))
			if v == a.value || !a.equal && v > a.value {
				records.Yes(i, x)
			}
		}
	}
	return records
}

// TestCompare prints mean and 95th percentile of the error, as a share, over random conjunctions of
// width 1 to w (each width alike), averaged over three runs, and which method the automatic choice
// takes. "Hidden" is data in which half of the persons have nearly every attribute and half nearly
// none.
func TestCompare(t *testing.T) {
	if !*compare {
		t.Skip("minutes of work: with -compare only")
	}
	data := func(size int) *Records { return correlated(48842, size) }
	name := "made up"
	if *adult != "" {
		data, name = func(size int) *Records { return adultRecords(t, size) }, "Adult"
	}
	compareOn(name, data, 16, 3)
	compareOn(name, data, 32, 3)
	compareOn(name, data, 64, 3)
	compareOn(name, data, 64, 8)
	compareOn("hidden", hidden, 64, 8)
}

// TestCompareColumns prints the mean error, in persons and over three runs, of the cells of all
// tables of a width: with the sensitivity of free attributes, by column, and by tables of the best
// number of columns.
func TestCompareColumns(t *testing.T) {
	eight, five, columns := comparedColumns(t)
	compareColumns("eight attributes", eight, nil, 2)
	compareColumns("eight attributes", eight, nil, 3)
	compareColumns("five columns of 42 categories", five, columns, 2)
}

// TestCompareTables prints how many persons the cells of all tables of this many columns are off
// by, all tables alike, on average over five runs, for each way that [ChooseTables] lists. The
// first one, which is taken, is within what is possible of the Adult data.
func TestCompareTables(t *testing.T) {
	eight, five, columns := comparedColumns(t)
	for width, most := range map[int]float64{2: 19, 3: 13} {
		compareTables(t, "eight attributes", eight, nil, width, most)
		compareTables(t, "five columns of 42 categories", five, columns, width, 20.5)
	}
}

func compareTables(t *testing.T, name string, records *Records, columns []Column, width int,
	most float64) {
	of := must(newPartition(records.Size(), columns))
	truth := exactTables(records, of.columns, width)
	for _, d := range []string{"0", "1e-6"} {
		fmt.Printf("\n%s, n = %d, all tables of %d, ε = 1, δ = %s\n", name, records.Persons(),
			width, d)
		ways := must(ChooseTables(ChoiceParams{Epsilon: epsilon("1"), Delta: delta(d),
			Persons: records.Persons(), Size: records.Size(), Width: width, Columns: columns}))
		for i, c := range ways {
			off, number := 0.0, 0.0
			for run := range coin.Seed(5) {
				r := must(must(c.New()).Release(coin.NewSeeded(run), records, nil))
				for _, m := range margins(len(of.columns), width) {
					have, want := must(r.Table(m.Columns...)), must(truth.Table(m.Columns...))
					for cell, persons := range have.Persons {
						off += math.Abs(persons-want.Persons[cell]) / float64(len(have.Persons))
					}
					number++
				}
			}
			fmt.Printf("  %-36s %8.1f  expected %8.1f\n", c.Name, off/number,
				c.Error*float64(records.Persons()))
			if i == 0 && off/number > most {
				t.Errorf("%s, tables of %d, δ = %s: off by %.1f persons, want at most %g", name,
					width, d, off/number, most)
			}
		}
	}
}

// comparedColumns are eight attributes of everybody, and five columns of 42 categories.
func comparedColumns(t *testing.T) (eight, five *Records, columns []Column) {
	if !*compare {
		t.Skip("seconds of work: with -compare only")
	}
	var categories []attribute
	for _, column := range []struct {
		name string
		size int
	}{{"workclass", 9}, {"marital-status", 7}, {"occupation", 15}, {"relationship", 6},
		{"race", 5}} {
		var cells Column
		for value := range column.size {
			cells = append(cells, Set{}.With(len(categories)))
			categories = append(categories, attribute{column.name, true, value})
		}
		columns = append(columns, cells)
	}
	if *adult != "" {
		return adultRecords(t, 8), adultRead(t, categories), columns
	}
	return correlated(48842, 8),
		randomTables(rand.New(rand.NewPCG(8, 5)), 48842, len(categories), columns), columns
}

func compareColumns(name string, records *Records, columns []Column, width int) {
	of := must(newPartition(records.Size(), columns))
	for _, d := range []string{"0", "1e-6"} {
		e, within := epsilon("1"), delta(d)
		choices := must(Choose(ChoiceParams{Epsilon: e, Delta: within, Persons: records.Persons(),
			Size: records.Size(), Width: width, Columns: columns}))
		free := must(Choose(ChoiceParams{Epsilon: e, Delta: within, Persons: records.Persons(),
			Size: records.Size(), Width: width}))
		fmt.Printf("\n%s, n = %d, tables of %d, ε = 1, δ = %s: %s\n", name, records.Persons(),
			width, d, choices[0].Name)
		try := func(name string, m Conjunctive, err error, expected float64) {
			off, number := 0.0, 0.0
			for run := range coin.Seed(3) {
				r := must(must(m, err).Release(coin.NewSeeded(run), records, nil))
				for _, s := range subsets(records.Size(), width) {
					if s.Len() == width && of.together(s) {
						off += math.Abs(must(r.Ask(s)).Persons - float64(trueCount(records, s)))
						number++
					}
				}
			}
			fmt.Printf("  %-36s %8.1f  expected %8.1f\n", name, off/number, expected)
		}
		for _, c := range free {
			if c.Name == "marginals" {
				m, err := c.New()
				try("marginals of free attributes", m, err, c.Error*float64(records.Persons()))
			}
		}
		for _, c := range choices {
			if c.Name != "pieces" {
				m, err := c.New()
				try(fmt.Sprintf("%s %d", c.Name, c.Together), m, err,
					c.Error*float64(records.Persons()))
			}
		}
		for together := width; together <= len(of.columns); together++ {
			stdDev := must(must(newNoise(e, within)).law(
				2*int(of.products(together, nil, func(int) float64 { return 1 })), 1)).StdDev()
			m, err := NewTables(TablesParams{Epsilon: e, Delta: within, Columns: columns,
				Width: together})
			try(fmt.Sprintf("tables of %d columns", together), m, err,
				normalMean*stdDev*of.spread(width, together))
		}
	}
}

// together says whether the attributes of s are of different columns.
func (p *partition) together(s Set) bool {
	for _, mask := range p.masks {
		if mask.shared(s) > 1 {
			return false
		}
	}
	return true
}

// hidden returns 48842 persons: about half have each attribute with probability 9/10, the others
// with 1/10.
func hidden(size int) *Records {
	random := rand.New(rand.NewPCG(5, 5))
	records := must(NewRecords(48842, size))
	for i := range 48842 {
		most := random.IntN(2) == 0
		for x := range size {
			if (random.IntN(10) > 0) == most {
				records.Yes(i, x)
			}
		}
	}
	return records
}

func compareOn(name string, data func(size int) *Records, size, width int) {
	records := data(size)
	columns, random := newBitmaps(records), rand.New(rand.NewPCG(1, 2))
	var asked []Set
	for i := range 200 * width {
		s := emptySet(size)
		for s.Len() < 1+i%width {
			s = s.With(random.IntN(size))
		}
		asked = append(asked, s)
	}
	for _, d := range []string{"0", "1e-6"} {
		for _, e := range []string{"0.1", "1"} {
			fmt.Printf("\n%s, n = %d, d = %d, widths 1 to %d, ε = %s, δ = %s\n  %-36s %8s %8s\n",
				name, records.Persons(), size, width, e, d, "", "mean", "95 %")
			choices := must(
				Choose(ChoiceParams{Epsilon: epsilon(e), Delta: delta(d),
					Persons: records.Persons(), Size: size, Width: width}))
			for _, method := range comparedMethods(records.Persons(), size, width, e, d) {
				mean, high, err := errorsOf(method, records, columns, asked)
				if err != nil {
					fmt.Printf("  %-36s %v\n", method.name, err)
					continue
				}
				mark := ""
				for i, c := range choices {
					if method.name == c.Name {
						mark = fmt.Sprintf("expected %.5f", c.Error)
						if i == 0 {
							mark += ", chosen"
						}
					}
				}
				fmt.Printf("  %-36s %8.5f %8.5f  %s\n", method.name, mean, high, mark)
			}
		}
	}
}

func errorsOf(method comparedMethod, records *Records, columns *bitmaps,
	asked []Set) (mean, high float64, err error) {
	var errors []float64
	for run := range coin.Seed(3) {
		r, err := method.release(coin.NewSeeded(run), records)
		if err != nil {
			return 0, 0, err
		}
		for _, s := range asked {
			if a, err := r.Ask(s); err == nil { // some workloads hold one width only
				errors = append(errors,
					math.Abs(a.Share-float64(columns.count(s))/float64(records.Persons())))
			}
		}
	}
	slices.Sort(errors)
	for _, x := range errors {
		mean += x / float64(len(errors))
	}
	return mean, errors[len(errors)*95/100], nil
}

type comparedMethod struct {
	name    string
	release func(src coin.Source, records *Records) (*Release, error)
}

func comparedMethods(persons, size, width int, e, d string) []comparedMethod {
	most, threshold := PiecesAdvice(persons, size, epsilon(e), width)
	list := []comparedMethod{
		{"marginals", func(src coin.Source, r *Records) (*Release, error) {
			return must(
				NewMarginals(MarginalsParams{Epsilon: epsilon(e), Delta: delta(d), Width: width})).
				Release(src, r, nil)
		}},
		{"tables", func(src coin.Source, r *Records) (*Release, error) {
			choices := must(Choose(ChoiceParams{Epsilon: epsilon(e), Delta: delta(d),
				Persons: persons, Size: size, Width: width}))
			for _, c := range choices {
				if c.Name == "tables" {
					return must(c.New()).Release(src, r, nil)
				}
			}
			return nil, fmt.Errorf("too many cells")
		}},
		{"product", func(src coin.Source, r *Records) (*Release, error) {
			return must(
				NewMarginals(
					MarginalsParams{Epsilon: epsilon(e), Delta: delta(d), Width: 1,
						Product: true})).Release(src, r, nil)
		}},
		{"MWEM", func(src coin.Source, r *Records) (*Release, error) {
			return must(
				NewMWEM(MWEMParams{Epsilon: epsilon(e), Delta: delta(d), Width: width,
					Rounds: MWEMRounds(persons, size, epsilon(e))})).Release(src, r, nil)
		}},
		{"sampled, corrections of width 3", func(src coin.Source, r *Records) (*Release, error) {
			return must(
				NewSampled(SampledParams{Epsilon: epsilon(e), Delta: delta(d), Workload: OfWidth(3),
					Threshold: rat(1, 50), Updates: 2 * size, Checks: 100})).Release(src, r, nil)
		}},
	}
	if d == "0" {
		each := epsilon(e).Part(1, 4*30)
		for name, learner := range map[string]Learner{
			"weights, exhaustive learner": must(
				NewExhaustive(LearnerParams{Epsilon: each, Width: min(width, 3)})),
			"weights, greedy learner": must(
				NewGreedy(LearnerParams{Epsilon: each, Width: width})),
		} {
			list = append(list,
				comparedMethod{name, func(src coin.Source, r *Records) (*Release, error) {
					return must(
						NewBoosting(
							BoostingParams{Learner: learner, Epsilon: each, Gap: rat(1, 10),
								Rounds: 30})).Release(src, r, nil)
				}})
		}
	}
	return append(list,
		comparedMethod{fmt.Sprintf("pieces, at most %d", most),
			func(src coin.Source, r *Records) (*Release, error) {
				return must(
					NewPieces(PiecesParams{Epsilon: epsilon(e), Delta: delta(d), Most: most,
						Threshold: threshold, Workloads: UpToWidth(width)})).
					ReleaseConjunctions(src, r, nil)
			}},
		comparedMethod{fmt.Sprintf("Algorithm 6, asked width %d only", width),
			func(src coin.Source, r *Records) (*Release, error) {
				return must(
					NewCounted(CountedParams{
						Oracle: OracleParams{Epsilon: epsilon(e), Delta: delta(d),
							Queries: 4 * size}, Alpha: rat(1, 4), Rule: OneThreshold,
						Workloads: []Workload{OfWidth(width)}})).ReleaseConjunctions(src, r, nil)
			}})
}
