package query

import (
	"fmt"
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/privacy"
)

// In these audits persons have two columns of two categories. What a release of a residual tells of
// the data, [Release.Table] computes from the contrast of its values, of which one says all others:
// a told holds that of both columns alone, and of their table.
type told [3]int64

// measuring are the residuals of both columns, with the weight 2, and of their table, with noise of
// base r.
func measuring(r coin.Base) *Residuals {
	m := must(newResiduals(each(), margins(2, 2)))
	weights := []uint64{2, 2, 1}
	for i := range m.residuals {
		m.residuals[i].weight = weights[i]
	}
	m.price = m.columns.priceOf(maskOf(m), weights)
	rho := privacy.LogUp(r.Rat())
	err := m.noise(must(privacy.NewRho(rho.Mul(rho, ratOf(m.price)))),
		func(square *big.Rat) (mechanism.GaussianParams, error) {
			return mechanism.GaussianParams{Base: r.Pow(square.Num().Uint64()),
				L2SensitivitySquared: 1}, nil
		})
	m.spend = meter.Sum("tables by residuals", meter.Once(m.draw.Loss))
	return must(m, err)
}

// paying claims, at a δ, what residuals cost of which a price is paid for.
func paying(m *Residuals, price uint64, at string) audit.Claim {
	share := new(big.Rat).SetFrac64(int64(price), int64(m.price))
	rho := must(privacy.NewRho(share.Mul(share, m.draw.Loss.Rho())))
	return claimOf(privacy.ConcentratedLoss(rho).At(delta(at)))
}

// contrastOf is the first value of the contrast of values.
func contrastOf(values []int64, axes int) int64 {
	sizes, moved := []int{2, 2}[:axes], append([]int64(nil), values...)
	for axis := range sizes {
		contrast(moved, sizes, axis)
	}
	return moved[0]
}

// sumsOf is the law of the contrast of noise alone on the values of a table of two columns, or of
// one, in steps of 2^−bits; what that loses, and tails, are cut.
func sumsOf(noise *mechanism.Gaussian, axes int, bits uint) *coin.Law[int64] {
	step := new(big.Int).Lsh(big.NewInt(1), bits)
	one := must(audittest.FirstTries(
		coin.Limits{Tail: new(big.Rat).SetFrac(big.NewInt(1), step)},
		func(src coin.Source) (int64, error) {
			noisy, err := noise.Release(src, []int64{0}, nil)
			return must(noisy, err)[0], nil
		}))
	short := coin.NewLaw[int64]()
	for _, z := range one.Outcomes() {
		steps := new(big.Int).Mul(one.Mass(z).Num(), step)
		short.Add(z, new(big.Rat).SetFrac(steps.Quo(steps, one.Mass(z).Denom()), step))
	}
	law := coin.NewLaw[int64]()
	law.Add(0, big.NewRat(1, 1))
	for range 1 << axes {
		// as many values are added as taken away, and noise is as likely above 0 as below
		next := coin.NewLaw[int64]()
		for _, sum := range law.Outcomes() {
			for _, z := range short.Outcomes() {
				mass := new(big.Rat).Mul(law.Mass(sum), short.Mass(z))
				if steps := mass.Num().Mul(mass.Num(), step); steps.Cmp(mass.Denom()) >= 0 {
					next.Add(sum+z, mass.SetFrac(steps.Quo(steps, mass.Denom()), step))
				}
			}
		}
		rest := next.Total()
		next.AddCut(rest.Sub(big.NewRat(1, 1), rest))
		law = next
	}
	return law
}

// tellsOf is the law of what values tell, each with the law of its noise.
func tellsOf(exact func(rows []int) told, sums [3]*coin.Law[int64]) func([]int) (*coin.Law[told],
	error) {
	return func(rows []int) (*coin.Law[told], error) {
		law := coin.NewLaw[told]()
		law.Add(exact(rows), big.NewRat(1, 1))
		for i, sum := range sums {
			if sum == nil {
				continue
			}
			next, err := coin.Then(law, func(before told) (*coin.Law[told], error) {
				after := coin.NewLaw[told]()
				for _, z := range sum.Outcomes() {
					moved := before
					moved[i] += z
					after.Add(moved, sum.Mass(z))
				}
				after.AddCut(sum.Cut())
				return after, nil
			})
			if err != nil {
				return nil, err
			}
			law = next
		}
		return law, nil
	}
}

