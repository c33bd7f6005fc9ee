package task

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/phrase"
	"hush/core/privacy"
	queries "hush/core/query"
)

// Conjunctions answers how many people have all, or any, of some attributes. It is private as a
// whole: it can be kept, shared and asked for ever.
type Conjunctions struct {
	Attributes []Attribute      `json:"attributes"`
	Width      int              `json:"width"` // the most attributes asked for together
	Typical    float64          `json:"typical"`
	Release    *queries.Release `json:"release"`
}

// Found is an answer from a release, made without the data.
type Found struct {
	People float64
	Share  float64 // of all people
	Error  float64 // people
	// Sure says that the answer is off by at most Error in 95 of 100 releases. Else that is what it
	// is typically off by, and single ones may be far off.
	Sure bool
}

const (
	paramTogether  = "together"
	paramInfluence = "influence"
	paramNegations = "negations"
	maxListed      = 2000 // rows of a table
	maxAny         = 6    // attributes of a question with “any”

	methodLearner = "learner"
	methodChecks  = "checks"
	methodOracle  = "oracle"
	methodAny     = "disjunctions"
	taughtExact   = "exact"
	taughtLocal   = "local"
	// standard deviations: 2.12 hold 95 % of Laplace noise, 1.96 of Gaussian, and sums lie between
	sureOf95 = 2.2
)

var conjunctionsTask = ask.Task{
	ID:       "conjunctions",
	Title:    "How many have all of…",
	Question: "How many people have all of these attributes, or any of them?",
	Sentence: "How many {many} have all of {attribute}?",
	Synonyms: "marginals, cross table, contingency table, combinations, pivot table, " +
		"two-way table",
	Answer: "one release that answers every combination of attributes, also later and without " +
		"the data",
	Algorithm: "tables of columns, all marginals, product of marginals, MWEM, or a decomposition " +
		"into pieces",
	How: "Few combinations are all counted, with noise: one by one, or as the cells of tables, " +
		"in each of which a person is in one cell, so that more cells need no more noise. A " +
		"table of all columns needs the least, and is added up. Many are answered from less: " +
		"from the single attributes as if they were independent, from a distribution over all " +
		"possible people that is corrected where it is most wrong, or from a function that is " +
		"constant on a few pieces, for all but a small part of the questions. Which is best is " +
		"told from the numbers of people and attributes alone.",
	Simple: "Noise on the count of every combination, or of every attribute, is the simple " +
		"mechanism, and better up to some thousands of them. Pieces need very many attributes " +
		"and people before they are better.",
	Source: "Gupta, Hardt, Roth, Ullman 2011; Hardt, Ligett, McSherry 2012; Barak et al. 2007",
	Limits: "The error is in people, whatever the combination: about one that few people " +
		"have, the answer says little.",
	Judged: "Before: the typical error against as many people as have a combination where " +
		"each column divides them evenly. After: each answer's error against that answer, " +
		"and all together against the count that most are in.",
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
				{Value: taughtLocal,
					Label: "randomised response: each person answers with noise, trusting nobody"}},
			Help: "The rule of thumb knows the numbers of people and attributes, not the data. " +
				"Where a hidden trait drives many attributes together, pieces can be far better; " +
				"else the others are. Pieces made for “any of” answer “all of” of several " +
				"attributes worse. The last three are as their paper has them: another was " +
				"better on all data that we measured, so that they are taken only if asked for.",
			Effect: "Privacy is the same for all.",
			Tries:  "marginals, tables, product, MWEM, pieces"},
		{Name: paramRounds, Label: "Rounds", Kind: ask.Text, Default: auto,
			With: ask.Params{paramMethod: "MWEM"},
			Help: "Of the distribution that is corrected where it is wrong. auto: by how many " +
				"people and attributes there are; or a number from 1 to 256.",
			Effect: "More rounds correct more, and each less exactly.", Tries: "10, 20, 40, 80"},
		{Name: paramPieces, Label: "Pieces, at most", Kind: ask.Text, Default: auto,
			With: ask.Params{paramMethod: "pieces"},
			Help: "Of the pieces. auto: by how many people and attributes there are, at most 64; " +
				"or a number from 1 to 4096.",
			Effect: "More pieces follow more attributes, and the answer of each is less exact.",
			Tries:  "4, 16, 64"},
		{Name: paramInfluence, Label: "Least influence that splits a piece, in %",
			Kind: ask.Integer, Default: "25", Min: 1, Max: 100,
			Help: "Of the pieces. An attribute splits a piece where it decides the answer for so " +
				"many of all people.",
			Effect: "Less splits more pieces, as long as noise does not hide it."},
		{Name: paramNegations, Label: "Also “not” of each category", Kind: ask.Flag,
			Default: "false",
			Help: "Such as “district ≠ Hill”: those who have another district. Cut points have " +
				"both sides anyway, and of two categories one is the “not” of the other.",
			Effect: "It costs no privacy. Counted as cells of tables it adds no noise; otherwise " +
				"there are more combinations, and the error grows with them."},
		ask.AllowedDeltaParam,
	},
	Example: &ask.Example{Sample: "clinic", Recipe: ask.Recipe{Others: clinicAttributes}},
	Tunes:   byQuestions,
	Aims:    true,
	Films:   []string{"pieces", "weights", "laplace"},
	Prepare: tuning(prepareConjunctions),
}

