// Package data draws how a file comes into the page and how it is read, and the codebook, in which
// each of its columns is described. It has the ways in that other rooms offer too.
package data

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/message"
	"hush/core/phrase"
	"hush/core/table"
	"hush/web/engine"
	"hush/web/outside"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/account"
)

// Step is step 1: a file by drop or by picker, or a bundled data set; then how it is read.
type Step struct {
	app.Compo
	gradual

	Model    *state.Model    // read and changed
	Revision int             // Model.Revision
	Progress engine.Progress // Model.Data.Progress
	Browser  *parts.Browser  // to open the system's file dialog

	over   bool // a file is held above the drop zone
	pasted Pasted
}

// gradual is Gradual under a name that go-app takes for no prop where it is embedded.
type gradual = parts.Gradual

const rowsShown = 8 // of a file, to see how it was read

// Render draws the step in its phase.
func (s *Step) Render() app.UI {
	d := s.Model.Data
	if d.Phase != state.DataOpened {
		s.Anew()
	}
	switch d.Phase {
	case state.DataOpening:
		return parts.Step(1, "step-data", say.Text("Data"), false,
			parts.Meter(say.Format("Reading %s…", d.Name), s.Progress, s.Model.CancelOpen))
	case state.DataOpened:
		return parts.Step(1, "step-data", say.Text("Data"), false, s.opened()...)
	case state.DataFailed:
		return parts.Step(1, "step-data", say.Text("Data"), false, parts.FailureNote(d.Failure),
			s.dropZone(), s.paste(), s.samples())
	}
	return parts.Step(1, "step-data", say.Text("Data"), false, s.dropZone(), s.paste(), s.samples())
}

func (s *Step) dropZone() app.UI {
	class := "drop"
	if s.over {
		class = "drop over"
	}
	return app.Div().ID("drop").Class(class).
		OnDragOver(func(_ app.Context, e app.Event) { e.PreventDefault(); s.over = true }).
		OnDragLeave(func(app.Context, app.Event) { s.over = false }).
		OnDrop(func(_ app.Context, e app.Event) {
			e.PreventDefault()
			s.over = false
			if f := parts.FirstFile(e.Get("dataTransfer").Get("files")); f != nil {
				s.Model.Open(f)
			}
		}).
		Body(
			app.Strong().Text(say.Text("Drop a CSV file here")),
			s.picker(say.Text("Choose a file…")),
			app.P().Class("soft small").Text(say.Text("It is read in this tab and sent nowhere.")),
			QuestionWaits(s.Model),
			app.If(s.Model.BookWaits(), func() app.UI {
				return parts.Note("", say.Text("A codebook is open: open the file that it "+
					"describes."))
			}),
			app.If(s.Model.RecipeFault != "", func() app.UI {
				return parts.Note("bad", s.Model.RecipeFault)
			}),
			BookNotes(s.Model),
			openBook(s.Model, s.Browser),
		)
}

// paste takes a table from the clipboard.
func (s *Step) paste() app.UI {
	return app.Details().Body(
		app.Summary().Text(say.Text("Or paste a table")),
		app.Div().Class("more").Body(s.pasted.Fields(s.Model, 5, "button")...),
	)
}

// picker is a button in front of the browser's own file input.
func (s *Step) picker(text string) app.UI {
	return app.Div().Body(
		app.Button().Class("button").Type("button").Text(text).
			OnClick(func(app.Context, app.Event) { s.Browser.Pick(FileInputID) }),
		FileInput(s.Model),
	)
}

func (s *Step) samples() app.UI {
	return app.Div().Class("column").Body(
		app.P().Class("label").Text(say.Text("Or try one of these made-up data sets")),
		SampleButtons(s.Model),
	)
}

