package query

import (
	"math"
	"strconv"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/privacy"
)

// MWEMParams are the parameters of MWEM.
type MWEMParams struct {
	Epsilon privacy.Epsilon // the privacy loss granted; required
	// 0 divides Epsilon evenly; else the rounds are composed at (Epsilon, Delta)
	Delta privacy.Delta

	// Base is r itself, in place of Epsilon, where Delta is 0: a round then costs 2·ln r for its
	// choice and ln r for its count.
	Base coin.Base

	// Width is the largest conjunction considered. Required.
	Width int

	// Rounds is T, from 1 to 1000. Required; MWEMRounds advises.
	Rounds int
}

// MWEM fits a distribution on all 2^d records to the data: in each round it chooses, privately, a
// conjunction on which the two differ most, counts it with noise, and brings the distribution into
// line with all counts so far.
//
// # Guarantee
//
// Pure Epsilon-DP, or (Epsilon, Delta)-DP, for neighbours that differ in one replaced person:
// Rounds choices and as many counts. The distribution is post-processing, so floats may hold it.
// Proof: mwem.md.
//
// # Errors
//
// [*param.Error] (epsilon, base, width, rounds) from the constructor, (attributes, width) from
// Release where 2^d records or the conjunctions are too many.
//
// # Cost and accuracy
//
// Memory and time grow as 2^d: at most 22 attributes. The result answers every query on these
// attributes, not only conjunctions.
//
// # Reference
//
// Hardt, Ligett, McSherry, "A Simple and Practical Algorithm for Differentially Private Data
// Release", 2012. Differs: fits all counts so far by iterative proportional fitting in place of one
// small step each, and answers from the last distribution.
type MWEM struct {
	choice *mechanism.Exponential
	count  *mechanism.Laplace
	width  int
	rounds int
	spend  *meter.Spend
}

var _ mechanism.Mechanism = (*MWEM)(nil)

// NewMWEM checks the parameters.
func NewMWEM(p MWEMParams) (*MWEM, error) {
	switch {
	case p.Width < 1: // H: mwem.md width
		return nil, refuse("width", strconv.Itoa(p.Width), "at least 1")
	case p.Rounds < 1 || p.Rounds > 1000: // H: mwem.md rounds
		return nil, refuse("rounds", strconv.Itoa(p.Rounds), "from 1 to 1000")
	}
	m := &MWEM{width: p.Width, rounds: p.Rounds}
	each := p.Epsilon
	if p.Epsilon.IsSet() {
		round, _, err := privacy.EachOf(uint64(p.Rounds), p.Epsilon, p.Delta, roundLoss)
		if err != nil {
			return nil, err
		}
		each = round.Part(1, 2)
	}
	var err error
	if m.choice,
		err = mechanism.NewExponential(
		mechanism.ExponentialParams{Epsilon: each, Base: p.Base, Sensitivity: 1}); err != nil {
		return nil, err
	}
	if m.count, err = mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: each, Base: p.Base, L1Sensitivity: 1}); err != nil {
		return nil, err
	}
	return m, m.price(p.Delta)
}

// roundLoss returns the loss of a choice and a count of one round, which together have ε.
func roundLoss(epsilon privacy.Epsilon) privacy.Loss {
	half := epsilon.Part(1, 2)
	return privacy.ChoiceLoss(half).Plus(privacy.PureLoss(half))
}

// price returns what a choice and a count for each round compose to at delta.
func (m *MWEM) price(delta privacy.Delta) error {
	choice, err := m.choice.Loss(1)
	if err != nil {
		return err
	}
	count, err := m.count.Loss(1)
	if err != nil {
		return err
	}
	m.spend, err = meter.Composed("multiplicative weights", delta,
		meter.Each(choice, uint64(m.rounds)), meter.Each(count, uint64(m.rounds)))
	return err
}

// Loss returns the loss of all rounds together.
func (m *MWEM) Loss(d privacy.Distance) (privacy.Loss, error) {
	return m.spend.Loss.Group(d)
}

// MWEMRounds returns a number of rounds for n persons, from public facts only: as many as keep the
// noise of a count below half a percent, from d to 4·d.
func MWEMRounds(persons, size int, epsilon privacy.Epsilon) int {
	quiet := 0.005 * float64(persons) * epsilon.Float64() / (2 * math.Sqrt2)
	return int(min(max(quiet, float64(size)), float64(4*size)))
}

// Release runs all rounds. step may be nil; its units are rounds.
func (m *MWEM) Release(src coin.Source, records *Records, step coin.Step) (*Release, error) {
	return m.release(src, records, step, nil)
}

// release is Release; tell, if not nil, is called with each round.
func (m *MWEM) release(src coin.Source, records *Records, step coin.Step,
	tell func(Correction)) (*Release, error) {
	u, err := newUniverse(records.Size())
	if err != nil {
		return nil, err
	}
	width := min(m.width, records.Size())
	if err := checkClass(records.Size(), width); err != nil {
		return nil, err
	}
	persons, sets, truth := records.Persons(), subsets(records.Size(), width),
		supersets(cells(records))
	src = meter.Within(src, m.spend)
	scores := make([]int64, len(sets))
	var rounds []Round
	for t := range m.rounds {
		if step != nil {
			if err := step(int64(t), int64(m.rounds)); err != nil {
				return nil, err
			}
		}
		expected := u.expected(persons)
		for i, s := range sets {
			scores[i] = distance(truth[mask(s)], expected[mask(s)])
		}
		chosen, err := m.choice.Release(src, scores, nil)
		if err != nil {
			return nil, err // unreachable: there are conjunctions
		}
		noisy, err := m.count.Release(src, []int64{truth[mask(sets[chosen])]}, nil)
		if err != nil {
			return nil, err // unreachable: no step, no error
		}
		count := within(noisy[0], persons)
		if tell != nil {
			told := Correction{Sets: sets, Chosen: chosen, Count: count}
			for _, s := range sets {
				told.Truth = append(told.Truth, truth[mask(s)])
				told.Expected = append(told.Expected, expected[mask(s)])
			}
			tell(told)
		}
		rounds = append(rounds, Round{Set: sets[chosen], Count: &count})
		u.fit(rounds, persons, 3)
	}
	return &Release{Format: format, Method: ByWeights, Kind: Conjunctions, Size: records.Size(),
		Persons: persons, Loss: m.spend.Loss, Origin: src.Origin(),
		Noise: m.count.StdDev(), Rounds: rounds}, nil
}

// distance is |a − b|.
func distance(a, b int64) int64 { return max(a-b, b-a) }

// within clamps a noisy count to 0 … n, which is post-processing.
func within(count int64, persons int) int64 { return min(max(count, 0), int64(persons)) }
