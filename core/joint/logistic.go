package joint

import (
	"fmt"
	"math"
)

// Predictor is a column by which a logistic regression predicts a yes: with Numbers, by the values
// of its places, otherwise by the places, each compared with the first. Values are NaN for places
// without a value; people there are left out.
type Predictor struct {
	Column  int
	Numbers bool
	Values  []float64
}

// Coefficient is the increase in the logarithm of the odds: where Place is below 0, for each unit
// of a column of numbers, otherwise for one place compared with another.
type Coefficient struct {
	Number
	Column, Place, Against int
}

// Logistic is a logistic regression on Persons of the made-up rows.
type Logistic struct {
	Intercept    float64
	Coefficients []Coefficient
	Persons      float64
}

// Flaw is the reason why made-up rows have no logistic regression.
type Flaw string

// The reasons why coefficients cannot be found.
const (
	OneAnswer Flaw = "answer"    // all have a yes, or all a no
	OneValue  Flaw = "value"     // all have the same value of Column
	Dependent Flaw = "dependent" // a column follows from the others
	Separated Flaw = "separated" // the columns determine the answer: a coefficient is unbounded
)

// UnfitError says that a logistic regression has no coefficients.
type UnfitError struct {
	Flaw          Flaw
	Column, Place int // of the flaw; below 0: no particular one
}

func (e *UnfitError) Error() string {
	return fmt.Sprintf("joint: no coefficients (%s), column %d, place %d", e.Flaw, e.Column,
		e.Place)
}

// Logistic learns how the odds of an answer depend on other columns, from the made-up rows that
// meet the conditions and have a value in each column: it maximises the likelihood, as
// post-processing. has says which places of the answer's column have a value. For a single column
// of places the coefficients are measured, by the counts of a pair; all others only follow from
// pairs.
//
// # Errors
//
// *UnfitError where the rows have no such coefficients.
func (l *Living) Logistic(yes Within, has []bool, by []Predictor, where []Within,
	beta float64) (*Logistic, error) {
	var rows [][]uint8
	answers := 0
next:
	for row := range l.model.Rows() {
		places := l.model.Row(row)
		if !has[places[yes.Column]] || !meets(places, where) {
			continue
		}
		for _, p := range by {
			if math.IsNaN(p.Values[places[p.Column]]) {
				continue next
			}
		}
		rows = append(rows, places)
		if yes.Places[places[yes.Column]] {
			answers++
		}
	}
	if answers == 0 || answers == len(rows) {
		return nil, &UnfitError{OneAnswer, yes.Column, -1}
	}
	out := &Logistic{Persons: l.each() * float64(len(rows))}
	middles, widths := []float64{0}, []float64{1}
	entries := make([][]int, len(by)) // the places in each column; 0: the first one
	for k, p := range by {
		if p.Numbers {
			middle, width := spread(rows, p)
			if width == 0 {
				return nil, &UnfitError{OneValue, p.Column, -1}
			}
			entries[k] = []int{len(middles)}
			middles, widths = append(middles, middle), append(widths, width)
			out.Coefficients = append(out.Coefficients, Coefficient{Column: p.Column, Place: -1,
				Against: -1})
			continue
		}
		first := -1
		entries[k] = make([]int, len(p.Values))
		for place, counts := range answersOf(rows, p, yes) {
			switch {
			case counts[0]+counts[1] == 0:
			case counts[0] == 0 || counts[1] == 0:
				return nil, &UnfitError{Separated, p.Column, place}
			case first < 0:
				first = place
			default:
				entries[k][place] = len(middles)
				middles, widths = append(middles, 0), append(widths, 1)
				out.Coefficients = append(out.Coefficients, Coefficient{Column: p.Column,
					Place: place, Against: first})
			}
		}
		if out.Coefficients == nil || out.Coefficients[len(out.Coefficients)-1].Column != p.Column {
			return nil, &UnfitError{OneValue, p.Column, -1}
		}
	}
	at, x := make([]int, 0, 1+len(by)), make([]float64, 0, 1+len(by))
	weights, flaw := likeliest(len(middles), 0, len(rows), func(row int) ([]int, []float64, bool) {
		at, x = append(at[:0], 0), append(x[:0], 1)
		for k, p := range by {
			place := rows[row][p.Column]
			if p.Numbers {
				entry := entries[k][0]
				at = append(at, entry)
				x = append(x, (p.Values[place]-middles[entry])/widths[entry])
			} else if entry := entries[k][place]; entry > 0 {
				at, x = append(at, entry), append(x, 1)
			}
		}
		return at, x, yes.Places[rows[row][yes.Column]]
	})
	if flaw != "" {
		return nil, &UnfitError{flaw, -1, -1}
	}
	out.Intercept = weights[0]
	for i := range out.Coefficients {
		c := &out.Coefficients[i]
		value := weights[i+1] / widths[i+1]
		out.Intercept -= value * middles[i+1]
		c.Number = Number{value, math.Inf(-1), math.Inf(1), Unmeasured}
		if len(by) == 1 && len(where) == 0 && c.Against == 0 {
			c.Number = l.oddsRatio(yes, has, *c, beta).holding(value)
		}
	}
	return out, nil
}

