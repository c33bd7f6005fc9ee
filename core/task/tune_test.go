package task

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/privacy"
	"hush/core/selection"
)

func TestTuneChoosesTheWidth(t *testing.T) {
	file := peaked(5000)
	s := open(t, file)
	good := 0
	for range 6 {
		release := askFor(
			t, s, recipe(s, "histogram", 0, hundredDomain,
				ask.Params{"try-width": "2, 4, 10, 25, 50"}), file)
		h := release.Answer.Result.(*Histogram)
		tuned := release.Tuned
		if e, _ := release.Plan.Loss.Epsilon(); e.Cmp(big1) > 0 {
			t.Errorf("loss %v", release.Plan.Loss)
		}
		if tuned.Value == "2" || tuned.Value == "4" {
			good++
		}
		width, _ := strconv.Atoi(tuned.Value)
		if len(h.Bins) != 100/width || len(tuned.Among) != 5 || tuned.Parameter != "Bin width" ||
			!strings.Contains(release.Statement, "chosen privately among 2, 4, 10, 25, 50") {
			t.Errorf("%+v, %s", tuned, release.Statement)
		}
	}
	if good < 5 {
		t.Errorf("%d of 6 releases choose a width that shows the peak", good)
	}
}

func TestTuneLosses(t *testing.T) {
	s := open(t, peaked(1000))
	for _, test := range []struct {
		try string
		run float64 // ε of one run
	}{{"1, 2", 1. / 2}, {"1, 2, 5", 1 / 2.5}, {"1, 2, 5, 10", 1 / 2.5},
		{"1, 2, 4, 5, 10, 20, 25, 50", 1 / 2.5}} {
		_, p, err := ask.Prepare(
			All{}, recipe(s, "histogram", 0, hundredDomain, ask.Params{"try-width": test.try}),
			1000)
		if err != nil {
			t.Fatal(err)
		}
		tried := p.(*tuned)
		if math.Abs(tried.each.Float64()-test.run) > 1e-5 {
			t.Errorf("%s: each run has %v", test.try, tried.each)
		}
		loss, err := p.Loss()
		if err != nil {
			t.Fatal(err)
		}
		if e, _ := loss.Epsilon(); e.Cmp(big1) > 0 || toFloat64(e) < .9999 {
			t.Errorf("%s: loss %v", test.try, loss)
		}
	}
}

// TestSearchedGoodEnough: where no number of people is given one is found, for no more than (ε, δ),
// and the answer is off by no more than is said; what takes too many runs is refused.
func TestSearchedGoodEnough(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds: thousands of runs")
	}
	file := peaked(400)
	s := open(t, file)
	with := func(epsilon, good string) ask.Recipe {
		r := recipe(s, "distribution", 0, hundredDomain,
			ask.Params{"try-method": "hierarchy, sparse, each", ask.ParamGood: good})
		r.Epsilon = epsilon
		return r
	}
	r := with("60", "search 12000")
	plan, err := s.Plan(r)
	if err != nil {
		t.Fatal(err)
	}
	allowed := must(privacy.NewLoss(big.NewRat(60, 1), big.NewRat(1, 10_000_000)))
	if !plan.Loss.AtMost(allowed) || plan.Loss.Delta().Sign() == 0 ||
		!strings.Contains(fmt.Sprint(plan.Forecast), "2 × one run, and the search") {
		t.Errorf("%v: %+v", plan.Loss, plan.Forecast)
	}
	found := 0
	for range 2 {
		if pass, err := s.Encode(r); err != nil {
			t.Fatal(err)
		} else if pass != nil {
			feed(t, pass, file)
		}
		release, err := s.Run(r, nil)
		if none := new(ask.NothingError); errors.As(err, &none) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		how := release.Tuned
		if found++; how.Good < 4 || how.Good > 400 || how.Within <= how.Good {
			t.Errorf("%+v", how)
		}
		if off := gapOff(file, release); off > how.Within+1 {
			t.Errorf("off by %d, at most %d are said", off, how.Within)
		}
		if testing.Short() {
			break
		}
	}
	if found == 0 {
		t.Error("nothing was ever found")
	}
	for _, refused := range [][2]string{{"1", "search"}, {"40", "search 100"}, {"40", "search x"},
		{"40", "search 9999999"}, {"40", "searching"}} {
		_, err := s.Plan(with(refused[0], refused[1]))
		wantField(t, err, ask.ParamGood)
	}
}

