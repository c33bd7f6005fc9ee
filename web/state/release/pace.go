package release

import (
	"time"

	"hush/web/engine"
)

// pace measures how fast work proceeds.
type pace struct {
	phase string
	from  int64
	began time.Time
}

// leastPace is how long work is watched before its end is estimated.
const leastPace = 2 * time.Second

// left estimates how long a phase still takes if it continues at this pace, or returns 0 if that is
// not known yet.
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
