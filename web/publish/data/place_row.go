package data

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/codebook"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/spelling"
)

// PlaceRow asks about the cells of a column that fit none of its categories: each can become a
// category of its own, a spelling of one, one of all others, or be left out. What it shows is for
// the owner's screen alone.
type PlaceRow struct {
	app.Compo

	Model    *state.Model // read and changed
	Revision int          // Model.Revision
	Column   codebook.Column

	chosen map[string]string // the owner's choices for cells, where they differ from the proposal
}

// The choices other than categories, which go by their position in the list.
const placeNone, placeOwn = "none", "own"

// Render draws a line for each spelling.
func (r *PlaceRow) Render() app.UI {
	m, c := r.Model, r.Column
	cells, more := m.Codebook.Spelling.Of(c.Number)
	rows := make([]app.UI, len(cells))
	for i, cell := range cells {
		rows[i] = r.cell(i, cell)
	}
	return app.TBody().Body(app.Tr().Class("fix alert unplaced").Body(app.Td().ColSpan(6).Body(
		app.Div().ID("places-"+strconv.Itoa(c.Number)).TabIndex(-1).Class("stack").Role("group").
			Aria("label", say.Format("Cells of %s in no category", c.Title())).Body(
			app.P().Body(parts.Icon(iconAlert), app.Span().Body(
				app.B().Text(say.Text("Some cells are in none of these categories.")+" "),
				app.Text(say.Text("They count as no value until you say what they are. Only you "+
					"see them.")))),
			app.Div().Class("placing").Body(rows...),
			app.If(more, func() app.UI {
				return app.P().Class("small soft").Text(say.Text("There are more than these: " +
					"make one category of all others, or decide about these first."))
			}),
			app.P().Class("small soft").Text(say.Text("Categories and the spellings that count "+
				"as them are published with each answer about this column. Leave out any that "+
				"reveal something about a person.")),
			app.Div().Class("row").Body(
				app.Button().ID("place-"+strconv.Itoa(c.Number)).Class("button main small").
					Type("button").Text(say.Text("Count them so")).
					OnClick(func(app.Context, app.Event) {
						m.Codebook.Place(c.Number, r.verdicts())
					},
						app.EventScope(c.Number)),
				app.Button().Class("button small").Type("button").
					Text(say.Text("Make all of them “other”")).
					OnClick(func(app.Context, app.Event) { m.Codebook.PlaceOthers(c.Number) },
						app.EventScope(c.Number)),
				app.Button().Class("button small plain").Type("button").
					Text(say.Text("Leave all out")).
					OnClick(func(app.Context, app.Event) { m.Codebook.Place(c.Number, nil) },
						app.EventScope(c.Number))),
		))))
}

// choice returns the selection for a cell: the owner's choice, or else the category that differs
// only in capitals, spaces and signs.
func (r *PlaceRow) choice(cell string) string {
	if chosen, ok := r.chosen[cell]; ok {
		return chosen
	}
	spec := r.Column.Values().Spec
	name := spelling.Proposal(spec, cell)
	for i, category := range spec.Categories {
		if name != "" && category == name {
			return strconv.Itoa(i)
		}
	}
	return placeNone
}

func (r *PlaceRow) cell(i int, cell string) app.UI {
	id := "place-" + strconv.Itoa(r.Column.Number) + "-" + strconv.Itoa(i)
	chosen := r.choice(cell)
	options := []app.UI{
		app.Option().Value(placeNone).Selected(chosen == placeNone).Text(say.Text("leave out")),
		app.Option().Value(placeOwn).Selected(chosen == placeOwn).
			Text(say.Text("a category of its own")),
	}
	for k, name := range r.Column.Values().Categories {
		value := strconv.Itoa(k)
		options = append(options, app.Option().Value(value).Selected(chosen == value).
			Attr("translate", "no").Text(say.Format("counts as %s", name)))
	}
	return app.Div().Class("pair").Body(
		app.Label().For(id).Attr("translate", "no").Text("“"+cell+"”"),
		app.Select().ID(id).Class("input small").Body(options...).
			OnChange(func(ctx app.Context, _ app.Event) {
				if r.chosen == nil {
					r.chosen = map[string]string{}
				}
				r.chosen[cell] = ctx.JSSrc().Get("value").String()
			}, app.EventScope(r.Column.Number, cell)))
}

// verdicts are the choices as they stand on the screen.
func (r *PlaceRow) verdicts() map[string]spelling.Verdict {
	list := map[string]spelling.Verdict{}
	cells, _ := r.Model.Codebook.Spelling.Of(r.Column.Number)
	categories := r.Column.Values().Categories
	for _, cell := range cells {
		switch chosen := r.choice(cell); chosen {
		case placeNone:
		case placeOwn:
			list[cell] = spelling.Verdict{Own: true}
		default:
			list[cell] = spelling.Verdict{As: categories[parts.Number(chosen)]}
		}
	}
	return list
}