// asPrinted are the methods that are only taken if asked for.
var asPrinted = []string{methodLearner, methodChecks, methodOracle, methodAny}

// tiled are the methods that have a number of pieces.
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
	for _, d := range []privacy.Delta{{}, delta} {
		facts := queries.ChoiceParams{Epsilon: q.Epsilon, Delta: d,
			Persons: int(max(q.People, 1)), Size: len(a.list), Width: c.width, Rounds: rounds,
			Columns: a.columns, Pieces: pieces, Influence: influence}
		wanted, choose := q.Param(paramMethod), queries.Choose
		if slices.Contains(asPrinted, wanted) {
			choose = queries.Papers
		}
		if wanted == taughtExact || wanted == taughtLocal {
			choose = queries.Baseline
		}
		choices, err := choose(facts)
		if err != nil {
			return nil, err
		}
		if wanted != auto {
			choices = slices.DeleteFunc(choices, func(c queries.Choice) bool {
				return c.Name != wanted
			})
		}
		if len(choices) > 0 && (c.choice.New == nil || choices[0].Error < c.choice.Error) {
			c.choice, c.delta = choices[0], d
		}
	}
	if c.choice.New == nil {
		return nil, ask.Refuse(paramMethod, q.Param(paramMethod), phrase.Of("another method: %d "+
			"attributes, %d together, are too many for this one, or one attribute is too few",
			len(a.list), c.width))
	}
	// where there is a δ, a method may take a second to make
	c.method, err = ask.Remember(q, fmt.Sprint("conjunctions ", q.Epsilon, c.delta, c.choice.Name,
		q.People, a.columns, c.width, rounds, pieces, influence), c.choice.New)
	if err != nil {
		return nil, err
	}
	if c.loss, err = c.method.Loss(1); err != nil {
		return nil, err
	}
	// what the parts cost is a little less: the simpler number is published
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
	}
	return c.query.Say.Text("decomposition of submodular functions into pieces")
}

// typical is the mean error of an answer, in people.
func (c *conjunctions) typical() float64 { return min(c.choice.Error, 1) * float64(c.query.People) }

// Bound is known where all error is noise.
func (c *conjunctions) Bound() float64 {
	switch c.choice.Name {
	case "marginals", "tables":
		return usualNoise * c.typical()
	}
	return math.Inf(1)
}

// usualNoise is at least how many times the mean of |noise| is not exceeded in 95 of 100 releases:
// ln 20 by one Laplace law, and less by a sum or by Gaussian noise.
const usualNoise = 3

// Typical is that of an answer about as many attributes as may be asked for together.
func (c *conjunctions) Typical() (off float64, exact bool) {
	switch c.choice.Name {
	case "pieces", methodAny, methodOracle, taughtExact: // chosen by their error on hard data
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
	case "pieces", methodAny, methodOracle, taughtExact:
		detail += c.query.Say.Text(
			"; for all but a small part of the questions, single ones may be far off")
	default:
		detail += c.query.Say.Text("; a rule of thumb, since how attributes hang together is not " +
			"looked up: single answers may be far off")
	}
	return append([]ask.Forecast{
		{Label: c.query.Say.Text("An answer is off by, typically"), Value: c.query.Count(off),
			Detail: detail},
		{Label: c.query.Say.Text("Attributes"), Value: fmt.Sprint(len(c.attributes.list)),
			Detail: c.query.Say.Format("up to %d asked for together", c.width)},
	}, c.inside()...)
}

