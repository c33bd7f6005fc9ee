package question

import (
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/phrase"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/search"
)

// TaskChoices are the kinds of question: the common ones, and a search in all of them. It is
// redrawn when another kind is chosen, not for each key typed below it.
type TaskChoices struct {
	app.Compo

	Model   *state.Model   // changed
	Chosen  string         // task.Task.ID
	Browser *parts.Browser // to move the focus

	open   bool   // the search is
	sought string // as typed
	at     int    // the one that Enter takes
	whole  bool   // all that were found are shown
}

// commonKinds are the questions that most people ask, with the short names on their buttons and the
// lines of an icon of 20 by 20.
var commonKinds = []commonKind{
	{"count", "Count", "M4 4v12M8 4v12M12 4v12M16 4v12M2 14 18 6"},
	{"table", "Table", "M3 4h14v12H3zM3 8.5h14M8 4v12"},
	{"histogram", "Histogram", "M2 17h16M3.5 17v-5h4.3V5h4.4v12M7.8 17v-5M12.2 9h4.3v8"},
	{"median", "Median", "M2 10h16M7 5.5h6v9H7zM10 5.5v9M2 7.5v5M18 7.5v5"},
	{"share", "Share", "M10 3a7 7 0 1 0 7 7h-7zM13 2.5A6.5 6.5 0 0 1 17.5 7H13z"},
	{"mean", "Mean", "M2 15h16M10 18l-2.5-3h5zM4 11V9M8 11V5M12 11V7M16 11v-1"},
	{"madeup", "Made-up data", "M3 4h14v12H3zM6 8h8M6 12h5"},
}

type commonKind struct {
	id    string
	name  phrase.Key
	lines string
}

// The lines of more icons (parts.Icon).
const (
	iconDown   = "M4 6l4 4 4-4"
	iconSearch = "M2.5 7a4.5 4.5 0 0 1 9 0a4.5 4.5 0 0 1-9 0M10.5 10.5 14 14"
)

// Render draws the buttons, and the search while it is open.
func (c *TaskChoices) Render() app.UI {
	kinds := []app.UI{app.Legend().Class("unseen").Text(say.Text("Kind of question"))}
	known := false
	for _, k := range commonKinds {
		known = known || k.id == c.Chosen
		kinds = append(kinds, c.kind(k.id, say.Text(k.name), k.lines))
	}
	if !known {
		kinds = append(kinds, c.kind(c.Chosen, say.Text(c.Model.Question.Task().Title),
			parts.IconOpen))
	}
	kinds = append(kinds, app.Button().ID("more-kinds").Class("kind more-kinds").Type("button").
		Aria("expanded", strconv.FormatBool(c.open)).Aria("controls", "more").
		Body(app.Span().Text(say.Text("More…")), parts.Icon(iconDown)).
		OnClick(func(app.Context, app.Event) {
			if c.open, c.sought, c.at, c.whole = !c.open, "", 0, false; c.open {
				c.Browser.Reveal("find-task")
			}
		}))
	return app.Div().Class("stack tight").Body(
		app.FieldSet().Class("kinds").Body(kinds...),
		app.If(c.open, c.search),
	)
}

func (c *TaskChoices) kind(id, name, lines string) app.UI {
	return app.Label().Class("kind").Body(
		app.Input().Type("radio").Name("task").ID("task-"+id).Value(id).
			Checked(id == c.Chosen).
			OnChange(func(app.Context, app.Event) {
				c.open = false
				c.Model.Question.ChooseTask(id)
			}, app.EventScope(id)),
		parts.IconIn("0 0 20 20", lines), app.Span().Text(name))
}

// search finds a question by plain words and by technical ones.
func (c *TaskChoices) search() app.UI {
	found := find(c.Model.Question.Tasks, c.sought)
	c.at = max(min(c.at, len(found)-1), 0)
	active := ""
	if len(found) > 0 {
		active = "found-" + found[c.at].ID
	}
	shown := found
	if len(found) > mostFound+1 && c.at < mostFound && !c.whole {
		// a line takes no more room than what it hides
		shown = found[:mostFound]
	}
	options := make([]app.UI, len(shown))
	for i, t := range shown {
		options[i] = app.Li().ID("found-"+t.ID).Role("option").
			Aria("selected", strconv.FormatBool(i == c.at)).Body(
			app.B().Text(say.Text(t.Title)), app.Span().Text(say.Text(t.Question)),
			app.Em().Text(term(t))).
			OnClick(func(app.Context, app.Event) { c.take(t.ID) }, app.EventScope(t.ID))
	}
	return app.Div().Class("find").ID("more").Body(
		app.Div().Class("find-box").Body(parts.Icon(iconSearch),
			app.Input().ID("find-task").Class("input").Type("text").AutoComplete(false).
				Role("combobox").Aria("expanded", "true").Aria("controls", "found").
				Aria("autocomplete", "list").Aria("activedescendant", active).
				Aria("label", say.Text("Search all questions")).
				Placeholder(say.Text("Search all questions")).
				OnInput(func(ctx app.Context, _ app.Event) {
					c.sought, c.at, c.whole = ctx.JSSrc().Get("value").String(), 0, false
				}).
				OnKeyDown(func(_ app.Context, e app.Event) { c.press(e, found) })),
		app.Ul().ID("found").Role("listbox").Aria("label", say.Text("Questions found")).
			Body(options...),
		app.If(len(shown) < len(found), func() app.UI {
			return app.Button().ID("find-more").Class("button plain").Type("button").
				Text(say.Count(int64(len(found)-len(shown)), "One more", "%d more",
					len(found)-len(shown))).
				OnClick(func(app.Context, app.Event) {
					c.whole = true
					c.Browser.Reveal("find-task")
				})
		}),
		app.If(len(found) == 0, func() app.UI {
			return app.P().Class("pad soft").Role("status").
				Text(say.Text("No question is found by these words."))
		}),
	)
}

// press moves through the results, takes one, or closes the search.
func (c *TaskChoices) press(e app.Event, found []ask.Task) {
	switch e.Get("key").String() {
	case "ArrowDown":
		c.at++
	case "ArrowUp":
		c.at--
	case "Enter":
		if c.at < len(found) {
			c.take(found[c.at].ID)
		}
	case "Escape":
		c.open = false
		c.Browser.Reveal("more-kinds")
	default:
		return
	}
	e.PreventDefault()
}

func (c *TaskChoices) take(id string) {
	c.open, c.sought = false, ""
	c.Model.Question.ChooseTask(id)
	c.Browser.Reveal("task-" + id)
}

// term is the technical name of a question's mechanism, in a few words.
func term(t ask.Task) string {
	text, _, _ := strings.Cut(say.Text(t.Algorithm), ",")
	text, _, _ = strings.Cut(text, ";")
	return text
}

// find is search.Questions; without words it returns the questions that are not among the common
// ones.
func find(tasks []ask.Task, sought string) []ask.Task {
	found := search.Questions(tasks, sought)
	if strings.TrimSpace(sought) != "" {
		return found
	}
	return slices.DeleteFunc(found, func(t ask.Task) bool {
		return slices.ContainsFunc(commonKinds, func(k commonKind) bool { return k.id == t.ID })
	})
}

const mostFound = 5 // results shown at first
