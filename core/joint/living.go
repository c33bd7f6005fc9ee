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
	sums  map[sumOf]float64 // bounds computed before: for equal weights, and for events
	mixed map[string]float64
	alone map[aloneOf][2]float64
}

// Known says how the error of a number is known.
type Known string

// What is known of an error.
const (
	Certain    Known = "certain"  // it is public
	ByCounts   Known = "measured" // it is a linear function of measured counts
	ByBounds   Known = "bounded"  // it lies between bounds that follow from measured counts
	Unmeasured Known = "follows"  // nothing: it follows from pairs if nothing else matters
)

// Number is an answer from the made-up rows. Low and High are the ends of its interval, which
// contains it; where it is Unmeasured they are the ends of all possible numbers.
type Number struct {
	Value, Low, High float64
	Known            Known
}

// Within is a condition: it selects the persons who are in one of these places of a column.
type Within struct {
	Column int
	Places []bool
}

// law is the law of the noise on each count of a table.
type law struct {
	noise  noise
	stdDev float64
	half   float64 // ln r / 2 for Laplace noise; 0: Gaussian
	steep  float64 // sinh(half)

	atZero float64 // theta(0) for Gaussian noise
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

// NewLiving takes a model and the mechanism that measured its tables. It refuses them (sizes,
// pairs, stdDev) where they do not belong together.
func NewLiving(model *Model, by *Pairs) (*Living, error) {
	of := model.Measured
	if len(of.Sizes) != len(by.sizes) || len(of.Tables) != len(by.tables) {
		return nil, refuse("pairs", phrase.Of("%d tables", len(of.Tables)), "%d tables of %d "+
			"columns", len(by.tables), len(by.sizes))
	}
	for i, size := range of.Sizes {
		if size != by.sizes[i] { // H: living.md same-law
			return nil, refuse("sizes", phrase.Of("%d places", size), "%d places", by.sizes[i])
		}
	}
	l := &Living{model: model, sums: map[sumOf]float64{}, mixed: map[string]float64{},
		alone: map[aloneOf][2]float64{}}
	for k, t := range by.tables {
		if of.Tables[k].Columns != t.columns {
			return nil, refuse("pairs", phrase.Of("columns %d and %d", of.Tables[k].Columns[0],
				of.Tables[k].Columns[1]), "columns %d and %d", t.columns[0], t.columns[1])
		}
		// H: living.md same-law
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
		// H: living.md same-law
		if was, is := of.Singles[i].StdDev, n.StdDev(); math.Abs(was-is) > 1e-9*is {
			return nil, refuse("stdDev", strconv.FormatFloat(was, 'g', -1, 64), "%v", is)
		}
		l.laws = append(l.laws, lawOf(n))
	}
	return l, nil
}

func lawOf(n noise) law {
	one := law{noise: n, stdDev: n.StdDev()}
	if m, is := n.(*mechanism.Laplace); is {
		one.half = m.Noise().Base().Log() / 2
		one.steep = math.Sinh(one.half)
		return one
	}
	one.atZero = one.theta(0)
	return one
}

// counts returns the counts of a table of pairs or, beyond these, of a column alone.
func (l *Living) counts(table int) []int64 {
	of := l.model.Measured
	if table < len(of.Tables) {
		return of.Tables[table].Counts
	}
	return of.Singles[table-len(of.Tables)].Counts
}

// Blank returns a release for this many persons without its counts.
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

// interval returns the interval of a number of persons.
func (l *Living) interval(ways []linear, beta float64) (low, high float64) {
	n := float64(l.model.Measured.Persons)
	best, t := l.narrowest(ways, beta)
	if math.IsInf(t, 1) {
		return 0, n
	}
	at := l.value(best)
	return min(max(at-t, 0), n), max(min(at+t, n), 0)
}

// each is the number of persons that a row stands for.
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

// counted returns the number of persons who meet conditions, according to the rows, with its
// interval.
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

// holding widens an interval so that it contains a number.
func (x Number) holding(value float64) Number {
	x.Value, x.Low, x.High = value, min(x.Low, value), max(x.High, value)
	return x
}

// event returns the interval of the number of persons who meet one condition, which tables ask for
// again and again.
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

// numbersOfTriple is how many numbers of persons enter the bounds on three events.
const numbersOfTriple = 6

// triple bounds the number of persons who meet three conditions, from the numbers of those who meet
// one and two of them.
func (l *Living) triple(where []Within, beta float64) (low, high float64, known Known) {
	n := float64(l.model.Measured.Persons)
	beta /= numbersOfTriple
	var one, two [3][2]float64 // two[i]: the persons who meet all but condition i
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

// Table counts the persons in each cell of a table of columns, the place of the last column
// changing fastest, among those who meet the conditions, which are about other columns.
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

// Mean returns the mean of a column of numbers among the persons who meet the conditions; ok is
// false where there is none. The persons of a place have numbers from firsts to lasts, NaN where
// they have none. Value takes each person's number as the middle, and the interval holds wherever
// they are.
func (l *Living) Mean(column int, firsts, lasts []float64, where []Within, beta float64) (m Number,
	ok bool) {
	values, binned := make([]float64, len(firsts)), false
	for place := range values {
		values[place] = firsts[place]/2 + lasts[place]/2
		binned = binned || firsts[place] < lasts[place]
	}
	if m, ok = l.mean(column, values, where, beta); !ok || !binned || m.Known == Unmeasured {
		return m, ok
	}
	least, _ := l.mean(column, firsts, where, beta)
	most, _ := l.mean(column, lasts, where, beta)
	m.Low, m.High = least.Low, most.High
	return m.holding(m.Value), true
}

// mean returns the mean of the values of a column's places, NaN for places without one.
func (l *Living) mean(column int, values []float64, where []Within, beta float64) (m Number,
	ok bool) {
	low, high := rangeOf(values)
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
		m.Low, m.High = l.between(low, high, beta, of, nil, 0)
	}
	return m.holding(sum / float64(rows)), true
}

// among returns a test of a column among the persons who meet at most one condition, or nil if none
// was measured.
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

// Quantile finds a quantile of a column whose places are in order, among the persons who meet the
// conditions: the first place with at least this part of them at or below it. has says which places
// have a value. at is the quantile's place in the rows, with the part of that place that is passed;
// the true one is between low and high.
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
	for low < last { // as long as fewer than the part are certainly at or below it
		if best, t := l.narrowest(of(float64(low)), beta); !(l.value(best) < -t) {
			break
		}
		low++
	}
	for high > first { // as long as the part is certainly below it
		if best, t := l.narrowest(of(float64(high-1)), beta); !(l.value(best) > t) {
			break
		}
		high--
	}
	return at, min(low, at), max(high, at), within, ByCounts, true
}

