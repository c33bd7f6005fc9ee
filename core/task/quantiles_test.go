package task

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
)

// TestQuantilesOfLongTexts: auto takes what is off by fewest people typically, though the bound
// that is proven for windows of long texts is smaller.
func TestQuantilesOfLongTexts(t *testing.T) {
	prepared := func(epsilon, algorithm string, people int64) ask.Prepared {
		_, p, err := ask.Prepare(All{}, ask.Recipe{Version: ask.RecipeVersion, Task: "quantiles",
			Column: 1, Epsilon: epsilon, Domain: domain.Spec{Kind: domain.Text, Length: 32},
			Params: ask.Params{paramTargets: "10,20,30,40,50,60,70,80,90",
				paramAlgorithm: algorithm, ask.ParamDelta: "0.000001"}}, people)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	best, windows := prepared("0.1", auto, 100_000), prepared("0.1", "treelog", 100_000)
	if name := best.Algorithm(); name != "joint exponential mechanism" {
		t.Errorf("auto takes %s", name)
	}
	off, _ := best.Typical()
	far, _ := windows.Typical()
	if !(off < far/10 && best.Bound() > windows.Bound()) {
		t.Errorf("auto: typically %g, at most %g; windows: %g, %g", off, best.Bound(), far,
			windows.Bound())
	}
}

// TestQuantilesOffCounts: where there are hardly more values than parts, auto reads them off a tree
// of counts, and is off by at most half as many people as the other algorithms; with few people or
// many values it does not. The bounds hold.
func TestQuantilesOffCounts(t *testing.T) {
	const n = 20_000
	var parts []string
	for i := range 99 {
		parts = append(parts, fmt.Sprint(i+1))
	}
	file := []byte("x,n\n")
	counts := make([]int, 100)
	for i := range n { // most of the small values, and a tenth at 40
		at := (i % 317 * (i % 317) / 1006) % 100
		if i%10 == 0 {
			at = 40
		}
		counts[at]++
	}
	for x, count := range counts {
		file = fmt.Appendf(file, "%d,%d\n", x, count)
	}
	ask1 := func(algorithm, hi string) (name string, off float64) {
		s := open(t, file)
		r := recipe(s, "quantiles", 0, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: hi},
			ask.Params{paramTargets: strings.Join(parts, ","), paramAlgorithm: algorithm})
		r.Count, r.Epsilon = 2, "0.1"
		for range 3 {
			release := askFor(t, s, r, file)
			name = release.Plan.Algorithm
			for i, row := range release.Answer.Result.(*Quantiles).Rows {
				v, err := strconv.Atoi(row.Value)
				if err != nil {
					t.Fatal(err)
				}
				below, upTo := 0, 0
				for x, count := range counts {
					if x < v {
						below += count
					}
					if x <= v {
						upTo += count
					}
				}
				aim := float64(i+1) / 100 * n
				e := max(0, float64(below)-aim, aim-float64(upTo))
				if e > float64(row.RankError) {
					t.Errorf("%s: %s is off by %g, more than %d", algorithm, row.Part, e,
						row.RankError)
				}
				off += e / 99 / 3
			}
		}
		return name, off
	}
	name, off := ask1(auto, "99")
	if name != "tree of counts" {
		t.Errorf("auto takes %s", name)
	}
	for _, algorithm := range []string{jointly, levels, splits} {
		if _, far := ask1(algorithm, "99"); !(off < 0.9*far) {
			t.Errorf("off by %g, and by %g with %s", off, far, algorithm)
		}
	}
	if name, _ := ask1(auto, "999"); name == "tree of counts" {
		t.Error("auto counts 1000 values")
	}
}
