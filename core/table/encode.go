package table

import (
	"slices"
	"strconv"

	"hush/core/coin"
	"hush/core/domain"
)

// Wanted is a column to keep, with the domain into which it is read.
type Wanted struct {
	Column int         `json:"column"` // from 1
	Spec   domain.Spec `json:"spec"`
}

// EncodeParams say what Encode keeps. The fields with a JSON name are public and part of the
// recipe.
type EncodeParams struct {
	Options Options  `json:"options"` // encoding, delimiter, header and columns decided
	Columns []Wanted `json:"columns"`

	// Filter holds conditions that must all be met; other rows are none in every column.
	Filter []Condition `json:"filter,omitempty"`
	// Person is the column of identifiers, from 1: one row of each person is kept, drawn with
	// Source, and N is the number of persons. 0: each row is a person.
	Person int `json:"person,omitempty"`
	// Use says which rows of each person are used; nil: one, drawn before the conditions are looked
	// at. It needs Person, or Count: in that case rows were bounded before they were counted, and a
	// count is one of entries, with the same number for each person.
	Use *Use `json:"use,omitempty"`
	// Count is the column, from 1, that says how many persons a row stands for: N is the sum,
	// divided by the entries of each. A row whose count is not a whole number from 0 to 2^53 stands
	// for nobody. 0: none. It excludes Person.
	Count int `json:"count,omitempty"`

	Source coin.Source `json:"-"` // needed with Person only
	// for encodings that this package does not read itself; nil: there are none
	Decoders Decoders `json:"-"`
	// number of rows that Survey counted, so that memory is taken once; 0 if unknown
	Rows int64 `json:"-"`
	// number of bytes of text that Survey counted, for the estimate; 0 if unknown
	Bytes  int64 `json:"-"`
	Memory int64 `json:"-"` // largest number of bytes that may be taken; 0 for no limit
	// the run sorts the first column's codes along with other values, for the estimate
	Paired bool `json:"-"`
}

// Encoded is the part of a file that is kept: codes.
type Encoded struct {
	N    int64 // number of persons, each with as many entries as the Use says: public
	Rows int64 // number of rows: secret with a person column

	// Columns are the columns asked for, in that order, each with a value or none for every row
	// kept, or for every entry of a person (Use). A column of wide codes is in Texts; its place in
	// the other list is nil.
	Columns []*Column     // H: use.md entries
	Texts   []*TextColumn // H: use.md entries
	// Counts are the numbers of persons that rows stand for; nil without a count column.
	Counts []uint64

	// Problems lists cells that could not be read, for the owner's screen.
	Problems []Problem
}

// Bytes is the memory taken by codes and counts.
func (e *Encoded) Bytes() int64 {
	bytes := 8 * int64(cap(e.Counts))
	for i, c := range e.Columns {
		if c != nil {
			bytes += c.Bytes()
		} else {
			bytes += e.Texts[i].Bytes()
		}
	}
	return bytes
}

// Encode is the pass that turns the chosen columns into codes. It guesses nothing: the same bytes,
// parameters and coins give the same codes, however the bytes are cut into chunks.
type Encode struct {
	feed    *feed
	targets []target
	tests   []test
	persons *persons
	bounded *bounded // with a Use
	person  int      // field, −1 for none
	count   int      // field, −1 for none
	counts  domain.Domain
	each    int64 // entries of each person, if rows were bounded before they were counted
	fields  int   // of a row that is not ragged
	keep    bool
	filling filling // for one column of a batch
	// rows are persons, there is no filter, and no column is wide: a fast path for the common case
	simple   bool
	memory   int64
	sorting  int64 // bytes that a run takes for each entry
	checked  int64 // rows, or entries, when memory was last checked
	appended int64 // entries
	problems problems
	out      Encoded
}

// target is a column being filled. One of the two domains is set.
type target struct {
	field  int
	domain domain.Domain
	many   domain.Many // reads most cells of the domain; nil if it has none
	wide   domain.Wide
	codes  *Column
	store  store // of codes
	texts  *TextColumn
	none   []int     // rows of the batch without a value
	group  bool      // its texts are the groups by which rows are bounded
	value  *oneValue // made from all rows of a person; nil: from one row
}

// countDomain is the domain of the counts of rows: up to 2^53, which a float64 of other programs
// still writes exactly.
var countDomain = domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "9007199254740992"}

