package dataset_test

import (
	"strings"
	"testing"

	"hush/core/domain"
	"hush/core/sample"
	"hush/core/table"
	"hush/web/engine"
	"hush/web/state/dataset"
	"hush/web/state/form"
	"hush/web/state/place"
	"hush/web/state/release"
	"hush/web/webtest"
)

// TestNothingGuessedIsUsedUnconfirmed: how the file is read, what its columns are called and what
// they hold enters a recipe once its owner has said so.
func TestNothingGuessedIsUsedUnconfirmed(t *testing.T) {
	m, f := webtest.Started(t)
	m.Data.Open(webtest.FakeFile("clinic.csv"))
	f.Settle()
	if m.Data.Phase != dataset.Opened || m.Data.Confirmed {
		t.Fatalf("phase %v, confirmed %v", m.Data.Phase, m.Data.Confirmed)
	}
	m.Question.Edit("", func(q *form.Question) { q.Column = 1 })
	f.Settle()
	if m.Question.Recipe().Table != (table.Options{}) || m.Forecast.Plan != nil ||
		len(m.Codebook.Columns()) > 0 {
		t.Error("an unconfirmed reading is in the recipe or the codebook, or was priced")
	}
	webtest.Confirm(m)
	m.Question.Edit("", func(*form.Question) {})
	f.Settle()
	holds := func(text string) bool {
		return strings.Contains(engine.Encode(m.Question.Recipe()), text)
	}
	if c, _ := m.Codebook.Column(1); c.Guess.Kind != domain.Integer || c.Header != "age" {
		t.Fatalf("the codebook has %+v", c)
	}
	lacks, _ := m.Question.Lacks()
	if m.Forecast.Plan != nil || lacks != 1 || holds(`"age"`) || holds(`"integer"`) ||
		holds(`"district"`) {
		t.Errorf("a column that nobody described is priced or in the recipe: %s",
			engine.Encode(m.Question.Recipe()))
	}
	webtest.Describe(m, 1, "0", "100")
	f.Settle()
	if m.Forecast.Plan == nil || !holds(`"label":"age"`) {
		t.Errorf("no plan after the description: %+v, %s", m.Forecast.Failure,
			engine.Encode(m.Question.Recipe()))
	}
	if holds("clinic") || holds("district") {
		t.Errorf("the recipe holds a file's name or that of another column: %s",
			engine.Encode(m.Question.Recipe()))
	}
}

func TestSampleNeedsNoConfirmation(t *testing.T) {
	m, f := webtest.Started(t)
	m.Data.OpenSample(sample.Sets()[0])
	f.Settle()
	if !m.Data.Confirmed {
		t.Error("a bundled data set asks how it is to be read")
	}
}

func TestOpeningAnotherFileForgetsTheQuestion(t *testing.T) {
	m, f := webtest.Asked(t)
	m.Answer.Run()
	m.Data.Open(webtest.FakeFile("other.csv"))
	f.Settle()
	if m.Question.Form.Column != 0 || m.Forecast.Plan != nil || m.Answer.Phase != release.Idle {
		t.Error("something of the last file is left")
	}
}

func TestReadingAnotherWay(t *testing.T) {
	m, f := webtest.Started(t)
	m.Data.Open(webtest.FakeFile("clinic.csv"))
	f.Settle()
	rows := m.Data.Opened.Rows
	m.Data.Reread(func(o *table.Options) { o.Header = table.No })
	f.Settle()
	if m.Data.Opened.Rows != rows+1 || m.Data.HeaderName(1) != "" {
		t.Errorf("%d people and a name %q, want %d and none", m.Data.Opened.Rows,
			m.Data.HeaderName(1),
			rows+1)
	}
}

// TestStartAgainClearsTheAddress: what is forgotten is not restored by reloading.
func TestStartAgainClearsTheAddress(t *testing.T) {
	m, f := webtest.Asked(t)
	if !strings.Contains(f.Addressed, "?q=") {
		t.Fatalf("the address %q holds no question", f.Addressed)
	}
	if m.Forget(); f.Addressed != place.ViewWorkbench.Path() {
		t.Errorf("the address is still %q", f.Addressed)
	}
}

// Where places of the file decide how many rows there are, a waiting question does not confirm the
// reading in its owner's place: the number is published.
func TestNumberOfRowsIsConfirmed(t *testing.T) {
	m, f := webtest.Started(t)
	open := func(file string) {
		f.File = []byte(file)
		m.Data.Open(webtest.FakeFile("people.csv"))
		f.Settle()
	}
	open("name,age\nAnn,31\nBob,44\nEve,12\n")
	webtest.Confirm(m)
	r := m.Question.Recipe()
	for file, want := range map[string]bool{
		"name,age\nAnn,31\nBob,44\nKim,12\n":       true,
		"name,age\nAnn,31\n\"Bob,44\nKim\",12\n":   false, // two rows
		"name,age\nAnn,31\nBo\nb,44\nKim,12\n":     false, // four
		"name,age\nAnn,31\n\nBob,44\nKim,12\n,,\n": false,
	} {
		m.Forget()
		m.Saved.Adopt(r)
		if open(file); m.Data.Confirmed != want || m.Data.Counting() == want {
			t.Errorf("%q: confirmed %t, want %t; %+v", file, m.Data.Confirmed, want,
				m.Data.Opened.Problems)
		}
		if webtest.Confirm(m); !m.Data.Confirmed {
			t.Errorf("%q cannot be confirmed", file)
		}
		if m.Saved.Adopt(m.Question.Recipe()); !m.Data.Confirmed ||
			m.Question.Form.Table == (table.Options{}) {
			t.Errorf("%q: a question put to the confirmed file is not asked", file)
		}
	}
}

// A guess at the encoding is no reading that can be confirmed: somebody chooses one first.
func TestGuessedEncodingIsChosen(t *testing.T) {
	m, f := webtest.Started(t)
	f.File = []byte("name,age\nAnn,31\nBob,44\n")
	m.Data.Open(webtest.FakeFile("people.csv"))
	f.Settle()
	m.Data.Opened.Readings = []table.Reading{{Encoding: "shift_jis"}, {Encoding: "windows-1252"}}
	if webtest.Confirm(m); m.Data.Confirmed {
		t.Error("a guessed encoding is confirmed")
	}
	m.Data.Reread(func(o *table.Options) { o.Encoding = table.Windows1252 })
	f.Settle()
	if webtest.Confirm(m); !m.Data.Confirmed ||
		m.Question.Recipe().Table.Encoding != table.Windows1252 {
		t.Errorf("the chosen encoding is not in the recipe: %+v", m.Question.Recipe().Table)
	}
}
