package density

import (
	"fmt"
	"math/big"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Learner releases a distribution from sorted codes, at the loss that Loss states; the bands hold
// as Forecast states. Proof: one for each learner, merr.md, hierarchy.md, histogram.md, and
// ../threshold/quantiles.md.
type Learner interface {
	mechanism.Mechanism

	// Name names the algorithm.
	Name() phrase.Phrase

	// Forecast is what is known beforehand of the distribution.
	Forecast() Forecast

	// Release learns the distribution of codes below the size of the domain, ascending, at most one
	// of each of n persons (H: merr.md sorted), of as many bits as the domain's last code. step may
	// be nil; it learns of public stages only.
	Release(src coin.Source, codes domain.Sorted, step coin.Step) (*Distribution, error)
}

func checkCommon(epsilon privacy.Epsilon, size *big.Int, persons uint64, beta float64) error {
	switch {
	case !epsilon.IsSet(): // H: merr.md some-epsilon
		return refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	case size == nil || size.Sign() <= 0: // H: merr.md size
		return refuse("size", fmt.Sprint(size), "a whole number of at least 1")
	case bitsOf(size) > 1<<20+1: // H: merr.md size
		return refuse("size", phrase.Of("a number of %d bits", size.BitLen()),
			"at most 2^(2^20 + 1)")
	case persons < 1 || persons > 1<<40: // H: merr.md persons
		return refuse("persons", fmt.Sprint(persons), "from 1 to 2^40")
	case !(beta >= 0 && beta < 1): // H: merr.md beta
		return refuse("beta", fmt.Sprint(beta), "above 0 and below 1, or 0 for 0.05")
	}
	return nil
}

// bitsOf returns the number of bits of the codes of a domain.
func bitsOf(size *big.Int) int { return max(1, new(big.Int).Sub(size, oneInt).BitLen()) }

func betaOr(beta float64) float64 {
	if beta == 0 {
		return 0.05
	}
	return beta
}

func checkCodes(codes domain.Sorted, bits int) error { // H: merr.md whole-counts
	if codes.Bits() != bits { // H: merr.md bits; distribution.md bits
		return refuse("codes", phrase.Of("%d bits long", codes.Bits()), "codes of %d bits", bits)
	}
	return nil
}

func refuse(field string, value any, want phrase.Key, args ...any) error {
	return param.Refuse("density", field, value, want, args...)
}
