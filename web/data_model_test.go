package web

import (
	"strings"
	"testing"

	"hush/core/sample"
	"hush/core/table"
)

func TestNothingGuessedIsUsedUnconfirmed(t *testing.T) {
	m, f := started(t)
	m.Open(fakeFile("clinic.csv"))
	f.settle()
	if m.Data.Phase != DataOpened || m.Data.Confirmed {
		t.Fatalf("phase %v, confirmed %v", m.Data.Phase, m.Data.Confirmed)
	}
	m.Edit("", func(q *Question) { q.Column, q.Domain.Lo, q.Domain.Hi = 1, "0", "100" })
	f.settle()
	if m.Recipe().Table != (table.Options{}) || m.Forecast.Plan != nil {
		t.Error("an unconfirmed reading is in the recipe or was priced")
	}
	m.Confirm()
	m.Edit("", func(*Question) {})
	f.settle()
	if m.Forecast.Plan == nil {
		t.Errorf("no plan after confirming: %+v", m.Forecast.Failure)
	}
	if text := encode(m.Recipe()); strings.Contains(text, "clinic") || strings.Contains(text, `"age"`) {
		t.Errorf("the recipe holds a file or header name: %s", text)
	}
}

func TestSampleNeedsNoConfirmation(t *testing.T) {
	m, f := started(t)
	m.OpenSample(sample.Sets()[0])
	f.settle()
	if !m.Data.Confirmed {
		t.Error("a bundled data set asks how it is to be read")
	}
}

func TestOpeningAnotherFileForgetsTheQuestion(t *testing.T) {
	m, f := asked(t)
	m.Run()
	m.Open(fakeFile("other.csv"))
	f.settle()
	if m.Question.Column != 0 || m.Forecast.Plan != nil || m.Release.Phase != ReleaseIdle {
		t.Error("something of the last file is left")
	}
}

func TestReadingAnotherWay(t *testing.T) {
	m, f := started(t)
	m.Open(fakeFile("clinic.csv"))
	f.settle()
	rows := m.Data.Opened.Rows
	m.Reread(func(o *table.Options) { o.Header = table.No })
	f.settle()
	if m.Data.Opened.Rows != rows+1 || m.HeaderName(1) != "" {
		t.Errorf("%d people and a name %q, want %d and none", m.Data.Opened.Rows, m.HeaderName(1), rows+1)
	}
}
