package basic

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
)

// Sums with noise are audited in two ways. The law of the noisy sums is enumerated where it is
// small; the sums are then clamped edge beyond what they can be, which only makes the tails' ratios
// those of their first values. And for many more scales the exact sums of all neighbours are
// compared with the sensitivity that the noise was made for, which must be reached.

const edge = 2

// sums are up to four noisy sums.
type sums [4]int64

// numbers are scales First, First + Step, … for tests.
func numbers(size int64, first, step string) Scale {
	return Scale{Size: big.NewInt(size), First: rat(first), Step: rat(step)}
}

// binary is the number of codes in the audits of laws by group.
const binary = 2

// noisyLaw is the law of the noisy sums that a question's release draws over a space: its answers
// are made of them alone. With groups > 1 a value v is the code v/groups in group v mod groups, and
// the code after the last stands for none.
func noisyLaw[A any](a asked[A], groups int,
	space audit.Space) func([]int) (*coin.Law[sums], error) {
	low, high := extremes(a, groups, space)
	top := uint64(0)
	for i := range low {
		top = max(top, uint64(high[i]-low[i])+2*edge)
	}
	return run(coin.Limits{Top: top}, func(src coin.Source, rows []int) (out sums, err error) {
		codes, group := split(rows, groups, binary)
		if a.grouped {
			by := &ByGroup[A]{a, uint64(groups)}
			_, err = by.Release(src, codes, group, nil)
		} else {
			_, err = a.Release(src, codes, nil)
		}
		raw, _ := a.Noise().Drawn()
		for i, x := range raw.Sums {
			out[i] = min(max(x, low[i]-edge), high[i]+edge)
		}
		return out, err
	})
}

func exactSums[A any](a asked[A], groups, size int, rows []int) ([]int64, error) {
	codes, group := split(rows, groups, size)
	return a.exact(codes, group, uint64(groups), nil)
}

// split makes a column of codes and one of groups; one group needs no column.
func split(rows []int, groups, size int) (codes column, group Values) {
	if groups == 1 {
		return column(rows), nil
	}
	member := make(column, len(rows))
	codes = make(column, len(rows))
	for i, v := range rows {
		codes[i], member[i] = -1, -1
		if v != audit.None {
			codes[i], member[i] = v/groups, v%groups
			if codes[i] == size {
				codes[i] = -1 // a member of the group without a value
			}
		}
	}
	return codes, member
}

// extremes are the smallest and largest exact sums.
func extremes[A any](a asked[A], groups int, space audit.Space) (low, high []int64) {
	for _, rows := range space.DataSets() {
		exact := must(exactSums(a, groups, binary, rows))
		if low == nil {
			low, high = append(low, exact...), append(high, exact...)
		}
		for i, x := range exact {
			low[i], high[i] = min(low[i], x), max(high[i], x)
		}
	}
	return low, high
}

// auditSums audits one question about everybody or by two groups.
func auditSums[A any](t *testing.T, name string, a asked[A], groups int, space audit.Space) {
	t.Helper()
	audittest.Holds(
		t, audit.Audit[sums]{Name: name, Space: space, Claim: claimOf(a.Loss(1)),
			Law: noisyLaw(a, groups, space)})
}

// grouped asks a question by group.
func grouped[A any](q Question[A], groups uint64) asked[A] {
	return must(NewByGroup(q, groups)).asking
}

func atLeastOneCode(code uint64) bool { return code >= 1 }

func substitute(code uint64) *uint64 { return &code }

