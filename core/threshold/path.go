package threshold

import (
	"math/big"
	"math/bits"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/privacy"
)

// Form says how a random path weighs the two children of a node against each other.
type Form string

const (
	// Relative weighs children by the difference of their weights over the sum: the heavier a node
	// is, the less it can lose, so the losses along a path form a convergent series.
	Relative Form = "relative"

	// Absolute weighs them by the difference itself, as the paper does. It loses a factor
	// log2(n/stop) more per level.
	Absolute Form = "absolute"
)

// path is the random path of one level of TreeLog: from the root down to the first node that is a
// leaf or has at most stop codes, at every node with two children to one of them by a coin.
//
// A child that is heavier by d of w codes is taken with probability r^s/(1 + r^s), where s =
// ⌊scale·d/w⌋ in the relative form and s = d in the absolute one. So every coin is an exact choice
// among two weights, and scale·ln r stands for the Λ of the real-valued law; what rounding down
// costs is part of cost. Proof: path.md.
type path struct {
	form Form
	// H: path.md rational
	base  coin.Base // r
	scale uint64    // relative form only; below 2^62
	stop  int       // at least 1
}

// pathScale keeps the cost of rounding, one unit of ln r for each of at most bits coins, below a
// 2^−32 of Λ.
func pathScale(bitLength int) uint64 { return 1 << (32 + bits.Len(uint(bitLength))) }

// walk returns the levels at which codes[lo:hi] leave a random path, with the stop largest deleted.
func (p path) walk(src coin.Source, codes domain.Sorted, lo, hi int) *levels {
	return fallOff(codes, lo, hi, p.stop, p.coin(src))
}

// coin decides between the children of a node.
func (p path) coin(src coin.Source) func(left, right int) bool {
	return func(left, right int) bool {
		i, _ := src.Choose(p.children(left, right), p.base, nil) // without a step there is no error
		return i == 0
	}
}

// children holds a node's two children with their scores; lower is better, so the lighter child has
// the score s.
type children [2]int64

func (p path) children(left, right int) children {
	if left >= right {
		return children{0, p.advantage(left-right, left+right)}
	}
	return children{p.advantage(right-left, left+right), 0}
}

func (children) Len() int                                { return 2 }
func (c children) Group(i int) (int64, uint64, *big.Int) { return c[i], 1, nil }

// advantage returns s for a child that is heavier by difference of weight codes.
func (p path) advantage(difference, weight int) int64 {
	if p.form == Absolute {
		return int64(difference)
	}
	hi, lo := bits.Mul64(p.scale, uint64(difference))
	s, _ := bits.Div64(hi, lo, uint64(weight)) // difference ≤ weight, so s ≤ scale
	return int64(s)
}

// reach returns the least advantage over a child with a single code that a child at a node of more
// than stop codes has.
func (p path) reach() int64 { return p.advantage(p.stop, p.stop+2) }

// cost returns the cost that path.md, Theorem 1, proves for codes of that many bits and at most
// persons codes (which only the absolute form needs).
func (p path) cost(bitLength int, persons uint64) cost {
	unit, r := privacy.LogUp(p.base.Rat()), privacy.LogDown(p.base.Rat())
	keep := privacy.ExpDown(r.Mul(r, ratOf(p.reach()))) // odds against a new child
	stray := new(big.Rat).Add(keep, ratOf(1))
	lost := privacy.LogUp(new(big.Rat).Quo(stray, keep)) // ln(1 + 1/keep)

	var turn, gain *big.Rat
	if p.form == Absolute {
		turn, gain = unit, p.absoluteGain(unit, bitLength, persons)
	} else {
		scale, stop := new(big.Int).SetUint64(p.scale), int64(p.stop)
		turn = new(big.Rat).
			SetInt(ceil(new(big.Rat).SetFrac(new(big.Int).Lsh(scale, 1), big.NewInt(stop+2))))
		gain = new(big.Rat).SetFrac(scale, big.NewInt(stop+1))
		gain.Add(gain, new(big.Rat).SetFrac(new(big.Int).Lsh(scale, 1), big.NewInt(stop+2)))
		gain.Add(gain, ratOf(int64(bitLength)))
		turn.Mul(turn, unit)
		gain.Mul(gain, unit)
	}
	return cost{add: larger(turn, lost), remove: gain, removeDelta: stray.Inv(stray)}
}

// absoluteGain returns the least of a·B + m·(1 − e^−a)·e^(−a·c) over a few c from 0 to stop, with a
// = ln r, m the largest number of coins and B = 1 + ⌊log2((n−c)/(stop+1−c))⌋ the largest number of
// nearly balanced ones.
func (p path) absoluteGain(a *big.Rat, bitLength int, persons uint64) *big.Rat {
	coins := min(uint64(bitLength), persons)
	r := p.base.Rat()
	rest := new(big.Rat).Quo(new(big.Rat).Sub(r, ratOf(1)), r)
	rest.Mul(rest, new(big.Rat).SetInt(new(big.Int).SetUint64(coins)))
	least := new(big.Rat).Mul(a, new(big.Rat).SetInt(new(big.Int).SetUint64(coins)))
	down := privacy.LogDown(r)
	const tries = 16
	for i := range tries + 1 {
		c := p.stop * i / tries
		balanced := 1
		if persons > uint64(c) {
			balanced += max(bits.Len64((persons-uint64(c))/uint64(p.stop+1-c))-1, 0)
		}
		power := new(big.Rat).Mul(down, ratOf(int64(-c)))
		bound := new(big.Rat).Mul(a, ratOf(int64(balanced)))
		bound.Add(bound, new(big.Rat).Mul(rest, privacy.ExpUp(power)))
		if bound.Cmp(least) < 0 {
			least = bound
		}
	}
	return least
}

// newPath returns the path with that stop which strays with probability at most delta, 0 < delta <
// 1/2.
func newPath(form Form, bitLength, stop int, delta *big.Rat) (path, error) {
	p := path{form: form, scale: pathScale(bitLength), stop: stop}
	odds := new(big.Rat).Inv(delta)
	odds.Sub(odds, ratOf(1))
	unit := privacy.LogUp(odds)
	unit.Quo(unit, ratOf(p.reach()))
	// more than ExpBelow and the bounds of cost lose again
	unit.Mul(unit, big.NewRat(1<<60+1, 1<<60))
	base, err := coin.ExpBelow(unit) // H: path.md stray
	p.base = base
	return p, err
}
