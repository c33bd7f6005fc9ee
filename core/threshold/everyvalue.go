package threshold

import (
	"math"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/phrase"
	"hush/core/privacy"
)

// EveryValueParams are the parameters of EveryValue.
type EveryValueParams struct {
	// Epsilon is the privacy loss granted for one replaced person. Required.
	Epsilon privacy.Epsilon

	// Size is the number of values of the domain. At most 2^20; required.
	Size *big.Int

	// Beta is the probability with which ErrorBound may be exceeded; 0 stands for 0.05.
	Beta float64
}

// EveryValue releases the distribution function of a small domain by counting the persons with each
// value, with noise: the method without a tree, and better than [Quantiles] where there are few
// values.
//
// # Guarantee
//
// Pure ε-DP for neighbours that differ in one replaced person, n public: a person leaves one count
// and joins another. Proof: quantiles.md.
//
// # Input and output
//
// As Quantiles.
//
// # Errors
//
// [*param.Error] (epsilon, size, beta) from the constructor, (codes) from Release for codes of
// another number of bits.
//
// # Cost and accuracy
//
// One draw for each value. The error grows with the square root of the number of values and not
// with n.
//
// # Reference
//
// Dwork, McSherry, Nissim, Smith, "Calibrating Noise to Sensitivity in Private Data Analysis", 2006
// (histograms).
type EveryValue struct {
	size   *big.Int
	bits   int
	counts *mechanism.Laplace
	beta   float64
}

var _ Bounded = (*EveryValue)(nil)

// NewEveryValue checks the parameters.
func NewEveryValue(p EveryValueParams) (*EveryValue, error) {
	bitLength, beta, err := checkFinding(p.Size, p.Epsilon, p.Beta)
	if err != nil {
		return nil, err
	}
	if bitLength > 20 { // H: quantiles.md small-domain
		return nil, refuse("size", sizeText(p.Size), "at most 2^20: one count for each value")
	}
	counts, err := mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: p.Epsilon, L1Sensitivity: 2, LargestMove: 1})
	if err != nil {
		return nil, err
	}
	return &EveryValue{size: new(big.Int).Set(p.Size), bits: bitLength, counts: counts,
		beta: float64Of(beta)}, nil
}

// ErrorBound returns a number of persons by which, with probability 1 − Beta, no count of the
// function is off.
func (e *EveryValue) ErrorBound() float64 {
	return e.counts.Noise().SumBound(int(e.size.Int64()), e.beta)
}

// TypicalError returns about how many persons the worst count is off by, among this many persons:
// sums of the noise walk that far.
func (e *EveryValue) TypicalError(persons int64) float64 {
	return TypicalWalk(e.ErrorBound(), persons)
}

// TypicalWalk returns about how far a function is off where it is most off, if it is a running sum
// of noise that is made to rise and is off by more than a bound in 5 of 100 releases. It is less
// where few persons leave most counts at 0 (a rule of thumb, fitted to ../density/TREES.md).
func TypicalWalk(bound float64, persons int64) float64 {
	return min(bound*min(0.42, 0.3*math.Pow(float64(persons)/bound, 0.1)), 0.6*float64(persons))
}

// AccuracyBound returns the bound of ReleaseAccuracy; every cut is measured.
func (e *EveryValue) AccuracyBound() (right, count, all float64) {
	return accuracyBound(e.counts, int(e.size.Int64()), e.beta)
}

// Loss is ε for d = 1, and group privacy beyond.
func (e *EveryValue) Loss(d privacy.Distance) (privacy.Loss, error) { return e.counts.Loss(d) }

// Release measures the function.
func (e *EveryValue) Release(src coin.Source, codes domain.Sorted, step coin.Step) (*CDF, error) {
	return function(e.release(src, codes, nil, step))
}

// ReleaseAccuracy measures persons with a yes and persons with a no, for the loss of one function.
func (e *EveryValue) ReleaseAccuracy(src coin.Source, data Labelled,
	step coin.Step) (*Accuracy, error) {
	return accuracy(e.release(src, data.Codes, data.answers(), step))
}

func (e *EveryValue) release(src coin.Source, codes domain.Sorted, yes []bool,
	step coin.Step) (*measurement, error) {
	if codes.Bits() != e.bits { // H: quantiles.md bits
		return nil, refuse("codes", phrase.Of("%d bits long", codes.Bits()), "codes of %d bits",
			e.bits)
	}
	noisy, err := e.counts.Release(src, e.toCount(codes, yes), step)
	if err != nil {
		return nil, err
	}
	m := &measurement{size: e.size}
	n := int(e.size.Int64())
	for i := range n {
		m.points = append(m.points, big.NewInt(int64(i)))
	}
	for atoms := range slices.Chunk(noisy, n) {
		m.of = append(m.of, measured{make([]int64, n+1), atoms})
	}
	return m, nil
}

// toCount returns the number of persons with each value; with answers, of those with a yes, then of
// those with a no.
func (e *EveryValue) toCount(codes domain.Sorted, yes []bool) []int64 {
	n := e.size.Int64()
	counts := make([]int64, n)
	if yes != nil {
		counts = make([]int64, 2*n)
	}
	for from := 0; from < codes.Len(); {
		to := endOfRun(codes, from)
		at := codes.Number(from).Int64()
		counts[at] = int64(to - from)
		if yes != nil {
			for _, says := range yes[from:to] {
				if !says {
					counts[at]--
					counts[n+at]++
				}
			}
		}
		from = to
	}
	return counts
}

// A Bounded releaser is a [Releaser] that states its error bound, and measures the accuracy of cuts
// for the same loss.
type Bounded interface {
	Releaser

	// ErrorBound is a number of persons by which, with probability 1 − Beta, no count of the
	// function is off.
	ErrorBound() float64

	// TypicalError is about by how many persons the function of this many is off where it is
	// furthest off, on average: a rule of thumb, measured on made-up data.
	TypicalError(persons int64) float64

	// ReleaseAccuracy measures, of persons with a yes or a no, how many each cut answers rightly.
	ReleaseAccuracy(src coin.Source, data Labelled, step coin.Step) (*Accuracy, error)

	// AccuracyBound says how far off that may be. With probability 1 − Beta, at all cuts and in
	// both directions at once, the number of persons answered rightly is off by no more than right
	// where it was measured, and elsewhere beyond its Range by no more than right + count; and that
	// of all persons by no more than all.
	AccuracyBound() (right, count, all float64)
}

// AdviseRelease takes the algorithm with the smallest error bound for these public facts: it counts
// every value where there are few, and otherwise uses the quantile tree.
func AdviseRelease(p QuantilesParams) (Bounded, error) {
	tree, err := NewQuantiles(p)
	if err != nil {
		return nil, err
	}
	if p.Size.Cmp(big.NewInt(1<<20)) > 0 {
		return tree, nil
	}
	each, err := NewEveryValue(EveryValueParams{Epsilon: p.Epsilon, Size: p.Size, Beta: p.Beta})
	if err != nil {
		return nil, err
	}
	if each.ErrorBound() <= tree.ErrorBound() {
		return each, nil
	}
	return tree, nil
}
