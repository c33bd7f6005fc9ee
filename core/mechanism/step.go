package mechanism

import "hush/core/coin"

// pause calls step once in 1024 items, for work whose length is public.
func pause(step coin.Step, done, total int) error {
	if step == nil || done%1024 != 0 {
		return nil
	}
	return step(int64(done), int64(total))
}

// pauseBlind calls step once in 1024 items without any progress, for work whose length is private.
func pauseBlind(step coin.Step, done int) error {
	if step == nil || done%1024 != 0 {
		return nil
	}
	return step(0, 1)
}

// parts is the total of blind.
const parts = 1024

// blind passes progress on in parts of the whole, for work whose length is private.
func blind(step coin.Step) coin.Step {
	if step == nil {
		return nil
	}
	return func(done, total int64) error {
		return step(int64(float64(done)/float64(max(total, 1))*parts), parts)
	}
}
