package joint

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

// In these audits the last of three columns is one of two places; the first two have
// one place each. So both tables with the last column change when a person is replaced.
var audited = []int{1, 1, 2}

// told is what these two tables say.
type told [4]int64

// auditPairs has noise of base r on each table.
func auditPairs(r coin.Base, gaussian bool) *Pairs {
	m := &Pairs{sizes: audited}
	var parts []meter.Part
	for _, of := range [][2]int{{0, 2}, {1, 2}} {
		var n noise
		if gaussian {
			n = must(mechanism.NewGaussian(mechanism.GaussianParams{Base: r,
				L2SensitivitySquared: moves}))
		} else {
			n = must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: r, L1Sensitivity: moves,
				LargestMove: 1}))
		}
		m.tables = append(m.tables, counted{of, n})
		parts = append(parts, meter.Once(must(n.Loss(1))))
	}
	m.spend = meter.Sum("tables of pairs", parts...)
	return m
}

// auditAlone is one table of two columns, and each column by itself: the first has one place, so
// that what its own table says is public.
func auditAlone(r coin.Base, gaussian bool) *Pairs {
	two := auditPairs(r, gaussian)
	first, second := two.tables[0].noise, two.tables[1].noise
	m := &Pairs{sizes: []int{1, 2}, tables: []counted{{[2]int{0, 1}, first}},
		alone: []noise{second, second}}
	m.spend = meter.Sum("tables of pairs", meter.Once(must(first.Loss(1))),
		meter.Each(must(second.Loss(1)), 2))
	return m
}

// releasesAlone are the counts of a table of auditAlone, and those of its second column.
func releasesAlone(m *Pairs, edge int64) func(src coin.Source, rows []int) (told, error) {
	return func(src coin.Source, rows []int) (out told, err error) {
		columns := [][]uint8{make([]uint8, len(rows)), make([]uint8, len(rows))}
		for i, row := range rows {
			columns[1][i] = uint8(row)
		}
		measured, err := m.ReleaseCounted(src, columns, nil, nil)
		if err != nil {
			return out, err
		}
		for at := range out {
			count := append(measured.Tables[0].Counts, measured.Singles[1].Counts...)[at]
			out[at] = min(max(count, -edge), int64(len(rows))+edge)
		}
		return out, nil
	}
}

// releases runs the whole release; counts below −edge or above n + edge become that.
func releases(m *Pairs, edge int64) func(src coin.Source, rows []int) (told, error) {
	return func(src coin.Source, rows []int) (out told, err error) {
		columns := make([][]uint8, len(audited))
		for _, row := range rows {
			columns[0], columns[1] = append(columns[0], 0), append(columns[1], 0)
			columns[2] = append(columns[2], uint8(row))
		}
		measured, err := m.ReleaseCounted(src, columns, nil, nil)
		if err != nil {
			return out, err
		}
		at := 0
		for _, t := range measured.Tables {
			for _, count := range t.Counts {
				out[at] = min(max(count, -edge), int64(len(rows))+edge)
				at++
			}
		}
		return out, nil
	}
}

// laplaceLaw enumerates it, with chances of this many bits; 0: exactly.
func laplaceLaw(m *Pairs, bits uint) func([]int) (*coin.Law[told], error) {
	run := releases(m, 1)
	if m.alone != nil {
		run = releasesAlone(m, 1)
	}
	return func(rows []int) (*coin.Law[told], error) {
		return coin.Enumerate(coin.Limits{Top: uint64(len(rows)) + 2, Bits: bits},
			func(src coin.Source) (told, error) { return run(src, rows) })
	}
}

