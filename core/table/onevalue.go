package table

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"hush/core/domain"
)

// oneValue makes the single value of each person in a column, except for the smallest and the
// largest, which are made in place.
type oneValue struct {
	Value
	rows  domain.Domain // how cells are read where they are added up
	lo    int64         // the value of code 0 of rows, in its units
	units *big.Int      // how many units are 1

	sums []sumOf
	by   domain.Domain // of times
	last []latestOf

	marks []uint64 // for groups: see groupsMarked
}

// groupsMarked estimates the number of different groups of a person if the ranks of these groups,
// of which six bits count, mark this many of 64 places: −64·ln(1 − places/64), rounded. (Whang,
// Vander-Zanden, Taylor, "A linear-time probabilistic counting algorithm", 1990.)
var groupsMarked = [65]uint8{
	0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 15, 16, 17,
	18, 20, 21, 23, 24, 25, 27, 28, 30, 32, 33, 35, 37, 39, 40, 42,
	44, 46, 48, 51, 53, 55, 58, 60, 63, 65, 68, 71, 74, 78, 81, 85,
	89, 93, 97, 102, 107, 113, 119, 126, 133, 142, 151, 163, 177, 196, 222, 255,
	255,
}

// sumOf is a person's sum, with the number of values in it.
type sumOf struct {
	sum128
	count uint32 // at most that of rows, which are counted
}

// latestOf is a person's latest time among this many rows so far; before the first row, there is
// none.
type latestOf struct {
	time  uint64
	count uint32
}

// sum128 is a sum in two's complement: 2^32 numbers of 64 bits fit.
type sum128 struct {
	lo uint64
	hi int64
}

func (s *sum128) add(x int64) {
	lo, carry := bits.Add64(s.lo, uint64(x), 0)
	s.lo, s.hi = lo, s.hi+x>>63+int64(carry)
}

func (s sum128) big(to *big.Int) *big.Int {
	to.SetInt64(s.hi).Lsh(to, 64)
	return to.Add(to, new(big.Int).SetUint64(s.lo))
}

// leastDigits is the least number of digits behind the point with which decimals are added up.
const leastDigits = 6

// newOneValue checks a value against the domain of its column.
func newOneValue(v Value, spec domain.Spec) (*oneValue, error) {
	o := &oneValue{Value: v}
	switch v.Of {
	case Smallest, Largest:
		if spec.IsWide() {
			return nil, refuse("use.of", string(v.Of),
				"a column without texts of more than 8 bytes")
		}
		return o, nil
	case Latest:
		if v.By.Spec.IsWide() {
			return nil, refuse("use.by", string(v.By.Spec.Kind), "times or numbers")
		}
		var err error
		if o.by, err = domain.New(v.By.Spec); err != nil {
			return nil, refuse("use.by", strconv.Quote(string(v.By.Spec.Kind)),
				"a column of times or numbers, whose values are described")
		}
		if v.By.Spec.Kind == domain.Date || v.By.Spec.Kind == domain.Timestamp {
			o.by = &remembering{Domain: o.by}
		}
		return o, nil
	}
	if err := v.numeric(spec); err != nil { // H: use.md columns
		return nil, err
	}
	digits := 0
	if spec.Kind == domain.Decimal {
		digits = leastDigits
		for _, text := range []string{spec.Lo, spec.Hi, spec.Step} {
			_, fraction, _ := strings.Cut(text, ".")
			digits = max(digits, len(fraction))
		}
	}
	o.units = new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	if v.Of == Number || v.Of == Groups {
		return o, nil
	}
	read := spec
	read.Lo, read.Hi, read.Outside = "", "", ""
	o.lo = math.MinInt64
	if spec.Kind == domain.Decimal {
		read.Step = "0." + strings.Repeat("0", digits-1) + "1"
		o.lo = -999_999_999_999_999_999 // as for a domain of decimals without bounds
	}
	var err error
	o.rows, err = domain.New(read)
	return o, err
}

// grow makes room for a new person.
func (o *oneValue) grow() {
	switch o.Of {
	case Sum, Mean:
		o.sums = append(o.sums, sumOf{})
	case Latest:
		o.last = append(o.last, latestOf{})
	case Groups:
		o.marks = append(o.marks, 0)
	}
}

// ahead touches the memory of persons.
func (o *oneValue) ahead(place []uint32) (seen uint64) {
	for _, at := range place {
		i := max(at, 1) - 1
		switch {
		case len(o.sums) > 0:
			seen += o.sums[i].lo
		case len(o.last) > 0:
			seen += o.last[i].time
		case len(o.marks) > 0:
			seen += o.marks[i]
		}
	}
	return seen
}

func (o *oneValue) bytes() int64 {
	return 24*int64(cap(o.sums)) + 16*int64(cap(o.last)) + 8*int64(cap(o.marks))
}

