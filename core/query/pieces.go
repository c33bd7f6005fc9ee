package query

import (
	"math"
	"math/big"
	"strconv"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/privacy"
)

// PiecesParams are the parameters of Pieces.
type PiecesParams struct {
	// Epsilon and Delta are the privacy loss granted. With a Delta, half of it pays for a better
	// composition of the tests, half for Gaussian noise.
	Epsilon privacy.Epsilon
	Delta   privacy.Delta

	// Most is the most pieces made, from 1 to 4096: Most − 1 tests may be positive. Required.
	Most int

	// Threshold is the part of all persons from which on an element counts as influential and
	// splits a piece. Above 0 and at most 1; required where Most is more than 1.
	Threshold *big.Rat

	// Workloads are the distributions of queries to be answered, each with its own means. At least
	// one; required.
	Workloads []Workload

	// Signed says that what the persons add is not monotone, as for cuts
	// (People.MarginalSensitivity is 2).
	Signed bool
}

// Pieces releases a submodular sum over persons, such as a disjunction or a cut, as a function that
// is constant on a few pieces: it splits off influential elements, one private test at a time, and
// gives each piece its mean over the sets that the workload draws.
//
// # Guarantee
//
// Pure Epsilon-DP, or (Epsilon, Delta)-DP, for neighbours that differ in one replaced person, n
// public. All "no" answers of tests are free, as each "yes" starts a new sparse vector; Most is an
// a-priori cap. Proof: pieces.md.
//
// # Input and output
//
// People: Coverage for disjunctions (and conjunctions: ReleaseConjunctions), a [Graph] for cuts.
// The result answers any set of the workloads' kind.
//
// # Errors
//
// [*param.Error] (epsilon, most, threshold, workloads) from the constructor, (workloads, signed)
// from Release when the people do not fit.
//
// # Cost and accuracy
//
// O(Most·n) for the tests, as much for each workload. On a piece where no element changes the
// function by more than γ, all but a part 2·exp(−α²/(6γ)) of the queries are within α of the mean
// (twice that part for a width), plus the noise. It is no guarantee for single queries.
//
// # Reference
//
// Gupta, Hardt, Roth, Ullman, "Privately Releasing Conjunctions and the Statistical Query Barrier",
// 2011, Algorithms 3, 5 and 6. Differs: marginals are asked for directly, only positive tests cost,
// and means are linear queries, answered without sampling.
type Pieces struct {
	above     *mechanism.AboveThreshold // nil where Most is 1
	means     noise
	most      int
	threshold *big.Rat
	workloads []Workload
	signed    bool
	unit      uint // of the means: meanBits, less in audits
	tests     *meter.Spend
	spend     *meter.Spend
}

var _ mechanism.Mechanism = (*Pieces)(nil)

// noise makes noise for values of which only a limited number can move, a number known only when
// the values are; all of them together have one loss.
type noise struct {
	epsilon privacy.Epsilon
	rho     privacy.Rho // Gaussian, where it is set
	base    coin.Base   // in place of epsilon, for audits: the loss is moves·unit·ln r
	spend   *meter.Spend
	known   noisy // the law where moves values move by 1 each; nil: that is not known beforehand
	moves   int
}

// law is the noise for values of which at most this many move when one person is replaced, each by
// at most unit: moves·unit in L1, moves·unit² in squared L2.
func (z noise) law(moves int, unit uint64) (noisy, error) {
	if z.known != nil && moves == z.moves && unit == 1 {
		return z.known, nil
	}
	if z.rho.IsSet() {
		return mechanism.NewGaussian(
			mechanism.GaussianParams{
				Rho: z.rho, L2SensitivitySquared: uint64(moves) * unit * unit})
	}
	return mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: z.epsilon, Base: z.base,
			L1Sensitivity: uint64(moves) * unit, LargestMove: unit})
}

// noisy is the interface that Laplace and Gaussian have in common.
type noisy interface {
	mechanism.Mechanism
	Release(src coin.Source, counts []int64, step coin.Step) ([]int64, error)
	StdDev() float64
}

// priced is z where the number of values that move, each by 1, is known beforehand. Its law is made
// once; Laplace noise on many values has a smaller ρ than its ε implies.
func (z noise) priced(moves int) (noise, error) {
	law, err := z.law(moves, 1)
	if err != nil {
		return noise{}, err
	}
	z.moves, z.known = moves, law
	if z.rho.IsSet() {
		return z, nil
	}
	loss, err := law.Loss(1)
	z.spend = meter.Sum("noise", meter.Once(loss))
	return z, err
}

// add adds the noise to the values and returns its standard deviation in persons.
func (z noise) add(src coin.Source, values []int64, moves int, unit uint64,
	step coin.Step) ([]int64, float64, error) {
	law, err := z.law(moves, unit)
	if err != nil {
		return nil, 0, err
	}
	released, err := law.Release(meter.Within(src, z.spend), values, step)
	return released, law.StdDev() / float64(unit), err
}

