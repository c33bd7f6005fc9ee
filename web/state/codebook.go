package state

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/sample"
	"hush/core/task"
	"hush/web/outside"
	"hush/web/say"
	"hush/web/state/dataset"
	"hush/web/state/form"
	"hush/web/state/stage"
)

// Describing is the column whose description is open, as it is typed.
type Describing struct {
	Column int // from 1; 0: none
	Form   form.ColumnForm
	// Outside holds the first rows outside the range typed, for the owner's screen only, and Ladder
	// wider ranges. They block the description until a choice is made.
	Outside []string
	Ladder  []codebook.Values

	typed    bool // something was changed that nobody took
	fault    error
	returnTo stage.Stage // where the description was asked for; 0: at the codebook
}

// BookFault returns what is wrong with a field of the data set as a whole, or "".
func (m *Publish) BookFault(field string) string { return faultAt(m.bookFault, field) }

// ColumnFault returns what is wrong with a field of the open description, or "".
func (m *Publish) ColumnFault(field string) string { return faultAt(m.Describing.fault, field) }

// OtherFault is what is wrong with the open description where no field has it, or "".
func (m *Publish) OtherFault() string {
	var at *param.Error
	if m.Describing.fault == nil || errors.As(m.Describing.fault, &at) {
		return ""
	}
	return task.Capital(say.Error(m.Describing.fault)) + "."
}

func faultAt(err error, field string) string {
	var at *param.Error
	if !errors.As(err, &at) || at.Field != field {
		return ""
	}
	return say.Format("Wanted: %s.", at.Want)
}

// EditBook changes what is said of the data set as a whole. What is typed into one field in a row
// is undone at once.
func (m *Publish) EditBook(field string, change func(*form.BookForm)) {
	m.remember(field)
	change(&m.Book)
	m.Codebook, m.bookFault = m.Book.On(m.Codebook)
	m.settle()
}

// Described reports whether a column, from 1, is described.
func (m *Publish) Described(column int) bool {
	c, ok := m.Codebook.Column(column)
	return ok && c.State() == codebook.Described
}

// Describe opens the description of a column, from 1.
func (m *Publish) Describe(column int) {
	c, ok := m.Codebook.Column(column)
	if !ok {
		return
	}
	from := stage.Stage(0)
	if m.Way.Stage() > stage.Columns {
		from = m.Way.Stage()
	}
	m.putAside()
	m.Describing = Describing{Column: column, Form: form.ColumnFormOf(c), returnTo: from}
	if f, ok := m.drafts[column]; ok {
		m.Describing.Form, m.Describing.typed = f, true
		delete(m.drafts, column)
	}
	m.Way.GoTo(stage.Columns)
	m.Update()
	m.Way.Reveal(m.firstField())
}

// firstField is the element with which a description begins.
func (m *Publish) firstField() string {
	switch f := m.Describing.Form; {
	case f.Kind == domain.Category:
		return "categories"
	case !f.Bounded():
		return "length"
	case f.NoBounds:
		return "kind"
	}
	return "lo"
}

// EditColumn changes what is typed of the column whose description is open.
func (m *Publish) EditColumn(change func(*form.ColumnForm)) {
	if m.Describing.Column == 0 {
		return
	}
	change(&m.Describing.Form)
	m.Describing.typed = true
	m.Describing.fault, m.Describing.Outside = nil, nil
	m.Update()
}

// keepTyped takes what was typed into the open description, as Done would, and reports whether
// nothing is left there that could get lost.
func (m *Publish) keepTyped() bool {
	if m.Describing.Column > 0 && m.Describing.typed {
		m.Describing.returnTo = 0 // something else was pressed, and leads elsewhere
		m.DescribeAs(codebook.Unanswered)
	}
	return m.Describing.Column == 0 || !m.Describing.typed
}

// putAside closes the open description. What was typed and cannot be taken as it is waits until the
// column is opened again.
func (m *Publish) putAside() {
	if d := &m.Describing; !m.keepTyped() {
		m.drafts[d.Column] = d.Form
	}
	m.Describing = Describing{}
}

// CloseColumn closes the description without taking what was typed.
func (m *Publish) CloseColumn() {
	back, column := m.Describing.returnTo, m.Describing.Column
	m.Describing = Describing{}
	m.leave(back)
	m.Update()
	if back == 0 && column > 0 {
		m.Way.Reveal(RowID(column))
	}
}

// leave goes back to where a description was asked for.
func (m *Publish) leave(to stage.Stage) {
	if to > 0 {
		m.Way.GoTo(to)
	}
}

