package task

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/density"
	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/privacy"
)

const (
	paramGoal   = "goal"
	paramShape  = "shape"
	paramMixed  = "mixed"
	paramDegree = "degree"

	methodPrivate = "private"
	methodDyadic  = "dyadic"

	mostCells   = 400  // in a release
	mostCounted = 4096 // the most cells of which each is counted
	mostPieces  = 200
)

var densityTask = ask.Task{
	ID:       "density",
	Title:    "Distribution",
	Question: "How are the values distributed?",
	Sentence: "How is {column} distributed?",
	Heading:  "Distribution of {column}",
	Synonyms: "density, shape, curve, PDF, kernel, smooth histogram",
	Answer: "the density and the distribution function with bands; ranges, percentiles and " +
		"made-up data come with it",
	Algorithm: "maximum error rule, quantile tree, trees of counts, or histogram",
	How: "In each round the maximum error rule draws the place where its picture is most wrong, " +
		"and measures there, with noise. The quantile tree cuts where about equally many people " +
		"are on both sides. If few values are possible, they are counted one by one, or in a " +
		"tree of counts that is made consistent. If many are possible, ranges are halved while " +
		"they hold many people, and then counted. Fewer pieces, smooth shapes, answers and " +
		"made-up data all follow from the release and cost nothing more.",
	Simple: "The histogram and the tree of counts are the simple mechanisms, and better where " +
		"all possible values can be counted. The maximum error rule is better where there are " +
		"very many.",
	Source: "Diakonikolas, Hardt, Schmidt 2015; Kaplan, Schnapp, Stemmer 2022; Hay, Rastogi, " +
		"Miklau, Suciu 2010; Zhang, Xiao, Xie 2016",
	Limits: "What concerns fewer people than the error is smoothed away, or is noise.",
	Judged: "The error of any count against a quarter of n. After: each range's error against " +
		"the people in it, too.",
	Domains: []domain.Kind{domain.Integer, domain.Decimal, domain.Float64, domain.Date,
		domain.Timestamp},
	Params: []ask.Param{
		{
			Name: paramMethod, Label: "Algorithm", Kind: ask.Chosen, Default: auto, Rivals: true,
			Choices: []ask.Choice{
				{Value: auto, Label: "the one that suits the domain and the people"},
				{Value: "merr", Label: "maximum error rule"},
				{Value: "tree", Label: "quantile tree"},
				{Value: methodLevels, Label: "tree of counts"},
				{Value: methodSparse, Label: "tree of counts, grown where people are"},
				{Value: methodHistogram, Label: "histogram"},
				{Value: methodPrivate, Label: "chosen privately where public facts do not decide"},
				{Value: methodDyadic,
					Label: "maximum error rule on dyadic ranges that have people"},
				{Value: "capped", Label: "the same, in as many rounds as on all ranges"},
				{Value: "intervals", Label: "maximum error rule on all dyadic ranges"},
			},
			Help: "The choice rests on public facts alone: how many values are possible, how " +
				"many people there are, and ε.",
			Effect: "All keep the same privacy; their errors differ, and are said before you " +
				"release.",
			Tries: "merr, tree, hierarchy, sparse, histogram, capped, intervals",
		},
		{
			Name: paramGoal, Label: "Made for", Kind: ask.Chosen, Default: string(density.Function),
			Choices: []ask.Choice{
				{Value: string(density.Function), Label: "percentiles and ranges"},
				{Value: string(density.Density),
					Label: "the picture of the density, and made-up data"}},
			Help: "What the errors should be smallest for. It matters where the algorithm is " +
				"chosen for you.",
			Effect: "The same privacy either way.",
		},
		{
			Name: paramRounds, Label: "Rounds", Kind: ask.Text, Default: auto,
			With: ask.Params{paramMethod: "merr"},
			Help: "For the maximum error rule. auto: depends on the number of people and ε; or a " +
				"number from 1 to 256.",
			Effect: "More rounds find more places where the picture is wrong, and measure each " +
				"less exactly.",
			Tries: "8, 16, 32, 64",
		},
		{
			Name: paramPieces, Label: "Pieces", Kind: ask.Text, Default: auto,
			Help: "auto: as few as can be told apart from noise, at most 400; where each value " +
				"is counted, all that differ, at most 4096; or a number from 1 to 200.",
			Effect: "Free: pieces are made from the release. Too few hide features of the data, " +
				"too many show noise.",
			Tries: "auto, 5, 10, 20, 50",
		},
		{
			Name: paramShape, Label: "What you know of the shape", Kind: ask.Chosen,
			Default: "none",
			Choices: []ask.Choice{
				{Value: "none", Label: "nothing"},
				{Value: string(density.Falling), Label: "it falls"},
				{Value: string(density.Rising), Label: "it rises"},
				{Value: string(density.Unimodal), Label: "it has one peak"},
				{Value: string(density.Bimodal), Label: "it has at most two peaks"},
				{Value: string(density.Trimodal), Label: "it has at most three peaks"},
				{Value: string(density.LogConcave), Label: "it is log-concave"},
				{Value: string(density.HazardRate), Label: "its hazard rate rises"},
			},
			Help: "Only what is known without the data, such as from theory.",
			Effect: "Free: the release is made to have the shape. Where it is right the noise " +
				"gets smaller.",
			Tries: "none, falling, rising, unimodal, log-concave, hazard rate",
		},
		{
			Name: paramMixed, Label: "How many of that shape are mixed", Kind: ask.Integer,
			Default: "1", Min: 1, Max: 4,
			With: ask.Params{paramShape: "log-concave"},
			Help: "For people of several kinds, each with one peak, log-concave or with a rising " +
				"hazard rate. Leave it at one for other shapes.",
			Effect: "Free, as the shape is. The more are mixed the more noise is left.",
			Tries:  "1, 2, 3",
		},
		{
			Name: paramDegree, Label: "Degree of the pieces", Kind: ask.Integer, Default: "0",
			Min: 0, Max: 3,
			Help: "0: flat pieces, a histogram; 1 to 3: pieces of lines, parabolas, cubics. Of " +
				"a shape, 0.",
			Effect: "Free: smooth densities need far fewer pieces.",
			Tries:  "0, 1, 2, 3",
		},
		{
			Name: ask.ParamEdges, Label: "Ranges of the histogram", Kind: ask.Text, Default: "none",
			Help: "“none” makes equal ranges. “18, 65” makes ranges that begin at these values. " +
				"Write “falls”, “rises” or “peaks at 40” if you know that without the data: " +
				"ranges then grow with the distance from the peak.",
			Effect: "It costs no privacy: the places are public, so do not choose them by " +
				"looking at the data. Each range has the same noise.",
			OfValues: true,
		},
		statedParam,
		ask.AllowedDeltaParam,
	},
	Example: &ask.Example{
		Sample: "clinic",
		Recipe: ask.Recipe{
			Column: 1, Label: "age",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "127"}}},
	Tunes: byGap + "; or, where the picture of the density is wanted, " + byLikelihood,
	Aims:  true,
	Films: []string{"merr", "laplace", "stopping"},
	Costs: ask.Costs{
		"":                 "density.MERR",
		"method hierarchy": "density.Hierarchy",
		"method histogram": "density.Histogram",
		"method sparse":    "density.PrivTree",
		"method tree":      "density.QuantileTree",
	},
	Inexact: "smoothed: a shape is fitted, and its points are no counts",
	Prepare: tuning(prepareDensity),
}

