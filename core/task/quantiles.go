package task

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/density"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/threshold"
)

// Quantiles are values below which given parts of the people lie.
type Quantiles struct {
	Rows []Quantile `json:"rows"`
	// Measured says that the rank errors were measured: they hold given the values, not for any
	// data.
	Measured bool `json:"measured,omitempty"`
	// Around is [Median]'s Around, for the spans of all rows.
	Around int64 `json:"around,omitempty"`
}

// Quantile is a value, with the part of the people below it.
type Quantile struct {
	Part  string `json:"part"` // part of the people, in percent: "25 %"
	Value string `json:"value"`
	// bytes in hexadecimal, for a text that is shown shortened
	Exact string `json:"exact,omitempty"`
	// RankError is a bound: with probability 95 %, for all values at once, at most RankError people
	// are on the wrong side of the value.
	RankError int64 `json:"rankError"`
	Span      *Span `json:"span,omitempty"`
}

const paramTargets = "targets"

var quantilesTask = ask.Task{
	ID:       "quantiles",
	Title:    "Quantiles",
	Question: "Below which values do a quarter, half, three quarters of the people lie?",
	Sentence: "What are the quantiles of {column}?",
	Heading:  "Quantiles of {column}",
	Synonyms: "quartiles, percentiles, deciles, box plot, spread, range",
	Answer:   "one value for each part asked for, in order",
	Algorithm: "joint or recursive exponential mechanism, tree of counts, or interior points of " +
		"windows",
	How: "All values are drawn together, by a score: how many people too many or too few lie " +
		"between them. With too few people for this number of parts, some values are drawn, and " +
		"the others are placed between them in proportion. Many parts of many people are drawn " +
		"in two levels: first some, then those in between. For one part, or with very many " +
		"people, the middle part is drawn first; it splits the people, and each side is split " +
		"again. Where hardly more values are possible than parts asked for, all values are " +
		"counted in a tree, and the parts are read off the counts. Where very many values are " +
		"possible, as with long texts, each part may be found among the people near its " +
		"position, for an equal share of the privacy loss.",
	Simple: "Splitting the people again and again is simpler and quicker than drawing all values " +
		"together, but off by about twice as many people. The exponential mechanism is the " +
		"simple one, and needs fewer people than TreeLog for numbers, dates and short texts. " +
		"TreeLog is better for codes of well over a hundred bits, such as long texts.",
	Source: "Gillenwater, Joseph, Kulesza 2021; Kaplan, Schnapp, Stemmer 2022; Kaplan, Ligett, " +
		"Mansour, Naor, Stemmer 2020",
	Limits: "The error is in people. Parts that lie closer together than it get values whose " +
		"difference says nothing.",
	Judged: "The rank error against as many people as lie between neighbouring parts, at most " +
		"a quarter of n.",
	Domains:   orderedKinds,
	LongTexts: true,
	Params: []ask.Param{{
		Name: paramTargets, Label: "Parts, in percent", Kind: ask.Text, Default: "25, 50, 75",
		Help: "Numbers between 0 and 100, in order, separated by commas; at most 100 of them. " +
			"The number 100 on its own asks for a small value that hardly anybody exceeds.",
		Effect: "More parts cost no more privacy and make each a little less exact.",
	}, quantilesParam, spanParam, quantilesInUnit, ask.AllowedDeltaParam},
	Example: &ask.Example{
		Sample: "clinic",
		Recipe: ask.Recipe{Column: 2, Label: "wait_minutes",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "300"}}},
	Tunes: byRank,
	Aims:  true,
	Films: []string{"treelog", "heavypaths", "exponential"},
	Costs: ask.Costs{
		"":                       "basic.JointExp",
		"algorithm exponential":  "threshold.Ranks",
		"algorithm heavypaths":   "threshold.Ranks",
		"algorithm heavypaths-1": "threshold.Ranks",
		"algorithm hierarchy":    "density.Hierarchy",
		"algorithm levels":       "basic.Quantiles",
		"algorithm search":       "threshold.Ranks",
		"algorithm treelog":      "threshold.Ranks",
	},
	Exact:   exactQuantiles,
	Prepare: tuning(prepareQuantiles),
}

