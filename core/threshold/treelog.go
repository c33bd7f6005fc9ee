package threshold

import (
	"fmt"
	"math/big"
	"math/bits"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Finder finds an interior point of the given codes: a value of the domain with at least one person
// at or below it and one at or above. All algorithms of this package that do so are Finders, so one
// can replace another.
type Finder interface {
	mechanism.Mechanism

	// Name is what the algorithm is called: "exponential mechanism".
	Name() phrase.Phrase

	// Needs is how many persons with a value make the point an interior one with probability at
	// least 1 − Beta.
	Needs() int

	// TypicalError is about how many persons the point is away from the middle of this many, on
	// average: a rule of thumb, measured on made-up data.
	TypicalError(persons int64) float64

	// Release finds a point for codes of the bits that the Finder was made for. step may be nil; it
	// learns of public stages only.
	Release(src coin.Source, codes domain.Sorted, step coin.Step) (*big.Int, error)
}

// TreeLogParams are the parameters of TreeLog.
type TreeLogParams struct {
	// Epsilon and Delta are the privacy loss granted for one replaced person. Both required, Delta
	// above 0. Of Delta no more is used than 1/32 and Epsilon/32: beyond that it buys nothing.
	Epsilon privacy.Epsilon // H: treelog.md rational
	Delta   privacy.Delta   // H: treelog.md rational

	// Size is the number of values of the domain, whose codes are 0 … Size − 1. At most 2^(2^20 +
	// 1); required.
	Size *big.Int

	// Beta is the probability with which the point may fail to be an interior one when Needs
	// persons have a value; 0 stands for 0.05.
	Beta float64

	// Rounds is how often the domain is made smaller; 0 stands for the number that needs the fewest
	// persons, which is 1 for every domain in use. At most 64.
	Rounds int

	// Form is that of the random path; "" stands for Relative.
	Form Form

	// Persons is n, the public number of persons with or without a value: no fewer than there are
	// codes (H: treelog.md within-n). Required by the absolute form, which no one else needs it
	// for.
	Persons uint64
}

// TreeLog finds an interior point in a domain of any size. In a domain of 2^(2^20) values it needs
// about as many persons as in one of 2^64.
//
// It looks at the codes as leaves of a binary tree and walks down a random path that prefers heavy
// children. The levels at which the codes leave the path lie in the tiny domain 0 … bits, where an
// interior point is found, by the same means or by the exponential mechanism. At that level of the
// tree some node is heavy, and one of its outer or middle leaves is an interior point.
//
// # Guarantee
//
// (ε, δ)-DP for neighbours that differ in one replaced person, n public. A person without a value
// has no code. Path and levels are never released. Exact: all choices are among rational weights.
// Proof: treelog.md.
//
// # Input and output
//
// Sorted codes of any width below Size (H: treelog.md sorted), at most one of each person (H:
// treelog.md one-code), and a value 0 … Size − 1. The point need not occur in the data.
//
// # Errors
//
// [*param.Error] (epsilon, delta, size, beta, rounds, form, persons) from the constructor, and
// (codes) from Release for codes of another number of bits. With too few codes the point is still
// private and may lie anywhere.
//
// # Cost and accuracy
//
// One binary search per node with two children on the path, and one or two passes over the nodes of
// one level. With Needs persons who have a value the point is an interior one with probability 1 −
// Beta: TestSuccess.
//
// # Reference
//
// Kaplan, Ligett, Mansour, Naor, Stemmer, "Privately Learning Thresholds: Closing the Exponential
// Gap", 2020, Algorithm 1. Differs: the relative form of the path, StableChoice for the choosing
// mechanism, a fixed number of rounds, a budget divided by the requirement; [NewPaperTreeLog] keeps
// the paper's choices.
type TreeLog struct {
	size   *big.Int
	bits   int
	rounds int
	trim   int // codes left out at either end in each round
	path   path
	climb  climb
	base   *mechanism.InteriorPoint
	cost   cost
	needs  int
	spend  *meter.Spend
}

var _ Finder = (*TreeLog)(nil)

// NewTreeLog checks the parameters and divides the budget.
func NewTreeLog(p TreeLogParams) (*TreeLog, error) {
	bitLength, beta, err := checkTree("TreeLog", p.Size, p.Epsilon, p.Delta, p.Beta, p.Rounds)
	if err != nil {
		return nil, err
	}
	if p.Form == "" {
		p.Form = Relative
	}
	switch {
	case p.Form != Relative && p.Form != Absolute: // H: treelog.md form
		return nil, refuse("form", string(p.Form), "relative or absolute")
	case p.Form == Absolute && (p.Persons < 1 || p.Persons > 1<<53): // H: treelog.md some-n
		return nil, refuse("persons", fmt.Sprint(p.Persons),
			"from 1 to 2^53: the absolute form depends on it")
	}
	if p.Rounds > 0 {
		return p.build(bitLength, p.Rounds, beta)
	}
	rounds, few := 1, 0.0
	for try, top := 1, bitLength; try == 1 || top > 3; try, top = try+1, bits.Len(uint(top)) {
		if needs := p.divide(bitLength, try, beta).needs; try == 1 || needs < few {
			rounds, few = try, needs
		}
	}
	return p.build(bitLength, rounds, beta)
}

// tops returns L for every round, whose codes have L bits, and for the base case, whose codes are 0
// … L.
func tops(bitLength, rounds int) []int {
	tops := []int{bitLength}
	for range rounds {
		tops = append(tops, bits.Len(uint(tops[len(tops)-1])))
	}
	return tops
}

func (p TreeLogParams) divide(bitLength, rounds int, beta *big.Rat) budget {
	last := tops(bitLength, rounds)[rounds-1]
	return divide(rounds, p.Epsilon.Float64(), float64Of(p.usedDelta()), float64Of(beta),
		logInt(big.NewInt(int64(last)+1)))
}

// usedDelta is the part of Delta that is divided. With this part the terms of the cost that grow
// with δ are the smaller ones: treelog.md.
func (p TreeLogParams) usedDelta() *big.Rat {
	limit := new(big.Rat).Quo(p.Epsilon.Rat(), ratOf(32))
	return least(p.Delta.Rat(), least(limit, big.NewRat(1, 32)))
}

// build turns a budget into constants: bases rounded towards privacy, numbers of persons rounded
// up.
func (p TreeLogParams) build(bitLength, rounds int, beta *big.Rat) (*TreeLog, error) {
	b := p.divide(bitLength, rounds, beta)
	epsilon, delta := p.Epsilon.Rat(), p.usedDelta()
	half := big.NewRat(1, 2)
	nodeDelta, err := privacy.NewDelta(unitFraction(part(delta, b.node)))
	if err != nil {
		return nil, err
	}

	// The stop serves path and node: the smallest for which both stay within their share of ε.
	odds := new(big.Rat).Mul(against(nodeDelta.Rat()), against(part(beta, b.nodeBeta)))
	nodeLog := privacy.LogUp(odds)
	turn := part(epsilon, b.turn)
	pathDelta := part(delta, b.pathDelta)
	type turning struct {
		path path
		rest *big.Rat // what the path leaves to the node, when one code is added or removed
	}
	stop, ok, err := smallest(func(stop int) (turning, bool, error) {
		made, err := newPath(p.Form, bitLength, stop, pathDelta)
		if err != nil {
			return turning{}, false, err
		}
		spent := made.cost(bitLength, p.Persons)
		rest := new(big.Rat).Sub(turn, sum(spent.add, spent.remove))
		rest.Mul(rest, half)
		return turning{made, rest}, new(big.Rat).Mul(rest, ratOf(int64(stop))).Cmp(nodeLog) >= 0,
			nil
	})
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, refuse("epsilon", p.Epsilon.String(),
			"a larger ε: this one needs more than 2^40 persons")
	}

	node, err := coin.ExpBelow(stop.rest)
	if err != nil {
		return nil, err
	}
	end, err := coin.ExpBelow(new(big.Rat).Mul(half, part(epsilon, b.end)))
	if err != nil {
		return nil, err
	}
	base, err := coin.ExpBelow(new(big.Rat).Mul(half, part(epsilon, b.base)))
	if err != nil {
		return nil, err
	}
	climb, err := newClimb(node, end, nodeDelta)
	if err != nil {
		return nil, err
	}
	// The best of at most four leaves has score trim + 1, the other three may have 0.
	endOdds := against(part(beta, b.endBeta))
	trim := max(power(end, endOdds.Mul(endOdds, ratOf(3)))-1, 0)
	t, err := newTreeLog(p.Size, rounds, trim, stop.path, climb, base, p.Persons)
	if err != nil {
		return nil, err
	}
	t.needs = rounds*(2*trim+stop.path.stop) + t.baseNeeds(base, part(beta, b.baseBeta))
	return t, nil
}

