package density

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"sort"

	"hush/core/phrase"
)

// Distribution is a released distribution: about how many persons have a value in each cell of a
// partition of the domain, evenly within a cell. All its answers are post-processing of one release
// and cost nothing. Proof: distribution.md.
type Distribution struct {
	// ascending, from 0 to the size; cell i has the codes from bounds[i] to bounds[i+1] − 1
	bounds  []*big.Int
	mass    []float64 // persons in each cell, at least 0
	upTo    []float64 // persons with a code below bounds[i+1]
	persons float64   // n
	band    *band
	method  phrase.Phrase
}

func newDistribution(bounds []*big.Int, mass []float64, persons float64,
	method phrase.Phrase) *Distribution {
	d := &Distribution{bounds: bounds, mass: mass, upTo: make([]float64, len(mass)),
		persons: persons, method: method}
	sum := 0.0
	for i, m := range mass {
		sum += m
		d.upTo[i] = sum
	}
	return d
}

// NewDistribution rebuilds a distribution from what its methods returned: cells that cover the
// domain from 0 on, where bounds[i] and bounds[i+1] are the ends of cell i; n; and the bands as
// Bands gave them. *param.Error (bounds, mass, persons, bands) where these do not fit.
func NewDistribution(bounds []*big.Int, mass []float64, persons float64, method string,
	at []*big.Int, low, high []float64) (*Distribution, error) {
	// H: distribution.md covers
	if len(bounds) != len(mass)+1 || len(mass) == 0 || bounds[0].Sign() != 0 || !ascending(bounds) {
		return nil, refuse("bounds", phrase.Of("%d for %d cells", len(bounds), len(mass)),
			"ends of cells, from 0, ascending, one more than cells")
	}
	sum := 0.0
	for _, m := range mass {
		if sum += m; !(m >= 0) || math.IsInf(sum, 1) { // H: distribution.md covers
			return nil, refuse("mass", fmt.Sprint(m), "numbers of persons, at least 0")
		}
	}
	if !(persons >= 0) || math.IsInf(persons, 1) { // H: distribution.md covers
		return nil, refuse("persons", fmt.Sprint(persons), "a number of persons")
	}
	// H: distribution.md covers
	if len(at) != len(low) || len(at) != len(high) || !ascending(at) || !slices.IsSorted(low) ||
		!slices.IsSorted(high) {
		return nil, refuse("bands", phrase.Of("%d places", len(at)),
			"as many ascending places, lower and upper numbers, both rising")
	}
	d := newDistribution(bounds, mass, persons, phrase.Plain(method))
	d.band = &band{at: at, low: low, high: high}
	return d, nil
}

func ascending(list []*big.Int) bool {
	return slices.IsSortedFunc(list, (*big.Int).Cmp) &&
		len(slices.CompactFunc(slices.Clone(list), func(x, y *big.Int) bool {
			return x.Cmp(y) == 0
		})) == len(list)
}

// Certified is the same distribution with a band around it, where no count is off by more than
// the given number of persons, as [Distribution.Gap] and a [mechanism.LargestError] say (H:
// distribution.md no-farther).
func (d *Distribution) Certified(off int64) *Distribution {
	centre := make([]float64, len(d.upTo))
	for i, upTo := range d.upTo {
		centre[i] = math.Floor(upTo) // what Gap compares with
	}
	out := *d
	out.band = newBand(d.bounds[1:], centre, float64(off), d.persons)
	return &out
}

// Bands lists where the bands were measured: between low[i] and high[i] persons have a code below
// at[i], with the probability stated, for all i at once. At most this many places are listed,
// spread as evenly as possible; wider bands hold between the places. The lists must not be written
// to.
func (d *Distribution) Bands(most int) (at []*big.Int, low, high []float64) {
	if len(d.band.at) <= most {
		return d.band.at, d.band.low, d.band.high
	}
	for k := range most {
		i := (k+1)*len(d.band.at)/most - 1
		at, low, high = append(at, d.band.at[i]), append(low, d.band.low[i]),
			append(high, d.band.high[i])
	}
	return at, low, high
}

// Cells returns the number of cells.
func (d *Distribution) Cells() int { return len(d.mass) }

// Cell returns the first and the last code of cell i and about how many persons have a code in it.
// The numbers must not be written to.
func (d *Distribution) Cell(i int) (first, last *big.Int, persons float64) {
	return d.bounds[i], new(big.Int).Sub(d.bounds[i+1], oneInt), d.mass[i]
}

// Size returns the number of values of the domain. It must not be written to.
func (d *Distribution) Size() *big.Int { return d.bounds[len(d.bounds)-1] }

// Total returns about how many persons have a value.
func (d *Distribution) Total() float64 { return d.upTo[len(d.upTo)-1] }

// Persons returns n, the number of persons with or without a value.
func (d *Distribution) Persons() float64 { return d.persons }

// Density returns about how many persons have each single value of cell i.
func (d *Distribution) Density(i int) float64 {
	return d.mass[i] / float(new(big.Int).Sub(d.bounds[i+1], d.bounds[i]))
}

// cell returns the index of the cell with code x of the domain.
func (d *Distribution) cell(x *big.Int) int {
	return sort.Search(len(d.mass), func(i int) bool { return d.bounds[i+1].Cmp(x) > 0 })
}

// below returns about how many persons have a code below b.
func (d *Distribution) below(b *big.Int) float64 {
	if b.Sign() <= 0 {
		return 0
	}
	if b.Cmp(d.Size()) >= 0 {
		return d.Total()
	}
	i := d.cell(b)
	width := new(big.Int).Sub(d.bounds[i+1], d.bounds[i])
	return d.before(i) + d.mass[i]*ratio(new(big.Int).Sub(b, d.bounds[i]), width)
}

