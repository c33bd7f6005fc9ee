package task

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/phrase"
	"hush/core/privacy"
	queries "hush/core/query"
)

const (
	paramInfluence = "influence"
	paramNegations = "negations"

	methodLearner  = "learner"
	methodChecks   = "checks"
	methodOracle   = "oracle"
	methodAny      = "disjunctions"
	taughtExact    = "exact"
	taughtTolerant = "tolerant"
	taughtLocal    = "local"
)

var conjunctionsTask = ask.Task{
	ID:       "conjunctions",
	Title:    "How many have all of…",
	Question: "How many people have all of these attributes, or any of them?",
	Sentence: "How many {many} have all of {attribute}?",
	Heading:  "{many} with several attributes",
	Synonyms: "marginals, cross table, contingency table, combinations, pivot table, " +
		"two-way table",
	Answer: "one release that answers every combination of attributes, also later and without " +
		"the data",
	Algorithm: "tables of columns, all marginals, product of marginals, MWEM, or a decomposition " +
		"into pieces",
	How: "A few combinations are each counted, with noise: one by one, or as the cells of " +
		"tables. A person is in one cell of each table, so more cells need no more noise. A " +
		"single table of all columns needs the least noise, and its cells are added up. Many " +
		"combinations are computed from fewer numbers. These may be the single attributes, taken " +
		"as independent; a distribution over all possible people, corrected where it is most " +
		"wrong; or a function that is constant on a few pieces, and wrong for a small part of " +
		"the questions. The choice depends only on the numbers of people and attributes.",
	Simple: "Noise on the count of every combination, or of every attribute, is the simple " +
		"mechanism, and better for up to a few thousand of them. Pieces are better only with " +
		"very many attributes and people.",
	Source: "Gupta, Hardt, Roth, Ullman 2011; Hardt, Ligett, McSherry 2012; Barak et al. 2007",
	Limits: "The error is in people, whatever the combination: about one that few people " +
		"have, the answer says little.",
	Judged: "Before release: the typical error against the number of people with a combination " +
		"if each column divides them evenly. After: each answer's error against that answer, and " +
		"all together against the largest count.",
	Others: []ask.Role{roleAttribute},
	Params: []ask.Param{
		{Name: paramTogether, Label: "Attributes asked for together, at most", Kind: ask.Integer,
			Default: "2", Min: 1, Max: 8,
			Help:   "A question such as “age ≥ 18 and city = Hill” asks for 2.",
			Effect: "It costs no privacy; the fewer, the smaller the error."},
		{Name: paramMethod, Label: "Method", Kind: ask.Chosen, Default: auto, Rivals: true,
			Choices: []ask.Choice{{Value: auto, Label: "the best by a rule of thumb"},
				{Value: "marginals", Label: "count every combination"},
				{Value: "tables", Label: "count the cells of tables of columns"},
				{Value: "product", Label: "single attributes, taken as independent"},
				{Value: "MWEM", Label: "a distribution, corrected where it is wrong"},
				{Value: "pieces", Label: "pieces of few influential attributes"},
				{Value: methodAny, Label: "the same pieces, made for “any of” and “none of”"},
				{Value: methodLearner, Label: "a distribution, corrected by a private learner"},
				{Value: methodChecks,
					Label: "a distribution, corrected on random combinations"},
				{Value: methodOracle, Label: "pieces, asked of a statistical-query oracle"}},
			Taught: []ask.Choice{{Value: taughtExact,
				Label: "pieces learned from exact values, a baseline without privacy"},
				{Value: taughtTolerant,
					Label: "the same pieces from rounded values, by the paper's tolerant rule"},
				{Value: taughtLocal,
					Label: "randomised response: each person answers with noise, trusting nobody"}},
			Help: "The rule of thumb knows the numbers of people and attributes, not the data. " +
				"Where a hidden trait drives many attributes together, pieces can be far better; " +
				"otherwise the other methods are. Pieces made for “any of” answer “all of” " +
				"several attributes less well. The last three follow their papers exactly: " +
				"another method was better on all the data we measured, so they are used only if " +
				"you ask for them.",
			Effect: "Privacy is the same for all.",
			Tries:  "marginals, tables, product, MWEM, pieces"},
		{Name: paramRounds, Label: "Rounds", Kind: ask.Text, Default: auto,
			With: ask.Params{paramMethod: "MWEM"},
			Help: "For the distribution that is corrected where it is wrong. Write “auto”, which " +
				"depends on the numbers of people and attributes, or a number from 1 to 256.",
			Effect: "More rounds correct more, and each less exactly.", Tries: "10, 20, 40, 80"},
		{Name: paramPieces, Label: "Pieces, at most", Kind: ask.Text, Default: auto,
			With: ask.Params{paramMethod: "pieces"},
			Help: "For the pieces. auto: depends on the numbers of people and attributes, at " +
				"most 64; or a number from 1 to 4096.",
			Effect: "More pieces follow more attributes, and the answer of each is less exact.",
			Tries:  "4, 16, 64"},
		{Name: paramInfluence, Label: "Least influence that splits a piece, in %",
			Kind: ask.Integer, Default: "25", Min: 1, Max: 100,
			Help: "For the pieces. An attribute splits a piece where it decides the answer for " +
				"at least this share of all people.",
			Effect: "Less splits more pieces, as long as noise does not hide it."},
		{Name: paramNegations, Label: "Also “not” of each category", Kind: ask.Flag,
			Default: "false",
			Help: "Such as “district ≠ Hill”: people in any other district. Cut points have both " +
				"sides anyway, and where there are two categories, each is the “not” of the other.",
			Effect: "It costs no privacy. Where cells of tables are counted it adds no noise; " +
				"otherwise there are more combinations, and the error grows with their number."},
		ask.AllowedDeltaParam,
	},
	Example: &ask.Example{Sample: "clinic", Recipe: ask.Recipe{Others: clinicAttributes}},
	Tunes:   byQuestions,
	Aims:    true,
	Films:   []string{"pieces", "weights", "laplace"},
	Costs: ask.Costs{
		"":                    "query.Marginals",
		"method MWEM":         "query.MWEM",
		"method checks":       "query.Sampled",
		"method disjunctions": "query.Pieces",
		"method learner":      "query.Boosting",
		"method pieces":       "query.Pieces",
		"method tables":       "query.Tables",
	},
	Exact:    exactAttributes,
	Unframed: "a map of pairs shows no errors",
	Prepare:  tuning(prepareConjunctions),
}

