package ask

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/table"
)

// one is a catalogue of one question, which knows no algorithm: how many rows have a value, with no
// noise.
type one struct{}

func (one) Results() []Result { return []Result{new(rows)} }

func (one) Tasks() []Task {
	return []Task{{
		ID: "rows", Title: "Rows", Heading: "Rows of {column}",
		Domains: []domain.Kind{domain.Integer},
		Others: []Role{
			{Name: RoleOutcome, Domains: []domain.Kind{domain.Category}, Max: 1, Values: 2},
			{Name: "feature", Domains: []domain.Kind{domain.Integer}, Max: 3, Cuts: true},
		},
		Params: []Param{{Name: "together", Kind: Integer, Default: "1", Min: 1, Max: 9}},
		Prepare: func(q *Query) (Prepared, error) {
			return &counting{query: q, left: q.Integer("together")}, nil
		},
	}}
}

// rows is its answer.
type rows struct {
	Rows int   `json:"rows"`
	More []int `json:"more,omitempty"` // lengths of further cases
}

func (*rows) Kind() string { return "rows" }

func (r *rows) Table(_ Voice, column string) [][]string {
	return [][]string{{column}, {fmt.Sprint(r.Rows)}}
}

func (r *rows) Check() error {
	if r.Rows < 0 {
		return Refuse("rows", fmt.Sprint(r.Rows), "a number from 0 on")
	}
	return nil
}

// counting goes on for as many cases as "together" says, but the first.
type counting struct {
	query *Query
	left  int64
}

func (c *counting) Loss() (privacy.Loss, error) { return privacy.PureLoss(c.query.Epsilon), nil }
func (c *counting) Algorithm() string           { return "counting" }
func (c *counting) Forecast() []Forecast        { return nil }
func (c *counting) Bound() float64              { return 1 / c.query.Epsilon.Float64() }
func (c *counting) Typical() (float64, bool)    { return c.Bound() / 3, true }
func (c *counting) Unit() Unit                  { return Unit{Text: phrase.Plain("rows")} }

func (c *counting) Run(_ coin.Source, data Data, _ coin.Step) (Result, error) {
	out := &rows{}
	for i := range data.Main.Codes.Len() {
		if _, ok := data.Main.Codes.Code(i); ok {
			out.Rows++
		}
	}
	return out, nil
}

func (c *counting) State(r Result) string {
	return fmt.Sprintf("%d rows, %d more", r.(*rows).Rows, len(r.(*rows).More))
}

func (c *counting) Judge(r Result) Verdict {
	about := float64(c.query.People)
	if r != nil {
		about = float64(r.(*rows).Rows)
	}
	return c.query.Because(Within(c.Bound(), about).Verdict(), c.query.CountUp, "all rows")
}

func (c *counting) Lasts() bool { return c.left > 1 }

func (c *counting) More(r Result, cells []string) (Result, bool, error) {
	if len(cells) == 0 {
		return nil, false, Refuse("case.0", "none", "a cell")
	}
	c.left--
	next := *r.(*rows)
	next.More = append(slices.Clip(next.More), len(cells))
	return &next, c.left > 1, nil
}

