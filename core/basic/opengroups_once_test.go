package basic

import (
	"slices"
	"testing"
)

// TestOpenGroupsCountAPersonOnce: of the consecutive rows of a person, all with one label count
// once, and the next person's rows again.
func TestOpenGroupsCountAPersonOnce(t *testing.T) {
	// H: opengroups.md once
	rows := column{7, 7, 8, 7, 7, -1, 8, 8, 8, 7, 9, 7} // three of each person
	for each, want := range map[int][]uint64{1: {6, 4, 1}, 3: {3, 2, 1}} {
		counts, err := countLabels(codeLabels{rows}, each, nil)
		if err != nil {
			t.Fatal(err)
		}
		have := []uint64{counts[7].persons, counts[8].persons, counts[9].persons}
		if len(counts) != 3 || !slices.Equal(have, want) {
			t.Errorf("rows of %d each: %d, want %d", each, have, want)
		}
	}
}
