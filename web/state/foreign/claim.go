// Package foreign is what a link, a recipe or a codebook from outside says of a file, in words.
package foreign

import (
	"strings"

	"hush/core/codebook"
	"hush/web/say"
	"hush/web/state/spelling"
)

// Claim is something that a link, a recipe or a codebook from outside says of the file, where the
// file itself does not: it changes what is public, or what a published name means. Two claims that
// are equal say the same.
type Claim struct {
	About  About
	Column int    // which one it is about, from 1; 0: the data set as a whole
	Says   string // the words; of rows, their codebook.Each
}

// About is what a claim is about.
type About string

// What can be claimed.
const (
	AboutRows    About = "rows"    // what one row stands for, and so what n is
	AboutLabel   About = "label"   // a column's published name
	AboutUnit    About = "unit"    // of a column's values
	AboutNoun    About = "noun"    // whom the rows are about
	AboutSource  About = "source"  // the line below the charts
	AboutName    About = "name"    // the data set's
	AboutSpelled About = "spelled" // which cells count as a category of another name
	AboutLeft    About = "left"    // a column that the file does not have: nothing is said of it
)

// Says lists what a codebook says that the file does not say by itself. Spaces around a word say
// nothing: a form drops them.
func Says(b codebook.Codebook, own func(column int) string) (list []Claim) {
	add := func(about About, column int, text string) {
		if text = strings.TrimSpace(text); text != "" {
			list = append(list, Claim{About: about, Column: column, Says: text})
		}
	}
	add(AboutRows, b.Rows.Column, string(b.Rows.Each))
	for _, c := range b.Columns() {
		if c.Name != own(c.Number) {
			add(AboutLabel, c.Number, c.Name)
		}
		add(AboutUnit, c.Number, c.Unit)
		add(AboutSpelled, c.Number, spelling.Also(c.Values().Spec))
	}
	add(AboutName, 0, b.Name)
	add(AboutSource, 0, b.Source)
	if b.Noun != (codebook.Noun{}) {
		one, many := b.Noun.Words()
		add(AboutNoun, 0, strings.TrimSpace(say.Phrase(one))+", "+
			strings.TrimSpace(say.Phrase(many)))
	}
	return list
}

// File is what a claim is put beside.
type File struct {
	Own    func(column int) string // the file's own name of a column, from 1; empty: none
	People int64                   // n as the claimed rows have it; 0: not counted
	Named  int                     // a column whose name says that it names persons; 0: none
}

// Line puts a claim beside what the file says itself.
func (f File) Line(c Claim) string {
	own := f.Own(c.Column)
	switch {
	case c.About == AboutLabel && own == "":
		return say.Format("Column %d: your file gives it no name, what came says %q.", c.Column,
			c.Says)
	case c.About == AboutLabel:
		return say.Format("Column %d: your file says %q, what came says %q.", c.Column, own, c.Says)
	case c.About == AboutLeft && own == "":
		return say.Format("Column %d: what came says %q, and your file has no such column. "+
			"Nothing that was said of it is used.", c.Column, c.Says)
	case c.About == AboutLeft:
		return say.Format("Column %d: your file says %q, what came says %q. Nothing that was said "+
			"of it is used.", c.Column, own, c.Says)
	case c.About == AboutUnit:
		return say.Format("%s: its values are published in %q.", f.column(c.Column), c.Says)
	case c.About == AboutSpelled:
		return say.Format("%s: cells count as others: %s.", f.column(c.Column), c.Says)
	case c.About == AboutNoun:
		return say.Format("The rows are about: %s.", c.Says)
	case c.About == AboutSource:
		return say.Format("The line below each chart: %q.", c.Says)
	case c.About == AboutName:
		return say.Format("The data set is called %q.", c.Says)
	case c.Says == string(codebook.Counted) && f.People > 0:
		return say.Format("Each row stands for as many people as this column says: %s. Their sum, "+
			"%s, becomes public as n, exactly.", f.column(c.Column),
			say.Count(f.People, "%d", "%d", f.People))
	case c.Says == string(codebook.Counted):
		return say.Format("Each row stands for as many people as this column says: %s. Their sum "+
			"becomes public as n, exactly.", f.column(c.Column))
	case c.Says == string(codebook.Several) && f.People > 0:
		return say.Format("All rows with the same cell in this column are one person: %s. "+
			"How many different cells it has, %s, becomes public as n, exactly.",
			f.column(c.Column),
			say.Count(f.People, "%d", "%d", f.People))
	case c.Says == string(codebook.Several):
		return say.Format("All rows with the same cell in this column are one person: %s. "+
			"How many different cells it has becomes public as n, exactly.",
			f.column(c.Column))
	}
	if f.Named > 0 {
		return say.Format("Each row stands for one person: only one row of a person is "+
			"protected. Your file has a column that seems to name persons: %s.",
			f.column(f.Named))
	}
	return say.Text("Each row stands for one person: only one row of a person is protected.")
}

// column names a column by its number and the file's own name.
func (f File) column(column int) string {
	if own := f.Own(column); own != "" {
		return say.Format("column %d, in your file %q", column, own)
	}
	return say.Format("column %d", column)
}