// quantilesInUnit is inUnitParam for quantiles.
var quantilesInUnit = func() ask.Param {
	p := inUnitParam
	p.Help = "Where the error is measured, each value has an interval, such as years or euros. " +
		"Of texts, of too few people, and where hardly more values are possible than parts asked " +
		"for, the error stays a number of people."
	p.Effect = "The intervals take no further privacy loss, and the values in them are off by " +
		"two to three times as many people."
	return p
}()

// spannedParts returns the parts whose values have intervals; none where these are only wished for
// and all values are counted, which is off by far fewer people.
func spannedParts(q *ask.Query) ([]*big.Rat, error) {
	targets, err := percents(q.Param(paramTargets))
	switch {
	case err != nil:
		return nil, err
	case targets[0].IsInt():
		return nil, ask.Refuse(paramTargets, "100",
			phrase.Of("less than 100 where an interval of values is wanted"))
	case wishesSpans(q) && (&quantiles{query: q, targets: targets}).counted():
		return nil, nil
	}
	return targets, nil
}

// jointly and splits are the algorithms for all parts at once.
const (
	jointly = "joint"
	levels  = "levels"
	splits  = "exponential"
)

// quantilesParam chooses among the finders and the ways to draw several values.
var quantilesParam = func() ask.Param {
	p := finderParam
	p.Choices = append([]ask.Choice{
		{Value: auto, Label: "the one that is off by fewest people"},
		{Value: jointly, Label: "joint exponential mechanism"},
		{Value: levels, Label: "joint exponential mechanism, by two levels"},
		{Value: splits, Label: "exponential mechanism, by splits"},
		{Value: methodLevels, Label: "tree of counts"},
	}, p.Choices[2:]...)
	return p
}()

// quantiles draws all values of one column by one mechanism, jointly or by splits, reads them off a
// tree of counts, or draws each in a window of its own.
type quantiles struct {
	query   *ask.Query
	targets []*big.Rat
	finder  chosenFinder // for windows
	whole   basic.Quantiler
	tree    *density.Hierarchy
	ranks   *threshold.Ranks
	upper   *basic.UpperBound // for 100 percent
	off     *certificate
}

func prepareQuantiles(q *ask.Query) (ask.Prepared, error) {
	targets, err := percents(q.Param(paramTargets))
	if err != nil {
		return nil, err
	}
	if err := q.CheckPersons(basic.MaxPeople); err != nil {
		return nil, err
	}
	p := &quantiles{query: q, targets: targets}
	if targets[0].IsInt() {
		return p, p.bound()
	}
	if p.off, q, err = certified(q, len(targets)); err != nil {
		return nil, err
	}
	if asked := q.Param(paramAlgorithm); asked == methodLevels || asked == auto && p.counted() {
		p.tree, err = newTree(q, paramAlgorithm)
		return p, err
	}
	if p.finder, err = newFinder(q, int64(len(targets))); err != nil {
		return nil, err
	}
	p.ranks, err = threshold.NewRanks(
		threshold.RanksParams{Finder: p.finder.Finder, Size: q.Space.Size(), Parts: targets})
	if err != nil {
		return nil, err
	}
	whole, err := wholeQuantiles(q, targets)
	switch {
	case err != nil && (q.Domain != nil || isJoint(q.Param(paramAlgorithm))):
		return nil, err
	case err != nil || whole == nil:
		return p, nil // windows take any parts
	}
	if q.Domain != nil || q.Param(paramAlgorithm) != auto ||
		whole.TypicalRankError() <= p.ranks.TypicalError(q.People) {
		p.whole = whole
	}
	return p, nil
}

