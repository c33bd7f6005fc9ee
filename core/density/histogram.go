package density

import (
	"fmt"
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/threshold"
)

// HistogramParams are the parameters of Histogram.
type HistogramParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon

	// Size is the number of values of the domain. Required.
	Size *big.Int

	// Persons is n, the public number of persons with or without a value. From 1 to 2^40; required.
	Persons uint64

	// Bounds are the first codes of the cells but the first, ascending, above 0 and below Size,
	// public. At most 2^20.
	Bounds []*big.Int

	// Cells, where there are no Bounds, is into how many cells the domain is cut, as equal as they
	// can be; 0 stands for one for each value. At most 2^20.
	Cells int

	// Beta is the probability with which the bands may miss; 0 stands for 0.05.
	Beta float64
}

// Histogram counts the persons in each cell of a public partition, with noise, and projects the
// counts to a distribution.
//
// # Guarantee
//
// Pure ε-DP for neighbours that differ in one replaced person, n public: the person leaves one cell
// and joins another, so that noise has scale 2/ε; no value is a cell of its own. Proof:
// histogram.md, Theorems 3 and 4 of the paper with their constants.
//
// # Input and output
//
// As [MERR].
//
// # Errors
//
// [*param.Error] (epsilon, size, persons, bounds, cells, beta) from the constructor, (codes) from
// Release; else what step returns.
//
// # Cost and accuracy
//
// One draw for each cell. TotalVariationBound is the bound of Theorem 3.
//
// # Reference
//
// Diakonikolas, Hardt, Schmidt, 2015, Theorems 3 and 4. Differs: noise for replaced persons,
// discrete; the sums are made to rise (isotonic regression), after stretches of many cells that
// noise alone may tell apart were joined.
type Histogram struct {
	bounds  []*big.Int
	bits    int
	persons int64
	beta    float64
	counts  *mechanism.Laplace
}

var _ Learner = (*Histogram)(nil)

const mostCells = 1 << 20

// NewHistogram checks the parameters.
func NewHistogram(p HistogramParams) (*Histogram, error) {
	if err := checkCommon(p.Epsilon, p.Size, p.Persons, p.Beta); err != nil {
		return nil, err
	}
	bounds, err := p.partition()
	if err != nil {
		return nil, err
	}
	counts, err := mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: p.Epsilon, L1Sensitivity: 2, LargestMove: 1})
	if err != nil {
		return nil, err
	}
	return &Histogram{bounds: bounds, bits: bitsOf(p.Size), persons: int64(p.Persons),
		beta: betaOr(p.Beta), counts: counts}, nil
}

func (p HistogramParams) partition() ([]*big.Int, error) {
	if len(p.Bounds) > 0 {
		bounds := []*big.Int{new(big.Int)}
		for _, b := range append(p.Bounds[:len(p.Bounds):len(p.Bounds)], p.Size) {
			// H: histogram.md bounds
			if b == nil || b.Cmp(bounds[len(bounds)-1]) <= 0 || b.Cmp(p.Size) > 0 {
				return nil, refuse("bounds", fmt.Sprint(b),
					"first codes of cells, ascending, above 0 and below the size of the domain")
			}
			bounds = append(bounds, new(big.Int).Set(b))
		}
		if len(bounds) > mostCells+1 { // H: histogram.md cells
			return nil, refuse("bounds", fmt.Sprint(len(p.Bounds)), "at most 2^20")
		}
		return bounds, nil
	}
	cells := p.Cells
	if cells == 0 {
		if p.Size.Cmp(big.NewInt(mostCells)) > 0 {
			return nil, refuse("cells", phrase.Key("one for each value"),
				"at most 2^20: a number of cells")
		}
		cells = int(p.Size.Int64())
	}
	if cells < 0 || cells > mostCells { // H: histogram.md cells
		return nil, refuse("cells", fmt.Sprint(p.Cells), "0 to 2^20")
	}
	return equalCells(p.Size, cells), nil
}

// equalCells cuts the domain into this many cells whose sizes differ by at most one; if there are
// fewer values, each is a cell.
func equalCells(size *big.Int, cells int) []*big.Int {
	if size.Cmp(big.NewInt(int64(cells))) < 0 {
		cells = int(size.Int64())
	}
	bounds, all := make([]*big.Int, cells+1), make([]big.Int, cells+1)
	words := make([]big.Word, cells+1)
	number, many := new(big.Int), big.NewInt(int64(cells))
	each := size.Cmp(many) == 0
	for i := range bounds {
		if bounds[i] = &all[i]; each { // a million of them take no memory of their own
			words[i] = big.Word(i)
			all[i].SetBits(words[i : i+1 : i+1])
			continue
		}
		number.Mul(size, number.SetInt64(int64(i))).Quo(number, many)
		all[i].Set(number)
	}
	return bounds
}

// Name is "histogram".
func (h *Histogram) Name() phrase.Phrase { return phrase.Of("histogram") }

// Loss is ε for d = 1, and group privacy beyond.
func (h *Histogram) Loss(d privacy.Distance) (privacy.Loss, error) { return h.counts.Loss(d) }

// Forecast returns what is known beforehand.
func (h *Histogram) Forecast() Forecast {
	cells, n := len(h.bounds)-1, float64(h.persons)
	f := Forecast{Cells: cells, Within: countedWithin(h.counts, cells, h.beta), Anywhere: n}
	f.Typical = threshold.TypicalWalk(f.Within, h.persons)
	if singleValues(h.bounds) {
		f.Anywhere = min(n, f.Within)
	} else {
		f.Typical = min(f.Typical+typicalBetween(h.bounds, n), n)
	}
	return f
}

