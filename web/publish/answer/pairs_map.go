package answer

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/parts"
	"hush/web/say"
)

// PairsMap is a table of columns by columns: it shows how well made-up rows keep each pair, how
// certain that is, and which pairs were not measured. Pairs that are kept well are dark.
type PairsMap struct {
	app.Compo

	Release *task.Release // a release of made-up rows that keep the relations between columns
}

// nearer are the differences, in points of 100 people, up to which a pair is as dark as its class.
var nearer = []struct {
	points float64
	class  string
}{{0.5, "h5"}, {1, "h4"}, {2, "h3"}, {4, "h2"}}

const farthest = "h1"

// Render draws the table, and explains how to read it.
func (p *PairsMap) Render() app.UI {
	t := p.Release.Answer.Result.(*task.Joint)
	_, many := p.Release.Recipe.Noun.Words()
	columns := task.AxisNames(t.Axes)
	worst, pairs, all := 0.0, 0, len(columns)*(len(columns)-1)/2
	for i := range columns {
		for k := range i {
			if kept, measured := t.Kept(k, i); measured {
				worst, pairs = max(worst, 100*kept.Off), pairs+1
			}
		}
	}
	title := say.Text("How well each pair is kept")
	return app.Section().Class("card pad stack").Aria("labelledby", "pairs-title").Body(
		app.H3().ID("pairs-title").Text(title),
		app.P().Text(say.Format("%d of %d pairs were measured. Made-up rows keep each of these "+
			"within %.1f points of the released table.", pairs, all, worst)),
		criteriaPassed(t.Accepted),
		app.P().Class("small soft").Text(say.Format("The largest difference between a count of "+
			"made-up %s and the released one, in points of 100 %s. The number after ± says how "+
			"sure the released counts are: in 95 of 100 releases all counts of a table are that "+
			"near.",
			say.Phrase(many), say.Phrase(many))),
		app.Div().Class("heat-wrap").TabIndex(0).Role("group").
			Aria("label", say.Text("Pairs of columns")).Body(
			app.Table().Class("heat pairs-map").Body(
				app.THead().Body(app.Tr().Body(app.Td(),
					app.Range(columns).Slice(func(i int) app.UI {
						return app.Th().Scope("col").Attr("translate", "no").Text(columns[i])
					}))),
				app.TBody().Body(app.Range(columns).Slice(func(i int) app.UI {
					return app.Tr().Body(
						app.Th().Scope("row").Attr("translate", "no").Text(columns[i]),
						app.Range(columns).Slice(func(k int) app.UI { return pairCell(t, k, i) }))
				})),
			),
		),
		app.Ul().Class("legend small").Body(
			app.Range(nearer).Slice(func(i int) app.UI {
				return legendItem(nearer[i].class,
					say.Format("up to %g points", nearer[i].points))
			}),
			legendItem(farthest, say.Text("farther")),
			app.If(pairs < all, func() app.UI {
				return legendItem("few", say.Text("not measured"))
			}),
			legendItem("own", say.Text("a single column")),
		),
	)
}

// criteriaPassed lists the criteria for which the rows passed a noisy check, which does not prove
// that they are met: so no tick suggests it. By how much they passed is not stated.
func criteriaPassed(a *task.Accepted) app.UI {
	if a == nil {
		return parts.Absent()
	}
	return app.Div().ID("criteria-passed").Body(
		app.P().Class("small").Text(say.Text("The rows passed a noisy check of:")),
		app.Ul().Class("small").Attr("translate", "no").Body(
			app.Range(a.Criteria).Slice(func(i int) app.UI {
				return app.Li().Text(a.Criteria[i])
			})),
		app.P().Class("small soft").Text(say.Text("A search releases rows that miss a criterion "+
			"in at most 5 of 100 cases. Nobody knows whether these do, and the margin by which "+
			"they pass is never shown.")),
	)
}

func legendItem(class, text string) app.UI {
	return app.Li().Body(app.I().Class(class).Aria("hidden", true), app.Text(text))
}

// pairCell is about two columns, or one; above the diagonal it is empty.
func pairCell(t *task.Joint, column, row int) app.UI {
	if column > row {
		return app.Td().Class("none")
	}
	kept, measured := t.Kept(column, row)
	class := ""
	if column == row {
		kept, measured = t.Kept(row)
		class = " own"
	}
	if !measured {
		return app.Td().Class("few").Body(app.Span().Text(say.Text("not measured")))
	}
	shade := farthest
	for i := len(nearer) - 1; i >= 0; i-- {
		if 100*kept.Off <= nearer[i].points {
			shade = nearer[i].class
		}
	}
	return app.Td().Class(shade+class).Body(
		app.Text(fmt.Sprintf("%.1f", 100*kept.Off)),
		app.Span().Class("sure").Text(fmt.Sprintf(" ± %.1f", 100*kept.Sure)))
}
