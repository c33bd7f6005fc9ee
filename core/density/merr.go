package density

import (
	"fmt"
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Rule says how [MERR] looks for the place where its approximation is worst.
type Rule string

const (
	// Prefix compares the numbers of persons up to a value, for all values: pure DP, and the one to
	// use (F3).
	Prefix Rule = "prefix"

	// Capped compares the numbers of persons in dyadic intervals that have some, and counts no
	// interval for more than its persons: (ε, δ)-DP with an error that grows only with the
	// logarithm of the number of bits (F2).
	Capped Rule = "capped"

	// Intervals compares the numbers of persons in all dyadic intervals: pure DP (F1).
	Intervals Rule = "intervals"
)

// MERRParams are the parameters of MERR.
type MERRParams struct {
	// Epsilon and Delta are the privacy loss granted for one replaced person. Delta may be 0, but
	// for Capped; with it rounds compose to less.
	Epsilon privacy.Epsilon
	Delta   privacy.Delta

	// Size is the number of values of the domain. Required.
	Size *big.Int

	// Persons is n, the public number of persons with or without a value. From 1 to 2^40; required.
	Persons uint64

	// Rule is how the worst place is found; empty stands for Prefix.
	Rule Rule

	// Rounds is T, from 1 to 256; 0 stands for a number chosen from the other parameters.
	Rounds int

	// Recount is the part of ε, in sixteenths, for counting all persons between the points found
	// once more at the end. From 0 to 15.
	Recount int

	// Beta is the probability with which the bands may miss; 0 stands for 0.05.
	Beta float64
}

// MERR learns a distribution by the maximum error rule: each round finds a place where the
// approximation so far is badly off, measures there, and draws a straight line between all places
// measured.
//
// # Guarantee
//
// (ε, δ)-DP for neighbours that differ in one replaced person, n public; pure but for Capped or
// where Delta is above 0. Proof: merr.md.
//
// # Input and output
//
// Sorted codes below Size, of as many bits as Size − 1, each as often as it occurs; persons without
// a value have none. A [Distribution].
//
// # Errors
//
// [*param.Error] (epsilon, delta, size, persons, rule, rounds, recount, beta) from the constructor,
// (codes) from Release for codes of another number of bits; else what step returns.
//
// # Cost and accuracy
//
// After sorting a few thousand binary searches a round: parts of the domain are looked at closely
// only where the draw may end (lazy.md). Intervals looks at many more. Noise on one point has scale
// T/ε and more, so that more rounds help only with more persons.
//
// # Reference
//
// Diakonikolas, Hardt, Schmidt, "Differentially Private Learning of Structured Discrete
// Distributions", 2015, Figure 2. Differs: as printed it is not private (merr.md); exact draws,
// noise for all rounds, repaired after each.
type MERR struct {
	size    *big.Int
	bits    int
	persons int64
	rule    Rule
	rounds  int
	beta    float64
	epsilon privacy.Epsilon // of all

	base    coin.Base               // of the choices, as priced
	stable  *mechanism.StableChoice // which has that base, for Capped
	noise   *mechanism.Laplace      // on what is measured in a round
	recount *mechanism.Laplace      // nil: none
	choice  *meter.Spend            // of one choice
	round   *meter.Spend            // of a choice and its noise
	inTurn  *meter.Spend            // of all rounds
	spend   *meter.Spend
	exact   bool // for audits
}

var _ Learner = (*MERR)(nil)

// NewMERR checks the parameters and divides the budget.
func NewMERR(p MERRParams) (*MERR, error) {
	if err := checkCommon(p.Epsilon, p.Size, p.Persons, p.Beta); err != nil {
		return nil, err
	}
	if p.Rule == "" {
		p.Rule = Prefix
	}
	switch {
	case p.Rule != Prefix && p.Rule != Capped && p.Rule != Intervals: // H: merr.md rule
		return nil, refuse("rule", string(p.Rule), `"prefix", "capped" or "intervals"`)
	case p.Rule == Capped && p.Delta.IsZero(): // H: merr.md delta
		return nil, refuse("delta", "0",
			"a number above 0 and below 1: this rule has no guarantee without a δ")
	case p.Rule == Intervals && bitsOf(p.Size) > 64: // H: merr.md rule
		return nil, refuse("rule", string(p.Rule),
			"another rule: this one is for domains of at most 2^64 values")
	case p.Rounds < 0 || p.Rounds > maxRounds: // H: merr.md rounds
		return nil, refuse("rounds", fmt.Sprint(p.Rounds), "0 to %d", maxRounds)
	case p.Recount < 0 || p.Recount >= sixteenths: // H: merr.md recount
		return nil, refuse("recount", fmt.Sprint(p.Recount), "0 to 15 sixteenths of ε")
	}
	if p.Rounds == 0 {
		p.Rounds = p.rounds()
	}
	m := &MERR{size: new(big.Int).Set(p.Size), bits: bitsOf(p.Size), persons: int64(p.Persons),
		rule: p.Rule, rounds: p.Rounds, beta: betaOr(p.Beta), epsilon: p.Epsilon}
	return m, m.divide(p)
}

const (
	maxRounds  = 256
	sixteenths = 16
)

// divide gives a part of ε to the recount, and of each round's part half to the choice and half to
// the measurement. For Capped half of δ pays for the choices and half for composing the rounds;
// otherwise all of δ pays for composing.
func (m *MERR) divide(p MERRParams) error {
	inRounds, err := p.Epsilon, error(nil)
	if p.Recount > 0 {
		inRounds = p.Epsilon.Part(int64(sixteenths-p.Recount), sixteenths)
		m.recount, err = mechanism.NewLaplace(
			mechanism.LaplaceParams{Epsilon: p.Epsilon.Part(int64(p.Recount), sixteenths),
				L1Sensitivity: 2, LargestMove: 1})
		if err != nil {
			return err
		}
	}
	slack, ofChoices := p.Delta, privacy.Delta{}
	if p.Rule == Capped {
		half := p.Delta.Rat()
		half.Quo(half, big.NewRat(2, 1))
		if slack, err = privacy.NewDelta(half); err != nil {
			return err
		}
		if ofChoices,
			err = privacy.NewDelta(
			new(big.Rat).Quo(half, big.NewRat(int64(m.rounds), 1))); err != nil {
			return err
		}
	}
	round, _, err := privacy.EachOf(uint64(m.rounds), inRounds, slack, m.roundLoss)
	if err != nil {
		return err
	}
	half := round.Part(1, 2)
	noise, err := mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: half, L1Sensitivity: m.moves(), LargestMove: 1})
	if err != nil {
		return err
	}
	if err := m.complete(half, coin.Base{}, ofChoices, noise); err != nil {
		return refuse("epsilon", p.Epsilon.String(), "a larger ε for this many rounds")
	}
	return m.price(p.Delta)
}

