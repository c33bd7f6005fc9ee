package answer

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/message"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
)

// HelpList lists the changes that would improve an answer, each with its effect and a button that
// applies it.
type HelpList struct {
	app.Compo

	Model    *state.Model // read and changed
	Revision int          // Model.Revision
	Place    string       // where it stands, for IDs: one list may be shown twice
	Dialog   string       // the dialog that it stands in and closes; empty: none
	Browser  *parts.Browser
}

// Render draws the list, or nothing if it is empty.
func (h *HelpList) Render() app.UI {
	m := h.Model
	list := m.Help.List
	if len(list) == 0 {
		return parts.Absent()
	}
	id := h.Place + "-help"
	return app.Section().Class("stack").Aria("labelledby", id).Body(
		app.H3().ID(id).Class("minor").Text(say.Text("What would help")),
		app.Ul().Class("try").Body(app.Range(list).Slice(func(i int) app.UI {
			return h.entry(i, list[i])
		})),
	)
}

func (h *HelpList) entry(i int, help ask.Help) app.UI {
	body := []app.UI{
		app.B().Text(help.Text),
		app.Span().Class("row").Body(
			parts.ForecastChip(help.Grade, help.From),
			app.Span().Class("n").Text(parts.Together("± "+message.Prose(help.Error))),
		),
	}
	if help.Exact {
		body = append(body, app.Button().Class("button small").Type("button").
			Text(say.Text("Use")).Aria("label", say.Format("Use: %s", help.Text)).
			OnClick(func(app.Context, app.Event) {
				if h.Dialog != "" {
					h.Browser.HideDialog(h.Dialog)
				}
				h.Model.Saved.Use(i)
			}, app.EventScope(i)))
	}
	return app.Li().Body(body...)
}
