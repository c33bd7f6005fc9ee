package answer

import (
	"encoding/json"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/phrase"
	"hush/core/publication"
	"hush/core/review"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/chart/svg"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/report"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/place"
	"hush/web/state/session"
)

// Exports is the row of ways to take a release out of the page.
type Exports struct {
	app.Compo

	Model    *state.Model   // read; failures are reported to it
	Revision int            // Model.Revision
	Browser  *parts.Browser // draws the picture, saves the files

	signs bool // the JSON and the report are signed
}

// exportKinds lists them in the order of the page.
var exportKinds = []struct {
	id          string
	title, help phrase.Key
	save        func(*Exports, *task.Release)
}{
	{"png", "PNG", "the chart, 1440 points wide, for slides", func(e *Exports, r *task.Release) {
		e.draw(r, func(p *svg.Picture) {
			e.Browser.DownloadPNG(fileName(r, "png"), p.SVG(), e.ended)
		})
	}},
	{"svg", "SVG", "the chart, sharp at any size", func(e *Exports, r *task.Release) {
		e.draw(r, func(p *svg.Picture) {
			e.Browser.Download(fileName(r, "svg"), "image/svg+xml", p.SVG())
		})
	}},
	{"csv", "CSV", "the table, for spreadsheets", func(e *Exports, r *task.Release) {
		e.Browser.Download(fileName(r, "csv"), "text/csv", r.CSV())
	}},
	{"wide", "CSV, wide", "a column for each place, and sums", func(e *Exports, r *task.Release) {
		if text, ok := r.WideCSV(); ok {
			e.Browser.Download(fileName(r, "wide.csv"), "text/csv", text)
		}
	}},
	{"json", "JSON", "all of it, for programs", func(e *Exports, r *task.Release) {
		e.json(r)
	}},
	{"html", "Report (HTML)", "a page to open, print, pass on", func(e *Exports, r *task.Release) {
		Drawn(e.Browser, e.Model, []*task.Release{r}, func(answers []report.Answer) {
			text := reportOf(answers[0], e.Browser.Build(), e.Browser.Today())
			Sign(e.Browser, e.Model, e.signs, []string{text}, func(texts []string) {
				e.Browser.Download(fileName(r, "html"), "text/html", texts[0])
			})
		})
	}},
	{"zip", "All (ZIP)", "all of these, the recipe, and a program that asks it again",
		func(e *Exports, r *task.Release) {
			Drawn(e.Browser, e.Model, []*task.Release{r}, func(answers []report.Answer) {
				e.draw(r, func(p *svg.Picture) {
					files := exportFiles(answers[0], p, e.Browser.Build(), e.Browser.Today())
					e.Browser.DownloadZip(fileName(r, "zip"), engine.Encode(files), e.ended)
				})
			})
		}},
	{"review", "Reviewer’s package (ZIP)", "items of NIST SP 800-226, registry entry, codebook, " +
		"trade-off curve",
		func(e *Exports, r *task.Release) {
			SaveReview(e.Browser, e.Model, fileName(r, "review.zip"), publication.Page{
				Date: e.Browser.Today(), Build: e.Browser.Build(),
				Pieces: []publication.Piece{{Figure: &publication.Figure{Release: r}}}})
		}},
}

// atOnce is the number of ways that are offered at once.
const atOnce = 3

// Render draws a button for each: the usual ones directly, the others below More. A release that is
// mostly noise is handed out once a person confirms knowing that.
func (e *Exports) Render() app.UI {
	m := e.Model
	title, know := say.Text("Download"), parts.Absent()
	if r := m.Answer.Result; session.IsNoise(r) {
		title = say.Text("Publish it all the same?")
		know = app.Label().Class("check").Body(
			app.Input().ID("know").Type("checkbox").Checked(m.Answer.MayCopy(r)).
				OnChange(func(ctx app.Context, _ app.Event) {
					m.Answer.Know(m.Answer.Result, ctx.JSSrc().Get("checked").Bool())
				}),
			app.Span().Text(say.Text("I know these numbers are mostly noise. Every copy will say "+
				"so.")),
		)
	}
	return app.Section().Class("stack no-print").Aria("labelledby", "exports-title").Body(
		app.H3().ID("exports-title").Class("minor").Text(title),
		know,
		app.Div().Class("exports").Body(app.Range(exportKinds[:atOnce]).Slice(
			func(i int) app.UI { return e.button(i, "button small") })),
		app.Details().Class("more").Body(
			app.Summary().Text(say.Text("More…")),
			app.Div().Class("stack").Body(app.Range(exportKinds[atOnce:]).Slice(
				func(i int) app.UI {
					if _, wide := m.Answer.Result.Answer.Result.(ask.Wide); !wide &&
						exportKinds[atOnce+i].id == "wide" {
						return parts.Absent()
					}
					return e.button(atOnce+i, "export")
				})),
			parts.CheckField("sign",
				say.Text("Sign the JSON and the report with a key of this device"), e.signs,
				say.Text("Readers who know your key from elsewhere see that the file is yours. "+
					"The key also shows that all files signed with it come from one device."),
				func(on bool) { e.signs = on }),
		),
		app.P().Class("soft small").
			Text(say.Text("None of it holds the data, or the name of the file.")),
		app.If(m.Answer.NoExport != "", func() app.UI {
			return parts.Note("bad", m.Answer.NoExport)
		}),
	)
}