// opened shows how the file was read, its first rows, and its problems.
func (s *Step) opened() []app.UI {
	m := s.Model
	d := m.Data
	fact := func(name, value string) app.UI {
		return app.Div().Body(app.Dt().Text(name), app.Dd().Attr("translate", "no").Text(value))
	}
	return s.Parts(
		func() app.UI {
			facts := []app.UI{fact(say.Text("File"), d.Name)}
			if format := d.Opened.Options.Format; format != "" {
				facts = append(facts, app.Div().ID("format").Body(app.Dt().Text(say.Text("Kind")),
					app.Dd().Text(formatText(format, len(d.Opened.Parts)))))
			}
			if !d.NotText() {
				facts = append(facts, fact(say.Text("Rows"), message.Grouped(d.Opened.Rows)),
					fact(say.Text("Columns"), fmt.Sprint(d.Opened.Options.Columns)))
			}
			facts = append(facts, fact(say.Text("Size"), state.BytesText(d.Opened.Bytes)))
			return app.Dl().Class("facts").Body(facts...)
		},
		parts.When(len(d.Opened.Notes) > 0, func() app.UI {
			return app.Ul().ID("notes").Class("soft").
				Body(app.Range(d.Opened.Notes).Slice(func(i int) app.UI {
					return app.Li().Text(say.Phrase(d.Opened.Notes[i].Phrase()))
				}))
		}),
		parts.When(!d.NotText(), func() app.UI { // rows of what is no text would be gibberish
			return &parts.Table{
				Caption: say.Text("First rows, as they are in the file. They stay on your screen."),
				Header:  m.Columns(),
				Rows:    d.Opened.Preview[:min(len(d.Opened.Preview), rowsShown)], Size: "low",
				Written: parts.ByFile}
		}),
		parts.When(d.Opened.StorageRefused != "", func() app.UI {
			return parts.Note("bad", say.Format("Nothing can be released here: %s. What a "+
				"release costs must be written down before it is made. "+
				"Leave private browsing, or allow this page to store data, and open the file "+
				"again.", d.Opened.StorageRefused))
		}),
		parts.When(len(d.Opened.Near) > 0, func() app.UI {
			return parts.Note("warn", nearText(d.Opened.Near[0]))
		}),
		parts.When(m.RecipeFault != "" && !d.Confirmed, func() app.UI {
			return parts.Note("bad", m.RecipeFault)
		}),
		s.reading,
		parts.When(len(d.Opened.Problems) > 0, func() app.UI {
			return ProblemList(say.Text("Some places in the file are not as they should be"),
				d.Opened.Problems, m)
		}),
		func() app.UI {
			return app.Div().Class("row").
				Body(s.picker(say.Text("Open another file…")),
					app.Button().Class("button plain").Type("button").
						Text(say.Text("Start again")).
						OnClick(func(app.Context, app.Event) { m.Forget() }))
		},
	)
}

// nearText says that another data set of the ledger holds many of the rows.
func nearText(n engine.Near) string {
	name := n.Nickname
	if name == "" {
		name = account.ShortPrint(n.Fingerprint)
	}
	return say.Format("About %d in 100 rows of this file and of data set %s are the same. What "+
		"was spent there is not counted here, and people in both bear both: take the rest of that "+
		"limit for this file too.", n.Shared, name)
}

// reading asks to confirm, or to change, how the file is read; where that makes no sense, it says
// why.
func (s *Step) reading() app.UI {
	m := s.Model
	o := m.Data.Opened.Options
	if m.Data.Misfit {
		return app.Div().Class("more").Body(
			parts.Note("bad", m.Misfit()),
			app.Div().Body(app.Button().ID("ask-anew").Class("button").Type("button").
				Text(say.Text("Ask anew about this file")).
				OnClick(func(app.Context, app.Event) { m.AskAnew() })),
		)
	}
	if why := m.Data.Unusable(); why != "" {
		return parts.Note("bad", why)
	}
	if m.Data.Confirmed {
		return app.Div().Class("row").Body(
			app.P().Class("soft").Text(say.Format("Read as %s.", outside.Words(o))),
			app.Button().ID("continue").Class("button").Type("button").
				Text(say.Text("Go on to the columns")).
				OnClick(func(app.Context, app.Event) { m.GoTo(state.StageColumns) }))
	}
	return app.Div().Class("note").Body(
		app.P().Body(app.B().Text(say.Text("Is this right?")+" "),
			app.Text(say.Format("It looks like %s.", outside.Words(o)))),
		app.P().ID("rows-published").Text(say.Format("The number of rows, %s, is published with "+
			"every answer, unless a column says whose rows they are.",
			message.Grouped(m.Data.Opened.Rows))),
		app.If(o.Keys != "", func() app.UI {
			return app.P().Text(say.Text("The names of the columns are part of the question, and " +
				"are published with it."))
		}),
		app.If(m.Data.Counting(), func() app.UI {
			return app.P().ID("rows-depend").Text(say.Text("Some of the places below decide how " +
				"many rows there are: look whether the number is right."))
		}),
		app.If(len(m.Data.Opened.Readings) > 0, func() app.UI { return letterChoice(m) }),
		app.Div().Class("fields").Body(readingFields(m)...),
		app.If(len(m.Data.Opened.Readings) == 0, func() app.UI {
			return app.Div().Body(app.Button().ID("confirm").Class("button").Type("button").
				Text(say.Text("Yes, continue")).
				OnClick(func(app.Context, app.Event) { m.Confirm() }))
		}),
	)
}

