package session_test

import (
	"encoding/json"
	"os"
	"testing"

	"hush/core/ask"
	"hush/core/task"
	"hush/core/verify"
	"hush/web/state/session"
	"hush/web/webtest"
)

// TestExampleHolds: all that Hush checks of a release holds of the example, as a visitor saves it.
// With -update the example keeps its draw, and all that follows from it is worked out anew.
func TestExampleHolds(t *testing.T) {
	release := session.Landing()
	if *webtest.Update {
		now, err := ask.Redo(nil, task.All{}, release)
		if err != nil {
			t.Fatal(err)
		}
		release = &now.Release
		text, err := json.Marshal(release)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("landing.json", append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	report := verify.File(nil, []byte(release.JSON("0123")), "0123")
	for _, c := range report.Checks {
		if c.Status == verify.Fails {
			t.Errorf("%s: %+v; run with -update", c.Title, c.Faults[0])
		}
	}
	if report.Count(verify.Holds) < 5 {
		t.Errorf("too little of the example is checked: %+v", report.Checks)
	}
}
