package figures

import (
	"hush/core/ask"
	"hush/web/state/edit"
	"hush/web/state/form"
)

// Proposal is a question that the codebook suggests for the page.
type Proposal struct {
	Recipe ask.Recipe
	Task   *ask.Task
}

// mostProposed is the largest number of questions proposed.
const mostProposed = 24

// Proposals returns questions that the described columns allow, and that are not on the page: for
// each column, but that of persons, the spread of its values, then medians, means by group, and
// tables of two columns.
func (f *Figures) Proposals() (list []Proposal) {
	was := f.Question.Form
	defer func() { f.Question.Form = was }()
	asked := f.Page.Asked()
	var columns []int
	for _, c := range f.Codebook.Columns() {
		if f.Codebook.IsDescribed(c.Number) && f.Codebook.Rows.Person() != c.Number {
			columns = append(columns, c.Number)
		}
	}
	propose := func(task string, column, group int, by ...int) {
		f.Question.Form = form.NewQuestion()
		f.Question.Form.Task, f.Question.Form.Table = task, was.Table
		f.Question.Form.Column, f.Question.Form.Group = column, group
		t := f.Question.Task()
		f.Question.Form.Fit(t)
		for i, other := range by {
			if i >= len(f.Question.Form.Others) {
				f.Question.Form.AddField(t, t.Others[0])
			}
			f.Question.Form.Others[i].Choose(other)
		}
		if len(list) == mostProposed || f.Question.Missing() != "" {
			return
		}
		if r := f.Question.Recipe(); asked[edit.Key(r)] == nil {
			list = append(list, Proposal{r, t})
		}
	}
	listed := func(column int) bool { return len(f.Codebook.Listed(column)) > 1 }
	for _, c := range columns {
		if listed(c) {
			propose("table", 0, 0, c)
		} else {
			propose("histogram", c, 0)
		}
	}
	for _, c := range columns {
		propose("median", c, 0)
	}
	for _, c := range columns {
		for _, group := range columns {
			if listed(group) && !listed(c) {
				propose("mean", c, group)
			}
		}
	}
	for i, c := range columns {
		for _, other := range columns[i+1:] {
			if listed(c) && listed(other) {
				propose("table", 0, 0, c, other)
			}
		}
	}
	return list
}
