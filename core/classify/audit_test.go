package classify

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// claimOf is what an algorithm itself claims for one person replaced.
func claimOf(loss privacy.Loss, err error) audit.Claim {
	return must(audit.ClaimOf(must(loss, err)))
}

// tail cuts noise where it hardly matters: its mass makes the figures intervals.
var tail, fineTail = coin.Limits{Tail: big.NewRat(1, 1<<16)}, coin.Limits{Tail: big.NewRat(1, 1<<26)}

// people turns values of a space into examples: 2i + 1 is the i-th of all points of the columns with a yes, 2i with a no.
func people(sizes []uint64, rows []int) []Example {
	points := everyPoint(sizes)
	examples := make([]Example, len(rows))
	for i, v := range rows {
		if v != audit.None {
			examples[i] = Example{points[v/2], v%2 == 1}
		}
	}
	return examples
}

func relabelling(c Class, r coin.Base) *Relabelling { return must(NewRelabelling(c, r)) }

// TestAuditRelabelling: noise of base 3/2 on the number of new yeses, with the loss of both.
func TestAuditRelabelling(t *testing.T) {
	for _, tt := range []struct {
		class   Enumerable
		persons int
		base    coin.Base
	}{
		{stumps(Below, 3), 3, base(3, 2)}, {stumps(Below, 4), 3, base(3, 1)}, {stumps(Either, 3), 3, base(3, 2)}, {boxes(4), 3, base(3, 2)},
		{plane(2, 2), 3, base(3, 2)}, {boxes(2, 2), 3, base(9, 8)}, {trees(2, 2, 2), 3, base(3, 2)},
	} {
		m := relabelling(tt.class, tt.base)
		sizes := tt.class.Sizes()
		noise := must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: base(3, 2), L1Sensitivity: 1}))
		audittest.Holds(t, audit.Audit[int64]{
			Name:  fmt.Sprintf("number of new yeses with noise, %v of %v", m, sizes),
			Space: audit.Space{Persons: tt.persons, Values: 2 * len(everyPoint(sizes))},
			Claim: claimOf(m.LossOf(must(noise.Loss(1)))),
			Law: func(rows []int) (*coin.Law[int64], error) {
				return coin.Enumerate(coin.Limits{Top: uint64(tt.persons + 1)}, func(src coin.Source) (int64, error) {
					yes, _ := totals(votes(must(m.relabel(src, people(sizes, rows), nil)), sizes, nil))
					return min(max(must(noise.Release(src, []int64{yes}, nil))[0], -1), int64(tt.persons)+1), nil
				})
			},
		})
	}
}

// newLabels is the law of the new labels of the first persons, all but one.
func newLabels(t *testing.T, m *Relabelling, examples []Example) *coin.Law[string] {
	t.Helper()
	law, err := coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
		renamed, err := m.relabel(src, examples, nil)
		text := ""
		for _, e := range renamed[:len(examples)-1] {
			text += fmt.Sprint(e.Yes)[:1]
		}
		return text, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return law
}

