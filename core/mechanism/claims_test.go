package mechanism

import (
	"fmt"
	"math/big"
	"testing"

	"hush/core/coin"
	"hush/core/internal/stattest"
	"hush/core/meter"
	"hush/core/privacy"
)

// TestClaimsAreWhatIsPaid: what a replay lets an input move is what the noise was made for, and no
// more.
func TestClaimsAreWhatIsPaid(t *testing.T) {
	r, d := base(3, 2), mustDelta(t, "1e-3")
	for name, c := range map[string]struct {
		have *meter.Spend
		want meter.Claim
	}{
		"Laplace": {must(NewLaplace(LaplaceParams{Base: r, L1Sensitivity: 6, LargestMove: 2})).
			spend, meter.Claim{L1: 6, Each: 2}},
		"Gaussian": {must(NewGaussian(GaussianParams{Base: r, L2SensitivitySquared: 5})).spend,
			meter.Claim{L2Squared: 5}},
		"exponential": {must(NewExponential(ExponentialParams{Base: r, Sensitivity: 3})).spend,
			meter.Claim{Each: 3}},
		"exponential, one-signed": {must(NewExponential(
			ExponentialParams{Base: r, Sensitivity: 3, OneSigned: true})).spend,
			meter.Claim{Each: 3, OneSigned: true}},
		"permute and flip": {must(NewPermuteAndFlip(
			PermuteAndFlipParams{Base: r, Sensitivity: 2})).spend, meter.Claim{Each: 2}},
		"permute and flip, one-signed": {must(NewPermuteAndFlip(
			PermuteAndFlipParams{Base: r, Sensitivity: 2, OneSigned: true})).spend,
			meter.Claim{Each: 2, OneSigned: true}},
		"sparse vector": {&must(NewAboveThreshold(AboveThresholdParams{BaseThreshold: r,
			BaseQueries: r, Sensitivity: 4})).query, meter.Claim{Each: 4}},
		"sparse vector, one-signed": {&must(NewAboveThreshold(AboveThresholdParams{
			BaseThreshold: r, BaseQueries: r, Sensitivity: 4, OneSigned: true})).query,
			meter.Claim{Each: 4, OneSigned: true, Series: true}},
		"choosing": {must(NewChoosing(ChoosingParams{Base: r, Delta: d, Newcomers: 3,
			Beta: big.NewRat(1, 20)})).spend, meter.Claim{Each: 1, Newcomers: 3}},
		"stable choice": {must(NewStableChoice(
			StableChoiceParams{Base: r, Delta: d, Newcomers: 3})).spend,
			meter.Claim{Each: 1, Newcomers: 3}},
		"distance test": {must(NewDistanceTest(DistanceTestParams{Base: r, Delta: d})).spend,
			meter.Claim{Each: 1}},
		"interior point": {must(NewInteriorPoint(InteriorPointParams{Base: r,
			DomainSize: big.NewInt(9)})).spend, meter.Claim{People: 1}},
		"stability histogram": {must(NewStabilityHistogram(
			StabilityHistogramParams{Base: r, Delta: d})).spend,
			meter.Claim{L1: 2, Each: 1, Newcomers: 1}},
	} {
		have, want := fmt.Sprintf("%+v", c.have.Claim), fmt.Sprintf("%+v", c.want)
		if have != want {
			t.Errorf("%s: %s, want %s", name, have, want)
		}
	}
}

// TestGaussianIsReleased: what Release adds, attempt after attempt, has the law of the noise.
func TestGaussianIsReleased(t *testing.T) {
	m := must(NewGaussian(GaussianParams{Base: base(11, 10), L2SensitivitySquared: 1}))
	const reach = 40
	var law []float64
	for z := -reach; z <= reach; z++ {
		law = append(law, stattest.GaussianPMF(m.base.Log(), int64(z)))
	}
	src := coin.NewSeeded(77)
	stattest.Accept(t, stattest.Sample(func() int64 {
		return must(m.Release(src, []int64{1000}, nil))[0] - 1000
	}), stattest.FromPMF(-reach, law))
}

// TestLaplaceRhoRoundedUp: ρ is at least what its formula says of a logarithm rounded up, with all
// else in fractions, and hardly more.
func TestLaplaceRhoRoundedUp(t *testing.T) {
	for i := range int64(40) {
		r := base(1000+37*i+i*i, 999)
		noise := must(NewLaplaceNoise(r))
		x := r.Rat()
		for shift := uint64(1); shift < 6; shift++ {
			power := new(big.Rat).Inv(r.Pow(shift).Rat())
			curve := new(big.Rat).Mul(x, x)
			curve.Quo(new(big.Rat).Add(x, x), curve.Sub(curve, oneRat))
			curve.Mul(curve, power.Sub(oneRat, power))
			want := new(big.Rat).Sub(ratOf(shift), curve)
			want.Mul(want, privacy.LogUp(x))
			off := noise.rho(shift)
			off.Sub(off, want)
			if gap, _ := off.Float64(); off.Sign() < 0 || gap > 1e-30 {
				t.Errorf("base %v, shift %d: ρ is off by %g", r, shift, gap)
			}
		}
	}
}

// manyOf are groups of one score, with these multiplicities.
type manyOf []uint64

func (m manyOf) Len() int                              { return len(m) }
func (m manyOf) Group(i int) (int64, uint64, *big.Int) { return 5, m[i], nil }

