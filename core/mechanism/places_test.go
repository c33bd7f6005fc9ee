package mechanism

import (
	"slices"
	"testing"
)

// TestPlacesAreMoved: what is shown or picked by its place is moved to the neighbour's place, and
// is impossible where the neighbour has no such place.
func TestPlacesAreMoved(t *testing.T) {
	place := func(i int) (int, bool) { return i + 3, i != 0 }
	shown, ok := moveShown([]Shown{{1, 10}, {4, 20}}, place)
	if !ok || !slices.Equal(shown, []Shown{{4, 10}, {7, 20}}) {
		t.Errorf("shown is moved to %v, %v", shown, ok)
	}
	if _, ok := moveShown([]Shown{{1, 10}, {0, 20}}, place); ok {
		t.Error("a value that is gone is shown")
	}
	if p, ok := movePick(pick{2, true}, place); !ok || p != (pick{5, true}) {
		t.Errorf("a pick is moved to %v, %v", p, ok)
	}
	gone := func(int) (int, bool) { return 0, false }
	if _, ok := movePick(pick{2, true}, gone); ok {
		t.Error("a candidate that is gone is picked")
	}
	if p, ok := movePick(pick{-1, false}, gone); !ok || p.chosen {
		t.Errorf("nothing is moved to %v, %v", p, ok)
	}
}
