package coin

import (
	"math/big"
	"testing"
)

// nothing are groups of which none can be chosen.
type nothing struct{}

func (nothing) Len() int                            { return 2 }
func (nothing) Group(int) (int64, uint64, *big.Int) { return 0, 0, nil }

// TestImpossibleDraws: what has no law is not drawn, by any source.
func TestImpossibleDraws(t *testing.T) {
	zero, one, two := new(big.Int), big.NewInt(1), big.NewInt(2)
	half, r, other := Ratio(1, 2), base(3, 2), base(5, 3)
	for name, f := range map[string]func(){
		// H: coin.md chance-range
		"a chance above 1":       func() { Ratio(3, 2) },
		"of nothing":             func() { Ratio(0, 0) },
		"a large chance above 1": func() { RatioBig(two, one) },
		"a chance below 0":       func() { RatioBig(big.NewInt(-1), one) },
		"a large one of nothing": func() { RatioBig(zero, zero) },
		"a power of one below 0": func() { RatioTimesPower(big.NewInt(-1), one, r, 1) },
		"a power of one above 1": func() { RatioTimesPower(two, one, r, 1) },
		// H: coin.md one-power
		"a power of a complement": func() { half.Complement().TimesPower(r, 1) },
		"powers of two bases":     func() { half.TimesPower(r, 1).TimesPower(other, 1) },
		"a power beyond 64 bits":  func() { half.TimesPower(r, 1<<63).TimesPower(r, 1<<63) },
	} {
		t.Run(name, func(t *testing.T) { mustPanic(t, f) })
	}
	// H: coin.md some-number, above-one, some-group
	draws := map[string]func(Source){
		"of no numbers":        func(src Source) { src.Uniform(0) },
		"of no large numbers":  func(src Source) { src.UniformBig(zero) },
		"geometric of base 1":  func(src Source) { src.Geometric(Base{}) },
		"of nothing to choose": func(src Source) { src.Choose(nothing{}, r, nil) },
	}
	for name, draw := range draws {
		t.Run(name, func(t *testing.T) {
			mustPanic(t, func() { draw(NewSeeded(1)) })
			mustPanic(t, func() {
				Enumerate(Limits{Top: 2}, func(src Source) (int, error) {
					draw(src)
					return 0, nil
				})
			})
		})
	}
}