// useValues processes a row of a person for columns with one value each.
func (e *Encode) useValues(row, fields, at int, id [2]uint64, n uint32) error {
	drawn := e.bounded.any && e.bounded.drawn(id, drawsRow, n) == 0
	for i := range e.targets {
		t := &e.targets[i]
		v := t.value
		if v == nil {
			if drawn {
				if err := e.putCell(e.at(row), t, fields, at); err != nil {
					return err
				}
			}
			continue
		}
		if v.Of == Latest {
			if e.later(row, fields, v, at, id) {
				if err := e.putCell(e.at(row), t, fields, at); err != nil {
					return err
				}
			}
			continue
		}
		if v.Of == Number {
			continue
		}
		cell, has := e.cell(row, fields, t.field)
		if !has {
			continue
		}
		if v.Of == Groups {
			if group := groupOf(cell); len(group) > 0 {
				v.marks[at] |= 1 << (e.bounded.rank(id, group) % 64)
			}
			continue
		}
		values := t.domain
		if v.rows != nil {
			values = v.rows
		}
		code, ok := codeOf(values, cell)
		if !ok {
			e.unread(e.at(row), t, cell)
			continue
		}
		switch v.Of {
		case Smallest, Largest:
			if now, has := t.store.code(at); !has || code < now == (v.Of == Smallest) {
				t.store.set(at, code, true)
			}
		case Sum, Mean:
			sum := &v.sums[at]
			sum.add(int64(code + uint64(v.lo)))
			sum.count++
		}
	}
	return nil
}

// later reports whether a row is the latest of its person so far; among equal times one is drawn.
func (e *Encode) later(row, fields int, v *oneValue, at int, id [2]uint64) bool {
	cell, has := e.cell(row, fields, v.By.Column-1)
	if !has {
		return false
	}
	time, ok := codeOf(v.by, cell)
	switch last := &v.last[at]; {
	case !ok || last.count > 0 && time < last.time:
		return false
	case last.count == 0 || time > last.time:
		*last = latestOf{time, 1}
		return true
	default:
		last.count++
		return e.bounded.drawn(id, drawsLatest, last.count) == 0
	}
}

// finish writes the sums, clipped and rounded to the nearest step, a tie going up.
func (e *Encode) finish() {
	for i := range e.targets {
		t := &e.targets[i]
		if t.value == nil || t.value.units == nil {
			continue
		}
		v := t.value
		f := v.finisher(t.domain)
		for j := range e.persons.all {
			who := &e.persons.all[j]
			if who.at == 0 {
				continue
			}
			at := int(who.at - 1)
			n := uint32(1) // the value is sum divided by n
			var sum sum128
			switch v.Of {
			case Number:
				sum.lo = uint64(who.rows)
			case Groups:
				sum.lo = uint64(groupsMarked[bits.OnesCount64(v.marks[at])])
			default:
				if sum = v.sums[at].sum128; v.sums[at].count == 0 {
					continue
				}
				if v.Of == Mean {
					n = v.sums[at].count
				}
			}
			t.store.set(at, f.code(sum, n), true)
		}
		v.sums, v.marks = nil, nil
	}
}

// finisher converts sums to codes.
type finisher struct {
	unit      *big.Int // the unit of a sum
	low, wide *big.Int // the least value and the step of the domain, in the same units
	last      uint64   // code
	// the same, if they are small
	small           bool
	unit1, lo, step int64
	x, y, of        big.Int
}

const smallBits = 28

func (o *oneValue) finisher(d domain.Domain) *finisher {
	first, step := d.(domain.Numeric).Linear()
	f := &finisher{unit: big.NewInt(1), low: o.inUnits(first), wide: o.inUnits(step)}
	f.last = new(big.Int).Sub(d.Size(), big.NewInt(1)).Uint64()
	if o.Of == Number || o.Of == Groups {
		f.unit = o.units
	}
	f.unit1, f.lo, f.step = f.unit.Int64(), f.low.Int64(), f.wide.Int64()
	f.small = max(f.unit.BitLen(), f.low.BitLen(), f.wide.BitLen()) <= smallBits
	return f
}

// code returns ⌊(x − low·n)/(step·n) + ½⌋ = ⌊(2(x − low·n) + step·n) / (2·step·n)⌋ for a sum x,
// limited to the codes from 0 to the last.
func (f *finisher) code(sum sum128, n uint32) uint64 {
	const most = 1 << smallBits // so that nothing below reaches 2^63
	if s := int64(sum.lo); f.small && sum.hi == s>>63 && s > -most && s < most && n < most {
		n := int64(n)
		x := 2*(s*f.unit1-f.lo*n) + f.step*n
		if x < 0 {
			return 0
		}
		return min(uint64(x)/uint64(2*f.step*n), f.last)
	}
	x, y := &f.x, &f.y
	f.of.SetUint64(uint64(n))
	x.Mul(sum.big(x), f.unit)
	x.Sub(x, y.Mul(f.low, &f.of)).Lsh(x, 1)
	y.Mul(f.wide, &f.of)
	x.Add(x, y)
	x.Div(x, y.Lsh(y, 1)) // Euclidean: y > 0, so it rounds down
	switch {
	case x.Sign() < 0:
		return 0
	case !x.IsUint64():
		return f.last
	}
	return min(x.Uint64(), f.last)
}

// inUnits returns a number of the column's domain in units that hold all of its digits.
func (o *oneValue) inUnits(x *big.Rat) *big.Int {
	y := new(big.Int).Mul(x.Num(), o.units)
	return y.Quo(y, x.Denom())
}
