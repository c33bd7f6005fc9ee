package classify

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/internal/stattest"
	"hush/core/param"
	"hush/core/privacy"
)

// TestRelabellingVector: three persons at 1, 2 and 3 with labels 1, 0, 1 and thresholds that say yes below a cut, e^(1/2) being the base: the laws of the
// labels 000, 100, 110, 111, computed by hand.
func TestRelabellingVector(t *testing.T) {
	m := relabelling(stumps(Below, 4), must(coin.ExpBelow(big.NewRat(1, 2))))
	law := newLabels(t, m, []Example{{Point{1}, true}, {Point{2}, false}, {Point{3}, true}, {}})
	for labels, want := range map[string]float64{"fff": .1887703344, "tff": .3112296656, "ttf": .1887703344, "ttt": .3112296656} {
		if got, _ := law.Mass(labels).Float64(); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %.10f, want %.10f", labels, got, want)
		}
	}
	odds, _ := must(m.LossOf(privacy.Loss{})).Epsilon()
	if got, _ := odds.Float64(); math.Abs(got-1.948154) > 1e-6 {
		t.Errorf("loss %.6f, want 1.948154", got)
	}
}

// TestChooseRule: the seeded draw has the law that mistakes say.
func TestChooseRule(t *testing.T) {
	class := boxes(4)
	sample := votes([]Example{{Point{0}, true}, {Point{1}, false}, {Point{1}, true}, {Point{2}, true}, {Point{3}, false}}, class.Sizes(), nil)
	var rules []string
	var weights []float64
	class.Dichotomies(distinct(sample), sample, nil, func(mistakes int64, rule func() Rule) bool {
		rules, weights = append(rules, rule().String()), append(weights, math.Pow(1.5, -float64(mistakes)))
		return true
	})
	src := coin.NewSeeded(1)
	draw := func() int64 {
		return int64(slices.Index(rules, must(chooseRule(src, class, distinct(sample), sample, base(3, 2), nil)).String()))
	}
	stattest.Accept(t, stattest.Sample(draw), stattest.FromPMF(0, weights))
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
	for k := 1; k < 30; k += 2 { // by trying: so many may change, one more may not
		for yes := range k + 1 {
			d := int(distance(yes, k))
			majority := func(yes int) bool { return 2*yes > k }
			for moved := range k + 1 {
				stays := (yes-moved < 0 || majority(yes-moved) == majority(yes)) && (yes+moved > k || majority(yes+moved) == majority(yes))
				if stays != (moved <= d) && (yes-moved >= 0 || yes+moved <= k) {
					t.Errorf("%d of %d, %d moved: stays %v, distance %d", yes, k, moved, stays, d)
				}
			}
		}
	}
}

// TestStableVotesThreshold: a threshold one lower would pass more than δ by the exact tails of the noises.
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
	m := must(NewStableVotes(StableVotesParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Queries: 5, Unstable: 2}))
	b := m.Start(coin.NewSeeded(1), all)
	for i := range 5 {
		if a, err := b.Answer(Point{3}); err != nil || !a.Stable || a.Yes {
			t.Errorf("case %d of rules that all say no: %v, %v", i, a, err)
		}
	}
	if _, err := b.Answer(Point{3}); !errors.Is(err, ErrNoMore) {
		t.Errorf("a sixth case: %v", err)
	}
	split := append(slices.Repeat([]Rule{Stump{}}, 500), slices.Repeat([]Rule{Stump{Above: true}}, 501)...)
	b = m.Start(coin.NewSeeded(1), split)
	for i := range 2 {
		if a, err := b.Answer(Point{3}); err != nil || a.Stable {
			t.Errorf("case %d of rules that disagree: %v, %v", i, a, err)
		}
	}
	if _, err := b.Answer(Point{3}); !errors.Is(err, ErrNoMore) {
		t.Errorf("a third unstable case: %v", err)
	}
	if cases, unstable := b.Left(); cases != 3 || unstable != 0 {
		t.Errorf("left: %d, %d", cases, unstable)
	}
	if even := m.Start(coin.NewSeeded(1), all[:1000]); len(even.rules) != 999 {
		t.Errorf("%d rules of 1000", len(even.rules))
	}
}

