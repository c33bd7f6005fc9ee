package privacy

import (
	"math/big"

	"hush/core/param"
	"hush/core/phrase"
)

// Distance is the number of persons whose data differ between two data sets of equal size.
// Neighbours have distance 1.
type Distance uint64

// Loss bounds what one release, or several together, can cost any one person: a guarantee.
//
// It keeps two accounts of the same mechanism, and a probability δ outside both:
//   - ε: (ε, δ)-differential privacy (absent where a mechanism has none without a further δ, such
//     as Gaussian noise);
//   - ρ: δ-approximate ρ-zero-concentrated differential privacy, at most ε·tanh(ε/2) where a
//     mechanism proves nothing smaller.
//
// Both are rational upper bounds, so a Loss may overstate and never understates. A Loss is
// immutable; the zero value is no loss at all. Reference: Bun and Steinke, "Concentrated
// Differential Privacy", 2016, Definition 8.1.
type Loss struct {
	epsilon *big.Rat // nil stands for 0, or for no finite ε when noEpsilon
	odds    *big.Rat // e^ε exactly, where a mechanism knows it; else nil
	rho     *big.Rat // nil stands for pureRho
	delta   *big.Rat // nil stands for 0

	noEpsilon bool
	ranged    bool // the losses of all outcomes lie in an interval of length ε, see Ranged
	rest      bool // ε counts only in sums with another's, see Rest; ρ stands alone
}

// ErrNoBound says that no bound of the requested kind is proven. It depends on parameters only.
var ErrNoBound error = phrase.Fault("privacy: no such bound is proven for this loss")

// NewLoss returns the (ε, δ) guarantee with epsilon ≥ 0 and 0 ≤ delta; nil is 0. δ ≥ 1 promises
// nothing, and is kept as 1. Negative numbers are a *param.Error.
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

// LossFromOdds returns the (ε, δ) guarantee with e^ε = odds ≥ 1 exactly. Its ε is rounded up; Odds
// returns odds, so that an audit compares exact numbers. Odds below 1 or a negative δ is a
// [*param.Error].
func LossFromOdds(odds, delta *big.Rat) (Loss, error) {
	if odds == nil || odds.Cmp(one) < 0 {
		return Loss{}, param.Refuse("privacy", "odds", ratText(odds), "a number of at least 1")
	}
	loss, err := NewLoss(LogUp(odds), delta)
	loss.odds = copyRat(odds)
	return loss, err
}

// ConcentratedLoss is ρ-zCDP, which the mechanism proves for every order (H: concentrated.md
// proved): its ε depends on the accepted δ, see At.
func ConcentratedLoss(rho Rho) Loss { return Loss{rho: rho.Rat(), noEpsilon: true} }

// NoPrivacy is the loss of a release that protects nobody: δ = 1.
func NoPrivacy() Loss { return Loss{delta: big.NewRat(1, 1)} }

// Epsilon returns the rational upper bound on ε as a new rational, and whether there is one.
func (l Loss) Epsilon() (*big.Rat, bool) { return copyRat(l.epsilon), !l.noEpsilon }

// Rho returns a rational upper bound on ρ as a new rational: the mechanism's own, or ε·tanh(ε/2),
// which no mechanism of that ε exceeds. Proof: concentrated.md.
func (l Loss) Rho() *big.Rat {
	if l.rho != nil {
		return copyRat(l.rho)
	}
	return l.pureRho()
}

// WithRho returns l for a mechanism that proves a ρ of its own, which is rounded up; a smaller ρ of
// l stays.
func (l Loss) WithRho(rho *big.Rat) Loss {
	if rho = roundUp(rho); !l.rhoAtMost(rho) {
		l.rho = rho
	}
	return l
}

// Stated returns l with its ρ written beside its ε, even where ε implies it, rounded up as in JSON,
// so that a stored loss shows how much was charged.
func (l Loss) Stated() Loss {
	rho := l.Rho()
	if !l.noEpsilon && !l.rest {
		if most := l.pureRho(); most.Cmp(rho) < 0 {
			rho = most
		}
	}
	l.rho, _ = new(big.Rat).SetString(shortText(rho))
	return l
}

// Delta returns δ as a new rational.
func (l Loss) Delta() *big.Rat { return copyRat(l.delta) }

// Odds returns e^ε exactly where a mechanism was built from a rational base, and whether it was.
func (l Loss) Odds() (*big.Rat, bool) { return copyRat(l.odds), l.odds != nil }

// Protects is false when δ has reached 1, where the guarantee promises nothing.
func (l Loss) Protects() bool { return l.Delta().Cmp(one) < 0 }