// inside is what is known of the answers that a release is made from, for ways of which their paper
// proves it.
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
			Label: c.query.Say.Text("A combination looked at is judged rightly"),
			Value: "± " + c.query.Count(m.TestError(basic.Beta)),
			Detail: c.query.Say.Text("around the error that is let pass; all at once, in 95 of " +
				"100 releases")}}
	}
	return nil
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

func (c *conjunctions) State(r ask.Result) string {
	return c.query.Say.Format("How many %s have any combination of up to %d of %d attributes "+
		"of %s: typically within %s, and for single questions perhaps further off.",
		c.query.Many(), c.width, len(c.attributes.list), c.query.Label,
		c.query.Count(int64(math.Ceil(c.typical()))))
}

// Kind is "conjunctions".
func (c *Conjunctions) Kind() string { return "conjunctions" }

// Any says that the release was made for “any of” and “none of”: “all of” is further off.
func (c *Conjunctions) Any() bool { return c.Release.Kind == queries.Disjunctions }

// Table lists single attributes and, where they were asked for together, pairs.
func (c *Conjunctions) Table(say ask.Voice, _ string) [][]string {
	first := say.Format("%s with all of", Capital(say.Many()))
	if c.Any() {
		first = say.Format("%s with any of", Capital(say.Many()))
	}
	rows := [][]string{{first, Capital(say.Many()), say.Text("Share")}}
	for _, one := range c.listed() {
		rows = append(rows,
			[]string{strings.Join(one.names, ", "), fmt.Sprintf("%.0f", one.People),
				fmt.Sprintf("%.4f", one.Share)})
	}
	return rows
}

// combination is a row of the table.
type combination struct {
	names []string
	Found
}

// listed are the rows of the table.
func (c *Conjunctions) listed() (list []combination) {
	add := func(chosen ...int) {
		if found, err := c.Ask(chosen, c.Any()); err == nil && len(list)+1 < maxListed {
			one := combination{Found: found}
			for _, x := range chosen {
				one.names = append(one.names, c.Attributes[x].Name)
			}
			list = append(list, one)
		}
	}
	for x := range c.Attributes {
		add(x)
	}
	for x := range c.Attributes {
		for y := range x {
			if c.Width > 1 && c.Attributes[x].Column != c.Attributes[y].Column {
				add(y, x)
			}
		}
	}
	return list
}

// Ask answers how many people have all of the chosen attributes, or any of them, from the release
// alone. It refuses more attributes than were asked for. What is public costs no error: nobody has
// two categories of one column, and of two cut points one says it all.
func (c *Conjunctions) Ask(chosen []int, any bool) (Found, error) {
	if any == c.Any() {
		return c.asReleased(chosen)
	}
	if m := c.Release.Method; m == queries.ByTables || m == queries.ByWeights {
		set, err := queries.NewSet(len(c.Attributes), chosen...)
		if err != nil {
			return Found{}, err
		}
		answer, err := c.Release.AskAny(set)
		if m == queries.ByTables {
			return counted(answer), err
		}
		return Found{People: answer.Persons, Share: answer.Share, Error: c.Typical}, err
	}
	if c.Release.Method == queries.ByProduct {
		return c.anyOfProduct(chosen)
	}
	if !any { // nobody has two categories of one column
		left, possible, err := c.simple(chosen)
		if err != nil || !possible {
			return Found{Sure: true}, err
		}
		if len(left) > c.Width {
			return Found{}, c.tooMany(len(left))
		}
		chosen = left
	}
	if len(chosen) > maxAny {
		most := phrase.Of("at most %d for “any”", maxAny)
		if !any {
			most = phrase.Of("at most %d for “all”", maxAny)
		}
		return Found{}, ask.Refuse("chosen", phrase.Of("%d attributes", len(chosen)), most)
	}
	sum, variance := Found{Sure: true}, 0.0
	for mask := 1; mask < 1<<len(chosen); mask++ { // inclusion and exclusion
		var part []int
		sign := -1.0
		for i, x := range chosen {
			if mask>>i&1 == 1 {
				part, sign = append(part, x), -sign
			}
		}
		found, err := c.asReleased(part)
		if err != nil {
			return Found{}, err
		}
		sum.People += sign * found.People
		variance += found.Error * found.Error
		sum.Sure = sum.Sure && found.Sure
	}
	n := float64(c.Release.Persons)
	sum.People = min(max(sum.People, 0), n)
	sum.Share, sum.Error = sum.People/n, math.Sqrt(variance)
	return sum, nil
}

