package task

import (
	"slices"

	"hush/core/ask"
	"hush/core/mechanism"
	"hush/core/phrase"
	queries "hush/core/query"
)

// tablesDrawn draws several tables. Tables by residuals can be topped up: the residuals are drawn
// once more and averaged, and the tables are computed and fitted again (residuals.md of
// core/query).
type tablesDrawn struct {
	method queries.Conjunctive
	drawn  []mechanism.Draw // the last run's, and the draws that it is averaged with
	given  []int64          // the next run answers from these; nil: it draws
}

// residuals returns the mechanism that draws them, or nil if the tables are made another way.
func (t *tablesDrawn) residuals() *queries.Residuals {
	m, _ := t.method.(*queries.Residuals)
	return m
}

// Raw implements ask.Refining.
func (t *tablesDrawn) Raw() (head ask.Head, ok bool) {
	head.Draws = drawsOf(t.drawn)
	return head, len(t.drawn) > 0 && mechanism.CheckTopUp(t.drawn[len(t.drawn)-1].Sums) == nil
}

// Refine implements ask.Refining.
func (t *tablesDrawn) Refine(first ask.Refining, head ask.Head) (debit ask.Debit, err error) {
	before, is := first.(interface{ residuals() *queries.Residuals })
	if !is || before.residuals() == nil || t.residuals() == nil {
		return debit, ask.Refuse("release", phrase.Of("tables that are not made of residuals"),
			phrase.Of("residuals with both ε: ask again"))
	}
	raw, err := rawIn(head)
	if err != nil {
		return debit, err
	}
	m, err := t.residuals().Average(before.residuals(), raw.Draws)
	if err != nil {
		return debit, err
	}
	if debit.Each, err = m.Loss(1); err != nil {
		return debit, err
	}
	t.method = m
	return debit, nil
}

// Averages implements ask.Refining.
func (t *tablesDrawn) Averages() int {
	if m := t.residuals(); m != nil {
		return m.Averages()
	}
	return 1
}

// Sums implements ask.Drawing.
func (t *tablesDrawn) Sums() []int64 {
	if len(t.drawn) == 0 {
		return nil
	}
	return t.drawn[len(t.drawn)-1].Sums
}

// Give implements ask.Drawing.
func (t *tablesDrawn) Give(head ask.Head) (again ask.Head, ok bool) {
	raw, err := rawIn(head)
	last := len(raw.Draws) - 1
	if err != nil || last < 0 || t.residuals() == nil {
		return again, false
	}
	m, err := t.residuals().After(raw.Draws[:last])
	if err != nil {
		return again, false
	}
	t.method, t.given = m, raw.Draws[last].Sums
	draws := append(slices.Clone(raw.Draws[:last]), mechanism.Draw{Rho: m.Rho(), Sums: t.given})
	return ask.Head{Draws: drawsOf(draws)}, true
}
