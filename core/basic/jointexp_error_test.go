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

var table = flag.Bool("table", false, "print the table of errors of jointexp.md: minutes")

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

// meanErrors are those of several algorithms on the same data sets; nil has none.
func (k kind) meanErrors(n, runs int, algorithms ...Quantiler) []float64 {
	means := make([]float64, len(algorithms))
	random := rand.New(rand.NewPCG(41, uint64(n)))
	for run := range runs {
		data := k.rows(n, random)
		for i, q := range algorithms {
			if q == nil {
				means[i] = math.NaN()
				continue
			}
			each := data.errors(must(q.Release(coin.NewSeeded(coin.Seed(run)), data, nil)))
			for _, e := range each {
				means[i] += e / float64(len(each)*runs)
			}
		}
	}
	return means
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
	for _, k := range kinds {
		for _, m := range []int{9, 99} {
			of := contestants(k, m, 1000, "1")
			if m == 99 {
				of[2] = nil // slow, and the worst of all
			}
			mean := k.meanErrors(1000, 12, of...)
			if best := smallest(mean[:3]); mean[3] > 1.1*best {
				t.Errorf("%s, %d targets: error %g, best %g", k.name, m, mean[3], best)
			}
		}
		// by two levels; splits are off by 1.4 to 4 times as many
		if mean := k.meanErrors(10_000, 3, contestants(k, 99, 10_000, "1")...); !(mean[3] <
			0.9*smallest(mean[:3])) {
			t.Errorf("%s, 99 targets of 10 000 people: errors %g", k.name, mean)
		}
	}
	if *table {
		printErrors()
	}
}

// printErrors prints the table of jointexp.md.
func printErrors() {
	for _, k := range kinds {
		for _, m := range []int{1, 9, 99} {
			for _, n := range []int{100, 1000, 10_000, 100_000} {
				for _, e := range []string{"0.1", "1"} {
					runs := 100
					if n == 100_000 {
						runs = 25
					}
					mean := k.meanErrors(n, runs, contestants(k, m, n, e)...)
					ratio := 1.0
					if mean[3] > 0 {
						ratio = mean[3] / smallest(mean[:3])
					}
					fmt.Printf("| %s | %d | %d | %s |", k.name, m, n, e)
					for _, x := range append(mean, ratio) {
						fmt.Printf(" %.2f |", x)
					}
					fmt.Println()
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
