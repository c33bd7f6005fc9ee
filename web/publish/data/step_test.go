package data

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/table"
	"hush/web/outside"
	"hush/web/webtest"
)

// TestNoDataSetIsNotConfirmed: where no reading makes a data set of a file, nothing offers to go
// on, and nothing can be spent.
func TestNoDataSetIsNotConfirmed(t *testing.T) {
	for name, file := range map[string]string{
		"empty": "", "a header alone": "age,sex\n", "a spreadsheet": "PK\x03\x04 1,2\n3,4\n5,6\n",
	} {
		t.Run(name, func(t *testing.T) {
			m, f := webtest.Started(t)
			f.File = []byte(file)
			m.Data.Open(webtest.FakeFile("some.csv"))
			f.Settle()
			shown := app.HTMLString(&Step{Model: m})
			if m.Data.Unusable() == "" || !strings.Contains(shown, m.Data.Unusable()) ||
				strings.Contains(shown, `id="confirm"`) {
				t.Errorf("it can be confirmed, or nothing is said: %q", m.Data.Unusable())
			}
			if m.Data.NotText() == strings.Contains(app.HTMLString(&Step{Model: m}), `id="rows"`) {
				t.Error("rows are counted of what is no text, or not of what is")
			}
			webtest.Confirm(m)
			webtest.Describe(m, 1, "0", "100")
			m.Question.Ask()
			m.Question.ChooseColumn(0, 1)
			f.Settle()
			if m.Data.Confirmed || m.Forecast.Priced() ||
				m.Question.Missing() != m.Data.Unusable() {
				t.Errorf("confirmed %v, priced %v, missing %q", m.Data.Confirmed,
					m.Forecast.Priced(),
					m.Question.Missing())
			}
		})
	}
	m, f := webtest.Started(t)
	f.File = []byte("34\n")
	m.Data.Open(webtest.FakeFile("one.csv"))
	f.Settle()
	m.Data.Reread(func(o *table.Options) { o.Header = table.Yes })
	f.Settle()
	before := m.Data.Unusable()
	if err := m.Codebook.Accept(*m.Data.Opened.Problems[0].Repair); err != nil {
		t.Fatal(err)
	}
	f.Settle()
	if webtest.Confirm(m); before == "" || !m.Data.Confirmed {
		t.Errorf("a single row does not become a person: %q, then %q", before, m.Data.Unusable())
	}
}

func TestReadingText(t *testing.T) {
	one := outside.Words(
		table.Options{Columns: 1, Delimiter: ",", Header: table.Yes, Encoding: "utf-8"})
	if want := "1 column, separated by commas, names in the first row, utf-8 text"; one != want {
		t.Errorf("got %q, want %q", one, want)
	}
}
