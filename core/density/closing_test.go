package density

import (
	"math"
	"math/big"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
)

// TestClosingErrorIsSpread: no cell of a histogram varies more than half again as much as its
// neighbours. Ages of 1 948 made-up people over 111 cells at ε = 0.5, 300 seeded runs: the closing
// error in one cell alone gave it seven times its neighbours' spread. The spread of a cell is known
// to 4 % here (1/√(2·300)), that of the mean of two neighbours to 3 %: 1.5 is over nine of these
// away from 1.
func TestClosingErrorIsSpread(t *testing.T) {
	const size, runs = 111, 300
	var codes []uint64
	for age := range size { // a hill that falls off slowly, and nobody above 99
		for range max(0, 35-abs(age-40)/2) {
			codes = append(codes, uint64(age))
		}
	}
	h := must(NewHistogram(
		HistogramParams{Epsilon: epsilon("0.5"), Size: big.NewInt(size), Persons: 1948}))
	sums, squares := make([]float64, size), make([]float64, size)
	for run := range runs {
		d := must(h.Release(coin.NewSeeded(coin.Seed(run)),
			domain.SortedCodes(codes, bitsOf(big.NewInt(size))), nil))
		for i := range size {
			_, _, mass := d.Cell(i)
			sums[i] += mass
			squares[i] += mass * mass
		}
	}
	spread := make([]float64, size)
	for i := range spread {
		mean := sums[i] / runs
		spread[i] = math.Sqrt(squares[i]/runs - mean*mean)
	}
	for i := 1; i < size-1; i++ {
		if beside := (spread[i-1] + spread[i+1]) / 2; spread[i] > 1.5*beside {
			t.Errorf("cell %d varies by %.1f people, its neighbours by %.1f", i, spread[i], beside)
		}
	}
}

func abs(x int) int { return max(x, -x) }
