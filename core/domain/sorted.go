package domain

import (
	"bytes"
	"math/big"
	"math/bits"
	"sort"
)

// Sorted is a multiset of codes in ascending order, as seen by an algorithm on the dyadic tree. The
// tree is never built: a node is a range of indices and a depth, and its codes are those that share
// the node's leading bits. Bits are counted from the most significant, bit 0.
type Sorted interface {
	// Len is the number of codes, Bits the length of each.
	Len() int
	Bits() int
	// Lcp is the number of leading bits that codes i and j share: Bits when they are equal.
	Lcp(i, j int) int
	// Bit is bit depth of code i: 0 or 1.
	Bit(i, depth int) int
	// Number returns code i as a new integer.
	Number(i int) *big.Int
	// Rank counts the codes below n, and those not above it. n may be any integer.
	Rank(n *big.Int) (below, notAbove int)
}

// Short is a Sorted with codes of at most 64 bits, read as numbers.
type Short interface {
	Sorted
	// Code is code i.
	Code(i int) uint64
}

// Split returns the first index in [lo, hi) whose code has bit depth set, hi if there is none. The
// codes of the range must share the bits before depth, so that it is where the node's right child
// begins.
func Split(s Sorted, lo, hi, depth int) int {
	return lo + sort.Search(hi-lo, func(i int) bool { return s.Bit(lo+i, depth) == 1 })
}

// Nodes calls f with the index range of each node at a depth that has codes in [lo, hi), in order,
// until f returns false. The cost is a comparison or two for a node with one code, and
// 2·log2(codes) for others.
func Nodes(s Sorted, lo, hi, depth int, f func(from, to int) bool) {
	if short, ok := s.(interface {
		nodes(lo, hi, depth int, f func(from, to int) bool)
	}); ok {
		short.nodes(lo, hi, depth, f)
		return
	}
	for from := lo; from < hi; {
		to := NodeEnd(s, from, hi, depth)
		if !f(from, to) {
			return
		}
		from = to
	}
}

// NodeEnd returns where the node at a depth that contains code from ends, at most hi.
func NodeEnd(s Sorted, from, hi, depth int) int {
	return nodeEnd(from, hi, func(i int) bool { return s.Lcp(from, i) >= depth })
}

// nodeEnd returns the end of the run of indices that are inside like from: it takes steps that
// double as long as they stay inside, then searches between the last two.
func nodeEnd(from, hi int, inside func(i int) bool) int {
	last, step := from, 1
	for last+step < hi && inside(last+step) {
		last += step
		step *= 2
	}
	span := min(step, hi-last)
	return last + 1 + sort.Search(span-1, func(i int) bool { return !inside(last + 1 + i) })
}

// Leaves returns the first and the last number below the node that holds code i at depth.
func Leaves(s Sorted, i, depth int) (first, last *big.Int) {
	below := uint(s.Bits() - depth)
	first = s.Number(i)
	first.Lsh(first.Rsh(first, below), below)
	last = new(big.Int).Lsh(big.NewInt(1), below)
	return first, last.Add(last.Sub(last, big.NewInt(1)), first)
}

// SortedCodes views codes of at most 64 bits, which must be in ascending order.
func SortedCodes[T width](codes []T, bits int) Sorted { return sortedCodes[T]{codes, bits} }

type sortedCodes[T width] struct {
	codes []T
	bits  int
}

func (s sortedCodes[T]) Len() int  { return len(s.codes) }
func (s sortedCodes[T]) Bits() int { return s.bits }
func (s sortedCodes[T]) Lcp(i, j int) int {
	return s.bits - bits.Len64(uint64(s.codes[i]^s.codes[j]))
}
func (s sortedCodes[T]) Bit(i, depth int) int {
	return int(s.codes[i] >> (s.bits - 1 - depth) & 1)
}
func (s sortedCodes[T]) Code(i int) uint64     { return uint64(s.codes[i]) }
func (s sortedCodes[T]) Number(i int) *big.Int { return new(big.Int).SetUint64(uint64(s.codes[i])) }

// nodes makes no call except f for a node with one code.
func (s sortedCodes[T]) nodes(lo, hi, depth int, f func(from, to int) bool) {
	below := s.bits - depth
	for from := lo; from < hi; {
		node, to := s.codes[from]>>below, from+1
		if to < hi && s.codes[to]>>below == node {
			to = nodeEnd(to, hi, func(i int) bool { return s.codes[i]>>below == node })
		}
		if !f(from, to) {
			return
		}
		from = to
	}
}

func (s sortedCodes[T]) Rank(n *big.Int) (below, notAbove int) {
	switch {
	case n.Sign() < 0:
		return 0, 0
	case n.BitLen() > 64:
		return len(s.codes), len(s.codes)
	}
	v := n.Uint64()
	below = sort.Search(len(s.codes), func(i int) bool { return uint64(s.codes[i]) >= v })
	notAbove = sort.Search(len(s.codes), func(i int) bool { return uint64(s.codes[i]) > v })
	return below, notAbove
}

// SortedTexts views wide codes of w in the order given by [SortTexts].
func SortedTexts(w Wide, codes Codes, order []uint32) Sorted {
	return sortedTexts{w, codes, order}
}

type sortedTexts struct {
	wide  Wide
	codes Codes
	order []uint32
}

func (s sortedTexts) code(i int) []byte { return s.codes.Code(int(s.order[i])) }
func (s sortedTexts) Len() int          { return len(s.order) }
func (s sortedTexts) Bits() int         { return s.wide.Bits() }

func (s sortedTexts) Lcp(i, j int) int {
	a, b := s.code(i), s.code(j)
	for at := 0; at < max(len(a), len(b)); at += 8 {
		if x := wordAt(a, at) ^ wordAt(b, at); x != 0 {
			return 8*at + bits.LeadingZeros64(x)
		}
	}
	return s.Bits()
}

func (s sortedTexts) Bit(i, depth int) int {
	code := s.code(i)
	if depth>>3 >= len(code) {
		return 0
	}
	return int(code[depth>>3] >> (7 - depth&7) & 1)
}

func (s sortedTexts) Number(i int) *big.Int { return s.wide.Number(s.code(i)) }

func (s sortedTexts) Rank(n *big.Int) (below, notAbove int) {
	switch {
	case n.Sign() < 0:
		return 0, 0
	case n.BitLen() > s.Bits():
		return s.Len(), s.Len()
	}
	v := s.wide.FromNumber(n)
	below = sort.Search(s.Len(), func(i int) bool { return bytes.Compare(s.code(i), v) >= 0 })
	notAbove = sort.Search(s.Len(), func(i int) bool { return bytes.Compare(s.code(i), v) > 0 })
	return below, notAbove
}
