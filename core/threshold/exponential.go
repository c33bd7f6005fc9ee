package threshold

import (
	"math"
	"math/big"
	"sort"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// ExponentialParams are the parameters of Exponential.
type ExponentialParams struct {
	// Epsilon is the privacy loss granted for one replaced person. Required.
	Epsilon privacy.Epsilon

	// Size is the number of values of the domain, as for TreeLog.
	Size *big.Int

	// Beta is the failure probability, as for TreeLog.
	Beta float64
}

// Exponential finds an interior point by the exponential mechanism, for sorted codes of any width:
// the simplest [Finder], and the best one for domains of up to about 150 bits. The number of
// persons it needs grows with the number of bits.
//
// # Guarantee
//
// Pure ε-DP for neighbours that differ in one replaced person, n public, and of bounded range
// ([privacy.Loss.Ranged]). Its law is that of [mechanism.InteriorPoint]. Proof: exponential.md.
//
// # Input and output
//
// As [TreeLog]. A point x is chosen with probability proportional to r^min(#{codes ≤ x}, #{codes ≥
// x}).
//
// # Errors
//
// [*param.Error] (epsilon, size, beta) from the constructor, (codes) from Release for codes of
// another number of bits.
//
// # Cost and accuracy
//
// Points far from the median are hardly ever chosen, so only the codes near it are looked at, about
// 2·ln(Size)/ln r of them, and the rest is one group that is nearly always passed over: constant
// time for 64 bits, however many codes there are.
//
// # Reference
//
// McSherry, Talwar, "Mechanism Design via Differential Privacy", 2007.
type Exponential struct {
	size  *big.Int
	bits  int
	base  coin.Base
	needs int
	width int // scores this far below the best are left to the outer group
	spend *meter.Spend
}

var _ Finder = (*Exponential)(nil)

// NewExponential checks the parameters.
func NewExponential(p ExponentialParams) (*Exponential, error) {
	bitLength, beta, err := checkFinding(p.Size, p.Epsilon, p.Beta)
	if err != nil {
		return nil, err
	}
	base, err := coin.ExpBelow(p.Epsilon.Part(1, 2).Rat())
	if err != nil {
		return nil, refuse("epsilon", p.Epsilon.String(), "at least 2^-59")
	}
	return newExponential(p.Size, bitLength, base, beta), nil
}

func newExponential(size *big.Int, bitLength int, base coin.Base, beta *big.Rat) *Exponential {
	others := new(big.Rat).SetInt(new(big.Int).Sub(size, oneInt))
	return &Exponential{
		size: new(big.Int).Set(size), bits: bitLength, base: base,
		spend: leaf("exponential mechanism", both(privacy.LogUp(base.Rat())).replace().Ranged()),
		needs: max(2*power(base, others.Mul(others, against(beta)))-1, 1),
		width: int(min((logInt(size)+20)/base.Log(), math.MaxInt32)) + 1,
	}
}

// Name is "exponential mechanism".
func (e *Exponential) Name() phrase.Phrase { return phrase.Of("exponential mechanism") }

// Needs returns the number of persons with a value that it needs: 2h − 1 for the smallest h with
// r^h ≥ (Size − 1)·(1 − β)/β.
func (e *Exponential) Needs() int { return e.needs }

// TypicalError returns about 1/ln r: ranks k away have weights r^−k.
func (e *Exponential) TypicalError(persons int64) float64 {
	return mechanism.TypicalRankError(e.base.Log(), float64(persons), e.size)
}

// Loss is ε for d = 1, and group privacy beyond.
func (e *Exponential) Loss(d privacy.Distance) (privacy.Loss, error) {
	return e.spend.Loss.Group(d)
}

// Release finds a point.
func (e *Exponential) Release(src coin.Source, codes domain.Sorted,
	step coin.Step) (*big.Int, error) {
	if codes.Bits() != e.bits { // H: treelog.md bits
		return nil, refuse("codes", phrase.Of("%d bits long", codes.Bits()), "codes of %d bits",
			e.bits)
	}
	return find(src, e.spend, codes, func(src coin.Source) (*big.Int, error) {
		return e.find(src, codes, step)
	})
}

func (e *Exponential) find(src coin.Source, codes domain.Sorted,
	step coin.Step) (*big.Int, error) {
	if codes.Len() == 0 {
		return src.UniformBig(e.size), nil
	}
	stages := newStages(step, 1)
	w := e.window(codes, max((codes.Len()+1)/2-e.width, 0))
	for {
		x, ok, err := w.draw(src, stages.pause())
		if err != nil {
			return nil, err
		}
		if ok {
			return x, stages.next()
		}
	}
}

// window divides the domain into the codes and gaps between code number cut and its counterpart
// from the other end, where the score is above cut, and everything else, where it is not.
type window struct {
	*Exponential
	codes   domain.Sorted
	cut     int
	runs    []int    // where runs of equal codes begin, and the end of the last
	low     *big.Int // the first point of the window
	span    *big.Int // its number of points
	outside *big.Int // the number of all others
	widths  []uint64 // of the gaps, for codes of at most 64 bits
}

func (e *Exponential) window(codes domain.Sorted, cut int) *window {
	w := &window{Exponential: e, codes: codes, cut: cut}
	last := codes.Len() - 1 - cut
	equal := func(i, j int) bool { return codes.Lcp(i, j) == e.bits }
	first := sort.Search(cut, func(i int) bool { return equal(i, cut) })
	for at := first; at <= last; {
		w.runs = append(w.runs, at)
		at = endOfRun(codes, at)
		if at > last {
			w.runs = append(w.runs, at)
		}
	}
	w.low = codes.Number(cut)
	w.span = codes.Number(last)
	w.span.Sub(w.span, w.low).Add(w.span, oneInt)
	w.outside = new(big.Int).Sub(e.size, w.span)
	if e.bits <= 64 {
		before := w.codes.Number(first).Uint64()
		for _, run := range w.runs[1 : len(w.runs)-1] {
			next := w.codes.Number(run).Uint64()
			w.widths, before = append(w.widths, next-before-1), next
		}
	}
	return w
}

// Len counts run 0, the gap after it, run 1, …, and all outside.
func (w *window) Len() int { return 2 * (len(w.runs) - 1) }

// Group returns scores with a minus, since lower is better. The score of everything outside is the
// largest that it may be; draw corrects for that.
func (w *window) Group(i int) (int64, uint64, *big.Int) {
	if i == w.Len()-1 {
		return int64(-w.cut), 0, w.outside
	}
	k, n := i/2, w.codes.Len()
	if i%2 == 0 {
		return int64(-min(w.runs[k+1], n-w.runs[k])), 1, nil
	}
	if w.widths != nil {
		return int64(-min(w.runs[k+1], n-w.runs[k+1])), w.widths[k], nil
	}
	_, width := w.gap(k)
	return int64(-min(w.runs[k+1], n-w.runs[k+1])), 0, width
}

// gap returns the first point after run k and the number of points before the next run.
func (w *window) gap(k int) (first, width *big.Int) {
	first = w.codes.Number(w.runs[k])
	first.Add(first, oneInt)
	width = w.codes.Number(w.runs[k+1])
	return first, width.Sub(width, first)
}

// draw is one round. A point outside the window whose score is below cut is drawn as if it had that
// score, and kept with the probability that corrects for it; so every point is kept with a
// probability proportional to r^score. False asks for another round.
func (w *window) draw(src coin.Source, pause func() error) (*big.Int, bool, error) {
	i, err := src.Choose(w, w.base, stepOf(pause))
	switch {
	case err != nil:
		return nil, false, err
	case i < w.Len()-1 && i%2 == 0:
		return w.codes.Number(w.runs[i/2]), true, nil
	case i < w.Len()-1:
		first, width := w.gap(i / 2)
		return first.Add(first, src.UniformBig(width)), true, nil
	}
	x := src.UniformBig(w.outside)
	if x.Cmp(w.low) >= 0 {
		x.Add(x, w.span)
	}
	missing := w.cut - depthOf(w.codes, x)
	return x, src.Bernoulli(coin.Ratio(1, 1).TimesPower(w.base, uint64(missing))), nil
}
