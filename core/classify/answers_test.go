package classify

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/param"
	"hush/core/privacy"
)

// pipeline is all of Answers with exact bases.
func pipeline(c Enumerable, persons, rows, rules, queries, changes uint64, method Method,
	votes *StableVotes) *Answers {
	a := &Answers{class: c, persons: persons, method: method, plan: Plan{Rows: rows, Rules: rules},
		relabel: relabelling(c, base(3, 2)), votes: votes}
	onLabels := must(votes.Loss(1))
	if method == Bootstrap {
		chance := oneRat
		for k := range changes + 1 {
			chance = new(big.Rat).Quo(chance, new(big.Rat).SetInt64(int64(k+1)))
		}
		onLabels = onLabels.Plus(must(privacy.NewLoss(nil, chance)))
	}
	if err := a.price(onLabels); err != nil {
		panic(err)
	}
	return a
}

// pipelineLaw joins the law of the rules' votes on two cases with that of the answers.
func pipelineLaw(a *Answers, cases []Point,
	learn func(src coin.Source, examples []Example) ([]Rule, error)) func([]int) (*coin.Law[string],
	error) {
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
					return transcript(own(a.votes, int(a.plan.Rules))(src), yes[:], 2,
						func(answers string) int { return len(answers) })
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
	return func(src coin.Source, examples []Example) ([]Rule, error) {
		return a.learn(src, examples, nil)
	}
}

func TestAuditAnswers(t *testing.T) {
	two := stableVotes(base(3, 2), base(3, 2), "0.2", 2, 1, 1)
	for _, tt := range []struct {
		name  string
		a     *Answers
		cases []Point
	}{
		{"thresholds, 3 of 4 persons, 3 rules",
			pipeline(stumps(Below, 4), 4, 3, 3, 2, 1, Partition, two), []Point{{1}, {2}}},
		{"thresholds, all of 3 persons, 3 rules",
			pipeline(stumps(Below, 5), 3, 3, 3, 2, 1, Partition, two), []Point{{1}, {3}}},
		{"thresholds, all of 4 persons, 1 rule",
			pipeline(stumps(Either, 4), 4, 4, 1, 2, 1, Partition, two), []Point{{0}, {2}}},
		{"intervals, 3 of 4 persons, 3 rules", pipeline(boxes(4), 4, 3, 3, 2, 1, Partition, two),
			[]Point{{1}, {2}}},
		{"intervals, all of 3 persons, 3 rules", pipeline(boxes(5), 3, 3, 3, 2, 1, Partition, two),
			[]Point{{1}, {3}}},
		{"thresholds, 3 of 3 persons drawn again, 3 rules, K = 1",
			pipeline(stumps(Below, 4), 3, 3, 3, 2, 1, Bootstrap, two), []Point{{1}, {2}}},
		{"thresholds, 3 of 3 persons drawn again, 3 rules, K = 2",
			pipeline(stumps(Below, 3), 3, 3, 3, 2, 2, Bootstrap,
				stableVotes(base(3, 2), base(3, 2), "0.2", 2, 1, 2)), []Point{{1}, {2}}},
	} {
		if testing.Short() && tt.a.persons > 3 {
			continue
		}
		audittest.Holds(
			t, audit.Audit[string]{Name: "answers, " + tt.name,
				Space: audit.Space{Persons: int(tt.a.persons),
					Values: 2 * len(everyPoint(tt.a.class.Sizes()))},
				Claim: claimOf(tt.a.Loss(1)), Law: pipelineLaw(tt.a, tt.cases, tt.a.learner())})
	}
}