type densityQuery struct {
	query  *ask.Query
	advice *density.Advice
	chosen density.Learner
	pieces int // 0: auto
	most   int // the most cells, where each is counted
	shape  string
	mixed  int // how many components of that shape are mixed
	degree int
	off    *certificate
}

// within returns the error of a release where it was measured.
func (d *densityQuery) within(r *Density) float64 {
	if r.Measured {
		return float64(r.Error)
	}
	return d.chosen.Forecast().Within
}

func prepareDensity(asked *ask.Query) (ask.Prepared, error) {
	if asked.Param(paramMethod) == methodPrivate {
		return newDensity(asked, nil) // runs that are compared have no certificates
	}
	off, rest, err := certified(asked, everyCount)
	if err != nil {
		return nil, err
	}
	return newDensity(rest, off)
}

// newDensity spends a query's whole loss on the density.
func newDensity(q *ask.Query, off *certificate) (ask.Prepared, error) {
	d := &densityQuery{query: q, shape: q.Param(paramShape), most: mostCounted, off: off}
	if err := q.CheckPersons(maxTree); err != nil {
		return nil, err
	}
	if text := q.Param(paramPieces); text != auto {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > mostPieces {
			return nil, ask.Refuse(paramPieces, fmt.Sprintf("%.20q", text),
				phrase.Of(`"auto", or a number from 1 to %d`, mostPieces))
		}
		d.pieces = n
	}
	degree := q.Integer(paramDegree)
	if d.degree = int(degree); d.degree > 0 && d.shape != "none" {
		return nil, ask.Refuse(paramDegree, fmt.Sprint(degree),
			phrase.Of("0 where a shape is asked for"))
	}
	d.mixed = int(q.Integer(paramMixed))
	if d.mixed > 1 && !density.CanMix(density.Shape(d.shape)) {
		return nil, ask.Refuse(paramMixed, fmt.Sprint(d.mixed),
			phrase.Of("1, or one peak, log-concave, or a hazard rate that rises"))
	}
	delta, err := q.AllowedDelta()
	if err != nil {
		return nil, err
	}
	method, goal := q.Param(paramMethod), density.Goal(q.Param(paramGoal))
	rounds, err := roundsOf(q)
	if err != nil {
		return nil, err
	}
	if q.Param(ask.ParamDelta) == auto && merrRules[method] != density.Capped {
		delta = privacy.Delta{}
	}
	persons, size := uint64(max(q.People, 1)), q.Space.Size()
	d.advice, err = ask.Remember(q, density.AdviceParams{Epsilon: q.Epsilon, Delta: delta,
		Size: size, Persons: persons, Goal: goal}, density.Advise)
	if err != nil {
		return nil, err
	}
	if text, own := q.Edges(); own {
		if method != auto && method != methodHistogram || rounds > 0 {
			return nil, ask.Refuse(ask.ParamEdges, fmt.Sprintf("%.40q", text),
				phrase.Of("none where another algorithm than the histogram is asked for"))
		}
		d.chosen, err = partitioned(q, text)
		return d, err
	}
	if method == methodPrivate {
		return chosenPrivately(q, d)
	}
	if method == auto && rounds > 0 {
		method = "merr" // the method that these rounds belong to
	}
	d.chosen = d.advice.Learners[0]
	for _, l := range d.advice.Learners {
		if methodOf(l) == method {
			d.chosen = l
		}
	}
	rule, is := merrRules[method]
	if !is {
		_, is = d.chosen.(*density.MERR)
		rule = density.Prefix
	}
	switch {
	case !is && rounds > 0:
		return nil, ask.Refuse(paramRounds, fmt.Sprint(rounds),
			phrase.Of(`"auto" where no maximum error rule is used`))
	case !is || rule == density.Prefix && rounds == 0:
		return d, nil
	}
	d.chosen, err = ask.Remember(q, merrAsked{density.MERRParams{Epsilon: q.Epsilon, Delta: delta,
		Size: size, Persons: persons, Rule: rule, Rounds: rounds, Recount: 6},
		method == methodDyadic && rounds == 0}, merrAsked.learner)
	return d, err
}

