package density

import (
	"fmt"
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// tinyMERR is MERR on a domain of 8 values with bases for exact audits, whose choices split
// everything down to single candidates.
func tinyMERR(rule Rule, persons int, choice, noise coin.Base) *MERR {
	return smallMERR(rule, 8, persons, choice, noise)
}

func smallMERR(rule Rule, size int64, persons int, choice, noise coin.Base) *MERR {
	m := &MERR{size: big.NewInt(size), bits: bitsOf(big.NewInt(size)), persons: int64(persons),
		rule: rule, rounds: 1, beta: 0.05, exact: true}
	laplace := must(
		mechanism.NewLaplace(mechanism.LaplaceParams{Base: noise, L1Sensitivity: m.moves()}))
	if err := m.complete(privacy.Epsilon{}, choice, delta("1/50"), laplace); err != nil {
		panic(err)
	}
	if err := m.price(privacy.Delta{}); err != nil {
		panic(err)
	}
	return m
}

// state is what earlier rounds released: boundaries and what was measured there.
type state [][2]int64

// states are some that a run can be in: none yet, and after measurements of which some are far off,
// cross, or concern the end of the domain.
var states = []state{nil, {{4, 0}}, {{3, 2}, {6, 1}}, {{1, 2}, {2, 2}, {8, 2}}}

func (s state) learning(m *MERR, rows []int) *learning {
	l := &learning{MERR: m, codes: sortedRows(rows, m.bits), a: newApproximation(m.size, m.persons)}
	for _, p := range s {
		l.a.measured(big.NewInt(p[0]), p[1])
	}
	l.a.repair()
	return l
}

// chosen is the law of where a round measures.
func chosen(m *MERR, s state) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		return coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
			at, err := s.learning(m, rows).worst(src)
			return fmt.Sprint(at), err
		})
	}
}

func choiceClaim(m *MERR) audit.Claim {
	if m.stable != nil {
		return claimOf(m.stable.Loss(1))
	}
	return claimOf(
		must(mechanism.NewExponential(mechanism.ExponentialParams{Base: m.base, Sensitivity: 1})).
			Loss(1))
}

