package classify

import "hush/core/coin"

// pace lets a caller end long work: it counts steps and asks the caller now and then, without
// revealing progress, which depends on private data. Once ended, the work finishes as fast as it
// can and its outcome is discarded: see err. A nil pace asks nobody.
//
// How often it asks depends on private data, as running time does: a documented limit. TestCancel
// shows that asking leaves work that runs to its end unchanged. Proof: relabel.md and answers.md,
// Theorem 1, cover work that is not ended early; work ended early releases nothing.
type pace struct {
	step  coin.Step // nil: nobody is asked
	steps int
	err   error // why the work is to end
}

// stride is the number of steps between two questions: a few milliseconds at most.
const stride = 1 << 12

// on counts a step, and reports whether to go on.
func (p *pace) on() bool {
	if p == nil {
		return true
	}
	if p.steps++; p.steps%stride == 0 && p.step != nil && p.err == nil {
		p.err = p.step(0, 1)
	}
	return p.err == nil
}
