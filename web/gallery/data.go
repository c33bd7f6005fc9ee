package gallery

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/phrase"
	"hush/core/table"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/parts"
	"hush/web/publish/data"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/asking"
	"hush/web/state/dataset"
	"hush/web/state/form"
)

// filtered is a question about few people.
func filtered() *ask.Recipe {
	conditions := []form.ConditionForm{
		{Column: 3, Test: form.TestOneOf, List: "Hill\nMill"},
		{Column: 2, Test: form.TestNumbers, From: "40"},
		{Column: 4, Test: form.TestNoneOf, List: "unknown"}}
	r := &ask.Recipe{}
	for _, c := range conditions {
		r.Filter = append(r.Filter, c.Condition())
	}
	return r
}

// dataSpecimens shows step 1 in its states.
func dataSpecimens() []Specimen {
	return exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		return &data.Step{Model: m, Browser: b}
	}, []variant{
		{"nothing yet", func(m *state.Model) { m.Data.File = dataset.File{} }},
		{"a question waits", func(m *state.Model) {
			m.Data.File, m.Saved.Waiting = dataset.File{}, &ask.Recipe{}
		}},
		{"a question with a filter waits", func(m *state.Model) {
			m.Data.File, m.Saved.Waiting = dataset.File{}, filtered()
		}},
		{"a broken link", func(m *state.Model) {
			m.Data.File, m.Saved.Fault = dataset.File{},
				"This is no question saved by Hush: the address is cut off or changed."
		}},
		{"a file being read", func(m *state.Model) {
			m.Data.File = dataset.File{Phase: dataset.Opening, Name: "visits 2026.csv",
				Progress: engine.Progress{Phase: "opening", Done: 30, Total: 100}}
		}},
		{"a file of unknown size", func(m *state.Model) {
			m.Data.File = dataset.File{Phase: dataset.Opening, Name: "visits 2026.csv.gz"}
		}},
		{"read, to be confirmed", func(m *state.Model) { m.Data.Confirmed = false }},
		{"nobody said who a person is", func(m *state.Model) {
			m.Data.Confirmed, m.Data.Unanswered, m.Codebook.Form.Each = false, true, ""
			m.Data.Opened.Fields[0].Name = "Patienten-Nr."
			m.Data.Opened.Fields[1].Name = exhibit.LongName + " id"
		}},
		{"another column names persons", func(m *state.Model) {
			m.Data.Confirmed, m.Codebook.Form.Each = false, codebook.Several
		}},
		{"read in another way than the question's file", func(m *state.Model) {
			m.Data.Confirmed, m.Saved.Fault = false, say.Text(asking.OtherReading)
		}},
		{"confirmed", func(*state.Model) {}},
		{"not the question's file", func(m *state.Model) {
			m.Data.Confirmed, m.Data.Misfit = false, true
			m.Data.Opened.Width, m.Saved.Waiting = 300,
				&ask.Recipe{}
		}},
		{"nobody in it", func(m *state.Model) {
			m.Data.Confirmed, m.Data.Opened.Rows, m.Data.Opened.Preview = false, 0, nil
			m.Data.Opened.Problems = []table.Problem{
				{Kind: "noRows", Text: phrase.Of("there is no row below the header"),
					Advice: phrase.Of("if the first row is data, say that there is no header"),
					Count:  1,
					Places: []table.Place{{}},
					Repair: &table.Repair{Label: phrase.Of("The first row is data"),
						Field: "header", Value: table.No}}}
		}},
		{"no table of text", func(m *state.Model) {
			m.Data.Confirmed = false
			m.Data.Opened.Problems = []table.Problem{
				{Kind: table.NotText,
					Text: phrase.Of("the file is %s, not CSV",
						phrase.Key("a zip archive or a spreadsheet (.xlsx, .ods)")),
					Advice: phrase.Of("save or unpack it as CSV and open that"), Count: 1,
					Places: []table.Place{{}}}}
		}},
		{"letters to be chosen", func(m *state.Model) {
			m.Data.Confirmed = false
			o := &m.Data.Opened
			o.Options.Encoding = "shift_jis"
			o.Readings = []table.Reading{
				{Encoding: "shift_jis", Lines: []string{"34,120,東京都", "71,,大阪府"}},
				{Encoding: "windows-1252", Lines: []string{"34,120,“Œ‹ž“s", "71,,‘åã•{"}}}
		}},
		{"a workbook", func(m *state.Model) {
			m.Data.Confirmed, m.Data.Name = false, "visits 2026.xlsx"
			o := &m.Data.Opened
			o.Options.Format, o.Options.Part = table.XLSX, 2
			o.Parts = []engine.Part{{Name: "Read me"}, {Name: "Visits", Rows: 3000}}
			o.Notes = []table.Note{{Key: "sheet-rows", Row: 3, To: 1_048_576},
				{Key: "merged", Count: 2, Row: 3, Column: 2}, {Key: "hidden-rows", Count: 40}}
		}},
		{"with problems", func(m *state.Model) {
			m.Data.Opened.Problems = []table.Problem{
				{Kind: "ragged", Text: phrase.Plain("a row has fewer fields than 3"),
					Advice: phrase.Plain("it counts as a person without values; complete it in " +
						"the file if it should not"), Count: 1,
					Places: []table.Place{{Row: 17, Line: 18, Byte: 512}}},
				{Kind: "encoding", Text: phrase.Plain("some bytes are not UTF-8"),
					Advice: phrase.Plain("the file looks like Windows-1252"), Count: 4711,
					Places: []table.Place{{Row: 2, Line: 2, Column: 3, Byte: 47, Cell: "K\ufffdln"},
						{Row: 1_234_567, Line: 1_234_570, Column: 3, Byte: 98_765_432,
							Cell: exhibit.LongName}},
					Repair: &table.Repair{Label: phrase.Of("Read the file as Windows-1252"),
						Field: "encoding", Value: "windows-1252"}},
			}
		}},
		{"long names and huge numbers", func(m *state.Model) {
			m.Data.Name, m.Data.Opened.Rows, m.Data.Opened.Bytes = exhibit.LongName+".csv",
				9_007_199_254_740_992, 12_345_678_901_234
			m.Data.Opened.Options.Columns = 12
			field := m.Data.Opened.Fields[0]
			field.Name = exhibit.LongName
			m.Data.Opened.Fields, m.Data.Opened.Preview = nil, make([][]string, 5)
			for range 12 {
				m.Data.Opened.Fields = append(m.Data.Opened.Fields, field)
				for i := range m.Data.Opened.Preview {
					m.Data.Opened.Preview[i] = append(m.Data.Opened.Preview[i], exhibit.LongName)
				}
			}
		}},
		{"no storage", func(m *state.Model) {
			m.Data.Opened.StorageRefused = "the browser refuses to store the ledger (the " +
				"settings of this browser forbid it)"
		}},
		{"unreadable", func(m *state.Model) {
			m.Data.File = dataset.File{
				Phase: dataset.Failed,
				Failure: &engine.Fault{
					Code: engine.Unreadable, Message: say.Error(&table.DamagedError{Bytes: 40960})}}
		}},
		{"a long fault", func(m *state.Model) {
			m.Data.File = dataset.File{
				Phase: dataset.Failed,
				Failure: &engine.Fault{Code: engine.Refused, Message: exhibit.ManyWays,
					Field: "columns", Value: "0", Want: "a whole number from 1 to 10 000"}}
		}},
	})
}