// json saves a release as JSON, signed on request.
func (e *Exports) json(r *task.Release) {
	text := r.JSON(e.Browser.Build())
	save := func(text string) {
		e.Browser.Download(fileName(r, "json"), "application/json", text)
	}
	if !e.signs {
		save(text)
		return
	}
	body, _, _ := ask.Checksum(text)
	e.Browser.Call(engine.Sign.With(body), func(_ engine.Request, kind string, reply []byte) {
		if kind == engine.ReplyDone {
			s := engine.Sign.Read(reply)
			save(ask.WithSignature(text, s.Key, s.Value))
		}
		e.ended(0, kind, reply)
	})
}

// button is one way, which is read aloud in full.
func (e *Exports) button(i int, class string) app.UI {
	kind := exportKinds[i]
	title, help := say.Text(kind.title), say.Text(kind.help)
	b := app.Button().ID("export-"+kind.id).Class(class).Type("button").
		Aria("label", title+": "+help).
		Disabled(!e.Model.Answer.MayCopy(e.Model.Answer.Result))
	if i < atOnce {
		b = b.Title(title + ": " + help).Text(title)
	} else {
		b = b.Body(app.B().Text(title), app.Text(" "), app.Span().Class("small soft").Text(help))
	}
	return b.OnClick(func(app.Context, app.Event) {
		// a handler outlives the release with which it was drawn
		if r := e.Model.Answer.Result; r != nil && e.Model.Answer.MayCopy(r) {
			kind.save(e, r)
		}
	}, app.EventScope(i))
}

// draw makes the release's picture and passes it on.
func (e *Exports) draw(r *task.Release, use func(*svg.Picture)) {
	drawPicture(e.Browser, e.Model, r, use)
}

// drawPicture makes the picture of a release that leaves the page; a failure is reported to m.
func drawPicture(b *parts.Browser, m *state.Model, r *task.Release, use func(*svg.Picture)) {
	option, tall := chart.Publication(r)
	drawAt(b, m, option, tall, 0, use)
}

// drawAt draws an option at a width; 0 is the usual one.
func drawAt(b *parts.Browser, m *state.Model, option json.RawMessage, tall bool, width int,
	use func(*svg.Picture)) {
	b.Picture(option, tall, width, func(_ engine.Request, kind string, body []byte) {
		if kind != engine.ReplyDone {
			exportEnded(m, kind, body)
			return
		}
		var drawn string
		engine.Decode(body, &drawn)
		picture, err := svg.New(drawn)
		if err != nil {
			m.Answer.Exported(say.Format("The file could not be made: %s.", err))
			return
		}
		m.Answer.Exported("")
		use(picture)
	})
}

// Drawn makes the pictures of releases for a page of figures, one after another, and passes on all
// of them. A failure is shown where m shows those of exports.
func Drawn(b *parts.Browser, m *state.Model, releases []*task.Release, use func([]report.Answer)) {
	drawn(b, m, releases, nil, use)
}

func drawn(b *parts.Browser, m *state.Model, left []*task.Release, done []report.Answer,
	use func([]report.Answer)) {
	if len(left) == 0 {
		use(done)
		return
	}
	option, tall, width := chart.Bare(left[0])
	drawAt(b, m, option, tall, width, func(wide *svg.Picture) {
		drawAt(b, m, option, tall, chart.NarrowWidth, func(narrow *svg.Picture) {
			answer := report.Answer{Release: left[0], Picture: wide, Narrow: narrow}
			drawn(b, m, left[1:], append(done, answer), use)
		})
	})
}

// ended handles the end of a download that the browser makes.
func (e *Exports) ended(_ engine.Request, kind string, body []byte) {
	exportEnded(e.Model, kind, body)
}

// SaveReview saves the reviewer's package of a page.
func SaveReview(b *parts.Browser, m *state.Model, name string, page publication.Page) {
	files, err := review.Files(page)
	if err != nil {
		m.Answer.Exported(say.Format("The file could not be made: %s.", say.Error(err)))
		return
	}
	b.DownloadZip(name, engine.Encode(files),
		func(_ engine.Request, kind string, body []byte) { exportEnded(m, kind, body) })
}

func exportEnded(m *state.Model, kind string, body []byte) {
	if kind == engine.ReplyFailed {
		m.Answer.Exported(say.Format("The file could not be made: %s.",
			place.Failure(body).Message))
	}
}

// reportOf returns the report of one answer, as it is saved alone and in the archive.
func reportOf(a report.Answer, build, date string) string {
	return report.Of(build, date, a).HTML()
}

// exportFiles returns the archive of one answer, with the picture that contains all its words.
func exportFiles(a report.Answer, picture *svg.Picture, build, date string) []report.File {
	r := a.Release
	files := []report.File{
		{Name: fileName(r, "csv"), Text: r.CSV()},
		{Name: fileName(r, "json"), Text: r.JSON(build)},
		{Name: fileName(r, "svg"), Text: picture.SVG()},
		{Name: fileName(r, "html"), Text: reportOf(a, build, date)},
		{Name: "recipe.json", Text: report.RecipeText(r)},
		{Name: fileName(r, "png"), PNG: picture.SVG()},
	}
	if text, ok := r.WideCSV(); ok {
		files = append(files, report.File{Name: fileName(r, "wide.csv"), Text: text})
	}
	return files
}

// fileName is public: it consists of task and extension, and nothing from the file.
func fileName(r *task.Release, ending string) string {
	return "hush-" + r.Recipe.Task + "." + ending
}
