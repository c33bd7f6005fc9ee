package task

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/density"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/threshold"
)

// Distribution is a released distribution function: for every possible value, about how many people
// have it or a smaller one. Below and Reaching answer from it alone.
type Distribution struct {
	// ascending; between them the function is a straight line
	Points []DistributionPoint `json:"points"`
	Total  float64             `json:"total"` // about how many people have a value
	// Error is a bound: with probability 95 %, the function's count is off by at most Error people
	// at every value.
	Error int64 `json:"error"`
	// Measured says that Error was measured: it holds given the function, not for any data.
	Measured bool  `json:"measured,omitempty"`
	People   int64 `json:"people,omitempty"` // n, public; 0 in releases of earlier versions
}

// DistributionPoint is a place where the function was measured.
type DistributionPoint struct {
	Value string  `json:"value"`
	Code  string  `json:"code"`  // the value among those possible
	Below float64 `json:"below"` // people with a smaller value
	UpTo  float64 `json:"upTo"`  // people with this value or a smaller one
}

const (
	methodEach      = "each"
	methodTree      = "tree"
	methodLevels    = "hierarchy"
	methodSparse    = "sparse"
	methodHistogram = "histogram"

	maxEach     = 4096    // possible values that are counted one by one
	maxPoints   = 4096    // in a release
	maxLevels   = 1 << 20 // possible values for a tree of counts
	maxSparse   = 128     // bits of codes that the tree of counts where people are has
	maxTree     = 1 << 40 // people for a tree of counts
	deltaBits   = 128     // longer codes are worth a δ
	bandComment = "at every value at once, in 95 of 100 releases"

	forEach   phrase.Key = "each value counted, with noise"
	forTree   phrase.Key = "quantile tree"
	forLevels phrase.Key = "tree of counts"
	forSparse phrase.Key = "tree of counts grown where people are (PrivTree)"
)

var methodParam = ask.Param{
	Name: paramMethod, Label: "Algorithm", Kind: ask.Chosen, Default: auto, Rivals: true,
	Choices: []ask.Choice{{Value: auto, Label: "the tree that suits the domain and the people"},
		{Value: methodLevels, Label: "tree of counts"},
		{Value: methodSparse, Label: "tree of counts, grown where people are"},
		{Value: methodTree, Label: "quantile tree"},
		{Value: methodEach, Label: "count each possible value"}},
	Help: "A tree of counts takes up to 1048576 possible values; a tree that grows only where " +
		"people are takes codes of up to 128 bits. Up to 4096 values can be counted one by one.",
	Effect: "All give the same privacy, and the error of each is proven. Hush uses the tree of " +
		"counts with the smaller error, and the quantile tree for longer texts.",
	Tries: "hierarchy, sparse, tree, each",
}

var distributionTask = ask.Task{
	ID:       "distribution",
	Title:    "All percentiles",
	Question: "How many are below any value, and which value has any part below it?",
	Sentence: "What are all percentiles of {column}?",
	Heading:  "Percentiles of {column}",
	Synonyms: "cumulative curve, CDF, ECDF, percentile rank",
	Answer: "the whole distribution function: every percentile, and every count below a " +
		"value, at once",
	Algorithm: "tree of counts, over all values or grown where people are; quantile tree",
	How: "Counts the people at each possible value and in ranges of values, with noise, and " +
		"makes the counts consistent, so that the sum over a range adds up only a few of them. " +
		"If very many values are possible, ranges are halved only while they hold many people. " +
		"Texts are cut into parts with about equally many people. The sums answer every question " +
		"about a threshold: asking it later costs nothing more.",
	Simple: "Counting each possible value, with noise, is the simple mechanism. A sum over a " +
		"range then adds up the noise of all its values, while a tree of counts adds up the " +
		"noise of a few ranges.",
	Source: "Hay, Rastogi, Miklau, Suciu 2010; Zhang, Xiao, Xie 2016; Kaplan, Schnapp, Stemmer " +
		"2022",
	Limits: "The error is in people, and the same everywhere: a smaller step of the curve may be " +
		"noise.",
	Judged: "Before release: the error of any count against a quarter of n. After: against a " +
		"quarter of the people with a value, and each count's error against that count.",
	Domains:   orderedKinds,
	LongTexts: true,
	Params:    []ask.Param{methodParam, statedParam, ask.AllowedDeltaParam},
	Example: &ask.Example{
		Sample: "clinic",
		Recipe: ask.Recipe{Column: 2, Label: "wait_minutes",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "300"}}},
	Tunes: byGap,
	Aims:  true,
	Films: []string{"treelog", "laplace", "search"},
	Costs: ask.Costs{
		"":              "density.Hierarchy",
		"method each":   "threshold.EveryValue",
		"method sparse": "density.PrivTree",
		"method tree":   "threshold.Quantiles",
	},
	Exact:   exactPoints,
	Prepare: tuning(prepareDistribution),
}

