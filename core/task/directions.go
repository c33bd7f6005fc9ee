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
	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/selection"
)

const paramLeast = "least"

var directionsTask = ask.Task{
	ID:        "directions",
	Title:     "Main directions",
	Question:  "Along which mixtures of some columns do people differ most?",
	Sentence:  "Along which mixtures of {coordinate} do {many} differ most?",
	Heading:   "Main directions of {coordinate}",
	Synonyms:  "principal components, PCA, factors, dimensions, correlation",
	Answer:    "the mixtures of the columns, and how far people are spread along each",
	Algorithm: "principal components of sums of products with discrete Laplace noise",
	How: "Measures the middle of the people with noise, and adds up, with noise, the products of " +
		"every two columns as seen from there. These sums give the mixtures with the largest " +
		"spread. If the number of directions is to be found, the best of a random number of such " +
		"runs is released.",
	Simple: "The noisy sums of products are the simple mechanism: a fixed number of directions " +
		"needs nothing more, and is at least three times as accurate.",
	Source: "Dwork, Talwar, Thakurta, Zhang 2014; Liu, Talwar 2019",
	Limits: "Two directions of nearly the same spread can be mixed up. People more than half a " +
		"range from the middle count as exactly that far.",
	Judged: "Before release: the typical error of a spread against a quarter of the range. " +
		"After: each spread's error against that spread; rough at best if two may be mixed up.",
	Others: clustersTask.Others,
	Params: []ask.Param{
		{
			Name: paramFewest, Label: "Fewest directions", Kind: ask.Integer, Default: "1",
			Min: 1, Max: 8,
			Help:   "The same as the most: no number is looked for.",
			Effect: "To find their number, ε is divided by about six.",
		},
		{
			Name: paramMost, Label: "Most directions", Kind: ask.Integer, Default: "1", Min: 1,
			Max: 8, Help: "At most as many as columns.",
			Effect: "Each further one is a further row, at no cost where the fewest are the same.",
		},
		{
			Name: paramLeast, Label: "Least spread worth a direction, in % of the range",
			Kind: ask.Integer, Default: "10", Min: 0, Max: 50,
			Help:   "Where their number is to be found.",
			Effect: "More leaves out directions that say little.",
		},
	},
	Example: &ask.Example{Sample: "commute", Recipe: ask.Recipe{Others: []ask.Field{
		{Role: roleCoordinate, Column: 2, Label: "distance",
			Domain: domain.Spec{Kind: domain.Decimal, Lo: "0.0", Hi: "40.0", Step: "0.1"}},
		{Role: roleCoordinate, Column: 3, Label: "minutes",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "90"}},
	}}},
	Films:    []string{"laplace", "stopping"},
	Costs:    ask.Costs{"": "selection.Directions"},
	Exact:    exactSpreads,
	Unframed: "which mixtures are released depends on the data, and so does their number",
	Prepare:  prepareDirections,
}

type directions struct {
	directionsMade
	query *ask.Query
	law   *selection.Option // the law of the number of runs; nil: one run
}

func prepareDirections(q *ask.Query) (ask.Prepared, error) {
	fields, _ := q.Role(roleCoordinate)
	fewest, most := q.Integer(paramFewest), q.Integer(paramMost)
	switch {
	case most > int64(len(fields)):
		return nil, ask.Refuse(paramMost, fmt.Sprint(most),
			phrase.Of("at most as many as columns, %d", len(fields)))
	case most < fewest:
		return nil, ask.Refuse(paramMost, fmt.Sprint(most),
			phrase.Of("at least the fewest, %d", fewest))
	}
	if err := q.CheckPersons(1 << 38); err != nil { // sums of 2^20·8² for each stay below 2^62
		return nil, err
	}
	for i, f := range fields {
		if _, err := smallSize(f.Values); err != nil {
			return nil, ask.OtherFault(i, err)
		}
	}
	d := &directions{query: q}
	p := selection.ComponentsParams{Epsilon: q.Epsilon, Dimensions: len(fields), Side: clusterSide,
		Worth: selection.DirectionWorth(big.NewRat(q.Integer(paramLeast), 100), len(fields))}
	for k := fewest; k <= most; k++ {
		p.Ranks = append(p.Ranks, int(k))
	}
	var err error
	if len(p.Ranks) > 1 {
		if d.law, err = stopping(q, int64(len(p.Ranks)), selection.RunsPerTry); err != nil {
			return nil, err
		}
		p.Repetitions = d.law.Repetitions
	}
	d.directionsMade, err = ask.Remember(q, p, makeDirections)
	return d, err
}

