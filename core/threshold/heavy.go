package threshold

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// HeavyPathsParams are the parameters of HeavyPaths.
type HeavyPathsParams struct {
	// Epsilon and Delta are the privacy loss granted for one replaced person, as for TreeLog.
	Epsilon privacy.Epsilon
	Delta   privacy.Delta

	// Size is the number of values of the domain, as for TreeLog.
	Size *big.Int

	// Beta is the failure probability, as for TreeLog.
	Beta float64

	// Rounds is how often the domain is made smaller; 0 stands for until the levels are 0 … 3 at
	// most. At most 64.
	Rounds int
}

// HeavyPaths finds an interior point as [TreeLog] does, but along paths without randomness, which
// cost nothing: they go to the heavier child. That is private as long as no path has many codes
// leaving at one level. The first path where many do is found privately, and there the level itself
// is released, from one random path.
//
// It shows the asymptotic result of its paper, log*(Size)^1.5 in place of log*(Size)^2. For domains
// that exist TreeLog with one round needs far fewer persons.
//
// # Guarantee
//
// (ε, δ)-DP for neighbours that differ in one replaced person, n public. Proof: heavy.md.
//
// # Input and output
//
// As TreeLog.
//
// # Errors
//
// As TreeLog.
//
// # Cost and accuracy
//
// As TreeLog, per round.
//
// # Reference
//
// Kaplan, Ligett, Mansour, Naor, Stemmer, "Privately Learning Thresholds: Closing the Exponential
// Gap", 2020, Section 4 (ConstructPaths, StoppingPoint, OneRandomPath, LevelUp). Differs: the
// stopping point asks clipped queries, sizes decide nothing, the number of rounds is fixed, and
// releases add up by basic composition, which is the smaller one for fewer than 2·ln(1/δ) rounds.
type HeavyPaths struct {
	size   *big.Int
	bits   int
	rounds int
	trim   int
	path   path // the random one; the others have its stop
	climb  climb
	stop   *mechanism.ClippedThreshold
	base   *mechanism.InteriorPoint
	cost   cost
	loss   privacy.Loss
	needs  int
	spend  *meter.Spend
}

var _ Finder = (*HeavyPaths)(nil)

// NewHeavyPaths checks the parameters and divides the budget.
func NewHeavyPaths(p HeavyPathsParams) (*HeavyPaths, error) {
	bitLength, beta, err := checkTree("HeavyPaths", p.Size, p.Epsilon, p.Delta, p.Beta, p.Rounds)
	if err != nil {
		return nil, err
	}
	if p.Rounds == 0 {
		chain := tops(bitLength, 64)
		for p.Rounds = 1; chain[p.Rounds] > 3; p.Rounds++ {
		}
	}
	return p.build(bitLength, beta)
}

// build turns shares of ε, δ and β into constants.
func (p HeavyPathsParams) build(bitLength int, beta *big.Rat) (*HeavyPaths, error) {
	epsilon, n := p.Epsilon.Rat(), int64(p.Rounds)
	// δ: one part for the path, one for each of rounds + 1 nodes and levels, one for the stopping
	// point.
	eachDelta := TreeLogParams{Epsilon: p.Epsilon, Delta: p.Delta}.usedDelta()
	eachDelta.Quo(eachDelta, ratOf(n+3))
	nodeDelta, err := privacy.NewDelta(unitFraction(eachDelta))
	if err != nil {
		return nil, err
	}
	stopDelta, err := privacy.NewDelta(eachDelta)
	if err != nil {
		return nil, err
	}
	eachBeta := new(big.Rat).Quo(beta, ratOf(2*n+3))
	odds := new(big.Rat).Mul(against(nodeDelta.Rat()), against(eachBeta))
	shares := divideHeavy(float64(n), float64Of(eachBeta), float64Of(eachDelta))

	h := &HeavyPaths{size: new(big.Int).Set(p.Size), bits: bitLength, rounds: p.Rounds}
	half := func(share float64) *big.Rat { return part(epsilon, share/2) }
	node, err := coin.ExpBelow(half(shares.node))
	if err != nil {
		return nil, err
	}
	end, err := coin.ExpBelow(half(shares.end))
	if err != nil {
		return nil, err
	}
	if h.climb, err = newClimb(node, end, nodeDelta); err != nil {
		return nil, err
	}
	h.trim = max(power(end, new(big.Rat).Mul(ratOf(3), against(eachBeta)))-1, 0)

	// A level that enough + 1 codes have is chosen with probability 1 − eachBeta; the cap lies
	// above that by what noise may hide.
	enough := power(node, odds)
	if h.stop, err = stoppingPoint(half(shares.stop), stopDelta, 0); err != nil {
		return nil, err
	}
	limit := int64(enough) + 1 + h.stop.ErrorBound(float64Of(eachBeta), p.Rounds) -
		h.stop.Threshold()
	if h.stop, err = stoppingPoint(half(shares.stop), stopDelta, limit); err != nil {
		return nil, err
	}
	found, ok, err := smallest(func(stop int) (path, bool, error) {
		// H: heavy.md cap-in-stop
		made, err := newPath(Relative, bitLength, max(stop, 2, int(limit), enough), eachDelta)
		if err != nil {
			return made, false, err
		}
		spent := made.cost(bitLength, 0)
		return made, sum(spent.add, spent.remove).Cmp(part(epsilon, shares.path)) <= 0, nil
	})
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, refuse("epsilon", p.Epsilon.String(),
			"a larger ε: this one needs more than 2^40 persons")
	}
	h.path = found
	// the base case stands in place of the random path and its level
	inPlace := h.path.cost(bitLength, 0).plus(h.climb.chosen)
	base, err := coin.ExpBelow(least(inPlace.add, inPlace.remove))
	if err != nil {
		return nil, err
	}
	if err := h.complete(base); err != nil {
		return nil, err
	}
	others := ratOf(int64(tops(bitLength, p.Rounds)[p.Rounds-1]))
	h.needs = p.Rounds*(2*h.trim+h.path.stop) +
		max(2*power(base, others.Mul(others, against(eachBeta)))-1, 1)
	return h, nil
}

