package help

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
	"hush/web/say"
)

// WordsPage is the glossary as a page.
type WordsPage struct {
	app.Compo

	sought string // as typed
}

// Render lists all words, or those that were sought.
func (w *WordsPage) Render() app.UI {
	list, told := parts.Glossary, ""
	if strings.TrimSpace(w.sought) != "" {
		list = parts.FindWords(w.sought)
		told = say.Count(int64(len(list)), "One word found.", "%d words found.", len(list))
	}
	return app.Div().Body(
		app.Div().Class("intro").Body(
			app.H1().Text(say.Text("In plain words")),
			app.P().Text(say.Text("Every technical term of this page. The same explanations "+
				"appear beside the texts that use them.")),
		),
		app.Div().Class("stack").Body(
			seek("find-words", say.Text("Search all words"), w.sought, told, func(text string) {
				w.sought = text
			}),
			app.Dl().Class("glossary").Body(app.Range(list).Slice(func(i int) app.UI {
				return app.Div().ID("word-"+parts.Slug(string(list[i].Term))).
					Body(app.Dt().Text(say.Text(list[i].Term)),
						app.Dd().Text(say.Text(list[i].Plain)))
			})),
		),
	)
}