// TestGoodEnough: an answer that is good enough is found nearly always, for no more than ε, and is
// off by no more than is said; that there was none is told; what cannot be asked so is refused.
func TestGoodEnough(t *testing.T) {
	file := peaked(5000)
	s := open(t, file)
	with := func(good, tries string) ask.Recipe {
		return recipe(s, "median", 0, hundredDomain,
			ask.Params{"try-algorithm": tries, ask.ParamGood: good})
	}
	const three = "exponential, treelog, search"
	plan, err := s.Plan(with("500", three))
	if err != nil {
		t.Fatal(err)
	}
	if e, _ := plan.Loss.Epsilon(); e.Cmp(big1) > 0 ||
		!strings.Contains(fmt.Sprint(plan.Forecast), "2 × one run") ||
		!strings.Contains(fmt.Sprint(plan.Forecast), "at most 24 expected") {
		t.Errorf("%v: %+v", plan.Loss, plan.Forecast)
	}
	found, nothing := 0, 0
	for range 12 {
		r := with("500", three)
		if pass, err := s.Encode(r); err != nil {
			t.Fatal(err)
		} else if pass != nil {
			feed(t, pass, file)
		}
		release, err := s.Run(r, nil)
		if err != nil {
			nothing++
			if none := new(ask.NothingError); !errors.As(err, &none) {
				t.Error(err)
			}
			continue
		}
		found++
		how := release.Tuned
		if how.Good != 500 || how.Within <= 500 || how.Within > 1000 ||
			!strings.Contains(release.Statement, "gave the first answer that was good enough: by "+
				"its noisy score it is off by at most 500 people") {
			t.Errorf("%+v: %s", how, release.Statement)
		}
	}
	if found < 9 {
		t.Errorf("%d found, %d not", found, nothing)
	}
	never := recipe(s, "distribution", 0, hundredDomain,
		ask.Params{"try-method": "hierarchy, sparse, each", ask.ParamGood: "0"})
	if pass, err := s.Encode(never); err != nil {
		t.Fatal(err)
	} else if pass != nil {
		feed(t, pass, file)
	}
	_, err = s.Run(never, nil)
	if none := new(ask.NothingError); !errors.As(err, &none) ||
		!strings.Contains(none.Error(), "none was off by at most 0 people") {
		t.Errorf("nobody's share is off: %v", err)
	}
	for _, test := range []struct{ good, tries string }{
		{"-1", three}, {"x", three}, {"5001", three}, {"1.5", three},
		{"500", "exponential, treelog"},
	} {
		_, err := s.Plan(with(test.good, test.tries))
		wantField(t, err, ask.ParamGood)
	}
	for task, params := range map[string]ask.Params{
		"histogram": {"try-width": "1, 2, 5", ask.ParamGood: "5"},
		"density":   {"try-pieces": "5, 10, 20", "goal": "density", ask.ParamGood: "5"},
	} {
		_, err := s.Plan(recipe(s, task, 0, hundredDomain, params))
		wantField(t, err, ask.ParamGood)
	}
}

