package privacy

import (
	"math"
	"math/big"

	"hush/core/param"
	"hush/core/phrase"
)

// A Pair is a dominating pair (P, Q) of a release: two laws from which one and the same random
// function makes the release's laws for any two neighbours. What the pair does not distinguish, the
// release does not either. It is kept as the law of its odds P/Q under P, whose logarithm is the
// privacy loss: odds are whole powers of one rational base, masses are rounded up.
//
// All pairs of this file are symmetric, that is (Q, P) has the same law of odds, so that one
// direction is enough. A Pair never changes; the zero value is a release that says nothing.
//
// Reference: Zhu, Dong, Wang, "Optimal Accounting of Differential Privacy via Characteristic
// Function", 2022. Proof: lossdistribution.md, Lemmas 1 to 3.
type Pair struct {
	base     *big.Rat  // above 1, or nil: no outcome tells anything
	outcomes []outcome // H: lossdistribution.md symmetric
	revealed *big.Rat  // a bound on the mass of what Q never has; nil is 0
}

// outcome is one outcome of P: its odds are base^power.
type outcome struct {
	power int64
	mass  *big.Rat
}

// PairOf returns the pair of a release about which only its loss is known: randomised response of ε
// and, with chance δ, the data set itself. It returns ErrNoBound where the loss has no finite ε,
// and for a [Rest].
func PairOf(l Loss) (Pair, error) {
	if l.noEpsilon || l.rest { // H: lossdistribution.md has-epsilon; rest.md sum-only
		return Pair{}, ErrNoBound
	}
	odds := l.odds
	if odds == nil {
		odds = ExpUp(l.epsilonOrZero())
	}
	pair, err := LaplacePair(odds, 1)
	pair.revealed = l.Delta()
	return pair, err
}

// mostShift bounds how far a number may move in LaplacePair and GaussianPair.
const mostShift = 1 << 10

// LaplacePair returns the pair of one whole number with discrete Laplace noise of base r, Pr[z]
// proportional to r^−|z|, that moves by at most shift when a person is replaced. With a shift of 1
// it is randomised response of ln r. Unless r ≥ 1 and the shift is from 1 to 1024, it is a
// [*param.Error].
func LaplacePair(r *big.Rat, shift int) (Pair, error) {
	if r == nil || r.Cmp(one) < 0 { // H: lossdistribution.md base
		return Pair{}, param.Refuse("privacy", "base", ratText(r), "a number of at least 1")
	}
	if err := checkShift(shift); err != nil || r.Cmp(one) == 0 {
		return Pair{}, err
	}
	all := new(big.Rat).Add(r, one)
	pair := Pair{base: r, outcomes: []outcome{{int64(shift), new(big.Rat).Quo(r, all)}}}
	mass := new(big.Rat).Quo(new(big.Rat).Sub(r, one), all)
	far := new(big.Rat).Inv(all)
	for i := 1; i < shift; i++ {
		mass, far = roundUp(mass.Quo(mass, r)), roundUp(far.Quo(far, r))
		pair.outcomes = append(pair.outcomes, outcome{int64(shift - 2*i), mass})
		mass = new(big.Rat).Set(mass)
	}
	pair.outcomes = append(pair.outcomes, outcome{int64(-shift), far})
	return pair, nil
}

// gaussianTail limits how far GaussianPair follows the noise: until z²·ln r reaches it. Less than
// e^−90 is left beyond, and counts as revealed.
const gaussianTail = 90

// GaussianPair returns the pair of one whole number with discrete Gaussian noise of base r, Pr[z]
// proportional to r^(−z²), that moves by at most shift when a person is replaced. Unless r is at
// least 1 + 2^-24 and the shift is from 1 to 1024, it is a [*param.Error].
func GaussianPair(r *big.Rat, shift int) (Pair, error) {
	if r == nil || new(big.Rat).Sub(r, one).Cmp(ratPow2(-24)) < 0 { // H: lossdistribution.md base
		return Pair{}, param.Refuse("privacy", "base", ratText(r), "a number of at least 1 + 2^-24")
	}
	if err := checkShift(shift); err != nil {
		return Pair{}, err
	}
	loss, _ := LogDown(r).Float64() // public, and it only determines where the tail begins
	reach := int(math.Ceil(math.Sqrt(gaussianTail/loss))) + 1
	// Weights r^(−z²), from above: each is r^(−2z−1) times the one before. For the sum, from below.
	inverse := new(big.Rat).Inv(r)
	up, down := []*big.Rat{one}, one
	high, low := roundUp(inverse), roundDown(inverse)
	highSquare := roundUp(new(big.Rat).Mul(high, high))
	lowSquare := roundDown(new(big.Rat).Mul(low, low))
	total := big.NewRat(1, 1)
	for z := range reach {
		up = append(up, roundUp(new(big.Rat).Mul(up[z], high)))
		down = roundDown(new(big.Rat).Mul(down, low))
		total = roundDown(total.Add(total, new(big.Rat).Add(down, down)))
		high = roundUp(high.Mul(high, highSquare))
		low = roundDown(low.Mul(low, lowSquare))
	}
	pair := Pair{base: r}
	for z := -reach; z <= reach; z++ {
		pair.outcomes = append(pair.outcomes, outcome{
			power: int64(shift) * int64(shift-2*z),
			mass:  roundUp(new(big.Rat).Quo(up[max(z, -z)], total)),
		})
	}
	// Both tails: beyond reach a weight is at most 1/r of the one before.
	tail := new(big.Rat).Add(up[reach], up[reach])
	tail.Quo(tail, new(big.Rat).Mul(total, new(big.Rat).Sub(r, one)))
	pair.revealed = roundUp(tail)
	return pair, nil
}

func checkShift(shift int) error {
	if shift < 1 || shift > mostShift { // H: lossdistribution.md shift
		return param.Refuse("privacy", "shift", phrase.Plain(ratText(big.NewRat(int64(shift), 1)).
			String()), "a whole number from 1 to %d", mostShift)
	}
	return nil
}
