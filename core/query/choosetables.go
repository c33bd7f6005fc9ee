package query

import (
	"math"

	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// ChooseTables compares, by public facts alone, the methods that release all tables of Width of the
// columns, and returns those that can be used, the best first: "residuals" where there is a δ,
// "independent" noise for each table, "full" for one table of all columns, and "MWEM" where each
// column has one cell. The release that New makes can be asked with [Release.Table].
//
// Error is about the mean error of a cell, as a part of n, of all tables alike. It is that of the
// noise, which is known; only that of MWEM is the rule of thumb of [Choose]. Tables with a weight
// of their own count so often in it, and residuals spend more on them.
//
// Tables of at most 2^20 cells together are released; in full, of at most 2^16.
func ChooseTables(p ChoiceParams) ([]Choice, error) {
	if !p.Epsilon.IsSet() {
		return nil, refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	}
	columns, err := newPartition(p.Size, p.Columns)
	if err != nil {
		return nil, err
	}
	all := len(columns.columns)
	if p.Persons < 1 || p.Width < 1 || p.Width > all {
		return nil, refuse("width", phrase.Of("%d of %d columns", p.Width, all),
			"from 1 to the number of columns, and at least one person")
	}
	wanted, _, err := columns.tables(p.Width)
	if err != nil {
		return nil, err
	}
	margins, weighed, err := columns.weigh(wanted, p.Margins)
	if err != nil {
		return nil, err
	}
	rho := 0.0
	if !p.Delta.IsZero() {
		exact, err := privacy.RhoFor(p.Epsilon, p.Delta)
		if err != nil {
			return nil, err
		}
		rho, _ = exact.Rat().Float64()
	}
	var choices []Choice
	// add tells the error of a way by the variance of the residual of some columns.
	add := func(c Choice, variance func(columns Set) float64) {
		for i, t := range wanted {
			of, weight := 0.0, float64(margins[i].Weight)
			for _, some := range subsetsOf(t.has) {
				of += variance(some) * columns.ofCell(some, t.has)
			}
			c.Error += weight * normalMean * math.Sqrt(of) / (weighed * float64(p.Persons))
		}
		choices = append(choices, c)
	}
	tables := func(name string, together int) {
		number := columns.products(together, nil, func(int) float64 { return 1 })
		stdDev, _, delta := p.noiseAt(2*int(number), rho)
		add(Choice{Name: name, Together: together, New: func() (Conjunctive, error) {
			return NewTables(TablesParams{Epsilon: p.Epsilon, Delta: delta,
				Columns: columns.columns, Width: together})
		}}, func(some Set) float64 {
			return stdDev * stdDev / columns.products(together-some.Len(), some,
				func(i int) float64 { return 1 / float64(columns.cells(i)) })
		})
	}
	tables("independent", p.Width)
	if all > p.Width && all <= mostTogether && columns.countCells(all) <= mostInFull {
		tables("full", all)
	}
	if !p.Delta.IsZero() {
		if m, err := newResiduals(columns.columns, margins); err == nil {
			add(Choice{Name: "residuals", Together: p.Width, New: func() (Conjunctive, error) {
				return NewResiduals(ResidualsParams{Epsilon: p.Epsilon, Delta: p.Delta,
					Columns: columns.columns, Margins: margins})
			}}, func(some Set) float64 {
				for _, r := range m.residuals {
					if r.has.key() == some.key() {
						wide := float64(r.weight) * float64(r.cells)
						return float64(m.price) / (2 * rho * wide * wide)
					}
				}
				panic("query: internal error: no residual of columns of a table")
			})
		}
	}
	if _, err := cellsOf(p.Size); err == nil && all == p.Size &&
		checkClass(p.Size, p.Width) == nil {
		choices = append(choices, p.weights())
	}
	bestFirst(choices)
	return choices, nil
}

// weigh gives each table its weight, 1 unless it has one of its own, and adds up all weights.
func (p *partition) weigh(tables []table, own []Margin) (all []Margin, sum float64, err error) {
	given := map[uint64]uint64{}
	if len(own) > 0 {
		sets, err := p.checkMargins(own)
		if err != nil {
			return nil, 0, err
		}
		for i, set := range sets {
			given[set] = max(own[i].Weight, 1)
		}
	}
	for _, t := range tables {
		set := uint64(0)
		for _, i := range t.columns {
			set |= 1 << i
		}
		m := Margin{Columns: t.columns, Weight: 1}
		if weight, ok := given[set]; ok {
			m.Weight = weight
			delete(given, set)
		}
		all, sum = append(all, m), sum+float64(m.Weight)
	}
	if len(given) > 0 {
		return nil, 0, refuse("margins", phrase.Of("%d tables", len(given)),
			"tables of as many columns as are asked for")
	}
	return all, sum, nil
}
