package threshold

import (
	"fmt"
	"math/big"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// NewPaperTreeLog returns TreeLog with the choices of its paper, for comparison: the absolute form
// of the path, the choosing mechanism, rounds down to levels 0 … 3, and the same ε for every step.
// Form and Rounds are not used; Persons is required; Epsilon is at most 100.
//
// The paper's lemma on the path is stated for the exponent ε itself; what is proven here for it is
// about log2(n/stop) times more (path.md), so the exponent is that much smaller. Its constants in
// the requirement are those of the mechanisms it names.
func NewPaperTreeLog(p TreeLogParams) (*TreeLog, error) {
	bitLength, beta, err := checkTree("TreeLog", p.Size, p.Epsilon, p.Delta, p.Beta, 0)
	if err != nil {
		return nil, err
	}
	if p.Persons < 1 || p.Persons > 1<<53 { // H: treelog.md some-n
		return nil, refuse("persons", fmt.Sprint(p.Persons),
			"from 1 to 2^53: the paper's constants depend on it")
	}
	chain := tops(bitLength, 64)
	rounds := 1
	for chain[rounds] > 3 {
		rounds++
	}

	// One code more or less costs each of 3·rounds + 1 steps at most ε0; a replaced person twice
	// that, and e^(ε/2) times the δ of addition.
	steps := int64(3*rounds + 1)
	each := new(big.Rat).Quo(p.Epsilon.Rat(), ratOf(2*steps))
	each = least(each, ratOf(2)) // the choosing mechanism is proven up to there
	twice := privacy.ExpUp(new(big.Rat).Quo(p.Epsilon.Rat(), ratOf(2)))
	twice.Add(twice, ratOf(1)).Mul(twice, ratOf(int64(2*rounds)))
	eachDelta := twice.Quo(TreeLogParams{Epsilon: p.Epsilon, Delta: p.Delta}.usedDelta(), twice)
	eachBeta := new(big.Rat).Quo(beta, ratOf(int64(2*rounds+1)))
	epsilon, err := privacy.NewEpsilon(each)
	if err != nil {
		return nil, err
	}
	delta, err := privacy.NewDelta(eachDelta)
	if err != nil {
		return nil, err
	}
	// exp(ε0·score/2), for the exponential mechanism
	half, err := coin.ExpBelow(epsilon.Part(1, 2).Rat())
	if err != nil {
		return nil, err
	}

	climb := climb{}
	climb.classic,
		err = mechanism.NewChoosing(
		mechanism.ChoosingParams{Epsilon: epsilon, Delta: delta, Newcomers: 1, Beta: eachBeta})
	if err != nil {
		return nil, err
	}
	if climb.end,
		err = mechanism.NewExponential(
		mechanism.ExponentialParams{Base: half, Sensitivity: 1, OneSigned: true}); err != nil {
		return nil, err
	}
	climb.chosen = cost{add: each, remove: each, addDelta: eachDelta, removeDelta: eachDelta}
	climb.cost = climb.chosen.plus(both(privacy.LogUp(half.Rat())))

	heavy := int(min(climb.classic.ErrorBound(p.Persons), 1<<40))
	found, ok, err := smallest(func(stop int) (path, bool, error) {
		made, err := newPath(Absolute, bitLength, max(stop, heavy), eachDelta)
		if err != nil {
			return made, false, err
		}
		spent := made.cost(bitLength, p.Persons)
		return made, spent.add.Cmp(each) <= 0 && spent.remove.Cmp(each) <= 0, nil
	})
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, refuse("epsilon", p.Epsilon.String(),
			"a larger ε: this one needs more than 2^40 persons")
	}
	trim := power(half, new(big.Rat).Mul(ratOf(4), new(big.Rat).Inv(eachBeta)))
	t, err := newTreeLog(p.Size, rounds, trim, found, climb, half, p.Persons)
	if err != nil {
		return nil, err
	}
	t.needs = rounds*(2*trim+found.stop) + t.baseNeeds(half, eachBeta)
	return t, nil
}
