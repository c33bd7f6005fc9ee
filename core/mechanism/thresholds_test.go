package mechanism

import (
	"errors"
	"math"
	"slices"
	"testing"

	"hush/core/coin"
)

// With an ε the threshold is the smallest too: the δ proven is at most the δ asked for, and one
// less exceeds it.
func TestThresholdsAreTheSmallest(t *testing.T) {
	for _, epsilon := range []string{"0.001", "0.1", "1", "8"} {
		for _, delta := range []string{"0.3", "1e-6", "1e-40"} {
			e, d := mustEpsilon(t, epsilon), mustDelta(t, delta)
			stability := must(NewStabilityHistogram(StabilityHistogramParams{Epsilon: e, Delta: d}))
			distance := must(NewDistanceTest(DistanceTestParams{Epsilon: e, Delta: d}))
			clip := must(NewClippedThreshold(ClippedThresholdParams{
				AboveThresholdParams: AboveThresholdParams{EpsilonThreshold: e.Part(1, 3),
					EpsilonQueries: e.Part(2, 3), Sensitivity: 1}, Delta: d}))
			for _, m := range []Mechanism{stability, distance, clip} {
				loss, err := m.Loss(1)
				if got, _ := loss.Epsilon(); err != nil || got.Cmp(e.Rat()) != 0 || loss.Delta().
					Cmp(d.Rat()) > 0 || loss.Delta().Sign() <= 0 {
					t.Errorf("%T with ε = %s, δ = %s: %v, %v", m, epsilon, delta, loss, err)
				}
			}
			if s := stability.threshold - 1; s > 0 && tailUp(stability.rate.base, s-1).
				Cmp(d.Rat()) <= 0 {
				t.Errorf("stability threshold %d is not the smallest", stability.threshold)
			}
			if s := distance.threshold; s > 0 && tailUp(distance.rate.base, s-1).Cmp(d.Rat()) <= 0 {
				t.Errorf("distance threshold %d is not the smallest", s)
			}
		}
	}
}

