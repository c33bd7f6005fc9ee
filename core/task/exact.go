package task

import (
	"math"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/domain"
)

// Exact answers, counted one person after another: see ask.Exact.

// miss is a number and its error.
func miss(of string, off, most float64) ask.Miss {
	return ask.Miss{Of: of, Off: math.Abs(off), Most: most}
}

// exactly compares the numbers of an answer with the exact number of each group.
func (f figure) exactly(_ ask.Recipe, answer ask.Result, people []ask.Person) (list []ask.Miss) {
	for _, row := range answer.(*Estimates).Rows {
		var group []ask.Person
		for _, p := range people {
			if row.Group == "" || p.Group == row.Group {
				group = append(group, p)
			}
		}
		value, low, high := decimal(row.Value), decimal(row.Low), decimal(row.High)
		if want := f.exact(group); !math.IsNaN(want) { // NaN for nobody
			list = append(list, miss(row.Group, value-want, 2*(high-low)+1e-6*math.Abs(want)))
		}
	}
	return list
}

// exactSums counts the people who have a value, and sums their values and squares.
func exactSums(people []ask.Person) (n, sum, squares float64) {
	for _, p := range people {
		if t := float64(p.Times); p.Main >= 0 {
			n, sum, squares = n+t, sum+t*p.Value, squares+t*p.Value*p.Value
		}
	}
	return n, sum, squares
}

// exactCount counts the people who meet a condition.
func exactCount(people []ask.Person, meets func(ask.Person) bool) (n float64) {
	for _, p := range people {
		if meets(p) {
			n += float64(p.Times)
		}
	}
	return n
}

// misplaced counts the people in excess on one side of a value that should have a part of all below
// it.
func misplaced(people []ask.Person, code int64, part float64) float64 {
	n := exactCount(people, ask.Person.Valued)
	below := exactCount(people, func(p ask.Person) bool { return p.Valued() && p.Main < code })
	above := exactCount(people, func(p ask.Person) bool { return p.Main > code })
	return max(below-part*n, above-(1-part)*n, 0)
}

// exactCode returns a value's code in the main column; −1 where the column has no codes.
func exactCode(r ask.Recipe, value string) int64 {
	d, err := domain.New(r.Domain.Plain())
	if err != nil {
		return -1
	}
	code, _ := d.Encode([]byte(value))
	return int64(code)
}

// exactPlace returns the place of a code on an axis: its category, or the last bin that begins at
// or below it; −1 for none.
func exactPlace(a Axis, spec domain.Spec, code int64) (place int) {
	if code < 0 || !a.Bins() {
		return int(code)
	}
	d, err := domain.New(spec.Plain())
	if err != nil {
		return -1
	}
	for i, p := range a.Places {
		if from, ok := d.Encode([]byte(p.From)); ok && int64(from) <= code {
			place = i
		}
	}
	return place
}

// decimal reads a number of an answer; anything else is 0.
func decimal(text string) float64 {
	x, _ := strconv.ParseFloat(text, 64)
	return x
}

// partOf reads a number before a percent sign, as a part of 1.
func partOf(percent string) float64 { return decimal(strings.TrimSuffix(percent, " %")) / 100 }
