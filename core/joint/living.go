package joint

import (
	"fmt"
	"math"
	"strconv"

	"hush/core/mechanism"
	"hush/core/phrase"
)

// Living answers questions from a model alone, each with the error that is known. It is
// post-processing, and costs nothing. Proofs: living.md.
//
// # Errors
//
// Where a [Number] is known ByCounts, the true one lies between Low and High except with
// probability beta, over the noise of the release, whatever the data are. Where it is known
// ByBounds, the same holds of bounds that follow from such numbers. Elsewhere nothing is known of
// the error.
//
// # Cost
//
// A pass over the rows of the model for each answer, and the law of a sum of noises.
type Living struct {
	model *Model
	laws  []law             // of the tables of pairs, and then of the columns by themselves
	sums  map[sumOf]float64 // bounds that were worked out
	alone map[aloneOf][2]float64
}

// Known says how the error of a number is known.
type Known string

// What can be known.
const (
	Certain    Known = "certain"  // it is public
	ByCounts   Known = "measured" // it is a linear function of measured counts
	ByBounds   Known = "bounded"  // it lies between bounds that follow from measured counts
	Unmeasured Known = "follows"  // nothing: it follows from pairs if nothing else matters
)

// Number is an answer of the made-up rows. Low and High are ends of its interval, which holds it;
// where it is Unmeasured they are the ends of all possible numbers.
type Number struct {
	Value, Low, High float64
	Known            Known
}

// Within is a condition: the persons who are in one of these places of a column.
type Within struct {
	Column int
	Places []bool
}

// law is that of the noise on each count of a table.
type law struct {
	noise noise
	half  float64 // ln r / 2 of Laplace noise; 0: Gaussian
}

type sumOf struct {
	table, counts int
	beta          float64
}

// aloneOf is an event of one column, its places as text.
type aloneOf struct {
	column int
	places string
	beta   float64
}

// NewLiving takes a model and the mechanism that measured its tables. Where they do not belong
// together it refuses (sizes, pairs, stdDev).
func NewLiving(model *Model, by *Pairs) (*Living, error) {
	of := model.Measured
	if len(of.Sizes) != len(by.sizes) || len(of.Tables) != len(by.tables) {
		return nil, refuse("pairs", phrase.Of("%d tables", len(of.Tables)), "%d tables of %d "+
			"columns", len(by.tables), len(by.sizes))
	}
	for i, size := range of.Sizes {
		if size != by.sizes[i] {
			return nil, refuse("sizes", phrase.Of("%d places", size), "%d places", by.sizes[i])
		}
	}
	l := &Living{model: model, sums: map[sumOf]float64{},
		alone: map[aloneOf][2]float64{}}
	for k, t := range by.tables {
		if of.Tables[k].Columns != t.columns {
			return nil, refuse("pairs", phrase.Of("columns %d and %d", of.Tables[k].Columns[0],
				of.Tables[k].Columns[1]), "columns %d and %d", t.columns[0], t.columns[1])
		}
		if was, is := of.Tables[k].StdDev, t.noise.StdDev(); math.Abs(was-is) > 1e-9*is {
			return nil, refuse("stdDev", strconv.FormatFloat(was, 'g', -1, 64), "%v", is)
		}
		l.laws = append(l.laws, lawOf(t.noise))
	}
	if len(of.Singles) != len(by.alone) {
		return nil, refuse("pairs", phrase.Of("%d tables of one column", len(of.Singles)),
			"%d of them", len(by.alone))
	}
	for i, n := range by.alone {
		if was, is := of.Singles[i].StdDev, n.StdDev(); math.Abs(was-is) > 1e-9*is {
			return nil, refuse("stdDev", strconv.FormatFloat(was, 'g', -1, 64), "%v", is)
		}
		l.laws = append(l.laws, lawOf(n))
	}
	return l, nil
}

func lawOf(n noise) law {
	one := law{noise: n}
	if m, is := n.(*mechanism.Laplace); is {
		one.half = m.Noise().Base().Log() / 2
	}
	return one
}

