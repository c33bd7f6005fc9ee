package edit

import (
	"slices"

	"hush/core/ask"
	"hush/web/engine"
	"hush/web/outside"
	"hush/web/state/place"
)

// Run is the progress of the release of everything to be drawn.
type Run struct {
	Running  bool
	Progress engine.Progress
	Failure  *engine.Fault // why the last one ended early; nil: it did not
	// Entry is the debit of a plan with figures left to be drawn; empty: there is none.
	Entry string

	fixed   ask.Fixed // the plan that is being drawn, or is left
	request engine.Request
}

// Ready reports whether the figures can be drawn: they are paid for, or have a price.
func (p *Page) Ready() bool {
	return !p.Run.Running && p.Open != "" &&
		(p.Run.Entry != "" || p.Prices.Chosen != nil && !p.Elsewhere())
}

// Fixed returns the plan that Release pays for: the questions with the ε at which they were priced.
func (p *Page) Fixed() (ask.Fixed, bool) {
	t := p.Prices.Chosen
	if t == nil {
		return ask.Fixed{}, false
	}
	return p.Prices.several.At(t.Epsilons), true
}

// Release pays once for everything to be drawn, and draws it: agreed lists the claims about the
// file to which its owner agreed. If a plan is paid for and not completely drawn, Release draws the
// rest of it, and pays nothing.
func (p *Page) Release(agreed []outside.Claim) {
	if !p.Ready() {
		return
	}
	entry := p.Run.Entry
	call := engine.ResumeTogether.With(entry)
	if entry == "" {
		fixed, _ := p.Fixed()
		for i, piece := range p.Planned() {
			piece.Paid = i + 1
		}
		p.Run.fixed = fixed
		call = engine.RunTogether.With(engine.RunPlan{Plan: fixed, Agreed: agreed})
	}
	p.stopPricing()
	p.Run.Running, p.Run.Progress, p.Run.Failure = true, engine.Progress{}, nil
	p.Run.request = p.Call(call, func(r engine.Request, kind string, body []byte) {
		if r != p.Run.request {
			return
		}
		switch kind {
		case engine.ReplyProgress:
			engine.Decode(body, &p.Run.Progress)
			p.Update()
			return
		case engine.ReplyDone:
			p.take(engine.RunTogether.Read(body))
		case engine.ReplyFailed:
			p.Run.Running, p.Run.Failure = false, place.Failure(body)
			if entry == "" { // it was refused before anything was paid
				p.unpaid()
				p.price()
			}
		}
		p.reveal(BarID)
		p.changed()
	})
	p.reveal(BarID)
	p.changed()
}

// CancelRun gives up what is not drawn yet. The cost of the page is spent; the rest can be drawn
// later.
func (p *Page) CancelRun() { p.Cancel(p.Run.request) }

// take puts the drawn answers in their places.
func (p *Page) take(d engine.Drawn) {
	p.Run.Running, p.Run.Failure = false, d.Stopped
	plan := p.planNumber(p.Run.fixed)
	for _, a := range d.Answers {
		piece := p.paid(a.Number)
		if piece == nil {
			continue // unreachable: each question of the plan has one
		}
		piece.Paid, piece.Price = 0, nil
		if a.Released == nil {
			piece.Failed = a.Fault
			continue
		}
		piece.Release, piece.Plan, piece.Recipe = a.Released.Release, plan, nil
		if p.Came != nil {
			p.Came(*a.Released)
		}
	}
	p.Run.Entry = ""
	if len(d.Left) > 0 {
		p.Run.Entry = d.Entry
	} else {
		p.unpaid()
	}
	p.price()
}

// Owe records a plan that was paid for and not completely drawn: each question left becomes a
// figure of the page, one that is there already or a new one at its end.
func (p *Page) Owe(entry string, plan engine.PlanOf) {
	if p.Run.Running || p.Run.Entry == entry {
		return
	}
	p.unpaid()
	p.Run.Entry, p.Run.fixed = entry, plan.Fixed
	for i, r := range plan.Questions {
		if slices.Contains(plan.Drawn, i+1) {
			continue
		}
		piece := p.Asked()[Key(r)]
		if piece == nil {
			piece = p.add(&Piece{Kind: Figure, Recipe: &r, Weight: 1})
		}
		piece.Paid, piece.Epsilon, piece.Price = i+1, r.Epsilon, nil
	}
	p.About = p.Open
	p.price()
}
