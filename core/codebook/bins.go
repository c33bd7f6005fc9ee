package codebook

import (
	"math"
	"math/big"
	"strconv"

	"hush/core/domain"
	"hush/core/phrase"
)

// Bins cut a public range into the bins of a histogram: about twenty, at round numbers. They depend
// on the range alone.
type Bins struct {
	// Starts are the codes at which bins begin, ascending, the first one 0. The first and the last
	// bin may be narrower than the others if the range begins or ends between round numbers.
	Starts []uint64
	// Edges are the values at Starts, followed by the largest value, written as bounds are: numbers
	// as numbers, and dates as dates of ISO 8601. The last bin holds the last edge too. Empty for
	// categories.
	Edges []string
	// Width is the distance of two edges: a number, or a number of Units; empty for categories.
	Width string
	Unit  Span // for dates and times; empty for numbers

	last uint64 // the last code
}

// Span is a unit by which dates and times are divided into bins.
type Span string

const (
	Seconds Span = "second"
	Minutes Span = "minute"
	Hours   Span = "hour"
	Days    Span = "day"
	Weeks   Span = "week" // from Monday
	Months  Span = "month"
	Years   Span = "year"
)

const (
	wantedBins = 20
	ownBins    = 31 // up to this many values have a bin each: days of a month, hours of a day
)

// A range of numbers often ends on an edge, as 0 to 100 with bins of 5 does. Its largest value then
// gets no bin of its own: the last bin includes it, and is 95 to 100. It stays alone where bins
// hold so few values that one more would be noticeable: fewer than FewValues, or fewer than
// FewValuesOnce in recipes of earlier versions.
const (
	FewValues     = 5
	FewValuesOnce = 10
)

// Bins divides the range of values; few is one of the two constants above. Texts have no bins, and
// neither do numbers without bounds: they are refused with [*Fault].
func (v Values) Bins(few uint64) (*Bins, error) {
	if err := v.check(); err != nil {
		return nil, &Fault{Err: err}
	}
	noBins := &Fault{Err: refuse("kind", strconv.Quote(string(v.Kind)),
		phrase.Key("numbers, dates or categories, with bounds"))}
	if v.Kind == domain.Text || v.Kind == domain.Bytes {
		return nil, noBins
	}
	d, err := domain.New(v.Spec.Plain()) // edges are written as bounds are
	if err != nil {
		return nil, &Fault{Err: err} // unreachable: v was checked
	}
	last := d.Size()
	last.Sub(last, big.NewInt(1))
	b := &Bins{last: last.Uint64()}
	switch {
	case v.Kind == domain.Category:
		for code := range b.last + 1 {
			b.Starts = append(b.Starts, code)
		}
		return b, nil
	case v.Kind == domain.Float64:
		if !b.floats(v, d) {
			return nil, noBins
		}
	case numeric(v.Kind):
		b.numbers(d.(domain.Numeric))
	default:
		b.dates(v, d)
	}
	b.closeLast(few)
	for _, code := range append(b.Starts[:len(b.Starts):len(b.Starts)], b.last) {
		b.Edges = append(b.Edges, d.Decode(code))
	}
	return b, nil
}

// Len is the number of bins.
func (b *Bins) Len() int { return len(b.Starts) }

// Range returns the first and the last code of bin i.
func (b *Bins) Range(i int) (first, last uint64) {
	if i+1 < len(b.Starts) {
		return b.Starts[i], b.Starts[i+1] - 1
	}
	return b.Starts[i], b.last
}

// Even returns the width in codes if all bins have the same, except perhaps the last one at the end
// of the range: code/width is the bin of a code, or the last bin where that is beyond it.
func (b *Bins) Even() (width uint64, ok bool) {
	if len(b.Starts) == 1 {
		return b.last + 1, b.last < math.MaxUint64
	}
	for i, start := range b.Starts {
		if start != uint64(i)*b.Starts[1] {
			return 0, false
		}
	}
	return b.Starts[1], true
}

