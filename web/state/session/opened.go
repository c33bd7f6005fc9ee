package session

import (
	"hush/core/ask"
	"hush/core/coin"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
)

// Recheck replaces an opened release's promise by the one that follows from its question, and names
// the differences. Only somebody with the data can judge the answer.
func Recheck(r *task.Release) (doubts []string) {
	r.Unverified = true
	if doubt := originDoubt(r.Origin); doubt != "" {
		doubts = append(doubts, doubt)
	}
	r.Verdict = nil
	stated := r.Plan
	plan, err := task.Price(say.Language(), r.Recipe, stated.People)
	if err != nil {
		r.Plan.Verdict = nil
		r.Plan.Guarantee = ask.Guarantee{
			Plain: say.Text("Nothing is known to be promised: the question cannot be worked out."),
			Exact: say.Text("no guarantee that could be checked")}
		return append(doubts, say.Format("Its guarantee cannot be worked out from its question: "+
			"%s.", say.Error(err)))
	}
	r.Plan = plan
	english, err := task.Price(nil, r.Recipe, stated.People)
	if err != nil {
		english = plan // unreachable: it was just worked out
	}
	either := func(stated, said, english string) bool { return stated == said || stated == english }
	if engine.Encode(stated.Loss) != engine.Encode(plan.Loss) ||
		!either(stated.Guarantee.Exact, plan.Guarantee.Exact, english.Guarantee.Exact) {
		doubts = append(doubts, say.Format("The file states the guarantee as “%s”; its question "+
			"gives “%s”.", stated.Guarantee.Exact, plan.Guarantee.Exact))
	}
	if !either(stated.Guarantee.Neighbours, plan.Guarantee.Neighbours,
		english.Guarantee.Neighbours) {
		doubts = append(
			doubts, say.Format("The file says that it protects “%s”; its question gives “%s”.",
				stated.Guarantee.Neighbours, plan.Guarantee.Neighbours))
	}
	if !either(stated.Algorithm, plan.Algorithm, english.Algorithm) {
		doubts = append(doubts, say.Format("The file names the algorithm “%s”; its question is "+
			"answered by “%s”.", stated.Algorithm, plan.Algorithm))
	}
	return doubts
}

// originDoubt returns a warning about noise that did not come from the system; it is empty if there
// is none.
func originDoubt(o coin.Origin) string {
	switch o {
	case coin.Crypto:
		return ""
	case coin.Seeded:
		return say.Text("The file says that its noise was drawn from a seed. Anybody who knows " +
			"the seed can remove the noise, so it protects nobody.")
	}
	return say.Format("The file says that its noise came from “%s”, which Hush does not use for "+
		"releases.",
		string(o))
}
