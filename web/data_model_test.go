package web

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

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

// TestNoDataSetIsNotConfirmed: where no reading makes a data set of a file, nothing offers to go on, and nothing can be spent.
func TestNoDataSetIsNotConfirmed(t *testing.T) {
	for name, file := range map[string]string{
		"empty": "", "a header alone": "age,sex\n", "a spreadsheet": "PK\x03\x04 1,2\n3,4\n5,6\n",
	} {
		t.Run(name, func(t *testing.T) {
			m, f := started(t)
			f.file = []byte(file)
			m.Open(fakeFile("some.csv"))
			f.settle()
			shown := app.HTMLString(&DataStep{Model: m})
			if m.Data.unusable() == "" || !strings.Contains(shown, m.Data.unusable()) || strings.Contains(shown, `id="confirm"`) {
				t.Errorf("it can be confirmed, or nothing is said: %q", m.Data.unusable())
			}
			m.Confirm()
			m.Edit("", func(q *Question) { q.Column, q.Domain.Lo, q.Domain.Hi = 1, "0", "100" })
			f.settle()
			if m.Data.Confirmed || m.Priced() || m.Missing() != m.Data.unusable() {
				t.Errorf("confirmed %v, priced %v, missing %q", m.Data.Confirmed, m.Priced(), m.Missing())
			}
		})
	}
	m, f := started(t)
	f.file = []byte("34\n")
	m.Open(fakeFile("one.csv"))
	f.settle()
	m.Reread(func(o *table.Options) { o.Header = table.Yes })
	f.settle()
	before := m.Data.unusable()
	if err := m.Accept(*m.Data.Opened.Problems[0].Repair); err != nil {
		t.Fatal(err)
	}
	f.settle()
	if m.Confirm(); before == "" || !m.Data.Confirmed {
		t.Errorf("a single row does not become a person: %q, then %q", before, m.Data.unusable())
	}
}

// TestStartAgainClearsTheAddress: what is forgotten is not restored by reloading.
func TestStartAgainClearsTheAddress(t *testing.T) {
	m, f := asked(t)
	if !strings.Contains(f.address, "?q=") {
		t.Fatalf("the address %q holds no question", f.address)
	}
	if m.Forget(); f.address != ViewWorkbench.Path() {
		t.Errorf("the address is still %q", f.address)
	}
}
