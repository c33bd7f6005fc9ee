package density

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"hush/core/coin"
	"hush/core/domain"
)

// BenchmarkAfterSort compares MERR with 20 rounds on ten million codes below 10^18 with slices.Sort of the same codes, "of-sort".
func BenchmarkAfterSort(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	size := big.NewInt(1e18)
	codes := make([]uint64, 10_000_000)
	for i := range codes {
		codes[i] = uint64(min(max(5e17+1e17*random.NormFloat64(), 0), 1e18-1))
	}
	start := time.Now()
	slices.Sort(codes)
	sort := time.Since(start)
	view := domain.SortedCodes(codes, bitsOf(size))
	for _, rule := range []Rule{Prefix, Capped} {
		m := must(NewMERR(MERRParams{Epsilon: epsilon("1"), Delta: delta("1e-9"), Size: size, Persons: 10_000_000, Rule: rule, Rounds: 20}))
		b.Run(m.Name(), func(b *testing.B) {
			src := coin.NewSeeded(1)
			for b.Loop() {
				must(m.Release(src, view, nil))
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(sort), "of-sort")
		})
	}
}
