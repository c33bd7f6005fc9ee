package task

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/privacy"
	queries "hush/core/query"
	"hush/core/selection"
)

// LearnedRule is a conjunction that predicts a yes, and how many people it answers rightly.
type LearnedRule struct {
	Yes        string   `json:"yes"`        // the answer it predicts where all conditions are met
	No         string   `json:"no"`         // and where not
	Conditions []string `json:"conditions"` // none: it always says yes
	Right      int64    `json:"right"`      // people answered rightly, with noise
	Error      int64    `json:"error"`      // of Right, at 95 %
	People     int64    `json:"people"`     // n
	// Extra is a bound: with probability 95 % the rule answers at most Extra people fewer correctly
	// than the best rule does. 0: nothing is promised.
	Extra int64 `json:"extra,omitempty"`

	set queries.Set // the conditions, while the rule is compared with others
}

const (
	methodScores   = "scores"
	methodReleases = "releases"
)

const mostScored = 1 << 17 // conjunctions; beyond, the rule is grown one condition at a time

var ruleTask = ask.Task{
	ID:       "rule",
	Title:    "Learn a rule",
	Question: "Which few attributes together best predict a yes?",
	Sentence: "Which of {attribute} together predict {outcome}?",
	Heading:  "Rule for {outcome}",
	Synonyms: "rule, conjunction, if and, pattern, decision rule, PAC learning",
	Answer: "a rule such as “yes if age ≥ 60 and smoker = yes”, and how many people it " +
		"classifies correctly",
	Algorithm: "exponential mechanism over conjunctions; noisy count",
	How: "The score of a conjunction of up to this many attributes is the number of people whom " +
		"it classifies correctly. One is drawn at random, and every further mistake makes a rule " +
		"less likely by the same factor. A quarter of the privacy loss pays for a noisy count of " +
		"how often the drawn rule is right.",
	Simple: "The exponential mechanism over all rules is the simple mechanism, used as long as " +
		"they can be listed. A rule that grows step by step comes without a promise.",
	Source: "Kasiviswanathan et al. 2008; Gupta, Hardt, Roth, Ullman 2011, Section 5",
	Limits: "Only conjunctions of the attributes and cut points given. One that is a little " +
		"worse than the best may win.",
	Judged: "Before release: the further mistakes, or the error of the count, against half of n, " +
		"which chance gets right. After: against the number classified correctly, if that is " +
		"smaller.",
	Others: []ask.Role{
		{Name: ask.RoleOutcome, Label: "the yes or no", Help: "The column with the answer to " +
			"predict. List two categories: first the one that counts as yes, then the one that " +
			"counts as no.",
			Domains: []domain.Kind{domain.Category}, Min: 1, Max: 1, Values: 2},
		roleAttribute,
	},
	Params: []ask.Param{
		{Name: paramTogether, Label: "Conditions in the rule, at most", Kind: ask.Integer,
			Default: "2", Min: 1, Max: 5,
			Help: "More conditions can fit better.",
			Effect: "It costs no privacy. More rules to choose from make the choice a little " +
				"less sharp.", Tries: "1, 2, 3, 4"},
		{Name: paramMethod, Label: "Method", Kind: ask.Chosen, Default: methodScores,
			Rivals: true,
			Choices: []ask.Choice{
				{Value: methodScores, Label: "draw one of all rules by its score"},
				{Value: methodReleases,
					Label: "look for it in two releases, of those with a yes and with a no"}},
			Help: "The second method shows that anyone can learn rules from released " +
				"combinations. It reveals more than the rule, at a price.",
			Effect: "Privacy is the same for both; the first is the more exact one."},
	},
	Example: &ask.Example{
		Sample: "clinic",
		Recipe: ask.Recipe{
			Others: append(
				[]ask.Field{
					{Role: ask.RoleOutcome, Column: 4, Label: "department",
						Domain: domain.Spec{
							Kind: domain.Category, Categories: []string{"heart", "children"}}}},
				clinicAttributes[:2]...)}},
	Tunes:  byRight,
	Aims:   true,
	Halves: true,
	Films:  []string{"exponential", "search"},
	Costs: ask.Costs{
		"":                "query.RuleLearner",
		"method releases": "query.ReleasedRule",
	},
	Inexact: "a greedy rule, which need not be the best",
	Prepare: tuning(prepareRule),
}

// rule learns a conjunction.
type rule struct {
	query      *ask.Query
	attributes *attributes
	outcome    domain.Spec
	learner    *queries.RuleLearner  // nil: it is looked for in releases
	releases   *queries.ReleasedRule // nil: the rule is drawn by its score
	extra      int64                 // 0: nothing is promised
	count      *big.Int
}

