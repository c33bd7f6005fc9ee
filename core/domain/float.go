package domain

import (
	"bytes"
	"math"
	"math/big"
	"strconv"

	"hush/core/phrase"
)

// floats is the domain of all float64 from lo to hi, infinities included if the bounds are. There
// is one zero (−0 is 0) and no NaN: such a cell is none. Numbers are read as the nearest float64; a
// number beyond the largest finite one is outside.
type floats struct {
	spec     Spec
	notation notation
	missing  missing
	lo, hi   int64 // ordinals
	clamp    bool
}

// ordinal numbers the float64 in order, 0 at zero: the bits of the magnitude, with the sign. −0 and
// 0 have the same number.
func ordinal(x float64) int64 {
	if x < 0 {
		return -int64(math.Float64bits(-x))
	}
	return int64(math.Float64bits(x) &^ (1 << 63))
}

// fromOrdinal is the inverse.
func fromOrdinal(o int64) float64 {
	if o < 0 {
		return -math.Float64frombits(uint64(-o))
	}
	return math.Float64frombits(uint64(o))
}

func newFloats(spec Spec) (*floats, error) {
	f := &floats{spec: spec, lo: ordinal(math.Inf(-1)), hi: ordinal(math.Inf(1)),
		clamp: spec.Outside == Clamp}
	if spec.Step != "" {
		return nil, refuse("step", spec.Step, `nothing, or the kind "decimal"`)
	}
	if spec.Between == None {
		return nil, refuse("between", spec.Between,
			`"nearest": cells are read as the nearest float64`)
	}
	var err error
	if f.notation, err = newNotation(spec, 0); err != nil {
		return nil, err
	}
	if f.missing, err = newMissing(spec); err != nil {
		return nil, err
	}
	plain := floats{notation: notation{mark: '.'}}
	for _, b := range []struct {
		field, text string
		to          *int64
	}{{"lo", spec.Lo, &f.lo}, {"hi", spec.Hi, &f.hi}} {
		if b.text == "" {
			continue
		}
		x, what := plain.read([]byte(b.text))
		if what != isNumber {
			return nil, refuse(b.field, b.text, `a number such as "-12.5" or "1e300"`)
		}
		*b.to = ordinal(x)
	}
	if f.hi < f.lo {
		return nil, refuse("hi", spec.Hi, "at least the smallest value, %s", spec.Lo)
	}
	return f, nil
}

func (f *floats) Spec() Spec     { return f.spec }
func (f *floats) Size() *big.Int { return sizeOf(f.last()) }
func (f *floats) Bits() int      { return codeBits(f.last()) }
func (f *floats) last() uint64   { return uint64(f.hi) - uint64(f.lo) }

func (f *floats) Describe() phrase.Phrase {
	if f.spec.Lo == "" && f.spec.Hi == "" {
		return phrase.Of("every 64-bit floating-point number, infinities included")
	}
	return phrase.Of("every 64-bit floating-point number from %s to %s", f.Decode(0),
		f.Decode(f.last()))
}

func (f *floats) Encode(cell []byte) (uint64, bool) {
	code, why := f.place(cell)
	return code, why == Read
}

func (f *floats) Why(cell []byte) Reason {
	_, why := f.place(cell)
	return why
}

func (f *floats) place(cell []byte) (uint64, Reason) {
	x, what := f.read(cell)
	switch {
	case what == isEmpty || f.missing.has(cell):
		return 0, Missing
	case what == isNoNumber:
		return 0, Unreadable
	}
	o := ordinal(x)
	if what == isNumber && o >= f.lo && o <= f.hi {
		return uint64(o) - uint64(f.lo), Read
	}
	if !f.clamp {
		return 0, Outside
	}
	o = min(max(o, f.lo), f.hi)
	return uint64(o) - uint64(f.lo), Read
}

// read returns the nearest float64; beyond the finite ones, the largest with that sign and isTooLow
// or isTooHigh.
func (f *floats) read(cell []byte) (float64, reading) {
	cell = trim(cell)
	if len(cell) == 0 {
		return 0, isEmpty
	}
	if x, ok := f.readPlain(cell); ok {
		return x, isNumber
	}
	if x, ok := infinity(cell); ok {
		return x, isNumber
	}
	var buf [64]byte
	plain, ok := f.plainNumber(buf[:0], cell)
	if !ok {
		return 0, isNoNumber
	}
	x, err := strconv.ParseFloat(string(plain), 64)
	if err != nil {
		// plainNumber accepted only numbers, so it is out of range.
		if x < 0 {
			return -math.MaxFloat64, isTooLow
		}
		return math.MaxFloat64, isTooHigh
	}
	return x, isNumber
}

// readPlain reads a number of at most 15 digits without thousands marks or an exponent. The digits
// and the power of ten are exact as float64, so that their quotient, which is rounded once, is the
// nearest one (Clinger, "How to read floating point numbers accurately", 1990).
func (f *floats) readPlain(cell []byte) (float64, bool) {
	i := 0
	if cell[0] == '-' {
		i = 1
	}
	if len(cell) == i || len(cell)-i > 16 || !isDigit(cell[i]) {
		return 0, false
	}
	mag, point := int64(0), len(cell)-1
	for ; i < len(cell); i++ {
		switch d := cell[i] - '0'; {
		case d <= 9:
			mag = mag*10 + int64(d)
		case cell[i] == f.notation.mark && point == len(cell)-1:
			point = i
		default:
			return 0, false
		}
	}
	if mag >= 1_000_000_000_000_000 {
		return 0, false
	}
	x := float64(mag) / tens[len(cell)-1-point]
	if cell[0] == '-' {
		x = -x
	}
	return x, true
}

// tens holds the powers of ten for up to 15 digits.
var tens = [16]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
	1e15}

// infinity reads inf, infinity and ∞ with or without a sign, in any case.
func infinity(cell []byte) (float64, bool) {
	sign := 1
	if cell[0] == '-' || cell[0] == '+' {
		if cell[0] == '-' {
			sign = -1
		}
		cell = cell[1:]
	}
	if len(cell) < 3 || isDigit(cell[0]) {
		return 0, false
	}
	if bytes.EqualFold(cell, []byte("inf")) || bytes.EqualFold(cell, []byte("infinity")) ||
		string(cell) == "∞" {
		return math.Inf(sign), true
	}
	return 0, false
}

// plainNumber checks the notation of cell and writes it as Go does: no thousands marks, "." as the
// mark.
func (f *floats) plainNumber(out, cell []byte) ([]byte, bool) {
	switch {
	case cell[0] == '-' || cell[0] == '+':
		out, cell = append(out, cell[0]), cell[1:]
	case bytes.HasPrefix(cell, []byte("\u2212")):
		out, cell = append(out, '-'), cell[3:]
	}
	whole, left, ok := f.notation.wholeDigits(cell)
	if !ok {
		return nil, false
	}
	digits := 0
	for _, c := range whole {
		if isDigit(c) {
			out = append(out, c)
			digits++
		}
	}
	if len(left) > 0 && left[0] == f.notation.mark {
		out, left = append(out, '.'), left[1:]
		for len(left) > 0 && isDigit(left[0]) {
			out, left = append(out, left[0]), left[1:]
			digits++
		}
	}
	if _, ok := readExponent(left); !ok || digits == 0 {
		return nil, false
	}
	return append(out, left...), true
}

// Decode writes the shortest text that reads back as the same number.
func (f *floats) Decode(code uint64) string {
	return strconv.FormatFloat(fromOrdinal(int64(uint64(f.lo)+min(code, f.last()))), 'g', -1, 64)
}
