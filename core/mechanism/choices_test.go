package mechanism

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"hush/core/coin"
)

// Groups of equal score are chosen as their candidates one by one, and every scale and shift of
// int64 works.
func TestExponentialGroups(t *testing.T) {
	m := must(NewExponential(ExponentialParams{Base: base(3, 2), Sensitivity: 1}))
	single := choices(t, 6, func(src coin.Source) (int, error) {
		return m.Release(src, []int64{4, 1, 1, 1, 2, 2}, nil)
	})
	grouped := choices(t, 3, func(src coin.Source) (int, error) {
		return m.ReleaseGroups(src, scoreGroups{{4, 1}, {1, 3}, {2, 2}}, nil)
	})
	for i, want := range []float64{single[0], single[1] + single[2] + single[3],
		single[4] + single[5]} {
		if math.Abs(grouped[i]-want) > 1e-15 {
			t.Errorf("group %d has %g, want %g", i, grouped[i], want)
		}
	}
	src := coin.NewSeeded(1)
	for _, far := range [][]int64{{math.MinInt64, math.MaxInt64}, {math.MinInt64, 0},
		{0, math.MaxInt64}} {
		for range 50 {
			if i, err := m.Release(src, far, nil); i != 1 || err != nil {
				t.Fatalf("scores %v: %d, %v", far, i, err)
			}
		}
	}
}

type scoreGroups []struct {
	score int64
	m     uint64
}

func (g scoreGroups) Len() int                              { return len(g) }
func (g scoreGroups) Group(i int) (int64, uint64, *big.Int) { return g[i].score, g[i].m, nil }

func TestOneSignedHalvesTheLoss(t *testing.T) {
	for _, c := range []struct {
		oneSigned bool
		odds      string
	}{{false, "81/16"}, {true, "9/4"}} { // (3/2)^(2·2) and (3/2)^2
		exponential := must(
			NewExponential(
				ExponentialParams{Base: base(3, 2), Sensitivity: 2, OneSigned: c.oneSigned}))
		permute := must(
			NewPermuteAndFlip(
				PermuteAndFlipParams{Base: base(3, 2), Sensitivity: 2, OneSigned: c.oneSigned}))
		stable := must(
			NewStableChoice(
				StableChoiceParams{Base: base(9, 4), Delta: mustDelta(t, "0.1"), Newcomers: 1,
					OneSigned: c.oneSigned}))
		for _, m := range []Mechanism{exponential, permute, stable} {
			loss, err := m.Loss(1)
			if odds, exact := loss.Odds(); err != nil || !exact || odds.Cmp(rat(c.odds)) != 0 {
				t.Errorf("%T, one-signed %v: e^ε = %v, %v", m, c.oneSigned, odds, err)
			}
		}
	}
}

// The bound holds, and is attained within one, in the worst case: one best candidate, all others
// just below the bound.
func TestChoiceErrorBound(t *testing.T) {
	const n, beta = 50, 0.1
	exponential := must(NewExponential(ExponentialParams{Base: base(3, 2), Sensitivity: 1}))
	permute := must(NewPermuteAndFlip(PermuteAndFlipParams{Base: base(3, 2), Sensitivity: 1}))
	bound := exponential.ErrorBound(beta, big.NewInt(n))
	if bound != 15 || permute.ErrorBound(beta, big.NewInt(n)) != bound { // ⌈ln(500)/ln(3/2)⌉ − 1
		t.Fatalf("bound %d", bound)
	}
	missed := func(below int64) float64 {
		scores := slices.Repeat([]int64{-below}, n)
		scores[7] = 0
		return 1 - choices(t, n, func(src coin.Source) (int, error) {
			return exponential.Release(src, scores, nil)
		})[7]
	}
	if missed(bound+1) > beta || missed(bound-1) < beta {
		t.Errorf("missed with chance %g and %g", missed(bound+1), missed(bound-1))
	}
	if exponential.ErrorBound(beta, big.NewInt(1)) != 0 ||
		exponential.ErrorBound(0, big.NewInt(2)) != math.MaxInt64 {
		t.Error("one candidate has an error, or β = 0 has a bound")
	}
}

// Permute-and-flip never has the larger expected error (McKenna and Sheldon, Theorem 2).
func TestPermuteAndFlipIsNoWorse(t *testing.T) {
	exponential := must(NewExponential(ExponentialParams{Base: base(3, 2), Sensitivity: 1}))
	permute := must(NewPermuteAndFlip(PermuteAndFlipParams{Base: base(3, 2), Sensitivity: 1}))
	for _, scores := range [][]int64{{0, -1}, {0, -3, -3}, {-2, 0, 0, -5}, {5}, {-1, -1, -1, 0}} {
		behind := func(law []float64) (sum float64) {
			for i, p := range law {
				sum += p * float64(slices.Max(scores)-scores[i])
			}
			return sum
		}
		a := behind(
			choices(t, len(scores), func(src coin.Source) (int, error) {
				return permute.Release(src, scores, nil)
			}))
		b := behind(
			choices(t, len(scores), func(src coin.Source) (int, error) {
				return exponential.Release(src, scores, nil)
			}))
		if a > b+1e-12 {
			t.Errorf("scores %v: %g behind, exponential %g", scores, a, b)
		}
	}
}

