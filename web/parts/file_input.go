package parts

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/engine"
)

// FileInput is the browser's own file input, hidden behind a button that calls browser.pick with
// its ID: a screen reader reads only the button. The same file may be chosen twice in a row.
func FileInput(id, accept string, take func(engine.File)) app.UI {
	return app.Input().ID(id).Class("hidden-visually").Type("file").Accept(accept).TabIndex(-1).
		Aria("hidden", "true").
		OnChange(func(ctx app.Context, _ app.Event) {
			if f := FirstFile(ctx.JSSrc().Get("files")); f != nil {
				take(f)
			}
			ctx.JSSrc().Set("value", "")
		})
}

const (
	AcceptJSON  = ".json,application/json"
	AcceptTable = ".csv,.tsv,.txt,text/*"
)