func TestAuditSums(t *testing.T) {
	r := base(3, 2)
	two, three := audit.Space{Persons: 2, Values: 2}, audit.Space{Persons: 3, Values: 2}
	byGroup := audit.Space{Persons: 2, Values: 6} // codes 0, 1 or none in each of two groups
	count := must(NewCount(CountParams{Base: r, Where: atLeastOneCode}))
	auditSums(t, "count, base 3/2", count.asked, 1, three)
	auditSums(t, "count by group, base 3/2", grouped(count, 2), 2, byGroup)
	share := must(NewShare(ShareParams{Base: r, People: 3, Where: atLeastOneCode}))
	auditSums(t, "share, base 3/2", share.asked, 1, three)
	auditSums(t, "share in one of many groups, base 3/2", grouped(share, 1), 1, three)
	sum := must(NewSum(SumParams{Base: r, Scale: numbers(2, "1", "1"), People: 3}))
	auditSums(t, "sum of 1 and 2, base 3/2", sum.asked, 1, three)
	auditSums(t, "sum of 1 and 2 by group, base 3/2", grouped(sum, 2), 2, byGroup)
	filled := must(
		NewSum(SumParams{Base: r, Scale: numbers(2, "10", "1"), People: 3,
			Substitute: substitute(1)}))
	auditSums(t, "sum of 10 and 11 with a substitute, base 3/2", filled.asked, 1, three)
	mean := must(NewMean(MeanParams{Base: r, Scale: numbers(2, "5", "1/2"), People: 2}))
	auditSums(t, "mean, base 3/2", mean.asked, 1, two)
	auditSums(t, "mean in one of many groups, base 3/2", grouped(mean, 1), 1, two)
	fine := must(NewMean(MeanParams{Base: r, Scale: numbers(3, "5", "1/2"), People: 2}))
	auditSums(t, "mean of three numbers, base 3/2", fine.asked, 1,
		audit.Space{Persons: 2, Values: 3})
	full := must(
		NewMean(MeanParams{Base: r, Scale: numbers(3, "5", "1/2"), People: 3,
			Substitute: substitute(1)}))
	auditSums(t, "mean with a substitute, base 3/2", full.asked, 1,
		audit.Space{Persons: 3, Values: 3})
	histogram := must(NewHistogram(HistogramParams{Base: r, Size: 2, Width: 1}))
	auditSums(t, "histogram of two bins, base 3/2", histogram.asked, 1, two)
	granted := must(
		NewMean(MeanParams{Epsilon: epsilon("1"), Scale: numbers(2, "0", "1"), People: 2}))
	auditSums(t, "mean, ε = 1", granted.asked, 1, two)
}

func TestAuditVariance(t *testing.T) {
	v := must(NewVariance(VarianceParams{Base: base(5, 4), Scale: numbers(2, "0", "1"), People: 1}))
	auditSums(t, "variance, base 5/4", v.asked, 1, audit.Space{Persons: 1, Values: 2})
}

// costOf is the cost of the change between two lists of exact sums.
func costOf(kind Kind, weights []uint64, a, b []int64) *big.Int {
	cost := new(big.Int)
	for i := range a {
		change := new(big.Int).Mul(big.NewInt(a[i]-b[i]), bigOf(weights[i%len(weights)]))
		if change.Abs(change); kind == Gaussian {
			change.Mul(change, change)
		}
		cost.Add(cost, change)
	}
	return cost
}

// checkSensitivity compares the design of a question with the exact sums of all neighbours: none
// may cost more than claimed, and some must cost as much, or slack less.
func checkSensitivity[A any](t *testing.T, name string, a asked[A], groups, size int,
	space audit.Space, slack uint64) {
	t.Helper()
	sets := space.DataSets()
	for _, kind := range []Kind{Laplace, Gaussian} {
		d, ok := a.ask.design(kind, a.grouped)
		if !ok {
			continue
		}
		worst := new(big.Int)
		for _, x := range sets {
			for _, y := range sets {
				if neighbours(x, y) {
					worst = most(
						worst, costOf(kind, d.weights, must(exactSums(a, groups, size, x)),
							must(exactSums(a, groups, size, y))))
				}
			}
		}
		claimed := bigOf(d.cost(a.grouped))
		if worst.Cmp(claimed) > 0 {
			t.Errorf("%s, %s: neighbours cost %v, claimed is %v", name, kind, worst, claimed)
		}
		if least := new(big.Int).Sub(claimed, bigOf(slack)); worst.Cmp(least) < 0 {
			t.Errorf("%s, %s: neighbours cost at most %v, claimed is %v", name, kind, worst,
				claimed)
		}
		claim := a.noise.spend.Claim // which a replay holds each run to
		if have := max(claim.L1, claim.L2Squared); a.noise.kind == kind &&
			(bigOf(have).Cmp(claimed) != 0 || !slices.Equal(claim.Weights, d.weights)) {
			t.Errorf("%s, %s: the meter's claim is %d by %v, want %v by %v", name, kind, have,
				claim.Weights, claimed, d.weights)
		}
	}
	if d, _ := a.ask.design(Laplace, a.grouped); a.noise.kind == Laplace && len(d.moves) > 0 {
		checkRho(t, name, a, groups, size, sets)
	}
}