type distribution struct {
	query   *ask.Query
	release countsReleased
	error   float64
	off     *certificate
}

// countsReleased releases a distribution function, and bounds the error of all its counts.
type countsReleased interface {
	threshold.Releaser
	ErrorBound() float64
	TypicalError(persons int64) float64
}

// treeOfCounts releases a distribution function by counts in a tree.
type treeOfCounts struct{ density.Everywhere }

// ErrorBound includes the error that comes from having few points.
func (t treeOfCounts) ErrorBound() float64 { return t.thinned(t.ErrorAnywhere()) }

func (t treeOfCounts) thinned(off float64) float64 {
	n := float64(t.Persons())
	return min(n, off+density.ThinnedBy(maxPoints, t.Forecast().Cells, off, n))
}

// TypicalError is the tree's typical error.
func (t treeOfCounts) TypicalError(int64) float64 { return t.Forecast().Typical }

func (t treeOfCounts) Release(src coin.Source, codes domain.Sorted,
	step coin.Step) (*threshold.CDF, error) {
	d, err := t.Everywhere.Release(src, codes, step)
	if err != nil {
		return nil, err
	}
	return d.Function(maxPoints, t.ErrorAnywhere())
}

func prepareDistribution(asked *ask.Query) (ask.Prepared, error) {
	off, q, err := certified(asked, everyCount)
	if err != nil {
		return nil, err
	}
	delta, err := q.AllowedDelta()
	if err != nil {
		return nil, err
	}
	release, err := newReleased(q, delta, q.Param(paramMethod))
	if err != nil {
		return nil, err
	}
	return &distribution{asked, release, release.ErrorBound(), off}, nil
}

// newReleased returns the algorithm of a method.
func newReleased(q *ask.Query, delta privacy.Delta, method string) (countsReleased, error) {
	if err := q.CheckPersons(maxTree); err != nil {
		return nil, err
	}
	size, persons := q.Space.Size(), uint64(max(q.People, 1))
	switch method {
	case methodLevels:
		tree, err := newTree(q, paramMethod)
		return treeOfCounts{tree}, err
	case methodSparse:
		if q.Space.Bits() > maxSparse {
			return nil, ask.Refuse(paramMethod, fmt.Sprintf("%q", method),
				phrase.Of("codes of at most %d bits, or another algorithm", maxSparse))
		}
		tree, err := ask.Remember(q, density.PrivTreeParams{Epsilon: q.Epsilon, Size: size,
			Persons: persons}, density.NewPrivTree)
		return treeOfCounts{tree}, err
	case auto:
		return newBest(q, delta)
	}
	return newBounded(q, q.Epsilon, delta, method)
}

// newTree returns the tree of counts of all values; field is the form field that asked for it.
func newTree(q *ask.Query, field string) (*density.Hierarchy, error) {
	size := q.Space.Size()
	if err := q.CheckPersons(maxTree); err != nil {
		return nil, err
	}
	if size.Cmp(big.NewInt(maxLevels)) > 0 {
		return nil, ask.Refuse(field, fmt.Sprintf("%q", methodLevels),
			phrase.Of("at most %d possible values, or another algorithm", maxLevels))
	}
	return ask.Remember(q, density.HierarchyParams{Epsilon: q.Epsilon, Size: size,
		Persons: uint64(max(q.People, 1))}, density.NewHierarchy)
}