// TestStopping: no listed way has a smaller proven loss than the law taken and finds a good run as
// often in as many runs; only each combination once may. Laws of any stop of the shapes listed do
// not either.
func TestStopping(t *testing.T) {
	for _, test := range []struct {
		epsilon   string
		k, perTry int64
		rule      string
		times     float64
	}{
		{"1", 2, selection.RunsPerTry, "negative binomial of shape 1/4, stop 1/34", 2.25},
		{"1", 3, selection.RunsPerTry, "negative binomial of shape 1/2, stop 1/28", 2.5},
		{"0.01", 4, selection.RunsPerTry, fourTried, 2.5},
		// where a Poisson number of runs costs less, which may be none
		{"100", 4, selection.RunsPerTry, fourTried, 2.5},
		{"1", ask.MostTries, selection.RunsPerTry, "negative binomial of shape 1/2, stop 1/425",
			2.5},
		{"1", 1, runsPerNumber, "negative binomial of shape 1/2, stop 1/28", 2.5},
		{"1", 5, runsPerNumber, "negative binomial of shape 3/4, stop 1/88", 2.75},
		{"1", 15, runsPerNumber, "negative binomial of shape 3/4, stop 1/280", 2.75},
	} {
		total := must(privacy.ParseEpsilon(test.epsilon))
		law := must(stopping(&ask.Query{Epsilon: total}, test.k, test.perTry))
		before := must(selection.Geometric(big.NewRat(1, test.k*test.perTry), 0))
		share, runs := 1/float64(2*test.k), float64(2*test.k*test.perTry)
		often := before.Miss(share) * (1 + 1e-12)
		if law.Rule.String() != test.rule || timesOne(law, total) != fmt.Sprint(test.times) ||
			law.Runs > runs || law.Miss > often {
			t.Errorf("%d candidates: %+v", test.k, law)
		}
		for _, quarters := range []int64{4, 3, 2, 1, 0, -2} {
			if 2+float64(quarters)/4 >= test.times {
				continue
			}
			for n := int64(1); n <= 4*int64(runs); n++ {
				// E[runs] is above runs from there on, but for shapes of 1/4 and less
				r := must(selection.NegativeBinomial(big.NewRat(quarters, 4), big.NewRat(1, n)))
				if r.Miss(share) <= law.Miss && toFloat64(r.Mean()) <= runs {
					t.Errorf("%d candidates: %s costs less", test.k, r)
				}
			}
		}
	}
	q := &ask.Query{Epsilon: must(privacy.ParseEpsilon("1"))}
	for k := int64(2); k <= ask.MostTries; k++ {
		law := must(repeats(q, k))
		if (law == nil) != (k == 2) || law != nil && timesOne(law, q.Epsilon) != "2.5" {
			t.Errorf("%d combinations: %+v", k, law)
		}
	}
}

func BenchmarkStopping(b *testing.B) {
	q := &ask.Query{Epsilon: must(privacy.ParseEpsilon("1"))}
	for b.Loop() {
		must(stopping(q, ask.MostTries, selection.RunsPerTry))
	}
}

func TestTuneRefusals(t *testing.T) {
	s := open(t, peaked(100))
	for _, try := range []string{"5", "5, 5", "5, x", "5, 0.5", "1 to 2000",
		strings.Repeat("1,", 40)} {
		_, err := s.Plan(recipe(s, "histogram", 0, hundredDomain, ask.Params{"try-width": try}))
		wantField(t, err, "try-width")
	}
	for _, test := range []struct {
		params ask.Params
		field  string
	}{
		{ask.Params{"try-width": "1 to 40"}, "try"},
		{ask.Params{"try-width": "1 to 40", "try": "33"}, "try"},
		{ask.Params{"try-width": "1 to 40", "try": "x"}, "try"},
		{ask.Params{"try-negative": "true, false"}, "try-negative"},
		{ask.Params{"try-method": "merr, magic"}, "try-method"},
	} {
		task, field := "histogram", test.field
		if field == "try-method" {
			task = "density"
		}
		_, err := s.Plan(recipe(s, task, 0, hundredDomain, test.params))
		wantField(t, err, field)
	}
	_, err := s.Plan(
		recipe(s, "density", 0, hundredDomain,
			ask.Params{"try-degree": "0, 1", "shape": "falling"}))
	wantField(t, err, "try-degree")
	_, err = s.Plan(recipe(s, "mean", 0, hundredDomain, ask.Params{"try": "all"}))
	wantField(t, err, "try")
	plan, err := s.Plan(
		recipe(s, "histogram", 0, hundredDomain, ask.Params{"try-width": "1, 2, 5, 10, 20"}))
	if err != nil || plan.Forecast[1].Value != "ε = 1" ||
		!strings.Contains(plan.Forecast[1].Detail, "ε = 2") ||
		!strings.Contains(plan.Forecast[1].Detail, "each of them would have ε = 0.2") ||
		plan.Forecast[3].Value != "2.5 × one run" || plan.Forecast[4].Value != "30 expected" ||
		!strings.Contains(plan.Forecast[4].Detail, "negative binomial of shape 1/2, stop 1/52") ||
		!strings.Contains(plan.Algorithm, "negative binomial of shape 1/2, stop 1/52") {
		t.Errorf("%s, %+v, %v", plan.Algorithm, plan.Forecast, err)
	}
	if plan, err = s.Plan(
		recipe(s, "histogram", 0, hundredDomain, ask.Params{"try-width": "1, 2"})); err != nil ||
		!strings.Contains(plan.Forecast[1].Detail, "each is paid for") {
		t.Errorf("%+v, %v", plan.Forecast, err)
	}
}