// exactly is what the exact values tell.
func (m *Residuals) exactly(rows []int) (exact told) {
	values := must(m.exact(recordsOf(rows, 2), nil))
	for i, r := range m.residuals {
		exact[i] = contrastOf(values[r.at:r.at+r.cells], len(r.columns))
	}
	return exact
}

// sums are the laws of the noise of all residuals.
func (m *Residuals) sums() (sums [3]*coin.Law[int64]) {
	for i, r := range m.residuals {
		sums[i] = sumsOf(r.noise, len(r.columns), 28)
	}
	return sums
}

func TestAuditResiduals(t *testing.T) {
	for persons, r := range map[int]coin.Base{1: base(15, 14), 4: base(6, 5)} {
		if persons > 1 && testing.Short() {
			continue
		}
		m := measuring(r)
		law := tellsOf(m.exactly, m.sums())
		audittest.Holds(t, audit.Audit[told]{
			Name:  fmt.Sprintf("residuals of 2 × 2 with n = %d", persons),
			Space: cube(persons, 2), Claim: paying(m, m.price, "0.05"), Law: law})
	}
}

func TestPlantedResiduals(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of big fractions")
	}
	m := measuring(base(15, 14))
	sums, whole := m.sums(), m.columns.priceOf(maskOf(m)[2:], []uint64{1})
	caught := func(name string, claim audit.Claim, law func([]int) (*coin.Law[told], error)) {
		t.Helper()
		audittest.Caught(t, audit.Audit[told]{Name: "residuals of 2 × 2 " + name,
			Space: cube(1, 2), Claim: claim, Law: law})
	}
	law := tellsOf(m.exactly, sums)
	caught("with a replaced person as one that joins", paying(m, m.price/2, "0.05"), law)
	caught("with both margins unpaid", paying(m, whole, "0.05"), law)
	caught("without the cells where nobody is", paying(m, m.price, "0.05"), tellsOf(
		func(rows []int) told {
			exact := m.exactly(rows)
			exact[0] += 1000 * int64(rows[0]) // the only cell released
			return exact
		}, sums))
	// noise on the table itself, of the same covariance where it is continuous
	m = measuring(base(6, 5))
	wide := new(big.Rat).Mul(ratOf(16), privacy.LogDown(base(6, 5).Rat()))
	before := must(mechanism.NewGaussian(mechanism.GaussianParams{
		Rho: must(privacy.NewRho(wide)), L2SensitivitySquared: 1}))
	caught("with noise before the contrast", paying(m, whole, "0.000001"), tellsOf(
		func(rows []int) told {
			return told{2: m.exactly(rows)[2] / 4}
		}, [3]*coin.Law[int64]{2: sumsOf(before, 2, 60)}))
}

// TestAuditGrantedResiduals runs the whole release.
func TestAuditGrantedResiduals(t *testing.T) {
	of := func(columns []Column) func(src coin.Source, rows []int) (string, error) {
		m := must(NewResiduals(ResidualsParams{Epsilon: epsilon("3"), Delta: delta("0.05"),
			Columns: columns, Margins: margins(1, 1)}))
		return func(src coin.Source, rows []int) (string, error) {
			r, err := m.Release(src, recordsOf(rows, sizeOf(columns)), nil)
			if err != nil {
				return "", err
			}
			return fmt.Sprint(r.Counts), nil
		}
	}
	audittest.Holds(t, audit.Audit[string]{Name: "the residual of 1 attribute, Gaussian",
		Space: cube(2, 1), Claim: granted("3", "0.05", little),
		Law: gaussianLaw(cutAt(14), of(each()[:1]))})
	if testing.Short() {
		return
	}
	audittest.Holds(t, audit.Audit[string]{
		Name: "the residual of 1 column, 2 categories, Gaussian", Space: cube(1, 2),
		Claim: granted("3", "0.05", little), Law: gaussianLaw(cutAt(11), of(pair()))})
}