// TestRelabelledRatio: the new labels of all other persons are (2·ln(1+r), 0)-close when one person is replaced, on every pair of data sets of
// ordered persons; and with many persons at one point that is nearly reached.
func TestRelabelledRatio(t *testing.T) {
	persons := 3
	if *long {
		persons = 4
	}
	bases := []coin.Base{base(5, 3), base(9, 8), base(4, 1)}
	if testing.Short() {
		bases = bases[:1]
	}
	for _, c := range []Enumerable{stumps(Below, 4), stumps(Either, 3), stumps(Either, 2, 2), boxes(4), boxes(2, 2), plane(2, 2), trees(1, 2, 2), trees(2, 4)} {
		for _, r := range bases {
			m := relabelling(c, r)
			claim := claimOf(m.LossOf(privacy.Loss{}))
			sizes := c.Sizes()
			values := 2 * len(everyPoint(sizes))
			rows := make([]int, persons)
			var each func(i int)
			each = func(i int) {
				if i < persons-1 {
					for rows[i] = audit.None; rows[i] < values; rows[i]++ {
						each(i + 1)
					}
					return
				}
				var laws []*coin.Law[string]
				for rows[i] = audit.None; rows[i] < values; rows[i]++ {
					laws = append(laws, newLabels(t, m, people(sizes, rows)))
				}
				for _, p := range laws {
					for _, q := range laws {
						if odds := audit.Odds(p, q, new(big.Rat)); odds == nil || odds.Cmp(claim.Odds) > 0 {
							t.Fatalf("%v, persons %v and one more: odds %v, claimed %v", m, rows[:i], odds, claim.Odds)
						}
					}
				}
			}
			each(0)
		}
	}
	// A rule that says no to all persons has two ways to label a further one below them, one of them right, and one, wrong, above; the best rule the
	// other way round.
	m := relabelling(stumps(Below, 4), base(5, 3))
	at := func(last Example) *coin.Law[string] {
		return newLabels(t, m, append(slices.Repeat([]Example{{Point{1}, true}, {Point{3}, false}}, 20), last))
	}
	claim := claimOf(m.LossOf(privacy.Loss{}))
	odds := audit.Odds(at(Example{Point{0}, false}), at(Example{Point{2}, true}), new(big.Rat))
	if least := new(big.Rat).Mul(claim.Odds, big.NewRat(99, 100)); odds.Cmp(least) < 0 || odds.Cmp(claim.Odds) > 0 {
		t.Errorf("odds %v, want nearly %v", odds.FloatString(4), claim.Odds.FloatString(4))
	}
}

// voters are the yeses of k rules on each case: value v of a space is a rule that says yes to case i if bit i of v is set.
func voters(rows []int, cases int) []int {
	yes := make([]int, cases)
	for _, v := range rows {
		for i := range yes {
			yes[i] += v >> i & 1
		}
	}
	return yes
}

// transcript runs a vote on cases, each with so many yeses, and writes the answers: Y and N are stable, u and n are not, dots say that there are no
// more. next says which case comes after these answers.
func transcript(answer func(yes int) (Answer, error), yes []int, length int, next func(answers string) int) (string, error) {
	text := ""
	for range length {
		a, err := answer(yes[next(text)])
		switch {
		case err == ErrNoMore:
			text += "."
		case err != nil:
			return "", err
		case a.Stable && a.Yes:
			text += "Y"
		case a.Stable:
			text += "N"
		case a.Yes:
			text += "y"
		default:
			text += "n"
		}
	}
	return text, nil
}

// inTurn asks case 0 again and again; adaptive asks case 0 first, and then 1 after a yes and 2 after a no.
func inTurn(string) int { return 0 }

func adaptive(answers string) int {
	switch {
	case answers == "":
		return 0
	case answers[len(answers)-1]|0x20 == 'y':
		return 1
	}
	return 2
}

func stableVotes(r1, r2 coin.Base, d string, queries, unstable, changes uint64) *StableVotes {
	return must(NewStableVotes(StableVotesParams{BaseThreshold: r1, BaseQueries: r2, Delta: delta(d), Queries: queries, Unstable: unstable, Changes: changes}))
}

// ballotLaw is the law of a vote.
func ballotLaw(k, cases, length int, next func(string) int, start func(src coin.Source) func(yes int) (Answer, error)) func([]int) (*coin.Law[string], error) {
	known := map[string]*coin.Law[string]{}
	return func(rows []int) (*coin.Law[string], error) {
		yes := voters(rows, cases)
		if law := known[fmt.Sprint(yes)]; law != nil {
			return law, nil
		}
		law, err := coin.Enumerate(tail, func(src coin.Source) (string, error) { return transcript(start(src), yes, length, next) })
		known[fmt.Sprint(yes)] = law
		return law, err
	}
}

