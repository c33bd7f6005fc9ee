package web

import (
	"slices"
	"testing"
)

// TestCountsAreGroupedOnThePageAlone: the table shows counts as the text beside it does, bins as they are, and leaves what is exported alone.
func TestCountsAreGroupedOnThePageAlone(t *testing.T) {
	row := []string{"1000–1999", "12719", "-1200", "999"}
	if got, want := groupedCounts("histogram", [][]string{row})[0], []string{"1000–1999", "12\u202f719", "−1\u202f200", "999"}; !slices.Equal(got, want) {
		t.Errorf("%q is shown as %q, want %q", row, got, want)
	}
	if row[1] != "12719" || groupedCounts("quantiles", [][]string{row})[0][1] != "12719" {
		t.Error("the release itself, or a value, is written otherwise")
	}
}
