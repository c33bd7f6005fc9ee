package editor

import (
	"hush/web/publish/answer"
	"hush/web/report"
)

// save draws the pictures, and saves the page when it has all.
func (p *Page) save() {
	e := &p.Model.Page
	page := e.Publication(p.Browser.Today())
	page.Build = p.Browser.Build()
	answer.Drawn(p.Browser, p.Model, e.Releases(), func(answers []report.Answer) {
		r := report.Report{Page: page}
		for _, a := range answers {
			r.Pictures = append(r.Pictures, report.Picture{Wide: a.Picture, Narrow: a.Narrow})
		}
		p.Browser.Download("hush-report.html", "text/html", r.HTML())
	})
}
