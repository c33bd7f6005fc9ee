package task

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"hush/core/ask"
	"hush/core/message"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/selection"
)

// tuning allows a question's parameters to be tuned: where the recipe has values to be tried, it
// divides ε and δ among the parts of a run, and prepares the question with each combination.
func tuning(
	prepare func(q *ask.Query) (ask.Prepared, error)) func(q *ask.Query) (ask.Prepared, error) {
	return func(q *ask.Query) (ask.Prepared, error) {
		if !q.Tries() {
			return prepare(q)
		}
		of, tried, err := q.Combinations()
		if err != nil {
			return nil, err
		}
		return newTuned(q, of, tried)
	}
}

func newTuned(q *ask.Query, of string, tried []ask.Combination) (*tuned, error) {
	if err := q.CheckPersons(maxTuned); err != nil {
		return nil, err
	}
	t := &tuned{query: q, of: of, tried: tried}
	var err error
	if t.best, err = q.OneOfBest(); err != nil {
		return nil, err
	}
	aim, err := q.GoodEnough()
	if err != nil {
		return nil, err
	}
	if aim != nil && len(tried) == 2 {
		return nil, ask.Refuse(ask.ParamGood, q.Recipe.Params[ask.ParamGood],
			phrase.Of("nothing for two combinations: each of them once costs no more, and the "+
				"better one is released"))
	}
	halves, err := q.InHalves()
	if err != nil {
		return nil, err
	}
	delta, err := t.divide(aim, halves)
	if err != nil {
		return nil, err
	}
	run := t.each.Part(3, 4)
	if halves {
		run = t.each
	}
	var losses []privacy.Loss
	for _, c := range tried {
		with, err := q.Within(run)
		if err != nil {
			return nil, err // unreachable: a run costs no more than all of them
		}
		with.Recipe.Params = maps.Clone(q.Recipe.Params)
		for name, value := range c.Params {
			delete(with.Recipe.Params, ask.TryName(name))
			with.Recipe.Params[name] = value
		}
		with.Trial, with.Half, with.Shared = true, halves, delta
		inner, err := q.Task.Prepare(&with)
		if err != nil {
			return nil, t.fault(c, err)
		}
		scored, ok := inner.(tunable)
		if s, some := inner.(sometimes); !ok || some && !s.scored() {
			return nil, ask.Refuse(q.FirstTried(), c.Label,
				phrase.Of("nothing where no rule is released: there is nothing to compare on the "+
					"data"))
		}
		loss, err := inner.Loss()
		if err != nil {
			return nil, err
		}
		if halves {
			half, err := selection.NewHalves(loss, t.noise)
			if err != nil {
				return nil, err
			}
			t.halves = append(t.halves, half)
			if loss, err = half.Loss(1); err != nil {
				return nil, err
			}
		}
		t.inner, losses = append(t.inner, scored), append(losses, loss)
	}
	worst, err := selection.Worst(losses...)
	if err != nil {
		return nil, err
	}
	if t.one = worst; !halves {
		t.one = worst.Plus(privacy.PureLoss(t.noise))
	}
	if aim != nil {
		t.until, err = t.aim(aim)
	}
	return t, err
}

// fault marks the field of a refused value, where it is one of a list to be tried.
func (t *tuned) fault(c ask.Combination, err error) error {
	var refused *param.Error
	if t.query.Tries() && errors.As(err, &refused) {
		if _, tried := c.Params[refused.Field]; tried {
			return ask.TryFault(ask.TryName(refused.Field), err)
		}
		if !slices.ContainsFunc(t.query.Task.Params, func(p ask.Param) bool {
			return p.Name == refused.Field
		}) {
			return err
		}
		return ask.TryFault(t.query.FirstTried(), err)
	}
	return err
}

func (t *tuned) Loss() (privacy.Loss, error) {
	if t.until != nil {
		return t.until.mechanism().Loss(1)
	}
	return selection.CostOfTrying(t.law, int64(len(t.tried)), t.one)
}

func (t *tuned) Algorithm() string {
	switch {
	case t.until != nil && t.until.sought != nil:
		return t.query.Say.Format("%s; a search for a threshold, and the first run that reaches it",
			t.inner[0].Algorithm())
	case t.until != nil:
		return t.query.Say.Format("%s; the first run that is good enough",
			t.inner[0].Algorithm())
	case t.law == nil:
		return t.query.Say.Format("%s; once for each value tried", t.inner[0].Algorithm())
	}
	return t.query.Say.Format("%s; the best of a random number of runs (%s)",
		t.inner[0].Algorithm(), t.law.Rule)
}

func (t *tuned) Bound() float64 {
	worst := 0.0
	for _, inner := range t.inner {
		worst = math.Max(worst, inner.Bound())
	}
	return worst
}

// Typical is the middle one of all combinations tried: which is best is not known.
func (t *tuned) Typical() (off float64, exact bool) {
	var all []float64
	for _, inner := range t.inner {
		one, _ := inner.Typical()
		all = append(all, one)
	}
	slices.Sort(all)
	return all[(len(all)-1)/2], false
}

func (t *tuned) Unit() ask.Unit { return t.inner[0].Unit() }

// mostShown is the number of combinations that are listed where people read them.
const mostShown = 8