// bound makes the algorithm that draws all values from all persons.
func (q *quantiles) bound() (err error) {
	size := q.query.Space.Size()
	if asked := q.query.Param(paramAlgorithm); asked != auto || !size.IsInt64() ||
		size.Int64() > basic.MaxBounds {
		return ask.Refuse(paramTargets, "100", phrase.Of("less than 100, or at most %d possible "+
			"values and no algorithm chosen", basic.MaxBounds))
	}
	q.upper, err = basic.NewUpperBound(
		basic.UpperBoundParams{Epsilon: q.query.Epsilon, Size: size.Uint64()})
	return err
}

// counted reports whether a tree of counts has the smallest error in people: where there are hardly
// more values than parts, and enough people for them. Measured in jointexp.md of core/basic.
func (q *quantiles) counted() bool {
	size := q.query.Space.Size()
	return q.query.People <= maxTree && size.Cmp(big.NewInt(2*int64(len(q.targets)))) <= 0 &&
		q.query.Epsilon.Float64()*float64(q.query.People) >= 5*float64(size.Int64())
}

// mostBits is the number of bits of texts that are held as numbers: 32 MB.
const mostBits = 1 << 28

// wholeQuantiles returns the algorithm on all persons that the recipe asks for: none where it asks
// for windows, or where texts are too long for this many persons and windows are used.
func wholeQuantiles(q *ask.Query, targets []*big.Rat) (basic.Quantiler, error) {
	p := basic.QuantilesParams{Epsilon: q.Epsilon, Size: q.Space.Size(), Targets: targets,
		People: q.People}
	long := q.Domain == nil && q.People > mostBits/int64(p.Size.BitLen())
	switch asked := q.Param(paramAlgorithm); {
	case isJoint(asked) && long:
		return nil, ask.Refuse(paramAlgorithm, fmt.Sprintf("%q", asked),
			phrase.Of("another algorithm for this many texts of this length"))
	case isJoint(asked):
		together := basic.JointExpParams{Epsilon: p.Epsilon, Size: p.Size, Targets: p.Targets,
			People: p.People, Levels: 1}
		if asked == levels {
			together.Levels = 2
		}
		return basic.NewJointExp(together)
	case asked == splits && !long:
		return basic.NewQuantiles(p)
	case asked == auto && !long:
		return basic.AdviseQuantiles(p)
	}
	return nil, nil
}

// isJoint reports whether an algorithm is the joint exponential mechanism.
func isJoint(algorithm string) bool { return algorithm == jointly || algorithm == levels }

// percents reads a list such as "25, 50, 75", or 100 alone.
func percents(text string) ([]*big.Rat, error) {
	var list []*big.Rat
	for _, part := range strings.Split(text, ",") {
		p, ok := new(big.Rat).SetString(strings.TrimSuffix(strings.TrimSpace(part), "%"))
		all := ok && p.Cmp(hundred) == 0 && text == part
		if !ok || len(part) > 20 || p.Sign() <= 0 || p.Cmp(hundred) >= 0 && !all || len(list) > 0 &&
			p.Cmp(new(big.Rat).Mul(list[len(list)-1], hundred)) <= 0 {
			return nil, ask.Refuse(paramTargets, fmt.Sprintf("%q", text),
				phrase.Of("numbers between 0 and 100, in order, separated by commas"))
		}
		list = append(list, p.Quo(p, hundred))
	}
	return list, nil
}

func (q *quantiles) Loss() (privacy.Loss, error) { return q.off.with(q.values(1)) }

// OfPerson is the loss of a person with several entries.
func (q *quantiles) OfPerson() (privacy.Loss, bool, error) {
	return q.off.ofPerson(q.query, q.values)
}

