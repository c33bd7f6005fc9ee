package state_test

import (
	"testing"

	"hush/web/engine"
	"hush/web/state/dataset"
	"hush/web/state/place"
	"hush/web/state/stage"
	"hush/web/webtest"
)

// TestHistoryGoesStepByStep: the browser's history has each step, and goes back to the beginning
// with the file still open, forth again, and between answers.
func TestHistoryGoesStepByStep(t *testing.T) {
	m, f := webtest.Started(t)
	var told []int
	note := func() {
		if n := len(told); n == 0 || told[n-1] != f.Standing.Stage {
			told = append(told, f.Standing.Stage)
		}
	}
	m.Forget()
	note()
	m.Data.Open(webtest.FakeFile("clinic.csv"))
	f.Settle()
	note()
	webtest.Confirm(m)
	note()
	webtest.Describe(m, 1, "0", "100")
	m.Question.Ask()
	f.Settle()
	note()
	m.Answer.Run()
	f.Settle()
	note()
	if len(told) != 5 || told[4] != int(stage.Answer) {
		t.Fatalf("the steps are %v", told)
	}
	first := f.Standing.Answer
	go1 := func(number int, s stage.Stage, answer string) {
		t.Helper()
		m.News("step", []byte(engine.Encode(
			place.Step{Stage: int(s), Answer: answer, Heard: number})))
		f.Settle()
		if m.Way.Stage() != s || f.Standing.Heard != number || f.Standing.Stage != int(s) ||
			f.Standing.Answer != answer {
			t.Errorf("step %d: the page is at %d and says %+v", number, m.Way.Stage(), f.Standing)
		}
	}
	for i, s := range []stage.Stage{stage.Question, stage.Columns, stage.Data,
		stage.Landing} {
		go1(i+1, s, "")
	}
	if !m.Way.Landed() || m.Data.Phase != dataset.Opened || m.Codebook.Described() != 1 {
		t.Error("the beginning is not shown, or the file is gone")
	}
	m.Way.GoOn()
	if m.Way.Stage() != stage.Question {
		t.Error("there is no way on from the beginning")
	}
	m.Answer.Run()
	f.Settle()
	second := f.Standing.Answer
	if second == "" || second == first {
		t.Fatalf("the answers are %q and %q", first, second)
	}
	go1(5, stage.Answer, first)
	go1(6, stage.Answer, second)
	if len(m.History.Past) != 2 {
		t.Errorf("%d answers are in the list", len(m.History.Past))
	}
}

// TestLeavingAsks: what was typed about the data is asked about until it is saved, and what is
// neither typed nor lost is not.
func TestLeavingAsks(t *testing.T) {
	m, f := webtest.Started(t)
	m.Data.Open(webtest.FakeFile("clinic.csv"))
	f.Settle()
	webtest.Confirm(m)
	if m.Unsaved() {
		t.Error("nothing was typed")
	}
	webtest.Describe(m, 1, "0", "100")
	if !m.Unsaved() || !f.Standing.Unsaved {
		t.Error("a description would be lost without a word")
	}
	saved := ""
	m.Codebook.Save(func(text string) { saved = text })
	if m.Unsaved() || saved == "" {
		t.Error("it was saved")
	}
	m.Question.Ask()
	f.Settle()
	m.Answer.Run()
	f.Settle()
	if m.Unsaved() {
		t.Error("the answer is kept")
	}
	m.Forget()
	m.Codebook.Open(saved)
	m.Data.Open(webtest.FakeFile("clinic.csv"))
	f.Settle()
	if m.Data.Confirm(); m.Codebook.Described() != 1 || m.Unsaved() {
		t.Error("what was opened from a file is lost by nobody")
	}
}