// own starts the vote of the mechanism itself, with k rules.
func own(m *StableVotes, k int) func(coin.Source) func(int) (Answer, error) {
	return func(src coin.Source) func(int) (Answer, error) { return m.Start(src, make([]Rule, k)).vote }
}

func TestAuditStableVotes(t *testing.T) {
	for _, tt := range []struct {
		name     string
		k, cases int
		length   int
		next     func(string) int
		m        *StableVotes
	}{
		{"5 rules, one case 5 times, 1 unstable", 5, 1, 5, inTurn, stableVotes(base(2, 1), base(2, 1), "0.3", 5, 1, 1)},
		{"5 rules, one case 4 times, 2 unstable", 5, 1, 4, inTurn, stableVotes(base(4, 1), base(4, 1), "0.2", 4, 2, 1)},
		{"3 rules, adaptive cases, 1 unstable", 3, 3, 3, adaptive, stableVotes(base(2, 1), base(3, 2), "0.4", 3, 1, 1)},
		{"5 rules, adaptive cases, 2 unstable", 5, 3, 2, adaptive, stableVotes(base(3, 1), base(4, 1), "0.05", 2, 2, 1)},
	} {
		if testing.Short() && tt.k > 3 {
			continue
		}
		audittest.Holds(t, audit.Audit[string]{Name: "stable votes, " + tt.name, Space: audit.Space{Persons: tt.k, Values: 1 << tt.cases, NoNone: true},
			Claim: claimOf(tt.m.Loss(1)), Law: ballotLaw(tt.k, tt.cases, tt.length, tt.next, own(tt.m, tt.k))})
	}
}

// twin is a vote written out, with parts to break. Its law is made step by step, states of equal future merging, so that runs may be long.
type twin struct {
	m              *StableVotes
	threshold, ask mechanism.LaplaceNoise
	measure        func(yes, k int) int64
	resets         bool // there is no end to unstable answers
	tells          bool // an unstable answer is the majority's
}

// stage is how far a vote has come: what was answered, the noisy threshold of the run, if there is one, and the unstable answers.
type stage struct {
	stable, yes int // answers that were stable, and that were yes
	running     bool
	height      int64
	unstable    uint64
}

// newTwin has the bases of m.
func newTwin(m *StableVotes, r1, r2 coin.Base) twin {
	return twin{m: m, threshold: must(mechanism.NewLaplaceNoise(r1)), ask: must(mechanism.NewLaplaceNoise(r2)), measure: distance}
}

// law is that of the numbers of stable answers and of yeses, these cases being asked for. Further rules, which nobody can replace, say yes so often.
func (w twin) law(k, further int, cases []int) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		yes := voters(rows, 2)
		now := coin.NewLaw[stage]()
		now.Add(stage{}, oneRat)
		for _, at := range cases {
			next, err := coin.Then(now, func(s stage) (*coin.Law[stage], error) {
				return coin.Enumerate(fineTail, func(src coin.Source) (stage, error) { return w.answer(src, s, yes[at]+further, k), nil })
			})
			if err != nil {
				return nil, err
			}
			now = next
		}
		return coin.Then(now, func(s stage) (*coin.Law[string], error) {
			one := coin.NewLaw[string]()
			one.Add(fmt.Sprint(s.stable, " stable, ", s.yes, " yes"), oneRat)
			return one, nil
		})
	}
}

func (w twin) answer(src coin.Source, s stage, yes, k int) stage {
	if s.unstable == w.m.unstable && !w.resets {
		return s
	}
	if !s.running {
		s.running, s.height = true, w.threshold.AddTo(src, -w.m.gamma)
	}
	says := 2*yes > k
	if src.Bernoulli(w.ask.AtLeast(s.height + w.measure(yes, k))) {
		s.running, s.height = false, 0
		s.unstable++
		if w.resets {
			s.unstable = 0
		}
		if !w.tells {
			says = src.Uniform(2) == 1
		}
	} else {
		s.stable++
	}
	if says {
		s.yes++
	}
	return s
}

