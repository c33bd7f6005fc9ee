package basic

import (
	"fmt"

	"hush/core/coin"
	"hush/core/privacy"
)

// Question can be asked by group: it is a [Count], [Share], [Sum], [Mean], [Variance] or
// [Histogram].
type Question[A any] interface {
	question() asked[A]
}

// ByGroup asks the same question about each of a public list of groups, for the price of one answer
// about everybody.
//
// # Guarantee
//
// That of the question, with the same ε and δ, for neighbours that replace one person, n public: a
// replaced person may leave one group and join another, and the noise is made for it. At worst it
// doubles; where replacing a value costs as much as losing one and gaining another, as in a
// histogram, it stays. The list of groups must be public. Proof: sums.md, Theorem 2.
//
// # Input and output
//
// One answer per group, in the order of their codes, each as the question describes it. A person
// without a group, or of a code beyond the last, counts nowhere. Sizes of groups are private.
//
// # Errors
//
// [*param.Error] (groups, epsilon, base) from the parameters alone; step's error when cancelled.
//
// # Cost and accuracy
//
// O(n + groups). Forecast(m) for a group in which m persons have a value.
//
// # Reference
//
// Parallel composition (McSherry, "Privacy integrated queries", 2009), for replaced instead of
// added persons.
type ByGroup[A any] struct {
	asking asked[A]
	groups uint64
}

// MaxGroups bounds the list of groups, and maxSums the number of sums released for all groups.
const (
	MaxGroups = 10_000
	maxSums   = 1 << 20
)

// NewByGroup asks a question for each of this many groups, with the privacy parameters of the
// question.
func NewByGroup[A any](question Question[A], groups uint64) (*ByGroup[A], error) {
	return NewByGroupOf(question, groups, Several{})
}

// NewByGroupOf is NewByGroup for persons with several rows.
func NewByGroupOf[A any](question Question[A], groups uint64,
	several Several) (*ByGroup[A], error) {
	if groups < 1 || groups > MaxGroups { // H: sums.md groups
		return nil, refuse("groups", fmt.Sprint(groups), "1 to %d groups", MaxGroups)
	}
	of := question.question()
	// H: sums.md groups
	if each := uint64(len(of.ask.sums(&tally{}, true))); groups*each > maxSums {
		return nil, refuse("groups", fmt.Sprint(groups), "at most %d groups of %d counts each",
			maxSums/each, each)
	}
	of.strength.several = several
	a, err := newAsked(of.ask, of.strength, of.people, true)
	if err != nil {
		return nil, err
	}
	return &ByGroup[A]{a, groups}, nil
}

// Noise returns the noise on the sums of each group.
func (b *ByGroup[A]) Noise() *Noise { return b.asking.noise }

// Loss returns the loss of all answers together, for data sets that differ in d persons.
func (b *ByGroup[A]) Loss(d privacy.Distance) (privacy.Loss, error) { return b.asking.Loss(d) }

// Forecast returns the error to expect for a group in which this many persons have a value.
func (b *ByGroup[A]) Forecast(valued int64) Forecast { return b.asking.Forecast(valued) }

// Release answers the question about each group. groups gives each row's group; both columns have
// the same length.
func (b *ByGroup[A]) Release(src coin.Source, values, groups Values, step coin.Step) ([]A, error) {
	each, _, err := b.ReleaseTogether(src, values, groups, step)
	return each, err
}

// ReleaseTogether is Release; the second list has the same answers with intervals that hold for all
// groups at once, with probability at least 1 − [Beta]. Anything stated about a group because of
// its answer, such as that it is the largest, uses these. The noises of groups are independent, so
// each interval may fail with probability 1 − (1 − Beta)^(1/groups).
func (b *ByGroup[A]) ReleaseTogether(src coin.Source, values, groups Values,
	step coin.Step) (each, together []A, err error) {
	noisy, err := b.asking.release(src, values, groups, b.groups, step)
	if err != nil {
		return nil, nil, err
	}
	return b.asking.answers(noisy, b.groups, Beta),
		b.asking.answers(noisy, b.groups, oneOfAll(Beta, int(b.groups))), nil
}