// stoppingPoint makes the test of the rounds, half of its ε for the threshold and half for the
// queries.
func stoppingPoint(epsilon *big.Rat, delta privacy.Delta,
	limit int64) (*mechanism.ClippedThreshold, error) {
	each, err := privacy.NewEpsilon(new(big.Rat).Quo(epsilon, ratOf(2)))
	if err != nil {
		return nil, err
	}
	return mechanism.NewClippedThreshold(mechanism.ClippedThresholdParams{
		AboveThresholdParams: mechanism.AboveThresholdParams{
			EpsilonThreshold: each, EpsilonQueries: each, Sensitivity: 1},
		Delta: delta, Cap: limit,
	})
}

// heavyShares are shares of ε: for the stopping point, each choice of a node or level, each last
// choice, and the random path.
type heavyShares struct{ stop, node, end, path float64 }

// divideHeavy tries shares on a grid, from public facts alone, for the fewest persons by a rough
// form of the requirement.
func divideHeavy(rounds, beta, delta float64) (best heavyShares) {
	const steps = 32
	few := math.Inf(1)
	for s := 1.0; s < steps; s++ {
		for c := 1.0; c < steps; c++ {
			for e := 1.0; e < steps; e++ {
				try := heavyShares{s / steps, c / steps / (rounds + 1), e / steps / rounds,
					(steps - s - c - e) / steps}
				if try.path <= 0 {
					break
				}
				limit := -2*math.Log(delta*beta)/try.node +
					(12*math.Log((rounds+1)/beta)-8*math.Log(delta))/try.stop
				needs := rounds*
					(4*math.Log(3/beta)/try.end+max(limit, -5*math.Log(delta)/try.path)) - 4*
					math.Log(beta)/(try.path+try.node)
				if needs < few {
					few, best = needs, try
				}
			}
		}
	}
	return best
}

// complete adds the base case and sums the cost of everything: heavy.md, Theorem 1.
func (h *HeavyPaths) complete(base coin.Base) (err error) {
	h.base, err = mechanism.NewInteriorPoint(
		mechanism.InteriorPointParams{
			Base: base, DomainSize: big.NewInt(int64(tops(h.bits, h.rounds)[h.rounds-1]) + 1)})
	if err != nil {
		return err
	}
	stopped, err := h.stop.Loss(1)
	if err != nil {
		return err
	}
	epsilon, _ := stopped.Epsilon()
	random := h.path.cost(h.bits, 0).plus(h.climb.chosen).plus(h.climb.cost.times(h.rounds))
	last := both(privacy.LogUp(base.Rat())).plus(h.climb.cost.times(h.rounds))
	found := both(epsilon).plus(random.or(last))
	h.cost = found.plus(cost{addDelta: stopped.Delta(), removeDelta: stopped.Delta()})
	h.loss = found.plus(cost{removeDelta: stopped.Delta()}).replace() // once for a replaced person
	h.spend = leaf("HeavyPaths", h.loss)
	return nil
}

// Name is "HeavyPaths".
func (h *HeavyPaths) Name() phrase.Phrase { return phrase.Of("HeavyPaths") }