// counts are those of a table of pairs, or, behind these, of a column by itself.
func (l *Living) counts(table int) []int64 {
	of := l.model.Measured
	if table < len(of.Tables) {
		return of.Tables[table].Counts
	}
	return of.Singles[table-len(of.Tables)].Counts
}

// Blank is what a release for this many persons holds, but for the counts.
func (m *Pairs) Blank(persons int) *Measured {
	out := &Measured{Sizes: m.sizes, Persons: persons}
	for _, t := range m.tables {
		out.Tables = append(out.Tables, Table{Columns: t.columns, StdDev: t.noise.StdDev()})
	}
	for _, n := range m.alone {
		out.Singles = append(out.Singles, Single{StdDev: n.StdDev()})
	}
	return out
}

// linear is a number that is a linear function of measured counts.
type linear struct {
	fixed float64
	parts []weighted
}

// weighted are the counts of a table with their weights.
type weighted struct {
	table   int
	weights []float64
}

// kind says what weights are: those of an event are 0 and 1.
type kind bool

const (
	anyWeights kind = false
	ofEvents   kind = true
)

// on is Σ weights·counts of a table. The counts of all its cells add up to n, so the same is taken
// from all weights, to make the noise small: of an event 1 where most of them are 1, and else their
// mean.
func (l *Living) on(table int, of kind, weights []float64) linear {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	less := sum / float64(len(weights))
	if of == ofEvents {
		less = math.Round(less)
	}
	out := make([]float64, len(weights))
	for cell, w := range weights {
		out[cell] = w - less
	}
	return linear{less * float64(l.model.Measured.Persons), []weighted{{table, out}}}
}

// value is the number by the noisy counts.
func (l *Living) value(x linear) float64 {
	sum := x.fixed
	for _, p := range x.parts {
		for cell, w := range p.weights {
			if w != 0 {
				sum += w * float64(l.counts(p.table)[cell])
			}
		}
	}
	return sum
}

// bound is a t with Pr[|noise| > t] ≤ beta, and by symmetry Pr[noise > t] ≤ beta/2: by the law of a
// sum where all weights are alike, else by Chernoff's bound.
func (l *Living) bound(x linear, beta float64) float64 {
	alike, counts, most := len(x.parts) == 1, 0, 0.0
	for _, p := range x.parts {
		for _, w := range p.weights {
			if w = math.Abs(w); w == 0 {
				continue
			}
			alike = alike && (counts == 0 || w == most)
			most = max(most, w)
			counts++
		}
	}
	switch {
	case counts == 0:
		return 0
	case alike:
		return most * l.sum(x.parts[0].table, counts, beta)
	}
	return l.chernoff(x, beta, l.lambda(x, beta))
}

// chernoff is (ln E e^(λ·noise) + ln(2/beta))/λ. Without Laplace noise it takes the best λ itself.
func (l *Living) chernoff(x linear, beta, lambda float64) float64 {
	square, moments := 0.0, 0.0
	for _, p := range x.parts {
		of := l.laws[p.table]
		if of.half == 0 {
			for _, w := range p.weights {
				square += w * w * of.noise.StdDev() * of.noise.StdDev()
			}
			continue
		}
		steep := math.Sinh(of.half)
		for _, w := range p.weights {
			if w != 0 {
				s := math.Sinh(lambda*w/2) / steep
				moments -= math.Log1p(-min(s*s, 1))
			}
		}
	}
	log := math.Log(2 / beta)
	if l.laws[0].half > 0 {
		return (moments + log) / lambda
	}
	return math.Sqrt(2 * log * square)
}

// lambda is a good one for chernoff of Laplace noise.
func (l *Living) lambda(x linear, beta float64) (best float64) {
	if l.laws[0].half == 0 {
		return 0
	}
	fastest := math.Inf(1)
	for _, p := range x.parts {
		for _, w := range p.weights {
			if w != 0 {
				fastest = min(fastest, 2*l.laws[p.table].half/math.Abs(w))
			}
		}
	}
	if math.IsInf(fastest, 1) {
		return 1
	}
	const steps = 64
	least := math.Inf(1)
	for step := 1.0; step < steps; step++ {
		lambda := fastest * step / steps
		if t := l.chernoff(x, beta, lambda); t < least {
			best, least = lambda, t
		}
	}
	return best
}

