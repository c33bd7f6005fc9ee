package editor

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/publication"
	"hush/web/publish/answer"
	"hush/web/report"
	"hush/web/say"
)

// save draws the pictures, and saves the page in a form when it has all.
func (p *Page) save(form answer.Form) {
	page := p.publication()
	answer.Drawn(p.Browser, p.Model, p.Model.Page.Releases(), func(answers []report.Answer) {
		r := report.Report{Page: page}
		for _, a := range answers {
			r.Pictures = append(r.Pictures, report.Picture{Wide: a.Picture, Narrow: a.Narrow})
		}
		form.Save(p.Browser, p.Model, r)
	})
}

// review saves the reviewer's package of the page.
func (p *Page) review() {
	answer.SaveReview(p.Browser, p.Model, "hush-review.zip", p.publication())
}

// publication is what is drawn of the page, as it is saved now.
func (p *Page) publication() publication.Page {
	page := p.Model.Page.Publication(p.Browser.Today())
	page.Build = p.Browser.Build()
	return page
}

// forms are the other forms in which the page is saved.
func (p *Page) forms() app.UI {
	item := func(id, title, help string, does func()) app.UI {
		return app.Li().Body(app.Button().ID(id).Type("button").Title(help).
			Aria("label", title+", "+help).Text(title).
			OnClick(func(app.Context, app.Event) { does() }, app.EventScope(id)))
	}
	var items []app.UI
	for _, form := range answer.Forms[1:] {
		items = append(items, item("save-report-"+form.ID, say.Text(form.Title),
			say.Text(form.Help), func() { p.save(form) }))
	}
	items = append(items, item("save-review", say.Text("For reviewers (ZIP)"),
		say.Text("answers to what reviewers ask"), p.review))
	return app.Details().Class("menu up").Body(
		app.Summary().Aria("label", say.Text("Other forms of the page")).Text("…"),
		app.Ul().Body(items...))
}
