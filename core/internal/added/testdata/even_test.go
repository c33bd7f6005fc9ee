package task

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/coin"
	"hush/core/internal/replay"
	"hush/core/table"
)

// evenAlone is that question of the catalogue.
type evenAlone struct{ All }

func (evenAlone) Tasks() []ask.Task {
	return slices.DeleteFunc(Catalogue(), func(q ask.Task) bool { return q.ID != "even" })
}

// TestEven: the question added is planned, priced, judged, framed, released, put into a sentence,
// exported and read back, its counts are counts in each form, and its answer is held against its
// truth and its neighbours like that of any other.
func TestEven(t *testing.T) {
	var file strings.Builder
	file.WriteString("age,town\n")
	const n, even = 200, 120 // i² is even for every second i, and each tenth is put at 2
	var people []ask.Person
	for i := range n {
		age, town := int64(i*i%100), []string{"Bern", "Graz"}[i%3%2]
		if i%10 == 1 {
			age = 2
		}
		fmt.Fprintf(&file, "%d,%s\n", age, town)
		people = append(people, ask.Person{Times: 1, Main: age, Value: float64(age), Group: town})
	}
	s := ask.NewSession(evenAlone{}, coin.NewSeeded(1))
	survey := must(s.Survey(table.Options{}))
	if err := ask.ReadAll(survey, []byte(file.String())); err != nil {
		t.Fatal(err)
	}
	for _, group := range []*ask.Group{nil, {Column: 2, Names: []string{"Bern", "Graz"}},
		{Column: 2, Find: &ask.Find{Share: 50, Delta: "0.001"}}} {
		r := ask.Recipe{Version: ask.RecipeVersion, Task: "even", Table: must(s.Opened()).Options,
			Column: 1, Label: "age", Domain: evenTask.Example.Recipe.Domain, Epsilon: "100",
			Noun: codebook.Noun{One: "guest", Many: "guests"}, Group: group}
		pass := must(s.Encode(r))
		if pass != nil {
			if err := ask.ReadAll(pass, []byte(file.String())); err != nil {
				t.Fatal(err)
			}
		}
		plan := must(s.Plan(r))
		if plan.Verdict == nil || plan.ErrorOf != ask.OfPeople || group == nil &&
			(plan.Frame == nil || plan.Frame.Hi != n) {
			t.Errorf("planned as %+v", plan)
		}
		release := must(s.Run(r, nil))
		if release.Verdict == nil || release.Verdict.Grade != ask.Good {
			t.Errorf("judged as %+v", release.Verdict)
		}
		e := release.Answer.Result.(*Estimates)
		rows := e.File("age")
		if !e.Counts() || e.Title(nil) != "number of guests whose value is even" ||
			strings.Contains(release.Statement, "have age") ||
			slices.ContainsFunc(rows, func(row []string) bool {
				return strings.Contains(strings.Join(row, " "), ".")
			}) || group == nil && (rows[1][0] != fmt.Sprint(even) || rows[0][0] != "count") {
			t.Errorf("%s, %q", release.Statement, rows)
		}
		text := release.JSON("")
		var back ask.Release[evenAlone]
		if err := json.Unmarshal([]byte(text), &back); err != nil || back.JSON("") != text ||
			back.CSV() != release.CSV() || !strings.Contains(text, `"of": "people"`) {
			t.Errorf("%s\ncomes back as\n%s (%v)", text, back.JSON(""), err)
		}
		if group != nil && group.Find != nil {
			continue // all others are no group of the file
		}
		for _, m := range (evenAlone{}).Tasks()[0].Exact(r, e, people) {
			if !(m.Off <= m.Most) {
				t.Errorf("%q is %g off, and %g at most", m.Of, m.Off, m.Most)
			}
		}
	}
	walk := replay.NewWalk(evenAlone{}, 24)
	for seed := range uint64(2 * walk.Ways()) {
		if wrong := walk.Around(seed, 1, nil); wrong != "" {
			t.Error(wrong)
		}
	}
	if walk.Pairs <= walk.Refused {
		t.Errorf("of %d pairs of neighbours %d were refused", walk.Pairs, walk.Refused)
	}
}