// sum is the bound of a sum of noises of a table.
func (l *Living) sum(table, counts int, beta float64) float64 {
	key := sumOf{table, counts, beta}
	if t, known := l.sums[key]; known {
		return t
	}
	var t int64
	switch m := l.laws[table].noise.(type) {
	case *mechanism.Laplace:
		t = m.Noise().SumErrorBound(counts, beta)
	case *mechanism.Gaussian:
		t = m.SumErrorBound(counts, beta)
	}
	l.sums[key] = float64(t)
	return float64(t)
}

// pair is the table of two columns, in any order; turned says that it is by the second first.
func (l *Living) pair(i, j int) (table int, turned, is bool) {
	for k, t := range l.model.Measured.Tables {
		if t.Columns == [2]int{i, j} || t.Columns == [2]int{j, i} {
			return k, t.Columns[0] == j, true
		}
	}
	return 0, false, false
}

// ofPair is Σ weight(place in i, place in j)·counts of a table.
func (l *Living) ofPair(i, j int, of kind, weight func(i, j int) float64) (linear, bool) {
	table, turned, is := l.pair(i, j)
	if !is {
		return linear{}, false
	}
	m := l.model.Measured
	weights, size := make([]float64, m.cells(m.Tables[table])), m.Sizes[j]
	if turned {
		size = m.Sizes[i]
	}
	for cell := range weights {
		first, second := cell/size, cell%size
		if turned {
			first, second = second, first
		}
		weights[cell] = weight(first, second)
	}
	return l.on(table, of, weights), true
}

// ofColumn are ways to measure Σ weights·counts of one column: by each table that has it, its own
// among them, and by all of them, weighted by their precision.
func (l *Living) ofColumn(column int, of kind,
	weights func(place int) float64) (ways []linear) {
	var all linear
	precision := 0.0
	measured := l.model.Measured
	add := func(way linear, table, cells int) {
		ways = append(ways, way)
		std := l.laws[table].noise.StdDev()
		part := 1 / (std * std * float64(cells))
		precision += part
		all.fixed += part * way.fixed
		for _, p := range way.parts {
			scaled := make([]float64, len(p.weights))
			for cell, w := range p.weights {
				scaled[cell] = part * w
			}
			all.parts = append(all.parts, weighted{p.table, scaled})
		}
	}
	for k, t := range measured.Tables {
		other := t.Columns[0]
		if other == column {
			other = t.Columns[1]
		} else if t.Columns[1] != column {
			continue
		}
		way, _ := l.ofPair(column, other, of, func(i, _ int) float64 { return weights(i) })
		add(way, k, measured.Sizes[other])
	}
	if measured.Singles != nil {
		own, table := make([]float64, measured.Sizes[column]), len(measured.Tables)+column
		for place := range own {
			own[place] = weights(place)
		}
		add(l.on(table, of, own), table, 1)
	}
	if len(ways) < 2 {
		return ways
	}
	all.fixed /= precision
	for _, p := range all.parts {
		for cell := range p.weights {
			p.weights[cell] /= precision
		}
	}
	return append(ways, all)
}

// narrowest is the way with the least bound, which the counts do not decide.
func (l *Living) narrowest(ways []linear, beta float64) (best linear, t float64) {
	t = math.Inf(1)
	for _, way := range ways {
		if off := l.bound(way, beta); off < t {
			best, t = way, off
		}
	}
	return best, t
}

// interval is that of a number of persons.
func (l *Living) interval(ways []linear, beta float64) (low, high float64) {
	n := float64(l.model.Measured.Persons)
	best, t := l.narrowest(ways, beta)
	if math.IsInf(t, 1) {
		return 0, n
	}
	at := l.value(best)
	return min(max(at-t, 0), n), max(min(at+t, n), 0)
}

