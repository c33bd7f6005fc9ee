package query

import (
	"math"
	"strconv"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// OracleParams are the parameters of Oracle.
type OracleParams struct {
	// Epsilon and Delta are the privacy loss granted for all answers together. With a Delta of 0
	// each answer has the share Epsilon/Queries; else the largest share that composes to (Epsilon,
	// Delta).
	Epsilon privacy.Epsilon
	Delta   privacy.Delta

	// Base is r itself, in place of Epsilon, where Delta is 0: each answer then costs Unit·ln r.
	Base coin.Base

	// Queries is k, the most different queries that are answered. At least 1; required.
	Queries int

	// Unit is the value of a statistical query that stands for 1: answers are sums over persons of
	// whole values from 0 to Unit. 0 stands for 1, which is enough for counts. At most 2^30.
	Unit uint64
}

// Oracle answers statistical queries, each the sum over all persons of a value from 0 to Unit, with
// discrete Laplace noise.
//
// # Guarantee
//
// Pure Epsilon-DP, or (Epsilon, Delta)-DP, for up to Queries different queries together, each
// chosen after seeing earlier answers, for neighbours that differ in one replaced person. A query
// asked again gets the same answer, and is free; one too many gets none. Proof: oracle.md.
//
// # Input and output
//
// For each query a name and each person's value; the answer is in units of 1/Unit persons and may
// be negative.
//
// # Errors
//
// [*param.Error] (epsilon, base, queries, unit) from the constructor; ErrExhausted from Ask.
//
// # Cost and accuracy
//
// n values and one draw for each query. With probability 1 − β all answers are within
// ErrorBound(β).
//
// # Reference
//
// Gupta, Hardt, Roth, Ullman, "Privately Releasing Conjunctions and the Statistical Query Barrier",
// 2011, Proposition 2.1. Differs: discrete noise, and the better of basic, optimal and concentrated
// composition.
type Oracle struct {
	laplace *mechanism.Laplace
	queries int
	unit    uint64
	spend   *meter.Spend
}

var _ mechanism.Mechanism = (*Oracle)(nil)

// largestUnit keeps sums over 2^31 persons within int64.
const largestUnit = 1 << 30

// NewOracle checks the parameters.
func NewOracle(p OracleParams) (*Oracle, error) {
	if p.Queries < 1 { // H: oracle.md some-query
		return nil, refuse("queries", strconv.Itoa(p.Queries), "at least 1")
	}
	if p.Unit = max(p.Unit, 1); p.Unit > largestUnit { // H: oracle.md unit
		return nil, refuse("unit", strconv.FormatUint(p.Unit, 10), "at most 2^30")
	}
	each := mechanism.LaplaceParams{Base: p.Base, L1Sensitivity: p.Unit}
	if p.Epsilon.IsSet() {
		var err error
		if each.Epsilon, _,
			err = privacy.EachOf(uint64(p.Queries), p.Epsilon, p.Delta,
			privacy.PureLoss); err != nil {
			return nil, err
		}
	}
	laplace, err := mechanism.NewLaplace(each)
	if err != nil {
		return nil, err
	}
	o := &Oracle{laplace: laplace, queries: p.Queries, unit: p.Unit}
	one, err := laplace.Loss(1)
	if err != nil {
		return nil, err // unreachable: a mechanism has a loss
	}
	o.spend, err = meter.Composed("answers", p.Delta, meter.Each(one, uint64(p.Queries)))
	return o, err
}

// Loss returns the loss of all answers together.
func (o *Oracle) Loss(d privacy.Distance) (privacy.Loss, error) { return o.spend.Loss.Group(d) }

// ErrorBound returns the smallest t such that with probability at least 1 − beta no answer is off
// by more than t persons.
func (o *Oracle) ErrorBound(beta float64) float64 {
	return float64(o.laplace.SimultaneousErrorBound(beta, o.queries)) / float64(o.unit)
}

// Needs returns a number of persons for which all answers, as shares, are within tau except with
// probability beta: Proposition 2.1.
func (o *Oracle) Needs(tau, beta float64) float64 { return math.Ceil(o.ErrorBound(beta) / tau) }

// Answers are the answers that an [Oracle] has given about one data set.
type Answers struct {
	oracle  *Oracle
	src     coin.Source
	persons int
	known   map[string]int64
}

// Start begins to answer questions about a data set of that many persons.
func (o *Oracle) Start(src coin.Source, persons int) *Answers {
	return &Answers{oracle: o, src: meter.Within(src, o.spend), persons: persons,
		known: map[string]int64{}}
}

// ErrExhausted is an oracle's answer to a query beyond its number. It depends only on the names of
// the queries.
var ErrExhausted error = phrase.Fault("query: all queries of this oracle are spent")

// Left returns the number of queries that can still be answered.
func (a *Answers) Left() int { return a.oracle.queries - len(a.known) }

// Ask returns the noisy sum of value(person) over all persons; the value must be computed from that
// person's data alone (H: oracle.md own-value). Values above Unit count as Unit. The name
// identifies the query: equal names are one query, asked once.
func (a *Answers) Ask(name string, value func(person int) uint64) (int64, error) {
	if answer, ok := a.known[name]; ok { // H: oracle.md once
		return answer, nil
	}
	if a.Left() == 0 { // H: oracle.md cap
		return 0, ErrExhausted
	}
	sum := int64(0)
	for person := range a.persons {
		sum += int64(min(value(person), a.oracle.unit)) // H: oracle.md cut
	}
	noisy, err := a.oracle.laplace.Release(a.src, []int64{sum}, nil)
	if err != nil {
		return 0, err // unreachable: no step, no error
	}
	a.known[name] = noisy[0]
	return noisy[0], nil
}
