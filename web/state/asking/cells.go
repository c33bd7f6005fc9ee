package asking

import (
	"hush/core/table"
	"hush/web/engine"
	"hush/web/state/place"
)

// Cells reads the question's column ahead of a release.
type Cells struct {
	place.Link
	Seen
	Question *Question
}

// Seen is the result of reading the column: the cells without a value.
type Seen struct {
	Progress *engine.Progress // while it is read
	Problems []table.Problem
	Read     bool
	Failure  *engine.Fault
	request  engine.Request
}

// ReadColumn reads the column ahead of a release and lists the cells without a value. It spends
// nothing.
func (c *Cells) ReadColumn() {
	c.Seen = Seen{Progress: new(engine.Progress)}
	read := engine.Read.With(c.Question.Recipe())
	c.request = c.Call(read, func(r engine.Request, kind string, body []byte) {
		if r != c.request {
			return
		}
		switch kind {
		case engine.ReplyProgress:
			engine.Decode(body, c.Progress)
		case engine.ReplyDone:
			c.Seen = Seen{Read: true, Problems: engine.Read.Read(body)}
		case engine.ReplyFailed:
			c.Seen = Seen{Failure: place.Failure(body)}
		}
		c.Update()
	})
	c.Update()
}

// CancelReading cancels reading the column.
func (c *Cells) CancelReading() { c.Cancel(c.request) }
