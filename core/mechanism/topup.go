package mechanism

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// NoiseTopUp turns a count with discrete Laplace noise of base r₁ into the same count with noise of
// base r₂ > r₁, such that the first is the second with further noise that does not depend on the
// data. Proof: topup.md, Theorem 1.
type NoiseTopUp struct {
	far, over       coin.Chance
	between, beyond coin.Base // r₂/r₁ and r₁·r₂
}

// NewNoiseTopUp leads from the first of these laws to the second. The base of then must be above
// that of first; otherwise it is a *param.Error (base).
func NewNoiseTopUp(first, then LaplaceNoise) (NoiseTopUp, error) {
	r1, r2 := first.base.Rat(), then.base.Rat()
	more := new(big.Rat).Sub(r2, r1)
	if more.Sign() <= 0 { // H: topup.md more
		return NoiseTopUp{}, refuse("base", then.base.String(), "a base above that of the first "+
			"release, %s", first.base.String())
	}
	between, err := coin.BaseFromRat(new(big.Rat).Quo(r2, r1))
	if err != nil {
		return NoiseTopUp{}, err // unreachable: r₂ is above r₁
	}
	both := new(big.Rat).Mul(r1, r2)
	beyond, err := coin.BaseFromRat(both)
	if err != nil {
		return NoiseTopUp{}, err // unreachable: both are above 1
	}
	// part is (r₂ − r₁)/(by·(square − 1))
	part := func(by, square *big.Rat) coin.Chance {
		all := new(big.Rat).Sub(square, oneRat)
		p := all.Quo(more, all.Mul(all, by))
		return coin.RatioBig(p.Num(), p.Denom())
	}
	return NoiseTopUp{far: part(r1, new(big.Rat).Mul(r2, r2)), over: part(r2, both),
		between: between, beyond: beyond}, nil
}

// Draw returns count with noise of base r₂, given noisy, which is count with noise of base r₁ and
// is at neither end of int64. It flips the same coins whatever the count is.
func (t NoiseTopUp) Draw(src coin.Source, count, noisy int64) int64 {
	far := src.Bernoulli(t.far)
	size := src.Geometric(t.between)
	over := src.Bernoulli(t.over)
	further := src.Geometric(t.beyond)
	if further < math.MaxUint64 {
		further++
	}
	outwards, back := addSaturating, subSaturating
	if noisy < count {
		outwards, back = back, outwards
	}
	switch {
	case far:
		return back(count, further)
	case size < uint64(max(count, noisy))-uint64(min(count, noisy)):
		return outwards(count, size)
	case over:
		return outwards(noisy, further)
	}
	return noisy
}

// LaplaceTopUp makes counts that were released with discrete Laplace noise more exact, for the
// difference of the two losses.
//
// # Guarantee
//
// The first release and the second are together as private as the second alone: pure ε₂-DP for
// neighbours that differ in one replaced person, n public, with the sensitivities of the two
// [Laplace]. So beside the first, which was paid for, the second costs ε₂ − ε₁, exactly, and a ρ of
// its own. It holds whatever was released in between, and where whether to top up, and to which ε₂,
// depends on that: the first answer included. It does not hold where the counts are others than
// those of the first release (H: topup.md same-number), where the first stands in another sum
// (H: topup.md same-sum), or where one release is topped up twice (H: topup.md one-successor).
// Proof: topup.md.
//
// # Input and output
//
// The counts of the first release, and what it released of them: whole numbers before anything was
// rounded or cut (H: topup.md as-drawn). The result is a new slice: each number has the law of the
// second Laplace. The release is topped up further from that result, never again from the first.
//
// # Errors
//
// [*param.Error] (l1Sensitivity, base) from the constructor; (noisy) from Release where the numbers
// are not as many as the counts, or one is at an end of int64, where a sum has saturated. That
// depends on what was released alone.
//
// # Cost and accuracy
//
// O(d): four draws for each count, whatever they are. Errors are those of the second Laplace, also
// jointly. Where one tops up because of the first answer, they may be larger:
// topup.md, What is not claimed.
//
// # Reference
//
// "Lossless multiple release" of Laplace noise is due to arXiv 2505.22449, 2025. Differs: discrete
// noise of rational bases, a sampler without powers whose coins do not depend on the data, and a
// loss for accounts in ρ.
type LaplaceTopUp struct {
	noise NoiseTopUp
	whole privacy.Loss
	spend *meter.Spend
}

