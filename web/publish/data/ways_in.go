package data

import (
	"cmp"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/sample"
	"hush/web/engine"
	"hush/web/outside"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/state/place"
	"hush/web/state/release"
)

// The ways to bring in a file, a question or an answer, wherever the page offers them.

const (
	// FileInputID is the ID of FileInput, by which a button opens it.
	FileInputID = "file"
	// RecipeInputID is the ID of RecipeInput.
	RecipeInputID = "recipe-file"
	// ReleaseInputID is the ID of ReleaseInput.
	ReleaseInputID = "release-file"
)

// accepted lists the names of files that the system's dialog offers first.
const accepted = ".csv,.tsv,.tab,.txt,.gz,.zip,.zst,.json,.jsonl,.ndjson,.xlsx,.parquet,text/csv"

// FileInput is the browser's own input for a table.
func FileInput(m *state.Model) app.UI {
	return parts.FileInput(FileInputID, accepted,
		func(f engine.File) { m.Data.Open(f) })
}

// RecipeInput is the input for a saved question. b is called when there is a file: an element keeps
// what it was first drawn with, which may be before there is a browser.
func RecipeInput(m *state.Model, b func() *parts.Browser) app.UI {
	return parts.FileInput(RecipeInputID, parts.AcceptJSON,
		func(f engine.File) { b().Text(f, m.Saved.AdoptText, m.Saved.Refuse) })
}

// ReleaseInput is the input for a saved release, with b as in RecipeInput.
func ReleaseInput(m *state.Model, b func() *parts.Browser) app.UI {
	return parts.FileInput(ReleaseInputID, parts.AcceptJSON,
		func(f engine.File) {
			b().Text(f, m.Answer.Bring(f, m.Answer.Open), m.Answer.RefuseBrought(f))
		})
}

// NotOpened says why no saved release was opened. A table picked instead is opened as data, which
// leads to the data.
func NotOpened(m *state.Model, b func() *parts.Browser) app.UI {
	return app.If(m.Answer.NotOpened != "", func() app.UI {
		if m.Answer.Table == nil {
			return parts.Note("bad", m.Answer.NotOpened)
		}
		return app.Div().Class("note warn").Role("status").Body(
			app.P().Text(m.Answer.NotOpened),
			app.Div().Body(app.Button().ID("open-as-data").Class("button small").Type("button").
				Text(say.Text("Open it as data")).
				OnClick(func(app.Context, app.Event) {
					m.Answer.OpenBrought()
					b().Visit(place.ViewWorkbench.Path())
				})))
	})
}

// OpenRelease takes a release that was saved before.
func OpenRelease(m *state.Model, b func() *parts.Browser) app.UI {
	return app.Div().Class("no-print").Body(
		NotOpened(m, b),
		app.Button().ID("open-release").Class("button plain").Type("button").
			Text(say.Text("Open a saved release…")).
			Disabled(m.Answer.Phase == release.Running).
			OnClick(func(app.Context, app.Event) { b().Pick(ReleaseInputID) }),
		ReleaseInput(m, b),
	)
}

// QuestionWaits says that a question waits for its file, and whom alone it is about: a person who
// follows a link is shown its filter before there are data that it could be asked of.
func QuestionWaits(m *state.Model) app.UI {
	return app.If(m.Saved.Waiting != nil, func() app.UI {
		lines := []string{say.Text("A question is waiting. Open its file to " +
			"continue.")}
		filter := m.Saved.Waiting.Filter
		if len(filter) > 0 {
			lines = append(lines, say.Text("It counts only those who meet its conditions, which "+
				"can be changed in its options:"))
		}
		for _, c := range filter[:min(len(filter), conditionsTold)] {
			lines = append(lines, conditionText(form.ConditionOf(c)))
		}
		if more := len(filter) - conditionsTold; more > 0 {
			lines = append(lines, say.Count(int64(more), "And one more.", "And %d more.", more))
		}
		return parts.Note("", lines...)
	})
}

// conditionsTold and conditionLetters limit the part of a filter that is shown in sentences.
const conditionsTold, conditionLetters = 5, 200

// conditionText writes a condition as a sentence, shortened if it is long.
func conditionText(c form.ConditionForm) string {
	text := ""
	switch c.Test {
	case form.TestNumbers, form.TestDates:
		text = say.Format("Column %d is from %s to %s.", c.Column, cmp.Or(c.From, "…"),
			cmp.Or(c.To, "…"))
	case form.TestNoneOf:
		text = say.Format("Column %d is none of: %s.", c.Column,
			strings.Join(form.Split(c.List, "\n"), ", "))
	default:
		text = say.Format("Column %d is one of: %s.", c.Column,
			strings.Join(form.Split(c.List, "\n"), ", "))
	}
	if also := alsoText(c); also != "" {
		text += " " + also
	}
	if letters := []rune(text); len(letters) > conditionLetters {
		text = string(letters[:conditionLetters]) + "…"
	}
	return text
}

// alsoText says what else counts as the values of a condition.
func alsoText(c form.ConditionForm) string {
	if also := outside.CountsAs(c.Condition().Spec); also != "" {
		return say.Format("Cells count as others: %s.", also)
	}
	return ""
}

// AlsoCounts shows that below the values of a condition.
func AlsoCounts(m *state.Model, c form.ConditionForm) app.UI {
	text := alsoText(c.Spelled(m.Codebook.Spec(c.Column)))
	return app.If(text != "", func() app.UI {
		return app.P().Class("small soft").Attr("translate", "no").Text(text)
	})
}

// SampleButtons lists all bundled data sets, to start a question about one.
func SampleButtons(m *state.Model) app.UI {
	sets := sample.Sets()
	return app.Div().Class("samples").Body(
		app.Range(sets).Slice(func(i int) app.UI {
			set := sets[i]
			return app.Button().Class("sample").Type("button").Body(
				app.B().Text(say.Text(set.Title)),
				app.Span().Class("small soft").Text(say.Text(set.About)),
			).OnClick(func(app.Context, app.Event) { m.Data.OpenSample(set) })
		}),
	)
}

// Pasted is a table from the clipboard, as text.
type Pasted struct {
	text  string
	blank bool // it was empty when it should have been read
}

// Fields returns the field into which it is pasted, with some lines, and the button that reads it.
func (p *Pasted) Fields(m *state.Model, lines int, button string) []app.UI {
	fault := ""
	if p.blank {
		fault = say.Text("Paste the table into this field first.")
	}
	return []app.UI{
		parts.Labelled("pasted", say.Text("The table as text, with a row for each person"),
			&parts.TextInput{ID: "pasted", Value: p.text, Lines: lines,
				Invalid: p.blank, OnText: func(v string) { p.text, p.blank = v, false }},
			say.Text("As copied from a spreadsheet, or CSV."), fault),
		app.Div().Body(
			app.Button().Class(button).Type("button").Text(say.Text("Read the pasted table")).
				OnClick(func(app.Context, app.Event) {
					if p.blank = strings.TrimSpace(p.text) == ""; !p.blank {
						m.Data.OpenText(p.text)
						p.text = "" // the engine has it now; nobody shall find it here
					}
				})),
	}
}