// gaussianLaw is the law of exact counts and the noise of each; tails are cut.
func gaussianLaw(m *Pairs, exact func(rows []int) told) func([]int) (*coin.Law[told], error) {
	var noises []*coin.Law[int64]
	for at := range (told{}) {
		noises = append(noises, noiseLaw(m.tables[at/2].noise))
	}
	return func(rows []int) (*coin.Law[told], error) {
		law := coin.NewLaw[told]()
		law.Add(exact(rows), big.NewRat(1, 1))
		for at, noise := range noises {
			next, err := coin.Then(law, func(before told) (*coin.Law[told], error) {
				after := coin.NewLaw[told]()
				for _, z := range noise.Outcomes() {
					moved := before
					moved[at] += z
					after.Add(moved, noise.Mass(z))
				}
				after.AddCut(noise.Cut())
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

// noiseLaw is the law of the noise on one count, in steps of 2^−24.
func noiseLaw(n noise) *coin.Law[int64] {
	step := new(big.Int).Lsh(big.NewInt(1), 24)
	exact := must(audittest.FirstTries(coin.Limits{Tail: big.NewRat(1, 1<<14), Bits: 48},
		func(src coin.Source) (int64, error) {
			noisy, err := n.Release(src, []int64{0}, nil)
			return must(noisy, err)[0], nil
		}))
	law := coin.NewLaw[int64]()
	for _, z := range exact.Outcomes() {
		steps := new(big.Int).Mul(exact.Mass(z).Num(), step)
		law.Add(z, new(big.Rat).SetFrac(steps.Quo(steps, exact.Mass(z).Denom()), step))
	}
	law.AddCut(new(big.Rat).Sub(big.NewRat(1, 1), law.Total()))
	return law
}

// exactly are the counts of both tables.
func (m *Pairs) exactly(rows []int) (out told) {
	for at, t := range m.tables {
		column := make([]uint8, len(rows))
		for i, row := range rows {
			column[i] = uint8(row)
		}
		alone := make([]uint8, len(rows))
		counts := m.count(t.columns, [][]uint8{alone, alone, column}, nil)
		out[2*at], out[2*at+1] = counts[0], counts[1]
	}
	return out
}

func claimOf(loss privacy.Loss, err error) audit.Claim {
	return must(audit.ClaimOf(must(loss, err)))
}

func base(num, den int64) coin.Base { return must(coin.NewBase(num, den)) }

// persons who are one of two.
func persons(n int) audit.Space { return audit.Space{Persons: n, Values: 1} }

func TestAuditPairs(t *testing.T) {
	m := auditPairs(base(5, 4), false)
	audittest.Holds(t, audit.Audit[told]{Name: "two tables of pairs, Laplace, n = 2",
		Space: persons(2), Claim: claimOf(m.Loss(1)), Law: laplaceLaw(m, 0)})
	for _, n := range []int{1, 3} {
		m = auditPairs(base(3, 2), true)
		audittest.Holds(t, audit.Audit[told]{
			Name:  fmt.Sprintf("two tables of pairs, Gaussian, n = %d", n),
			Space: persons(n), Claim: claimOf(must(m.Loss(1)).At(delta("0.05"))),
			Law: gaussianLaw(m, m.exactly)})
	}
	m = auditAlone(base(5, 4), false)
	audittest.Holds(t, audit.Audit[told]{Name: "a table of a pair, and its columns alone, n = 1",
		Space: persons(1), Claim: claimOf(m.Loss(1)), Law: laplaceLaw(m, 0)})
	granted := must(NewPairs(PairsParams{Epsilon: epsilon("1"), Sizes: []int{1, 2}, Alone: 40}))
	audittest.Holds(t, audit.Audit[told]{Name: "a table of a pair, and its columns alone, ε = 1",
		Space: persons(1), Claim: within("1", "0"), Law: laplaceLaw(granted, 48)})
	granted = must(NewPairs(PairsParams{Epsilon: epsilon("1"), Sizes: audited,
		Of: [][2]int{{0, 2}, {1, 2}}}))
	audittest.Holds(t, audit.Audit[told]{Name: "two tables of pairs, ε = 1", Space: persons(1),
		Claim: within("1", "0"), Law: laplaceLaw(granted, 48)})
	granted = must(NewPairs(PairsParams{Epsilon: epsilon("3"), Delta: delta("0.05"),
		Sizes: audited, Of: [][2]int{{0, 2}, {1, 2}}}))
	audittest.Holds(t, audit.Audit[told]{Name: "two tables of pairs, ε = 3, δ = 0.05",
		Space: persons(1), Claim: within("3", "0.05"),
		Law: gaussianLaw(granted, granted.exactly)})
}

// within is what was granted, and what short chances lose.
func within(e, d string) audit.Claim {
	claim := claimOf(privacy.ApproximateLoss(epsilon(e), delta(d)), nil)
	lost := big.NewRat(1, 1e9)
	if d != "0" {
		lost = big.NewRat(1, 1000)
	}
	claim.Delta = new(big.Rat).Add(claim.Delta, lost)
	return claim
}

func TestPlantedPairs(t *testing.T) {
	caught := func(name string, claim audit.Claim, law func([]int) (*coin.Law[told], error)) {
		t.Helper()
		audittest.Caught(t, audit.Audit[told]{Name: "two tables of pairs, " + name,
			Space: persons(1), Claim: claim, Law: law})
	}
	// L1 = 1: a replaced person as one that joins
	m := auditPairs(base(5, 4), false)
	half := auditPairs(base(5, 4), false)
	one := must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: base(5, 4),
		L1Sensitivity: 1}))
	half.spend = meter.Sum("half", meter.Each(must(one.Loss(1)), 2))
	caught("Laplace, a replaced person as one that joins", claimOf(half.Loss(1)), laplaceLaw(m, 0))

	m = auditPairs(base(3, 2), true)
	gauss := must(mechanism.NewGaussian(mechanism.GaussianParams{Base: base(3, 2),
		L2SensitivitySquared: 1}))
	joins := meter.Sum("joins", meter.Each(must(gauss.Loss(1)), 2))
	caught("Gaussian, squared L2 of 1", claimOf(joins.Loss.At(delta("0.05"))),
		gaussianLaw(m, m.exactly))
	caught("Gaussian, one table unpaid",
		claimOf(must(m.tables[0].noise.Loss(1)).At(delta("0.05"))), gaussianLaw(m, m.exactly))
	caught("Gaussian, without the cells where nobody is", // H: pairs.md public-shape
		claimOf(must(m.Loss(1)).At(delta("0.05"))), gaussianLaw(m, func(rows []int) told {
			out := m.exactly(rows)
			for at, count := range out {
				if count == 0 {
					out[at] = -1000
				}
			}
			return out
		}))
	m = auditAlone(base(5, 4), false)
	caught("and columns alone that are not charged", claimOf(m.tables[0].noise.Loss(1)),
		laplaceLaw(m, 0))
	each := must(NewPairs(PairsParams{Epsilon: epsilon("1"), Sizes: audited,
		Of: [][2]int{{0, 2}, {1, 2}}}))
	for i := range each.tables {
		each.tables[i].noise = must(mechanism.NewLaplace(mechanism.LaplaceParams{
			Epsilon: epsilon("1"), L1Sensitivity: moves, LargestMove: 1}))
	}
	caught("each with all of ε", within("1", "0"), laplaceLaw(each, 48))
}
