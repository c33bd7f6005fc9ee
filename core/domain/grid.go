package domain

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"hush/core/phrase"
)

// grid is the domain of numbers lo, lo + step, …, hi, all whole multiples of 10^-scale.
// It serves integers (scale 0, step 1) and decimals.
type grid struct {
	spec     Spec
	notation notation
	missing  missing
	lo, hi   int64  // in units of 10^-scale
	step     uint64 // in units
	last     uint64 // the largest code
	plain    int    // the length of the longest cell that Encode reads itself
	clamp    bool
	nearest  bool
}

func newGrid(spec Spec) (*grid, error) {
	g := &grid{spec: spec, clamp: spec.Outside == Clamp,
		nearest: spec.Between == Nearest || spec.Between == "" && spec.Kind == Decimal}
	if spec.Kind == Integer && spec.Step == "" {
		spec.Step = "1"
	}
	scale := 0
	for _, f := range []struct{ name, text string }{{"lo", spec.Lo}, {"hi", spec.Hi},
		{"step", spec.Step}} {
		k, ok := plainScale(f.text)
		if !ok && (f.text != "" || f.name == "step") {
			want := phrase.Key(`a number such as "-12.5"`)
			if spec.Kind == Integer {
				want = `a whole number such as "-12"`
			}
			return nil, refuse(f.name, f.text, want)
		}
		if spec.Kind == Integer && k > 0 {
			return nil, refuse(f.name, f.text, "a whole number")
		}
		scale = max(scale, k)
	}
	var err error
	if g.notation, err = newNotation(spec, scale); err != nil {
		return nil, err
	}
	if g.missing, err = newMissing(spec); err != nil {
		return nil, err
	}
	// 18 digits, including those that the scale adds, stay below 10^18 < 2^63. If a number may mean
	// "missing", every cell must be looked up.
	if !g.missing.numbers {
		g.plain = 18 - scale
	}
	exact := notation{scale: scale, mark: '.'}
	bound := func(field, text string) (v int64, err error) {
		v, r, what := exact.read([]byte(text))
		if what != isNumber || r != onUnit {
			err = refuse(field, text, "a number within ±%s", decimalText(1<<63-1, scale))
		}
		return v, err
	}
	step, err := bound("step", spec.Step)
	if err != nil {
		return nil, err
	}
	if step <= 0 {
		return nil, refuse("step", spec.Step, "a number above 0")
	}
	if spec.Kind == Integer && step != 1 {
		return nil, refuse("step", spec.Step, `1, or the kind "decimal"`)
	}
	g.step = uint64(step)
	g.lo, g.hi = math.MinInt64, math.MaxInt64
	if spec.Kind == Decimal {
		// this many steps on both sides of 0, so that every number has at most 18 digits
		g.hi = 999_999_999_999_999_999 / step * step
		g.lo = -g.hi
	}
	if spec.Lo != "" {
		if g.lo, err = bound("lo", spec.Lo); err != nil {
			return nil, err
		}
	}
	if spec.Hi != "" {
		if g.hi, err = bound("hi", spec.Hi); err != nil {
			return nil, err
		}
	}
	if spec.Lo != "" && spec.Hi == "" { // the last step from lo on
		g.hi -= int64((uint64(g.hi) - uint64(g.lo)) % g.step)
	} else if spec.Lo == "" && spec.Hi != "" {
		g.lo += int64((uint64(g.hi) - uint64(g.lo)) % g.step)
	}
	if g.hi < g.lo {
		return nil, refuse("hi", spec.Hi, "at least the smallest value, %s",
			decimalText(g.lo, scale))
	}
	span := uint64(g.hi) - uint64(g.lo)
	if span%g.step != 0 {
		return nil, refuse("hi", spec.Hi, "lo plus a whole number of steps, such as %s",
			decimalText(int64(uint64(g.hi)-span%g.step), scale))
	}
	g.last = span / g.step
	return g, nil
}

func (g *grid) Spec() Spec     { return g.spec }
func (g *grid) Size() *big.Int { return sizeOf(g.last) }
func (g *grid) Bits() int      { return codeBits(g.last) }

func (g *grid) Describe() phrase.Phrase {
	lo, hi := g.Decode(0), g.Decode(g.last)
	if g.spec.Kind == Integer && g.spec.Lo == "" && g.spec.Hi == "" {
		return phrase.Of("every 64-bit whole number, from %s to %s", lo, hi)
	}
	if g.spec.Kind == Integer {
		return phrase.Of("whole numbers from %s to %s", lo, hi)
	}
	return phrase.Of("numbers from %s to %s in steps of %s", lo, hi,
		decimalText(int64(g.step), g.notation.scale))
}