// Suggestions are the public ranges and lists that a column's name stands for by convention.
func (m *Publish) Suggestions(c codebook.Column) []codebook.Suggestion {
	list := codebook.Suggest(c.Header, c.Guess.Kind)
	return list[:min(len(list), maxSuggestions)]
}

const maxSuggestions = 3

// Take describes a column by a suggestion, if no first row lies outside of it; else its description
// opens and asks.
func (m *Publish) Take(column int, s codebook.Suggestion) {
	c, ok := m.Codebook.Column(column)
	if !ok {
		return
	}
	m.putAside()
	m.Describing = Describing{Column: column, Form: form.ColumnFormOf(c)}
	f := &m.Describing.Form
	f.Set(s.On(f.Values()))
	if s.Unit != "" {
		f.Unit = s.Unit
	}
	if m.DescribeAs(codebook.Unanswered); m.Describing.Column > 0 {
		m.Way.Reveal(m.firstField())
	}
}

// List describes a column by categories with commas between them; of none it does nothing.
func (m *Publish) List(column int, text string) {
	if names := form.Split(text, ","); len(names) > 0 {
		m.Take(column, codebook.Suggestion{Values: codebook.Values{
			Spec: domain.Spec{Kind: domain.Category, Categories: names}}})
	}
}

// Widen describes the open column by a wider range.
func (m *Publish) Widen(v codebook.Values) {
	m.Describing.Form.Lo, m.Describing.Form.Hi = v.Lo, v.Hi
	m.DescribeAs(codebook.Unanswered)
}

// DescribeAs takes what was typed into the codebook, and closes the description. While first rows
// lie outside of it, the choice must say what they are.
func (m *Publish) DescribeAs(choice codebook.Choice) {
	d := &m.Describing
	c, ok := m.Codebook.Column(d.Column)
	if !ok {
		return
	}
	values := d.Form.Values()
	if values.Kind == domain.Category && choice == codebook.Unanswered {
		choice = codebook.Errors // which cells have no place is asked of the whole file
	}
	described, err := c.Describe(values, m.Data.First(c.Number), choice)
	next := m.Codebook
	if err == nil {
		described.Name, described.Unit = strings.TrimSpace(d.Form.Name),
			strings.TrimSpace(d.Form.Unit)
		if described.Name == described.Header {
			described.Name = ""
		}
		next, err = m.Codebook.With(described)
	}
	d.fault, d.Outside, d.Ladder = nil, nil, nil
	switch {
	case errors.Is(err, codebook.ErrOutside):
		m.outside(c, values)
		m.Update()
		return
	case err != nil:
		d.fault = err
		m.Update()
		return
	}
	m.remember("")
	m.Codebook = next
	back, column := d.returnTo, d.Column
	m.Describing = Describing{}
	m.settle()
	if m.leave(back); back == 0 {
		m.Way.Reveal(RowID(column))
	}
}

// outside shows which first rows lie outside of values, and offers wider ranges.
func (m *Publish) outside(c codebook.Column, v codebook.Values) {
	cells := m.Data.First(c.Number)
	seen, err := codebook.Look(v, cells)
	if err != nil {
		return // unreachable: they were looked at
	}
	for _, i := range seen.Outside {
		if !slices.Contains(m.Describing.Outside, cells[i]) {
			m.Describing.Outside = append(m.Describing.Outside, cells[i])
		}
	}
	if v.Kind != domain.Category {
		m.Describing.Ladder = codebook.Ladder(c.Header, v, seen.Below, seen.Above)
	}
}

// Undescribe forgets what was said of a column.
func (m *Publish) Undescribe(column int) {
	c, ok := m.Codebook.Column(column)
	if !ok {
		return
	}
	m.remember("")
	if next, err := m.Codebook.With(c.Undescribe()); err == nil {
		m.Codebook = next
	}
	m.Describing = Describing{}
	m.settle()
}

// RowID is the element of a column's row in the codebook.
func RowID(column int) string { return "column-" + strconv.Itoa(column) }

// CodebookText is the codebook as a person saves it.
func (m *Publish) CodebookText() string {
	text, err := m.Codebook.Encode()
	if err != nil {
		panic("web: internal error: " + err.Error()) // each change was checked
	}
	return string(text)
}

