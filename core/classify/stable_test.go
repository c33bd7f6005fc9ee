package classify

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/param"
	"hush/core/privacy"
)

// voters are the yeses of k rules on each case: value v of a space is a rule that says yes to case
// i if bit i of v is set.
func voters(rows []int, cases int) []int {
	yes := make([]int, cases)
	for _, v := range rows {
		for i := range yes {
			yes[i] += v >> i & 1
		}
	}
	return yes
}

// transcript runs a vote on cases, each with this many yeses, and writes the answers: Y and N are
// stable, u and n are not, dots say that there are no more. next says which case comes after these
// answers.
func transcript(answer func(yes int) (Answer, error), yes []int, length int,
	next func(answers string) int) (string, error) {
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

// inTurn asks case 0 again and again; adaptive asks case 0 first, and then 1 after a yes and 2
// after a no.
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
	return must(
		NewStableVotes(
			StableVotesParams{BaseThreshold: r1, BaseQueries: r2, Delta: delta(d), Queries: queries,
				Unstable: unstable, Changes: changes}))
}

// ballotLaw is the law of a vote.
func ballotLaw(k, cases, length int, next func(string) int,
	start func(src coin.Source) func(yes int) (Answer, error)) func([]int) (*coin.Law[string],
	error) {
	known := map[string]*coin.Law[string]{}
	return func(rows []int) (*coin.Law[string], error) {
		yes := voters(rows, cases)
		if law := known[fmt.Sprint(yes)]; law != nil {
			return law, nil
		}
		law, err := coin.Enumerate(tail, func(src coin.Source) (string, error) {
			return transcript(start(src), yes, length, next)
		})
		known[fmt.Sprint(yes)] = law
		return law, err
	}
}

// own starts the vote of the mechanism itself, with k rules.
func own(m *StableVotes, k int) func(coin.Source) func(int) (Answer, error) {
	return func(src coin.Source) func(int) (Answer, error) {
		rules := make([]Rule, k)
		for i := range rules {
			rules[i] = atLeast(i + 1)
		}
		ballot := must(m.Start(src, rules))
		return func(yes int) (Answer, error) { return ballot.Answer(Point{uint64(yes)}) }
	}
}

// atLeast is a rule that says yes to this code and all above: of those from 1 on, as many say yes
// to a code as its number.
type atLeast uint64

func (r atLeast) Says(p Point) bool { return p[0] >= uint64(r) }
func (r atLeast) String() string    { return fmt.Sprint("at least ", uint64(r)) }

func TestAuditStableVotes(t *testing.T) {
	for _, tt := range []struct {
		name     string
		k, cases int
		length   int
		next     func(string) int
		m        *StableVotes
	}{
		{"5 rules, one case 5 times, 1 unstable", 5, 1, 5, inTurn,
			stableVotes(base(2, 1), base(2, 1), "0.3", 5, 1, 1)},
		{"5 rules, one case 4 times, 2 unstable", 5, 1, 4, inTurn,
			stableVotes(base(4, 1), base(4, 1), "0.2", 4, 2, 1)},
		{"3 rules, adaptive cases, 1 unstable", 3, 3, 3, adaptive,
			stableVotes(base(2, 1), base(3, 2), "0.4", 3, 1, 1)},
		{"5 rules, adaptive cases, 2 unstable", 5, 3, 2, adaptive,
			stableVotes(base(3, 1), base(4, 1), "0.05", 2, 2, 1)},
	} {
		if testing.Short() && tt.k > 3 {
			continue
		}
		audittest.Holds(
			t, audit.Audit[string]{Name: "stable votes, " + tt.name,
				Space: audit.Space{Persons: tt.k, Values: 1 << tt.cases, NoNone: true},
				Claim: claimOf(tt.m.Loss(1)),
				Law:   ballotLaw(tt.k, tt.cases, tt.length, tt.next, own(tt.m, tt.k))})
	}
}

// oneOther asks for case 0 again and again, and last for case 1.
var oneOther = []int{0, 0, 0, 0, 0, 0, 0, 0, 1}

