package engine

import (
	"fmt"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Drawn holds the answers to a plan of several questions, which was paid for at once.
type Drawn struct {
	Entry string `json:"entry"` // the id of its debit
	// Answers are those drawn now, and those drawn before that nobody has seen.
	Answers []DrawnAnswer `json:"answers"`
	// The operation resumeTogether draws the questions that are left, by their numbers, at no cost.
	Left    []int  `json:"left"`
	Stopped *Fault `json:"stopped,omitempty"` // why some are left; nil: none are
}

// DrawnAnswer is the outcome of one question of a plan: a release, or the reason why its draw
// failed, which is final.
type DrawnAnswer struct {
	Number   int       `json:"number"` // in the plan, from 1
	Released *Released `json:"released,omitempty"`
	Fault    *Fault    `json:"fault,omitempty"`
}

// planTask stands for a task in the debit of a plan.
const planTask = "plan"

// PlanEntry is the name under which an answer of a plan is kept: that of its debit, followed by its
// number.
func PlanEntry(entry string, number int) string { return fmt.Sprintf("%s/%d", entry, number) }

// EntryOf returns the debit that paid for a kept answer, and its number in a plan, or 0 if it was
// asked on its own.
func EntryOf(name string) (entry string, number int) {
	entry, after, _ := strings.Cut(name, "/")
	number, _ = strconv.Atoi(after)
	return entry, number
}

// ErrOtherPrice refuses the rest of a plan. A plan's total is valid only for its questions as they
// were priced together.
var ErrOtherPrice error = phrase.Fault("the rest of this plan cannot be drawn: this version of " +
	"the page prices its questions differently. The part already drawn is unaffected")

// chargePlan states what the ledger must hold before a plan is drawn, or refuses it. It computes
// the price itself, whatever the client was shown before.
func (d *Dispatcher) chargePlan(c PlanCharge) (charged PlanThaw, err error) {
	left := c.Spending
	for _, r := range c.Plan.Questions {
		if err := d.agrees(RunOf{r, c.Agreed}); err != nil {
			return charged, err
		}
		if left.Frozen, err = left.Thaw(r); err != nil {
			return charged, err
		}
	}
	together, marks, err := d.session.Fixed(c.Plan)
	if err != nil {
		return charged, err
	}
	loss := planLoss(together)
	if err := loss.Check(uint64(together.Plans[0].People)); err != nil {
		return charged, err
	}
	debit := Debit{Task: planTask, Loss: loss, Questions: len(c.Plan.Questions)}
	charged.Thaw = Thaw{debit, left.Frozen, c.with(loss)}
	charged.Marks, charged.Parts = marks, partsOf(together.Parts(), loss)
	return charged, c.Admit(loss)
}

// planLoss is the cost of a plan: its total, or the plain sum if that total is impossible.
func planLoss(t ask.Together) privacy.Loss {
	loss := t.Total.Loss.Short().Stated()
	if privacy.Contradiction(t.Parts(), loss) != nil {
		return t.Apart.Short().Stated()
	}
	return loss
}

// partsOf lists the questions of a plan with this loss, for the ledger.
func partsOf(plan []privacy.Planned, loss privacy.Loss) (parts []PlanPart) {
	delta, err := privacy.NewDelta(loss.Delta())
	for i, p := range plan {
		short := p.Loss.Short()
		part := PlanPart{Least: "0", Delta: short.Delta().RatString()}
		if epsilon, known := short.Epsilon(); known {
			part.Epsilon = epsilon.RatString()
		}
		if err == nil { // otherwise it promises nothing
			part.Least = privacy.Least(plan[i:i+1], delta).RatString()
		}
		parts = append(parts, part)
	}
	return parts
}

func (d *Dispatcher) samePlan(p PlanRest) (None, error) {
	_, marks, err := d.session.Fixed(p.Plan)
	if err != nil {
		return nil, err
	}
	for _, number := range p.Left {
		if at := number - 1; at < 0 || at >= min(len(marks), len(p.Marks)) ||
			marks[at] != p.Marks[at] {
			return nil, ErrOtherPrice
		}
	}
	return nil, nil
}
