package session_test

import (
	"testing"

	"hush/web/state"
	"hush/web/webtest"
)

func TestHistoryKeepsEveryRelease(t *testing.T) {
	m, f := webtest.Several(t, "histogram", "median", "mean")
	if len(m.History.Past) != 3 || m.History.Past[2].Release != m.Release.Result {
		t.Fatalf("%d releases are kept", len(m.History.Past))
	}
	if sum := m.History.Together().String(); sum != "ε = 1.5" {
		t.Errorf("together they cost %s", sum)
	}
	m.LookAgain(1)
	if m.Release.Result.Answer.Kind() != "histogram" || m.Release.Phase != state.ReleaseDone {
		t.Error("the first is not shown")
	}
	m.LookAgain(9)
	m.Compare(9, true)
	if m.Release.Result.Answer.Kind() != "histogram" || len(m.History.Compared()) != 0 {
		t.Error("a number that was never given does something")
	}
	m.Run()
	m.LookAgain(1)
	if m.Release.Phase != state.ReleaseRunning {
		t.Error("a run was pushed aside")
	}
	f.Settle()
	m.Forget()
	if len(m.History.Past) != 4 || m.Release.Phase != state.ReleaseIdle {
		t.Error("closing the file takes the releases away")
	}
	m.LookAgain(2)
	if m.Release.Result.Answer.Kind() != "median" {
		t.Error("without a file a release cannot be looked at")
	}
	m.ClearHistory()
	if len(m.History.Past) != 0 || m.Release.Result == nil {
		t.Error("the list is not empty, or the shown release is gone")
	}
}