func prepareRule(q *ask.Query) (ask.Prepared, error) {
	a, err := attributesOf(q, false)
	if err != nil {
		return nil, err
	}
	outcome, _ := q.Role(ask.RoleOutcome)
	r := &rule{query: q, attributes: a, outcome: outcome[0].Field.Domain}
	width := int(min(q.Integer(paramTogether), int64(len(a.list))))
	r.count = queries.CountConjunctions(len(a.list), width)
	if q.Param(paramMethod) == methodReleases {
		r.releases, err = queries.NewReleasedRule(queries.ChoiceParams{Epsilon: q.Epsilon,
			Persons: int(max(q.People, 1)), Size: len(a.list), Width: width, Columns: a.columns})
		return r, err
	}
	grown := r.count.Cmp(big.NewInt(mostScored)) > 0
	if r.learner,
		err = queries.NewRuleLearner(
		queries.RuleParams{Epsilon: q.Epsilon, Width: width, Greedy: grown}); err != nil {
		return nil, err
	}
	if !grown {
		r.extra = max(r.learner.Extra(0.05, len(a.list)), 1)
	}
	return r, nil
}

func (r *rule) Loss() (privacy.Loss, error) {
	if r.releases != nil {
		return r.releases.Loss(1)
	}
	return r.learner.Loss(1)
}

// errorBound bounds the error of the count, with probability 95 %.
func (r *rule) errorBound() int64 {
	if r.releases != nil {
		return r.releases.ErrorBound(0.05)
	}
	return r.learner.ErrorBound(0.05)
}

func (r *rule) Algorithm() string {
	if r.releases != nil {
		return r.query.Say.Text("two releases of conjunctions; noisy count")
	}
	if r.extra == 0 {
		return r.query.Say.Text("exponential mechanism, one condition after the other; noisy count")
	}
	return r.query.Say.Format("exponential mechanism over %v conjunctions; noisy count", r.count)
}

// Bound is how much less often the rule is right than the best rule; where that is not known, the
// error of the count.
func (r *rule) Bound() float64 {
	switch {
	case r.releases != nil:
		return math.Inf(1)
	case r.extra == 0:
		return float64(r.errorBound())
	}
	return float64(r.extra)
}

// Typical is exact where it is the error of the count.
func (r *rule) Typical() (off float64, exact bool) {
	switch {
	case r.releases != nil:
		return r.releases.TypicalExtra(r.query.People), false
	case r.extra == 0:
		return r.learner.TypicalError(), true
	}
	return r.learner.TypicalExtra(len(r.attributes.list), r.query.People), false
}

func (r *rule) Unit() ask.Unit {
	if r.extra == 0 && r.releases == nil {
		return r.query.InPeople("%s, in the count of those classified correctly")
	}
	return r.query.InPeople("%s fewer classified correctly")
}

func (r *rule) Forecast() []ask.Forecast {
	n := r.query.People
	list := []ask.Forecast{
		{Label: r.query.Say.Format("Fewer %s classified correctly than by the best rule",
			r.query.Many()),
			Value: r.query.Say.Format("at most %s", r.query.Count(r.extra)),
			Detail: r.query.Say.Format("in 95 of 100 releases; %s of all %s",
				percentOf(r.query.Say, r.extra, n), r.query.Count(n))}}
	if r.releases != nil {
		typical, _ := r.Typical()
		list[0].Value = r.query.Say.Format("typically %s",
			r.query.Count(int64(math.Ceil(typical))))
		list[0].Detail = r.query.Say.Text("a rule of thumb: how far the releases are off is not " +
			"known beforehand")
	} else if r.extra == 0 {
		list[0] = ask.Forecast{Label: r.query.Say.Text("Rules to choose from"),
			Value: r.count.String(), Detail: r.query.Say.Text("too many to score all: the rule " +
				"grows by one condition after the other, and nothing is promised about the best")}
	}
	off := r.errorBound()
	return append(list,
		ask.Forecast{Label: Capital(r.query.Say.Format("%s classified correctly", r.query.Many())),
			Value: "± " + r.query.Count(off),
			Detail: r.query.Say.Text(
				"in 95 of 100 releases; it does not grow with their number")})
}

