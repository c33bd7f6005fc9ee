package task

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"hush/core/ask"
	"hush/core/classify"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Bound is in percent of cases for votes, and in people for a rule.
func (c *labelling) Bound() float64 {
	if c.baseline != nil {
		return math.Inf(1) // none is known
	}
	if c.voting == nil {
		return float64(c.extra())
	}
	found, ok := c.sketch(*c.voting)
	if !ok {
		return math.Inf(1)
	}
	return math.Ceil(1000*found.Excess()) / 10
}

// sketched is a forecast of votes; ok is false where votes are not possible.
type sketched struct {
	classify.Forecast
	ok bool
}

// sketch forecasts the votes, and is worked out once.
func (c *labelling) sketch(p classify.AnswersParams) (classify.Forecast, bool) {
	found, _ := ask.Remember(c.query, p, sketchOf)
	return found.Forecast, found.ok
}

func sketchOf(p classify.AnswersParams) (s sketched, _ error) {
	s.Forecast, s.ok = p.Sketch()
	return s, nil
}

// Typical is a rule of thumb for a rule. For votes it is not known: they need more people than the
// rule of thumb was measured on.
func (c *labelling) Typical() (off float64, exact bool) {
	if c.baseline != nil || c.voting != nil {
		return math.Inf(1), false
	}
	return c.rule.TypicalError(c.query.People), false
}

func (c *labelling) Unit() ask.Unit {
	if c.voting != nil {
		return ask.Unit{Text: phrase.Of("% of cases mislabelled, beyond the best rule"),
			Of: ask.OfPercent}
	}
	return c.query.InPeople("%s more mislabelled")
}

func (c *labelling) Forecast() []ask.Forecast {
	n := c.query.People
	if c.baseline != nil {
		return []ask.Forecast{
			{Label: c.query.Say.Text("Promise"), Value: c.query.Say.Text("none"),
				Detail: c.query.Say.Text("noise and weights are computed in rounded numbers, " +
					"while the proof is for exact ones: a baseline for lessons, never used to " +
					"publish. It weighs all features, whatever rules are chosen")}}
	}
	var list []ask.Forecast
	if c.answers != nil {
		f := c.answers.Forecast()
		percent := func(part float64) string {
			return c.query.Say.Format("at most %.2g %%", math.Ceil(1000*part)/10)
		}
		list = append(list,
			ask.Forecast{
				Label: c.query.Say.Text(
					"Cases mislabelled or left unlabelled, beyond those the best rule gets wrong"),
				Value: percent(f.Excess()),
				Detail: c.query.Say.Text(
					"on average, for cases that are like the people; usually far fewer")},
			ask.Forecast{Label: c.query.Say.Text("Those among them whose votes are close"),
				Value:  percent(f.Unstable),
				Detail: c.query.Say.Format("of %d cases", c.voting.Queries)},
			ask.Forecast{Label: c.query.Say.Text("Because few people teach"),
				Value:  percent(f.Choice + f.Sampling),
				Detail: c.query.Say.Text("in 95 of 100 releases; as without privacy, nearly")})
		if c.answers.Plan().Base.IsOne() {
			list[1].Detail += c.query.Say.Text(", if some rule makes no mistake on the people; " +
				"close votes are more where none does")
		}
	}
	if c.rule != nil {
		off := c.extra()
		list = append(list, ask.Forecast{
			Label: c.query.Say.Format("More %s mislabelled than by the best rule among those "+
				"that differ on the cases",
				c.query.Many()),
			Value: c.query.Say.Format("at most %s", c.query.Count(off)),
			Detail: c.query.Say.Format("in 95 of 100 releases; %s of all %s; it does not grow "+
				"with their number", percentOf(c.query.Say, off, n), c.query.Count(n))})
		cover := c.query.Say.Text(
			"the cases are few: other rules may be much better for people between them")
		if alpha := c.rule.Cover(0.05); alpha < 0.5 {
			cover = c.query.Say.Format("the best of all rules labels at most %.2g %% of people "+
				"otherwise, if the cases are like them", 100*alpha)
		}
		list = append(list,
			ask.Forecast{Label: c.query.Say.Text("Rules to choose from"),
				Value:  waysToLabel(c.query.Say, c.class.LogGrowth(len(c.cases.points))),
				Detail: cover})
		if c.answers != nil {
			list = append(list, c.firstCases())
		}
	}
	return append(list, c.outlook()...)
}

// firstCases says how many cases the votes must label for the later rule to be within a tenth of
// the best: the first step of the universal algorithm.
func (c *labelling) firstCases() ask.Forecast {
	return ask.Forecast{
		Label: c.query.Say.Text("Cases by votes that are enough for the rule"),
		Value: fmt.Sprint(classify.FirstPhase(c.class.(classify.Enumerable), 0.1, 0.05)),
		Detail: c.query.Say.Format("the best of all rules labels at most %.2g %% of people "+
			"otherwise, if the cases are like them", 10.0)}
}