// each is how many persons a row stands for.
func (l *Living) each() float64 {
	return float64(l.model.Measured.Persons) / float64(l.model.Rows())
}

func meets(row []uint8, where []Within) bool {
	for _, w := range where {
		if !w.Places[row[w.Column]] {
			return false
		}
	}
	return true
}

// counted is the number of persons who meet conditions, as the rows have it, with its interval.
func (l *Living) counted(made float64, where []Within, beta float64) Number {
	n := float64(l.model.Measured.Persons)
	out := Number{Value: made, Low: 0, High: n, Known: Unmeasured}
	switch len(where) {
	case 0:
		return Number{n, n, n, Certain}
	case 1:
		if len(l.ofEvent(where[0])) > 0 {
			out.Known = ByCounts
			out.Low, out.High = l.event(where[0], beta)
		}
	case 2:
		if way, is := l.ofEvents(where[0], where[1]); is {
			out.Known = ByCounts
			out.Low, out.High = l.interval([]linear{way}, beta)
		}
	case 3:
		out.Low, out.High, out.Known = l.triple(where, beta)
	}
	return out.holding(made)
}

// holding widens an interval so that it has a number in it.
func (x Number) holding(value float64) Number {
	x.Value, x.Low, x.High = value, min(x.Low, value), max(x.High, value)
	return x
}

// event is the interval of those who meet one condition, which tables ask for again and again.
func (l *Living) event(w Within, beta float64) (low, high float64) {
	key := aloneOf{w.Column, fmt.Sprint(w.Places), beta}
	ends, known := l.alone[key]
	if !known {
		ends[0], ends[1] = l.interval(l.ofEvent(w), beta)
		l.alone[key] = ends
	}
	return ends[0], ends[1]
}

func (l *Living) ofEvent(w Within) []linear {
	return l.ofColumn(w.Column, ofEvents, func(place int) float64 { return one(w.Places[place]) })
}