// NewEncode checks the parameters. It refuses with *param.Error, or *MemoryError when Memory is set
// and Estimate exceeds it. With a Use, memory is checked on the way: there may be far fewer persons
// than rows.
func NewEncode(p EncodeParams) (*Encode, error) {
	o, err := p.Options.check(true)
	if err != nil {
		return nil, err
	}
	e := &Encode{fields: o.Columns, keep: o.Ragged == Keep, person: p.Person - 1,
		count: p.Count - 1, memory: p.Memory}
	if err := e.checkSpecial(p, o.Columns); err != nil {
		return nil, err
	}
	for _, c := range p.Filter {
		t, err := newTest(c, o.Columns)
		if err != nil {
			return nil, err
		}
		e.tests = append(e.tests, t)
	}
	if len(p.Columns) == 0 {
		return nil, refuse("columns", "empty", "at least one column")
	}
	if p.Memory > 0 && (p.Use == nil || p.Person == 0) {
		need, err := Estimate(p, p.Rows, p.Bytes)
		if err != nil {
			return nil, err
		}
		if need > p.Memory {
			return nil, &MemoryError{Need: need, Limit: p.Memory}
		}
	}
	rows := int(p.Rows)
	if p.Person > 0 {
		rows = 0 // there may be far fewer persons
		e.persons = newPersons(p.Source, drawKey(p.Source), !p.drawsByPerson())
	}
	e.sorting = 8
	if p.Use != nil && p.Person > 0 {
		e.bounded = newBounded(p.Use, p.Source)
		if e.bounded.listed, err = listedBy(p.Use, p.Columns); err != nil {
			return nil, err
		}
		e.sorting = p.sortingEach()
	}
	for _, w := range p.Columns {
		t, err := newTarget(w, o.Columns, rows)
		if err != nil {
			return nil, err
		}
		if err := e.makes(&t, p.Use, w); err != nil {
			return nil, err
		}
		e.targets = append(e.targets, t)
		e.out.Columns = append(e.out.Columns, t.codes)
		e.out.Texts = append(e.out.Texts, t.texts)
	}
	e.simple = p.Person == 0 && p.Count == 0 && len(p.Filter) == 0
	for _, t := range e.targets {
		e.simple = e.simple && t.wide == nil
	}
	if p.Count > 0 {
		e.each = p.Use.Entries()
		e.out.Counts = make([]uint64, 0, rows)
		d, err := domain.New(countDomain)
		if err != nil {
			return nil, err // unreachable: the domain is a constant
		}
		e.counts = d
	}
	if e.feed, err = newFeed(o, p.Decoders, nil, e.row, nil); err != nil {
		return nil, err
	}
	e.feed.onRows = e.rows
	return e, nil
}

// drawsByPerson reports whether draws depend on what a person is known by.
func (p *EncodeParams) drawsByPerson() bool {
	return p.Use != nil && slices.ContainsFunc(p.Columns, func(w Wanted) bool {
		switch p.Use.of(w.Column).Of {
		case Number, Sum, Mean, Smallest, Largest:
			return false
		}
		return true
	})
}

// checkSpecial checks the person and count columns.
func (e *Encode) checkSpecial(p EncodeParams, columns int) error {
	for _, f := range []struct {
		name   string
		column int
	}{{"person", p.Person}, {"count", p.Count}} {
		if f.column < 0 || f.column > columns {
			return refuse(f.name, strconv.Itoa(f.column), "1 to %d, or 0 for none", columns)
		}
	}
	if p.Person > 0 && p.Count > 0 {
		return refuse("count", strconv.Itoa(p.Count), "0, because there is a person column")
	}
	if p.Person > 0 && p.Source == nil {
		return refuse("source", "nil", "a source of coins, to draw one row of each person")
	}
	if p.Use == nil {
		return nil
	}
	if p.Person == 0 && p.Count == 0 { // H: use.md persons-named
		return refuse("use", "given", "a column that names the persons, whose rows are used")
	}
	if p.Count > 0 && len(p.Use.Values) > 0 {
		return refuse("use.values", "given", "nothing: values were made before they were counted")
	}
	return p.Use.Check(columns)
}

// makes determines how each person's value in the column is made.
func (e *Encode) makes(t *target, u *Use, w Wanted) (err error) {
	if e.bounded == nil {
		return nil
	}
	v := u.of(w.Column)
	if v.Of == "" {
		e.bounded.any = true
		t.group = u.Groups > 0 && w.Column == u.Column && w.Spec.Kind == domain.Text
		return nil
	}
	t.value, err = newOneValue(v, w.Spec)
	return err
}

func newTarget(w Wanted, columns, rows int) (target, error) {
	t := target{field: w.Column - 1}
	if w.Column < 1 || w.Column > columns {
		return t, refuse("column", strconv.Itoa(w.Column), "1 to %d", columns)
	}
	var err error
	if w.Spec.IsWide() {
		if t.wide, err = domain.NewWide(w.Spec); err != nil {
			return t, err
		}
		t.texts = newTextColumn(t.wide, rows)
		return t, nil
	}
	if t.domain, err = domain.New(w.Spec); err != nil {
		return t, err
	}
	t.codes = newColumn(t.domain, rows)
	t.store, t.many = t.codes.store, domain.ManyOf(t.domain)
	if w.Spec.Kind == domain.Date || w.Spec.Kind == domain.Timestamp {
		t.domain = &remembering{Domain: t.domain}
	}
	return t, nil
}

// Narrow makes the pass continue with the first n of its columns and forget the others.
func (e *Encode) Narrow(n int) {
	e.targets = e.targets[:n:n]
	e.out.Columns, e.out.Texts = e.out.Columns[:n:n], e.out.Texts[:n:n]
}

// Write takes the next chunk of the file.
func (e *Encode) Write(chunk []byte) error { return e.feed.Write(chunk) }

// Close takes the end of the file.
func (e *Encode) Close() error {
	err := e.feed.end()
	if e.persons != nil {
		e.finish()
		e.out.N = int64(e.persons.n)
		// Identifiers, ranks and their keys are no longer needed; out would keep them.
		e.persons, e.bounded = nil, nil // H: use.md keys-dropped
	}
	if e.each > 1 && err == nil {
		if e.out.N%e.each != 0 { // H: use.md same-entries
			err = ErrEntries
		}
		e.out.N /= e.each
	}
	e.out.Problems = e.problems.all()
	return err
}

// Bytes is the number of bytes read.
func (e *Encode) Bytes() int64 { return e.feed.Bytes() }

// Result returns the codes, after Close without error.
func (e *Encode) Result() *Encoded { return &e.out }

var _ Pass = (*Encode)(nil)