// None answers how many people have none of the chosen attributes: all but those with any.
func (c *Conjunctions) None(chosen []int) (Found, error) {
	found, err := c.Ask(chosen, true)
	if err != nil {
		return Found{}, err
	}
	found.People, found.Share = float64(c.Release.Persons)-found.People, 1-found.Share
	return found, nil
}

// anyOfProduct takes columns as independent: those with any are all but the product of the shares
// without. In one column categories exclude each other, and of cut points the outermost say it all.
func (c *Conjunctions) anyOfProduct(chosen []int) (Found, error) {
	chosen = slices.Compact(slices.Sorted(slices.Values(chosen)))
	without, columns := 1.0, map[int][]int{}
	for _, x := range chosen {
		if x < 0 || x >= len(c.Attributes) {
			_, _, err := c.simple([]int{x})
			return Found{}, err
		}
		columns[c.Attributes[x].Of] = append(columns[c.Attributes[x].Of], x)
	}
	for _, x := range chosen {
		column := columns[c.Attributes[x].Of]
		if column[0] != x { // with the first
			continue
		}
		ends := map[Side]int{} // by side, the one that holds the others
		share := 0.0
		for _, y := range column {
			a := c.Attributes[y]
			if _, known := ends[a.Side]; !known || a.Side == BelowCut {
				ends[a.Side] = y // ascending: the first from, and the last below
			}
			if a.Side == "" {
				part, err := c.single(y)
				if err != nil {
					return Found{}, err
				}
				share += part
			}
		}
		if not, is := ends[NotIt]; is { // two of them are all, and so is one with its category
			var err error
			if share, err = c.single(not); err != nil {
				return Found{}, err
			}
			if slices.ContainsFunc(column, func(y int) bool {
				return c.Attributes[y].Side == NotIt && y != not || y == c.negated(not)
			}) {
				its, err := c.single(c.negated(not))
				if err != nil {
					return Found{}, err
				}
				share += its
			}
		}
		from, isFrom := ends[FromCut]
		below, isBelow := ends[BelowCut]
		for _, part := range []struct {
			is    bool
			at    []int
			times float64
		}{{isFrom, []int{from}, 1}, {isBelow, []int{below}, 1}, {isFrom && isBelow,
			[]int{from, below}, -1}} {
			left, possible, err := c.simple(part.at)
			if !part.is || err == nil && !possible {
				continue
			}
			if err != nil {
				return Found{}, err // unreachable: they are among the attributes
			}
			found, err := c.product(left)
			if err != nil {
				return Found{}, err
			}
			share += part.times * found.Share
		}
		without *= 1 - min(max(share, 0), 1)
	}
	n := float64(c.Release.Persons)
	return Found{People: (1 - without) * n, Share: 1 - without,
		Error: max(c.Typical, c.Release.Noise)}, nil
}

// tooMany refuses more attributes than were asked for together.
func (c *Conjunctions) tooMany(attributes int) error {
	return ask.Refuse("chosen", phrase.Of("%d attributes", attributes),
		phrase.Of("at most %d together", c.Width))
}

// asReleased answers what the release is of: a conjunction, or a disjunction.
func (c *Conjunctions) asReleased(chosen []int) (Found, error) {
	left, possible, err := c.simple(chosen)
	switch {
	case err != nil:
		return Found{}, err
	case c.Any():
		chosen = slices.Compact(slices.Sorted(slices.Values(chosen)))
	case !possible:
		return Found{Sure: true}, nil
	default:
		chosen = left
	}
	if len(chosen) > c.Width {
		return Found{}, c.tooMany(len(chosen))
	}
	if c.Release.Method == queries.ByProduct {
		return c.product(chosen)
	}
	set, err := queries.NewSet(len(c.Attributes), chosen...)
	if err != nil {
		return Found{}, err
	}
	answer, err := c.Release.Ask(set)
	switch method := c.Release.Method; {
	case err != nil:
		return Found{}, err
	case method == queries.ByMarginals, method == queries.ByTables, len(chosen) == 0:
		return counted(answer), nil
	}
	return Found{People: answer.Persons, Share: answer.Share,
		Error: max(c.Typical, answer.Noise)}, nil
}

// counted is an answer of which all error is noise.
func counted(answer queries.Answer) Found {
	return Found{answer.Persons, answer.Share, sureOf95 * answer.Noise, true}
}