// noisyThreshold are persons at codes below size whose label says whether the code is below half of it, but for a part of errors.
func noisyThreshold(random *rand.Rand, n int, size uint64, errors float64) []Example {
	examples := make([]Example, n)
	for i := range examples {
		code := random.Uint64N(size)
		examples[i] = Example{Point{code}, (code < size/2) != (random.Float64() < errors)}
	}
	return examples
}

// TestAnswersAreGood: labels with 20 % errors are answered as the best rule does, but for what the forecast allows; by either method.
func TestAnswersAreGood(t *testing.T) {
	skipShort(t)
	random := rand.New(rand.NewPCG(9, 10))
	const size, n, m = 1 << 30, 500_000, 20
	examples := noisyThreshold(random, n, size, 0.2)
	for _, method := range []Method{Partition, Bootstrap} {
		a, err := NewAnswers(AnswersParams{Class: stumps(Below, size), Epsilon: epsilon("4"), Delta: delta("1e-7"), Persons: n, Queries: m, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if loss := must(a.Loss(1)); !loss.AtMost(privacy.ApproximateLoss(epsilon("4"), delta("1e-7"))) {
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

// TestPlans: plans keep within the loss granted, and forecasts get better with ε and persons, worse with cases.
func TestPlans(t *testing.T) {
	skipShort(t)
	class := boxes(40, 40)
	forecast := func(e string, n, m uint64, plain bool) float64 {
		a, err := NewAnswers(AnswersParams{Class: class, Epsilon: epsilon(e), Delta: delta("1e-9"), Persons: n, Queries: m, Plain: plain})
		if err != nil {
			return 1
		}
		if !must(a.Loss(1)).AtMost(privacy.ApproximateLoss(epsilon(e), delta("1e-9"))) {
			t.Errorf("ε %s, n %d, m %d: loss %v", e, n, m, must(a.Loss(1)))
		}
		sketch, ok := AnswersParams{Class: class, Epsilon: epsilon(e), Delta: delta("1e-9"), Persons: n, Queries: m, Plain: plain}.Sketch()
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
	if plain, relabelled := forecast("1", 2e6, 10, true), forecast("1", 2e6, 10, false); !(plain < relabelled && relabelled < 1) {
		t.Errorf("relabelling is not paid for: %g and %g", plain, relabelled)
	}
}

// TestRequirements: the table of the package's documentation.
func TestRequirements(t *testing.T) {
	doc := string(must(os.ReadFile("doc.go")))
	for _, m := range []uint64{1, 10, 100, 1000, 10_000} {
		least := func(plain bool) float64 {
			p := AnswersParams{Class: stumps(Below, 1<<40), Epsilon: epsilon("1"), Delta: delta("1e-9"), Persons: 1, Queries: m, Beta: 0.05, Plain: plain}
			return bisect(1<<32, 1, func(n float64) bool { _, ok := p.best(n, float64(m)); return ok })
		}
		if line := fmt.Sprintf("//\t%-5d  %-10.1e  %.1e\n", m, least(false), least(true)); !strings.Contains(doc, line) {
			t.Errorf("doc.go lacks %q", line)
		}
	}
}

func TestRefusals(t *testing.T) {
	skipShort(t)
	good := AnswersParams{Class: stumps(Below, 100), Epsilon: epsilon("2"), Delta: delta("1e-8"), Persons: 2_000_000, Queries: 10}
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
		{change(func(p *AnswersParams) { p.Class = must(NewTrees([]uint64{5}, 2)) }), "class"},
		{change(func(p *AnswersParams) { p.Epsilon = privacy.Epsilon{} }), "epsilon"},
		{change(func(p *AnswersParams) { p.Delta = privacy.Delta{} }), "delta"},
		{change(func(p *AnswersParams) { p.Delta = delta("0.001") }), "delta"},
		{change(func(p *AnswersParams) { p.Persons = 0 }), "persons"},
		{change(func(p *AnswersParams) { p.Queries = 0 }), "queries"},
		{change(func(p *AnswersParams) { p.Queries = 1e6 }), "queries"},
		{change(func(p *AnswersParams) { p.Persons = 1000 }), "persons"},
		{change(func(p *AnswersParams) { p.Beta = 1 }), "beta"},
		{change(func(p *AnswersParams) { p.Method = "all" }), "method"},
		{change(func(p *AnswersParams) {
			p.Plan = &Plan{Rows: p.Persons, Rules: 11, Unstable: 1, VoteEpsilon: p.Epsilon, Base: base(2, 1)}
		}), "plan"},
		{change(func(p *AnswersParams) {
			p.Plan = &Plan{Rows: 100, Rules: 10, Unstable: 1, VoteEpsilon: p.Epsilon, Base: base(2, 1)}
		}), "plan"},
		{change(func(p *AnswersParams) {
			p.Plan = &Plan{Rows: 100, Rules: 11, Unstable: 11, VoteEpsilon: p.Epsilon, Base: base(2, 1)}
		}), "unstable"},
		{change(func(p *AnswersParams) { p.Plan = &Plan{Rows: 100, Rules: 11, Unstable: 1, VoteEpsilon: p.Epsilon} }), "base"},
	} {
		if _, err := NewAnswers(tt.p); field(err) != tt.want {
			t.Errorf("%+v: %v, want an error for %s", tt.p, err, tt.want)
		}
	}
	a := must(NewAnswers(good))
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
	if _, err := fmt.Sscanf(refused.Want, "at most %f from", &most); err != nil {
		t.Fatalf("%q: %v", refused.Want, err)
	}
	if _, err := NewAnswers(change(func(p *AnswersParams) { p.Queries = uint64(most) })); err != nil {
		t.Errorf("%v cases, as advised: %v", most, err)
	}
}

func TestAuditSemiPrivate(t *testing.T) {
	for _, tt := range []struct {
		class   Enumerable
		anchors []Point
	}{{stumps(Below, 4), []Point{{1}, {3}}}, {boxes(4), []Point{{0}, {2}, {3}}}, {plane(2, 2), []Point{{0, 0}, {1, 1}, {1, 0}}}, {boxes(2, 2), everyPoint([]uint64{2, 2})}, {trees(2, 2, 2), []Point{{0, 0}, {0, 1}, {1, 1}}}} {
		m := must(NewSemiPrivate(SemiPrivateParams{Class: tt.class, Anchors: tt.anchors, Base: base(3, 2)}))
		audittest.Holds(t, audit.Audit[string]{Name: fmt.Sprintf("semi-private, %v of %v", tt.class, tt.class.Sizes()),
			Space: audit.Space{Persons: 3, Values: 2 * len(everyPoint(tt.class.Sizes()))}, Claim: claimOf(m.Loss(1)), Law: ruleLaw(m.Learn, tt.class)})
	}
}

// ruleLaw is the law of the rule learned.
func ruleLaw(learn func(coin.Source, []Example, coin.Step) (Rule, error), class Class) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		return coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
			rule, err := learn(src, people(class.Sizes(), rows), nil)
			return fmt.Sprint(rule), err
		})
	}
}

// TestPlantedSemiPrivate: with the persons' own points for anchors it is not private at all.
func TestPlantedSemiPrivate(t *testing.T) {
	class := stumps(Below, 4)
	m := must(NewSemiPrivate(SemiPrivateParams{Class: class, Anchors: []Point{{1}}, Base: base(3, 2)}))
	audittest.Caught(t, audit.Audit[string]{Name: "semi-private, anchored at the persons", Space: audit.Space{Persons: 3, Values: 8}, Claim: claimOf(m.Loss(1)),
		Law: ruleLaw(func(src coin.Source, examples []Example, step coin.Step) (Rule, error) {
			sample := votes(examples, class.Sizes(), nil)
			return chooseRule(src, class, distinct(sample), sample, base(3, 2), nil)
		}, class)})
}

// TestSemiPrivateCover: rules that agree on the anchors agree on nearly all of the population, at random anchors.
func TestSemiPrivateCover(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	const size = 1 << 20
	bad := 0
	for range 200 {
		class := boxes(size)
		m := must(NewSemiPrivate(SemiPrivateParams{Class: class, Anchors: randomPoints(random, []uint64{size}, 400), Epsilon: epsilon("1")}))
		codes := values(m.anchors, 0)
		widest, last := uint64(0), uint64(0)
		for _, code := range codes { // two intervals that agree differ on two gaps at most
			widest, last = max(widest, code-last), code
		}
		if 2*float64(widest)/size > m.Cover(0.05) {
			bad++
		}
	}
	if bad > 10 {
		t.Errorf("%d of 200 covers too coarse", bad)
	}
}

func TestGrid(t *testing.T) {
	points := must(Grid([]uint64{10, 3, 1 << 63}, 4))
	if len(points) != 4*3*4 || !slices.Equal(points[0], Point{1, 0, 1 << 60}) || !slices.Equal(points[47], Point{8, 2, 7 << 60}) {
		t.Errorf("%d points from %v to %v", len(points), points[0], points[len(points)-1])
	}
	for _, sizes := range [][]uint64{{1 << 40, 1 << 40}, {0}} {
		if _, err := Grid(sizes, 1<<30); err == nil {
			t.Errorf("grid of %v", sizes)
		}
	}
}

func TestAuditPoll(t *testing.T) {
	m := must(NewPoll(PollParams{Class: stumps(Below, 3), Epsilon: epsilon("1"), Persons: 3, Queries: 2, Rules: 3}))
	audittest.Holds(t, audit.Audit[string]{Name: "poll of 3 rules, 2 cases, Laplace", Space: audit.Space{Persons: 3, Values: 6}, Claim: claimOf(m.Loss(1)), Law: pollLaw(m, 1)})
}

// pollLaw asks for case 1 so many times more often than paid for.
func pollLaw(m *Poll, times int) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		return coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
			text := ""
			b, err := m.Start(src, people(m.answers.class.Sizes(), rows), nil)
			for range 2 * times {
				var yes bool
				if b.asked == m.queries {
					b.asked = 0 // the twin forgets
				}
				if yes, err = b.Answer(Point{1}); err != nil {
					return "", err
				}
				text += fmt.Sprint(yes)[:1]
			}
			return text, err
		})
	}
}