// TestPipelineLaw: run from Start to the answers in one go, the law is that of the audit.
func TestPipelineLaw(t *testing.T) {
	a := pipeline(stumps(Below, 3), 3, 2, 1, 1, 1, Partition,
		stableVotes(base(3, 1), base(3, 1), "0.3", 1, 1, 1))
	cases := []Point{{1}, {1}}
	joined := pipelineLaw(a, cases, a.learner())
	for _, rows := range [][]int{{0, 3, 5}, {audit.None, 1, 2}, {0, 1, 1}} {
		p := must(joined(rows))
		q, err := coin.Enumerate(fineTail, func(src coin.Source) (string, error) {
			b, err := a.Start(src, people(a.class.Sizes(), rows), nil)
			if err != nil {
				return "", err
			}
			return transcript(func(int) (Answer, error) { return b.Answer(cases[0]) }, []int{0, 0},
				2, func(answers string) int { return len(answers) })
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

// parts of the pipeline as the planted mistakes need them: like Answers.learn, with one thing
// changed.
func learnFrom(a *Answers, parts [][]Example) []Rule {
	rules := make([]Rule, len(parts))
	for j, p := range parts {
		rules[j] = a.class.Learn(votes(p, a.class.Sizes(), nil), nil)
	}
	return rules
}

func TestPlantedAnswers(t *testing.T) {
	votesOf := func(r coin.Base, d string) *StableVotes { return stableVotes(r, r, d, 2, 1, 1) }
	caught := func(name string, a *Answers, law func([]int) (*coin.Law[string], error)) {
		audittest.Caught(
			t, audit.Audit[string]{
				Name: "answers " + name,
				Space: audit.Space{
					Persons: int(a.persons), Values: 2 * len(everyPoint(a.class.Sizes()))},
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
	// Without relabelling these have only the votes' own loss to hide behind: a mistake in who
	// votes shows.
	plain := func(c Class, persons, rules uint64, m *StableVotes) *Answers {
		return &Answers{class: c, persons: persons, method: Partition,
			plan: Plan{Rows: persons, Rules: rules}, votes: m, spend: m.spend}
	}
	b := plain(stumps(Below, 2), 3, 41, votesOf(base(2, 1), "0.001"))
	caught("of rules that all learn from everyone", b,
		pipelineLaw(b, []Point{{1}, {1}},
			func(src coin.Source, examples []Example) ([]Rule, error) {
				return learnFrom(b, slices.Repeat([][]Example{examples}, 41)), nil
			}))
	c := plain(stumps(Either, 5), 4, 5, votesOf(base(64, 1), "0.05"))
	caught("of rules that learn from those of one code each", c,
		pipelineLaw(c, []Point{{0}, {0}}, func(_ coin.Source, examples []Example) ([]Rule, error) {
			parts := make([][]Example, 5)
			for _, e := range examples {
				if e.Point != nil {
					parts[e.Point[0]] = append(parts[e.Point[0]], e)
				}
			}
			return learnFrom(c, parts), nil
		}))
}

// noisyThreshold are persons at codes below size whose label says whether the code is below half of
// it, but for a part of errors.
func noisyThreshold(random *rand.Rand, n int, size uint64, errors float64) []Example {
	examples := make([]Example, n)
	for i := range examples {
		code := random.Uint64N(size)
		examples[i] = Example{Point{code}, (code < size/2) != (random.Float64() < errors)}
	}
	return examples
}

// TestAnswersAreGood: trained on labels with 20 % errors, either method answers as the best rule
// does, within the error that the forecast allows.
func TestAnswersAreGood(t *testing.T) {
	skipShort(t)
	random := rand.New(rand.NewPCG(9, 10))
	const size, n, m = 1 << 30, 500_000, 20
	examples := noisyThreshold(random, n, size, 0.2)
	for _, method := range []Method{Partition, Bootstrap} {
		a, err := NewAnswers(
			AnswersParams{Class: stumps(Below, size), Epsilon: epsilon("4"), Delta: delta("1e-7"),
				Persons: n, Queries: m, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if loss := must(a.Loss(1)); !loss.AtMost(
			privacy.ApproximateLoss(epsilon("4"), delta("1e-7"))) {
			t.Errorf("%s: loss %v", method, loss)
		}
		b := must(a.Start(coin.NewSeeded(3), examples, nil))
		wrong := 0
		for range m {
			x := random.Uint64N(size)
			answer, err := b.Answer(Point{x})
			if err != nil {
				t.Fatal(err)
			}
			if answer.Stable && answer.Yes != (x < size/2) || !answer.Stable {
				wrong++
			}
		}
		if f := a.Forecast(); float64(wrong) > 3+2*f.Excess()*m {
			t.Errorf("%s: %d of %d cases wrong or unstable, forecast %+v", method, wrong, m, f)
		}
	}
}

// TestPlans: plans keep within the loss granted, and forecasts get better with ε and persons, worse
// with cases.
func TestPlans(t *testing.T) {
	skipShort(t)
	class := boxes(40, 40)
	forecast := func(e string, n, m uint64, plain bool) float64 {
		a, err := NewAnswers(
			AnswersParams{Class: class, Epsilon: epsilon(e), Delta: delta("1e-9"), Persons: n,
				Queries: m, Plain: plain})
		if err != nil {
			return 1
		}
		if !must(a.Loss(1)).AtMost(privacy.ApproximateLoss(epsilon(e), delta("1e-9"))) {
			t.Errorf("ε %s, n %d, m %d: loss %v", e, n, m, must(a.Loss(1)))
		}
		sketch, ok := AnswersParams{Class: class, Epsilon: epsilon(e), Delta: delta("1e-9"),
			Persons: n, Queries: m, Plain: plain}.Sketch()
		if off := sketch.Excess() / a.Forecast().Excess(); !ok || off < 0.8 || off > 1.25 {
			t.Errorf("ε %s, n %d, m %d: sketch %+v, forecast %+v", e, n, m, sketch, a.Forecast())
		}
		return a.Forecast().Unstable
	}
	for _, plain := range []bool{false, true} {
		for _, tt := range [][2]float64{
			{forecast("2", 1e6, 10, plain), forecast("1", 1e6, 10, plain)},
			{forecast("1", 4e6, 10, plain), forecast("1", 1e6, 10, plain)},
			{forecast("1", 4e6, 1, plain), forecast("1", 4e6, 40, plain)},
		} {
			if !(tt[0] < tt[1]) {
				t.Errorf("plain %v: %g is not below %g", plain, tt[0], tt[1])
			}
		}
	}
	if plain, relabelled := forecast("1", 2e6, 10, true),
		forecast("1", 2e6, 10, false); !(plain < relabelled && relabelled < 1) {
		t.Errorf("relabelling is not paid for: %g and %g", plain, relabelled)
	}
}

// TestRequirements: the table of the package's documentation.
func TestRequirements(t *testing.T) {
	doc := string(must(os.ReadFile("doc.go")))
	for _, m := range []uint64{1, 10, 100, 1000, 10_000} {
		least := func(plain bool) float64 {
			p := AnswersParams{Class: stumps(Below, 1<<40), Epsilon: epsilon("1"),
				Delta: delta("1e-9"), Persons: 1, Queries: m, Beta: 0.05, Plain: plain}
			return bisect(1<<32, 1, func(n float64) bool {
				_, ok := p.best(n, float64(m))
				return ok
			})
		}
		if line := fmt.Sprintf("//\t%-5d  %-10.1e  %.1e\n", m, least(false),
			least(true)); !strings.Contains(doc, line) {
			t.Errorf("doc.go lacks %q", line)
		}
	}
}

// TestPlanWithinWhatIsGranted: a plan of all rows with all of ε for the votes leaves nothing for
// the relabelling, and is refused.
func TestPlanWithinWhatIsGranted(t *testing.T) {
	p := AnswersParams{Class: stumps(Below, 100), Epsilon: epsilon("2"), Delta: delta("1e-8"),
		Persons: 2_000_000, Queries: 10}
	p.Plan = &Plan{Rows: p.Persons, Rules: 11, Unstable: 1, VoteEpsilon: p.Epsilon,
		Base: base(2, 1)}
	_, err := NewAnswers(p)
	if refused := new(param.Error); !errors.As(err, &refused) || refused.Field != "plan" {
		t.Errorf("%v, want an error for plan", err)
	}
}

func TestRefusals(t *testing.T) {
	skipShort(t)
	good := AnswersParams{Class: stumps(Below, 100), Epsilon: epsilon("2"), Delta: delta("1e-8"),
		Persons: 2_000_000, Queries: 10}
	change := func(f func(*AnswersParams)) AnswersParams { p := good; f(&p); return p }
	field := func(err error) string {
		var refused *param.Error
		if errors.As(err, &refused) {
			return refused.Field
		}
		return fmt.Sprint(err)
	}
	for _, tt := range []struct {
		p    AnswersParams
		want string
	}{
		{good, "<nil>"},
		{change(func(p *AnswersParams) { p.Class = nil }), "class"},
		// H: relabel.md listed
		{change(func(p *AnswersParams) { p.Class = must(NewTrees([]uint64{5}, 2)) }), "class"},
		// H: answers.md granted
		{change(func(p *AnswersParams) { p.Epsilon = privacy.Epsilon{} }), "epsilon"},
		// H: answers.md granted
		{change(func(p *AnswersParams) { p.Delta = privacy.Delta{} }), "delta"},
		// H: answers.md granted
		{change(func(p *AnswersParams) { p.Delta = delta("0.001") }), "delta"},
		{change(func(p *AnswersParams) { p.Persons = 0 }), "persons"}, // H: answers.md persons
		{change(func(p *AnswersParams) { p.Queries = 0 }), "queries"},
		{change(func(p *AnswersParams) { p.Queries = 1e6 }), "queries"},
		{change(func(p *AnswersParams) { p.Persons = 1000 }), "persons"},
		{change(func(p *AnswersParams) { p.Beta = 1 }), "beta"},
		{change(func(p *AnswersParams) { p.Method = "all" }), "method"},
		{change(func(p *AnswersParams) {
			// H: answers.md plan
			p.Plan = &Plan{Rows: 100, Rules: 10, Unstable: 1, VoteEpsilon: p.Epsilon,
				Base: base(2, 1)}
		}), "plan"},
		// H: answers.md within-granted
		{change(func(p *AnswersParams) {
			p.Plan = &Plan{Rows: p.Persons, Rules: 11, Unstable: 1, VoteEpsilon: epsilon("90"),
				Base: base(2, 1)}
		}), "plan"},
		{change(func(p *AnswersParams) {
			p.Plan = &Plan{Rows: 100, Rules: 11, Unstable: 11, VoteEpsilon: p.Epsilon,
				Base: base(2, 1)}
		}), "unstable"},
		{change(func(p *AnswersParams) {
			p.Plan = &Plan{Rows: 100, Rules: 11, Unstable: 1, VoteEpsilon: p.Epsilon}
		}), "base"},
	} {
		if _, err := NewAnswers(tt.p); field(err) != tt.want {
			t.Errorf("%+v: %v, want an error for %s", tt.p, err, tt.want)
		}
	}
	a := must(NewAnswers(good))
	// H: answers.md persons
	if _, err := a.Start(coin.NewSeeded(1), make([]Example, 3), nil); field(err) != "persons" {
		t.Errorf("3 examples: %v", err)
	}
	// What a refusal says would do does.
	_, err := NewAnswers(change(func(p *AnswersParams) { p.Queries = 1e6 }))
	var most float64
	var refused *param.Error
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(refused.Want.String(), "at most %f from", &most); err != nil {
		t.Fatalf("%q: %v", refused.Want, err)
	}
	if _, err := NewAnswers(
		change(func(p *AnswersParams) { p.Queries = uint64(most) })); err != nil {
		t.Errorf("%v cases, as advised: %v", most, err)
	}
}

// TestDrawnAtRandom: each way to draw some of the persons in some order has the same chance,
// exactly. The rate in Answers' loss rests on it.
func TestDrawnAtRandom(t *testing.T) {
	for n := 1; n <= 4; n++ {
		examples := make([]Example, n)
		for i := range examples {
			examples[i].Point = Point{uint64(i)}
		}
		for count := 1; count <= n; count++ {
			law := must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
				text := ""
				for _, e := range drawWithout(src, examples, count, nil) {
					text += fmt.Sprint(e.Point)
				}
				return text, nil
			}))
			ways := int64(1)
			for i := range count {
				ways *= int64(n - i)
			}
			outcomes := law.Outcomes()
			if int64(len(outcomes)) != ways {
				t.Errorf("%d of %d: %d ways, want %d", count, n, len(outcomes), ways)
			}
			for _, o := range outcomes {
				if law.Mass(o).Cmp(big.NewRat(1, ways)) != 0 {
					t.Errorf("%d of %d: %s has chance %v, want 1/%d", count, n, o, law.Mass(o),
						ways)
				}
			}
		}
	}
}

// TestRepeats: one of n persons is among n draws with replacement more than K times with at most
// the chance that is paid for, and K is the least such number by that bound.
func TestRepeats(t *testing.T) {
	for _, text := range []string{"1/2", "1/6", "0.1", "0.01", "1e-6", "1e-12"} {
		limit, _ := new(big.Rat).SetString(text)
		most, paid := repeats(limit)
		if paid.Cmp(limit) > 0 {
			t.Errorf("δ %s: a chance of %v is paid for", text, paid)
		}
		if most > 1 {
			factor := new(big.Rat).SetInt64(int64(most) + 1)
			if fewer := factor.Mul(factor, paid); fewer.Cmp(limit) <= 0 {
				t.Errorf("δ %s: %d is not the least", text, most)
			}
		}
		for _, n := range []int64{1, 2, 3, 10, 40} {
			tail := new(big.Rat)
			for k := int64(most) + 1; k <= n; k++ {
				ways := new(big.Int).Binomial(n, k)
				ways.Mul(ways, new(big.Int).Exp(big.NewInt(n-1), big.NewInt(n-k), nil))
				all := new(big.Int).Exp(big.NewInt(n), big.NewInt(n), nil)
				tail.Add(tail, new(big.Rat).SetFrac(ways, all))
			}
			if tail.Cmp(paid) > 0 {
				t.Errorf("δ %s, %d persons: more than %d times with chance %v, paid %v", text, n,
					most, tail, paid)
			}
		}
	}
}

// TestBuiltLoss: what a plan is made of, and what it costs, add up: votes for as many changed rules
// as one person can make, the δ of those drawn still more often, relabelling, and the rate of the
// sample.
func TestBuiltLoss(t *testing.T) {
	const persons, rows, rules, queries, unstable = 1000, 400, 101, 4, 2
	votes := epsilon("0.5")
	granted := delta("1e-4")
	rate := big.NewRat(rows, persons)
	for _, method := range []Method{Partition, Bootstrap} {
		for _, plain := range []bool{false, true} {
			plan := &Plan{Rows: rows, Rules: rules, Unstable: unstable, VoteEpsilon: votes,
				Base: base(5, 4)}
			a := must(NewAnswers(AnswersParams{
				Class: stumps(Below, 8), Epsilon: epsilon("4"), Delta: granted, Persons: persons,
				Queries: queries, Method: method, Plain: plain, Plan: plan,
			}))
			within := must(privacy.NewDelta(new(big.Rat).Quo(granted.Rat(), rate)))
			changes, oftener := uint64(1), new(big.Rat)
			if method == Bootstrap {
				within = must(privacy.NewDelta(new(big.Rat).Quo(within.Rat(), big.NewRat(2, 1))))
				changes, oftener = repeats(within.Rat())
			}
			want := must(NewStableVotes(StableVotesParams{
				Epsilon: votes, Delta: within, Queries: queries, Unstable: unstable,
				Changes: changes,
			}))
			if !reflect.DeepEqual(a.votes, want) {
				t.Errorf("%s, plain %v: votes %+v, want %+v", method, plain, a.votes, want)
			}
			ofVotes := must(want.Loss(1))
			failing := oftener.Add(oftener, ofVotes.Delta())
			failing.Mul(failing, rate)
			loss := must(a.Loss(1))
			if loss.Delta().Cmp(failing) != 0 || failing.Cmp(granted.Rat()) > 0 {
				t.Errorf("%s, plain %v: δ %v, want %v", method, plain, loss.Delta(), failing)
			}
			byVotes, _ := ofVotes.Epsilon()
			least := new(big.Rat).Mul(votes.Rat(), big.NewRat(99999, 100000))
			if byVotes.Cmp(votes.Rat()) > 0 || byVotes.Cmp(least) < 0 {
				t.Errorf("votes cost %v, want %v or a little less", byVotes, votes)
			}
			exact, _ := byVotes.Float64()
			odds := math.Exp(exact)
			if !plain {
				odds *= 2.25 * 2.25 // 1 + r, twice
			}
			ratio, _ := rate.Float64()
			spent, _ := loss.Epsilon()
			got, _ := spent.Float64()
			if want := math.Log1p(ratio * (odds - 1)); math.Abs(got-want) > 1e-9 {
				t.Errorf("%s, plain %v: ε %g, want %g", method, plain, got, want)
			}
		}
	}
}
