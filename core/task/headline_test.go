package task

import (
	"fmt"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
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
	one, all := h.errors()
	out := &Histogram{Error: one, AllError: all}
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
		Categories: []string{"eng", "fre", "ger", "jpn", "spa"}}}
	pages := ask.Recipe{Label: "num_pages", Unit: "pages", Noun: codebook.Noun{One: "book",
		Many: "books"}}
	codes := ask.Recipe{Label: "married", Domain: domain.Spec{Kind: domain.Category,
		Categories: []string{"0", "1", "9"}}}
	some := patients
	some.Filter = []table.Condition{{Column: 2, Label: "sex", Spec: domain.Spec{
		Kind: domain.Category, Categories: []string{"w"}}}}
	for _, c := range []struct {
		name, epsilon string
		recipe        ask.Recipe
		counts        []int64
		want          string
	}{
		{"more than half", "1", patients, []int64{20, 800, 900, 30, 50, 100},
			"About 89.5 % of patients have age between 5 and 14 years (± 0.9 points in"},
		{"in one bin", "1", patients, []int64{20, 800, 30, 50},
			"About 89 % of patients have age between 5 and 9 years (± 2 points"},
		{"from the lower end", "1", pages, []int64{800, 30, 50, 20},
			"About 89 % of books have under 5 pages (± 2 points"},
		{"to the upper end", "1", pages, []int64{30, 50, 20, 800},
			"About 89 % of books have 15 pages or more (± 2 points"},
		{"almost half", "1", patients, []int64{430, 5, 5, 60, 5, 380},
			"Age is most often between 0 and 4 years: about 430 of 885 patients (± 9 in all " +
				"counts at once, in 95"},
		{"half, for all that is known", "0.02", patients,
			[]int64{10_000, 100, 100, 1000, 100, 7500},
			"Age is most often between 0 and 4 years: about 10 000 of 18 800 patients (± "},
		{"two are level", "1", patients, []int64{400, 5, 200, 10, 210, 390},
			"Age may be most often between 0 and 4 years: about 400 of 1 215 patients (± "},
		{"a category", "1", languages, []int64{900, 100, 300, 200},
			"About 60 % of people are eng (language) (± 1 point in"},
		{"a category that most are in", "1", languages, []int64{400, 300, 200, 100, 90},
			"Eng is most common: about 400 of 1 090 people (± "},
		{"a code that most are in", "1", codes, []int64{300, 400, 200},
			"Married 1 is most common: about 400 of 900 people (± "},
		{"of some", "1", some, []int64{20, 800, 30, 50},
			"Age is most often between 5 and 9 years: about 800 patients (± "},
		{"no two categories together", "1", languages, []int64{400, 395, 200, 300},
			"Eng may be most common: about 400 of 1 295 people (± "},
		{"nobody", "1", patients, []int64{-3, 0, 2, 1}, "Patients by age: no clear difference."},
		{"level categories", "1", languages, []int64{300, 302, 304, 300, 301},
			"People by language: no clear difference."},
		{"level, of some", "1", some, []int64{300, 302, 304, 300, 301},
			"Patients by age, among those with sex w: no clear difference."},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := headlineOf(t, c.epsilon, c.recipe, c.counts...)
			if !strings.HasPrefix(got, c.want) ||
				got != c.want && !strings.HasSuffix(got, " in 95 of 100 releases).") {
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

// TestHeadlinesOfGroups: the numbers of groups say which is least and which is most, where that is
// certain, and of which people; and nothing as a fact that the noise could have made.
func TestHeadlinesOfGroups(t *testing.T) {
	patients := codebook.Noun{One: "patient", Many: "patients"}
	sex := domain.Spec{Kind: domain.Category, Categories: []string{"w"}}
	for _, c := range []struct {
		name, task string
		domain     domain.Spec
		groups     []string
		rows       []interval
		want       string
	}{
		{"means", "mean", ageDomain, []string{"Hill", "Mill", "Park"},
			[]interval{{46, 45, 47, 2}, {43, 42, 44, 2}, {49, 48, 50, 2}},
			"Mean age of those with a value runs from 43 years (Mill) to 49 years (Park)."},
		{"means that noise may have parted", "mean", ageDomain, []string{"Hill", "Mill", "Park"},
			[]interval{{46, 41, 51, 1}, {43, 38, 48, 1}, {49, 44, 54, 1}},
			"Mean age by district: no clear difference."},
		{"means that differ in the middle", "mean", ageDomain,
			[]string{"Few", "Hill", "Mill", "None"},
			[]interval{{30, 10, 60, 2}, {43, 42, 44, 2}, {49, 48, 50, 2}, {55, 20, 90, 2}},
			"Mean age of those with a value is higher " +
				"for Mill (49 years) than for Hill (43 years)."},
		{"a group of noise is none", "mean", ageDomain, []string{"Hill", "Mill", "Park", "Tiny"},
			[]interval{{46, 45, 47, 2}, {43, 42, 44, 2}, {49, 48, 50, 2}, {0, 0, 120, 2}},
			"Mean age of those with a value is higher " +
				"for Park (49 years) than for Mill (43 years)."},
		{"means of which the ends are not certain", "mean", ageDomain,
			[]string{"Hill", "Mill", "Park"},
			[]interval{{43.5, 43, 44, 2}, {43, 42.5, 43.5, 2}, {49, 48, 50, 2}},
			"Mean age of those with a value is higher " +
				"for Park (49 years) than for Mill (43 years)."},
		{"shares of which the ends are not certain", "share", sex, []string{"Hill", "Mill", "Park"},
			[]interval{{.3, .29, .31, 4}, {.49, .48, .5, 4}, {.31, .3, .32, 4}},
			"The part of all patients who are w (age) is larger for Mill (49 %) than for " +
				"Hill (30 %)."},
		{"counts", "count", ageDomain, []string{"Hypertension", "Asthma"},
			[]interval{{806, 796, 816, 0}, {300, 290, 310, 0}},
			"Hypertension is most common: about 806 patients (792 to 820 for all groups at once, " +
				"in 95 of 100 releases)."},
		{"codes", "count", ageDomain, []string{"0", "1"},
			[]interval{{806, 796, 816, 0}, {300, 290, 310, 0}},
			"District 0 is most common: about 806 patients (792 to 820 for all groups at once, " +
				"in 95 of 100 releases)."},
		{"level counts", "count", ageDomain, []string{"Hypertension", "Asthma"},
			[]interval{{306, 296, 316, 0}, {300, 290, 310, 0}},
			"Patients with age from 0 to 119 by district: no clear difference."},
		{"counts of which two are level and one is not", "count", ageDomain,
			[]string{"Hypertension", "Asthma", "Gout"},
			[]interval{{306, 296, 316, 0}, {300, 290, 310, 0}, {100, 90, 110, 0}},
			"More patients have age from 0 to 119 years for Hypertension (about 310) than for " +
				"Gout (about 100)."},
		{"level shares", "share", sex, []string{"Hill", "Mill"},
			[]interval{{.3, .29, .31, 4}, {.31, .3, .32, 4}},
			"Share of patients with age w by district: no clear difference."},
		{"a share that is small, and certainly smaller", "share", sex, []string{"Hill", "Mill"},
			[]interval{{.005, .0, .01, 4}, {.31, .3, .32, 4}},
			"The part of all patients who are w (age) is larger for Mill (31 %) than for " +
				"Hill (1 %)."},
		{"shares", "share", sex, []string{"Hill", "Mill"},
			[]interval{{.3, .29, .31, 4}, {.49, .48, .5, 4}},
			"From 30 % (Hill) to 49 % (Mill) of all patients are w (age)."},
		{"a share of one group", "share", sex, []string{"Hill"}, []interval{{.3, .29, .31, 4}},
			"About 30.0 % of all patients with district Hill are w (age) (29.0 to 31.0 % in 95 " +
				"of 100 releases)."},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := ask.Recipe{Version: ask.RecipeVersion, Task: c.task, Column: 1, Label: "age",
				Unit: "years", Domain: c.domain, Epsilon: "1", Noun: patients,
				Group: &ask.Group{Column: 2, Label: "district", Names: c.groups}}
			_, p, err := ask.Prepare(All{}, r, 5000)
			if err != nil {
				t.Fatal(err)
			}
			out := p.(*estimate).answer()
			for i, row := range c.rows {
				all := row // as wide for three groups as ln(60)/ln(20) would make it
				all.low, all.high = row.value-1.37*(row.value-row.low),
					row.value+1.37*(row.high-row.value)
				out.Rows = append(out.Rows,
					Estimate{Group: c.groups[i], number: row, together: all})
			}
			if got := strings.ReplaceAll(p.State(out), "\u00a0", " "); got != c.want {
				t.Errorf("%q,\nwant %q", got, c.want)
			}
		})
	}
}