// before returns about how many persons have a code in the cells before i.
func (d *Distribution) before(i int) float64 {
	if i == 0 {
		return 0
	}
	return d.upTo[i-1]
}

// Count returns about how many persons have the value x or a smaller one.
func (d *Distribution) Count(x *big.Int) float64 { return d.below(new(big.Int).Add(x, oneInt)) }

// Range returns about how many persons have a value from lo to hi.
func (d *Distribution) Range(lo, hi *big.Int) float64 {
	if lo.Cmp(hi) > 0 {
		return 0
	}
	return d.Count(hi) - d.below(lo)
}

// Quantile returns the smallest value x with Count(x) ≥ q·Total, for 0 ≤ q ≤ 1, to the precision of
// a float64.
func (d *Distribution) Quantile(q float64) *big.Int {
	target := min(max(q, 0), 1) * d.Total()
	i := sort.Search(len(d.upTo)-1, func(i int) bool {
		return d.upTo[i] >= target && d.upTo[i] > 0
	})
	width := new(big.Int).Sub(d.bounds[i+1], d.bounds[i])
	part := 0.0
	if d.mass[i] > 0 {
		part = min(max((target-d.before(i))/d.mass[i], 0), 1)
	}
	// ⌈part·width⌉ − 1 codes of the cell come before.
	const unit = 1 << 52
	x := new(big.Int).Mul(width, big.NewInt(int64(math.Ceil(part*unit))))
	x.Add(x, big.NewInt(unit-1)).Rsh(x, 52).Sub(x, oneInt)
	if x.Sign() < 0 {
		x.SetInt64(0)
	}
	return x.Add(x, d.bounds[i])
}

// Within returns bounds on the number of persons with the value x or a smaller one. They hold with
// the probability stated by the parameters (95 % if none was), for all x at once, for any data.
func (d *Distribution) Within(x *big.Int) (low, high float64) {
	return d.band.within(new(big.Int).Add(x, oneInt), d.persons)
}

// RangeWithin returns such bounds for the persons with a value from lo to hi; they hold together
// with all others.
func (d *Distribution) RangeWithin(lo, hi *big.Int) (low, high float64) {
	if lo.Cmp(hi) > 0 {
		return 0, 0
	}
	lowFrom, highFrom := d.band.within(lo, d.persons)
	lowTo, highTo := d.Within(hi)
	return max(lowTo-highFrom, 0), max(highTo-lowFrom, 0)
}

// QuantileWithin returns two values. Between them lies, with the same probability as in Within, the
// smallest value x such that at least q·Total persons have x or less, Total being the estimate.
func (d *Distribution) QuantileWithin(q float64) (low, high *big.Int) {
	target := min(max(q, 0), 1) * d.Total()
	return d.band.first(target, d.Size(), true), d.band.first(target, d.Size(), false)
}

// band encloses the function "persons with a code below b" at some b; since it rises, it is
// enclosed everywhere. Proof: distribution.md, Lemma 1.
type band struct {
	at        []*big.Int // ascending
	low, high []float64  // rising
}

// bandAround returns the band of a distribution that is off by no more than within at each of its
// bounds.
func bandAround(d *Distribution, within float64) *band {
	return newBand(d.bounds[1:], d.upTo, within, d.persons)
}

// newBand returns a band for n persons whose centres rise and are off by no more than within.
func newBand(at []*big.Int, centre []float64, within, persons float64) *band {
	b := &band{at: at, low: make([]float64, len(at)), high: make([]float64, len(at))}
	for i, c := range centre {
		b.low[i], b.high[i] = math.Ceil(max(c-within, 0)-rounding),
			math.Floor(min(c+within, persons)+rounding)
	}
	return b
}

// rounding bounds the error of sums of floats: numbers of persons are whole, so a band may be
// rounded to them.
const rounding = 1e-3

func (b *band) within(x *big.Int, persons float64) (low, high float64) {
	if x.Sign() <= 0 {
		return 0, 0
	}
	// the first not below x
	i := sort.Search(len(b.at), func(i int) bool { return b.at[i].Cmp(x) >= 0 })
	high = persons
	if i < len(b.at) {
		high = b.high[i]
		if b.at[i].Cmp(x) == 0 {
			return b.low[i], high
		}
	}
	if i > 0 {
		low = b.low[i-1]
	}
	return low, high
}

// first returns the smallest code x for which the number of persons up to x may, or else must,
// reach the target.
func (b *band) first(target float64, size *big.Int, may bool) *big.Int {
	last := new(big.Int).Sub(size, oneInt)
	if may {
		i := sort.Search(len(b.at), func(i int) bool { return b.high[i] >= target })
		if i == 0 || len(b.at) == 0 {
			return new(big.Int)
		}
		return minInt(b.at[i-1], last) // behind at[i−1] the number may jump to high[i]
	}
	i := sort.Search(len(b.at), func(i int) bool { return b.low[i] >= target })
	if i == len(b.at) {
		return last
	}
	return minInt(new(big.Int).Sub(b.at[i], oneInt), last)
}

func minInt(x, y *big.Int) *big.Int {
	if x.Cmp(y) <= 0 {
		return new(big.Int).Set(x)
	}
	return y
}

// float returns x to the precision of a float64; +Inf beyond it.
func float(x *big.Int) float64 {
	f, _ := new(big.Float).SetInt(x).Float64()
	return f
}

// ratio returns x/y for 0 ≤ x ≤ y of any size, y ≥ 1.
func ratio(x, y *big.Int) float64 {
	q := new(big.Float).SetPrec(64).SetInt(x)
	f, _ := q.Quo(q, new(big.Float).SetPrec(64).SetInt(y)).Float64()
	return f
}
