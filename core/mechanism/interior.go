package mechanism

import (
	"math/big"
	"strconv"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/privacy"
)

// InteriorPointParams are the parameters of InteriorPoint. Exactly one of Epsilon and Base is
// given.
type InteriorPointParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon

	// Base is r itself, in place of Epsilon: the loss is then 2·ln r.
	Base coin.Base

	// DomainSize is M, the public number of values a person's data can take: codes are 0 … M−1. At
	// least 1; required.
	DomainSize *big.Int
}

// InteriorPoint chooses a point of an ordered domain that lies deep inside the data: a private
// median.
//
// # Guarantee
//
// Pure ε-DP for neighbours that differ in one replaced person, n public. A person whose data is
// none has no code and counts for nobody; how many codes there are is private. Of bounded range:
// [privacy.Loss.Ranged]. Proof: interior.md.
//
// # Input and output
//
// Codes in ascending order, repeated as often as they occur. Each point x of the domain has the
// score min(#{codes ≤ x}, #{codes ≥ x}) and is chosen with probability proportional to r^score. A
// point of score 1 or more lies between the smallest and the largest code; the median has the best
// score. Without any code all points are equally likely.
//
// # Errors
//
// [*param.Error] (epsilon, base, domainSize) from the constructor; from Release only what step
// returns. A code beyond the domain counts as M−1. Order is left to the caller: unordered codes get
// an answer without a guarantee (H: interior.md ascending).
//
// # Cost and accuracy
//
// The score is constant on each code and each gap between codes, so there are at most 2n+1 groups
// whatever M is: O(n) time, no extra memory. With probability at least 1 − β the score is at most
// ⌈ln(M/β)/ln r⌉ − 1 below the best.
//
// # Reference
//
// McSherry, Talwar, "Mechanism Design via Differential Privacy", 2007; Smith, "Privacy-preserving
// Statistical Estimation with Optimal Convergence Rates", 2011 (the median in gaps). Differs: exact
// weights, and domains of any size.
type InteriorPoint struct {
	rate rate
	size *big.Int
	last *big.Int // size − 1

	spend *meter.Spend
}

// NewInteriorPoint checks the parameters.
func NewInteriorPoint(p InteriorPointParams) (*InteriorPoint, error) {
	if p.DomainSize == nil || p.DomainSize.Sign() <= 0 { // H: interior.md some-point
		return nil, refuse("domainSize", bigText(p.DomainSize), "a whole number of at least 1")
	}
	rate, err := newRate(p.Epsilon, p.Base, 2)
	if err != nil {
		return nil, err
	}
	rate.ranged = true
	size := new(big.Int).Set(p.DomainSize)
	return &InteriorPoint{rate, size, new(big.Int).Sub(size, big.NewInt(1)),
		rate.spend("interior point", nil, meter.Claim{People: 1})}, nil
}

// Loss is the loss for data sets that differ in d persons: d·ε.
func (m *InteriorPoint) Loss(d privacy.Distance) (privacy.Loss, error) {
	return m.rate.loss(d, nil)
}

// Release chooses a point for codes of up to 64 bits. It panics when the domain is larger than
// 2^64. step may be nil; it receives parts of the whole, since the number of codes is private.
func (m *InteriorPoint) Release(src coin.Source, sorted []uint64, step coin.Step) (uint64, error) {
	return m.release64(src, &gaps{codes: sorted}, step)
}

// ReleaseCounted chooses a point for distinct ascending codes that stand for several persons each:
// upTo[i] ≥ 0 is the number of persons with codes[0] … codes[i] together. Both have the same
// length, and upTo never falls (H: interior.md running).
func (m *InteriorPoint) ReleaseCounted(src coin.Source, codes []uint64, upTo []int64,
	step coin.Step) (uint64, error) {
	return m.release64(src, &gaps{codes: codes, upTo: upTo}, step)
}

func (m *InteriorPoint) release64(src coin.Source, g *gaps, step coin.Step) (uint64, error) {
	return meter.Draw(src, m.spend, func() meter.Input { return meter.Input{People: g.people()} },
		func(src coin.Source) (uint64, error) { return m.draw64(src, g, step) })
}

// people lists the codes of all persons.
func (g *gaps) people() (list []string) {
	for k, code := range g.codes {
		for range g.below(k+1) - g.below(k) {
			list = append(list, strconv.FormatUint(code, 10))
		}
	}
	return list
}

func (m *InteriorPoint) draw64(src coin.Source, g *gaps, step coin.Step) (uint64, error) {
	if !m.last.IsUint64() {
		panic("mechanism: internal error: Release for codes of 64 bits on a larger domain")
	}
	g.size, g.last = m.size, m.last.Uint64()
	i, err := src.Choose(g, m.rate.base, blind(step))
	if err != nil {
		return 0, err
	}
	low := g.low(i)
	switch _, width, wide := g.Group(i); {
	case wide != nil:
		return src.UniformBig(wide).Uint64(), nil // no code: the one gap is the whole domain
	case width == 1:
		return low, nil
	default:
		return low + src.Uniform(width), nil
	}
}

// gaps are the groups of equal score. Group 2k is the gap before code k (the last: after all
// codes), group 2k+1 is code k itself, which has multiplicity 0 unless it is the first of equal
// codes.
type gaps struct {
	codes []uint64
	upTo  []int64 // nil: one person per code
	size  *big.Int
	last  uint64
}

func (g *gaps) Len() int { return 2*len(g.codes) + 1 }

func (g *gaps) Group(i int) (score int64, m uint64, wide *big.Int) {
	n, k := len(g.codes), i/2
	total := g.below(n)
	if i%2 == 0 {
		if n == 0 {
			return 0, 0, g.size
		}
		return -min(g.below(k), total-g.below(k)), g.high(i) - g.low(i), nil
	}
	if k > 0 && g.at(k-1) >= g.at(k) {
		return 0, 0, nil
	}
	end := k + 1
	for end < n && g.at(end) == g.at(k) {
		end++
	}
	return -min(g.below(end), total-g.below(k)), 1, nil
}

// below counts the persons with one of the first k codes.
func (g *gaps) below(k int) int64 {
	switch {
	case k == 0:
		return 0
	case g.upTo == nil:
		return int64(k)
	}
	return g.upTo[k-1]
}

func (g *gaps) at(k int) uint64 { return min(g.codes[k], g.last) } // H: interior.md in-domain

// low is the first point of group i and high, for a gap, the point after its last; high − low is
// its width. With M = 2^64 the last gap's high is 0 and the width is right all the same, since
// uint64 wraps.
func (g *gaps) low(i int) uint64 {
	k := i / 2
	switch {
	case i%2 == 1:
		return g.at(k)
	case k == 0:
		return 0
	case k < len(g.codes) && g.at(k-1) >= g.at(k):
		return g.at(k) // no point between equal codes
	}
	return g.at(k-1) + 1
}

func (g *gaps) high(i int) uint64 {
	if k := i / 2; k < len(g.codes) {
		return g.at(k)
	}
	return g.last + 1
}
