package privacy

import (
	"math/big"

	"hush/core/param"
)

// Filter is a limit for releases that are chosen one after the other, each with a loss that may
// depend on the answers before it. All of its numbers are fixed before the first release, and each
// loss is joint, as those of this package are (H: filter.md fixed, joint). Where there are several
// filters, each release is in one of them, chosen before its run (H: filter.md one-each).
//
// Releases of which [Filter.Admits] admitted every one are together (ε, δ)-DP by
// [Filter.Guarantee], for neighbours that replace one person. It stands from the first release to
// the last and does not grow. How much ρ was spent is no guarantee: to stop at any ρ and convert
// that is not proven.
//
// Reference: Whitehouse, Ramdas, Rogers, Wu, "Fully-Adaptive Composition in Differential Privacy",
// 2023. Differs: a path may end within ε in place of ρ. Proof: filter.md.
type Filter struct {
	params FilterParams
}

// FilterParams are the parameters of a [Filter].
type FilterParams struct {
	// Epsilon is the ε of the guarantee. Required.
	Epsilon Epsilon
	// Delta limits the sum of the releases' δ; 0: none of them has one.
	Delta Delta
	// Slack is reserved for counting by ρ, in addition to Delta: above 0, below 1 together with it.
	Slack Delta
	// Rho limits the sum of ρ. If it is not set, it is the largest found that Epsilon and Slack
	// allow, to 12 digits. A Rho found before is checked.
	Rho Rho
}

// NewFilter checks the parameters, and finds ρ unless it is given. A parameter that is not set or
// out of range, or a ρ that does not fit ε and the slack, is a [*param.Error].
func NewFilter(p FilterParams) (*Filter, error) {
	switch {
	case !p.Epsilon.IsSet():
		return nil, param.Refuse("privacy", "epsilon", param.NotSet, wantEpsilon)
	case p.Slack.IsZero(): // H: filter.md delta-below-one
		return nil, param.Refuse("privacy", "slack", "0", "a number above 0, such as 0.000001")
	case new(big.Rat).Add(p.Delta.Rat(), p.Slack.Rat()).Cmp(one) >= 0:
		// H: filter.md delta-below-one
		return nil, param.Refuse("privacy", "slack", p.Slack.String(),
			"a number that is below 1 together with δ")
	case !p.Rho.IsSet():
		largest, err := RhoFor(p.Epsilon, p.Slack)
		if err != nil {
			return nil, err // unreachable: both are set
		}
		p.Rho = Rho{digitsDown(largest.r, 12)}
	case epsilonFromRho(p.Rho.r, p.Slack.r).Cmp(p.Epsilon.r) > 0: // H: filter.md rho-fits
		return nil, param.Refuse("privacy", "rho", p.Rho.String(),
			"one that implies ε = %s at δ = %s", p.Epsilon, p.Slack)
	}
	return &Filter{p}, nil
}

// Params returns the fixed parameters.
func (f *Filter) Params() FilterParams { return f.params }

// Same reports whether two filters have the same ε and the same split of δ.
func (f *Filter) Same(g *Filter) bool {
	p, q := f.params, g.params
	return p.Epsilon.Cmp(q.Epsilon) == 0 && p.Delta.Cmp(q.Delta) == 0 && p.Slack.Cmp(q.Slack) == 0
}

// Guarantee bounds the loss of all releases together, whatever they are.
func (f *Filter) Guarantee() Loss {
	loss := PureLoss(f.params.Epsilon)
	loss.delta = new(big.Rat).Add(f.params.Delta.Rat(), f.params.Slack.Rat())
	return loss
}

// Admits reports whether releases may reach the loss spent, their sum by [Loss.Plus]: with the δ
// within Delta, and ε or ρ within its limit. Ask it before each release, with the sum of all
// releases including that one (H: filter.md every-release).
func (f *Filter) Admits(spent Loss) bool {
	p := f.params
	// H: filter.md within
	if spent.Delta().Cmp(p.Delta.Rat()) > 0 {
		return false
	}
	return !spent.noEpsilon && spent.epsilonOrZero().Cmp(p.Epsilon.r) <= 0 ||
		spent.Rho().Cmp(p.Rho.r) <= 0
}

// Left returns an ε, within a relative 2^−20 of the largest, at which one more release would be
// admitted whatever its mechanism; 0 where there is none.
func (f *Filter) Left(spent Loss) *big.Rat {
	p, left := f.params, new(big.Rat)
	if spent.Delta().Cmp(p.Delta.Rat()) > 0 {
		return left
	}
	if !spent.noEpsilon && spent.epsilonOrZero().Cmp(p.Epsilon.r) < 0 {
		left.Sub(p.Epsilon.r, spent.epsilonOrZero())
	}
	rho := new(big.Rat).Sub(p.Rho.r, spent.Rho())
	if rho.Sign() <= 0 {
		return left
	}
	// x·tanh(x/2) is above x − 1
	for low, high := left, new(big.Rat).Add(rho, one); ; {
		gap := new(big.Rat).Sub(high, low)
		if gap.Cmp(new(big.Rat).Mul(high, ratPow2(-20))) <= 0 {
			return left
		}
		middle := roundDown(gap.Add(low, gap.Quo(gap, two)))
		if (Loss{epsilon: middle}).pureRho().Cmp(rho) <= 0 {
			left, low = middle, middle
		} else {
			high = middle
		}
	}
}

// digitsDown rounds x > 0 down to this many significant digits.
func digitsDown(x *big.Rat, significant int) *big.Rat {
	unit := ratPow10(decimalPlace(x) - significant + 1)
	digits := floor(new(big.Rat).Quo(x, unit))
	return unit.Mul(unit, new(big.Rat).SetInt(digits))
}
