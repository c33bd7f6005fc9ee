package lesson_test

import (
	"strings"
	"testing"

	"hush/web/state/form"
	"hush/web/webtest"
)

// An owner who looks at the open file gives up releasing from it, but for the question frozen
// before, once and unchanged.
func TestLookingEndsReleasing(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Go("/learn/own")
	f.Settle()
	m.Learn.Task = nil
	m.Look.Start()
	f.Settle()
	if m.Data.Looked() || m.Learn.Taught != nil {
		t.Fatal("it looks before the words are ticked")
	}
	frozen := m.Question.Recipe()
	m.Look.Freeze()
	f.Settle()
	if !m.Question.IsFrozen() {
		t.Fatal("the question is not frozen")
	}
	m.Look.Agree(true)
	m.Look.Start()
	f.Settle()
	if !m.Data.Looked() || m.Learn.Taught == nil || len(m.Learn.Taught.Draws) != 10 {
		t.Fatalf("looked: %v, taught: %+v, %v", m.Data.Looked(), m.Learn.Taught, m.Learn.Fault)
	}
	if m.Learn.Taught.Draws[0].Plan.People != 3200 ||
		!strings.Contains(m.Learn.Taught.Quiet.Statement, "age") &&
			m.Learn.Taught.Quiet.Statement == "" {
		t.Errorf("what is shown is not the file: %q", m.Learn.Taught.Quiet.Statement)
	}

	m.Go("/")
	m.Question.Edit("epsilon", func(q *form.Question) { q.Epsilon = "0.4" })
	f.Settle()
	if m.Question.MayAsk() {
		t.Error("another question may be asked")
	}
	m.Answer.Run()
	f.Settle()
	if m.Answer.Result != nil || f.Spent != 0 {
		t.Error("another question was released")
	}
	m.Saved.Adopt(frozen)
	f.Settle()
	m.Answer.Run()
	f.Settle()
	if m.Answer.Result == nil || f.Spent != 1 {
		t.Fatalf("the frozen question is not released: %+v", m.Answer.Failure)
	}
	m.Answer.Run()
	f.Settle()
	if f.Spent != 1 || m.Question.MayAsk() {
		t.Error("the frozen question may be asked twice")
	}
}

// A lesson about made-up people is not taken for one of the open file.
func TestOwnLessonIsLeft(t *testing.T) {
	m, f := webtest.Asked(t)
	f.Spendings[0].Looked = "2026-01-31T12:00:00.000Z"
	m.Ledger.Ask()
	f.Settle()
	m.Go("/learn/own")
	f.Settle()
	if m.Learn.Own == nil || m.Learn.Task == nil || m.Learn.Taught == nil {
		t.Fatalf("%+v", m.Learn)
	}
	m.Go("/learn/" + m.Learn.Task.ID)
	f.Settle()
	if m.Learn.Own != nil || m.Learn.Taught == nil || m.Learn.Whole().Sample == "" {
		t.Error("the lesson is still about the open file")
	}
}
