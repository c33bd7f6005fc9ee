package coin

import (
	"math"
	"math/big"
	"testing"
)

func TestChance(t *testing.T) {
	r := base(3, 2)
	huge := new(big.Int).Lsh(bigOne, 100)
	for _, test := range []struct {
		p    Chance
		want string
	}{
		{Ratio(2, 6), "1/3"},
		{Ratio(0, 5), "0"},
		{Ratio(5, 5), "1"},
		{Chance{}, "0"},
		{Ratio(1, math.MaxUint64), "1/18446744073709551615"},
		{RatioBig(big.NewInt(2), big.NewInt(6)), "1/3"},
		{RatioBig(new(big.Int).Sub(huge, bigOne), huge),
			"1267650600228229401496703205375/1267650600228229401496703205376"},
		{Ratio(3, 4).TimesPower(r, 2), "1/3"},
		{Ratio(3, 4).TimesPower(r, 1).TimesPower(base(6, 4), 1), "1/3"},
		{Ratio(3, 4).TimesPower(r.Pow(2), 2), "4/27"},
		{Ratio(3, 4).TimesPower(Base{}, 9), "3/4"},
		{Ratio(3, 4).TimesPower(r, 0), "3/4"},
		{Ratio(3, 4).TimesPower(r, 2).Complement(), "2/3"},
		{RatioTimesPower(big.NewInt(3), big.NewInt(2), r, 2), "2/3"},
		{RatioTimesPower(big.NewInt(9), big.NewInt(4), r, 2), "1"},
		{RatioTimesPower(big.NewInt(1), big.NewInt(2), r, 0), "1/2"},
		{Ratio(1, 4).Complement(), "3/4"},
		{Ratio(1, 4).Complement().Complement(), "1/4"},
		{Chance{}.Complement(), "1"},
	} {
		if test.p.Rat().Cmp(rat(test.want)) != 0 {
			t.Errorf("have %v, want %s", test.p.Rat(), test.want)
		}
	}
}

func TestChanceRefuses(t *testing.T) {
	r := base(3, 2)
	for _, f := range []func(){
		func() { Ratio(2, 1) },
		func() { Ratio(0, 0) },
		func() { RatioBig(big.NewInt(-1), big.NewInt(1)) },
		func() { RatioBig(big.NewInt(2), big.NewInt(1)) },
		func() { RatioBig(big.NewInt(0), big.NewInt(0)) },
		func() { RatioTimesPower(big.NewInt(10), big.NewInt(4), r, 2) },
		func() { RatioTimesPower(big.NewInt(-1), big.NewInt(4), r, 2) },
		func() { Ratio(1, 2).Complement().TimesPower(r, 1) },
		func() { Ratio(1, 2).TimesPower(r, 1).TimesPower(base(2, 1), 1) },
		func() { Ratio(1, 2).TimesPower(r, math.MaxUint64).TimesPower(r, 1) },
	} {
		mustPanic(t, f)
	}
}

func TestChanceKeepsNoReference(t *testing.T) {
	num, den := new(big.Int).Lsh(bigOne, 99), new(big.Int).Lsh(bigOne, 100)
	p := RatioBig(num, den)
	num.SetInt64(0)
	if p.Rat().Cmp(rat("1/2")) != 0 {
		t.Errorf("the chance moved to %v", p.Rat())
	}
}