// checkRho compares the ρ that a question states with the exact sums of all neighbours: the ρ of
// Laplace noise on each sum that moves, added up, is never above it, and somewhere as large.
func checkRho[A any](t *testing.T, name string, a asked[A], groups, size int, sets [][]int) {
	t.Helper()
	worst := new(big.Rat)
	for _, x := range sets {
		for _, y := range sets {
			if !neighbours(x, y) {
				continue
			}
			rho := new(big.Rat)
			from, to := must(exactSums(a, groups, size, x)), must(exactSums(a, groups, size, y))
			for i := range from {
				if by := uint64(max(from[i], to[i]) - min(from[i], to[i])); by > 0 {
					rho.Add(rho, a.noise.laws[i%len(a.noise.laws)].laplace.Rho(by, by))
				}
			}
			if rho.Cmp(worst) > 0 {
				worst = rho
			}
		}
	}
	stated := a.noise.one.Rho()
	if worst.Cmp(stated) > 0 {
		// What ε implies is no less than any ρ, but for how both are rounded.
		if worst.Quo(worst, stated); worst.Cmp(big.NewRat(1_000_000_001, 1_000_000_000)) > 0 {
			t.Errorf("%s: neighbours cost %s of the ρ that is stated", name, worst.FloatString(9))
		}
		return
	}
	if worst.Quo(worst, stated); worst.Cmp(big.NewRat(999_999_999, 1_000_000_000)) < 0 {
		t.Errorf("%s: neighbours cost at most %s of the ρ that is stated", name,
			worst.FloatString(9))
	}
}

func neighbours(x, y []int) bool {
	differ := 0
	counts := map[int]int{}
	for i := range x {
		counts[x[i]]++
		counts[y[i]]--
	}
	for _, c := range counts {
		differ += max(0, c)
	}
	return differ == 1
}

// TestAuditSensitivity covers scales on both sides of 0, far from it, with substitutes, and domains
// so large that sums are rounded.
func TestAuditSensitivity(t *testing.T) {
	r := base(3, 2)
	for _, scale := range []Scale{
		numbers(2, "0", "1"), numbers(4, "-1", "1"), numbers(5, "-7/2", "1/2"),
		numbers(3, "1990", "15"), numbers(3, "-20", "5"), numbers(4, "1/3", "1/7"),
	} {
		size := int(scale.Size.Int64())
		for _, groups := range []int{1, 2} {
			for _, code := range []*uint64{nil, substitute(0), substitute(uint64(size - 1)),
				substitute(1)} {
				name := fmt.Sprintf("from %v in steps of %v, %d groups, substitute %v", scale.First,
					scale.Step, groups, code != nil)
				space := audit.Space{Persons: 2, Values: size}
				if groups > 1 {
					space.Values = 2 * (size + 1)
				}
				sum := must(NewSum(SumParams{Base: r, Scale: scale, People: 2, Substitute: code}))
				mean := must(
					NewMean(MeanParams{Epsilon: epsilon("1"), Scale: scale, People: 2,
						Substitute: code}))
				a, m := sum.asked, mean.asked
				if groups > 1 {
					a, m = grouped(sum, 2), grouped(mean, 2)
				}
				checkSensitivity(t, "sum "+name, a, groups, size, space, 0)
				checkSensitivity(t, "mean "+name, m, groups, size, space, ratioSlack(m))
			}
		}
		v := must(NewVariance(VarianceParams{Epsilon: epsilon("1"), Scale: scale, People: 2}))
		checkSensitivity(t, "variance", v.asked, 1, size, audit.Space{Persons: 2, Values: size}, 0)
		checkSensitivity(t, "variance by group", grouped(v, 2), 2, size,
			audit.Space{Persons: 2, Values: 2 * (size + 1)}, 0)
	}
	histogram := must(NewHistogram(HistogramParams{Base: r, Size: 5, Width: 2}))
	checkSensitivity(t, "histogram", histogram.asked, 1, 6, audit.Space{Persons: 3, Values: 6}, 0)
	checkSensitivity(t, "histogram by group", grouped(histogram, 2), 2, 5,
		audit.Space{Persons: 2, Values: 12}, 0)
	uneven := must(NewHistogram(HistogramParams{Base: r, Size: 5, Starts: []uint64{0, 1, 4}}))
	checkSensitivity(t, "histogram of uneven bins", uneven.asked, 1, 6,
		audit.Space{Persons: 3, Values: 6}, 0)
	checkSensitivity(t, "histogram of uneven bins by group", grouped(uneven, 2), 2, 5,
		audit.Space{Persons: 2, Values: 12}, 0)
	one := must(NewHistogram(HistogramParams{Base: r, Size: 5, Width: 9}))
	checkSensitivity(t, "histogram of one bin", one.asked, 1, 6, audit.Space{Persons: 3, Values: 6},
		0)
	checkSensitivity(t, "histogram of one bin by group", grouped(one, 2), 2, 5,
		audit.Space{Persons: 2, Values: 12}, 0)
	count := must(NewCount(CountParams{Base: r, Where: atLeastOneCode}))
	checkSensitivity(t, "count", count.asked, 1, 3, audit.Space{Persons: 3, Values: 3}, 0)
	checkSensitivity(t, "count by group", grouped(count, 2), 2, 2,
		audit.Space{Persons: 2, Values: 6}, 0)
	share := must(NewShare(ShareParams{Base: r, People: 3, Where: atLeastOneCode}))
	checkSensitivity(t, "share by group", grouped(share, 2), 2, 2,
		audit.Space{Persons: 2, Values: 6}, 0)
}