// asPrinted are the methods that are used only if a recipe names them.
var asPrinted = []string{methodLearner, methodChecks, methodOracle, methodAny}

// baselines are available in lessons only.
var baselines = []string{taughtExact, taughtTolerant, taughtLocal}

// tiled are the methods with a number of pieces.
var tiled = []string{"pieces", methodAny}

// conjunctions is a question with the method that will answer it.
type conjunctions struct {
	query      *ask.Query
	attributes *attributes
	width      int
	delta      privacy.Delta
	choice     queries.Choice
	method     queries.Conjunctive
	loss       privacy.Loss
}

// conjunctionsAsked holds the parameters of a release of conjunctions, and the method wanted.
type conjunctionsAsked struct {
	method string
	queries.ChoiceParams
}

// choices returns the methods that apply, the best first.
func (by conjunctionsAsked) choices() (list []queries.Choice, err error) {
	choose := queries.Choose
	if slices.Contains(asPrinted, by.method) {
		choose = queries.Papers
	}
	if slices.Contains(baselines, by.method) {
		choose = queries.Baseline
	}
	list, err = choose(by.ChoiceParams)
	if by.method != auto {
		list = slices.DeleteFunc(list, func(c queries.Choice) bool { return c.Name != by.method })
	}
	return list, err
}