// TestGroupsLeadInTruth: where twenty groups are as large, hardly any release says that one leads,
// although the largest lies above the interval of another alone in most of them.
func TestGroupsLeadInTruth(t *testing.T) {
	const runs, groups, people = 300, 20, 2000
	r := ask.Recipe{Version: ask.RecipeVersion, Task: "count", Column: 1, Label: "age",
		Domain: ageDomain, Epsilon: "2", Group: &ask.Group{Column: 2, Label: "district"}}
	for i := range groups {
		r.Group.Names = append(r.Group.Names, fmt.Sprint("G", i))
	}
	_, p, err := ask.Prepare(All{}, r, people)
	if err != nil {
		t.Fatal(err)
	}
	e := p.(*estimate)
	ages, of := make(codes, people), make(codes, people)
	for i := range of {
		of[i] = uint64(i % groups)
	}
	led, alone := 0, 0
	for seed := range coin.Seed(runs) {
		list, together, err := e.group.ReleaseTogether(coin.NewSeeded(seed), ages, of, nil)
		if err != nil {
			t.Fatal(err)
		}
		out, largest := e.answer(), 0
		for i := range list {
			out.Rows = append(out.Rows, e.written(r.Group.Names[i], list[i], together[i]))
			if list[i].Value.Cmp(list[largest].Value) > 0 {
				largest = i
			}
		}
		if strings.Contains(p.State(out), "most common") {
			led++
		}
		if out.Rows[largest].number.low > people/groups {
			alone++
		}
	}
	if led > runs/20 || alone < runs/5 {
		t.Errorf("of %d releases %d say that a group leads; in %d its own interval misses", runs,
			led, alone)
	}
}