// values returns the loss of the values alone.
func (q *quantiles) values(d privacy.Distance) (privacy.Loss, error) {
	switch {
	case q.upper != nil:
		return q.upper.Loss(d)
	case q.tree != nil:
		return q.tree.Loss(d)
	case q.whole != nil:
		return q.whole.Loss(d)
	}
	return q.ranks.Loss(d)
}

func (q *quantiles) Algorithm() string {
	if q.upper != nil {
		return q.query.Say.Text("exponential mechanism, smaller values being likelier")
	}
	if q.tree != nil {
		return q.query.Say.Text("tree of counts")
	}
	switch whole := q.whole.(type) {
	case *basic.JointExp:
		if whole.Levels() == 2 {
			return q.query.Say.Text("joint exponential mechanism, by two levels")
		}
		return q.query.Say.Text("joint exponential mechanism")
	case *basic.Quantiles:
		return q.query.Say.Text("recursive exponential mechanism")
	}
	return q.query.Say.Format("%s on windows of %s, one for each part", q.finder.Name(),
		q.query.Count(int64(q.finder.Needs())))
}

// errorsOf returns the proven rank errors.
func (q *quantiles) errorsOf() []float64 {
	if q.upper != nil {
		return []float64{float64(q.upper.ErrorBound(basic.Beta))}
	}
	if q.tree != nil {
		return q.treeErrors()
	}
	if q.whole != nil {
		return q.whole.RankErrors(basic.Beta)
	}
	return slices.Repeat([]float64{float64(q.ranks.ErrorBound())}, len(q.targets))
}

// treeErrors returns the rank errors of values read off counts, each of which is off by at most
// within: that many at the value, and the target's part of the error of the total. Proof:
// hierarchy.md of core/density, Theorem 4.
func (q *quantiles) treeErrors() (list []float64) {
	within := q.tree.ErrorAnywhere()
	for _, t := range q.targets {
		part, _ := t.Float64()
		list = append(list, (1+part)*within)
	}
	return list
}

// rankErrors returns the rank errors in whole persons, rounded up.
func (q *quantiles) rankErrors() []int64 {
	list := make([]int64, len(q.targets))
	for i, e := range q.errorsOf() {
		list[i] = int64(math.Min(math.Ceil(e), float64(q.query.People)))
	}
	return list
}

func (q *quantiles) Bound() float64 { return slices.Max(q.errorsOf()) }

// Typical is the error of the value that is furthest off.
func (q *quantiles) Typical() (off float64, exact bool) {
	if q.upper != nil {
		return q.upper.TypicalError(), false
	}
	if q.tree != nil {
		return q.tree.Forecast().Typical, false
	}
	if q.whole != nil {
		return q.whole.TypicalRankError(), false
	}
	return q.ranks.TypicalError(q.query.People), false
}

func (q *quantiles) Unit() ask.Unit { return q.query.InPeople("%s on the wrong side") }

func (q *quantiles) Forecast() []ask.Forecast {
	most := slices.Max(q.rankErrors())
	n := q.query.People
	return append(q.off.forecast(q.query, q),
		ask.Forecast{Label: q.query.Say.Text("On the wrong side of a value, at most"),
			Value: q.query.Count(most),
			Detail: q.query.Say.Format(
				"for all values at once, in 95 of 100 releases; %s of all %s; the wider "+
					"the bounds, the more",
				percentOf(q.query.Say, most, n), q.query.Count(n))},
		q.used(),
	)
}

// used states which algorithm is used and why.
func (q *quantiles) used() ask.Forecast {
	if together, is := q.whole.(*basic.JointExp); is {
		return ask.Forecast{Label: q.query.Say.Text("Used"), Value: q.Algorithm(),
			Detail: q.query.Say.Format("%d of %d values are drawn together; others lie between "+
				"them in proportion", together.Chosen(), len(q.targets))}
	}
	if q.tree != nil {
		return ask.Forecast{Label: q.query.Say.Text("Used"), Value: q.Algorithm(),
			Detail: q.query.Say.Text("every possible value is counted, and the parts are read " +
				"off the counts")}
	}
	if q.upper != nil {
		return ask.Forecast{Label: q.query.Say.Text("Used"), Value: q.Algorithm(),
			Detail: q.query.Say.Text("a value twice as high is eight times less likely, where " +
				"nobody exceeds either")}
	}
	f := q.finder.forecast(q.query)
	if len(q.targets) > 1 {
		f.Detail = q.query.Say.Format("for each part: %s", f.Detail)
	}
	return f
}