// roundLoss returns the loss of a choice and of the measurements after it, which together have ε;
// m.moves numbers move by 1 each.
func (m *MERR) roundLoss(epsilon privacy.Epsilon) privacy.Loss {
	half := epsilon.Part(1, 2)
	measured := privacy.PureLoss(half.Part(1, int64(m.moves())))
	return privacy.ChoiceLoss(half).
		Plus(privacy.Several{Loss: measured, Times: m.moves()}.Sum())
}

// moves returns how many of the numbers measured in a round one replaced person changes: one
// number, or the numbers in disjoint regions.
func (m *MERR) moves() uint64 {
	if m.rule == Prefix {
		return 1
	}
	return 2
}

// complete sets the mechanisms of a round. The choice has epsilon or, for audits, the base given.
func (m *MERR) complete(epsilon privacy.Epsilon, base coin.Base, delta privacy.Delta,
	noise *mechanism.Laplace) (err error) {
	m.noise = noise
	var choice interface {
		mechanism.Mechanism
		Base() coin.Base
	}
	if m.rule == Capped {
		m.stable, err = mechanism.NewStableChoice(
			mechanism.StableChoiceParams{Epsilon: epsilon, Base: base, Delta: delta,
				Newcomers: uint64(m.bits) + 1})
		choice = m.stable
	} else {
		choice, err = mechanism.NewExponential(
			mechanism.ExponentialParams{Epsilon: epsilon, Base: base, Sensitivity: 1})
	}
	if err != nil {
		return err
	}
	m.base = choice.Base()
	chosen, err := choice.Loss(1)
	m.choice = &meter.Spend{Name: "choice of the worst place", Loss: chosen,
		Claim: meter.Claim{People: 1}}
	return err
}

// price adds the price to which the rounds compose at delta and the price of the recount.
func (m *MERR) price(delta privacy.Delta) error {
	measured, err := m.noise.Loss(1)
	if err != nil {
		return err
	}
	m.round = meter.Sum("round", meter.Once(m.choice.Loss), meter.Once(measured))
	if m.inTurn, err = meter.Composed("rounds", delta,
		meter.Each(m.round.Loss, uint64(m.rounds))); err != nil {
		return err
	}
	parts := []meter.Part{meter.Once(m.inTurn.Loss)}
	if m.recount != nil {
		again, err := m.recount.Loss(1)
		if err != nil {
			return err
		}
		parts = append(parts, meter.Once(again))
	}
	m.spend = meter.Sum("MERR", parts...)
	return nil
}

