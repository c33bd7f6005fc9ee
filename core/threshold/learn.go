package threshold

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Labelled holds sorted codes, each with a yes or a no: a person without a code or without an
// answer is not among them (H: learn.md one-answer; quantiles.md one-answer). Which of equal codes
// comes first does not matter.
type Labelled struct {
	Codes domain.Sorted
	Yes   []bool // Yes[i] is the answer of the person with code i
}

// answers returns Yes, and not nil where there is nobody: nil means that there are no answers at
// all.
func (l Labelled) answers() []bool {
	if l.Yes == nil {
		return []bool{}
	}
	return l.Yes
}

// Cut is a threshold as a rule: it says yes to codes below At or, if Above, to At and the codes
// above it. At is from 0 to the size of the domain.
type Cut struct {
	At    *big.Int
	Above bool
}

// RealizableParams are the parameters of Realizable.
type RealizableParams struct {
	// Epsilon and Delta are the privacy loss granted for one replaced person. Delta may be 0, which
	// leaves pure algorithms.
	Epsilon privacy.Epsilon
	Delta   privacy.Delta

	// Size is the number of values of the domain. From 2 to 2^(2^20); required.
	Size *big.Int

	// Beta is the probability with which there may be more mistakes; 0 stands for 0.05.
	Beta float64

	// Above says that the codes from the cut on are those with a yes.
	Above bool
}

// Realizable learns a cut from data that some cut answers without mistakes, by way of an interior
// point: a point between the codes with a yes that are nearest to codes with a no, and these.
//
// # Guarantee
//
// (ε, δ)-DP for neighbours that differ in one replaced person, code or answer or both, n public.
// Replacing one changes at most two of the codes given to the [Finder], which is asked for half of
// ε. Proof: learn.md.
//
// # Input and output
//
// Labelled codes of the domain's bits; a cut.
//
// # Errors
//
// [*param.Error] (epsilon, delta, size, beta) from the constructor, (codes) from Learn for codes of
// another number of bits.
//
// # Cost and accuracy
//
// Linear in the codes at worst, to find those nearest to the other side. At most Mistakes persons
// are answered wrongly, with probability 1 − Beta, however many there are; Generalises says for how
// many persons drawn from a population that means a rule good for all of it.
//
// # Reference
//
// Bun, Nissim, Stemmer, Vadhan, "Differentially Private Release and Learning of Threshold
// Functions", 2015, Section 5. Differs: codes with a no count as the place just below them, so that
// codes with both answers near the cut do not count twice.
type Realizable struct {
	finder Finder
	last   *big.Int // the place above the last code
	bits   int
	window int // codes given to the finder, half from either side
	above  bool
	spend  *meter.Spend
}

// NewRealizable checks the parameters and takes the Finder that needs the fewest persons.
func NewRealizable(p RealizableParams) (*Realizable, error) {
	if _, err := checkSize(p.Size); err != nil {
		return nil, err
	}
	if err := checkEpsilon(p.Epsilon); err != nil {
		return nil, err
	}
	half, share, err := halves(p.Epsilon, p.Delta)
	if err != nil {
		return nil, err
	}
	finder, err := Choose(
		AdviceParams{Epsilon: half, Delta: share, Size: doubled(p.Size), Beta: p.Beta})
	if err != nil {
		return nil, err
	}
	return NewRealizableFrom(finder, p.Size, p.Above)
}

// halves returns ε/2 and δ/(1 + e^(ε/2)): what an algorithm may lose for one person so that it
// loses (ε, δ) for two.
func halves(epsilon privacy.Epsilon, delta privacy.Delta) (privacy.Epsilon, privacy.Delta, error) {
	half := epsilon.Part(1, 2)
	if delta.IsZero() {
		return half, delta, nil
	}
	odds := privacy.ExpUp(half.Rat())
	share, err := privacy.NewDelta(new(big.Rat).Quo(delta.Rat(), odds.Add(odds, ratOf(1))))
	return half, share, err
}

// doubled returns the size of the domain of places: one below and one above each code.
func doubled(size *big.Int) *big.Int { return new(big.Int).Lsh(size, 1) }