func (t *tuned) Forecast() []ask.Forecast {
	k, total := len(t.tried), t.query.Epsilon.Float64()
	one, naive := epsilonText(t.each.Float64()), epsilonText(float64(k)*t.each.Float64())
	list := []ask.Forecast{
		{Label: t.query.Say.Format("Price of trying %s", fmt.Sprint(k)), Value: epsilonText(total),
			Detail: t.query.Say.Format("instead of %s, the cost of releasing each of them as "+
				"accurately; for the same price each of them would have ε = %.3g", naive,
				total/float64(k))},
		{Label: t.query.Say.Text("Each run has"), Value: one,
			Detail: t.query.Say.Format("a quarter of it for the score: %s",
				t.query.Say.Text(t.query.Task.Tunes))},
	}
	if t.halves != nil {
		list[1].Detail = t.query.Say.Format("for one half of the people, and as much for the "+
			"score, on the other half: %s", t.query.Say.Text(t.query.Task.Tunes))
	}
	switch {
	case t.until != nil:
		list = append(list, t.until.forecast(t)...)
	case t.law == nil:
		list[0].Detail = t.query.Say.Text("each is paid for: for so few nothing costs less")
	default:
		times := timesOne(t.law, t.query.Epsilon)
		law := t.query.Say.Format("by the law with the smallest proven price among those that "+
			"find a good run as often as random stopping does, in twice its time: %s",
			t.law.Rule)
		if t.best > 0 {
			law = t.query.Say.Format("so that in 95 of 100 releases one of them is among the best "+
				"%d %% of all that such runs give; the noisy score chooses: %s", t.best, t.law.Rule)
		}
		list = append(list,
			ask.Forecast{Label: t.query.Say.Text("Why it is private"),
				Value: t.query.Say.Format("%s × one run", times),
				Detail: t.query.Say.Format("only the best of a random number of runs is shown, "+
					"and their number is secret: that costs at most %s times one run, and paying "+
					"for each value %d times (Liu, Talwar 2019; Papernot, Steinke 2022)",
					times, k)},
			ask.Forecast{Label: t.query.Say.Text("Runs"),
				Value: t.query.Say.Format("%.0f expected", t.law.Runs), Detail: law})
	}
	for i, inner := range t.inner {
		if i == mostShown {
			list = append(list,
				ask.Forecast{Label: t.query.Say.Text("And"),
					Value:  t.query.Say.Format("%d more", k-mostShown),
					Detail: t.query.Say.Text("drawn or listed by the values to try")})
			break
		}
		one := ask.OffOf(inner).Forecast(t.query.Say, inner.Unit())
		one.Label = t.tried[i].Label
		one.Value = t.query.Say.Format("typically %s", one.Value)
		list = append(list, one)
	}
	return list
}

// forecast describes a search in advance.
func (g *goal) forecast(t *tuned) []ask.Forecast {
	k := len(t.tried)
	if g.sought != nil {
		return g.foretold(t)
	}
	good := 1 / float64(2*k) // the better half of the best combination's runs
	return []ask.Forecast{
		{Label: t.query.Say.Text("Why it is private"),
			Value: t.query.Say.Format("%s × one run", "2"),
			Detail: t.query.Say.Text("only the first run whose noisy score is good enough is " +
				"shown, and the number before it is secret: that costs twice one run, and the " +
				"best of all two and a half times (Liu, Talwar 2019, Theorem 3.1)")},
		{Label: t.query.Say.Text("Good enough"),
			Value: t.query.Say.Format("off by at most %s", t.query.Count(g.people)),
			Detail: t.query.Say.Format("by the noisy score; an answer that is off by more than %s "+
				"is released in at most 5 of 100 searches", t.query.Count(g.people+g.off))},
		{Label: t.query.Say.Text("Runs"),
			Value: t.query.Say.Format("at most %.0f expected", g.search.Calls(0)),
			Detail: t.query.Say.Format("after each run that is not good enough, a coin may end "+
				"the search with nothing. That happens in %.0f of 100 releases if one run in %d "+
				"is good enough, and in all if none is; the loss is spent either way",
				100*g.search.Miss(good), 2*k)},
	}
}

// foretold returns the forecasts of a search for a good enough run.
func (g *goal) foretold(t *tuned) []ask.Forecast {
	k := len(t.tried)
	best := "0"
	if law, err := repeats(t.query, int64(k)); err == nil && law != nil {
		if each, err := selection.Each(t.query.Epsilon, law.Repetitions); err == nil {
			best = fmt.Sprintf("%.3g", each.Float64())
		}
	}
	return []ask.Forecast{
		{Label: t.query.Say.Text("Why it is private"),
			Value: t.query.Say.Format("%s × one run, and the search", "2"),
			Detail: t.query.Say.Format("a threshold is found by noisy counts of the runs that "+
				"reach it (Liu, Talwar 2019, Theorem 4.7). With this many runs, one of them has "+
				"little: the best of all leaves it ε = %s",
				best)},
		{Label: t.query.Say.Text("Good enough"),
			Value: t.query.Say.Text("is found by the search"),
			Detail: t.query.Say.Format("in half of the releases at least as good as the best 1 "+
				"in %d runs, by the noisy score; an answer that is off by more than %s more is "+
				"released in at most 5 of 100 searches", 2*k, t.query.Count(g.off))},
		{Label: t.query.Say.Text("Runs"),
			Value: t.query.Say.Format("%s, and at most %s expected",
				message.Grouped(int64(g.sought.Samples())),
				message.Grouped(int64(math.Ceil(g.search.Calls(0))))),
			Detail: t.query.Say.Text("the first to find the threshold, which takes minutes for " +
				"many people, then until one reaches it, or a coin ends the search with nothing")},
	}
}

// values lists what is tried, in words.
func (t *tuned) values() (list []string) {
	for _, c := range t.tried {
		list = append(list, c.Value)
	}
	return list
}

// maxTuned bounds the number of people where values are tried, so that points of at most 64·(64·ln
// 2 + 4) each stay within int64.
const maxTuned = 1 << 48
