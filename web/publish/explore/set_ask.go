package explore

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/phrase"
	"hush/core/query"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/parts"
	"hush/web/say"
)

// SetAsk answers questions about sets of attributes or of places from a release. They cost nothing,
// whatever is asked and however often.
type SetAsk struct {
	app.Compo

	Release  *task.Release  // of conjunctions or contacts
	Revision int            // Model.Revision
	Browser  *parts.Browser // draws the graph of contacts

	// Unexported, or go-app would take them for props and clear them whenever the page is drawn.
	changed func()        // draws it again
	asked   *task.Release // the release that the state below is about
	chosen  map[int]bool
	how     string       // "": as released, howAll, howAny or howNone
	columns map[int]bool // columns of the table
}

// Ticked returns a SetAsk with the given items of the release ticked, by number.
func Ticked(r *task.Release, b *parts.Browser, numbers ...int) *SetAsk {
	a := &SetAsk{Release: r, Browser: b, asked: r, chosen: map[int]bool{}}
	for _, n := range numbers {
		a.chosen[n] = true
	}
	return a
}

// askGroup is the attributes of one column, or all places.
type askGroup struct {
	of    int
	name  string
	items []askItem
}

type askItem struct {
	at   int // number in the release
	name string
}

// askGroups lists what can be ticked.
func askGroups(result ask.Result) (groups []askGroup) {
	switch r := result.(type) {
	case *task.Conjunctions:
		for x, a := range r.Attributes {
			if len(groups) == 0 || groups[len(groups)-1].of != a.Of {
				groups = append(groups, askGroup{of: a.Of, name: a.Column})
			}
			g := &groups[len(groups)-1]
			g.items = append(g.items, askItem{x, a.Name})
		}
	case *task.Contacts:
		groups = []askGroup{{name: say.Text("Places")}}
		for x, name := range r.Vertices {
			groups[0].items = append(groups[0].items, askItem{x, name})
		}
	}
	return groups
}

// OnMount stores how to redraw the component.
func (a *SetAsk) OnMount(ctx app.Context) { a.changed = func() { ctx.Update() } }

// edit changes the state, which belongs to the release shown.
func (a *SetAsk) edit(change func()) {
	if a.asked != a.Release {
		a.asked, a.chosen, a.columns, a.how = a.Release, map[int]bool{}, map[int]bool{}, ""
	}
	change()
	a.changed()
}

// state returns what is ticked for the release shown.
func (a *SetAsk) state() (chosen, columns map[int]bool, how string) {
	if a.asked != a.Release {
		return nil, nil, ""
	}
	return a.chosen, a.columns, a.how
}

const (
	howAll  = "all"
	howAny  = "true" // as in earlier versions, which had no choice
	howNone = "none"
)

// Render draws the boxes to tick, the answer, and for attributes a table of chosen columns.
func (a *SetAsk) Render() app.UI {
	chosen, _, how := a.state()
	groups := askGroups(a.Release.Answer.Result)
	attributes, isConjunctions := a.Release.Answer.Result.(*task.Conjunctions)
	if how == "" && isConjunctions {
		if how = howAll; attributes.Any() {
			how = howAny
		}
	}
	many := a.Release.Voice(say.Language()).Many()
	text := say.Text("Tick places, or click them in the picture: the answer is how many contacts " +
		"join them with all the others.")
	if isConjunctions {
		text = say.Format("Tick attributes, up to %d of different columns: the answer is how "+
			"many %s have all of them, any, or none.", attributes.Width, many)
	}
	answer, fault := askSet(a.Release, ticked(groups, chosen), how)
	body := []app.UI{
		app.H3().ID("ask-title").Text(say.Text("Ask it anything")),
		app.P().Class("small soft").Text(say.Format("%s Every answer is made from the release "+
			"alone: it costs no privacy, and you may ask as often as you like.", text)),
	}
	if isConjunctions {
		body = append(body,
			app.Div().Class("fields").
				Body(parts.SelectField("ask-how", say.Format("Count %s with", many),
					how, []parts.Option{{Value: howAll, Text: say.Text("all of these")},
						{Value: howAny, Text: say.Text("any of these")},
						{Value: howNone, Text: say.Text("none of these")}}, "", "",
					func(v string) { a.edit(func() { a.how = v }) })))
	}
	if contacts, ok := a.Release.Answer.Result.(*task.Contacts); ok {
		body = append(body, a.graph(contacts, chosen, answer))
	}
	for _, g := range groups {
		body = append(body, a.boxes(g, chosen))
	}
	body = append(body,
		app.P().ID("ask-answer").Class("answer-line").Role("status").Text(answer),
		app.P().ID("ask-fault").Class("field-error").Role("alert").Text(fault),
	)
	if isConjunctions && attributes.Width > 1 && len(groups) > 1 {
		body = append(body, a.table(attributes, groups))
	}
	return app.Section().Class("more no-print").Aria("labelledby", "ask-title").Body(body...)
}

