package web

import (
	"slices"
	"testing"

	"hush/core/domain"
)

func TestFaultStandsAtItsField(t *testing.T) {
	m, f := asked(t)
	m.Edit("", func(q *Question) { q.Epsilon = "much" })
	f.settle()
	if m.Fault("epsilon") == "" || m.Forecast.Plan != nil {
		t.Errorf("fault %q, plan %v", m.Fault("epsilon"), m.Forecast.Plan)
	}
	if m.Question.Epsilon != "much" {
		t.Errorf("the input was changed to %q", m.Question.Epsilon)
	}
	m.Edit("", func(q *Question) { q.Epsilon = "0.5" })
	f.settle()
	if m.Fault("epsilon") != "" || m.Forecast.Plan == nil {
		t.Errorf("the corrected question: %+v", m.Forecast.Failure)
	}
}

func TestGuessesAndRepairsAreTakenByHand(t *testing.T) {
	m, f := started(t)
	f.file = []byte("salary\n\"1.200,50\"\n\"980,00\"\n\"n/a\"\n\"2.000,25\"\n")
	m.Open(fakeFile("pay.csv"))
	f.settle()
	m.Confirm()
	m.Edit("", func(q *Question) { q.Column = 1 })
	guess := m.Field(1).Guess
	if guess.Kind != domain.Decimal || guess.Mark != "," {
		t.Fatalf("the guess is %+v", guess)
	}
	if m.Recipe().Domain.Mark != "" {
		t.Error("a guess is in the recipe before it was taken")
	}
	m.Edit("", func(q *Question) { q.Domain.take(guess) })
	m.Edit("lo", func(q *Question) { q.Domain.Lo = "0" })
	m.Edit("hi", func(q *Question) { q.Domain.Hi = "9000" })
	m.Edit("", func(q *Question) { q.Domain.Missing = "" })
	m.ReadCells()
	f.settle()
	if !m.Cells.Read || len(m.Cells.Problems) != 1 || m.Cells.Problems[0].Repair == nil {
		t.Fatalf("cells %+v", m.Cells)
	}
	if err := m.Accept(*m.Cells.Problems[0].Repair); err != nil {
		t.Fatal(err)
	}
	if got := m.Recipe().Domain.Missing; !slices.Equal(got, []string{"n/a"}) {
		t.Errorf("after the repair %q count as missing", got)
	}
	m.ReadCells()
	f.settle()
	if len(m.Cells.Problems) != 0 {
		t.Errorf("still %+v", m.Cells.Problems)
	}
}

func TestUndoTakesBackOneFieldAtATime(t *testing.T) {
	m, f := asked(t)
	before := encode(m.Recipe())
	for _, text := range []string{"1", "12", "120"} {
		m.Edit("hi", func(q *Question) { q.Domain.Hi = text })
	}
	m.Edit("", func(q *Question) { q.Params["width"] = "5" })
	m.Edit("", func(q *Question) {
		q.Filter = append(q.Filter, ConditionForm{Column: 3, Test: TestOneOf, List: "Hill"})
	})
	m.Undo()
	m.Undo()
	if got := m.Recipe(); got.Domain.Hi != "120" || got.Params["width"] != "" || got.Filter != nil {
		t.Errorf("after two steps back: %s", encode(got))
	}
	m.Undo()
	f.settle()
	if got := encode(m.Recipe()); got != before {
		t.Errorf("after three steps back:\n%s\nwant\n%s", got, before)
	}
	if m.Forecast.Plan == nil {
		t.Error("the question taken back to is not priced")
	}
}

func TestPersonsAndConditionsReachTheRecipe(t *testing.T) {
	m, f := asked(t)
	m.Edit("", func(q *Question) { q.Who = Counts })
	if m.Missing() == "" {
		t.Error("no column of counts is missed")
	}
	m.Edit("", func(q *Question) {
		q.WhoColumn = 5
		q.Filter = []ConditionForm{{Column: 3, Test: TestNoneOf, List: "Hill\n Mill "}, {Column: 2, Test: TestNumbers, From: "10"}, {Column: 4, Test: TestOneOf}}
	})
	f.settle()
	r := m.Recipe()
	if r.Count != 5 || r.Person != 0 || len(r.Filter) != 2 {
		t.Fatalf("recipe %s", encode(r))
	}
	if c := r.Filter[0]; !c.Not || !slices.Equal(c.Spec.Categories, []string{"Hill", "Mill"}) {
		t.Errorf("the first condition is %+v", c)
	}
}

func TestLateAnswersAreDropped(t *testing.T) {
	m, f := asked(t)
	m.Edit("", func(q *Question) { q.Epsilon = "nonsense" })
	m.Edit("", func(q *Question) { q.Epsilon = "2" })
	late := f.later[0]
	f.later = f.later[1:]
	f.settle()
	late()
	if m.Forecast.Plan == nil || m.Forecast.Failure != nil {
		t.Error("the answer to an older question won")
	}
}
