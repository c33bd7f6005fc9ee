package threshold

import (
	"fmt"
	"math/big"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// FromLearner is the [Finder] that a proper learner of cuts makes: the lower half of the codes gets
// a yes, the upper half a no, and a cut that is right for one code of either half lies between
// them.
//
// # Guarantee
//
// The learner's for two replaced persons: replacing one code may also move another from one half to
// the other. Proof: learn.md.
//
// # Input and output
//
// As [TreeLog].
//
// # Errors
//
// [*param.Error] (size, moreBits) from the constructor; from Release those of the learner.
//
// # Cost and accuracy
//
// That of the learner. Codes that are equal get different random bits behind them, so that a cut
// may come between them; the point is interior whenever the learner makes at most Mistakes mistakes
// and the two codes in the middle are different with these bits.
//
// # Reference
//
// Bun, Nissim, Stemmer, Vadhan, "Differentially Private Release and Learning of Threshold
// Functions", 2015, Section 5. Differs: two replaced persons, not one, and random bits for equal
// codes.
type FromLearner struct {
	learner  Learner
	size     *big.Int
	bits     int
	moreBits int
	spend    *meter.Spend
}

var _ Finder = (*FromLearner)(nil)

// NewFromLearner takes a learner for a domain of size·2^moreBits values, of cuts whose codes below
// say yes. moreBits is from 0 to 63; with n persons equal codes collide with probability at most
// n²/2^(moreBits+1).
func NewFromLearner(learner Learner, size *big.Int, moreBits int) (*FromLearner, error) {
	bitLength, err := checkSize(size)
	if err != nil {
		return nil, err
	}
	if moreBits < 0 || moreBits > 63 {
		return nil, refuse("moreBits", fmt.Sprint(moreBits), "0 to 63")
	}
	loss, err := learner.Loss(2)
	if err != nil {
		return nil, err
	}
	return &FromLearner{learner: learner, size: new(big.Int).Set(size), bits: bitLength,
		moreBits: moreBits, spend: leaf("cut between the halves", loss)}, nil
}

// Name is "cut between the halves".
func (f *FromLearner) Name() phrase.Phrase { return phrase.Of("cut between the halves") }

// Needs returns the number of persons with a value at which either half exceeds the learner's
// Mistakes.
func (f *FromLearner) Needs() int { return 2 * (f.learner.Mistakes() + 1) }

// TypicalError is a part of Needs.
func (f *FromLearner) TypicalError(persons int64) float64 { return partOfNeeds(f, persons) }

// Loss is the learner's for twice as many persons.
func (f *FromLearner) Loss(d privacy.Distance) (privacy.Loss, error) {
	return f.learner.Loss(2 * d)
}

// Release finds a point.
func (f *FromLearner) Release(src coin.Source, codes domain.Sorted,
	step coin.Step) (*big.Int, error) {
	if codes.Bits() != f.bits {
		return nil, refuse("codes", phrase.Of("%d bits long", codes.Bits()), "codes of %d bits",
			f.bits)
	}
	return find(src, f.spend, codes, func(src coin.Source) (*big.Int, error) {
		return f.find(src, codes, step)
	})
}

func (f *FromLearner) find(src coin.Source, codes domain.Sorted,
	step coin.Step) (*big.Int, error) {
	low, lower := make([]uint64, codes.Len()), make([]bool, codes.Len())
	for i := range low {
		low[i], lower[i] = src.Uniform(1<<f.moreBits), i < len(low)/2
	}
	cut, err := f.learner.Learn(src, Labelled{withBits(codes, low, f.moreBits), lower}, step)
	if err != nil {
		return nil, err
	}
	// A code below the cut and one not below it: the place just before the cut is an interior
	// point.
	x := cut.At
	if x.Sign() > 0 {
		x.Sub(x, oneInt)
	}
	return x.Rsh(x, uint(f.moreBits)), nil
}
