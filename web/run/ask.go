package main

import (
	"hush/core/ask"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/outside"
	"hush/web/run/ledger"
)

var askCommand = &command{name: "ask", args: "RECIPE FILE", least: 2, most: 2, flags: draws,
	run: askRecipe, what: "prices the question of a recipe, and answers it with -spend"}

func askRecipe(c *call) error {
	var r ask.Recipe
	if err := readJSON(c.args[0], &r); err != nil {
		return err
	}
	d, err := openDesk(c, c.args[1], r)
	if err != nil {
		return err
	}
	plan, err := d.price(r)
	if err != nil {
		return err
	}
	cells, err := d.read(r) // what cannot be read costs nothing
	if err != nil {
		return err
	}
	if !c.drawing() && !c.json {
		writeProblems(c, cells)
	}
	claims, err := d.claims(r)
	if err != nil {
		return err
	}
	if err := d.enter(); err != nil {
		return err
	}
	defer d.ledger.Close()

	loss := plan.Loss.Short().Stated()
	entry := d.account.Unfinished(ledger.Text(&r, nil))
	if entry != nil && ask.KeyOf(entry.Loss) != ask.KeyOf(loss) {
		entry = nil // this program prices it in another way
	}
	var charge engine.Thaw
	if entry == nil {
		charge, err = perform[engine.Thaw](d.host, "charge", engine.Charge{Spending: d.spent(),
			RunOf: engine.RunOf{Recipe: r, Agreed: c.agreedTo(claims)}})
	}
	if !c.drawing() {
		o := offer{Plans: []ask.Plan{plan}, Loss: loss, Claims: claims}
		return d.show(o, entry, err)
	}
	if err != nil {
		return err
	}
	if entry == nil {
		entry = &ledger.Entry{Entry: engine.Entry{Debit: charge.Debit}, Asked: &r}
		if err := d.debit(entry, charge.Frozen); err != nil {
			return err
		}
	}
	return d.settle(entry, 1, func() (*task.Release, error) { return d.draw(r) }, c.tell,
		true)
}

// draw has the engine draw a question that was paid for.
func (d *desk) draw(r ask.Recipe) (*task.Release, error) {
	return perform[*task.Release](d.host, "run", map[string]ask.Recipe{"recipe": r})
}

// agreedTo are the claims that the owner of the file agrees to.
func (c *call) agreedTo(claims []engine.Asked) (agreed []outside.Claim) {
	if c.agree {
		for _, a := range claims {
			agreed = append(agreed, a.Claim)
		}
	}
	return agreed
}
