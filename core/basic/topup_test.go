package basic

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// twoAnswers are up to two sums, each before and after a top-up.
type twoAnswers [4]int64

// alone is the noise on one sum of a question.
func alone(n *Noise, sum int) *Noise {
	one := *n
	one.laws = []law{n.laws[sum%len(n.laws)]}
	return &one
}

// toppedLaw is the law of the sums of a question, before and after a top-up, each clamped beyond
// what the exact ones can be. Sums have independent noise, so each is enumerated by itself.
func toppedLaw[A any](first, then asked[A], groups int, space audit.Space,
	mistake func(sum int) int) func([]int) (*coin.Law[twoAnswers], error) {
	low, high := extremes(first, groups, space)
	return func(rows []int) (*coin.Law[twoAnswers], error) {
		exact, err := exactSums(first, groups, binary, rows)
		if err != nil {
			return nil, err
		}
		all := coin.NewLaw[twoAnswers]()
		all.Add(twoAnswers{}, big.NewRat(1, 1))
		for j, x := range exact {
			clamped := func(y int64) int64 { return min(max(y, low[j]-1), high[j]+1) }
			rough := alone(first.noise, j)
			before, err := coin.Enumerate(coin.Limits{Top: uint64(high[j]-low[j]) + 2},
				func(src coin.Source) (int64, error) {
					list, err := rough.hide(src, []int64{x}, nil)
					return slices.Max(list), err
				})
			if err != nil {
				return nil, err
			}
			both, err := coin.Then(before, func(y int64) (*coin.Law[[2]int64], error) {
				fine := alone(then.noise, mistake(j))
				if _, err := fine.TopUp(alone(first.noise, mistake(j)),
					Raw{Sums: []int64{y},
						Bases: alone(first.noise, mistake(j)).bases()}); err != nil {
					return nil, err
				}
				return coin.Enumerate(coin.Limits{Top: 2*uint64(high[j]-low[j]) + 6},
					func(src coin.Source) ([2]int64, error) {
						list, err := fine.hide(src, []int64{x}, nil)
						return [2]int64{clamped(y), clamped(slices.Max(list))}, err
					})
			})
			if err != nil {
				return nil, err
			}
			if all, err = coin.Then(all, func(sofar twoAnswers) (*coin.Law[twoAnswers], error) {
				return coin.Then(both, func(pair [2]int64) (*coin.Law[twoAnswers], error) {
					next, law := sofar, coin.NewLaw[twoAnswers]()
					next[2*j], next[2*j+1] = pair[0], pair[1]
					law.Add(next, big.NewRat(1, 1))
					return law, nil
				})
			}); err != nil {
				return nil, err
			}
		}
		return all, nil
	}
}

func itself(sum int) int { return sum }

func TestAuditTopUp(t *testing.T) {
	rough, fine := base(5, 4), base(2, 1)
	two := audit.Space{Persons: 2, Values: 2}
	check := func(name string, first, then asked[Estimate], groups int, space audit.Space) {
		t.Helper()
		audittest.Holds(t, audit.Audit[twoAnswers]{Name: "top-up of a " + name + ", both answers",
			Space: space, Claim: claimOf(then.Loss(1)),
			Law: toppedLaw(first, then, groups, space, itself)})
	}
	count := func(r coin.Base) *Count {
		return must(NewCount(CountParams{Base: r, Where: atLeastOneCode}))
	}
	check("count", count(rough).asked, count(fine).asked, 1, two)
	check("count by group", grouped(count(rough), 2), grouped(count(fine), 2), 2,
		audit.Space{Persons: 2, Values: 4})
	share := func(r coin.Base) *Share {
		return must(NewShare(ShareParams{Base: r, People: 2, Where: atLeastOneCode}))
	}
	check("share", share(rough).asked, share(fine).asked, 1, two)
	sum := func(r coin.Base) *Sum {
		return must(NewSum(SumParams{Base: r, Scale: numbers(2, "1", "1"), People: 2}))
	}
	check("sum of 1 and 2", sum(rough).asked, sum(fine).asked, 1, two)
	mean := func(r coin.Base) *Mean {
		return must(NewMean(MeanParams{Base: r, Scale: numbers(2, "5", "1/2"), People: 2}))
	}
	check("mean", mean(rough).asked, mean(fine).asked, 1, two)
	bins := func(r coin.Base) *Histogram {
		return must(NewHistogram(HistogramParams{Base: r, Size: 2, Width: 1}))
	}
	audittest.Holds(t, audit.Audit[twoAnswers]{Name: "top-up of a histogram, both answers",
		Space: two, Claim: claimOf(bins(fine).Loss(1)),
		Law: toppedLaw(bins(rough).asked, bins(fine).asked, 1, two, itself)})
}

