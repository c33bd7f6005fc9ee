package task

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/codebook"
	"hush/core/coin"
	"hush/core/domain"
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
	// Width is how wide a bin is, where one width was asked for or found: "50", "1 month". Bins at
	// the ends of the range may be narrower. Empty for categories.
	Width string `json:"width,omitempty"`
	// Cut says that bins are cut where it was asked for, as unequal as that makes them: they are
	// counts by name, and not areas along an axis.
	Cut bool `json:"cut,omitempty"`
}

// Bin is one bar.
type Bin struct {
	Label string `json:"label"`
	Count int64  `json:"count"` // persons, noisy; may be negative
	// From and To are the bin's edges, as bounds are written: it holds the values from From up to
	// To, which is where the next bin begins; the last bin may hold To as well, where its own range
	// ends there. Empty for categories, and in releases of earlier versions.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
}

const (
	paramWidth    = "width"
	paramNegative = "negative"

	// roundWidth is that of about twenty bins at round numbers; auto is what it was in recipes of
	// earlier versions.
	roundWidth = "round"
)

var histogramTask = ask.Task{
	ID:        "histogram",
	Title:     "Histogram",
	Question:  "How many people fall into each bin?",
	Sentence:  "How many {many} by {column}?",
	Synonyms:  "bar chart, bins, frequency table, distribution, breakdown, count by",
	Answer:    "a count for each bin of numbers, or for each category",
	Algorithm: "discrete Laplace mechanism on counts",
	How: "Each bin is counted, and to each count a random whole number is added, small " +
		"ones more likely than large ones. The noise does not depend on how many people there " +
		"are, so large groups are known well and small ones are hidden.",
	Simple: "Noise on each count is the simple mechanism. Only where bins are far more than " +
		"people does another do better: ask for the distribution then.",
	Source: "Dwork, McSherry, Nissim, Smith 2006; Ghosh, Roughgarden, Sundararajan 2009",
	Limits: "Bins with fewer people than the error drown in the noise. Bins and categories " +
		"are public: a category that is not listed is not counted.",
	Judged: "Before: the error of one count against n divided by the bins. After: each " +
		"count's error against that count, and all together against the count that most " +
		"are in.",
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
	Films:   []string{"laplace", "stopping"},
	Prepare: prepareBins,
}

type histogram struct {
	query     *ask.Query
	mechanism *basic.Histogram
	size      uint64
	clip      bool
	edges     []string // of the bins, one more than there are; nil for categories
	width     string   // Histogram.Width
	cut       bool     // Histogram.Cut
}

