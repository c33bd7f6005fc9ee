package state

import (
	"cmp"
	"slices"

	"hush/core/codebook"
	"hush/core/sample"
	"hush/core/table"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/form"
	"hush/web/state/place"
	"hush/web/state/spelling"
)

// Data is step 1: the file, and how it is read.
type Data struct {
	Phase    DataPhase
	Name     string // the file's, for the owner's screen only
	Size     int64  // bytes
	Sample   bool   // one of the bundled data sets, whose reading is known
	Progress engine.Progress
	Opened   engine.Opening
	Failure  *engine.Fault
	// Confirmed is true once the person has accepted how the file is read. Nothing guessed enters a
	// recipe before.
	Confirmed bool
	// Unanswered is true once its owner has tried to go on without saying what one row is.
	Unanswered bool
	// Misfit is true where a recipe was put to the file that wants rows of another width:
	// Model.Waiting still is that recipe.
	Misfit bool

	placed   string // the lists in which cells were looked for, encoded
	placing  engine.Request
	whose    string // the header of the column that says whose rows these are, before a new reading
	expected string // the columns that the engine expects, as text
	request  engine.Request
}

// DataID is the element to which the reader is led when a file is opened.
const DataID = "step-data"

// PersonsID is the element that asks whether a person can have several rows.
const PersonsID = "persons"

// DataPhase says where step 1 stands.
type DataPhase int

const (
	DataNone DataPhase = iota
	DataOpening
	DataOpened
	DataFailed
)

// NotText reports whether the file is no text: a workbook, an archive, a picture.
func (d *Data) NotText() bool {
	return slices.ContainsFunc(d.Opened.Problems,
		func(p table.Problem) bool { return p.Kind == table.NotText })
}

// Unusable says why no reading of an opened file makes it a data set; empty: it is one, or another
// reading makes it one. It depends on what is public, the number of rows, and on what the owner's
// screen shows.
func (d *Data) Unusable() string {
	switch {
	case d.NotText():
		return say.Text("This is no table of text, and cannot be read as one. Open another file.")
	case d.Opened.Rows == 0:
		return say.Text("This file has no rows, so there is nothing to ask. Open another file.")
	}
	return ""
}

// Counting reports whether how many rows there are depends on places where the file is not as it
// should be. The number is published, so a person confirms it.
func (d *Data) Counting() bool {
	return slices.ContainsFunc(d.Opened.Problems, table.Problem.CountsRows)
}

// doubtful reports whether a person has yet to confirm how many rows there are: of a data set from
// which nothing was released.
func (m *Publish) doubtful() bool {
	return !m.Data.Confirmed && m.Data.Counting() && (m.Account == nil || m.Account.Count == 0)
}

// Misfit says how the file differs from the one that the waiting recipe was saved for.
func (m *Publish) Misfit() string {
	return say.Format("This file is not shaped like the one that the question was saved for: its "+
		"rows have %s, and the question was saved for %s. Read this way, every row would count "+
		"as one without values. Open another file, or ask again about this one.",
		columnCount(m.Data.Opened.Width), columnCount(m.Data.Opened.Options.Columns))
}

func columnCount(n int) string { return say.Count(int64(n), "%d column", "%d columns", n) }

// Open reads a dropped or picked file.
func (m *Publish) Open(f engine.File) {
	m.opening(f.Name(), f.Size(), false)
	m.read(engine.Source{Options: m.optionsFor()}, f)
	m.Update()
}

// OpenText reads a table that was pasted.
func (m *Publish) OpenText(text string) {
	m.opening(say.Text("pasted table"), int64(len(text)), false)
	m.read(engine.Source{Options: m.optionsFor(), Text: &text}, nil)
	m.Update()
}

// OpenSample reads a bundled data set.
func (m *Publish) OpenSample(s sample.Set) {
	m.bookWaits = false
	m.opening(say.Text(s.Title), 0, true)
	if m.Waiting == nil {
		m.takeBookOf(s)
	}
	m.read(engine.Source{Options: m.optionsFor(), Sample: s.Name}, nil)
	m.Update()
}

// takeBookOf has the codebook of a bundled data set wait for it.
func (m *Publish) takeBookOf(s sample.Set) {
	if b, err := codebook.Decode([]byte(s.Codebook)); err == nil {
		b.Rows.Each = cmp.Or(b.Rows.Each, codebook.One)
		m.Codebook, m.Book, m.bookWaits = b, form.BookFormOf(b), true
	}
}

// read has the engine open a file; nil where the source says enough.
func (m *Publish) read(s engine.Source, f engine.File) {
	m.Data.request = m.Call(engine.Open.With(s).Of(f), m.openReply)
}

func (m *Publish) opening(name string, size int64, isSample bool) {
	m.Cancel(m.Data.request)
	m.Cancel(m.Release.request)
	m.CancelRows()
	m.Rows = RowsChoice{}
	m.Page.OpenData("")
	epsilon := m.Question.Epsilon
	m.Question = form.NewQuestion()
	m.Question.Epsilon = epsilon
	m.Forecast, m.Release, m.Account, m.Cells, m.Votes = Forecast{}, Release{}, nil, Cells{},
		Votes{}
	m.Help.End()
	m.undo, m.lastField, m.chosen, m.example = nil, "", StageData, nil
	m.window.Reveal(DataID) // what was pressed is gone
	m.Spelling = spelling.Cells{}
	m.forgetBook()
	m.Data = Data{Phase: DataOpening, Name: name, Size: size, Sample: isSample}
}

