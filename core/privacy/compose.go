package privacy

import (
	"math/big"
	"slices"

	"hush/core/param"
)

// Rule names the way in which a total was found.
type Rule string

const (
	// Basic adds up ε and δ. It holds even where each ε was chosen after seeing the earlier
	// releases.
	Basic Rule = "basic"
	// Advanced trades a further δ for an ε that grows like the square root of the number of
	// releases.
	Advanced Rule = "advanced"
	// Concentrated adds up ρ and converts the sum once.
	Concentrated Rule = "concentrated"
	// Optimal computes the worst case itself: randomised responses.
	Optimal Rule = "optimal"
	// Choices computes the worst case of choices of equal range, chosen adaptively.
	Choices Rule = "choices"
	// Distribution adds up the laws of the privacy losses themselves, see [ComposePlan].
	Distribution Rule = "distribution"
)

// Total is the loss of several releases together.
type Total struct {
	Loss Loss `json:"loss"`
	Rule Rule `json:"rule"`
	// Considered lists the result of each rule that applies, Loss and Rule among them, the best
	// first.
	Considered []Candidate `json:"considered"`
}

// Candidate is the total according to one rule.
type Candidate struct {
	Rule Rule `json:"rule"`
	Loss Loss `json:"loss"`
}

// Compose returns the smallest total that is proven for releases with these losses, at overall δ
// delta, and the rule that gives it.
//
// Releases may depend on earlier ones. The rules other than Basic need the list of losses (and
// delta) to have been fixed in advance: a running total of losses chosen on the way is Basic's
// only (H: compose.md fixed; adaptive.md fixed; optimal.md fixed).
//
// The other rules spend what delta leaves beyond the δ of the losses. Where it leaves nothing,
// Basic stands alone, with the sum of the δ even if that is more than delta. Compose returns
// ErrNoBound when that leaves no rule, as for Gaussian noise at δ = 0. Proof: compose.md.
func Compose(losses []Loss, delta Delta) (Total, error) {
	list := make([]Several, len(losses))
	for i, l := range losses {
		list[i] = Several{l, 1}
	}
	return ComposeSeveral(list, delta)
}

// Several stands for a number of releases with the same loss.
type Several struct {
	Loss  Loss
	Times uint64
}

// Sum is the basic composition of all of them; a single release keeps its loss as it is.
func (s Several) Sum() Loss {
	var powers []Loss
	loss := s.Loss
	for n := s.Times; n > 0; n >>= 1 {
		if n&1 == 1 {
			powers = append(powers, loss)
		}
		if n > 1 {
			loss = loss.Plus(loss)
		}
	}
	var all Loss
	for i, p := range powers {
		if i == 0 {
			all = p
		} else {
			all = all.Plus(p)
		}
	}
	return all
}

// ComposeSeveral is [Compose] for lists in which losses repeat, however often.
func ComposeSeveral(losses []Several, delta Delta) (Total, error) {
	var sum Loss
	for _, l := range losses {
		sum = sum.Plus(l.Sum())
	}
	slack := new(big.Rat).Sub(delta.Rat(), sum.Delta())
	var considered []Candidate
	// H: compose.md has-epsilon
	if !sum.noEpsilon {
		considered = append(considered, Candidate{Basic, sum})
	}
	if slack.Sign() > 0 { // H: compose.md delta-left
		add := func(rule Rule, epsilon *big.Rat) {
			// An ε of 0, for which δ alone pays, would say that nothing was spent.
			if epsilon != nil && (epsilon.Sign() > 0 || sum.epsilonOrZero().Sign() == 0) {
				considered = append(considered,
					Candidate{
						rule, Loss{epsilon: epsilon, rho: sum.Rho(), delta: delta.Rat()}})
			}
		}
		if !sum.noEpsilon && !sum.rest { // H: compose.md has-epsilon; rest.md sum-only
			add(Advanced, advancedEpsilon(losses, slack))
			add(Optimal, optimalEpsilon(oneByOne(losses), slack))
			if choices := equalChoices(losses); choices.Times > 0 {
				add(worstCase(choices.Loss, choices.Times, slack))
			}
		}
		add(Concentrated, epsilonFromRho(sum.Rho(), slack))
	}
	if len(considered) == 0 {
		return Total{}, ErrNoBound
	}
	// Stable: at equal ε the simpler rule, which stands first, wins.
	slices.SortStableFunc(considered, func(a, b Candidate) int {
		return a.Loss.epsilonOrZero().Cmp(b.Loss.epsilonOrZero())
	})
	return Total{considered[0].Loss, considered[0].Rule, considered}, nil
}