// directionsMade is the mechanism with its errors, which take long to compute.
type directionsMade struct {
	mechanism  *selection.Directions
	off, usual float64 // errors of sums of squares in 95 of 100 runs, and in half of them
}

func makeDirections(p selection.ComponentsParams) (made directionsMade, err error) {
	if made.mechanism, err = selection.NewDirections(p); err == nil {
		made.off, made.usual = made.mechanism.EnergyError(basic.Beta),
			made.mechanism.EnergyError(0.5)
	}
	return made, err
}

func (d *directions) Loss() (privacy.Loss, error) { return d.mechanism.Loss(1) }

func (d *directions) Algorithm() string {
	name := d.query.Say.Text(directionsTask.Algorithm)
	if d.law == nil {
		return name
	}
	return d.query.Say.Format("%s; the best of a random number of runs (%s)", name, d.law.Rule)
}

// percentOfRange returns the standard deviation, in percent of a range, for a variance.
func percentOfRange(variance float64) float64 {
	return 100 * math.Sqrt(max(variance, 0)) / clusterSide
}

// offAt is the error of a spread of a quarter of the range if the sums of squares are off by energy
// and everybody has all values.
func (d *directions) offAt(energy float64) float64 {
	return percentOfRange(clusterSide*clusterSide/16+energy/float64(max(d.query.People, 1))) - 25
}

// Bound is not proven for the best of many runs, nor for a spread near 0.
func (d *directions) Bound() float64 { return math.Inf(1) }

func (d *directions) Unit() ask.Unit {
	return ask.Unit{Text: phrase.Of("% of the range, in a spread"), Of: ask.OfPercent}
}

// Typical is the error for a spread of a quarter of the range.
func (d *directions) Typical() (off float64, exact bool) { return d.offAt(d.usual), false }

func (d *directions) Forecast() []ask.Forecast {
	list := []ask.Forecast{{Label: d.query.Say.Text("Spread of a quarter of the range"),
		Value: "± " + phrase.AtMost(d.offAt(d.off)) + " %",
		Detail: d.query.Say.Text("in 95 of 100 runs, by the noise of the sums of squares, if " +
			"everybody has all values; of few people the noise of their middle adds to it")}}
	if d.law != nil {
		list = append(list, ask.Forecast{Label: d.query.Say.Text("Cost of trying"),
			Value:  d.query.Say.Format("%s × one run", timesOne(d.law, d.query.Epsilon)),
			Detail: d.query.Say.Phrase(d.law.Rule)})
	}
	return list
}

func (d *directions) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	fields, first := d.query.Role(roleCoordinate)
	p := positions{columns: valuesOf(data.Others[first : first+len(fields)])}
	for _, f := range fields {
		size, err := smallSize(f.Values)
		if err != nil {
			return nil, err // unreachable: it was checked
		}
		p.sizes = append(p.sizes, size)
	}
	found, err := d.mechanism.Release(src, p, d.query.People, step)
	if err != nil {
		return nil, err
	}
	out := &Estimates{Name: spreadName, Noun: d.query.Counted(), Along: true}
	energy, people, square := d.mechanism.Within(basic.Beta, found.Persons)
	fewest := max(float64(found.Persons)-people, 1)
	all := min(float64(found.Persons)+people, float64(max(d.query.People, 1)))
	most := float64(len(fields)) * clusterSide * clusterSide / 4 // half of all people at each end
	for i, v := range found.Variance {
		row := Estimate{Group: d.mixture(fields, found.Vectors[i]), number: interval{digits: 1}}
		sum := v * float64(found.Persons)
		low := percentOfRange(min((sum-energy)/all-square, v, most))
		high := percentOfRange(min(max((sum+energy)/fewest, v), most))
		row.Value, row.number.value = printed("%.1f", percentOfRange(min(v, most)))
		row.Low, row.number.low = printed("%.1f", math.Floor(10*low)/10)
		row.High, row.number.high = printed("%.1f", math.Ceil(10*high)/10)
		out.Rows = append(out.Rows, row)
	}
	return out, nil
}

// mixture writes a direction as "0.83 distance + 0.55 minutes": the largest part first, and without
// parts that round to nothing.
func (d *directions) mixture(fields []ask.Other, vector []int64) string {
	var text strings.Builder
	for i, x := range vector {
		part := fmt.Sprintf("%.2f", math.Abs(float64(x))/selection.ComponentUnit)
		switch {
		case part == "0.00":
			continue
		case x < 0:
			text.WriteString(" − ")
		case text.Len() > 0:
			text.WriteString(" + ")
		}
		text.WriteString(part + " " + fields[i].Name(d.query.Say))
	}
	return strings.TrimSpace(text.String())
}

