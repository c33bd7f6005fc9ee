package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/exhibit"
	"hush/web/state/session"
)

// TestManyBins: an outline goes through every count within its range, alone and beside another
// release's.
func TestManyBins(t *testing.T) {
	var chosen []*session.Past
	for number := range 2 {
		h := &task.Histogram{Error: 12}
		for i := range plot.MostBars + 1 {
			h.Bins = append(h.Bins, task.Bin{Label: fmt.Sprint(i), Count: int64(i*(number+1) - 20)})
		}
		chosen = append(chosen,
			&session.Past{
				Number: number + 1, Release: exhibit.Release("histogram", "Histogram", "", h)})
	}
	view := histogramView{}
	at := func(o object, series, i int) float64 {
		return asFloat(o["series"].([]object)[series]["data"].([][]any)[i][1])
	}
	o := view.picture(chosen[0].Release).Plot
	both, _ := view.compare(chosen)
	for i := range plot.MostBars + 1 {
		// drawn from 0 on, and to everybody at most
		count := max(float64(i-20), 0)
		from, to := max(float64(i-32), 0), max(float64(i-8), 0)
		if low, height := at(o, 0, i), at(o, 1, i); at(o, 2, i) != count || low != from ||
			height != to-from {
			t.Errorf("bin %d of %g people is drawn at %g, in a band from %g, %g high", i, count,
				at(o, 2, i), low, height)
		}
		if at(both, 0, i) != count || at(both, 1, i) != max(float64(2*i-20), 0) {
			t.Errorf("bin %d is compared at %g and %g", i, at(both, 0, i), at(both, 1, i))
		}
	}
	for _, p := range chosen {
		h := p.Release.Answer.Result.(*task.Histogram)
		h.Bins = h.Bins[:plot.MostBars]
	}
	o = view.picture(chosen[0].Release).Plot
	both, _ = view.compare(chosen)
	if kind := o["series"].([]object)[0]["renderItem"]; kind != "lying" {
		t.Errorf("as many bins as have room are drawn by %v", kind)
	}
	if kind := both["series"].([]object)[0]["type"]; kind != "bar" {
		t.Errorf("as many bins as have room are compared as a %s", kind)
	}
}

func asFloat(x any) float64 {
	switch x := x.(type) {
	case float64:
		return x
	case int64:
		return float64(x)
	case int:
		return float64(x)
	}
	return math.NaN()
}

// TestBarsStandOnTheirEdges: bins with edges touch on an axis of numbers or of time, none is drawn
// below nobody, errors stay between nobody and everybody, and what is too few to tell is hatched.
func TestBarsStandOnTheirEdges(t *testing.T) {
	h := &task.Histogram{Error: 12, Width: "10", Bins: []task.Bin{
		{Label: "0–9", Count: 95, From: "0", To: "10"},
		{Label: "10–19", Count: 24, From: "10", To: "20"},
		{Label: "20–25", Count: -5, From: "20", To: "26"}}}
	r := exhibit.Release("histogram", "Histogram", "", h)
	r.Plan.People = 100
	p := pictureOf(r)
	series := p.Plot["series"].([]object)
	bars, ranges := series[0]["data"].([]object), series[1]["data"].([][]any)
	for i, want := range [][]any{{0.0, 10.0, 95.0, 0}, {10.0, 20.0, 24.0, 0},
		{20.0, 26.0, 0.0, 1}} {
		if got := bars[i]["value"].([]any); !slices.Equal(got, want) {
			t.Errorf("bar %d is %v, want %v", i, got, want)
		}
	}
	for i, want := range [][]any{{5.0, 83.0, 100.0}, {15.0, 12.0, 36.0}, {23.0, 0.0, 7.0}} {
		if !slices.Equal(ranges[i], want) {
			t.Errorf("error bar %d is %v, want %v", i, ranges[i], want)
		}
	}
	x := p.Plot["xAxis"].(object)
	if x["type"] != "value" || x["min"] != 0.0 || x["max"] != 26.0 || !p.Hatched ||
		p.Plot["yAxis"].(object)["min"] != 0 {
		t.Errorf("the axes are %v and %v", x, p.Plot["yAxis"])
	}
	r.Verdict = &ask.Verdict{Grade: ask.Rough, Cells: []ask.Grade{ask.Noise, ask.Good, ask.Good}}
	for i, want := range []int{1, 0, 0} { // as it was judged
		bar := pictureOf(r).Plot["series"].([]object)[0]["data"].([]object)[i]["value"].([]any)
		if bar[3] != want {
			t.Errorf("bar %d, judged, is %v", i, bar)
		}
	}
	for i := range h.Bins { // dates
		h.Bins[i].From = fmt.Sprintf("2026-0%d-01", i+1)
		h.Bins[i].To = fmt.Sprintf("2026-0%d-01", i+2)
	}
	if x := pictureOf(r).Plot["xAxis"].(object); x["type"] != "time" ||
		x["min"] != 1767225600000.0 {
		t.Errorf("dates stand on %v", x)
	}
	for i := range h.Bins { // a release of an earlier version
		h.Bins[i].From, h.Bins[i].To = "", ""
	}
	if x := pictureOf(r).Plot["xAxis"].(object); x["type"] != "category" {
		t.Errorf("bins without edges stand on %v", x)
	}
}

// TestCountsAreGroupedOnThePageAlone: the table shows counts as the text beside it does, bins as
// they are, and leaves what is exported alone.
func TestCountsAreGroupedOnThePageAlone(t *testing.T) {
	row := []string{"1000–1999", "12719", "-1200", "999"}
	if got, want := GroupedCounts(&task.Histogram{}, [][]string{row})[0],
		[]string{"1000–1999", "12\u00a0719", "−1\u00a0200", "999"}; !slices.Equal(got, want) {
		t.Errorf("%q is shown as %q, want %q", row, got, want)
	}
	if row[1] != "12719" || GroupedCounts(&task.Winner{}, [][]string{row})[0][1] != "12719" {
		t.Error("the release itself, or a value, is written otherwise")
	}
	for _, c := range []struct {
		result ask.Result
		first  int // column of counts
	}{
		{&task.Quantiles{}, 3}, {&task.Density{}, 2}, {&task.Clusters{}, 1}, {&task.Median{}, 3},
		{&task.Labels{}, 4}, {&task.Estimates{Name: "mean"}, 4},
	} {
		got := GroupedCounts(c.result, [][]string{{"1999", "1999", "1999", "1999"}})[0]
		for i, cell := range got {
			if strings.Contains(cell, "\u00a0") != (i >= c.first) {
				t.Errorf("%s: column %d is shown as %q", c.result.Kind(), i, cell)
			}
		}
	}
}