// Judge compares the rank errors with the number of people between neighbouring parts.
func (q *quantiles) Judge(r ask.Result) ask.Verdict {
	var parts []float64
	for _, t := range q.targets {
		part, _ := t.Float64()
		parts = append(parts, part)
	}
	about := rankAbout(parts, float64(q.query.People))
	against := q.off.expected(q, about)
	if r != nil {
		against = q.off.stated(q, r.(*Quantiles).Rows[0].RankError, about)
	}
	v := against.Verdict()
	if r != nil {
		for _, row := range r.(*Quantiles).Rows {
			v.Cells = append(v.Cells, ask.Judge(min(float64(row.RankError), v.Error), about))
		}
	}
	v = q.query.Because(v, q.query.CountUp, "as many as lie between neighbouring parts")
	if r != nil {
		v = tooNarrow(q.query, v, q.beyond(r.(*Quantiles))...)
	}
	return v
}

func (q *quantiles) beyond(r *Quantiles) (list []Beyond) {
	for _, row := range r.Rows {
		list = append(list, BeyondRange(q.query.Recipe.Domain, row.Value))
	}
	return list
}

// Frame draws the part of the people below each value.
func (q *quantiles) Frame() *ask.Frame {
	n := max(float64(q.query.People), 1)
	return curve(q.query, q.query.Say.Format("%% of the %s below", many(q.query)), 100,
		100*q.Judge(nil).Error/n)
}

func (q *quantiles) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	codes, err := q.codes(src, data, step)
	if err != nil {
		return nil, err
	}
	errors, s := q.rankErrors(), q.query.Space
	out := &Quantiles{}
	for i, code := range codes {
		part := new(big.Rat).Mul(q.targets[i], hundred)
		out.Rows = append(out.Rows,
			Quantile{Part: trimDecimal(part) + " %", Value: s.Show(q.query.Say, code),
				Exact: s.Exact(q.query.Say, code), RankError: errors[i]})
	}
	if q.off == nil {
		return out, nil
	}
	off, err := q.off.measure(src, q, out, data, q.query.People, step)
	for i := range out.Rows {
		out.Rows[i].RankError = off
	}
	out.Measured = true
	return out, err
}

// perfect returns the best score; a score is minus the number of people by which an answer is off.
func (*quantiles) perfect() (int64, bool) { return 0, true }

// score is minus the number of people on the wrong side of the worst value.
func (q *quantiles) score(r ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	var values, exact []string
	for _, row := range r.(*Quantiles).Rows {
		values, exact = append(values, row.Value), append(exact, row.Exact)
	}
	return rankScore(q.query.Space, values, exact, q.targets, data, step)
}

func (q *quantiles) codes(src coin.Source, data ask.Data, step coin.Step) ([]*big.Int, error) {
	if q.upper != nil {
		code, err := q.upper.Release(src, values(data.Main), step)
		return []*big.Int{new(big.Int).SetUint64(code)}, err
	}
	if q.whole != nil && q.query.Domain != nil {
		short, err := q.whole.Release(src, values(data.Main), step)
		codes := make([]*big.Int, len(short))
		for i, code := range short {
			codes[i] = new(big.Int).SetUint64(code)
		}
		return codes, err
	}
	sorting, finding := halves(step)
	codes, err := sorted(data.Main, sorting)
	switch {
	case err != nil:
		return nil, err
	case q.tree != nil:
		return q.read(src, codes, finding)
	case q.whole != nil:
		return q.whole.ReleaseWide(src, distinct(codes), finding)
	}
	return q.ranks.Release(src, codes, finding)
}

