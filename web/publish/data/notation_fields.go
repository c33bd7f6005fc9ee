package data

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/domain"
	"hush/core/phrase"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/form"
)

const publicWhy phrase.Key = "Type what you know without looking at the data: your entry is " +
	"published with the answer."

// notation asks how cells are written, and in which steps.
func (r *DescribeRow) notation() []app.UI {
	f := r.Model.Codebook.Describing.Form
	var fields []app.UI
	switch f.Kind {
	case domain.Decimal:
		fields = append(fields, r.text("step", say.Text("In steps of"), f.Step, "",
			func(f *form.ColumnForm, v string) { f.Step = v }))
	case domain.Timestamp:
		fields = append(fields, r.choose("step", say.Text("In steps of one"), f.Step,
			[]parts.Option{{Value: "day", Text: say.Text("day")},
				{Value: "hour", Text: say.Text("hour")},
				{Value: "minute", Text: say.Text("minute")},
				{Value: "second", Text: say.Text("second")},
				{Value: "millisecond", Text: say.Text("millisecond")},
				{Value: "microsecond", Text: say.Text("microsecond")},
				{Value: "nanosecond", Text: say.Text("nanosecond")}},
			func(f *form.ColumnForm, v string) { f.Step = v }))
	}
	switch f.Kind {
	case domain.Integer, domain.Decimal, domain.Float64:
		fields = append(fields,
			r.choose("mark", say.Text("Decimal mark"), f.Mark,
				[]parts.Option{{Value: "", Text: say.Text("point 1.5")},
					{Value: ",", Text: say.Text("comma 1,5")}},
				func(f *form.ColumnForm, v string) { f.Mark = v }),
			r.choose("group", say.Text("Thousands mark"), f.Group,
				[]parts.Option{{Value: "", Text: say.Text("none 1000")},
					{Value: ",", Text: say.Text("comma 1,000")},
					{Value: ".", Text: say.Text("point 1.000")},
					{Value: "'", Text: say.Text("apostrophe 1'000")},
					{Value: "_", Text: say.Text("underscore 1_000")},
					{Value: " ", Text: say.Text("space 1 000")}},
				func(f *form.ColumnForm, v string) { f.Group = v }))
	case domain.Date, domain.Timestamp:
		fields = append(fields,
			r.text("format", say.Text("Written as"), f.Format, say.Text("Empty for 2026-11-21; "+
				"otherwise a pattern such as DD.MM.YYYY or MM/DD/YYYY, “unix” for seconds, "+
				"“unix-ms”."),
				func(f *form.ColumnForm, v string) { f.Format = v }),
			r.text("zone", say.Text("Time zone"), f.Zone,
				say.Text("Empty for UTC; otherwise an offset such as +02:00. It applies to cells "+
					"without an offset."),
				func(f *form.ColumnForm, v string) { f.Zone = v }))
	}
	return fields
}

func (r *DescribeRow) text(id, label, value, help string,
	set func(*form.ColumnForm, string)) app.UI {
	return parts.TextField(id, label, value, help, r.Model.Codebook.Describing.Fault(id),
		func(v string) {
			r.edit(func(f *form.ColumnForm) { set(f, v) })
		})
}

func (r *DescribeRow) choose(id, label, value string, options []parts.Option,
	set func(*form.ColumnForm, string)) app.UI {
	return parts.SelectField(id, label, value, options, "", r.Model.Codebook.Describing.Fault(id),
		func(v string) { r.edit(func(f *form.ColumnForm) { set(f, v) }) })
}
