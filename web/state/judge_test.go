package state_test

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
	if v := m.Verdict(); v == nil || v.Grade != ask.Rough || m.Forecast.Doubtful() {
		t.Fatalf("before the release: %+v, doubtful %v", v, m.Forecast.Doubtful())
	}
	m.Forecast.Plan.Verdict = exhibit.Judged(ask.Noise)
	if !m.Forecast.Doubtful() {
		t.Error("noise is released without a question")
	}
	m.Run()
	f.Settle()
	m.Release.Result.Verdict = exhibit.Judged(ask.Good)
	if v := m.Verdict(); !m.Answered() || v.Grade != ask.Good {
		t.Errorf("after the release: answered %v, %+v", m.Answered(), v)
	}
	if !m.Forecast.AsksThis(m.Release.Result) {
		t.Error("the question at hand is not the one that was answered")
	}
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "1" })
	f.Settle()
	m.Forecast.Plan.Verdict = exhibit.Judged(ask.Rough)
	if v := m.Verdict(); m.Answered() || v.Grade != ask.Rough || m.Release.Result == nil {
		t.Errorf("after a change: answered %v, %+v", m.Answered(), v)
	}
	if m.Forecast.AsksThis(m.Release.Result) {
		t.Error("another question passes for the one that was answered")
	}
	m.LookAgain(1)
	if !m.Answered() {
		t.Error("the answer is not shown again")
	}
	m.AskAnother()
	if m.Answered() || m.Way.Stage() != stage.Question {
		t.Errorf("asking another leads to stage %v", m.Way.Stage())
	}
	m.LookAgain(1)
	m.AskAgain(m.Release.Result)
	f.Settle()
	if m.Answered() || m.Question.Form.Epsilon != "0.5" || f.Spent != 1 {
		t.Errorf("asking again: ε = %s, %d spent", m.Question.Form.Epsilon, f.Spent)
	}
	m.Forget()
	m.LookAgain(1)
	m.AskAnother()
	if m.Way.Stage() != stage.Landing {
		t.Errorf("without a file, asking another leads to stage %v", m.Way.Stage())
	}
}

// A release of an earlier version has no verdict: nothing is gated for it.
func TestReleasesWithoutVerdict(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Forecast.Plan.Verdict = nil
	m.Run()
	f.Settle()
	r := m.Release.Result
	r.Verdict, r.Plan.Verdict = nil, nil
	if m.Verdict() != nil || m.Forecast.Doubtful() || !m.MayCopy(r) || session.IsNoise(r) {
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
	m.Run()
	f.Settle()
	m.Help.List = exhibit.Helps(m.Question.Recipe())
	m.Saved.Use(2)
	m.Saved.Use(3)
	if !m.Answered() || len(m.Help.List) != 3 {
		t.Error("a change that a person must make was made")
	}
	m.Saved.Use(0)
	if f.Settle(); m.Question.Form.Epsilon != "1.2" || m.Answered() || f.Spent != 1 {
		t.Errorf("ε is %s, answered %v, %d spent", m.Question.Form.Epsilon, m.Answered(), f.Spent)
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
	if v := m.Verdict(); v == nil || v.Grade == ask.Good {
		t.Fatalf("at ε = 0.001 the verdict is %+v", v)
	}
	if n := len(m.Help.List); n == 0 || n > 3 {
		t.Fatalf("%d changes are offered", n)
	}
	better := m.Help.List[0]
	if better.Text == "" || better.Grade == m.Verdict().Grade && better.Error >= m.Verdict().Error {
		t.Errorf("what would help is %+v", better)
	}
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "0.002" })
	if len(m.Help.List) > 0 {
		t.Error("the help of another question is shown")
	}
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "3" })
	f.Settle()
	if v := m.Verdict(); v == nil || v.Grade != ask.Good || len(m.Help.List) > 0 {
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
	m.Run()
	f.Settle()
	if v := session.VerdictOf(m.Release.Result); v == nil || v.Grade == ask.Good {
		t.Fatalf("at ε = 0.001 the answer's verdict is %+v", v)
	}
	if len(before) == 0 || len(m.Help.List) == 0 {
		t.Errorf("%d changes are offered before the answer, %d after it", len(before),
			len(m.Help.List))
	}
}
