package density

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

const comparedPreface = `# Distributions, compared

Made by a test; do not edit (` + "`go test ./core/density -run TestCompared -update`" + `).
People are drawn from a known density; each number is half the L1 distance between the release and
that density, in percent of the people, the median of 9 runs at ε = 1. 0 is perfect, 100 is all
wrong.

## Known partition

A density over 10^6 values that falls from the first one on: exponential, with half of the people in
the first twentieth of the values, or in the first thousandth. The known partition has ranges that
grow away from the peak, which is known without the data. Equal cells are the simple way, and better
where somebody knows how wide they should be; the maximum error rule and the tree find their ranges
in the data.

| people | half of them in | 64 equal cells | 1024 equal cells | maximum error rule | tree of counts, grown | known partition |
|---|---|---|---|---|---|---|
`

const comparedShapes = `
## Families of shapes

A histogram of 256 equal cells of the same people, as it is and made to have a shape that the
density has (the falling one), or a gamma density with one peak.

| people | density | as released | made to fall | made to have one peak | made log-concave |
|---|---|---|---|---|---|
`

const comparedMixtures = `
## Mixtures of families

From the same histogram: three of five people are normally distributed around a quarter of the
values, and the others, more widely, around three fifths. Either one density of a shape is fitted,
or a mixture of two.

| people | as released | one peak | at most two peaks | log-concave | two log-concave ones | two whose hazard rate rises |
|---|---|---|---|---|---|---|
`

const comparedTail = `
## Rounds of the maximum error rule

The paper's other experiment is on one column of the Higgs data, whose domain is large and whose tail
is long. Its stand-in here is a log-normal density on 10^18 values, half of the people in the first
fiftieth. Each number is the largest error of a count in percent of the people (Kolmogorov), the
median of 5 runs: at ε = 1, and at ε = 100 in place of no noise. As in the paper, more rounds help
where there are more people.

| people | ε = 1: 4 rounds | 8 | 12 | 16 | 20 | ε = 100: 4 rounds | 8 | 12 | 16 | 20 |
|---|---|---|---|---|---|---|---|---|---|---|
`

const comparedMadeUp = `
## Made-up data

As many values drawn from a release as there are people. What sampling alone costs is in the first
column: people drawn anew from the true density, counted in 64 equal cells, as the others are.

| people | the truth itself | from 64 equal cells | from the maximum error rule | from the known partition |
|---|---|---|---|---|
`

// falls is the distribution function of the density of the tables, on [0, 1].
func falls(x float64) float64 { return exponential(20, x) }

// steep has half of the people in the first thousandth.
func steep(x float64) float64 { return exponential(1000, x) }

func exponential(part, x float64) float64 {
	rate := part * math.Ln2
	return (1 - math.Exp(-rate*x)) / (1 - math.Exp(-rate))
}

// peaked is that of a gamma density of shape 3.
func peaked(x float64) float64 {
	gamma := func(y float64) float64 { return 1 - math.Exp(-y)*(1+y+y*y/2) }
	return gamma(20*x) / gamma(20)
}

// twoBells has three of five people around a quarter, and the others wider around three fifths.
func twoBells(x float64) float64 {
	bell := func(at, wide float64) float64 { return math.Erfc((at-x)/wide/math.Sqrt2) / 2 }
	return 0.6*bell(0.25, 0.05) + 0.4*bell(0.6, 0.1)
}

// tail is that of a log-normal density of which half is below a fiftieth.
func tail(x float64) float64 { return math.Erfc(-math.Log(50*x)/0.7/math.Sqrt2) / 2 }

// drawnFrom are sorted codes of people of a distribution function.
func drawnFrom(random *rand.Rand, n int, size uint64, cdf func(float64) float64) []uint64 {
	codes := make([]uint64, n)
	for i := range codes {
		u, lo, hi := random.Float64(), 0.0, 1.0
		for range 40 {
			if x := (lo + hi) / 2; cdf(x) < u {
				lo = x
			} else {
				hi = x
			}
		}
		codes[i] = min(uint64(lo*float64(size)), size-1)
	}
	slices.Sort(codes)
	return codes
}