// TestCombinations: all of a small grid, some of a large one, the same each time and others for
// another grid.
func TestCombinations(t *testing.T) {
	s := open(t, peaked(100))
	of := func(params ask.Params) []string {
		q, _, err := ask.Prepare(All{}, recipe(s, "density", 0, hundredDomain, params), 100)
		if err != nil {
			t.Fatal(err)
		}
		_, list, err := q.Combinations()
		if err != nil {
			t.Fatal(err)
		}
		var values []string
		for _, c := range list {
			values = append(values, c.Value)
		}
		return values
	}
	all := of(ask.Params{"try-method": "merr, tree", "try-pieces": "auto, 5, 7 to 9"})
	if want := []string{"maximum error rule, auto", "quantile tree, auto"}; len(all) != 10 ||
		!slices.Equal(all[:2], want) || all[9] != "quantile tree, 9" {
		t.Errorf("%q", all)
	}
	large := ask.Params{"try-method": "merr, tree, histogram", "try-pieces": "1 to 200",
		"try": "16"}
	some := of(large)
	distinct := map[string]bool{}
	for _, v := range some {
		distinct[v] = true
	}
	if len(distinct) != 16 || !slices.Equal(some, of(large)) {
		t.Errorf("%q, then %q", some, of(large))
	}
	other := maps.Clone(large)
	other["try-pieces"] = "2 to 200"
	if slices.Equal(some, of(other)) {
		t.Error("two grids draw the same")
	}
}

// tunedLessons are questions about made-up data with values to be tried, for every task that can be
// tuned.
func tunedLessons(t *testing.T) map[string]ask.Lesson {
	lessons := map[string]ask.Lesson{}
	for _, task := range Catalogue() {
		tries := 0
		for _, p := range task.Params {
			if p.Tries == "" {
				continue
			}
			tries++
			l := lessonOf(task)
			l.Rows = 600
			l.Recipe.Params = maps.Clone(l.Recipe.Params)
			if l.Recipe.Params == nil {
				l.Recipe.Params = ask.Params{}
			}
			l.Recipe.Params[ask.TryName(p.Name)] = p.Tries
			maps.Copy(l.Recipe.Params, p.With)
			lessons[task.ID+" "+p.Name] = l
		}
		if (tries > 0) != (task.Tunes != "") {
			t.Errorf("%s has %d parameters to be tuned by %q", task.ID, tries, task.Tunes)
		}
	}
	return lessons
}

