package shrink

import (
	"encoding/binary"
	"slices"
)

// Go's compiler makes a function one loop. Its pieces lie one behind the other, and before them as
// many blocks are opened, each of which ends before a piece. A jump sets the function's parameter
// to a number and goes back to the loop's start, where a table leaves as many blocks as the number
// says:
//
//	loop
//	  block … block
//	    get 0
//	    jump table
//	  end
//	  piece 0
//	  end
//	  piece 1: … const 7, set 0, branch to the loop
//	  …
//
// Most jumps lead forward, out of blocks that are still open. These can be left on the spot, under
// a condition by one instruction, which saves the number and the way through the table: 120 kB of
// brotli, and a sixth of the time that a scanner takes.

const jump = 0x0c

// direct returns the code with jumps forward that leave the blocks before the piece they lead to.
func (c code) direct() code {
	d, ok := c.dispatch()
	if !ok {
		return c
	}
	var out code
	var open []int // where the constructs begin that have not ended
	for i := 0; i < len(c); i++ {
		rest := c[i:]
		switch rest[0][0] {
		case block, loop, ifThen:
			open = append(open, i)
			// a jump that is all that is done under a condition
			alone := rest.are(ifThen, i32Const, set, jump, end) && rest[0][1] == noResult
			if depth, ok := d.leaves(rest[1:], open); ok && alone {
				out = append(out, jumpIf(depth-1))
				open = open[:len(open)-1]
				i += 4
				continue
			}
		case end:
			open = open[:max(len(open)-1, 0)]
		}
		if depth, ok := d.leaves(rest, open); ok {
			out = append(out, binary.AppendUvarint([]byte{jump}, uint64(depth)))
			i += 2
			continue
		}
		out = append(out, rest[0])
	}
	return out
}

// dispatch is how a function jumps: its loop, and for each number the block that ends before the
// piece, each by where it begins.
type dispatch struct {
	loop   int
	blocks []int
}

// dispatch finds it. It is not ok where the parameter is used otherwise than for jumps and calls.
func (c code) dispatch() (d dispatch, ok bool) {
	var open []int
	tables := 0
	for i, in := range c {
		switch in[0] {
		case block, loop, ifThen:
			open = append(open, i)
		case end:
			open = open[:max(len(open)-1, 0)]
		case get, tee:
			if in[1] == 0 && !c[i:].are(get, jumpTable) && !c.calls(i) {
				return d, false
			}
		case jumpTable:
			tables++
			if i == 0 || c[i-1][0] != get || c[i-1][1] != 0 {
				return d, false
			}
			r := reader{rest: in[1:]}
			for range r.length() + 1 {
				depth := r.length()
				if depth >= len(open) || c[open[len(open)-1-depth]][0] != block {
					return d, false
				}
				d.blocks = append(d.blocks, open[len(open)-1-depth])
			}
			at := len(open) - 1
			for at >= 0 && c[open[at]][0] == block {
				at--
			}
			if at < 0 || c[open[at]][0] != loop {
				return d, false
			}
			d.loop = open[at]
		}
	}
	return d, tables == 1
}

// calls tells whether the parameter is read for a call through a pointer, just after it was set.
func (c code) calls(at int) bool {
	return at > 1 && c[at-2:].are(set, i32Const, get, callPointer) && c[at-2][1] == 0
}

// leaves tells how many blocks a jump leaves, for which these are the next instructions, if it
// leads forward.
func (d dispatch) leaves(c code, open []int) (depth int, ok bool) {
	if !c.are(i32Const, set, jump) || c[1][1] != 0 {
		return 0, false
	}
	number, n := binary.Uvarint(c[0][1:])
	back, _ := binary.Uvarint(c[2][1:])
	if c[0][n]&0x40 != 0 || number >= uint64(len(d.blocks)) || back >= uint64(len(open)) ||
		open[len(open)-1-int(back)] != d.loop {
		return 0, false
	}
	at := slices.Index(open, d.blocks[number])
	return len(open) - 1 - at, at >= 0
}
