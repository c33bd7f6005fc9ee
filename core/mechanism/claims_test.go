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
		"noisy maximum": {must(NewNoisyMax(NoisyMaxParams{Base: r, Delta: d, Newcomers: 3})).spend,
			meter.Claim{Each: 1, Newcomers: 3}},
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
		if have, want := fmt.Sprintf("%+v", c.have.Claim), fmt.Sprintf("%+v", c.want); have != want {
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
		law = append(law, m.PMF(int64(z)))
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
