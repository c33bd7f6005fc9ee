package state

import (
	"slices"
	"strings"

	"hush/core/codebook"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/form"
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
	AboutRows   About = "rows"   // what one row stands for, and so what n is
	AboutLabel  About = "label"  // a column's published name
	AboutUnit   About = "unit"   // of a column's values
	AboutNoun   About = "noun"   // whom the rows are about
	AboutSource About = "source" // the line below the charts
	AboutName   About = "name"   // the data set's
	AboutLeft   About = "left"   // a column that the file does not have: nothing is said of it
)

// foreign is what was brought to the open file, or to the one that is opened next.
type foreign struct {
	claims []Claim           // all that was claimed
	agreed []Claim           // what the owner agreed to, or has released
	left   []Claim           // columns of a codebook that the file does not have
	own    codebook.Codebook // as it was before anything came from outside
	people int64             // n as the claimed rows have it; 0: not counted
	read   engine.Request    // that counts it
}

// says lists what a codebook says that the file does not say by itself. Spaces around a word say
// nothing: a form drops them.
func (m *Publish) says(b codebook.Codebook) (list []Claim) {
	add := func(about About, column int, text string) {
		if text = strings.TrimSpace(text); text != "" {
			list = append(list, Claim{about, column, text})
		}
	}
	add(AboutRows, b.Rows.Column, string(b.Rows.Each))
	for _, c := range b.Columns() {
		if c.Name != m.ownName(c.Number) {
			add(AboutLabel, c.Number, c.Name)
		}
		add(AboutUnit, c.Number, c.Unit)
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

// ownName is the file's own name of a column, from 1, as a codebook would have it; empty: none.
func (m *Publish) ownName(column int) string {
	if f := m.Field(column); f != nil {
		return codebook.FromField(m.Data.Opened.Options, *f).Header
	}
	return ""
}

// brought notes what came from outside: what the codebook says now and did not say before. Nothing
// of it is agreed.
func (m *Publish) brought(before codebook.Codebook) {
	o, known := &m.foreign, m.says(before)
	if len(m.open(known)) == 0 {
		o.own = before
	}
	for _, c := range m.says(m.Codebook) {
		if !slices.Contains(known, c) && !slices.Contains(o.claims, c) {
			o.claims = append(o.claims, c)
		}
	}
}

// Claims are what came from outside, stands, and is not agreed to; none of a bundled data set: its
// people are public anyway. While there are any, nothing is released.
func (m *Publish) Claims() []Claim {
	if m.Data.Sample || len(m.foreign.claims) == 0 {
		return nil
	}
	return m.open(m.says(m.Codebook))
}

// open are those of a list that came from outside and are not agreed to. That each row is another
// person is one of them where its owner, or a column's name, says otherwise.
func (m *Publish) open(list []Claim) (open []Claim) {
	own := m.foreign.own.Rows.Each
	for _, c := range list {
		usual := c.Says == string(codebook.One) && c.About == AboutRows &&
			(own == "" || own == codebook.One) &&
			len(codebook.Proposed(m.Data.Opened.Fields)) == 0
		if slices.Contains(m.foreign.claims, c) && !slices.Contains(m.foreign.agreed, c) &&
			!usual {
			open = append(open, c)
		}
	}
	return open
}

// claimsRows reports whether what a row stands for is claimed: n is not shown before it is agreed.
func (m *Publish) claimsRows() bool {
	return slices.ContainsFunc(m.Claims(), func(c Claim) bool { return c.About == AboutRows })
}

// Agree takes what came from outside as the owner's own word.
func (m *Publish) Agree() {
	m.foreign.agreed = append(m.foreign.agreed, m.Claims()...)
	m.settle()
}

// UseOwn drops what came from outside and is not agreed to. What was said before it came is back;
// the rest of the question stays.
func (m *Publish) UseOwn() {
	claims := m.Claims()
	m.remember("")
	b, own := m.Codebook, m.foreign.own
	for _, c := range claims {
		switch c.About {
		case AboutRows:
			b.Rows = own.Rows
		case AboutName:
			b.Name = own.Name
		case AboutSource:
			b.Source = own.Source
		case AboutNoun:
			b.Noun = own.Noun
		case AboutLabel, AboutUnit:
			column, _ := b.Column(c.Column)
			was, _ := own.Column(c.Column)
			if c.About == AboutLabel {
				column.Name = was.Name
			} else {
				column.Unit = was.Unit
			}
			if next, err := b.With(column); err == nil {
				b = next
			}
		}
	}
	m.Codebook, m.Book = b, form.BookFormOf(b)
	m.settle()
}

// countClaimed has the engine count n as the claimed rows have it, for the owner's eyes: it is what
// would become public. The engine counts it for a price, which is not shown.
func (m *Publish) countClaimed() {
	m.Cancel(m.foreign.read)
	m.foreign.people, m.foreign.read = 0, 0
	if !m.claimsRows() || m.missing() != "" {
		return
	}
	plan := engine.Plan.With(m.Recipe())
	m.foreign.read = m.Call(plan, func(r engine.Request, kind string, body []byte) {
		if r == m.foreign.read && kind == engine.ReplyDone {
			m.foreign.people = engine.Plan.Read(body).People
			m.Update()
		}
	})
}

// ClaimLines put what came from outside beside the file's own names, a line each, with the columns
// that a codebook describes and the file does not have.
func (m *Publish) ClaimLines() (lines []string) {
	for _, c := range append(m.Claims(), m.foreign.left...) {
		lines = append(lines, m.claimLine(c))
	}
	return lines
}

func (m *Publish) claimLine(c Claim) string {
	own := m.ownName(c.Column)
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
		return say.Format("%s: its values are published in %q.", m.columnOfFile(c.Column), c.Says)
	case c.About == AboutNoun:
		return say.Format("The rows are about: %s.", c.Says)
	case c.About == AboutSource:
		return say.Format("The line below each chart: %q.", c.Says)
	case c.About == AboutName:
		return say.Format("The data set is called %q.", c.Says)
	case c.Says == string(codebook.Counted) && m.foreign.people > 0:
		return say.Format("Each row stands for as many people as this column says: %s. Their sum, "+
			"%s, becomes public as n, exactly.", m.columnOfFile(c.Column),
			say.Count(m.foreign.people, "%d", "%d", m.foreign.people))
	case c.Says == string(codebook.Counted):
		return say.Format("Each row stands for as many people as this column says: %s. Their sum "+
			"becomes public as n, exactly.", m.columnOfFile(c.Column))
	case c.Says == string(codebook.Several) && m.foreign.people > 0:
		return say.Format("All rows with the same cell in this column are one person: %s. "+
			"How many different cells it has, %s, becomes public as n, exactly.",
			m.columnOfFile(c.Column),
			say.Count(m.foreign.people, "%d", "%d", m.foreign.people))
	case c.Says == string(codebook.Several):
		return say.Format("All rows with the same cell in this column are one person: %s. "+
			"How many different cells it has becomes public as n, exactly.",
			m.columnOfFile(c.Column))
	}
	if named := codebook.Proposed(m.Data.Opened.Fields); len(named) > 0 {
		return say.Format("Each row stands for one person: only one row of a person is "+
			"protected. Your file has a column that seems to name persons: %s.",
			m.columnOfFile(named[0]))
	}
	return say.Text("Each row stands for one person: only one row of a person is protected.")
}

// columnOfFile names a column by its number and the file's own name.
func (m *Publish) columnOfFile(column int) string {
	if own := m.ownName(column); own != "" {
		return say.Format("column %d, in your file %q", column, own)
	}
	return say.Format("column %d", column)
}
