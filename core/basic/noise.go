package basic

import (
	"math"
	"math/big"
	"math/bits"
	"slices"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Kind is the law of the noise.
type Kind string

const (
	Laplace  Kind = "discrete Laplace"
	Gaussian Kind = "discrete Gaussian"
)

// String returns the kind in words.
func (k Kind) String() string { return k.Phrase().String() }

// Phrase is String in any language.
func (k Kind) Phrase() phrase.Phrase {
	if k == Gaussian {
		return phrase.Of("discrete Gaussian")
	}
	return phrase.Of("discrete Laplace")
}

// strength is the privacy loss granted: an ε, and perhaps a δ, or a rational base in place of ε.
type strength struct {
	epsilon privacy.Epsilon
	base    coin.Base
	delta   privacy.Delta
	several Several
}

func grant(epsilon privacy.Epsilon, base coin.Base, delta privacy.Delta) strength {
	return strength{epsilon: epsilon, base: base, delta: delta}
}

// Several says what a person counts for: at most Rows rows in each of at most Groups groups, where
// a question is asked by those groups, from a public list, and its own ε and δ are for one row.
// Gaussian noise is then made for a person: use.md of core/table, Theorem 3.
type Several struct {
	Groups, Rows uint64
	Epsilon      privacy.Epsilon // of a person
	Delta        privacy.Delta
}

// times returns how many times as much as for one row the squares of what moves add up to for a
// person.
func (s Several) times() uint64 { return s.Groups * s.Rows * s.Rows }

// product returns a·b, or the largest number if that overflows.
func product(a, b uint64) uint64 {
	if high, low := bits.Mul64(a, b); high == 0 {
		return low
	}
	return math.MaxUint64
}

// design says how one kind of noise hides a question's sums, and what that costs. With Laplace
// noise sum j gets the base r^weight(j), and a change Δ of all sums costs Σ weight·|Δ| times ln r.
// With Gaussian noise it gets the standard deviation σ/weight(j), and the cost is Σ (weight·Δ)²
// times ρ's unit. The largest cost is public. Theorems: sums.md.
type design struct {
	weights []uint64 // sum j has weights[j mod len]; each at least 1
	// the largest cost when a person of a group is replaced by any other, with a value or without
	within uint64
	absent uint64 // the largest cost when a person joins or leaves a group
	// with Laplace noise, the most that replacing one person does to the sums: it is one of these,
	// or less. Number j is how far a sum of weight j mod len(weights) moves, each of another sum.
	// none: not worked out
	moves [][]uint64
}

// cost returns the largest cost of replacing one person: by group, that person may leave one group
// and join another.
func (d design) cost(grouped bool) uint64 {
	if grouped {
		return max(d.within, 2*d.absent)
	}
	return d.within
}

// alone returns the most that one sum moves, where all have the same noise; otherwise 0: not
// claimed.
func (d design) alone() (most uint64) {
	if len(d.weights) > 1 {
		return 0
	}
	for _, move := range d.moves {
		most = max(most, slices.Max(move))
	}
	return most
}

// moves returns how the sums move that have one entry for each person and group: a replaced person
// stays in a group, or leaves one and joins another.
func moves(grouped bool, within, absent uint64) [][]uint64 {
	if grouped {
		return [][]uint64{{within}, {absent, absent}}
	}
	return [][]uint64{{within}}
}

// Noise hides the sums of one question, and states the loss and the error.
type Noise struct {
	kind Kind
	one  privacy.Loss // for one person replaced
	rho  privacy.Loss // Gaussian only: before a δ was chosen
	laws []law

	// Gaussian only: the ρ of all releases together that make one answer, for one replaced row, and
	// by how much more that is for a person (Several.times).
	granted privacy.Rho
	rows    uint64
	person  *privacy.Loss // for all rows of one replaced; nil: group privacy says it

	spend *meter.Spend
	// of the sums of a question, how many can move at once; 0: not worked out. For Pairs.
	moving  uint64
	topUp   *topUp    // where the next draw tops a release up
	average *releases // where the next draw is averaged with releases before
	drawn   []int64   // by the last draw
	given   []int64   // in place of draws; nil: see Give
}

// law is the noise on one sum.
type law struct {
	laplace  mechanism.LaplaceNoise
	gaussian *mechanism.Gaussian // nil: Laplace; of averages: as if one release had all ρ
	averaged *mechanism.Averaged // nil: no average
	expected float64             // E|Z|
	delta    privacy.Delta
}

// largestOdds bounds the bits of an e^ε that is kept as a rational, as the audits need it.
const largestOdds = 1 << 14

// newLaplace returns the largest ε that fits: r^cost ≤ e^ε.
func newLaplace(s strength, d design, grouped bool) (*Noise, error) {
	cost := d.cost(grouped)
	n := &Noise{kind: Laplace}
	if err := oneOf(s.epsilon, s.base); err != nil { // H: sums.md one-loss
		return nil, err
	}
	var err error
	if s.epsilon.IsSet() {
		n.one = privacy.PureLoss(s.epsilon)
	} else if bits := s.base.Rat().Num().BitLen(); cost > largestOdds/uint64(bits) {
		return nil, refuse("base", s.base.String(),
			"a base with a power of %d that is no longer than %d bits", cost, largestOdds)
	} else if n.one, err = privacy.LossFromOdds(s.base.Pow(cost).Rat(), nil); err != nil {
		return nil, err // unreachable: the base is above 1
	}
	for _, weight := range d.weights {
		base := s.base.Pow(weight)
		if s.epsilon.IsSet() {
			exponent := new(big.Rat).
				Mul(s.epsilon.Rat(), new(big.Rat).SetFrac(bigOf(weight), bigOf(cost)))
			if base, err = coin.ExpBelow(exponent); err != nil {
				return nil, refuse("epsilon", s.epsilon.String(), "at least 2^-60 times %d", cost)
			}
		}
		noise, err := mechanism.NewLaplaceNoise(base)
		if err != nil {
			return nil, err // unreachable: the base is above 1
		}
		n.laws = append(n.laws, law{laplace: noise, expected: noise.ExpectedError()})
	}
	if len(d.moves) > 0 && cost > 1 {
		n.one = n.one.WithRho(n.rhoOf(d.moves))
	}
	n.spend = &meter.Spend{Name: "discrete Laplace noise", Loss: n.one,
		Claim: meter.Claim{L1: cost, Each: d.alone(), Weights: d.weights, Moves: d.moves}}
	return n, nil
}

// rhoOf returns the ρ of Laplace noise where all sums move as in the worst of these cases: the ρ of
// each alone, added up. sums.md, Theorem 9.
func (n *Noise) rhoOf(moves [][]uint64) *big.Rat {
	largest := new(big.Rat)
	for _, move := range moves {
		rho := new(big.Rat)
		for j, by := range move {
			if by > 0 {
				rho.Add(rho, n.laws[j%len(n.laws)].laplace.Rho(by, by))
			}
		}
		if rho.Cmp(largest) > 0 {
			largest = rho
		}
	}
	return largest
}

// newGaussian returns the largest ρ found that implies (ε, δ).
func newGaussian(s strength, d design, grouped bool) (*Noise, error) {
	if s.several.Groups > 0 {
		s.epsilon, s.delta = s.several.Epsilon, s.several.Delta
	}
	rho, err := privacy.RhoFor(s.epsilon, s.delta)
	if err != nil {
		return nil, err
	}
	n := &Noise{kind: Gaussian, rows: 1}
	var person *meter.Person
	if s.several.Groups > 0 {
		whole, err := privacy.ConcentratedLoss(rho).At(s.delta)
		if err != nil {
			return nil, err
		}
		times := s.several.times()
		n.rows, n.person = times, &whole
		person = &meter.Person{Loss: whole, Claim: meter.Claim{
			L2Squared: product(times, d.cost(grouped)), Weights: d.weights}}
		each := new(big.Rat).Quo(rho.Rat(), new(big.Rat).SetInt(bigOf(times)))
		if rho, err = privacy.NewRho(each); err != nil {
			return nil, err
		}
	}
	n.granted, n.rho = rho, privacy.ConcentratedLoss(rho)
	if n.one, err = n.rho.At(s.delta); err != nil {
		return nil, err
	}
	n.spend = &meter.Spend{Name: "discrete Gaussian noise", Loss: n.one,
		Claim: meter.Claim{L2Squared: d.cost(grouped), Weights: d.weights}, Person: person}
	for j := range d.weights {
		share := n.share(j)
		each, err := privacy.NewRho(share.Mul(share, rho.Rat()))
		if err != nil {
			return nil, err
		}
		g, err := mechanism.NewGaussian(
			mechanism.GaussianParams{Rho: each, L2SensitivitySquared: 1})
		if err != nil {
			return nil, err
		}
		n.laws = append(n.laws,
			law{gaussian: g, expected: g.StdDev() * math.Sqrt(2/math.Pi), delta: s.delta})
	}
	return n, nil
}

// share returns the ln r of Gaussian noise on sum j for a ρ of 1, weight²/cost: a change by Δ then
// costs (weight·Δ)²·ρ/cost.
func (n *Noise) share(j int) *big.Rat {
	weight := bigOf(n.spend.Claim.Weights[j])
	return new(big.Rat).SetFrac(weight.Mul(weight, weight), bigOf(n.spend.Claim.L2Squared))
}

// Kind returns the law of the noise.
func (n *Noise) Kind() Kind { return n.kind }

// Loss returns the loss for data sets that differ in d persons.
func (n *Noise) Loss(d privacy.Distance) (privacy.Loss, error) {
	if n.kind == Laplace || d == 1 {
		return n.one.Group(d)
	}
	far, err := n.rho.Group(d)
	if err != nil {
		return privacy.Loss{}, err
	}
	return far.At(n.laws[0].delta)
}

// OfPerson returns the loss when all rows of one person are replaced ([Several]); false where group
// privacy gives it.
func (n *Noise) OfPerson() (loss privacy.Loss, ok bool) {
	if n.person == nil {
		return loss, false
	}
	return *n.person, true
}

// ErrorBound returns the smallest t proven with Pr[|noise| > t] ≤ beta, for the noise on the
// question's first sum.
func (n *Noise) ErrorBound(beta float64) int64 { return n.laws[0].bound(beta) }

// SimultaneousErrorBound returns a t such that with probability at least 1 − beta none of d sums
// with the first sum's noise is off by more than t. The noises are independent, so each may fail
// with probability 1 − (1−beta)^(1/d).
func (n *Noise) SimultaneousErrorBound(beta float64, d int) int64 {
	return n.laws[0].bound(oneOfAll(beta, d))
}

// oneOfAll returns the probability with which each of d independent intervals may fail, so that all
// of them hold with probability 1 − beta.
func oneOfAll(beta float64, d int) float64 {
	return -math.Expm1(math.Log1p(-beta) / float64(max(d, 1)))
}

// SumErrorBound returns the smallest t with Pr[|sum of d noises on the first sum| > t] ≤ beta, up
// to a relative 10^-5 of beta; for averages it is near that, and proven. Proofs: sumlaw.md and
// averaged.md of core/mechanism.
func (n *Noise) SumErrorBound(d int, beta float64) int64 {
	if a := n.laws[0].averaged; a != nil {
		return a.WholeBound(d, beta)
	}
	if g := n.laws[0].gaussian; g != nil {
		return g.SumErrorBound(d, beta)
	}
	return n.laws[0].laplace.SumErrorBound(d, beta)
}

// ExpectedError returns the mean of |noise| on the first sum.
func (n *Noise) ExpectedError() float64 { return n.laws[0].expected }

func (l law) bound(beta float64) int64 {
	if l.averaged != nil {
		return l.averaged.WholeBound(1, beta)
	}
	if l.gaussian != nil {
		return l.gaussian.ErrorBound(beta)
	}
	return l.laplace.Bound(beta)
}

// hide returns the sums with noise. step may be nil; its units are sums, whose number is public.
func (n *Noise) hide(src coin.Source, sums []int64, step coin.Step) ([]int64, error) {
	in, draw := func() meter.Input { return meter.Input{Values: sums} }, n.draw
	switch {
	case n.topUp != nil:
		in, draw = mechanism.TopUpInput(sums, n.topUp.from), n.topUp.draw
	case n.average != nil:
		draw = n.average.draw
	}
	noisy, err := meter.Draw(src, n.spend, in,
		func(src coin.Source) ([]int64, error) { return draw(src, sums, step) })
	n.drawn = slices.Clone(noisy)
	if err == nil && n.average != nil {
		return n.average.means(noisy)
	}
	return noisy, err
}

func (n *Noise) draw(src coin.Source, sums []int64, step coin.Step) ([]int64, error) {
	noisy := make([]int64, len(sums))
	for i, sum := range sums {
		if step != nil && i&1023 == 0 {
			if err := step(int64(i), int64(len(sums))); err != nil {
				return nil, err
			}
		}
		l := n.laws[i%len(n.laws)]
		if l.gaussian == nil {
			noisy[i] = l.laplace.AddTo(src, sum)
			continue
		}
		one, err := l.gaussian.Release(src, sums[i:i+1], nil)
		if err != nil {
			return nil, err // unreachable: there is no step
		}
		noisy[i] = one[0]
	}
	return noisy, nil
}

func refuse(field string, value any, want phrase.Key, args ...any) error {
	return param.Refuse("basic", field, value, want, args...)
}