// offBy is half the L1 distance from the density, on a grid refined by the cells, in percent.
func offBy(d *Distribution, cdf func(float64) float64) (sum float64) {
	size := float(d.Size())
	for i := range d.Cells() {
		a, b := float(d.bounds[i])/size, float(d.bounds[i+1])/size
		steps := max(1, int(math.Ceil((b-a)*40_000)))
		before := cdf(a)
		for k := 1; k <= steps; k++ {
			now := cdf(a + (b-a)*float64(k)/float64(steps))
			sum += math.Abs(now - before - d.mass[i]/max(d.Total(), 1)/float64(steps))
			before = now
		}
	}
	return 50 * sum
}

// anew is how far counts of values drawn from a release are from the density, in 64 equal cells.
func anew(codes []*big.Int, size *big.Int, cdf func(float64) float64) (sum float64) {
	const cells = 64
	counts := make([]float64, cells)
	for _, c := range codes {
		counts[int(float(c)/float(size)*cells)]++
	}
	for i, c := range counts {
		sum += math.Abs(c/float64(len(codes)) -
			(cdf(float64(i+1)/cells) - cdf(float64(i)/cells)))
	}
	return 50 * sum
}

// TestCompared writes COMPARED.md: seeded, so that it is the same each time.
func TestCompared(t *testing.T) {
	if testing.Short() && !*audittest.Update {
		t.Skip("seconds of drawing: the long tests compare the whole table")
	}
	one, size := privacy.Epsilon(epsilon("1")), big.NewInt(1_000_000)
	var b, shapes, made strings.Builder
	b.WriteString(comparedPreface)
	shapes.WriteString(comparedShapes)
	made.WriteString(comparedMadeUp)
	for _, n := range []int{1000, 10_000, 100_000} {
		persons := uint64(n)
		learner := func(l Learner, err error) Learner {
			if err != nil {
				t.Fatal(err)
			}
			return l
		}
		equal := func(cells int) Learner {
			return learner(NewHistogram(
				HistogramParams{Epsilon: one, Size: size, Persons: persons, Cells: cells}))
		}
		bounds, _, err := Peak(PeakParams{Epsilon: one, Size: size, Persons: persons})
		if err != nil {
			t.Fatal(err)
		}
		learners := []Learner{equal(64), equal(1024),
			learner(NewMERR(MERRParams{Epsilon: one, Size: size, Persons: persons, Recount: 6})),
			learner(NewPrivTree(PrivTreeParams{Epsilon: one, Size: size, Persons: persons})),
			learner(NewHistogram(
				HistogramParams{Epsilon: one, Size: size, Persons: persons, Bounds: bounds}))}
		const runs = 9
		off, steeper := make([][]float64, len(learners)), make([][]float64, len(learners))
		var truth []float64
		drawn := make([][]float64, len(learners))
		shaped := map[string][][]float64{}
		for run := range runs {
			random := rand.New(rand.NewPCG(uint64(n), uint64(run)))
			src := coin.NewSeeded(coin.Seed(1000*n + run))
			codes := drawnFrom(random, n, size.Uint64(), falls)
			others := drawnFrom(random, n, size.Uint64(), falls)
			crowded := drawnFrom(random, n, size.Uint64(), steep)
			fresh := make([]*big.Int, n)
			for i, c := range others {
				fresh[i] = new(big.Int).SetUint64(c)
			}
			truth = append(truth, anew(fresh, size, falls))
			for i, l := range learners {
				d := must(l.Release(src, domain.SortedCodes(codes, bitsOf(size)), nil))
				off[i] = append(off[i], offBy(d, falls))
				crowd := must(l.Release(src, domain.SortedCodes(crowded, bitsOf(size)), nil))
				steeper[i] = append(steeper[i], offBy(crowd, steep))
				drawn[i] = append(drawn[i], anew(must(d.Draw(src, n, nil)), size, falls))
			}
			for name, cdf := range map[string]func(float64) float64{"falling": falls,
				"one peak": peaked} {
				people := codes
				if name == "one peak" {
					people = drawnFrom(random, n, size.Uint64(), peaked)
				}
				d := must(equal(256).Release(coin.NewSeeded(coin.Seed(n+run)),
					domain.SortedCodes(people, bitsOf(size)), nil))
				list := []float64{offBy(d, cdf)}
				for _, shape := range []Shape{Falling, Unimodal, LogConcave} {
					list = append(list, offBy(must(d.Shaped(shape)), cdf))
				}
				shaped[name] = append(shaped[name], list)
			}
		}
		for _, row := range []struct {
			half string
			off  [][]float64
		}{{"1/20", off}, {"1/1000", steeper}} {
			fmt.Fprintf(&b, "| %d | %s |", n, row.half)
			for _, list := range row.off {
				fmt.Fprintf(&b, " %.1f |", median(list))
			}
			b.WriteString("\n")
		}
		for _, name := range []string{"falling", "one peak"} {
			fmt.Fprintf(&shapes, "| %d | %s |", n, name)
			for i := range 4 {
				var column []float64
				for _, list := range shaped[name] {
					column = append(column, list[i])
				}
				fmt.Fprintf(&shapes, " %.1f |", median(column))
			}
			shapes.WriteString("\n")
		}
		fmt.Fprintf(&made, "| %d | %.1f | %.1f | %.1f | %.1f |\n", n, median(truth),
			median(drawn[0]), median(drawn[2]), median(drawn[4]))
		known := median(steeper[4])
		others := []string{"64 equal cells", "1024 equal cells", "the rule", "the tree"}
		for i, name := range others {
			if other := median(steeper[i]); known > other {
				t.Errorf("n = %d: the known partition is off by %.1f, %s by %.1f", n, known, name,
					other)
			}
		}
	}
	audittest.Document(t, "COMPARED.md",
		b.String()+shapes.String()+comparedMixed(t)+comparedRounds(t)+made.String())
}

