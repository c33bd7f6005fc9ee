package question

import (
	"encoding/json"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/coin"
	"hush/core/task"
	"hush/core/warehouse"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
)

// WarehouseFields shows the SQL that has a database count for the question, for tables too big for
// a browser tab: to copy or to save, together with the question to ask of the counts.
type WarehouseFields struct {
	app.Compo

	Model    *state.Model   // read
	Revision int            // Model.Revision
	Browser  *parts.Browser // copies and saves

	dialect warehouse.Dialect // as chosen; empty: the first
	table   string            // as typed
	key     string            // by which rows are drawn; empty: the SQL was not asked for
	told    string            // what became of the last copy
}

// Render draws the choice of an engine and, on request, the statement.
func (w *WarehouseFields) Render() app.UI {
	complete := w.Model.Question.Stated()
	return app.Details().ID("warehouse").Body(
		app.Summary().Text(say.Text("Too big for a tab? Ask it of a warehouse")),
		app.Div().Class("more").Body(
			app.P().Class("small soft").Text(say.Text("The database counts, and Hush adds the "+
				"noise. Open a few rows of the table here and ask your question about them. The "+
				"SQL then makes the counts for the entire table, with each person's rows "+
				"bounded. Save them as CSV, open that file here, and then open the question for "+
				"the counts.")),
			app.Div().Class("fields").Body(
				parts.DataField("warehouse-engine", say.Text("Database"), string(w.of()),
					dialects(), "", "", func(v string) {
						w.dialect, w.told = warehouse.Dialect(v), ""
					}),
				parts.TextField("warehouse-table", say.Text("Name of the table"), w.table,
					say.Text("with its schema, such as clinic.visits"), "",
					func(v string) { w.table, w.told = v, "" }),
			),
			app.Div().Body(app.Button().ID("warehouse-write").Class("button").Type("button").
				Text(say.Text("Write the SQL")).Disabled(!complete).
				OnClick(func(app.Context, app.Event) {
					w.key, w.told = warehouse.NewKey(coin.NewCrypto()), ""
				})),
			app.If(complete && w.key != "", w.statement),
		),
	)
}

// of returns the engine.
func (w *WarehouseFields) of() warehouse.Dialect {
	if w.dialect == "" {
		return warehouse.Dialects[0]
	}
	return w.dialect
}

func dialects() (list []parts.Option) {
	for _, d := range warehouse.Dialects {
		list = append(list, parts.Option{Value: string(d), Text: d.Name()})
	}
	return list
}

// statement is the SQL, or the reason why there is none.
func (w *WarehouseFields) statement() app.UI {
	m := w.Model
	names := make([]string, m.Data.Opened.Options.Columns)
	for i := range names {
		names[i] = m.Data.HeaderName(i + 1)
	}
	name := w.table
	if name == "" {
		name = "visits"
	}
	counts, err := warehouse.New(warehouse.Params{Dialect: w.of(), Table: name, Columns: names,
		Recipe: m.Question.Recipe(), Key: w.key})
	if err != nil {
		return parts.Note("bad", task.Capital(say.Error(err))+".")
	}
	return app.Div().Class("stack").Body(
		app.Pre().Attr("translate", "no").ID("warehouse-sql").Class("code").TabIndex(0).
			Aria("label", say.Format("SQL for %s", w.of().Name())).Text(counts.SQL),
		app.Div().Class("row").Body(
			app.Button().ID("warehouse-copy").Class("button").Type("button").
				Text(say.Text("Copy")).OnClick(func(ctx app.Context, _ app.Event) {
				w.Browser.Copy("warehouse-sql", func(_ engine.Request, kind string, _ []byte) {
					w.told = parts.CopiedText(kind)
					ctx.Update()
				})
			}),
			app.Button().ID("warehouse-save").Class("button").Type("button").
				Text(say.Text("Save the SQL")).OnClick(func(app.Context, app.Event) {
				w.Browser.Download("hush-counts.sql", "application/sql", counts.SQL)
			}),
			app.Button().ID("warehouse-question").Class("button").Type("button").
				Text(say.Text("Save the question for the counts")).
				OnClick(func(app.Context, app.Event) {
					text, err := json.MarshalIndent(counts.Recipe, "", "  ")
					if err != nil {
						panic("web: internal error: " + err.Error())
					}
					w.Browser.Download("hush-counts-question.json", "application/json",
						string(text)+"\n")
				}),
		),
		app.P().Role("status").Class("small soft").Text(w.told),
		app.P().Class("small soft").Text(say.Text("The counts are true ones: keep them as you "+
			"keep the rows.")),
	)
}