// OpenCodebook takes a codebook that was saved. Without a file it waits for one.
func (m *Publish) OpenCodebook(text string) {
	b, err := codebook.Decode([]byte(text))
	if err != nil {
		m.RefuseCodebook(task.Capital(say.Error(err)) + ".")
		return
	}
	m.remember("")
	m.BookRefused, m.Differing, m.Describing = "", nil, Describing{}
	m.bookWaits = m.Data.Phase != dataset.Opened || !m.Data.Confirmed
	before := m.Codebook
	m.Codebook = b
	m.Book = form.BookFormOf(b)
	m.brought(before)
	if m.bookWaits {
		m.Update()
		return
	}
	m.see()
	m.settle()
}

// RefuseCodebook says why no codebook was taken.
func (m *Publish) RefuseCodebook(why string) {
	m.BookRefused = why
	m.Update()
}

// BookWaits reports whether a codebook waits for its file.
func (m *Publish) BookWaits() bool { return m.bookWaits && m.Data.Phase == dataset.None }

// see puts the codebook beside the file whose reading was confirmed, and reports which of its
// columns the file does not have.
func (m *Publish) see() {
	was := m.Codebook
	b, left, ours := was.Beside(m.Data.Opened.Options, m.Data.Opened.Fields)
	m.Differing, m.foreign.Left = nil, nil
	for _, c := range left {
		m.Differing = append(m.Differing, say.Phrase(c.Title()))
		m.foreign.Left = append(m.foreign.Left,
			outside.Claim{About: outside.Left, Column: c.Number, Says: say.Phrase(c.Title())})
	}
	if !ours {
		m.Book.Name, m.Book.Source, m.Book.One, m.Book.Many = "", "", "", ""
	}
	m.Book.Column = b.Rows.Column
	m.Codebook, m.bookWaits = b, false
	if m.foreign.Any() {
		m.brought(was) // what it says of a column went with it
	}
	m.saved = m.Codebook
}

// forgetBook forgets the codebook, unless it waits for the file that is opened.
func (m *Publish) forgetBook() {
	m.Describing, m.bookFault, m.BookRefused, m.Differing = Describing{}, nil, "", nil
	m.drafts = map[int]form.ColumnForm{}
	if !m.bookWaits {
		m.Codebook, m.foreign = codebook.Codebook{}, foreign{}
	}
	m.Book = form.BookFormOf(m.Codebook)
}

// learn describes the columns of a recipe in the codebook. BookNote says where the codebook said
// otherwise.
func (m *Publish) learn(r ask.Recipe) {
	b, other := form.Learned(m.Codebook, r, m.Tasks)
	if b.Check() != nil {
		return // a recipe with words that no codebook may hold: its columns are described by hand
	}
	before := m.Codebook
	b.Table = r.Table
	m.Codebook, m.Book = b, form.BookFormOf(b)
	m.brought(before)
	if len(other) > 0 {
		m.BookNote = say.Format("The question was saved with another description of %s: that one "+
			"counts now, and is in the codebook.",
			strings.Join(other, ", "))
	}
}

// published is what a recipe says of a column: nothing before it is described.
func (m *Publish) published(number int) (label, unit string, spec domain.Spec) {
	c, ok := m.Codebook.Column(number)
	if !ok || c.State() != codebook.Described {
		return "", "", domain.Spec{}
	}
	if label = c.Name; label == "" {
		label = c.Header
	}
	if len(label) > ask.MaxLabel && c.Name == "" {
		label = "" // a header that is too long for a name: it goes by its number
	}
	return label, c.Unit, c.Values().Spec
}

// Title is what a column is called: its published name, its header, or its number.
func (m *Publish) Title(column int) string {
	if c, ok := m.Codebook.Column(column); ok {
		return say.Phrase(c.Title())
	}
	return m.Data.ColumnName(column)
}

// Kind is what the main column holds; empty before it is described.
func (m *Publish) Kind() domain.Kind {
	_, _, spec := m.published(m.Question.Column)
	return spec.Kind
}

// Listed returns the groups of a column that is described by a public list.
func (m *Publish) Listed(column int) []string {
	_, _, spec := m.published(column)
	return spec.Categories
}

// Noun is whom the rows are about, in words.
func (m *Publish) Noun() (one, many string) {
	a, b := m.Codebook.Noun.Words()
	return say.Phrase(a), say.Phrase(b)
}

// takeBookOf has the codebook of a bundled data set wait for it.
func (m *Publish) takeBookOf(s sample.Set) {
	if b, err := codebook.Decode([]byte(s.Codebook)); err == nil {
		b.Rows.Each = cmp.Or(b.Rows.Each, codebook.One)
		m.Codebook, m.Book, m.bookWaits = b, form.BookFormOf(b), true
	}
}
