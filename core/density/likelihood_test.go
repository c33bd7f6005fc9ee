package density

import (
	"math"
	"testing"
)

// column is a column of persons; MaxUint64 is none.
type column []uint64

func (c column) Len() int { return len(c) }

func (c column) Code(i int) (uint64, bool) { return c[i], c[i] != math.MaxUint64 }

type forSeveral struct {
	column
	persons []uint64
}

func (w forSeveral) Persons(i int) uint64 { return w.persons[i] }

// TestLikelihoodSensitivity goes through all persons of a small domain: none has more points than
// moves says, or less than none, and the score is a likelihood.
func TestLikelihoodSensitivity(t *testing.T) {
	for _, people := range [][]float64{{10, 0, 90}, {-3, 5, 5}, {0, 0, 0}, {1, 1, 1000}} {
		l := NewLikelihood(20, []uint64{5, 10, 20}, people)
		lowest, highest := int64(math.MaxInt64), int64(0)
		for code := range uint64(21) {
			values := column{code}
			if code == 20 {
				values = column{math.MaxUint64}
			}
			points, err := l.total(values, nil)
			if err != nil || points < 0 || uint64(points) > l.Moves() {
				t.Errorf("%v, code %d: %d points, sensitivity %d, %v", people, code, points,
					l.Moves(), err)
			}
			lowest, highest = min(lowest, points), max(highest, points)
		}
		if lowest != 0 || uint64(highest) != max(l.Moves(), 1) && highest != 0 {
			t.Errorf("%v: points from %d to %d, sensitivity %d", people, lowest, highest, l.Moves())
		}
	}
	l := NewLikelihood(20, []uint64{5, 10, 20}, []float64{0, 50, 50})
	// Densities relative to an even distribution: .05, 1.95 + .05 … of 5, 5, 10 of 20 values.
	for code, want := range map[uint64]float64{0: math.Log(.05), 7: math.Log(.05 + .95*2),
		15: math.Log(.05 + .95)} {
		points, _ := l.total(column{code}, nil)
		if have := float64(points-l.absent) / 64; math.Abs(have-want) > 1./32 {
			t.Errorf("code %d has a log-likelihood of %v, want %v", code, have, want)
		}
	}
	if weights, _ := l.total(forSeveral{column{7, 0}, []uint64{3, 2}}, nil); weights != 3*
		l.points[1] {
		t.Errorf("three persons have %d points", weights)
	}
}