func TestPlantedPoll(t *testing.T) {
	m := must(NewPoll(PollParams{Class: stumps(Below, 2), Epsilon: epsilon("0.1"), Persons: 1, Queries: 2, Rules: 1}))
	audittest.Caught(t, audit.Audit[string]{Name: "poll that goes on after its last case", Space: audit.Space{Persons: 1, Values: 4}, Claim: claimOf(m.Loss(1)), Law: pollLaw(m, 3)})
}

// TestPollIsGood: rules that mostly agree are answered right by either noise.
func TestPollIsGood(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	const size, n, m = 1 << 20, 20_000, 20
	examples := noisyThreshold(random, n, size, 0)
	for _, noise := range []Noise{LaplaceNoise, GaussianNoise} {
		p := PollParams{Class: stumps(Below, size), Epsilon: epsilon("1"), Persons: n, Queries: m, Rules: 401, Noise: noise}
		if noise == GaussianNoise {
			p.Delta = delta("1e-6")
		}
		b := must(must(NewPoll(p)).Start(coin.NewSeeded(5), examples, nil))
		wrong := 0
		for i := range uint64(m) {
			x := (2*i + 1) * size / (2 * m)
			if yes, err := b.Answer(Point{x}); err != nil || yes != (x < size/2) {
				wrong++
			}
		}
		if _, err := b.Answer(Point{1}); !errors.Is(err, ErrNoMore) || wrong > 2 {
			t.Errorf("%s: %d of %d wrong; one more: %v", noise, wrong, m, err)
		}
	}
}