// TestMultiplicitiesArePublic: a choice whose multiplicities differ between two neighbours is found
// by a replay, and one of equal ones passes.
func TestMultiplicitiesArePublic(t *testing.T) {
	m := must(NewExponential(ExponentialParams{Base: base(3, 2), Sensitivity: 1}))
	s := must(NewStableChoice(
		StableChoiceParams{Base: base(3, 2), Delta: mustDelta(t, "1e-3"), Newcomers: 1}))
	for name, draw := range map[string]func(coin.Source, coin.Groups){
		"exponential": func(src coin.Source, g coin.Groups) { must(m.ReleaseGroups(src, g, nil)) },
		"stable choice": func(src coin.Source, g coin.Groups) {
			if _, _, err := s.ReleaseGroups(src, g, nil); err != nil {
				t.Fatal(err)
			}
		},
	} {
		for _, other := range []manyOf{{3, 4}, {3, 5}, {2, 4}} {
			recording := meter.Record(3)
			draw(recording, manyOf{3, 4})
			replay := recording.Replay()
			draw(replay, other)
			if found := replay.Violations(); (len(found) > 0) != (other[0] != 3 || other[1] != 4) {
				t.Errorf("%s, %d: found %v", name, other, found)
			}
		}
	}
}

// TestRateOfABaseIsRoundedUp: ε of a base is at least its logarithm, times the moves.
func TestRateOfABaseIsRoundedUp(t *testing.T) {
	for i := range int64(20) {
		r := base(1001+13*i, 997)
		have := must(newRate(privacy.Epsilon{}, r, 7)).epsilon
		want := privacy.LogUp(r.Rat())
		if have.Cmp(want.Mul(want, ratOf(7))) < 0 {
			t.Errorf("base %v: ε = %v is below 7·ln r", r, have.FloatString(45))
		}
	}
}

// TestEntriesPayTheirPart: of a person with g values of k rows, an entry costs that part of ε, two
// moves of 1 and the tail of a newcomer; the tail is within what the proof of several needs.
func TestEntriesPayTheirPart(t *testing.T) {
	one := big.NewRat(1, 1)
	for _, delta := range []string{"1e-6", "0.01", "0.9"} {
		for _, c := range [][2]uint64{{1, 1}, {1, 3}, {2, 1}, {3, 2}, {5, 4}} {
			g, k := c[0], c[1]
			for name, p := range map[string]StabilityHistogramParams{
				"ε": {Epsilon: mustEpsilon(t, "1")}, "base": {Base: base(5, 4)},
			} {
				p.Delta, p.Groups, p.Rows = mustDelta(t, delta), g, k
				m := must(NewStabilityHistogram(p))
				whole, entry := must(m.Loss(1)), must(m.EntryLoss())
				all, _ := whole.Epsilon()
				each, _ := entry.Epsilon()
				off, _ := each.Mul(each, ratOf(g*k)).Quo(each, all).Float64()
				if off < 1-1e-12 || off > 1+1e-12 {
					t.Errorf("%s, %d values of %d rows: an entry's ε is %g of its part", name, g, k,
						off)
				}
				if odds, exact := entry.Odds(); exact && odds.Cmp(p.Base.Pow(2).Rat()) != 0 {
					t.Errorf("%s, %d values of %d rows: an entry's odds are %v", name, g, k, odds)
				}
				rho := m.noise.Rho(2, 1)
				for who, loss := range map[string]privacy.Loss{"entry": entry, "person": whole} {
					if who == "person" && g*k > 1 {
						continue
					}
					if off, _ := new(big.Rat).Quo(loss.Rho(), rho).Float64(); off < 1 ||
						off > 1+1e-12 {
						t.Errorf("%s, %d values of %d rows, %s: ρ is %g of two moves'", name, g, k,
							who, off)
					}
				}
				if want := tailUp(m.rate.base, m.threshold-1); entry.Delta().Cmp(want) != 0 {
					t.Errorf("%s, %d values of %d rows: a newcomer's δ is %v, want %v", name, g, k,
						entry.Delta(), want)
				}
				most := new(big.Rat).Sub(one, new(big.Rat).Inv(m.rate.base.Pow(k).Rat()))
				tail := tailUp(m.rate.base, m.threshold-int64(k))
				if g*k > 1 && tail.Cmp(most) > 0 {
					t.Errorf("%s, %d values of %d rows: the tail is %v, want at most %v", name, g,
						k, tail, most)
				}
				if whole.Delta().Cmp(p.Delta.Rat()) > 0 {
					t.Errorf("%s, %d values of %d rows: δ is %v", name, g, k, whole.Delta())
				}
			}
		}
	}
}

// TestSomeOfRoundedUp: the chance of at least one of g events of chance t is at least
// 1 − (1 − t)^g, in fractions, and hardly more, for the smallest chances and for large ones.
func TestSomeOfRoundedUp(t *testing.T) {
	for _, g := range []uint64{1, 2, 3, 10, 200} {
		for _, bits := range []uint{1, 3, 12, 22, 23, 28, 29, 30, 45, 90} {
			chance := new(big.Rat).SetFrac(oneInt, new(big.Int).Lsh(oneInt, bits))
			none, base := big.NewRat(1, 1), new(big.Rat).Sub(oneRat, chance)
			for range g {
				none.Mul(none, base)
			}
			exact := none.Sub(oneRat, none)
			off := new(big.Rat).Sub(someOf(g, chance), exact)
			if gap, _ := off.Quo(off, exact).Float64(); off.Sign() < 0 || gap > 1e-12 {
				t.Errorf("%d events of 2^-%d: %g of it off", g, bits, gap)
			}
		}
	}
}