func open(t *testing.T, file []byte) *Session[one] {
	t.Helper()
	s := NewSession(one{}, coin.NewSeeded(1))
	survey, err := s.Survey(table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := ReadAll(survey, file); err != nil {
		t.Fatal(err)
	}
	return s
}

func question(s *Session[one], spec domain.Spec) Recipe {
	return Recipe{Version: RecipeVersion, Task: "rows", Table: s.opened.Options, Column: 1,
		Domain: spec, Epsilon: "1"}
}

// pass is what is to be read for a recipe; nil: nothing.
func pass(t *testing.T, s *Session[one], r Recipe) table.Pass {
	t.Helper()
	p, err := s.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func dataOf(t *testing.T, s *Session[one], r Recipe, file []byte) Data {
	t.Helper()
	if p := pass(t, s, r); p != nil {
		if err := ReadAll(p, file); err != nil {
			t.Fatal(err)
		}
	}
	d, err := s.Data(r)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func clone(r Recipe) (c Recipe) {
	if err := json.Unmarshal([]byte(KeyOf(r)), &[]*Recipe{&c}); err != nil {
		panic(err)
	}
	return c
}

func threeRows() []byte { return []byte("age,sick,n\n3,yes,2\n4,no,5\n5,maybe,1\n") }

// TestFurtherColumnsAreRead: their codes are at hand in the recipe's order, with the counts of the
// rows, and a change of one means another reading; a change of its name does not.
func TestFurtherColumnsAreRead(t *testing.T) {
	file := threeRows()
	for _, count := range []int{0, 3} {
		s := open(t, file)
		r := question(s, ageDomain)
		r.Count = count
		r.Others = []Field{{Role: "outcome", Column: 2, Domain: yesNo},
			{Role: "feature", Column: 1, Domain: ageDomain}}
		d := dataOf(t, s, r, file)
		if len(d.Others) != 2 || d.Group != nil {
			t.Fatalf("%d further columns, groups %v", len(d.Others), d.Group)
		}
		for i, want := range []struct {
			code uint64
			ok   bool
		}{{0, true}, {1, true}, {0, false}} {
			if code, ok := d.Others[0].Codes.Code(i); ok != want.ok || ok && code != want.code {
				t.Errorf("row %d: outcome %d, %v", i, code, ok)
			}
			if code, _ := d.Others[1].Codes.Code(i); code != uint64(3+i) {
				t.Errorf("row %d: feature %d", i, code)
			}
		}
		for _, column := range append(d.Others, d.Main) {
			if is := column.Counts != nil; is != (count > 0) || is && column.Counts[1] != 5 {
				t.Errorf("with count column %d the columns are counted: %v", count, is)
			}
		}
		renamed, recut, moved := clone(r), clone(r), clone(r)
		renamed.Others[1].Label = "years"
		recut.Others[1].Cuts = []string{"18"}
		moved.Others[1].Column = 2
		if pass(t, s, renamed) != nil || pass(t, s, recut) != nil || pass(t, s, moved) == nil {
			t.Error("a column is read anew for a name or a cut, or not for another column")
		}
	}
}

// TestPreparedOnce: pricing, debiting and running a question prepare it once; another question,
// another number of people, what the caller changes, and a run after it, each prepare anew.
func TestPreparedOnce(t *testing.T) {
	file := threeRows()
	s := open(t, file)
	r := question(s, ageDomain)
	r.Params = Params{"together": "2"}
	r.Others = []Field{{Role: "feature", Column: 1, Domain: ageDomain, Cuts: []string{"4"}}}
	prepared := func() *ready {
		t.Helper()
		one, err := s.prepare(r)
		if err != nil {
			t.Fatal(err)
		}
		return one
	}
	first := prepared()
	plan, err := s.Plan(r)
	if err != nil || prepared() != first || first.plan == nil {
		t.Fatalf("%v, prepared again: %v", err, prepared() != first)
	}
	dataOf(t, s, r, file)
	release, err := s.Run(r, nil)
	if err != nil || KeyOf(release.Plan) != KeyOf(plan) || s.ready != nil {
		t.Errorf("%v: the run is not the one that was priced, or can be run twice", err)
	}
	second := prepared()
	r.Params["together"], r.Others[0].Cuts[0] = "1", "5"
	if third := prepared(); second == first || third == second ||
		second.query.Recipe.Params["together"] != "2" ||
		second.query.Recipe.Others[0].Cuts[0] != "4" {
		t.Error("a change of the caller's is taken for the question that was priced")
	}
	r.Epsilon = "2"
	if fourth := prepared(); fourth.query.Epsilon.String() != "2" {
		t.Errorf("ε is %v", fourth.query.Epsilon)
	}
	s.opened.Rows++
	if prepared().query.People != 4 {
		t.Error("n is that of before")
	}
}

// TestLookLeavesTheSession: a look changes nothing that the session is about to run.
func TestLookLeavesTheSession(t *testing.T) {
	file := threeRows()
	s := open(t, file)
	r := question(s, ageDomain)
	dataOf(t, s, r, file)
	if _, err := s.Plan(r); err != nil {
		t.Fatal(err)
	}
	ready, src := s.ready, s.src
	if _, err := s.Look(Lesson{Recipe: r, Draws: 2, Seed: 3}, nil); err != nil ||
		s.ready != ready || s.src != src || s.taught {
		t.Errorf("a look has changed what the session is about to run: %v", err)
	}
}

// TestLasting: a release goes on as long as its question says; a refused case does not count, and
// what was returned before stays.
func TestLasting(t *testing.T) {
	file := threeRows()
	s := open(t, file)
	r := question(s, ageDomain)
	r.Params = Params{"together": "3"}
	dataOf(t, s, r, file)
	release, err := s.Run(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Label(nil)
	wantField(t, err, "case.0")
	one, err := s.Label([]string{"a"})
	if err != nil || one.Statement != "3 rows, 1 more" || release.Statement != "3 rows, 0 more" {
		t.Fatal(one, release, err)
	}
	two, err := s.Label([]string{"a", "b"})
	if err != nil ||
		fmt.Sprint(two.Answer.Result.(*rows).More, one.Answer.Result.(*rows).More) != "[1 2] [1]" {
		t.Fatal(two, err)
	}
	if _, err := s.Label([]string{"a"}); err != ErrEnded {
		t.Errorf("more cases than are paid for: %v", err)
	}
}

// TestReadRelease: a release read from JSON has the kinds of answers of its catalogue, each of
// which is checked.
func TestReadRelease(t *testing.T) {
	file := threeRows()
	s := open(t, file)
	r := question(s, ageDomain)
	dataOf(t, s, r, file)
	release, err := s.Run(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	var again Release[one]
	if err := json.Unmarshal([]byte(release.JSON("")), &again); err != nil ||
		again.Answer.Result.(*rows).Rows != 3 || again.JSON("") != release.JSON("") {
		t.Errorf("%v: read as %+v", err, again)
	}
	for _, text := range []string{`{"answer":{"cells":{}}}`, `{"answer":{"rows":{"rows":-1}}}`,
		`{"answer":{"rows":{},"other":{}}}`, `{"answer":{"rows":7}}`} {
		if err := json.Unmarshal([]byte(text), new(Release[one])); err == nil {
			t.Errorf("%s is taken for a release", text)
		}
	}
}

// TestAsideComesAfter: those set aside are nobody of those who teach, but who comes after them.
func TestAsideComesAfter(t *testing.T) {
	l := Lesson{Sample: "commute", Rows: 3, Recipe: Recipe{Others: []Field{
		{Role: RoleOutcome, Column: 1,
			Domain: domain.Spec{Kind: domain.Category, Categories: []string{"bike", "car"}}},
		{Role: "feature", Column: 2,
			Domain: domain.Spec{Kind: domain.Decimal, Lo: "0.1", Hi: "150.0", Step: "0.1"}},
		{Role: "feature", Column: 3, Domain: domain.Spec{Kind: domain.Integer, Lo: "1", Hi: "240"}},
	}}}
	labels := &Task{Cases: "cases", Others: []Role{
		{Name: RoleOutcome, Domains: []domain.Kind{domain.Category}, Min: 1, Max: 1, Values: 2},
		{Name: "feature", Domains: []domain.Kind{domain.Integer, domain.Decimal}, Min: 1, Max: 3},
	}}
	first, err := l.File()
	if err != nil {
		t.Fatal(err)
	}
	l.Rows, l.Aside = 2, 1
	cases, answers, err := l.aside(labels)
	if err != nil || len(answers) != 1 {
		t.Fatal(cases, answers, err)
	}
	third := strings.Split(strings.Split(string(first), "\n")[3], ",")
	if want := "distance,minutes\n" + third[1] + "," + third[2] +
		"\n"; !strings.HasSuffix(cases, strings.SplitAfter(want, "\n")[1]) ||
		answers[0] != third[0] {
		t.Errorf("cases %q, answers %q, want %q and %s", cases, answers, want, third[0])
	}
	labels.Cases = ""
	if _, _, err = l.aside(labels); err == nil {
		t.Error("a question that labels no cases")
	}
	wantField(t, err, "aside")
}

// TestEpsilonForAWish: the smallest ε whose bound, 1/ε here, is what is wished for; what no ε
// grants is refused.
func TestEpsilonForAWish(t *testing.T) {
	s := open(t, threeRows())
	r := question(s, ageDomain)
	if epsilon, err := s.EpsilonFor(Wish{r, 4}); err != nil || epsilon != "0.25" {
		t.Errorf("ε = %s, %v", epsilon, err)
	}
	_, err := s.EpsilonFor(Wish{r, 0})
	wantField(t, err, "error")
	points, err := s.Curve(r)
	if err != nil || len(points) < len(CurveEpsilons) || points[len(points)-1].Error != 0.1 ||
		points[0].Grade != Noise || points[len(points)-1].Grade != Good {
		t.Errorf("%v, %v", points, err)
	}
}
