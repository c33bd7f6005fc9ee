package privacy

import (
	"math/big"
	"strconv"

	"hush/core/param"
)

// Subsampled is the loss of running a mechanism with loss l on m of n persons, chosen at random
// without replacement, n and m public: ε' = ln(1 + (m/n)(e^ε − 1)), δ' = (m/n)·δ. Neighbours
// replace one person, in the sample as in the whole. The sample is drawn evenly, kept secret and
// used once (H: subsample.md even, secret).
//
// Fields m and n: 1 ≤ m ≤ n, else a *param.Error. It is ErrNoBound for a loss without an ε: use At
// first; and for a [Rest]. A ρ of its own is given up for ε'²/2. Proof and reference: subsample.md.
func (l Loss) Subsampled(m, n uint64) (Loss, error) {
	if m == 0 || m > n { // H: subsample.md sizes
		return Loss{}, param.Refuse("privacy", "sampleSize", strconv.FormatUint(m, 10),
			"a whole number from 1 to the number of persons, %s", strconv.FormatUint(n, 10))
	}
	// H: subsample.md has-epsilon
	if l.noEpsilon {
		return Loss{}, ErrNoBound
	}
	if l.rest { // H: rest.md sum-only
		return Loss{}, ErrNoBound
	}
	rate := new(big.Rat).SetFrac(new(big.Int).SetUint64(m), new(big.Int).SetUint64(n))
	sample := Loss{delta: new(big.Rat).Mul(rate, l.Delta())}
	thin := func(odds *big.Rat) *big.Rat {
		gain := new(big.Rat).Sub(odds, one)
		return gain.Add(gain.Mul(gain, rate), one)
	}
	if l.odds != nil {
		sample.odds = thin(l.odds)
		sample.epsilon = LogUp(sample.odds)
		return sample, nil
	}
	sample.epsilon = l.epsilonOrZero()
	if sample.epsilon.Cmp(big.NewRat(largestExponent, 1)) <= 0 {
		if thinned := LogUp(thin(ExpUp(sample.epsilon))); thinned.Cmp(sample.epsilon) < 0 {
			sample.epsilon = thinned
		}
	}
	return sample, nil
}
