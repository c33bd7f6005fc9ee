// Package data draws how a file comes into the page and how it is read, and the codebook, in which
// each of its columns is described. It also holds the ways in that other parts of the page offer.
package data

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/codebook"
	"hush/core/message"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/account"
	"hush/web/state/dataset"
	"hush/web/state/stage"
)

// Step is step 1: a file by drop or by picker, or a bundled data set; then how it is read.
type Step struct {
	app.Compo
	gradual

	Model    *state.Model    // read and changed
	Revision int             // Model.Revision
	Progress engine.Progress // Model.Data.Progress
	Browser  *parts.Browser  // to open the system's file dialog

	over    bool // a file is held above the drop zone
	another bool // none of the proposed columns names the persons
	pasted  Pasted
}

// gradual is Gradual under a name that go-app does not take for a prop when it is embedded.
type gradual = parts.Gradual

const rowsShown = 8 // rows of a file, to show how it was read

// Render draws the step in its phase.
func (s *Step) Render() app.UI {
	d := s.Model.Data.File
	if d.Phase != dataset.Opened {
		s.Anew()
		s.another = false
	}
	switch d.Phase {
	case dataset.Opening:
		return parts.Step(1, "step-data", say.Text("Data"), false,
			parts.Meter(say.Format("Reading %s…", d.Name), s.Progress, s.Model.Data.CancelOpen))
	case dataset.Opened:
		return s.opened()
	case dataset.Failed:
		return parts.Step(1, "step-data", say.Text("Data"), false, parts.FailureNote(d.Failure),
			s.dropZone(), s.paste(), s.samples())
	}
	return parts.Step(1, "step-data", say.Text("Data"), false, s.dropZone(), s.paste(), s.samples())
}

func (s *Step) dropZone() app.UI {
	class := "drop"
	if s.over {
		class = "drop over"
	}
	return app.Div().ID("drop").Class(class).
		OnDragOver(func(_ app.Context, e app.Event) { e.PreventDefault(); s.over = true }).
		OnDragLeave(func(app.Context, app.Event) { s.over = false }).
		OnDrop(func(_ app.Context, e app.Event) {
			e.PreventDefault()
			s.over = false
			if f := parts.FirstFile(e.Get("dataTransfer").Get("files")); f != nil {
				s.Model.Data.Open(f)
			}
		}).
		Body(
			app.Strong().Text(say.Text("Drop a CSV file here")),
			s.picker(say.Text("Choose a file…")),
			app.P().Class("soft small").Text(say.Text("It is read in this tab and sent nowhere.")),
			QuestionWaits(s.Model),
			app.If(s.Model.Codebook.WaitsForFile(), func() app.UI {
				return parts.Note("", say.Text("A codebook is open: open the file that it "+
					"describes."))
			}),
			app.If(s.Model.Saved.Fault != "", func() app.UI {
				return parts.Note("bad", s.Model.Saved.Fault)
			}),
			BookNotes(s.Model),
			openBook(s.Model, s.Browser),
		)
}

// paste accepts a table from the clipboard.
func (s *Step) paste() app.UI {
	return app.Details().Body(
		app.Summary().Text(say.Text("Or paste a table")),
		app.Div().Class("more").Body(s.pasted.Fields(s.Model, 5, "button")...),
	)
}

// picker is a button in front of the browser's own file input.
func (s *Step) picker(text string) app.UI {
	return app.Div().Body(
		app.Button().Class("button").Type("button").Text(text).
			OnClick(func(app.Context, app.Event) { s.Browser.Pick(FileInputID) }),
		FileInput(s.Model),
	)
}

func (s *Step) samples() app.UI {
	return app.Div().Class("column").Body(
		app.P().Class("label").Text(say.Text("Or try one of these made-up data sets")),
		SampleButtons(s.Model),
	)
}

// opened asks the one thing that the file's owner has to decide, and shows how the file was read,
// one line for each aspect, and its first rows.
func (s *Step) opened() app.UI {
	m := s.Model
	d := m.Data.File
	return app.Section().ID(stage.DataID).TabIndex(-1).Class("stage").
		Aria("labelledby", "step-data-title").Body(
		app.Header().Class("data-head").Body(
			app.H1().ID("step-data-title").Text(say.Text("Is this your table?")),
			app.P().Class("soft").Body(
				app.B().Attr("translate", "no").Text(d.Name),
				app.Text(" · "+strings.Join(s.facts(), " · ")+" "),
				app.Button().ID("forget").Class("button small plain").Type("button").
					Text(say.Text("Start again")).
					OnClick(func(app.Context, app.Event) { m.Forget() }))),
		app.Div().Class("data-grid").Body(
			app.Div().Class("stack wide").Body(s.Parts(
				s.decision,
				parts.When(d.Opened.StorageRefused != "", func() app.UI {
					return parts.Note("bad", say.Format("Nothing can be released here: %s. The "+
						"cost of a release must be recorded before it is made. Leave private "+
						"browsing, or allow this page to store data, and open the file again.",
						d.Opened.StorageRefused))
				}),
				parts.When(len(d.Opened.Near) > 0, func() app.UI {
					return parts.Note("warn", nearText(d.Opened.Near[0]))
				}),
				parts.When(m.Saved.Fault != "" && !d.Confirmed, func() app.UI {
					return parts.Note("bad", m.Saved.Fault)
				}),
				parts.When(!d.NotText(), func() app.UI { // otherwise they would be gibberish
					return &parts.Table{
						Caption: say.Text("First rows, as they are in the file. They stay on " +
							"your screen."),
						Header: m.Data.Columns(),
						Rows:   d.Opened.Preview[:min(len(d.Opened.Preview), rowsShown)],
						Size:   "low", Written: parts.ByFile}
				}))...),
			app.Div().Class("stack data-folds").Body(s.folds()...),
		),
		s.bar(),
	)
}