// TestTuneEveryTask asks every question whose parameters can be tuned, with the values that its
// form gives as an example.
func TestTuneEveryTask(t *testing.T) {
	seen := map[string]bool{}
	for name, l := range tunedLessons(t) {
		if testing.Short() && (seen[l.Recipe.Task] || strings.HasPrefix(name, "conjunctions")) {
			continue
		}
		seen[l.Recipe.Task] = true
		t.Run(name, func(t *testing.T) {
			s, r, err := ask.OpenLesson(nil, All{}, l)
			if err != nil {
				t.Fatal(err)
			}
			release, err := s.Run(r, nil)
			if err != nil {
				t.Fatal(err)
			}
			if release.Tuned == nil || !slices.Contains(release.Tuned.Among, release.Tuned.Value) ||
				release.Tuned.By == "" || !strings.Contains(release.Statement, "chosen privately") {
				t.Errorf("%+v: %s", release.Tuned, release.Statement)
			}
			if e, _ := release.Plan.Loss.Epsilon(); e.Cmp(big1) > 0 {
				t.Errorf("loss %v", release.Plan.Loss)
			}
			if err := release.Plan.Loss.Check(uint64(release.Plan.People)); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestTuneSharesDelta: δ of all runs together is what was allowed.
func TestTuneSharesDelta(t *testing.T) {
	s := open(t, peaked(1000))
	for _, try := range []string{"capped, merr", "capped, merr, tree, hierarchy, histogram"} {
		plan, err := s.Plan(
			recipe(s, "density", 0, hundredDomain,
				ask.Params{"try-method": try, "delta": "0.00001"}))
		if err != nil {
			t.Fatal(err)
		}
		if d, _ := plan.Loss.Delta().Float64(); d > 0.00001 || d < 0.0000099 {
			t.Errorf("%s: δ = %v", try, d)
		}
	}
}

// fickle is a question one of whose values is refused whatever is drawn, and which is cancelled
// with another.
type fickle struct {
	*histogram
	err error
}

func (f fickle) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	if f.err != nil {
		return nil, f.err
	}
	return f.histogram.Run(src, data, step)
}

// TestRefusedRunsAreSilent: a run that is refused never ends the others, and is told only where
// nothing else was drawn.
func TestRefusedRunsAreSilent(t *testing.T) {
	file := peaked(500)
	s := open(t, file)
	for _, try := range []string{"1, 2", "1, 2, 5, 10"} {
		recipe := recipe(s, "histogram", 0, hundredDomain, ask.Params{"try-width": try})
		askFor(t, s, recipe, file)
		_, p, err := ask.Prepare(All{}, recipe, 500)
		if err != nil {
			t.Fatal(err)
		}
		tried := p.(*tuned)
		refusal, stop := ask.Refuse("shape", "odd", "another"), errors.New("stop")
		for i, inner := range tried.inner {
			tried.inner[i] = fickle{inner.(*histogram), refusal}
		}
		if _, err := tried.Run(coin.NewSeeded(1), must(s.Data(recipe)), nil); err != refusal {
			t.Errorf("%s: all are refused: %v", try, err)
		}
		one := tried.inner[0].(fickle)
		tried.inner[0] = fickle{one.histogram, nil}
		worked := 0
		for seed := range coin.Seed(20) {
			result, err := tried.Run(coin.NewSeeded(seed), must(s.Data(recipe)), nil)
			if err != nil && err != refusal {
				t.Fatal(err)
			}
			if err == nil && result.(*bestRun).how.Value == "1" {
				worked++
			}
		}
		if worked < 12 {
			t.Errorf("%s: %d of 20 releases have the value that works", try, worked)
		}
		tried.inner[1] = fickle{one.histogram, stop}
		if _, err := tried.Run(coin.NewSeeded(1), must(s.Data(recipe)), nil); err != stop &&
			tried.law == nil {
			t.Errorf("%s: cancelled: %v", try, err)
		}
	}
}

// magnitudes are n whole numbers up to 10^12 whose logarithms are even.
func magnitudes(n int) []byte {
	src := coin.NewSeeded(4)
	var b strings.Builder
	b.WriteString("x\n")
	for range n {
		b.WriteString(strconv.Itoa(int(math.Exp(27*float64(src.Uniform(1<<30))/(1<<30)))) + "\n")
	}
	return []byte(b.String())
}

// TestChosenPrivately: where public facts do not decide, the choice finds what suits data for which
// the maximum error rule fails; where they do, it is the public rule.
func TestChosenPrivately(t *testing.T) {
	file := magnitudes(2000)
	s := open(t, file)
	wide := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "999999999999"}
	gap := func(params ask.Params) (int64, *ask.Tuned) {
		var gaps []int64
		var tuned *ask.Tuned
		for range 7 {
			release := askFor(t, s, recipe(s, "density", 0, wide, params), file)
			gaps, tuned = append(gaps, peopleOff(t, s, release)), release.Tuned
			if e, _ := release.Plan.Loss.Epsilon(); e.Cmp(big1) > 0 {
				t.Errorf("loss %v", release.Plan.Loss)
			}
		}
		slices.Sort(gaps)
		return gaps[3], tuned
	}
	rule, none := gap(ask.Params{"method": "merr"})
	private, tuned := gap(ask.Params{"method": "private"})
	if none != nil || tuned == nil || len(tuned.Among) != 5 {
		t.Fatalf("%+v, %+v", none, tuned)
	}
	if private > rule/2 {
		t.Errorf("off by %d people, and by %d by the maximum error rule", private, rule)
	}
	small := peaked(500)
	s = open(t, small)
	if release := askFor(
		t, s, recipe(s, "density", 0, hundredDomain, ask.Params{"method": "private"}),
		small); release.Tuned != nil || release.Plan.Algorithm != "hierarchical histogram" {
		t.Errorf("%+v by %s", release.Tuned, release.Plan.Algorithm)
	}
}

func TestRoundsRefusals(t *testing.T) {
	s := open(t, magnitudes(100))
	wide := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "999999999999"}
	for _, test := range []struct {
		params ask.Params
		field  string
	}{
		{ask.Params{"rounds": "0"}, "rounds"}, {ask.Params{"rounds": "257"}, "rounds"},
		{ask.Params{"rounds": "x"}, "rounds"},
		{ask.Params{"rounds": "8", "method": "tree"}, "rounds"},
		{ask.Params{"try-rounds": "8, 16", "method": "tree"}, "try-rounds"},
		{ask.Params{"method": "private", "try-pieces": "5, 10"}, "try-pieces"},
		{ask.Params{"try-method": "private, tree"}, "try-method"},
	} {
		_, err := s.Plan(recipe(s, "density", 0, wide, test.params))
		wantField(t, err, test.field)
	}
	for _, rounds := range []string{"1", "256"} {
		if _, err := s.Plan(
			recipe(s, "density", 0, wide, ask.Params{"rounds": rounds})); err != nil {
			t.Error(err)
		}
	}
}

// TestTunedValuesAreReadBack: a released value is scored however the column's cells are written.
func TestTunedValuesAreReadBack(t *testing.T) {
	for name, d := range map[string]domain.Spec{
		"decimal comma": {Kind: domain.Decimal, Lo: "0", Hi: "9", Step: "0.5", Mark: ","},
		"dates": {Kind: domain.Date, Lo: "2026-01-01", Hi: "2026-01-31",
			Format: "DD.MM.YYYY"},
		"missing": {Kind: domain.Integer, Lo: "0", Hi: "1", Missing: []string{"0", "1"}},
		"texts":   {Kind: domain.Text, Length: 20, Missing: []string{"a"}},
	} {
		t.Run(name, func(t *testing.T) {
			file := []byte("x\n" + strings.Repeat("1,5\n05.01.2026\n1\na\n", 10))
			s := open(t, file)
			r := recipe(s, "median", 0, d,
				ask.Params{ask.TryName("algorithm"): "exponential, search"})
			release := askFor(t, s, r, file)
			if release.Tuned == nil {
				t.Error("nothing was tuned")
			}
		})
	}
}

// TestRefusalOfWhatIsChosenPrivately: where Hush chooses the algorithm and it is refused, the field
// stays the one that is wrong.
func TestRefusalOfWhatIsChosenPrivately(t *testing.T) {
	s := open(t, ages(4000))
	r := recipe(s, "density", 0, ageDomain,
		ask.Params{"method": "private", "degree": "1", "shape": "falling"})
	_, err := s.Plan(r)
	wantField(t, err, "degree")
}

// TestOneOfBestRuns: a percentile goal decides the number of runs, costs no more than ε, and is
// told; it excludes the first that is good enough, and other texts are refused.
func TestOneOfBestRuns(t *testing.T) {
	file := peaked(1000)
	s := open(t, file)
	with := func(params ask.Params) ask.Recipe {
		return recipe(s, "density", 0, hundredDomain, params)
	}
	release := askFor(t, s, with(ask.Params{"try-pieces": "5, 20", "try-best": "20"}), file)
	if e, _ := release.Plan.Loss.Epsilon(); e.Cmp(big1) > 0 || toFloat64(e) < .9999 {
		t.Errorf("loss %v", release.Plan.Loss)
	}
	if text := fmt.Sprint(release.Plan.Forecast); !strings.Contains(text, "among the best 20 %") {
		t.Errorf("%s", text)
	}
	for _, bad := range []ask.Params{{"try-best": "0"}, {"try-best": "51"}, {"try-best": "x"},
		{"try-best": "10", "try-good": "5"}} {
		bad["try-pieces"] = "5, 20"
		_, err := s.Plan(with(bad))
		if f := new(param.Error); !errors.As(err, &f) || f.Field != ask.ParamBest {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

// TestHalvesOfRows: a replaced person changes what is trained on or what is scored, and never both;
// each has all of what a run costs, and what is no row for each person is refused.
func TestHalvesOfRows(t *testing.T) {
	r := lessonOf(classifyTask).Recipe
	r.Version, r.Task, r.Epsilon = ask.RecipeVersion, "classify", "2"
	r.Params = maps.Clone(r.Params)
	r.Params[ask.TryName(paramRules)], r.Params[ask.ParamHalves] = "stumps, boxes", "true"
	r.Params[paramRelease] = releaseRule
	_, p, err := ask.Prepare(All{}, r, 1000)
	if err != nil {
		t.Fatal(err)
	}
	tried := p.(*tuned)
	if tried.each.Rat().Cmp(tried.noise.Rat()) != 0 || tried.each.Rat().Cmp(big1) != 0 {
		t.Errorf("a run has %v, its score %v", tried.each, tried.noise)
	}
	if e, _ := must(p.Loss()).Epsilon(); e.Cmp(big.NewRat(2, 1)) != 0 {
		t.Errorf("it costs %v", e)
	}
	file := set("commute").CSV()
	s := open(t, file)
	r.Table = must(s.Opened()).Options
	release := askFor(t, s, r, file)
	if release.Tuned == nil || release.Answer.Result.(*Labels).Rule == "" {
		t.Errorf("%+v", release.Tuned)
	}

	for task, params := range map[string]ask.Params{
		"rule":   {"try-together": "1, 2"},
		"cutoff": {"try-direction": "above, below", "curve": "false"}} {
		file, _ := town(4000)
		s := open(t, file)
		params[ask.ParamHalves] = "true"
		outcome := []ask.Field{{Role: ask.RoleOutcome, Column: 4,
			Domain: category("true", "false")}}
		r := recipe(s, task, 1, hundredDomain, params)
		if r.Others = outcome; task == "rule" {
			r = withoutMain(s, task, append(outcome, townAttributes()...), params)
		}
		release := askFor(t, s, r, file)
		if !strings.Contains(release.Statement, "learned from one half of the rows") {
			t.Errorf("%s: %s", task, release.Statement)
		}
		if l, is := release.Answer.Result.(*LearnedRule); is &&
			(l.People != selection.Trained(4000) || l.Right > l.People || l.Right < l.People/2) {
			t.Errorf("%+v", l)
		}
	}

	codes := listed{0, 0, 0, 0, 0, 0, 0, 0}
	data := ask.Data{Others: []*ask.Column{{Codes: codes}}}
	trains, scores := halfOf(data, true).Others[0].Codes, halfOf(data, false).Others[0].Codes
	for i := range codes {
		_, first := trains.Code(i)
		if _, second := scores.Code(i); first == second || first != selection.Trains(i) {
			t.Errorf("row %d is trained on: %t, and scored: %t", i, first, second)
		}
	}
	r.Count = 1
	_, _, err = ask.Prepare(All{}, r, 1000)
	if f := new(param.Error); !errors.As(err, &f) || f.Field != ask.ParamHalves {
		t.Errorf("rows with counts: %v", err)
	}
}

type listed []uint64

func (l listed) Len() int                  { return len(l) }
func (l listed) Code(i int) (uint64, bool) { return l[i], true }

// gapOff is by how many people a distribution of ages is off, where it was measured.
func gapOff(file []byte, r *Release) (off int64) {
	for _, p := range r.Answer.Result.(*Distribution).Points {
		below := 0.0
		for _, line := range strings.Fields(string(file))[1:] {
			if must(strconv.Atoi(line)) < must(strconv.Atoi(p.Value)) {
				below++
			}
		}
		off = max(off, int64(math.Abs(below-p.Below)))
	}
	return off
}