// near is how many further rules say yes so that cases of 2 voters are at about this distance, of
// k.
func near(m *StableVotes, k int, above int64) int { return k/2 + int(m.gamma+above) }

// TestAuditLongVotes: many cases and many rules, two of which can be replaced, near the threshold:
// the broken twins of TestPlantedStableVotes unbroken.
func TestAuditLongVotes(t *testing.T) {
	skipShort(t)
	for _, unstable := range []uint64{1, 2} {
		m := stableVotes(base(2, 1), base(2, 1), "0.00001", 9, unstable, 1)
		const k = 201
		audittest.Holds(
			t, audit.Audit[string]{
				Name: fmt.Sprintf(
					"stable votes, 201 rules, one case 8 times and another, %d unstable, counted",
					unstable),
				Space: audit.Space{Persons: 2, Values: 4, NoNone: true}, Claim: claimOf(m.Loss(1)),
				Law: newTwin(m, base(2, 1), base(2, 1)).law(k, near(m, k, 1), oneOther)})
	}
}

func TestPlantedStableVotes(t *testing.T) {
	skipShort(t)
	const k = 201
	caught := func(name string, m *StableVotes, k, further int, breakIt func(*twin)) {
		w := newTwin(m, base(2, 1), base(2, 1))
		breakIt(&w)
		audittest.Caught(
			t, audit.Audit[string]{Name: "stable votes " + name,
				Space: audit.Space{Persons: 2, Values: 4, NoNone: true}, Claim: claimOf(m.Loss(1)),
				Law: w.law(k, further, oneOther)})
	}
	m := stableVotes(base(2, 1), base(2, 1), "0.00001", 9, 1, 1)
	caught("with the raw margin", m, k, k/2+int(m.gamma/2)+3, func(w *twin) {
		w.measure = func(yes, k int) int64 { return int64(max(2*yes-k, k-2*yes)) }
	})
	caught("that start anew after the last unstable answer", m, k, near(m, k, 0), func(w *twin) {
		w.resets = true
	})
	caught("that reveal the majority of an unstable case", m, 3, 0, func(w *twin) {
		w.tells = true
	})
	low := *m
	low.gamma -= 30
	caught("with a low threshold", &low, 3, 0, func(*twin) {})
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		yes, k int
		want   int64
	}{{6, 7, 2}, {1, 7, 2}, {4, 7, 0}, {3, 7, 0}, {7, 7, 3}, {0, 7, 3}, {0, 1, 0}, {1, 1, 0}} {
		if got := distance(tt.yes, tt.k); got != tt.want {
			t.Errorf("%d of %d: %d, want %d", tt.yes, tt.k, got, tt.want)
		}
	}
	for k := 1; k < 30; k += 2 { // by trying: this many may change, one more may not
		for yes := range k + 1 {
			d := int(distance(yes, k))
			majority := func(yes int) bool { return 2*yes > k }
			for moved := range k + 1 {
				stays := (yes-moved < 0 || majority(yes-moved) == majority(yes)) &&
					(yes+moved > k || majority(yes+moved) == majority(yes))
				if stays != (moved <= d) && (yes-moved >= 0 || yes+moved <= k) {
					t.Errorf("%d of %d, %d moved: stays %v, distance %d", yes, k, moved, stays, d)
				}
			}
		}
	}
}

// TestStableVotesThreshold: a threshold one lower would pass more than δ by the exact tails of the
// noises.
func TestStableVotesThreshold(t *testing.T) {
	m := stableVotes(base(3, 2), base(5, 4), "0.01", 20, 4, 1)
	atLeast := func(r float64, s int64) float64 { return math.Pow(r, 1-float64(s)) / (r + 1) }
	worst := math.Inf(1)
	for b := int64(0); b <= m.gamma; b++ { // the best division of a lower threshold
		worst = min(worst, 20*atLeast(1.25, m.gamma+1-b)+4*atLeast(1.5, b))
	}
	if worst <= 0.01*0.7 {
		t.Errorf("threshold %d less 1 passes only %g", m.gamma, worst)
	}
	if got, _ := must(m.Loss(1)).Delta().Float64(); got > 0.01 || got < 0.005 {
		t.Errorf("δ %g", got)
	}
}

