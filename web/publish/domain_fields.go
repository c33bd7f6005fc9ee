package publish

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/domain"
	"hush/core/phrase"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/form"
)

// DomainFields asks which values a column can have, and how they are written.
type DomainFields struct {
	app.Compo

	Model    *state.Model // read and changed
	Revision int          // Model.Revision
	At       int          // 0: of the main column; 1: of the first further one
}

const publicWhy phrase.Key = "Type what you know without looking at the data: what you type is " +
	"published with the answer."

// fieldID is the element of a field of column at, and faultField what a refusal calls it.
func fieldID(at int, name string) string {
	if at == 0 {
		return name
	}
	return fmt.Sprintf("others-%d-%s", at-1, name)
}

func faultField(at int, name string) string {
	if at == 0 {
		return name
	}
	return fmt.Sprintf("others.%d.%s", at-1, name)
}

// Render draws the fields of the chosen kind.
func (d *DomainFields) Render() app.UI {
	f := *d.Model.Question.Form(d.At)
	var body []app.UI
	switch {
	case f.Kind == domain.Category:
		body = append(body, d.area("categories", say.Text("Categories, one a line"), f.Categories,
			say.Format("%s A cell with anything else counts for no category.", say.Text(publicWhy)),
			func(f *form.DomainForm, v string) { f.Categories = v }))
	case f.Bounded():
		body = append(body, d.bounds()...)
	default:
		body = append(body, app.Div().Class("fields").Body(
			d.text("length", say.Text("Longest text, in bytes"), f.Length,
				say.Text("1 to 131072. Longer texts count as missing."),
				func(f *form.DomainForm, v string) { f.Length = v })))
	}
	body = append(body, app.Details().Body(
		app.Summary().Text(say.Text("How its cells are written")),
		app.Div().Class("fields").Body(d.notation()...),
	))
	return app.Div().Class("more").Body(body...)
}

func (d *DomainFields) bounds() []app.UI {
	f := *d.Model.Question.Form(d.At)
	low, high := say.Text("Smallest possible value"), say.Text("Largest possible value")
	if f.Dated() {
		low, high = say.Text("Earliest possible date"), say.Text("Latest possible date")
	}
	fields := []app.UI{}
	if !f.NoBounds {
		fields = append(fields,
			d.text("lo", low, f.Lo, "", func(f *form.DomainForm, v string) { f.Lo = v }),
			d.text("hi", high, f.Hi, "", func(f *form.DomainForm, v string) { f.Hi = v }))
	}
	switch f.Kind {
	case domain.Decimal:
		fields = append(fields,
			d.text("step", say.Text("In steps of"), f.Step, "",
				func(f *form.DomainForm, v string) { f.Step = v }))
	case domain.Timestamp:
		fields = append(fields,
			d.choice("step", say.Text("In steps of one"), f.Step,
				[]parts.Option{{Value: "day", Text: say.Text("day")},
					{Value: "hour", Text: say.Text("hour")},
					{Value: "minute", Text: say.Text("minute")},
					{Value: "second", Text: say.Text("second")},
					{Value: "millisecond", Text: say.Text("millisecond")},
					{Value: "microsecond", Text: say.Text("microsecond")},
					{Value: "nanosecond", Text: say.Text("nanosecond")}},
				func(f *form.DomainForm, v string) { f.Step = v }))
	}
	return []app.UI{
		app.If(len(fields) > 0, func() app.UI { return app.Div().Class("fields").Body(fields...) }),
		app.If(!f.NoBounds, func() app.UI {
			return app.Div().Class("more").
				Body(app.P().Class("small soft").Text(say.Text(publicWhy)),
					parts.Explain(say.Text("public bounds")))
		}),
		d.check("no-bounds", say.Text("I don't know the bounds"), f.NoBounds,
			say.Text("Every value of the kind is then possible. Some questions need many more "+
				"people for that, and a histogram needs bounds."),
			func(f *form.DomainForm, v bool) { f.NoBounds = v }),
		app.If(!f.NoBounds, func() app.UI {
			return d.check("clamp", say.Text("Count values outside as the nearest bound"), f.Clamp,
				say.Text("Otherwise they count as missing. Either way nobody is left out of n."),
				func(f *form.DomainForm, v bool) { f.Clamp = v })
		}),
	}
}