// newNoise returns Laplace noise for a delta of 0, otherwise Gaussian noise.
func newNoise(epsilon privacy.Epsilon, delta privacy.Delta) (noise, error) {
	if delta.IsZero() {
		if !epsilon.IsSet() {
			return noise{}, nil // for audits, which set a base
		}
		return noise{epsilon: epsilon,
			spend: meter.Sum("noise", meter.Once(privacy.PureLoss(epsilon)))}, nil
	}
	rho, err := privacy.RhoFor(epsilon, delta)
	if err != nil {
		return noise{}, err
	}
	spend, err := meter.Composed("noise", delta, meter.Once(privacy.ConcentratedLoss(rho)))
	return noise{rho: rho, spend: spend}, err
}

const mostPieces = 4096

// NewPieces checks the parameters.
func NewPieces(p PiecesParams) (*Pieces, error) {
	switch {
	case !p.Epsilon.IsSet(): // H: pieces.md some-epsilon
		return nil, refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	case p.Most < 1 || p.Most > mostPieces: // H: pieces.md most
		return nil, refuse("most", strconv.Itoa(p.Most), "from 1 to %d", mostPieces)
	case len(p.Workloads) == 0 || len(p.Workloads) > 64: // H: pieces.md workloads
		return nil, refuse("workloads", strconv.Itoa(len(p.Workloads)), "from 1 to 64")
	case p.Most > 1 &&
		// H: pieces.md threshold
		(p.Threshold == nil || p.Threshold.Sign() <= 0 || p.Threshold.Cmp(big.NewRat(1, 1)) > 0):
		return nil, refuse("threshold", "outside", "above 0 and at most 1")
	}
	m := &Pieces{most: p.Most, threshold: p.Threshold, workloads: p.Workloads, signed: p.Signed,
		unit: meanBits}
	var err error
	if p.Most == 1 {
		if m.means, err = newNoise(p.Epsilon, p.Delta); err != nil {
			return nil, err
		}
		return m, m.price(privacy.Delta{})
	}
	half, slack := p.Epsilon.Part(1, 2), halfDelta(p.Delta)
	run, _, err := privacy.EachOf(uint64(p.Most-1), half, slack, privacy.PureLoss)
	if err != nil {
		return nil, err
	}
	if m.above, err = mechanism.NewAboveThreshold(mechanism.AboveThresholdParams{
		EpsilonThreshold: run.Part(1, 3), EpsilonQueries: run.Part(2, 3),
		Sensitivity: m.sensitivity()}); err != nil {
		return nil, err
	}
	if m.means, err = newNoise(half, slack); err != nil {
		return nil, err
	}
	return m, m.price(slack)
}

// price adds what the tests compose to at delta and what the means cost.
func (m *Pieces) price(delta privacy.Delta) error {
	parts := []meter.Part{meter.Once(m.means.spend.Loss)}
	if m.above != nil {
		run, err := m.above.Loss(1)
		if err != nil {
			return err
		}
		if m.tests, err = meter.Composed("tests of marginals", delta,
			meter.Each(run, uint64(m.most-1))); err != nil {
			return err
		}
		parts = append(parts, meter.Once(m.tests.Loss))
	}
	m.spend = meter.Sum("decomposition into pieces", parts...)
	return nil
}

func halfDelta(delta privacy.Delta) privacy.Delta {
	half, err := privacy.NewDelta(new(big.Rat).Quo(delta.Rat(), big.NewRat(2, 1)))
	if err != nil {
		panic("query: internal error: half of a δ is none")
	}
	return half
}

func (m *Pieces) sensitivity() uint64 {
	if m.signed {
		return 2
	}
	return 1
}

// Loss returns the loss of tests and means together.
func (m *Pieces) Loss(d privacy.Distance) (privacy.Loss, error) { return m.spend.Loss.Group(d) }

// TestError returns an M such that, with probability at least 1 − beta, all tests on d elements are
// right about marginals that are further than M persons from the threshold.
func (m *Pieces) TestError(beta float64, d int) int64 {
	if m.above == nil {
		return 0
	}
	passes := int(m.sensitivity())
	return m.above.ErrorBound(beta/float64(m.most-1), m.most*d*passes)
}

// Release splits and measures. step may be nil; it is called for tests only.
func (m *Pieces) Release(src coin.Source, people People, step coin.Step) (*Release, error) {
	if err := m.fits(people); err != nil {
		return nil, err
	}
	src = meter.Within(src, m.spend)
	pieces, err := m.split(src, people, step, nil)
	if err != nil {
		return nil, err
	}
	return m.measure(src, people, pieces, step)
}

