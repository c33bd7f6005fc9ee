package classify

import (
	"fmt"
	"testing"

	"hush/core/coin"
)

// TestDrawnWithoutReplacement: those drawn are any two of four, in any order, all equally likely.
func TestDrawnWithoutReplacement(t *testing.T) {
	examples := []Example{{Point: Point{0}}, {Point: Point{1}}, {Point: Point{2}},
		{Point: Point{3}}}
	law := must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
		return fmt.Sprint(drawWithout(src, examples, 2, nil)), nil
	}))
	if len(law.Outcomes()) != 12 {
		t.Errorf("%d outcomes, want 12", len(law.Outcomes()))
	}
	for _, outcome := range law.Outcomes() {
		if law.Mass(outcome).RatString() != "1/12" {
			t.Errorf("%s has chance %v, want 1/12", outcome, law.Mass(outcome))
		}
	}
}