// Exact returns a copy that looks at every candidate before it chooses, with the same law, in a
// bounded number of coins: for exact laws of tiny domains. A choice of Release may start again, at
// random, so enumerating its coins would never end.
func (m *MERR) Exact() *MERR {
	exact := *m
	exact.exact = true
	return &exact
}

// Name returns "MERR" and the rule.
func (m *MERR) Name() phrase.Phrase { return phrase.Of("MERR, %s", string(m.rule)) }

// Loss is (ε, δ) for d = 1, and group privacy beyond.
func (m *MERR) Loss(d privacy.Distance) (privacy.Loss, error) { return m.spend.Loss.Group(d) }

// Forecast returns what is known beforehand.
func (m *MERR) Forecast() Forecast {
	cells := m.rounds + 1
	if m.rule == Capped {
		cells = 3*m.rounds + 1
	} else if m.rule == Intervals {
		cells = 2*m.rounds + 1
	}
	n := float64(m.persons)
	f := Forecast{Cells: cells, Within: m.pointBound(), Anywhere: n,
		Typical: typicalRounds(m.epsilon.Float64(), n)}
	if m.recount != nil {
		f.Within = countedWithin(m.recount, cells, m.beta)
	}
	return f
}

// Release learns the distribution.
func (m *MERR) Release(src coin.Source, codes domain.Sorted,
	step coin.Step) (*Distribution, error) {
	return m.run(src, codes, step, nil)
}

// run is Release; seen, which only Watch gives, is called with each round.
func (m *MERR) run(src coin.Source, codes domain.Sorted, step coin.Step,
	seen func(Round)) (*Distribution, error) {
	if err := checkCodes(codes, m.bits); err != nil {
		return nil, err
	}
	src = meter.Within(src, m.spend)
	rounds := meter.Within(src, m.inTurn)
	a := newApproximation(m.size, m.persons)
	state := &learning{MERR: m, codes: codes, a: a}
	for done := range m.rounds {
		if step != nil {
			if err := step(int64(done), int64(m.rounds)); err != nil {
				return nil, err
			}
			state.pause = func() error { return step(int64(done), int64(m.rounds)) }
		}
		at, noisy, err := state.round(meter.Within(rounds, m.round))
		if err != nil {
			return nil, err
		}
		if seen != nil {
			seen(state.told(at, noisy))
		}
	}
	if m.recount != nil {
		return countCells(src, m.recount, a.at, codes, m.persons, m.beta, m.Name())
	}
	masses := make([]float64, len(a.at)-1)
	for i := range masses {
		masses[i] = float64(a.value[i+1] - a.value[i])
	}
	d := newDistribution(a.at, masses, float64(m.persons), m.Name())
	d.band = m.bandOf(a)
	return d, nil
}

// bandOf returns the band through the points measured; before any other, the end of the domain is
// one of them. Beyond these points only that numbers rise is known.
func (m *MERR) bandOf(a *approximation) *band {
	var at []*big.Int
	var value []float64
	for i, times := range a.times {
		if times > 0 {
			at, value = append(at, a.at[i]), append(value, float64(a.value[i]))
		}
	}
	return newBand(at, value, m.pointBound()+1, float64(m.persons)) // means are rounded down
}

// pointBound returns a number of persons by which, with probability 1 − Beta, no measured point is
// off.
func (m *MERR) pointBound() float64 {
	each := 1.0
	if m.rule != Prefix {
		each = 3 // sums of up to three
	}
	return each * float64(m.noise.SimultaneousErrorBound(m.beta, m.rounds*int(each)))
}

// learning is a run of MERR.
type learning struct {
	*MERR
	codes  domain.Sorted
	a      *approximation
	places []part[place] // kept for their counts
	nodes  []part[node]  // the same, but of Intervals
	room   room[place]
	rest   room[node]
	pause  func() error
}

// round is one round: choose, measure, repair. It returns the places measured, none for ⊥, and the
// results.
func (l *learning) round(src coin.Source) (at []*big.Int, noisy []int64, err error) {
	if at, err = meter.Draw(src, l.choice, l.people, l.worst); err != nil || at == nil {
		return nil, nil, err
	}
	if noisy, err = l.noise.Release(src, l.regions(at), nil); err != nil {
		return nil, nil, err
	}
	sum := int64(0)
	for i, b := range at {
		sum += noisy[i]
		l.a.measured(b, sum)
	}
	l.a.repair()
	return at, noisy, nil
}