// numbers divides a grid at multiples of a round width; for numbers from 1 on it counts from there,
// where that leaves no remainder: 1 to 100 gives 1–5, 6–10, …
func (b *Bins) numbers(d domain.Numeric) {
	first, step := d.Linear()
	if b.last < ownBins {
		for code := range b.last + 1 {
			b.Starts = append(b.Starts, code)
		}
		b.Width = decimal(step)
		return
	}
	steps := new(big.Rat).SetInt(new(big.Int).SetUint64(b.last))
	width := gridWidth(steps.Mul(steps, step), step)
	b.Width = decimal(width)
	codes := new(big.Rat).Quo(width, step).Num()
	edge := times(floor(first, width), width)
	if rest := new(big.Int).Mod(d.Size(), codes); first.Cmp(step) == 0 && rest.Sign() == 0 {
		edge.Set(first)
	}
	b.Starts = []uint64{0}
	for ; ; edge.Add(edge, width) {
		code := ceil(new(big.Rat).Sub(edge, first), step)
		if code.Sign() <= 0 {
			continue
		}
		if !code.IsUint64() || code.Uint64() > b.last {
			break
		}
		b.Starts = append(b.Starts, code.Uint64())
	}
}

// closeLast moves the largest value to the bin before it if it would be alone in a bin and that bin
// has more than a few values.
func (b *Bins) closeLast(few uint64) {
	n := len(b.Starts)
	if n > 1 && b.Starts[n-1] == b.last && b.last-b.Starts[n-2] >= few {
		b.Starts = b.Starts[:n-1]
	}
}

// gridWidth returns a round width of whole steps. Where there is none of about the right size (a
// step of 0.3), it is a round number of steps.
func gridWidth(span, step *big.Rat) *big.Rat {
	var widths []*big.Rat
	for _, w := range roundWidths(span, big.NewRat(1, 1)) {
		if new(big.Rat).Quo(w, step).IsInt() {
			widths = append(widths, w)
		}
	}
	best, off := nearest(widths, span)
	if off > math.Log(2.5) {
		widths = widths[:0]
		for _, w := range roundWidths(span, step) {
			if new(big.Rat).Quo(w, step).IsInt() {
				widths = append(widths, w)
			}
		}
		best, _ = nearest(widths, span)
	}
	return best
}

// roundWidths returns the widths 1, 2, 2.5 and 5 × 10^k units that fit 1 to 1000 times into the
// span.
func roundWidths(span, unit *big.Rat) (list []*big.Rat) {
	// k from the exponent of two: 10^k is within a factor of 100 of span/unit.
	q := new(big.Rat).Quo(span, unit)
	about := int(math.Floor(float64(q.Num().BitLen()-q.Denom().BitLen()) * math.Log10(2)))
	for k := about - 5; k <= about+2; k++ {
		for _, m := range []*big.Rat{
			big.NewRat(1, 1), big.NewRat(2, 1), big.NewRat(5, 2), big.NewRat(5, 1),
		} {
			w := m.Mul(m, power(k))
			w.Mul(w, unit)
			n := new(big.Rat).Quo(span, w)
			if n.Cmp(big.NewRat(1, 1)) >= 0 && n.Cmp(big.NewRat(1000, 1)) <= 0 {
				list = append(list, w)
			}
		}
	}
	return list
}

// nearest returns the width that fits about wantedBins times into the span, measured by the ratio
// (off is its logarithm); of two such widths, the wider.
func nearest(widths []*big.Rat, span *big.Rat) (best *big.Rat, off float64) {
	off = math.Inf(1)
	for _, w := range widths {
		bins, _ := new(big.Rat).Quo(span, w).Float64()
		if o := math.Abs(math.Log(bins / wantedBins)); o <= off {
			best, off = w, o
		}
	}
	return best, off
}

// floats divides a range of float64 at multiples of a round width. It needs two bounds that are
// finite and different.
func (b *Bins) floats(v Values, d domain.Domain) bool {
	lo, okLo := number(v.Lo, v.Kind)
	hi, okHi := number(v.Hi, v.Kind)
	if !okLo || !okHi || lo.Cmp(hi) >= 0 {
		return false
	}
	width, _ := nearest(roundWidths(new(big.Rat).Sub(hi, lo), big.NewRat(1, 1)),
		new(big.Rat).Sub(hi, lo))
	if b.Width = floatText(width); b.Width == "0" { // narrower than the distance of two float64
		return false
	}
	b.Starts = []uint64{0}
	for edge := times(floor(lo, width), width); edge.Cmp(hi) < 0; edge.Add(edge, width) {
		if edge.Cmp(lo) <= 0 {
			continue
		}
		// There is no edge between two neighbouring float64.
		code, ok := d.Encode([]byte(floatText(edge)))
		if ok && code > b.Starts[len(b.Starts)-1] {
			b.Starts = append(b.Starts, code)
		}
	}
	return true
}

func floatText(x *big.Rat) string {
	f, _ := x.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}