func (l *Living) ofEvents(a, b Within) (linear, bool) {
	return l.ofPair(a.Column, b.Column, ofEvents, func(i, j int) float64 {
		return one(a.Places[i] && b.Places[j])
	})
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// numbersOfTriple are the numbers of persons of which the bounds of three events are made.
const numbersOfTriple = 6

// triple are the bounds of the number of persons who meet three conditions, by those who meet one
// and two of them.
func (l *Living) triple(where []Within, beta float64) (low, high float64, known Known) {
	n := float64(l.model.Measured.Persons)
	beta /= numbersOfTriple
	var one, two [3][2]float64 // two[i] are those who meet all but i
	for i, w := range where {
		one[i][0], one[i][1] = l.event(w, beta)
		way, is := l.ofEvents(where[(i+1)%3], where[(i+2)%3])
		if !is {
			return 0, n, Unmeasured
		}
		two[i][0], two[i][1] = l.interval([]linear{way}, beta)
	}
	high = n
	for i := range where {
		low = max(low, two[(i+1)%3][0]+two[(i+2)%3][0]-one[i][1])
		high = min(high, two[i][1])
	}
	high = min(high, n-one[0][0]-one[1][0]-one[2][0]+two[0][1]+two[1][1]+two[2][1])
	return low, max(high, low), ByBounds
}

// Table counts the persons in each cell of a table of columns, the last one's places changing
// fastest, among those who meet the conditions, which are of other columns.
func (l *Living) Table(columns []int, where []Within, beta float64) []Number {
	cells, of := 1, l.model.Measured
	for _, column := range columns {
		cells *= of.Sizes[column]
	}
	made := make([]float64, cells)
	for row := range l.model.Rows() {
		places := l.model.Row(row)
		if !meets(places, where) {
			continue
		}
		cell := 0
		for _, column := range columns {
			cell = cell*of.Sizes[column] + int(places[column])
		}
		made[cell] += l.each()
	}
	out := make([]Number, cells)
	for cell := range out {
		events, rest := append([]Within(nil), where...), cell
		for k := len(columns) - 1; k >= 0; k-- {
			size := of.Sizes[columns[k]]
			event := Within{columns[k], make([]bool, size)}
			event.Places[rest%size] = true
			rest /= size
			events = append(events, event)
		}
		out[cell] = l.counted(made[cell], events, beta)
	}
	return out
}

// test is a number that is linear in the counts, known in several ways, and of which every weight
// is linear in a guess: above 0 for guesses below the truth, 0 there, and below 0 beyond.
type test func(guess float64) []linear

// between are the ends of the guesses from low to high that none of the tests refuses on either
// side, at beta/2 each. All of them take the same way, the best one in the middle, and the same
// λ, so that the guesses that are refused on a side are convex.
func (l *Living) between(low, high, beta float64, tests ...test) (from, to float64) {
	way, least, lambda := 0, math.Inf(1), math.Inf(1)
	for k, x := range tests[0]((low + high) / 2) {
		if t := l.chernoff(x, beta, l.lambda(x, beta)); t < least {
			way, least = k, t
		}
	}
	for _, of := range tests {
		lambda = min(lambda, l.lambda(of(low)[way], beta), l.lambda(of(high)[way], beta))
	}
	from, to = high, low
	for _, of := range tests {
		sure := func(guess, sign float64) bool {
			x := of(guess)[way]
			return sign*l.value(x) > l.chernoff(x, beta, lambda)
		}
		from = min(from, edge(low, high, func(guess float64) bool { return sure(guess, 1) }))
		to = max(to, edge(high, low, func(guess float64) bool { return sure(guess, -1) }))
	}
	return from, to
}

// edge is where a condition that holds from an end on ceases to, at or before that place; the end
// itself where it does not hold there.
func edge(from, to float64, holds func(float64) bool) float64 {
	if !holds(from) {
		return from
	}
	for range 40 {
		if middle := (from + to) / 2; holds(middle) {
			from = middle
		} else {
			to = middle
		}
	}
	return from
}

// Mean is that of the values of the places of a column, NaN for places without one, among the
// persons who meet the conditions; ok is false where there is none.
func (l *Living) Mean(column int, values []float64, where []Within, beta float64) (m Number,
	ok bool) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	sum, rows := 0.0, 0
	for row := range l.model.Rows() {
		places := l.model.Row(row)
		if v := values[places[column]]; !math.IsNaN(v) && meets(places, where) {
			sum, rows = sum+v, rows+1
		}
	}
	if rows == 0 {
		return m, false
	}
	m = Number{Low: low, High: high, Known: Unmeasured}
	if of := l.among(column, where, func(guess float64, place int) float64 {
		if math.IsNaN(values[place]) {
			return 0
		}
		return values[place] - guess
	}); of != nil {
		m.Known = ByCounts
		m.Low, m.High = l.between(low, high, beta, of)
	}
	return m.holding(sum / float64(rows)), true
}

// among is a test of a column among those who meet at most one condition; nil: it is not measured.
func (l *Living) among(column int, where []Within,
	weight func(guess float64, place int) float64) test {
	switch len(where) {
	case 0:
		return func(guess float64) []linear {
			return l.ofColumn(column, anyWeights, func(place int) float64 {
				return weight(guess, place)
			})
		}
	case 1:
		if _, _, is := l.pair(column, where[0].Column); !is {
			return nil
		}
		return func(guess float64) []linear {
			way, _ := l.ofPair(column, where[0].Column, anyWeights, func(i, j int) float64 {
				return weight(guess, i) * one(where[0].Places[j])
			})
			return []linear{way}
		}
	}
	return nil
}

