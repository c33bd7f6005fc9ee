package main

import (
	"errors"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/hush/ledger"
	"hush/web/outside"
)

var askCommand = &command{name: "ask", args: "RECIPE [FILE] | TASK [COLUMN] FILE", least: 1,
	most: 3, flags: func(c *call) {
		draws(c)
		inPrint(c)
		inPlace(c)
		inWords(c)
	},
	run: askRecipe, what: "prices the question of a recipe, or of words such as mean age, and " +
		"answers it with -spend; of FILE, or of the counts that a database makes with -on"}

func askRecipe(c *call) error {
	if c.asWords() {
		return askWords(c)
	}
	if err := c.checkPlace(); err != nil {
		return err
	}
	written, err := readDraft(c.args[0])
	if err != nil {
		return err
	}
	r, err := checked[ask.Recipe](written)
	if err != nil {
		return err
	}
	if c.on.address != "" {
		if name, is := written.named(); is {
			return fail(exitUnread, "%s names the column %q: of a table in a database give its "+
				"number", c.args[0], name)
		}
		return askDatabase(c, r)
	}
	d, err := openDesk(c, c.args[1], r.Table)
	if err != nil {
		return err
	}
	if r, err = placed[ask.Recipe](written, d.host); err != nil {
		return err
	}
	if err := d.reads(&r); err != nil {
		return err
	}
	return d.askOf(r)
}

// askOf answers the question of a recipe about the open file, or states what it would cost.
func (d *desk) askOf(r ask.Recipe) (err error) {
	q := &question{asked: r, recipe: r}
	if err := d.prepare(q); err != nil {
		return err
	}
	if q.claims, err = d.claims(r); err != nil {
		return err
	}
	q.agreed = d.call.agreedTo(q.claims)
	return d.answer(q)
}

// question is a question that is priced and may be answered.
type question struct {
	asked  ask.Recipe // as its owner wrote it
	recipe ask.Recipe // as it is asked of the table that was read
	query  string     // the hash of the statement that counted; empty: none did
	plan   ask.Plan
	claims []engine.Asked  // what its owner has to agree to
	agreed []outside.Claim // claims to which the owner agreed
	closed error           // why it is not answered whatever is agreed to
}

// prepare prices a question and reads the columns it needs: one that cannot be read costs nothing.
func (d *desk) prepare(q *question) (err error) {
	if q.plan, err = d.price(q.recipe); err != nil {
		return err
	}
	cells, err := d.read(q.recipe)
	if err == nil && !d.call.drawing() && !d.call.json {
		writeProblems(d.call, cells, d.opened.Fields)
	}
	return err
}

// answer answers a question, or states what it would cost.
func (d *desk) answer(q *question) error {
	page, err := d.call.paper()
	if err != nil {
		return err
	}
	defer page.drop()
	if err := d.enter(); err != nil {
		return err
	}
	defer d.ledger.Close()

	loss := q.plan.Loss.Short().Stated()
	entry := d.account.Unfinished(ledger.Text(&q.asked, nil))
	if entry != nil && ask.KeyOf(entry.Loss) != ask.KeyOf(loss) {
		entry = nil // this program prices it differently
	}
	err = q.closed
	var charge engine.Thaw
	if entry == nil && err == nil {
		charge, err = perform[engine.Thaw](d.host, "charge", engine.Charge{Spending: d.spent(),
			RunOf: engine.RunOf{Recipe: q.recipe, Agreed: q.agreed}})
	}
	if !d.call.drawing() {
		o := offer{Plans: []ask.Plan{q.plan}, Loss: loss, Claims: q.claims, Query: q.query}
		return d.show(o, entry, err)
	}
	if err != nil {
		return err
	}
	if err := d.cancelled(); err != nil {
		return err
	}
	if entry == nil {
		entry = &ledger.Entry{Entry: engine.Entry{Debit: charge.Debit}, Asked: &q.asked,
			Query: q.query}
		if err := d.debit(entry, charge.Frozen); err != nil {
			return err
		}
	}
	return d.settle(entry, 1, func() (*task.Release, error) {
		entry.Query = q.query // a killed run's statement may have counted differently
		return d.draw(q.recipe)
	}, func(text string) error {
		r, err := releaseOf(text)
		if err != nil {
			return err
		}
		kept := []string{d.ledger.Path(entry, 1)}
		return errors.Join(page.write([]*task.Release{r}, kept), d.call.tell(text))
	}, true)
}

// draw has the engine draw a question that was paid for.
func (d *desk) draw(r ask.Recipe) (*task.Release, error) {
	return perform[*task.Release](d.host, "run", map[string]ask.Recipe{"recipe": r})
}

// agreedTo lists the claims to which the owner of the file agrees.
func (c *call) agreedTo(claims []engine.Asked) (agreed []outside.Claim) {
	if c.agree {
		for _, a := range claims {
			agreed = append(agreed, a.Claim)
		}
	}
	return agreed
}
