package state_test

import (
	"strings"
	"testing"

	"hush/core/sample"
	"hush/core/table"
	"hush/web/engine"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/webtest"
)

func TestNothingGuessedIsUsedUnconfirmed(t *testing.T) {
	m, f := webtest.Started(t)
	m.Open(webtest.FakeFile("clinic.csv"))
	f.Settle()
	if m.Data.Phase != state.DataOpened || m.Data.Confirmed {
		t.Fatalf("phase %v, confirmed %v", m.Data.Phase, m.Data.Confirmed)
	}
	m.Edit("", func(q *form.Question) { q.Column, q.Domain.Lo, q.Domain.Hi = 1, "0", "100" })
	f.Settle()
	if m.Recipe().Table != (table.Options{}) || m.Forecast.Plan != nil {
		t.Error("an unconfirmed reading is in the recipe or was priced")
	}
	m.Confirm()
	m.Edit("", func(*form.Question) {})
	f.Settle()
	if m.Forecast.Plan == nil {
		t.Errorf("no plan after confirming: %+v", m.Forecast.Failure)
	}
	if text := engine.Encode(m.Recipe()); strings.Contains(text, "clinic") ||
		strings.Contains(text, `"age"`) {
		t.Errorf("the recipe holds a file or header name: %s", text)
	}
}

func TestSampleNeedsNoConfirmation(t *testing.T) {
	m, f := webtest.Started(t)
	m.OpenSample(sample.Sets()[0])
	f.Settle()
	if !m.Data.Confirmed {
		t.Error("a bundled data set asks how it is to be read")
	}
}

func TestOpeningAnotherFileForgetsTheQuestion(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Run()
	m.Open(webtest.FakeFile("other.csv"))
	f.Settle()
	if m.Question.Column != 0 || m.Forecast.Plan != nil || m.Release.Phase != state.ReleaseIdle {
		t.Error("something of the last file is left")
	}
}

func TestReadingAnotherWay(t *testing.T) {
	m, f := webtest.Started(t)
	m.Open(webtest.FakeFile("clinic.csv"))
	f.Settle()
	rows := m.Data.Opened.Rows
	m.Reread(func(o *table.Options) { o.Header = table.No })
	f.Settle()
	if m.Data.Opened.Rows != rows+1 || m.HeaderName(1) != "" {
		t.Errorf("%d people and a name %q, want %d and none", m.Data.Opened.Rows, m.HeaderName(1),
			rows+1)
	}
}

// TestStartAgainClearsTheAddress: what is forgotten is not restored by reloading.
func TestStartAgainClearsTheAddress(t *testing.T) {
	m, f := webtest.Asked(t)
	if !strings.Contains(f.Addressed, "?q=") {
		t.Fatalf("the address %q holds no question", f.Addressed)
	}
	if m.Forget(); f.Addressed != state.ViewWorkbench.Path() {
		t.Errorf("the address is still %q", f.Addressed)
	}
}
