package coin

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"hush/core/param"
)

func rat(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("not a rational number: " + text)
	}
	return r
}

func base(num, den int64) Base {
	r, err := NewBase(num, den)
	if err != nil {
		panic(err)
	}
	return r
}

func TestBase(t *testing.T) {
	r := base(6, 4)
	for _, test := range []struct {
		r    Base
		rat  string
		text string
	}{
		{r, "3/2", "3/2"},
		{r.Pow(3), "27/8", "(3/2)^3"},
		{r.Pow(3).Pow(2), "729/64", "(3/2)^6"},
		{r.Pow(0), "1", "1"},
		{base(7, 7), "1", "1"},
		{Base{}, "1", "1"},
		{Base{}.Pow(5), "1", "1"},
	} {
		if test.r.Rat().Cmp(rat(test.rat)) != 0 || test.r.String() != test.text {
			t.Errorf("have %v = %v, want %s = %s", test.r, test.r.Rat(), test.text, test.rat)
		}
		if test.r.IsOne() != (test.rat == "1") {
			t.Errorf("%v: IsOne is %v", test.r, test.r.IsOne())
		}
		want, _ := test.r.Rat().Float64()
		if log := test.r.Log(); math.Abs(log-math.Log(want)) > 1e-14*log {
			t.Errorf("%v: log is %v, want %v", test.r, log, math.Log(want))
		}
	}
	// The logarithm of a base near 1 keeps its digits, and that of a long fraction does not
	// overflow.
	if log, want := base(1<<50+1, 1<<50).Log(), math.Log1p(0x1p-50); log != want {
		t.Errorf("log is %g, want %g", log, want)
	}
	long, err := BaseFromRat(powerOfTwo(5000))
	if log := long.Log(); err != nil || math.Abs(log-5000*math.Ln2) > 1e-9 {
		t.Errorf("log is %g, want %g", log, 5000*math.Ln2)
	}
}

func TestBaseRefuses(t *testing.T) {
	for name, f := range map[string]func() (Base, error){
		// H: coin.md base-range
		"below one": func() (Base, error) { return NewBase(2, 3) },
		// H: coin.md base-range
		"no denominator":     func() (Base, error) { return NewBase(2, 0) },
		"negative":           func() (Base, error) { return NewBase(-3, -2) },
		"nil":                func() (Base, error) { return BaseFromRat(nil) },
		"rational below one": func() (Base, error) { return BaseFromRat(rat("99/100")) },
		"no exponent":        func() (Base, error) { return ExpBelow(nil) },
		"exponent zero":      func() (Base, error) { return ExpBelow(new(big.Rat)) },
		"exponent negative":  func() (Base, error) { return ExpBelow(rat("-1")) },
		"exponent too small": func() (Base, error) { return ExpBelow(powerOfTwo(-61)) },
		"exponent too large": func() (Base, error) { return ExpBelow(rat("1048577")) },
	} {
		r, err := f()
		var refused *param.Error
		if !errors.As(err, &refused) || !r.IsOne() {
			t.Errorf("%s: have %v, %v", name, r, err)
		}
	}
	mustPanic(t, func() { base(3, 2).Pow(1 << 63).Pow(2) })
}

// TestExpBelow brackets e^x between partial sums of its series, exactly.
func TestExpBelow(t *testing.T) {
	for _, text := range []string{"1", "1/10", "0.3333333333333333333333333", "1/1099511627776",
		"1/1152921504606846976",
		"17/16", "5", "100", "1048576", "3/1000000007",
		"0.99999999999999999999999999999999999999"} {
		x := rat(text)
		r, err := ExpBelow(x)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if r.IsOne() {
			t.Fatalf("%s: the base is 1", text)
		}
		if d := r.fraction.den; d.TrailingZeroBits() != uint(d.BitLen()-1) {
			t.Errorf("%s: denominator %v is no power of two", text, d)
		}
		// r = (num/den)^p with ln(num/den) to lie in [(1 − 2^−90)·x/p, x/p].
		step := new(big.Rat).Quo(x, new(big.Rat).SetInt(new(big.Int).SetUint64(r.power)))
		root := new(big.Rat).SetFrac(r.fraction.num, r.fraction.den)
		if below, _ := expBounds(step); root.Cmp(below) > 0 {
			t.Errorf("%s: the base is above e^x", text)
		}
		step.Mul(step, new(big.Rat).Sub(one, powerOfTwo(-90)))
		if _, above := expBounds(step); root.Cmp(above) < 0 {
			t.Errorf("%s: the base is further below e^x than stated", text)
		}
	}
}

// expBounds encloses e^x, 0 < x ≤ 1: the rest of the series after the term x^n/n! is below that
// term.
func expBounds(x *big.Rat) (below, above *big.Rat) {
	below, term := new(big.Rat), big.NewRat(1, 1)
	for i := int64(1); i < 60; i++ {
		below.Add(below, term)
		term = new(big.Rat).Mul(term, x)
		term.Quo(term, big.NewRat(i, 1))
	}
	return below, new(big.Rat).Add(below, term.Mul(term, big.NewRat(2, 1)))
}

func mustPanic(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("it did not panic")
		}
	}()
	f()
}