// NewLaplaceTopUp leads from one Laplace to another with a larger base and the same sensitivities.
func NewLaplaceTopUp(first, then *Laplace) (*LaplaceTopUp, error) {
	was, is := first.spend.Claim, then.spend.Claim
	if was.L1 != is.L1 || was.Each != is.Each { // H: topup.md same-moves
		return nil, refuse("l1Sensitivity", phrase.Of("%d", is.L1),
			"the sensitivities of the first release, %d in all", was.L1)
	}
	noise, err := NewNoiseTopUp(first.noise, then.noise)
	if err != nil {
		return nil, err
	}
	small, large := privacy.LogUp(first.rate.base.Rat()), privacy.LogUp(then.rate.base.Rat())
	rho := TopUpRho(small, large, is.L1, cmp.Or(is.Each, is.L1))
	whole, err := then.Loss(1)
	if err != nil {
		return nil, err // unreachable: Laplace has a loss
	}
	paid, err := first.Loss(1)
	if err != nil {
		return nil, err // unreachable: as before
	}
	rest, err := privacy.Rest(whole, paid, rho)
	if err != nil {
		return nil, refuse("base", then.rate.base.String(), "a loss above that of the first")
	}
	return &LaplaceTopUp{noise: noise, whole: whole,
		spend: &meter.Spend{Name: "top-up of discrete Laplace noise", Loss: rest,
			Claim: then.spend.Claim}}, nil
}

// TopUpRho returns the ρ of topping up sums, given the first answer, where they move by at most
// total together and by at most each alone, in units of which one costs first in the first release
// and then in the top-up; rounded up. Proof: topup.md, Lemma 4.
func TopUpRho(first, then *big.Rat, total, each uint64) *big.Rat {
	square := func(moves uint64) *big.Rat {
		most := new(big.Rat).Mul(then, ratOf(moves))
		return most.Mul(most, most).Quo(most, big.NewRat(2, 1))
	}
	rho := square(each)
	rho.Mul(rho, ratOf(total/each)).Add(rho, square(total%each))
	pure := new(big.Rat).Add(first, then)
	loss, err := privacy.NewLoss(pure.Mul(pure, ratOf(total)), nil)
	if other := loss.Rho(); err == nil && other.Cmp(rho) < 0 {
		return other
	}
	return rho
}

// Loss is the cost of the top-up beyond the first release, for data sets that differ in d persons:
// a [privacy.Rest].
func (t *LaplaceTopUp) Loss(d privacy.Distance) (privacy.Loss, error) {
	return t.spend.Loss.Group(d)
}

// Release returns the counts with the second noise. noisy holds the first release of these counts.
// step may be nil; its units are counts.
func (t *LaplaceTopUp) Release(src coin.Source, counts, noisy []int64,
	step coin.Step) ([]int64, error) {
	if len(noisy) != len(counts) {
		return nil, refuse("noisy", phrase.Of("%d numbers", len(noisy)),
			"one for each of %d counts", len(counts))
	}
	if err := CheckTopUp(noisy); err != nil {
		return nil, err
	}
	return meter.Draw(src, t.spend, TopUpInput(counts, noisy),
		func(src coin.Source) ([]int64, error) {
			finer := make([]int64, len(counts))
			for i, count := range counts {
				if err := pause(step, i, len(counts)); err != nil {
					return nil, err
				}
				finer[i] = t.noise.Draw(src, count, noisy[i])
			}
			return finer, nil
		})
}

// CheckTopUp refuses numbers that may have saturated.
func CheckTopUp(noisy []int64) error {
	// H: topup.md unsaturated
	if slices.Contains(noisy, math.MaxInt64) || slices.Contains(noisy, math.MinInt64) {
		return refuse("noisy", phrase.Of("at an end of 64 bits"),
			"numbers that did not saturate: ask again instead of topping up")
	}
	return nil
}

// TopUpInput is the input of a top-up: private counts, and their first release.
func TopUpInput(counts, noisy []int64) func() meter.Input {
	return func() meter.Input {
		return meter.Input{Values: counts, Public: numbersText(noisy)}
	}
}

func numbersText(list []int64) string {
	text := make([]byte, 0, 8*len(list))
	for _, n := range list {
		text = append(big.NewInt(n).Append(text, 10), ' ')
	}
	return string(text)
}
