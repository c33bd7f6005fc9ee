package data

import (
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/phrase"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/book"
	"hush/web/state/form"
)

// BookRow is a column of the codebook, described or not.
type BookRow struct {
	app.Compo

	Model  *state.Model // changed
	Column codebook.Column
	Cells  string // the first rows
}

// Render draws the row; what the column's name suggests is one click away.
func (r *BookRow) Render() app.UI {
	c := r.Column
	class, sign, kind := "", parts.IconOpen, c.Guess.Kind
	described := c.State() == codebook.Described
	if described {
		class, sign, kind = "done", parts.IconCheck, c.Values().Kind
	}
	unit, missing := "", ""
	if c.Unit != "" {
		unit = c.Unit
	}
	if list := c.Values().Missing; len(list) > 0 {
		missing = "“" + strings.Join(list, "”, “") + "”"
	}
	return app.TBody().Body(
		app.Tr().ID(book.RowID(c.Number)).TabIndex(-1).Class(class).Body(
			app.Th().Scope("row").Body(app.Span().Class("name").Body(parts.Icon(sign),
				app.Span().Attr("translate", "no").Text(say.Phrase(c.Title())))),
			app.Td().Class("sample").Attr("translate", "no").Text(r.Cells),
			app.Td().Class("type").Body(
				app.Text(kindText(kind)),
				app.If(!described && kind != "", func() app.UI {
					return app.Span().Class("guess").Text(say.Text("guessed"))
				})),
			app.Td().Class("range").Body(r.values(described)),
			cell("unit", unit),
			cell("miss", missing),
		))
}

// cell is a cell with a text, or with a dash whose meaning is read aloud.
func cell(class, text string) app.UI {
	if text == "" {
		return app.Td().Class(class).Body(app.Span().Aria("hidden", "true").Text("–"),
			app.Span().Class("unseen").Text(say.Text("none")))
	}
	return app.Td().Class(class).Attr("translate", "no").Text(text)
}

// values shows the public range, or the ways to set it.
func (r *BookRow) values(described bool) app.UI {
	m, c := r.Model, r.Column
	if m.Codebook.Rows.Person() == c.Number {
		return app.Span().Text(say.Text("whose row it is"))
	}
	if !described {
		return Ways(m, c)
	}
	return app.Span().Class("suggests").Body(
		app.Span().Attr("translate", "no").Text(rangeText(c.Values())),
		describe(m, c, say.Text("Edit"), "button small quiet"))
}

// Ways are the ways to say which values of a column are possible: what is usual, a click each, a
// field for a range or for categories, and the whole description. Only those of the given kinds
// are on offer, if there are any.
func Ways(m *state.Model, c codebook.Column, kinds ...domain.Kind) app.UI {
	var body []app.UI
	for i, s := range book.Suggestions(c, kinds...) {
		body = append(body, chip(shortRange(s.Values), c.Number*maxChips+i, func() {
			m.Codebook.Take(c.Number, s)
		}))
	}
	verb, class := say.Text("Describe…"), "suggest"
	label, example := typed(c.Guess.Kind, kinds)
	if example != "" {
		body = append(body, app.Input().ID("list-"+strconv.Itoa(c.Number)).
			Class("input small list").Type("text").AutoComplete(false).Placeholder(example).
			Aria("label", say.Format(label, c.Title())).
			OnChange(func(ctx app.Context, _ app.Event) {
				m.Codebook.Say(c.Number, ctx.JSSrc().Get("value").String(), kinds...)
			}, app.EventScope(c.Number)))
	}
	if len(body) > 0 {
		verb, class = say.Text("Other…"), "button small quiet"
	}
	return app.Span().Class("suggests").Body(append(body, describe(m, c, verb, class))...)
}

// typed is what the field of a column takes, and an example of it; "": it has none.
func typed(kind domain.Kind, kinds []domain.Kind) (label phrase.Key, example string) {
	listed := len(kinds) == 0 || slices.Contains(kinds, domain.Category)
	ranged := len(kinds) == 0 || slices.Contains(kinds, kind)
	switch {
	case kind == domain.Category || kind == domain.Text || kind == "":
		ranged = false
	case (kind == domain.Date || kind == domain.Timestamp) && ranged:
		return "Range of years of %s", say.Text("2019–2024")
	}
	switch {
	case listed && ranged:
		return "Range or categories of %s", say.Text("0–50 or a, b")
	case ranged:
		return "Range of %s", say.Text("0–50")
	case listed:
		return "Categories of %s, with commas between", say.Text("categories: a, b, c")
	}
	return "", ""
}

