package outside

import (
	"encoding/json"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/table"
	"hush/web/say"
)

// Claim is a statement about a file that the file itself does not make: it changes what is public,
// or what a published name means. Two claims that are equal say the same.
type Claim struct {
	About  About  `json:"about"`
	Column int    `json:"column,omitempty"` // which one, from 1; 0: the data set as a whole
	Says   string `json:"says"`             // the words, or what stands for them
}

// About is the subject of a claim.
type About string

// The subjects of claims.
const (
	Rows    About = "rows"    // what one row stands for, its codebook.Each, and so what n is
	Use     About = "use"     // which rows of a person count, as JSON
	Reading About = "reading" // how the file is read, as JSON: what is a row, what a name
	Label   About = "label"   // a column's published name
	Unit    About = "unit"    // of a column's values
	Noun    About = "noun"    // whom the rows are about
	Source  About = "source"  // the line below the charts
	Name    About = "name"    // the data set's
	Spelled About = "spelled" // which cells count as a category of another name
	Left    About = "left"    // a column that the file does not have: nothing is said of it
)

// File describes how an opened file is read, and its columns.
type File struct {
	Options table.Options
	Own     table.Options // as it would be read by itself
	Fields  []table.Field
}

// Name returns the file's own name of a column, numbered from 1, in the form that a codebook would
// give it; it is empty where there is none.
func (f File) Name(column int) string {
	if column < 1 || column > len(f.Fields) {
		return ""
	}
	return codebook.FromField(f.Options, f.Fields[column-1]).Header
}

// Claims lists what a codebook says and the file itself does not. Spaces around a word mean
// nothing: a form drops them.
func (f File) Claims(b codebook.Codebook) []Claim {
	s := sayings{file: f}
	s.whole(b.Rows, b.Table, b.Name, b.Source, b.Noun)
	for _, c := range b.Columns() {
		s.column(c.Number, c.Name, c.Unit, c.Values().Spec)
	}
	return s.list
}

// ClaimsOf is Claims for a recipe.
func (f File) ClaimsOf(r ask.Recipe) []Claim {
	s := sayings{file: f}
	rows := codebook.Rows{Each: codebook.One, Use: r.Use}
	switch {
	case r.Person > 0:
		rows.Each, rows.Column = codebook.Several, r.Person
	case r.Count > 0:
		rows.Each, rows.Column = codebook.Counted, r.Count
	}
	s.whole(rows, r.Table, r.Data, r.Source, r.Noun)
	s.column(r.Column, r.Label, r.Unit, r.Domain)
	for _, o := range r.Others {
		s.column(o.Column, o.Label, o.Unit, o.Domain)
	}
	if g := r.Group; g != nil {
		s.column(g.Column, g.Label, "",
			domain.Spec{Spellings: g.Spellings, Other: g.Other, Fold: g.Fold, Missing: g.Missing})
	}
	for _, c := range r.Filter {
		s.column(c.Column, c.Label, "", c.Spec)
	}
	return s.list
}

// NotAgreed lists the claims of a recipe that nobody agreed to. That a row is one person is listed
// only where something else was agreed to: a file that says nothing about its rows is read that
// way.
func (f File) NotAgreed(r ask.Recipe, agreed []Claim) (open []Claim) {
	other := slices.ContainsFunc(agreed, func(c Claim) bool {
		return c.About == Rows && c.Says != string(codebook.One)
	})
	for _, c := range f.ClaimsOf(r) {
		usual := c.About == Rows && c.Says == string(codebook.One) && !other
		if !usual && !slices.Contains(agreed, c) && !slices.Contains(open, c) {
			open = append(open, c)
		}
	}
	return open
}

// sayings collects claims about a file.
type sayings struct {
	file File
	list []Claim
}

func (s *sayings) add(about About, column int, text string) {
	if text = strings.TrimSpace(text); text != "" {
		s.list = append(s.list, Claim{about, column, text})
	}
}

func (s *sayings) column(number int, name, unit string, spec domain.Spec) {
	if name != s.file.Name(number) {
		s.add(Label, number, name)
	}
	s.add(Unit, number, unit)
	s.add(Spelled, number, CountsAs(spec))
}

