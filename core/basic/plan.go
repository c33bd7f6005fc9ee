package basic

import (
	"math/big"
	"math/bits"

	"hush/core/coin"
	"hush/core/privacy"
)

// node is one planned split: everything in it is public. With p/q the target's position between the
// targets around it, a split at z has the weight base^(−score) and the score |q·(mass below z) −
// p·(mass)|, where one person has the mass parts.
type node struct {
	target      int   // which of the targets it releases
	p, q        int64 // in lowest terms
	from, to    int   // targets around it: −1 and len(targets) are the domain's ends
	base        coin.Base
	moves       int64 // the loss of this node's level is at most moves·ln base
	left, right *node // nil where no targets are left
}

// levelsOf returns ⌈log2(m+1)⌉, the largest number of splits on a path from the root.
func levelsOf(targets int) int { return bits.Len(uint(targets)) }

// plan splits targets[i:j] at the middle one. lo and hi are the targets around them, over the
// common denominator.
func (q *Quantiles) plan(p QuantilesParams, targets []int64, i, j int, lo, hi int64,
	level int) (*node, error) {
	if i == j {
		return nil, nil
	}
	middle := i + (j-i)/2
	n := &node{target: middle, p: targets[middle] - lo, q: hi - lo, from: i - 1, to: j}
	shared := new(big.Int).GCD(nil, nil, big.NewInt(n.p), big.NewInt(n.q)).Int64()
	n.p, n.q = n.p/shared, n.q/shared

	// A person of weight 1 who comes or goes changes scores by parts·max(p, q−p), which costs twice
	// that times ln base; a replaced one does both. At the root nobody can be replaced by somebody
	// in another part, and a replaced person changes scores by parts·q at most. Theorem 2 of
	// quantiles.md.
	n.moves = 4 * q.parts * max(n.p, n.q-n.p)
	if level == 0 && !q.grouped {
		n.moves = 2 * q.parts * n.q
	}
	n.base = p.Base
	if p.Epsilon.IsSet() {
		share := new(big.Rat).
			SetFrac(big.NewInt(1),
				new(big.Int).Mul(big.NewInt(int64(q.levels)), big.NewInt(n.moves)))
		base, err := coin.ExpBelow(share.Mul(share, p.Epsilon.Rat()))
		if err != nil {
			return nil, refuse("epsilon", p.Epsilon.String(),
				"a larger ε, or targets of a smaller denominator")
		}
		n.base = base
	}
	q.nodes[middle] = n
	var err error
	if n.left, err = q.plan(p, targets, i, middle, lo, targets[middle], level+1); err != nil {
		return nil, err
	}
	n.right, err = q.plan(p, targets, middle+1, j, targets[middle], hi, level+1)
	return n, err
}

// moves returns Σ over levels of the largest moves.
func (q *Quantiles) moves() int64 {
	worst := make([]int64, q.levels)
	q.root.visit(0, func(n *node, level int) { worst[level] = max(worst[level], n.moves) })
	sum := int64(0)
	for _, m := range worst {
		sum += m
	}
	return sum
}

// lossOfBase returns the loss where all exponents of one base move by this much together: moves·ln
// r.
func lossOfBase(r coin.Base, moves int64) (privacy.Loss, error) {
	if width := r.Rat().Num().BitLen(); moves > int64(largestOdds/width) {
		return privacy.Loss{},
			refuse("base", r.String(), "a shorter base: a power of it is the exact e^ε")
	}
	return privacy.LossFromOdds(r.Pow(uint64(moves)).Rat(), nil)
}

// visit calls f for the node and all below it, with their levels.
func (n *node) visit(level int, f func(*node, int)) {
	if n != nil {
		f(n, level)
		n.left.visit(level+1, f)
		n.right.visit(level+1, f)
	}
}

// partsFor returns the power of two from which on more parts bring nothing: about four times as
// many as there are persons in a rank error that one split can hardly avoid. It is at least 1 and
// keeps scores below 2^62.
func partsFor(p QuantilesParams, levels int, denominator int64) int64 {
	limit := max(0, scoreBits-bitsOf(p.People)-bitsOf(denominator))
	if !p.Epsilon.IsSet() {
		return 1
	}
	// a split's exponent per person is at most ε/(2·levels)
	want := new(big.Rat).Mul(p.Epsilon.Rat(), big.NewRat(2*p.People, int64(levels)))
	persons := new(big.Int).Quo(want.Num(), want.Denom())
	return int64(1) << min(limit, persons.BitLen())
}