func TestChoicesRefuse(t *testing.T) {
	_, err := NewExponential(ExponentialParams{Base: base(3, 2)})
	wantRefusal(t, err, "sensitivity") // H: exponential.md some-move
	_, err = NewPermuteAndFlip(PermuteAndFlipParams{Base: base(3, 2), Sensitivity: math.MaxUint64})
	wantRefusal(t, err, "sensitivity")
	_, err = NewExponential(ExponentialParams{Sensitivity: 1})
	wantRefusal(t, err, "epsilon")
	exponential := must(NewExponential(ExponentialParams{Base: base(3, 2), Sensitivity: 1}))
	permute := must(NewPermuteAndFlip(PermuteAndFlipParams{Base: base(3, 2), Sensitivity: 1}))
	_, err = exponential.Release(coin.NewSeeded(1), nil, nil)
	wantRefusal(t, err, "candidates") // H: exponential.md some-candidate
	_, err = permute.Release(coin.NewSeeded(1), nil, nil)
	wantRefusal(t, err, "candidates") // H: exponential.md some-candidate
	stop := errors.New("stop")
	cancel := func(int64, int64) error { return stop }
	if i, err := exponential.Release(coin.NewSeeded(1), []int64{1}, cancel); i != -1 ||
		!errors.Is(err, stop) {
		t.Errorf("cancelled: %d, %v", i, err)
	}
	if i, err := permute.Release(coin.NewSeeded(1), []int64{1}, cancel); i != -1 ||
		!errors.Is(err, stop) {
		t.Errorf("cancelled: %d, %v", i, err)
	}
}

// NeededScore is the smallest best score with at most β for ⊥, from the exact law of one candidate.
func TestStableChoiceNeededScore(t *testing.T) {
	for _, newcomers := range []uint64{1, 40} {
		m := must(NewStableChoice(
			StableChoiceParams{Base: base(3, 2), Delta: mustDelta(t, "0.001"),
				Newcomers: newcomers}))
		nothing := func(score int64) float64 {
			return choices(t, 2, func(src coin.Source) (int, error) {
				_, chosen, err := m.Release(src, []int64{score}, nil)
				if chosen {
					return 0, err
				}
				return 1, err
			})[1]
		}
		needed := m.NeededScore(0.05)
		if nothing(needed) > 0.05 || nothing(needed-1) <= 0.05 {
			t.Errorf("k = %d: at %d nothing has %g, one lower %g", newcomers, needed,
				nothing(needed), nothing(needed-1))
		}
	}
	// A published comparison: k = 1, ε = 1, δ = 1e-6, β = 0.01 split in two: 40 persons and a loss
	// of at most 25 for 1000 candidates.
	m := must(NewStableChoice(
		StableChoiceParams{Epsilon: mustEpsilon(t, "1"), Delta: mustDelta(t, "1e-6"),
			Newcomers: 1}))
	if got := m.NeededScore(0.005); got != 40 {
		t.Errorf("needs %d", got)
	}
	if got := m.ErrorBound(0.005, big.NewInt(1000)); got != 24 {
		t.Errorf("loses %d", got)
	}
}

func TestStableChoiceOnNothing(t *testing.T) {
	m := must(NewStableChoice(
		StableChoiceParams{Epsilon: mustEpsilon(t, "1"), Delta: mustDelta(t, "0.9"), Newcomers: 1}))
	for range 20 {
		if i, chosen, err := m.Release(coin.NewSeeded(1), nil, nil); i != -1 || chosen ||
			err != nil {
			t.Fatalf("no candidate: %d, %v, %v", i, chosen, err)
		}
	}
	loss, _ := m.Loss(2)
	if loss.Protects() {
		t.Errorf("two persons at δ = 0.9 each: %v", loss)
	}
	stop := errors.New("stop")
	if i, chosen,
		err := m.Release(coin.NewSeeded(1), []int64{5}, func(int64, int64) error {
		return stop
	}); i != -1 || chosen || !errors.Is(err, stop) {
		t.Errorf("cancelled: %d, %v, %v", i, chosen, err)
	}
}

func TestStableChoiceRefuses(t *testing.T) {
	tenth := mustDelta(t, "0.1")
	for _, c := range []struct {
		p     StableChoiceParams
		field string
	}{
		{StableChoiceParams{Base: base(3, 2), Newcomers: 1}, "delta"}, // H: mechanism.md delta
		// H: stable.md some-newcomer
		{StableChoiceParams{Base: base(3, 2), Delta: tenth}, "newcomers"},
		{StableChoiceParams{Delta: tenth, Newcomers: 1}, "epsilon"},
	} {
		_, err := NewStableChoice(c.p)
		wantRefusal(t, err, c.field)
	}
}
