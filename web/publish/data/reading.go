package data

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/phrase"
	"hush/core/table"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/dataset"
)

// letterChoice shows the same lines in the likeliest encodings, if nothing in the file says which
// one applies, and lets a person choose.
func letterChoice(m *state.Model) app.UI {
	list := m.Data.Opened.Readings
	return app.Div().ID("letters").Class("more").Body(
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
	m.Data.Reread(func(o *table.Options) { o.Encoding = encoding })
}

// lettersOpen reports whether the encoding may differ from the proposed one.
func lettersOpen(d dataset.File) bool {
	return d.Opened.Options.Encoding != table.UTF8 || len(d.Opened.Readings) > 0 ||
		slices.ContainsFunc(d.Opened.Problems,
			func(p table.Problem) bool { return p.Kind == "badUTF8" })
}

// formatText names the format of a file other than plain text, with the number of its parts.
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

// mostParts is the number of parts of a file that can be chosen from.
const mostParts = 500

// readingFields are the fields that change how the file is read. A table that a reader made has no
// dialect.
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
					m.Data.Reread(func(o *table.Options) { o.Delimiter, o.Columns = v, 0 })
				}),
			parts.SelectField("quote", say.Text("Quotes"), o.Quote,
				[]parts.Option{{Value: "", Text: say.Text(`double "`)},
					{Value: "'", Text: say.Text("single '")}}, "", "",
				func(v string) {
					m.Data.Reread(func(o *table.Options) { o.Quote, o.Columns = v, 0 })
				}))
		if lettersOpen(m.Data.File) {
			var list []parts.Option
			for _, e := range table.Encodings() {
				list = append(list, parts.Option{Value: e, Text: e})
			}
			fields = append(fields, parts.DataField("encoding", say.Text("Encoding"), o.Encoding,
				list, "", "", func(v string) { readAs(m, v) }))
		}
	}
	if o.Keys != "" {
		return fields // its names are not a row
	}
	return append(fields,
		parts.SelectField("header", say.Text("The first row"), o.Header,
			[]parts.Option{{Value: table.Yes, Text: say.Text("holds the columns' names")},
				{Value: table.No, Text: say.Text("is a person already")}}, "", "",
			func(v string) { m.Data.Reread(func(o *table.Options) { o.Header = v }) }))
}

// partField chooses which part of the file is read. The recipe contains its number, never its name.
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
			m.Data.Reread(func(o *table.Options) {
				part, _ := strconv.Atoi(v) // in the list
				*o = table.Options{Format: o.Format, Part: part}
			})
		})
}

// delimiterNames names the delimiters that detection knows.
var delimiterNames = map[string]phrase.Key{",": "comma ,", ";": "semicolon ;", "\t": "tab",
	"|": "bar |", "\x01": "control character U+0001", "~": "tilde ~", "^": "caret ^",
	":": "colon :", " ": "space"}

// delimiters lists the choices of a delimiter: those that detection knows, and the current one.
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
