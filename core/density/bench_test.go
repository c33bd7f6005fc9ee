package density

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/privacy"
)

// tables asks for the tables of doc.go: minutes. figures is where they go as JSON, to be drawn.
var (
	tables  = flag.Bool("tables", false, "repeat the paper's experiments and write EXPERIMENTS.md")
	figures = flag.String("figures", "", "with -tables: a file to write the figures to, as JSON")
)

// mixture is one of the densities of the paper's experiments, cut to an interval.
type mixture struct {
	name   string
	lo, hi float64
	first  float64 // weight
	parts  [2]law
}

type law interface {
	CDF(float64) float64
	Rand() float64
}

func mixtures(random *rand.Rand) []mixture {
	return []mixture{
		{"Gaussian", -1, 1, .65,
			[2]law{distuv.Normal{Mu: -.45, Sigma: .15, Src: random},
				distuv.Normal{Mu: .3, Sigma: .2, Src: random}}},
		{"Beta", 0, 1, .4,
			[2]law{distuv.Beta{Alpha: .8, Beta: 4, Src: random},
				distuv.Beta{Alpha: 2, Beta: 2, Src: random}}},
		{"Gamma", 0, 20, .7,
			[2]law{distuv.Gamma{Alpha: 2, Beta: .5, Src: random},
				distuv.Gamma{Alpha: 7.5, Beta: 1, Src: random}}},
	}
}

// cdf is the distribution function at a part of the interval.
func (m mixture) cdf(part float64) float64 {
	x := m.lo + part*(m.hi-m.lo)
	weigh := func(x float64) float64 {
		return m.first*m.parts[0].CDF(x) + (1-m.first)*m.parts[1].CDF(x)
	}
	return (weigh(x) - weigh(m.lo)) / (weigh(m.hi) - weigh(m.lo))
}

// draw makes sorted codes of n persons.
func (m mixture) draw(random *rand.Rand, n int, size float64) []uint64 {
	codes := make([]uint64, 0, n)
	for len(codes) < n {
		part := m.parts[1]
		if random.Float64() < m.first {
			part = m.parts[0]
		}
		if x := part.Rand(); x > m.lo && x < m.hi {
			codes = append(codes, min(uint64((x-m.lo)/(m.hi-m.lo)*size), uint64(size)-1))
		}
	}
	slices.Sort(codes)
	return codes
}

// l1 is the L1 distance of a distribution, as probabilities, from the mixture, on a grid of 20,000
// steps refined by the cells.
func (m mixture) l1(d *Distribution) (sum float64) {
	size := float(d.Size())
	for i := range d.Cells() {
		a, b := float(d.bounds[i])/size, float(d.bounds[i+1])/size
		steps := int(math.Ceil((b - a) * 20_000))
		before := m.cdf(a)
		for k := 1; k <= steps; k++ {
			now := m.cdf(a + (b-a)*float64(k)/float64(steps))
			sum += math.Abs(now - before - d.mass[i]/d.Total()/float64(steps))
			before = now
		}
	}
	return sum
}

// notPrivate is the histogram of the persons themselves, for comparison.
func notPrivate(codes []uint64, size *big.Int) *Distribution {
	bounds := equalCells(size, 2000)
	mass := make([]float64, len(bounds)-1)
	for i, c := range cellCounts(bounds, domain.SortedCodes(codes, bitsOf(size)),
		int64(len(codes)))[:len(mass)] {
		mass[i] = float64(c)
	}
	d := newDistribution(bounds, mass, float64(len(codes)), phrase.Plain("not private"))
	d.band = bandAround(d, 0)
	return d
}

func median(list []float64) float64 {
	list = slices.Clone(list)
	slices.Sort(list)
	return (list[len(list)/2] + list[(len(list)-1)/2]) / 2
}

// smallDelta is at most 1/n².
func smallDelta(n int) privacy.Delta {
	return delta(fmt.Sprintf("1e-%d", max(6, int(math.Ceil(2*math.Log10(float64(n)))))))
}

// experiment is a row of EXPERIMENTS.md: medians of 10 runs.
type experiment struct {
	Mixture string    `json:"mixture"`
	N       int       `json:"n"`
	L1      []float64 `json:"l1"`      // one for each of measured
	Seconds float64   `json:"seconds"` // MERR with 20 rounds, after sorting
	Sorting float64   `json:"sorting"` // slices.Sort of the same codes
}

// measured names the columns of EXPERIMENTS.md.
var measured = []string{"not private, 20 pieces", "MERR, 20 pieces", "MERR, 8 rounds",
	"MERR, 16 rounds", "MERR, 32 rounds", "MERR, 64 rounds",
	"MERR, fewest pieces", "MERR, 6 cubics", "histogram of 256 cells, 6 cubics"}

// published are the authors' L1 errors with 20 pieces at ε = 1, δ = 1/n, and those without privacy.
var published = map[int][2]float64{10_000: {.333, .095}, 31_600: {.206, .087},
	100_000: {.137, .087}, 1_000_000: {.0865, .0848}}

