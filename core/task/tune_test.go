package task

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
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

// TestRunsMaySpendTheirShare: what one of many runs may spend on a person is what it may spend on
// all of that person's entries, and not all that was asked.
func TestRunsMaySpendTheirShare(t *testing.T) {
	r := ask.Recipe{Version: ask.RecipeVersion, Task: "histogram", Column: 1, Domain: ageDomain,
		Params: ask.Params{"try-width": "1, 2, 5"}, Epsilon: "2", Person: 2,
		Use: &table.Use{Rows: 3}}
	q, _, err := ask.Prepare(All{}, r, 1000)
	if err != nil {
		t.Fatal(err)
	}
	of, tried, err := q.Combinations()
	if err != nil {
		t.Fatal(err)
	}
	watched, runs := *q.Task, 0
	watched.Prepare = func(run *ask.Query) (ask.Prepared, error) {
		runs++
		if three := run.Whole.Part(1, 3); three.Cmp(run.Epsilon) != 0 ||
			run.Whole.Cmp(q.Whole) >= 0 {
			t.Errorf("a run has ε = %v for an entry and %v for a person", run.Epsilon, run.Whole)
		}
		return q.Task.Prepare(run)
	}
	with := *q
	with.Task = &watched
	if _, err = newTuned(&with, of, tried); err != nil || runs != 3 {
		t.Errorf("%d runs were prepared: %v", runs, err)
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

// TestRefusedRunsAreSilent: a refused run never ends the others, and is shown only where nothing
// else was drawn.
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
