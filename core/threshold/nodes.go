package threshold

import (
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/domain"
)

// nodes are the nodes of one level of the tree that have codes, grouped by their number of codes: a
// uniform draw chooses among nodes of equal weight, so that 10^7 nodes are a few thousand groups at
// most.
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
	var light [64]uint64 // most nodes are: without the map they take half the time
	err := n.each(pause, func(from, to int) bool {
		if weight := to - from; weight < len(light) {
			light[weight]++
		} else {
			n.counts[weight]++
		}
		return true
	})
	for weight, count := range light {
		if count > 0 {
			n.counts[weight] = count
		}
	}
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

// pick returns the index of a code below one node of group i, with all its nodes equally likely.
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
// that of [domain.Nodes].
func (n *nodes) each(pause func() error, f func(from, to int) bool) (err error) {
	const often = 1 << 16
	seen := 0
	domain.Nodes(n.codes, n.lo, n.hi, n.depth, func(from, to int) bool {
		if seen++; seen%often == 0 && pause != nil {
			if err = pause(); err != nil {
				return false
			}
		}
		return f(from, to)
	})
	return err
}
