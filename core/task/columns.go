package task

import (
	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
	"hush/core/threshold"
)

// values returns a column in the form that the algorithms on rows read; nil where there is none, or
// where its texts are long.
func values(c *ask.Column) basic.Values {
	switch {
	case c == nil || c.Codes == nil:
		return nil
	case c.Counts != nil:
		return basic.WithCounts(c.Codes, c.Counts)
	}
	return c.Codes
}

// valuesOf returns several columns in that form.
func valuesOf(columns []*ask.Column) (list []basic.Values) {
	for _, c := range columns {
		list = append(list, values(c))
	}
	return list
}

// labels returns the names in a column of groups that are to be found.
func labels(c *ask.Column) basic.Labels[string] { return basic.TextLabels(c.Texts, c.Counts) }

// sorted returns the codes of a column in ascending order, one for each person who has a value.
func sorted(c *ask.Column, step coin.Step) (codes domain.Sorted, err error) {
	if c.Once != nil && *c.Once != nil {
		return *c.Once, nil
	}
	if codes, err = held(c).Sorted(step); err == nil && c.Once != nil {
		*c.Once = codes
	}
	return codes, err
}

// labelled returns the codes with the answers of their persons; a person without a code or without
// an answer is left out.
func labelled(c, outcome *ask.Column, step coin.Step) (threshold.Labelled, error) {
	return held(c).Labelled(values(outcome), step)
}

func held(c *ask.Column) threshold.Held {
	codes, _ := c.Codes.(*table.Column) // else there are texts
	return threshold.Held{Codes: codes, Texts: c.Texts, Counts: c.Counts}
}

// halves divides progress between two pieces of work, one after the other.
func halves(step coin.Step) (first, second coin.Step) {
	if step == nil {
		return nil, nil
	}
	const whole = 1000
	part := func(from int64) coin.Step {
		return func(done, total int64) error { return step(from+whole/2*done/max(total, 1), whole) }
	}
	return part(0), part(whole / 2)
}
