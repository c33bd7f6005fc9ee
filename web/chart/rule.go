package chart

import (
	"math"

	"hush/core/message"
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// ruleView shows a rule with the number of people that it answers correctly.
type ruleView struct{}

// picture draws how many of everybody are answered correctly.
func (ruleView) picture(r *task.Release) plot.Picture {
	l := r.Answer.Result.(*task.LearnedRule)
	_, many := nounOf(r)
	p := counted(float64(l.Right), float64(l.Error), float64(l.People), many)
	p.Name = say.Format("%s classified correctly", many)
	p.Says = plot.Said(l.Rule(say.Language()), p.Label, plot.Number(p.Low), plot.Number(p.High))
	drawn := plot.Alone(p)
	drawn.Axis, drawn.Bars = p.Name, plot.ErrorBars()
	drawn.What = say.Format("%s classified correctly by a rule", task.Capital(many))
	return drawn
}

// counted is a count out of all n, with its interval.
func counted(count, off, n float64, many string) plot.Point {
	hi := max(n, 1)
	return plot.Point{At: plot.Within(count, 0, hi), Low: plot.Within(count-off, 0, hi),
		High: plot.Within(count+off, 0, hi), Known: true, Ranged: true, Hi: hi, Scaled: true,
		Label: plot.Number(math.Round(count)) + " " + many}
}

func (ruleView) figures(r *task.Release) []Figure {
	l := r.Answer.Result.(*task.LearnedRule)
	return []Figure{{say.Text("Rule"), l.Rule(say.Language())},
		{say.Text("Classified correctly"),
			say.Format("%s of %s (± %s)", message.Grouped(l.Right),
				howMany(r, l.People), message.Grouped(l.Error))}}
}
