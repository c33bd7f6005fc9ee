package task

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/codebook"
	"hush/core/coin"
	"hush/core/density"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Histogram is a noisy count for each public bin.
type Histogram struct {
	Bins []Bin `json:"bins"`
	// With probability 95 % the true count of a given bin is within Error of the released one, in
	// persons; AllError is the same for all bins at once.
	Error    int64 `json:"error"`
	AllError int64 `json:"allError"`
	People   int64 `json:"people,omitempty"` // n, public; 0 in releases of earlier versions
	// Width is the width of a bin, where one width was asked for or found: "50", "1 month". Bins at
	// the ends of the range may be narrower. Empty for categories.
	Width string `json:"width,omitempty"`
	// Cut says that bins are cut at the edges asked for, which may make them unequal: they are
	// counts by name, not areas along an axis.
	Cut bool `json:"cut,omitempty"`
}

// Bin is one bar of a histogram.
type Bin struct {
	Label string `json:"label"`
	Count int64  `json:"count"` // persons, noisy; may be negative
	// From and To are the bin's edges, written as bounds are: it holds the values from From up to
	// To, where the next bin begins; the last bin may also hold To, where its own range ends there.
	// Empty for categories, and in releases of earlier versions.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
}

const (
	paramWidth    = "width"
	paramNegative = "negative"

	// roundWidth stands for about twenty bins at round numbers; auto is its name in recipes of
	// earlier versions.
	roundWidth = "round"
)

