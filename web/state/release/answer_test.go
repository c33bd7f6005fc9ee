package release_test

import (
	"testing"

	"hush/web/engine"
	"hush/web/state/release"
	"hush/web/webtest"
)

func TestRunReleases(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Answer.Run()
	if m.Answer.Phase != release.Running {
		t.Fatal("not running")
	}
	m.Answer.Run() // a second click
	f.Settle()
	if m.Answer.Phase != release.Done || m.Answer.Result == nil {
		t.Fatalf("phase %v: %+v", m.Answer.Phase, m.Answer.Failure)
	}
	if f.Spent != 1 {
		t.Errorf("%d runs, want one for two clicks", f.Spent)
	}
	if m.Data.Account.Count != 1 {
		t.Errorf("the ledger shows %d releases", m.Data.Account.Count)
	}
}

func TestCancelledRunKeepsTheQuestion(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Answer.Run()
	m.Answer.CancelRun()
	f.Settle()
	if m.Answer.Phase != release.Failed || m.Answer.Failure.Code != engine.Cancelled {
		t.Errorf("phase %v", m.Answer.Phase)
	}
	if m.Question.Missing() != "" || m.Forecast.Plan == nil {
		t.Error("the question is lost")
	}
}
