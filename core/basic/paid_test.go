package basic

import (
	"math"
	"math/big"
	"slices"
	"testing"
)

// TestNoiseIsPaidForItsCost: whatever the design, noise of weight w has the base e^(ε·w/cost), or a
// ρ of w²/cost of the whole: what a neighbour costs, by group or not, is what is granted.
func TestNoiseIsPaidForItsCost(t *testing.T) {
	for _, d := range []design{
		{weights: []uint64{1}, within: 1, absent: 1, moves: [][]uint64{{1, 1}}},
		{weights: []uint64{1}, within: 2, absent: 1, moves: [][]uint64{{1, 1}}},
		{weights: []uint64{1}, within: 1, absent: 3, moves: [][]uint64{{3, 3}}},
		{weights: []uint64{1, 3}, within: 5, absent: 10},
		{weights: []uint64{2, 1, 5}, within: 40, absent: 7},
	} {
		for _, grouped := range []bool{false, true} {
			cost := d.within
			if grouped {
				cost = max(cost, 2*d.absent)
			}
			s := grant(epsilon("1"), base(1, 1), delta("1e-6"))
			laplace := must(newLaplace(s, d, grouped))
			gaussian := must(newGaussian(s, d, grouped))
			for j, weight := range d.weights {
				share := float64(weight) / float64(cost)
				if spent := laplace.laws[j].laplace.Log() / share; spent > 1+1e-12 ||
					spent < 1-1e-9 {
					t.Errorf("%+v, by group %v, sum %d: ε = %g, granted 1", d, grouped, j, spent)
				}
				whole := new(big.Rat).Mul(must(gaussian.laws[j].gaussian.Loss(1)).Rho(),
					new(big.Rat).SetFrac64(int64(cost), int64(weight*weight)))
				off, _ := whole.Quo(whole, gaussian.rho.Rho()).Float64()
				if off > 1 || off < 1-1e-9 {
					t.Errorf("%+v, by group %v, sum %d: ρ is %g times the granted", d, grouped, j,
						off)
				}
			}
			if e, _ := must(gaussian.Loss(1)).Epsilon(); e.Cmp(big.NewRat(1, 1)) > 0 ||
				must(gaussian.Loss(1)).Delta().Cmp(s.delta.Rat()) != 0 {
				t.Errorf("%+v, by group %v: %v", d, grouped, must(gaussian.Loss(1)))
			}
		}
	}
}

// TestQuantilesSpendTheirEpsilon: the levels of a plan together spend ε, and each node moves by as
// much as the worse of its sides.
func TestQuantilesSpendTheirEpsilon(t *testing.T) {
	for _, targets := range [][]*big.Rat{evenly(1), evenly(9), rats("1/5", "2/5", "9/10"),
		rats("1/100", "3/4", "99/100"), rats("1/7", "1/2")} {
		for _, grouped := range []bool{false, true} {
			q := must(NewQuantiles(QuantilesParams{Epsilon: epsilon("1"), Size: big.NewInt(50),
				Targets: targets, People: 1000, ByGroup: grouped}))
			worst := make([]float64, q.levels)
			q.root.visit(0, func(n *node, level int) {
				worst[level] = max(worst[level], float64(n.moves)*n.base.Log())
				want := 4 * q.parts * max(n.p, n.q-n.p)
				if n == q.root && !grouped {
					want = 2 * q.parts * n.q
				}
				if n.moves != want {
					t.Errorf("%v, by group %v, %d/%d: %d moves, want %d", targets, grouped, n.p,
						n.q, n.moves, want)
				}
			})
			spent := 0.0
			for _, w := range worst {
				spent += w
			}
			if spent > 1+1e-12 || spent < 1-1e-9 {
				t.Errorf("%v, by group %v: ε = %g", targets, grouped, spent)
			}
			if e, _ := must(q.Loss(1)).Epsilon(); e.Cmp(big.NewRat(1, 1)) != 0 {
				t.Errorf("%v, by group %v: the loss is %v", targets, grouped, must(q.Loss(1)))
			}
		}
	}
}

// TestSaturate: a sum beyond 64 bits stops at their end, so that one person more is no jump.
func TestSaturate(t *testing.T) {
	for _, beyond := range []uint{0, 1, 5, 6, 20} {
		far := new(big.Int).Lsh(oneInt, 63+beyond)
		if got := saturate(far); got != math.MaxInt64 {
			t.Errorf("2^%d is %d", 63+beyond, got)
		}
		far.Add(far, oneInt)
		if got := saturate(far.Neg(far)); got != math.MinInt64 {
			t.Errorf("−2^%d − 1 is %d", 63+beyond, got)
		}
	}
	for _, x := range []int64{0, -1, math.MaxInt64, math.MinInt64} {
		if got := saturate(big.NewInt(x)); got != x {
			t.Errorf("%d is %d", x, got)
		}
	}
}

// TestGatherKeepsGroupsApart: a code beyond the domain is its last one, in the row's own group, and
// a row of no group is in none, by a table, sorted and counted.
func TestGatherKeepsGroupsApart(t *testing.T) {
	const groups = 3
	for _, last := range []uint64{3, smallTable} {
		// H: quantiles.md in-codes; jointexp.md in-codes; upperbound.md in-codes
		far := int(last) + 5
		// H: quantiles.md in-groups
		codes, member := column{0, far, 2, -1, far, 1, far}, column{0, 0, 1, 1, 2, -1, 7}
		counted := WithCounts(codes, []uint64{1, 1, 1, 1, 1, 1, 1})
		for name, values := range map[string]Values{"rows": codes, "counted rows": counted} {
			lines := must(gather(values, member, groups, last, nil))
			for g, want := range [groups][]uint64{{0, last}, {2}, {last}} {
				if !slices.Equal(lines[g].codes, want) {
					t.Errorf("%s up to %d: group %d has %d, want %d", name, last, g,
						lines[g].codes, want)
				}
			}
		}
	}
}