// describe opens the whole description of a column.
func describe(m *state.Model, c codebook.Column, verb, class string) app.UI {
	return app.Button().ID("describe-"+strconv.Itoa(c.Number)).Class(class).Type("button").
		Body(app.Text(verb),
			app.Span().Class("unseen").Attr("translate", "no").
				Text(" "+say.Phrase(c.Title()))).
		OnClick(func(app.Context, app.Event) { m.Codebook.Describe(c.Number) },
			app.EventScope(c.Number))
}

const maxChips = 10 // with more, none are offered

func kindText(kind domain.Kind) string {
	for _, k := range form.KindNames {
		if k.Value == string(kind) {
			return say.Text(k.Text)
		}
	}
	return "–"
}

// rangeText words which values are possible.
func rangeText(v codebook.Values) string {
	text := ""
	switch {
	case v.Kind == domain.Category:
		const most = 3
		if n := len(v.Categories); n > most {
			text = say.Format("%d: %s, …", n, strings.Join(v.Categories[:most], ", "))
		} else {
			text = strings.Join(v.Categories, ", ")
		}
	case v.Kind == domain.Text || v.Kind == domain.Bytes:
		return say.Format("at most %d bytes", v.Length)
	case v.Whole:
		return say.Text("any")
	default:
		text = say.Format("%s to %s", v.Lo, v.Hi)
	}
	if v.Outside == domain.Clamp {
		text += say.Text(", others as the bound")
	}
	return text
}

// shortRange writes a suggestion for its chip.
func shortRange(v codebook.Values) string {
	if v.Kind == domain.Integer || v.Kind == domain.Decimal || v.Kind == domain.Float64 {
		return v.Lo + "–" + v.Hi
	}
	return rangeText(v)
}

// DescribeRow is the column whose description is open: only it has fields.
type DescribeRow struct {
	app.Compo

	Model    *state.Model // read and changed
	Revision int          // Model.Revision
}

// Render draws the fields. Enter accepts them, and Escape does not.
func (r *DescribeRow) Render() app.UI {
	m := r.Model
	d := m.Codebook.Describing
	c, _ := m.Codebook.Column(d.Column)
	class, sign := "edit", parts.IconOpen
	if len(d.Outside) > 0 {
		class, sign = "alert", iconAlert
	}
	return app.TBody().OnKeyDown(func(ctx app.Context, e app.Event) {
		switch tag := e.Get("target").Get("tagName").String(); {
		case e.Get("key").String() == "Enter" && tag == "INPUT":
			m.Codebook.DescribeAs(codebook.Unanswered)
		case e.Get("key").String() == "Escape":
			m.Codebook.CloseColumn()
		}
	}).Body(
		app.Tr().ID(book.RowID(d.Column)).TabIndex(-1).Class(class).Body(
			app.Th().Scope("row").Body(app.Span().Class("name").Body(parts.Icon(sign),
				app.Span().Attr("translate", "no").Text(say.Phrase(c.Title())))),
			app.Td().Class("sample").Attr("translate", "no").Text(cells(m, d.Column)),
			app.Td().Class("type").Body(r.kind(c)),
			app.Td().Class("range").ColSpan(3).Body(r.values()),
		),
		app.Tr().Class("fix "+class).Body(app.Td().ColSpan(6).Body(
			app.Div().Class("stack").Body(r.outside(), r.rest(), r.buttons()))),
	)
}

func (r *DescribeRow) edit(change func(*form.ColumnForm)) { r.Model.Codebook.EditColumn(change) }

func (r *DescribeRow) kind(c codebook.Column) app.UI {
	f := r.Model.Codebook.Describing.Form
	guessed := c.State() != codebook.Described && f.Kind == c.Guess.Kind && f.Kind != ""
	return app.Div().Class("stack tight").Body(
		app.Select().ID("kind").Class("input small").
			Aria("label", say.Format("%s holds", c.Title())).
			Body(app.Range(form.KindNames).Slice(func(i int) app.UI {
				k := form.KindNames[i]
				return app.Option().Value(k.Value).Text(say.Text(k.Text)).
					Selected(k.Value == string(f.Kind))
			})).
			OnChange(func(ctx app.Context, _ app.Event) {
				kind := domain.Kind(ctx.JSSrc().Get("value").String())
				r.edit(func(f *form.ColumnForm) { f.SetKind(kind) })
			}),
		app.If(guessed, func() app.UI {
			return app.Span().Class("guess").Attr("title", say.Phrase(c.Guess.Why)).
				Text(say.Text("guessed"))
		}),
		r.fault("kind"),
	)
}

