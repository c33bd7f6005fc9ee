package density

import (
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/privacy"
)

// tables asks for the tables of doc.go: minutes.
var tables = flag.Bool("tables", false, "repeat the paper's experiments and print their tables")

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
		{"Gaussian", -1, 1, .65, [2]law{distuv.Normal{Mu: -.45, Sigma: .15, Src: random}, distuv.Normal{Mu: .3, Sigma: .2, Src: random}}},
		{"Beta", 0, 1, .4, [2]law{distuv.Beta{Alpha: .8, Beta: 4, Src: random}, distuv.Beta{Alpha: 2, Beta: 2, Src: random}}},
		{"Gamma", 0, 20, .7, [2]law{distuv.Gamma{Alpha: 2, Beta: .5, Src: random}, distuv.Gamma{Alpha: 7.5, Beta: 1, Src: random}}},
	}
}

// cdf is the distribution function at a part of the interval.
func (m mixture) cdf(part float64) float64 {
	x := m.lo + part*(m.hi-m.lo)
	weigh := func(x float64) float64 { return m.first*m.parts[0].CDF(x) + (1-m.first)*m.parts[1].CDF(x) }
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

// l1 is the L1 distance of a distribution, as probabilities, from the mixture, on a grid of 20,000 steps refined by the cells.
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
	for i, c := range cellCounts(bounds, domain.SortedCodes(codes, bitsOf(size)), int64(len(codes)))[:len(mass)] {
		mass[i] = float64(c)
	}
	d := newDistribution(bounds, mass, float64(len(codes)), "not private")
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

// TestTables prints, in Markdown: the L1 error of 20-piece histograms, beside the published figures; of MERR by the number of rounds; and of the algorithm that Advise
// takes, in as few pieces as it can tell apart and in 6 cubics.
func TestTables(t *testing.T) {
	if !*tables {
		t.Skip("minutes: with -tables only")
	}
	published := map[string]string{"Gaussian 10000": ".333 (.095)", "Gaussian 31600": ".206 (.087)", "Gaussian 100000": ".137 (.087)", "Gaussian 1000000": ".0865 (.0848)"}
	random, size, e := rand.New(rand.NewPCG(1, 1)), big.NewInt(1e8), epsilon("1")
	const runs = 10
	var out strings.Builder
	out.WriteString("| mixture | n | published, 20 pieces (not private) | not private, 20 pieces | MERR, 20 pieces | 8 rounds | 16 | 32 | 64 | fewest pieces | 6 cubics | histogram of 256 cells, 6 cubics |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, m := range mixtures(random) {
		for _, n := range []int{10_000, 31_600, 100_000, 1_000_000} {
			figures := make([][]float64, 9)
			src := coin.NewSeeded(1)
			d, p := smallDelta(n), uint64(n)
			learners := []Learner{must(NewMERR(MERRParams{Epsilon: e, Delta: d, Size: size, Persons: p, Recount: recounted}))}
			for _, rounds := range []int{8, 16, 32, 64} {
				learners = append(learners, must(NewMERR(MERRParams{Epsilon: e, Delta: d, Size: size, Persons: p, Rounds: rounds, Recount: recounted})))
			}
			histogram := must(NewHistogram(HistogramParams{Epsilon: e, Size: size, Persons: p, Cells: 256}))
			cubics := func(d *Distribution) float64 {
				_, smooth, err := d.Polynomials(6, 3)
				if err != nil {
					t.Fatal(err)
				}
				return m.l1(smooth)
			}
			for range runs {
				codes := m.draw(random, n, 1e8)
				view := domain.SortedCodes(codes, bitsOf(size))
				figures[0] = append(figures[0], m.l1(must(notPrivate(codes, size).Pieces(20))))
				for i, l := range learners {
					d := must(l.Release(src, view, nil))
					if i == 0 {
						figures[1] = append(figures[1], m.l1(must(d.Pieces(20))))
						figures[6], figures[7] = append(figures[6], m.l1(d.Fewest())), append(figures[7], cubics(d))
					} else {
						figures[1+i] = append(figures[1+i], m.l1(d))
					}
				}
				figures[8] = append(figures[8], cubics(must(histogram.Release(src, view, nil))))
			}
			fmt.Fprintf(&out, "| %s | %d | %s |", m.name, n, published[fmt.Sprint(m.name, " ", n)])
			for _, f := range figures {
				fmt.Fprintf(&out, " %.4f |", median(f))
			}
			out.WriteString("\n")
		}
	}
	t.Logf("median L1 error of %d runs, ε = 1, δ ≤ 1/n², 10^8 values\n\n%s", runs, out.String())
}

// BenchmarkAfterSort compares MERR with 20 rounds on codes below 10^18 with slices.Sort of the same codes, "of-sort".
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
			m := must(NewMERR(MERRParams{Epsilon: epsilon("1"), Delta: smallDelta(n), Size: size, Persons: uint64(n), Rule: rule, Rounds: 20}))
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