// Quantile is the place of a column, whose places are in order, in which the part'th of the persons
// who meet the conditions is: the first place with at least that part at or below it. has says
// which places have a value. at is the place of the rows, with the part of the place that is
// passed; the true one is between low and high.
func (l *Living) Quantile(column int, has []bool, part float64, where []Within,
	beta float64) (at, low, high int, within float64, known Known, ok bool) {
	counts, all := make([]float64, len(has)), 0.0
	for row := range l.model.Rows() {
		places := l.model.Row(row)
		if place := places[column]; has[place] && meets(places, where) {
			counts[place]++
			all++
		}
	}
	if all == 0 {
		return 0, 0, 0, 0, Unmeasured, false
	}
	first, last := len(has), -1
	for place, is := range has {
		if is {
			first, last = min(first, place), place
		}
	}
	at = last
	sum := 0.0
	for place, count := range counts {
		if count > 0 && sum+count >= part*all {
			at, within = place, (part*all-sum)/count
			break
		}
		sum += count
	}
	of := l.among(column, where, func(guess float64, place int) float64 {
		if !has[place] {
			return 0
		}
		return one(float64(place) <= guess) - part
	})
	if of == nil {
		return at, first, last, within, Unmeasured, true
	}
	low, high = first, last
	for low < last { // as long as fewer than the part are surely at or below it
		if best, t := l.narrowest(of(float64(low)), beta); !(l.value(best) < -t) {
			break
		}
		low++
	}
	for high > first { // as long as the part is surely below it
		if best, t := l.narrowest(of(float64(high-1)), beta); !(l.value(best) > t) {
			break
		}
		high--
	}
	return at, min(low, at), max(high, at), within, ByCounts, true
}

// Line is the line of least squares.
type Line struct {
	Slope     Number
	Intercept float64
}

// Line fits y = intercept + slope·x to the values of the places of two columns, NaN for places
// without one; ok is false where the made-up rows have no two values of x.
func (l *Living) Line(x, y int, xs, ys []float64, beta float64) (line Line, ok bool) {
	var n, sumX, sumY, sumXX, sumXY float64
	hasY := Within{y, make([]bool, len(ys))}
	for place, v := range ys {
		hasY.Places[place] = !math.IsNaN(v)
	}
	lowX, highX, lowY, highY := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, v := range xs {
		if !math.IsNaN(v) {
			lowX, highX = min(lowX, v), max(highX, v)
		}
	}
	for _, v := range ys {
		if !math.IsNaN(v) {
			lowY, highY = min(lowY, v), max(highY, v)
		}
	}
	midX, midY, gap := (lowX+highX)/2, (lowY+highY)/2, math.Inf(1)
	for i, v := range xs {
		for _, w := range xs[:i] {
			if d := math.Abs(v - w); d > 0 { // NaN is not
				gap = min(gap, d)
			}
		}
	}
	for row := range l.model.Rows() {
		places := l.model.Row(row)
		u, v := xs[places[x]]-midX, ys[places[y]]-midY
		if !math.IsNaN(u) && !math.IsNaN(v) {
			n, sumX, sumY, sumXX, sumXY = n+1, sumX+u, sumY+v, sumXX+u*u, sumXY+u*v
		}
	}
	spread := sumXX - sumX*sumX/max(n, 1)
	if !(spread > 1e-9*sumXX) {
		return line, false
	}
	slope := (sumXY - sumX*sumY/n) / spread
	line.Intercept = midY + sumY/n - slope*(midX+sumX/n)
	steepest := (highY - lowY) / gap
	line.Slope = Number{Low: -steepest, High: steepest, Known: Unmeasured}
	mean, _ := l.Mean(x, xs, []Within{hasY}, beta/2)
	if mean.Known == ByCounts {
		var tests []test
		for _, middle := range []float64{mean.Low, mean.High} {
			tests = append(tests, func(guess float64) []linear {
				way, _ := l.ofPair(x, y, anyWeights, func(i, j int) float64 {
					if math.IsNaN(xs[i]) || math.IsNaN(ys[j]) {
						return 0
					}
					return (xs[i] - middle) * (ys[j] - midY - guess*(xs[i]-midX))
				})
				return []linear{way}
			})
		}
		line.Slope.Known = ByCounts
		line.Slope.Low, line.Slope.High = l.between(-steepest, steepest, beta/2, tests...)
	}
	line.Slope = line.Slope.holding(slope)
	return line, true
}
