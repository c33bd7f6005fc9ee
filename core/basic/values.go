package basic

import (
	"math"
	"math/big"
	"math/bits"

	"hush/core/coin"
)

// Values is a column of domain codes: one value or none for every row. A row is one person, unless
// the column is [Counted] (H: sums.md rows-are-persons; upperbound.md one-value).
type Values interface {
	// Len is the number of rows.
	Len() int
	// Code returns row i's code, or false for none.
	Code(i int) (uint64, bool) // H: sums.md one-value
}

// A Counted column has rows that each stand for several persons, such as counts aggregated
// elsewhere. Neighbours still differ in one person; the number of rows is private.
type Counted interface {
	Values
	// Persons is how many persons row i stands for.
	Persons(i int) uint64
}

// WithCounts makes a column [Counted]: row i stands for counts[i] persons. Both must have the same
// length.
func WithCounts(values Values, counts []uint64) Counted { return counted{values, counts} }

// CodesOf reads the codes of the rows from row from on, as many as the two slices are long: has
// says which rows have one. It is much faster than calling Code for each, if values have a method
// Codes for it.
func CodesOf(values Values, from int, codes []uint64, has []bool) {
	if all, ok := values.(interface {
		Codes(from int, codes []uint64, has []bool)
	}); ok {
		all.Codes(from, codes, has)
		return
	}
	for i := range codes {
		codes[i], has[i] = values.Code(from + i)
	}
}

// CountedAs returns values whose rows stand for as many persons as in another column.
func CountedAs(values, of Values) Values {
	if c, ok := of.(Counted); ok {
		return countedAs{values, c}
	}
	return values
}

type countedAs struct {
	Values
	of Counted
}

func (c countedAs) Codes(from int, codes []uint64, has []bool) {
	CodesOf(c.Values, from, codes, has)
}

func (c countedAs) Persons(i int) uint64 { return c.of.Persons(i) }

type counted struct {
	Values
	counts []uint64
}

func (c counted) Codes(from int, codes []uint64, has []bool) {
	CodesOf(c.Values, from, codes, has)
}

func (c counted) Persons(i int) uint64 { return c.counts[i] }

// MaxPeople is the largest number of persons a question takes: counts and their noise then stay far
// inside int64.
const MaxPeople = 1 << 53

// stepRows is the number of rows between two calls of step: a few milliseconds' work.
const stepRows = 1 << 18

// progress is the full amount of every release's progress: where the number of rows is not public,
// a share of it is.
const progress = 1000

// part reports the progress of a piece of work as the part from … to of the whole.
func part(step coin.Step, from, to int64) coin.Step {
	if step == nil {
		return nil
	}
	return func(done, of int64) error {
		return step(from+int64(float64(to-from)*float64(done)/float64(max(of, 1))), progress)
	}
}

// readRows is the number of rows read at once: a part of stepRows.
const readRows = 1 << 9

// batch holds what is read at once: for each row the number of its group, beyond all where it has
// none; its code, 0 where it has none; and whether it has one.
type batch struct {
	from          int
	groups, codes []uint64
	has           []bool
}

// read calls f for all rows, some at a time, and takes its slices back after each call. groups may
// be nil: everybody is in group 0.
func read(values, groups Values, step coin.Step, f func(batch)) error {
	n := values.Len()
	codes, has := make([]uint64, readRows), make([]bool, readRows)
	group, in := make([]uint64, readRows), make([]bool, readRows)
	for from := 0; from < n; from += readRows {
		if step != nil && from&(stepRows-1) == 0 {
			if err := step(int64(from), int64(n)); err != nil {
				return err
			}
		}
		rows := min(readRows, n-from)
		b := batch{from, group[:rows], codes[:rows], has[:rows]}
		CodesOf(values, from, b.codes, b.has)
		for i, ok := range b.has {
			if !ok {
				b.codes[i] = 0
			}
		}
		if groups != nil {
			CodesOf(groups, from, b.groups, in[:rows])
			for i, ok := range in[:rows] {
				if !ok {
					b.groups[i] = math.MaxUint64
				}
			}
		}
		f(b)
	}
	return nil
}

