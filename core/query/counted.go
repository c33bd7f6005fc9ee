package query

import (
	"fmt"
	"math/big"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// CountedParams are the parameters of Counted.
type CountedParams struct {
	Oracle OracleParams // its Queries are k, means included; Unit must be 0

	// Alpha is the Lipschitz constant asked of the pieces, as a part of all persons. Above 0, at
	// most 1; required.
	Alpha *big.Rat

	// Rule is the threshold rule. Required.
	Rule Rule

	// Workloads are the distributions of queries, at least one: each piece has a mean for each that
	// draws from it. Required.
	Workloads []Workload
}

// A Counted release is made by Algorithm 6 as printed in the paper: every test compares two answers
// of a statistical-query oracle. Pieces does the same for much less privacy loss.
//
// # Guarantee
//
// That of the [Oracle]: k is a cap that also holds the means back, whatever the noise does. Proof:
// pieces.md.
//
// # Errors
//
// [*param.Error] (those of Oracle, alpha, rule) from the constructor, (workload) from Release.
//
// # Cost and accuracy
//
// One pass over the persons for each of k queries. The Lipschitz bound holds if all answers are
// within Tolerance·α: [Oracle.ErrorBound].
//
// # Reference
//
// Gupta, Hardt, Roth, Ullman, 2011, Algorithm 6. Differs: the mean of a piece is one statistical
// query, not a sample of values; when the queries run short, further tests count as negative.
type Counted struct {
	oracle    *Oracle
	alpha     *big.Rat
	rule      Rule
	workloads []Workload
	unit      uint // meanBits, less in audits
}

var _ mechanism.Mechanism = (*Counted)(nil)

// NewCounted checks the parameters.
func NewCounted(p CountedParams) (*Counted, error) {
	switch {
	// H: pieces.md threshold
	case p.Alpha == nil || p.Alpha.Sign() <= 0 || p.Alpha.Cmp(big.NewRat(1, 1)) > 0:
		return nil, refuse("alpha", "outside", "above 0 and at most 1")
	case p.Rule.Include == nil || p.Rule.Tolerance == nil:
		return nil, refuse("rule", "none", "a threshold rule")
	case len(p.Workloads) == 0:
		return nil, refuse("workload", "none", "at least one")
	case p.Oracle.Queries < len(p.Workloads):
		return nil, refuse("queries", fmt.Sprint(p.Oracle.Queries),
			"at least one for each workload")
	case p.Oracle.Unit != 0:
		return nil, refuse("unit", fmt.Sprint(p.Oracle.Unit), "none: the unit is that of the means")
	}
	p.Oracle.Unit = meanUnit
	oracle, err := NewOracle(p.Oracle)
	return &Counted{oracle, p.Alpha, p.Rule, p.Workloads, meanBits}, err
}

// Oracle returns the oracle that is asked.
func (m *Counted) Oracle() *Oracle { return m.oracle }

// Loss returns the loss of the oracle.
func (m *Counted) Loss(d privacy.Distance) (privacy.Loss, error) { return m.oracle.Loss(d) }

// Release makes the pieces of disjunctions of the records.
func (m *Counted) Release(src coin.Source, records *Records, step coin.Step) (*Release, error) {
	for _, w := range m.workloads {
		if err := w.check(records.Size()); err != nil {
			return nil, err
		}
	}
	c := Coverage{records}
	answers := m.oracle.Start(src, c.Persons())
	// The truth is from 0 to n, and answers are brought there, which is post-processing.
	ask := func(name string, value func(person int) uint64) (int64, error) {
		answer, err := answers.Ask(name, value)
		return within(answer, c.Persons()<<m.unit), err
	}
	disjunction := func(s Set) (int64, error) {
		return ask("f"+s.key(), func(person int) uint64 {
			if c.Row(person).Meets(s) {
				return 1 << m.unit
			}
			return 0
		})
	}
	include := new(big.Rat).Mul(m.rule.Include, m.alpha)
	include.Mul(include, new(big.Rat).SetInt64(int64(c.Persons())<<m.unit))
	s := newSplitter(c.Size(), 1, 0)
	for x := range s.elements() {
		if step != nil {
			if err := step(int64(x), int64(s.size)); err != nil {
				return nil, err
			}
		}
		for i, p := range s.open(x) {
			// Two answers may be new, and afterwards each piece, one more if x splits, needs its
			// means.
			if answers.Left() < 2+(len(s.pieces)+1)*len(m.workloads) { // H: pieces.md held-back
				break
			}
			from, err := disjunction(p.In)
			if err != nil {
				return nil, err // unreachable: there are queries left
			}
			to, err := disjunction(p.In.With(x))
			if err != nil {
				return nil, err // unreachable: there are queries left
			}
			if new(big.Rat).SetInt64(to-from).Cmp(include) > 0 {
				s.split(i, x, 0)
			}
		}
	}
	release := &Release{Format: format, Method: ByPieces, Kind: Disjunctions, Size: c.Size(),
		Persons: c.Persons(), Loss: m.oracle.spend.Loss, Origin: src.Origin(),
		Pieces: s.pieces, Workloads: m.workloads,
		Noise: m.oracle.laplace.StdDev() / meanUnit}
	for k, w := range m.workloads {
		for i, p := range s.pieces {
			l, ok := w.on(p, c.Size())
			if !ok {
				continue
			}
			l.unit = m.unit
			mean, err := ask(fmt.Sprintf("mean %d of %d", i, k), func(person int) uint64 {
				return c.meanOf(l, person)
			})
			if err != nil {
				return nil, err // unreachable if k is enough: queries were kept for each piece
			}
			release.Means = append(release.Means, mean)
		}
	}
	return release, nil
}

// ReleaseConjunctions releases the conjunctions of the records, as Pieces does.
func (m *Counted) ReleaseConjunctions(src coin.Source, records *Records,
	step coin.Step) (*Release, error) {
	release, err := m.Release(src, records.Complement(), step)
	if err == nil {
		release.Kind = Conjunctions
	}
	return release, err
}
