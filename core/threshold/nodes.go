package threshold

import (
	"math/big"
	"slices"
	"sort"

	"hush/core/coin"
	"hush/core/domain"
)

// nodes are the nodes of one level of the tree that have codes, grouped by how many they have:
// choosing one of equal weight is left to a uniform draw, so that 10^7 nodes are a few thousand
// groups at most.
type nodes struct {
	codes         domain.Sorted
	lo, hi, depth int
	weights       []int // ascending
	counts        map[int]uint64
}

// nodesAt scans the nodes at a depth over codes[lo:hi]. pause may be nil; it is called now and then
// and its error ends the scan.
func nodesAt(codes domain.Sorted, lo, hi, depth int, pause func() error) (*nodes, error) {
	n := &nodes{codes: codes, lo: lo, hi: hi, depth: depth, counts: map[int]uint64{}}
	err := n.each(pause, func(from, to int) bool { n.counts[to-from]++; return true })
	for weight := range n.counts {
		n.weights = append(n.weights, weight)
	}
	slices.Sort(n.weights)
	return n, err
}

func (n *nodes) Len() int { return len(n.weights) }

func (n *nodes) Group(i int) (int64, uint64, *big.Int) {
	return int64(n.weights[i]), n.counts[n.weights[i]], nil
}

// pick returns the index of a code below one node of group i, all its nodes being equally likely.
func (n *nodes) pick(src coin.Source, i int, pause func() error) (code int, err error) {
	left := src.Uniform(n.counts[n.weights[i]])
	err = n.each(pause, func(from, to int) bool {
		if to-from != n.weights[i] {
			return true
		}
		if code = from; left == 0 {
			return false
		}
		left--
		return true
	})
	return code, err
}

// each calls f with the index range of every node, in order, until it returns false. The cost is
// one comparison of codes for a node of one code and 2·log2(weight) for others.
func (n *nodes) each(pause func() error, f func(from, to int) bool) error {
	const often = 1 << 16
	seen := 0
	for from := n.lo; from < n.hi; {
		if seen++; seen%often == 0 && pause != nil {
			if err := pause(); err != nil {
				return err
			}
		}
		to := n.end(from)
		if !f(from, to) {
			return nil
		}
		from = to
	}
	return nil
}

// end is where the node of the code at from ends: steps that double while they stay inside, then a
// search between the last two.
func (n *nodes) end(from int) int {
	inside, step := from, 1
	for inside+step < n.hi && n.codes.Lcp(from, inside+step) >= n.depth {
		inside += step
		step *= 2
	}
	span := min(step, n.hi-inside)
	return inside + 1 + sort.Search(span-1, func(i int) bool {
		return n.codes.Lcp(from, inside+1+i) < n.depth
	})
}