// comparedRounds is the table of rounds.
func comparedRounds(t *testing.T) string {
	var b strings.Builder
	b.WriteString(comparedTail)
	size, rounds := big.NewInt(1e18), []int{4, 8, 12, 16, 20}
	for _, n := range []int{1000, 10_000, 100_000} {
		fmt.Fprintf(&b, "| %d |", n)
		var last float64
		for _, at := range []string{"1", "100"} {
			for _, round := range rounds {
				l, err := NewMERR(MERRParams{Epsilon: epsilon(at), Size: size, Persons: uint64(n),
					Rounds: round})
				if err != nil {
					t.Fatal(err)
				}
				var off []float64
				for run := range 5 {
					codes := domain.SortedCodes(drawnFrom(rand.New(rand.NewPCG(uint64(n),
						uint64(run))), n, 1e18, tail), 60)
					d := must(l.Release(coin.NewSeeded(coin.Seed(1000*n+run)), codes, nil))
					off = append(off, 100*float64(must(d.Gap(codes, nil)))/float64(n))
				}
				last = median(off)
				fmt.Fprintf(&b, " %.1f |", last)
			}
		}
		b.WriteString("\n")
		if last > 6 {
			t.Errorf("n = %d: with hardly any noise 20 rounds are off by %.1f", n, last)
		}
	}
	return b.String()
}

// comparedMixed is the table of mixtures of families.
func comparedMixed(t *testing.T) string {
	var b strings.Builder
	b.WriteString(comparedMixtures)
	for _, n := range []int{1000, 10_000, 100_000} {
		off := make([][]float64, 6)
		for run := range 9 {
			h, err := NewHistogram(HistogramParams{Epsilon: epsilon("1"), Size: big.NewInt(1e6),
				Persons: uint64(n), Cells: 256})
			if err != nil {
				t.Fatal(err)
			}
			people := drawnFrom(rand.New(rand.NewPCG(uint64(n), uint64(run))), n, 1e6, twoBells)
			d := must(h.Release(coin.NewSeeded(coin.Seed(1000*n+run)),
				domain.SortedCodes(people, 20), nil))
			for i, made := range []*Distribution{d, must(d.Shaped(Unimodal)),
				must(d.Shaped(Bimodal)), must(d.Shaped(LogConcave)), must(d.Mixed(LogConcave, 2)),
				must(d.Mixed(HazardRate, 2))} {
				off[i] = append(off[i], offBy(made, twoBells))
			}
		}
		fmt.Fprintf(&b, "| %d |", n)
		for _, list := range off {
			fmt.Fprintf(&b, " %.1f |", median(list))
		}
		b.WriteString("\n")
		for _, mixed := range off[4:] {
			if one := median(off[3]); median(mixed) > one/2 {
				t.Errorf("n = %d: a mixture of two is off by %.1f, one by %.1f", n, median(mixed),
					one)
			}
		}
	}
	return b.String()
}
