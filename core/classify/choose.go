package classify

import (
	"math/big"

	"hush/core/coin"
)

// chooseRule draws a rule with probability proportional to r^−mistakes, one for each labelling of the anchors. It counts the labellings by mistakes,
// draws how many mistakes, and then one of those that make so many.
func chooseRule(src coin.Source, class Enumerable, anchors []Point, sample []Votes, base coin.Base, step coin.Step) (Rule, error) {
	pause := blindPause(step)
	yes, no := totals(sample)
	counts := make(byMistakes, yes+no+1)
	var stopped error
	class.Dichotomies(anchors, sample, func(mistakes int64, _ func() Rule) bool {
		counts[mistakes]++
		stopped = pause()
		return stopped == nil
	})
	if stopped != nil {
		return nil, stopped
	}
	drawn, err := src.Choose(counts, base, nil)
	if err != nil {
		return nil, err // unreachable: without a step nothing ends it
	}
	left := src.Uniform(counts[drawn])
	var chosen Rule
	class.Dichotomies(anchors, sample, func(mistakes int64, rule func() Rule) bool {
		if mistakes == int64(drawn) {
			if left == 0 {
				chosen = rule()
			}
			left--
		}
		if stopped = pause(); stopped != nil {
			return false
		}
		return chosen == nil
	})
	if stopped != nil {
		return nil, stopped
	}
	return chosen, nil
}

// byMistakes is how many labellings make so many mistakes.
type byMistakes []uint64

func (b byMistakes) Len() int                              { return len(b) }
func (b byMistakes) Group(i int) (int64, uint64, *big.Int) { return int64(i), b[i], nil }

// blindPause calls step now and then and tells it nothing, since how much work there is depends on private data.
func blindPause(step coin.Step) func() error {
	calls := 0
	return func() error {
		if calls++; step == nil || calls%(1<<12) != 0 {
			return nil
		}
		return step(0, 1)
	}
}