func TestUniversal(t *testing.T) {
	skipShort(t)
	random := rand.New(rand.NewPCG(15, 16))
	const size, n, m = 1 << 20, 1_000_000, 40
	u, err := NewUniversal(UniversalParams{Class: stumps(Below, size), Epsilon: epsilon("4"), Delta: delta("1e-8"), Persons: n, Queries: m})
	if err != nil {
		t.Fatal(err)
	}
	if loss := must(u.Loss(1)); !loss.AtMost(privacy.ApproximateLoss(epsilon("4"), delta("1e-8"))) {
		t.Errorf("loss %v", loss)
	}
	l := must(u.Start(coin.NewSeeded(7), noisyThreshold(random, n, size, 0.2), nil))
	wrong := 0
	for i := range 400 {
		x := random.Uint64N(size)
		a := must(l.Answer(Point{x}, nil))
		if (l.Rule() != nil) != (i >= m) {
			t.Fatalf("after case %d the rule is %v", i, l.Rule())
		}
		if i >= m && a.Yes != (x < size/2) {
			wrong++
		}
	}
	if wrong > 36 {
		t.Errorf("%v: %d of 360 later cases wrong", l.Rule(), wrong)
	}
}

func TestFirstPhase(t *testing.T) {
	class := stumps(Below, 1<<40)
	for _, alpha := range []float64{0.2, 0.05, 0.01} {
		m := FirstPhase(class, alpha, 0.05)
		cover := func(n uint64) float64 {
			return 2 / float64(n) * (2*class.LogGrowth(int(2*n)) + math.Log(40)) / math.Ln2
		}
		if cover(m) > alpha || cover(m-m/32-1) < alpha {
			t.Errorf("α %g: %d cases, cover %g", alpha, m, cover(m))
		}
	}
}