// ratioSlack: with Gaussian noise the weight of a number of values is a whole number below a square
// root.
func ratioSlack[A any](a asked[A]) uint64 {
	if d, ok := a.ask.design(Gaussian, a.grouped); ok && len(d.weights) > 1 {
		return 2*d.weights[1] + 1
	}
	return 0
}

// TestAuditRoundedSensitivity moves one person between the ends and the middle of huge scales,
// above sums that lie badly.
func TestAuditRoundedSensitivity(t *testing.T) {
	const far = 1<<62 + 12345
	scale := numbers(far, "-3", "1/10")
	codes := []int{-1, 0, 1, 29, 30, 31, far / 4, far / 2, far/2 + 1, far - 2, far - 1}
	sum := must(NewSum(SumParams{Epsilon: epsilon("1"), Scale: scale, People: 1 << 40}))
	mean := must(NewMean(MeanParams{Epsilon: epsilon("1"), Scale: scale, People: 1 << 40}))
	variance := must(
		NewVariance(VarianceParams{Epsilon: epsilon("1"), Scale: scale, People: 1 << 40}))
	for name, a := range map[string]asked[Estimate]{
		"sum": sum.asked, "mean": mean.asked, "variance": variance.asked,
		"sum by group": grouped(sum, 1), "mean by group": grouped(mean, 1),
		"variance by group": grouped(variance, 1),
	} {
		d, _ := a.ask.design(Laplace, a.grouped)
		allowed := bigOf(d.within)
		worst := new(big.Int)
		above := []column{{}, {0}, {7, 3}, {far / 3, 5, far - 9}}
		for i := range 16 { // over a whole quantum, so that some move is rounded up
			above = append(above, column{i << 39})
		}
		for _, others := range above {
			for _, x := range codes {
				for _, y := range codes {
					from := must(a.exact(append(column{x}, others...), nil, 1, nil))
					to := must(a.exact(append(column{y}, others...), nil, 1, nil))
					worst = most(worst, costOf(Laplace, d.weights, from, to))
				}
			}
		}
		if worst.Cmp(allowed) > 0 || new(big.Int).Mul(worst, big.NewInt(5)).
			Cmp(new(big.Int).Mul(allowed, big.NewInt(4))) < 0 {
			t.Errorf("%s: one person costs %v, claimed is %v", name, worst, allowed)
		}
	}
}

// TestAuditVarianceCost compares the closed form of a replaced value's cost with all pairs of
// values, for many quanta: it is never below, and at most what two ceilings can add above.
func TestAuditVarianceCost(t *testing.T) {
	for _, last := range []uint64{1, 2, 3, 7, 20} {
		for _, y := range []int64{1, 2, 3, 4, 5} {
			for _, w := range []int64{1, 2, 3, 7, 8, 32} {
				for _, weight := range []uint64{1, 2, 3, 2 * last, 9 * last} {
					v := variance{last: last, y: big.NewInt(y), w: big.NewInt(w), weight: weight}
					k := int64(last)
					worst := int64(0)
					for a := -k; a <= k; a += 2 {
						for b := -k; b <= k; b += 2 {
							d, s := abs(a-b), abs(a+b)
							worst = max(worst, int64(weight)*((d+y-1)/y)+(2*d*s+w-1)/w)
						}
					}
					// A pair is a whole step from the parabola's top at most.
					if got := int64(v.replaceCost()); got < worst ||
						got > worst+2*int64(weight)+2+(8*k+8)/w {
						t.Errorf("last %d, quanta %d and %d, weight %d: cost %d, want at least %d",
							last, y, w, weight, got, worst)
					}
				}
			}
		}
	}
}