// TestTables repeats the paper's experiments into EXPERIMENTS.md: the L1 error of 20-piece
// histograms, beside the published figures; of MERR by the number of rounds; of as few pieces as
// can be told apart, and of 6 cubics; and the time after sorting.
func TestTables(t *testing.T) {
	if !*tables {
		t.Skip("minutes: with -tables only")
	}
	random := rand.New(rand.NewPCG(1, 1))
	var all []experiment
	for _, m := range mixtures(random) {
		for _, n := range []int{10_000, 31_600, 100_000, 1_000_000} {
			all = append(all, m.experiment(t, random, n))
			t.Logf("%+v", all[len(all)-1])
		}
	}
	if err := os.WriteFile("EXPERIMENTS.md", []byte(experimentsTable(all)), 0o644); err != nil {
		t.Fatal(err)
	}
	if *figures == "" {
		return
	}
	text, err := json.Marshal(
		map[string]any{"measured": measured, "published": published, "experiments": all})
	if err == nil {
		err = os.WriteFile(*figures, text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// experiment draws n persons 10 times on 10^8 values, and learns their density by each way at ε =
// 1, δ ≤ 1/n².
func (m mixture) experiment(t *testing.T, random *rand.Rand, n int) experiment {
	const runs = 10
	size, e, d, p, src := big.NewInt(1e8), epsilon("1"), smallDelta(n), uint64(n), coin.NewSeeded(1)
	merr := func(rounds int) Learner {
		return must(
			NewMERR(MERRParams{Epsilon: e, Delta: d, Size: size, Persons: p, Rounds: rounds,
				Recount: recounted}))
	}
	timed := must(NewMERR(MERRParams{Epsilon: e, Delta: d, Size: size, Persons: p, Rounds: 20}))
	histogram := must(NewHistogram(HistogramParams{Epsilon: e, Size: size, Persons: p, Cells: 256}))
	cubics := func(d *Distribution) float64 {
		_, smooth, err := d.Polynomials(6, 3)
		if err != nil {
			t.Fatal(err)
		}
		return m.l1(smooth)
	}
	found := make([][]float64, len(measured))
	var seconds, sorting []float64
	for range runs {
		codes := m.draw(random, n, 1e8)
		view := domain.SortedCodes(codes, bitsOf(size))
		best := must(merr(0).Release(src, view, nil))
		row := []float64{m.l1(must(notPrivate(codes, size).Pieces(20))),
			m.l1(must(best.Pieces(20)))}
		for _, rounds := range []int{8, 16, 32, 64} {
			row = append(row, m.l1(must(merr(rounds).Release(src, view, nil))))
		}
		row = append(row, m.l1(best.Fewest()), cubics(best),
			cubics(must(histogram.Release(src, view, nil))))
		for i, f := range row {
			found[i] = append(found[i], f)
		}
		start := time.Now()
		must(timed.Release(src, view, nil))
		seconds = append(seconds, time.Since(start).Seconds())
		random.Shuffle(n, func(i, j int) { codes[i], codes[j] = codes[j], codes[i] })
		start = time.Now()
		slices.Sort(codes)
		sorting = append(sorting, time.Since(start).Seconds())
	}
	x := experiment{Mixture: m.name, N: n, Seconds: median(seconds), Sorting: median(sorting)}
	for _, f := range found {
		x.L1 = append(x.L1, median(f))
	}
	return x
}

// experimentsTable is EXPERIMENTS.md.
func experimentsTable(all []experiment) string {
	var out strings.Builder
	out.WriteString("# The paper's experiments\n\nL1 error, medians of 10 runs, ε = 1, δ ≤ 1/n², " +
		"10^8 values. The published figures (in brackets without privacy) are at δ = 1/n. The " +
		"last columns are the time of MERR with 20 rounds on sorted codes, and of sorting them, " +
		"in milliseconds.\nWritten by `./build.sh bench density`.\n\n![Errors and " +
		"times](experiments.svg)\n\n| mixture | n | published, 20 pieces |")
	for _, name := range measured {
		fmt.Fprintf(&out, " %s |", name)
	}
	out.WriteString(
		" 20 rounds | slices.Sort |\n" + strings.Repeat("|---", len(measured)+5) + "|\n")
	for _, x := range all {
		theirs := "–"
		if f, ok := published[x.N]; ok && x.Mixture == "Gaussian" {
			theirs = fmt.Sprintf("%.4g (%.4g)", f[0], f[1])
		}
		fmt.Fprintf(&out, "| %s | %d | %s |", x.Mixture, x.N, theirs)
		for _, f := range x.L1 {
			fmt.Fprintf(&out, " %.4f |", f)
		}
		fmt.Fprintf(&out, " %.2f | %.2f |\n", 1000*x.Seconds, 1000*x.Sorting)
	}
	return out.String()
}

// BenchmarkAfterSort compares MERR with 20 rounds on codes below 10^18 with slices.Sort of the same
// codes, "of-sort".
func BenchmarkAfterSort(b *testing.B) {
	random, size := rand.New(rand.NewPCG(1, 1)), big.NewInt(1e18)
	for _, n := range []int{100_000, 1_000_000, 10_000_000} {
		codes := make([]uint64, n)
		for i := range codes {
			codes[i] = uint64(min(max(5e17+1e17*random.NormFloat64(), 0), 1e18-1))
		}
		start := time.Now()
		slices.Sort(codes)
		sort := time.Since(start)
		view := domain.SortedCodes(codes, bitsOf(size))
		for _, rule := range []Rule{Prefix, Capped} {
			m := must(NewMERR(
				MERRParams{Epsilon: epsilon("1"), Delta: smallDelta(n), Size: size,
					Persons: uint64(n), Rule: rule, Rounds: 20}))
			b.Run(fmt.Sprintf("%s/n=%d", m.Name(), n), func(b *testing.B) {
				src := coin.NewSeeded(1)
				for b.Loop() {
					must(m.Release(src, view, nil))
				}
				b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(sort), "of-sort")
			})
		}
	}
}