// letterChoice shows the same lines in the likeliest encodings, where nothing in the file says in
// which it is, and has a person choose one.
func letterChoice(m *state.Model) app.UI {
	list := m.Data.Opened.Readings
	return app.Div().ID("letters").Class("more").Body(
		app.P().Text(say.Text("Nothing in the file says which letters its bytes are. These are "+
			"the same lines in the likeliest encodings: choose the one that reads right.")),
		app.Range(list).Slice(func(i int) app.UI {
			r := list[i]
			return app.Div().Body(
				app.Button().Class("button").Type("button").
					Text(say.Format("Read it as %s", r.Encoding)).
					OnClick(func(app.Context, app.Event) { readAs(m, r.Encoding) },
						app.EventScope(r.Encoding)),
				app.Pre().Attr("dir", "ltr").Attr("translate", "no").
					Text(strings.Join(r.Lines, "\n")))
		}),
	)
}

func readAs(m *state.Model, encoding string) {
	m.Reread(func(o *table.Options) { o.Encoding = encoding })
}

// lettersOpen says whether the encoding may be another than the one that is proposed.
func lettersOpen(d state.Data) bool {
	return d.Opened.Options.Encoding != table.UTF8 || len(d.Opened.Readings) > 0 ||
		slices.ContainsFunc(d.Opened.Problems,
			func(p table.Problem) bool { return p.Kind == "badUTF8" })
}

// formatText says what a file is that is no plain text, with how many parts it has.
func formatText(format string, parts int) string {
	name := say.Text(table.FormatName(format))
	switch format {
	case table.XLSX:
		return say.Count(int64(parts), "%[1]s, one sheet", "%s, %d sheets", name, parts)
	case table.Zip:
		return say.Count(int64(parts), "%[1]s, one file in it", "%s, %d files in it", name, parts)
	}
	return name
}

// mostParts is how many parts of a file can be chosen from.
const mostParts = 500

// readingFields change how the file is read. A table that a reader made has no dialect.
func readingFields(m *state.Model) (fields []app.UI) {
	o := m.Data.Opened.Options
	if len(m.Data.Opened.Parts) > 1 {
		fields = append(fields, partField(m))
	}
	if !o.Made() {
		fields = append(fields,
			parts.SelectField("delimiter", say.Text("Separator"), o.Delimiter,
				delimiters(o.Delimiter), "", "",
				func(v string) {
					m.Reread(func(o *table.Options) { o.Delimiter, o.Columns = v, 0 })
				}),
			parts.SelectField("quote", say.Text("Quotes"), o.Quote,
				[]parts.Option{{Value: "", Text: say.Text(`double "`)},
					{Value: "'", Text: say.Text("single '")}}, "", "",
				func(v string) {
					m.Reread(func(o *table.Options) { o.Quote, o.Columns = v, 0 })
				}))
		if lettersOpen(m.Data) {
			var list []parts.Option
			for _, e := range table.Encodings() {
				list = append(list, parts.Option{Value: e, Text: e})
			}
			fields = append(fields, parts.DataField("encoding", say.Text("Encoding"), o.Encoding,
				list, "", "", func(v string) { readAs(m, v) }))
		}
	}
	if o.Keys != "" {
		return fields // its names are no row
	}
	return append(fields,
		parts.SelectField("header", say.Text("The first row"), o.Header,
			[]parts.Option{{Value: table.Yes, Text: say.Text("holds the columns' names")},
				{Value: table.No, Text: say.Text("is a person already")}}, "", "",
			func(v string) { m.Reread(func(o *table.Options) { o.Header = v }) }))
}

// partField chooses which part of the file is read. The recipe has its number, never its name.
func partField(m *state.Model) app.UI {
	var list []parts.Option
	for i, p := range m.Data.Opened.Parts[:min(len(m.Data.Opened.Parts), mostParts)] {
		list = append(list, parts.Option{Value: strconv.Itoa(i + 1),
			Text: fmt.Sprintf("%d: %s", i+1, p.Name)})
	}
	label := say.Text("Which file")
	if m.Data.Opened.Options.Format == table.XLSX {
		label = say.Text("Which sheet")
	}
	return parts.DataField("part", label, strconv.Itoa(m.Data.Opened.Options.Part), list, "", "",
		func(v string) {
			m.Reread(func(o *table.Options) {
				part, _ := strconv.Atoi(v) // of the list
				*o = table.Options{Format: o.Format, Part: part}
			})
		})
}

// delimiterNames are what those that detection knows are called.
var delimiterNames = map[string]phrase.Key{",": "comma ,", ";": "semicolon ;", "\t": "tab",
	"|": "bar |", "\x01": "control character U+0001", "~": "tilde ~", "^": "caret ^",
	":": "colon :", " ": "space"}

// delimiters are the choices of a delimiter: those that detection knows, and the current one.
func delimiters(current string) []parts.Option {
	var list []parts.Option
	known := table.Delimiters()
	if !slices.Contains(known, current) {
		known = append(known, current)
	}
	for _, d := range known {
		text := d
		if name, ok := delimiterNames[d]; ok {
			text = say.Text(name)
		}
		list = append(list, parts.Option{Value: d, Text: text})
	}
	return list
}
