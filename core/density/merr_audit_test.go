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

// tinyMERR is MERR on a domain of 8 values with bases for exact audits, whose choices split everything down to single candidates.
func tinyMERR(rule Rule, persons int, choice, noise coin.Base) *MERR {
	m := &MERR{size: big.NewInt(8), bits: 3, persons: int64(persons), rule: rule, rounds: 1, beta: 0.05, exact: true}
	laplace := must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: noise, L1Sensitivity: m.moves()}))
	if err := m.complete(choice, delta("1/50"), laplace); err != nil {
		panic(err)
	}
	m.loss = must(m.roundLoss())
	return m
}

// state is what earlier rounds released: boundaries and what was measured there.
type state [][2]int64

// states are some that a run can be in: none yet, and after measurements of which some are far off, cross, or concern the end of the domain.
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

// wholeRound is the law of all that a round releases, numbers kept within what counts can be.
func wholeRound(m *MERR, s state) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		return coin.Enumerate(coin.Limits{Top: uint64(m.persons)}, func(src coin.Source) (string, error) {
			l := s.learning(m, rows)
			at, err := l.worst(src)
			if err != nil {
				return "", err
			}
			noisy, err := m.noise.Release(src, l.regions(at), nil)
			for i, x := range noisy {
				noisy[i] = min(max(x, 0), m.persons)
			}
			return fmt.Sprint(at, noisy), err
		})
	}
}

func auditRound(t *testing.T, name string, m *MERR, claim audit.Claim, law func(*MERR, state) func([]int) (*coin.Law[string], error), want audit.Verdict) {
	t.Helper()
	report, err := audit.Rounds(states, func(s state) audit.Audit[string] {
		return audit.Audit[string]{Name: name, Space: audit.Space{Persons: int(m.persons), Values: 8}, Claim: claim, Law: law(m, s)}
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	audittest.Expect(t, report, want)
}

func choiceClaim(m *MERR) audit.Claim {
	if m.stable != nil {
		return claimOf(m.stable.Loss(1))
	}
	return claimOf(must(mechanism.NewExponential(mechanism.ExponentialParams{Base: m.base, Sensitivity: 1})).Loss(1))
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
			auditRound(t, fmt.Sprintf("MERR %s, choice, %d persons", rule, n), m, choiceClaim(m), chosen, audit.Holds)
		}
	}
}

// TestAuditMERRRound is a whole round: choice and measurement.
func TestAuditMERRRound(t *testing.T) {
	if testing.Short() {
		t.Skip("half a minute")
	}
	for _, c := range []struct {
		rule    Rule
		persons int
	}{{Prefix, 4}, {Intervals, 2}, {Capped, 2}} {
		m := tinyMERR(c.rule, c.persons, base(3, 2), base(3, 2))
		auditRound(t, fmt.Sprintf("MERR %s, a round, %d persons", c.rule, c.persons), m, claimOf(m.roundLoss()), wholeRound, audit.Holds)
	}
}

// TestAuditMERRRuns is whole runs of two rounds by Release itself, of which everything released is seen.
func TestAuditMERRRuns(t *testing.T) {
	const persons = 1
	m := tinyMERR(Prefix, persons, base(3, 2), base(2, 1))
	m.rounds = 2
	audittest.Holds(t, audit.Audit[string]{
		Name: "MERR prefix, runs of 2 rounds", Space: audit.Space{Persons: persons, Values: 8}, Claim: claimOf(m.roundLoss()).Plus(claimOf(m.roundLoss())), Law: runs(m),
	})
}

func runs(m *MERR) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		return coin.Enumerate(coin.Limits{Top: uint64(m.persons)}, func(src coin.Source) (string, error) {
			d, err := m.Release(src, sortedRows(rows, m.bits), nil)
			if err != nil {
				return "", err
			}
			return fmt.Sprint(d.bounds, d.mass), nil
		})
	}
}

func TestPlantedMERR(t *testing.T) {
	if testing.Short() {
		t.Skip("ten seconds")
	}
	one, two := base(3, 2), base(2, 1)

	// Candidates are the nodes with codes, scored by |D|: a node may go from the best score to being no candidate.
	m := tinyMERR(Capped, 3, base(40, 1), one)
	auditRound(t, "MERR, nodes with codes by their plain score", m, choiceClaim(m), func(m *MERR, s state) func([]int) (*coin.Law[string], error) {
		return func(rows []int) (*coin.Law[string], error) {
			return coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
				l := s.learning(m, rows)
				return plainOfNonEmpty(src, l)
			})
		}
	}, audit.Violated)

	// Noise for a person added or removed, who is in one region, in place of one replaced.
	m = tinyMERR(Intervals, 2, one, one)
	m.noise = must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: one, L1Sensitivity: 1}))
	auditRound(t, "MERR intervals, noise for a person added", m, claimOf(m.roundLoss()), wholeRound, audit.Violated)

	// Two rounds at the price of one.
	m = tinyMERR(Prefix, 1, one, two)
	m.rounds = 2
	audittest.Caught(t, audit.Audit[string]{
		Name: "MERR prefix, 2 rounds with noise for 1", Space: audit.Space{Persons: 1, Values: 8}, Claim: claimOf(m.roundLoss()), Law: runs(m),
	})
}

