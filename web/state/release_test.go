package state_test

import (
	"testing"

	"hush/web/engine"
	"hush/web/state"
	"hush/web/webtest"
)

func TestRunReleases(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Run()
	if m.Release.Phase != state.ReleaseRunning {
		t.Fatal("not running")
	}
	m.Run() // a second click
	f.Settle()
	if m.Release.Phase != state.ReleaseDone || m.Release.Result == nil {
		t.Fatalf("phase %v: %+v", m.Release.Phase, m.Release.Failure)
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
	m.Run()
	m.CancelRun()
	f.Settle()
	if m.Release.Phase != state.ReleaseFailed || m.Release.Failure.Code != engine.Cancelled {
		t.Errorf("phase %v", m.Release.Phase)
	}
	if m.Question.Missing() != "" || m.Forecast.Plan == nil {
		t.Error("the question is lost")
	}
}
