package state

import (
	"hush/core/sample"
	"hush/core/table"
	"hush/web/state/form"
	"hush/web/state/spelling"
	"hush/web/state/stage"
)

// following is all that was said and asked of the open file, as it follows what becomes of that.
type following struct{ *Publish }

// Options is how a file is opened: as a waiting recipe or codebook says, or else by guessing.
func (m following) Options() table.Options {
	switch {
	case m.Waiting != nil:
		return m.Waiting.Table
	case m.bookWaits:
		return m.Codebook.Table
	}
	return table.Options{}
}

// Leave ends what is asked of a file that goes for another one. The codebook of a bundled data set
// waits for it, unless a recipe does.
func (m following) Leave(next *sample.Set) {
	if next != nil {
		m.bookWaits = false
	}
	m.Cancel(m.Release.request)
	m.CancelRows()
	m.Rows = RowsChoice{}
	m.Page.OpenData("")
	epsilon := m.Question.Epsilon
	m.Question = form.NewQuestion()
	m.Question.Epsilon = epsilon
	m.Forecast, m.Release, m.Cells, m.Votes = Forecast{}, Release{}, Cells{}, Votes{}
	m.Help.End()
	m.undo, m.lastField, m.example = nil, "", nil
	m.Spelling = spelling.Cells{}
	m.Gone()
	m.forgetBook()
	if next != nil && m.Waiting == nil {
		m.takeBookOf(*next)
	}
}

func (m following) Gone() { m.placed, m.placing, m.whose, m.expected = "", 0, "", "" }

func (m following) Rereads() {
	m.Describing, m.placed = Describing{}, ""
	m.whose = m.Data.HeaderName(m.Book.Column)
}

// Reads puts what waits for the file to it.
func (m following) Reads() {
	m.Page.OpenData(m.Data.Opened.Fingerprint)
	m.owed()
	if m.Book.Column > 0 && m.Data.HeaderName(m.Book.Column) != m.whose && !m.bookWaits {
		m.EditBook("", func(b *form.BookForm) { b.Each, b.Column = "", 0 })
	}
	switch {
	case m.Waiting != nil:
		m.opened()
	case m.Data.Sample:
		m.Data.Confirm()
	case m.bookWaits:
		m.openedForBook()
	}
	m.showExample()
}

// openedForBook puts the codebook that waits to the file that has just been read as it says. Rows
// of another width are read anew, as they look, and a person confirms that.
func (m following) openedForBook() {
	o, waits := m.Data.Opened.Options, &m.Codebook.Table
	switch {
	case *waits != (table.Options{}) && m.Data.Opened.Width != o.Columns && o.Ragged != table.Keep:
		*waits = table.Options{}
		m.Data.Reread(func(o *table.Options) { *o = table.Options{} })
	case *waits == o && !m.Data.Doubtful() && !m.Book.Lacks():
		m.Data.Confirm()
	}
}

func (m following) LacksPersons() bool { return m.Book.Lacks() }

// Confirmed leads on: to the question, or to the codebook while no column is described.
func (m following) Confirmed() {
	m.Question.Table = m.Data.Opened.Options
	m.see()
	if m.Codebook.Described() > 0 {
		m.Ask()
		return
	}
	m.Way.GoTo(stage.Columns)
	m.settle()
}
