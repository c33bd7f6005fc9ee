package editor

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/publication"
	"hush/web/parts"
	"hush/web/publish/answer"
	"hush/web/report"
	"hush/web/say"
	"hush/web/state/edit"
)

// save draws the pictures, and saves the page in a form once all are there.
func (p *Page) save(form answer.Form) {
	p.illustrated(p.publication(), func(r report.Report) {
		form.Save(p.Browser, p.Model, r, p.signs)
	})
}

// illustrated draws the pictures of the page, and passes it to use once all are there.
func (p *Page) illustrated(page publication.Page, use func(report.Report)) {
	answer.Drawn(p.Browser, p.Model, p.Model.Page.Releases(), func(answers []report.Answer) {
		r := report.Report{Page: page}
		for _, a := range answers {
			r.Pictures = append(r.Pictures, report.Picture{Wide: a.Picture, Narrow: a.Narrow})
		}
		use(r)
	})
}

// review saves the reviewer's package of the page.
func (p *Page) review() {
	answer.SaveReview(p.Browser, p.Model, "hush-review.zip", p.publication())
}

// publication returns the drawn part of the page, as it would be saved now.
func (p *Page) publication() publication.Page {
	page := p.Model.Page.Publication(p.Browser.Today())
	page.Build = p.Browser.Build()
	return page
}

const (
	previewID      = "page-preview"
	previewFrameID = previewID + "-frame"
)

// showPreview shows the file that would be saved now, and where the figures still to be drawn will
// stand.
func (p *Page) showPreview() {
	page := p.Model.Page.Preview(p.Browser.Today(), func(piece *edit.Piece) string {
		return say.Format("Not released yet: %s", p.question(*piece.Recipe))
	})
	page.Build = p.Browser.Build()
	p.Browser.ShowDialog(previewID)
	p.illustrated(page, func(r report.Report) { p.Browser.Preview(previewFrameID, r.HTML()) })
}

// preview is the window of showPreview.
func preview(b *parts.Browser) app.UI {
	return app.Dialog().ID(previewID).Class("dialog whole").Aria("labelledby", previewID+"-title").
		Body(
			app.Div().Class("dialog-head").Body(
				app.H2().ID(previewID+"-title").Text(say.Text("Preview of the page")),
				app.Button().ID(previewID+"-close").Class("button").Type("button").
					Text(say.Text("Close")).
					OnClick(func(app.Context, app.Event) { b.HideDialog(previewID) })),
			app.IFrame().ID(previewFrameID).Title(say.Text("The page as its file shows it")))
}

// forms are the other forms in which the page can be saved.
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
		say.Text("answers to reviewers' questions"), p.review),
		app.Li().Body(parts.CheckField("sign-page", say.Text("Sign the page"), p.signs,
			say.Text("Signs the HTML and the ZIP with a key of this device. Readers who know "+
				"your key from elsewhere see that the page is yours. The key also shows that all "+
				"files signed with it come from one device."),
			func(on bool) { p.signs = on })))
	return app.Details().Class("menu up").Body(
		parts.ShortSummary(say.Text("Other forms of the page"), "…"),
		app.Ul().Body(items...))
}