// merrAsked holds the parameters of a maximum error rule; sure sets its number of rounds to the
// sure one.
type merrAsked struct {
	density.MERRParams
	sure bool
}

func (m merrAsked) learner() (density.Learner, error) {
	p := m.MERRParams
	if m.sure {
		var err error
		if p.Rounds, err = density.SureRounds(p); err != nil {
			return nil, err
		}
	}
	return density.NewMERR(p)
}

// partitioned returns the histogram of the public ranges listed in a text.
func partitioned(q *ask.Query, text string) (density.Learner, error) {
	p := density.HistogramParams{Epsilon: q.Epsilon, Size: q.Space.Size(),
		Persons: uint64(max(q.People, 1))}
	around := density.PeakParams{Epsilon: p.Epsilon, Size: p.Size, Persons: p.Persons}
	value, peaks := strings.CutPrefix(text, "peaks at ")
	switch {
	case peaks:
		starts, err := startsAt(value, q.Recipe.Domain)
		if err != nil || len(starts) != 2 {
			return nil, ask.Refuse(ask.ParamEdges, fmt.Sprintf("%.40q", text),
				phrase.Of("one possible value above the smallest, as in “peaks at 40”"))
		}
		around.Peak = new(big.Int).SetUint64(starts[1])
	case text == "rises":
		around.Peak = new(big.Int).Sub(p.Size, one)
	case text != "falls":
		starts, err := startsAt(text, q.Recipe.Domain)
		if err != nil {
			return nil, err
		}
		for _, code := range starts[1:] {
			p.Bounds = append(p.Bounds, new(big.Int).SetUint64(code))
		}
		return density.NewHistogram(p)
	}
	var err error
	if p.Bounds, _, err = density.Peak(around); err != nil {
		return nil, err
	}
	return density.NewHistogram(p)
}

// merrRules are the maximum error rules by the parameter's value.
var merrRules = map[string]density.Rule{"merr": density.Prefix, "capped": density.Capped,
	methodDyadic: density.Capped,
	"intervals":  density.Intervals}

