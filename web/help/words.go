package help

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
	"hush/web/say"
)

// WordsPage is the glossary as a page.
type WordsPage struct{ app.Compo }

// Render lists all words.
func (w *WordsPage) Render() app.UI {
	return app.Div().Body(
		app.Div().Class("intro").Body(
			app.H1().Text(say.Text("In plain words")),
			app.P().Text(say.Text("Every technical term of this page. The same explanations "+
				"appear beside the texts that use them.")),
		),
		app.Dl().Class("glossary").Body(app.Range(parts.Glossary).Slice(func(i int) app.UI {
			return app.Div().ID("word-"+parts.Slug(string(parts.Glossary[i].Term))).
				Body(app.Dt().Text(say.Text(parts.Glossary[i].Term)),
					app.Dd().Text(say.Text(parts.Glossary[i].Plain)))
		})),
	)
}