// TestTwinIsFaithful: unbroken, the twin has the law of the mechanism.
func TestTwinIsFaithful(t *testing.T) {
	skipShort(t)
	m := stableVotes(base(3, 1), base(2, 1), "0.3", 3, 2, 1)
	other := newTwin(m, base(3, 1), base(2, 1)).law(3, 0, []int{0, 0, 0})
	for _, rows := range (audit.Space{Persons: 3, Values: 2, NoNone: true}).DataSets() {
		p, q := must(coin.Enumerate(fineTail, func(src coin.Source) (string, error) {
			answers, err := transcript(own(m, 3)(src), voters(rows, 1), 3, inTurn)
			stable := strings.Count(answers, "Y") + strings.Count(answers, "N")
			return fmt.Sprint(stable, " stable, ", strings.Count(strings.ToUpper(answers), "Y"), " yes"), err
		})), must(other(rows))
		for _, o := range p.Outcomes() {
			if p.Mass(o).Cmp(q.Mass(o)) != 0 {
				t.Errorf("%v: %q has mass %v and %v", rows, o, p.Mass(o), q.Mass(o))
			}
		}
	}
}

// oneOther asks for case 0 again and again, and last for case 1.
var oneOther = []int{0, 0, 0, 0, 0, 0, 0, 0, 1}

// near is how many further rules say yes so that cases of 2 voters are at about this distance, of k.
func near(m *StableVotes, k int, above int64) int { return k/2 + int(m.gamma+above) }

// TestAuditLongVotes: many cases and many rules, two of which can be replaced, near the threshold: the broken twins of TestPlantedStableVotes unbroken.
func TestAuditLongVotes(t *testing.T) {
	skipShort(t)
	for _, unstable := range []uint64{1, 2} {
		m := stableVotes(base(2, 1), base(2, 1), "0.00001", 9, unstable, 1)
		const k = 201
		audittest.Holds(t, audit.Audit[string]{Name: fmt.Sprintf("stable votes, 201 rules, one case 8 times and another, %d unstable, counted", unstable),
			Space: audit.Space{Persons: 2, Values: 4, NoNone: true}, Claim: claimOf(m.Loss(1)), Law: newTwin(m, base(2, 1), base(2, 1)).law(k, near(m, k, 1), oneOther)})
	}
}

func TestPlantedStableVotes(t *testing.T) {
	skipShort(t)
	const k = 201
	caught := func(name string, m *StableVotes, k, further int, breakIt func(*twin)) {
		w := newTwin(m, base(2, 1), base(2, 1))
		breakIt(&w)
		audittest.Caught(t, audit.Audit[string]{Name: "stable votes " + name, Space: audit.Space{Persons: 2, Values: 4, NoNone: true}, Claim: claimOf(m.Loss(1)), Law: w.law(k, further, oneOther)})
	}
	m := stableVotes(base(2, 1), base(2, 1), "0.00001", 9, 1, 1)
	caught("with the raw margin", m, k, k/2+int(m.gamma/2)+3, func(w *twin) { w.measure = func(yes, k int) int64 { return int64(max(2*yes-k, k-2*yes)) } })
	caught("that start anew after the last unstable answer", m, k, near(m, k, 0), func(w *twin) { w.resets = true })
	caught("that tell the majority of an unstable case", m, 3, 0, func(w *twin) { w.tells = true })
	low := *m
	low.gamma -= 30
	caught("with a low threshold", &low, 3, 0, func(*twin) {})
}

// pipeline is all of Answers with exact bases.
func pipeline(c Enumerable, persons, rows, rules, queries, changes uint64, method Method, votes *StableVotes) *Answers {
	a := &Answers{class: c, persons: persons, method: method, plan: Plan{Rows: rows, Rules: rules}, relabel: relabelling(c, base(3, 2)), votes: votes}
	onLabels := must(votes.Loss(1))
	if method == Bootstrap {
		chance := oneRat
		for k := range changes + 1 {
			chance = new(big.Rat).Quo(chance, new(big.Rat).SetInt64(int64(k+1)))
		}
		onLabels = onLabels.Plus(must(privacy.NewLoss(nil, chance)))
	}
	a.loss = must(lossOf(a.relabel, onLabels, rows, persons))
	return a
}