// NewRealizableFrom learns by way of any Finder for a domain of 2·size values (H: learn.md
// for-places). Its loss is that of the Finder for two persons.
func NewRealizableFrom(finder Finder, size *big.Int, above bool) (*Realizable, error) {
	bitLength, err := checkSize(size)
	if err != nil {
		return nil, err
	}
	if size.Cmp(oneInt) == 0 || bitLength > 1<<20 { // H: learn.md places
		return nil, refuse("size", sizeText(size), "from 2 to 2^(2^20)")
	}
	loss, err := finder.Loss(2)
	if err != nil {
		return nil, err
	}
	last := doubled(size)
	return &Realizable{finder: finder, last: last.Sub(last, oneInt), bits: bitLength,
		window: (finder.Needs() + 1) / 2 * 2, above: above,
		spend: leaf("cut by an interior point", loss)}, nil
}

// Finder returns the Finder for the learner's interior point.
func (l *Realizable) Finder() Finder { return l.finder }

// Mistakes returns half the number of codes given to the Finder.
func (l *Realizable) Mistakes() int { return l.window / 2 }

// TypicalError returns about how many mistakes the cut makes on this many persons where some cut
// makes none: a rule of thumb.
func (l *Realizable) TypicalError(persons int64) float64 { return l.finder.TypicalError(persons) }

// Loss is (ε, δ) for d = 1, and group privacy beyond.
func (l *Realizable) Loss(d privacy.Distance) (privacy.Loss, error) { return l.finder.Loss(2 * d) }

// Generalises returns how many persons, drawn independently from a population, ensure that a cut
// with at most Mistakes wrong answers among them is wrong for at most a part alpha of the
// population, except with probability beta: the smallest n for which 2·exp(−n·KL(Mistakes/n,
// alpha)) ≤ beta.
//
// The two cuts nearest to the true one among those wrong for more than alpha are right for the most
// persons of a sample; each is wrong for Binomial(n, alpha) of them. The result is 2^53 where that
// is too few.
func (l *Realizable) Generalises(alpha, beta float64) int {
	fits := func(n int) bool {
		p := float64(l.Mistakes()) / float64(n)
		if p >= alpha {
			return false
		}
		divergence := (1 - p) * math.Log((1-p)/(1-alpha))
		if p > 0 {
			divergence += p * math.Log(p/alpha)
		}
		return float64(n)*divergence >= math.Log(2/beta)
	}
	n, ok, _ := smallest(func(n int) (int, bool, error) { return n, fits(n), nil })
	if !ok {
		return 1 << 53
	}
	return n
}

// Learn finds a cut.
func (l *Realizable) Learn(src coin.Source, data Labelled, step coin.Step) (Cut, error) {
	if data.Codes.Bits() != l.bits { // H: learn.md bits
		return Cut{},
			refuse("codes", phrase.Of("%d bits long", data.Codes.Bits()), "codes of %d bits",
				l.bits)
	}
	return learn(src, l.spend, data, func(src coin.Source) (Cut, error) {
		return l.learn(src, data, step)
	})
}

func (l *Realizable) learn(src coin.Source, data Labelled, step coin.Step) (Cut, error) {
	place, err := l.finder.Release(src, l.nearest(data), step)
	if err != nil {
		return Cut{}, err
	}
	// Place 2x is below code x, 2x+1 above it: the codes before the place have a yes (or a no, if
	// above).
	place.Add(place, oneInt)
	return Cut{At: place.Rsh(place, 1), Above: l.above}, nil
}

// nearest returns the window/2 largest codes of the lower side, as the places above them, and the
// window/2 smallest of the upper side, as the places below them. Where there are fewer, the ends of
// the domain stand in.
func (l *Realizable) nearest(data Labelled) domain.Sorted {
	half, n := l.window/2, len(data.Yes)
	lower := func(i int) bool { return data.Yes[i] != l.above }
	take := make(map[int]bool, l.window)
	below := 0
	for i := n - 1; i >= 0 && below < half; i-- {
		if lower(i) {
			take[i], below = true, below+1
		}
	}
	above := 0
	for i := 0; i < n && above < half; i++ {
		if !lower(i) {
			take[i], above = true, above+1
		}
	}
	chosen := &picked{codes: data.Codes, indices: sortedKeys(take)}
	side := make([]uint64, len(chosen.indices))
	for i, index := range chosen.indices {
		if lower(index) {
			side[i] = 1
		}
	}
	return pad(withBits(chosen, side, 1), new(big.Int), half-below, l.last, half-above)
}