func TestThresholdMechanismsRefuse(t *testing.T) {
	tenth, r := mustDelta(t, "0.1"), base(3, 2)
	tiny := must(coin.BaseFromRat(rat("1.0000000000000001")))
	for _, c := range []struct {
		name  string
		make  func() error
		field string
	}{
		{"histogram without δ", func() error { // H: mechanism.md delta
			_, err := NewStabilityHistogram(StabilityHistogramParams{Base: r})
			return err
		}, "delta"},
		{"histogram without ε", func() error {
			_, err := NewStabilityHistogram(StabilityHistogramParams{Delta: tenth})
			return err
		}, "epsilon"},
		{"sparse vector with too wide noise", func() error { // H: mechanism.md scale
			_, err := NewAboveThreshold(AboveThresholdParams{BaseThreshold: r, BaseQueries: tiny,
				Sensitivity: 1})
			return err
		}, "epsilon"},
		{"distance without δ", func() error { // H: mechanism.md delta
			_, err := NewDistanceTest(DistanceTestParams{Base: r})
			return err
		}, "delta"},
		{"distance without ε", func() error {
			_, err := NewDistanceTest(DistanceTestParams{Delta: tenth})
			return err
		}, "epsilon"},
		{"choosing without δ", func() error { // H: mechanism.md delta
			_, err := NewChoosing(ChoosingParams{Base: r, Newcomers: 1, Beta: rat("1/2")})
			return err
		}, "delta"},
		{"choosing with too large ε", func() error { // H: choosing.md loss-size
			// 4·ln(5/3) = 2.04
			_, err := NewChoosing(
				ChoosingParams{Base: base(5, 3), Delta: tenth, Newcomers: 1, Beta: rat("1/2")})
			return err
		}, "epsilon"},
		{"choosing with too large δ", func() error { // H: choosing.md delta-size
			_, err := NewChoosing(
				ChoosingParams{Base: r, Delta: mustDelta(t, "0.6"), Newcomers: 1, Beta: rat("1/2")})
			return err
		}, "delta"},
		{"choosing with a threshold beyond 2^61", func() error { // H: choosing.md height
			slow := must(coin.BaseFromRat(rat("1.0000000000000000009")))
			_, err := NewChoosing(
				ChoosingParams{Base: slow, Delta: tenth, Newcomers: 1, Beta: rat("1/2")})
			return err
		}, "delta"},
		{"histogram of too many rows of a person", func() error { // H: stability.md entries
			_, err := NewStabilityHistogram(StabilityHistogramParams{Base: r, Delta: tenth,
				Groups: 41, Rows: 25})
			return err
		}, "groups"},
		{"choosing without newcomers", func() error { // H: choosing.md some-newcomer
			_, err := NewChoosing(ChoosingParams{Base: r, Delta: tenth, Beta: rat("1/2")})
			return err
		}, "newcomers"},
		{"choosing with β = 1", func() error { // H: choosing.md beta
			_, err := NewChoosing(
				ChoosingParams{Base: r, Delta: tenth, Newcomers: 1, Beta: rat("1")})
			return err
		}, "beta"},
		{"choosing without β", func() error { // H: choosing.md beta
			_, err := NewChoosing(ChoosingParams{Base: r, Delta: tenth, Newcomers: 1})
			return err
		}, "beta"},
		{"above without threshold part", func() error { // H: mechanism.md one-rate
			_, err := NewAboveThreshold(AboveThresholdParams{BaseQueries: r, Sensitivity: 1})
			return err
		}, "epsilonThreshold"},
		{"above without queries part", func() error {
			_, err := NewAboveThreshold(AboveThresholdParams{BaseThreshold: r, Sensitivity: 1})
			return err
		}, "epsilonQueries"},
		{"above with both", func() error { // H: mechanism.md one-rate
			_, err := NewAboveThreshold(
				AboveThresholdParams{BaseThreshold: r, EpsilonThreshold: mustEpsilon(t, "1"),
					BaseQueries: r, Sensitivity: 1})
			return err
		}, "baseThreshold"},
		{"above without sensitivity", func() error { // H: above.md some-move
			_, err := NewAboveThreshold(AboveThresholdParams{BaseThreshold: r, BaseQueries: r})
			return err
		}, "sensitivity"},
		{"clip without δ", func() error { // H: mechanism.md delta
			_, err := NewClippedThreshold(
				ClippedThresholdParams{
					AboveThresholdParams: AboveThresholdParams{BaseThreshold: r, BaseQueries: r,
						Sensitivity: 1}})
			return err
		}, "delta"},
		{"clip of another sensitivity", func() error { // H: clip.md move-of-one
			_, err := NewClippedThreshold(ClippedThresholdParams{
				AboveThresholdParams: AboveThresholdParams{BaseThreshold: r, BaseQueries: r,
					Sensitivity: 2}, Delta: tenth})
			return err
		}, "sensitivity"},
		{"clip one-signed", func() error { // H: clip.md two-signed
			_, err := NewClippedThreshold(ClippedThresholdParams{
				AboveThresholdParams: AboveThresholdParams{BaseThreshold: r, BaseQueries: r,
					Sensitivity: 1, OneSigned: true}, Delta: tenth})
			return err
		}, "oneSigned"},
		{"clip with a cap too high", func() error { // H: clip.md cap
			_, err := NewClippedThreshold(ClippedThresholdParams{
				AboveThresholdParams: AboveThresholdParams{BaseThreshold: r, BaseQueries: r,
					Sensitivity: 1}, Delta: tenth, Cap: math.MaxInt64})
			return err
		}, "cap"},
	} {
		t.Run(c.name, func(t *testing.T) { wantRefusal(t, c.make(), c.field) })
	}
}

// Untouched candidates, of score 0 and less, are never chosen, even after a lucky test.
func TestChoosingIgnoresTheUntouched(t *testing.T) {
	m := must(NewChoosing(
		ChoosingParams{Base: base(3, 2), Delta: mustDelta(t, "0.1"), Newcomers: 1,
			Beta: rat("1/2")}))
	for _, scores := range [][]int64{nil, {0, 0}, {-3}} {
		if i, chosen, err := m.Release(answers{yes: true}, scores, nil); i != -1 || chosen ||
			err != nil {
			t.Errorf("scores %v: %d, %v, %v", scores, i, chosen, err)
		}
	}
	law := choices(t, 5, func(src coin.Source) (int, error) {
		i, _, err := m.Release(src, []int64{0, m.threshold, -1, m.threshold + 1}, nil)
		return i + 1, err
	})
	passes := 1 - law[0]
	if law[1] != 0 || law[3] != 0 || math.Abs(law[2]-0.4*passes) > 1e-12 || passes < 0.6 {
		// weights 1 and 3/2
		t.Errorf("law %v", law)
	}
}

