package parts

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/form"
)

// Step draws one of the four numbered sections. A waiting one has nothing to do yet.
func Step(number int, id, title string, waiting bool, body ...app.UI) app.UI {
	class := "step"
	if waiting {
		class = "step waiting"
	}
	return app.Section().Class(class).ID(id).TabIndex(-1).Aria("labelledby", id+"-title").Body(
		app.Div().Class("step-head").Body(
			app.Span().Class("step-number").Aria("hidden", "true").Text(strconv.Itoa(number)),
			app.H2().ID(id+"-title").Text(title),
		),
		app.Div().Class("step-body").Body(body...),
	)
}

// TextField draws a labelled line of text.
func TextField(id, label, value, help, fault string, onInput func(string)) app.UI {
	input := &TextInput{ID: id, Value: value, Invalid: fault != "", OnText: onInput}
	return Labelled(id, label, input, help, fault)
}

// Labelled draws a label, an input, its help and its fault.
func Labelled(id, label string, input app.UI, help, fault string) app.UI {
	return app.Div().Class("field").Body(
		app.Label().For(id).Text(label),
		input,
		app.If(help != "", func() app.UI {
			return app.P().Class("help").ID(id + "-help").Text(help)
		}),
		app.P().Class("field-error").ID(id+"-fault").Role("alert").Text(fault),
	)
}

// Option is one entry of a select.
type Option struct{ Value, Text string }

// Options are the names as a person reads them.
func Options(list []form.Named) (all []Option) {
	for _, n := range list {
		all = append(all, Option{n.Value, say.Text(n.Text)})
	}
	return all
}

// SelectField draws a choice. go-app keeps the handler of an element that becomes another field's:
// the scope tells them apart.
func SelectField(id, label, value string, options []Option, help, fault string,
	onChange func(string)) app.UI {
	return selectOf(id, label, value, options, false, help, fault,
		func(_ app.Context, v string) { onChange(v) })
}

// DataField is a select of columns or categories, which no browser may translate; "0" chooses none.
func DataField(id, label, value string, options []Option, help, fault string,
	onChange func(string)) app.UI {
	return selectOf(id, label, value, options, true, help, fault,
		func(_ app.Context, v string) { onChange(v) })
}

// PickField takes columns or categories one by one: it stands on "0", which chooses none, again
// after each. Else the browser would show the entry that moves to the place of the one taken.
func PickField(id, label string, options []Option, onPick func(string)) app.UI {
	return selectOf(id, label, "0", options, true, "", "", func(ctx app.Context, v string) {
		ctx.JSSrc().Set("value", "0")
		onPick(v)
	})
}

func selectOf(id, label, value string, options []Option, data bool, help, fault string,
	onChange func(app.Context, string)) app.UI {
	return Labelled(id, label,
		app.Select().ID(id).Aria("describedby", id+"-help "+id+"-fault").Body(
			app.Range(options).Slice(func(i int) app.UI {
				o := options[i]
				entry := app.Option().Value(o.Value).Text(o.Text).Selected(o.Value == value)
				if data && o.Value != "0" {
					entry = entry.Attr("translate", "no")
				}
				return entry
			}),
		).OnChange(func(ctx app.Context, e app.Event) {
			onChange(ctx, ctx.JSSrc().Get("value").String())
		}, app.EventScope(id)),
		help, fault)
}

// CheckField draws a tick box with its words.
func CheckField(id, label string, value bool, help string, onChange func(bool)) app.UI {
	return app.Div().Class("tick").Body(
		app.Label().Class("check").Body(
			app.Input().ID(id).Type("checkbox").Checked(value).Aria("describedby", id+"-help").
				OnChange(func(ctx app.Context, e app.Event) {
					onChange(ctx.JSSrc().Get("checked").Bool())
				}, app.EventScope(id)),
			app.Span().Text(label),
		),
		app.P().Class("small soft").ID(id+"-help").Text(help),
	)
}

// Note draws a message; kind is "", "good", "warn" or "bad".
func Note(kind string, lines ...string) app.UI {
	return app.Div().Class("note " + kind).Role("status").Body(
		app.Range(lines).Slice(func(i int) app.UI { return app.P().Text(lines[i]) }),
	)
}

// Meter draws how far a long step has come, with a way out.
func Meter(label string, p engine.Progress, onCancel func()) app.UI {
	bar := app.Progress().Aria("label", say.Text("Progress"))
	share := ""
	if p.Total > 0 {
		bar = bar.Max(1000).Value(1000 * p.Done / p.Total)
		share = " " + strconv.FormatInt(100*p.Done/p.Total, 10) + " %"
	}
	return app.Div().Class("meter").Body(
		app.P().Role("status").Text(label+share),
		bar,
		app.Div().Body(app.Button().Class("button").Type("button").Text(say.Text("Cancel")).
			OnClick(func(app.Context, app.Event) { onCancel() })),
	)
}

// ShortSummary is the line of a fold that shows a short text and is said in full.
func ShortSummary(spoken, shown string) app.UI {
	// else browsers say what is shown once more
	return app.Summary().Aria("label", spoken).
		Body(app.Span().Aria("hidden", "true").Text(shown))
}

// FailureNote says what went wrong and what to do.
func FailureNote(f *engine.Fault) app.UI {
	text := f.Message
	if f.Want != "" && !strings.Contains(text, f.Want) {
		text += " " + say.Format("Wanted: %s.", f.Want)
	}
	return Note("bad", text)
}

// Number reads what a select of numbers gives.
func Number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
