package mechanism

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// StabilityHistogramParams are the parameters of StabilityHistogram. Exactly one of Epsilon and
// Base is given.
type StabilityHistogramParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon

	// Base is r itself, in place of Epsilon: the loss is then 2·ln r.
	Base coin.Base

	// Delta is the δ granted. Above 0; required.
	Delta privacy.Delta

	// Groups is g and Rows k, where a person has up to g values, each up to k times: 1 to 1000 in
	// total; 0: one. Epsilon and Delta are then those of a person, and Base costs r^(2gk).
	Groups, Rows uint64
}

// StabilityHistogram releases the number of persons with each value, for values that nobody listed
// beforehand: values that many persons have, with noisy counts, and no others.
//
// # Guarantee
//
// (ε, δ)-DP for neighbours that differ in one replaced person, each person having one value or
// none, or up to Groups of them, each up to Rows times. A value with noisy count below the
// threshold is not shown; the threshold is the smallest for which the δ proven is at most Delta;
// Loss gives the δ proven. Proof: stability.md. That nobody has more values is the caller's to
// ensure (H: stability.md values).
//
// # Input and output
//
// The counts of the values that occur, in persons, in an order that does not depend on the data
// otherwise (by value; H: stability.md order). The result lists those shown, in the same order,
// each with its noisy count. Counts below 1 are never shown.
//
// # Errors
//
// [*param.Error] (epsilon, base, delta) from the constructor; from Release only what step returns.
//
// # Cost and accuracy
//
// O(values that occur), mostly one coin each. Noise as Laplace; a value is shown with probability
// at least 1 − β from NeededCount(β) on.
//
// # Reference
//
// Korolova, Kenthapadi, Mishra, Ntoulas, "Releasing Search Queries and Clicks Privately", 2009;
// Bun, Nissim, Stemmer, "Simultaneous Private Learning of Multiple Concepts", 2016. Differs:
// discrete tails, and a δ without the factor 1 + e^ε.
type StabilityHistogram struct {
	rate      rate // the rate for a person
	noise     LaplaceNoise
	threshold int64
	delta     *big.Rat
	entry     rate // the rate for one of a person's entries, with the same noise and threshold
	newcomer  *big.Rat
	spend     *meter.Spend // the loss of an entry
}

// NewStabilityHistogram checks the parameters and finds the threshold.
func NewStabilityHistogram(p StabilityHistogramParams) (*StabilityHistogram, error) {
	if err := checkDelta(p.Delta); err != nil {
		return nil, err
	}
	g, k := max(p.Groups, 1), max(p.Rows, 1)
	if g > 1000/k { // H: stability.md entries
		return nil, refuse("groups", phrase.Of("%d times %d", g, k), "at most 1000 together")
	}
	rate, err := newRate(p.Epsilon, p.Base, 2*g*k)
	if err != nil {
		return nil, err
	}
	noise, err := NewLaplaceNoise(rate.base)
	if err != nil {
		return nil, err // unreachable: r > 1
	}
	// A value that only one person has, k times, is shown when k + Z ≥ threshold.
	most := new(big.Rat).SetInt64(1)
	if g*k > 1 {
		most.Sub(most, new(big.Rat).Inv(rate.base.Pow(k).Rat()))
	}
	above := smallest(func(s int64) bool {
		t := tailUp(rate.base, s)
		// H: stability.md tail
		return t.Cmp(most) <= 0 && someOf(g, t).Cmp(p.Delta.Rat()) <= 0
	})
	if above > 1<<61 {
		return nil, noThreshold(p.Delta)
	}
	m := &StabilityHistogram{rate: rate, noise: noise, threshold: above + int64(k),
		delta: someOf(g, tailUp(rate.base, above)), entry: rate}
	if g*k > 1 {
		m.entry.moves = 2
		m.entry.epsilon = new(big.Rat).Quo(rate.epsilon, ratOf(g*k))
	} else {
		m.rate.rho = noise.Rho(2, 1)
	}
	m.entry.rho = noise.Rho(2, 1)
	m.newcomer = tailUp(rate.base, m.threshold-1)
	m.spend = m.entry.spend("stability histogram", m.newcomer,
		meter.Claim{L1: 2, Each: 1, Newcomers: 1})
	if g*k > 1 {
		person, err := m.Loss(1)
		if err != nil {
			return nil, err // unreachable: group privacy is not asked for
		}
		m.spend.Person = &meter.Person{Loss: person,
			Claim: meter.Claim{L1: 2 * g * k, Each: k, Newcomers: g}}
	}
	return m, nil
}

