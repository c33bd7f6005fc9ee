package asking_test

import (
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/web/engine"
	"hush/web/state/form"
	"hush/web/webtest"
)

func TestFaultStandsAtItsField(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "much" })
	f.Settle()
	if m.Forecast.Fault("epsilon") == "" || m.Forecast.Plan != nil {
		t.Errorf("fault %q, plan %v", m.Forecast.Fault("epsilon"), m.Forecast.Plan)
	}
	if m.Question.Form.Epsilon != "much" {
		t.Errorf("the input was changed to %q", m.Question.Form.Epsilon)
	}
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "0.5" })
	f.Settle()
	if m.Forecast.Fault("epsilon") != "" || m.Forecast.Plan == nil {
		t.Errorf("the corrected question: %+v", m.Forecast.Failure)
	}
}

func TestGuessesAndRepairsAreTakenByHand(t *testing.T) {
	m, f := webtest.Started(t)
	f.File = []byte("salary\n\"1.200,50\"\n\"980,00\"\n\"n/a\"\n\"2.000,25\"\n")
	m.Data.Open(webtest.FakeFile("pay.csv"))
	f.Settle()
	webtest.Confirm(m)
	m.Codebook.Describe(1)
	guess := m.Codebook.Describing.Form
	if guess.Kind != domain.Decimal || guess.Mark != "," || guess.Lo+guess.Hi+guess.Missing != "" {
		t.Fatalf("the guess is %+v", guess)
	}
	m.Question.Edit("", func(q *form.Question) { q.Column = 1 })
	if m.Question.Recipe().Domain.Mark != "" {
		t.Error("a guess is in the recipe before it was taken")
	}
	m.Codebook.EditColumn(func(c *form.ColumnForm) { c.Lo, c.Hi, c.Group = "0", "9000", "." })
	m.Codebook.DescribeAs(codebook.Unanswered)
	m.Cells.ReadColumn()
	f.Settle()
	if !m.Cells.Read || len(m.Cells.Problems) != 1 || m.Cells.Problems[0].Repair == nil {
		t.Fatalf("cells %+v", m.Cells)
	}
	if err := m.Codebook.Accept(*m.Cells.Problems[0].Repair); err != nil {
		t.Fatal(err)
	}
	got := m.Question.Recipe().Domain.Missing
	if !slices.Contains(got, "n/a") || !slices.Contains(got, "unknown") {
		t.Errorf("after the repair %q count as missing, want the whole public list", got)
	}
	m.Cells.ReadColumn()
	f.Settle()
	if len(m.Cells.Problems) != 0 {
		t.Errorf("still %+v", m.Cells.Problems)
	}
}

func TestUndoTakesBackOneFieldAtATime(t *testing.T) {
	m, f := webtest.Asked(t)
	before := engine.Encode(m.Question.Recipe())
	for _, text := range []string{"1", "12", "120"} {
		m.Codebook.Edit("source", func(b *form.BookForm) { b.Source = text })
	}
	m.Question.Edit("", func(q *form.Question) { q.Params["width"] = "25" })
	m.Question.Edit("", func(q *form.Question) {
		q.Filter = append(q.Filter,
			form.ConditionForm{Column: 3, Test: form.TestOneOf, List: "Hill"})
	})
	m.Question.Undo()
	m.Question.Undo()
	if got := m.Question.Recipe(); got.Source != "120" || got.Params["width"] != "round" ||
		got.Filter != nil {
		t.Errorf("after two steps back: %s", engine.Encode(got))
	}
	m.Question.Undo()
	f.Settle()
	if got := engine.Encode(m.Question.Recipe()); got != before {
		t.Errorf("after three steps back:\n%s\nwant\n%s", got, before)
	}
	if m.Forecast.Plan == nil {
		t.Error("the question taken back to is not priced")
	}
}

func TestPersonsAndConditionsReachTheRecipe(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Codebook.Edit("", func(b *form.BookForm) { b.Each = codebook.Counted })
	if m.Question.Missing() == "" {
		t.Error("no column of counts is missed")
	}
	m.Codebook.Edit("", func(b *form.BookForm) { b.Column = 5 })
	m.Question.Edit("", func(q *form.Question) {
		q.Filter = []form.ConditionForm{{Column: 3, Test: form.TestNoneOf, List: "Hill\n Mill "},
			{Column: 2, Test: form.TestNumbers, From: "10"}, {Column: 4, Test: form.TestOneOf}}
	})
	f.Settle()
	r := m.Question.Recipe()
	if r.Count != 5 || r.Person != 0 || len(r.Filter) != 2 {
		t.Fatalf("recipe %s", engine.Encode(r))
	}
	if c := r.Filter[0]; !c.Not || !slices.Equal(c.Spec.Categories, []string{"Hill", "Mill"}) {
		t.Errorf("the first condition is %+v", c)
	}
}

func TestLateAnswersAreDropped(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "nonsense" })
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "2" })
	late := f.Later[0]
	f.Later = f.Later[1:]
	f.Settle()
	late()
	if m.Forecast.Plan == nil || m.Forecast.Failure != nil {
		t.Error("the answer to an older question won")
	}
}

