package query

import (
	"fmt"
	"testing"
	"time"

	"hush/core/coin"
)

// BenchmarkGrowth shows how the time grows with n and d, as a multiple of the time of counting one
// disjunction over half of the attributes, "of-one-count".
func BenchmarkGrowth(b *testing.B) {
	for _, size := range []struct{ n, d int }{{10_000, 100}, {100_000, 100}, {1_000_000, 100},
		{1_000_000, 50}, {1_000_000, 25}} {
		records := correlated(size.n, size.d)
		s := emptySet(size.d)
		for x := 0; x < size.d; x += 2 {
			s = s.With(x)
		}
		start := time.Now()
		for range 10 {
			Coverage{records}.Value(s)
		}
		one := time.Since(start) / 10
		for _, method := range []struct {
			name    string
			release func(coin.Source) (*Release, error)
		}{
			{"pieces-16-widths-3", func(src coin.Source) (*Release, error) {
				return must(
					NewPieces(PiecesParams{Epsilon: epsilon("1"), Most: 16, Threshold: rat(1, 10),
						Workloads: UpToWidth(3)})).Release(src, Coverage{records}, nil)
			}},
			{"marginals-2", func(src coin.Source) (*Release, error) {
				return must(NewMarginals(MarginalsParams{Epsilon: epsilon("1"), Width: 2})).
					Release(src, records, nil)
			}},
			{"marginals-3", func(src coin.Source) (*Release, error) {
				return must(NewMarginals(MarginalsParams{Epsilon: epsilon("1"), Width: 3})).
					Release(src, records, nil)
			}},
		} {
			b.Run(fmt.Sprintf("%s/n=%d/d=%d", method.name, size.n, size.d), func(b *testing.B) {
				src := coin.NewSeeded(1)
				for b.Loop() {
					must(method.release(src))
				}
				b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(one), "of-one-count")
			})
		}
	}
}
