package chart

import (
	"fmt"
	"slices"
	"testing"

	"hush/core/task"
	"hush/web/exhibit"
	"hush/web/state"
)

// TestManyBins: an outline goes through every count within its range, alone and beside another
// release's.
func TestManyBins(t *testing.T) {
	var chosen []*state.Past
	for number := range 2 {
		h := &task.Histogram{Error: 12}
		for i := range mostBars + 1 {
			h.Bins = append(h.Bins, task.Bin{Label: fmt.Sprint(i), Count: int64(i*(number+1) - 20)})
		}
		chosen = append(chosen,
			&state.Past{
				Number: number + 1, Release: exhibit.Release("histogram", "Histogram", "", h)})
	}
	view := histogramView{}
	at := func(o object, series, i int) int64 {
		return o["series"].([]object)[series]["data"].([][]any)[i][1].(int64)
	}
	o, _ := view.chart(chosen[0].Release)
	both, _ := view.compare(chosen)
	for i := range mostBars + 1 {
		count := int64(i - 20)
		if low, height := at(o, 0, i), at(o, 1, i); at(o, 2, i) != count || low != count-12 ||
			height != 24 {
			t.Errorf("bin %d of %d people is drawn at %d, in a band from %d, %d high", i, count,
				at(o, 2, i), low, height)
		}
		if at(both, 0, i) != count || at(both, 1, i) != int64(2*i-20) {
			t.Errorf("bin %d is compared at %d and %d", i, at(both, 0, i), at(both, 1, i))
		}
	}
	for _, p := range chosen {
		h := p.Release.Answer.Result.(*task.Histogram)
		h.Bins = h.Bins[:mostBars]
	}
	o, _ = view.chart(chosen[0].Release)
	both, _ = view.compare(chosen)
	for _, drawn := range []object{o, both} {
		if kind := drawn["series"].([]object)[0]["type"]; kind != "bar" {
			t.Errorf("as many bins as have room are drawn as a %s", kind)
		}
	}
}

// TestCountsAreGroupedOnThePageAlone: the table shows counts as the text beside it does, bins as
// they are, and leaves what is exported alone.
func TestCountsAreGroupedOnThePageAlone(t *testing.T) {
	row := []string{"1000–1999", "12719", "-1200", "999"}
	if got, want := GroupedCounts("histogram", [][]string{row})[0],
		[]string{"1000–1999", "12\u00a0719", "−1\u00a0200", "999"}; !slices.Equal(got, want) {
		t.Errorf("%q is shown as %q, want %q", row, got, want)
	}
	if row[1] != "12719" || GroupedCounts("quantiles", [][]string{row})[0][1] != "12719" {
		t.Error("the release itself, or a value, is written otherwise")
	}
}
