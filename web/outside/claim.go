package outside

import (
	"strings"

	"hush/core/codebook"
	"hush/core/table"
	"hush/web/say"
	"hush/web/state/spelling"
)

// Claim is something that is said of a file where the file itself does not say it: it changes what
// is public, or what a published name means. Two claims that are equal say the same.
type Claim struct {
	About  About
	Column int    // which one it is about, from 1; 0: the data set as a whole
	Says   string // the words; of rows, their codebook.Each
}

// About is what a claim is about.
type About string

// What can be claimed.
const (
	Rows    About = "rows"    // what one row stands for, and so what n is
	Label   About = "label"   // a column's published name
	Unit    About = "unit"    // of a column's values
	Noun    About = "noun"    // whom the rows are about
	Source  About = "source"  // the line below the charts
	Name    About = "name"    // the data set's
	Spelled About = "spelled" // which cells count as a category of another name
	Left    About = "left"    // a column that the file does not have: nothing is said of it
)

// File is how an opened file is read, and its columns.
type File struct {
	Options table.Options
	Fields  []table.Field
}

// Name is the file's own name of a column, from 1, as a codebook would have it; empty: none.
func (f File) Name(column int) string {
	if column < 1 || column > len(f.Fields) {
		return ""
	}
	return codebook.FromField(f.Options, f.Fields[column-1]).Header
}

// Claims lists what a codebook says that the file does not say by itself. Spaces around a word say
// nothing: a form drops them.
func (f File) Claims(b codebook.Codebook) (list []Claim) {
	add := func(about About, column int, text string) {
		if text = strings.TrimSpace(text); text != "" {
			list = append(list, Claim{about, column, text})
		}
	}
	add(Rows, b.Rows.Column, string(b.Rows.Each))
	for _, c := range b.Columns() {
		if c.Name != f.Name(c.Number) {
			add(Label, c.Number, c.Name)
		}
		add(Unit, c.Number, c.Unit)
		add(Spelled, c.Number, spelling.Also(c.Values().Spec))
	}
	add(Name, 0, b.Name)
	add(Source, 0, b.Source)
	if b.Noun != (codebook.Noun{}) {
		one, many := b.Noun.Words()
		add(Noun, 0, strings.TrimSpace(say.Phrase(one))+", "+
			strings.TrimSpace(say.Phrase(many)))
	}
	return list
}

// Line puts a claim beside the file's own names. people is n as the claimed rows have it; 0: it is
// not known.
func (f File) Line(c Claim, people int64) string {
	own := f.Name(c.Column)
	switch {
	case c.About == Label && own == "":
		return say.Format("Column %d: your file gives it no name, what came says %q.", c.Column,
			c.Says)
	case c.About == Label:
		return say.Format("Column %d: your file says %q, what came says %q.", c.Column, own, c.Says)
	case c.About == Left && own == "":
		return say.Format("Column %d: what came says %q, and your file has no such column. "+
			"Nothing that was said of it is used.", c.Column, c.Says)
	case c.About == Left:
		return say.Format("Column %d: your file says %q, what came says %q. Nothing that was said "+
			"of it is used.", c.Column, own, c.Says)
	case c.About == Unit:
		return say.Format("%s: its values are published in %q.", f.column(c.Column), c.Says)
	case c.About == Spelled:
		return say.Format("%s: cells count as others: %s.", f.column(c.Column), c.Says)
	case c.About == Noun:
		return say.Format("The rows are about: %s.", c.Says)
	case c.About == Source:
		return say.Format("The line below each chart: %q.", c.Says)
	case c.About == Name:
		return say.Format("The data set is called %q.", c.Says)
	}
	return f.rowsLine(c, people)
}

// rowsLine says what becomes public as n.
func (f File) rowsLine(c Claim, people int64) string {
	n := say.Count(people, "%d", "%d", people)
	switch {
	case c.Says == string(codebook.Counted) && people > 0:
		return say.Format("Each row stands for as many people as this column says: %s. Their sum, "+
			"%s, becomes public as n, exactly.", f.column(c.Column), n)
	case c.Says == string(codebook.Counted):
		return say.Format("Each row stands for as many people as this column says: %s. Their sum "+
			"becomes public as n, exactly.", f.column(c.Column))
	case c.Says == string(codebook.Several) && people > 0:
		return say.Format("All rows with the same cell in this column are one person: %s. "+
			"How many different cells it has, %s, becomes public as n, exactly.",
			f.column(c.Column), n)
	case c.Says == string(codebook.Several):
		return say.Format("All rows with the same cell in this column are one person: %s. "+
			"How many different cells it has becomes public as n, exactly.", f.column(c.Column))
	}
	if named := codebook.Proposed(f.Fields); len(named) > 0 {
		return say.Format("Each row stands for one person: only one row of a person is "+
			"protected. Your file has a column that seems to name persons: %s.",
			f.column(named[0]))
	}
	return say.Text("Each row stands for one person: only one row of a person is protected.")
}

// column calls a column by its number and the file's own name.
func (f File) column(column int) string {
	if own := f.Name(column); own != "" {
		return say.Format("column %d, in your file %q", column, own)
	}
	return say.Format("column %d", column)
}
