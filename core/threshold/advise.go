package threshold

import (
	"cmp"
	"math/big"
	"slices"

	"hush/core/phrase"
	"hush/core/privacy"
)

// AdviceParams holds the public facts on which the choice of a Finder rests.
type AdviceParams struct {
	// Epsilon is the privacy loss granted for one replaced person. Required.
	Epsilon privacy.Epsilon

	// Delta is granted besides. 0 leaves only the algorithms that need none.
	Delta privacy.Delta

	// Size is the number of values of the domain. Required.
	Size *big.Int

	// Beta is the failure probability; 0 stands for 0.05.
	Beta float64

	// Persons is n, with or without a value; 0 if it is not known yet.
	Persons uint64
}

// Advice is the choice of a [Finder], with its reason.
type Advice struct {
	// Finders are all that have a guarantee for these parameters, the one that needs fewest persons
	// first; of equals the simpler one.
	Finders []Finder

	// Text says in a sentence what they need and which is used.
	Text phrase.Phrase

	// Enough says that n persons are at least as many as the first Finder needs. It says nothing of
	// how many of them have a value.
	Enough bool
}

// Advise computes how many persons each algorithm needs and puts the one that needs fewest first.
// It depends on public facts only. [HeavyPaths] is not among them: on every real domain [TreeLog]
// needs far fewer persons.
//
// # Errors
//
// [*param.Error] for parameters that no algorithm takes.
func Advise(p AdviceParams) (*Advice, error) {
	finders, err := p.simple()
	if err != nil {
		return nil, err
	}
	if !p.Delta.IsZero() {
		tree, err := p.treeLog()
		if err != nil {
			return nil, err
		}
		finders = slices.Insert(finders, 1, Finder(tree))
	}
	byNeeds(finders)
	a := &Advice{Finders: finders, Enough: p.Persons >= uint64(finders[0].Needs())}
	a.Text = adviceText(p, a)
	return a, nil
}

// Choose returns the first [Finder] that [Advise] gives, and computes no more than necessary:
// [TreeLog], which takes longest, only where it may be the one.
func Choose(p AdviceParams) (Finder, error) {
	finders, err := p.simple()
	if err != nil {
		return nil, err
	}
	if !p.Delta.IsZero() && float64(finders[0].Needs()) > surely*p.estimate() {
		tree, err := p.treeLog()
		if err != nil {
			return nil, err
		}
		finders = slices.Insert(finders, 1, Finder(tree))
	}
	byNeeds(finders)
	return finders[0], nil
}

// surely is a fraction of the estimate for TreeLog below which its real need never falls
// (TestChoose).
const surely = 0.8

// estimate returns about what TreeLog needs, in floating point.
func (p AdviceParams) estimate() float64 {
	bitLength, _ := checkSize(p.Size)
	beta, _ := checkBeta(p.Beta)
	return TreeLogParams{Epsilon: p.Epsilon, Delta: p.Delta}.divide(bitLength, 1, beta).needs
}

// simple returns the Finders that need no δ.
func (p AdviceParams) simple() ([]Finder, error) {
	exponential,
		err := NewExponential(ExponentialParams{Epsilon: p.Epsilon, Size: p.Size, Beta: p.Beta})
	if err != nil {
		return nil, err
	}
	// Without δ: composing its steps with one takes long to work out, and saves persons only where
	// others need far fewer.
	search, err := NewBinarySearch(
		BinarySearchParams{Epsilon: p.Epsilon, Size: p.Size, Beta: p.Beta})
	return []Finder{exponential, search}, err
}

func (p AdviceParams) treeLog() (*TreeLog, error) {
	return NewTreeLog(TreeLogParams{Epsilon: p.Epsilon, Delta: p.Delta, Size: p.Size, Beta: p.Beta})
}

func byNeeds(finders []Finder) {
	slices.SortStableFunc(finders, func(a, b Finder) int {
		return cmp.Compare(a.Needs(), b.Needs())
	})
}

// adviceText says, for example: "a 64-bit domain: the exponential mechanism needs 189 people,
// TreeLog 423; used: the exponential mechanism".
func adviceText(p AdviceParams, a *Advice) phrase.Phrase {
	used := a.Finders[0]
	parts := []any{
		phrase.Of("%s: %s needs %d people", sizeText(p.Size), article(used), used.Needs())}
	for _, f := range a.Finders[1:] {
		switch f.(type) {
		case *Exponential, *TreeLog:
			parts = append(parts, ", ", article(f), " ", f.Needs())
		}
	}
	parts = append(parts, phrase.Of("; used: %s", article(used)))
	if p.Delta.IsZero() {
		parts = append(parts, phrase.Of(", since TreeLog has no guarantee without a δ"))
	}
	if p.Persons > 0 && !a.Enough {
		parts = append(parts, phrase.Of("; with %d people it may well miss", p.Persons))
	}
	return phrase.Glue(parts...)
}

// sizeText names a domain by its bits where it uses all codes of this many bits, otherwise by its
// number of values.
func sizeText(size *big.Int) phrase.Phrase {
	if bits := size.BitLen() - 1; bits >= 8 && size.TrailingZeroBits() == uint(bits) {
		return phrase.Of("a %d-bit domain", bits)
	}
	if size.BitLen() <= 40 {
		return phrase.Of("a domain of %v values", size)
	}
	return phrase.Of("a domain of about 2^%d values", size.BitLen()-1)
}

func article(f Finder) phrase.Phrase {
	switch f.(type) {
	case *TreeLog, *HeavyPaths:
		return f.Name()
	}
	return phrase.Of("the %s", f.Name())
}