// read counts all values, and reads off the parts.
func (q *quantiles) read(src coin.Source, codes domain.Sorted, step coin.Step) (list []*big.Int,
	err error) {
	d, err := q.tree.Release(src, codes, step)
	if err != nil {
		return nil, err
	}
	for _, t := range q.targets {
		part, _ := t.Float64()
		list = append(list, d.Quantile(part))
	}
	return list, nil
}

// distinct returns sorted codes, each once, with the number of persons up to it.
func distinct(codes domain.Sorted) (all mechanism.BigCodes) {
	for i := range codes.Len() {
		if i == 0 || codes.Lcp(i-1, i) < codes.Bits() {
			all.Codes = append(all.Codes, codes.Number(i))
			all.Counts = append(all.Counts, 0)
		}
		all.Counts[len(all.Counts)-1] = int64(i + 1)
	}
	return all
}

func (q *quantiles) State(result ask.Result) string {
	var parts []string
	kind, beyond := q.query.Recipe.Domain.Kind, q.beyond(result.(*Quantiles))
	var off int64
	for i, r := range result.(*Quantiles).Rows {
		off = max(off, r.RankError)
		part := q.query.Say.Format("%s below %s", r.Part,
			beyond[i].Of(q.query.Say, kind, q.query.Value(r.Value)))
		if r.Span != nil {
			part = q.query.Say.Format("%s (%s)", part, r.Span.Written(q.query.Say,
				q.query.Recipe.Domain, q.query.Bare(r.Span.Low), q.query.Bare(r.Span.High)))
		}
		parts = append(parts, part)
	}
	if len(parts) > 5 {
		parts = append(parts[:5], "…")
	}
	if q.upper != nil {
		return q.query.Say.Format("Of the %s with a value of %s, hardly any exceed %s: at most %s "+
			"(in 95 of 100 releases).", q.query.Many(), q.query.Label,
			q.query.Value(result.(*Quantiles).Rows[0].Value), q.query.Count(q.rankErrors()[0]))
	}
	if result.(*Quantiles).Rows[0].Span != nil {
		return q.query.Say.Format("Of the %s with a value of %s, about %s: in 95 of 100 releases "+
			"all intervals hold.", q.query.Many(), q.query.Label, strings.Join(parts, ", "))
	}
	return q.query.Say.Format("Of the %s with a value of %s, about %s (each ± %s in 95 of 100 "+
		"releases).", q.query.Many(), q.query.Label, strings.Join(parts, ", "), q.query.Count(off))
}

// Kind is "quantiles".
func (*Quantiles) Kind() string { return "quantiles" }

// Table lists the released values, one row for each.
func (q *Quantiles) Table(say ask.Voice, column string) [][]string {
	head := []string{say.Format("part of the %s", say.Many()), column}
	if q.Around > 0 {
		head = append(head, say.Text("low (95 %)"), say.Text("high (95 %)"))
	}
	rows := [][]string{append(head, say.Format("%s on the wrong side (95 %%)", say.Many()))}
	for _, r := range q.Rows {
		row := []string{r.Part, r.Value}
		if q.Around > 0 {
			row = append(row, r.Span.ends()...)
		}
		rows = append(rows, append(row, fmt.Sprint(r.RankError)))
	}
	return rows
}

// exactQuantiles compares the numbers of people on both sides of each value.
func exactQuantiles(r ask.Recipe, answer ask.Result, people []ask.Person) (list []ask.Miss) {
	for _, row := range answer.(*Quantiles).Rows {
		list = append(list, miss(row.Part,
			misplaced(people, exactCode(r, row.Value), partOf(row.Part)),
			float64(row.RankError)+1))
	}
	return list
}
