package mechanism

import (
	"testing"

	"hush/core/coin"
)

// BenchmarkRelease measures one inner loop each: time per count, candidate or query.
func BenchmarkRelease(b *testing.B) {
	const n = 10_000
	counts := make([]int64, n)
	for i := range counts {
		counts[i] = int64(i % 100)
	}
	epsilon, delta := mustEpsilon(b, "0.1"), mustDelta(b, "1e-6")
	laplace := must(NewLaplace(LaplaceParams{Epsilon: epsilon, L1Sensitivity: 2}))
	noisy := must(laplace.Release(coin.NewSeeded(1), counts, nil))
	finer := must(NewLaplace(LaplaceParams{Epsilon: mustEpsilon(b, "0.3"), L1Sensitivity: 2}))
	topUp := must(NewLaplaceTopUp(laplace, finer))
	gaussian := must(NewGaussian(GaussianParams{Rho: mustRho(b, "0.01"), L2SensitivitySquared: 2}))
	exponential := must(NewExponential(ExponentialParams{Epsilon: epsilon, Sensitivity: 1}))
	permute := must(NewPermuteAndFlip(PermuteAndFlipParams{Epsilon: epsilon, Sensitivity: 1}))
	stable := must(
		NewStableChoice(StableChoiceParams{Epsilon: epsilon, Delta: delta, Newcomers: 1}))
	stability := must(
		NewStabilityHistogram(StabilityHistogramParams{Epsilon: epsilon, Delta: delta}))
	above := must(
		NewAboveThreshold(
			AboveThresholdParams{EpsilonThreshold: epsilon.Part(1, 2),
				EpsilonQueries: epsilon.Part(1, 2), Sensitivity: 1}))
	for _, c := range []struct {
		name    string
		release func(src coin.Source)
	}{
		{"laplace", func(src coin.Source) { laplace.Release(src, counts, nil) }},
		{"laplace top-up", func(src coin.Source) { topUp.Release(src, counts, noisy, nil) }},
		{"gaussian", func(src coin.Source) { gaussian.Release(src, counts, nil) }},
		{"exponential", func(src coin.Source) { exponential.Release(src, counts, nil) }},
		{"permute-and-flip", func(src coin.Source) { permute.Release(src, counts, nil) }},
		{"stable-choice", func(src coin.Source) { stable.Release(src, counts, nil) }},
		{"stability-histogram", func(src coin.Source) { stability.Release(src, counts, nil) }},
		{"above-threshold", func(src coin.Source) {
			run := above.Start(src, 1<<40)
			for _, count := range counts {
				run.Above(count)
			}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			src := coin.NewCrypto()
			for b.Loop() {
				c.release(src)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/item")
		})
	}
}