// TestPlantedTopUp: steps of another sum's weight, and noise that is drawn afresh.
func TestPlantedTopUp(t *testing.T) {
	rough, fine := base(5, 4), base(2, 1)
	scale := numbers(3, "0", "1")
	mean := func(r coin.Base) asked[Estimate] {
		return must(NewMean(MeanParams{Base: r, Scale: scale, People: 1})).asked
	}
	space := audit.Space{Persons: 1, Values: 3}
	first, then := mean(rough), mean(fine)
	if weights := first.noise.spend.Claim.Weights; len(weights) < 2 || weights[0] == weights[1] {
		t.Fatalf("weights %v: want different ones", weights)
	}
	audittest.Caught(t, audit.Audit[twoAnswers]{
		Name: "top-up of a mean with the steps of the other sum", Space: space,
		Claim: claimOf(then.Loss(1)),
		Law:   toppedLaw(first, then, 1, space, func(sum int) int { return 1 - sum })})
	// the smaller noise is released as if it were a top-up: nothing of the first is used
	two := audit.Space{Persons: 2, Values: 2}
	count := func(r coin.Base) asked[Estimate] {
		return must(NewCount(CountParams{Base: r, Where: atLeastOneCode})).asked
	}
	again := func(rows []int) (*coin.Law[twoAnswers], error) {
		exact, err := exactSums(count(rough), 1, binary, rows)
		if err != nil {
			return nil, err
		}
		return coin.Enumerate(coin.Limits{Top: 4}, func(src coin.Source) (twoAnswers, error) {
			one, err := count(rough).noise.hide(src, exact, nil)
			if err != nil {
				return twoAnswers{}, err
			}
			other, err := count(fine).noise.hide(src, exact, nil)
			return twoAnswers{min(max(one[0], -1), 3), min(max(other[0], -1), 3)}, err
		})
	}
	audittest.Caught(t, audit.Audit[twoAnswers]{Name: "top-up of a count that is drawn afresh",
		Space: two, Claim: claimOf(count(fine).Loss(1)), Law: again})
}

// TestTopUpSums: all sums are topped up, each with the steps of its own weight, in one spend.
func TestTopUpSums(t *testing.T) {
	variance := func(text string) *Variance {
		return must(NewVariance(
			VarianceParams{Epsilon: epsilon(text), Scale: numbers(5, "0", "1"), People: 9}))
	}
	first, then := variance("0.1"), variance("0.7")
	codes := column{0, 1, 2, 3, 4, 4, 3, -1, 2}
	if _, ok := first.Noise().Drawn(); ok {
		t.Error("something was drawn before the release")
	}
	if _, err := first.Release(coin.NewSeeded(1), codes, nil); err != nil {
		t.Fatal(err)
	}
	raw, ok := first.Noise().Drawn()
	if !ok || len(raw.Sums) != 3 || len(raw.Bases) != len(first.noise.laws) {
		t.Fatalf("kept %v", raw)
	}
	rest := must(then.Noise().TopUp(first.Noise(), raw))
	if more, _ := rest.Epsilon(); more.Cmp(big.NewRat(3, 5)) != 0 || !rest.IsRest() {
		t.Errorf("the top-up costs %v, want 3/5", more)
	}
	if whole, _ := must(then.Loss(1)).Epsilon(); whole.Cmp(big.NewRat(7, 10)) != 0 {
		t.Errorf("in all %v, want 7/10", whole)
	}
	if _, err := then.Release(coin.NewSeeded(2), codes, nil); err != nil {
		t.Fatal(err)
	}
	src, exact := coin.NewSeeded(2), must(then.exact(codes, nil, 1, nil))
	var want []int64
	for i, x := range exact {
		want = append(want, then.noise.topUp.steps[i%len(then.noise.topUp.steps)].
			Draw(src, x, raw.Sums[i]))
	}
	have, ok := then.Noise().Drawn()
	if !ok || !slices.Equal(have.Sums, want) || slices.Equal(have.Bases, raw.Bases) {
		t.Errorf("drew %v, want %v", have, want)
	}
	// a chain goes on from the latest
	last := variance("0.8")
	if _, err := last.Noise().TopUp(first.Noise(), have); err == nil {
		t.Error("the latest answer was taken for one of the first noise")
	}
	if rest := must(last.Noise().TopUp(then.Noise(), have)); rest.IsRest() {
		if more, _ := rest.Epsilon(); more.Cmp(big.NewRat(1, 10)) != 0 {
			t.Errorf("the second top-up costs %v, want 1/10", more)
		}
	}
}

// TestTopUpOfAll: where ε is large, answers of a chain are the exact ones in the end.
func TestTopUpOfAll(t *testing.T) {
	sum := func(text string) *Sum {
		return must(NewSum(
			SumParams{Epsilon: epsilon(text), Scale: numbers(3, "0", "1"), People: 100}))
	}
	codes := make(column, 100)
	for i := range codes {
		codes[i] = i % 3
	}
	src := coin.NewSeeded(5)
	before := sum("0.01")
	must(before.Release(src, codes, nil))
	for _, text := range []string{"0.1", "1", "60"} {
		raw, _ := before.Noise().Drawn()
		next := sum(text)
		must(next.Noise().TopUp(before.Noise(), raw))
		answer := must(next.Release(src, codes, nil))
		if text == "60" && answer.Value.Cmp(big.NewRat(99, 1)) != 0 {
			t.Errorf("with ε = 60 the sum is %v, want 99", answer.Value)
		}
		before = next
	}
}