// newTreeLog combines constants and adds up what they cost.
func newTreeLog(size *big.Int, rounds, trim int, path path, climb climb, base coin.Base,
	persons uint64) (*TreeLog, error) {
	bitLength, err := checkSize(size)
	if err != nil {
		return nil, err
	}
	t := &TreeLog{size: new(big.Int).Set(size), bits: bitLength, rounds: rounds, trim: trim,
		path: path, climb: climb}
	chain := tops(bitLength, rounds)
	t.cost = both(privacy.LogUp(base.Rat()))
	for _, top := range chain[:rounds] {
		t.cost = t.cost.plus(path.cost(top, persons)).plus(climb.cost)
	}
	t.base, err = mechanism.NewInteriorPoint(
		mechanism.InteriorPointParams{
			Base: base, DomainSize: big.NewInt(int64(chain[rounds-1]) + 1)})
	t.spend = leaf("TreeLog", t.cost.replace())
	return t, err
}

// baseNeeds returns the number of levels that the base case needs to fail with probability at most
// beta. Among h·2−1 of them some point has score h; all other points, one fewer than there are, may
// have 0.
func (t *TreeLog) baseNeeds(base coin.Base, beta *big.Rat) int {
	others := ratOf(int64(tops(t.bits, t.rounds)[t.rounds-1]))
	return max(2*power(base, others.Mul(others, against(beta)))-1, 1)
}