var histogramTask = ask.Task{
	ID:        "histogram",
	Title:     "Histogram",
	Question:  "How many people fall into each bin?",
	Sentence:  "How many {many} by {column}?",
	Heading:   "{many} by {column}",
	Synonyms:  "bar chart, bins, frequency table, distribution, breakdown, count by",
	Answer:    "a count for each bin of numbers, or for each category",
	Algorithm: "discrete Laplace mechanism on counts",
	How: "Counts each bin, and adds a random whole number to each count; small ones are likelier " +
		"than large ones. The noise does not depend on the number of people, so large groups are " +
		"known well and small ones are hidden.",
	Simple: "Noise on each count is the simple mechanism. Another mechanism does better only if " +
		"there are far more bins than people: ask for the distribution then.",
	Source: "Dwork, McSherry, Nissim, Smith 2006; Ghosh, Roughgarden, Sundararajan 2009",
	Limits: "Bins with fewer people than the error drown in the noise. Bins and categories are " +
		"public: unlisted categories are not counted.",
	Judged: "Before release: the error of one count against n divided by the number of bins. " +
		"After: each count's error against that count, and all together against the largest count.",
	Domains: binnedKinds,
	Params: []ask.Param{
		{
			Name: paramWidth, Label: "Bin width", Kind: ask.Decimal, Default: "10",
			Start:   roundWidth,
			Domains: []domain.Kind{domain.Integer, domain.Decimal, domain.Date, domain.Timestamp},
			Help:    "In steps of the values, as days. “round”: about twenty bins.",
			Effect:  "In wider bins noise matters less.",
			Tries:   "1, 2, 5, 10, 20", OfValues: true,
		},
		{
			Name: ask.ParamEdges, Label: "Bins that begin at", Kind: ask.Text, Default: "none",
			Domains:  []domain.Kind{domain.Integer, domain.Decimal, domain.Date, domain.Timestamp},
			Help:     "In place of a width: “18, 65”.",
			Effect:   "Public: do not look at the data for them.",
			OfValues: true,
		},
		{
			Name: paramNegative, Label: "Show negative counts as 0", Kind: ask.Flag,
			Default: "false",
			Help:    "Noise can push a small count below zero.",
			Effect:  "Sums over many bins then come out too high.",
		},
	},
	Example: &ask.Example{
		Sample: "clinic",
		Recipe: ask.Recipe{
			Column: 1, Label: "age", Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"}}},
	Tunes:   byLikelihood,
	Bins:    paramWidth,
	Films:   []string{"laplace", "topup", "stopping"},
	Costs:   ask.Costs{"": "basic.Histogram"},
	Exact:   exactBins,
	Prepare: prepareBins,
}

type histogram struct {
	hiding
	query     *ask.Query
	mechanism *basic.Histogram
	size      uint64
	clip      bool
	edges     []string // edges of the bins, one more than there are bins; nil for categories
	width     string   // Histogram.Width
	cut       bool     // Histogram.Cut
}

var (
	_ ask.Refining = (*histogram)(nil)
	_ ask.Drawing  = (*histogram)(nil)
)

func (h *histogram) noise() *basic.Noise { return h.mechanism.Noise() }

// prepareBins allows the width to be tuned, where bins have one.
func prepareBins(q *ask.Query) (ask.Prepared, error) {
	if edges, own := q.Edges(); own && q.Tries() {
		return nil, ask.Refuse(ask.ParamEdges, fmt.Sprintf("%.40q", edges),
			phrase.Of("none where widths are tried: these bins have none"))
	}
	return tuning(prepareHistogram)(q)
}

func prepareHistogram(q *ask.Query) (ask.Prepared, error) {
	size, err := smallSize(q.Domain)
	if err != nil {
		return nil, err
	}
	out := &histogram{query: q, size: size, clip: q.Flag(paramNegative)}
	out.whose = out
	p := basic.HistogramParams{Epsilon: q.Epsilon, Size: size, Width: 1}
	edges, own := q.Edges()
	switch {
	case q.Domain.Spec().Kind == domain.Category:
		if own {
			return nil, ask.Refuse(ask.ParamEdges, fmt.Sprintf("%.40q", edges),
				phrase.Of("none: each category is counted separately"))
		}
	case own:
		if p.Starts, err = startsAt(edges, q.Recipe.Domain); err != nil {
			return nil, err
		}
		p.Width, out.cut = 0, true
	case q.Param(paramWidth) == roundWidth, q.Param(paramWidth) == auto:
		few := uint64(codebook.FewValues)
		if q.Param(paramWidth) == auto {
			few = codebook.FewValuesOnce
		}
		if p.Starts, out.width, err = roundBins(q.Recipe.Domain, few); err != nil {
			return nil, err
		}
		p.Width = 0
	default:
		if p.Width, err = stepsIn(q.Param(paramWidth), stepOf(q.Domain)); err != nil {
			return nil, err
		}
		out.width = q.Param(paramWidth)
	}
	if out.mechanism, err = basic.NewHistogram(p); err != nil {
		return nil, err
	}
	if q.Domain.Spec().Kind != domain.Category {
		out.edges = out.binsOf().edges()
	}
	return out, nil
}

func (h *histogram) binsOf() binsOf {
	b := binsOf{h.query.Recipe.Domain, h.query.Domain, nil, h.size}
	for i := range h.mechanism.Bins() {
		first, _ := h.mechanism.Range(i, h.size)
		b.starts = append(b.starts, first)
	}
	return b
}

// stepsIn reads a width and returns it in steps.
func stepsIn(text string, step *big.Rat) (uint64, error) {
	want := phrase.Of("a number above 0, a whole number of steps of %s", trimDecimal(step))
	width, ok := new(big.Rat).SetString(text)
	if !ok || len(text) > 40 || width.Sign() <= 0 {
		return 0, ask.Refuse(paramWidth, fmt.Sprintf("%q", text), want)
	}
	steps := new(big.Rat).Quo(width, step)
	if !steps.IsInt() || !steps.Num().IsUint64() {
		return 0, ask.Refuse(paramWidth, fmt.Sprintf("%q", text), want)
	}
	return steps.Num().Uint64(), nil
}

func (h *histogram) Loss() (privacy.Loss, error) { return h.mechanism.Noise().Loss(1) }

func (h *histogram) Algorithm() string { return h.query.Say.Text(histogramTask.Algorithm) }

func (h *histogram) errors() (one, all int64) {
	noise := h.mechanism.Noise()
	return noise.ErrorBound(basic.Beta),
		noise.SimultaneousErrorBound(basic.Beta, h.mechanism.Bins())
}

func (h *histogram) Bound() float64 { one, _ := h.errors(); return float64(one) }

// Typical is exact: counts are off by the noise alone.
func (h *histogram) Typical() (off float64, exact bool) {
	return h.mechanism.Noise().ExpectedError(), true
}

func (h *histogram) Unit() ask.Unit { return h.query.InPeople("%s in each count") }

func (h *histogram) Forecast() []ask.Forecast {
	one, all := h.errors()
	return countsForecast(h.query, one, all, h.query.Say.Format("All %d counts at once",
		h.mechanism.Bins()))
}

// Judge compares each count with its own error, and all of them with an even spread.
func (h *histogram) Judge(r ask.Result) ask.Verdict {
	one, _ := h.errors()
	if r == nil {
		even := float64(h.query.People) / float64(h.mechanism.Bins())
		return h.query.Because(ask.Within(float64(one), even).Verdict(), h.query.CountUp,
			againstSame)
	}
	var list []ask.Against
	for _, b := range r.(*Histogram).Bins {
		list = append(list, ask.Within(float64(one), float64(b.Count)))
	}
	return h.query.Because(ask.OfCounts(list), h.query.CountUp, againstTypical)
}

// Frame draws everybody spread evenly over the bins.
func (h *histogram) Frame() *ask.Frame {
	off, _ := h.errors()
	bins, n := h.mechanism.Bins(), float64(h.query.People)
	f := &ask.Frame{Kind: ask.FrameBins, Axis: axisOf(h.query), Unit: many(h.query),
		Hi: n, Even: n / float64(bins), Error: float64(off)}
	if h.edges == nil || h.cut {
		f.Kind = ask.FrameBars
		named := h.binsOf()
		for i := range bins {
			f.Labels = append(f.Labels, named.label(i))
		}
		return f
	}
	for _, edge := range h.edges {
		x, ok := placeOf(edge)
		if !ok {
			return nil // unreachable: a histogram has bounds, and they are numbers or times
		}
		f.Edges = append(f.Edges, x)
	}
	return f
}

func (h *histogram) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	counts, err := h.mechanism.Release(src, values(data.Main), step)
	if err != nil {
		return nil, err
	}
	one, all := h.errors()
	out := &Histogram{Bins: make([]Bin, len(counts)), Error: one, AllError: all,
		People: h.query.People, Width: h.width, Cut: h.cut}
	bins := h.binsOf()
	for i, count := range counts {
		if h.clip {
			count = max(count, 0)
		}
		out.Bins[i] = Bin{Label: bins.label(i), Count: count}
		if h.edges != nil {
			out.Bins[i].From, out.Bins[i].To = h.edges[i], h.edges[i+1]
		}
	}
	return out, nil
}

// perfect has no best score: points do not count people.
func (*histogram) perfect() (int64, bool) { return 0, false }

// score is the likelihood of the bins.
func (h *histogram) score(r ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	var ends []uint64
	var people []float64
	for i, bin := range r.(*Histogram).Bins {
		_, last := h.mechanism.Range(i, h.size)
		ends, people = append(ends, last+1), append(people, float64(bin.Count))
	}
	return density.NewLikelihood(h.size, ends, people).
		Score(values(data.Main), h.query.People, step)
}

func (h *histogram) State(result ask.Result) string {
	return h.headline(result.(*Histogram))
}

// StatesConditions reports that bins without a clear difference are described with the conditions.
func (h *histogram) StatesConditions(r ask.Result) bool { return h.level(r.(*Histogram)) }

// level reports whether no bin, and no majority of bins, certainly has more people than another.
func (h *histogram) level(out *Histogram) bool {
	counts := peopleIn(out.Bins)
	_, found := h.majority(counts, h.query.People)
	return !(found && len(h.query.Recipe.Filter) == 0) && levelCounts(counts, out.AllError)
}

// StatedBefore is the former sentence about the bin with the highest count where no bin leads.
func (h *histogram) StatedBefore(r ask.Result) string {
	out := r.(*Histogram)
	counts := peopleIn(out.Bins)
	at, certain := leader(counts, out.AllError)
	_, found := h.majority(counts, h.query.People)
	if certain || found && len(h.query.Recipe.Filter) == 0 {
		return ""
	}
	say, column, about := h.query.Say, h.query.Label, ofAll(h.query, counts[at])
	off := message.Grouped(out.AllError)
	if h.edges == nil {
		return say.Format("No category of %s clearly leads: %s has the highest count, about %s "+
			"(± %s in 95 of 100 releases).", column, h.spoken(at, at), about, off)
	}
	return say.Format("No bin of %s clearly leads: the highest count, %s, is about %s "+
		"(± %s in 95 of 100 releases).", column, h.spoken(at, at), about, off)
}

// peopleIn returns the counts of bins.
func peopleIn(bins []Bin) (counts []int64) {
	for _, b := range bins {
		counts = append(counts, b.Count)
	}
	return counts
}

// The sentence about a histogram is made from the released counts alone. It states nothing as a
// fact that noise could have caused: each claim holds in 95 of 100 releases, whichever bins it
// turns out to be about.

// binRun is a run of neighbouring bins, with the number of people that they hold together.
type binRun struct {
	from, to      int // the first bin, and the last one
	people, error int64
}

// majority returns the shortest run of bins that certainly holds more than half of all n: among
// runs of that length, the one with the most people. Categories have no neighbours, so only a
// single one counts. A run of more than two fifths of the bins would be no news, and is not sought.
func (h *histogram) majority(counts []int64, n int64) (best binRun, found bool) {
	bins := len(counts)
	longest := 2 * bins / 5
	if h.edges == nil {
		longest = min(longest, 1)
	}
	sums := make([]int64, bins+1)
	for i, c := range counts {
		sums[i+1] = sums[i] + c
	}
	for k := 1; k <= longest; k++ {
		// The run that looks best is reported, so the bound has to hold for every run.
		off := h.mechanism.Noise().SumErrorBound(k, basic.Beta/float64(bins*(bins+1)/2))
		for i := range bins + 1 - k {
			people := sums[i+k] - sums[i]
			if 2*(people-off) > n && people > best.people {
				best, found = binRun{i, i + k - 1, people, off}, true
			}
		}
		if found {
			return best, true
		}
	}
	return binRun{}, false
}

// headline is the sentence about the histogram. Nobody knows how many people meet conditions, so
// with conditions it states no part of them.
func (h *histogram) headline(out *Histogram) string {
	counts := peopleIn(out.Bins)
	say, column, n := h.query.Say, h.query.Label, h.query.People
	whole := len(h.query.Recipe.Filter) == 0
	if most, found := h.majority(counts, n); found && whole {
		part := 100 * float64(min(most.people, n)) / float64(n)
		about, off := percentAbout(part, 100*float64(most.error)/float64(n))
		return say.Format("About %s %% of %s %s (± %s in 95 of 100 releases).",
			about, h.query.Many(), h.have(most.from, most.to),
			points(say, phrase.AtMost(off)))
	}
	at, certain := leader(counts, out.AllError)
	about, off := ofAll(h.query, counts[at]), offAtOnce(say, out.Error, out.AllError)
	switch {
	case levelCounts(counts, out.AllError):
		return noDifference(h.query)
	case certain && h.edges == nil:
		return say.Format("%s is most common: about %s (%s in 95 of 100 releases).",
			Capital(placed(h.query.Label, h.spoken(at, at))), about, off)
	case certain:
		return say.Format("%s is most often %s: about %s (%s in 95 of 100 releases).",
			Capital(column), h.spoken(at, at), about, off)
	case h.edges == nil:
		return say.Format("%s may be most common: about %s (%s in 95 of 100 releases).",
			Capital(placed(h.query.Label, h.spoken(at, at))), about, off)
	}
	return say.Format("%s may be most often %s: about %s (%s in 95 of 100 releases).",
		Capital(column), h.spoken(at, at), about, off)
}

// percentAbout rounds a percentage to the digits that its error leaves, or to one more where
// rounding would enlarge the error as written.
func percentAbout(part, error float64) (about string, off float64) {
	for digits := percentDigits(error); ; digits++ {
		about = strconv.FormatFloat(part, 'f', digits, 64)
		off = ceilTo(error+math.Abs(decimal(about)-part), digits)
		if off <= ceilTo(error, digits) || digits > percentDigits(error) {
			return about, off
		}
	}
}

// percentDigits returns how many digits of a percentage an error leaves.
func percentDigits(error float64) int {
	switch {
	case error < 0.05:
		return 2
	case error < 0.5:
		return 1
	}
	return 0
}

// ceilTo rounds up to digits behind the point, tolerating the rounding of floats.
func ceilTo(x float64, digits int) float64 {
	shift := math.Pow(10, float64(digits))
	return math.Ceil(x*shift-1e-9) / shift
}

// have words what people in neighbouring bins have or are: “have under 500 pages”, “are eng
// (language)”.
func (h *histogram) have(from, to int) string {
	say, q := h.query.Say, h.query
	if q.Recipe.Domain.Kind == domain.Category {
		return say.Format("are %s (%s)", h.spoken(from, to), q.Label)
	}
	values := h.spoken(from, to)
	low, _ := h.mechanism.Range(from, h.size)
	_, high := h.mechanism.Range(to, h.size)
	switch {
	case low == 0 && high+1 < h.size:
		values = say.Format("under %s", q.Value(q.Domain.Decode(high+1)))
	case low > 0 && high+1 == h.size:
		values = say.Format("%s or more", q.Value(q.Domain.Decode(low)))
	}
	unit := strings.TrimSpace(q.Recipe.Unit)
	if unit != "" && strings.Contains(strings.ToLower(q.Label), strings.ToLower(unit)) {
		return say.Format("have %s", values) // num_pages: 500 pages
	}
	return say.Format("have %s", q.Label+" "+values)
}

// spoken words the values of neighbouring bins for a sentence.
func (h *histogram) spoken(from, to int) string {
	low, _ := h.mechanism.Range(from, h.size)
	_, high := h.mechanism.Range(to, h.size)
	first, last := h.query.Domain.Decode(low), h.query.Domain.Decode(high)
	switch {
	case low != high:
		return h.query.Say.Format("between %s and %s", h.query.Bare(first), h.query.Value(last))
	case h.query.Recipe.Domain.Kind == domain.Category:
		return first
	}
	return h.query.Value(last)
}

// Kind is "histogram".
func (*Histogram) Kind() string { return "histogram" }

// Table lists what was released, a row each.
func (h *Histogram) Table(say ask.Voice, column string) [][]string {
	rows := [][]string{
		{column, say.Many(), say.Text("low (95 %)"), say.Text("high (95 %)")}}
	for _, b := range h.Bins {
		low, high := h.Band(b)
		rows = append(rows,
			[]string{b.Label, fmt.Sprint(b.Count), fmt.Sprint(low), fmt.Sprint(high)})
	}
	return rows
}

// Band is the interval, from nobody to all, that holds the true count of a bin in 95 of 100
// releases.
func (h *Histogram) Band(b Bin) (low, high int64) { return countBand(b.Count, h.Error, h.People) }

// File returns the table for programs.
func (h *Histogram) File(column string) [][]string {
	edges := len(h.Bins) > 0 && h.Bins[0].From != ""
	header := []string{column, "count", "low", "high"}
	if edges {
		header = append([]string{column + " from", column + " to"}, header[1:]...)
	}
	rows := [][]string{header}
	for _, b := range h.Bins {
		row := []string{b.Label}
		if edges {
			row = []string{b.From, b.To}
		}
		low, high := h.Band(b)
		rows = append(rows, append(row, fmt.Sprint(b.Count), fmt.Sprint(low), fmt.Sprint(high)))
	}
	return rows
}

// exactBins compares each count with the number of people between the bin's edges.
func exactBins(r ask.Recipe, answer ask.Result, people []ask.Person) (list []ask.Miss) {
	h := answer.(*Histogram)
	last := exactCode(r, r.Domain.Hi)
	for i, b := range h.Bins {
		from, to := exactCode(r, b.From), exactCode(r, b.To)
		switch {
		case b.From == "": // a category
			from, to = int64(i), int64(i)+1
		case i == len(h.Bins)-1:
			to = last + 1
		}
		is := exactCount(people, func(p ask.Person) bool { return p.Main >= from && p.Main < to })
		list = append(list, miss(b.Label, float64(b.Count)-is, float64(h.AllError+1)))
	}
	return list
}
