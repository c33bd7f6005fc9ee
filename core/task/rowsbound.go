package task

import (
	"math"
	"strconv"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/privacy"
	"hush/core/table"
)

// MostRows is the largest bound on the rows of each person that RowsBound chooses: the grid is
// every whole number from 1 to it, public.
const MostRows = 100

// RowsBound is the question that chooses k, the most rows of each person that count (table.Use),
// privately: the smallest of all people's numbers of rows but about [RowsAbove] of them. base says
// how the file is read and who the persons are, and its ε is the price of the choice. The answer is
// a release like any other; [ChosenRows] reads k from it.
//
// Its guarantee is that of the quantile question by the exponential mechanism, of one value
// for each person: the number of that person's rows, as a number of the grid. The number of persons
// with more than k rows moves by at most 1 when all rows of one person are replaced, so that no
// person's number of rows matters more than another's. "Rows dropped" is no such score. See use.md
// of core/table, "Choosing k", and quantiles.md of core/basic. What follows from k, a public number
// from then on, costs nothing more.
//
// # Cost and accuracy
//
// In 95 of 100 releases the number of persons with more than k rows is off by no more than the
// rank error that the plan states.
func RowsBound(base ask.Recipe, persons int64) ask.Recipe {
	return ask.Recipe{
		Version: base.Version, Task: quantilesTask.ID, Table: base.Table, Epsilon: base.Epsilon,
		Person: base.Person, Column: base.Person, Label: base.Label, Unit: base.Unit,
		Data: base.Data, Source: base.Source, Noun: base.Noun,
		Domain: domain.Spec{Kind: domain.Integer, Lo: "1", Hi: strconv.Itoa(MostRows)},
		Use:    &table.Use{Values: []table.Value{{Column: base.Person, Of: table.Number}}},
		Params: ask.Params{paramAlgorithm: splits,
			paramTargets: percentBelow(RowsAbove(base.Epsilon, persons), persons)},
	}
}

// RowsAbove is how many of the persons have more rows than RowsBound's choice, about: τ of use.md.
// It depends on the price and on the number of persons alone, so that hardly any number of the grid
// is chosen that nobody exceeds, of which there may be many: the exponent of a score is ε/4 for
// each person, and the best number of the grid has a weight of about 4/(ε·n) at least, so that τ
// is (4/ε)·ln(20·MostRows·max(1, n·ε/4)). It is never more than half of the persons.
func RowsAbove(epsilon string, persons int64) int64 {
	e, err := privacy.ParseEpsilon(epsilon)
	if err != nil {
		return persons / 2 // the question is refused for its ε
	}
	rate, _ := e.Rat().Float64()
	needed := 4 / rate * math.Log(20*MostRows*max(1, float64(persons)*rate/4))
	return min(int64(min(math.Ceil(needed), 1<<53)), max(persons/2, 0))
}

// percentBelow is how many of the persons are not among the last, in percent, to four digits behind
// the point.
func percentBelow(last, persons int64) string {
	percent := 100 * (1 - float64(last)/float64(max(persons, 1)))
	return strconv.FormatFloat(min(max(percent, 50), 99.9999), 'f', 4, 64)
}

// ChosenRows is the k of a release of RowsBound's question; false where it is none.
func ChosenRows(r *Release) (k int, ok bool) {
	q, is := r.Answer.Result.(*Quantiles)
	if !is || len(q.Rows) != 1 {
		return 0, false
	}
	k, err := strconv.Atoi(q.Rows[0].Value)
	return k, err == nil
}
