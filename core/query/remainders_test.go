package query

import (
	"slices"
	"testing"
)

// TestLargestRemainders: the sum stays what it is, each number moves by less than 1, and of equal
// rests the first go up.
func TestLargestRemainders(t *testing.T) {
	for _, c := range []struct {
		list []float64
		want []int64
	}{
		{[]float64{47.5, 16, 15.8, 12, 6.1, 2.6}, []int64{47, 16, 16, 12, 6, 3}},
		{[]float64{0.5, 0.5, 1}, []int64{1, 0, 1}},
		{[]float64{2, 3}, []int64{2, 3}},
		{[]float64{0.25, 0.25, 0.25, 0.25}, []int64{1, 0, 0, 0}},
		{nil, []int64{}},
	} {
		if got := LargestRemainders(c.list); !slices.Equal(got, c.want) {
			t.Errorf("%v are rounded to %v, want %v", c.list, got, c.want)
		}
	}
}
