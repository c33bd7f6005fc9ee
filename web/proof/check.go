package proof

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/verify"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/claim"
	"hush/web/state/place"
)

// CheckPage opens a release that somebody else made and lists which of its claims hold, beside what
// no file can prove.
type CheckPage struct {
	app.Compo

	Check    *claim.Check   // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser // for files

	told string // what became of a copy
}

// checkInputID is the ID of the page's file input.
const checkInputID = "check-file"

// The lines of the signs, and of a sheet of paper.
const (
	tickLines   = "M3 8.5 6.5 12 13 4.5"
	crossLines  = "M4 4l8 8M12 4l-8 8"
	askLines    = "M6 6a2 2 0 1 1 3 1.8c-.7.4-1 .8-1 1.7M8 12.2v.01"
	sheetLines  = "M4 1.5h5.5L13 5v9.5H4zM9 1.5V5.5h4"
	acceptFiles = ".json,.html,.htm,application/json,text/html"
)

// Render draws the way to a file, or the report about it.
func (v *CheckPage) Render() app.UI {
	c := v.Check
	body := []app.UI{tabs(place.ViewCheck), v.head()}
	switch c.Phase {
	case claim.CheckUnasked:
		body = append(body, v.drop())
	case claim.CheckRunning:
		body = append(body, app.P().Class("soft").Role("status").Text(say.Text("Checking…")))
	case claim.CheckFailed:
		body = append(body, parts.FailureNote(c.Failure), v.drop())
	case claim.CheckDone:
		body = append(body, v.report(c.Report)...)
	}
	return app.Div().Class("checking").Body(body...)
}

// head draws the title, and the name of the open file.
func (v *CheckPage) head() app.UI {
	c := v.Check
	return app.Div().Class("check-head").Body(
		app.Div().Body(
			app.H1().Text(say.Text("Check a release")),
			app.P().Class("soft").Text(say.Text("Hush recomputes what a release file claims. It "+
				"needs no data, and nothing is sent.")),
		),
		parts.FileInput(checkInputID, acceptFiles, v.open),
		app.If(c.Phase == claim.CheckDone, func() app.UI {
			return app.Div().Class("file-line").Body(
				parts.Icon(sheetLines),
				app.Span().Body(
					app.B().Body(app.Bdi().Text(c.Name)),
					app.Span().Class("soft small").Text(say.Bytes(c.Size)),
				),
				v.pick(say.Text("Open another…")),
			)
		}),
	)
}

func (v *CheckPage) open(f engine.File) {
	v.told = ""
	v.Check.Open(f, v.Browser.Build())
}

func (v *CheckPage) pick(text string) app.UI {
	return app.Button().Class("button").Type("button").Text(text).
		OnClick(func(app.Context, app.Event) { v.Browser.Pick(checkInputID) })
}

// drop draws the place where a file can be dropped, which page.js handles.
func (v *CheckPage) drop() app.UI {
	return app.Div().Class("drop").Body(
		app.Strong().Text(say.Text("Drop a release here")),
		v.pick(say.Text("Choose a file…")),
		app.P().Class("soft small").Text(say.Text("The JSON of a release or of a page of figures, "+
			"or such a page as HTML. It is read in this tab and sent nowhere.")),
	)
}

// report draws the result of checking a file.
func (v *CheckPage) report(r *verify.Report) []app.UI {
	var failed, other []verify.Check
	lines := map[int]bool{}
	for _, c := range r.Checks {
		if c.Status != verify.Fails {
			other = append(other, c)
			continue
		}
		failed = append(failed, c)
		for _, f := range c.Faults {
			lines[f.Line] = true
		}
	}
	var left []app.UI
	if len(failed) == 0 {
		left = append(left, app.Section().Class("card pad stack").Body(
			app.H2().Text(say.Text("Recomputed from the file")), checks(other)))
	} else {
		left = append(left, app.Section().Class("card pad stack").Body(
			app.H2().Text(say.Text("Fails")), checks(failed), v.note(r, failed)))
		if len(other) > 0 {
			left = append(left, app.Section().Class("card pad stack").Body(
				app.Details().Class("more").Open(true).Body(
					app.Summary().Text(say.Count(int64(len(other)), "%d other check",
						"%d other checks", len(other))),
					checks(other))))
		}
	}
	return []app.UI{
		outcome(r, len(failed), len(lines)),
		app.Div().Class("check-grid").Body(
			app.Div().Class("stack wide").Body(left...),
			app.Div().Class("stack wide").Body(
				app.Section().Class("card pad stack").Body(
					app.H2().Text(say.Text("What no file can prove")), checks(r.Unknowable)),
				v.published(),
			),
		),
	}
}

