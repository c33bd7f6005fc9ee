package task

import (
	"math"
	"testing"
)

// TestTeachDifference: an answer that is made good for the difference is as exact as the larger ε
// makes it, and the first answer adds nothing to it: an average with that is worse. Beside an
// answer that is asked anew with all of the larger ε it adds something, which is what that costs
// more.
func TestTeachDifference(t *testing.T) {
	d := must(TeachDifference(nil, DifferenceLesson{First: "0.5", Then: "1", Seed: 3}, nil))
	// the mean size of discrete Laplace noise for a histogram is about 2/ε
	if math.Abs(d.First-4) > 0.4 || math.Abs(d.Made-2) > 0.2 || math.Abs(d.Anew-2) > 0.2 {
		t.Errorf("off by %v and then by %v or %v, want 4 and 2", d.First, d.Made, d.Anew)
	}
	if d.MadeBoth <= d.Made*1.01 || d.AnewBoth >= d.Anew*0.97 {
		t.Errorf("averaged with the first %v in place of %v; %v of %v where it is asked anew",
			d.MadeBoth, d.Made, d.AnewBoth, d.Anew)
	}
	if len(d.Taught.Draws) != 2 || d.Taught.Draws[0].Recipe.Epsilon != "0.5" ||
		d.Taught.Draws[1].Recipe.Epsilon != "1" || len(d.Taught.Draws[1].Head.Before) != 1 {
		t.Errorf("the draws are %v", d.Taught.Draws)
	}
	again := must(TeachDifference(nil, DifferenceLesson{First: "0.5", Then: "1", Seed: 3}, nil))
	other := must(TeachDifference(nil, DifferenceLesson{First: "0.5", Then: "1", Seed: 4}, nil))
	if again.MadeBoth != d.MadeBoth || other.MadeBoth == d.MadeBoth {
		t.Error("seeds make no difference, or more than that")
	}
	for _, l := range []DifferenceLesson{{First: "1", Then: "0.5"}, {First: "1", Then: "1"},
		{First: "1", Then: "much"}, {First: "much", Then: "1"}} {
		if _, err := TeachDifference(nil, l, nil); err == nil {
			t.Errorf("%+v was not refused", l)
		}
	}
}