// excess bounds the part of cases labelled incorrectly beyond the best rule's, for another class of
// rules, another number of cases, or times as many people (and a δ smaller by that factor).
func (c *labelling) excess(class classify.Class, times int64, cases int) string {
	var part float64
	if c.voting == nil {
		part = c.rule.ErrorBoundOf(class, cases, 0.05)/float64(times*c.query.People) +
			classify.CoverOf(class, cases, 0.05)
	} else {
		p := *c.voting
		p.Class, p.Persons, p.Queries = class, uint64(times)*p.Persons, uint64(cases)
		var err error
		if p.Delta, err = privacy.NewDelta(
			new(big.Rat).Quo(p.Delta.Rat(), big.NewRat(times, 1))); err != nil {
			return c.query.Say.Text("not possible") // unreachable: a part of a δ is one
		}
		f, ok := c.sketch(p)
		if !ok {
			return c.query.Say.Text("not possible")
		}
		part = f.Excess()
	}
	if part >= 1 {
		return c.query.Say.Text("no promise")
	}
	return fmt.Sprintf("%.2g %%", math.Ceil(1000*part)/10)
}

// outlook says how the error would change with other numbers of cases and of people, and with other
// rules, so that a person can choose.
func (c *labelling) outlook() []ask.Forecast {
	n, cases := c.query.People, len(c.cases.points)
	if c.voting != nil {
		cases = int(c.voting.Queries)
	}
	var byCases, byPeople, byRules []string
	tell := func(list *[]string, name string, class classify.Class, times int64, cases int) {
		*list = append(*list, name+": "+c.excess(class, times, cases))
	}
	for _, m := range []int{10, 100, 1000, 10_000} {
		if m != cases {
			tell(&byCases, fmt.Sprint(m), c.class, 1, m)
		}
	}
	for _, times := range []int64{10, 100} {
		tell(&byPeople, fmt.Sprint(times*n), c.class, times, cases)
	}
	for _, choice := range classifyChoices {
		if class, err := c.newClass(choice.Value); err == nil &&
			choice.Value != c.query.Param(paramRules) && c.lists(class) {
			tell(&byRules, c.query.Say.Text(choice.Label), class, 1, cases)
		}
	}
	own := c.excess(c.class, 1, cases)
	return []ask.Forecast{
		{Label: c.query.Say.Format("Mislabelled beyond the best rule, with %d cases",
			cases), Value: own,
			Detail: c.query.Say.Format("at most, if the cases are like the people. %s",
				strings.Join(byCases, "; "))},
		{Label: c.query.Say.Format("With %s", c.query.Count(n)), Value: own,
			Detail: strings.Join(byPeople, "; ")},
		{Label: c.query.Say.Text("With these rules"), Value: own,
			Detail: c.query.Say.Format("%s. The best rule of a richer kind is better itself.",
				strings.Join(byRules, "; "))},
	}
}

// lists reports whether a rule of a class could be chosen for these cases.
func (c *labelling) lists(class classify.Class) bool {
	if c.rule == nil {
		return true
	}
	enumerable, ok := class.(classify.Enumerable)
	if !ok {
		return false
	}
	_, err := classify.NewSemiPrivate(
		classify.SemiPrivateParams{Class: enumerable, Anchors: c.cases.points,
			Epsilon: c.query.Epsilon})
	return err == nil
}

// Judge compares the further mistakes with chance. A case on which the votes are too close gets no
// label.
func (c *labelling) Judge(r ask.Result) ask.Verdict {
	show, about := c.query.CountUp, float64(c.query.People)/2
	if c.voting != nil {
		show, about = func(x float64) string { return phrase.AtMost(x) + " %" }, chance
	}
	v := ask.Within(c.Bound(), about).Verdict()
	if r == nil {
		return c.query.Because(v, show, againstChance)
	}
	out := r.(*Labels)
	if n := len(out.Cases); n > 0 && c.voting != nil {
		v = v.Worse(ask.Within(100*float64(out.Without)/float64(n), chance).Verdict())
	}
	for _, one := range out.Cases {
		grade := v.Grade
		if one.Label == "" {
			grade = ask.Noise
		}
		v.Cells = append(v.Cells, grade)
	}
	return c.query.Because(v, show, againstChance)
}

// waysToLabel writes a number of labellings, given by its logarithm.
func waysToLabel(say *message.Language, log float64) string {
	if log < math.Log(100_000) {
		return say.Format("at most %.0f", math.Floor(math.Exp(log)+1e-6))
	}
	return say.Format("fewer than 10^%.0f", math.Ceil(log/math.Ln10))
}
