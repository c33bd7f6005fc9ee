package task

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/classify"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

const (
	paramLater   = "later"
	paramRules   = "rules"
	paramRelease = "release"

	releaseRule   = "rule"
	releaseLabels = "labels"
	releasePlain  = "plain"
	releaseDrawn  = "drawn"
	releaseBoth   = "both"
	// the same by votes, on unchanged labels
	releasePlainBoth = "plainboth"
	taughtLogistic   = "logistic"
	classStumps      = "stumps"
	classBoxes       = "boxes"
	classHalfplane   = "halfplane"
	classTrees       = "trees"
	classWeighted    = "weighted"
)

var classifyChoices = []ask.Choice{{Value: classStumps, Label: "a cut in one of the features"},
	{Value: classBoxes, Label: "a range in each feature, all at once"},
	{Value: classHalfplane, Label: "a line between two features"},
	{Value: classTrees, Label: "a decision tree, two cuts deep"},
	{Value: classWeighted, Label: "a weighted sum of the features"}}

var classifyTask = ask.Task{
	ID:       "classify",
	Title:    "Label new cases",
	Question: "Which answer would new cases get?",
	Sentence: "Which {outcome} would new cases get, by {feature}?",
	Heading:  "Labels of new cases by {feature}",
	Synonyms: "classification, prediction, machine learning, label, model, decision stump",
	Answer:   "a label for each of the cases you give, and a rule that labels any others",
	Algorithm: "exponential mechanism over the rules that differ on public cases; or votes of " +
		"many rules and the sparse vector technique",
	How: "The new cases are public; the people whose answers teach the labels are not. To " +
		"publish a rule, Hush takes one rule for each way to label the cases and draws one of " +
		"them; each mistake on the people makes a rule less likely by the same factor. To " +
		"publish labels alone, a rule that stays secret relabels the people, who are dealt out " +
		"to many learners, and the learners' rules vote. Cases on which nearly all agree are " +
		"labelled almost for free; the others are counted.",
	Simple: "Drawing one rule by the exponential mechanism is the simple mechanism, and needs " +
		"the fewest people. Votes are better only where there is no list of rules to draw from.",
	Source: "Alon, Bassily, Moran 2019; Nandi, Bassily 2019; Bassily, Thakurta, Thakkar 2018",
	Limits: "The new cases are public. They should be like the people who teach the labels: " +
		"other cases get labels too, but nothing says how good.",
	Judged: "Before release: the further mistakes against half of the people, or half of the " +
		"cases, which chance gets right. After: also the cases without a label.",
	Others: []ask.Role{
		{
			Name: ask.RoleOutcome, Label: "the answer", Help: "The column with the answer to " +
				"learn. List two categories: first the one that counts as yes, then the one that " +
				"counts as no.",
			Domains: []domain.Kind{domain.Category}, Min: 1, Max: 1, Values: 2,
		},
		{
			Name: roleFeature, Label: "a feature", Help: "The columns that the answer may depend " +
				"on, in the order of the cases' columns. Cut points turn many values into a few " +
				"classes.",
			Domains: []domain.Kind{domain.Integer, domain.Decimal, domain.Float64, domain.Date,
				domain.Timestamp, domain.Category}, Min: 1, Max: 16, Values: 2, Cuts: true,
		},
	},
	Params: []ask.Param{
		{
			Name: paramCases, Label: "The new cases, as a table", Kind: ask.Lines, Default: "",
			Help: "One case per line, with its features in the order of the columns, with or " +
				"without a line of names. Cases are public: they are part of the question, and " +
				"of its address.",
			Effect: "A rule is chosen among those that label these cases differently, so they " +
				"should be like those that the rule is for.",
		},
		{
			Name: paramRules, Label: "Rules", Kind: ask.Chosen, Default: classStumps,
			Choices: classifyChoices,
			Help: "The kind of rule that the labels follow. To be published or to relabel, trees " +
				"need features with few values, or cut points. Weighted sums can only vote, on " +
				"unchanged labels.",
			Effect: "It costs no privacy; more ways to label the cases cost accuracy.",
			Tries:  "stumps, boxes, halfplane",
		},
		{
			Name: paramRelease, Label: "Release", Kind: ask.Chosen, Default: releaseRule,
			Rivals: true,
			Choices: []ask.Choice{
				{Value: releaseRule, Label: "a rule, which labels these cases and any others"},
				{Value: releaseLabels, Label: "labels only, by votes of relabelled people"},
				{Value: releasePlain, Label: "labels only, by votes of people as they are"},
				{Value: releaseDrawn,
					Label: "labels only, as the paper draws: relabelled people, with replacement"},
				{Value: releaseBoth, Label: "labels by votes of relabelled people, then a rule"},
				{Value: releasePlainBoth,
					Label: "labels by votes of people as they are, then a rule"}},
			Taught: []ask.Choice{
				{Value: taughtLogistic,
					Label: "logistic regression, a baseline whose noise is not exact"}},
			Help: "A rule needs the fewest people. Votes need very many, but no list of rules to " +
				"draw from. If some rule makes hardly any mistakes, votes of people as they are " +
				"need fewer people.",
			Effect: "The last two divide ε between votes and rule. Votes need a δ, a rule does " +
				"not. With replacement, votes take many times the people and are no better: a " +
				"person may be in several draws, and is protected in all of them.",
		},
		{
			Name: paramLater, Label: "Cases to ask later, one at a time", Kind: ask.Integer,
			Default: "0", Min: 0, Max: mostLater,
			Help: "For labels by votes only: this many further cases can be typed in after the " +
				"release, one at a time, until you make another release, open another file or " +
				"close the page. Each may depend on earlier answers. A rule labels any number of " +
				"cases.",
			Effect: "They are paid for with the release, whether you ask them or not.",
		},
		ask.AllowedDeltaParam,
	},
	Example: &ask.Example{Sample: "commute", Recipe: ask.Recipe{
		Others: []ask.Field{
			{Role: ask.RoleOutcome, Column: 1, Label: "means",
				Domain: domain.Spec{Kind: domain.Category, Categories: []string{"bike", "car"}}},
			{Role: roleFeature, Column: 2, Label: "distance",
				Domain: domain.Spec{Kind: domain.Decimal, Lo: "0.1", Hi: "150.0", Step: "0.1"}},
			{Role: roleFeature, Column: 3, Label: "minutes",
				Domain: domain.Spec{Kind: domain.Integer, Lo: "1", Hi: "240"}},
		},
		Params: ask.Params{paramRules: classHalfplane,
			paramCases: "distance,minutes\n1.0,5\n1.5,10\n2.0,10\n2.5,15\n3.0,10\n3.5,20\n" +
				"4.0,15\n5.0,15\n5.5,25\n6.0,20\n7.0,20\n8.0,15\n9.0,30\n" +
				"10.0,20\n12.0,25\n15.0,30\n20.0,35\n30.0,55\n45.0,70\n80.0,95\n"},
	}},
	Tunes:  byRight,
	Aims:   true,
	Halves: true,
	Cases:  paramCases,
	Films:  []string{"votes", "relabelling", "exponential"},
	Costs: ask.Costs{
		"":                "classify.Stumps",
		"example":         "classify.Plane",
		"release both":    "classify.Plane",
		"release labels":  "classify.Plane",
		"rules boxes":     "classify.Boxes",
		"rules halfplane": "classify.Plane",
		"rules trees":     "classify.Trees",
		"rules weighted":  "classify.Trees",
	},
	Inexact:  "a learned rule, or votes of learners of parts",
	Unframed: "the labels are of public cases, and have no error to draw",
	Prepare:  tuning(prepareClassify),
}

