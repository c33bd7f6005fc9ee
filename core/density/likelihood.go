package density

import (
	"math"
	"slices"

	"hush/core/coin"
)

// Values are a column's rows, each with a code or none.
type Values interface {
	Len() int
	Code(i int) (uint64, bool)
}

// ofPersons are Values whose rows stand for several persons each.
type ofPersons interface{ Persons(i int) uint64 }

// mostScored bounds the persons of a row: points of at most 64·(64·ln 2 + 4) for each of them stay
// within int64.
const mostScored = 1 << 48

// Likelihood scores a released distribution by the people's log-likelihood: a person whose value is
// in a range gets the logarithm of the range's density, in 64ths, as points above those of the
// thinnest range. A person without a value gets what an even distribution would give.
type Likelihood struct {
	ends   []uint64
	points []int64 // at least 0
	absent int64   // at least 0
}

// even is the fraction of the people who are spread over all values when densities are compared, so
// that no range is impossible.
const even = 0.05

// NewLikelihood turns a result into points: the first code after each range of values, ascending,
// and how many people the result puts there. Points depend on the result alone.
func NewLikelihood(size uint64, ends []uint64, people []float64) Likelihood {
	total := 0.0
	for _, p := range people {
		total += math.Max(p, 0)
	}
	logs, least := make([]int64, len(ends)), int64(0) // that of an even distribution is 0
	first := uint64(0)
	for i, end := range ends {
		width := float64(end-first) / float64(size)
		if end < first || i == len(ends)-1 {
			width = float64(size-first) / float64(size)
		}
		share := 0.0
		if total > 0 {
			share = math.Max(people[i], 0) / total
		}
		logs[i] = int64(math.Floor(64 * math.Log(even+(1-even)*share/width)))
		least, first = min(least, logs[i]), end
	}
	for i := range logs {
		logs[i] -= least
	}
	return Likelihood{ends, logs, -least}
}

// Moves returns how many points one person can move the total by.
func (l Likelihood) Moves() uint64 { return uint64(max(slices.Max(l.points), l.absent, 1)) }

// Score adds up the points of this many people, counted from those of an even distribution: the
// offset is the same for everybody, and the number of people is public.
func (l Likelihood) Score(values Values, people int64,
	step coin.Step) (points int64, moves uint64, err error) {
	total, err := l.total(values, step)
	return total - l.absent*people, l.Moves(), err
}

// total adds up the people's points.
func (l Likelihood) total(values Values, step coin.Step) (total int64, err error) {
	weights, _ := values.(ofPersons)
	for i := range values.Len() {
		if step != nil && i%(1<<16) == 0 {
			if err := step(0, 1); err != nil {
				return 0, err
			}
		}
		points := l.absent
		if code, ok := values.Code(i); ok {
			cell, _ := slices.BinarySearch(l.ends, code+1)
			points = l.points[min(cell, len(l.points)-1)]
		}
		persons := int64(1)
		if weights != nil {
			persons = int64(min(weights.Persons(i), mostScored))
		}
		total += persons * points
	}
	return total, nil
}