func TestStabilityHistogram(t *testing.T) {
	m := must(NewStabilityHistogram(
		StabilityHistogramParams{Base: base(3, 2), Delta: mustDelta(t, "0.01")}))
	// Counts below 1 belong to nobody and are never shown, whatever the coins say.
	shown, err := m.Release(answers{yes: true, size: 7},
		[]int64{0, -3, 1, m.threshold, m.threshold + 5}, nil) // H: stability.md occurs
	want := []Shown{{2, m.threshold + 7}, {3, m.threshold + 7}, {4, m.threshold + 5}}
	if err != nil || !slices.Equal(shown, want) {
		t.Errorf("%v, %v, want %v", shown, err, want)
	}
	// Above the threshold noise can still bring a count below it.
	if _, ok := m.show(answers{sign: 1, size: 5}, m.threshold+5); ok {
		t.Error("a noisy count below the threshold is shown")
	}
	if noisy, ok := m.show(answers{sign: 1, size: 4}, m.threshold+5); !ok || noisy != m.threshold {
		t.Errorf("a noisy count at the threshold: %d, %v", noisy, ok)
	}
	if noisy, ok := m.show(answers{size: 5}, math.MaxInt64); !ok || noisy != math.MaxInt64 {
		t.Errorf("the largest count: %d, %v", noisy, ok)
	}
	// NeededCount is the smallest count shown with 0.95, from the exact tail.
	needed := m.NeededCount(0.05)
	at := func(count int64) float64 { return toFloat(m.noise.AtLeast(m.threshold - count).Rat()) }
	if at(needed) < 0.95 || at(needed-1) >= 0.95 {
		t.Errorf("needs %d: shown with %g, one less %g", needed, at(needed), at(needed-1))
	}
	stop := errors.New("stop")
	if shown, err := m.Release(coin.NewSeeded(1), []int64{5}, func(int64, int64) error {
		return stop
	}); shown != nil || !errors.Is(err, stop) {
		t.Errorf("cancelled: %v, %v", shown, err)
	}
}

func TestAboveThresholdHalts(t *testing.T) {
	m := must(NewAboveThreshold(
		AboveThresholdParams{BaseThreshold: base(3, 2), BaseQueries: base(2, 1), Sensitivity: 3}))
	run := m.Start(answers{yes: true}, 10)
	if above, err := run.Above(-1 << 62); !above || err != nil {
		t.Errorf("%v, %v", above, err)
	}
	for range 2 {
		if above, err := run.Above(100); above || !errors.Is(err, ErrHalted) { // H: above.md halted
			t.Errorf("after the first \"above\": %v, %v", above, err)
		}
	}
	loss, _ := m.Loss(1)
	if odds, exact := loss.Odds(); !exact || odds.Cmp(rat("216")) != 0 { // (3/2)^3 · 2^(2·3)
		t.Errorf("e^ε = %v", odds)
	}
	// The parts are no releases of their own: ρ is ε·tanh(ε/2) of the whole, tanh = 215/217.
	epsilon, _ := loss.Epsilon()
	if rho := epsilon.Mul(epsilon, rat("215/217")); loss.Rho().Cmp(rho) < 0 ||
		loss.Rho().Cmp(rho.Mul(rho, rat("1.000000001"))) > 0 {
		t.Errorf("ρ = %v", loss.Rho())
	}
	oneSigned := must(
		NewAboveThreshold(
			AboveThresholdParams{BaseThreshold: base(3, 2), BaseQueries: base(2, 1), Sensitivity: 3,
				OneSigned: true}))
	loss, _ = oneSigned.Loss(1)
	if odds, _ := loss.Odds(); odds.Cmp(rat("27")) != 0 { // (3/2)^3 · 2^3
		t.Errorf("one-signed: e^ε = %v", odds)
	}
	for _, extreme := range []int64{math.MinInt64, math.MaxInt64} { // H: mechanism.md inside
		run := m.Start(coin.NewSeeded(1), extreme)
		if _, err := run.Above(extreme); err != nil {
			t.Error(err)
		}
		if above, _ := m.Start(coin.NewSeeded(1), extreme).
			Above(-(extreme + 1)); above != (extreme < 0) {
			t.Errorf("threshold %d: %v", extreme, above)
		}
	}
}

func TestAboveThresholdErrorBound(t *testing.T) {
	m := must(NewAboveThreshold(
		AboveThresholdParams{BaseThreshold: base(2, 1), BaseQueries: base(3, 2), Sensitivity: 1}))
	const queries, beta = 5, 0.1
	bound := m.ErrorBound(beta, queries)
	for _, values := range [][]int64{
		slices.Repeat([]int64{-bound - 1}, queries),                    // all must be "below"
		append(slices.Repeat([]int64{-bound - 1}, queries-1), bound+1), // only the last "above"
	} {
		right := choices(t, 2, func(src coin.Source) (int, error) {
			run := m.Start(src, 0)
			for _, value := range values {
				above, err := run.Above(value)
				if err != nil {
					return 0, err
				}
				if above != (value > 0) {
					return 1, nil
				}
			}
			return 0, nil
		})
		if right[1] > beta {
			t.Errorf("values %v: wrong with chance %g", values, right[1])
		}
	}
}

