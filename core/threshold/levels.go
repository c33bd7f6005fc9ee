package threshold

import (
	"math/bits"
	"sort"

	"hush/core/domain"
)

// fallOff walks down from the root of the tree over codes[lo:hi] to the first node that is a leaf
// or has at most stop codes, and returns the multiset of levels at which the codes leave the path,
// without its stop largest members.
//
// At a node with one child the path goes there. Otherwise left decides, given how many codes either
// child has. A code that goes to the other child leaves at the node's level; those that reach the
// end of the path have its level. So a code's level is the length of the prefix it shares with the
// path. Deleting the largest, at one's end or in between, is what keeps neighbours neighbours:
// path.md, Lemma 1.
//
// The work is one binary search for every node with two children, of which there are at most as
// many as bits or codes.
func fallOff(codes domain.Sorted, lo, hi, stop int, left func(left, right int) bool) *levels {
	var at []uint32
	var upTo []int
	depth, gone := 0, 0
	for hi-lo > stop {
		if depth = codes.Lcp(lo, hi-1); depth == codes.Bits() {
			break
		}
		middle := domain.Split(codes, lo, hi, depth)
		if left(middle-lo, hi-middle) {
			gone += hi - middle
			hi = middle
		} else {
			gone += middle - lo
			lo = middle
		}
		at, upTo = append(at, uint32(depth)), append(upTo, gone)
		depth++
	}
	if hi > lo {
		at, upTo = append(at, uint32(depth)), append(upTo, gone+hi-lo)
	}
	return newLevels(codes.Bits(), at, upTo, stop)
}

// levels is a multiset of tree levels, themselves sorted codes over 0 … top for the next round. Few
// levels occur, often many times each.
type levels struct {
	counted
	top int
	at  []uint32 // the levels that occur, ascending
}

// newLevels takes the levels that occur, with running counts, and deletes this many of the largest
// members.
func newLevels(top int, at []uint32, upTo []int, largest int) *levels {
	kept := 0
	if len(upTo) > 0 {
		kept = max(upTo[len(upTo)-1]-largest, 0)
	}
	if kept == 0 {
		at, upTo = nil, nil
	} else {
		last := sort.SearchInts(upTo, kept) // the run in which the last member kept is
		at, upTo = at[:last+1], upTo[:last+1]
		upTo[last] = kept
	}
	return &levels{counted: counted{codes: domain.SortedCodes(at, bits.Len(uint(top))), upTo: upTo},
		top: top, at: at}
}

// most returns the largest multiplicity, 0 if there is none.
func (l *levels) most() int {
	most, before := 0, 0
	for _, upTo := range l.upTo {
		most, before = max(most, upTo-before), upTo
	}
	return most
}