// mostCases bounds the number of cases, mostLater the number of cases to be asked later, and
// mostTaught the number of people.
const (
	mostCases  = 5000
	mostLater  = 100_000
	mostTaught = 1 << 24
)

// labelling labels cases by a rule, by votes, or by both (universal).
type labelling struct {
	query    *ask.Query
	features []classify.Feature
	first    int
	outcome  [2]string
	cases    cases
	class    classify.Class

	rule     *classify.SemiPrivate   // nil: none is released
	voting   *classify.AnswersParams // nil: the rule labels the cases
	baseline *classify.Logistic      // in lessons, in place of both

	// The voting algorithms, made by vote.
	answers *classify.Answers
	// nil unless both are released; it gives the answers, and learns the rule
	universal *classify.Universal
	ballot    *classify.Ballot // the last run's, where cases may be asked later
}

// casesAsked is a table of cases and the columns by which it is read.
type casesAsked struct {
	Features []classify.Feature
	Text     string
}

func (c casesAsked) read() (cases, error) { return readCases(c.Features, c.Text, mostCases) }

func prepareClassify(q *ask.Query) (ask.Prepared, error) {
	if err := q.CheckPersons(mostTaught); err != nil {
		return nil, err
	}
	outcome, _ := q.Role(ask.RoleOutcome)
	c := &labelling{query: q, outcome: [2]string(outcome[0].Field.Domain.Categories)}
	var fields []ask.Other
	fields, c.first = q.Role(roleFeature)
	c.features = featuresOf(q.Say, fields)
	var err error
	if c.class, err = c.newClass(q.Param(paramRules)); err != nil {
		return nil, err
	}
	later := q.Integer(paramLater)
	if onlyLabels := []string{releaseLabels, releasePlain, releaseDrawn}; later > 0 &&
		!slices.Contains(onlyLabels, q.Param(paramRelease)) {
		return nil, ask.Refuse(paramLater, fmt.Sprint(later),
			phrase.Of("0: the released rule labels any further case for free"))
	}
	if text := q.Param(paramCases); later == 0 || strings.TrimSpace(text) != "" {
		c.cases, err = ask.Remember(q, casesAsked{c.features, text}, casesAsked.read)
		if err != nil {
			return nil, err
		}
	}
	delta, err := q.AllowedDelta()
	if err != nil {
		return nil, err
	}
	return c, c.teach(delta)
}

