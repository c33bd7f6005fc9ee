package selection

import (
	"math/big"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// NoisyScoresParams are the parameters of NoisyScores.
type NoisyScoresParams struct {
	// Epsilon is the loss granted for one selection. Required.
	Epsilon privacy.Epsilon

	// Delta is the δ granted, if it is not 0: noise is then cut off where it would reach too far
	// (the margin-based form).
	Delta privacy.Delta

	// Sensitivities are how far one person can move each candidate's score: from 1 to 2^40, one for
	// each candidate.
	Sensitivities []uint64

	// Shift lowers every score by as much as its noise may add, except with this probability, so
	// that a candidate with wide noise does not win because of it (the generalised form); nil is no
	// shift.
	Shift *big.Rat

	// Repetitions is the law of the number of times that a candidate is drawn and measured.
	// Required.
	Repetitions Repetitions
}

// NoisyScores chooses among candidates with scores of given sensitivities: it measures one
// candidate at a time, with noise on its score, and takes the best of a random number of them. It
// is the exponential mechanism, in several forms, as a selection from private candidates.
//
// # Guarantee
//
// (Epsilon, Delta)-DP for neighbours between which score i changes by at most Sensitivities[i].
// Proof: scores.md. That scores move so is the caller's to show (H: scores.md moves).
//
// # Input and output
//
// Whole scores, higher is better, one for each candidate; the index chosen, or none ([Poisson]
// repetitions only).
//
// # Errors
//
// [*param.Error] from the constructor for each field, (scores) from Release for another number of
// them; else what step returns.
//
// # Cost and accuracy
//
// With [Geometric] repetitions of stop β/(2K) the score chosen is O((Δ/ε)·ln(K/β)) below the best
// but for O(β); with a Shift, below the best by that of the best one's own sensitivity. With a
// Delta, a candidate that leads by more than 2·Reach wins for sure once it is drawn. Exponential of
// the package mechanism and [Generalised] are the direct mechanisms; they choose better
// (scores.md).
//
// # Reference
//
// Liu, Talwar, 2019, Theorem 5.2, first three forms. Differs: discrete noise, any Repetitions.
type NoisyScores struct {
	best   *Best
	noises []mechanism.LaplaceNoise
	shifts []int64
	reach  []int64 // the largest noise; 0 for any
	spends []*meter.Spend
}

// NewNoisyScores checks the parameters.
func NewNoisyScores(p NoisyScoresParams) (*NoisyScores, error) {
	each, delta, err := shareOut(p.Epsilon, p.Delta, p.Repetitions)
	if err != nil {
		return nil, err
	}
	if len(p.Sensitivities) == 0 || len(p.Sensitivities) > 1<<20 {
		return nil, refuse("sensitivities", phrase.Of("%d of them", len(p.Sensitivities)),
			"one for each candidate, 1 to 2^20 of them")
	}
	if p.Shift != nil {
		if err := checkShare("shift", p.Shift); err != nil {
			return nil, err
		}
	}
	one := privacy.PureLoss(each)
	if delta.Sign() > 0 {
		if one, err = privacy.NewLoss(each.Rat(), delta); err != nil {
			return nil, err // unreachable: δ is not negative
		}
	}
	m := &NoisyScores{}
	if m.best, err = NewBest(BestParams{one, p.Repetitions}); err != nil {
		return nil, err
	}
	known := map[uint64]int{} // candidates of one sensitivity share one noise
	for i, sensitivity := range p.Sensitivities {
		if first, ok := known[sensitivity]; ok {
			m.noises, m.shifts, m.reach = append(m.noises, m.noises[first]),
				append(m.shifts, m.shifts[first]), append(m.reach, m.reach[first])
			m.spends = append(m.spends, m.spends[first])
			continue
		}
		known[sensitivity] = i
		base, noise, err := noiseFor("sensitivities", each, sensitivity)
		if err != nil {
			return nil, err
		}
		m.noises = append(m.noises, noise)
		m.shifts = append(m.shifts, shiftFor(base, p.Shift, p.Repetitions))
		m.reach = append(m.reach, reachFor(base, sensitivity, delta))
		m.spends = append(m.spends, &meter.Spend{Name: "bounded discrete Laplace noise", Loss: one,
			Claim: meter.Claim{Each: sensitivity}})
	}
	return m, nil
}

// shareOut returns what one run may cost for a total of (epsilon, delta).
func shareOut(epsilon privacy.Epsilon, delta privacy.Delta,
	r Repetitions) (privacy.Epsilon, *big.Rat, error) {
	switch {
	case !epsilon.IsSet():
		return privacy.Epsilon{}, nil,
			refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	case r == nil:
		return privacy.Epsilon{}, nil,
			refuse("repetitions", param.NotSet,
				"Geometric, NegativeBinomial, Logarithmic or Poisson")
	}
	each, err := Each(epsilon, r)
	if err != nil || delta.IsZero() {
		return each, new(big.Rat), err
	}
	// δ = (1+e^ε*)/(1+e^ε)·E[runs]·δ1, solved for δ1.
	part := new(big.Rat).Add(ratOf(1), privacy.ExpDown(each.Rat()))
	part.Quo(part, new(big.Rat).Add(ratOf(1), privacy.ExpUp(epsilon.Rat()))).Quo(part, r.Mean())
	return each, part.Mul(part, delta.Rat()), nil
}

// noiseFor returns the noise that makes a count of this sensitivity ε-DP.
func noiseFor(field string, epsilon privacy.Epsilon,
	sensitivity uint64) (coin.Base, mechanism.LaplaceNoise, error) {
	if sensitivity == 0 || sensitivity > 1<<40 { // H: scores.md move-size
		return coin.Base{}, mechanism.LaplaceNoise{},
			refuse(field, countText(sensitivity), "whole numbers from 1 to 2^40")
	}
	base, err := coin.ExpBelow(new(big.Rat).Quo(epsilon.Rat(), ratOf(int64(sensitivity))))
	if err != nil {
		return coin.Base{}, mechanism.LaplaceNoise{},
			refuse("epsilon", epsilon.String(), "at least 2^-60 for each unit of sensitivity")
	}
	noise, err := mechanism.NewLaplaceNoise(base)
	return base, noise, err
}

// shiftFor returns an s that no noise of up to 2·E[runs]/β runs exceeds, except with probability
// β/2: r^(−s) ≤ β²/(4·E[runs]).
func shiftFor(base coin.Base, beta *big.Rat, r Repetitions) int64 {
	if beta == nil {
		return 0
	}
	odds := new(big.Rat).Mul(ratOf(4), r.Mean())
	odds.Quo(odds, beta).Quo(odds, beta)
	return powersIn(base, odds)
}

// powersIn returns the least s ≥ 0 with r^s ≥ odds, or slightly more.
func powersIn(base coin.Base, odds *big.Rat) int64 {
	if odds.Cmp(ratOf(1)) <= 0 {
		return 0
	}
	s := privacy.LogUp(odds)
	s.Quo(s, privacy.LogDown(base.Rat()))
	whole := new(big.Int).Quo(s.Num(), s.Denom())
	if whole.BitLen() > 60 {
		return 1 << 60
	}
	return whole.Int64() + 1
}

// reachFor returns a B such that noise, conditioned on a size of at most B, puts at most δ on its
// last Δ values: r^B ≥ (r^Δ − 1 + 2δ)/(δ(r+1)), and at least Δ.
func reachFor(base coin.Base, sensitivity uint64, delta *big.Rat) int64 {
	if delta.Sign() == 0 {
		return 0
	}
	r := base.Rat()
	odds := privacy.LogUp(r)
	odds = privacy.ExpUp(odds.Mul(odds, ratOf(int64(sensitivity)))) // r^Δ ≤ e^ε
	odds.Sub(odds, ratOf(1)).Add(odds, new(big.Rat).Mul(ratOf(2), delta))
	odds.Quo(odds, delta).Quo(odds, r.Add(r, ratOf(1)))
	return max(powersIn(base, odds), int64(sensitivity))
}

// Loss is the loss of one selection for data sets that differ in d persons.
func (m *NoisyScores) Loss(d privacy.Distance) (privacy.Loss, error) { return m.best.Loss(d) }

// ErrorBound bounds how far the score chosen is below candidate i's, if that is the best one: twice
// its shift, except with the probability of the shift, that of never drawing the candidate
// ([Repetitions] Miss of 1/K), and slightly more (scores.md). Without a Shift it is 0, and nothing
// is promised.
func (m *NoisyScores) ErrorBound(i int) float64 { return 2 * float64(m.shifts[i]) }

// pick is Release for repetitions with at least one run.
func (m *NoisyScores) pick(src coin.Source, scores []int64) (int, error) {
	index, _, err := m.Release(src, scores, nil)
	return index, err
}

// Release chooses one of the candidates. step may be nil; it can end the work and receives no
// progress.
func (m *NoisyScores) Release(src coin.Source, scores []int64,
	step coin.Step) (index int, chosen bool, err error) {
	if len(scores) != len(m.noises) { // H: scores.md as-many
		return -1, false,
			refuse("scores", phrase.Of("%d of them", len(scores)), "%d, one for each candidate",
				len(m.noises))
	}
	result, found, err := BestOf(src, m.best, func(src coin.Source) (Scored[int], error) {
		i := int(src.Uniform(uint64(len(scores))))
		return Scored[int]{i, m.measure(src, i, scores[i])}, nil
	}, step)
	if !found {
		return -1, false, err
	}
	return result.Output, true, nil
}

// measure returns the score of candidate i with noise, minus its shift.
func (m *NoisyScores) measure(src coin.Source, i int, score int64) int64 {
	noisy, _ := meter.Draw(src, m.spends[i],
		func() meter.Input { return meter.Input{Values: []int64{score}} },
		func(src coin.Source) (int64, error) { return m.hide(src, i, score), nil })
	return noisy
}

func (m *NoisyScores) hide(src coin.Source, i int, score int64) int64 {
	noise := m.noises[i].AddTo(src, 0)
	for m.reach[i] > 0 && (noise > m.reach[i] || noise < -m.reach[i]) {
		noise = m.noises[i].AddTo(src, 0)
	}
	return within(score) + within(noise) - within(m.shifts[i])
}

// within limits numbers to a range in which no sum of three overflows.
func within(x int64) int64 { return min(max(x, -1<<61), 1<<61) }