// Release learns the distribution.
func (h *Histogram) Release(src coin.Source, codes domain.Sorted,
	step coin.Step) (*Distribution, error) {
	if err := checkCodes(codes, h.bits); err != nil {
		return nil, err
	}
	if step != nil {
		if err := step(0, 1); err != nil {
			return nil, err
		}
	}
	return countCells(src, h.counts, h.bounds, codes, h.persons, h.beta, h.Name())
}

// TotalVariationBound bounds, with probability 1 − beta, half the L1 distance between the noisy
// frequencies before their projection and the distribution the persons were drawn from, each
// independently (H: histogram.md drawn), for k cells: ½(√(k/n) + √(2·ln(2/β)/n)) + (2 +
// √(8·ln(2/β)/k) + 2·ln(2/β)/k)·k/(2·ε·n), with the scale 2/ε of the noise.
func (h *Histogram) TotalVariationBound(beta float64) float64 {
	k, n, log := float64(len(h.bounds)-1), float64(h.persons), math.Log(2/beta)
	scale := 1 / h.counts.Noise().Log()
	return (math.Sqrt(k/n)+math.Sqrt(2*log/n))/2 + scale/(2*n)*(k+math.Sqrt(2*k*log)+log)
}

// cellCounts returns the numbers of codes in the cells and, last, of persons without a value.
func cellCounts(bounds []*big.Int, codes domain.Sorted, persons int64) []int64 {
	counts := make([]int64, len(bounds))
	before := 0
	for i, b := range bounds[1:] {
		below, _ := codes.Rank(b)
		counts[i] = int64(below - before)
		before = below
	}
	counts[len(bounds)-1] = persons - int64(before)
	return counts
}

// countCells counts the persons in each cell, and those without a value, with noise, and returns
// their distribution.
func countCells(src coin.Source, noise *mechanism.Laplace, bounds []*big.Int, codes domain.Sorted,
	persons int64, beta float64, name phrase.Phrase) (*Distribution, error) {
	noisy, err := noise.Release(src, cellCounts(bounds, codes, persons), nil)
	if err != nil {
		return nil, err
	}
	return fromCells(noise, bounds, noisy, persons, beta, name), nil
}

// fromCells makes a distribution from noisy counts, the last of which is of persons without a
// value. It reads nothing else of the data: post-processing.
func fromCells(noise *mechanism.Laplace, bounds []*big.Int, noisy []int64, persons int64,
	beta float64, name phrase.Phrase) *Distribution {
	mass := make([]float64, len(noisy))
	for i, c := range noisy {
		mass[i] = float64(c)
	}
	k, n := len(bounds)-1, float64(persons)
	cells := mass
	if k > fewCells && k <= mostSmoothed {
		sd := noise.StdDev()
		cells = smoothed(mass, 4*sd*sd)
	}
	proven, within := rising(sumsFromEnds(mass, n)), countedWithin(noise, k, beta)
	estimate := rising(closedSums(cells, n))
	for i, centre := range proven { // the bands hold, so what lies outside of them is wrong
		estimate[i] = min(max(estimate[i], centre-within), centre+within)
	}
	d := fromSums(bounds, estimate, n, name)
	d.band = newBand(bounds[1:], proven, within, n)
	return d
}

// countedWithin returns a number of persons by which, with probability 1 − beta, no sum of k noisy
// cells is off: at most half of them are added up, from whichever side is nearer.
func countedWithin(noise *mechanism.Laplace, k int, beta float64) float64 {
	return noise.Noise().SumBound(k-k/2, beta/2)
}

// Among more than fewCells cells, chosen without regard to the data, many will look alike; more
// than mostSmoothed take too long to smooth.
const (
	fewCells     = 256
	mostSmoothed = 1 << 13
)

// closedSums returns the numbers of persons below each bound but the first, from noisy numbers in
// cells and, last, of persons without a value. Together they must be n: least squares spreads the
// difference evenly over all of them, so that no cell gets more of it than another (histogram.md,
// Closing).
func closedSums(mass []float64, persons float64) []float64 {
	off := -persons
	for _, m := range mass {
		off += m
	}
	each := off / float64(len(mass))
	list := make([]float64, len(mass)-1)
	sum := 0.0
	for i := range list {
		sum += mass[i] - each
		list[i] = sum
	}
	return list
}

// sumsFromEnds returns the same numbers for the bands: from the left for the lower half of the
// bounds and from the right, where all are n, for the upper half, so that the proven bound adds up
// fewer noises. The cell in the middle absorbs the entire difference: these numbers are no
// estimate.
func sumsFromEnds(mass []float64, persons float64) []float64 {
	k := len(mass) - 1
	list := make([]float64, k)
	left, right := 0.0, 0.0
	for i := range k / 2 {
		left += mass[i]
		list[i] = left
	}
	for i := k - 1; i >= k/2; i-- {
		right += mass[i+1]
		list[i] = persons - right
	}
	return list
}

// fromSums returns the distribution with these rising numbers of persons below each bound but the
// first.
func fromSums(bounds []*big.Int, upTo []float64, persons float64,
	name phrase.Phrase) *Distribution {
	mass := make([]float64, len(upTo))
	before := 0.0
	for i, u := range upTo {
		u = min(max(u, 0), persons)
		mass[i] = u - before
		before = u
	}
	return newDistribution(bounds, mass, persons, name)
}