// someOf returns an upper bound on the chance that one of g independent events of chance t happens,
// 1 − (1−t)^g.
func someOf(g uint64, t *big.Rat) *big.Rat {
	if g == 1 {
		return t
	}
	// 1 − (1−t)^g ≤ g·t − C(g,2)·t² + C(g,3)·t³: Bonferroni's sum after an odd number of terms
	one := big.NewRat(1, 1)
	if new(big.Rat).Mul(ratOf(g), t).Cmp(big.NewRat(1, 1<<20)) < 0 {
		term := new(big.Rat).Mul(ratOf(g), t)
		sum := new(big.Rat).Set(term)
		for _, j := range []uint64{2, 3} {
			term.Mul(term, t).Mul(term, new(big.Rat).SetFrac64(-int64(g-j+1), int64(j)))
			sum.Add(sum, term)
		}
		return digitsUp(sum)
	}
	none, base := big.NewRat(1, 1), new(big.Rat).Sub(one, t)
	for ; g > 0; g >>= 1 {
		if g&1 == 1 {
			none = roundedDown(none.Mul(none, base))
		}
		base = roundedDown(new(big.Rat).Mul(base, base))
	}
	return digitsUp(none.Sub(one, none))
}

// digitsUp rounds x up to 64 binary digits behind its first.
func digitsUp(x *big.Rat) *big.Rat {
	digits := uint(64 + max(0, x.Denom().BitLen()-x.Num().BitLen()))
	n := new(big.Int).Lsh(x.Num(), digits)
	n.Add(n, x.Denom()).Sub(n, big.NewInt(1))
	return new(big.Rat).SetFrac(n.Quo(n, x.Denom()), new(big.Int).Lsh(big.NewInt(1), digits))
}

// roundedDown rounds a number from 0 to 1 down to 256 binary digits, if it has more.
func roundedDown(x *big.Rat) *big.Rat {
	const digits = 256
	if x.Denom().BitLen() <= digits {
		return x
	}
	n := new(big.Int).Lsh(x.Num(), digits)
	return new(big.Rat).SetFrac(n.Quo(n, x.Denom()), new(big.Int).Lsh(big.NewInt(1), digits))
}

// Loss is the (ε, δ) of a person for d = 1, with the δ of the threshold, and group privacy beyond.
func (m *StabilityHistogram) Loss(d privacy.Distance) (privacy.Loss, error) {
	return m.rate.loss(d, m.delta)
}

// EntryLoss is the loss when one of a person's entries is replaced, which a meter counts.
func (m *StabilityHistogram) EntryLoss() (privacy.Loss, error) {
	return m.entry.loss(1, m.newcomer)
}

// Threshold is the smallest noisy count that is shown.
func (m *StabilityHistogram) Threshold() int64 { return m.threshold }

// SureFrom returns the noisy count from which on the interval of ErrorBound(beta) holds, given that
// the value is shown, with probability at least 1 − beta; a smaller count that is shown only says
// that the true one is at least 1. Proof: stability.md, Shown near the threshold.
func (m *StabilityHistogram) SureFrom(beta float64) int64 {
	return addSaturating(m.threshold, uint64(ceilBound(math.Log(2/beta)/m.noise.Log())))
}

// A Shown value is a released one: its index in the input and its noisy count.
type Shown struct {
	Index int
	Count int64
}

// Release returns the values to show. step may be nil. It can end the work but receives no
// progress, since the number of values that occur is private.
func (m *StabilityHistogram) Release(src coin.Source, counts []int64,
	step coin.Step) ([]Shown, error) {
	return meter.Among(src, m.spend, values(counts), func(src coin.Source) ([]Shown, error) {
		return m.release(src, counts, step)
	}, moveShown)
}

// moveShown replaces the indices of shown candidates by those of the other run in a replay.
func moveShown(shown []Shown, place func(int) (int, bool)) ([]Shown, bool) {
	for i := range shown {
		at, ok := place(shown[i].Index)
		if !ok {
			return nil, false
		}
		shown[i].Index = at
	}
	return shown, true
}

func (m *StabilityHistogram) release(src coin.Source, counts []int64,
	step coin.Step) ([]Shown, error) {
	var shown []Shown
	for i, count := range counts {
		if err := pauseBlind(step, i); err != nil {
			return nil, err
		}
		if noisy, ok := m.show(src, count); ok {
			shown = append(shown, Shown{i, noisy})
		}
	}
	return shown, nil
}

// show adds noise to one count and reports whether the result reaches the threshold. Below the
// threshold one coin decides, and the noise beyond the missing part is then geometric.
func (m *StabilityHistogram) show(src coin.Source, count int64) (noisy int64, ok bool) {
	if count < 1 { // H: stability.md occurs
		return 0, false
	}
	if missing := m.threshold - count; missing >= 0 {
		if !src.Bernoulli(m.noise.AtLeast(missing)) {
			return 0, false
		}
		return addSaturating(m.threshold, src.Geometric(m.rate.base)), true
	}
	noisy = m.noise.AddTo(src, count)
	if noisy < m.threshold {
		return 0, false
	}
	return noisy, true
}

// NeededCount returns the count from which on a value is shown with probability at least 1 − beta.
func (m *StabilityHistogram) NeededCount(beta float64) int64 {
	return addSaturating(m.threshold, uint64(m.noise.boundBelow(beta)))
}

// ErrorBound returns the smallest t with Pr[|noise| > t] ≤ beta for the count of one value, shown
// or not.
func (m *StabilityHistogram) ErrorBound(beta float64) int64 { return m.noise.Bound(beta) }