// best returns the first of the choices; there must be one.
func (by conjunctionsAsked) best() (queries.Conjunctive, error) {
	list, err := by.choices()
	if err != nil {
		return nil, err
	}
	return list[0].New()
}

func prepareConjunctions(q *ask.Query) (ask.Prepared, error) {
	a, err := attributesOf(q, q.Flag(paramNegations))
	if err != nil {
		return nil, err
	}
	c := &conjunctions{
		query: q, attributes: a, width: int(min(q.Integer(paramTogether), int64(len(a.list))))}
	delta, err := q.AllowedDelta()
	if err != nil {
		return nil, err
	}
	rounds, err := roundsOf(q)
	if err != nil {
		return nil, err
	}
	if rounds > 0 && q.Param(paramMethod) != "MWEM" {
		return nil, ask.Refuse(paramRounds, fmt.Sprint(rounds),
			phrase.Of(`"auto" where the method is not the corrected distribution`))
	}
	pieces := 0
	if text := q.Param(paramPieces); text != auto {
		pieces, err = strconv.Atoi(text)
		if err != nil || pieces < 1 || pieces > 4096 ||
			!slices.Contains(tiled, q.Param(paramMethod)) {
			return nil, ask.Refuse(paramPieces, fmt.Sprintf("%.20q", text),
				phrase.Of(`"auto", or with the method of pieces a number from 1 to %d`, 4096))
		}
	}
	influence := big.NewRat(q.Integer(paramInfluence), 100)
	// A δ is spent only where it makes the answers better.
	var best conjunctionsAsked
	for _, d := range []privacy.Delta{{}, delta} {
		by := conjunctionsAsked{q.Param(paramMethod), queries.ChoiceParams{Epsilon: q.Epsilon,
			Delta: d, Persons: int(max(q.People, 1)), Size: len(a.list), Width: c.width,
			Rounds: rounds, Columns: a.columns, Pieces: pieces, Influence: influence}}
		choices, err := by.choices()
		if err != nil {
			return nil, err
		}
		if len(choices) > 0 && (c.choice.New == nil || choices[0].Error < c.choice.Error) {
			c.choice, c.delta, best = choices[0], d, by
		}
	}
	if c.choice.New == nil {
		return nil, ask.Refuse(paramMethod, q.Param(paramMethod), phrase.Of("another method: %d "+
			"attributes, %d together, are too many for this one, or one attribute is too few",
			len(a.list), c.width))
	}
	// where there is a δ, a method may take a second to make
	if c.method, err = ask.Remember(q, best, conjunctionsAsked.best); err != nil {
		return nil, err
	}
	if c.loss, err = c.method.Loss(1); err != nil {
		return nil, err
	}
	// the parts cost slightly less: the simpler number is published
	if c.loss.AtMost(privacy.ApproximateLoss(q.Epsilon, c.delta)) {
		c.loss = c.loss.Raised(q.Epsilon, c.delta)
	}
	return c, nil
}

func (c *conjunctions) Loss() (privacy.Loss, error) { return c.loss, nil }

func (c *conjunctions) Algorithm() string {
	switch c.choice.Name {
	case "marginals":
		return c.query.Say.Format("noisy counts of all conjunctions of up to %d of %d attributes",
			c.width, len(c.attributes.list))
	case "tables":
		if c.choice.Together == len(c.attributes.columns) {
			return c.query.Say.Format("noisy counts of the full table of %d columns",
				c.choice.Together)
		}
		return c.query.Say.Format("noisy counts of all tables of %d of %d columns",
			c.choice.Together, len(c.attributes.columns))
	case "product":
		return c.query.Say.Format("product of the noisy shares of %d attributes",
			len(c.attributes.list))
	case "MWEM":
		return c.query.Say.Text("multiplicative weights, corrected by noisy counts (MWEM)")
	case methodLearner:
		return c.query.Say.Text("multiplicative weights, corrected by a private agnostic learner")
	case methodChecks:
		return c.query.Say.Text("multiplicative weights, corrected on random conjunctions")
	case methodOracle:
		return c.query.Say.Text("decomposition into pieces by a statistical-query oracle")
	case taughtLocal:
		return c.query.Say.Text("randomised response, and the product of shares")
	case methodAny:
		return c.query.Say.Text("decomposition of the coverage function into pieces")
	case taughtExact:
		return c.query.Say.Text("decomposition into pieces by exact values, without privacy")
	case taughtTolerant:
		return c.query.Say.Text(
			"decomposition into pieces by values off by up to 1/48 of all, without privacy")
	}
	return c.query.Say.Text("decomposition of submodular functions into pieces")
}

