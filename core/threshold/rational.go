package threshold

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// ceil returns the least whole number not below x.
func ceil(x *big.Rat) *big.Int {
	up := new(big.Int).Add(x.Num(), x.Denom())
	return up.Sub(up, oneInt).Div(up, x.Denom()) // Div rounds down: the denominator is positive
}

// power returns the least whole s ≥ 0 with r^s ≥ odds, to a relative 2^−100 of s: the number of
// persons needed to outweigh odds. At most 2^53.
func power(r coin.Base, odds *big.Rat) int {
	if odds.Cmp(ratOf(1)) <= 0 {
		return 0
	}
	s := privacy.LogUp(odds)
	return whole(ceil(s.Quo(s, privacy.LogDown(r.Rat()))))
}

// whole clamps a number of persons to 2^53.
func whole(n *big.Int) int {
	if n.BitLen() > 53 {
		return 1 << 53
	}
	return int(n.Int64())
}

// against returns (1−p)/p: the odds against an event of probability p.
func against(p *big.Rat) *big.Rat {
	odds := new(big.Rat).Inv(p)
	return odds.Sub(odds, ratOf(1))
}

// least returns the smaller of two numbers.
func least(x, y *big.Rat) *big.Rat {
	if x.Cmp(y) < 0 {
		return x
	}
	return y
}

// float64Of returns the nearest float64, for budgets and curves.
func float64Of(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// part returns share·whole/of for a share found in floating point, rounded down to a multiple of
// 2^−20.
func part(of *big.Rat, share float64) *big.Rat {
	const unit = 1 << 20
	return new(big.Rat).Mul(of, big.NewRat(int64(math.Floor(share*unit)), unit))
}

// unitFraction returns the largest 1/k, k whole, that is at most x > 0.
func unitFraction(x *big.Rat) *big.Rat {
	return new(big.Rat).SetFrac(oneInt, ceil(new(big.Rat).Inv(x)))
}

// smallest returns the smallest n from 1 to 2^40 for which make succeeds, assuming that it fails up
// to some n and succeeds from there on; ok reports whether there is one. An error ends the search.
func smallest[T any](make func(n int) (made T, fits bool, err error)) (best T, ok bool, err error) {
	// H: path.md stop
	low, high := 0, 1 // low fails
	for {
		if best, ok, err = make(high); ok || err != nil {
			break
		}
		if low, high = high, 2*high; high > 1<<40 {
			return best, false, nil
		}
	}
	for err == nil && low+1 < high {
		var made T
		var fits bool
		middle := low + (high-low)/2
		if made, fits, err = make(middle); fits {
			best, high = made, middle
		} else {
			low = middle
		}
	}
	return best, ok, err
}

func refuse(field string, value any, want phrase.Key, args ...any) error {
	return param.Refuse("threshold", field, value, want, args...)
}

// checkFinding checks the parameters of everything that finds points by ε and β, and returns the
// number of bits of the codes, and β.
func checkFinding(size *big.Int, epsilon privacy.Epsilon,
	beta float64) (bits int, rational *big.Rat, err error) {
	if bits, err = checkSize(size); err != nil {
		return 0, nil, err
	}
	if rational, err = checkBeta(beta); err != nil {
		return 0, nil, err
	}
	return bits, rational, checkEpsilon(epsilon)
}

func checkEpsilon(epsilon privacy.Epsilon) error {
	if !epsilon.IsSet() { // H: treelog.md epsilon
		return refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	}
	return nil
}

// checkTree is checkFinding for an algorithm that spends a δ, in rounds.
func checkTree(name phrase.Key, size *big.Int, epsilon privacy.Epsilon, delta privacy.Delta,
	beta float64, rounds int) (bits int, rational *big.Rat, err error) {
	if bits, rational, err = checkFinding(size, epsilon, beta); err != nil {
		return 0, nil, err
	}
	switch {
	case delta.IsZero(): // H: treelog.md delta
		err = refuse("delta", "0", "a number above 0 and below 1: %s has no guarantee without a δ",
			name)
	case rounds < 0 || rounds > 64: // H: treelog.md rounds
		err = refuse("rounds", fmt.Sprint(rounds), "0 to 64")
	}
	return bits, rational, err
}

// checkBeta returns the failure probability as a rational; 0 means 1/20.
func checkBeta(beta float64) (*big.Rat, error) {
	if beta == 0 {
		return big.NewRat(1, 20), nil
	}
	if !(beta > 0 && beta < 1) { // H: treelog.md beta
		return nil, refuse("beta", fmt.Sprintf("%g", beta),
			"a number above 0 and below 1, or 0 for 0.05")
	}
	return new(big.Rat).SetFloat64(beta), nil
}

// checkSize returns the number of bits of the codes 0 … size−1: at least 1.
func checkSize(size *big.Int) (bits int, err error) {
	const most = 1<<20 + 1
	if size == nil || size.Sign() <= 0 { // H: treelog.md size
		return 0, refuse("size", fmt.Sprint(size), "a whole number of at least 1")
	}
	// H: treelog.md size; path.md scale
	if bits = max(1, new(big.Int).Sub(size, oneInt).BitLen()); bits > most {
		return 0, refuse("size", phrase.Of("a number of %d bits", bits), "at most 2^(2^20 + 1)")
	}
	return bits, nil
}

// logInt returns ln n for n ≥ 1 of any size, for budgets and curves.
func logInt(n *big.Int) float64 {
	shift := max(n.BitLen()-64, 0)
	top, _ := new(big.Float).SetInt(new(big.Int).Rsh(n, uint(shift))).Float64()
	return math.Log(top) + float64(shift)*math.Ln2
}

func sortedKeys(set map[int]bool) []int {
	keys := make([]int, 0, len(set))
	for key := range set {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