// people lists the codes, which a choice looks at.
func (l *learning) people() meter.Input {
	list := make([]string, l.codes.Len())
	for i := range list {
		list[i] = l.codes.Number(i).Text(36)
	}
	return meter.Input{People: list}
}

// regions returns the numbers of codes in the disjoint regions that end at the boundaries.
func (l *learning) regions(at []*big.Int) []int64 {
	counts := make([]int64, len(at))
	before := 0
	for i, b := range at {
		below, _ := l.codes.Rank(b)
		counts[i] = int64(below - before)
		before = below
	}
	return counts
}

// worst chooses where to measure: boundaries, ascending, above 0 and within the domain. No boundary
// means ⊥.
func (l *learning) worst(src coin.Source) ([]*big.Int, error) {
	if l.rule == Prefix {
		if l.places == nil {
			l.places = []part[place]{newPlaces(l.codes, l.a)}
		} else {
			reread(l.places)
		}
		found, _, err := chooser[place]{l.base, l.near(), l.exact, &l.room}.choose(
			src, l.places, nil, l.pause)
		return l.boundaries(found), err
	}
	d := &dyadic{l.codes, l.a, l.rule == Capped}
	if l.nodes == nil || !d.capped {
		l.nodes = d.candidates()
	} else {
		reread(l.nodes)
	}
	v, chosen, err := chooser[node]{l.base, l.near(), l.exact, &l.rest}.choose(src, l.nodes,
		l.bottom(), l.pause)
	if err != nil || !chosen {
		return nil, err
	}
	return l.ends(d, v), nil
}

// boundaries returns the places where a round measures once it has chosen one.
func (l *learning) boundaries(found place) []*big.Int { return []*big.Int{found.b} }

// near says how closely a choice looks at parts. Looking closer at a part costs about as much as a
// draw among three. With many persons there are thousands of parts: rather than split that many, a
// draw may be repeated, up to e^3 times, and 20 rounds on 10^5 persons take less than half the time
// (BenchmarkAfterSort). With few persons, seeds give what they always gave.
func (m *MERR) near() float64 {
	if m.persons < 1<<15 {
		return 1
	}
	return 3
}

// bottom returns ⊥ as an outcome of the choice, where there is one.
func (l *learning) bottom() *nothing {
	if l.stable == nil {
		return nil
	}
	score, many, unit := l.stable.Nothing()
	return &nothing{score, many, unit}
}

// ends returns the boundaries at the ends of a node, and between its children where these affect
// its score.
func (l *learning) ends(d *dyadic, v node) (at []*big.Int) {
	if v.depth < 0 {
		return []*big.Int{l.size}
	}
	bounds := []*big.Int{v.first, d.end(v)}
	if d.capped && v.depth < l.bits {
		left, _ := d.children(v)
		bounds = []*big.Int{v.first, d.end(left), d.end(v)}
	}
	for _, b := range bounds {
		b = minInt(b, l.size)
		if b.Sign() > 0 && (len(at) == 0 || at[len(at)-1].Cmp(b) < 0) {
			at = append(at, b)
		}
	}
	return at
}

// rounds returns the number of rounds, by a public rule fitted to made-up mixtures (doc.go): one
// for each place where the approximation can still be seen to be off by more than the noise of
// choosing it.
func (p MERRParams) rounds() int {
	t := math.Sqrt(float64(p.Persons) * p.Epsilon.Float64() / 10)
	return int(min(max(t, 4), 64))
}

// SureRounds returns the largest number of rounds of Capped, from 1 to the automatic number, such
// that with probability 1 − beta the choice in every round finds a place that is off by a quarter
// of the persons. With more rounds nothing may be chosen, and the straight line stays. It depends
// on public facts alone.
func SureRounds(p MERRParams) (int, error) {
	least, most := 1, p.rounds()
	beta := betaOr(p.Beta)
	for least < most {
		p.Rule, p.Rounds = Capped, (least+most+1)/2
		m, err := NewMERR(p)
		if err != nil {
			return 0, err
		}
		if m.stable.NeededScore(beta/float64(p.Rounds)) <= int64(p.Persons/4) {
			least = p.Rounds
		} else {
			most = p.Rounds - 1
		}
	}
	return least, nil
}
