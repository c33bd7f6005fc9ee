package state

import (
	"slices"

	"hush/core/codebook"
	"hush/web/engine"
	"hush/web/state/foreign"
	"hush/web/state/form"
)

// brought is what was brought to the open file, or to the one that is opened next.
type brought struct {
	claims []foreign.Claim   // all that was claimed
	agreed []foreign.Claim   // what the owner agreed to, or has released
	left   []foreign.Claim   // columns of a codebook that the file does not have
	own    codebook.Codebook // as it was before anything came from outside
	people int64             // n as the claimed rows have it; 0: not counted
	read   engine.Request    // that counts it
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
	o, known := &m.foreign, foreign.Says(before, m.ownName)
	if len(m.open(known)) == 0 {
		o.own = before
	}
	for _, c := range foreign.Says(m.Codebook, m.ownName) {
		if !slices.Contains(known, c) && !slices.Contains(o.claims, c) {
			o.claims = append(o.claims, c)
		}
	}
}

// Claims are what came from outside, stands, and is not agreed to; none of a bundled data set: its
// people are public anyway. While there are any, nothing is released.
func (m *Publish) Claims() []foreign.Claim {
	if m.Data.Sample || len(m.foreign.claims) == 0 {
		return nil
	}
	return m.open(foreign.Says(m.Codebook, m.ownName))
}

// open are those of a list that came from outside and are not agreed to. That each row is another
// person is one of them where its owner, or a column's name, says otherwise.
func (m *Publish) open(list []foreign.Claim) (open []foreign.Claim) {
	own := m.foreign.own.Rows.Each
	for _, c := range list {
		usual := c.Says == string(codebook.One) && c.About == foreign.AboutRows &&
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
	return slices.ContainsFunc(m.Claims(), func(c foreign.Claim) bool {
		return c.About == foreign.AboutRows
	})
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
		case foreign.AboutRows:
			b.Rows = own.Rows
		case foreign.AboutName:
			b.Name = own.Name
		case foreign.AboutSource:
			b.Source = own.Source
		case foreign.AboutNoun:
			b.Noun = own.Noun
		case foreign.AboutLabel, foreign.AboutUnit, foreign.AboutSpelled:
			column, _ := b.Column(c.Column)
			was, _ := own.Column(c.Column)
			switch c.About {
			case foreign.AboutLabel:
				column.Name = was.Name
			case foreign.AboutUnit:
				column.Unit = was.Unit
			default:
				column = column.Unspelled()
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

// claimLine puts a claim into words, beside the file's own.
func (m *Publish) claimLine(c foreign.Claim) string {
	f := foreign.File{Own: m.ownName, People: m.foreign.people}
	if named := codebook.Proposed(m.Data.Opened.Fields); len(named) > 0 {
		f.Named = named[0]
	}
	return f.Line(c)
}
