package parts

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/lesson"
)

// EmbedDialog writes the code by which an author puts a demo into a page of another site.
type EmbedDialog struct {
	app.Compo

	ID      string // of the dialog, unique on the page
	Shown   bool   // without being asked for, in the gallery
	Demo    lesson.Demo
	Words   string // what stands there until the demo runs
	Browser *Browser

	theme string // Demo.Theme as chosen
	start string // when the frame is loaded: startOnClick or startVisible
	told  string // what became of the last copy
}

// When <hush-demo> loads its frame.
const (
	startOnClick = "click"
	startVisible = "visible"
)

// EmbedButton opens the dialog with that ID.
func EmbedButton(dialog string, b func() *Browser) app.UI {
	return app.Button().Class("button plain").Type("button").Text(say.Text("Embed this…")).
		OnClick(func(app.Context, app.Event) { b().ShowDialog(dialog) })
}

// DemoWords say what a demo shows, with an answer where there is one.
func DemoWords(t *ask.Task, taught *task.Taught) string {
	text := say.Format("%s, with differential privacy, on made-up data.", say.Text(t.Title))
	if taught != nil && len(taught.Draws) > 0 {
		text += " " + say.Format("One private answer: %s", taught.Draws[0].Statement)
	}
	return text
}

// Render draws the dialog; the browser opens it above everything else.
func (e *EmbedDialog) Render() app.UI {
	d := e.Demo
	d.Theme = e.theme
	if all, current := e.Browser.Languages(); len(all) > 1 {
		d.Language = current
	}
	start := e.start
	if start == "" {
		start = startOnClick
	}
	base := e.Browser.Base()
	return app.Dialog().ID(e.ID).Class("dialog wide").Open(e.Shown).
		Aria("labelledby", e.ID+"-title").Body(
		app.H2().ID(e.ID+"-title").Text(say.Text("Embed this in a page of yours")),
		app.P().Text(say.Text("Readers draw private answers themselves, about all made-up people "+
			"of the data set, in a frame that contacts no server but this page's.")),
		app.Div().Class("fields").Body(
			SelectField(e.ID+"-theme", say.Text("Colours"), e.theme,
				[]Option{{"", say.Text("as the reader's system")}, {"light", say.Text("light")},
					{"dark", say.Text("dark")}}, "", "", func(v string) {
					e.theme, e.told = v, ""
				}),
			SelectField(e.ID+"-start", say.Text("The demo is loaded"), start,
				[]Option{{startOnClick, say.Text("when the reader asks for it")},
					{startVisible, say.Text("when it is scrolled into view")}},
				say.Text("Two megabytes, once."), "", func(v string) { e.start, e.told = v, "" }),
		),
		e.snippet("element", say.Text("As an element"), d.Element(base, start, e.Words)),
		e.snippet("frame",
			say.Text("As a frame, where the host removes scripts or unknown elements"),
			d.Frame(base, say.Format("Hush demo: %s", d.Name()))),
		app.P().Role("status").Class("small soft").Text(e.told),
		app.Div().Class("row").Body(
			app.Button().Class("button").Type("button").Text(say.Text("Close")).
				OnClick(func(app.Context, app.Event) { e.Browser.HideDialog(e.ID) }),
			app.A().Href("./example.html").Target("_blank").
				Text(say.Text("An example, and every attribute")),
		),
	)
}

// snippet draws a text to copy.
func (e *EmbedDialog) snippet(id, label, text string) app.UI {
	id = e.ID + "-" + id
	return app.Div().Class("field").Body(
		app.P().Class("label").ID(id+"-label").Text(label),
		app.Pre().Attr("translate", "no").ID(id).Class("code").TabIndex(0).
			Aria("labelledby", id+"-label").Text(strings.TrimSpace(text)),
		app.Div().Body(app.Button().Class("button").Type("button").Text(say.Text("Copy")).
			Aria("describedby", id+"-label").
			OnClick(func(ctx app.Context, _ app.Event) {
				e.Browser.Copy(id, func(_ engine.Request, kind string, _ []byte) {
					e.told = CopiedText(kind)
					ctx.Update()
				})
			})),
	)
}

// CopiedText says whether a copy succeeded.
func CopiedText(kind string) string {
	if kind == engine.ReplyDone {
		return say.Text("Copied.")
	}
	return say.Text("This browser lets nothing be copied here: mark the text, and copy it " +
		"yourself.")
}
