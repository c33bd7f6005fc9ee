package web

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/phrase"
	"hush/web/engine"
	"hush/web/say"
)

// step draws one of the four numbered sections. A waiting one has nothing to do yet.
func step(number int, id, title string, waiting bool, body ...app.UI) app.UI {
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

// textField draws a labelled line of text.
func textField(id, label, value, help, fault string, onInput func(string)) app.UI {
	input := &TextInput{ID: id, Value: value, Invalid: fault != "", OnText: onInput}
	return labelled(id, label, input, help, fault)
}

// labelled draws a label, an input, its help and its fault.
func labelled(id, label string, input app.UI, help, fault string) app.UI {
	return app.Div().Class("field").Body(
		app.Label().For(id).Text(label),
		input,
		app.If(help != "", func() app.UI { return app.P().Class("help").ID(id + "-help").Text(help) }),
		app.P().Class("field-error").ID(id+"-fault").Role("alert").Text(fault),
	)
}

// option is one entry of a select.
type option struct{ value, text string }

// named is one of a public list, and its name.
type named struct {
	value string
	text  phrase.Key
}

// options are the names as a person reads them.
func options(list []named) (all []option) {
	for _, n := range list {
		all = append(all, option{n.value, say.Text(n.text)})
	}
	return all
}

// selectField draws a choice. go-app keeps the handler of an element that becomes another field's: the scope tells them apart.
func selectField(id, label, value string, options []option, help, fault string, onChange func(string)) app.UI {
	return selectOf(id, label, value, options, false, help, fault, onChange)
}

// dataField is a select of columns or categories, which no browser may translate; "0" chooses none.
func dataField(id, label, value string, options []option, help, fault string, onChange func(string)) app.UI {
	return selectOf(id, label, value, options, true, help, fault, onChange)
}

func selectOf(id, label, value string, options []option, data bool, help, fault string, onChange func(string)) app.UI {
	return labelled(id, label,
		app.Select().ID(id).Aria("describedby", id+"-help "+id+"-fault").Body(
			app.Range(options).Slice(func(i int) app.UI {
				o := options[i]
				entry := app.Option().Value(o.value).Text(o.text).Selected(o.value == value)
				if data && o.value != "0" {
					entry = entry.Attr("translate", "no")
				}
				return entry
			}),
		).OnChange(func(ctx app.Context, e app.Event) { onChange(ctx.JSSrc().Get("value").String()) }, app.EventScope(id)),
		help, fault)
}

// checkField draws a tick box with its words.
func checkField(id, label string, value bool, help string, onChange func(bool)) app.UI {
	return app.Div().Class("tick").Body(
		app.Label().Class("check").Body(
			app.Input().ID(id).Type("checkbox").Checked(value).Aria("describedby", id+"-help").
				OnChange(func(ctx app.Context, e app.Event) { onChange(ctx.JSSrc().Get("checked").Bool()) }, app.EventScope(id)),
			app.Span().Text(label),
		),
		app.P().Class("small soft").ID(id+"-help").Text(help),
	)
}

// note draws a message; kind is "", "good", "warn" or "bad".
func note(kind string, lines ...string) app.UI {
	return app.Div().Class("note " + kind).Role("status").Body(
		app.Range(lines).Slice(func(i int) app.UI { return app.P().Text(lines[i]) }),
	)
}

// meter draws how far a long step has come, with a way out.
func meter(label string, p engine.Progress, onCancel func()) app.UI {
	bar := app.Progress().Aria("label", label)
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

// failureNote says what went wrong and what to do.
func failureNote(f *engine.Fault) app.UI {
	text := f.Message
	if f.Want != "" {
		text += " " + say.Format("Wanted: %s.", f.Want)
	}
	return note("bad", text)
}
