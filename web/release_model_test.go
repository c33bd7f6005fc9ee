package web

import (
	"testing"

	"hush/web/engine"
)

func TestRunReleases(t *testing.T) {
	m, f := asked(t)
	m.Run()
	if m.Release.Phase != ReleaseRunning {
		t.Fatal("not running")
	}
	m.Run() // a second click
	f.settle()
	if m.Release.Phase != ReleaseDone || m.Release.Result == nil {
		t.Fatalf("phase %v: %+v", m.Release.Phase, m.Release.Failure)
	}
	if f.spent != 1 {
		t.Errorf("%d runs, want one for two clicks", f.spent)
	}
	if m.Ledger.Count != 1 {
		t.Errorf("the ledger shows %d releases", m.Ledger.Count)
	}
}

func TestCancelledRunKeepsTheQuestion(t *testing.T) {
	m, f := asked(t)
	m.Run()
	m.CancelRun()
	f.settle()
	if m.Release.Phase != ReleaseFailed || m.Release.Failure.Code != engine.Cancelled {
		t.Errorf("phase %v", m.Release.Phase)
	}
	if m.Missing() != "" || m.Forecast.Plan == nil {
		t.Error("the question is lost")
	}
}
