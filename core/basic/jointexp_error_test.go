package basic

import (
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/coin"
)

var table = flag.Bool("table", false,
	"print the table of errors of jointexp.md, and hold what is advised to it: minutes")

// rows are sorted codes, each of one person.
type rows []uint64

func (r rows) Len() int                  { return len(r) }
func (r rows) Code(i int) (uint64, bool) { return r[i], true }

// A kind is made-up data of one kind.
type kind struct {
	name string
	size *big.Int
	draw func(random *rand.Rand) float64
}

// kinds are skewed, tied and time data, a short domain and a very wide one.
var kinds = []kind{
	{"skewed", big.NewInt(1_000_000), income},
	{"tied", big.NewInt(1_000_000), func(random *rand.Rand) float64 {
		return math.Floor(income(random)/10_000) * 10_000
	}},
	{"time", big.NewInt(365 * 86_400), func(random *rand.Rand) float64 { // visits, most on Mondays
		day := random.IntN(365)
		if random.IntN(3) > 0 {
			day = day / 7 * 7
		}
		return float64(day)*86_400 + min(max(43_200+10_800*random.NormFloat64(), 0), 86_399)
	}},
	{"minutes", big.NewInt(301), func(random *rand.Rand) float64 {
		return 30 * random.ExpFloat64()
	}},
	{"wide", new(big.Int).Lsh(oneInt, 63), func(random *rand.Rand) float64 {
		return income(random) * (1 << 30)
	}},
}

func income(random *rand.Rand) float64 { return math.Exp(10.3 + 0.8*random.NormFloat64()) }

func (k kind) rows(n int, random *rand.Rand) rows {
	list, last := make(rows, n), k.size.Uint64()-1
	for i := range list {
		list[i] = min(uint64(k.draw(random)), last)
	}
	slices.Sort(list)
	return list
}

func evenly(m int) (targets []*big.Rat) {
	for i := range int64(m) {
		targets = append(targets, big.NewRat(i+1, int64(m)+1))
	}
	return targets
}

// errors are how many persons each of evenly placed quantiles is away from its place.
func (r rows) errors(codes []uint64) (each []float64) {
	for i, code := range codes {
		below, _ := slices.BinarySearch(r, code)
		upTo, _ := slices.BinarySearch(r, code+1)
		aim := float64(i+1) / float64(len(codes)+1) * float64(len(r))
		each = append(each, max(0, float64(below)-aim, aim-float64(upTo)))
	}
	return each
}

// runErrors are the mean errors of several algorithms on the same data sets, by run; nil has none.
func (k kind) runErrors(n, runs int, algorithms ...Quantiler) [][]float64 {
	list := make([][]float64, len(algorithms))
	random := rand.New(rand.NewPCG(41, uint64(n)))
	for run := range runs {
		data := k.rows(n, random)
		for i, q := range algorithms {
			if q != nil {
				codes := must(q.Release(coin.NewSeeded(coin.Seed(run)), data, nil))
				list[i] = append(list[i], average(data.errors(codes)))
			}
		}
	}
	return list
}

// meanErrors are the means of runErrors.
func (k kind) meanErrors(n, runs int, algorithms ...Quantiler) (means []float64) {
	for _, each := range k.runErrors(n, runs, algorithms...) {
		means = append(means, average(each))
	}
	return means
}

// average of nothing is no number.
func average(list []float64) (m float64) {
	for _, x := range list {
		m += x
	}
	return m / float64(len(list))
}

// contestants are quantiles by splits, the same without persons divided (which is
// ApproximateQuantiles), JointExp of all targets where it is affordable, and what is advised.
func contestants(k kind, m, n int, e string) []Quantiler {
	p := QuantilesParams{Epsilon: epsilon(e), Size: k.size, Targets: evenly(m), People: int64(n)}
	splits, advised := must(NewQuantiles(p)), must(AdviseQuantiles(p))
	p.Parts = 1
	paper := must(NewQuantiles(p))
	joint, err := NewJointExp(JointExpParams{Epsilon: p.Epsilon, Size: p.Size, Targets: p.Targets,
		People: p.People, Chosen: m})
	if err != nil {
		return []Quantiler{splits, paper, nil, advised}
	}
	return []Quantiler{splits, paper, joint, advised}
}

// TestAdvisedErrors compares mean errors on made-up data. What is advised is not much worse than
// the best, but where ε·n is so small that nothing is learned.
func TestAdvisedErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds: a comparison of errors")
	}
	for _, k := range kinds {
		for _, m := range []int{9, 99} {
			of := contestants(k, m, 1000, "1")
			if m == 99 {
				of[2] = nil // slow, and the worst of all
			}
			off := k.meanErrors(1000, 12, of...)
			if best := smallest(off[:3]); off[3] > 1.1*best {
				t.Errorf("%s, %d targets: error %g, best %g", k.name, m, off[3], best)
			}
		}
		// by two levels; splits are off by 1.4 to 4 times as many
		if off := k.meanErrors(10_000, 3, contestants(k, 99, 10_000, "1")...); !(off[3] <
			0.9*smallest(off[:3])) {
			t.Errorf("%s, 99 targets of 10 000 people: errors %g", k.name, off)
		}
	}
	if *table {
		printErrors(t)
	}
}

// regret holds the advised errors of some runs, the last, against those of each other algorithm in
// the same runs: the mean is at most 1.1 times theirs, but for what may be chance.
func regret(t *testing.T, cell string, of [][]float64) {
	t.Helper()
	advised := of[len(of)-1]
	for i, other := range of[:len(of)-1] {
		var behind []float64
		for run, e := range other {
			behind = append(behind, advised[run]-1.1*e)
		}
		by, square := average(behind), 0.0
		for _, x := range behind {
			square += (x - by) * (x - by)
		}
		chance := math.Sqrt(square) / float64(len(behind))
		if by > 2.5*chance+1e-9 {
			t.Errorf("%s: %.2f persons behind 1.1 times algorithm %d, ± %.2f", cell, by, i, chance)
		}
	}
}

// unlearned is a cell of which nothing public says what to take: so few persons tell nothing at
// that ε, and guesses spread evenly are the best of data that are. jointexp.md has what was tried.
const unlearned = "| time | 99 | 100 | 0.1 |"

// printErrors prints the table of jointexp.md, and holds the regret of each cell.
func printErrors(t *testing.T) {
	for _, k := range kinds {
		for _, m := range []int{1, 9, 99} {
			for _, n := range []int{100, 1000, 10_000, 100_000} {
				for _, e := range []string{"0.1", "1"} {
					runs := 100
					switch {
					case m == 1: // the laws differ by little
						runs = 400
					case n == 100_000:
						runs = 25
					}
					of := k.runErrors(n, runs, contestants(k, m, n, e)...)
					cell, ratio := fmt.Sprintf("| %s | %d | %d | %s |", k.name, m, n, e), 1.0
					var means []float64
					for _, each := range of {
						means = append(means, average(each))
					}
					if means[3] > 0 {
						ratio = means[3] / smallest(means[:3])
					}
					fmt.Print(cell)
					for _, x := range append(means, ratio) {
						fmt.Printf(" %.2f |", x)
					}
					fmt.Println()
					if cell != unlearned {
						regret(t, cell, of)
					}
				}
			}
		}
	}
}

// smallest is the least of numbers of which some may be none.
func smallest(list []float64) float64 {
	list = slices.DeleteFunc(slices.Clone(list), math.IsNaN)
	return slices.Min(list)
}
