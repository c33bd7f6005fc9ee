package selection

import (
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// GeneralisedParams are the parameters of Generalised.
type GeneralisedParams struct {
	// Epsilon is the loss granted. Required.
	Epsilon privacy.Epsilon

	// Sensitivities are how far one person can move each candidate's score: from 1 to 2^40, one for
	// each of up to 1024 candidates.
	Sensitivities []uint64

	// Beta is the failure probability for which the choice is designed, above 0 and below 1; nil is
	// 1/20.
	Beta *big.Rat
}

// Generalised is the exponential mechanism for scores of different sensitivities: a candidate with
// a steady score does not drown in the noise that another one needs.
//
// # Guarantee
//
// Epsilon-DP for neighbours between which score i changes by at most Sensitivities[i]. Proof:
// scores.md. That scores move so is the caller's to show (H: scores.md moves).
//
// # Input and output
//
// Whole scores, higher is better, one for each candidate; the index chosen.
//
// # Errors
//
// [*param.Error] (epsilon, sensitivities, beta) from the constructor, (scores) from Release for
// another number of them; else what step returns.
//
// # Cost and accuracy
//
// Quadratic in the number K of candidates. But for Beta the score chosen is at least max_i (q_i −
// ErrorBound(i)), about (4Δ_i/ε)·ln(K/β).
//
// # Reference
//
// Raskhodnikova, Smith, "Lipschitz Extensions for Node-Private Graph Statistics and the Generalized
// Exponential Mechanism", 2016, Theorem 1.4.
type Generalised struct {
	choice        *mechanism.Exponential
	sensitivities []uint64
	lead          int64 // t: the number of sensitivities by which each candidate is lowered
}

// NewGeneralised checks the parameters.
func NewGeneralised(p GeneralisedParams) (*Generalised, error) {
	if len(p.Sensitivities) == 0 || len(p.Sensitivities) > 1<<10 {
		return nil, refuse("sensitivities", phrase.Of("%d of them", len(p.Sensitivities)),
			"one for each candidate, 1 to 1024 of them")
	}
	for _, sensitivity := range p.Sensitivities {
		if sensitivity == 0 || sensitivity > 1<<40 { // H: scores.md move-size
			return nil, refuse("sensitivities", countText(sensitivity),
				"whole numbers from 1 to 2^40")
		}
	}
	beta := p.Beta
	if beta == nil {
		beta = big.NewRat(1, 20)
	}
	if err := checkShare("beta", beta); err != nil {
		return nil, err
	}
	if !p.Epsilon.IsSet() {
		return nil, refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	}
	choice, err := mechanism.NewExponential(
		mechanism.ExponentialParams{Epsilon: p.Epsilon, Sensitivity: resolution})
	if err != nil {
		return nil, err
	}
	// t = (2/ε)·ln(K/β)
	lead := privacy.LogUp(new(big.Rat).Quo(ratOf(int64(len(p.Sensitivities))), beta))
	lead.Mul(lead, ratOf(2)).Quo(lead, p.Epsilon.Rat())
	whole := new(big.Int).Quo(lead.Num(), lead.Denom())
	if whole.BitLen() > 50 {
		return nil, refuse("epsilon", p.Epsilon.String(), "at least 2^-40")
	}
	return &Generalised{choice, slices.Clone(p.Sensitivities), whole.Int64() + 1}, nil
}

// Loss is the loss for data sets that differ in d persons.
func (m *Generalised) Loss(d privacy.Distance) (privacy.Loss, error) { return m.choice.Loss(d) }

// ErrorBound is 2tΔ_i plus one step: see Generalised.
func (m *Generalised) ErrorBound(i int) float64 {
	return 2 * float64(m.lead+1) * float64(m.sensitivities[i])
}

// pick is Release without a listener.
func (m *Generalised) pick(src coin.Source, scores []int64) (int, error) {
	return m.Release(src, scores, nil)
}

// Release chooses one of the candidates. step may be nil; its units are candidates.
func (m *Generalised) Release(src coin.Source, scores []int64, step coin.Step) (int, error) {
	if len(scores) != len(m.sensitivities) { // H: scores.md as-many
		return -1, refuse("scores", phrase.Of("%d of them", len(scores)),
			"%d, one for each candidate", len(m.sensitivities))
	}
	return m.choice.Release(src, m.normalise(scores), step)
}

// normalise gives candidate i the score min_j ((q_i − tΔ_i) − (q_j − tΔ_j))/(Δ_i + Δ_j), in steps.
func (m *Generalised) normalise(scores []int64) []int64 {
	lowered := make([]*big.Int, len(scores))
	for i, score := range scores {
		shift := new(big.Int).Mul(big.NewInt(m.lead), new(big.Int).SetUint64(m.sensitivities[i]))
		lowered[i] = shift.Sub(big.NewInt(score), shift)
		lowered[i].Lsh(lowered[i], resolutionBits)
	}
	normal, ratio, sum := make([]int64, len(scores)), new(big.Int), new(big.Int)
	for i := range scores {
		for j := range scores {
			ratio.Sub(lowered[i], lowered[j])
			// rounds down: the sum is positive
			ratio.Div(ratio, sum.SetUint64(m.sensitivities[i]+m.sensitivities[j]))
			least := int64(-1 << 62)
			if ratio.IsInt64() {
				least = max(least, ratio.Int64())
			}
			normal[i] = min(normal[i], least)
		}
	}
	return normal
}
