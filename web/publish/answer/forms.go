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
	ID          string // also the extension of its file
	Title, Help phrase.Key
	mediaType   string
}

// page is the form of a page of figures.
const page = "html"

// Forms lists all forms: the page, and those for other programs.
var Forms = []Form{
	{page, "Page (HTML)", "one file to open, print, pass on", "text/html"},
	{"docx", "Word (DOCX)", "text, pictures and tables", officeType + "wordprocessingml.document"},
	{"xlsx", "Excel (XLSX)", "a sheet for each figure", officeType + "spreadsheetml.sheet"},
	{"zip", "All (ZIP)", "all of these, CSV files, a notebook, an R script, the questions",
		"application/zip"},
}

const officeType = "application/vnd.openxmlformats-officedocument."

// Save saves a publication in this form, with its page and its data signed if signs says so. A
// failure is shown where m shows those of exports.
func (f Form) Save(b *parts.Browser, m *state.Model, r report.Report, signs bool) {
	name := "hush-report." + f.ID
	if f.ID == page {
		Sign(b, m, signs, []string{r.HTML()}, func(pages []string) {
			b.Download(name, f.mediaType, pages[0])
		})
		return
	}
	all := f.ID == "zip"
	c := r.Content(all)
	Sign(b, m, signs && all, []string{c.HTML, c.JSON}, func(pages []string) {
		c.HTML, c.JSON = pages[0], pages[1]
		b.DownloadForm(name, f.mediaType, f.ID, engine.Encode(c),
			func(_ engine.Request, kind string, body []byte) { exportEnded(m, kind, body) })
	})
}
