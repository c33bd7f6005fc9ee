package answer

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/message"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/session"
)

// Comparison shows the chosen releases side by side.
type Comparison struct {
	app.Compo

	Model    *state.Model   // read
	Revision int            // Model.Revision
	Browser  *parts.Browser // for the chart
}

// Render draws one column for each release, and one chart of all of them if they are of one kind.
func (c *Comparison) Render() app.UI {
	chosen := c.Model.History.Compared()
	header, rows := comparison(chosen)
	option, class := chart.Compared(chosen)
	body := []app.UI{app.H3().ID("comparison-title").Text(say.Text("Side by side"))}
	if option != nil {
		body = append(body,
			&parts.Chart{ID: "comparison-chart", Option: string(option), Class: class,
				Browser: c.Browser,
				Label: say.Format("%d releases in one picture; the table below says the same.",
					len(chosen))})
	}
	return app.Section().ID("comparison").Class("more").Aria("labelledby", "comparison-title").
		Body(append(body,
			app.Div().Class("scroll").TabIndex(0).Role("region").
				Aria("label", say.Text("Releases side by side")).Body(
				app.Table().Class("beside").Body(
					app.Caption().Class("hidden-visually").Text(say.Text("Releases side by side")),
					app.THead().Body(app.Tr().Body(
						app.Td(),
						app.Range(header).
							Slice(func(i int) app.UI {
								return app.Th().Scope("col").Text(header[i])
							}),
					)),
					app.TBody().Body(app.Range(rows).Slice(func(i int) app.UI {
						return app.Tr().Body(
							app.Th().Scope("row").Text(rows[i].name),
							app.Range(rows[i].cells).
								Slice(func(j int) app.UI {
									return app.Td().Class(rows[i].class).Text(rows[i].cells[j])
								}),
						)
					})),
				),
			),
		)...)
}

// comparedRow is one fact about each release.
type comparedRow struct {
	name, class string
	cells       []string
}

// comparison lists the differences between releases: the answer, the loss, the error, and the
// figures, with one row for each name of a figure.
func comparison(chosen []*session.Past) (header []string, rows []comparedRow) {
	fact := func(name, class string, of func(*task.Release) string) {
		row := comparedRow{name: name, class: class}
		for _, p := range chosen {
			row.cells = append(row.cells, of(p.Release))
		}
		rows = append(rows, row)
	}
	for _, p := range chosen {
		header = append(header, p.Title())
	}
	fact(say.Text("Answer"), "big", func(r *task.Release) string { return r.Statement })
	fact(say.Text("Privacy loss"), "", func(r *task.Release) string {
		return say.Phrase(r.Plan.Loss)
	})
	fact(say.Text("Error"), "", func(r *task.Release) string {
		if len(r.Plan.Forecast) == 0 {
			return "–"
		}
		f := r.Plan.Forecast[0]
		return f.Label + " " + f.Value + ", " + f.Detail
	})
	fact(task.Capital(chosen[0].Release.Voice(say.Language()).Many()), "",
		func(r *task.Release) string {
			return message.Grouped(r.Plan.People)
		})
	fact(say.Text("Algorithm"), "", func(r *task.Release) string { return r.Plan.Algorithm })

	var names []string
	for _, p := range chosen {
		for _, f := range chart.Figures(p.Release) {
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	for _, name := range names {
		fact(name, "number", func(r *task.Release) string {
			for _, f := range chart.Figures(r) {
				if f.Name == name {
					return f.Text
				}
			}
			return "–"
		})
	}
	return header, rows
}
