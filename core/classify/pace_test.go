package classify

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"hush/core/coin"
)

// TestCancel: whatever long work is doing (drawing persons, sorting them, listing labellings), its
// caller is asked now and then, and ends it.
func TestCancel(t *testing.T) {
	const size, n = 1 << 40, 20_000
	class := stumps(Below, size)
	examples := noisyThreshold(rand.New(rand.NewPCG(17, 18)), n, size, 0.2)
	semi := must(
		NewSemiPrivate(
			SemiPrivateParams{Class: class, Anchors: []Point{{1}, {size / 2}},
				Epsilon: epsilon("1")}))
	answers := &Answers{class: class, persons: n, plan: Plan{Rows: n, Rules: 11},
		relabel: relabelling(class, base(3, 2)),
		votes:   stableVotes(base(2, 1), base(2, 1), "0.01", 1, 1, 1)}
	plain := &Answers{class: must(NewHalfspaces([]uint64{size})), persons: n,
		plan: Plan{Rows: n, Rules: 3}, votes: answers.votes}
	for name, tt := range map[string]struct {
		run   func(step coin.Step) error
		sorts float64 // of all persons
	}{
		"rule": {func(step coin.Step) error {
			_, err := semi.Learn(coin.NewSeeded(1), examples, step)
			return err
		}, 1},
		"labels": {func(step coin.Step) error {
			_, err := answers.Start(coin.NewSeeded(1), examples, step)
			return err
		}, 2},
		"plain": {func(step coin.Step) error {
			_, err := plain.Start(coin.NewSeeded(1), examples, step)
			return err
		}, 4},
	} {
		asked, enough := 0, errors.New("enough")
		until := func(last int) error {
			asked = 0
			return tt.run(func(done, total int64) error {
				if asked++; asked == last {
					return enough
				}
				return nil
			})
		}
		if err := until(-1); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all := asked
		if least := int(0.7 * tt.sorts * n * math.Log2(n) / stride); all < least {
			t.Errorf("%s: asked %d times, want at least %d", name, all, least)
		}
		for last := 1; last <= all; last += 1 + all/4 {
			if err := until(last); !errors.Is(err, enough) || asked != last {
				t.Errorf("%s: ended at question %d of %d: %v after %d", name, last, all, err, asked)
			}
		}
	}
}
