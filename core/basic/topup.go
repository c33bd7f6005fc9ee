package basic

import (
	"cmp"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Raw is a question's draw of noise, before it became an answer: the start of a top-up. It is
// public, like every function of it that a question answers with.
type Raw struct {
	// Sums were drawn by Laplace noise; Bases[j mod len] is the exact r of the noise on sum j.
	Sums  []int64
	Bases []string
	// Draws are those of Gaussian noise, the first one first.
	Draws []Draw
}

// Drawn returns what the noise last gave, for a later top-up. ok is false where nothing was drawn,
// or a sum is at an end of int64.
func (n *Noise) Drawn() (raw Raw, ok bool) {
	if n.drawn == nil || mechanism.CheckTopUp(n.drawn) != nil {
		return Raw{}, false
	}
	return n.raw(slices.Clone(n.drawn)), true
}

// raw returns a draw with the bases or the ρ of its noise.
func (n *Noise) raw(sums []int64) Raw {
	switch {
	case n.kind == Laplace:
		return Raw{Sums: sums, Bases: n.bases()}
	case n.average != nil:
		last := Draw{Rho: n.average.rho, Sums: sums}
		return Raw{Draws: append(slices.Clone(n.average.before), last)}
	}
	return Raw{Draws: []Draw{{Rho: n.granted, Sums: sums}}}
}

func (n *Noise) bases() []string {
	list := make([]string, len(n.laws))
	for i, l := range n.laws {
		list[i] = l.laplace.Base().String()
	}
	return list
}

// TopUp makes the next release of a question a top-up of an earlier one with less ε. first is the
// noise of that release and raw holds its draw.
//
// # Guarantee
//
// With Laplace noise that release and the one before are together as private as the later alone,
// whose Loss this noise keeps, for neighbours that replace one person, n public. So beside the
// first it costs rest, the difference of the two losses. It wants the same exact sums: the same
// data, values and parameters but ε (H: topup.md same-bytes); raw as first drew it (H: topup.md
// as-drawn); and that each release is topped up once at most (H: topup.md one-successor). Proof:
// topup.md. With Gaussian noise it is [Noise.Average], and rest is an ordinary loss.
//
// # Input and output
//
// The question's own: its answer is made anew from the sums that are drawn, without the first.
//
// # Errors
//
// [*param.Error] (noise, base, topUp) where the kinds of noise differ, ε is not larger, bases or
// sensitivities differ from those of first, or a sum has saturated. It depends on public parameters
// and on raw only.
//
// # Cost and accuracy
//
// O(sums) beside the question's own.
//
// # Reference
//
// [mechanism.LaplaceTopUp].
func (n *Noise) TopUp(first *Noise, raw Raw) (rest privacy.Loss, err error) {
	if n.kind == Gaussian && first.kind == Gaussian {
		return n.Average(first, raw)
	}
	if n.kind != first.kind { // H: topup.md same-noise
		return rest, refuse("noise", n.kind.Phrase(), "%s noise, as in the release before",
			first.kind.Phrase())
	}
	was, is := first.spend.Claim, n.spend.Claim
	// H: topup.md same-moves
	if was.L1 != is.L1 || was.Each != is.Each || !slices.Equal(was.Weights, is.Weights) {
		return rest, refuse("topUp", phrase.Of("a change of %d in all", is.L1),
			"the same question: %d in all", was.L1)
	}
	if !slices.Equal(raw.Bases, first.bases()) { // H: topup.md bases
		return rest, refuse("topUp", phrase.Of("noise of other bases"),
			"the outcome of this version of the question")
	}
	if err := mechanism.CheckTopUp(raw.Sums); err != nil { // H: topup.md unsaturated
		return rest, err
	}
	steps := make([]mechanism.NoiseTopUp, len(n.laws))
	for i, l := range n.laws {
		// H: topup.md rises
		if steps[i], err = mechanism.NewNoiseTopUp(first.laws[i].laplace, l.laplace); err != nil {
			return rest, err
		}
	}
	unit := func(l privacy.Loss) *big.Rat {
		epsilon, _ := l.Epsilon()
		return epsilon.Quo(epsilon, new(big.Rat).SetInt(bigOf(is.L1)))
	}
	rho := mechanism.TopUpRho(unit(first.one), unit(n.one), is.L1, cmp.Or(is.Each, is.L1))
	if rest, err = privacy.Rest(n.one, first.one, rho); err != nil {
		return rest, refuse("epsilon", phrase.Of("no more than before"), "a larger ε")
	}
	spend := *n.spend
	spend.Name, spend.Loss = "top-up of discrete Laplace noise", rest
	n.spend, n.topUp = &spend, &topUp{steps: steps, from: slices.Clone(raw.Sums)}
	return rest, nil
}

// topUp is a release from which the next draw starts.
type topUp struct {
	steps []mechanism.NoiseTopUp // of sum j: steps[j mod len]
	from  []int64
}

// draw draws from a noise that tops up.
func (t *topUp) draw(src coin.Source, sums []int64, step coin.Step) ([]int64, error) {
	if len(sums) != len(t.from) { // H: topup.md as-many
		return nil, refuse("topUp", phrase.Of("%d numbers", len(t.from)), "%d, one for each sum",
			len(sums))
	}
	finer := make([]int64, len(sums))
	for i, sum := range sums {
		if step != nil && i&1023 == 0 {
			if err := step(int64(i), int64(len(sums))); err != nil {
				return nil, err
			}
		}
		finer[i] = t.steps[i%len(t.steps)].Draw(src, sum, t.from[i])
	}
	return finer, nil
}