// pipelineLaw joins the law of the rules' votes on two cases with that of the answers.
func pipelineLaw(a *Answers, cases []Point, learn func(src coin.Source, examples []Example) ([]Rule, error)) func([]int) (*coin.Law[string], error) {
	sizes := a.class.Sizes()
	answers := map[string]*coin.Law[string]{}
	return func(rows []int) (*coin.Law[string], error) {
		polls, err := coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
			rules, err := learn(src, people(sizes, rows))
			yes := make([]int, len(cases))
			for i, p := range cases {
				for _, r := range rules {
					if r.Says(p) {
						yes[i]++
					}
				}
			}
			return fmt.Sprint(yes), err
		})
		if err != nil {
			return nil, err
		}
		return coin.Then(polls, func(poll string) (*coin.Law[string], error) {
			if answers[poll] == nil {
				var yes [2]int
				if _, err := fmt.Sscan(poll[1:len(poll)-1], &yes[0], &yes[1]); err != nil {
					return nil, err
				}
				law, err := coin.Enumerate(fineTail, func(src coin.Source) (string, error) {
					return transcript(own(a.votes, int(a.plan.Rules))(src), yes[:], 2, func(answers string) int { return len(answers) })
				})
				if err != nil {
					return nil, err
				}
				answers[poll] = law
			}
			return answers[poll], nil
		})
	}
}

func (a *Answers) learner() func(coin.Source, []Example) ([]Rule, error) {
	return func(src coin.Source, examples []Example) ([]Rule, error) { return a.learn(src, examples, nil) }
}

func TestAuditAnswers(t *testing.T) {
	two := stableVotes(base(3, 2), base(3, 2), "0.2", 2, 1, 1)
	for _, tt := range []struct {
		name  string
		a     *Answers
		cases []Point
	}{
		{"thresholds, 3 of 4 persons, 3 rules", pipeline(stumps(Below, 4), 4, 3, 3, 2, 1, Partition, two), []Point{{1}, {2}}},
		{"thresholds, all of 3 persons, 3 rules", pipeline(stumps(Below, 5), 3, 3, 3, 2, 1, Partition, two), []Point{{1}, {3}}},
		{"thresholds, all of 4 persons, 1 rule", pipeline(stumps(Either, 4), 4, 4, 1, 2, 1, Partition, two), []Point{{0}, {2}}},
		{"intervals, 3 of 4 persons, 3 rules", pipeline(boxes(4), 4, 3, 3, 2, 1, Partition, two), []Point{{1}, {2}}},
		{"intervals, all of 3 persons, 3 rules", pipeline(boxes(5), 3, 3, 3, 2, 1, Partition, two), []Point{{1}, {3}}},
		{"thresholds, 3 of 3 persons drawn again, 3 rules, K = 1", pipeline(stumps(Below, 4), 3, 3, 3, 2, 1, Bootstrap, two), []Point{{1}, {2}}},
		{"thresholds, 3 of 3 persons drawn again, 3 rules, K = 2", pipeline(stumps(Below, 3), 3, 3, 3, 2, 2, Bootstrap,
			stableVotes(base(3, 2), base(3, 2), "0.2", 2, 1, 2)), []Point{{1}, {2}}},
	} {
		if testing.Short() && tt.a.persons > 3 {
			continue
		}
		audittest.Holds(t, audit.Audit[string]{Name: "answers, " + tt.name, Space: audit.Space{Persons: int(tt.a.persons), Values: 2 * len(everyPoint(tt.a.class.Sizes()))},
			Claim: claimOf(tt.a.Loss(1)), Law: pipelineLaw(tt.a, tt.cases, tt.a.learner())})
	}
}