// graph draws the places and marks the chosen ones.
func (a *SetAsk) graph(c *task.Contacts, chosen map[int]bool, answer string) app.UI {
	label := say.Text("The larger a place is drawn, the more contacts it has with the others; " +
		"the wider a line, the more contacts there are between two places. Counts that could be " +
		"0 have no line.")
	if !c.Paired() {
		label = say.Text("The large places have the most influence: sets with and without them " +
			"have different answers. The other places do not change the answer.")
	}
	if more := len(c.Vertices) - chart.MostInGraph; more > 0 {
		label += " " + say.Format("The first %d are drawn, and %d are not.", chart.MostInGraph,
			more)
	}
	return app.Figure().Class("more").Body(
		&parts.Chart{ID: "ask-graph", Option: string(chart.Contacts(c, chosen, label+" "+answer)),
			Class: "chart", Label: label + " " + answer, Browser: a.Browser,
			Pick: func(place int) { a.edit(func() { a.chosen[place] = !a.chosen[place] }) }},
		app.FigCaption().Class("small soft").Text(label),
	)
}

// boxes draws the items of one group.
func (a *SetAsk) boxes(g askGroup, chosen map[int]bool) app.UI {
	return app.FieldSet().Class("more").Body(
		app.Legend().Class("small").Body(app.B().Text(g.name)),
		app.Div().Class("fields").Body(app.Range(g.items).Slice(func(i int) app.UI {
			item := g.items[i]
			return app.Label().Class("check").Body(
				app.Input().ID("ask-"+strconv.Itoa(item.at)).Type("checkbox").
					Checked(chosen[item.at]).OnChange(func(ctx app.Context, _ app.Event) {
					on := ctx.JSSrc().Get("checked").Bool()
					a.edit(func() { a.chosen[item.at] = on })
				}, app.EventScope(item.at)),
				app.Span().Text(item.name),
			)
		})),
	)
}

// ticked lists the chosen items in order.
func ticked(groups []askGroup, chosen map[int]bool) (list []int) {
	for _, g := range groups {
		for _, item := range g.items {
			if chosen[item.at] {
				list = append(list, item.at)
			}
		}
	}
	return list
}

// askSet answers in words, or returns what is wrong with the question.
func askSet(release *task.Release, chosen []int, how string) (answer, fault string) {
	if len(chosen) == 0 {
		return "", ""
	}
	var found task.Found
	var err error
	var what, doubt string
	switch r := release.Answer.Result.(type) {
	case *task.Conjunctions:
		many := release.Voice(say.Language()).Many()
		found, err = r.Ask(chosen, how == howAny)
		what, doubt = say.Format("%s have all of these", many), say.Text(doubts[r.Release.Method])
		switch how {
		case howAny:
			what = say.Format("%s have any of these", many)
		case howNone:
			found, err = r.None(chosen)
			what = say.Format("%s have none of these", many)
		}
	case *task.Contacts:
		found, err = r.Ask(chosen)
		what, doubt = say.Text("contacts join these with all others"),
			strings.TrimSpace(say.Text(doubts[r.Release.Method])+" "+say.Text("The forecast is "+
				"for sets of about this many places: half of them, unless you asked about a set "+
				"before. The more a set differs from that, the less the forecast says."))
	}
	if err != nil {
		return "", say.Format("Wanted: %s.", wantOf(err))
	}
	answer = say.Format("About %.0f %s (%.1f %%)", math.Round(found.People), what, 100*found.Share)
	switch off := math.Ceil(found.Error); {
	case found.Sure && off == 0:
		answer += say.Text(": that is certain, whatever the data.")
	case found.Sure:
		answer += say.Format(", ± %.0f in 95 of 100 releases.", off)
	default:
		answer += strings.TrimSpace(say.Format(", typically ± %.0f.", off) + " " + doubt)
	}
	return answer, ""
}

