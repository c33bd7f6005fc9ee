package query

import (
	"math/big"
	"strconv"

	"hush/core/coin"
	"hush/core/param"
)

// A Learned function is a submodular function as it was learned: constant on each piece of a
// decomposition. It is not private: the values it was learned from are exact.
type Learned struct {
	Pieces Decomposition
	// of the value on sets of each piece, as a part of Top; nil for a piece without sets of the
	// workload
	Means []*big.Rat
}

// Learn finds, asking only for values, a function that is within alpha of f/Top on all but a part
// beta of the sets that a workload draws: Algorithm 3, or Algorithm 5 where both is set, for an f
// that is not monotone.
//
// gamma is the Lipschitz constant of the pieces; few functions are large enough for the one that
// the theorem asks for. By the rule [Exact] f's values are those meant; by the
// others they may be off by Tolerance·gamma·Top ([Rounded]), and what is learned by as much more.
// The mean of a piece with at most 16 open elements of a product distribution is exact; else it is
// that of samples draws.
//
// # Reference
//
// Gupta, Hardt, Roth, Ullman, 2011, Theorems 3.11 and 3.14. Proof: decompose.md.
func Learn(src coin.Source, f Function, gamma *big.Rat, rule Rule, both bool, w Workload,
	samples int, step coin.Step) (*Learned, error) {
	if gamma == nil || gamma.Sign() <= 0 { // H: decompose.md constant
		return nil, refuse("gamma", param.NotSet, "a number above 0")
	}
	if samples < 1 { // H: decompose.md constant
		return nil, refuse("samples", strconv.Itoa(samples), "at least 1")
	}
	if err := w.check(f.Size()); err != nil { // H: decompose.md workload-fits
		return nil, err
	}
	pieces, err := Decompose(f, gamma, rule, both, 0, step)
	if err != nil {
		return nil, err
	}
	l := &Learned{Pieces: pieces, Means: make([]*big.Rat, len(pieces))}
	for i, p := range pieces {
		if _, ok := w.on(p, f.Size()); !ok {
			continue
		}
		l.Means[i] = mean(src, f, p, w, samples)
	}
	return l, nil
}

// A Rounded function gives its values to the nearest of Steps steps up to Top: off by at most half
// a step, and always the same for a set, as an oracle with that tolerance may answer.
type Rounded struct {
	Function
	Steps int64 // of which Top has this many; above 0
}

// Top is the number of steps.
func (r Rounded) Top() int64 { return r.Steps }

// Value is in steps.
func (r Rounded) Value(s Set) int64 {
	twice := new(big.Int).Mul(big.NewInt(2*r.Steps), big.NewInt(r.Function.Value(s)))
	top := big.NewInt(r.Function.Top())
	return twice.Add(twice, top).Div(twice, top.Lsh(top, 1)).Int64()
}

// mean returns the mean value of f on the sets of a piece that the workload draws, as a fraction of
// Top.
func mean(src coin.Source, f Function, p Piece, w Workload, samples int) *big.Rat {
	open := p.free(f.Size()).Members()
	total, top := new(big.Rat), new(big.Rat).SetInt64(f.Top())
	if w.Width > 0 || len(open) > 16 {
		for range samples {
			total.Add(total, new(big.Rat).SetInt64(f.Value(w.Draw(src, p, f.Size()))))
		}
		return total.Quo(total, top.Mul(top, big.NewRat(int64(samples), 1)))
	}
	for mask := range 1 << len(open) {
		s, chance := p.In, big.NewRat(1, 1)
		for i, x := range open {
			part := big.NewRat(int64(w.Chances[x]), certain)
			if mask>>i&1 == 1 {
				s = s.With(x)
			} else {
				part.Sub(big.NewRat(1, 1), part)
			}
			chance.Mul(chance, part)
		}
		total.Add(total, chance.Mul(chance, new(big.Rat).SetInt64(f.Value(s))))
	}
	return total.Quo(total, top)
}
