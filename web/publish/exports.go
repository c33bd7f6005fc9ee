package publish

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/phrase"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/report"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/place"
)

// Exports is the row of ways to take a release out of the page.
type Exports struct {
	app.Compo

	Model    *state.Model   // read, and told what failed
	Revision int            // Model.Revision
	Browser  *parts.Browser // draws the picture, saves the files
}

// exportKinds lists them in the order of the page.
var exportKinds = []struct {
	id          string
	title, help phrase.Key
	save        func(*Exports, *task.Release)
}{
	{"csv", "CSV", "the table, for spreadsheets", func(e *Exports, r *task.Release) {
		e.Browser.Download(fileName(r, "csv"), "text/csv", r.CSV())
	}},
	{"json", "JSON", "all of it, for programs", func(e *Exports, r *task.Release) {
		e.Browser.Download(fileName(r, "json"), "application/json", r.JSON(e.Browser.Build()))
	}},
	{"svg", "Chart (SVG)", "sharp at any size", func(e *Exports, r *task.Release) {
		e.draw(r, func(p *chart.Picture) {
			e.Browser.Download(fileName(r, "svg"), "image/svg+xml", p.SVG())
		})
	}},
	{"png", "Chart (PNG)", "1440 points wide, for slides", func(e *Exports, r *task.Release) {
		e.draw(r, func(p *chart.Picture) {
			e.Browser.DownloadPNG(fileName(r, "png"), p.SVG(), e.ended)
		})
	}},
	{"html", "Report (HTML)", "a page to open, print, pass on", func(e *Exports, r *task.Release) {
		e.draw(r, func(p *chart.Picture) {
			e.Browser.Download(fileName(r, "html"), "text/html", e.report(r, p))
		})
	}},
	{"zip", "All (ZIP)", "all of these, the recipe, and a program that asks it again",
		func(e *Exports, r *task.Release) {
			e.draw(r, func(p *chart.Picture) {
				files := exportFiles(r, p, e.Browser.Build(), e.Browser.Today())
				e.Browser.DownloadZip(fileName(r, "zip"), engine.Encode(files), fileName(r, "png"),
					p.SVG(), e.ended)
			})
		}},
}

// Render draws a button for each.
func (e *Exports) Render() app.UI {
	return app.Section().Class("more no-print").Aria("labelledby", "exports-title").Body(
		app.H3().ID("exports-title").Text(say.Text("Take it with you")),
		app.Div().Class("exports").Body(
			app.Range(exportKinds).Slice(func(i int) app.UI {
				kind := exportKinds[i]
				return app.Button().ID("export-"+kind.id).Class("export").Type("button").Body(
					app.B().Text(say.Text(kind.title)), app.Text(" "),
					app.Span().Class("small soft").Text(say.Text(kind.help)),
				).OnClick(func(app.Context, app.Event) {
					if r := e.Model.Release.Result; r != nil {
						// a handler outlives the release it was drawn with
						kind.save(e, r)
					}
				})
			}),
		),
		app.P().Class("soft small").
			Text(say.Text("Safe to publish: none of it holds the data, or the name of the file.")),
		app.If(e.Model.Release.NoExport != "", func() app.UI {
			return parts.Note("bad", e.Model.Release.NoExport)
		}),
	)
}

// draw makes the release's picture and hands it on.
func (e *Exports) draw(r *task.Release, use func(*chart.Picture)) {
	option, tall := chart.Publication(r)
	e.Browser.Picture(option, tall, func(request engine.Request, kind string, body []byte) {
		if kind != engine.ReplyDone {
			e.ended(request, kind, body)
			return
		}
		var svg string
		engine.Decode(body, &svg)
		picture, err := chart.NewPicture(svg)
		if err != nil {
			e.Model.Exported(say.Format("The file could not be made: %s.", err))
			return
		}
		e.Model.Exported("")
		use(picture)
	})
}

// ended takes the end of a download that the browser makes.
func (e *Exports) ended(_ engine.Request, kind string, body []byte) {
	if kind == engine.ReplyFailed {
		e.Model.Exported(say.Format("The file could not be made: %s.", place.Failure(body).Message))
	}
}

func (e *Exports) report(r *task.Release, p *chart.Picture) string {
	return report.Of(e.Browser.Build(), e.Browser.Today(), report.Answer{Release: r, Picture: p}).HTML()
}

// exportFile is a file of the archive.
type exportFile struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// exportFiles are the archive's texts; the PNG joins them in the browser, and so does the program
// in web/run, which asks a recipe again natively.
func exportFiles(r *task.Release, p *chart.Picture, build, date string) []exportFile {
	return []exportFile{
		{fileName(r, "csv"), r.CSV()},
		{fileName(r, "json"), r.JSON(build)},
		{fileName(r, "svg"), p.SVG()},
		{fileName(r, "html"),
			report.Of(build, date, report.Answer{Release: r, Picture: p}).HTML()},
		{"recipe.json", report.RecipeText(r)},
	}
}

// fileName is public: task and ending, nothing of the file.
func fileName(r *task.Release, ending string) string {
	return "hush-" + r.Recipe.Task + "." + ending
}
