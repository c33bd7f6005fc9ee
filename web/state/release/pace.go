package release

import (
	"time"

	"hush/web/engine"
)

// pace is how fast work comes along.
type pace struct {
	phase string
	from  int64
	began time.Time
}

// leastPace is how long work is watched before its end is guessed.
const leastPace = 2 * time.Second

// left is about how long a phase takes from now on, if it goes on like this; 0: nothing can be
// said yet.
func (p *pace) left(now time.Time, at engine.Progress) time.Duration {
	if at.Phase != p.phase {
		*p = pace{at.Phase, at.Done, now}
	}
	gone, done := now.Sub(p.began), at.Done-p.from
	if gone < leastPace || done <= 0 || at.Done > at.Total {
		return 0
	}
	return time.Duration(float64(gone) * float64(at.Total-at.Done) / float64(done))
}
