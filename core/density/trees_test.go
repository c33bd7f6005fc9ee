package density

import (
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/threshold"
)

// measureOn is where TestTreesTable finds further columns to measure on.
var measureOn = flag.String("data", "",
	"with -tables: a directory of CSV files with the columns value, from 0 to 4095, and count")

// subject is what trees are compared on.
type subject struct {
	name  string
	size  int64
	n     int
	codes domain.Sorted
}

// incomes are n numbers up to 10^6 whose logarithms are normal, of which a tenth may be rounded.
func incomes(n int, rounded bool) subject {
	random := rand.New(rand.NewPCG(1, 1))
	name := "log-normal"
	if rounded {
		name += ", a tenth rounded"
	}
	return subject{name, 1_000_001, n, sortedOf(n, func() float64 {
		x := math.Exp(10.5 + .8*random.NormFloat64())
		if rounded && random.IntN(10) == 0 {
			x = 10_000 * math.Round(x/10_000)
		}
		return x
	}, 1_000_001)}
}

// compared are the columns of the table: those of the directory given, and made-up ones.
func compared(t *testing.T) (all []subject) {
	if *measureOn != "" {
		files, err := filepath.Glob(filepath.Join(*measureOn, "*.csv"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			all = append(all, counted(t, file))
		}
	}
	for _, rounded := range []bool{false, true} {
		for _, n := range []int{2000, 20_000, 100_000} {
			all = append(all, incomes(n, rounded))
		}
	}
	for _, name := range []string{"two Gaussians", "even", "60 values", "even logarithms",
		"nine tenths alike"} {
		for _, n := range []int{2000, 20_000, 200_000} {
			all = append(all, subject{name, wideSize, n, wideCodes(wideData[name], n)})
		}
	}
	return all
}

// counted reads a column of which each row says how many persons have a value.
func counted(t *testing.T, path string) subject {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var codes []uint64
	var upTo []int
	n := 0
	for _, row := range rows[1:] {
		value, persons := must(strconv.ParseUint(row[0], 10, 12)), must(strconv.Atoi(row[1]))
		if persons > 0 {
			n += persons
			codes, upTo = append(codes, value), append(upTo, n)
		}
	}
	return subject{strings.TrimSuffix(filepath.Base(path), ".csv"), 4096, n,
		threshold.Counted(domain.SortedCodes(codes, 12), upTo)}
}

// kolmogorov is the median error of the distribution function, in persons.
func (c subject) kolmogorov(runs int,
	release func(src coin.Source, codes domain.Sorted) *Distribution) float64 {
	var gaps []float64
	for run := range runs {
		d := release(coin.NewSeeded(coin.Seed(run)), c.codes)
		gaps = append(gaps, float64(must(d.Gap(c.codes, nil))))
	}
	return median(gaps)
}

func by(l Learner) func(src coin.Source, codes domain.Sorted) *Distribution {
	return func(src coin.Source, codes domain.Sorted) *Distribution {
		return must(l.Release(src, codes, nil))
	}
}

// byFunction releases by an algorithm of the package threshold.
func byFunction(r threshold.Releaser, n int) func(coin.Source, domain.Sorted) *Distribution {
	return func(src coin.Source, codes domain.Sorted) *Distribution {
		f := must(r.Release(src, codes, nil))
		size := new(big.Int).Lsh(oneInt, uint(codes.Bits()))
		bounds, mass, sum := []*big.Int{new(big.Int)}, []float64(nil), 0.0
		add := func(b *big.Int, upTo float64) {
			if b.Cmp(bounds[len(bounds)-1]) > 0 {
				bounds, mass = append(bounds, b), append(mass, max(upTo-sum, 0))
				sum = max(upTo, sum)
			}
		}
		for i, at := range f.Points() {
			below, upTo := f.At(i)
			add(at, below)
			add(new(big.Int).Add(at, oneInt), upTo)
		}
		add(size, f.Total())
		return must(NewDistribution(bounds, mass, float64(n), "", nil, nil, nil))
	}
}

// TestTreesTable writes TREES.md.
func TestTreesTable(t *testing.T) {
	if !*tables {
		t.Skip("minutes: with -tables only")
	}
	const runs = 9
	var out strings.Builder
	out.WriteString("# Trees of counts, measured\n\nErrors of the distribution function where it " +
		"is most off (Kolmogorov), in persons: medians of 9 seeded runs. *Before* is what \"All " +
		"percentiles\" took until it had trees of counts (each value counted, or the quantile " +
		"tree), *now* what `Advise()` takes. *Bound* is what is forecast for it, at any value, " +
		"with 95 %.\nWritten by `go test -run TestTreesTable ./core/density -args -tables -data " +
		"DIRECTORY`; without a directory the columns of DPBench are left out.\n\n" +
		"| column | values | n | ε | before | now | bound | Hierarchy | PrivTree | MERR | " +
		"QuantileTree |\n" + strings.Repeat("|---", 11) + "|\n")
	for _, c := range compared(t) {
		for _, e := range []string{"0.1", "1"} {
			size, n := big.NewInt(c.size), uint64(c.n)
			before := must(threshold.NewQuantiles(
				threshold.QuantilesParams{Epsilon: epsilon(e), Size: size, Persons: n}))
			was := c.kolmogorov(runs, byFunction(before, c.n))
			if c.size <= 4096 {
				was = c.kolmogorov(runs, byFunction(must(threshold.AdviseRelease(
					threshold.QuantilesParams{Epsilon: epsilon(e), Size: size, Persons: n})), c.n))
			}
			advice := must(Advise(AdviceParams{Epsilon: epsilon(e), Size: size, Persons: n}))
			errors := map[string]float64{}
			for _, l := range advice.Learners {
				name := strings.SplitAfter(fmt.Sprintf("%T", l), ".")[1]
				if name != "Histogram" && (name != "Hierarchy" || c.size <= mostCells) {
					errors[name] = c.kolmogorov(runs, by(l))
				}
			}
			chosen := advice.Learners[0].(Everywhere)
			fmt.Fprintf(&out, "| %s | %s | %d | %s | %.0f | **%.0f** | %.0f |", c.name,
				size, c.n, e, was,
				errors[strings.SplitAfter(fmt.Sprintf("%T", chosen), ".")[1]],
				chosen.ErrorAnywhere())
			for _, name := range []string{"Hierarchy", "PrivTree", "MERR", "QuantileTree"} {
				if off, measured := errors[name]; measured {
					fmt.Fprintf(&out, " %.0f |", off)
				} else {
					out.WriteString(" – |")
				}
			}
			out.WriteString("\n")
		}
	}
	if err := os.WriteFile("TREES.md", []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestTreesGain checks the gain of trees of counts, in persons: on incomes up to 10^6 their error
// is below the 88, 144 and 210 of a b-ary tree with isotonic regression, and where values span
// twelve magnitudes, or many share one, a fraction of the quantile tree's. Medians of 5 runs vary
// by a fifth.
func TestTreesGain(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds: a comparison of errors")
	}
	wide := func(name string, n int) subject {
		return subject{name, wideSize, n, wideCodes(wideData[name], n)}
	}
	for _, tt := range []struct {
		column subject
		most   float64
	}{
		{incomes(2000, false), 75},
		{incomes(20_000, false), 140},
		{incomes(20_000, true), 140},
		{incomes(100_000, false), 190},
		{wide("even logarithms", 2000), 75},
		{wide("60 values", 20_000), 150},
	} {
		p := AdviceParams{Epsilon: epsilon("1"), Size: big.NewInt(tt.column.size),
			Persons: uint64(tt.column.n)}
		runs := 5
		if l := must(Advise(p)).Learners[0]; l.Forecast().Cells > mostCells/2 {
			runs = 3 // of a million counts each
		}
		if off := tt.column.kolmogorov(runs, by(must(Advise(p)).Learners[0])); off > tt.most {
			t.Errorf("%s, n = %d: off by %g persons, want at most %g", tt.column.name, tt.column.n,
				off, tt.most)
		}
	}
}

// TestWideAndSkewed: where skewed values are of 10^12, what is advised is at most twice as far off
// as the best of all learners.
func TestWideAndSkewed(t *testing.T) {
	for _, name := range []string{"even logarithms", "nine tenths alike", "two Gaussians"} {
		for _, n := range []int{2000, 20_000} {
			for _, e := range []string{"0.1", "1"} {
				if testing.Short() && (n > 2000 || e == "0.1") {
					continue
				}
				c := subject{name, wideSize, n, wideCodes(wideData[name], n)}
				advice := must(Advise(AdviceParams{Epsilon: epsilon(e), Size: big.NewInt(c.size),
					Persons: uint64(n)}))
				var off []float64
				for _, l := range advice.Learners {
					if _, is := l.(Everywhere); is || l.Forecast().Cells < mostCells {
						off = append(off, c.kolmogorov(5, by(l)))
					}
				}
				if best := slices.Min(off); off[0] > 2*best {
					t.Errorf("%s, n = %d, ε = %s: off by %g persons, the best by %g", name, n, e,
						off[0], best)
				}
				t.Logf("%s, n = %d, ε = %s: %.0f", name, n, e, off)
			}
		}
	}
}