// Line is a line fitted by least squares.
type Line struct {
	Slope     Number
	Intercept float64
}

// Line fits y = intercept + slope·x to the values of the places of two columns, NaN for places
// without one; ok is false unless the made-up rows have two different values of x.
func (l *Living) Line(x, y int, xs, ys []float64, beta float64) (line Line, ok bool) {
	var n, sumX, sumY, sumXX, sumXY float64
	lowX, highX := rangeOf(xs)
	lowY, highY := rangeOf(ys)
	midX, midY := (lowX+highX)/2, (lowY+highY)/2
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
	line.Slope = l.slope(x, y, xs, ys, beta).holding(slope)
	return line, true
}

// slope returns a line's slope with its interval.
func (l *Living) slope(x, y int, xs, ys []float64, beta float64) Number {
	gap := math.Inf(1)
	for i, v := range xs {
		for _, w := range xs[:i] {
			if d := math.Abs(v - w); d > 0 { // NaN is not
				gap = min(gap, d)
			}
		}
	}
	lowY, highY := rangeOf(ys)
	steepest := (highY - lowY) / gap
	out := Number{Low: -steepest, High: steepest, Known: Unmeasured}
	const ofMean = 0.05 // part of beta for each of two means
	meanX, _ := l.mean(x, xs, []Within{{y, numbered(ys)}}, ofMean*beta)
	meanY, _ := l.mean(y, ys, []Within{{x, numbered(xs)}}, ofMean*beta)
	if meanX.Known != ByCounts || meanY.Known != ByCounts {
		return out
	}
	weigh := func(of func(u, v float64) float64) linear {
		way, _ := l.ofPair(x, y, anyWeights, func(i, j int) float64 {
			if math.IsNaN(xs[i]) || math.IsNaN(ys[j]) {
				return 0
			}
			return of(xs[i], ys[j])
		})
		return way
	}
	const rest = 1 - 2*ofMean
	most := func(x linear) float64 { return math.Abs(l.value(x)) + l.wide(x, part*rest*beta) }
	atX, halfX := (meanX.Low+meanX.High)/2, (meanX.High-meanX.Low)/2
	atY, halfY := (meanY.Low+meanY.High)/2, (meanY.High-meanY.Low)/2
	offX := most(weigh(func(u, _ float64) float64 { return u - atX }))
	all := most(weigh(func(_, _ float64) float64 { return 1 }))
	out.Known = ByCounts
	out.Low, out.High = l.between(-steepest, steepest, rest*beta, func(guess float64) []linear {
		return []linear{weigh(func(u, v float64) float64 {
			return (u - atX) * (v - atY - guess*(u-atX))
		})}
	}, func(guess float64) float64 {
		off := most(weigh(func(u, v float64) float64 { return v - atY - guess*(u-atX) }))
		offY := halfY + math.Abs(guess)*halfX
		return halfX*off + offY*offX + halfX*offY*all
	}, halfX*(2*offX+halfX*all))
	return out
}

// rangeOf returns the least and the greatest of some values, without NaN.
func rangeOf(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}

// numbered reports which places have a number.
func numbered(values []float64) []bool {
	is := make([]bool, len(values))
	for place, v := range values {
		is[place] = !math.IsNaN(v)
	}
	return is
}