// prepareBins lets the width be tuned, where bins have one.
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
	p := basic.HistogramParams{Epsilon: q.Epsilon, Size: size, Width: 1}
	edges, own := q.Edges()
	switch {
	case q.Domain.Spec().Kind == domain.Category:
		if own {
			return nil, ask.Refuse(ask.ParamEdges, fmt.Sprintf("%.40q", edges),
				phrase.Of("none: each category is counted by itself"))
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

// roundBins are the codebook's bins of a public range, and how wide they are.
func roundBins(spec domain.Spec, few uint64) (starts []uint64, width string, err error) {
	values := codebook.Values{Spec: spec, Whole: spec.Lo == "" || spec.Hi == ""}
	bins, err := values.Bins(few)
	if err != nil {
		var fault *codebook.Fault
		if errors.As(err, &fault) {
			err = fault.Err
		}
		return nil, "", err
	}
	width = bins.Width
	if bins.Unit != "" {
		if width += " " + string(bins.Unit); bins.Width != "1" {
			width += "s"
		}
	}
	return bins.Starts, width, nil
}

// startsAt are the codes at which bins begin: 0, and those of the values that a text lists, written
// as bounds are.
func startsAt(text string, spec domain.Spec) ([]uint64, error) {
	d, err := domain.New(spec.Plain())
	if err != nil {
		return nil, err // unreachable: it is the column's domain
	}
	starts := []uint64{0}
	for value := range strings.SplitSeq(strings.TrimRight(text, ", "), ",") {
		code, ok := d.Encode([]byte(strings.TrimSpace(value)))
		if !ok || code <= starts[len(starts)-1] {
			return nil, ask.Refuse(ask.ParamEdges, fmt.Sprintf("%.40q", value),
				phrase.Of("possible values above the smallest, in ascending order with a comma "+
					"between them, up to %q", d.Decode(new(big.Int).Sub(d.Size(), one).Uint64())))
		}
		starts = append(starts, code)
	}
	if len(starts) > basic.MaxBins {
		return nil, ask.Refuse(ask.ParamEdges, phrase.Of("%d values", len(starts)-1),
			phrase.Of("at most %d bins", basic.MaxBins))
	}
	return starts, nil
}

// binsOf are the bins of a column, as they are named.
type binsOf struct {
	spec   domain.Spec
	values domain.Domain
	starts []uint64 // the first code of each
	size   uint64   // of the domain
}

func (h *histogram) binsOf() binsOf {
	b := binsOf{h.query.Recipe.Domain, h.query.Domain, nil, h.size}
	for i := range h.mechanism.Bins() {
		first, _ := h.mechanism.Range(i, h.size)
		b.starts = append(b.starts, first)
	}
	return b
}

// limits are the first and the last code of a bin.
func (b binsOf) limits(bin int) (first, last uint64) {
	if bin+1 < len(b.starts) {
		return b.starts[bin], b.starts[bin+1] - 1
	}
	return b.starts[bin], b.size - 1
}

// edges writes where bins begin, and where the last one ends: behind its last value, as every other
// bin does. Where that bin took the range's last value in as well, so as not to leave it in a bin
// of its own, it ends there.
func (b binsOf) edges() []string {
	plain := b.spec.Plain()
	d, err := domain.New(plain)
	if err != nil {
		return nil // unreachable: it is the column's domain
	}
	var edges []string
	for _, first := range b.starts {
		edges = append(edges, d.Decode(first))
	}
	count := len(b.starts)
	first, last := b.limits(count - 1)
	if count > 1 {
		start, end := b.limits(count - 2)
		if last-first == end-start+1 {
			return append(edges, d.Decode(last))
		}
	}
	plain.Hi = ""
	if open, err := domain.New(plain); err == nil && last < math.MaxUint64 &&
		open.Size().Cmp(new(big.Int).SetUint64(last+1)) > 0 {
		return append(edges, open.Decode(last+1))
	}
	return append(edges, d.Decode(last))
}

// label names a bin by its first and last value.
func (b binsOf) label(i int) string {
	first, last := b.limits(i)
	if first == last {
		return b.values.Decode(first)
	}
	return b.values.Decode(first) + "–" + b.values.Decode(last)
}

// smallSize is the number of values of a domain that must fit 64 bits.
func smallSize(d domain.Domain) (uint64, error) {
	size := d.Size()
	if !size.IsUint64() {
		return 0, ask.Refuse("hi", d.Describe(),
			phrase.Of("bounds with fewer than 2^64 values between them"))
	}
	return size.Uint64(), nil
}

// stepOf is the distance of neighbouring values: a number's step, and 1 where steps are days or
// other units of time.
func stepOf(d domain.Domain) *big.Rat {
	if numeric, ok := d.(domain.Numeric); ok {
		_, step := numeric.Linear()
		return step
	}
	return big.NewRat(1, 1)
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

// trimDecimal writes a rational with a finite decimal expansion.
func trimDecimal(x *big.Rat) string {
	places, _ := x.FloatPrec()
	return x.FloatString(places)
}

func (h *histogram) Loss() (privacy.Loss, error) { return h.mechanism.Noise().Loss(1) }

func (h *histogram) Algorithm() string { return h.query.Say.Text(histogramTask.Algorithm) }

func (h *histogram) errors() (one, all int64) {
	noise := h.mechanism.Noise()
	return noise.ErrorBound(basic.Beta),
		noise.SimultaneousErrorBound(basic.Beta, h.mechanism.Bins())
}

func (h *histogram) Bound() float64 { one, _ := h.errors(); return float64(one) }

// Typical is exact: the noise is all that a count is off by.
func (h *histogram) Typical() (off float64, exact bool) {
	return h.mechanism.Noise().ExpectedError(), true
}

func (h *histogram) Unit() ask.Unit { return h.query.InPeople("%s in each count") }

func (h *histogram) Forecast() []ask.Forecast {
	one, all := h.errors()
	return countsForecast(h.query, one, all, h.query.Say.Format("All %d counts at once",
		h.mechanism.Bins()))
}

// countsForecast is that of counts which are each off by one at most, and by all together, as
// together says.
func countsForecast(q *ask.Query, one, all int64, together string) []ask.Forecast {
	say, n := q.Say, q.People
	return []ask.Forecast{
		{Label: say.Text("Each count is off by at most"), Value: q.Count(one),
			Detail: say.Format("in 95 of 100 releases; %s of all %s", percentOf(say, one, n),
				q.Count(n))},
		{Label: together, Value: "± " + q.Count(all), Detail: say.Text("in 95 of 100 releases")},
		{Label: say.Text("Smallest group that stands out"), Value: q.Count(2 * one),
			Detail: say.Text("smaller ones drown in the noise")},
	}
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

func (h *histogram) State(result ask.Result) string {
	return h.headline(result.(*Histogram))
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

// Band is what the true count of a bin is between in 95 of 100 releases: from nobody to all.
func (h *Histogram) Band(b Bin) (low, high int64) { return countBand(b.Count, h.Error, h.People) }

// countBand is a count and its error, from 0 to n; 0: n is not known.
func countBand(count, off, n int64) (low, high int64) {
	low, high = max(count-off, 0), max(count+off, 0)
	if n > 0 {
		low, high = min(low, n), min(high, n)
	}
	return low, high
}

// File is the table as programs read it.
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
