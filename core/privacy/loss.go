package privacy

import (
	"math/big"

	"hush/core/param"
	"hush/core/phrase"
)

// Distance is how many persons' data differ between two data sets of equal size. Neighbours have
// distance 1.
type Distance uint64

// Loss is what one release, or several together, can cost any one person at most: a guarantee.
//
// It keeps two accounts of the same mechanism, and a probability δ outside both:
//   - ε: (ε, δ)-differential privacy (absent where a mechanism has none without a further δ, such
//     as Gaussian noise);
//   - ρ: δ-approximate ρ-zero-concentrated differential privacy, never more than ε²/2.
//
// Both are rational upper bounds, so a Loss may overstate and never understates. A Loss is
// immutable; the zero value is no loss at all. Reference: Bun and Steinke, "Concentrated
// Differential Privacy", 2016, Definition 8.1.
type Loss struct {
	epsilon *big.Rat // nil stands for 0, or for no finite ε when noEpsilon
	odds    *big.Rat // e^ε exactly, where a mechanism knows it; else nil
	rho     *big.Rat // nil stands for epsilon²/2
	delta   *big.Rat // nil stands for 0

	noEpsilon bool
}

// ErrNoBound says that no bound of the kind asked for is proven. It depends on parameters only.
var ErrNoBound error = phrase.Fault("privacy: no such bound is proven for this loss")

// NewLoss is the (ε, δ) guarantee with epsilon ≥ 0 and 0 ≤ delta; nil is 0. δ ≥ 1 promises nothing,
// and is kept as 1. Negative numbers are a *param.Error.
func NewLoss(epsilon, delta *big.Rat) (Loss, error) {
	if epsilon != nil && epsilon.Sign() < 0 {
		return Loss{},
			param.Refuse("privacy", "epsilon", ratText(epsilon), "a number of at least 0")
	}
	if delta != nil && delta.Sign() < 0 {
		return Loss{}, param.Refuse("privacy", "delta", ratText(delta), "a number of at least 0")
	}
	return Loss{epsilon: copyRat(epsilon), delta: capAtOne(copyRat(delta))}, nil
}

// PureLoss is ε-differential privacy.
func PureLoss(epsilon Epsilon) Loss { return Loss{epsilon: epsilon.Rat()} }

// ApproximateLoss is (ε, δ)-differential privacy.
func ApproximateLoss(epsilon Epsilon, delta Delta) Loss {
	return Loss{epsilon: epsilon.Rat(), delta: delta.Rat()}
}

// LossFromOdds is the (ε, δ) guarantee with e^ε = odds ≥ 1 exactly. Its ε is rounded up; Odds gives
// odds back, so that an audit compares exact numbers. Odds below 1 or a negative δ is a
// [*param.Error].
func LossFromOdds(odds, delta *big.Rat) (Loss, error) {
	if odds == nil || odds.Cmp(one) < 0 {
		return Loss{}, param.Refuse("privacy", "odds", ratText(odds), "a number of at least 1")
	}
	loss, err := NewLoss(LogUp(odds), delta)
	loss.odds = copyRat(odds)
	return loss, err
}

// ConcentratedLoss is ρ-zCDP: its ε depends on the δ one accepts, see At.
func ConcentratedLoss(rho Rho) Loss { return Loss{rho: rho.Rat(), noEpsilon: true} }

// NoPrivacy is the loss of a release that protects nobody: δ = 1.
func NoPrivacy() Loss { return Loss{delta: big.NewRat(1, 1)} }

// Epsilon returns the rational upper bound on ε as a new rational, and whether there is one.
func (l Loss) Epsilon() (*big.Rat, bool) { return copyRat(l.epsilon), !l.noEpsilon }

// Rho returns a rational upper bound on ρ as a new rational: the mechanism's own, or ε²/2.
func (l Loss) Rho() *big.Rat {
	if l.rho != nil {
		return copyRat(l.rho)
	}
	half := new(big.Rat).Mul(copyRat(l.epsilon), copyRat(l.epsilon))
	return half.Quo(half, big.NewRat(2, 1))
}

// Delta returns δ as a new rational.
func (l Loss) Delta() *big.Rat { return copyRat(l.delta) }

// Odds returns e^ε exactly where a mechanism was built from a rational base, and whether it was.
func (l Loss) Odds() (*big.Rat, bool) { return copyRat(l.odds), l.odds != nil }

// Protects is false when δ has reached 1, where the guarantee promises nothing.
func (l Loss) Protects() bool { return l.Delta().Cmp(one) < 0 }

// Plus is basic composition: the loss of both releases together, also when the second was chosen
// after seeing the first. ε, ρ and δ add up.
func (l Loss) Plus(m Loss) Loss {
	sum := Loss{delta: capAtOne(new(big.Rat).Add(l.Delta(), m.Delta())), noEpsilon: l.noEpsilon ||
		m.noEpsilon}
	sum.rho = new(big.Rat).Add(l.Rho(), m.Rho())
	if sum.noEpsilon {
		return sum
	}
	sum.epsilon = new(big.Rat).Add(copyRat(l.epsilon), copyRat(m.epsilon))
	if l.odds != nil && m.odds != nil {
		sum.odds = new(big.Rat).Mul(l.odds, m.odds)
	}
	return sum
}

// AtMost tells whether l promises all that m does: m's δ, its ε if it has one, and its ρ if that is
// more than what its ε implies or all it has. False means "not by this comparison".
func (l Loss) AtMost(m Loss) bool {
	switch {
	case l.Delta().Cmp(m.Delta()) > 0:
		return false
	case !m.noEpsilon && (l.noEpsilon || l.epsilonOrZero().Cmp(m.epsilonOrZero()) > 0):
		return false
	}
	return m.rho == nil || l.Rho().Cmp(m.rho) <= 0
}

// Check refuses a δ of at least 1/n, n the number of persons, as Delta.Check does.
func (l Loss) Check(n uint64) error { return Delta{copyRat(l.delta)}.Check(n) }

func (l Loss) epsilonOrZero() *big.Rat { return copyRat(l.epsilon) }

func capAtOne(delta *big.Rat) *big.Rat {
	if delta.Cmp(one) > 0 {
		return big.NewRat(1, 1)
	}
	return delta
}
