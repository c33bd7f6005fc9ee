package session

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strconv"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
	"hush/core/task"
)

var again = flag.Bool("release", false, "draw the example of the landing anew")

// exampleRecipe is what the example was asked.
func exampleRecipe(t *testing.T) ask.Recipe {
	t.Helper()
	s := task.NewSession(coin.NewCrypto())
	survey, err := s.Survey(table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := ask.ReadAll(survey, LandingSet().CSV()); err != nil {
		t.Fatal(err)
	}
	opened, err := s.Opened()
	if err != nil {
		t.Fatal(err)
	}
	return ask.Recipe{Version: ask.RecipeVersion, Task: "histogram", Table: opened.Options,
		Data: "Clinic visits", Source: "Clinic visits, made-up data",
		Noun:   codebook.Noun{One: "patient", Many: "patients"},
		Column: 1, Label: "age", Unit: "years",
		Domain:  domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"},
		Params:  ask.Params{"width": "5"},
		Epsilon: "0.5"}
}

// TestExample: the example is a release of the bundled data set, made with the system's coins and
// asked what the landing says; no count is further off than it claims of all at once.
func TestExample(t *testing.T) {
	file, want := LandingSet().CSV(), exampleRecipe(t)
	s := task.NewSession(coin.NewCrypto())
	if err := s.Load(bytes.NewReader(file), want); err != nil {
		t.Fatal(err)
	}
	if *again {
		r, err := s.Run(want, nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("landing.json", append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		exampleText = text
	}
	r := Landing()
	if r.Origin != coin.Crypto || !reflect.DeepEqual(r.Recipe, want) {
		t.Errorf("it was drawn from %s and asked %+v, want %+v", r.Origin, r.Recipe, want)
	}
	plan, err := s.Plan(want)
	if err != nil {
		t.Fatal(err)
	}
	if r.Plan.Loss.String() != plan.Loss.String() || r.Plan.People != plan.People {
		t.Errorf("it costs %v among %d, want %v among %d", r.Plan.Loss, r.Plan.People, plan.Loss,
			plan.People)
	}
	h := r.Answer.Result.(*task.Histogram)
	rows, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	truth := make([]int64, len(h.Bins))
	for _, row := range rows[1:] {
		if age, err := strconv.Atoi(row[0]); err == nil && age < 100 {
			truth[age/5]++
		}
	}
	exact := true
	for i, bin := range h.Bins {
		exact = exact && bin.Count == truth[i]
		if off := bin.Count - truth[i]; max(off, -off) > h.AllError {
			t.Errorf("%s: %d are released and %d are there, further off than %d", bin.Label,
				bin.Count, truth[i], h.AllError)
		}
	}
	if exact {
		t.Error("every count is the true one: nothing was released privately")
	}
}

// TestLandingSaysWhatItsTaskSays: the example's sentence is that of a release of today.
func TestLandingSaysWhatItsTaskSays(t *testing.T) {
	r := Landing()
	_, p, err := ask.Prepare(task.All{}, r.Recipe, r.Plan.People)
	if err != nil {
		t.Fatal(err)
	}
	if want := p.State(r.Answer.Result); r.Statement != want {
		t.Errorf("the example says %q, want %q", r.Statement, want)
	}
}