// typical is the mean error of an answer, in people.
func (c *conjunctions) typical() float64 { return min(c.choice.Error, 1) * float64(c.query.People) }

// Bound is known where all error comes from noise.
func (c *conjunctions) Bound() float64 {
	switch c.choice.Name {
	case "marginals", "tables":
		return usualNoise * c.typical()
	}
	return math.Inf(1)
}

// Typical is the error of an answer about as many attributes as may be asked for together.
func (c *conjunctions) Typical() (off float64, exact bool) {
	switch c.choice.Name {
	case "pieces", methodAny, methodOracle, taughtExact, taughtTolerant:
		// chosen by their error on hard data
		return 0.75 * c.typical(), false
	}
	return c.typical(), false
}

func (c *conjunctions) Unit() ask.Unit { return c.query.InPeople("%s in an answer") }

func (c *conjunctions) Forecast() []ask.Forecast {
	off := int64(math.Ceil(c.typical()))
	detail := c.query.Say.Format("%s of all %s", percentOf(c.query.Say, off, c.query.People),
		c.query.Count(c.query.People))
	switch c.choice.Name {
	case "marginals", "tables":
		detail += c.query.Say.Text("; the noise alone, since every combination is counted")
	case "pieces", methodAny, methodOracle, taughtExact, taughtTolerant:
		detail += c.query.Say.Text(
			"; for all but a small part of the questions, single ones may be far off")
	default:
		detail += c.query.Say.Text("; a rule of thumb that does not look at relations between " +
			"attributes: single answers may be far off")
	}
	return append([]ask.Forecast{
		{Label: c.query.Say.Text("An answer is off by, typically"), Value: c.query.Count(off),
			Detail: detail},
		{Label: c.query.Say.Text("Attributes"), Value: fmt.Sprint(len(c.attributes.list)),
			Detail: c.query.Say.Format("up to %d asked for together", c.width)},
	}, c.inside()...)
}

// inside describes the answers from which a release is made, for methods for which a paper proves
// something about them.
func (c *conjunctions) inside() []ask.Forecast {
	switch m := c.method.(type) {
	case interface{ Oracle() *queries.Oracle }:
		if oracle := m.Oracle(); oracle != nil {
			return []ask.Forecast{{Label: c.query.Say.Text("The oracle's own answers"),
				Value: "± " + c.query.Count(int64(math.Ceil(oracle.ErrorBound(basic.Beta)))),
				Detail: c.query.Say.Format("all at once, in 95 of 100 releases; within a "+
					"hundredth of all from %s on",
					c.query.Count(int64(oracle.Needs(0.01, basic.Beta))))}}
		}
	case *queries.Sampled:
		return []ask.Forecast{{
			Label: c.query.Say.Text("A combination looked at is judged correctly"),
			Value: "± " + c.query.Count(m.TestError(basic.Beta)),
			Detail: c.query.Say.Text("around the tolerated error; all at once, in 95 of 100 " +
				"releases")}}
	}
	return nil
}