// ReleasePieces releases the pieces alone, without their means, for the part of the loss that the
// tests spend: SplitLoss. step may be nil; it is called for tests.
func (m *Pieces) ReleasePieces(src coin.Source, people People,
	step coin.Step) (Decomposition, error) {
	if err := m.fits(people); err != nil {
		return nil, err
	}
	return m.split(src, people, step, nil)
}

// SplitLoss returns the loss of the tests, for ReleasePieces; nothing where there is one piece.
func (m *Pieces) SplitLoss(d privacy.Distance) (privacy.Loss, error) {
	if m.tests == nil {
		return privacy.Loss{}, nil
	}
	return m.tests.Loss.Group(d)
}

func (m *Pieces) fits(people People) error {
	if people.MarginalSensitivity() > m.sensitivity() { // H: pieces.md signed
		return refuse("signed", "false", "true: these persons add signed marginals")
	}
	for _, w := range m.workloads {
		if err := w.check(people.Size()); err != nil { // H: pieces.md workloads
			return err
		}
	}
	return nil
}

// split makes the pieces: it starts a new sparse vector after each positive test, until there are
// most pieces. seen, which only Watch gives, is called with each test.
func (m *Pieces) split(src coin.Source, people People, step coin.Step,
	seen func(Test)) (Decomposition, error) {
	s := newSplitter(people.Size(), people.Passes(), m.most)
	if s.full() {
		return s.pieces, nil
	}
	src = meter.Within(src, m.tests)
	least := m.least(people.Persons())
	run := m.above.Start(src, least)
	// the marginals of each piece, which last as long as the piece is tested from the same set
	var known map[int][]int64
	for x, pass := range s.elements() {
		if x == 0 {
			known = map[int][]int64{}
		}
		if step != nil {
			if err := step(int64(pass*s.size+x), int64(s.passes*s.size)); err != nil {
				return nil, err
			}
		}
		for i, p := range s.open(x) {
			marginals, ok := known[i]
			if !ok {
				marginals = people.Marginals(p, pass)
				known[i] = marginals
			}
			yes, err := run.Above(marginals[x])
			if err != nil {
				return nil, err // unreachable: a run that has answered is replaced
			}
			if seen != nil {
				seen(Test{i, x, marginals[x], least, yes})
			}
			if !yes {
				continue
			}
			s.split(i, x, pass)
			if s.full() {
				return s.pieces, nil
			}
			run = m.above.Start(src, least)
		}
	}
	return s.pieces, nil
}

// least is the smallest count above the threshold.
func (m *Pieces) least(persons int) int64 {
	count := new(big.Rat).Mul(m.threshold, new(big.Rat).SetInt64(int64(persons)))
	return new(big.Int).Div(count.Num(), count.Denom()).Int64() + 1
}

// measure gives each piece its noisy mean for each workload that has sets in it.
func (m *Pieces) measure(src coin.Source, people People, pieces Decomposition,
	step coin.Step) (*Release, error) {
	var sums []int64
	for _, w := range m.workloads {
		for _, p := range pieces {
			if l, ok := w.on(p, people.Size()); ok {
				l.unit = m.unit
				sums = append(sums, people.mean(l))
			}
		}
	}
	noisy, stdDev, err := m.means.add(src, sums, len(sums), 1<<m.unit, step)
	if err != nil {
		return nil, err
	}
	kind := Disjunctions
	if m.signed {
		kind = Cuts
	}
	return &Release{Format: format, Method: ByPieces, Kind: kind, Size: people.Size(),
		Persons: people.Persons(), Loss: m.spend.Loss, Origin: src.Origin(),
		Pieces: pieces, Workloads: m.workloads, Means: noisy, Noise: stdDev}, nil
}

// ReleaseConjunctions releases the conjunctions of the records: a conjunction over a set is one
// minus the disjunction of the complements.
func (m *Pieces) ReleaseConjunctions(src coin.Source, records *Records,
	step coin.Step) (*Release, error) {
	release, err := m.Release(src, Coverage{records.Complement()}, step)
	if err == nil {
		release.Kind = Conjunctions
	}
	return release, err
}

// PiecesAdvice returns a number of pieces and a threshold for n persons, d elements and ε, from
// public facts only: as many pieces as keep the error of a test below half the threshold and the
// noise of a mean below a hundredth, both as if there were no δ.
func PiecesAdvice(persons, size int, epsilon privacy.Epsilon,
	workloads int) (most int, threshold *big.Rat) {
	threshold = big.NewRat(1, 4)
	most = 1
	for next := 2; next <= 64; next *= 2 {
		m, err := NewPieces(
			PiecesParams{Epsilon: epsilon, Most: next, Threshold: threshold,
				Workloads: make([]Workload, 1)})
		if err != nil || float64(m.TestError(0.05, size)) > float64(persons)/8 ||
			math.Sqrt2*2*float64(next*workloads) > epsilon.Float64()*float64(persons)/100 {
			break
		}
		most = next
	}
	return most, threshold
}