// Name is "TreeLog".
func (t *TreeLog) Name() phrase.Phrase {
	if t.climb.classic != nil {
		return phrase.Of("TreeLog with its paper's constants")
	}
	return phrase.Of("TreeLog")
}

// Needs returns the number of persons with a value that TreeLog needs; treelog.md, Theorem 2.
func (t *TreeLog) Needs() int { return t.needs }

// TypicalError returns a fraction of Needs: any interior point of a window of this many may be
// found.
func (t *TreeLog) TypicalError(persons int64) float64 { return partOfNeeds(t, persons) }

// partOfNeeds returns the typical error of points found anywhere in a window of Needs persons.
func partOfNeeds(f Finder, persons int64) float64 {
	return min(typicalPart*float64(f.Needs()), float64(persons)/3)
}

// typicalPart, the fraction of Needs, was measured (TestForecasts of core/internal/replay).
const typicalPart = 0.1

// Loss is (ε, δ) for d = 1, and group privacy beyond.
func (t *TreeLog) Loss(d privacy.Distance) (privacy.Loss, error) {
	return t.cost.replace().Group(d)
}

// Release finds a point.
func (t *TreeLog) Release(src coin.Source, codes domain.Sorted, step coin.Step) (*big.Int, error) {
	if codes.Bits() != t.bits { // H: treelog.md bits
		return nil, refuse("codes", phrase.Of("%d bits long", codes.Bits()), "codes of %d bits",
			t.bits)
	}
	stages := newStages(step, 2*t.rounds+1)
	x, err := find(src, t.spend, codes, func(src coin.Source) (*big.Int, error) {
		return t.find(src, codes, 0, stages)
	})
	if err != nil {
		return nil, err
	}
	if x.Cmp(t.size) >= 0 {
		x.Sub(t.size, oneInt)
	}
	return x, nil
}

// find is one round on codes, and the base case after the last.
func (t *TreeLog) find(src coin.Source, codes domain.Sorted, round int,
	stages *stages) (*big.Int, error) {
	lo, hi := trimmed(codes.Len(), t.trim)
	levels := t.path.walk(src, codes, lo, hi)
	if err := stages.next(); err != nil {
		return nil, err
	}
	level, err := t.level(src, levels, round+1, stages)
	if err != nil {
		return nil, err
	}
	x, err := t.climb.up(src, codes, lo, hi, level, stages.pause())
	if err != nil {
		return nil, err
	}
	return x, stages.next()
}

// level finds an interior point of the levels.
func (t *TreeLog) level(src coin.Source, l *levels, round int, stages *stages) (int, error) {
	if round == t.rounds {
		x, err := l.interiorPoint(src, t.base)
		if err != nil {
			return 0, err
		}
		return x, stages.next()
	}
	x, err := t.find(src, l, round, stages)
	if err != nil {
		return 0, err
	}
	return min(int(x.Int64()), l.top), nil // H: climb.md level-of-tree
}

// interiorPoint finds a level by the exponential mechanism, whose domain is 0 … top.
func (l *levels) interiorPoint(src coin.Source, m *mechanism.InteriorPoint) (int, error) {
	codes, upTo := make([]uint64, len(l.at)), make([]int64, len(l.at))
	for i := range codes {
		codes[i], upTo[i] = uint64(l.at[i]), int64(l.upTo[i])
	}
	x, err := m.ReleaseCounted(src, codes, upTo, nil)
	return int(x), err
}

// trimmed returns the range of indices without the trim smallest and the trim largest.
func trimmed(count, trim int) (lo, hi int) {
	if count <= 2*trim {
		return 0, 0
	}
	return trim, count - trim
}