// doubts says, by method, for which questions an answer's error is not known.
var doubts = map[query.Method]phrase.Key{
	query.ByPieces: "The method promises to be near the truth for all but a part of the " +
		"questions, never for one in particular. This one may be far off, and nothing in the " +
		"release shows it. The smaller that part is to be, the more people are needed.",
	query.ByProduct: "This assumes that attributes hardly depend on each other. Where they do, " +
		"this answer may be far off, and nothing in the release shows it.",
	query.ByWeights: "Combinations that were never corrected may be far off, and nothing in the " +
		"release shows it.",
}

// table offers a table of columns against each other.
func (a *SetAsk) table(c *task.Conjunctions, groups []askGroup) app.UI {
	_, columns, _ := a.state()
	var picked []askGroup
	for i, g := range groups {
		if columns[i] {
			picked = append(picked, g)
		}
	}
	many := task.Capital(a.Release.Voice(say.Language()).Many())
	header, rows := crossTable(c, many, picked)
	body := []app.UI{
		app.H3().Text(say.Text("A table of columns")),
		app.P().Class("small soft").
			Text(say.Format(
				"Tick two columns or more, up to %d, to see each combination of their attributes.",
				c.Width)),
		app.Div().Class("fields").Body(app.Range(groups).Slice(func(i int) app.UI {
			return app.Label().Class("check").Body(
				app.Input().ID("ask-column-"+strconv.Itoa(i)).Type("checkbox").Checked(columns[i]).
					OnChange(func(ctx app.Context, _ app.Event) {
						on := ctx.JSSrc().Get("checked").Bool()
						a.edit(func() { a.columns[i] = on })
					}),
				app.Span().Text(groups[i].name),
			)
		})),
	}
	if len(rows) > 0 {
		body = append(body,
			parts.DataTable(say.Format("%s with each combination", many), header, rows, "tall",
				func(column int) bool { return column >= len(picked) }))
	}
	return app.Div().Class("more").Body(body...)
}

const mostRows = 1000 // in a table on the screen

// crossTable lists how many people have each combination of one attribute from each group; nothing
// for fewer than two groups, or for more than were asked for together.
func crossTable(c *task.Conjunctions, many string,
	groups []askGroup) (header []string, rows [][]string) {
	if len(groups) < 2 || len(groups) > c.Width {
		return nil, nil
	}
	for _, g := range groups {
		header = append(header, g.name)
	}
	header = append(header, many, "±")
	var extend func(at int, chosen []int, names []string)
	extend = func(at int, chosen []int, names []string) {
		if at == len(groups) {
			if found, err := c.Ask(chosen, false); err == nil && len(rows) < mostRows {
				rows = append(rows,
					append(append([]string{}, names...), fmt.Sprintf("%.0f", found.People),
						fmt.Sprintf("%.0f", math.Ceil(found.Error))))
			}
			return
		}
		for _, item := range groups[at].items {
			name := strings.TrimPrefix(item.name, groups[at].name+" ")
			extend(at+1, append(chosen[:at:at], item.at),
				append(names[:at:at], strings.TrimPrefix(name, "= ")))
		}
	}
	extend(0, nil, nil)
	return header, rows
}
