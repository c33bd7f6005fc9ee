package task

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"slices"
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
	return spanRecipe(question, ask.Params{paramStated: stated, paramInUnit: "true"})
}

// TestSpansAre: which way takes which people, and what is refused.
func TestSpansAre(t *testing.T) {
	group := spanRecipe("median", nil)
	group.Group = &ask.Group{Column: 2, Names: []string{"a", "b"}}
	grouped := inUnit("median", given)
	grouped.Group = group.Group
	few := inUnit("quantiles", given)
	few.Domain.Hi = "5"
	everybody := inUnit("quantiles", given)
	everybody.Domain.Hi, everybody.Params[paramTargets] = "50", "100"
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
		{"by group, where possible", grouped, 20_000, "exponential mechanism over"},
		{"not measured", inUnit("median", proven), 1000, "exponential mechanism over all"},
		{"quantiles, where possible", inUnit("quantiles", given), 2000,
			"joint exponential mechanism, with"},
		{"quantiles of hardly anybody", inUnit("quantiles", given), 100,
			"joint exponential mechanism"},
		{"quantiles of few values", few, 2000, "tree of counts"},
		{"hardly anybody exceeds, where possible", everybody, 2000,
			"exponential mechanism, smaller"},
		{"quantiles, not measured", inUnit("quantiles", proven), 2000,
			"joint exponential mechanism"},
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

// TestSpansAhead: a plan says how wide ranges are, in the column's unit, and where people are
// spread evenly they are that wide.
func TestSpansAhead(t *testing.T) {
	const people, releases = 2000, 30
	var text strings.Builder
	text.WriteString("salary\n")
	for i := range people {
		fmt.Fprintln(&text, i*50)
	}
	file := []byte(text.String())
	s := open(t, file)
	for _, question := range []string{"median", "quantiles"} {
		r := inUnit(question, given)
		r.Table = must(s.Opened()).Options
		var widths []float64
		var said string
		for range releases {
			release := askFor(t, s, r, file)
			said = release.Plan.Range
			if first := release.Plan.Ahead(nil)[0].Value; first != "about "+said {
				t.Fatalf("%s: the forecast starts with %q", question, first)
			}
			var spans []*Span
			switch a := release.Answer.Result.(type) {
			case *Median:
				spans = append(spans, a.Span)
			case *Quantiles:
				for _, row := range a.Rows {
					spans = append(spans, row.Span)
				}
			}
			for _, span := range spans {
				if span != nil {
					widths = append(widths, (parsed(span.High)-parsed(span.Low))/2)
				}
			}
		}
		number := strings.NewReplacer("± ", "", "\u00a0", "").Replace(said)
		want := parsed(strings.TrimSuffix(number, "EUR"))
		slices.Sort(widths)
		got := widths[len(widths)/2]
		t.Logf("%s: %s to an end, and half of %d are within %.0f", question, said, len(widths), got)
		if !(math.Abs(got/want-1) <= .25) {
			t.Errorf("%s: %s to an end are said, and half are within %.0f", question, said, got)
		}
	}
	days := inUnit("median", given)
	days.Unit = ""
	days.Domain = domain.Spec{Kind: domain.Date, Lo: "2020-01-01", Hi: "2029-12-31"}
	unbounded := inUnit("median", given)
	unbounded.Domain = domain.Spec{Kind: domain.Float64}
	for _, c := range []struct {
		recipe ask.Recipe
		want   string
	}{{days, `^± [\d.]+ days$`}, {unbounded, "^$"}, {inUnit("median", proven), "^$"}} {
		plan, err := ask.Price(nil, All{}, c.recipe, people)
		if err != nil || !regexp.MustCompile(c.want).MatchString(plan.Range) {
			t.Errorf("%s: %q, %v", c.recipe.Domain.Kind, plan.Range, err)
		}
	}
}

// TestSpanBeyond: an end of a range that is an end of the column's, where values beyond it count,
// says so.
func TestSpanBeyond(t *testing.T) {
	spec := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "10"}
	clamped := spec
	clamped.Outside = domain.Clamp
	for _, c := range []struct {
		spec      domain.Spec
		low, high string
		want      string
	}{
		{spec, "0", "10", "0 to 10"},
		{clamped, "1", "9", "1 to 9"},
		{clamped, "0", "3", "0 or less to 3"},
		{clamped, "3", "10", "3 to 10 or more"},
		{clamped, "10", "10", "10 to 10 or more"},
	} {
		s := &Span{Low: c.low, High: c.high}
		if got := s.Written(nil, c.spec, c.low, c.high); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