// facts describes the file, in a few words for each fact.
func (s *Step) facts() (list []string) {
	d := s.Model.Data.File
	if format := d.Opened.Options.Format; format != "" {
		list = append(list, formatText(format, len(d.Opened.Parts)))
	}
	list = append(list, say.Bytes(d.Opened.Bytes))
	if !d.NotText() {
		list = append(list, say.Count(int64(d.Opened.Options.Columns), "%d column", "%d columns",
			d.Opened.Options.Columns))
	}
	return append(list, say.Text("it stays on this device"))
}

// decision shows what has to be decided before anything else: the letters that the bytes stand for,
// or whether a person can have several rows. If no reading makes sense it says why.
func (s *Step) decision() app.UI {
	m := s.Model
	switch {
	case m.Data.Misfit:
		return app.Div().Class("more").Body(
			parts.Note("bad", m.Saved.Misfit()),
			app.Div().Body(app.Button().ID("ask-anew").Class("button").Type("button").
				Text(say.Text("Ask again about this file")).
				OnClick(func(app.Context, app.Event) { m.Saved.AskAnew() })),
		)
	case m.Data.Unusable() != "":
		return parts.Note("bad", m.Data.Unusable())
	case len(m.Data.Opened.Readings) > 0:
		return decide(say.Text("Which of these reads right?"), say.Text("Nothing in the file "+
			"states its encoding. These are the same lines in the likeliest encodings: choose "+
			"the one that reads right."), letterChoice(m))
	}
	return s.persons()
}

// decide is a card in the middle of the page that asks the one question.
func decide(title, about string, body ...app.UI) app.UI {
	return app.Section().Class("card pad stack decide").Body(append([]app.UI{
		app.Div().Body(
			app.P().Class("todo-line").Body(parts.Icon(iconAlert),
				app.B().Text(say.Text("One thing to decide"))),
			app.H2().ID("decide-title").Text(title),
			app.P().Class("soft").ID("decide-help").Text(about)),
	}, body...)...)
}

// bar leads on: so far only the number of rows is public.
func (s *Step) bar() app.UI {
	m := s.Model
	d := m.Data.File
	var fact app.UI = parts.Absent()
	if !d.NotText() {
		public := say.Text("The number of rows is published; nothing else yet.")
		switch m.Codebook.Form.Each {
		case "":
			public = say.Text("Nothing is published yet.")
		case codebook.Several:
			public = say.Text("The number of people is published; nothing else yet.")
		case codebook.Counted:
			public = say.Text("The sum of that column is published; nothing else yet.")
		}
		fact = app.Div().Class("fact first0").Body(
			app.B().ID("rows").Text(parts.Together(say.Count(d.Opened.Rows, "%s row", "%s rows",
				message.Grouped(d.Opened.Rows)))),
			app.Span().Text(public))
	}
	var on app.UI = parts.Absent()
	switch {
	case d.Misfit || d.Unusable() != "" || len(d.Opened.Readings) > 0:
	case m.Codebook.Form.Each == "": // the answer leads on
	case d.Confirmed:
		on = app.Button().ID("continue").Class("button main").Type("button").
			Text(say.Text("Go on to the columns")).
			OnClick(func(app.Context, app.Event) { m.Way.GoTo(stage.Columns) })
	default:
		on = app.Button().ID("confirm").Class("button main").Type("button").
			Text(say.Text("Yes, continue")).
			OnClick(func(app.Context, app.Event) { m.Data.Confirm() })
	}
	return app.Section().Class("bar-stay").Aria("label", say.Text("Next step")).Body(
		app.Div().Class("bar-in").Body(fact, app.Div().Class("push").Body(
			app.Button().Class("button").Type("button").Text(say.Text("Open another file…")).
				OnClick(func(app.Context, app.Event) { s.Browser.Pick(FileInputID) }),
			on, FileInput(m))))
}

// nearText says that another data set of the ledger shares many of the rows.
func nearText(n engine.Near) string {
	name := n.Nickname
	if name == "" {
		name = account.ShortPrint(n.Fingerprint)
	}
	return say.Format("About %d in 100 rows of this file are also in data set %s. The budget "+
		"spent there is not counted here, and people in both data sets bear both losses: use "+
		"only what is left of that limit for this file too.",
		n.Shared, name)
}