// TestAuditMERRChoice is the choice of a round, with up to four persons.
func TestAuditMERRChoice(t *testing.T) {
	persons := 4
	if testing.Short() {
		persons = 2
	}
	for _, rule := range []Rule{Prefix, Capped, Intervals} {
		for n := 1; n <= persons; n++ {
			m := tinyMERR(rule, n, base(2, 1), base(3, 2))
			report, err := audit.Rounds(states, func(s state) audit.Audit[string] {
				return audit.Audit[string]{
					Name:  fmt.Sprintf("MERR %s, choice, %d persons", rule, n),
					Space: audit.Space{Persons: n, Values: 8}, Claim: choiceClaim(m),
					Law: chosen(m, s),
				}
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			audittest.Expect(t, report, audit.Holds)
		}
	}
}

// auditRound claims for a round what it says it costs.
func (k *steps) auditRound(t *testing.T, name string, want audit.Verdict) {
	t.Helper()
	audittest.Expect(t, report(name, k.m, states, claimOf(k.m.round.Loss, nil), k.pair), want)
}

// TestAuditMERRRound is a whole round of each rule, choice and measurement, with up to four
// persons.
func TestAuditMERRRound(t *testing.T) {
	persons := 4
	if testing.Short() {
		persons = 2
	}
	for _, rule := range []Rule{Prefix, Capped, Intervals} {
		for n := 1; n <= persons; n++ {
			k := inSteps(tinyMERR(rule, n, base(3, 2), base(3, 2)))
			k.auditRound(t, fmt.Sprintf("MERR %s, a round, %d persons", rule, n), audit.Holds)
		}
	}
}

// twoRounds audits all that two rounds release, on a domain on which a round measures in two
// regions at most, from where rounds before have measured nobody and, where the claim should hold,
// from the start. Noise is small, so that little of it hides a mistake, and Capped chooses with a
// base that seldom ends in ⊥ even then.
func twoRounds(t *testing.T, rule Rule, name string, claim func(*MERR) audit.Claim,
	want audit.Verdict) {
	t.Helper()
	k := inSteps(smallMERR(rule, 4, 2, base(3, 2), base(10, 1)))
	if rule == Capped {
		k = inSteps(smallMERR(rule, 3, 3, base(200, 1), base(1_000_000, 1)))
	}
	k.summed = true
	starts := []state{{{1, 0}, {2, 0}}}
	if want == audit.Holds {
		starts = append(starts, nil)
	}
	name = fmt.Sprintf("MERR %s, 2 rounds%s, %d values, %d persons", rule, name, k.m.size,
		k.m.persons)
	audittest.Expect(t, report(name, k.m, starts, claim(k.m), k.pairOfTwo), want)
}

// TestAuditMERRRuns is runs of two rounds: by Release itself, and for each rule round by round.
func TestAuditMERRRuns(t *testing.T) {
	m := tinyMERR(Prefix, 1, base(3, 2), base(2, 1))
	m.rounds = 2
	audittest.Holds(t, audit.Audit[string]{
		Name: "MERR prefix, runs of 2 rounds", Space: audit.Space{Persons: 1, Values: 8},
		Claim: claimOf(m.round.Loss, nil).Plus(claimOf(m.round.Loss, nil)),
		Law: func(rows []int) (*coin.Law[string], error) {
			return coin.Enumerate(coin.Limits{Top: 1}, func(src coin.Source) (string, error) {
				d, err := m.Release(src, sortedRows(rows, m.bits), nil)
				return shown(d.bounds, d.mass), err
			})
		},
	})
	if testing.Short() {
		return
	}
	for _, rule := range []Rule{Prefix, Capped, Intervals} {
		twoRounds(t, rule, "", func(m *MERR) audit.Claim {
			each := claimOf(m.round.Loss, nil)
			return each.Plus(each)
		}, audit.Holds)
	}
}

// TestPlantedMERR breaks whole rounds and runs.
func TestPlantedMERR(t *testing.T) {
	if testing.Short() {
		t.Skip("ten seconds")
	}
	// Candidates are the nodes with codes, scored by |D|: a node may go from the best score to
	// being no candidate.
	k := inSteps(tinyMERR(Capped, 3, base(40, 1), base(3, 2)))
	k.pick = plainOfNonEmpty
	k.auditRound(t, "MERR capped, a round among nodes with codes by their plain score",
		audit.Violated)

	// Noise for a person added or removed, who is in one region, in place of one replaced.
	for _, rule := range []Rule{Capped, Intervals} {
		k := inSteps(tinyMERR(rule, 2, base(2, 1), base(10, 1)))
		k.m.noise = must(
			mechanism.NewLaplace(mechanism.LaplaceParams{Base: base(10, 1), L1Sensitivity: 1}))
		if err := k.m.price(privacy.Delta{}); err != nil {
			t.Fatal(err)
		}
		k.auditRound(t, fmt.Sprintf("MERR %s, a round with noise for a person added", rule),
			audit.Violated)
	}

	// Noise without the number of rounds: each adds as little as one alone may.
	for _, rule := range []Rule{Prefix, Capped, Intervals} {
		twoRounds(t, rule, " with noise for 1", func(m *MERR) audit.Claim {
			choice := choiceClaim(m)
			return choice.Plus(choice).Plus(claimOf(m.noise.Loss(1)))
		}, audit.Violated)
	}
}

// plainOfNonEmpty chooses among the nodes with codes by |D|.
func plainOfNonEmpty(src coin.Source, l *learning) ([]*big.Int, error) {
	d := &dyadic{l.codes, l.a, false}
	var at []node
	var scores []int64
	for i := range l.codes.Len() {
		for depth := range l.bits + 1 {
			if v := d.at(i, depth, 0, l.codes.Len()); v.from == i {
				at, scores = append(at, v), append(scores, d.score(v))
			}
		}
	}
	i, ok, err := l.stable.Release(src, scores, nil)
	if err != nil || !ok {
		return nil, err
	}
	return l.ends(d, at[i]), nil
}

// TestPrintedRuleIsNotPrivate is the counter-example to the rule as printed (merr.md): all but one
// person spread evenly over the right half, one in the left half. By its plain score the left half
// is chosen half of the time, and never once that person has moved.
func TestPrintedRuleIsNotPrivate(t *testing.T) {
	const n = 33
	m := &MERR{size: big.NewInt(64), bits: 6, persons: n, rule: Capped, rounds: 1, exact: true}
	loss := must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: base(3, 2), L1Sensitivity: 2}))
	if err := m.complete(privacy.Epsilon{}, base(4, 1), delta("1/1000000"), loss); err != nil {
		t.Fatal(err)
	}
	rows := []int{5}
	for i := range n - 1 {
		rows = append(rows, 32+i)
	}
	moved := append([]int(nil), rows[1:]...)
	moved = append(moved, 63)
	mass := func(rows []int, draw func(coin.Source, *learning) ([]*big.Int, error),
		outcome string) float64 {
		law := must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
			at, err := draw(src, state(nil).learning(m, rows))
			return fmt.Sprint(at), err
		}))
		f, _ := law.Mass(outcome).Float64()
		return f
	}
	if p, q := mass(rows, plainOfNonEmpty, "[32]"),
		mass(moved, plainOfNonEmpty, "[32]"); p < 0.01 || q != 0 {
		t.Errorf("plain: the left half has %g and %g, so this example shows nothing", p, q)
	}
	capped := func(src coin.Source, l *learning) ([]*big.Int, error) { return l.worst(src) }
	if p := mass(rows, capped, "[16 32]"); p > 1e-6 {
		t.Errorf("capped: the left half has %g, its one person cannot weigh more than δ", p)
	}
	claim := choiceClaim(m)
	law := func(rows []int) *coin.Law[string] { return must(chosen(m, nil)(rows)) }
	for _, pair := range [][2][]int{{rows, moved}, {moved, rows}} {
		if _, high := audit.Delta(law(pair[0]), law(pair[1]), claim.Odds); high.Cmp(
			claim.Delta) > 0 {
			t.Errorf("capped: δ is %v, want at most %v", high, claim.Delta)
		}
	}
}

