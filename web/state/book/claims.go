package book

import (
	"slices"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/web/engine"
	"hush/web/outside"
	"hush/web/state/dataset"
	"hush/web/state/place"
)

// Claims are what was brought to the open file, or to the one that is opened next, and is said of
// it.
type Claims struct {
	place.Link
	Data     *dataset.Data
	Codebook *codebook.Codebook // as it is now
	Settle   func()             // follows a change of the claims

	brought outside.Brought
	people  int64          // n as the claimed rows have it; 0: not counted
	read    engine.Request // that counts it
}

// take notes what came from outside: what the codebook says now and did not say before.
func (c *Claims) take(before codebook.Codebook) {
	c.brought.Take(c.Data.ForClaims(), before, *c.Codebook)
}

// Open are what came from outside, stands, and is not agreed to; none of a bundled data set: its
// people are public anyway. While there are any, nothing is released.
func (c *Claims) Open() []outside.Claim {
	if c.Data.Sample {
		return nil
	}
	return c.brought.Open(c.Data.ForClaims(), *c.Codebook)
}

// Agreed are the claims of a question that the owner agreed to, or made.
func (c *Claims) Agreed(r ask.Recipe) []outside.Claim {
	open := c.Open()
	return slices.DeleteFunc(c.Data.ForClaims().ClaimsOf(r), func(claim outside.Claim) bool {
		return slices.Contains(open, claim)
	})
}

// OfRows reports whether it is claimed what a row is: n is not shown before it is agreed.
func (c *Claims) OfRows() bool {
	return slices.ContainsFunc(c.Open(), func(claim outside.Claim) bool {
		return claim.About == outside.Rows || claim.About == outside.Reading
	})
}

// TakeAsOwn takes what is claimed as the owner's own word, as what a release is made with is.
func (c *Claims) TakeAsOwn() { c.brought.Agree(c.Data.ForClaims(), *c.Codebook) }

// Agree takes what came from outside as the owner's own word, and prices the question so.
func (c *Claims) Agree() {
	c.TakeAsOwn()
	c.Settle()
}

// Count has the engine count n as the claimed rows have it, for the owner's eyes: it is what would
// become public. The engine counts it for a price, which is not shown.
func (c *Claims) Count(r ask.Recipe) {
	c.read = c.Call(engine.Plan.With(r), func(q engine.Request, kind string, body []byte) {
		if q == c.read && kind == engine.ReplyDone {
			c.people = engine.Plan.Read(body).People
			c.Update()
		}
	})
}

// StopCounting gives up what is counted, and forgets what was.
func (c *Claims) StopCounting() {
	c.Cancel(c.read)
	c.people, c.read = 0, 0
}

func (c *Claims) forget() { c.brought, c.people, c.read = outside.Brought{}, 0, 0 }

// Lines put what came from outside beside the file's own names, a line each, with the columns that
// a codebook describes and the file does not have.
func (c *Claims) Lines() (lines []string) {
	for _, claim := range slices.Concat(c.Open(), c.brought.Left) {
		lines = append(lines, c.Data.ForClaims().Line(claim, c.people))
	}
	return lines
}