// newBest returns the tree of counts with the smaller proven error, or the quantile tree for longer
// codes: density/TREES.md compares their errors.
func newBest(q *ask.Query, delta privacy.Delta) (countsReleased, error) {
	if q.Space.Bits() > maxSparse {
		return newReleased(q, delta, methodTree)
	}
	best, err := newReleased(q, delta, methodSparse)
	if err != nil || q.Space.Size().Cmp(big.NewInt(maxLevels)) > 0 {
		return best, err
	}
	levels, err := newTree(q, paramMethod)
	// both by the same kind of bound: the law of the other tree's error is not known
	if tree := (treeOfCounts{levels}); err != nil ||
		tree.thinned(levels.AnywhereByUnion()) < best.ErrorBound() {
		return tree, err
	}
	return best, nil
}

// newBounded returns the algorithm for a distribution function of the main column from which the
// accuracy of cuts can be measured too.
func newBounded(q *ask.Query, epsilon privacy.Epsilon, delta privacy.Delta,
	method string) (threshold.Bounded, error) {
	if err := q.CheckPersons(maxTree); err != nil {
		return nil, err
	}
	size := q.Space.Size()
	few := size.Cmp(big.NewInt(maxEach)) <= 0
	if method == methodEach {
		if !few {
			return nil, ask.Refuse(paramMethod, fmt.Sprintf("%q", method),
				phrase.Of("at most %d possible values, or the tree", maxEach))
		}
		return threshold.NewEveryValue(threshold.EveryValueParams{Epsilon: epsilon, Size: size})
	}
	if q.Space.Bits() <= deltaBits && q.Param(ask.ParamDelta) == auto {
		delta = privacy.Delta{}
	}
	p := threshold.QuantilesParams{Epsilon: epsilon, Delta: delta, Size: size,
		Persons: uint64(max(q.People, 1))}
	if few && method == auto {
		return ask.Remember(q, p, threshold.AdviseRelease)
	}
	return ask.Remember(q, p, threshold.NewQuantiles)
}

func (d *distribution) Loss() (privacy.Loss, error) { return d.off.with(d.release.Loss(1)) }

// OfPerson is the loss of a person with several entries.
func (d *distribution) OfPerson() (privacy.Loss, bool, error) {
	return d.off.ofPerson(d.query, d.release.Loss)
}

func (d *distribution) Algorithm() string { return nameOf(d.query.Say, d.release) }

func nameOf(say *message.Language, release countsReleased) string {
	switch release := release.(type) {
	case *threshold.Quantiles:
		return say.Format("%s of depth %d, with the %s", forTree, release.Depth(),
			release.Finder().Name())
	case treeOfCounts:
		if _, is := release.Everywhere.(*density.PrivTree); is {
			return say.Text(forSparse)
		}
		return say.Text(forLevels)
	}
	return say.Text(forEach)
}

func (d *distribution) Bound() float64 { return d.error }

// Typical is the error of the count that is furthest off.
func (d *distribution) Typical() (off float64, exact bool) {
	return d.release.TypicalError(d.query.People), false
}

func (d *distribution) Unit() ask.Unit { return d.query.InPeople("%s in any count") }

func (d *distribution) Forecast() []ask.Forecast {
	off, n := d.rounded(), d.query.People
	return append(append(d.off.forecast(d.query, d), []ask.Forecast{
		{Label: d.query.Say.Text("Any count is off by at most"), Value: d.query.Count(off),
			Detail: d.query.Say.Format("%s; %s of all %s. Every later question about a "+
				"threshold is answered from this release and costs nothing.", bandComment,
				percentOf(d.query.Say, off, n), d.query.Count(n))},
		{Label: d.query.Say.Text("Used"), Value: nameOf(d.query.Say, d.release),
			Detail: whyOf(d.release, d.query)},
	}...), inPopulation(d.query, d.error)...)
}

