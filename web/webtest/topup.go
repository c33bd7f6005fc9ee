package webtest

import (
	"encoding/json"

	"hush/web/engine"
)

// markHead does what the ledger does: it notes that the answer of a debit can be made more exact.
func (f *Fake) markHead(release json.RawMessage, entry string) {
	var of engine.Released
	engine.Decode(release, &of)
	if digest := of.Digest(); digest != "" {
		if f.heads == nil {
			f.heads = map[string]string{}
		}
		f.heads[digest] = entry
	}
}

func (f *Fake) head(t engine.TopUpOf) (entry string, err error) {
	entry, is := f.heads[t.Release.Digest()]
	if !is {
		return "", refusal{&engine.Fault{Code: engine.NoTopUp, Message: "not from here"}}
	}
	return entry, nil
}

func (f *Fake) planTopUp(t engine.TopUpOf) (json.RawMessage, error) {
	if _, err := f.head(t); err != nil {
		return nil, err
	}
	return f.Ask("topUpPlan", t)
}

// topUp does what topUp of static/engine.js does.
func (f *Fake) topUp(t engine.TopUpOf) (any, error) {
	entry, err := f.head(t)
	if err != nil {
		return nil, err
	}
	if err := f.Feed(t.Release.Recipe); err != nil {
		return nil, err
	}
	charged, err := f.Ask("chargeTopUp", engine.TopUpCharge{Spending: f.Spendings[0], TopUpOf: t})
	if err != nil {
		return nil, err
	}
	var thaw engine.Thaw
	engine.Decode(charged, &thaw)
	debit := f.debit(thaw)
	f.Spent++
	debit.Replaces = entry
	delete(f.heads, t.Release.Digest())
	release, err := f.Ask("topUp", t)
	if err != nil {
		return nil, err
	}
	f.markHead(release, debit.ID)
	return f.keep(release, debit.ID, debit.Time), nil
}