// TestBallotEnds: after the last case, and after the last unstable answer, there are no more.
func TestBallotEnds(t *testing.T) {
	all := slices.Repeat([]Rule{Stump{}}, 1001)
	m := must(NewStableVotes(
		StableVotesParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Queries: 5, Unstable: 2}))
	b := must(m.Start(coin.NewSeeded(1), all))
	for i := range 5 {
		if a, err := b.Answer(Point{3}); err != nil || !a.Stable || a.Yes {
			t.Errorf("case %d of rules that all say no: %v, %v", i, a, err)
		}
	}
	if _, err := b.Answer(Point{3}); !errors.Is(err, ErrNoMore) { // H: stable.md ends
		t.Errorf("a sixth case: %v", err)
	}
	split := append(slices.Repeat([]Rule{Stump{}}, 500),
		slices.Repeat([]Rule{Stump{Above: true}}, 501)...)
	b = must(m.Start(coin.NewSeeded(1), split))
	for i := range 2 {
		if a, err := b.Answer(Point{3}); err != nil || a.Stable {
			t.Errorf("case %d of rules that disagree: %v, %v", i, a, err)
		}
	}
	if _, err := b.Answer(Point{3}); !errors.Is(err, ErrNoMore) { // H: stable.md ends
		t.Errorf("a third unstable case: %v", err)
	}
	if cases, unstable := b.Left(); cases != 3 || unstable != 0 {
		t.Errorf("left: %d, %d", cases, unstable)
	}
	if even := must(m.Start(coin.NewSeeded(1), all[:1000])); len(even.rules) != 999 {
		t.Errorf("%d rules of 1000", len(even.rules))
	}
}

