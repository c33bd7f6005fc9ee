package engine

import (
	"math/big"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/task"
	"hush/web/outside"
)

// TopUpOf asks for the answer of a release with a larger ε, for the difference. Agreed lists the
// claims to which the owner agreed, as in RunOf.
type TopUpOf struct {
	Release Released        `json:"release"`
	Epsilon string          `json:"epsilon"` // for a price, empty: at which it is good to publish
	Agreed  []outside.Claim `json:"agreed,omitempty"`
}

// TopUpOffer states the cost of a top-up, and its result.
type TopUpOffer struct {
	ask.TopUpPlan
	Epsilon string `json:"epsilon"`
	// Paid says that it was paid for before, and that nobody has seen its answer: drawing it costs
	// nothing now.
	Paid bool `json:"paid,omitempty"`
}

// TopUpCharge asks for the cost of a top-up on a data set with this spending, and whether that is
// less than the cost of asking again.
type TopUpCharge struct {
	Spending
	TopUpOf
}

// digest identifies a release that can be topped up; it is empty for any other.
func digest(r Released) (string, error) {
	if r.Release == nil {
		return "", nil
	}
	return r.Digest(), nil
}

// of returns the release, or an empty one, which cannot be topped up.
func (t TopUpOf) of() *task.Release {
	if t.Release.Release == nil {
		return &task.Release{}
	}
	return t.Release.Release
}

// topUpPlan prices a top-up, and finds its ε if none was requested.
func (d *Dispatcher) topUpPlan(t TopUpCharge) (offer TopUpOffer, err error) {
	if offer.Epsilon = t.Epsilon; offer.Epsilon == "" {
		if offer.Epsilon, err = d.session.GoodTopUp(t.of()); err != nil {
			return offer, err
		}
	}
	if offer.TopUpPlan, err = d.session.PlanTopUp(t.of(), offer.Epsilon); err != nil {
		return offer, err
	}
	return offer, t.saves(offer.TopUpPlan)
}

// saves refuses a top-up that takes over a hundredth more of the limit than the same question asked
// again: a limit that counts in ρ gains nothing from the difference of two ε (topup.md of
// core/basic).
func (s Spending) saves(t ask.TopUpPlan) error {
	b, err := s.Budget()
	if err != nil || b.Limit == nil {
		return err
	}
	takes := func(loss privacy.Loss) *big.Rat {
		used := b.After(loss.Short().Stated()).Used
		return new(big.Rat).Sub(used, b.Used)
	}
	again := takes(t.Plan.Loss)
	if takes(t.Debit).Cmp(again.Mul(again, big.NewRat(101, 100))) > 0 {
		return ask.Refuse("release", phrase.Of("one whose top-up takes more of the limit than "+
			"the question itself"), phrase.Of("the question asked again: the limit counts in ρ"))
	}
	return nil
}

// chargeTopUp states what the ledger must hold before a top-up, or refuses it.
func (d *Dispatcher) chargeTopUp(c TopUpCharge) (Thaw, error) {
	r := c.of().Recipe
	r.Epsilon = c.Epsilon
	if err := d.agrees(RunOf{r, c.Agreed}); err != nil {
		return Thaw{}, err
	}
	left, err := c.Thaw(r)
	if err != nil {
		return Thaw{}, err
	}
	plan, err := d.session.PlanTopUp(c.of(), c.Epsilon)
	if err != nil {
		return Thaw{}, err
	}
	if err := c.saves(plan); err != nil {
		return Thaw{}, err
	}
	loss := plan.Debit.Short().Stated()
	debit := Debit{Task: r.Task, Loss: loss, Column: columnsOf(plan.Plan)}
	return Thaw{debit, left, c.with(loss)}, c.Admit(loss)
}

func topUp(s session, t TopUpOf, step coin.Step) (*task.Release, error) {
	return s.TopUp(t.of(), t.Epsilon, step)
}