// TestPipelineLaw: run from Start to the answers in one go, the law is that of the audit.
func TestPipelineLaw(t *testing.T) {
	a := pipeline(stumps(Below, 3), 3, 2, 1, 1, 1, Partition, stableVotes(base(3, 1), base(3, 1), "0.3", 1, 1, 1))
	cases := []Point{{1}, {1}}
	joined := pipelineLaw(a, cases, a.learner())
	for _, rows := range [][]int{{0, 3, 5}, {audit.None, 1, 2}, {0, 1, 1}} {
		p := must(joined(rows))
		q, err := coin.Enumerate(fineTail, func(src coin.Source) (string, error) {
			b, err := a.Start(src, people(a.class.Sizes(), rows), nil)
			if err != nil {
				return "", err
			}
			return transcript(func(int) (Answer, error) { return b.Answer(cases[0]) }, []int{0, 0}, 2, func(answers string) int { return len(answers) })
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range append(p.Outcomes(), q.Outcomes()...) {
			if p.Mass(o).Cmp(q.Mass(o)) != 0 {
				t.Errorf("%v: %q has mass %v and %v", rows, o, p.Mass(o), q.Mass(o))
			}
		}
	}
}

// parts of the pipeline as the planted mistakes need them: like Answers.learn, with one thing changed.
func learnFrom(a *Answers, parts [][]Example) []Rule {
	rules := make([]Rule, len(parts))
	for j, p := range parts {
		rules[j] = a.class.Learn(votes(p, a.class.Sizes(), nil))
	}
	return rules
}

func TestPlantedAnswers(t *testing.T) {
	votesOf := func(r coin.Base, d string) *StableVotes { return stableVotes(r, r, d, 2, 1, 1) }
	caught := func(name string, a *Answers, law func([]int) (*coin.Law[string], error)) {
		audittest.Caught(t, audit.Audit[string]{Name: "answers " + name, Space: audit.Space{Persons: int(a.persons), Values: 2 * len(everyPoint(a.class.Sizes()))},
			Claim: claimOf(a.Loss(1)), Law: law})
	}
	// The relabelled persons themselves.
	a := pipeline(stumps(Below, 3), 3, 3, 3, 2, 1, Partition, votesOf(base(9, 8), "0.001"))
	caught("that show the new labels", a, func(rows []int) (*coin.Law[string], error) {
		return coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
			renamed, err := a.relabel.relabel(src, people(a.class.Sizes(), rows), nil)
			yes, no := totals(votes(renamed, a.class.Sizes(), nil))
			return fmt.Sprint(yes, no), err
		})
	})
	// Without relabelling these have only the votes' own loss to hide behind: a mistake in who votes shows.
	plain := func(c Class, persons, rules uint64, m *StableVotes) *Answers {
		return &Answers{class: c, persons: persons, method: Partition, plan: Plan{Rows: persons, Rules: rules}, votes: m, loss: must(m.Loss(1))}
	}
	b := plain(stumps(Below, 2), 3, 41, votesOf(base(2, 1), "0.001"))
	caught("of rules that all learn from everyone", b, pipelineLaw(b, []Point{{1}, {1}}, func(src coin.Source, examples []Example) ([]Rule, error) {
		return learnFrom(b, slices.Repeat([][]Example{examples}, 41)), nil
	}))
	c := plain(stumps(Either, 5), 4, 5, votesOf(base(64, 1), "0.05"))
	caught("of rules that learn from those of one code each", c, pipelineLaw(c, []Point{{0}, {0}}, func(_ coin.Source, examples []Example) ([]Rule, error) {
		parts := make([][]Example, 5)
		for _, e := range examples {
			if e.Point != nil {
				parts[e.Point[0]] = append(parts[e.Point[0]], e)
			}
		}
		return learnFrom(c, parts), nil
	}))
}
