package mechanism

import "hush/core/coin"

// pause calls step once every 1024 items, for work of public length.
func pause(step coin.Step, done, total int) error {
	if step == nil || done%1024 != 0 {
		return nil
	}
	return step(int64(done), int64(total))
}

// pauseBlind calls step once every 1024 items without any progress, for work of private length.
func pauseBlind(step coin.Step, done int) error {
	if step == nil || done%1024 != 0 {
		return nil
	}
	return step(0, 1)
}

// parts is the total that blind reports.
const parts = 1024

// blind reports progress only in parts of the whole, for work whose length is private.
func blind(step coin.Step) coin.Step {
	if step == nil {
		return nil
	}
	return func(done, total int64) error {
		return step(int64(float64(done)/float64(max(total, 1))*parts), parts)
	}
}