// Plus is basic composition: the loss of both releases together, even when the second was chosen
// after seeing the first. ε, ρ and δ add up.
func (l Loss) Plus(m Loss) Loss {
	sum := Loss{delta: capAtOne(new(big.Rat).Add(l.Delta(), m.Delta())), noEpsilon: l.noEpsilon ||
		m.noEpsilon}
	sum.rho = new(big.Rat).Add(l.Rho(), m.Rho())
	sum.rest = l.rest || m.rest
	if sum.noEpsilon {
		return sum
	}
	sum.epsilon = new(big.Rat).Add(copyRat(l.epsilon), copyRat(m.epsilon))
	if l.odds != nil && m.odds != nil {
		sum.odds = new(big.Rat).Mul(l.odds, m.odds)
	}
	return sum
}

// shortBits is the length up to which [Loss.Short] leaves the numbers of a loss as they are.
const shortBits = 512

// Short returns a loss of at least l with short numbers: each of more than 512 bits above or below
// its line is rounded up to a multiple of 2^-256, and e^ε is omitted where it is that long. Sums of
// many losses stay exact where their numbers are short, and cheap where they are not.
func (l Loss) Short() Loss {
	l.epsilon, l.rho, l.delta = short(l.epsilon), short(l.rho), short(l.delta)
	if l.odds != nil && long(l.odds) {
		l.odds = nil
	}
	return l
}

func long(r *big.Rat) bool { return max(r.Num().BitLen(), r.Denom().BitLen()) > shortBits }

func short(r *big.Rat) *big.Rat {
	if r == nil || !long(r) {
		return r
	}
	const grid = shortBits / 2
	steps := divUp(new(big.Int).Lsh(r.Num(), grid), r.Denom())
	return new(big.Rat).SetFrac(steps, pow2(grid))
}

// AtMost reports whether l promises all that m does: m's δ, its ε and its range if it has them, and
// its ρ if that is more than its ε implies, or all that it has. False means "not by this
// comparison". The ε of a [Rest] is only compared with that of another rest.
func (l Loss) AtMost(m Loss) bool {
	switch {
	case l.rest && !m.rest:
		return false
	case l.Delta().Cmp(m.Delta()) > 0:
		return false
	case !m.noEpsilon && (l.noEpsilon || l.epsilonOrZero().Cmp(m.epsilonOrZero()) > 0):
		return false
	case m.ranged && l.rangeOf().Cmp(m.epsilonOrZero()) > 0:
		return false
	}
	return m.rho == nil || l.rhoAtMost(m.rho)
}

// rhoAtMost compares ρ. Most losses without a ρ of their own need no e^ε for that: ε²/2 − ε⁴/24 ≤
// ε·tanh(ε/2) ≤ ε²/2.
func (l Loss) rhoAtMost(most *big.Rat) bool {
	if l.rho != nil {
		return l.rho.Cmp(most) <= 0
	}
	high := l.epsilonOrZero()
	high.Mul(high, high).Quo(high, two)
	if high.Cmp(most) <= 0 {
		return true
	}
	low := new(big.Rat).Mul(high, high)
	low.Sub(high, low.Quo(low, six))
	return low.Cmp(most) <= 0 && l.pureRho().Cmp(most) <= 0
}

// Raised returns l as the simpler (ε, δ) given, which must promise no more than l does. A ρ of l's
// own stays, rounded up to six digits, where it is well below what epsilon implies. A [Rest] stays.
func (l Loss) Raised(epsilon Epsilon, delta Delta) Loss {
	if l.rest {
		return l
	}
	raised := ApproximateLoss(epsilon, delta)
	if l.rho == nil || l.rho.Sign() == 0 {
		return raised
	}
	scale, least, ten := big.NewRat(1, 1), big.NewRat(100_000, 1), big.NewRat(10, 1)
	for new(big.Rat).Mul(l.rho, scale).Cmp(least) < 0 {
		scale.Mul(scale, ten)
	}
	rho := new(big.Rat).Mul(l.rho, scale)
	up := new(big.Int).Add(rho.Num(), new(big.Int).Sub(rho.Denom(), big.NewInt(1)))
	rho.SetInt(up.Quo(up, rho.Denom())).Quo(rho, scale)
	if most := raised.Rho(); rho.Cmp(most.Mul(most, big.NewRat(9, 10))) < 0 {
		raised.rho = rho
	}
	return raised
}

// Check refuses a δ of at least 1/n, n the number of persons, as Delta.Check does.
func (l Loss) Check(n uint64) error { return Delta{copyRat(l.delta)}.Check(n) }

// rangeOf returns the length of an interval that holds the losses of all outcomes, for a loss with
// an ε.
func (l Loss) rangeOf() *big.Rat {
	length := l.epsilonOrZero()
	if !l.ranged {
		length.Mul(length, two)
	}
	return length
}

func (l Loss) epsilonOrZero() *big.Rat { return copyRat(l.epsilon) }

func capAtOne(delta *big.Rat) *big.Rat {
	if delta.Cmp(one) > 0 {
		return big.NewRat(1, 1)
	}
	return delta
}