func TestPlantedSums(t *testing.T) {
	r := base(3, 2)
	caught := func(name string, space audit.Space, claim audit.Claim,
		law func([]int) (*coin.Law[sums], error)) {
		t.Helper()
		audittest.Caught(t, audit.Audit[sums]{Name: name, Space: space, Claim: claim, Law: law})
	}
	three := audit.Space{Persons: 3, Values: 2}
	byGroup := audit.Space{Persons: 2, Values: 6}
	sum := must(NewSum(SumParams{Base: r, Scale: numbers(2, "1", "1"), People: 3}))
	claim := claimOf(sum.Loss(1))

	half := must(NewSum(SumParams{Base: r.Pow(2), Scale: numbers(2, "1", "1"), People: 3}))
	caught("sum with half the noise", three, claim, noisyLaw(half.asked, 1, three))
	// (size − 1)·step is the range of the values, but none adds 0.
	narrow := must(NewSum(SumParams{Base: r, Scale: numbers(2, "0", "1"), People: 3}))
	caught("sum of 1 and 2 with the sensitivity of their range", three, claimOf(narrow.Loss(1)),
		noisyLaw(sum.asked, 1, three))
	caught("sum by group with the sensitivity about everybody", byGroup, claim,
		noisyLaw(asked[Estimate]{ask: sum.ask, noise: sum.noise, grouped: true}, 2, byGroup))
	wider := must(NewSum(SumParams{Base: r.Pow(2), Scale: numbers(3, "1", "1"), People: 2}))
	caught("sum of 1 to 3 clamped to the data's own bounds", audit.Space{Persons: 2, Values: 3},
		claimOf(wider.Loss(1)),
		run(coin.Limits{Top: 10}, func(src coin.Source, rows []int) (out sums, err error) {
			largest, total := 0, 0
			for _, v := range rows {
				largest, total = max(largest, v+1), total+v+1 // none is −1 and adds 0
			}
			if largest == 0 {
				largest = 3
			}
			own := must(
				newLaplace(strength{base: r.Pow(2 * 3 / uint64(largest))},
					design{weights: []uint64{1}, within: uint64(largest)}, false))
			noisy, err := own.hide(src, []int64{int64(total)}, nil)
			out[0] = min(max(noisy[0], -edge), 6+edge)
			return out, err
		}))

	mean := must(NewMean(MeanParams{Base: r, Scale: numbers(2, "5", "1/2"), People: 2}))
	two := audit.Space{Persons: 2, Values: 2}
	caught("mean that takes the number of values for public", two, claimOf(mean.Loss(1)),
		func(rows []int) (*coin.Law[sums], error) {
			law, err := noisyLaw(mean.asked, 1, two)(rows)
			if err != nil {
				return nil, err
			}
			exact := must(exactSums(mean.asked, 1, binary, rows))
			return coin.Then(law, func(s sums) (*coin.Law[sums], error) {
				one := coin.NewLaw[sums]()
				s[1] = exact[1]
				one.Add(s, big.NewRat(1, 1))
				return one, nil
			})
		})
	loud := mean.asked
	loud.noise = must(
		newLaplace(strength{base: r}, design{weights: []uint64{1, 2}, within: 2, absent: 2}, false))
	caught("mean whose number of values gets the sum's whole budget", two, claimOf(mean.Loss(1)),
		noisyLaw(loud, 1, two))

	count := must(NewCount(CountParams{Base: r}))
	listed := grouped(count, 2)
	caught("count of the groups that occur", byGroup, claimOf(listed.Loss(1)),
		func(rows []int) (*coin.Law[sums], error) {
			law, err := noisyLaw(listed, 2, byGroup)(rows)
			if err != nil {
				return nil, err
			}
			return coin.Then(law, func(s sums) (*coin.Law[sums], error) {
				one := coin.NewLaw[sums]()
				_, groups := split(rows, 2, binary)
				for g := range 2 {
					if !strings.Contains(fmt.Sprint(groups), fmt.Sprint(g)) {
						s[g] = -99 // not on the list
					}
				}
				one.Add(s, big.NewRat(1, 1))
				return one, nil
			})
		})
	v := must(NewVariance(VarianceParams{Base: base(5, 4), Scale: numbers(2, "0", "1"), People: 1}))
	weak := v.asked
	weak.noise = must(
		newLaplace(strength{base: base(5, 4)}, design{weights: []uint64{1, 2, 3}, within: 4},
			false))
	single := audit.Space{Persons: 1, Values: 2}
	caught("variance whose number of values gets too much", single, claimOf(v.Loss(1)),
		noisyLaw(weak, 1, single))
}