func TestTopUpRefuses(t *testing.T) {
	count := func(text string) *Noise {
		return must(NewCount(CountParams{Epsilon: epsilon(text)})).Noise()
	}
	sum := func(text string, size int64) *Noise {
		return must(NewSum(SumParams{Epsilon: epsilon(text), Scale: numbers(size, "0", "1"),
			People: 9})).Noise()
	}
	small := count("0.1")
	normal := must(newGaussian(grant(epsilon("0.1"), coin.Base{}, delta("1e-6")),
		design{weights: []uint64{1}, within: 1}, false))
	raw := Raw{Sums: []int64{7}, Bases: small.bases()}
	for name, c := range map[string]struct {
		first, then *Noise
		raw         Raw
	}{
		"less":    {small, count("0.05"), raw}, // H: topup.md rises
		"as much": {small, count("0.1"), raw},  // H: topup.md rises
		// H: topup.md unsaturated
		"saturated": {small, count("0.2"), Raw{Sums: []int64{math.MinInt64}, Bases: small.bases()}},
		"another base": {small, count("0.2"),
			Raw{Sums: []int64{7}, Bases: count("0.1001").bases()}}, // H: topup.md bases
		"another range": {sum("0.1", 3), sum("0.2", 4), // H: topup.md same-moves
			Raw{Sums: []int64{7}, Bases: sum("0.1", 3).bases()}},
	} {
		if _, err := c.then.TopUp(c.first, c.raw); err == nil {
			t.Errorf("%s was not refused", name)
		}
	}
	if _, err := normal.TopUp(small, raw); err == nil { // H: topup.md same-noise
		t.Error("a top-up to Gaussian noise was not refused")
	}
	if _, err := count("0.2").TopUp(normal, raw); err == nil { // H: topup.md same-noise
		t.Error("a top-up of Gaussian noise was not refused")
	}
	next := count("0.2")
	must(next.TopUp(small, Raw{Sums: []int64{7, 8}, Bases: small.bases()}))
	if _, err := next.hide(coin.NewSeeded(1), []int64{3}, nil); err == nil { // H: topup.md as-many
		t.Error("two numbers for one sum were not refused")
	}
	if _, ok := next.Drawn(); ok {
		t.Error("what failed can be topped up")
	}
}

// TestAveragedBreaksPure: a fresh release of Laplace noise that costs the ρ between two ε makes,
// with the first, a loss above the larger ε, by the exact laws of both; the lossless top-up does
// not, and in ρ it costs about as much as the question asked again.
func TestAveragedBreaksPure(t *testing.T) {
	for _, c := range []struct {
		first, then string
		both, dear  float64 // the ε of first and fresh; the ρ of a top-up beside that of then
	}{{"1/20", "1/10", 0.1366, 1.001}, {"1/2", "1", 1.357, 1.082}, {"1", "2", 2.62, 1.314}} {
		at := func(e string) *Noise {
			return must(NewCount(CountParams{Epsilon: epsilon(e), Where: atLeastOneCode})).Noise()
		}
		first, then := at(c.first), at(c.then)
		// of the largest ε, nearly, that costs no more ρ than the first leaves
		more, left := new(big.Rat), new(big.Rat).Sub(then.one.Rho(), first.one.Rho())
		for step := int64(1); step < 1<<30; step *= 2 {
			next := new(big.Rat).Add(more, big.NewRat(4, step))
			fresh := must(mechanism.NewLaplace(mechanism.LaplaceParams{
				Epsilon: must(privacy.NewEpsilon(next)), L1Sensitivity: 1}))
			if must(fresh.Loss(1)).Rho().Cmp(left) <= 0 {
				more = next
			}
		}
		// both answers far above the counts of two neighbours have the ratio r₁·r′
		was, _ := first.one.Epsilon()
		both, _ := new(big.Rat).Add(more, was).Float64()
		whole, _ := then.one.Epsilon()
		if most, _ := whole.Float64(); both <= most*1.01 || math.Abs(both-c.both) > 0.01*c.both {
			t.Errorf("%s to %s: first and fresh cost ε = %v, want %v", c.first, c.then, both,
				c.both)
		}
		must(first.hide(coin.NewSeeded(1), []int64{7}, nil))
		raw, _ := first.Drawn()
		one := then.one.Rho()
		rest := must(then.TopUp(first, raw))
		share, _ := new(big.Rat).Quo(rest.Rho(), one).Float64()
		if sum, _ := rest.Epsilon(); sum.Add(sum, was).Cmp(whole) != 0 ||
			math.Abs(share-c.dear) > 0.001 {
			t.Errorf("%s to %s: the top-up costs %v, %v of the ρ of asking again", c.first, c.then,
				rest, share)
		}
	}
}