// chosenPrivately tries alternatives between which public facts do not decide: several numbers of
// rounds, or cells with equally many people.
func chosenPrivately(q *ask.Query, d *densityQuery) (ask.Prepared, error) {
	switch {
	case q.Trial || q.Tries():
		return nil, ask.Refuse(paramMethod, phrase.Of("chosen privately"),
			phrase.Of("the name of an algorithm where values are tried, since they are chosen "+
				"together"))
	case !d.advice.Open:
		d.chosen = d.advice.Learners[0]
		return d, nil
	}
	list := []ask.Combination{
		{Label: q.Say.Text("Quantile tree"), Value: q.Say.Text("quantile tree"),
			Params: ask.Params{paramMethod: "tree"}},
		{Label: q.Say.Text("Tree of counts, grown where people are"),
			Value:  q.Say.Text("tree of counts, grown where people are"),
			Params: ask.Params{paramMethod: methodSparse}}}
	if q.Space.Size().Cmp(big.NewInt(maxLevels)) <= 0 {
		list = append(list, ask.Combination{Label: q.Say.Text("Tree of counts"),
			Value: q.Say.Text("tree of counts"), Params: ask.Params{paramMethod: methodLevels}})
	}
	for _, rounds := range []string{"4", "16", "64"} {
		list = append(list,
			ask.Combination{Label: q.Say.Format("Maximum error rule, %s rounds", rounds),
				Value:  q.Say.Format("maximum error rule with %s rounds", rounds),
				Params: ask.Params{paramMethod: "merr", paramRounds: rounds}})
	}
	return newTuned(q, q.Say.Text("Algorithm"), list)
}

// methodOf returns the parameter's value for a learner that Advise returned.
func methodOf(l density.Learner) string {
	switch l.(type) {
	case *density.MERR:
		return "merr"
	case *density.QuantileTree:
		return "tree"
	case *density.Hierarchy:
		return methodLevels
	case *density.PrivTree:
		return methodSparse
	}
	return methodHistogram
}

func (d *densityQuery) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	sorting, learning := halves(step)
	codes, err := sorted(data.Main, sorting)
	if err != nil {
		return nil, err
	}
	release, err := d.chosen.Release(src, codes, learning)
	if err != nil {
		return nil, err
	}
	shaped, err := d.shaped(release)
	if err != nil {
		return nil, err
	}
	out := d.write(shaped)
	if d.off == nil {
		return out, nil
	}
	gap, err := d.gap(out, codes, learning)
	if err != nil {
		return nil, err
	}
	return out, d.certify(out, d.off.release(src, gap, d.query.People))
}

// gap is the largest number of people by which any count of a release is off: private.
func (d *densityQuery) gap(out *Density, codes domain.Sorted, step coin.Step) (int64, error) {
	release, _, err := out.distribution(d.query.Recipe.Domain)
	if err != nil {
		return 0, err
	}
	return release.Gap(codes, blindly(step))
}

// certify states on a release that none of its counts is off by more than off people.
func (d *densityQuery) certify(out *Density, off int64) error {
	release, _, err := out.distribution(d.query.Recipe.Domain)
	if err != nil {
		return err
	}
	out.Error, out.Measured = off, true
	out.Bands = d.bands(release.Certified(off))
	out.read, out.readAs = nil, "" // with other bands
	return nil
}

// perfect is the best gap; a likelihood has no best score.
func (d *densityQuery) perfect() (int64, bool) { return 0, !d.likely() }

// score is the likelihood of the cells where a density is wanted, otherwise the gap of the
// distribution function.
func (d *densityQuery) score(r ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	release, s, err := r.(*Density).distribution(d.query.Recipe.Domain)
	if err != nil {
		return 0, 0, err
	}
	if !d.likely() {
		return gapOf(release, data, step)
	}
	var ends []uint64
	var people []float64
	for i := range release.Cells() {
		_, last, mass := release.Cell(i)
		ends, people = append(ends, last.Uint64()+1), append(people, mass)
	}
	return density.NewLikelihood(s.Size().Uint64(), ends, people).
		Score(values(data.Main), d.query.People, step)
}

// likely reports whether a density is wanted and its likelihood can be computed.
func (d *densityQuery) likely() bool {
	return density.Goal(d.query.Param(paramGoal)) != density.Function &&
		d.query.Domain.Size().IsUint64()
}

