package state

import (
	"slices"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/table"
	"hush/web/engine"
	"hush/web/outside"
	"hush/web/state/form"
)

// foreign is what was brought to the open file, or to the one that is opened next.
type foreign struct {
	outside.Brought
	people int64          // n as the claimed rows have it; 0: not counted
	read   engine.Request // that counts it
}

// brought notes what came from outside: what the codebook says now and did not say before.
func (m *Publish) brought(before codebook.Codebook) {
	m.foreign.Take(m.Data.ForClaims(), before, m.Codebook)
}

// Claims are what came from outside, stands, and is not agreed to; none of a bundled data set: its
// people are public anyway. While there are any, nothing is released.
func (m *Publish) Claims() []outside.Claim {
	if m.Data.Sample {
		return nil
	}
	return m.foreign.Open(m.Data.ForClaims(), m.Codebook)
}

// agreed are the claims of a question that the owner agreed to, or made.
func (m *Publish) agreed(r ask.Recipe) []outside.Claim {
	open := m.Claims()
	return slices.DeleteFunc(m.Data.ForClaims().ClaimsOf(r), func(c outside.Claim) bool {
		return slices.Contains(open, c)
	})
}

// claimsRows reports whether it is claimed what a row is: n is not shown before it is agreed.
func (m *Publish) claimsRows() bool {
	return slices.ContainsFunc(m.Claims(), func(c outside.Claim) bool {
		return c.About == outside.Rows || c.About == outside.Reading
	})
}

// Agree takes what came from outside as the owner's own word.
func (m *Publish) Agree() {
	m.foreign.Agree(m.Data.ForClaims(), m.Codebook)
	m.settle()
}

// UseOwn drops what came from outside and is not agreed to. What was said before it came is back;
// the rest of the question stays. A file that was read as it does not look is read anew, and its
// owner confirms that.
func (m *Publish) UseOwn() {
	b := m.foreign.Without(m.Data.ForClaims(), m.Codebook)
	anew := b.Table != m.Codebook.Table
	m.remember("")
	m.Codebook, m.Book = b, form.BookFormOf(b)
	m.settle()
	if anew {
		m.undo = nil // of another reading
		m.Data.Reread(func(o *table.Options) { *o = b.Table })
	}
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
	for _, c := range slices.Concat(m.Claims(), m.foreign.Left) {
		lines = append(lines, m.Data.ForClaims().Line(c, m.foreign.people))
	}
	return lines
}
