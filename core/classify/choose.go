package classify

import (
	"math/big"

	"hush/core/coin"
)

// chooseRule draws a rule with probability proportional to r^−mistakes, from one rule for each
// labelling of the anchors. It counts the labellings by mistakes, draws a number of mistakes, and
// then one of the labellings with that many. Proof: semiprivate.md.
func chooseRule(src coin.Source, class Enumerable, anchors []Point, sample []Votes, base coin.Base,
	p *pace) (Rule, error) {
	yes, no := totals(sample)
	counts := make(byMistakes, yes+no+1)
	class.Dichotomies(anchors, sample, p, func(mistakes int64, _ func() Rule) bool {
		counts[mistakes]++
		return p.on()
	})
	if p != nil && p.err != nil {
		return nil, p.err
	}
	drawn, err := src.Choose(counts, base, nil)
	if err != nil {
		return nil, err // unreachable: without a step nothing ends it
	}
	left := src.Uniform(counts[drawn])
	var chosen Rule
	class.Dichotomies(anchors, sample, p, func(mistakes int64, rule func() Rule) bool {
		if mistakes == int64(drawn) {
			if left == 0 {
				chosen = rule()
			}
			left--
		}
		return chosen == nil && p.on()
	})
	if p != nil && p.err != nil {
		return nil, p.err
	}
	return chosen, nil
}

// byMistakes holds the number of labellings for each number of mistakes.
type byMistakes []uint64

func (b byMistakes) Len() int                              { return len(b) }
func (b byMistakes) Group(i int) (int64, uint64, *big.Int) { return int64(i), b[i], nil }
