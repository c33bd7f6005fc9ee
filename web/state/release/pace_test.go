package release

import (
	"testing"
	"time"

	"hush/web/engine"
)

// TestPace: the time left follows from the work done since a phase began, once that took a while.
func TestPace(t *testing.T) {
	var p pace
	start := time.Unix(1e9, 0)
	for _, c := range []struct {
		after       time.Duration
		phase       string
		done, total int64
		want        time.Duration
	}{
		{0, "reading", 10, 100, 0},
		{5 * time.Second, "reading", 60, 100, 4 * time.Second},
		{6 * time.Second, "computing", 20, 120, 0},
		{7 * time.Second, "computing", 40, 120, 0}, // too early
		{10 * time.Second, "computing", 40, 120, 16 * time.Second},
		{12 * time.Second, "computing", 120, 120, 0},
		{30 * time.Second, "search", 0, 1, 0},
		{60 * time.Second, "search", 0, 1, 0},
	} {
		at := engine.Progress{Phase: c.phase, Done: c.done, Total: c.total}
		if got := p.left(start.Add(c.after), at); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
