package release_test

import (
	"testing"

	"hush/core/ask"
	"hush/web/exhibit"
	"hush/web/state/form"
	"hush/web/state/session"
	"hush/web/state/stage"
	"hush/web/webtest"
)

// The verdict on the screen is the question's before the release and the answer's after it, and the
// question's again once that is changed.
func TestVerdictOnTheScreen(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Forecast.Plan.Verdict = exhibit.Judged(ask.Rough)
	if v := m.Answer.Verdict(); v == nil || v.Grade != ask.Rough || m.Forecast.Doubtful() {
		t.Fatalf("before the release: %+v, doubtful %v", v, m.Forecast.Doubtful())
	}
	m.Forecast.Plan.Verdict = exhibit.Judged(ask.Noise)
	if !m.Forecast.Doubtful() {
		t.Error("noise is released without a question")
	}
	m.Answer.Run()
	f.Settle()
	m.Answer.Result.Verdict = exhibit.Judged(ask.Good)
	if v := m.Answer.Verdict(); !m.Answer.OnScreen() || v.Grade != ask.Good {
		t.Errorf("after the release: answered %v, %+v", m.Answer.OnScreen(), v)
	}
	if !m.Forecast.AsksThis(m.Answer.Result) {
		t.Error("the question at hand is not the one that was answered")
	}
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "1" })
	f.Settle()
	m.Forecast.Plan.Verdict = exhibit.Judged(ask.Rough)
	if v := m.Answer.Verdict(); m.Answer.OnScreen() || v.Grade != ask.Rough ||
		m.Answer.Result == nil {
		t.Errorf("after a change: answered %v, %+v", m.Answer.OnScreen(), v)
	}
	if m.Forecast.AsksThis(m.Answer.Result) {
		t.Error("another question passes for the one that was answered")
	}
	m.Answer.LookAgain(1)
	if !m.Answer.OnScreen() {
		t.Error("the answer is not shown again")
	}
	m.Answer.AskAnother()
	if m.Answer.OnScreen() || m.Way.Stage() != stage.Question {
		t.Errorf("asking another leads to stage %v", m.Way.Stage())
	}
	m.Answer.LookAgain(1)
	m.Answer.AskAgain(m.Answer.Result)
	f.Settle()
	if m.Answer.OnScreen() || m.Question.Form.Epsilon != "0.5" || f.Spent != 1 {
		t.Errorf("asking again: ε = %s, %d spent", m.Question.Form.Epsilon, f.Spent)
	}
	m.Forget()
	m.Answer.LookAgain(1)
	m.Answer.AskAnother()
	if m.Way.Stage() != stage.Landing {
		t.Errorf("without a file, asking another leads to stage %v", m.Way.Stage())
	}
}

// A release of an earlier version has no verdict: nothing is gated for it.
func TestReleasesWithoutVerdict(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Forecast.Plan.Verdict = nil
	m.Answer.Run()
	f.Settle()
	r := m.Answer.Result
	r.Verdict, r.Plan.Verdict = nil, nil
	if m.Answer.Verdict() != nil || m.Forecast.Doubtful() || !m.Answer.MayCopy(r) ||
		session.IsNoise(r) {
		t.Error("something is gated without a verdict")
	}
	r.Plan.Verdict = exhibit.Judged(ask.Noise)
	if !session.IsNoise(r) {
		t.Error("the verdict from before the release is forgotten")
	}
	if r.Verdict = exhibit.Judged(ask.Good); session.IsNoise(r) {
		t.Error("the verdict from before the release outweighs the answer's")
	}
}

// Using a change asks the changed question, and only where it is exact.
func TestHelpIsUsed(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Answer.Run()
	f.Settle()
	m.Help.List = exhibit.Helps(m.Question.Recipe())
	m.Saved.Use(2)
	m.Saved.Use(3)
	if !m.Answer.OnScreen() || len(m.Help.List) != 3 {
		t.Error("a change that a person must make was made")
	}
	m.Saved.Use(0)
	if f.Settle(); m.Question.Form.Epsilon != "1.2" || m.Answer.OnScreen() || f.Spent != 1 {
		t.Errorf("ε is %s, answered %v, %d spent", m.Question.Form.Epsilon, m.Answer.OnScreen(),
			f.Spent)
	}
	if m.Question.Undo(); m.Question.Form.Epsilon != "0.5" {
		t.Error("the change cannot be undone")
	}
}

// A question whose answer would not be good asks the engine what would make it better, once, and
// what is typed next gives that up.
func TestHelpIsAsked(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "0.001" })
	f.Settle()
	if v := m.Answer.Verdict(); v == nil || v.Grade == ask.Good {
		t.Fatalf("at ε = 0.001 the verdict is %+v", v)
	}
	if n := len(m.Help.List); n == 0 || n > 3 {
		t.Fatalf("%d changes are offered", n)
	}
	better := m.Help.List[0]
	if better.Text == "" || better.Grade == m.Answer.Verdict().Grade &&
		better.Error >= m.Answer.Verdict().Error {
		t.Errorf("what would help is %+v", better)
	}
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "0.002" })
	if len(m.Help.List) > 0 {
		t.Error("the help of another question is shown")
	}
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "3" })
	f.Settle()
	if v := m.Answer.Verdict(); v == nil || v.Grade != ask.Good || len(m.Help.List) > 0 {
		t.Errorf("at ε = 3: %+v, and help %+v", v, m.Help.List)
	}
}

// After a release the engine is asked once more: what an answer tells, its question could not.
func TestHelpIsAskedAfterAnAnswer(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "0.001" })
	f.Settle()
	before := m.Help.List
	m.Help.List = nil
	m.Answer.Run()
	f.Settle()
	if v := session.VerdictOf(m.Answer.Result); v == nil || v.Grade == ask.Good {
		t.Fatalf("at ε = 0.001 the answer's verdict is %+v", v)
	}
	if len(before) == 0 || len(m.Help.List) == 0 {
		t.Errorf("%d changes are offered before the answer, %d after it", len(before),
			len(m.Help.List))
	}
}
