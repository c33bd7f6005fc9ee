package task

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/param"
	"hush/core/privacy"
	"hush/core/selection"
)

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
// off by no more than is said; that there was none is reported; what cannot be asked so is refused.
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
			!strings.Contains(release.Statement, "gave the first answer whose noisy score was "+
				"good enough: off by at most 500 people") {
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

// TestOneOfBestRuns: a percentile goal decides the number of runs, costs no more than ε, and is
// shown; it excludes the goal of the first good enough run, and other texts are refused.
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
