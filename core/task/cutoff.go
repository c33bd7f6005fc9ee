package task

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"sort"
	"strconv"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/table"
	"hush/core/threshold"
)

// Cutoff is a rule that says yes on one side of a value, and how often it is right.
type Cutoff struct {
	Rule string `json:"rule"` // "yes from 43 on"
	// the first value above the cut, possibly a shortened text; empty where all possible values are
	// below it
	Value string `json:"value"`
	// the same as a code: a number or, for texts, the bytes in hexadecimal
	At    string `json:"at"`
	Above bool   `json:"above"` // it says yes from Value on; else below it
	// Extra is a bound: with probability 95 % the rule answers at most Extra people more
	// incorrectly than the best rule of its kind. With Exact, that is promised only if some rule
	// answers everybody correctly.
	Extra int64 `json:"extra"`
	Exact bool  `json:"exact,omitempty"`
	// AtLeast is a bound: given the rule, with probability 95 % it answers at least this many of
	// all people correctly; 0: that was not measured, or there is no such bound.
	AtLeast int64 `json:"atLeast,omitempty"`
	// Curve is the accuracy by cut-off, ascending; empty where none was asked for.
	Curve []CutoffPoint `json:"curve,omitempty"`
}

// CutoffPoint is the part of the people, in percent, whom the rule cut at a value would answer
// correctly. With probability 95 % the true parts are between Low and High, for all cut-offs at
// once.
type CutoffPoint struct {
	Value  string  `json:"value"`
	Right  float64 `json:"right"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Chosen bool    `json:"chosen,omitempty"` // the rule released
}

const (
	paramLearner   = "learner"
	paramDirection = "direction"
	paramCurve     = "curve"
	paramRightly   = "rightly"
	agnostic       = "agnostic"
	realizable     = "realizable"
)

var cutoffTask = ask.Task{
	ID:       "cutoff",
	Title:    "Find a cut-off",
	Question: "From which value on is the answer mostly yes?",
	Sentence: "From which {column} on is {outcome} mostly yes?",
	Heading:  "Cut-off of {column} for {outcome}",
	Synonyms: "threshold, cut-point, decision boundary, ROC, limit",
	Answer: "a cut-off value, and about how many people each possible cut-off classifies " +
		"correctly",
	Algorithm: "exponential mechanism over cuts; noisy counts by answer",
	How: "Every possible cut-off misclassifies some people. One is drawn at random, and every " +
		"further mistake makes a cut-off less likely by the same factor. For the accuracy of " +
		"every cut-off, half of the privacy loss counts those with a yes and those with a no, " +
		"between values that split the people about equally. If some cut-off is known to make no " +
		"mistake at all, an interior point between the two sides suffices; it needs hardly more " +
		"people however many values are possible.",
	Simple: "Drawing a cut-off by its mistakes, with the exponential mechanism, is the simple " +
		"mechanism. It is better unless very many values are possible and some cut-off makes no " +
		"mistake.",
	Source: "Kasiviswanathan et al. 2008; Bun, Nissim, Stemmer, Vadhan 2015",
	Limits: "One cut-off in one column. Where yes and no are mixed everywhere, one is about " +
		"as good as another, and the answer says little.",
	Judged: "Before release: the further mistakes against half of n, which chance gets right. " +
		"After: also the error of the accuracy, against its distance from one half.",
	Domains:   orderedKinds,
	LongTexts: true,
	Others: []ask.Role{{
		Name: ask.RoleOutcome, Label: "the yes or no", Help: "The column with the answer that " +
			"the cut-off should give. List two categories: first the one that counts as yes, " +
			"then the one that counts as no.",
		Domains: []domain.Kind{domain.Category}, Min: 1, Max: 1, Values: 2,
	}},
	Params: []ask.Param{
		{
			Name: paramDirection, Label: "It says yes", Kind: ask.Chosen,
			Default: string(threshold.Above),
			Choices: []ask.Choice{{Value: string(threshold.Above), Label: "from the cut-off on"},
				{Value: string(threshold.Below), Label: "below the cut-off"},
				{Value: string(threshold.Either), Label: "on either side, as the data say"}},
			Help:   "Which side of the cut-off is the yes.",
			Effect: "It costs no privacy; “either” costs hardly any accuracy.",
			Tries:  "above, below", With: ask.Params{paramCurve: "false"},
		},
		{
			Name: paramLearner, Label: "Mistakes", Kind: ask.Chosen, Default: agnostic,
			Rivals: true,
			Choices: []ask.Choice{{Value: agnostic, Label: "as few as possible"},
				{Value: realizable, Label: "some cut-off makes none"}},
			Help: "The second only if you know that some cut-off parts every yes from every no.",
			Effect: "Same privacy. If it is true, fewer people suffice for very many possible " +
				"values; if not, the answer may be anything.",
			Tries: "agnostic, realizable", With: ask.Params{paramCurve: "false"},
		},
		{
			Name: paramCurve, Label: "Release the accuracy of every cut-off too", Kind: ask.Flag,
			Default: "true",
			Help:    "Half of the privacy loss goes there.", Effect: "Without it, the entire " +
				"privacy loss goes to the cut-off, which halves its error, but nothing is known " +
				"about its accuracy.",
		},
		rightlyParam,
		ask.AllowedDeltaParam,
	},
	Example: &ask.Example{
		Sample: "clinic",
		Recipe: ask.Recipe{
			Column: 1, Label: "age", Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"},
			Others: []ask.Field{
				{Role: ask.RoleOutcome, Column: 4, Label: "department",
					Domain: domain.Spec{
						Kind: domain.Category, Categories: []string{"heart", "children"}}}}}},
	Tunes:  byRight,
	Aims:   true,
	Halves: true,
	Films:  []string{"exponential", "treelog"},
	Costs: ask.Costs{
		"":                   "threshold.Agnostic",
		"learner realizable": "threshold.Realizable",
	},
	Exact:    exactCutoff,
	Unframed: "an accuracy's error depends on the cut-offs that are released",
	Prepare:  tuning(prepareCutoff),
}

// rightlyParam measures how many people the released cut-off answers correctly.
var rightlyParam = ask.Param{
	Name: paramRightly, Label: "Measure how many the cut-off classifies correctly", Kind: ask.Flag,
	Default: "false",
	Help: "One more noisy number bounds from below how many people the released cut-off " +
		"classifies correctly.",
	Effect: "It takes a quarter of the privacy loss. Without the accuracy of every cut-off, " +
		"nothing else says how good the cut-off is.",
}

// cutoff is a learner and, if the curve is wanted, an algorithm that measures both distributions.
type cutoff struct {
	query     *ask.Query
	off       *certificate // measures the people whom the cut-off does not answer correctly
	direction threshold.Direction
	agnostic  *threshold.Agnostic   // one of these two
	exact     *threshold.Realizable // where some cut makes no mistake
	curve     threshold.Bounded     // nil: none
	mechanism *threshold.Cutoff     // of these
	yes       string                // what counts as yes
}

func prepareCutoff(q *ask.Query) (ask.Prepared, error) {
	if q.Recipe.Count > 0 {
		if err := q.CheckPersons(table.MostPaired); err != nil {
			return nil, err
		}
	}
	rest := *q
	var off *certificate
	if q.Flag(paramRightly) && !q.Trial {
		var err error
		if off, rest.Epsilon, err = newCertificate(q.Epsilon, 1); err != nil {
			return nil, err
		}
	}
	outcome, _ := q.Role(ask.RoleOutcome)
	c := &cutoff{query: &rest, off: off, direction: threshold.Direction(q.Param(paramDirection)),
		yes: outcome[0].Field.Domain.Categories[0]}
	q = &rest
	epsilon := q.Epsilon
	delta, err := q.AllowedDelta()
	if err != nil {
		return nil, err
	}
	if q.Flag(paramCurve) {
		epsilon = q.Epsilon.Part(1, 2)
		if delta, err = partOfDelta(delta, 2); err != nil {
			return nil, err
		}
		if c.curve, err = newBounded(q, epsilon, delta, auto); err != nil {
			return nil, err
		}
	}
	if err := c.learner(epsilon, delta); err != nil {
		return nil, err
	}
	c.mechanism,
		err = threshold.NewCutoff(
		threshold.CutoffParams{Agnostic: c.agnostic, Realizable: c.exact, Curve: c.curve})
	return c, err
}

func (c *cutoff) learner(epsilon privacy.Epsilon, delta privacy.Delta) (err error) {
	q, size := c.query, c.query.Space.Size()
	if q.Param(paramLearner) == agnostic {
		c.agnostic, err = threshold.NewAgnostic(
			threshold.AgnosticParams{Epsilon: epsilon, Size: size, Direction: c.direction})
		return err
	}
	if c.direction == threshold.Either {
		return ask.Refuse(paramDirection, fmt.Sprintf("%q", c.direction),
			phrase.Of(`"above" or "below" where some cut-off makes no mistake`))
	}
	c.exact, err = ask.Remember(q, threshold.RealizableParams{Epsilon: epsilon, Delta: delta,
		Size: size, Above: c.direction == threshold.Above}, threshold.NewRealizable)
	return err
}

func (c *cutoff) Loss() (privacy.Loss, error) { return c.off.with(c.mechanism.Loss(1)) }

// OfPerson is the loss of a person with several entries.
func (c *cutoff) OfPerson() (privacy.Loss, bool, error) {
	return c.off.ofPerson(c.query, c.mechanism.Loss)
}

func (c *cutoff) Algorithm() string {
	name := c.query.Say.Text("exponential mechanism over cuts by their mistakes")
	if c.exact != nil {
		name = c.query.Say.Format("interior point between yes and no, by the %s",
			c.exact.Finder().Name())
	}
	if c.curve == nil {
		return name
	}
	return c.query.Say.Format("%s; accuracy: %s, by answer", name, nameOf(c.query.Say, c.curve))
}

// extra bounds the number of mistakes beyond those of the best cut-off.
func (c *cutoff) extra() int64 { return c.mechanism.Extra() }

func (c *cutoff) Bound() float64 { return float64(c.extra()) }

// Typical is the error on made-up people.
func (c *cutoff) Typical() (off float64, exact bool) {
	return c.mechanism.TypicalExtra(c.query.People), false
}

func (c *cutoff) Unit() ask.Unit { return c.query.InPeople("%s more misclassified") }

func (c *cutoff) Forecast() []ask.Forecast {
	off, n := c.extra(), c.query.People
	list := []ask.Forecast{
		{Label: c.query.Say.Format("More %s misclassified than by the best cut-off",
			c.query.Many()),
			Value: c.query.Say.Format("at most %s", c.query.Count(off)),
			Detail: c.query.Say.Format("in 95 of 100 releases; %s of all %s; it "+
				"does not grow with their number",
				percentOf(c.query.Say, off, n), c.query.Count(n))}}
	if c.exact != nil {
		list[0].Label,
			list[0].Detail = Capital(c.query.Say.Format(
			"%s misclassified, if some cut-off is right about all", c.query.Many())),
			c.query.Say.Format("%s; nothing is promised if none does", list[0].Detail)
		for percent := 1; percent < 50 && n > 0; percent++ {
			if needed := c.exact.Generalises(float64(percent)/100, basic.Beta); int64(needed) <= n {
				list = append(list, ask.Forecast{
					Label: c.query.Say.Text("Misclassified in a larger population"),
					Value: c.query.Say.Format("at most %d %%", percent),
					Detail: c.query.Say.Format("if the %s were drawn from it at random and some "+
						"cut-off is right for all of it: %s are enough for that",
						c.query.Many(), c.query.Count(int64(needed)))})
				break
			}
		}
	}
	if c.curve != nil {
		_, low, high := threshold.NewPercentages(c.curve, float64(max(n, 1))).
			Of(float64(n)/2, float64(n)/2, float64(n)/2, true)
		list = append(list,
			ask.Forecast{Label: c.query.Say.Text("Accuracy of each cut-off"),
				Value: fmt.Sprintf("± %.2g %%", math.Ceil(10*(high-low)/2)/10),
				Detail: c.query.Say.Text(
					"if everybody has both, for all cut-offs at once, in 95 of 100 releases")})
	}
	if c.off != nil {
		list = append(list, ask.Forecast{
			Label: c.query.Say.Text("Classified correctly, at least"),
			Value: c.query.Say.Text("measured with the answer"),
			Detail: c.query.Say.Format("in 95 of 100 releases; typically %s below the true "+
				"number classified correctly",
				c.query.Count(c.off.largest.Margin(basic.Beta)))})
	}
	delta, err := c.query.AllowedDelta()
	if places := new(big.Int).Sub(c.query.Space.Size(), one); err == nil && places.Sign() > 0 {
		list = append(list, fewest(c.query, places, delta))
	}
	return list
}

// Judge compares the further mistakes with chance and, after the release, with the improvement of
// the cut-off over chance.
func (c *cutoff) Judge(r ask.Result) ask.Verdict {
	v := c.query.Because(ask.Within(c.Bound(), float64(c.query.People)/2).Verdict(),
		c.query.CountUp, againstChance)
	if r == nil {
		return v
	}
	out := r.(*Cutoff)
	if out.Curve == nil {
		return v
	}
	var cells []ask.Grade
	chosen := ask.Verdict{Grade: ask.Noise, Error: -1}
	for _, p := range out.Curve {
		one := ask.Within(max(p.High-p.Right, p.Right-p.Low), p.Right-chance)
		cells = append(cells, one.Grade())
		if p.Chosen {
			chosen = one.Verdict()
		}
	}
	percent := func(x float64) string { return phrase.AtMost(x) + " %" }
	chosen = c.query.Because(chosen, percent, "how much more often than chance it is right")
	v = v.Worse(chosen)
	v.Cells = cells
	return v
}

func (c *cutoff) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	sorting, finding := halves(step)
	labelled, err := labelled(data.Main, data.Others[0], sorting)
	if err != nil {
		return nil, err
	}
	cut, accuracy, err := c.mechanism.Release(src, labelled, finding)
	if err != nil {
		return nil, err
	}
	out := &Cutoff{Above: cut.Above, Extra: min(c.extra(), c.query.People), Exact: c.exact != nil}
	out.Rule, out.Value, out.At = c.rule(cut)
	if accuracy != nil {
		out.Curve = c.curveOf(cut, accuracy)
	}
	if c.off != nil {
		n := c.query.People
		out.AtLeast = n - c.off.release(src, n-labelled.Right(cut), n)
	}
	return out, nil
}

// perfect is the score, in people answered correctly, of a rule that is right for everybody.
func (c *cutoff) perfect() (int64, bool) { return c.query.People, true }

// score counts the people whom the cut-off answers correctly.
func (c *cutoff) score(r ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	out := r.(*Cutoff)
	labelled, err := labelled(data.Main, data.Others[0], blindly(step))
	if err != nil {
		return 0, 0, err
	}
	cut := threshold.Cut{Above: out.Above}
	if out.At != "" {
		at, ok := c.query.Space.Read(out.At)
		if !ok {
			panic("task: internal error: a released cut-off that is not possible")
		}
		cut.At = at
	}
	return labelled.Right(cut), 1, nil
}

// rule writes a cut in words, with the first value above it.
func (c *cutoff) rule(cut threshold.Cut) (rule, value, at string) {
	none, all := cut.At.Sign() == 0, cut.At.Cmp(c.query.Space.Size()) == 0
	if !all {
		value, at = c.query.Space.Show(c.query.Say, cut.At), c.query.Space.Write(cut.At)
	}
	switch {
	case none && cut.Above || all && !cut.Above:
		return c.query.Say.Format("always %s", c.yes), value, at
	case none || all:
		return c.query.Say.Format("never %s", c.yes), value, at
	case cut.Above:
		return c.query.Say.Format("%s from %s on", c.yes, value), value, at
	}
	return c.query.Say.Format("%s below %s", c.yes, value), value, at
}

// curveOf returns the accuracy at every point measured, and at the cut.
func (c *cutoff) curveOf(cut threshold.Cut, accuracy *threshold.Accuracy) []CutoffPoint {
	points := accuracy.Points()
	i := sort.Search(len(points), func(i int) bool { return points[i].Cmp(cut.At) >= 0 })
	if cut.At.Cmp(c.query.Space.Size()) < 0 && (i == len(points) || points[i].Cmp(cut.At) != 0) {
		points = slices.Insert(slices.Clone(points), i, cut.At)
	}
	percentages := threshold.NewPercentages(c.curve, accuracy.All())
	curve := make([]CutoffPoint, len(points))
	for i, at := range points {
		one := threshold.Cut{At: at, Above: cut.Above}
		low, high, measured := accuracy.Range(one)
		p := CutoffPoint{Value: c.query.Space.Show(c.query.Say, at), Chosen: at.Cmp(cut.At) == 0}
		p.Right, p.Low, p.High = percentages.Of(accuracy.Right(one), low, high, measured)
		curve[i] = p
	}
	return curve
}

func (c *cutoff) State(result ask.Result) string {
	r := result.(*Cutoff)
	text := c.query.Say.Format("Cut-off of %s: %s. It misclassifies at most %s more than the "+
		"best one (in 95 of 100 releases).",
		c.query.Label, r.Rule,
		c.query.Count(r.Extra))
	if r.Exact {
		text = c.query.Say.Format("Cut-off of %s: %s. If some cut-off is right about everybody, "+
			"this one is wrong about at most %s (in 95 of 100 releases).",
			c.query.Label, r.Rule, c.query.Count(r.Extra))
	}
	if r.AtLeast > 0 {
		text += " " + c.query.Say.Format("It classifies at least %s of %s correctly (in 95 of "+
			"100 releases).",
			message.Grouped(r.AtLeast), c.query.Count(c.query.People))
	}
	for _, p := range r.Curve {
		if p.Chosen {
			text += " " + c.query.Say.Format("It is right for about %.1f %% of the %s "+
				"(between %.1f and %.1f %%, in 95 of 100 releases).", p.Right, c.query.Many(),
				p.Low, p.High)
		}
	}
	return text
}

// Kind is "cutoff".
func (*Cutoff) Kind() string { return "cutoff" }

// Table lists the accuracy of each cut-off, and the one released.
func (c *Cutoff) Table(say ask.Voice, column string) [][]string {
	if len(c.Curve) == 0 && c.AtLeast > 0 {
		return [][]string{
			{say.Format("cut-off of %s", column), say.Text("more misclassified (95 %)"),
				say.Text("classified correctly, at least (95 %)")},
			{c.Rule, fmt.Sprint(c.Extra), fmt.Sprint(c.AtLeast)}}
	}
	if len(c.Curve) == 0 {
		return [][]string{
			{say.Format("cut-off of %s", column), say.Text("more misclassified (95 %)")},
			{c.Rule, fmt.Sprint(c.Extra)}}
	}
	rows := [][]string{
		{say.Format("cut-off of %s", column), say.Text("right answers, %"), say.Text("low (95 %)"),
			say.Text("high (95 %)"), say.Text("released")}}
	for _, p := range c.Curve {
		chosen := ""
		if p.Chosen {
			chosen = c.Rule
		}
		rows = append(rows,
			[]string{p.Value, fmt.Sprintf("%.1f", p.Right), fmt.Sprintf("%.1f", p.Low),
				fmt.Sprintf("%.1f", p.High), chosen})
	}
	return rows
}

// exactCutoff compares the number of people whom the rule answers correctly with that of the best
// cut-off.
func exactCutoff(_ ask.Recipe, answer ask.Result, people []ask.Person) []ask.Miss {
	c := answer.(*Cutoff)
	right := func(at int64, above bool) float64 {
		return exactCount(people, func(p ask.Person) bool {
			return p.Valued() && p.Others[0] >= 0 && (p.Main >= at) == above == (p.Others[0] == 0)
		})
	}
	best, known := 0.0, map[int64]bool{}
	for _, p := range people {
		for _, at := range []int64{p.Main, p.Main + 1} {
			if !known[at] {
				best, known[at] = max(best, right(at, true)), true
			}
		}
	}
	at, err := strconv.ParseInt(c.At, 10, 64)
	if err != nil {
		at = math.MaxInt64 // nobody
	}
	return []ask.Miss{miss(c.Rule, best-right(at, c.Above), float64(c.Extra)+1)}
}
