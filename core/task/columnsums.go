package task

import (
	"math"

	"hush/core/joint"
)

// columnSums are noisy counts of a column's places, from all tables that have it. They are added up
// when they are first needed, since their bounds take a while.
type columnSums struct {
	of     *joint.Measured
	column int
	exact  *joint.ColumnSums
	known  map[float64]int64 // results of within, by beta
}

// raw returns the sums, rounded.
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

// within bounds the error of a rounded sum, except with probability beta; raw must be called first.
func (s *columnSums) within(beta float64) int64 {
	off, is := s.known[beta]
	if !is {
		off = int64(math.Ceil(s.exact.Bound(beta) + .5))
		s.known[beta] = off
	}
	return off
}
