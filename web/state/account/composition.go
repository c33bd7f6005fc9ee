package account

import (
	"hush/core/privacy"
	"hush/web/engine"
	"hush/web/state/place"
)

// Composed is the total cost of a data set's releases by each rule, once requested.
type Composed struct {
	Count   int // number of releases that it covers: more may have come since
	Total   *privacy.Total
	Failure *engine.Fault
}

// Compose asks for a data set's totals by each rule.
func (l *Ledger) Compose(a engine.Account) {
	l.Call(engine.Compose.With(a.Spending), func(_ engine.Request, kind string, body []byte) {
		c := Composed{Count: a.Count}
		switch kind {
		case engine.ReplyDone:
			c.Total = new(engine.Compose.Read(body))
		case engine.ReplyFailed:
			c.Failure = place.Failure(body)
		}
		if l.Composed == nil {
			l.Composed = map[string]Composed{}
		}
		l.Composed[a.Fingerprint] = c
		l.Update()
	})
}