// whole adds the claims about a data set as a whole.
func (s *sayings) whole(rows codebook.Rows, reading table.Options, name, source string,
	noun codebook.Noun) {
	s.add(Rows, rows.Column, string(rows.Each))
	if u := rows.Use; u != nil && (rows.Person() > 0 || rows.Count() > 0) {
		// How times are read stands in their column's description, and Usual changes no answer.
		use := table.Use{Rows: u.Rows, Groups: u.Groups, Column: u.Column}
		for _, v := range u.Values {
			if v.By != nil {
				v.By = &table.Wanted{Column: v.By.Column}
			}
			use.Values = append(use.Values, v)
		}
		s.add(Use, 0, text(use))
	}
	if reading != (table.Options{}) {
		if reading = s.file.filled(reading); reading != s.file.Own {
			s.add(Reading, 0, text(reading))
		}
	}
	s.add(Name, 0, name)
	s.add(Source, 0, source)
	if noun != (codebook.Noun{}) {
		one, many := noun.Words()
		s.add(Noun, 0, strings.TrimSpace(say.Phrase(one))+", "+
			strings.TrimSpace(say.Phrase(many)))
	}
}

func text(v any) string {
	t, err := json.Marshal(v)
	if err != nil {
		panic("outside: internal error: " + err.Error())
	}
	return string(t)
}

// Line puts a claim beside the file's own names. people is n under the claimed meaning of rows, or
// 0 where it is not known.
func (f File) Line(c Claim, people int64) string {
	own := f.Name(c.Column)
	switch {
	case c.About == Label && own == "":
		return say.Format("Column %d: your file gives it no name, the description says %q.",
			c.Column,
			c.Says)
	case c.About == Label:
		return say.Format("Column %d: your file says %q, the description says %q.",
			c.Column, own, c.Says)
	case c.About == Left && own == "":
		return say.Format("Column %d: the description says %q, but your file has no such column. "+
			"Its description is ignored.",
			c.Column, c.Says)
	case c.About == Left:
		return say.Format("Column %d: your file says %q, the description says %q. Its "+
			"description is ignored.",
			c.Column, own, c.Says)
	case c.About == Unit:
		return say.Format("%s: its values are published in %q.", f.column(c.Column), c.Says)
	case c.About == Spelled:
		return say.Format("%s: cells count as others: %s.", f.column(c.Column), c.Says)
	case c.About == Noun:
		return say.Format("The rows are about: %s.", c.Says)
	case c.About == Source:
		return say.Format("The line below each chart: %q.", c.Says)
	case c.About == Reading:
		var o table.Options
		_ = json.Unmarshal([]byte(c.Says), &o)
		return f.readingLine(o)
	case c.About == Use:
		var u table.Use
		_ = json.Unmarshal([]byte(c.Says), &u)
		return useLine(u)
	case c.About == Name:
		return say.Format("The data set is called %q.", c.Says)
	}
	return f.rowsLine(c, people)
}

// rowsLine says what becomes public as n.
func (f File) rowsLine(c Claim, people int64) string {
	n := message.Grouped(people)
	switch {
	case c.Says == string(codebook.Counted) && people > 0:
		return say.Format("This column says how many people each row stands for: %s. Their sum, "+
			"%s, becomes public as n, exactly.",
			f.column(c.Column), n)
	case c.Says == string(codebook.Counted):
		return say.Format("This column says how many people each row stands for: %s. Their sum "+
			"becomes public as n, exactly.",
			f.column(c.Column))
	case c.Says == string(codebook.Several) && people > 0:
		return say.Format("All rows with the same cell in this column are one person: %s. The "+
			"exact number of different cells in it, %s, becomes public as n.",
			f.column(c.Column), n)
	case c.Says == string(codebook.Several):
		return say.Format("All rows with the same cell in this column are one person: %s. The "+
			"exact number of different cells in it becomes public as n.", f.column(c.Column))
	}
	if named := codebook.Proposed(f.Fields); len(named) > 0 {
		return say.Format("Each row stands for one person: only one row of each person is "+
			"protected. Your file has a column that seems to name persons: %s.",
			f.column(named[0]))
	}
	return say.Text("Each row stands for one person: only one row of a person is protected.")
}

// column refers to a column by its number and the file's own name.
func (f File) column(column int) string {
	if own := f.Name(column); own != "" {
		return say.Format("column %d, in your file %q", column, own)
	}
	return say.Format("column %d", column)
}
