// Package better finds ways to improve an answer: by another question, or by the same one for the
// difference of two losses.
package better

import (
	"hush/core/ask"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/outside"
	"hush/web/state/place"
	"hush/web/state/session"
)

// TopUp states the cost of making an answer good to publish.
type TopUp struct {
	place.Link
	Of    *task.Release      // the answer
	Offer *engine.TopUpOffer // nil: not known yet, or there is none
	Why   *engine.Fault      // why there is none; nil: nobody asked, or there is one

	request engine.Request
}

// Offered returns the offer for an answer, or nil if there is none.
func (t *TopUp) Offered(r *task.Release) *engine.TopUpOffer {
	if t.Of != r {
		return nil
	}
	return t.Offer
}

// Refused says why an answer cannot be made good for the difference, or returns nil if there is no
// obstacle.
func (t *TopUp) Refused(r *task.Release) *engine.Fault {
	if t.Of != r {
		return nil
	}
	return t.Why
}

// Ask asks whether an answer can be made good for the difference, if it is not good yet and its
// file may be open. The ledger decides: nothing is offered for an answer that it did not pay for,
// or of which a more exact one exists.
func (t *TopUp) Ask(r *task.Release, open bool) {
	t.End()
	t.Of = r
	v := session.VerdictOf(r)
	if r.Head == nil || r.Unverified || !open || v == nil || v.Grade == ask.Good {
		return
	}
	offer := engine.PlanTopUp.With(engine.TopUpOf{Release: engine.Released{Release: r}})
	t.request = t.Call(offer, func(q engine.Request, kind string, body []byte) {
		if q != t.request || kind == engine.ReplyProgress {
			return
		}
		if t.request = 0; kind == engine.ReplyDone {
			offer := engine.PlanTopUp.Read(body)
			t.Offer = &offer
		} else {
			t.Why = place.Failure(body)
		}
		t.Update()
	})
}

// Take takes over a known offer for an answer.
func (t *TopUp) Take(r *task.Release, offer *engine.TopUpOffer) {
	t.End()
	t.Of, t.Offer = r, offer
}

// End forgets the offer, and gives up what is still being worked out.
func (t *TopUp) End() {
	t.Cancel(t.request)
	t.Of, t.Offer, t.Why, t.request = nil, nil, nil, 0
}

// Run has the engine draw the offered answer.
func (t *TopUp) Run(agreed []outside.Claim) engine.Call {
	return engine.TopUp.With(engine.TopUpOf{Release: engine.Released{Release: t.Of},
		Epsilon: t.Offer.Epsilon, Agreed: agreed})
}

// Budget returns the budget after accepting the offer, unless that is already paid for.
func (t *TopUp) Budget(a *engine.Account) (engine.Budget, bool) {
	if a == nil || t.Offer == nil || t.Offer.Paid {
		return engine.Budget{}, false
	}
	b, err := a.Budget()
	return b.After(t.Offer.Debit), err == nil
}
