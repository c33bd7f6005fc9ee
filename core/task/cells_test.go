package task

import (
	"testing"

	"hush/core/basic"
)

// TestPlacesTogether: places that are read together are those read one by one, with and without
// bins, and with a place for none.
func TestPlacesTogether(t *testing.T) {
	column := codesOf{0, 9, -1, 10, 11, 49, 50, 99, -1}
	for _, starts := range [][]uint64{nil, {0}, {0, 10, 50}} {
		for _, none := range []bool{false, true} {
			d := dimension{starts: starts, none: none}
			d.Places = make([]Place, 101)
			values := d.places(column)
			for from := range column {
				places := make([]uint64, len(column)-from)
				has := make([]bool, len(places))
				basic.CodesOf(values, from, places, has)
				for i := range places {
					place, ok := values.Code(from + i)
					if has[i] != ok || ok && places[i] != place {
						t.Errorf("starts %v, none %v, row %d: %d, %v, want %d, %v", starts, none,
							from+i, places[i], has[i], place, ok)
					}
				}
			}
		}
	}
}

// codesOf are codes; below 0 is none.
type codesOf []int

func (c codesOf) Len() int { return len(c) }

func (c codesOf) Code(i int) (uint64, bool) { return uint64(max(c[i], 0)), c[i] >= 0 }