// oneByOne lists few losses one by one; it is nil where there are more than optimalEpsilon accepts.
func oneByOne(losses []Several) (list []Loss) {
	for _, l := range losses {
		if l.Times > mostEqual || uint64(len(list))+l.Times > mostEqual {
			return nil
		}
		for range l.Times {
			list = append(list, l.Loss)
		}
	}
	return list
}

// equalChoices adds up the numbers of choices, if all of them have the same range.
func equalChoices(losses []Several) (all Several) {
	for i, l := range losses {
		if i == 0 {
			all.Loss = l.Loss
		}
		// H: adaptive.md range, one-range
		if !l.Loss.ranged || l.Loss.epsilonOrZero().Cmp(all.Loss.epsilonOrZero()) != 0 {
			return Several{}
		}
		all.Times += l.Times
	}
	return all
}

// worstCase returns the ε of k composed releases of one loss in the worst case, choices or
// randomised responses; nil where that is not computed.
func worstCase(one Loss, k uint64, slack *big.Rat) (Rule, *big.Rat) {
	if one.rest { // H: rest.md sum-only
		return Optimal, nil
	}
	if one.ranged {
		return Choices, choicesEpsilon(k, one.epsilonOrZero(), slack)
	}
	return Optimal, optimalEpsilon(oneByOne([]Several{{one, k}}), slack)
}

// advancedEpsilon is Σ ε·(e^ε−1)/(e^ε+1) + √(2·ln(1/δ')·Σ ε²), rounded up.
//
// Reference: Kairouz, Oh, Viswanath, "The Composition Theorem for Differential Privacy", 2015,
// Theorem 3.5, which sharpens Dwork, Rothblum, Vadhan, "Boosting and Differential Privacy", 2010.
func advancedEpsilon(losses []Several, slack *big.Rat) *big.Rat {
	mean, squares := new(big.Rat), new(big.Rat)
	for _, l := range losses {
		epsilon := l.Loss.epsilonOrZero()
		times := new(big.Rat).SetInt(new(big.Int).SetUint64(l.Times))
		if epsilon.Cmp(largestEpsilon) > 0 {
			return nil // Basic is at least as good
		}
		odds := ExpUp(epsilon)
		tilt := new(big.Rat).Quo(new(big.Rat).Sub(odds, one), new(big.Rat).Add(odds, one))
		mean.Add(mean, tilt.Mul(roundUp(tilt.Mul(tilt, epsilon)), times))
		squares.Add(squares, epsilon.Mul(roundUp(epsilon.Mul(epsilon, epsilon)), times))
	}
	spread := LogUp(new(big.Rat).Inv(slack))
	spread.Mul(spread, squares).Mul(spread, big.NewRat(2, 1))
	return roundUp(mean.Add(mean, SqrtUp(spread)))
}

// EachOf divides a budget among k equal releases: the largest ε found, to a relative 2^−20, such
// that k releases of the loss like(ε) compose to at most (total, slack) by the rule returned, with
// the ε fixed in advance. It is at least total/k. like is [PureLoss], [ChoiceLoss], or the loss of
// a release of several parts that are ε-DP together; a larger ε must not cost less. k = 0 is a
// [*param.Error].
func EachOf(k uint64, total Epsilon, slack Delta, like func(Epsilon) Loss) (Epsilon, Rule, error) {
	if k == 0 || k > 1<<32 {
		return Epsilon{}, "",
			param.Refuse("privacy", "releases", bigText(k), "a whole number from 1 to 2^32")
	}
	if !total.IsSet() {
		return Epsilon{}, "", param.Refuse("privacy", "epsilon", param.NotSet, wantEpsilon)
	}
	times := new(big.Rat).SetInt(new(big.Int).SetUint64(k))
	best, rule := new(big.Rat).Quo(total.r, times), Basic
	if slack.IsZero() {
		return Epsilon{best}, rule, nil
	}
	fits := func(epsilon *big.Rat) (Rule, bool) {
		one := like(Epsilon{epsilon})
		rho := new(big.Rat).Mul(one.Rho(), times)
		if epsilonFromRho(rho, slack.r).Cmp(total.r) <= 0 {
			return Concentrated, true
		}
		rule, e := worstCase(one, k, slack.r)
		return rule, e != nil && e.Cmp(total.r) <= 0
	}
	for low, high := best, total.Rat(); ; {
		gap := new(big.Rat).Sub(high, low)
		if gap.Cmp(new(big.Rat).Mul(low, ratPow2(-20))) <= 0 {
			return Epsilon{best}, rule, nil
		}
		middle := roundDown(gap.Add(low, gap.Quo(gap, two)))
		if by, ok := fits(middle); ok {
			best, rule, low = middle, by, middle
		} else {
			high = middle
		}
	}
}

func bigText(k uint64) string { return new(big.Int).SetUint64(k).String() }
