package basic

import (
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Draw is one of the releases of Gaussian noise that an answer averages.
type Draw = mechanism.Draw

// releases makes answers from the means of several releases of Gaussian noise. All of it is public.
type releases struct {
	before []Draw                // the releases before, the first one first
	rho    privacy.Rho           // of the one that is added to them
	steps  []*mechanism.Averaged // for sum j: steps[j mod len]
}

// Average makes the next release of a question one that is averaged with earlier releases. first is
// the noise of the latest answer, and raw holds their draws.
//
// # Guarantee
//
// That release is ρ-zCDP by itself, with ρ the difference between the ρ that this noise was granted
// and the ρ of the releases before, for neighbours that replace one person, n public: an ordinary
// entry of an account. Nothing is asked of the releases before. Proof: topup.md, Theorem 2.
//
// # Input and output
//
// The question's own: its answer is made from the means of all releases by their ρ, each rounded to
// a whole number.
//
// # Errors
//
// [*param.Error] (noise, topUp, epsilon) where a kind of noise is not Gaussian, sensitivities
// differ from those of first, the releases before did not cost what first was granted, or ε is not
// larger. It depends on public parameters and on raw only.
//
// # Cost and accuracy
//
// O(sums) beside the question's own. An error bound is larger by at most one unit of a sum than
// that of one release of the larger ε.
//
// # Reference
//
// [mechanism.Averaged].
func (n *Noise) Average(first *Noise, raw Raw) (debit privacy.Loss, err error) {
	if n.kind != Gaussian || first.kind != Gaussian { // H: topup.md same-noise
		return debit, refuse("noise", n.kind.Phrase(), "discrete Gaussian noise in all releases")
	}
	was, is := first.spend.Claim, n.spend.Claim
	// H: topup.md same-moves
	if was.L2Squared != is.L2Squared || !slices.Equal(was.Weights, is.Weights) ||
		first.rows != n.rows {
		return debit, refuse("topUp", phrase.Of("squares of changes of %d in all", is.L2Squared),
			"the same question: %d in all", was.L2Squared)
	}
	a, err := n.averaging(raw.Draws)
	if err != nil {
		return debit, err
	}
	// H: topup.md bases
	if sum := mechanism.TotalRho(raw.Draws); sum.Cmp(first.granted.Rat()) != 0 {
		return debit, refuse("topUp", phrase.Of("releases of another ρ"),
			"what this version of the question was granted")
	}
	delta := n.laws[0].delta
	if debit, err = privacy.ConcentratedLoss(a.rho).At(delta); err != nil {
		return debit, err // unreachable: there is a δ above 0
	}
	spend := *n.spend
	spend.Name, spend.Loss = "discrete Gaussian noise, to be averaged", debit
	if spend.Person != nil {
		all := a.rho.Rat()
		whole, err := privacy.NewRho(all.Mul(all, ratOf(bigOf(n.rows))))
		if err != nil {
			return debit, err // unreachable: below what a person was granted
		}
		person := meter.Person{Claim: spend.Person.Claim}
		if person.Loss, err = privacy.ConcentratedLoss(whole).At(delta); err != nil {
			return debit, err // unreachable: as above
		}
		spend.Person = &person
	}
	n.spend = &spend
	n.use(a)
	return debit, nil
}

// averaging computes the means with these releases.
func (n *Noise) averaging(before []Draw) (*releases, error) {
	if len(before) == 0 {
		return nil, refuse("topUp", "0", "at least one release before")
	}
	sum, all := mechanism.TotalRho(before), n.granted.Rat()
	rho, err := privacy.NewRho(new(big.Rat).Sub(all, sum)) // H: topup.md rises
	if err != nil {
		return nil, refuse("epsilon", phrase.Of("no more than before"), "a larger ε")
	}
	a := &releases{before: before, rho: rho}
	for _, d := range before {
		if !d.Rho.IsSet() || len(d.Sums) != len(before[0].Sums) { // H: topup.md as-many
			return nil, refuse("topUp", phrase.Of("%d numbers", len(d.Sums)),
				"%d in each release, and its ρ", len(before[0].Sums))
		}
		if err := mechanism.CheckTopUp(d.Sums); err != nil { // H: topup.md unsaturated
			return nil, err
		}
	}
	for j := range n.laws {
		share := n.share(j)
		was, err := privacy.NewRho(new(big.Rat).Mul(sum, share))
		if err != nil {
			return nil, err
		}
		is, err := privacy.NewRho(share.Mul(share, all))
		if err != nil {
			return nil, err
		}
		step, err := mechanism.NewAveraged(mechanism.AveragedParams{First: was, Then: is,
			L2SensitivitySquared: 1})
		if err != nil {
			return nil, err
		}
		a.steps = append(a.steps, step)
	}
	return a, nil
}

// use makes all later answers averages.
func (n *Noise) use(a *releases) {
	n.average, n.laws = a, slices.Clone(n.laws)
	for j := range n.laws {
		n.laws[j].averaged = a.steps[j]
	}
}

// Averages returns how many releases the next answer averages: 1 if there is only one.
func (n *Noise) Averages() int {
	if n.average == nil {
		return 1
	}
	return len(n.average.before) + 1
}

// DebitOfPerson returns what the next release costs where all rows of one person are replaced
// ([Several]); false where group privacy gives it. It is OfPerson except for a release that is
// averaged with others.
func (n *Noise) DebitOfPerson() (loss privacy.Loss, ok bool) {
	if n.spend.Person == nil {
		return loss, false
	}
	return n.spend.Person.Loss, true
}

// draw returns the release that is added.
func (a *releases) draw(src coin.Source, sums []int64, step coin.Step) ([]int64, error) {
	noisy := make([]int64, len(sums))
	for i := range sums {
		if step != nil && i&1023 == 0 {
			if err := step(int64(i), int64(len(sums))); err != nil {
				return nil, err
			}
		}
		one, err := a.steps[i%len(a.steps)].Fresh(src, sums[i:i+1], nil)
		if err != nil {
			return nil, err // unreachable: there is no step
		}
		noisy[i] = one[0]
	}
	return noisy, nil
}

// means returns the rounded averages of the earlier releases and the one that gave fresh.
func (a *releases) means(fresh []int64) ([]int64, error) {
	if len(fresh) != len(a.before[0].Sums) { // H: topup.md as-many
		return nil, refuse("topUp", phrase.Of("%d numbers", len(a.before[0].Sums)),
			"%d, one for each sum", len(fresh))
	}
	return mechanism.Means(append(slices.Clone(a.before), Draw{Rho: a.rho, Sums: fresh})), nil
}