// TestNothingIsRefused: without a rule nobody votes, and a case without values is none; neither
// ends the program, and neither counts.
func TestNothingIsRefused(t *testing.T) {
	field := func(err error) string {
		var refused *param.Error
		errors.As(err, &refused)
		if refused == nil {
			return ""
		}
		return refused.Field
	}
	m := must(NewStableVotes(StableVotesParams{
		Epsilon: epsilon("1"), Delta: delta("1e-6"), Queries: 5, Unstable: 2,
	}))
	good := StableVotesParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Queries: 5, Unstable: 2}
	for _, c := range []struct {
		field  string
		change func(p *StableVotesParams)
	}{
		{"delta", func(p *StableVotesParams) { p.Delta = privacy.Delta{} }}, // H: stable.md delta
		{"queries", func(p *StableVotesParams) { p.Queries = 0 }},           // H: stable.md cases
		{"queries", func(p *StableVotesParams) { p.Queries = 1<<32 + 1 }},   // H: stable.md cases
		{"unstable", func(p *StableVotesParams) { p.Unstable = 0 }},         // H: stable.md cases
		{"unstable", func(p *StableVotesParams) { p.Unstable = 6 }},         // H: stable.md cases
		// H: stable.md changes-size
		{"changes", func(p *StableVotesParams) { p.Changes = 1<<20 + 1 }},
	} {
		p := good
		c.change(&p)
		if _, err := NewStableVotes(p); field(err) != c.field {
			t.Errorf("%+v: %v, want an error for %s", p, err, c.field)
		}
	}
	for _, r := range []coin.Base{{}, base(1025, 1)} { // H: relabel.md base
		if _, err := NewRelabelling(stumps(Below, 8), r); field(err) != "base" {
			t.Errorf("relabelling by base %v: %v", r, err)
		}
	}
	for _, points := range [][]Point{nil, {{8}}, {{1, 1}}} { // H: semiprivate.md some-anchor
		_, err := NewSemiPrivate(SemiPrivateParams{Class: stumps(Below, 8), Anchors: points,
			Epsilon: epsilon("1")})
		if field(err) != "anchors" {
			t.Errorf("anchors %v: %v", points, err)
		}
	}
	for _, rules := range [][]Rule{nil, {}} { // H: stable.md some-rule
		if b, err := m.Start(coin.NewSeeded(1), rules); b != nil || field(err) != "rules" {
			t.Errorf("a vote of %d rules: %v, %v", len(rules), b, err)
		}
	}
	if one := must(m.Start(coin.NewSeeded(1), []Rule{Stump{}})); len(one.rules) != 1 {
		t.Errorf("%d rules of 1", len(one.rules))
	}

	class := stumps(Below, 8)
	a := must(NewAnswers(AnswersParams{
		Class: class, Epsilon: epsilon("1"), Delta: delta("0.1"), Persons: 3, Queries: 5,
		Plain: true,
		Plan:  &Plan{Rows: 3, Rules: 3, Unstable: 1, VoteEpsilon: epsilon("1")},
	}))
	u := &Universal{a, class, epsilon("1"), a.spend, 5}
	for _, examples := range [][]Example{nil, {}} {
		_, ofAnswers := a.Start(coin.NewSeeded(1), examples, nil)
		_, ofUniversal := u.Start(coin.NewSeeded(1), examples, nil)
		for _, err := range []error{ofAnswers, ofUniversal} {
			if field(err) != "persons" {
				t.Errorf("%d examples: %v", len(examples), err)
			}
		}
	}
	nobody := make([]Example, 3)
	ballot := must(a.Start(coin.NewSeeded(1), nobody, nil))
	lasting := must(u.Start(coin.NewSeeded(1), nobody, nil))
	for _, none := range []Point{nil, {}, {1, 2}} {
		_, ofBallot := ballot.Answer(none)
		_, ofLasting := lasting.Answer(none, nil)
		for _, err := range []error{ofBallot, ofLasting} {
			if field(err) != "case" {
				t.Errorf("case %v: %v", none, err)
			}
		}
	}
	if cases, _ := ballot.Left(); cases != 5 || len(lasting.cases) != 0 {
		t.Errorf("%d cases left, %d asked", cases, len(lasting.cases))
	}
	if _, err := ballot.Answer(Point{3}); err != nil {
		t.Error(err)
	}
}

// TestStableVotesLoss: each of the unstable answers ends a run of the sparse vector technique,
// whose noises pay for as many rules as may change: once for the threshold and twice for the
// queries.
func TestStableVotesLoss(t *testing.T) {
	r1, r2 := base(3, 2), base(5, 4)
	for _, unstable := range []uint64{1, 2, 5} {
		for _, changes := range []uint64{0, 1, 3} {
			want := float64(unstable*max(changes, 1)) * (math.Log(3./2) + 2*math.Log(5./4))
			m := stableVotes(r1, r2, "0.01", 9, unstable, changes)
			loss := must(m.Loss(1))
			spent, _ := loss.Epsilon()
			if epsilon, _ := spent.Float64(); math.Abs(epsilon-want) > 1e-9 {
				t.Errorf("%d unstable, %d changes: ε = %g, want %g", unstable, changes, epsilon,
					want)
			}
			if loss.Delta().Sign() <= 0 || loss.Delta().Cmp(big.NewRat(1, 100)) > 0 {
				t.Errorf("%d unstable, %d changes: δ = %v", unstable, changes, loss.Delta())
			}
		}
	}
	for _, unstable := range []uint64{1, 2, 9} {
		m := must(NewStableVotes(StableVotesParams{
			Epsilon: epsilon("1"), Delta: delta("0.01"), Queries: 9, Unstable: unstable,
		}))
		runs := slices.Repeat([]privacy.Loss{must(m.above.Loss(1))}, int(unstable))
		total := must(privacy.Compose(runs, partOf(delta("0.01"), big.NewRat(1, 2))))
		if claimed := must(m.Loss(1)); !total.Loss.AtMost(claimed) {
			t.Errorf("%d unstable: claimed %v, all runs cost %v", unstable, claimed, total.Loss)
		}
	}
}
