package help

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/phrase"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/place"
	"hush/web/state/stage"
)

// shortcut is a key that does something wherever no text is being typed. None of them spends
// anything.
type shortcut struct {
	key, words string
	do         func(*state.Model, *parts.Browser)
}

// shortcuts lists them as the dialog shows them.
func shortcuts() []shortcut {
	list := []shortcut{
		{"?", say.Text("Show or hide this list"), func(m *state.Model, b *parts.Browser) {
			b.ShowDialog(parts.KeysID)
		}}}
	for i, s := range []struct {
		to   stage.Stage
		id   string
		name phrase.Key
	}{
		{stage.Data, stage.Data.ID(), "Go to the data"},
		{stage.Columns, stage.Columns.ID(), "Go to the columns"},
		{stage.Question, stage.Question.ID(), "Go to the question"},
		{stage.Answer, "step-release", "Go to the answer"},
	} {
		list = append(list,
			shortcut{
				string(rune('1' + i)), say.Text(s.name),
				func(m *state.Model, b *parts.Browser) {
					if m.View != place.ViewWorkbench {
						b.Visit(place.ViewWorkbench.Path())
					}
					m.Way.GoTo(s.to)
					b.Reveal(s.id)
				}})
	}
	view := func(v place.View) func(*state.Model, *parts.Browser) {
		return func(_ *state.Model, b *parts.Browser) { b.Visit(v.Path()) }
	}
	return append(list,
		shortcut{"w", say.Text("Publish"), view(place.ViewWorkbench)},
		shortcut{"l", say.Text("Ledger"), view(place.ViewLedger)},
		shortcut{"n", say.Text("Learn"), view(place.ViewLearn)},
		shortcut{"p", say.Text("Proof"), view(place.ViewProof)},
		shortcut{"P", say.Text("Present the lesson on the screen"),
			func(m *state.Model, b *parts.Browser) {
				m.Course.Present()
				b.Reveal(parts.PresentID)
			}},
		shortcut{"h", say.Text("In plain words"), view(place.ViewWords)},
		shortcut{"u", say.Text("Undo the last change of the question"),
			func(m *state.Model, b *parts.Browser) { m.Question.Undo() }},
		shortcut{"t", say.Text("Light or dark"), func(m *state.Model, b *parts.Browser) {
			b.ToggleTheme()
		}},
	)
}

// Keys lists the keys, for the browser to watch.
func Keys() string {
	var b strings.Builder
	for _, s := range shortcuts() {
		b.WriteString(s.key)
	}
	return b.String()
}

// Press carries out the action of a key.
func Press(key string, m *state.Model, b *parts.Browser) {
	for _, s := range shortcuts() {
		if s.key == key {
			s.do(m, b)
		}
	}
}

// KeysDialog lists the shortcuts, and the switch that turns them off.
type KeysDialog struct {
	app.Compo

	ID      string         // of the dialog, unique on the page
	Shown   bool           // without being asked for, in the gallery
	Off     bool           // single keys do nothing
	Browser *parts.Browser // closes the dialog, and remembers Off
}

// Render draws the dialog; the browser opens it above everything else.
func (k *KeysDialog) Render() app.UI {
	list := shortcuts()
	return app.Dialog().ID(k.ID).Class("dialog").Open(k.Shown).Aria("labelledby", k.ID+"-title").
		Body(
			app.H2().ID(k.ID+"-title").Text(say.Text("Keyboard shortcuts")),
			app.P().Class("soft").
				Text(say.Text("They work wherever you are not typing text, and none of them "+
					"spends anything. Mouse, touch and the Tab key can do everything they do.")),
			app.Dl().Class("keys").Body(app.Range(list).Slice(func(i int) app.UI {
				return app.Div().
					Body(app.Dt().Body(app.Elem("kbd").Text(list[i].key)),
						app.Dd().Text(list[i].words))
			})),
			parts.CheckField(k.ID+"-off", say.Text("Turn single keys off"), k.Off,
				say.Text("For speech input, or where keys are pressed by accident. This browser "+
					"remembers it."),
				func(off bool) { k.Browser.TurnKeysOff(off) }),
			app.Div().Body(app.Button().Class("button").Type("button").Text(say.Text("Close")).
				OnClick(func(app.Context, app.Event) { k.Browser.HideDialog(k.ID) })),
		)
}
