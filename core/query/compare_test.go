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
	records := must(NewRecords(len(rows), size))
	for x, a := range adultAttributes()[:size] {
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

// hidden is 48842 persons, of whom about half have each attribute with probability 9/10, the others
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
	columns, random := newColumns(records), rand.New(rand.NewPCG(1, 2))
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

func errorsOf(method comparedMethod, records *Records, columns *columns,
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
						Workload: OfWidth(width)})).ReleaseConjunctions(src, r, nil)
			}})
}