// teach prepares the way in which labels are learned. Votes are planned only when their loss is
// asked for: planning takes time, and an ε too small to learn from must not spoil the rest of a
// curve.
func (c *labelling) teach(delta privacy.Delta) (err error) {
	q, release, epsilon := c.query, c.query.Param(paramRelease), c.query.Epsilon
	if release == taughtLogistic {
		c.baseline, err = classify.NewLogistic(
			classify.LogisticParams{Sizes: c.class.Sizes(), Epsilon: epsilon,
				Persons: uint64(q.People)})
		return err
	}
	both, plain := release == releaseBoth || release == releasePlainBoth,
		release == releasePlain || release == releasePlainBoth
	if both {
		epsilon = epsilon.Part(1, 2)
	}
	if release != releaseRule {
		if delta.IsZero() {
			return ask.Refuse(ask.ParamDelta, "0", phrase.Of("a chance above 0: votes need one"))
		}
		c.voting = &classify.AnswersParams{Class: c.class, Epsilon: epsilon, Delta: delta,
			Persons: uint64(q.People),
			Queries: uint64(len(c.cases.points)) + uint64(q.Integer(paramLater)),
			Plain:   plain}
		if release == releaseDrawn {
			c.voting.Method = classify.Bootstrap
		}
	}
	if release == releaseRule || both {
		c.rule, err = classify.NewSemiPrivate(
			classify.SemiPrivateParams{Class: c.class.(classify.Enumerable),
				Anchors: c.cases.points, Epsilon: epsilon})
	}
	return c.refusal(err)
}

// vote plans the votes, once for each question.
func (c *labelling) vote() (err error) {
	if c.voting == nil || c.answers != nil {
		return nil
	}
	if c.rule == nil {
		c.answers, err = ask.Remember(c.query, *c.voting, classify.NewAnswers)
		return c.refusal(err)
	}
	c.universal, err = ask.Remember(c.query,
		classify.UniversalParams{Class: c.class.(classify.Enumerable), Epsilon: c.query.Epsilon,
			Delta: c.voting.Delta, Persons: c.voting.Persons, Queries: c.voting.Queries,
			Plain: c.voting.Plain}, classify.NewUniversal)
	if err != nil {
		return c.refusal(err)
	}
	c.answers = c.universal.Answers()
	return nil
}

// refusal names the field of the form.
func (c *labelling) refusal(err error) error {
	var refused *param.Error
	if errors.As(err, &refused) {
		switch refused.Field {
		case "anchors", "queries":
			want := refused.Want
			if c.query.Param(paramRules) == classTrees {
				want = phrase.Glue(
					want, phrase.Key("; or cuts, so that features have fewer values"))
			}
			if c.query.Integer(paramLater) > 0 {
				return ask.Refuse(paramLater, fmt.Sprint(c.query.Integer(paramLater)),
					phrase.Of("%s, those above included", want))
			}
			return ask.Refuse(paramCases, phrase.Of("%d of them", len(c.cases.points)), want)
		case "persons":
			return ask.Refuse(paramRelease,
				phrase.Of("votes of %s", c.query.Count(c.query.People)),
				phrase.Of("%s; or release a rule, which needs fewer", refused.Want))
		}
	}
	return err
}