// shaped turns the release into pieces, polynomials or a shape.
func (d *densityQuery) shaped(release *density.Distribution) (*density.Distribution, error) {
	if d.shape != "none" {
		shaped, err := release.Mixed(density.Shape(d.shape), d.mixed)
		if err != nil {
			return nil, ask.Refuse(paramShape, d.shape,
				phrase.Of("another shape: this one cannot be fitted"))
		}
		if release = shaped; d.pieces == 0 {
			return release.Pieces(mostCells)
		}
	}
	pieces := d.pieces
	if pieces == 0 {
		if m := methodOf(d.chosen); d.degree == 0 && m != "merr" && m != "tree" {
			// every cell was counted and smoothed: fewer pieces are less exact
			return release.Joined().Pieces(d.most)
		}
		fewest := release.Fewest()
		if pieces = min(fewest.Cells(), mostPieces); d.degree == 0 {
			return fewest.Pieces(mostCells)
		}
		pieces = max(pieces/(2*d.degree), 1)
	}
	if d.degree == 0 {
		return release.Pieces(pieces)
	}
	_, smooth, err := release.Polynomials(min(pieces, mostCells/32), d.degree)
	return smooth, err
}

func (d *densityQuery) write(release *density.Distribution) *Density {
	s := d.query.Space
	out := &Density{People: d.query.People}
	if d.shape != "none" {
		if out.Shape = d.shape; d.mixed > 1 {
			out.Shape = fmt.Sprintf("%d × %s", d.mixed, d.shape)
		}
	}
	for i := range release.Cells() {
		first, last, mass := release.Cell(i)
		cell := DensityCell{First: s.Show(d.query.Say, first), Last: s.Show(d.query.Say, last),
			Code: s.Write(last), People: thousandths(mass), Height: release.Density(i)}
		if d.query.Recipe.Domain.Kind == domain.Float64 {
			// neighbours among binary numbers may be 5·10^−324 apart
			most := math.MaxFloat64
			cell.Height = max(min(mass/widthOf(cell.First, cell.Last), most), -most)
		}
		out.Cells = append(out.Cells, cell)
	}
	out.Bands = d.bands(release)
	return out
}

// bands returns what a release states about the number of people up to certain values.
func (d *densityQuery) bands(release *density.Distribution) (bands []DensityBand) {
	s := d.query.Space
	at, low, high := release.Bands(mostCells)
	for i, b := range at {
		code := new(big.Int).Sub(b, one)
		bands = append(bands,
			DensityBand{s.Show(d.query.Say, code), s.Write(code), low[i], high[i]})
	}
	return bands
}

// thousandths rounds a number of people to as many digits as anybody can use.
func thousandths(people float64) float64 { return math.Round(people*1000) / 1000 }

// widthOf is the distance between two binary numbers.
func widthOf(first, last string) float64 {
	lo, err1 := strconv.ParseFloat(first, 64)
	hi, err2 := strconv.ParseFloat(last, 64)
	if width := hi - lo; err1 == nil && err2 == nil && width > 0 {
		return width
	}
	return math.Inf(1) // one value, or beyond all numbers: it has no visible height
}

func (d *densityQuery) State(result ask.Result) string {
	r := result.(*Density)
	text := middleAndMost(d.query, r.place, func(share float64) bool {
		return tellsShare(d.within(r), float64(r.People), share)
	})
	if r.Measured {
		text = d.query.Say.Format("%s No count is off by more than %s (in 95 of 100 releases).",
			text, d.query.Count(r.Error))
	}
	peak := r.Peak()
	if ask.Judge(d.within(r), peak.People) == ask.Noise || !d.leads(r, peak) {
		return text
	}
	if peak.First == peak.Last {
		return text + " " + d.query.Say.Format("The %s are densest at %s.", d.query.Many(),
			d.query.Value(peak.First))
	}
	return text + " " + d.query.Say.Format("The %s are densest from %s to %s.", d.query.Many(),
		d.query.Value(peak.First), d.query.Value(peak.Last))
}

// leads reports whether a range certainly has more people for each value than any other released
// range: the bands hold for all ranges at once.
func (d *densityQuery) leads(r *Density, peak DensityCell) bool {
	release, _, err := r.distribution(d.query.Recipe.Domain)
	if err != nil || d.query.Recipe.Domain.Kind == domain.Float64 {
		return false // binary numbers are not steps of one width
	}
	least, most := 0.0, 0.0 // of the range, and of all others
	for i := range release.Cells() {
		first, last, _ := release.Cell(i)
		values, _ := new(big.Int).Sub(last, first).Float64()
		low, high := release.RangeWithin(first, last)
		if r.Cells[i].Code == peak.Code {
			least = low / (values + 1)
		} else {
			most = max(most, high/(values+1))
		}
	}
	return least > most
}
