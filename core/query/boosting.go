package query

import (
	"math/big"
	"strconv"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/privacy"
)

// BoostingParams are the parameters of Boosting.
type BoostingParams struct {
	// Learner is the private weak agnostic learner, asked twice a round. Required.
	Learner Learner

	// Epsilon is granted for each of the two counts of a round, and Base is r itself in its place:
	// then each costs ln r.
	Epsilon privacy.Epsilon
	Base    coin.Base

	// Gap is Δ0: a conjunction on which the data and the distribution differ by less than this part
	// of all persons changes nothing more. Above 0, at most 1; required.
	Gap *big.Rat

	// Rounds is the most rounds, from 1 to 1000. Required; ln|X|/(2·Gap²) are always enough
	// (boosting.md).
	Rounds int
}

// Boosting releases conjunctions by multiplicative weights from any private learner. In each round
// the learner looks for a conjunction that is more frequent in the data than in a distribution on
// all 2^d records, and for one that is less frequent, and the distribution takes a step towards the
// data. It ends when neither can tell them apart.
//
// # Guarantee
//
// Pure DP, for neighbours that differ in one replaced person: in each of Rounds rounds two runs of
// the learner and two noisy counts (Loss). Proof: boosting.md.
//
// # Errors
//
// [*param.Error] (learner, epsilon, base, gap, rounds) from the constructor, (attributes) from
// Release where 2^d records are too many.
//
// # Cost and accuracy
//
// As the learner's, and 2^d for each round. If the learner always finds a gap of Δ0 where there is
// one of α, the distribution is at the end within α for every conjunction of the class.
//
// # Reference
//
// Gupta, Hardt, Roth, Ullman, "Privately Releasing Conjunctions and the Statistical Query Barrier",
// 2011, Algorithm 7 and Theorem 5.1.
type Boosting struct {
	learner Learner
	count   *mechanism.Laplace
	gap     *big.Rat
	rounds  int
	test    *meter.Spend // whether a gap with noise is large is paid for as its count
	spend   *meter.Spend
}

var _ mechanism.Mechanism = (*Boosting)(nil)

// NewBoosting checks the parameters.
func NewBoosting(p BoostingParams) (*Boosting, error) {
	switch {
	case p.Learner == nil:
		return nil, refuse("learner", "none", "a private learner")
	case p.Gap == nil || p.Gap.Sign() <= 0 || p.Gap.Cmp(big.NewRat(1, 1)) > 0:
		return nil, refuse("gap", "outside", "above 0 and at most 1")
	case p.Rounds < 1 || p.Rounds > 1000:
		return nil, refuse("rounds", strconv.Itoa(p.Rounds), "from 1 to 1000")
	}
	count, err := mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: p.Epsilon, Base: p.Base, L1Sensitivity: 1})
	if err != nil {
		return nil, err
	}
	learned, err := p.Learner.Loss(1)
	if err != nil {
		return nil, err
	}
	counted, err := count.Loss(1)
	if err != nil {
		return nil, err
	}
	test := &meter.Spend{Name: "noisy comparison", Loss: counted, Claim: meter.Claim{Each: 1}}
	spend := meter.Sum("boosting", meter.Each(learned, 2*uint64(p.Rounds)),
		meter.Each(counted, 2*uint64(p.Rounds)))
	return &Boosting{p.Learner, count, p.Gap, p.Rounds, test, spend}, nil
}

// Loss returns the loss of all rounds: rounds that are not used are not given back.
func (b *Boosting) Loss(d privacy.Distance) (privacy.Loss, error) {
	return b.spend.Loss.Group(d)
}

// Release runs until the learner finds no gap, or for all rounds. step may be nil; its units are
// rounds.
func (b *Boosting) Release(src coin.Source, records *Records, step coin.Step) (*Release, error) {
	u, err := newUniverse(records.Size())
	if err != nil {
		return nil, err
	}
	persons, truth := records.Persons(), supersets(cells(records))
	share, _ := b.gap.Float64()
	least := atLeast(b.gap, persons)
	src = meter.Within(src, b.spend)
	var rounds []Round
	for t := range b.rounds {
		if step != nil {
			if err := step(int64(t), int64(b.rounds)); err != nil {
				return nil, err
			}
		}
		expected := u.expected(persons)
		changed := false
		for _, sign := range []int64{1, -1} {
			found, err := b.learner.Learn(src, records.Size(), func(s Set) int64 {
				return sign * (truth[mask(s)] - expected[mask(s)])
			}, nil)
			if err != nil {
				return nil, err
			}
			// Whether the gap with noise is at least this many persons is one coin.
			gap := sign * (truth[mask(found)] - expected[mask(found)])
			large, err := meter.Draw(src, b.test,
				func() meter.Input { return meter.Input{Values: []int64{gap}} },
				func(src coin.Source) (bool, error) {
					return src.Bernoulli(b.count.Noise().AtLeast(least - gap)), nil
				})
			if err != nil {
				return nil, err // unreachable: one coin
			}
			if large && !changed {
				rounds = append(rounds, Round{Set: found, Step: float64(sign) * 4 * share})
				u.tilt(found, float64(sign)*4*share)
				changed = true
			}
		}
		if !changed {
			break
		}
	}
	return &Release{Format: format, Method: ByWeights, Kind: Conjunctions, Size: records.Size(),
		Persons: persons, Loss: b.spend.Loss, Origin: src.Origin(),
		Noise: b.count.StdDev(), Rounds: rounds}, nil
}

// atLeast returns the smallest whole number that is at least the given part of n.
func atLeast(part *big.Rat, persons int) int64 {
	count := new(big.Rat).Mul(part, new(big.Rat).SetInt64(int64(persons)))
	up := new(big.Int).Add(count.Num(), count.Denom())
	return up.Sub(up, big.NewInt(1)).Quo(up, count.Denom()).Int64()
}
