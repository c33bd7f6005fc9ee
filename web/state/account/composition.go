package account

import (
	"hush/core/privacy"
	"hush/web/engine"
	"hush/web/state/place"
)

// Composed is what a data set's releases cost together by each rule, once it was asked for.
type Composed struct {
	Count   int // the releases that it is about: more may have come since
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