// Needs returns the number of persons with a value that it needs; heavy.md, Theorem 3.
func (h *HeavyPaths) Needs() int { return h.needs }

// TypicalError returns a fraction of Needs.
func (h *HeavyPaths) TypicalError(persons int64) float64 { return partOfNeeds(h, persons) }

// Loss is (ε, δ) for d = 1, and group privacy beyond.
func (h *HeavyPaths) Loss(d privacy.Distance) (privacy.Loss, error) { return h.loss.Group(d) }

// Release finds a point.
func (h *HeavyPaths) Release(src coin.Source, codes domain.Sorted,
	step coin.Step) (*big.Int, error) {
	if codes.Bits() != h.bits { // H: treelog.md bits
		return nil, refuse("codes", phrase.Of("%d bits long", codes.Bits()), "codes of %d bits",
			h.bits)
	}
	stages := newStages(step, h.rounds+2)
	x, err := find(src, h.spend, codes, func(src coin.Source) (*big.Int, error) {
		all := h.paths(codes)
		at, err := h.stoppingPoint(src, all)
		if err != nil {
			return nil, err
		}
		return h.from(src, all, at, stages)
	})
	if err != nil {
		return nil, err
	}
	if x.Cmp(h.size) >= 0 {
		x.Sub(h.size, oneInt)
	}
	return x, nil
}

// round holds one round's codes and the part of them that the path looks at.
type round struct {
	codes  domain.Sorted
	lo, hi int
}

// paths follows the heavier child, or the left one of equals, in each round (ConstructPaths): round
// i+1 is the levels of round i. It has no randomness, so computing the rounds once is the same as
// computing them again for each use.
func (h *HeavyPaths) paths(codes domain.Sorted) []round {
	var all []round
	for range h.rounds {
		lo, hi := trimmed(codes.Len(), h.trim)
		all = append(all, round{codes, lo, hi})
		codes = fallOff(codes, lo, hi, h.path.stop, heavier)
	}
	return append(all, round{codes: codes})
}

// heavier chooses the left child where it has at least as many codes.
func heavier(left, right int) bool { return left >= right }

// stoppingPoint returns the first round whose path many codes leave at one level, with noise;
// h.rounds if there is none.
func (h *HeavyPaths) stoppingPoint(src coin.Source, all []round) (int, error) {
	run := h.stop.Start(src)
	for i := range h.rounds {
		above, err := run.Above(int64(all[i+1].codes.(*levels).most()))
		if above || err != nil {
			return i, err
		}
	}
	return h.rounds, nil
}

// from finds a point once the stopping point is public: from a random path there, or from the base
// case after the last round; then round by round up (LevelUp).
func (h *HeavyPaths) from(src coin.Source, all []round, at int,
	stages *stages) (x *big.Int, err error) {
	if at < h.rounds {
		x, err = h.oneRandomPath(src, all[at], stages)
	} else {
		x, err = h.last(src, all)
	}
	if err != nil {
		return nil, err
	}
	for i := at - 1; i >= 0; i-- {
		if err := stages.next(); err != nil {
			return nil, err
		}
		r := all[i]
		level := min(int(x.Int64()), r.codes.Bits()) // H: climb.md level-of-tree
		if x, err = h.climb.up(src, r.codes, r.lo, r.hi, level, stages.pause()); err != nil {
			return nil, err
		}
	}
	return x, stages.next()
}

// last finds a level between the levels of the last round, where few are left to choose from.
func (h *HeavyPaths) last(src coin.Source, all []round) (*big.Int, error) {
	level, err := all[h.rounds].codes.(*levels).interiorPoint(src, h.base)
	return big.NewInt(int64(level)), err
}

// oneRandomPath finds a point of a round by choosing a level that many codes have.
func (h *HeavyPaths) oneRandomPath(src coin.Source, r round, stages *stages) (*big.Int, error) {
	level, err := h.randomLevel(src, r)
	if err != nil {
		return nil, err
	}
	return h.climb.up(src, r.codes, r.lo, r.hi, level, stages.pause())
}

// randomLevel chooses a level at which many codes leave a random path; when none is chosen it is
// level 0.
func (h *HeavyPaths) randomLevel(src coin.Source, r round) (level int, err error) {
	l := h.path.walk(src, r.codes, r.lo, r.hi)
	scores, before := make([]int64, len(l.at)), 0
	for i, upTo := range l.upTo {
		scores[i], before = int64(upTo-before), upTo
	}
	i, chosen, err := h.climb.choose.Release(src, scores, nil)
	if chosen {
		level = int(l.at[i])
	}
	return level, err
}