// scan calls f for every row with the numbers of its group and of its persons. groups may be nil:
// everybody is in group 0. A row without a group, or with a group beyond last, is left out.
func scan(values, groups Values, last uint64, step coin.Step,
	f func(group, code uint64, ok bool, persons uint64)) error {
	weights, _ := values.(Counted)
	return read(values, groups, step, func(b batch) {
		for i, group := range b.groups {
			if group > last { // H: sums.md in-groups
				continue
			}
			persons := uint64(1)
			if weights != nil {
				persons = min(weights.Persons(b.from+i), MaxPeople)
			}
			f(group, b.codes[i], b.has[i], persons)
		}
	})
}

// alikeCounts is the largest number of counts that scanAlike keeps: for codes of one byte for 256
// groups, or of two bytes for one.
const alikeCounts = 1 << 16

// scanAlike is scan for an f that only adds up persons: of many rows, all rows of a group with the
// same small code, or with none, make one call. It is several times as fast.
func scanAlike(values, groups Values, last uint64, step coin.Step,
	f func(group, code uint64, ok bool, persons uint64)) error {
	if _, weighted := values.(Counted); weighted || values.Len() < alikeCounts ||
		last >= alikeCounts/2 {
		return scan(values, groups, last, step, f)
	}
	none := alikeCounts/(last+1) - 1 // the place of rows with none, after those of the codes below
	counts := make([]uint64, (last+1)*(none+1))
	err := read(values, groups, step, func(b batch) {
		codes, has := b.codes[:len(b.groups)], b.has[:len(b.groups)]
		for i, group := range b.groups {
			code := codes[i]
			switch {
			case group > last: // H: sums.md in-groups
			case !has[i]:
				counts[group*(none+1)+none]++
			case code < none:
				counts[group*(none+1)+code]++
			default:
				f(group, code, true, 1)
			}
		}
	})
	if err != nil {
		return err
	}
	for group := range last + 1 {
		for place, persons := range counts[group*(none+1) : (group+1)*(none+1)] {
			switch {
			case persons == 0:
			case uint64(place) == none:
				f(group, 0, false, persons)
			default:
				f(group, uint64(place), true, persons)
			}
		}
	}
	return nil
}

// wide is a sum of 128 bits: codes of 64 bits for 2^53 persons, or squares of 31 bits, never exceed
// it.
type wide struct{ hi, lo uint64 }

// add adds x·times.
func (w *wide) add(x, times uint64) {
	hi, lo := bits.Mul64(x, times)
	var carry uint64
	w.lo, carry = bits.Add64(w.lo, lo, 0)
	w.hi += hi + carry
}

// big returns the sum as a new integer.
func (w wide) big() *big.Int {
	x := new(big.Int).SetUint64(w.hi)
	return x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(w.lo))
}

// toFloat returns x for forecasts.
func toFloat(x *big.Int) float64 {
	f, _ := new(big.Float).SetInt(x).Float64()
	return f
}

func bigOf(n uint64) *big.Int   { return new(big.Int).SetUint64(n) }
func ratOf(n *big.Int) *big.Rat { return new(big.Rat).SetInt(n) }

// ratFloat returns x as a float64 for forecasts.
func ratFloat(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// ceilDiv returns ⌈x/y⌉ for x ≥ 0, y > 0.
func ceilDiv(x, y *big.Int) *big.Int {
	up := new(big.Int).Add(x, y)
	return up.Div(up.Sub(up, bigOf(1)), y)
}

// logBig returns ln n for n ≥ 1 of any size, for forecasts.
func logBig(n *big.Int) float64 {
	shift := max(n.BitLen()-64, 0)
	return math.Log(toFloat(new(big.Int).Rsh(n, uint(shift)))) + float64(shift)*math.Ln2
}
