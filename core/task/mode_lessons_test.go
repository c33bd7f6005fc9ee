package task

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/selection"
	"hush/core/table"
)

// contestLesson asks for the most frequent of six districts by one of the ways that only lessons
// offer, and of so many more that nobody lives in.
func contestLesson(chosen, epsilon string, more int) ask.Lesson {
	l := lessonOf(modeTask)
	l.Recipe.Task, l.Recipe.Epsilon, l.Recipe.Params = "mode", epsilon,
		ask.Params{paramSelector: chosen, paramCounted: "false"}
	l.Recipe.Domain.Categories = slices.Clone(l.Recipe.Domain.Categories)
	for i := range more {
		l.Recipe.Domain.Categories = append(l.Recipe.Domain.Categories, fmt.Sprint("nobody ", i))
	}
	return l
}

// TestContests draws by each of the ways at the same ε: none costs more, each says what it takes,
// and what it reaches.
func TestContests(t *testing.T) {
	drawn := map[string]float64{}
	for _, c := range append(slices.Clone(contestChoices),
		ask.Choice{Value: selectFlip, Label: ""}) {
		if testing.Short() &&
			(c.Value == string(selection.BySampling) || c.Value == string(selection.ByThreshold)) {
			continue
		}
		l := contestLesson(c.Value, "1", 0)
		l.Draws = 5
		taught, err := Teach(nil, l, nil)
		if err != nil {
			t.Fatal(c.Value, err)
		}
		reached := 0.0
		for _, d := range taught.Draws {
			w := d.Answer.Result.(*Winner)
			reached += w.Reached.Percentile / 5
			drawn[c.Value] += float64(w.Reached.Drawn) / 5
			if e, _ := d.Plan.Loss.Epsilon(); e.Cmp(big1) > 0 || toFloat64(e) < .9 {
				t.Errorf("%s costs %v", c.Value, d.Plan.Loss)
			}
			if !strings.Contains(d.Statement, "A release reveals neither") ||
				(w.Behind == "") == (c.Value == selectFlip) {
				t.Errorf("%s: %s", c.Value, d.Statement)
			}
		}
		if facts := taught.Draws[0].Plan.Forecast[1:]; c.Value != selectFlip &&
			(facts[0].Label != "Proven price" || facts[len(facts)-1] != promise(nil)) {
			t.Errorf("%s is not told by its price: %+v", c.Value, facts)
		}
		t.Logf("%s: percentile %.0f, %.0f drawn", c.Value, reached, drawn[c.Value])
		if least := map[string]float64{string(selection.ByLogarithmic): 50,
			string(selection.ByThreshold): 60}[c.Value]; reached < max(least, 80) &&
			reached < least {
			t.Errorf("%s reaches the percentile %.0f", c.Value, reached)
		}
	}
	if drawn[string(selection.BySplitting)] != 6 || drawn[string(selection.ByStopping)] < 6 ||
		drawn[string(selection.ByStopping)] > 100 || drawn[string(selection.ByOracle)] > 36 {
		t.Errorf("drawn are %v", drawn)
	}
	if !testing.Short() &&
		(drawn[string(selection.ByThreshold)] < 1e6 || drawn[string(selection.BySampling)] < 1e6) {
		t.Errorf("drawn are %v", drawn)
	}
}

// TestContestsNeedRuns: with little ε, or for many values, the searches are refused, with a reason.
func TestContestsNeedRuns(t *testing.T) {
	for _, chosen := range []string{string(selection.BySampling), string(selection.ByThreshold)} {
		_, err := Teach(nil, contestLesson(chosen, "0.03", 0), nil)
		wantField(t, err, paramSelector)
		if !strings.Contains(err.Error(), "at most 2^32") {
			t.Error(err)
		}
		none := contestLesson(chosen, "1", 0)
		none.Recipe.Params[ask.ParamDelta] = "0"
		_, err = Teach(nil, none, nil)
		wantField(t, err, ask.ParamDelta)
	}
	_, err := Teach(nil, contestLesson(string(selection.ByStopping), "1", mostContenders), nil)
	wantField(t, err, paramSelector)
}

// TestTaughtIsNotPublished: what only lessons offer is refused in Publish, by its name and among
// values to try, whatever the coins; a release tells nothing that only lessons tell, and lessons
// about a person's own file do.
func TestTaughtIsNotPublished(t *testing.T) {
	file := patients(2000)
	for _, src := range []coin.Source{coin.NewCrypto(), coin.NewSeeded(1)} {
		s := NewSession(src)
		pass, err := s.Survey(table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		feed(t, pass, file)
		cities := domain.Spec{Kind: domain.Category, Categories: []string{"Bern", "Rom", "Ulm"}}
		for _, task := range Catalogue() {
			for _, p := range task.Params {
				for _, c := range p.Taught {
					if slices.Contains(p.Choices, c) {
						t.Errorf("%s: the form offers %s", task.ID, c.Value)
					}
				}
			}
		}
		refused := func(r ask.Recipe, field string) {
			t.Helper()
			r.Epsilon = "10"
			pass, err := s.Encode(r)
			if err != nil {
				t.Fatal(err)
			}
			if pass != nil {
				feed(t, pass, file)
			}
			_, err = s.Plan(r)
			wantField(t, err, field)
			release, err := s.Run(r, nil)
			wantField(t, err, field)
			if release != nil {
				t.Errorf("%+v is released", release)
			}
		}
		for _, c := range contestChoices {
			refused(recipe(s, "mode", 2, cities, ask.Params{paramSelector: c.Value}), paramSelector)
		}
		refused(recipe(s, "median", 0, hundredDomain, ask.Params{paramAlgorithm: "paper"}),
			paramAlgorithm)
		for name, algorithm := range map[string]string{
			ask.TryName(paramAlgorithm): "search, paper"} {
			r := recipe(s, "median", 0, hundredDomain, ask.Params{name: algorithm})
			if _, err := s.Plan(r); err == nil {
				t.Errorf("%s %s is priced", name, algorithm)
			}
		}
		r := recipe(s, "mode", 2, cities, nil)
		if w := askFor(t, s, r, file).Answer.Result.(*Winner); w.Reached != nil {
			t.Errorf("a release tells %+v", w.Reached)
		}
		r.Params = ask.Params{paramSelector: string(selection.ByStopping)}
		taught, err := s.Look(ask.Lesson{Recipe: r, Draws: 1}, nil)
		if err != nil || taught.Draws[0].Answer.Result.(*Winner).Reached == nil {
			t.Errorf("%+v, %v", taught, err)
		}
		if _, err := s.Plan(r); err == nil {
			t.Error("after a look, the session prices what only lessons offer")
		}
	}
}