// TestPricedOnce: what leaves the question as it is asks no new price; what changes it does.
func TestPricedOnce(t *testing.T) {
	m, f := webtest.Asked(t)
	plan, curve := m.Forecast.Plan, m.Wish.Curve
	if curve == nil {
		t.Fatal("no curve")
	}
	m.Question.Edit("", func(q *form.Question) { q.Epsilon += " " })
	if !m.Forecast.Priced() || m.Forecast.Plan != plan || m.Wish.Curve == nil {
		t.Error("the same question is priced anew")
	}
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "0.25" })
	if m.Forecast.Priced() || m.Wish.Curve != nil {
		t.Error("another question has the price of the last one")
	}
	m.Question.Undo()
	if f.Settle(); !m.Forecast.Priced() || m.Forecast.Plan == plan || m.Wish.Curve == nil {
		t.Error("the question that was gone back to is not priced")
	}
}

// TestMedianInItsUnit: a median is priced with a range in the column's unit from the start, on its
// own and as a figure that is proposed; one of before, without that wish, is not.
func TestMedianInItsUnit(t *testing.T) {
	m, f := webtest.Asked(t)
	ranged := func() bool {
		f.Settle()
		return m.Forecast.Priced() && slices.ContainsFunc(m.Forecast.Plan.Forecast,
			func(c ask.Forecast) bool { return c.Label == "Interval of values" })
	}
	m.Question.ChooseTask("median")
	if !ranged() {
		t.Errorf("a median of %d people has no range: %+v", m.Forecast.Plan.People,
			m.Forecast.Plan.Forecast)
	}
	for _, p := range m.Figures.Proposals() {
		if p.Task.ID == "median" && p.Recipe.Params["inUnit"] != "true" {
			t.Errorf("proposed as %s", engine.Encode(p.Recipe))
		}
	}
	old := m.Question.Recipe()
	delete(old.Params, "inUnit")
	m.Saved.Adopt(old)
	if ranged() || engine.Encode(m.Question.Recipe()) != engine.Encode(old) {
		t.Errorf("a recipe of before is asked as %s", engine.Encode(m.Question.Recipe()))
	}
}

// TestEmptyConditionAsks: a question with a condition that says nothing yet has no price and cannot
// be released: it would be one about everybody, or about nobody.
func TestEmptyConditionAsks(t *testing.T) {
	for _, test := range []string{form.TestOneOf, form.TestNoneOf, form.TestNumbers,
		form.TestDates} {
		m, f := webtest.Asked(t)
		m.Question.Edit("", func(q *form.Question) {
			q.Filter = []form.ConditionForm{{Column: 1, Test: test, List: " \n "}}
		})
		f.Settle()
		if m.Question.Missing() == "" || m.Forecast.Priced() {
			t.Errorf("%s: an empty condition has a price", test)
		}
		m.Answer.Run()
		if f.Settle(); m.Answer.Result != nil {
			t.Errorf("%s: it was released", test)
		}
		m.Question.Edit("", func(q *form.Question) {
			q.Filter = []form.ConditionForm{{Column: 1, Test: form.TestNumbers, From: "1"}}
		})
		if f.Settle(); m.Question.Missing() != "" || !m.Forecast.Priced() {
			t.Errorf("%s: once it says something: %q", test, m.Question.Missing())
		}
	}
}

// TestValuesAreAsked: a share or a count of people with some values has no price before somebody
// says which of them count. Any value is a choice, and a recipe leaves nothing open.
func TestValuesAreAsked(t *testing.T) {
	for _, task := range []string{"share", "count"} {
		m, f := webtest.Asked(t)
		m.Question.ChooseTask(task)
		if f.Settle(); m.Question.Missing() == "" || m.Forecast.Priced() {
			t.Errorf("%s: nothing says which values count, and it has a price", task)
		}
		if address := m.Question.Address(); strings.Contains(address, "q=") {
			t.Errorf("%s: loaded again from %s, it would be of any value", task, address)
		}
		m.Answer.Run()
		if f.Settle(); m.Answer.Result != nil {
			t.Errorf("%s: it was released", task)
		}
		m.Question.Edit("", func(q *form.Question) { q.Values = form.Values{Any: true} })
		if f.Settle(); m.Question.Missing() != "" || !m.Forecast.Priced() {
			t.Errorf("%s of any value: %q", task, m.Question.Missing())
		}
		if address := m.Question.Address(); !strings.Contains(address, "q=") {
			t.Errorf("%s of any value is not in the address: %s", task, address)
		}
		r := m.Question.Recipe()
		m.Question.Edit("", func(q *form.Question) { q.Values = form.Values{From: "18"} })
		if f.Settle(); m.Question.Missing() != "" || m.Question.Recipe().Domain.Lo != "18" {
			t.Errorf("%s from 18 on: %q", task, m.Question.Missing())
		}
		m.Saved.Adopt(r)
		if f.Settle(); m.Question.Missing() != "" || !m.Forecast.Priced() ||
			engine.Encode(m.Question.Recipe()) != engine.Encode(r) {
			t.Errorf("%s from a recipe: %q", task, m.Question.Missing())
		}
	}
}
