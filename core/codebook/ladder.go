package codebook

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"hush/core/domain"
)

// mostOffers is the largest number of wider ranges that are offered at once.
const mostOffers = 4

// Ladder lists ranges wider than the one typed, nearest first: the header's conventional ranges
// that contain it, then a fixed public ladder (1, 2, 5 × 10^k; calendar years; lengths that
// double). below and above say on which sides. It sees no row, so the nearest may be too narrow;
// the next ones are offered with it, or the owner types one.
func Ladder(header string, typed Values, below, above bool) []Values {
	if typed.check() != nil || typed.Whole || !below && !above {
		return nil
	}
	if numeric(typed.Kind) && !finite(typed) {
		return nil
	}
	var list []Values
	add := func(lo, hi string) {
		v := typed.clone()
		v.Lo, v.Hi = lo, hi
		if v.check() == nil && (!numeric(v.Kind) || finite(v)) && v.wider(typed, below, above) {
			list = append(list, v)
		}
	}
	for _, s := range Suggest(header, typed.Kind) {
		if s.Values.Kind == typed.Kind && bounded(typed.Kind) {
			add(s.Values.Lo, s.Values.Hi)
		}
	}
	switch {
	case numeric(typed.Kind):
		numberRungs(typed, below, above, add)
	case dated(typed.Kind):
		dateRungs(typed, below, above, add)
	case typed.Kind == domain.Text || typed.Kind == domain.Bytes:
		return longer(typed)
	}
	slices.SortStableFunc(list, func(a, b Values) int { return a.span().Cmp(b.span()) })
	list = slices.CompactFunc(list, func(a, b Values) bool { return a.Lo == b.Lo && a.Hi == b.Hi })
	return list[:min(len(list), mostOffers)]
}

// wider reports whether v includes the whole typed range, and more on each requested side.
func (v Values) wider(typed Values, below, above bool) bool {
	lo, hi := v.edges()
	typedLo, typedHi := typed.edges()
	l, h := typedLo.Cmp(lo), hi.Cmp(typedHi)
	return l >= 0 && h >= 0 && (l > 0 || !below) && (h > 0 || !above)
}

// finite reports whether both bounds are numbers other than infinities.
func finite(v Values) bool {
	_, lo := number(v.Lo, v.Kind)
	_, hi := number(v.Hi, v.Kind)
	return lo && hi
}

// edges returns the bounds of checked values as numbers; for dates, as days and steps of time.
func (v Values) edges() (lo, hi *big.Rat) {
	if numeric(v.Kind) {
		lo, _ = number(v.Lo, v.Kind)
		hi, _ = number(v.Hi, v.Kind)
		return lo, hi
	}
	d := v.calendar()
	first, _ := d.Encode([]byte(v.Lo))
	last, _ := d.Encode([]byte(v.Hi))
	return new(big.Rat).SetUint64(first), new(big.Rat).SetUint64(last)
}

// calendar returns the whole domain of the same steps of time, whose cells are written as bounds
// are.
func (v Values) calendar() domain.Domain {
	spec := domain.Spec{Kind: v.Kind, Step: v.Step, Zone: v.Zone}
	if v.Step == "nanosecond" { // as far as nanoseconds reach
		spec.Lo, spec.Hi = "1678-01-01", "2261-12-31"
	}
	d, err := domain.New(spec)
	if err != nil {
		panic("codebook: internal error: " + err.Error()) // unreachable: v was checked
	}
	return d
}

// span is the width of the range.
func (v Values) span() *big.Rat {
	lo, hi := v.edges()
	return hi.Sub(hi, lo)
}

// numberRungs offers the ladder of numbers on each requested side. A number between two steps goes
// outwards to the next.
func numberRungs(typed Values, below, above bool, add func(lo, hi string)) {
	lo, hi := typed.edges()
	highs, lows := outward(hi, lo), outward(new(big.Rat).Neg(lo), new(big.Rat).Neg(hi))
	step := big.NewRat(1, 1)
	if typed.Kind == domain.Decimal {
		step, _ = number(typed.Step, typed.Kind)
	}
	for i := range mostOffers {
		low, high := lo, hi
		if below {
			low = new(big.Rat).Neg(lows[min(i, len(lows)-1)])
		}
		if above {
			high = highs[min(i, len(highs)-1)]
		}
		switch {
		case typed.Kind == domain.Float64:
		case above:
			n := ceil(new(big.Rat).Sub(high, low), step)
			high = new(big.Rat).Add(low, times(n, step))
		default:
			n := ceil(new(big.Rat).Sub(high, low), step)
			low = new(big.Rat).Sub(high, times(n, step))
		}
		from, to := typed.Lo, typed.Hi
		if below {
			from = boundText(low, typed.Kind)
		}
		if above {
			to = boundText(high, typed.Kind)
		}
		add(from, to)
	}
}

// outward returns the rungs above the bound x of a range whose other bound is y: above 0 the
// ladder; from 0 or below, first 0, then powers of ten of the size of y.
func outward(x, y *big.Rat) (list []*big.Rat) {
	if x.Sign() > 0 {
		return rungs(x, mostOffers)
	}
	if x.Sign() < 0 {
		list = append(list, new(big.Rat))
	}
	size := new(big.Rat).Abs(y)
	if size.Sign() == 0 {
		size.SetInt64(100)
	}
	for k := leastPower; k <= mostPower && len(list) < mostOffers; k++ {
		r := power(k)
		if hundred := power(k + 2); hundred.Cmp(size) >= 0 {
			list = append(list, r)
		}
	}
	return list
}

// boundText writes a bound.
func boundText(x *big.Rat, kind domain.Kind) string {
	if kind == domain.Float64 && !x.IsInt() || kind == domain.Float64 && x.Num().BitLen() > 60 {
		f, _ := x.Float64()
		return fmt.Sprint(f)
	}
	return decimal(x)
}

// dateRungs offers whole years.
func dateRungs(typed Values, below, above bool, add func(lo, hi string)) {
	firsts := []string{"2000", "1950", "1900", "1800", "1700", "1500", "1000", "0001"}
	lasts := []string{"2030", "2050", "2100", "2200", "2500", "9999"}
	// The last step of a year, so that the bound is a whole step.
	end := ""
	if typed.Kind == domain.Timestamp {
		switch cmp.Or(typed.Step, "second") {
		case "day":
		case "hour":
			end = "T23:00:00"
		case "minute":
			end = "T23:59:00"
		default:
			end = "T23:59:59"
		}
	}
	for i := range max(len(firsts), len(lasts)) {
		lo, hi := typed.Lo, typed.Hi
		if below {
			lo = firsts[min(i, len(firsts)-1)] + "-01-01"
		}
		if above {
			hi = lasts[min(i, len(lasts)-1)] + "-12-31" + end
		}
		add(lo, hi)
	}
}

// longer offers lengths that double.
func longer(typed Values) (list []Values) {
	for length := 8; len(list) < mostOffers; length *= 2 {
		v := typed.clone()
		if v.Length = length; v.check() != nil {
			return list
		}
		if length > typed.Length {
			list = append(list, v)
		}
	}
	return list
}
