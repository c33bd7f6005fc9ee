package basic

import (
	"testing"

	"hush/core/audit"
)

// TestLargestRankError: by hand, with ties, equal values, persons without a value or beyond the
// domain, and in the worse of two groups.
func TestLargestRankError(t *testing.T) {
	q := newQuantiles(base(3, 2), 1, "1/4", "1/2", "9/10")
	for _, c := range []struct {
		rows, groups column
		codes        [][]uint64
		want         int64
	}{
		{column{0, 2, 2, audit.None}, nil, [][]uint64{{0, 0, 2}}, 1}, // off by ½
		{column{audit.None, 2, 2, audit.None}, nil, [][]uint64{{2, 2, 2}}, 0},
		{column{0, 2, audit.None, audit.None}, nil, [][]uint64{{0, 0, 2}}, 0},
		{column{0, 2, 2, audit.None}, nil, [][]uint64{{2, 2, 2}}, 1}, // by ¼
		{column{0, 2, 2, 2}, nil, [][]uint64{{0, 1, 1}}, 3},          // 9/10·4 − 1
		{column{9, 9, 9, 9}, nil, [][]uint64{{4, 4, 4}}, 0},
		{column{audit.None}, nil, [][]uint64{{1, 2, 3}}, 0},
		{column{0, 2, 2, 2, 0}, column{0, 0, 1, 1, audit.None},
			[][]uint64{{0, 0, 2}, {2, 2, 2}}, 0},
		{column{0, 2, 2, 2, 0}, column{0, 0, 1, 1, 1}, [][]uint64{{0, 0, 2}, {3, 3, 3}}, 3},
	} {
		var groups Values
		if c.groups != nil {
			groups = c.groups
		}
		have, err := q.LargestRankError(c.rows, groups, c.codes, nil)
		if err != nil {
			t.Fatal(err)
		}
		if have != c.want {
			t.Errorf("%v at %v in groups %v: off by %d, want %d", c.codes, c.rows, c.groups, have,
				c.want)
		}
	}
}

// TestLargestRankErrorMovesByOne: for all neighbours of four persons in two groups.
func TestLargestRankErrorMovesByOne(t *testing.T) {
	q := newQuantiles(base(3, 2), 1, "1/4", "1/2", "9/10")
	codes, largest := [][]uint64{{0, 2, 2}, {1, 3, 4}}, int64(0)
	off := func(rows []int) int64 { // 0 … 7: a value in a group
		values, groups := make(column, len(rows)), make(column, len(rows))
		for i, v := range rows {
			values[i], groups[i] = audit.None, audit.None
			if v != audit.None {
				values[i], groups[i] = spread[v%4], v/4
			}
		}
		have, err := q.LargestRankError(values, groups, codes, nil)
		if err != nil {
			t.Fatal(err)
		}
		return have
	}
	rows := make([]int, 4)
	var walk func(i int)
	walk = func(i int) {
		if i < len(rows) {
			for v := audit.None; v < 8; v++ {
				rows[i] = v
				walk(i + 1)
			}
			return
		}
		was, first := off(rows), rows[0]
		for v := audit.None; v < 8; v++ {
			rows[0] = v
			is := off(rows)
			largest = max(largest, was-is, is-was)
		}
		rows[0] = first
	}
	walk(0)
	if largest != 1 {
		t.Errorf("it moves by up to %d, want 1", largest)
	}
}