// notation asks how cells are written.
func (d *DomainFields) notation() []app.UI {
	f := *d.Model.Question.Form(d.At)
	var fields []app.UI
	switch f.Kind {
	case domain.Integer, domain.Decimal, domain.Float64:
		fields = append(fields,
			d.choice("mark", say.Text("Decimal mark"), f.Mark,
				[]parts.Option{{Value: "", Text: say.Text("point 1.5")},
					{Value: ",", Text: say.Text("comma 1,5")}}, func(f *form.DomainForm, v string) {
					f.Mark = v
				}),
			d.choice("group", say.Text("Thousands mark"), f.Group,
				[]parts.Option{{Value: "", Text: say.Text("none 1000")},
					{Value: ",", Text: say.Text("comma 1,000")},
					{Value: ".", Text: say.Text("point 1.000")},
					{Value: "'", Text: say.Text("apostrophe 1'000")},
					{Value: "_", Text: say.Text("underscore 1_000")},
					{Value: " ", Text: say.Text("space 1 000")}},
				func(f *form.DomainForm, v string) { f.Group = v }))
	case domain.Date, domain.Timestamp:
		fields = append(fields,
			d.text("format", say.Text("Written as"), f.Format, say.Text("Empty for 2026-11-21; "+
				"else such as DD.MM.YYYY or MM/DD/YYYY, “unix” for seconds, “unix-ms”."),
				func(f *form.DomainForm, v string) { f.Format = v }),
			d.text("zone", say.Text("Time zone"), f.Zone,
				say.Text("Empty for UTC; else an offset such as +02:00. It is for cells that do "+
					"not say."),
				func(f *form.DomainForm, v string) { f.Zone = v }))
	}
	return append(fields,
		d.text("missing", say.Text("Cells that mean “no value”"), f.Missing,
			say.Text("Separated by commas, such as NA, -. An empty cell always means none."),
			func(f *form.DomainForm, v string) { f.Missing = v }))
}

func (d *DomainFields) edit(field string, change func(*form.DomainForm)) {
	if field != "" {
		field = fieldID(d.At, field)
	}
	d.Model.Edit(field, func(q *form.Question) { change(q.Form(d.At)) })
}

func (d *DomainFields) text(name, label, value, help string,
	set func(*form.DomainForm, string)) app.UI {
	return parts.TextField(fieldID(d.At, name), label, value, help, d.fault(name), func(v string) {
		d.edit(name, func(f *form.DomainForm) { set(f, v) })
	})
}

func (d *DomainFields) choice(name, label, value string, options []parts.Option,
	set func(*form.DomainForm, string)) app.UI {
	return parts.SelectField(fieldID(d.At, name), label, value, options, "", d.fault(name),
		func(v string) { d.edit("", func(f *form.DomainForm) { set(f, v) }) })
}

func (d *DomainFields) check(name, label string, value bool, help string,
	set func(*form.DomainForm, bool)) app.UI {
	return parts.CheckField(fieldID(d.At, name), label, value, help, func(v bool) {
		d.edit("", func(f *form.DomainForm) { set(f, v) })
	})
}

func (d *DomainFields) area(name, label, value, help string,
	set func(*form.DomainForm, string)) app.UI {
	id, fault := fieldID(d.At, name), d.fault(name)
	return parts.Labelled(
		id, label, &parts.TextInput{ID: id, Value: value, Lines: 4, Invalid: fault != "",
			OnText: func(v string) { d.edit(name, func(f *form.DomainForm) { set(f, v) }) }}, help,
		fault)
}

func (d *DomainFields) fault(name string) string { return d.Model.Fault(faultField(d.At, name)) }
