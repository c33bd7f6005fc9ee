package threshold

import (
	"math/big"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// BinarySearchParams are the parameters of BinarySearch.
type BinarySearchParams struct {
	// Epsilon is the privacy loss granted for one replaced person. Required.
	Epsilon privacy.Epsilon

	// Delta is granted besides; 0 is pure. With it many steps compose to less than their sum.
	Delta privacy.Delta

	// Size is the number of values of the domain, as for TreeLog.
	Size *big.Int

	// Beta is the failure probability, as for TreeLog.
	Beta float64
}

// BinarySearch halves the domain bit by bit, each time towards the side with more codes, by a
// comparison with noise: the first idea one would try, and the [Finder] that needs the most
// persons.
//
// # Guarantee
//
// (ε, δ)-DP for neighbours that differ in one replaced person, n public, by composition of one
// comparison per bit. Proof: search.md.
//
// # Input and output
//
// As [TreeLog].
//
// # Errors
//
// [*param.Error] (epsilon, size, beta) from the constructor, (codes) from Release for codes of
// another number of bits.
//
// # Cost and accuracy
//
// One coin and one binary search per bit.
//
// # Reference
//
// Folklore; Dwork, Naor, Pitassi, Rothblum, "Differential Privacy under Continual Observation",
// 2010, has noisy search of this kind.
type BinarySearch struct {
	size  *big.Int
	bits  int
	base  coin.Base
	noise mechanism.LaplaceNoise
	spend *meter.Spend
	each  *meter.Spend // of one comparison
	needs int
}

var _ Finder = (*BinarySearch)(nil)

// NewBinarySearch checks the parameters.
func NewBinarySearch(p BinarySearchParams) (*BinarySearch, error) {
	bitLength, beta, err := checkFinding(p.Size, p.Epsilon, p.Beta)
	if err != nil {
		return nil, err
	}
	each, _, err := privacy.EachOf(uint64(bitLength), p.Epsilon, p.Delta, privacy.PureLoss)
	if err != nil {
		return nil, err
	}
	base, err := coin.ExpBelow(each.Part(1, 2).Rat())
	if err != nil {
		return nil, refuse("epsilon", p.Epsilon.String(), "a larger ε for this many bits")
	}
	b, err := newBinarySearch(p.Size, bitLength, base, beta)
	if err != nil {
		return nil, err
	}
	b.each.Loss = privacy.PureLoss(each)
	b.spend, err = meter.Composed("noisy binary search", p.Delta,
		meter.Each(b.each.Loss, uint64(bitLength)))
	return b, err
}

// newBinarySearch has the loss of basic composition.
func newBinarySearch(size *big.Int, bitLength int, base coin.Base,
	beta *big.Rat) (*BinarySearch, error) {
	noise, err := mechanism.NewLaplaceNoise(base)
	if err != nil {
		return nil, err
	}
	steps := new(big.Rat).Quo(ratOf(int64(bitLength)), beta)
	each := &meter.Spend{Name: "noisy comparison", Loss: both(privacy.LogUp(base.Rat())).replace(),
		Claim: meter.Claim{Each: 2}}
	return &BinarySearch{
		size: new(big.Int).Set(size), bits: bitLength, base: base, noise: noise, each: each,
		spend: meter.Sum("noisy binary search", meter.Each(each.Loss, uint64(bitLength))),
		needs: max(power(base, steps), 1),
	}, nil
}

// Name is "noisy binary search".
func (b *BinarySearch) Name() phrase.Phrase { return phrase.Of("noisy binary search") }

// Needs returns the number of persons with a value that it needs: the smallest m with r^m ≥ bits/β.
func (b *BinarySearch) Needs() int { return b.needs }

// TypicalError returns a fraction of Needs.
func (b *BinarySearch) TypicalError(persons int64) float64 { return partOfNeeds(b, persons) }

// Loss is (ε, δ) for d = 1, and group privacy beyond.
func (b *BinarySearch) Loss(d privacy.Distance) (privacy.Loss, error) {
	return b.spend.Loss.Group(d)
}

// Release finds a point.
func (b *BinarySearch) Release(src coin.Source, codes domain.Sorted,
	step coin.Step) (*big.Int, error) {
	if codes.Bits() != b.bits { // H: treelog.md bits
		return nil, refuse("codes", phrase.Of("%d bits long", codes.Bits()), "codes of %d bits",
			b.bits)
	}
	src = meter.Within(src, b.spend)
	x := new(big.Int)
	lo, hi := 0, codes.Len() // the codes that begin with the bits found
	for depth := range b.bits {
		if step != nil && depth%1024 == 0 {
			if err := step(int64(depth), int64(b.bits)); err != nil {
				return nil, err
			}
		}
		middle := domain.Split(codes, lo, hi, depth)
		if b.left(src, middle, codes.Len()) {
			hi = middle
		} else {
			lo = middle
			x.SetBit(x, b.bits-1-depth, 1)
		}
	}
	if x.Cmp(b.size) >= 0 {
		x.Sub(b.size, oneInt)
	}
	return x, nil
}

// left reports, with noise, whether at least as many codes lie below the middle as above it.
func (b *BinarySearch) left(src coin.Source, below, all int) bool {
	value := int64(all - 2*below)
	left, _ := meter.Draw(src, b.each,
		func() meter.Input { return meter.Input{Values: []int64{value}} },
		func(src coin.Source) (bool, error) { return src.Bernoulli(b.noise.AtLeast(value)), nil })
	return left
}
