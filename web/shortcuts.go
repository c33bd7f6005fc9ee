package web

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/message"
)

// shortcut is a key that does something wherever no text is being typed. None of them spends anything.
type shortcut struct {
	key, words string
	do         func(*Model, *browser)
}

// shortcuts lists them as the dialog shows them.
func shortcuts() []shortcut {
	list := []shortcut{{"?", message.Text("Show or hide this list"), func(m *Model, b *browser) { b.showDialog(keysID) }}}
	for i, s := range []struct{ id, name string }{{"step-data", "data"}, {"step-question", "question"}, {"step-privacy", "privacy"}, {"step-release", "release"}} {
		list = append(list, shortcut{string(rune('1' + i)), message.Format("Go to step %s, %s", string(rune('1'+i)), s.name), func(m *Model, b *browser) {
			if m.View != ViewWorkbench {
				b.visit(ViewWorkbench.Path())
			}
			b.Reveal(s.id)
		}})
	}
	view := func(v View) func(*Model, *browser) { return func(_ *Model, b *browser) { b.visit(v.Path()) } }
	return append(list,
		shortcut{"w", message.Text("Workbench"), view(ViewWorkbench)},
		shortcut{"l", message.Text("Ledger"), view(ViewLedger)},
		shortcut{"n", message.Text("Learn"), view(ViewLearn)},
		shortcut{"h", message.Text("In plain words"), view(ViewWords)},
		shortcut{"u", message.Text("Undo the last change of the question"), func(m *Model, b *browser) { m.Undo() }},
		shortcut{"t", message.Text("Light or dark"), func(m *Model, b *browser) { b.toggleTheme() }},
	)
}

// keys lists the keys, for the browser to watch.
func keys() string {
	var b strings.Builder
	for _, s := range shortcuts() {
		b.WriteString(s.key)
	}
	return b.String()
}

// press does what a key is for.
func press(key string, m *Model, b *browser) {
	for _, s := range shortcuts() {
		if s.key == key {
			s.do(m, b)
		}
	}
}

// keysID is the dialog that lists the shortcuts.
const keysID = "keys"

// KeysDialog lists the shortcuts, and the switch that turns them off.
type KeysDialog struct {
	app.Compo

	ID      string   // of the dialog, unique on the page
	Shown   bool     // without being asked for, in the gallery
	Off     bool     // single keys do nothing
	Browser *browser // closes the dialog, and remembers Off
}

// Render draws the dialog; the browser opens it above everything else.
func (k *KeysDialog) Render() app.UI {
	list := shortcuts()
	return app.Dialog().ID(k.ID).Class("dialog").Open(k.Shown).Aria("labelledby", k.ID+"-title").Body(
		app.H2().ID(k.ID+"-title").Text(message.Text("Keys")),
		app.P().Class("soft").Text(message.Text("They work wherever no text is being typed, and none of them spends anything. Everything they do can be reached by mouse, touch and the Tab key too.")),
		app.Dl().Class("keys").Body(app.Range(list).Slice(func(i int) app.UI {
			return app.Div().Body(app.Dt().Body(app.Elem("kbd").Text(list[i].key)), app.Dd().Text(list[i].words))
		})),
		checkField(k.ID+"-off", message.Text("Turn single keys off"), k.Off, message.Text("For speech input, or where keys are pressed by accident. This browser remembers it."),
			func(off bool) { k.Browser.turnKeysOff(off) }),
		app.Div().Body(app.Button().Class("button").Type("button").Text(message.Text("Close")).OnClick(func(app.Context, app.Event) { k.Browser.hideDialog(k.ID) })),
	)
}
