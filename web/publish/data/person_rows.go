package data

import (
	"cmp"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/table"
	"hush/core/task"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/state/release"
)

// personRows asks which rows of a person count, and explains the effect on the answer.
func personRows(m *state.Model) app.UI {
	f := m.Codebook.Form.Use
	edit := func(field string, set func(*form.UseForm, string)) func(string) {
		return func(v string) {
			m.Codebook.Edit(field, func(b *form.BookForm) { set(&b.Use, v) })
		}
	}
	text := func(id, label, value, fault string, set func(*form.UseForm, string)) app.UI {
		return parts.TextField(id, label, value, "", m.Codebook.Fault(fault), edit(id, set))
	}
	column := func(id, label string, value int, fault string, set func(*form.UseForm, int)) app.UI {
		return parts.DataField(id, label, strconv.Itoa(value), ColumnOptions(m), "",
			m.Codebook.Fault(fault), edit("", func(f *form.UseForm, v string) {
				set(f, parts.Number(v))
			}))
	}
	fields := []app.UI{parts.SelectField("use", say.Text("Rows of each person that count"),
		string(cmp.Or(f.How, form.OneRow)), []parts.Option{
			{Value: string(form.OneRow), Text: say.Text("one row, drawn at random")},
			{Value: string(form.SomeRows), Text: say.Text("a few rows, drawn at random")},
			{Value: string(form.ByGroup), Text: say.Text("a few rows in each of a few groups")},
			{Value: string(form.OneValue), Text: say.Text("all rows, as one value")},
		}, useHelp(f), "", edit("", func(f *form.UseForm, v string) {
			*f = form.UseForm{How: form.How(v)}
		}))}
	if f.How == form.SomeRows || f.How == form.ByGroup {
		fields = append(fields, text("use-rows", say.Text("At most this many rows"), f.Rows,
			"rows.use.rows", func(f *form.UseForm, v string) { f.Rows = v }))
	}
	if f.How == form.SomeRows {
		fields = append(fields, chooseRows(m))
	}
	switch f.How {
	case form.ByGroup:
		fields = append(fields,
			text("use-groups", say.Text("in each of at most this many groups"), f.Groups,
				"rows.use.groups", func(f *form.UseForm, v string) { f.Groups = v }),
			column("use-column", say.Text("Column of the group"), f.GroupColumn,
				"rows.use.column", func(f *form.UseForm, v int) { f.GroupColumn = v }),
			chooseRows(m))
	case form.OneValue:
		fields = append(fields, ofField(m, f, edit),
			column("use-value", say.Text("of"), f.ValueColumn, "rows.use.values",
				func(f *form.UseForm, v int) { f.ValueColumn = v }))
		if f.Of == table.Latest {
			fields = append(fields, column("use-by", say.Text("Column of the time"), f.By,
				"rows.use.by", func(f *form.UseForm, v int) { f.By = v }))
		}
	}
	if f.How == form.SomeRows || f.How == form.ByGroup {
		fields = append(fields, parts.TextField("use-usual",
			say.Text("Rows a person usually has, if that is public"), f.Usual,
			say.Text("It changes no answer; only the verdict before a release uses it. Without "+
				"it, the verdict is given both for all rows and for one row each."),
			m.Codebook.Fault("rows.use.usual"),
			edit("use-usual", func(f *form.UseForm, v string) { f.Usual = v })))
	}
	return app.Div().Class("person-rows").Body(fields...)
}

// chooseRows offers to choose the number of rows or groups privately, and states the cost in
// advance.
func chooseRows(m *state.Model) app.UI {
	c := m.Rows.Choice
	if c.Running {
		return parts.Meter(say.Text("Choosing how many count"), c.Progress, m.Rows.CancelChoice)
	}
	about, most := task.RowsAbove(c.Price())
	what := say.Text(
		"Or let Hush choose how many rows: a small number that hardly anybody exceeds.")
	if m.Codebook.Form.Use.How == form.ByGroup {
		what = say.Text(
			"Or let Hush choose how many groups: a small number that hardly anybody exceeds.")
	}
	help := what + " " + say.Format("A number from 1 to %d. About %s will have more rows, in 95 "+
		"of 100 choices at most %d. It is a release of its own, debited before it is made; with "+
		"a larger ε fewer people have more.",
		task.MostRows,
		say.Count(about, "%d person", "%d people", about), most)
	fault := ""
	if c.Failure != nil {
		fault = task.Capital(c.Failure.Message) + "."
	}
	return app.Div().Class("stack").Body(
		parts.TextField("rows-epsilon", say.Text("Privacy loss ε for that choice"), c.Price(),
			help, fault, m.Rows.SetPrice),
		app.Div().Body(app.Button().ID("choose-rows").Class("button").Type("button").
			Disabled(!m.Rows.MayChoose()).
			Text(say.Format("Choose privately, for ε = %s", c.Price())).
			OnClick(func(app.Context, app.Event) { m.Rows.Choose() })),
		chosenRows(c, m.Codebook.Form.Use.How),
	)
}

// chosenRows states what was chosen, and what that reveals about the data: what was released.
func chosenRows(c release.Choice, how form.How) app.UI {
	if c.Result == nil || c.Of != how {
		return parts.Absent()
	}
	k, above, _ := task.ChosenRows(c.Result)
	plan := c.Result.Plan
	return parts.Note("", say.Format("%d was chosen, for %s. At most %d of %d people have more, "+
		"in 95 of 100 choices.", k, plan.Loss, above, plan.People))
}

// noValue is selected if no value is.
const noValue = "0"

// ofField asks what to make of all rows.
func ofField(m *state.Model, f form.UseForm,
	edit func(string, func(*form.UseForm, string)) func(string)) app.UI {
	return parts.SelectField("use-of", say.Text("Their value is the"),
		cmp.Or(string(f.Of), noValue), []parts.Option{
			{Value: noValue, Text: say.Text("Choose…")},
			{Value: string(table.Number), Text: say.Text("number of rows, whatever the cells are")},
			{Value: string(table.Groups), Text: say.Text("number of different cells, about")},
			{Value: string(table.Sum), Text: say.Text("sum")},
			{Value: string(table.Mean), Text: say.Text("mean")},
			{Value: string(table.Smallest), Text: say.Text("smallest value")},
			{Value: string(table.Largest), Text: say.Text("largest value")},
			{Value: string(table.Latest), Text: say.Text("latest value")},
		}, "", m.Codebook.Fault("rows.use.of"), edit("", func(f *form.UseForm, v string) {
			if f.Of, f.By = table.Of(v), 0; v == noValue {
				f.Of = ""
			}
		}))
}

// useHelp explains the effect of the choice on the answer.
func useHelp(f form.UseForm) string {
	switch f.How {
	case form.SomeRows:
		return say.Text("Answers are about rows. With too small a number, people with many rows " +
			"count for less than they should: that is a bias. A larger number means more noise, " +
			"since the same ε hides all of a person's rows: twice the rows, about twice the noise.")
	case form.ByGroup:
		return say.Text("For answers by group. With one row in each group, people are counted, " +
			"once in each. Rows beyond the bounds are left out, which makes answers too low; the " +
			"noise grows with the number of groups times the number of rows.")
	case form.OneValue:
		return say.Text("Answers are about people, with no more noise than for one row each. " +
			"Describe the values that the column then holds; a sum or a number outside its " +
			"bounds counts as the bound. Other columns use one row, drawn at random.")
	}
	return say.Text("Answers are about people, each by one of their rows. It is drawn before " +
		"conditions are looked at.")
}
