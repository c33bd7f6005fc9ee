package task

import (
	"math"

	"hush/core/joint"
)

// columnSums are the noisy counts of the places of a column, by all tables that have it. They are
// added up when they are first needed, since their bounds take a while.
type columnSums struct {
	of     *joint.Measured
	column int
	exact  *joint.ColumnSums
	known  map[float64]int64 // within, of some beta
}

// raw are the sums, rounded.
func (s *columnSums) raw() []int64 {
	if s.exact == nil {
		s.exact, _ = s.of.ColumnSums(s.column) // a table has it
	}
	raw := make([]int64, len(s.exact.Persons))
	for place, persons := range s.exact.Persons {
		raw[place] = int64(math.Round(persons))
	}
	return raw
}

// within is what a rounded sum is off by at most, but for beta; raw comes first.
func (s *columnSums) within(beta float64) int64 {
	off, is := s.known[beta]
	if !is {
		off = int64(math.Ceil(s.exact.Bound(beta) + .5))
		s.known[beta] = off
	}
	return off
}