// Judge compares the typical error of an answer with the count of a combination that is as frequent
// as chance makes it and, after the release, each answer in the table with itself.
func (c *conjunctions) Judge(r ask.Result) ask.Verdict {
	if r == nil {
		return c.query.Because(ask.Typically(c.typical(), c.even()).Verdict(), c.query.CountUp,
			"as many as have a combination if all are equally frequent")
	}
	var list []ask.Against
	for _, one := range r.(*Conjunctions).listed() {
		list = append(list, one.Found.against())
	}
	return c.query.Because(ask.OfCounts(list), c.query.CountUp, againstTypical)
}

// even is how many people have a combination of as many attributes as may be asked for together, or
// any of them where the question is about “any”, if each column divides the people evenly.
func (c *conjunctions) even() float64 {
	share, columns := 0.0, map[int]float64{}
	for _, a := range c.attributes.list {
		if a.Side == "" {
			columns[a.Of]++
		}
	}
	for _, a := range c.attributes.list {
		switch a.Side {
		case "":
			share += 1 / columns[a.Of]
		case NotIt:
			share += 1 - 1/columns[a.Of]
		default:
			share += 0.5
		}
	}
	share /= float64(len(c.attributes.list))
	if c.choice.Name == methodAny {
		return float64(c.query.People) * (1 - math.Pow(1-share, float64(c.width)))
	}
	return float64(c.query.People) * math.Pow(share, float64(c.width))
}

// Frame draws a bar for each attribute, unless attributes are asked for together: pairs are drawn
// as a map, which cannot show an error.
func (c *conjunctions) Frame() *ask.Frame {
	if c.width > 1 {
		return nil
	}
	f := &ask.Frame{Kind: ask.FrameBars, Axis: c.query.Label, Unit: many(c.query),
		Hi: float64(c.query.People), Even: float64(c.query.People) / 2,
		Error: math.Ceil(c.typical())}
	for _, a := range c.attributes.list {
		f.Labels = append(f.Labels, a.Name)
	}
	return f
}

func (c *conjunctions) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	records, err := c.attributes.records(data, c.query.People, nil)
	if err != nil {
		return nil, err
	}
	release, err := c.method.Release(src, records, step)
	if err != nil {
		return nil, err
	}
	release.Loss = c.loss
	return &Conjunctions{c.attributes.list, c.width, c.typical(), release}, nil
}

// perfect returns the best score; a score is minus the number of people by which answers are off.
func (*conjunctions) perfect() (int64, bool) { return 0, true }

// score returns minus the mean error of the release's answers to random questions.
func (c *conjunctions) score(r ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	records, err := c.attributes.records(data, c.query.People, nil)
	if err != nil {
		return 0, 0, err
	}
	answers := r.(*Conjunctions)
	answer := func(chosen []int) (float64, error) {
		found, err := answers.Ask(chosen, answers.Any())
		return found.People, err
	}
	points, err = queries.ConjunctionScore(records, answers.Release.Kind, c.width, answer, step)
	return points, 1, err
}

func (c *conjunctions) State(r ask.Result) string {
	return c.query.Say.Format("Counts of %s with any combination of up to %d of %d attributes "+
		"of %s: typically within %s. A single one may be further off.",
		c.query.Many(), c.width, len(c.attributes.list), c.query.Label,
		c.query.Count(int64(math.Ceil(c.typical()))))
}

// exactAttributes compares the released count of each category with the true one.
func exactAttributes(_ ask.Recipe, answer ask.Result, people []ask.Person) (list []ask.Miss) {
	c := answer.(*Conjunctions)
	for i, a := range c.Attributes {
		if a.Side != "" {
			continue
		}
		code := int64(0)
		for _, b := range c.Attributes[:i] {
			if b.Of == a.Of {
				code++
			}
		}
		is := exactCount(people, func(p ask.Person) bool { return p.Others[a.Of] == code })
		found, err := c.Ask([]int{i}, false)
		if err != nil {
			found.People = math.NaN()
		}
		list = append(list, miss(a.Name, found.People-is, 3*found.Error+2))
	}
	return list
}
