package density

import (
	"fmt"
	"math/big"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/meter"
	"hush/core/privacy"
)

// MadeUpParams are the parameters of MadeUp.
type MadeUpParams struct {
	// Learners are one for each column, each with the part of ε that the column has.
	Learners []Learner
}

// MadeUp releases a distribution for each of several columns about the same persons
// (H: madeup.md same-persons), from which rows can be made up column by column ([DrawRows]);
// relations between columns are lost.
//
// # Guarantee
//
// The sum of the learners' losses, for neighbours that replace one person, whose values in all
// columns may change. Proof: madeup.md.
//
// # Errors
//
// *param.Error for learners where there are none. Whether it fails depends on the parameters, never
// on the columns.
//
// # Cost
//
// That of the learners, one after the other: O(n + cells) for each column with trees of counts.
type MadeUp struct {
	learners []Learner
	spend    *meter.Spend
}

// NewMadeUp checks the parameters.
func NewMadeUp(p MadeUpParams) (*MadeUp, error) {
	if len(p.Learners) == 0 { // H: madeup.md some-learner
		return nil, refuse("learners", fmt.Sprint(len(p.Learners)), "one for each column")
	}
	var parts []meter.Part
	for _, l := range p.Learners {
		loss, err := l.Loss(1)
		if err != nil {
			return nil, err
		}
		parts = append(parts, meter.Once(loss))
	}
	return &MadeUp{p.Learners, meter.Sum("columns", parts...)}, nil
}

// Loss returns the loss of all columns together.
func (m *MadeUp) Loss(d privacy.Distance) (privacy.Loss, error) { return m.spend.Loss.Group(d) }

// Release learns each column's distribution, one after another; sorted gives a column's codes in
// ascending order.
func (m *MadeUp) Release(src coin.Source,
	sorted func(column int, step coin.Step) (domain.Sorted, error),
	step coin.Step) ([]*Distribution, error) {
	src = meter.Within(src, m.spend)
	var out []*Distribution
	for i, l := range m.learners {
		part := func(half int64) coin.Step {
			if step == nil {
				return nil
			}
			return func(done, total int64) error {
				return step(int64(i)*1000+500*half+500*done/max(total, 1),
					1000*int64(len(m.learners)))
			}
		}
		codes, err := sorted(i, part(0))
		if err != nil {
			return nil, err
		}
		release, err := l.Release(src, codes, part(1))
		if err != nil {
			return nil, err
		}
		out = append(out, release)
	}
	return out, nil
}

// Millionths is the number of units of Missing in a whole.
const Millionths = 1_000_000

// Missing returns the fraction of persons without a value, in millionths: 0 where the band allows
// that everybody has one.
func (d *Distribution) Missing() int64 {
	if _, most := d.Within(new(big.Int).Sub(d.Size(), big.NewInt(1))); most >= d.Persons() {
		return 0
	}
	return int64(Millionths * (1 - min(d.Total()/max(d.Persons(), 1), 1)))
}

// DrawRows makes up n rows: for each column a code drawn from its release, independently, or nil
// with the chance of its missing millionths. It reads the releases alone and costs nothing.
func DrawRows(src coin.Source, releases []*Distribution, missing []int64,
	n int) ([][]*big.Int, error) {
	rows := make([][]*big.Int, n)
	for k := range rows {
		rows[k] = make([]*big.Int, len(releases))
	}
	for i, release := range releases {
		codes, err := release.Draw(src, n, nil)
		if err != nil {
			return nil, err
		}
		for k, code := range codes {
			if missing[i] == 0 || int64(src.Uniform(Millionths)) >= missing[i] {
				rows[k][i] = code
			}
		}
	}
	return rows, nil
}
