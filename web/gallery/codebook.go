package gallery

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/table"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/parts"
	"hush/web/publish"
	"hush/web/publish/data"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/state/stage"
)

// codebookSpecimens shows the codebook: with nothing said yet, and with each kind of column being
// described.
func codebookSpecimens() []Specimen {
	describe := func(column int, change func(*form.ColumnForm)) func(*state.Model) {
		return func(m *state.Model) {
			m.Codebook.Describe(column)
			m.Codebook.EditColumn(change)
		}
	}
	states := []variant{
		{"nothing described yet", func(m *state.Model) {
			m.Codebook.Codebook = codebook.New(m.Data.Opened.Options, m.Data.Opened.Fields)
		}},
		{"one column described", nil},
		{"all said", func(m *state.Model) {
			exhibit.Describe(m, 2, domain.Spec{Kind: domain.Decimal, Lo: "0", Hi: "500",
				Step: "0.01", Mark: ",", Missing: []string{"NA", "-"}, Outside: domain.Clamp})
			exhibit.Describe(m, 3, wards)
			m.Codebook.Edit("", func(b *form.BookForm) {
				*b = form.BookForm{Name: "Visits to a clinic", Source: "A clinic, 2026",
					One: "patient", Many: "patients", Each: codebook.Several, Column: 3}
			})
		}},
		{"a few rows of each person, chosen privately", func(m *state.Model) {
			several(form.UseForm{How: form.SomeRows, Rows: "7"})(m)
			m.Rows.Epsilon = "2"
			m.Rows.Failure = &engine.Fault{Code: engine.OverLimit,
				Message: "the limit of this data set leaves ε = 1"}
		}},
		{"a few rows in each of a few groups", several(form.UseForm{How: form.ByGroup, Rows: "3",
			Groups: "many", GroupColumn: 3})},
		{"all rows of a person as one value", several(form.UseForm{How: form.OneValue,
			ValueColumn: 2, Of: table.Latest, By: 1})},
		{"a noun at fault", func(m *state.Model) {
			m.Codebook.Edit("", func(b *form.BookForm) {
				b.One, b.Many = exhibit.LongName, exhibit.LongName
			})
		}},
		{"a guess to be completed", describe(2, func(*form.ColumnForm) {})},
		{"a described column, again", describe(1, func(*form.ColumnForm) {})},
		{"bounds unknown", describe(1, func(f *form.ColumnForm) { f.NoBounds = true })},
		{"a bound at fault", func(m *state.Model) {
			describe(1, func(f *form.ColumnForm) { f.Lo = "few" })(m)
			m.Codebook.DescribeAs(codebook.Unanswered)
		}},
		{"first rows outside", func(m *state.Model) {
			describe(1, func(f *form.ColumnForm) { f.Lo, f.Hi = "10", "50" })(m)
			m.Codebook.DescribeAs(codebook.Unanswered)
		}},
		{"cells in no category", func(m *state.Model) {
			exhibit.Describe(m, 3, wards)
			m.Codebook.Spelling.Find([]table.Unplaced{{Column: 3, More: true,
				Cells: []string{"HILL", exhibit.LongName, "mill."}}})
		}},
		{"categories spelled in several ways", func(m *state.Model) {
			exhibit.Describe(m, 3, domain.Spec{Kind: domain.Category,
				Categories: []string{"Hill", "other"}, Other: "other",
				Spellings: []domain.Spelling{{Cell: "HILL", As: "Hill"}}})
			m.Codebook.Describe(3)
		}},
		{"no codebook", func(m *state.Model) { m.Codebook.Refused = "This is no codebook." }},
		{"beside another file", func(m *state.Model) {
			m.Codebook.Differing = []string{"pages", "rating"}
		}},
		{"a recipe says otherwise", func(m *state.Model) {
			m.Codebook.Note = "The question was saved with another description of age: that one " +
				"counts now, and stands in the codebook."
		}},
		{"hundreds of columns", func(m *state.Model) {
			for i := range 300 {
				m.Data.Opened.Fields = append(m.Data.Opened.Fields, table.Field{Column: 4 + i,
					Name: fmt.Sprintf("answer_%d", i+1), Guess: domain.Spec{Kind: domain.Integer}})
			}
			m.Codebook.Codebook = m.Codebook.See(m.Data.Opened.Fields)
		}},
	}
	for _, k := range form.KindNames {
		states = append(states, variant{"column of " + string(k.Text),
			describe(3, func(f *form.ColumnForm) { f.SetKind(domain.Kind(k.Value)) })})
	}
	return exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		m.Way.GoTo(stage.Columns)
		return &data.CodebookStep{Model: m, Browser: b}
	}, states)
}

// foldedSpecimens shows the stages that are done.
func foldedSpecimens() []Specimen {
	return exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		return &publish.Folded{Model: m}
	}, []variant{
		{"before the columns", func(m *state.Model) { m.Way.GoTo(stage.Columns) }},
		{"before the question", nil},
		{"of a file with problems", func(m *state.Model) {
			m.Data.Name = exhibit.LongName
			m.Data.Opened.Problems = []table.Problem{{Kind: "ragged"}, {Kind: "encoding"}}
			exhibit.Describe(m, 3, wards)
			m.Codebook.Edit("", func(b *form.BookForm) { b.One, b.Many = "patient", "patients" })
		}},
	})
}

// several says that a person may have several rows, used in some way.
func several(use form.UseForm) func(*state.Model) {
	return func(m *state.Model) {
		m.Codebook.Edit("", func(b *form.BookForm) {
			b.Each, b.Column, b.Use = codebook.Several, 3, use
		})
	}
}
