package book_test

import (
	"strings"
	"testing"

	"hush/core/codebook"
	"hush/core/sample"
	"hush/core/table"
	"hush/web/state/form"
	"hush/web/webtest"
)

// TestWhoseRowsIsAsked: nothing is gone on with, or priced, before the owner has said whether a
// person can have several rows, whatever the columns are called; the answer is in the codebook.
func TestWhoseRowsIsAsked(t *testing.T) {
	for _, file := range []string{
		"pid,cost\n1,20\n1,30\n2,5\n", "a,cost\n1,20\n2,30\n3,5\n",
	} {
		m, f := webtest.Started(t)
		f.File = []byte(file)
		m.Data.Open(webtest.FakeFile("visits.csv"))
		f.Settle()
		if m.Data.Confirm(); m.Data.Confirmed || !m.Data.Unanswered {
			t.Fatal("a file is gone on with, and nobody said who a person is")
		}
		m.Codebook.Edit("", func(b *form.BookForm) { b.Each = codebook.Several })
		if m.Data.Confirm(); m.Data.Confirmed {
			t.Error("several rows of a person, and no column that names it")
		}
		m.Codebook.Edit("", func(b *form.BookForm) { b.Column = 1 })
		if m.Data.Confirm(); !m.Data.Confirmed || m.Question.Recipe().Person != 1 {
			t.Errorf("answered, and confirmed is %t with person %d", m.Data.Confirmed,
				m.Question.Recipe().Person)
		}
		f.Settle()
		m.Codebook.Edit("", func(b *form.BookForm) { b.Each, b.Column = codebook.One, 0 })
		back, err := codebook.Decode([]byte(m.Codebook.Text()))
		if err != nil || back.Rows.Each != codebook.One {
			t.Errorf("the answer comes back as %+v, %v", back.Rows, err)
		}
		m.Codebook.Edit("", func(b *form.BookForm) { b.Each = "" })
		if !strings.Contains(m.Question.Missing(), "several rows") {
			t.Errorf("nobody said who a person is, and missing is %q", m.Question.Missing())
		}
	}
}

// TestOldCodebookIsAsked: one of before, which does not say who a person is, is asked; one that
// says so is taken, and a bundled data set has its answer.
func TestOldCodebookIsAsked(t *testing.T) {
	const file = "pid,cost\n1,20\n1,30\n2,5\n"
	m, _ := webtest.Opened(t, file)
	webtest.Describe(m, 2, "0", "99")
	saved := m.Codebook.Text()
	for rows, want := range map[string]bool{
		"": false, `"each": "one"`: true, `"each": "several", "column": 1`: true,
	} {
		m, f := webtest.Started(t)
		book := strings.Replace(saved, `"each": "one"`, rows, 1)
		if m.Codebook.Open(book); book == saved != (rows == `"each": "one"`) ||
			m.Codebook.Refused != "" {
			t.Fatal(m.Codebook.Refused, book)
		}
		f.File = []byte(file)
		m.Data.Open(webtest.FakeFile("visits.csv"))
		f.Settle()
		m.Claims.Agree()
		if m.Data.Unanswered || len(m.Codebook.Columns()) == 0 {
			t.Errorf("%q: a fault before anything was pressed", rows)
		}
		if m.Codebook.Form.Lacks() == want || m.Data.Confirmed != want {
			t.Errorf("%q: lacks %t, confirmed %t", rows, m.Codebook.Form.Lacks(), m.Data.Confirmed)
		}
	}
	m, f := webtest.Started(t)
	m.Data.OpenSample(sample.Sets()[0])
	f.Settle()
	if m.Codebook.Form.Lacks() || !m.Data.Confirmed {
		t.Error("a bundled data set asks who a person is")
	}
}

// TestAnotherReadingAsksAnew: the column that names persons is another one where the file is read
// in another way.
func TestAnotherReadingAsksAnew(t *testing.T) {
	m, f := webtest.Started(t)
	f.File = []byte("pid,cost;x\n1,20;1\n1,30;2\n2,5;3\n")
	m.Data.Open(webtest.FakeFile("visits.csv"))
	f.Settle()
	m.Codebook.Edit("", func(b *form.BookForm) { b.Each, b.Column = codebook.Several, 1 })
	m.Data.Reread(func(o *table.Options) { o.Blank = table.RowBlank })
	f.Settle()
	if m.Codebook.Form.Column != 1 {
		t.Error("the answer is forgotten, and the column is the same")
	}
	other := ";"
	if m.Data.Opened.Options.Delimiter == other {
		other = ","
	}
	m.Data.Reread(func(o *table.Options) { o.Delimiter, o.Columns = other, 0 })
	f.Settle()
	if m.Codebook.Form.Each != "" {
		t.Errorf("column %d of another reading names persons", m.Codebook.Form.Column)
	}
}
