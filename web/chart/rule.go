package chart

import (
	"math"

	"hush/core/message"
	"hush/core/task"
	"hush/web/say"
)

// ruleView shows a rule with how many people it answers rightly.
type ruleView struct{}

// picture draws how many are answered rightly, of everybody.
func (ruleView) picture(r *task.Release) picture {
	l := r.Answer.Result.(*task.LearnedRule)
	_, many := nounOf(r)
	p := counted(float64(l.Right), float64(l.Error), float64(l.People), many)
	p.name = say.Format("%s answered rightly", many)
	p.says = said(l.Rule(say.Language()), p.label, Number(p.low), Number(p.high))
	drawn := alone(p)
	drawn.axis, drawn.bars = p.name, errorBars()
	drawn.what = say.Format("%s answered rightly by a rule", task.Capital(many))
	return drawn
}

// counted is a count of all n, with its interval.
func counted(count, off, n float64, many string) point {
	hi := max(n, 1)
	return point{at: within(count, 0, hi), low: within(count-off, 0, hi),
		high: within(count+off, 0, hi), known: true, ranged: true, hi: hi, scaled: true,
		label: Number(math.Round(count)) + " " + many}
}

func (ruleView) figures(r *task.Release) []figure {
	l := r.Answer.Result.(*task.LearnedRule)
	return []figure{{say.Text("Rule"), l.Rule(say.Language())},
		{say.Text("Answered rightly"),
			say.Format("%s of %s (± %s)", message.Grouped(l.Right),
				howMany(r, l.People), message.Grouped(l.Error))}}
}
