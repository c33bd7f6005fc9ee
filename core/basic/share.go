package basic

import (
	"math/big"

	"hush/core/coin"
	"hush/core/privacy"
)

// ShareParams are a Share's public parameters. Exactly one of Epsilon and Base is given.
type ShareParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon
	// Base is r itself, in place of Epsilon: the loss is then ln r (4·ln r by group).
	Base coin.Base
	// Delta, where it is above 0, allows Gaussian noise; below 1/People; default 0.
	Delta privacy.Delta
	// People is n, public, from 1 to 2^53.
	People int64
	// Where is the condition a code must meet, a public function; nil: having a value.
	Where func(code uint64) bool
}

// Share releases the fraction of all persons whose value meets a public condition: a number from 0
// to 1.
//
// # Guarantee
//
// As [Count]; the count is divided by the public n. By group the group's size is private: the share
// is then a mean of 0 and 1, with a private size. Proof: sums.md, Theorems 1, 3 and 5.
//
// # Input and output
//
// A share with its 95 % interval, both kept from 0 to 1. A person with none does not meet the
// condition and counts in n.
//
// # Errors
//
// [*param.Error] (epsilon, base, delta, people) from the parameters alone; step's error when
// cancelled.
//
// # Cost and accuracy
//
// O(n). Forecast.
//
// # Reference
//
// As Count and Mean.
type Share struct{ asked[Estimate] }

// NewShare checks the parameters.
func NewShare(p ShareParams) (*Share, error) {
	if err := checkPeople(p.People); err != nil {
		return nil, err
	}
	ask := share{count{p.Where}, p.People, newRatio(1, p.People)}
	a, err := newAsked[Estimate](ask, grant(p.Epsilon, p.Base, p.Delta), p.People, false)
	if err != nil {
		return nil, err
	}
	return &Share{a}, nil
}

type share struct {
	count
	people int64
	// of +1 for a person that meets the condition and −1 for one that does not: by group
	ratio ratio
}

func (s share) design(kind Kind, grouped bool) (design, bool) {
	if grouped {
		return s.ratio.design(kind, grouped)
	}
	return s.count.design(kind, grouped)
}

func (s share) add(t *tally, code uint64, ok bool, persons uint64) {
	t.valued += persons // here: in the group
	s.count.add(t, code, ok, persons)
}

func (s share) sums(t *tally, grouped bool) []int64 {
	if !grouped {
		return s.count.sums(t, grouped)
	}
	signed := new(big.Int).Lsh(bigOf(t.chosen), 1)
	return s.ratio.sums(signed.Sub(signed, bigOf(t.valued)), t.valued)
}

func (s share) answer(n *Noise, grouped bool, beta float64, noisy []int64) Estimate {
	zero, one := new(big.Rat), big.NewRat(1, 1)
	if !grouped {
		return s.count.answer(n, grouped, beta, noisy).divide(s.people).clamp(zero, one)
	}
	half := Scale{First: zero, Step: one}
	return s.ratio.answer(n, beta, noisy).place(half, 1)
}

func (s share) forecast(n *Noise, grouped bool, persons int64) Forecast {
	if grouped {
		return s.ratio.forecast(n, persons, 0.5)
	}
	f := s.count.forecast(n, grouped, persons)
	return Forecast{f.Expected / float64(s.people), f.Typical / float64(s.people),
		min(1, f.Bound/float64(s.people))}
}