func (g *grid) Linear() (first, step *big.Rat) {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(g.notation.scale)), nil)
	return new(big.Rat).SetFrac(big.NewInt(g.lo), unit),
		new(big.Rat).SetFrac(new(big.Int).SetUint64(g.step), unit)
}

// Encode reads plain numbers on the grid in one go, without calls; place reads the others and
// agrees with it.
func (g *grid) Encode(cell []byte) (uint64, bool) {
	i := 0
	if len(cell) > 0 && cell[0] == '-' {
		i = 1
	}
	if len(cell) == i || len(cell) > g.plain || cell[i]-'0' > 9 {
		return g.encodeSlow(cell)
	}
	var mag uint64
	for i < len(cell) {
		d := cell[i] - '0'
		if d > 9 {
			break
		}
		mag = mag*10 + uint64(d)
		i++
	}
	missing := g.notation.scale
	if i < len(cell) {
		if cell[i] != g.notation.mark {
			return g.encodeSlow(cell)
		}
		for i++; i < len(cell); i++ {
			d := cell[i] - '0'
			if d > 9 || missing == 0 {
				return g.encodeSlow(cell)
			}
			mag = mag*10 + uint64(d)
			missing--
		}
	}
	for ; missing > 0; missing-- {
		mag *= 10
	}
	v := int64(mag)
	if cell[0] == '-' {
		v = -v
	}
	if v < g.lo || v > g.hi {
		return g.encodeSlow(cell)
	}
	code := uint64(v) - uint64(g.lo)
	if g.step != 1 {
		if code%g.step != 0 {
			return g.encodeSlow(cell)
		}
		code /= g.step
	}
	return code, true
}

func (g *grid) encodeSlow(cell []byte) (uint64, bool) {
	code, why := g.place(cell)
	return code, why == Read
}

func (g *grid) Why(cell []byte) Reason {
	_, why := g.place(cell)
	return why
}

// place finds the code of a cell. The number itself is compared with the bounds, before it goes to
// a step.
func (g *grid) place(cell []byte) (uint64, Reason) {
	v, r, what := g.notation.read(cell)
	if what != isNumber {
		switch {
		case what == isEmpty || g.missing.has(cell):
			return 0, Missing
		case what == isNoNumber:
			return 0, Unreadable
		case !g.clamp:
			return 0, Outside
		case what == isTooLow:
			return 0, Read
		}
		return g.last, Read
	}
	if g.missing.has(cell) {
		return 0, Missing
	}
	if v < g.lo {
		if g.clamp {
			return 0, Read
		}
		return 0, Outside
	}
	if v > g.hi || v == g.hi && r != onUnit {
		if g.clamp {
			return g.last, Read
		}
		return 0, Outside
	}
	code := uint64(v) - uint64(g.lo)
	var left uint64 // units above the step below
	if g.step != 1 {
		code, left = code/g.step, code%g.step
	}
	if left == 0 && r == onUnit {
		return code, Read
	}
	if !g.nearest {
		return 0, Between
	}
	// Up when 2(left + r) ≥ step, a tie going up. left < step ≤ 2^63, so nothing overflows.
	twice := 2 * left
	if r >= half {
		twice++
	}
	if twice >= g.step {
		code++
	}
	return code, Read
}

func (g *grid) Decode(code uint64) string {
	return decimalText(int64(uint64(g.lo)+min(code, g.last)*g.step), g.notation.scale)
}

// plainScale counts the digits after the point of a number such as "-12.50"; false if it is not
// such a number.
func plainScale(text string) (int, bool) {
	t := strings.TrimPrefix(text, "-")
	whole, fraction, point := strings.Cut(t, ".")
	if whole == "" || point && fraction == "" || len(t) > 40 {
		return 0, false
	}
	for _, c := range []byte(whole + fraction) {
		if !isDigit(c) {
			return 0, false
		}
	}
	return len(fraction), len(fraction) <= 18
}

// decimalText writes v·10^-scale with all its digits.
func decimalText(v int64, scale int) string {
	s := strconv.FormatInt(v, 10)
	if scale == 0 {
		return s
	}
	sign := ""
	if v < 0 {
		sign, s = "-", s[1:]
	}
	if len(s) <= scale {
		s = strings.Repeat("0", scale-len(s)+1) + s
	}
	return sign + s[:len(s)-scale] + "." + s[len(s)-scale:]
}
