package chart

import (
	"hush/core/message"
	"hush/core/task"
	"hush/web/say"
)

// ruleView shows a rule with how many people it answers rightly.
type ruleView struct{}

// chart draws the people answered rightly as a bar with its range, against everybody.
func (ruleView) chart(r *task.Release) (object, bool) {
	l := r.Answer.Result.(*task.LearnedRule)
	o := barChart("", say.Text("people answered rightly"), []string{l.Rule(say.Language())},
		[]int64{l.Right}, [][3]int64{{0, max(l.Right-l.Error, 0), min(l.Right+l.Error, l.People)}})
	o["yAxis"].(object)["max"] = l.People
	return o, true
}

func (ruleView) figures(r *task.Release) []figure {
	l := r.Answer.Result.(*task.LearnedRule)
	return []figure{{say.Text("Rule"), l.Rule(say.Language())},
		{say.Text("Answered rightly"),
			say.Format("%s of %s people (± %s)", message.Grouped(l.Right),
				message.Grouped(l.People), message.Grouped(l.Error))}}
}