// TestZeroScoresAreCandidates is the counter-example to candidates of positive score (review of the
// printed proof): every value twice, and one person moved from the first to the last. All nodes on
// both paths become candidates at once, twice as many as are paid for.
func TestZeroScoresAreCandidates(t *testing.T) {
	const bits = 3
	even, moved := []int{}, []int{0}
	for v := range 1 << bits {
		even = append(even, v, v)
		if v > 0 {
			moved = append(moved, v, v)
		}
	}
	moved = append(moved, 7)
	m := tinyMERR(Capped, len(even), base(2, 1), base(2, 1))
	positive := func(rows []int) *coin.Law[string] {
		return must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
			l := state(nil).learning(m, rows)
			d := &dyadic{l.codes, l.a, true}
			var scores []int64
			for i := range l.codes.Len() {
				for depth := range bits + 1 {
					if v := d.at(i, depth, 0, l.codes.Len()); v.from == i && d.score(v) > 0 {
						scores = append(scores, d.score(v))
					}
				}
			}
			i, _, err := m.stable.Release(src, scores, nil)
			return fmt.Sprint(i), err
		}))
	}
	claim := choiceClaim(m)
	if _, high := audit.Delta(positive(moved), positive(even), claim.Odds); high.Cmp(
		claim.Delta) <= 0 {
		t.Errorf("candidates of positive score: δ is %v, so this example shows nothing", high)
	}
	for _, pair := range [][2][]int{{moved, even}, {even, moved}} {
		p, q := must(chosen(m, nil)(pair[0])), must(chosen(m, nil)(pair[1]))
		if _, high := audit.Delta(p, q, claim.Odds); high.Cmp(claim.Delta) > 0 {
			t.Errorf("δ is %v, want at most %v", high, claim.Delta)
		}
	}
}

// TestMeasurementsMoveByTwo checks the sensitivity of a round's measurements: 1 for one number, 2
// for disjoint regions.
func TestMeasurementsMoveByTwo(t *testing.T) {
	space := audit.Space{Persons: 3, Values: 8}
	for _, rule := range []Rule{Prefix, Capped, Intervals} {
		m := tinyMERR(rule, 3, base(2, 1), base(2, 1))
		worst := uint64(0)
		for _, at := range [][]*big.Int{whole(3), whole(2, 4), whole(4, 6, 8), whole(1, 2, 3)} {
			if rule == Prefix && len(at) > 1 {
				continue
			}
			for _, rows := range space.DataSets() {
				for i := range rows {
					for other := -1; other < 8; other++ {
						changed := append([]int(nil), rows...)
						changed[i] = other
						worst = max(
							worst, distance(state(nil).learning(m, rows).regions(at),
								state(nil).learning(m, sortedCopy(changed)).regions(at)))
					}
				}
			}
		}
		if worst != m.moves() {
			t.Errorf("%s: one person moves the numbers by %d, want %d", rule, worst, m.moves())
		}
	}
}

func distance(x, y []int64) (sum uint64) {
	for i := range x {
		sum += uint64(absolute(x[i] - y[i]))
	}
	return sum
}

// TestMERRLossIsGranted asks for what NewMERR says it costs, and composes it from its rounds.
func TestMERRLossIsGranted(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds")
	}
	for _, rule := range []Rule{Prefix, Capped, Intervals} {
		for _, d := range []string{"0", "1e-6"} {
			if rule == Capped && d == "0" {
				continue
			}
			for _, rounds := range []int{1, 7, 40} {
				for _, recount := range []int{0, 5} {
					m := must(NewMERR(
						MERRParams{Epsilon: epsilon("1"), Delta: delta(d),
							Size: big.NewInt(1 << 40), Persons: 1000, Rule: rule, Rounds: rounds,
							Recount: recount}))
					losses := make([]privacy.Loss, rounds)
					for i := range losses {
						losses[i] = m.round.Loss
					}
					if m.recount != nil {
						losses = append(losses, must(m.recount.Loss(1)))
					}
					// The recount is added by basic composition, so that the rounds alone may use
					// the slack.
					total := must(privacy.Compose(losses[:rounds], delta(d))).Loss
					if m.recount != nil {
						total = total.Plus(losses[rounds])
					}
					granted := must(m.Loss(1))
					have, _ := total.Epsilon()
					want, _ := granted.Epsilon()
					if have.Cmp(want) > 0 || total.Delta().Cmp(granted.Delta()) > 0 {
						t.Errorf("%s, δ = %s, %d rounds, recount %d: costs %s, granted %s", rule, d,
							rounds, recount, total, granted)
					}
				}
			}
		}
	}
}