func TestTrees(t *testing.T) {
	class := must(NewTrees([]uint64{4, 4}, 2))
	var sample []Votes
	for _, p := range everyPoint(class.Sizes()) {
		if p[0] >= 1 && p[1] >= 2 {
			sample = append(sample, Votes{p, 3, 0})
		} else {
			sample = append(sample, Votes{p, 0, 3})
		}
	}
	sample[0].Yes = 1
	if r := class.Learn(sample); mistakes(r, sample) != 1 {
		t.Errorf("%v makes %d mistakes, want 1", r, mistakes(r, sample))
	}
	if one := class.Learn(sample[15:]).String(); one != "yes" {
		t.Errorf("one point: %s", one)
	}
	if class.Learn(nil).Says(Point{0, 0}) {
		t.Error("nobody says yes")
	}
	if d := class.Dimension(); d < 4 || d > 16 {
		t.Errorf("dimension at most %d", d)
	}
}

// TestCancel: whatever long work is doing (drawing persons, sorting them, listing labellings), its caller is asked now and then, and ends it.
func TestCancel(t *testing.T) {
	const size, n = 1 << 40, 20_000
	class := stumps(Below, size)
	examples := noisyThreshold(rand.New(rand.NewPCG(17, 18)), n, size, 0.2)
	semi := must(NewSemiPrivate(SemiPrivateParams{Class: class, Anchors: []Point{{1}, {size / 2}}, Epsilon: epsilon("1")}))
	answers := &Answers{class: class, persons: n, plan: Plan{Rows: n, Rules: 11}, relabel: relabelling(class, base(3, 2)),
		votes: stableVotes(base(2, 1), base(2, 1), "0.01", 1, 1, 1)}
	for name, tt := range map[string]struct {
		run   func(step coin.Step) error
		sorts float64 // of all persons
	}{
		"rule":   {func(step coin.Step) error { _, err := semi.Learn(coin.NewSeeded(1), examples, step); return err }, 1},
		"labels": {func(step coin.Step) error { _, err := answers.Start(coin.NewSeeded(1), examples, step); return err }, 2},
	} {
		asked, enough := 0, errors.New("enough")
		until := func(last int) error {
			asked = 0
			return tt.run(func(done, total int64) error {
				if asked++; asked == last {
					return enough
				}
				return nil
			})
		}
		if err := until(-1); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all := asked
		if least := int(0.7 * tt.sorts * n * math.Log2(n) / stride); all < least {
			t.Errorf("%s: asked %d times, want at least %d", name, all, least)
		}
		for last := 1; last <= all; last += 1 + all/4 {
			if err := until(last); !errors.Is(err, enough) || asked != last {
				t.Errorf("%s: ended at question %d of %d: %v after %d", name, last, all, err, asked)
			}
		}
	}
}