// TestLeaderOfFoundGroups: a group is most common of all only where all that were not found have
// fewer people together; else of those found.
func TestLeaderOfFoundGroups(t *testing.T) {
	r := ask.Recipe{Version: ask.RecipeVersion, Task: "count", Column: 1, Label: "age",
		Domain: ageDomain, Epsilon: "1", Group: &ask.Group{Column: 2, Label: "district",
			Names: []string{"Hill", "Mill"}}}
	_, p, err := ask.Prepare(All{}, r, 5000)
	if err != nil {
		t.Fatal(err)
	}
	for rest, want := range map[float64]string{
		100:  "Hill is most common: about 800 people (790 to 810",
		2000: "Hill is most common of the groups found: about 800 people (790 to 810",
	} {
		out := p.(*estimate).answer()
		out.Found = true
		for i, at := range []float64{800, 300, rest} {
			row := interval{at, at - 10, at + 10, 0}
			out.Rows = append(out.Rows, Estimate{Group: []string{"Hill", "Mill", ""}[i],
				number: row, together: row})
		}
		if got := strings.ReplaceAll(p.State(out), "\u00a0", " "); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestOneFoundGroup: the number of the one group that was found stands alone, with its own range.
func TestOneFoundGroup(t *testing.T) {
	r := ask.Recipe{Version: ask.RecipeVersion, Task: "mean", Column: 1, Label: "age",
		Domain: ageDomain, Epsilon: "1", Group: &ask.Group{Column: 2, Label: "district",
			Find: &ask.Find{Delta: "0.000001", Share: 20}}}
	_, p, err := ask.Prepare(All{}, r, 5000)
	if err != nil {
		t.Fatal(err)
	}
	out := p.(*estimate).answer()
	out.Found = true
	for _, group := range []string{"40", "all others"} {
		row := interval{46, 45, 47, 2}
		out.Rows = append(out.Rows, Estimate{Group: group, number: row, together: row})
	}
	want := "Mean age of people with district 40, of those with a value, is about 46.0 (45.0 to " +
		"47.0 in 95 of 100 releases). One group was found."
	if got := p.State(out); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if before := p.(ask.Reworded).StatedBefore(out); !strings.HasPrefix(before, "No district") {
		t.Errorf("before: %q", before)
	}
}

// TestConditionsAreSaid: the headline has the conditions, and a part of all says that it is one of
// all.
func TestConditionsAreSaid(t *testing.T) {
	grown := table.Condition{Column: 1, Label: "age", Spec: ageDomain, From: "20"}
	for kind, want := range map[string]string{
		"mean":      "Among people with age from 20 on: Mean income of those with a value ",
		"median":    "Among people with age from 20 on: ",
		"histogram": "Among people with age from 20 on: ",
		"share":     "of all people have income from 0 to 119 and have age from 20 on (",
		"count":     "people have income from 0 to 119 and have age from 20 on (",
	} {
		file := ages(5000)
		s := open(t, file)
		r := recipe(s, kind, 0, ageDomain, nil)
		r.Label, r.Filter = "income", []table.Condition{grown}
		release := askFor(t, s, r, file)
		if !strings.Contains(release.Statement, want) {
			t.Errorf("%s: %q, want %q in it", kind, release.Statement, want)
		}
		if text := release.CSV(); !strings.Contains(text, ",only,") ||
			!strings.Contains(text, "age from 20 on") {
			t.Errorf("%s: %s", kind, text)
		}
	}
	people := ages(5000)
	some := open(t, people) // those without a value are among all
	share := recipe(some, "share", 0, ageDomain, nil)
	if got := askFor(t, some, share, people).Statement; !strings.Contains(got, "of all people") {
		t.Errorf("%q does not say of whom", got)
	}
	// by group they are among all of the group: one of four, not one of two
	var towns strings.Builder
	towns.WriteString("ill,town\n")
	for i := range 8000 {
		towns.WriteString([]string{"yes,A\n", "no,A\n", ",A\n", ",A\n",
			"yes,B\n", "yes,B\n", "no,B\n", ",B\n"}[i%8])
	}
	sick := open(t, []byte(towns.String()))
	ill := recipe(sick, "share", 0, domain.Spec{Kind: domain.Category,
		Categories: []string{"yes"}}, nil)
	ill.Label, ill.Epsilon = "ill", "10"
	ill.Group = &ask.Group{Column: 2, Label: "town", Names: []string{"A", "B"}}
	said := askFor(t, sick, ill, []byte(towns.String())).Statement
	for _, part := range []string{"From 2", "(A) to ", "(B) of all people are yes (ill)."} {
		if !strings.Contains(said, part) {
			t.Errorf("%q lacks %q: it does not say of whom", said, part)
		}
	}
	// Names may hold the words of a condition: that is no condition said.
	file := ages(5000)
	s := open(t, file)
	r := recipe(s, "mean", 0, ageDomain, nil)
	r.Label, r.Filter = "income of people with age from 20 on", []table.Condition{grown}
	if got := askFor(t, s, r, file).Statement; !strings.HasPrefix(got, "Among people with age") {
		t.Errorf("%q does not begin with whom it is about", got)
	}
}

// TestNamedValues: a condition that names values of the main column which its list lacks would
// count nobody with them, and is refused.
func TestNamedValues(t *testing.T) {
	file := ages(5000)
	s := open(t, file)
	r := recipe(s, "share", 0, domain.Spec{Kind: domain.Category,
		Categories: []string{"30", "31"}}, nil)
	r.Filter = []table.Condition{{Column: 1, Spec: domain.Spec{Kind: domain.Category,
		Categories: []string{"30", "W"}}}}
	if _, err := s.Plan(r); err == nil || !strings.Contains(err.Error(), "W") {
		t.Errorf("a condition on values that are not in the list: %v", err)
	}
	r.Filter[0].Spec.Categories = []string{"30"}
	if _, err := s.Plan(r); err != nil {
		t.Error(err)
	}
}

// TestHeadlinesOfMedians: medians by group name the least and the greatest of the groups that are
// larger than the noise, with their error; quantiles say by how much they may be off.
func TestHeadlinesOfMedians(t *testing.T) {
	patients := codebook.Noun{One: "patient", Many: "patients"}
	r := ask.Recipe{Version: ask.RecipeVersion, Task: "median", Column: 1, Label: "age",
		Unit: "years", Domain: ageDomain, Epsilon: "1", Noun: patients,
		Group: &ask.Group{Column: 2, Label: "district", Names: []string{"Hill", "Mill", "Park"}}}
	_, p, err := ask.Prepare(All{}, r, 5000)
	if err != nil {
		t.Fatal(err)
	}
	m := p.(*medians)
	rows := []GroupMedian{{Group: "Hill", Value: "46", Size: 1000},
		{Group: "Mill", Value: "43", Size: 2000}, {Group: "Park", Value: "9", Size: 20}}
	for _, c := range []struct {
		rows  []GroupMedian
		found bool
		want  string
	}{
		{rows, false, "Median age is from about 43 years (Mill) to about 46 years (Hill). Half " +
			"of each group are at or below its median, give or take 31 patients (in 95 of 100 " +
			"releases)."},
		{rows[1:], false, "Median age is about 43 years (Mill): half of the group are at or " +
			"below it, give or take 31 patients (in 95 of 100 releases)."},
		{rows[2:], false, "Each median of age by group is mostly noise."},
		{rows[:2], true, "Median age is about 46 years (Hill): half of the group are at or " +
			"below it, give or take 31 patients (in 95 of 100 releases). One group was found."},
		{rows[:1], true, "No group was large enough to be found. Median age is about 46 years: " +
			"half of the patients are at or below it, give or take 31 patients (in 95 of 100 " +
			"releases)."},
	} {
		out := &Medians{RankError: 31, Measured: true, People: 5000, Rows: c.rows, Found: c.found}
		if got := strings.ReplaceAll(m.State(out), "\u00a0", " "); got != c.want {
			t.Errorf("%q,\nwant %q", got, c.want)
		}
	}
	// What is proven for one group is not for the two of three that are named because of their
	// medians.
	all := m.together(&Medians{RankError: int64(m.Bound()), Rows: rows})
	if one := m.Bound(); float64(all) < one+2 || float64(all) > one+4 { // 2·ln(3) at ε = .8
		t.Errorf("all within %d, one within %g", all, one)
	}

	r.Task, r.Group = "quantiles", nil
	r.Params = ask.Params{paramTargets: "25, 50"}
	if _, p, err = ask.Prepare(All{}, r, 5000); err != nil {
		t.Fatal(err)
	}
	q := p.(*quantiles)
	out := &Quantiles{Rows: []Quantile{{Part: "25 %", Value: "30", RankError: 12},
		{Part: "50 %", Value: "44", RankError: 12}}}
	want := "Of the patients with a value of age, about 25 % below 30 years, 50 % below 44 years " +
		"(each ± 12 patients in 95 of 100 releases)."
	if got := strings.ReplaceAll(q.State(out), "\u00a0", " "); got != want {
		t.Errorf("%q,\nwant %q", got, want)
	}
}

// TestAloneAsSaid: a number that stands alone has the digits that its sentence has, and its error
// as many; the two reach both ends of the range.
func TestAloneAsSaid(t *testing.T) {
	file := ages(3000)
	for _, kind := range []string{"mean", "sum", "variance", "share", "count"} {
		for _, epsilon := range []string{"0.05", "0.1", "0.3", "1", "20"} {
			s := open(t, file)
			r := recipe(s, kind, 0, ageDomain, nil)
			if r.Epsilon = epsilon; kind == "share" || kind == "count" {
				r.Domain.Lo = "50"
			}
			release := askFor(t, s, r, file)
			out := release.Answer.Result.(*Estimates)
			value, off, ok := out.Alone()
			if !ok {
				t.Fatalf("%s has no number", kind)
			}
			says := "bout " + value + " "
			if kind == "share" {
				says = "bout " + value + "\u00a0% "
			}
			if release.Verdict.Grade != ask.Noise && !strings.Contains(release.Statement, says) {
				t.Errorf("%s at ε = %s: %s is not in %q", kind, epsilon, value, release.Statement)
			}
			digits := func(text string) int {
				_, behind, _ := strings.Cut(text, ".")
				return len(behind)
			}
			at, wide := plainNumber(value), plainNumber(off)
			low, high := plainNumber(out.Rows[0].Low), plainNumber(out.Rows[0].High)
			if kind == "share" {
				low, high = 100*low, 100*high
			}
			if digits(value) != digits(off) || at-wide > low+1e-9 || at+wide < high-1e-9 {
				t.Errorf("%s at ε = %s: %s ± %s for %g to %g", kind, epsilon, value, off, low, high)
			}
		}
	}
}

// plainNumber reads a number that is written in groups.
func plainNumber(text string) float64 {
	return parsed(strings.NewReplacer("\u00a0", "", "−", "-").Replace(text))
}