// outcome sums up the whole in one sentence.
func outcome(r *verify.Report, failed, lines int) app.UI {
	class, icon, title := "outcome ok", tickLines, say.Text("All that can be checked holds.")
	if r.Shown == verify.Holds {
		title = say.Text("All that can be checked holds, in the data and in what the page shows.")
	}
	about := r.About
	if r.Loss != "" {
		about = say.Format("%s. %s.", about, r.Loss)
	}
	if r.Shown == verify.Cannot {
		class, icon = "outcome", askLines
		title = say.Text("The data hold. Not all that a reader sees was compared with them.")
	}
	if failed > 0 {
		class, icon = "outcome no", crossLines
		title = say.Count(int64(lines), "One line does not hold.", "%d lines do not hold.", lines)
		about = say.Format("Do not rely on it until its publisher has explained this. %s", about)
	}
	return app.Div().Class(class).Role("status").Body(
		app.Span().Class("sign").Body(parts.Icon(icon)),
		app.Div().Body(app.H2().Text(title), app.P().Text(about)),
	)
}

// checks draws a list of checks with their signs.
func checks(list []verify.Check) app.UI {
	return app.Ol().Class("chks").Body(app.Range(list).Slice(func(i int) app.UI {
		c := list[i]
		class, icon, words := "chk ok", tickLines, say.Text("Holds:")
		switch c.Status {
		case verify.Fails:
			class, icon, words = "chk no", crossLines, say.Text("Fails:")
		case verify.Cannot:
			class, icon, words = "chk un", askLines, say.Text("Cannot be checked:")
		}
		body := []app.UI{app.H3().Body(
			app.Span().Class("hidden-visually").Text(words+" "), app.Text(c.Title))}
		if c.Detail != "" && c.Status != verify.Fails {
			body = append(body, app.P().Text(c.Detail))
		}
		for _, f := range c.Faults {
			body = append(body, faultView(f)...)
		}
		if c.More > 0 {
			body = append(body, app.P().Text(say.Count(int64(c.More), "%d more place.",
				"%d more places.", c.More)))
		}
		return app.Li().Class(class).Body(
			app.Span().Class("sign").Body(parts.Icon(icon)),
			app.Div().Body(body...),
		)
	}))
}

// faultView draws a place that does not hold: what it says, what it should say, its lines, and what
// that means.
func faultView(f verify.Fault) []app.UI {
	return []app.UI{
		app.P().Text(f.Says + " " + f.Law),
		app.Pre().Class("code lines").Attr("translate", "no").TabIndex(0).
			Aria("label", say.Format("Line %d of the file", f.Line)).
			Body(app.Range(f.Lines).Slice(func(i int) app.UI {
				line := app.Span()
				if f.Lines[i].Hit {
					line = line.Class("hit")
				}
				return line.Body(app.I().Text(strconv.Itoa(f.Lines[i].Number)),
					app.Text("  "+f.Lines[i].Text))
			})),
		app.P().Class("means").Body(app.B().Text(say.Text("What this means.")),
			app.Text(" "+f.Means)),
	}
}

// note draws a text to the publisher, to be copied.
func (v *CheckPage) note(r *verify.Report, failed []verify.Check) app.UI {
	const id = "check-note"
	text := say.Format("I checked %s (%s) with Hush. This does not hold:", v.Check.Name,
		v.Check.Fingerprint())
	for _, c := range failed {
		for _, f := range c.Faults {
			text += "\n" + say.Format("Line %d, %s: %s %s", f.Line, c.Title, f.Says, f.Law)
		}
	}
	return app.P().Class("row").Body(
		app.Button().Class("button").Type("button").
			Text(say.Text("Copy a note to the publisher")).
			OnClick(func(ctx app.Context, _ app.Event) {
				v.Browser.Copy(id, func(_ engine.Request, kind string, _ []byte) {
					v.told = parts.CopiedText(kind)
					ctx.Update()
				})
			}),
		app.Span().Role("status").Text(v.told),
		app.Span().ID(id).Class("hidden-visually").Aria("hidden", "true").Text(text),
	)
}

// published compares the file with a fingerprint from elsewhere.
func (v *CheckPage) published() app.UI {
	c := v.Check
	body := []app.UI{
		app.H2().Class("minor").Text(say.Text("Is it the file that they published?")),
		parts.Labelled("check-fingerprint", say.Text("Fingerprint on the publisher’s page"),
			&parts.TextInput{ID: "check-fingerprint", Value: c.Wanted, OnText: c.Want},
			say.Format("This file has %s.", c.Fingerprint()), ""),
	}
	if same, said := c.Published(); said {
		class, icon, text := "state", tickLines, say.Text("It is this file.")
		if !same {
			class, icon, text = "state bad", crossLines, say.Text("It is another file.")
		}
		body = append(body, app.P().Class(class).Role("status").Body(parts.Icon(icon),
			app.Span().Text(text)))
	}
	return app.Section().Class("stack").Body(body...)
}
