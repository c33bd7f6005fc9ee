package threshold

import (
	"math/big"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// climb turns a level of the tree into a point: it chooses a heavy node of that level, and one of
// the node's outermost and two middle leaves. It is the last part of a round of TreeLog, and the
// whole of a round of HeavyPaths above the stopping point.
//
// If the level is an interior point of the levels at which the codes leave some path, one of the
// four is an interior point of the codes (climb.md, Lemma 2).
type climb struct {
	choose  *mechanism.StableChoice
	classic *mechanism.Choosing // in place of choose, with the paper's constants
	end     *mechanism.Exponential
	chosen  cost // of choosing a node
	cost    cost // of both choices
}

// newClimb takes the bases of its two choices and the chance that a node shows which only one
// person supports.
func newClimb(choose, end coin.Base, delta privacy.Delta) (climb, error) {
	var c climb
	var err error
	c.choose, err = mechanism.NewStableChoice(
		mechanism.StableChoiceParams{Base: choose, Delta: delta, Newcomers: 1, OneSigned: true})
	if err != nil {
		return c, err
	}
	if c.end, err = mechanism.NewExponential(
		mechanism.ExponentialParams{Base: end, Sensitivity: 1, OneSigned: true}); err != nil {
		return c, err
	}
	c.chosen = chooseCost(choose, delta)
	c.cost = c.chosen.plus(both(privacy.LogUp(end.Rat())))
	return c, nil
}

// chooseCost returns the cost of a StableChoice in which one code raises one score by one:
// climb.md, Lemma 1.
func chooseCost(base coin.Base, delta privacy.Delta) cost {
	a := privacy.LogUp(base.Rat())
	rest := new(big.Rat).Sub(ratOf(1), delta.Rat())
	return cost{add: larger(a, privacy.LogUp(rest.Inv(rest))), remove: a, removeDelta: delta.Rat()}
}

// up finds a point for a public level, 0 … codes.Bits(): it chooses among the nodes of codes[lo:hi]
// and scores leaves on all codes. When no node is chosen it continues with the first one of the
// level, a public default.
func (c *climb) up(src coin.Source, codes domain.Sorted, lo, hi, level int,
	pause func() error) (*big.Int, error) {
	first, last, err := c.node(src, codes, lo, hi, level, pause)
	if err != nil {
		return nil, err
	}
	return c.leaf(src, codes, first, last)
}

// leaf chooses among the outermost and middle leaves of a node.
func (c *climb) leaf(src coin.Source, codes domain.Sorted, first, last *big.Int) (*big.Int, error) {
	leaves := endsAndMiddle(first, last)
	scores := make([]int64, len(leaves))
	for i, leaf := range leaves {
		scores[i] = int64(depthOf(codes, leaf))
	}
	i, err := c.end.Release(src, scores, nil)
	if err != nil {
		return nil, err
	}
	return leaves[i], nil
}

// node chooses a node by weight and returns its first and last leaf.
func (c *climb) node(src coin.Source, codes domain.Sorted, lo, hi, level int,
	pause func() error) (first, last *big.Int, err error) {
	n, err := nodesAt(codes, lo, hi, level, pause)
	if err != nil {
		return nil, nil, err
	}
	i, chosen, err := c.chooseOf(src, n, pause)
	if err != nil {
		return nil, nil, err
	}
	if !chosen {
		last = new(big.Int).Lsh(oneInt, uint(codes.Bits()-level))
		return new(big.Int), last.Sub(last, oneInt), nil
	}
	code, err := n.pick(src, i, pause)
	if err != nil {
		return nil, nil, err
	}
	first, last = domain.Leaves(codes, code, level)
	return first, last, nil
}

// chooseOf chooses one of the groups of nodes.
func (c *climb) chooseOf(src coin.Source, n *nodes,
	pause func() error) (group int, chosen bool, err error) {
	if c.classic == nil {
		return c.choose.ReleaseGroups(src, n, stepOf(pause))
	}
	var scores []int64
	var groups []int
	for i, weight := range n.weights {
		for range n.counts[weight] {
			scores, groups = append(scores, int64(weight)), append(groups, i)
		}
	}
	i, chosen, err := c.classic.Release(src, scores, stepOf(pause))
	if err != nil || !chosen {
		return -1, false, err
	}
	return groups[i], true, nil
}

// endsAndMiddle returns the first and the last leaf of a node and, if it has children, the last
// leaf of the left and the first of the right child; each leaf once.
func endsAndMiddle(first, last *big.Int) []*big.Int {
	if first.Cmp(last) == 0 {
		return []*big.Int{first}
	}
	middle := new(big.Int).Add(first, last)
	middle.Rsh(middle, 1)
	next := new(big.Int).Add(middle, oneInt)
	if next.Cmp(last) == 0 {
		return []*big.Int{first, last}
	}
	return []*big.Int{first, last, middle, next}
}

// depthOf returns the number of codes on the side of x that has fewer, with codes at x counted on
// both sides.
func depthOf(codes domain.Sorted, x *big.Int) int {
	below, notAbove := codes.Rank(x)
	return min(notAbove, codes.Len()-below)
}

// stepOf calls pause whenever the work inside makes progress; how much progress is private and is
// not passed on.
func stepOf(pause func() error) coin.Step {
	if pause == nil {
		return nil
	}
	return func(int64, int64) error { return pause() }
}

var oneInt = big.NewInt(1) // never written to