// fault shows what is wrong with a field, below it.
func (r *DescribeRow) fault(field string) app.UI {
	return app.P().Class("field-error").ID(field + "-fault").Role("alert").
		Text(r.Model.Codebook.Describing.Fault(field))
}

// values asks which values are possible. Nothing here is ever filled from the data.
func (r *DescribeRow) values() app.UI {
	f := r.Model.Codebook.Describing.Form
	input := func(id, label, value string, set func(*form.ColumnForm, string)) app.UI {
		return &parts.TextInput{ID: id, Label: label, Value: value, Class: "input small",
			Invalid: r.Model.Codebook.Describing.Fault(id) != "",
			OnText:  func(v string) { r.edit(func(f *form.ColumnForm) { set(f, v) }) }}
	}
	switch {
	case f.Kind == domain.Category:
		return app.Div().Body(
			&parts.TextInput{ID: "categories", Label: say.Text("Categories, one a line"),
				Value: f.Categories, Lines: 4,
				Invalid: r.Model.Codebook.Describing.Fault("categories")+
					r.Model.Codebook.Describing.Fault("spellings") != "",
				OnText: func(v string) {
					r.edit(func(f *form.ColumnForm) { f.Categories = v })
				}},
			app.P().Class("small soft").ID("categories-help").
				Text(say.Text("From public knowledge. First what readers see, then other cells "+
					"that mean it: married = 1, or female = w, W, weiblich. A cell with "+
					"anything else counts for no category.")),
			r.fault("categories"), r.fault("spellings"),
			app.Details().ID("spelled").Open(f.Fold || f.Other != "").Body(
				app.Summary().Text(say.Text("Case, spaces, other cells")),
				app.Div().Class("more").Body(r.spelled()...)))
	case !f.Bounded():
		return app.Div().Body(
			input("length", say.Text("Longest text, in bytes"), f.Length,
				func(f *form.ColumnForm, v string) { f.Length = v }),
			app.P().Class("small soft").ID("length-help").
				Text(say.Text("1 to 131072 bytes. Longer texts count as missing.")),
			r.fault("length"))
	case f.NoBounds:
		return app.Span().Class("soft").Text(say.Text("any value of this type"))
	}
	low, high := say.Text("Smallest possible value"), say.Text("Largest possible value")
	if f.Dated() {
		low, high = say.Text("Earliest possible date"), say.Text("Latest possible date")
	}
	return app.Div().Body(
		app.Span().Class("pair").Body(
			input("lo", low, f.Lo, func(f *form.ColumnForm, v string) { f.Lo = v }),
			app.Span().Class("soft").Aria("hidden", "true").Text(say.Text("to")),
			input("hi", high, f.Hi, func(f *form.ColumnForm, v string) { f.Hi = v }),
		),
		r.fault("lo"), r.fault("hi"),
	)
}

// spelled asks whether case and spaces count, and what cells that are not listed count as.
func (r *DescribeRow) spelled() []app.UI {
	f := r.Model.Codebook.Describing.Form
	others := []parts.Option{{Value: "", Text: say.Text("no value")}}
	for _, name := range f.Spec().Categories {
		others = append(others, parts.Option{Value: name, Text: name})
	}
	return []app.UI{
		parts.CheckField("fold", say.Text("Case and spaces do not count"), f.Fold,
			say.Text("“W” counts as “w”, whatever spaces stand around and between words."),
			func(v bool) { r.edit(func(f *form.ColumnForm) { f.Fold = v }) }),
		parts.DataField("other", say.Text("All other cells count as"), f.Other, others, "",
			r.Model.Codebook.Describing.Fault("other"),
			func(v string) { r.edit(func(f *form.ColumnForm) { f.Other = v }) }),
	}
}