// newClass returns the class of rules over the features' codes, or over their bins where they are
// cut.
func (c *labelling) newClass(rules string) (classify.Class, error) {
	limit, release := uint64(1)<<62, c.query.Param(paramRelease)
	plain := release == releasePlain
	if release == taughtLogistic {
		rules, plain = classWeighted, true // there is no other class
	}
	switch rules {
	case classHalfplane:
		limit = 1 << 30
		if len(c.features) != 2 {
			return nil, ask.Refuse(paramRules, phrase.Of("a line between two features"),
				phrase.Of("two features, or other rules for %d", len(c.features)))
		}
	case classWeighted:
		limit = 1 << 53
		if !plain {
			return nil, ask.Refuse(paramRules, phrase.Of("a weighted sum of the features"),
				phrase.Of("labels only, by votes of people as they are, or other rules: "+
					"publishing and relabelling draw from a list of all rules, and this list is "+
					"too long"))
		}
	}
	var sizes []uint64
	for i, f := range c.features {
		size := f.Size()
		if !size.IsUint64() || size.Uint64() > limit {
			return nil, ask.Refuse(ask.OtherField(c.first+i, "cuts"), "none",
				phrase.Of("cuts, or narrower bounds: at most %d values for these rules", limit))
		}
		sizes = append(sizes, size.Uint64())
	}
	switch rules {
	case classBoxes:
		return classify.NewBoxes(sizes)
	case classHalfplane:
		return classify.NewPlane([2]uint64(sizes))
	case classTrees:
		trees, err := classify.NewTrees(sizes, 2)
		if err != nil || plain {
			return trees, err
		}
		return classify.Listed{Oracle: trees}, nil
	case classWeighted:
		return classify.NewHalfspaces(sizes)
	}
	return classify.NewStumps(classify.StumpsParams{Sizes: sizes})
}

func (c *labelling) Loss() (privacy.Loss, error) {
	if err := c.vote(); err != nil {
		return privacy.Loss{}, err
	}
	switch {
	case c.baseline != nil:
		return privacy.NoPrivacy(), nil // no loss is proven for the machine's arithmetic
	case c.universal != nil:
		return c.universal.Loss(1)
	case c.answers != nil:
		return c.answers.Loss(1)
	}
	return c.rule.Loss(1)
}

func (c *labelling) Algorithm() string {
	if c.baseline != nil {
		return c.query.Say.Text(
			"logistic regression by objective perturbation, a baseline whose noise is not exact")
	}
	rule := c.query.Say.Format("exponential mechanism over %v, one for each way to label the cases",
		c.class)
	if c.answers == nil {
		return rule
	}
	p := c.answers.Plan()
	votes := c.query.Say.Format("stable votes of %d rules (%v), at most %d unstable", p.Rules,
		c.class, p.Unstable)
	if !p.Base.IsOne() {
		votes += c.query.Say.Format("; %d of the people, relabelled", p.Rows)
	}
	if c.voting.Method == classify.Bootstrap {
		votes += c.query.Say.Text(", and drawn with replacement")
	}
	if c.universal == nil {
		return votes
	}
	return c.query.Say.Format("%s; then the %s", votes, rule)
}

// extra bounds how many more mistakes than the best rule the published rule makes on the people.
func (c *labelling) extra() int64 {
	return min(int64(math.Ceil(c.rule.ErrorBound(0.05))), c.query.People)
}

func (c *labelling) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	examples, err := c.examples(data, step)
	if err != nil {
		return nil, err
	}
	out := &Labels{Outcome: c.outcome, Cases: []LabelledCase{}}
	for _, f := range c.features {
		out.Features = append(out.Features, f.Name)
	}
	answer, rule, err := c.learn(src, examples, step)
	if err != nil {
		return nil, err
	}
	for i, p := range c.cases.points {
		a, err := answer(p)
		if err != nil && !errors.Is(err, classify.ErrNoMore) {
			return nil, err
		}
		out.add(c.cases.values[i], a)
	}
	if c.ballot != nil {
		out.Left = votesLeft(c.ballot)
	}
	if c.rule != nil {
		published, err := rule()
		if err != nil {
			return nil, err
		}
		if c.query.Trial {
			out.learned = published
		}
		words, parts := classify.NewPublisher(c.features, c.outcome).Write(published)
		if out.Rule, out.RuleParts = c.query.Say.Phrase(words), parts; parts.Tree != nil {
			out.Rule = Capital(out.Rule)
		}
		out.Extra = c.extra()
	}
	return out, nil
}