// CancelOpen gives up reading.
func (m *Publish) CancelOpen() {
	m.Cancel(m.Data.request)
}

func (m *Publish) openReply(r engine.Request, kind string, body []byte) {
	if r != m.Data.request {
		return
	}
	switch kind {
	case engine.ReplyProgress:
		engine.Decode(body, &m.Data.Progress)
		m.progressed() // nothing else
		return
	case engine.ReplyDone:
		m.Data.request, m.Data.Phase = 0, DataOpened
		m.Data.Opened = engine.Open.Read(body)
		m.Data.Opened.StorageRefused = engine.Said(m.Data.Opened.StorageRefused)
		m.Account = &m.Data.Opened.Account
		m.Page.OpenData(m.Data.Opened.Fingerprint)
		m.owed()
		if m.Book.Column > 0 && m.HeaderName(m.Book.Column) != m.Data.whose && !m.bookWaits {
			m.EditBook("", func(b *form.BookForm) { b.Each, b.Column = "", 0 })
		}
		switch {
		case m.Waiting != nil:
			m.opened()
		case m.Data.Sample:
			m.Confirm()
		case m.bookWaits:
			m.openedForBook()
		}
		m.showExample()
	case engine.ReplyFailed:
		m.Data.request = 0
		m.Data.Failure = place.Failure(body)
		m.Data.Phase = DataFailed
		if m.Data.Failure.Code == engine.Cancelled {
			m.Data = Data{}
		}
	}
	m.Update()
}

// openedForBook puts the codebook that waits to the file that has just been read as it says. Rows
// of another width are read anew, as they look, and a person confirms that.
func (m *Publish) openedForBook() {
	o, waits := m.Data.Opened.Options, &m.Codebook.Table
	switch {
	case *waits != (table.Options{}) && m.Data.Opened.Width != o.Columns && o.Ragged != table.Keep:
		*waits = table.Options{}
		m.Reread(func(o *table.Options) { *o = table.Options{} })
	case *waits == o && !m.doubtful() && !m.Book.Lacks():
		m.Confirm()
	}
}

// Forget closes the file and everything asked about it, and clears it from the address. The record
// of the budget spent stays.
func (m *Publish) Forget() {
	m.Cancel(m.Release.request)
	m.Waiting, m.RecipeFault = nil, ""
	m.window.Address(place.ViewWorkbench.Path())
	m.Page.OpenData("")
	m.Help.End()
	m.Spelling = spelling.Cells{}
	m.Data, m.Question, m.undo, m.lastField = Data{}, form.NewQuestion(), nil, ""
	m.bookWaits, m.BookNote, m.chosen = false, "", StageLanding
	m.forgetBook()
	m.Forecast, m.Release, m.Account, m.Cells, m.Votes = Forecast{}, Release{}, nil, Cells{},
		Votes{}
	m.Update()
}

// Columns is what the owner's screen calls the columns.
func (m *Publish) Columns() []string {
	names := make([]string, len(m.Data.Opened.Fields))
	for i := range names {
		names[i] = m.ColumnName(i + 1)
	}
	return names
}

// Field is column i, from 1, as the file shows it; nil where there is none.
func (m *Publish) Field(i int) *table.Field {
	if i < 1 || i > len(m.Data.Opened.Fields) {
		return nil
	}
	return &m.Data.Opened.Fields[i-1]
}

// HeaderName is the header's word for column i, from 1; empty without one.
func (m *Publish) HeaderName(i int) string {
	if f := m.Field(i); f != nil {
		return f.Name
	}
	return ""
}

// Confirm accepts how the file is read: it becomes part of the recipe. What is no data set however
// it is read is not accepted, nor a guess at the encoding where there are several readings, nor a
// file of which nobody has said whether a person can have several rows.
func (m *Publish) Confirm() {
	if m.Data.Phase != DataOpened || m.Data.Misfit || m.Data.Unusable() != "" ||
		len(m.Data.Opened.Readings) > 0 {
		m.Update()
		return
	}
	if m.Data.Unanswered = m.Book.Lacks(); m.Data.Unanswered {
		m.Update()
		m.reveal(PersonsID)
		return
	}
	m.Data.Confirmed = true
	m.Question.Table = m.Data.Opened.Options
	m.see()
	if m.Codebook.Described() > 0 {
		m.Ask()
		return
	}
	m.GoTo(StageColumns)
	m.settle()
}

// AskAnew drops the recipe that does not fit the open file: the file is read as it looks, and asked
// about from the start.
func (m *Publish) AskAnew() {
	m.Waiting, m.RecipeFault, m.bookWaits = nil, "", false
	m.Question = form.NewQuestion()
	m.forgetBook()
	m.Reread(func(o *table.Options) { *o = table.Options{} })
}

// Reread reads the file again in another way than was guessed.
func (m *Publish) Reread(change func(*table.Options)) {
	if m.Data.Phase == DataNone { // it was closed
		return
	}
	options := m.Data.Opened.Options
	change(&options)
	m.Data.Confirmed, m.Data.Misfit, m.Describing = false, false, Describing{}
	m.Data.placed = ""
	m.Data.whose = m.HeaderName(m.Book.Column)
	m.read(engine.Source{Options: options}, nil)
	m.Update()
}
