package task

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/codebook"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/replay"
	"hush/core/privacy"
	"hush/core/table"
)

// What follows is all that is written by hand to add a question of one number, beside its line in
// the catalogue: the figure with its truth, and the Task.

var evenFigure = figure{
	name: "number of people whose value is even", many: "number of %s whose value is even",
	of: ask.OfPeople,
	exact: func(people []ask.Person) float64 {
		return exactCount(people, func(p ask.Person) bool {
			return p.Valued() && int64(p.Value)%2 == 0
		})
	},
}

var evenTask = ask.Task{
	ID: "even", Title: "Even values", Question: "How many people have an even value?",
	Sentence: "How many {many} have an even {column} {group}{and}?",
	Synonyms: "parity", Answer: "a number of people, for everybody or for each group",
	Algorithm: "discrete Laplace mechanism on a count",
	How:       "People are counted whose value is even, and noise is added.",
	Simple:    "This is the simple mechanism.", Limits: "A small group looks like nobody.",
	Source: "Dwork, McSherry, Nissim, Smith 2006", Films: []string{"laplace"},
	Judged:  "The error against n, and then against the count.",
	Domains: []domain.Kind{domain.Integer}, ByGroup: true, Others: []ask.Role{roleAnd},
	Params: []ask.Param{ask.DeltaParam}, Costs: ask.Costs{"": "basic.Count"},
	Example: &ask.Example{Sample: "clinic", Recipe: ask.Recipe{Column: 1, Label: "age",
		Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"}}},
	Prepare: func(q *ask.Query) (ask.Prepared, error) {
		return newEstimate(q, evenFigure, func(epsilon privacy.Epsilon) (asked, error) {
			s, delta, err := scaleAndDelta(q)
			if err != nil {
				return nil, err
			}
			return basic.NewCount(basic.CountParams{Epsilon: epsilon, Delta: delta,
				Where: func(code uint64) bool {
					at := new(big.Rat).SetInt(new(big.Int).SetUint64(code))
					return at.Add(at.Mul(at, s.Step), s.First).Num().Bit(0) == 0
				}})
		})
	},
}

// withEven is a catalogue of that question alone.
type withEven struct{}

func (withEven) Tasks() []ask.Task     { return tasksOf([]numberTask{{evenTask, evenFigure}}) }
func (withEven) Results() []ask.Result { return All{}.Results() }

// TestQuestionIsAdded: a question of an answer's kind that there is takes its own declaration and a
// line of the catalogue. It is planned, priced, judged, framed, released, put into a sentence,
// exported and read back, its counts are counts in each form, and its answer is held against its
// truth and its neighbours like that of any other.
func TestQuestionIsAdded(t *testing.T) {
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
	s := ask.NewSession(withEven{}, coin.NewSeeded(1))
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
		var back ask.Release[withEven]
		if err := json.Unmarshal([]byte(text), &back); err != nil || back.JSON("") != text ||
			back.CSV() != release.CSV() || !strings.Contains(text, `"of": "people"`) {
			t.Errorf("%s\ncomes back as\n%s (%v)", text, back.JSON(""), err)
		}
		if group != nil && group.Find != nil {
			continue // all others are no group of the file
		}
		for _, m := range (withEven{}).Tasks()[0].Exact(r, e, people) {
			if !(m.Off <= m.Most) {
				t.Errorf("%q is %g off, and %g at most", m.Of, m.Off, m.Most)
			}
		}
	}
	walk := replay.NewWalk(withEven{}, 24)
	for seed := range uint64(2 * walk.Ways()) {
		if wrong := walk.Around(seed, 1, nil); wrong != "" {
			t.Error(wrong)
		}
	}
	if walk.Pairs <= walk.Refused {
		t.Errorf("of %d pairs of neighbours %d were refused", walk.Pairs, walk.Refused)
	}
}
