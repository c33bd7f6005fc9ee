package density

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

func TestMain(m *testing.M) { audittest.Main(m) }

func must[T any](m T, err error) T {
	if err != nil {
		panic(err)
	}
	return m
}

func base(num, den int64) coin.Base       { return must(coin.NewBase(num, den)) }
func epsilon(text string) privacy.Epsilon { return must(privacy.ParseEpsilon(text)) }
func delta(text string) privacy.Delta     { return must(privacy.ParseDelta(text)) }

func claimOf(loss privacy.Loss, err error) audit.Claim {
	return must(audit.ClaimOf(must(loss, err)))
}

// sortedRows are the codes of an audit's data set, without those of persons who have none.
func sortedRows(rows []int, bits int) domain.Sorted {
	codes := []uint64{}
	for _, row := range rows {
		if row != audit.None {
			codes = append(codes, uint64(row))
		}
	}
	return domain.SortedCodes(codes, bits)
}

// whole makes big integers of small ones.
func whole(list ...int64) (all []*big.Int) {
	for _, x := range list {
		all = append(all, big.NewInt(x))
	}
	return all
}

func sortedCopy(rows []int) []int {
	rows = slices.Clone(rows)
	slices.Sort(rows)
	return rows
}

// counts is Count of the first this many values, for small domains.
func (d *Distribution) counts(values int) []float64 {
	list, i := make([]float64, values), 0
	for v := range list {
		at := big.NewInt(int64(v + 1))
		for i < len(d.mass)-1 && d.bounds[i+1].Cmp(at) < 0 {
			i++
		}
		if at.Cmp(d.Size()) >= 0 {
			list[v] = d.Total()
			continue
		}
		width := new(big.Int).Sub(d.bounds[i+1], d.bounds[i])
		list[v] = d.before(i) + d.mass[i]*ratio(at.Sub(at, d.bounds[i]), width)
	}
	return list
}

// kolmogorov is the largest difference between the numbers of persons up to a value of two
// distributions over one domain.
func (d *Distribution) kolmogorov(e *Distribution) (worst float64) {
	for _, b := range append(d.bounds[:len(d.bounds):len(d.bounds)], e.bounds...) {
		worst = max(worst, math.Abs(d.below(b)-e.below(b)))
	}
	return worst
}