// oddsRatio adds the interval of the logarithm of the odds of one place divided by those of
// another, from the parts of a yes in each: living.md.
func (l *Living) oddsRatio(yes Within, has []bool, c Coefficient, beta float64) Number {
	low, high := [2]float64{}, [2]float64{}
	for k, place := range []int{c.Place, c.Against} {
		in := Within{c.Column, make([]bool, l.model.Measured.Sizes[c.Column])}
		in.Places[place] = true
		of := l.among(yes.Column, []Within{in}, func(guess float64, place int) float64 {
			if !has[place] {
				return 0
			}
			return one(yes.Places[place]) - guess
		})
		if of == nil {
			return Number{Low: math.Inf(-1), High: math.Inf(1), Known: Unmeasured}
		}
		from, to := l.between(0, 1, beta/2, of, nil, 0)
		low[k], high[k] = math.Log(from/(1-from)), math.Log(to/(1-to))
	}
	out := Number{Low: low[0] - high[1], High: high[0] - low[1], Known: ByCounts}
	if math.IsNaN(out.Low) { // ∞ − ∞
		out.Low = math.Inf(-1)
	}
	if math.IsNaN(out.High) {
		out.High = math.Inf(1)
	}
	return out
}

// spread returns the mean of a column of numbers and its standard deviation, 0 if all are the same.
func spread(rows [][]uint8, p Predictor) (mean, width float64) {
	n := float64(len(rows))
	least, most := math.Inf(1), math.Inf(-1)
	for _, places := range rows {
		v := p.Values[places[p.Column]]
		mean += v / n
		least, most = min(least, v), max(most, v)
	}
	if least == most {
		return mean, 0
	}
	for _, places := range rows {
		d := p.Values[places[p.Column]] - mean
		width += d * d / n
	}
	return mean, math.Sqrt(width)
}

// answersOf counts the rows with a no and with a yes in each place of a column.
func answersOf(rows [][]uint8, p Predictor, yes Within) [][2]int {
	counts := make([][2]int, len(p.Values))
	for _, places := range rows {
		k := 0
		if yes.Places[places[yes.Column]] {
			k = 1
		}
		counts[places[p.Column]][k]++
	}
	return counts
}

// Limits of Newton's method, for columns of about unit width. Where columns determine the answer,
// every step adds about 1 to a weight.
const (
	mostSteps   = 40
	settledStep = 1e-8
	leastPivot  = 1e-10 // of a diagonal element, before elimination
)

// likeliest returns the weights w with the greatest likelihood of the rows, minus ridge/2·|w|². A
// row has nonzero entries, and a yes with odds e^(w·x). Newton's method halves a step that loses.
func likeliest(size int, ridge float64, rows int,
	row func(row int) (at []int, x []float64, yes bool)) (w []float64, flaw Flaw) {
	w, last := make([]float64, size), make([]float64, size)
	step := make([]float64, size)
	most, halved := math.Inf(-1), 0
	for range mostSteps {
		likelihood, slope, bend := 0.0, make([]float64, size), make([][]float64, size)
		for i := range bend {
			bend[i] = make([]float64, size)
			bend[i][i], slope[i] = ridge, -ridge*w[i]
			likelihood -= ridge / 2 * w[i] * w[i]
		}
		for k := range rows {
			at, x, yes := row(k)
			z := 0.0
			for i, entry := range at {
				z += w[entry] * x[i]
			}
			p := 1 / (1 + math.Exp(-z))
			off := one(yes) - p
			if !yes {
				z = -z
			}
			likelihood -= max(-z, 0) + math.Log1p(math.Exp(-math.Abs(z)))
			for i, entry := range at {
				slope[entry] += off * x[i]
				for j, other := range at {
					bend[entry][other] += p * (1 - p) * x[i] * x[j]
				}
			}
		}
		if likelihood < most-1e-12*math.Abs(most) && halved < 20 {
			halved++
			for i := range w {
				step[i] /= 2
				w[i] = last[i] + step[i]
			}
			continue
		}
		var ok bool
		if step, ok = solved(bend, slope); !ok {
			if math.IsInf(most, -1) { // at equal odds: from the columns alone
				return nil, Dependent
			}
			return nil, Separated
		}
		most, halved = likelihood, 0
		widest := 0.0
		copy(last, w)
		for i, d := range step {
			w[i] += d
			widest = max(widest, math.Abs(d))
		}
		if widest < settledStep {
			return w, ""
		}
	}
	return nil, Separated
}

// solved returns x with a·x = b for a positive definite a; both are overwritten. ok is false where
// a is singular, up to rounding.
func solved(a [][]float64, b []float64) (x []float64, ok bool) {
	whole := make([]float64, len(b))
	for i := range b {
		whole[i] = a[i][i]
	}
	for i := range b {
		if !(a[i][i] > leastPivot*whole[i]) {
			return nil, false
		}
		for j := i + 1; j < len(b); j++ {
			f := a[j][i] / a[i][i]
			if f == 0 {
				continue
			}
			for k := i; k < len(b); k++ {
				a[j][k] -= f * a[i][k]
			}
			b[j] -= f * b[i]
		}
	}
	for i := len(b) - 1; i >= 0; i-- {
		for k := i + 1; k < len(b); k++ {
			b[i] -= a[i][k] * b[k]
		}
		b[i] /= a[i][i]
	}
	return b, true
}
