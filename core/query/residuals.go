package query

import (
	"math/big"
	"strconv"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Margin is one table of a workload: the columns that are counted together.
type Margin struct {
	Columns []int // numbers of 1 to 4 columns, in ascending order

	// Weight is how much the variance of a cell of this table counts beside that of other tables.
	// 0 is 1; at most 2^20.
	Weight uint64
}

// ResidualsParams are the parameters of Residuals.
type ResidualsParams struct {
	Epsilon privacy.Epsilon // the privacy loss granted; required
	Delta   privacy.Delta   // above 0; required

	// Columns are those of the attributes, at most 10. Required.
	Columns []Column

	// Margins is the workload, each set of columns once, and public (H: residuals.md
	// public-workload). Required.
	Margins []Margin
}

// Residuals releases many tables of columns at once. For each set of columns of a table it measures
// the residual: the part of the table that no table of fewer columns shows. Every table is a sum of
// residuals, so all tables agree with each other and with n, and the part that two tables share is
// paid for once.
//
// # Guarantee
//
// ρ-zCDP, stated as (Epsilon, Delta)-DP, for neighbours that differ in one replaced person, n
// public. Residuals are whole numbers with discrete Gaussian noise, priced together: the most that
// the two records of any pair of persons can cost over all residuals, not the sum of the worst of
// each. Proof: residuals.md.
//
// # Input and output
//
// A person is in one category of each column, of which 0 is "in no cell". The release holds the
// noisy residuals; [Release.Table] adds them up to a table with the variance of its cells, for any
// columns that are together in one of Margins.
//
// # Errors
//
// [*param.Error] (epsilon, delta, columns, margins) from the constructor, (columns) from Release
// where they do not fit the records; margins where the tables have more than 2^20 cells, or so many
// that this epsilon leaves no noise that can be drawn.
//
// # Cost and accuracy
//
// One pass over the records. The noise of the residuals has nearly the least weighted sum of
// variances that the loss allows, which depends on the shape of the tables only: [ChooseTables]
// tells the error beforehand.
//
// # Reference
//
// Xiao, He, Zhang, Kifer, "An Optimal and Scalable Matrix Mechanism for Noisy Marginals under
// Convex Loss Functions", 2023. Differs: neighbours replace a person, so all pairs of records are
// priced and the variances are found by a convex programme; noise is discrete, on whole numbers,
// and added after the contrasts are taken.
type Residuals struct {
	columns   *partition
	tables    []table // counted: those of the workload that are in no other
	cells     int     // of them together
	residuals []measured
	price     uint64 // the squared L2 sensitivity of all residuals, times their weights
	granted   privacy.Rho
	delta     privacy.Delta
	draw      *meter.Spend
	spend     *meter.Spend
	average   *averaging // nil: the next release stands alone
}

// measured is one residual and its noise.
type measured struct {
	table         // its columns, and where its values stand among those released
	from   int    // the table that is counted for it
	weight uint64 // a move of its values counts this many times
	noise  *mechanism.Gaussian
}

var _ Conjunctive = (*Residuals)(nil)

// NewResiduals checks the parameters and divides the loss among the residuals.
func NewResiduals(p ResidualsParams) (*Residuals, error) {
	if !p.Epsilon.IsSet() { // H: residuals.md some-epsilon
		return nil, refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	}
	rho, err := privacy.RhoFor(p.Epsilon, p.Delta) // H: residuals.md delta
	if err != nil {
		return nil, err
	}
	m, err := newResiduals(p.Columns, p.Margins)
	if err != nil {
		return nil, err
	}
	if err := m.grant(rho); err != nil {
		return nil, err
	}
	m.granted, m.delta = rho, p.Delta
	m.spend, err = meter.Composed("tables by residuals", p.Delta, meter.Once(m.draw.Loss))
	return m, err
}

// newResiduals plans a workload; nothing is granted yet.
func newResiduals(columns []Column, margins []Margin) (*Residuals, error) {
	of, err := newPartition(sizeOf(columns), columns)
	if err != nil {
		return nil, err
	}
	plan, err := of.plan(margins)
	if err != nil {
		return nil, err
	}
	m := &Residuals{columns: of, price: plan.price}
	for _, margin := range plan.largest {
		t := of.table(Set{margin}, m.cells)
		m.tables, m.cells = append(m.tables, t), m.cells+t.cells
	}
	at := 0
	for i, columns := range plan.sets {
		r := measured{table: of.table(Set{columns}, at), weight: plan.weights[i]}
		for !r.has.Within(m.tables[r.from].has) {
			r.from++
		}
		m.residuals, at = append(m.residuals, r), at+r.cells
	}
	if max(at, m.cells) > mostCounts { // H: residuals.md cells
		return nil, refuse("margins", phrase.Of("%d cells", max(at, m.cells)),
			"tables of at most 2^20 cells together")
	}
	return m, nil
}

// grant makes the noise of each residual, divided by its weight, so that all residuals together
// cost price times the unit of ρ.
func (m *Residuals) grant(rho privacy.Rho) error {
	unit := new(big.Rat).Quo(rho.Rat(), ratOf(m.price))
	return m.noise(rho, func(square *big.Rat) (mechanism.GaussianParams, error) {
		each, err := privacy.NewRho(square.Mul(square, unit))
		return mechanism.GaussianParams{Rho: each, L2SensitivitySquared: 1}, err
	})
}

// noise makes the noise of each residual from the square of its weight, and returns their total
// cost.
func (m *Residuals) noise(rho privacy.Rho,
	of func(square *big.Rat) (mechanism.GaussianParams, error)) error {
	var weights []uint64
	for i := range m.residuals {
		r := &m.residuals[i]
		square := ratOf(r.weight)
		p, err := of(square.Mul(square, square))
		if err == nil {
			r.noise, err = mechanism.NewGaussian(p)
		}
		if err != nil {
			return refuse("margins", phrase.Of("%d cells", r.cells),
				"tables of fewer cells, or a larger epsilon: this one leaves noise that is too "+
					"wide to be drawn")
		}
		for range r.cells {
			weights = append(weights, r.weight)
		}
	}
	m.draw = &meter.Spend{Name: "discrete Gaussian noise", Loss: privacy.ConcentratedLoss(rho),
		Claim: meter.Claim{L2Squared: m.price, Weights: weights}}
	return nil
}

func ratOf(x uint64) *big.Rat { return new(big.Rat).SetInt(new(big.Int).SetUint64(x)) }

// Loss returns the loss of all residuals together.
func (m *Residuals) Loss(d privacy.Distance) (privacy.Loss, error) { return m.spend.Loss.Group(d) }

// Release counts. step may be nil.
func (m *Residuals) Release(src coin.Source, records *Records,
	step coin.Step) (*Release, error) {
	// H: residuals.md fits
	if _, err := newPartition(records.Size(), m.columns.columns); err != nil {
		return nil, err
	}
	values, err := m.exact(records, step)
	if err != nil {
		return nil, err
	}
	noisy, err := meter.Draw(meter.Within(src, m.spend), m.draw,
		func() meter.Input { return meter.Input{Values: values} },
		func(src coin.Source) ([]int64, error) { return m.add(src, values, step) })
	if err != nil {
		return nil, err
	}
	return m.released(records.Size(), records.Persons(), src.Origin(), noisy), nil
}

// exact returns the contrast of the table of each residual: Π c_i times the residual, in whole
// numbers.
func (m *Residuals) exact(records *Records, step coin.Step) ([]int64, error) {
	counts, err := m.columns.count(records, m.tables, m.cells, step)
	if err != nil {
		return nil, err
	}
	var values []int64
	for _, r := range m.residuals {
		margin := marginOf(m.columns, m.tables[r.from], counts, r.columns)
		sizes := m.columns.sizes(r.columns)
		for axis := range sizes {
			contrast(margin, sizes, axis)
		}
		values = append(values, margin...)
	}
	return values, nil
}

// contrast replaces each line of c values along an axis by c times itself minus its sum.
func contrast(values []int64, sizes []int, axis int) {
	lines(sizes, axis, func(start, apart int) {
		sum := int64(0)
		for k := range sizes[axis] {
			sum += values[start+k*apart]
		}
		for k := range sizes[axis] {
			at := start + k*apart
			values[at] = int64(sizes[axis])*values[at] - sum
		}
	})
}

// add draws the noise of all residuals.
func (m *Residuals) add(src coin.Source, values []int64, step coin.Step) ([]int64, error) {
	noisy := make([]int64, 0, len(values))
	for _, r := range m.residuals {
		var pause coin.Step
		if step != nil {
			pause = func(done, _ int64) error { return step(int64(r.at)+done, int64(len(values))) }
		}
		some, err := r.noise.Release(src, values[r.at:r.at+r.cells], pause)
		if err != nil {
			return nil, err
		}
		noisy = append(noisy, some...)
	}
	return noisy, nil
}

// lines visits the lines of a table along an axis: where each starts, and how far apart its values
// are.
func lines(sizes []int, axis int, visit func(start, apart int)) {
	apart, all := 1, 1
	for i, c := range sizes {
		all *= c
		if i > axis {
			apart *= c
		}
	}
	for block := 0; block < all; block += apart * sizes[axis] {
		for i := range apart {
			visit(block+i, apart)
		}
	}
}

// marginOf sums the values of a table, in the order of its cells, over all but some of its columns.
func marginOf[T int64 | float64](p *partition, t table, values []T, columns []int) []T {
	stride, size := p.strides(columns)
	margin := make([]T, size)
	p.walk(t, stride, func(cell, at int) { margin[at] += values[cell] })
	return margin
}

// plan holds the weight of each residual of a workload.
type plan struct {
	sets    []uint64 // the columns of each residual, as bits
	weights []uint64 // one over its noise in whole numbers, relative to the others
	largest []uint64 // the margins that are in no other
	price   uint64
}

// The limits of a workload: every set of columns in which two persons can differ has a price, and
// every set of columns of a margin a residual.
const (
	mostColumns  = 10
	mostOfMargin = 4
	mostWeight   = 1 << 20
)

// checkMargins gives the columns of each margin as bits.
func (p *partition) checkMargins(margins []Margin) (sets []uint64, err error) {
	if len(p.columns) > mostColumns { // H: residuals.md tables
		return nil, refuse("columns", strconv.Itoa(len(p.columns)), "at most %d", mostColumns)
	}
	if len(margins) == 0 { // H: residuals.md tables
		return nil, refuse("margins", "none", "at least one table")
	}
	seen := map[uint64]bool{}
	for i, m := range margins {
		set := uint64(0)
		for _, column := range m.Columns {
			// H: residuals.md tables
			if column < 0 || column >= len(p.columns) || set>>column != 0 {
				return nil, refuse("margins", phrase.Of("columns of table %d", i),
					"numbers from 0 to %d in ascending order", len(p.columns)-1)
			}
			set |= 1 << column
		}
		switch {
		case len(m.Columns) < 1 || len(m.Columns) > mostOfMargin: // H: residuals.md tables
			return nil, refuse("margins", phrase.Of("%d columns", len(m.Columns)), "from 1 to %d",
				mostOfMargin)
		case seen[set]: // H: residuals.md tables
			return nil, refuse("margins", phrase.Of("columns of table %d", i), "each table once")
		case p.cellsOf(set) > mostCounts: // H: residuals.md cells
			return nil, refuse("margins", phrase.Of("%.6g cells", p.cellsOf(set)),
				"tables of at most 2^20 cells together")
		case m.Weight > mostWeight: // H: residuals.md tables
			return nil, refuse("margins", strconv.FormatUint(m.Weight, 10), "a weight up to 2^20")
		}
		seen[set] = true
		sets = append(sets, set)
	}
	return sets, nil
}