// inPopulation states what a distribution function whose counts are off by at most off people says
// about a population from which the people were drawn; nothing where that says no more than is
// known without data.
func inPopulation(q *ask.Query, off float64) []ask.Forecast {
	const beta = 0.01 // that the sample is unlike the population; 0.05 that noise is larger
	within := threshold.LearnsWithin(off, q.People, beta)
	if within >= 0.5 {
		return nil
	}
	return []ask.Forecast{{Label: q.Say.Text("For a larger population"),
		Value: fmt.Sprintf("± %.2g %%", 100*within),
		Detail: q.Say.Format("at every value at once, in 94 of 100 cases, if these %s were drawn "+
			"from it at random; ± %.2g %% of that remain even without noise",
			q.Many(),
			100*threshold.LearnsWithin(0, q.People, beta))}}
}

// rounded is the error in whole persons; no error exceeds everybody.
func (d *distribution) rounded() int64 {
	return int64(math.Min(math.Ceil(d.error), float64(d.query.People)))
}

func whyOf(release countsReleased, q *ask.Query) string {
	switch release := release.(type) {
	case *threshold.Quantiles:
		finder := release.Finder()
		return q.Say.Format("your column has codes of %d bits: %d cuts, each found among %s by "+
			"the %s", q.Space.Bits(), 1<<release.Depth()-1, q.Count(int64(finder.Needs())),
			finder.Name())
	case treeOfCounts:
		if _, is := release.Everywhere.(*density.PrivTree); is {
			return q.Say.Format("your column has codes of %d bits: ranges are halved where people "+
				"are", q.Space.Bits())
		}
		return q.Say.Format("your column has %v possible values: few enough for a tree of counts",
			q.Space.Size())
	}
	return q.Say.Format("your column has %v possible values: few enough to count each",
		q.Space.Size())
}

// Judge compares the error of any count with a quarter of the people who have a value.
func (d *distribution) Judge(r ask.Result) ask.Verdict {
	if r == nil {
		return d.query.Because(d.off.expected(d, float64(d.query.People)/4).Verdict(),
			d.query.CountUp, againstQuarter)
	}
	out := r.(*Distribution)
	v := d.off.stated(d, out.Error, out.Total/4).Verdict()
	for _, p := range out.Points {
		v.Cells = append(v.Cells, ask.Judge(v.Error, p.UpTo))
	}
	return d.query.Because(v, d.query.CountUp, "a quarter of those with a value")
}

// Frame draws how many have each value or a smaller one.
func (d *distribution) Frame() *ask.Frame {
	return curve(d.query, upTo(d.query), float64(d.query.People), math.Ceil(d.Judge(nil).Error))
}

func (d *distribution) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	sorting, finding := halves(step)
	codes, err := sorted(data.Main, sorting)
	if err != nil {
		return nil, err
	}
	function, err := d.release.Release(src, codes, finding)
	if err != nil {
		return nil, err
	}
	out := &Distribution{Total: function.Total(), Error: d.rounded(), People: d.query.People}
	for i, at := range function.Points() {
		below, upTo := function.At(i)
		out.Points = append(out.Points,
			DistributionPoint{d.query.Space.Show(d.query.Say, at),
				d.query.Space.Write(at), below, upTo})
	}
	if d.off != nil {
		out.Measured = true
		out.Error, err = d.off.measure(src, d, out, data, d.query.People, finding)
	}
	return out, err
}

// perfect returns the best score; a score is minus the number of people by which a result is off.
func (*distribution) perfect() (int64, bool) { return 0, true }

// score is the gap of the distribution function: each point is a cell of its own, and so is the
// range between two points.
func (d *distribution) score(r ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	f, s, err := r.(*Distribution).function(d.query.Recipe.Domain)
	if err != nil {
		return 0, 0, err
	}
	bounds, mass, upTo := []*big.Int{new(big.Int)}, []float64(nil), 0.0
	add := func(end *big.Int, people float64) {
		if end.Cmp(bounds[len(bounds)-1]) > 0 {
			bounds, mass, upTo = append(bounds, end), append(mass, math.Max(people-upTo, 0)),
				math.Max(people, upTo)
		}
	}
	for i, at := range f.Points() {
		below, through := f.At(i)
		add(at, below)
		add(new(big.Int).Add(at, one), through)
	}
	add(s.Size(), f.Total())
	release, err := density.NewDistribution(bounds, mass, float64(d.query.People), "", nil, nil,
		nil)
	if err != nil {
		return 0, 0, err
	}
	return gapOf(release, data, step)
}

