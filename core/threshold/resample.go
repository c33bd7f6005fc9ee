package threshold

import (
	"fmt"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/meter"
	"hush/core/privacy"
)

// Resampled answers all threshold queries about n persons by way of an algorithm that learns a
// distribution from m: it draws m of the n persons with replacement, and the algorithm learns what
// they are drawn from.
//
// # Guarantee
//
// With (ε, δ) that of the learner for m persons, (ε', δ') for neighbours that differ in one
// replaced person of the n, n public: ε' = m·ln(1 + (e^ε − 1)/n) − m·ln(1 − (1 − e^−ε)/n), about
// m/n·(e^ε − e^−ε), and δ' = δ·(e^ε' − 1)/(e^ε − 1). Proof: kolmogorov.md.
//
// # Input and output
//
// As [TreeLog], at most n codes; a [CDF] in persons of the n.
//
// # Errors
//
// [*param.Error] (persons, sample) from the constructor; from Release those of the learner.
//
// # Cost and accuracy
//
// That of the learner on m persons, and the sort of m numbers. If it is within α of the
// distribution (in parts of all, at all values at once) with some probability, no count is off by
// more than α·n persons with that probability.
//
// # Reference
//
// Bun, Nissim, Stemmer, Vadhan, "Differentially Private Release and Learning of Threshold
// Functions", 2015, Section 6 (release and learning are equivalent). Differs: our own bound on
// sampling with replacement, for all ε and m.
type Resampled struct {
	learner Releaser
	sample  uint64
	persons uint64
	spend   *meter.Spend
}

var _ Releaser = (*Resampled)(nil)

// NewResampled takes a learner for sample persons, to be used on data of persons.
func NewResampled(learner Releaser, sample, persons uint64) (*Resampled, error) {
	const most = 1 << 40
	if persons < 1 || persons > most {
		return nil, refuse("persons", fmt.Sprint(persons), "from 1 to 2^40")
	}
	if sample < 1 || sample > most {
		return nil, refuse("sample", fmt.Sprint(sample), "from 1 to 2^40")
	}
	once, err := learner.Loss(1)
	if err != nil {
		return nil, err
	}
	loss, err := withReplacement(once, sample, persons)
	spend := meter.Proved("sample with replacement", "threshold/resample.md", loss,
		meter.Once(once))
	spend.Claim.People = 1
	return &Resampled{learner, sample, persons, spend}, err
}

// withReplacement is the loss of a mechanism of that loss on m draws with replacement from n
// persons, rounded up: kolmogorov.md, Theorem 1.
func withReplacement(loss privacy.Loss, m, n uint64) (privacy.Loss, error) {
	epsilon, ok := loss.Epsilon()
	if !ok {
		return privacy.Loss{}, privacy.ErrNoBound
	}
	one, persons := ratOf(1), new(big.Rat).SetInt(new(big.Int).SetUint64(n))
	gain := new(big.Rat).Sub(privacy.ExpUp(epsilon), one)                     // e^ε − 1
	drop := new(big.Rat).Sub(one, privacy.ExpDown(new(big.Rat).Neg(epsilon))) // 1 − e^−ε
	// of the mean of e^(k·ε), k times drawn
	most := privacy.LogUp(new(big.Rat).Add(one, gain.Quo(gain, persons)))
	// of the mean of e^(−k·ε)
	least := privacy.LogDown(new(big.Rat).Sub(one, drop.Quo(drop, persons)))
	total := new(big.Rat).SetInt(new(big.Int).SetUint64(m))
	total.Mul(total, most.Sub(most, least))
	if total.Cmp(ratOf(1<<16)) > 0 {
		return privacy.NoPrivacy(), nil
	}
	delta := loss.Delta()
	if delta.Sign() > 0 && epsilon.Sign() > 0 {
		below := new(big.Rat).Sub(privacy.ExpDown(epsilon), one)
		delta.Mul(delta, new(big.Rat).Sub(privacy.ExpUp(total), one)).Quo(delta, below)
	}
	return privacy.NewLoss(total, delta)
}

// Loss is (ε', δ') for d = 1, and group privacy beyond.
func (r *Resampled) Loss(d privacy.Distance) (privacy.Loss, error) { return r.spend.Loss.Group(d) }

// Release measures the function.
func (r *Resampled) Release(src coin.Source, codes domain.Sorted, step coin.Step) (*CDF, error) {
	// audited whole: a place among the sorted codes is not that of a person
	return meter.Draw(src, r.spend, func() meter.Input {
		return meter.Input{People: people(codes, nil)}
	}, func(src coin.Source) (*CDF, error) { return r.release(src, codes, step) })
}

func (r *Resampled) release(src coin.Source, codes domain.Sorted, step coin.Step) (*CDF, error) {
	drawn := &picked{codes: codes}
	for range r.sample {
		if i := src.Uniform(r.persons); i < uint64(codes.Len()) { // else a person without a value
			drawn.indices = append(drawn.indices, int(i))
		}
	}
	slices.Sort(drawn.indices)
	learned, err := r.learner.Release(src, drawn, step)
	if err != nil {
		return nil, err
	}
	return learned.scaled(float64(r.persons) / float64(r.sample)), nil
}