// outside asks about the first rows outside the range typed.
func (r *DescribeRow) outside() app.UI {
	m := r.Model
	d := m.Codebook.Describing
	if len(d.Outside) == 0 {
		return parts.Absent()
	}
	const most, offers = 3, 2
	shown := strings.Join(d.Outside[:min(len(d.Outside), most)], ", ")
	if len(d.Outside) > most {
		shown += ", …"
	}
	var buttons []app.UI
	for i, v := range d.Ladder[:min(len(d.Ladder), offers)] {
		buttons = append(buttons, r.choice("widen-"+strconv.Itoa(i+1),
			say.Format("Widen to %s", shortRange(v)), func() { m.Codebook.Widen(v) }))
	}
	for _, c := range codebook.Choices(d.Form.Kind) {
		if c != codebook.Widen {
			buttons = append(buttons, r.choice("outside-"+string(c), say.Text(c.Label()),
				func() { m.Codebook.DescribeAs(c) }))
		}
	}
	text := say.Text("One of the first rows lies outside:")
	if len(d.Outside) > 1 {
		text = say.Text("Some of the first rows lie outside:")
	}
	ask := say.Text("Type a wider range, or say what they are.")
	if d.Form.Kind == domain.Category {
		ask = say.Text("Add them to the list, or say what they are.")
	}
	return app.Div().Class("fix-in").ID("outside").Role("alert").Body(
		app.P().Body(app.Span().Body(app.B().Body(app.Text(text+" "),
			app.Span().Attr("translate", "no").Text(shown+".")), app.Text(" "+ask))),
		app.Span().Class("row").Body(buttons...),
	)
}

func (r *DescribeRow) choice(id, text string, do func()) app.UI {
	return app.Button().ID(id).Class("button small").Type("button").Text(text).
		OnClick(func(app.Context, app.Event) { do() }, app.EventScope(id, text))
}

// rest asks for what most columns do not need: a unit, a name, and how cells are written.
func (r *DescribeRow) rest() app.UI {
	m := r.Model
	f := m.Codebook.Describing.Form
	c, _ := m.Codebook.Column(m.Codebook.Describing.Column)
	return app.Div().Class("stack").Body(
		app.Div().Class("fields").Body(
			r.text("unit", say.Text("Unit"), f.Unit, "",
				func(f *form.ColumnForm, v string) { f.Unit = v }),
			r.text("missing", say.Text("Cells that mean “no value”"), f.Missing, "",
				func(f *form.ColumnForm, v string) { f.Missing = v }),
			r.text("name", say.Text("Name to publish it under"), f.Name,
				say.Format("Left empty: %s.", c.Undescribe().Title()),
				func(f *form.ColumnForm, v string) { f.Name = v }),
		),
		app.Details().ID("notation").Open(r.special(c)).Body(
			app.Summary().Text(say.Text("How its cells are written, and values outside")),
			app.Div().Class("more").Body(
				app.Div().Class("fields").Body(r.notation()...),
				app.If(f.Bounded(), func() app.UI {
					return parts.CheckField("no-bounds", say.Text("I don't know the bounds"),
						f.NoBounds, say.Text("Every value of the kind is then possible. Some "+
							"questions need many more people for that, and a histogram needs "+
							"bounds."),
						func(v bool) { r.edit(func(f *form.ColumnForm) { f.NoBounds = v }) })
				}),
				app.If(f.Bounded() && !f.NoBounds, func() app.UI {
					return parts.CheckField("clamp",
						say.Text("Count values outside as the nearest bound"), f.Clamp,
						say.Text("Otherwise they count as missing. Either way nobody is left out "+
							"of n."),
						func(v bool) { r.edit(func(f *form.ColumnForm) { f.Clamp = v }) })
				}),
			),
		),
		app.P().Class("small soft").Text(say.Text(publicWhy)),
	)
}

// special reports whether cells are not written the plain way, which a person must see before
// confirming it.
func (r *DescribeRow) special(c codebook.Column) bool {
	f := r.Model.Codebook.Describing.Form
	if f.Mark+f.Group+f.Format+f.Zone != "" || f.NoBounds || f.Kind == domain.Decimal {
		return true
	}
	for _, field := range []string{"step", "mark", "group", "format", "zone"} {
		if r.Model.Codebook.Describing.Fault(field) != "" {
			return true
		}
	}
	return false
}

func (r *DescribeRow) buttons() app.UI {
	m := r.Model
	number := m.Codebook.Describing.Column
	return app.Div().Class("row").Body(
		app.If(m.Codebook.Describing.OtherFault() != "", func() app.UI {
			return parts.Note("bad", m.Codebook.Describing.OtherFault())
		}),
		app.Button().ID("describe").Class("button main").Type("button").
			Text(say.Text("Done")).
			OnClick(func(app.Context, app.Event) { m.Codebook.DescribeAs(codebook.Unanswered) }),
		app.Button().ID("close-column").Class("button plain").Type("button").
			Text(say.Text("Cancel")).
			OnClick(func(app.Context, app.Event) { m.Codebook.CloseColumn() }),
		app.If(m.Codebook.IsDescribed(number), func() app.UI {
			return app.Button().ID("undescribe").Class("button plain").Type("button").
				Text(say.Text("Forget this description")).
				OnClick(func(app.Context, app.Event) { m.Codebook.Undescribe(number) })
		}),
	)
}