// function returns the release as a distribution function that can be asked, and the space of the
// column's codes.
func (d *Distribution) function(spec domain.Spec) (*threshold.CDF, ask.Space, error) {
	s, err := ask.NewSpace(spec)
	if err != nil {
		return nil, s, err
	}
	points, below, upTo := make([]*big.Int, len(d.Points)), make([]float64, len(d.Points)),
		make([]float64, len(d.Points))
	for i, p := range d.Points {
		code, ok := s.Read(p.Code)
		if !ok {
			return nil, s,
				ask.Refuse("code", fmt.Sprintf("%.40q", p.Code),
					phrase.Of("the code of a possible value"))
		}
		points[i], below[i], upTo[i] = code, p.Below, p.UpTo
	}
	f, err := threshold.NewCDF(s.Size(), points, below, upTo, d.Total)
	return f, s, err
}

// Below answers "how many are below this value?" for any possible value of the column that spec
// describes: about how many people, and their part of those with a value, in percent. It costs
// nothing. The refusals are for the field "below".
func (d *Distribution) Below(say ask.Voice, spec domain.Spec,
	value string) (string, error) {
	f, s, err := d.function(spec)
	if err != nil {
		return "", err
	}
	code, ok := s.Find(strings.TrimSpace(value))
	if !ok {
		return "", ask.Refuse("below", fmt.Sprintf("%.100q", value),
			phrase.Of("a possible value, one of the %s, written as in a cell", s.Describe()))
	}
	count := math.Round(f.Count(code.Sub(code, one)))
	low, high := d.band(count)
	return say.Format("About %s %s are below %s, %s of those with a value (between %s and "+
		"%s, in 95 of 100 releases).",
		message.Grouped(int64(count)), say.Many(), strings.TrimSpace(value), d.percent(count),
		message.Grouped(int64(low)), say.HowMany(int64(high))), nil
}

// Reaching answers "which value has this many percent of the people at or below it?". It costs
// nothing. The refusals are for the field "percent".
func (d *Distribution) Reaching(say ask.Voice, spec domain.Spec,
	percent string) (string, error) {
	f, s, err := d.function(spec)
	if err != nil {
		return "", err
	}
	percent, share, err := readPercent(percent)
	if err != nil {
		return "", err
	}
	if !d.tells(share) {
		return say.Format("There are too few %s to tell which value has %s %% of them at or "+
			"below it: any count may be off by %s (in 95 of 100 releases).",
			say.Many(), percent,
			say.HowMany(d.Error)), nil
	}
	value, reached := beyond(say.Language, s, f, share)
	if !reached {
		return say.Format("The value that %s %% of the %s with a value are at or below lies "+
			"%s: nothing was released beyond.", percent, say.Many(), value), nil
	}
	return say.Format("About %s %% of the %s with a value are at or below %s (off by at most "+
		"%s, in 95 of 100 releases).", percent, say.Many(), value, say.HowMany(d.Error)), nil
}

// tells reports whether the error leaves a share of the people distinguishable from everyone and
// from nobody; the ends of the range are public.
func (d *Distribution) tells(share float64) bool {
	return tellsShare(float64(d.Error), d.Total, share)
}

func tellsShare(off, total, share float64) bool {
	part := min(share, 1-share)
	return part <= 0 || ask.Judge(off, part*total) != ask.Noise
}

// beyond writes the value that a part of the people are at or below, and reports whether one was
// released: nothing is known beyond the first and the last place measured.
func beyond(say *message.Language, s ask.Space, f *threshold.CDF,
	share float64) (value string, reached bool) {
	points, target := f.Points(), share*f.Total()
	last := len(points) - 1
	if last < 0 {
		return "–", false
	}
	below, _ := f.At(0)
	_, upTo := f.At(last)
	switch {
	case target > upTo && points[last].Cmp(s.Last()) < 0:
		return say.Format("above %s", s.Show(say, points[last])), false
	case target <= below && points[0].Sign() > 0:
		return say.Format("below %s", s.Show(say, points[0])), false
	}
	return s.Show(say, f.Quantile(share)), true
}