func (d *directions) State(result ask.Result) string {
	rows := result.(*Estimates).Rows
	// one number bounds the errors of all spreads, so that their intervals hold at once
	if len(rows) < 2 || rows[0].number.low <= rows[1].number.high {
		return d.query.Say.Format("Along %s, each column in parts of its range, the spread of "+
			"the %s is about %s %% of the range (%s to %s %% in 95 of 100 runs).",
			rows[0].Group,
			d.query.Many(), rows[0].Value, rows[0].Low, rows[0].High)
	}
	return d.query.Say.Format("The %s differ most along %s, each column in parts of its range. "+
		"Their spread is about %s %% of the range (%s to %s %% in 95 of 100 runs).",
		d.query.Many(), rows[0].Group, rows[0].Value, rows[0].Low, rows[0].High)
}

// Judge compares the typical error of a spread with a quarter of the range and, after the release,
// each spread with its error. Directions whose intervals overlap may be in the wrong order.
func (d *directions) Judge(r ask.Result) ask.Verdict {
	show := func(x float64) string { return phrase.Prose(x) + " %" }
	if r == nil {
		return d.query.Because(ask.Typically(d.offAt(d.usual), 25).Verdict(), show,
			"a quarter of the range")
	}
	rows := r.(*Estimates).Rows
	var list []ask.Against
	for _, row := range rows {
		list = append(list, ask.Within(row.number.off(), row.number.value))
	}
	v := ask.OfMany(list)
	for i := range len(rows) - 1 {
		if rows[i].number.low <= rows[i+1].number.high {
			for _, k := range []int{i, i + 1} {
				if v.Cells[k] == ask.Good {
					v.Cells[k] = ask.Rough
				}
			}
		}
	}
	return d.query.Because(v, show, againstIts)
}

// exactSpreads compares the spread along each released mixture with that of the people along it,
// and the first one with the spread of each column, none of which exceeds it.
func exactSpreads(r ask.Recipe, answer ask.Result, people []ask.Person) (list []ask.Miss) {
	d := len(r.Others)
	var sizes []float64
	for _, o := range r.Others {
		values, err := domain.New(o.Domain)
		if err != nil {
			return nil // unreachable: the column is in the recipe
		}
		size, _ := new(big.Float).SetInt(values.Size()).Float64()
		sizes = append(sizes, size)
	}
	var places [][]float64 // the people with all values, in parts of each range
	middle := make([]float64, d)
	for _, p := range people {
		if slices.Min(p.Others) < 0 {
			continue
		}
		at := make([]float64, d)
		for i, code := range p.Others {
			at[i] = float64(code) / sizes[i]
		}
		for range p.Times {
			places = append(places, at)
			for i, x := range at {
				middle[i] += x
			}
		}
	}
	if len(places) < 100 {
		return nil
	}
	spread := func(weights []float64) float64 { // around the middle, no further than half a range
		sum := 0.0
		for _, at := range places {
			along := 0.0
			for i, x := range at {
				along += weights[i] * min(max(x-middle[i]/float64(len(places)), -0.5), 0.5)
			}
			sum += along * along
		}
		return 100 * math.Sqrt(sum/float64(len(places)))
	}
	for k, row := range answer.(*Estimates).Rows {
		weights := make([]float64, d)
		sign, parts := 1.0, strings.Fields(row.Group)
		for i := 0; i < len(parts); i++ {
			switch parts[i] {
			case "−":
				sign = -1
			case "+":
				sign = 1
			default:
				of := slices.IndexFunc(r.Others, func(o ask.Field) bool {
					return i+1 < len(parts) && o.Label == parts[i+1]
				})
				if of < 0 {
					return list // a name of several words
				}
				weights[of] = sign * decimal(parts[i])
				i++
			}
		}
		value, low := decimal(row.Value), decimal(row.Low)
		most := 2*(value-low) + 1 // weights have two digits
		list = append(list, miss(row.Group, value-spread(weights), most))
		for i := range d {
			one := make([]float64, d)
			if one[i] = 1; k == 0 {
				list = append(list, miss(r.Others[i].Label, max(spread(one)-value, 0), most))
			}
		}
	}
	return list
}
