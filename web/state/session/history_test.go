package session_test

import (
	"testing"

	"hush/web/state/release"
	"hush/web/webtest"
)

func TestHistoryKeepsEveryRelease(t *testing.T) {
	m, f := webtest.Several(t, "histogram", "median", "mean")
	if len(m.History.Past) != 3 || m.History.Past[2].Release != m.Answer.Result {
		t.Fatalf("%d releases are kept", len(m.History.Past))
	}
	if sum := m.History.Together().String(); sum != "ε = 1.5" {
		t.Errorf("together they cost %s", sum)
	}
	m.Answer.LookAgain(1)
	if m.Answer.Result.Answer.Kind() != "histogram" || m.Answer.Phase != release.Done {
		t.Error("the first is not shown")
	}
	m.Answer.LookAgain(9)
	m.Answer.Compare(9, true)
	if m.Answer.Result.Answer.Kind() != "histogram" || len(m.History.Compared()) != 0 {
		t.Error("a number that was never given does something")
	}
	m.Answer.Run()
	m.Answer.LookAgain(1)
	if m.Answer.Phase != release.Running {
		t.Error("a run was pushed aside")
	}
	f.Settle()
	m.Forget()
	if len(m.History.Past) != 4 || m.Answer.Phase != release.Idle {
		t.Error("closing the file takes the releases away")
	}
	m.Answer.LookAgain(2)
	if m.Answer.Result.Answer.Kind() != "median" {
		t.Error("without a file a release cannot be looked at")
	}
	m.Answer.ClearHistory()
	if len(m.History.Past) != 0 || m.Answer.Result == nil {
		t.Error("the list is not empty, or the shown release is gone")
	}
}