// readPercent reads a number of percent, with or without its sign, and returns it both as an answer
// writes it and as a share.
func readPercent(typed string) (percent string, share float64, err error) {
	text := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(typed), "%"))
	part, ok := new(big.Rat).SetString(text)
	if !ok || len(text) > 20 || part.Sign() < 0 || part.Cmp(hundred) > 0 {
		return "", 0,
			ask.Refuse("percent", fmt.Sprintf("%.100q", typed), phrase.Of("a number from 0 to 100"))
	}
	share, _ = new(big.Rat).Quo(part, hundred).Float64()
	return trimDecimal(part), share, nil
}

// band returns the range in which the true count may lie.
func (d *Distribution) band(count float64) (low, high float64) {
	low, high = max(math.Floor(count)-float64(d.Error), 0), math.Ceil(count)+float64(d.Error)
	if n := float64(d.People); n > 0 {
		low, high = min(low, n), min(high, n)
	}
	return low, high
}

// percent writes a count as a part of those with a value.
func (d *Distribution) percent(count float64) string {
	if d.Total <= 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*min(count/d.Total, 1))
}

// At returns, for releases of this package, the value that a part of the people with a value are at
// or below, or else the released value beyond which it lies.
func (d *Distribution) At(say *message.Language, spec domain.Spec, part float64) string {
	value, _ := d.place(say, spec, part)
	return value
}

func (d *Distribution) place(say *message.Language, spec domain.Spec,
	part float64) (value string, reached bool) {
	f, s, err := d.function(spec)
	if err != nil {
		return "–", false
	}
	return beyond(say, s, f, part)
}

// valueAtPart returns, as text, the value that a part of the people are at or below, and reports
// whether one was released: otherwise the value lies above or below a released one.
type valueAtPart func(say *message.Language, spec domain.Spec, part float64) (value string,
	reached bool)

// middleAndMost returns a sentence about the median, and about the 90 % quantile where the error
// leaves 90 % distinguishable from everyone.
func middleAndMost(q *ask.Query, at valueAtPart, tells func(share float64) bool) string {
	about := func(part float64) string {
		value, reached := at(q.Say, q.Recipe.Domain, part)
		if !reached {
			return value
		}
		return q.Say.Format("about %s", q.Value(value))
	}
	if !tells(0.9) {
		return q.Say.Format("The median of %s is %s; there are too few %s to state the 90 %% "+
			"quantile.",
			q.Label, about(0.5), q.Many())
	}
	return q.Say.Format("The median of %s is %s, and the 90 %% quantile is %s.", q.Label,
		about(0.5), about(0.9))
}

func (d *distribution) State(result ask.Result) string {
	r := result.(*Distribution)
	return d.query.Say.Format("%s No count is off by more than %s (in 95 of 100 releases).",
		middleAndMost(d.query, r.place, r.tells), d.query.Count(r.Error))
}

// Kind is "distribution".
func (*Distribution) Kind() string { return "distribution" }

// Table lists the points, one row for each.
func (d *Distribution) Table(say ask.Voice, column string) [][]string {
	rows := [][]string{
		{column, say.Format("%s at or below it", say.Many()), say.Text("low (95 %)"),
			say.Text("high (95 %)"),
			say.Text("of those with a value")}}
	for _, p := range d.Points {
		low, high := d.band(p.UpTo)
		rows = append(rows,
			[]string{p.Value, fmt.Sprintf("%.0f", math.Round(p.UpTo)),
				fmt.Sprintf("%.0f", low), fmt.Sprintf("%.0f", high), d.percent(p.UpTo)})
	}
	return rows
}

// exactPoints compares each point with the number of people below it.
func exactPoints(_ ask.Recipe, answer ask.Result, people []ask.Person) (list []ask.Miss) {
	d := answer.(*Distribution)
	for _, at := range d.Points {
		code := int64(decimal(at.Code))
		below := exactCount(people, func(p ask.Person) bool { return p.Valued() && p.Main < code })
		list = append(list, miss(at.Value, at.Below-below, float64(d.Error)+1))
	}
	return list
}
