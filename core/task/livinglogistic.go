package task

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/joint"
	"hush/core/message"
	"hush/core/phrase"
)

// predictors returns the columns by which an answer is predicted, and the names of those in bins.
func (t *LivingTable) predictors(columns []int) (list []joint.Predictor, bins []string, err error) {
	coefficients := 0
	for _, column := range columns {
		p := joint.Predictor{Column: column, Numbers: t.Numbers(column),
			Values: make([]float64, len(t.Axes[column].Places))}
		if p.Numbers {
			coefficients++
			if p.Values, err = t.middles(column); err != nil {
				return nil, nil, err
			}
			if t.halfBin(column) > 0 {
				bins = append(bins, t.Axes[column].Column)
			}
		} else {
			coefficients += len(p.Values)
			p.Values[len(p.Values)-1] = math.NaN()
		}
		list = append(list, p)
	}
	if coefficients > mostCoefficients {
		return nil, nil, ask.Refuse("columns", phrase.Of("%d coefficients", coefficients),
			phrase.Of("at most %d: fewer columns, or those with fewer places", mostCoefficients))
	}
	return list, bins, nil
}

// logistic answers how the odds of a place of a column change with other columns.
func (t *LivingTable) logistic(a *LivingAnswer, q LivingQuestion, where []joint.Within) error {
	column, has := q.Columns[0], t.valued(q.Columns[0])
	if q.Place < 0 || q.Place >= len(has) || !has[q.Place] {
		return ask.Refuse("place", strconv.Itoa(q.Place+1), phrase.Of("a value of the column"))
	}
	by, bins, err := t.predictors(q.Columns[1:])
	if err != nil {
		return err
	}
	is := t.within(LivingCondition{column, q.Place})
	fit, err := t.of.Logistic(is, has, by, where, livingBeta)
	if err != nil {
		return t.unfit(err, is)
	}
	answer := t.label(column, q.Place)
	a.Title = t.say.Text("coefficient (log odds)")
	a.Names = []string{t.say.Text("column"), t.say.Text("step")}
	intercept := coefficientRow(joint.Number{Value: fit.Intercept, Known: joint.Unmeasured})
	intercept.Places, intercept.Apart = []string{t.say.Text("intercept")}, true
	a.Rows = []LivingRow{intercept}
	for i, c := range fit.Coefficients {
		row := coefficientRow(c.Number)
		row.Places = []string{withUnit(t.Axes[c.Column]), t.say.Text("1 more")}
		odds := coefficientRow(joint.Number{Value: math.Exp(c.Value), Low: math.Exp(c.Low),
			High: math.Exp(c.High), Known: c.Known})
		says := ""
		if c.Place >= 0 {
			places := t.Axes[c.Column].Places
			row.Places[1] = t.say.Format("%s, not %s", places[c.Place].Label,
				places[c.Against].Label)
			says = t.say.Format("Among %s with %s the odds of %s are about %s times those with "+
				"%s%s.", t.say.Many(), t.label(c.Column, c.Place), answer, odds.Value,
				t.label(c.Column, c.Against), t.range95(odds))
		} else {
			says = t.say.Format("Where %s is higher by 1, the odds of %s are about %s times as "+
				"high%s.", t.Axes[c.Column].Column, answer, odds.Value, t.range95(odds))
		}
		if i == 0 {
			a.Sentence = says
		}
		a.Rows = append(a.Rows, row)
	}
	var notes []string
	if len(by) > 1 {
		notes = append(notes, t.say.Text("The other columns stay the same."))
	}
	if n := t.Release.Answer.Result.(*Joint).Model.Measured.Persons; len(q.Where) == 0 &&
		math.Round(fit.Persons) < float64(n) {
		notes = append(notes, t.say.Format("Fitted to the %s of %s with a value in each column.",
			message.Grouped(int64(math.Round(fit.Persons))), message.Grouped(int64(n))))
	}
	if len(bins) > 0 {
		notes = append(notes, t.say.Format("Each person counts as the middle of a bin of %s.",
			strings.Join(bins, ", ")))
	}
	a.Note = strings.Join(notes, " ")
	return nil
}

// unfit explains why there are no coefficients.
func (t *LivingTable) unfit(err error, is joint.Within) error {
	var unfit *joint.UnfitError
	if !errors.As(err, &unfit) {
		return err
	}
	switch of := unfit.Column; {
	case unfit.Flaw == joint.OneAnswer:
		return ask.Refuse("place", t.Axes[is.Column].Column,
			phrase.Of("a value that some of the made-up rows have, and others do not"))
	case unfit.Flaw == joint.OneValue:
		return ask.Refuse("columns", t.Axes[of].Column, phrase.Of("a column of several values"))
	case unfit.Flaw == joint.Dependent:
		return ask.Refuse("columns", phrase.Of("columns that follow from each other"),
			phrase.Of("fewer columns"))
	case unfit.Place >= 0:
		return ask.Refuse("columns", t.label(of, unfit.Place), phrase.Of("a column without it: "+
			"all of its made-up rows have the same answer, so its coefficient has no end"))
	}
	return ask.Refuse("columns", phrase.Of("columns that decide the answer"),
		phrase.Of("fewer columns: with these a coefficient has no end"))
}

// coefficientRow writes a number with three significant digits.
func coefficientRow(n joint.Number) LivingRow {
	digits := 2
	if size := math.Abs(n.Value); size > 0 {
		digits = min(max(2, 2-int(math.Floor(math.Log10(size)))), 9)
	}
	return rowOf(n, digits)
}
