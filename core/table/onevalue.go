package table

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"hush/core/domain"
)

// oneValue makes the one value of each person in a column, except the smallest and the largest,
// which are made where they lie.
type oneValue struct {
	Value
	rows  domain.Domain // how cells are read where they are added up
	lo    int64         // the value of code 0 of rows, in its units
	units *big.Int      // how many units are 1

	sums  []sum128
	count []uint32 // values that were read, or rows of the latest time

	by    domain.Domain // of times
	times []uint64      // the latest so far

	marks []uint64 // of groups: see groupsMarked
}

// groupsMarked is about how many different groups a person is in whose groups' ranks, of which six
// bits count, are marked at so many of 64 places: −64·ln(1 − places/64), rounded. (Whang,
// Vander-Zanden, Taylor, "A linear-time probabilistic counting algorithm", 1990.)
var groupsMarked = [65]uint8{
	0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 15, 16, 17,
	18, 20, 21, 23, 24, 25, 27, 28, 30, 32, 33, 35, 37, 39, 40, 42,
	44, 46, 48, 51, 53, 55, 58, 60, 63, 65, 68, 71, 74, 78, 81, 85,
	89, 93, 97, 102, 107, 113, 119, 126, 133, 142, 151, 163, 177, 196, 222, 255,
	255,
}

// sum128 is a sum in two's complement: 2^32 numbers of 64 bits do not leave it.
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

// leastDigits is how many digits behind the point decimals are added up with at least.
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
	if err := v.numeric(spec); err != nil {
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
		o.lo = -999_999_999_999_999_999 // as of a domain of decimals without bounds
	}
	var err error
	o.rows, err = domain.New(read)
	return o, err
}

// grow makes room for a new person.
func (o *oneValue) grow() {
	switch o.Of {
	case Sum, Mean:
		o.sums, o.count = append(o.sums, sum128{}), append(o.count, 0)
	case Latest:
		o.times, o.count = append(o.times, 0), append(o.count, 0)
	case Groups:
		o.marks = append(o.marks, 0)
	}
}

// at is anything of what is known of a person.
func (o *oneValue) at(person int) uint64 {
	n := uint64(o.count[person])
	if len(o.sums) > 0 {
		return n + o.sums[person].lo
	}
	return n + o.times[person]
}

func (o *oneValue) bytes() int64 {
	return 16*int64(cap(o.sums)) + 8*int64(cap(o.times)+cap(o.marks)) + 4*int64(cap(o.count))
}

// useValues takes a row of a person for one value in each column.
func (e *Encode) useValues(r *Row, fields, at int, id [2]uint64, n uint32) error {
	drawn := e.bounded.any && e.bounded.drawn(id, drawsRow, n) == 0
	for i := range e.targets {
		t := &e.targets[i]
		v := t.value
		if v == nil {
			if drawn {
				if err := e.putCell(r, t, fields, at); err != nil {
					return err
				}
			}
			continue
		}
		if v.Of == Latest {
			later, err := e.later(r, fields, v, at, id)
			if err == nil && later {
				err = e.putCell(r, t, fields, at)
			}
			if err != nil {
				return err
			}
			continue
		}
		if v.Of == Number || t.field >= fields {
			continue
		}
		cell := r.Field(t.field)
		if v.Of == Groups {
			if group := readable(trimmed(cell)); len(group) > 0 {
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
			e.unread(r, t, cell)
			continue
		}
		switch v.Of {
		case Smallest, Largest:
			if now, has := t.store.code(at); !has || code < now == (v.Of == Smallest) {
				t.store.set(at, code, true)
			}
		case Sum, Mean:
			v.sums[at].add(int64(code + uint64(v.lo)))
			v.count[at]++ // at most as often as rows, which are counted
		}
	}
	return nil
}

// later says whether a row is the latest of its person so far; of equal times one is drawn.
func (e *Encode) later(r *Row, fields int, v *oneValue, at int, id [2]uint64) (bool, error) {
	if v.By.Column > fields {
		return false, nil
	}
	time, ok := codeOf(v.by, r.Field(v.By.Column-1))
	switch {
	case !ok || v.count[at] > 0 && time < v.times[at]:
		return false, nil
	case v.count[at] == 0 || time > v.times[at]:
		v.times[at], v.count[at] = time, 1
		return true, nil
	}
	v.count[at]++
	return e.bounded.drawn(id, drawsLatest, v.count[at]) == 0, nil
}

// finish writes what was added up, clipped and to the nearest step, a tie going up.
func (e *Encode) finish() {
	for i := range e.targets {
		t := &e.targets[i]
		if t.value == nil || t.value.units == nil {
			continue
		}
		v := t.value
		first, step := t.domain.(domain.Numeric).Linear()
		low, wide := v.inUnits(first), v.inUnits(step)
		last := new(big.Int).Sub(t.domain.Size(), big.NewInt(1))
		var x, y, of, count big.Int
		for at := range e.persons.all {
			of.SetInt64(1)
			switch v.Of {
			case Number:
				count.SetInt64(int64(e.persons.all[at].rows))
				x.Mul(&count, v.units)
			case Groups:
				count.SetInt64(int64(groupsMarked[bits.OnesCount64(v.marks[at])]))
				x.Mul(&count, v.units)
			default:
				if v.count[at] == 0 {
					continue
				}
				v.sums[at].big(&x)
				if v.Of == Mean {
					of.SetInt64(int64(v.count[at]))
				}
			}
			// ⌊(x − low·of)/(step·of) + ½⌋ = ⌊(2(x − low·of) + step·of) / (2·step·of)⌋
			x.Sub(&x, y.Mul(low, &of)).Lsh(&x, 1)
			y.Mul(wide, &of)
			x.Add(&x, &y)
			x.Div(&x, y.Lsh(&y, 1)) // Euclidean: y > 0, so it rounds down
			switch {
			case x.Sign() < 0:
				x.SetInt64(0)
			case x.Cmp(last) > 0:
				x.Set(last)
			}
			t.store.set(at, x.Uint64(), true)
		}
		v.sums, v.count, v.marks = nil, nil, nil
	}
}

// inUnits is a number of the column's domain, all of whose digits units hold.
func (o *oneValue) inUnits(x *big.Rat) *big.Int {
	y := new(big.Int).Mul(x.Num(), o.units)
	return y.Quo(y, x.Denom())
}
