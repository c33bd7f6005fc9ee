package task

import (
	"fmt"
	"math/big"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/internal/stattest"
)

// spanRecipe asks for intervals of a column of whole numbers.
func spanRecipe(question string, params ask.Params) ask.Recipe {
	r := ask.Recipe{Version: ask.RecipeVersion, Task: question, Column: 1, Label: "salary",
		Unit: "EUR", Epsilon: "1", Params: ask.Params{paramStated: spanned},
		Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99999"}}
	for name, value := range params {
		r.Params[name] = value
	}
	return r
}

// inUnit asks for an interval wherever there is one.
func inUnit(question, stated string) ask.Recipe {
	r := spanRecipe("median", ask.Params{paramStated: stated, paramInUnit: "true"})
	if question == "by group" {
		r.Group = &ask.Group{Column: 2, Names: []string{"a", "b"}}
	}
	return r
}

// TestSpansAre: which way takes which people, and what is refused.
func TestSpansAre(t *testing.T) {
	group := spanRecipe("median", nil)
	group.Group = &ask.Group{Column: 2, Names: []string{"a", "b"}}
	texts := spanRecipe("median", nil)
	texts.Domain = domain.Spec{Kind: domain.Text, Length: 20}
	for _, c := range []struct {
		name   string
		recipe ask.Recipe
		people int64
		want   string // an algorithm's beginning, or what an error has
	}{
		{"few", spanRecipe("median", nil), 1000, "joint exponential"},
		{"many", spanRecipe("median", nil), 1_000_000, "exponential mechanism on windows"},
		{"tied", spanRecipe("median", ask.Params{paramAlgorithm: "exponential"}), 1000,
			"exponential mechanism on windows"},
		{"nine", spanRecipe("quantiles", ask.Params{paramTargets: "10,20,30,40,50,60,70,80,90"}),
			20_000, "joint exponential"},
		{"nine of many",
			spanRecipe("quantiles", ask.Params{paramTargets: "10,20,30,40,50,60,70,80,90"}),
			100_000, "exponential mechanism on windows"},
		{"texts", texts, 100_000, "joint exponential"},
		{"hardly anybody", spanRecipe("median", nil), 30, "the ends of an interval would be"},
		{"joint of many", spanRecipe("quantiles", ask.Params{paramAlgorithm: jointly}), 1_000_000,
			"another choice"},
		{"levels", spanRecipe("quantiles", ask.Params{paramAlgorithm: levels}), 20_000,
			"another algorithm"},
		{"all", spanRecipe("quantiles", ask.Params{paramTargets: "100"}), 20_000, "less than 100"},
		{"by group", group, 20_000, "another choice where the question is asked by group"},
		{"where possible", inUnit("median", given), 1000, "joint exponential"},
		{"of hardly anybody", inUnit("median", given), 30, "exponential mechanism over all"},
		{"by group, where possible", inUnit("by group", given), 20_000,
			"exponential mechanism over"},
		{"not measured", inUnit("median", proven), 1000, "exponential mechanism over all"},
	} {
		_, p, err := ask.Prepare(All{}, c.recipe, c.people)
		if got := ""; err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		} else if err == nil {
			if got = p.Algorithm(); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
			loss, err := p.Loss()
			if e, _ := loss.Epsilon(); err != nil || e.Cmp(big.NewRat(1, 1)) > 0 {
				t.Errorf("%s: the loss is %v, %v", c.name, e, err)
			}
		}
	}
}

// TestSpansSay: an interval in the column's unit, or that there is none.
func TestSpansSay(t *testing.T) {
	_, p, err := ask.Prepare(All{}, spanRecipe("median", nil), 1000)
	if err != nil {
		t.Fatal(err)
	}
	held := &Median{Value: "26400", RankError: 9, Measured: true, Around: 23,
		Span: &Span{Low: "25900", High: "27100"}}
	for out, want := range map[*Median]string{
		held: "Half of the people with a value of salary have 26 400 EUR or less (95 %: 25 900 " +
			"to 27 100 EUR).",
		{Value: "26400", RankError: 40, Measured: true, Around: 23}: "Median salary is about " +
			"26 400 EUR: half of the people with a value are at or below it, give or take 40 " +
			"people (in 95 of 100 releases). This release cannot state an interval of values.",
	} {
		if got := strings.ReplaceAll(p.State(out), "\u00a0", " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	say := ask.Voice{}
	want := "[[median of salary low (95 %) high (95 %) people away from the middle (95 %)] " +
		"[26400 25900 27100 9]]"
	if got := fmt.Sprint(held.Table(say, "salary")); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	q := &Quantiles{Around: 23, Rows: []Quantile{{Part: "25 %", Value: "1", RankError: 40}}}
	if got := q.Table(say, "salary")[1]; !reflect.DeepEqual(got, []string{"25 %", "1", "", "",
		"40"}) {
		t.Errorf("a row without an interval is %q", got)
	}
}

// TestSpansPromise: where the middle is between two crowds hardly any release gives an interval, so
// the forecast says of no part of releases that they can.
func TestSpansPromise(t *testing.T) {
	const people, releases = 1000, 40
	promised := regexp.MustCompile(`(\d+) of 100 releases can`)
	for _, crowds := range []int{2, 4, 8} {
		var text strings.Builder
		text.WriteString("salary\n")
		for i := range people {
			fmt.Fprintln(&text, 1000+i%crowds*10000)
		}
		file := []byte(text.String())
		s, given, said := open(t, file), 0, ""
		r := spanRecipe("median", nil)
		r.Table = must(s.Opened()).Options
		for range releases {
			release := askFor(t, s, r, file)
			if release.Answer.Result.(*Median).Span != nil {
				given++
			}
			for _, f := range release.Plan.Forecast {
				if f.Label == "Interval of values" {
					said = f.Detail
				}
			}
		}
		t.Logf("%d crowds: %d of %d releases give an interval", crowds, given, releases)
		if of := promised.FindStringSubmatch(said); said == "" || of != nil &&
			stattest.AtMost(given, releases, parsed(of[1])/100) < 1e-4 {
			t.Errorf("%d crowds: %d of %d releases give an interval: %q", crowds, given, releases,
				said)
		}
		if given > releases/2 || !strings.Contains(said, "most of them") {
			t.Errorf("%d crowds: %d of %d, and %q", crowds, given, releases, said)
		}
	}
}
