package state_test

import (
	"slices"
	"testing"

	"hush/core/codebook"
	"hush/core/prove"
	"hush/core/table"
	"hush/web/engine"
	"hush/web/state/asking"
	"hush/web/state/dataset"
	"hush/web/state/form"
	"hush/web/state/lesson"
	"hush/web/state/place"
	"hush/web/webtest"
)

// TestWhatIsGone: a field or a button that is on the screen yet, of something that is gone, changes
// nothing and breaks nothing.
func TestWhatIsGone(t *testing.T) {
	m, f := webtest.Asked(t)
	before := engine.Encode(m.Question.Form)
	for name, act := range map[string]func(){
		"a lesson": func() {
			m.Learn.Change(func(l *lesson.Lesson) { l.Params["width"] = "5" })
		},
		"a comparison of algorithms": m.Learn.CompareAlgorithms,
		"a further column": func() {
			m.Question.Edit("", func(q *form.Question) { q.Other(3).Cuts = "7" })
		},
		"a description": func() {
			m.Codebook.EditColumn(func(c *form.ColumnForm) { c.Lo = "7" })
			m.Codebook.DescribeAs(codebook.Errors)
		},
		"a column": func() { m.Codebook.Describe(300); m.Codebook.Undescribe(300) },
		"a further column to be removed": func() {
			m.Question.Edit("", func(q *form.Question) { q.Others = form.Without(q.Others, 2) })
		},
		"a condition to be removed": func() {
			m.Question.Edit("", func(q *form.Question) { q.Filter = form.Without(q.Filter, 0) })
		},
		"a price for a wish": func() {
			m.Forecast.Estimate = asking.Estimate{}
			m.Wish.Grant(m.Forecast.Plan)
		},
	} {
		act()
		f.Settle()
		if after := engine.Encode(m.Question.Form); after != before {
			t.Errorf("%s: the question became %s", name, after)
		}
	}
	m.Forget()
	webtest.Confirm(m)
	m.Data.Reread(func(o *table.Options) { o.Header = table.No })
	f.Settle()
	if m.Data.Phase != dataset.None || m.Data.Confirmed {
		t.Errorf("a closed file came back: %+v", m.Data.File)
	}

	m, _ = webtest.Proving(t, place.ViewProof.Path())
	for _, d := range prove.Catalogue() {
		m.Proof.Choose(d.ID)
		usual := m.Proof.Request
		m.Proof.Edit(func(r *prove.Request) { r.Values = d.Domain.Most + 1 })
		m.Proof.Edit(func(r *prove.Request) { r.Bug = "none of its own" })
		m.Proof.From(slices.Repeat([]int{d.Domain.Most}, d.Persons.Most+1))
		if engine.Encode(m.Proof.Request) != engine.Encode(usual) {
			t.Errorf("%s: the request became %+v", d.ID, m.Proof.Request)
		}
	}
}
