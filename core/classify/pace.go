package classify

import "hush/core/coin"

// pace lets a caller end work that goes on for long: each of its steps is counted, and now and then
// the caller is asked. It learns nothing of how far the work is, which depends on private data.
// Once ended, the work is hurried to its end in any way and its outcome thrown away: see err. nil:
// nobody is asked.
//
// How often it asks depends on private data, as time does: a limit that is known, and said in the
// documentation. That work which goes on to its end is that of the proofs, whoever is asked, is
// shown by TestCancel. Proof: relabel.md and answers.md, Theorem 1, are about work that has not
// ended; what has ended releases nothing.
type pace struct {
	step  coin.Step // nil: nobody is asked
	steps int
	err   error // why the work is to end
}

// stride is how many steps there are between two questions: a few milliseconds at most.
const stride = 1 << 12

// on counts a step, and says whether to go on.
func (p *pace) on() bool {
	if p == nil {
		return true
	}
	if p.steps++; p.steps%stride == 0 && p.step != nil && p.err == nil {
		p.err = p.step(0, 1)
	}
	return p.err == nil
}
