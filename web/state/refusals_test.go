package state_test

import (
	"strings"
	"testing"

	"hush/web/state"
	"hush/web/state/form"
	"hush/web/webtest"
)

// TestTenRefusals holds what the page says to ten mistakes of a first visit. Each text names what
// is wrong, what is wanted or how it was read, and what to do; a fault of a field stands at it.
func TestTenRefusals(t *testing.T) {
	opened := func(text string) string {
		m, f := webtest.Started(t)
		f.File = []byte(text)
		m.Data.Open(webtest.FakeFile("people.csv"))
		f.Settle()
		first := m.Data.Opened.Problems[0]
		return strings.TrimSpace(m.Data.Unusable() + " " + first.Text.String() + ": " +
			first.Advice.String())
	}
	brought := func(text string) string {
		m, _ := webtest.Started(t)
		m.Answer.Bring(webtest.FakeFile("a file"), m.Answer.Open)(text)
		return m.Answer.NotOpened
	}
	asked := func(change func(m *state.Model)) *state.Model {
		m, f := webtest.Asked(t)
		change(m)
		f.Settle()
		return m
	}
	described := func(field string, change func(c *form.ColumnForm)) string {
		m := asked(func(m *state.Model) {
			m.Codebook.Describe(1)
			m.Codebook.EditColumn(change)
			m.Codebook.KeepTyped()
		})
		return field + ": " + m.Codebook.Describing.Fault(field)
	}
	const noTable = "This is no table of text, and cannot be read as one. Open another file. "
	for _, c := range []struct{ mistake, says, want string }{
		{"a picture", opened("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00"),
			noTable + "the file is a picture, not CSV: ask for the table that it was made of, as " +
				"CSV"},
		{"a release in place of a table", opened("{\n  \"version\": 1,\n  \"plan\": {}\n}\n"),
			noTable + "the file is JSON as Hush saves it, not CSV: open a release under “Check a " +
				"release”, a question or a codebook at its own step, and here the table itself"},
		{"a table in place of a release", brought("age,city\n30,Hill\n"),
			"This is a table, not a release. Open it as data?"},
		{"an empty file", opened(""), "This file has no rows, so there is nothing to ask. " +
			"Open another file. the file is empty: open another file"},
		{"an empty file in place of a release", brought(" \n"), "This is not a saved release: it " +
			"is empty. Open the JSON file that Hush saved."},
		{"half a release", brought(`{"version":1,`), "This is not a saved release: it is cut " +
			"off, or was changed by hand. Open the JSON file that Hush saved."},
		{"a quote that none closes", opened("age,city\n30,\"Hill\n40,Park\n"),
			"a quote opens a field, and none closes it within 256 lines, 1048576 bytes and the " +
				"rest of the file: the quote is read as a character and its row ends with its " +
				"line; allow longer fields if there are any"},
		{"a number of a thousand digits",
			described("hi", func(c *form.ColumnForm) { c.Hi = strings.Repeat("9", 1000) }),
			"hi: Wanted: one line of at most 400 characters."},
		{"a range turned round",
			described("hi", func(c *form.ColumnForm) { c.Lo, c.Hi = "90", "10" }),
			"hi: Wanted: at least the smallest value, 90."},
		{"ε = 0", asked(func(m *state.Model) {
			m.Question.Edit("", func(q *form.Question) { q.Epsilon = "0" })
		}).Forecast.Fault("epsilon"),
			"Wanted: a number from 0.000000001 to 100, such as 0.5 or 1/3."},
		{"a category twice", described("categories", func(c *form.ColumnForm) {
			c.Kind, c.Categories = "category", "a\nb\na"
		}), `categories: Wanted: each category once; "a" is there twice.`},
		{"a question about another file", asked(func(m *state.Model) {
			m.Saved.AdoptText(`{"version":1,"task":"mean","table":{"delimiter":";"},"column":9,` +
				`"label":"income","domain":{"kind":"integer","lo":"0","hi":"9"},"epsilon":"1"}`)
		}).Saved.Fault, "The question was saved for a file that is read differently. Confirm how " +
			"this one is read, and look at every field."},
	} {
		if c.says != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.mistake, c.says, c.want)
		}
	}
}
