package parts

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// TextInput is a line, or several lines, of text that always shows Value. go-app alone leaves the
// old text standing when a value becomes empty. The field forbids the browser to keep the text:
// otherwise it writes the text to the disk, to restore it with the Back button.
type TextInput struct {
	app.Compo

	ID      string // of the element; its help and fault are ID-help and ID-fault
	Value   string // what it shows
	Label   string // its name, where no label element gives it one
	Class   string
	Holder  string       // stands where nothing is typed
	Lines   int          // more than 1: a text area
	Invalid bool         // marked as at fault
	OnText  func(string) // takes what the person typed

	stands string // what the element held when it was last looked at
}

// OnMount shows the value.
func (t *TextInput) OnMount(ctx app.Context) {
	t.stands = ctx.JSSrc().Get("value").String()
	t.show(ctx)
}

// OnUpdate shows the value again where it is not what stands there.
func (t *TextInput) OnUpdate(ctx app.Context) { t.show(ctx) }

// show leaves alone what was typed since the element was last looked at: its event is on its way,
// and comes after this.
func (t *TextInput) show(ctx app.Context) {
	element := ctx.JSSrc()
	if element.Get("value").String() == t.stands && t.stands != t.Value {
		element.Set("value", t.Value)
	}
	t.stands = element.Get("value").String()
}

// Render draws the element; its text is set by show.
func (t *TextInput) Render() app.UI {
	described, invalid := t.ID+"-help "+t.ID+"-fault", strconv.FormatBool(t.Invalid)
	typed := func(ctx app.Context, _ app.Event) {
		t.stands = ctx.JSSrc().Get("value").String()
		t.OnText(t.stands)
	}
	if t.Lines > 1 {
		area := app.Textarea().ID(t.ID).Rows(t.Lines).Attr("autocomplete", "off").Spellcheck(false).
			Aria("describedby", described).Aria("invalid", invalid).OnInput(typed)
		if t.Label != "" {
			area = area.Aria("label", t.Label)
		}
		if t.Class != "" {
			area = area.Class(t.Class)
		}
		if t.Holder != "" {
			area = area.Placeholder(t.Holder)
		}
		return area
	}
	input := app.Input().ID(t.ID).Type("text").AutoComplete(false).Spellcheck(false).
		Aria("describedby", described).Aria("invalid", invalid).OnInput(typed)
	if t.Label != "" {
		input = input.Aria("label", t.Label)
	}
	if t.Class != "" {
		input = input.Class(t.Class)
	}
	if t.Holder != "" {
		input = input.Placeholder(t.Holder)
	}
	return input
}
