package release_test

import (
	"testing"

	"hush/core/ask"
	"hush/web/engine"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/state/release"
	"hush/web/webtest"
)

// rough releases an answer that is not good.
func rough(t *testing.T) (*state.Model, *webtest.Fake) {
	t.Helper()
	m, f := webtest.Asked(t)
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "0.03" })
	f.Settle()
	m.Answer.Run()
	f.Settle()
	if m.Answer.Phase != release.Done || m.Answer.Result.Verdict.Grade == ask.Good {
		t.Fatalf("phase %d, and it is good: the case does not apply", m.Answer.Phase)
	}
	return m, f
}

// TestMakeGood: a rough answer is made good for the difference; the new one stands in its place in
// the page and in the report, the old one in the list. It cannot be made good again.
func TestMakeGood(t *testing.T) {
	m, f := rough(t)
	first := m.Answer.Result
	offer := m.TopUp.Offered(first)
	if offer == nil {
		t.Fatal("nothing is offered")
	}
	m.Answer.Know(first, true)
	m.Figures.Collect(first)
	m.Answer.MakeGood()
	f.Settle()
	next := m.Answer.Result
	if m.Answer.Phase != release.Done || next == first || next.Verdict.Grade != ask.Good ||
		next.Recipe.Epsilon != offer.Epsilon || m.TopUp.Offered(next) != nil {
		t.Fatalf("the answer is of ε = %s, %s", next.Recipe.Epsilon, next.Verdict.Grade)
	}
	if a, err := f.Spendings[0].Account(); err != nil || a.Spent != offer.Epsilon || a.Count != 2 {
		t.Errorf("spent %s in %d, want %s in 2", a.Spent, a.Count, offer.Epsilon)
	}
	if sum := m.History.Together(); sum.String() != "ε = "+offer.Epsilon ||
		len(m.History.Past) != 2 {
		t.Errorf("the list says %s of %d answers", sum, len(m.History.Past))
	}
	if len(m.Page.Releases()) != 1 || !m.Page.Has(next) {
		t.Error("the report has another answer")
	}
	m.Answer.LookAgain(m.History.Of(first).Number)
	f.Settle()
	if m.Answer.Result != first || m.TopUp.Offered(first) != nil {
		t.Error("what was made good is to be made good again")
	}
	if why := m.TopUp.Refused(first); why == nil || why.Message == "" ||
		m.TopUp.Refused(next) != nil {
		t.Errorf("why it cannot be made good again: %+v", why)
	}
}

// TestMakeGoodRefused: over the limit nothing is spent, the answer stays, and the page says why;
// with a higher limit that is forgotten, and not the answer.
func TestMakeGoodRefused(t *testing.T) {
	m, f := rough(t)
	first := m.Answer.Result
	f.Spendings[0].Limit = &engine.Limit{Epsilon: "0.031"}
	low, err := f.Spendings[0].Account()
	if err != nil {
		t.Fatal(err)
	}
	m.TakeAccount(low)
	m.Answer.MakeGood()
	f.Settle()
	if m.Answer.Result != first || m.Answer.Failure == nil ||
		m.Answer.Failure.Code != engine.OverLimit || len(f.Spendings[0].Entries) != 1 {
		t.Fatalf("the failure is %+v", m.Answer.Failure)
	}
	offer := m.TopUp.Offered(first)
	if offer == nil {
		t.Fatal("nothing is offered any more")
	}
	if b, known := m.TopUp.Budget(m.Data.Account); !known || !b.Over {
		t.Errorf("the budget afterwards: %+v", b)
	}
	f.Spendings[0].Limit = &engine.Limit{Epsilon: "3"}
	a, err := f.Spendings[0].Account()
	if m.TakeAccount(a); err != nil || m.Answer.Failure != nil || m.Answer.Result != first {
		t.Errorf("with another limit: %+v, %v", m.Answer.Failure, err)
	}
	if b, _ := m.TopUp.Budget(m.Data.Account); b.Over {
		t.Error("it is over the higher limit")
	}
}

// TestNothingToMakeGood: of an answer that came from a file, and of one that is good, nothing is
// offered.
func TestNothingToMakeGood(t *testing.T) {
	m, f := rough(t)
	text := m.Answer.Result.JSON("")
	m.Answer.Open(text)
	f.Settle()
	if m.Answer.Result == nil || m.TopUp.Offered(m.Answer.Result) != nil {
		t.Error("an answer from a file is to be made good")
	}
	m, f = webtest.Asked(t)
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "1" })
	f.Settle()
	m.Answer.Run()
	f.Settle()
	if m.Answer.Result.Verdict.Grade != ask.Good || m.TopUp.Offered(m.Answer.Result) != nil {
		t.Error("an answer is good, and to be made good")
	}
}
