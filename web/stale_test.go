package web

import (
	"slices"
	"testing"

	"hush/core/prove"
	"hush/core/table"
)

// TestWhatIsGone: a field or a button that is on the screen yet, of something that is gone, changes nothing and breaks nothing.
func TestWhatIsGone(t *testing.T) {
	m, f := asked(t)
	before := encode(m.Question)
	for name, act := range map[string]func(){
		"a lesson":                       func() { m.ChangeLesson(func(l *Learn) { l.Params["width"] = "5" }) },
		"a comparison of algorithms":     m.CompareAlgorithms,
		"a further column":               func() { m.Edit("", func(q *Question) { q.form(3).Lo = "7" }) },
		"a further column's name":        func() { m.Edit("", func(q *Question) { q.other(3).Label = "x" }) },
		"a further column to be removed": func() { m.Edit("", func(q *Question) { q.Others = without(q.Others, 2) }) },
		"a condition to be removed":      func() { m.Edit("", func(q *Question) { q.Filter = without(q.Filter, 0) }) },
		"a price for a wish":             func() { m.Forecast = Forecast{}; m.GrantWish() },
	} {
		act()
		f.settle()
		if after := encode(m.Question); after != before {
			t.Errorf("%s: the question became %s", name, after)
		}
	}
	m.Forget()
	m.Confirm()
	m.Reread(func(o *table.Options) { o.Header = table.No })
	f.settle()
	if m.Data.Phase != DataNone || m.Data.Confirmed {
		t.Errorf("a closed file came back: %+v", m.Data)
	}

	m, _ = proving(t, ViewProof.Path())
	for _, d := range prove.Catalogue() {
		m.ChooseProof(d.ID)
		usual := m.Proof.Request
		m.EditProof(func(r *prove.Request) { r.Values = d.Domain.Most + 1 })
		m.EditProof(func(r *prove.Request) { r.Bug = "none of its own" })
		m.FromProof(slices.Repeat([]int{d.Domain.Most}, d.Persons.Most+1))
		if encode(m.Proof.Request) != encode(usual) {
			t.Errorf("%s: the request became %+v", d.ID, m.Proof.Request)
		}
	}
}
