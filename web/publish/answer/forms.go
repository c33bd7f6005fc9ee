package answer

import (
	"hush/core/phrase"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/report"
	"hush/web/state"
)

// Form is a form in which a publication is saved.
type Form struct {
	ID          string // and the ending of its file
	Title, Help phrase.Key
	mediaType   string
}

// page is the form of a page of figures.
const page = "html"

// Forms are those that there are: the page, and what other programs read.
var Forms = []Form{
	{page, "Page (HTML)", "one file to open, print, pass on", "text/html"},
	{"docx", "Word (DOCX)", "text, pictures and tables", officeType + "wordprocessingml.document"},
	{"xlsx", "Excel (XLSX)", "a sheet for each figure", officeType + "spreadsheetml.sheet"},
	{"zip", "All (ZIP)", "all of these, CSV files, a notebook, an R script, the questions",
		"application/zip"},
}

const officeType = "application/vnd.openxmlformats-officedocument."

// Save saves a publication in this form. A failure is shown where m shows those of exports.
func (f Form) Save(b *parts.Browser, m *state.Model, r report.Report) {
	name := "hush-report." + f.ID
	if f.ID == page {
		b.Download(name, f.mediaType, r.HTML())
		return
	}
	b.DownloadForm(name, f.mediaType, f.ID, engine.Encode(r.Content(f.ID == "zip")),
		func(_ engine.Request, kind string, body []byte) { exportEnded(m, kind, body) })
}
