package task

import (
	"fmt"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/coin"
	"hush/core/domain"
)

// headlineOf is what a histogram of these counts says, of bins that are 5 wide.
func headlineOf(t *testing.T, epsilon string, r ask.Recipe, counts ...int64) string {
	t.Helper()
	r.Version, r.Task, r.Column, r.Epsilon = ask.RecipeVersion, "histogram", 1, epsilon
	r.Params = ask.Params{paramWidth: "5"}
	if r.Domain.Kind == "" {
		r.Domain = domain.Spec{Kind: domain.Integer, Lo: "0", Hi: fmt.Sprint(5*len(counts) - 1)}
	}
	n := int64(0)
	for _, c := range counts {
		n += c
	}
	_, p, err := ask.Prepare(All{}, r, n)
	if err != nil {
		t.Fatal(err)
	}
	h := p.(*histogram)
	_, all := h.errors()
	out := &Histogram{AllError: all}
	for i, c := range counts {
		out.Bins = append(out.Bins, Bin{Label: h.binsOf().label(i), Count: c})
	}
	return strings.ReplaceAll(h.State(out), "\u00a0", " ")
}

// TestHeadline: a histogram says what is certain, and of that the most that a reader wants to know.
func TestHeadline(t *testing.T) {
	patients := ask.Recipe{Label: "age", Unit: "years", Noun: codebook.Noun{One: "patient",
		Many: "patients"}}
	languages := ask.Recipe{Label: "language", Domain: domain.Spec{Kind: domain.Category,
		Categories: []string{"eng", "fre", "ger", "jpn"}}}
	for _, c := range []struct {
		name, epsilon string
		recipe        ask.Recipe
		counts        []int64
		want          string
	}{
		{"more than half", "1", patients, []int64{20, 800, 900, 30, 50, 100},
			"Age is between 5 and 14 years for more than half of the patients: about 1 700 of " +
				"1 900 (± "},
		{"in one bin", "1", patients, []int64{20, 800, 30, 50},
			"Age is between 5 and 9 years for more than half of the patients: about 800 of 900"},
		{"almost half", "1", patients, []int64{430, 5, 5, 60, 5, 380},
			"Age is most often between 0 and 4 years: about 430 of 885 patients (± "},
		{"half, for all that is known", "0.02", patients,
			[]int64{10_000, 100, 100, 1000, 100, 7500},
			"Age is most often between 0 and 4 years: about 10 000 of 18 800 patients (± "},
		{"two are level", "1", patients, []int64{400, 5, 200, 10, 210, 390},
			"No bin of age clearly leads: the highest count, between 0 and 4 years, is about 400 " +
				"of 1 215 patients (± "},
		{"a category", "1", languages, []int64{900, 100, 300, 200},
			"Language is eng for more than half of the people: about 900 of 1 500 (± "},
		{"no two categories together", "1", languages, []int64{400, 395, 200, 300},
			"No category of language clearly leads: eng has the highest count, about " +
				"400 of 1 295 people (± "},
		{"nobody", "1", patients, []int64{-3, 0, 2, 1}, "No bin of age clearly leads: the highest"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := headlineOf(t, c.epsilon, c.recipe, c.counts...)
			if !strings.HasPrefix(got, c.want) ||
				!strings.HasSuffix(got, ", in 95 of 100 releases).") {
				t.Errorf("%q,\nwant %q", got, c.want)
			}
		})
	}
}

// TestHeadlineIsTrue: where four bins are level and hold exactly half together, hardly any release
// says that one of them leads or that they hold more than half.
func TestHeadlineIsTrue(t *testing.T) {
	const runs, people = 400, 2400
	wrong := 0
	for seed := range coin.Seed(runs) {
		r := ask.Recipe{Version: ask.RecipeVersion, Task: "histogram", Column: 1, Label: "age",
			Epsilon: "0.1", Params: ask.Params{paramWidth: "5"},
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "49"}}
		_, p, err := ask.Prepare(All{}, r, people)
		if err != nil {
			t.Fatal(err)
		}
		h := p.(*histogram)
		spread := make(codes, people)
		for i := range spread {
			spread[i] = uint64(i / 2 % 20)
			if i%2 == 1 {
				spread[i] = 20 + uint64(i/2%30)
			}
		}
		counts, err := h.mechanism.Release(coin.NewSeeded(seed), spread, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, all := h.errors()
		_, half := h.majority(counts, people)
		if _, certain := leader(counts, all); half || certain {
			wrong++
		}
	}
	if wrong > runs/20 {
		t.Errorf("%d of %d sentences tell of noise", wrong, runs)
	}
}
