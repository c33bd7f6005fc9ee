package threshold

import (
	"fmt"
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
)

// Whole releases of a distribution function: the cuts and all noisy counts, in which Release only
// adds up. Counts are clamped to one below and one above what is possible. That loses nothing: a
// count of 0 to n persons with Laplace noise lands beyond them with chances that fall by the same
// factor from one place to the next, whichever count it is (quantiles.md).

// clampedCounts prints a measurement.
func clampedCounts(m *measurement, persons int) string {
	text := fmt.Sprint(m.points)
	for _, of := range m.of {
		for _, list := range [][]int64{of.cells, of.atoms} {
			for _, count := range list {
				text += fmt.Sprint(" ", min(max(count, -1), int64(persons)+1))
			}
		}
	}
	return text
}

// countsAudit audits whole measurements. With answers a row is 2x + 1 for value x with a yes, 2x
// with a no.
func countsAudit(name string, persons, size int, claim audit.Claim, answers bool,
	measure func(src coin.Source, codes domain.Sorted, yes []bool) (*measurement, error),
) audit.Audit[string] {
	values := size
	if answers {
		values *= 2
	}
	return audit.Audit[string]{Name: name, Space: audit.Space{Persons: persons, Values: values},
		Claim: claim, Law: func(rows []int) (*coin.Law[string], error) {
			list, data := []uint64(nil), Labelled{}
			for _, code := range codesOf(rows) { // ascending
				if answers {
					data.Yes = append(data.Yes, code%2 == 1)
					code /= 2
				}
				list = append(list, code)
			}
			var yes []bool
			if answers {
				yes = data.answers()
			}
			codes := domain.SortedCodes(list, big.NewInt(int64(size-1)).BitLen())
			return coin.Enumerate(coin.Limits{Top: uint64(persons) + 1},
				func(src coin.Source) (string, error) {
					m, err := measure(src, codes, yes)
					if err != nil {
						return "", err
					}
					return clampedCounts(m, persons), nil
				})
		}}
}

// countedQuantiles cuts three values on whole intervals, so that there are cells with and without
// values beside the cuts.
func countedQuantiles(depth int, noise coin.Base) *Quantiles {
	size := big.NewInt(3)
	finder := newExponential(size, 2, base(3, 2), big.NewRat(1, 2))
	return must(newQuantiles(size, 3, depth, finder, tinyLaplace(noise), 0.05))
}

func (q *Quantiles) measured(src coin.Source, codes domain.Sorted,
	yes []bool) (*measurement, error) {
	return q.release(src, codes, yes, nil)
}

func countedValues(noise coin.Base) *EveryValue {
	return &EveryValue{size: big.NewInt(2), bits: 1, counts: tinyLaplace(noise), beta: 0.05}
}

func TestAuditCounts(t *testing.T) {
	for depth := 1; depth <= 2; depth++ {
		for _, noise := range []coin.Base{base(3, 2), base(5, 1)} {
			q := countedQuantiles(depth, noise)
			audittest.Holds(t, countsAudit(fmt.Sprintf(
				"quantile tree with its counts, depth %d, noise %v", depth, noise), 3, 3,
				claimOf(q.Loss(1)), false, q.measured))
		}
	}
	for _, noise := range []coin.Base{base(3, 2), base(5, 1)} {
		e := countedValues(noise)
		measure := func(src coin.Source, codes domain.Sorted, yes []bool) (*measurement, error) {
			return e.release(src, codes, yes, nil)
		}
		audittest.Holds(t, countsAudit(fmt.Sprintf("counts of every value, noise %v", noise), 3, 2,
			claimOf(e.Loss(1)), false, measure))
		audittest.Holds(t, countsAudit(
			fmt.Sprintf("counts of every value by answer, noise %v", noise), 2, 2,
			claimOf(e.Loss(1)), true, measure))
	}
}

func TestPlantedCounts(t *testing.T) {
	noise := base(5, 1)
	q, e := countedQuantiles(1, noise), countedValues(noise)
	square := base(25, 1)
	half := countedQuantiles(1, square)
	audittest.Caught(t, countsAudit("quantile tree whose counts have half of their noise", 3, 3,
		claimOf(q.Loss(1)), false, half.measured))
	audittest.Caught(t, countsAudit("quantile tree that leaves out cells without persons", 3, 3,
		claimOf(q.Loss(1)), false,
		func(src coin.Source, codes domain.Sorted, yes []bool) (*measurement, error) {
			m, err := q.release(src, codes, yes, nil)
			if err != nil {
				return nil, err
			}
			if below, _ := codes.Rank(m.points[0]); below == 0 {
				m.of[0].cells[0] = 0
			}
			return m, nil
		}))
	audittest.Caught(t, countsAudit("counts of every value with half of their noise", 3, 2,
		claimOf(e.Loss(1)), false,
		func(src coin.Source, codes domain.Sorted, yes []bool) (*measurement, error) {
			return countedValues(square).release(src, codes, yes, nil)
		}))
	audittest.Caught(t, countsAudit("counts by answer with noise on the yeses alone", 2, 2,
		claimOf(e.Loss(1)), true,
		func(src coin.Source, codes domain.Sorted, yes []bool) (*measurement, error) {
			m, err := e.release(src, codes, yes, nil)
			if err != nil {
				return nil, err
			}
			places := e.toCount(codes, yes)
			copy(m.of[1].atoms, places[len(places)/2:])
			return m, nil
		}))
}
