package task

import (
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
