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

// Claims are the claims about the open file, or about the next file to be opened, that came from
// outside.
type Claims struct {
	place.Link
	Data     *dataset.Data
	Codebook *codebook.Codebook // as it is now
	Settle   func()             // follows a change of the claims

	brought outside.Brought
	people  int64          // n as the claimed rows have it; 0: not counted
	read    engine.Request // the reading that counts it
}

// take records what came from outside: everything that the codebook says now and did not say
// before.
func (c *Claims) take(before codebook.Codebook) {
	c.brought.Take(c.Data.ForClaims(), before, *c.Codebook)
}

// Open returns the claims from outside that stand and are not agreed to; none for a bundled data
// set, whose people are public anyway. As long as there are any, nothing is released.
func (c *Claims) Open() []outside.Claim {
	if c.Data.Sample {
		return nil
	}
	return c.brought.Open(c.Data.ForClaims(), *c.Codebook)
}

// Agreed returns the claims of a question that the owner agreed to, or made.
func (c *Claims) Agreed(r ask.Recipe) []outside.Claim {
	open := c.Open()
	return slices.DeleteFunc(c.Data.ForClaims().ClaimsOf(r), func(claim outside.Claim) bool {
		return slices.Contains(open, claim)
	})
}

// OfRows reports whether there is a claim about what a row is: n is not shown before it is agreed
// to.
func (c *Claims) OfRows() bool {
	return slices.ContainsFunc(c.Open(), func(claim outside.Claim) bool {
		return claim.About == outside.Rows || claim.About == outside.Reading
	})
}

// TakeAsOwn adopts what is claimed as the owner's own statement, like everything that a release is
// made with.
func (c *Claims) TakeAsOwn() { c.brought.Agree(c.Data.ForClaims(), *c.Codebook) }

// Agree adopts what came from outside as the owner's own statement, and prices the question with
// it.
func (c *Claims) Agree() {
	c.TakeAsOwn()
	c.Settle()
}

// Count has the engine count n according to the claimed rows, for the owner's eyes: that number
// would become public. The engine counts it for a price, which is not shown.
func (c *Claims) Count(r ask.Recipe) {
	c.read = c.Call(engine.Plan.With(r), func(q engine.Request, kind string, body []byte) {
		if q == c.read && kind == engine.ReplyDone {
			c.people = engine.Plan.Read(body).People
			c.Update()
		}
	})
}

// StopCounting gives up counting, and forgets the result.
func (c *Claims) StopCounting() {
	c.Cancel(c.read)
	c.people, c.read = 0, 0
}

func (c *Claims) forget() { c.brought, c.people, c.read = outside.Brought{}, 0, 0 }

// Lines writes the claims from outside beside the file's own names, one per line, including the
// columns that a codebook describes and the file lacks.
func (c *Claims) Lines() (lines []string) {
	for _, claim := range slices.Concat(c.Open(), c.brought.Left) {
		lines = append(lines, c.Data.ForClaims().Line(claim, c.people))
	}
	return lines
}
