package classify

import (
	"math/big"
	"strconv"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// StableVotesParams are the parameters of StableVotes. Either Epsilon, or both bases.
type StableVotesParams struct {
	// Epsilon and Delta are the privacy loss granted for all answers together. Delta is above 0;
	// required.
	Epsilon privacy.Epsilon
	Delta   privacy.Delta

	// BaseThreshold and BaseQueries are the bases of the noises, in place of Epsilon: the loss is
	// then Unstable·Changes·(ln BaseThreshold + 2·ln BaseQueries), and all of Delta is for false
	// stability.
	BaseThreshold, BaseQueries coin.Base

	// Queries is how many cases may be asked for. Required.
	Queries uint64

	// Unstable is how many of them may turn out unstable before there are no more answers. From 1
	// to Queries; required.
	Unstable uint64

	// Changes is how many rules can change at most when one person is replaced (H: stable.md
	// changes), each a function of the persons dealt to it alone, by a deal that does not look at
	// them (H: stable.md own-persons); 0 stands for 1.
	Changes uint64
}

// StableVotes answers cases by the majority of rules learned from different persons, as long as
// many rules would have to change to turn it: stable answers are free, unstable ones are counted
// (the sparse vector technique over the distance to instability).
//
// # Guarantee
//
// (ε, δ)-DP for the answers to all cases together, which may depend on earlier answers, for
// neighbours between which at most Changes rules change, and what they say in any way. Loss is what
// is proven. Proof: stable.md.
//
// # Input and output
//
// An odd number of rules, secret; cases, public. Each answer is stable with the majority's label,
// or unstable with a label drawn at random; after Unstable unstable answers, or Queries in all,
// there are none.
//
// # Errors
//
// [*param.Error] (epsilon, delta, base…, queries, unstable, changes) from the constructor, (rules)
// from Start, (case) from Answer; ErrNoMore from Answer.
//
// # Cost and accuracy
//
// One coin per case beside the rules' answers. A case on which at least Needed(β) of k more rules
// agree than not is answered, and right, but for a probability β in all.
//
// # Reference
//
// Bassily, Thakurta, Thakkar, "Model-Agnostic Private Learning", 2018; Smith, Thakurta, 2013.
// Differs: the distance is half the margin, so that it has sensitivity 1; discrete noise with its
// own tails; the cut-off is reached after exactly Unstable unstable answers.
type StableVotes struct {
	above    *mechanism.AboveThreshold
	gamma    int64 // distances that reach it are stable, but for the noise
	queries  uint64
	unstable uint64
	changes  int64
	runs     *meter.Spend // of the sparse vector, one for each unstable answer
	spend    *meter.Spend
}

// NewStableVotes checks the parameters, divides ε among Unstable runs of the sparse vector
// technique and finds the smallest threshold.
func NewStableVotes(p StableVotesParams) (*StableVotes, error) {
	const most = 1 << 32
	changes := max(p.Changes, 1)
	switch {
	case p.Delta.IsZero(): // H: stable.md delta
		return nil, refuse("delta", "0",
			"a number above 0 and below 1: an unstable majority may pass for a stable one")
	case p.Queries == 0 || p.Queries > most: // H: stable.md cases
		return nil, refuse("queries", strconv.FormatUint(p.Queries, 10), "from 1 to 2^32")
	case p.Unstable == 0 || p.Unstable > p.Queries: // H: stable.md cases
		return nil, refuse("unstable", strconv.FormatUint(p.Unstable, 10),
			"from 1 to the number of queries, %s", strconv.FormatUint(p.Queries, 10))
	case changes > 1<<20: // H: stable.md changes-size
		return nil, refuse("changes", strconv.FormatUint(changes, 10), "at most 2^20")
	}
	m := &StableVotes{queries: p.Queries, unstable: p.Unstable, changes: int64(changes)}
	parameters := mechanism.AboveThresholdParams{
		Sensitivity: changes, BaseThreshold: p.BaseThreshold, BaseQueries: p.BaseQueries}
	passing, slack := p.Delta, privacy.Delta{} // for false stability, and for composing runs
	if p.Epsilon.IsSet() {
		slack = partOf(p.Delta, big.NewRat(1, 2))
		if p.Unstable == 1 {
			slack = privacy.Delta{}
		}
		each, rule, err := privacy.EachOf(p.Unstable, p.Epsilon, slack, privacy.PureLoss)
		if err != nil {
			return nil, err
		}
		if rule == privacy.Basic {
			slack = privacy.Delta{}
		}
		parameters.EpsilonThreshold, parameters.EpsilonQueries = each.Part(5, 12), each.Part(7, 12)
		passing = partOf(
			p.Delta, new(big.Rat).Quo(new(big.Rat).Sub(p.Delta.Rat(), slack.Rat()), p.Delta.Rat()))
	}
	var err error
	if m.above, err = mechanism.NewAboveThreshold(parameters); err != nil {
		return nil, err
	}
	passed, err := m.findThreshold(changes, passing)
	if err != nil {
		return nil, err
	}
	return m, m.price(slack, passed)
}

// price adds what the runs compose to at delta and the chance that an unstable majority passes.
func (m *StableVotes) price(delta privacy.Delta, passed privacy.Loss) error {
	run, err := m.above.Loss(1)
	if err != nil {
		return err
	}
	if m.runs, err = meter.Composed("runs of a sparse vector", delta,
		meter.Each(run, m.unstable)); err != nil {
		return err
	}
	m.spend = meter.Sum("stable votes", meter.Once(m.runs.Loss), meter.Once(passed))
	return nil
}

// findThreshold finds the smallest threshold for which the noises of all queries stay below a first
// part of it, and those of all runs below the rest, each except for half of delta; and returns the
// δ that it comes to.
func (m *StableVotes) findThreshold(changes uint64, delta privacy.Delta) (passed privacy.Loss,
	err error) {
	part := func(noise mechanism.LaplaceNoise, times uint64) (privacy.Loss, error) {
		each := partOf(
			delta, new(big.Rat).SetFrac(oneInt, new(big.Int).Lsh(new(big.Int).SetUint64(times), 1)))
		test, err := mechanism.NewDistanceTest(
			mechanism.DistanceTestParams{Base: noise.Base(), Delta: each})
		if err != nil {
			return privacy.Loss{}, err
		}
		m.gamma += test.Threshold()
		tail, err := test.Loss(1)
		if err != nil {
			return privacy.Loss{}, err // unreachable: a distance test has a loss
		}
		return privacy.NewLoss(
			nil, new(big.Rat).Mul(tail.Delta(), new(big.Rat).SetInt(new(big.Int).SetUint64(times))))
	}
	onThreshold, onQuery := m.above.Noises()
	queries, err := part(onQuery, m.queries)
	if err != nil {
		return privacy.Loss{}, err
	}
	runs, err := part(onThreshold, m.unstable)
	if err != nil {
		return privacy.Loss{}, err
	}
	// A distance of changes − 1 passes for stable only if the noises, at most the two thresholds
	// less 2 together, make up for gamma + 1 − (changes − 1).
	m.gamma += int64(changes) - 3
	return queries.Plus(runs), nil
}

// Loss is (ε, δ) for one replaced person, d = 1, and group privacy beyond.
func (m *StableVotes) Loss(d privacy.Distance) (privacy.Loss, error) {
	return m.spend.Loss.Group(d)
}

// Needed returns a distance such that with probability at least 1 − beta all cases at that distance
// or above are answered as stable.
func (m *StableVotes) Needed(beta float64) int64 {
	return m.gamma + 1 + m.above.ErrorBound(beta/float64(m.unstable), int(m.queries))
}

// distance returns how many of k rules, k odd, would have to change before the majority can, where
// yes of them say yes.
func distance(yes, k int) int64 {
	margin := 2*yes - k
	return int64((max(margin, -margin) - 1) / 2)
}

// Answer is the answer to one case.
type Answer struct {
	Yes    bool // the label; drawn at random if not Stable
	Stable bool
}

// ErrNoMore is the error after the last case, or after the last unstable answer allowed. It depends
// only on answers already given.
var ErrNoMore error = phrase.Fault(
	"classify: no more answers: the cases asked for, or those that may be unstable, are used up")

// Ballot answers cases. It holds the rules, which are secret.
type Ballot struct {
	mechanism *StableVotes
	src       coin.Source
	runs      coin.Source
	rules     []Rule
	columns   int // of a case; 0: whatever the rules take
	run       *mechanism.Run
	asked     uint64
	unstable  uint64
}

// Start begins with the rules; if their number is even, the last is left out. Without any rule it
// is refused: *param.Error (rules). The number of rules is public.
func (m *StableVotes) Start(src coin.Source, rules []Rule) (*Ballot, error) {
	if len(rules) == 0 { // H: stable.md some-rule
		return nil, refuse("rules", 0, "at least one")
	}
	src = meter.Within(src, m.spend)
	return &Ballot{mechanism: m, src: src, runs: meter.Within(src, m.runs),
		rules: rules[:len(rules)-(len(rules)+1)%2]}, nil
}

// Left returns the numbers of cases and of unstable answers that are left.
func (b *Ballot) Left() (cases, unstable uint64) {
	return b.mechanism.queries - b.asked, b.mechanism.unstable - b.unstable
}

// Answer answers one case. A case without the columns of the class, where these are known, is
// refused and does not count: *param.Error (case).
func (b *Ballot) Answer(p Point) (Answer, error) {
	if err := checkCase(p, b.columns); err != nil {
		return Answer{}, err
	}
	return b.vote(b.count(p))
}

// checkCase refuses a case about which rules of this many columns cannot be asked; 0 means any
// number.
func checkCase(p Point, columns int) error {
	if columns > 0 && len(p) != columns {
		return refuse("case", phrase.Of("a case of %d values", len(p)), "%d: one for each feature",
			columns)
	}
	return nil
}

// count returns the number of rules that say yes.
func (b *Ballot) count(p Point) (yes int) {
	for _, r := range b.rules {
		if r.Says(p) {
			yes++
		}
	}
	return yes
}

// vote answers a case to which this many rules say yes.
func (b *Ballot) vote(yes int) (Answer, error) {
	if cases, unstable := b.Left(); cases == 0 || unstable == 0 {
		return Answer{}, ErrNoMore // H: stable.md ends
	}
	b.asked++
	if b.run == nil {
		b.run = b.mechanism.above.Start(b.runs, -b.mechanism.gamma)
	}
	stable := distance(yes, len(b.rules))
	unsure, err := b.run.Above(-stable)
	if err != nil {
		return Answer{}, err // unreachable: a run that has halted is not used again
	}
	if !unsure {
		if stable < b.mechanism.changes {
			// a neighbour may have the other majority
			meter.Rare(b.src, b.mechanism.spend)
		}
		return Answer{Yes: 2*yes > len(b.rules), Stable: true}, nil
	}
	b.unstable++
	b.run = nil
	return Answer{Yes: b.src.Uniform(2) == 1}, nil
}

// partOf returns a part of δ, from 0 to 1.
func partOf(delta privacy.Delta, share *big.Rat) privacy.Delta {
	part, err := privacy.NewDelta(new(big.Rat).Mul(delta.Rat(), share))
	if err != nil {
		panic("classify: internal error: " + err.Error()) // unreachable: a part of a δ is one
	}
	return part
}

var oneInt = big.NewInt(1) // never written to