// simple leaves out what follows from the others, and tells whether somebody can have them all.
func (c *Conjunctions) simple(chosen []int) (left []int, possible bool, err error) {
	for _, x := range chosen {
		if x < 0 || x >= len(c.Attributes) {
			return nil, false,
				ask.Refuse("chosen", fmt.Sprint(x),
					phrase.Of("attributes from 0 to %d", len(c.Attributes)-1))
		}
	}
	for i, x := range chosen {
		follows := slices.Contains(chosen[:i], x)
		for _, y := range chosen {
			a, b := c.Attributes[x], c.Attributes[y]
			switch {
			case x == y || a.Of != b.Of:
			case a.Side == NotIt:
				if b.Side == "" && c.negated(x) == y {
					return nil, false, nil
				}
				follows = follows || b.Side == ""
			case a.Side == "" && b.Side == NotIt:
			case a.Side == "" || a.Side == FromCut && b.Side == BelowCut && a.Cut >= b.Cut:
				return nil, false, nil
			case a.Side == b.Side:
				follows = follows || (a.Side == FromCut) == (a.Cut < b.Cut)
			}
		}
		if !follows {
			left = append(left, x)
		}
	}
	return left, true, nil
}

// negated is the category that attribute x is the “not” of.
func (c *Conjunctions) negated(x int) int {
	of := c.Attributes[x].Of
	return c.Attributes[x].Cut +
		slices.IndexFunc(c.Attributes, func(a Attribute) bool { return a.Of == of })
}

// product multiplies the shares of columns. Of one with cut points at most two attributes are left,
// from one and below a later one: those below the one and not the other. Of one with categories one
// is left, or several that people do not have: of those with another than the first, the others are
// taken away.
func (c *Conjunctions) product(chosen []int) (Found, error) {
	share := 1.0
	for _, x := range chosen {
		a := c.Attributes[x]
		other := slices.IndexFunc(chosen, func(y int) bool {
			return y != x && c.Attributes[y].Of == a.Of
		})
		if other >= 0 && a.Side == BelowCut {
			continue // with the other
		}
		if other >= 0 && other < slices.Index(chosen, x) && a.Side == NotIt {
			continue // with the first
		}
		part, err := c.single(x)
		if err != nil {
			return Found{}, err
		}
		for _, y := range chosen {
			if b := c.Attributes[y]; y == x || b.Of != a.Of || a.Side != NotIt {
				continue
			}
			its, err := c.single(c.negated(y))
			if err != nil {
				return Found{}, err
			}
			part = max(part-its, 0)
		}
		if other >= 0 && a.Side != NotIt {
			below, err := c.single(chosen[other])
			if err != nil {
				return Found{}, err
			}
			// Attributes of a cut point stand side by side: x + 1 is below the cut point that x is
			// from.
			before, err := c.single(x + 1)
			if err != nil {
				return Found{}, err
			}
			part = max(below-before, 0)
		}
		share *= part
	}
	n := float64(c.Release.Persons)
	return Found{People: share * n, Share: share, Error: max(c.Typical, c.Release.Noise),
		Sure: false}, nil
}

// single is the share of people with one attribute.
func (c *Conjunctions) single(x int) (float64, error) {
	set, err := queries.NewSet(len(c.Attributes), x)
	if err != nil {
		return 0, err
	}
	answer, err := c.Release.Ask(set)
	return answer.Share, err
}

// Check refuses a release that does not fit the attributes.
func (c *Conjunctions) Check() error {
	if c.Release == nil || c.Release.Size != len(c.Attributes) ||
		c.Release.Kind == queries.Cuts || c.Any() && c.Release.Method != queries.ByPieces {
		return ask.Refuse("attributes", fmt.Sprint(len(c.Attributes)),
			phrase.Of("as many as the release of their conjunctions has"))
	}
	for x, a := range c.Attributes { // product reads the other side of a cut point, and a category
		if a.Side == NotIt {
			if at := c.negated(x); a.Cut < 0 || at >= x || c.Attributes[at].Of != a.Of ||
				c.Attributes[at].Side != "" {
				return ask.Refuse("attributes", fmt.Sprintf("%q", a.Name),
					phrase.Of("the category that it is the “not” of before it"))
			}
		}
		if a.Side == FromCut &&
			(x+1 == len(c.Attributes) || c.Attributes[x+1].Of != a.Of ||
				c.Attributes[x+1].Cut != a.Cut || c.Attributes[x+1].Side != BelowCut) {
			return ask.Refuse("attributes", fmt.Sprintf("%q", a.Name),
				phrase.Of("the other side of the cut point next to it"))
		}
	}
	return nil
}
