package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"hush/core/ask"
	"hush/core/publication"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/hush/ledger"
)

var planCommand = &command{name: "plan", args: "REPORT FILE", least: 2, most: 2,
	flags: func(c *call) {
		draws(c)
		inPrint(c)
	},
	run: plan, what: "divides ε among the questions of a report, and draws all with -spend"}

// readReport reads the questions of a report, an ask.Several in JSON: {"parts": [{"recipe": …,
// "weight": 2}, …], "division": "evenly", "total": "1", "delta": "0"}.
func readReport(name string) (written draft, s ask.Several, err error) {
	if written, err = readDraft(name); err != nil {
		return written, s, err
	}
	s, err = checked[ask.Several](written)
	if err != nil {
		return written, s, err
	}
	if len(s.Parts) == 0 {
		return written, s, fail(exitUnread, "%s has no parts: name a question for each figure",
			name)
	}
	for i, p := range s.Parts {
		if p.Recipe.Table != s.Parts[0].Recipe.Table {
			return written, s, fail(exitUnread, "%s: part %d reads the file in another way than "+
				"part 1: give all the same table, or none", name, i+1)
		}
	}
	return written, s, nil
}

// plan prices several questions together, and draws them with one debit.
func plan(c *call) error {
	written, several, err := readReport(c.args[0])
	if err != nil {
		return err
	}
	page, err := c.paper()
	if err != nil {
		return err
	}
	defer page.drop()
	d, err := openDesk(c, c.args[1], several.Parts[0].Recipe.Table)
	if err != nil {
		return err
	}
	if several, err = placed[ask.Several](written, d.host); err != nil {
		return err
	}
	for i := range several.Parts {
		if err := d.reads(&several.Parts[i].Recipe); err != nil {
			return err
		}
	}
	together, err := d.together(several)
	if err != nil {
		return err
	}
	fixed := several.At(together.Epsilons)
	for _, r := range fixed.Questions { // a plan that cannot be read costs nothing
		if _, err := d.read(r); err != nil {
			return err
		}
	}
	claims, err := d.claims(fixed.Questions...)
	if err != nil {
		return err
	}
	if err := d.enter(); err != nil {
		return err
	}
	defer d.ledger.Close()

	run := engine.RunPlan{Plan: fixed, Agreed: c.agreedTo(claims)}
	entry := d.account.Unfinished(ledger.Text(nil, &fixed))
	var charge engine.PlanThaw
	if entry == nil {
		charge, err = perform[engine.PlanThaw](d.host, "chargePlan", engine.PlanCharge{
			Spending: d.spent(), RunPlan: run})
	} else {
		_, err = perform[any](d.host, "samePlan", engine.PlanRest{Plan: fixed,
			Marks: entry.Marks, Left: entry.Left()})
	}
	if !c.drawing() {
		o := offer{Plans: together.Plans, Epsilons: together.Epsilons, Never: together.Never,
			Loss: together.Total.Loss.Short().Stated(), Claims: claims}
		return d.show(o, entry, err)
	}
	if err != nil {
		return err
	}
	if entry == nil {
		entry = &ledger.Entry{Entry: engine.Entry{Debit: charge.Debit}, Fixed: &fixed,
			Marks: charge.Marks, Parts: charge.Parts}
		if err := d.debit(entry, charge.Frozen); err != nil {
			return err
		}
	}
	return d.settleAll(entry, fixed, page)
}

// together divides ε. The number of persons may be known only once columns were read.
func (d *desk) together(s ask.Several) (t ask.Together, err error) {
	for _, p := range s.Parts {
		t, err = perform[ask.Together](d.host, "together", s)
		if !is(err, engine.NotRead) {
			return t, err
		}
		r := p.Recipe
		r.Epsilon = "1"
		if _, err := d.read(r); err != nil {
			return t, err
		}
	}
	return perform[ask.Together](d.host, "together", s)
}

// figure is the outcome of one question of a report, for programs.
type figure struct {
	Number  int             `json:"number"`
	File    string          `json:"file,omitempty"` // the file in which it is kept
	Release json.RawMessage `json:"release,omitempty"`
	Fault   *engine.Fault   `json:"fault,omitempty"`
}

// settleAll draws the rest of a plan, question by question, and shows everything: for programs as
// one list, and as a page. A question that fails does not stop the others, which are paid for.
func (d *desk) settleAll(e *ledger.Entry, fixed ask.Fixed, page *paper) error {
	var failed error
	var releases []*task.Release
	var files []string // the files in which they are kept
	figures := []figure{}
	for i, r := range fixed.Questions {
		number := i + 1
		if e.Drawn[number] == nil {
			if _, err := d.read(r); err != nil {
				return err
			}
		}
		shown := func(text string) error {
			r, err := releaseOf(text)
			if err != nil {
				return err
			}
			body, _, _ := ask.Checksum(text) // the checksum is that of its lines
			releases, files = append(releases, r), append(files, d.ledger.Path(e, number))
			figures = append(figures, figure{Number: number, Release: json.RawMessage(body),
				File: d.ledger.Path(e, number)})
			if d.call.json {
				return nil
			}
			printf(d.call.out, "%d. ", number)
			return d.call.say(r)
		}
		err := d.settle(e, number, func() (*task.Release, error) { return d.draw(r) }, shown,
			false)
		if fault := (*engineError)(nil); errors.As(err, &fault) {
			figures = append(figures, figure{Number: number, Fault: &fault.Fault})
			failed = errors.Join(failed, fmt.Errorf("question %d: %w", number, err))
		} else if err != nil {
			return err // it was interrupted, or cannot be written
		}
	}
	if d.call.json {
		if err := writeJSON(d.call, figures); err != nil {
			return err
		}
	}
	if n := len(releases); n > 0 && !d.call.json {
		printf(d.call.out, "All together: %s\n", ask.GuaranteeOf(releases[0].Voice(nil).Language,
			e.Loss, releases[0].Recipe).Line())
	}
	if err := page.write(releases, files, publication.Plan(fixed)); err != nil {
		return errors.Join(failed, err)
	}
	for _, f := range figures {
		if err := d.ledger.Told(e, f.Number); err != nil {
			return err
		}
	}
	return failed
}