// scored reports whether a rule is released: labels alone cannot be compared on the data.
func (c *labelling) scored() bool { return c.rule != nil }

// perfect is the score of a rule that labels everybody correctly.
func (c *labelling) perfect() (int64, bool) { return c.query.People, true }

// score counts the people whom the rule labels correctly.
func (c *labelling) score(result ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	examples, err := c.examples(data, step)
	if err != nil {
		return 0, 0, err
	}
	for _, e := range examples {
		if e.Point != nil && result.(*Labels).learned.Says(e.Point) == e.Yes {
			points++
		}
	}
	return points, 1, nil
}

// learn returns a function that answers the cases, in their order, and one that gives the rule
// after them.
func (c *labelling) learn(src coin.Source, examples []classify.Example, step coin.Step) (
	func(classify.Point) (classify.Answer, error), func() (classify.Rule, error), error) {
	labels := func(rule classify.Rule) func(classify.Point) (classify.Answer, error) {
		return func(p classify.Point) (classify.Answer, error) {
			return classify.Answer{Yes: rule.Says(p), Stable: true}, nil
		}
	}
	switch {
	case c.baseline != nil:
		rule, err := c.baseline.Learn(src, examples, step)
		return labels(rule), nil, err
	case c.universal != nil:
		voting, choosing := halves(step)
		lasting, err := c.universal.Start(src, examples, voting)
		if err != nil {
			return nil, nil, err
		}
		answer := func(p classify.Point) (classify.Answer, error) {
			return lasting.Answer(p, choosing)
		}
		return answer, func() (classify.Rule, error) {
			_, err := answer(c.cases.points[0]) // the first one beyond the cases
			return lasting.Rule(), err
		}, nil
	case c.answers != nil:
		ballot, err := c.answers.Start(src, examples, step)
		if err != nil {
			return nil, nil, err
		}
		if c.query.Integer(paramLater) > 0 {
			c.ballot = ballot
		}
		return ballot.Answer, nil, nil
	}
	rule, err := c.rule.Learn(src, examples, step)
	return labels(rule), func() (classify.Rule, error) { return rule, nil }, err
}

// examples returns n persons; persons without the outcome or without a feature have no point. step
// receives no progress, since the number of rows may be secret.
func (c *labelling) examples(data ask.Data, step coin.Step) ([]classify.Example, error) {
	outcome := values(data.Others[0])
	features := valuesOf(data.Others[c.first : c.first+len(c.features)])
	persons := personsIn(outcome)
	n := int(c.query.People)
	examples := make([]classify.Example, 0, n)
	codes := make([]uint64, 0, n*len(features))
	for i := range outcome.Len() {
		if step != nil && i%(1<<12) == 0 {
			if err := step(0, 1); err != nil {
				return nil, err
			}
		}
		var e classify.Example
		if says, ok := outcome.Code(i); ok {
			from := len(codes)
			for j, f := range features {
				code, known := f.Code(i)
				if ok = ok && known; ok {
					codes = append(codes, c.features[j].Code(code))
				}
			}
			if ok {
				e = classify.Example{Point: codes[from:len(codes):len(codes)], Yes: says == 0}
			}
		}
		for range min(persons(i), uint64(n-len(examples))) {
			examples = append(examples, e)
		}
	}
	return examples[:n], nil // rows that stand for nobody leave the rest without a point
}

func (c *labelling) State(result ask.Result) string {
	r := result.(*Labels)
	if len(r.Cases) == 0 {
		return c.query.Say.Text("No case is labelled yet: they are asked one at a time.")
	}
	text := c.query.Say.Format("Of %d new cases %d are labelled %s and %d %s", len(r.Cases), r.Yes,
		r.Outcome[0], r.No, r.Outcome[1])
	if r.Without > 0 {
		text += c.query.Say.Format("; for %d the votes were too close", r.Without)
	}
	text += "."
	if r.Rule != "" {
		text += " " + c.query.Say.Format("The rule: %s. It mislabels at most %s more than the "+
			"best rule among those that differ on the cases (in 95 of 100 releases).",
			r.Rule,
			c.query.Count(r.Extra))
	}
	return text
}
