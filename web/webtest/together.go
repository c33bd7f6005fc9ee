package webtest

import (
	"slices"

	"hush/web/engine"
)

// runTogether does what runTogether of static/engine.js does.
func (f *Fake) runTogether(r engine.RunPlan) (d engine.Drawn, err error) {
	for _, q := range r.Plan.Questions {
		if err := f.Feed(q); err != nil {
			return d, err
		}
	}
	charged, err := f.Ask("chargePlan", engine.PlanCharge{Spending: f.Spendings[0], RunPlan: r})
	if err != nil {
		return d, err
	}
	var thaw engine.PlanThaw
	engine.Decode(charged, &thaw)
	entry := f.debit(thaw.Thaw)
	f.Spent++
	entry.Plan = &engine.PlanOf{Fixed: r.Plan}
	return f.draw(entry), nil
}

// resumeTogether does what resumeTogether of static/engine.js does.
func (f *Fake) resumeTogether(id string) (d engine.Drawn, err error) {
	entries := f.Spendings[0].Entries
	i := slices.IndexFunc(entries, func(e engine.Entry) bool {
		return e.ID == id && e.Plan != nil
	})
	if i < 0 {
		return d, refusal{&engine.Fault{Code: engine.PlanClosed, Message: "closed"}}
	}
	return f.draw(&entries[i]), nil
}

// draw draws what is left of a plan, up to the question at which it stops.
func (f *Fake) draw(e *engine.Entry) engine.Drawn {
	d := engine.Drawn{Entry: e.ID, Answers: []engine.DrawnAnswer{}, Left: []int{}}
	stops := f.StopsAt
	f.StopsAt = 0
	for i, q := range e.Plan.Questions {
		number := i + 1
		if slices.Contains(e.Plan.Drawn, number) {
			continue
		}
		if d.Stopped != nil || number == stops {
			d.Stopped = &engine.Fault{Code: engine.Cancelled, Message: "cancelled"}
			d.Left = append(d.Left, number)
			continue
		}
		came := engine.DrawnAnswer{Number: number}
		err := f.Feed(q)
		if err == nil {
			release, failed := f.Ask(engine.Run.Name, engine.RunOf{Recipe: q})
			if err = failed; err == nil {
				kept := f.keep(release, engine.PlanEntry(e.ID, number), e.Time)
				came.Released = &kept
			}
		}
		if refused, is := err.(refusal); is {
			came.Fault = refused.Fault
		}
		e.Plan.Drawn = append(e.Plan.Drawn, number)
		d.Answers = append(d.Answers, came)
	}
	return d
}