// Judge compares the further mistakes with chance, and the count of correct answers with its error.
func (r *rule) Judge(result ask.Result) ask.Verdict {
	off, half := max(r.errorBound(), r.extra), float64(r.query.People)/2
	if typical, _ := r.Typical(); r.releases != nil { // no bound is known for it
		off = max(off, int64(math.Ceil(typical)))
	}
	if result == nil {
		return r.query.Because(ask.Within(float64(off), half).Verdict(), r.query.CountUp,
			againstChance)
	}
	right := float64(result.(*LearnedRule).Right)
	if right < half {
		return r.query.Because(ask.Within(float64(off), right).Verdict(), r.query.CountUp,
			"those classified correctly")
	}
	return r.query.Because(ask.Within(float64(off), half).Verdict(), r.query.CountUp,
		againstChance)
}

// Frame draws how many of everybody are answered correctly.
func (r *rule) Frame() *ask.Frame {
	return number(r.query, r.query.Say.Format("%s classified correctly", many(r.query)),
		float64(r.errorBound()))
}

func (r *rule) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	found, err := r.find(src, data, step)
	if err != nil {
		return nil, err
	}
	out := &LearnedRule{Yes: r.outcome.Categories[0], No: r.outcome.Categories[1],
		Conditions: []string{}, Right: min(found.Right, r.people()), Error: r.errorBound(),
		People: r.people(), Extra: min(r.extra, r.query.People)}
	if r.query.Trial {
		out.set = found.Set
	}
	for _, x := range found.Set.Members() {
		out.Conditions = append(out.Conditions, r.attributes.list[x].Name)
	}
	return out, nil
}

// perfect is the score of a rule that is right for everybody.
func (r *rule) perfect() (int64, bool) { return r.query.People, true }

// score counts the people whom the rule answers correctly.
func (r *rule) score(result ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	examples, err := r.examples(data)
	if err != nil {
		return 0, 0, err
	}
	return examples.Right(result.(*LearnedRule).set), 1, nil
}

// people is the number of people that the rule is learned from.
func (r *rule) people() int64 {
	if r.query.Half {
		return selection.Trained(r.query.People)
	}
	return r.query.People
}

// find draws the rule.
func (r *rule) find(src coin.Source, data ask.Data,
	step coin.Step) (rule queries.PrivateRule, err error) {
	records, yes, known, err := r.records(data)
	switch {
	case err != nil:
		return rule, err
	case r.releases != nil:
		return r.releases.Release(src, records, yes, known, step)
	}
	return r.learner.Release(src, queries.NewExamples(records, yes, known), step)
}

// examples returns everybody's attributes and answers.
func (r *rule) examples(data ask.Data) (*queries.Examples, error) {
	records, yes, known, err := r.records(data)
	if err != nil {
		return nil, err
	}
	return queries.NewExamples(records, yes, known), nil
}

// records returns everybody's attributes, and the answers of those who gave one.
func (r *rule) records(data ask.Data) (records *queries.Records, yes,
	known func(person int) bool, err error) {
	n := max(r.query.People, 1)
	has, says := make([]bool, n), make([]bool, n)
	answers := values(data.Others[0])
	records, err = r.attributes.records(data, r.query.People, func(row, person int) {
		code, ok := answers.Code(row)
		has[person], says[person] = ok, ok && code == 0
	})
	return records, func(person int) bool { return says[person] },
		func(person int) bool { return has[person] }, err
}

// Rule is the rule as a sentence.
func (r *LearnedRule) Rule(say *message.Language) string {
	if len(r.Conditions) == 0 {
		return say.Format("always %s", r.Yes)
	}
	return say.Format("%s if %s, else %s", r.Yes,
		strings.Join(r.Conditions, " "+say.Text("and")+" "), r.No)
}

func (r *rule) State(result ask.Result) string {
	l := result.(*LearnedRule)
	return r.query.Say.Format(
		"%s. It classifies about %s of %s correctly (± %s, in 95 of 100 releases).",
		Capital(l.Rule(r.query.Say)), message.Grouped(l.Right), r.query.Count(l.People),
		message.Grouped(l.Error))
}

// Kind is "rule".
func (r *LearnedRule) Kind() string { return "rule" }

// Table lists the rule's conditions and figures.
func (r *LearnedRule) Table(say ask.Voice, _ string) [][]string {
	rows := [][]string{{say.Text("Part of the rule"), say.Text("Value")}}
	for _, c := range r.Conditions {
		rows = append(rows, []string{say.Text("condition"), c})
	}
	return append(rows, []string{say.Text("says"), r.Yes}, []string{say.Text("else says"), r.No},
		[]string{say.Format("%s classified correctly", say.Many()), fmt.Sprint(r.Right)},
		[]string{say.Text("±, in 95 of 100 releases"), fmt.Sprint(r.Error)})
}