// plainOfNonEmpty chooses among the nodes with codes by |D|.
func plainOfNonEmpty(src coin.Source, l *learning) (string, error) {
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
		return "", err
	}
	return fmt.Sprint(at[i].first, at[i].depth), nil
}

// TestPrintedRuleIsNotPrivate is the counter-example to the rule as printed (merr.md): all but one person spread evenly over the right half, one in the
// left half. By its plain score the left half is chosen half of the time, and never once that person has moved.
func TestPrintedRuleIsNotPrivate(t *testing.T) {
	const n = 33
	m := &MERR{size: big.NewInt(64), bits: 6, persons: n, rule: Capped, rounds: 1, exact: true}
	loss := must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: base(3, 2), L1Sensitivity: 2}))
	if err := m.complete(base(4, 1), delta("1/1000000"), loss); err != nil {
		t.Fatal(err)
	}
	rows := []int{5}
	for i := range n - 1 {
		rows = append(rows, 32+i)
	}
	moved := append([]int(nil), rows[1:]...)
	moved = append(moved, 63)
	mass := func(rows []int, draw func(coin.Source, *learning) (string, error), outcome string) float64 {
		law := must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
			return draw(src, state(nil).learning(m, rows))
		}))
		f, _ := law.Mass(outcome).Float64()
		return f
	}
	left := fmt.Sprint(0, 1)
	if p, q := mass(rows, plainOfNonEmpty, left), mass(moved, plainOfNonEmpty, left); p < 0.01 || q != 0 {
		t.Errorf("plain: the left half has %g and %g, so this example shows nothing", p, q)
	}
	capped := func(src coin.Source, l *learning) (string, error) {
		at, err := l.worst(src)
		return fmt.Sprint(at), err
	}
	if p := mass(rows, capped, "[16 32]"); p > 1e-6 {
		t.Errorf("capped: the left half has %g, its one person cannot weigh more than δ", p)
	}
	claim := choiceClaim(m)
	law := func(rows []int) *coin.Law[string] { return must(chosen(m, nil)(rows)) }
	for _, pair := range [][2][]int{{rows, moved}, {moved, rows}} {
		if _, high := audit.Delta(law(pair[0]), law(pair[1]), claim.Odds); high.Cmp(claim.Delta) > 0 {
			t.Errorf("capped: δ is %v, want at most %v", high, claim.Delta)
		}
	}
}

// TestZeroScoresAreCandidates is the counter-example to candidates of positive score (review of the printed proof): every value twice, and one person
// moved from the first to the last. All nodes on both paths become candidates at once, twice as many as are paid for.
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
	if _, high := audit.Delta(positive(moved), positive(even), claim.Odds); high.Cmp(claim.Delta) <= 0 {
		t.Errorf("candidates of positive score: δ is %v, so this example shows nothing", high)
	}
	for _, pair := range [][2][]int{{moved, even}, {even, moved}} {
		p, q := must(chosen(m, nil)(pair[0])), must(chosen(m, nil)(pair[1]))
		if _, high := audit.Delta(p, q, claim.Odds); high.Cmp(claim.Delta) > 0 {
			t.Errorf("δ is %v, want at most %v", high, claim.Delta)
		}
	}
}

// TestMeasurementsMoveByTwo is the sensitivity of what a round measures: 1 for one number, 2 for disjoint regions.
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
						worst = max(worst, distance(state(nil).learning(m, rows).regions(at), state(nil).learning(m, sortedCopy(changed)).regions(at)))
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
					m := must(NewMERR(MERRParams{Epsilon: epsilon("1"), Delta: delta(d), Size: big.NewInt(1 << 40), Persons: 1000, Rule: rule, Rounds: rounds, Recount: recount}))
					losses := make([]privacy.Loss, rounds)
					for i := range losses {
						losses[i] = must(m.roundLoss())
					}
					if m.recount != nil {
						losses = append(losses, must(m.recount.Loss(1)))
					}
					// The recount is added by basic composition, so that the rounds alone may use the slack.
					total := must(privacy.Compose(losses[:rounds], delta(d))).Loss
					if m.recount != nil {
						total = total.Plus(losses[rounds])
					}
					granted := must(m.Loss(1))
					have, _ := total.Epsilon()
					want, _ := granted.Epsilon()
					if have.Cmp(want) > 0 || total.Delta().Cmp(granted.Delta()) > 0 {
						t.Errorf("%s, δ = %s, %d rounds, recount %d: costs %s, granted %s", rule, d, rounds, recount, total, granted)
					}
				}
			}
		}
	}
}