// After the first value that reaches the cap every value counts as the cap, so that an "above"
// speaks of the query it answers: with a running maximum in place of the values, "above" at the
// second of (T, 20) had a chance of 0.2.
func TestClip(t *testing.T) {
	clip := Clip{Cap: 10}
	var got []int64
	for _, value := range []int64{3, -2, 9, 10, 4, 99} {
		got = append(got, clip.Next(value))
	}
	if want := []int64{3, -2, 9, 10, 10, 10}; !slices.Equal(got, want) {
		t.Errorf("clipped to %v, want %v", got, want)
	}
	p := AboveThresholdParams{EpsilonThreshold: mustEpsilon(t, "0.1"),
		EpsilonQueries: mustEpsilon(t, "0.1"), Sensitivity: 1}
	m := must(NewClippedThreshold(
		ClippedThresholdParams{AboveThresholdParams: p, Delta: mustDelta(t, "1e-7"), Cap: 5000}))
	low := m.Threshold() - m.ErrorBound(0.01, 2) - 1
	wrong, src := 0, coin.NewSeeded(9)
	for range 2000 {
		run := m.Start(src)
		first, _ := run.Above(m.Threshold())
		if second, err := run.Above(low); !first && (second || err != nil) {
			wrong++
		}
	}
	if wrong > 40 { // 1 in 100 is allowed
		t.Errorf("%d of 2000 runs answer \"above\" at a query far below the threshold", wrong)
	}
	// A query at the cap is missed with probability at most δ, exactly that of the margin.
	exact := must(NewClippedThreshold(ClippedThresholdParams{
		AboveThresholdParams: AboveThresholdParams{BaseThreshold: base(3, 2),
			BaseQueries: base(2, 1), Sensitivity: 1}, Delta: mustDelta(t, "0.01"), Cap: 0}))
	missed := choices(t, 2, func(src coin.Source) (int, error) {
		above, err := exact.Start(src).Above(exact.cap - 1)
		if above {
			return 0, err
		}
		return 1, err
	})[1]
	if math.Abs(missed/toFloat(exact.delta)-1) > 1e-9 || missed > 0.01 {
		t.Errorf("missed with chance %.15g, δ proven %.15g", missed, toFloat(exact.delta))
	}
}

func TestDistanceTest(t *testing.T) {
	m := must(NewDistanceTest(DistanceTestParams{Base: base(3, 2), Delta: mustDelta(t, "0.01")}))
	at := func(distance int64) float64 {
		return toFloat(m.noise.AtLeast(m.threshold - distance).Rat())
	}
	if math.Abs(at(0)-toFloat(m.delta)) > 1e-15 || at(0) > 0.01 {
		t.Errorf("at distance 0 released with %g, δ proven %g", at(0), toFloat(m.delta))
	}
	src := coin.NewSeeded(1)
	for range 1000 {
		if !m.Allows(src, math.MaxInt64) {
			t.Fatal("the largest distance is refused")
		}
	}
	allowed := 0
	for range 1000 {
		if m.Allows(src, math.MinInt64) { // counts as 0 // H: distance.md not-negative
			allowed++
		}
	}
	if allowed > 30 {
		t.Errorf("distance below 0 was allowed %d times of 1000", allowed)
	}
}

// Each threshold of ε alone stays fast where 1/ε is large: the tails are bounded, not expanded.
func TestTailsOfWideNoise(t *testing.T) {
	m := must(NewStabilityHistogram(StabilityHistogramParams{Epsilon: mustEpsilon(t, "1e-9"),
		Delta: mustDelta(t, "1e-100")}))
	if m.threshold < 1<<37 || m.threshold > 1<<41 {
		t.Errorf("threshold %d", m.threshold)
	}
	if got := tailUp(base(3, 2), math.MaxInt64); got.Sign() <= 0 || toFloat(got) > 0 {
		t.Errorf("the farthest tail is %v bits long", got.Denom().BitLen())
	}
	if powerDown(base(3, 2), math.MaxInt64).Sign() != 0 {
		t.Error("the farthest power is not bounded by 0 below")
	}
	if smallest(func(s int64) bool { return s >= 37 }) != 37 ||
		smallest(func(int64) bool { return true }) != 0 ||
		smallest(func(s int64) bool { return s >= 1<<60+5 }) != 1<<60+5 ||
		smallest(func(int64) bool { return false }) != math.MaxInt64 {
		t.Error("the smallest is not found")
	}
	near := must(coin.BaseFromRat(rat("1.50000000000000000001")))
	if a, b := differenceUp(base(3, 2), near, 5),
		differenceUp(base(3, 2), base(3, 2), 5); a.Cmp(b) != 0 {
		t.Errorf("nearly equal bases: %v, equal ones %v", a, b)
	}
}
