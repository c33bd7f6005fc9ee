package ask

import "testing"

// TestStageAt: work of two stages, the later one of ten rounds.
func TestStageAt(t *testing.T) {
	list := []Stage{{Name: "one", Until: 200}, {Name: "two", Until: 1000, Rounds: 10}}
	for _, c := range []struct{ done, total, stage, round int64 }{
		{0, 0, 0, 0}, {0, 50, 0, 0}, {9, 50, 0, 0}, {10, 50, 1, 1}, {13, 50, 1, 1}, {14, 50, 1, 2},
		{49, 50, 1, 10}, {50, 50, 1, 10}, {60, 50, 1, 10},
	} {
		stage, round := StageAt(list, c.done, c.total)
		if int64(stage) != c.stage || round != c.round {
			t.Errorf("%d of %d: stage %d, round %d", c.done, c.total, stage, round)
		}
	}
}
