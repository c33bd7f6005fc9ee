package main

import (
	"hush/core/ask"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/hush/ledger"
)

var topUpCommand = &command{name: "topup", args: "RELEASE FILE", least: 2, most: 2, run: topUp,
	what: "prices what makes a release more exact, for the difference alone; draws it with -spend",
	flags: func(c *call) {
		draws(c)
		c.flags.StringVar(&c.epsilon, "epsilon", "",
			"the ε of the new answer; empty: the least at which it is good to publish")
	}}

// topUp makes a release in this ledger more exact.
func topUp(c *call) error {
	before, err := readRelease(c.args[0])
	if err != nil {
		return err
	}
	d, err := openDesk(c, c.args[1], before.Recipe.Table)
	if err != nil {
		return err
	}
	if _, err := d.read(before.Recipe); err != nil {
		return err
	}
	claims, err := d.claims(before.Recipe)
	if err != nil {
		return err
	}
	if err := d.enter(); err != nil {
		return err
	}
	defer d.ledger.Close()

	made, err := build()
	if err != nil {
		return err
	}
	head, entry, err := d.ledger.Head(d.account, d.names.Fingerprint, before.Digest(), made)
	if err != nil {
		return &failure{exitRefused, err}
	}
	of := engine.TopUpOf{Release: engine.Released{Release: before}, Epsilon: c.epsilon,
		Agreed: c.agreedTo(claims)}
	if entry != nil {
		if c.epsilon != "" && c.epsilon != entry.Asked.Epsilon {
			return fail(exitRefused, "a top-up to ε = %s was paid for (%s): draw that first, "+
				"which costs nothing", entry.Asked.Epsilon, entry.ID)
		}
		of.Epsilon = entry.Asked.Epsilon
	}
	price, err := perform[engine.TopUpOffer](d.host, "topUpPlan", of)
	if err != nil {
		return d.about(err)
	}
	of.Epsilon = price.Epsilon
	var charge engine.Thaw
	if entry == nil {
		charge, err = perform[engine.Thaw](d.host, "chargeTopUp",
			engine.TopUpCharge{Spending: d.spent(), TopUpOf: of})
	}
	if !c.drawing() {
		o := offer{Plans: []ask.Plan{price.Plan}, Epsilons: []string{price.Epsilon},
			Loss: price.Debit.Short().Stated(), Claims: claims}
		return d.show(o, entry, err)
	}
	if err != nil {
		return err
	}
	if entry == nil {
		asked := before.Recipe
		asked.Epsilon = price.Epsilon
		entry = &ledger.Entry{Entry: engine.Entry{Debit: charge.Debit, Replaces: head.ID},
			Asked: &asked}
		if err := d.debit(entry, charge.Frozen); err != nil {
			return err
		}
	}
	return d.settle(entry, 1, func() (*task.Release, error) {
		return perform[*task.Release](d.host, "topUp", of)
	}, c.tell, true)
}
