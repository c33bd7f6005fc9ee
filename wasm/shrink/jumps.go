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
	var open nest
	for i := 0; i < len(c); i++ {
		rest := c[i:]
		open.pass(i, rest[0])
		// a jump that is all that is done under a condition
		if rest.are(ifThen, i32Const, set, jump, end) && rest[0][1] == noResult {
			if depth, ok := d.leaves(rest[1:], open); ok {
				out = append(out, jumpIf(depth-1))
				open = open[:len(open)-1]
				i += 4
				continue
			}
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

// nest is where the constructs begin that have not ended, the outermost first.
type nest []int

// pass goes past one instruction.
func (n *nest) pass(at int, in []byte) {
	switch in[0] {
	case block, loop, ifThen:
		*n = append(*n, at)
	case end:
		*n = (*n)[:max(len(*n)-1, 0)]
	}
}

// target is where the construct begins that a jump over so many others leaves or repeats; -1 is the
// function.
func (n nest) target(depth uint64) int {
	if depth >= uint64(len(n)) {
		return -1
	}
	return n[len(n)-1-int(depth)]
}

// dispatch is how a function jumps: its loop, and for each number the block that ends before the
// piece, each by where it begins.
type dispatch struct {
	loop   int
	blocks []int
}

// dispatch finds it. It is not ok where the parameter is used otherwise than for jumps and calls,
// or where a loop is repeated with a number that was not set just before.
func (c code) dispatch() (d dispatch, ok bool) {
	var open nest
	tables := 0
	for i, in := range c {
		open.pass(i, in)
		switch in[0] {
		case jump, branchIf:
			depth, _ := binary.Uvarint(in[1:])
			if at := open.target(depth); at >= 0 && c[at][0] == loop && !c.sets(i) {
				return d, false
			}
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
				at := open.target(uint64(r.length()))
				if at < 0 || c[at][0] != block {
					return d, false
				}
				d.blocks = append(d.blocks, at)
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

// sets tells whether the parameter is set to a number just before.
func (c code) sets(at int) bool {
	return at > 1 && c[at-2:].are(i32Const, set) && c[at-1][1] == 0
}

// calls tells whether the parameter is read for a call through a pointer, just after it was set.
func (c code) calls(at int) bool {
	return at > 1 && c[at-2:].are(set, i32Const, get, callPointer) && c[at-2][1] == 0
}

// leaves tells how many blocks a jump leaves, for which these are the next instructions, if it
// leads forward.
func (d dispatch) leaves(c code, open nest) (depth int, ok bool) {
	if !c.are(i32Const, set, jump) || c[1][1] != 0 {
		return 0, false
	}
	number, n := binary.Uvarint(c[0][1:])
	back, _ := binary.Uvarint(c[2][1:])
	if c[0][n]&0x40 != 0 || number >= uint64(len(d.blocks)) || open.target(back) != d.loop {
		return 0, false
	}
	at := slices.Index(open, d.blocks[number])
	return len(open) - 1 - at, at >= 0
}
