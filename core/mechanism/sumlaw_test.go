package mechanism

import (
	"math"
	"math/big"
	"testing"

	"hush/core/coin"
	"hush/core/internal/stattest"
)

// exactSumBound is the smallest t with Pr[|Z_1 + … + Z_n| > t] ≤ beta by convolution.
func exactSumBound(pmf func(int64) float64, far, n int, beta float64) (t int64) {
	law, one := []float64{1}, make([]float64, 2*far+1)
	for i := range one {
		one[i] = pmf(int64(i - far))
	}
	for range n {
		next := make([]float64, len(law)+2*far)
		for i, p := range law {
			for j, q := range one {
				next[i+j] += p * q
			}
		}
		law = next
	}
	middle := len(law) / 2
	left := 1 - law[middle]
	for left > beta {
		t++
		left -= law[middle-int(t)] + law[middle+int(t)]
	}
	return t
}

// TestSumErrorBound compares with exact convolutions of both laws, narrow and wide.
func TestSumErrorBound(t *testing.T) {
	for _, beta := range []float64{0.05, 0.025, 1e-4} {
		for _, n := range []int{1, 2, 3, 9} {
			for _, r := range []coin.Base{base(11, 10), base(3, 2), base(5, 1), base(90, 1)} {
				z := must(NewLaplaceNoise(r))
				far := int(30 / r.Log())
				want := exactSumBound(func(at int64) float64 {
					return stattest.LaplacePMF(z.Log(), at)
				}, far, n, beta)
				if got := z.SumErrorBound(n, beta); got != want {
					t.Errorf("Laplace, base %s, %d noises, β = %g: %d, want %d", r, n, beta, got,
						want)
				}
			}
			for _, rho := range []string{"0.001", "0.02", "0.5", "7"} {
				g := must(NewGaussian(
					GaussianParams{Rho: mustRho(t, rho), L2SensitivitySquared: 1}))
				far := int(8*g.StdDev()) + 3
				want := exactSumBound(func(at int64) float64 {
					return stattest.GaussianPMF(g.base.Log(), at)
				}, far, n, beta)
				got := g.SumErrorBound(n, beta)
				if n == 1 && (got < want || got > want+1) || n > 1 && got != want {
					t.Errorf("Gaussian, ρ = %s, %d noises, β = %g: %d, want %d", rho, n, beta, got,
						want)
				}
			}
		}
	}
}

// TestSumErrorBoundOfWideNoise: with noise as wide as a continuous law, bounds scale with it, up to
// where no int64 holds them; of very many noises they are those of a normal law; and never are they
// above Doob's.
func TestSumErrorBoundOfWideNoise(t *testing.T) {
	for _, n := range []int{2, 5, 64, 1 << 20} {
		narrow := must(NewLaplaceNoise(must(coin.ExpBelow(big.NewRat(1, 1000)))))
		wide := must(NewLaplaceNoise(must(coin.ExpBelow(big.NewRat(1, 1000_000_000_000)))))
		one, all := narrow.SumErrorBound(n, 0.05), wide.SumErrorBound(n, 0.05)
		if got := float64(all) / float64(one) / 1e9; math.Abs(got-1) > 1e-3 {
			t.Errorf("%d noises: %d and %d", n, one, all)
		}
		if doob := wide.SumBound(n, 0.05); float64(all) > doob {
			t.Errorf("%d noises: %d, Doob has %g", n, all, doob)
		}
		if normal := 1.959964 * wide.StdDev() * math.Sqrt(float64(n)); n > 1000 &&
			math.Abs(float64(all)/normal-1) > 1e-3 {
			t.Errorf("%d noises: %d, normal %g", n, all, normal)
		}
	}
	widest := must(NewLaplaceNoise(must(coin.ExpBelow(big.NewRat(1, 1<<59)))))
	if got := widest.SumErrorBound(1<<20, 0.05); got < 1<<60 {
		t.Errorf("%d", got)
	}
}

// BenchmarkSumErrorBound is a price of margins.
func BenchmarkSumErrorBound(b *testing.B) {
	z := must(NewLaplaceNoise(must(coin.ExpBelow(big.NewRat(1, 1000)))))
	for b.Loop() {
		z.SumErrorBound(2, 0.05)
	}
}
