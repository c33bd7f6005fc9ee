package density

import (
	"math/big"

	"hush/core/phrase"
	"hush/core/privacy"
)

// Goal is the purpose of a distribution.
type Goal string

const (
	// Function asks for small errors of the distribution function: quantiles, and how many have a
	// value in a range.
	Function Goal = "function"

	// Density asks for small errors of the density, summed over all values: its picture, and
	// synthetic data.
	Density Goal = "density"
)

// AdviceParams holds the public facts on which the choice of an algorithm rests.
type AdviceParams struct {
	// Epsilon is the privacy loss granted for one replaced person. Required.
	Epsilon privacy.Epsilon

	// Delta is granted besides. 0 leaves out the algorithms that need one.
	Delta privacy.Delta

	// Size is the number of values of the domain. Required.
	Size *big.Int

	// Persons is n, the public number of persons with or without a value. From 1 to 2^40; required.
	Persons uint64

	// Goal is Function unless set.
	Goal Goal

	// Beta is the probability with which the bands may miss; 0 stands for 0.05.
	Beta float64
}

// Forecast holds what is known about a release beforehand, from public facts.
type Forecast struct {
	Cells int // of the distribution, at most
	// persons by which, with probability 1 − Beta, no count at a bound of a cell is off
	Within float64
	// the same for counts at any value; all persons where nothing is known between the bounds
	Anywhere float64
	// persons by which the count that is furthest off is off on average, whatever the value: a rule
	// of thumb, fitted to TREES.md
	Typical float64
}

// Advice is the choice of a [Learner], with its reason.
type Advice struct {
	// Learners are all, the one to use first.
	Learners []Learner

	// Text says in a sentence why.
	Text phrase.Phrase

	// Open says that public facts do not decide between the first two, or how many rounds suit:
	// that depends on what the data are like, and can be chosen privately.
	Open bool
}

// small bounds a domain in which counts of all values can be told apart.
const small = 1 << 13

// Advise chooses from public facts alone, without looking at the data and at no loss: the loss of a
// release is the loss of the chosen learner (Learner.Loss). Proof: learner.go names the proof of
// each. The rule is fitted to comparisons on real and made-up columns (doc.go).
//
// # Errors
//
// [*param.Error] for parameters that no algorithm takes, or another goal (goal).
func Advise(p AdviceParams) (*Advice, error) {
	if p.Goal == "" {
		p.Goal = Function
	}
	if p.Goal != Function && p.Goal != Density {
		return nil, refuse("goal", string(p.Goal), `"function" or "density"`)
	}
	merr, err := NewMERR(
		MERRParams{Epsilon: p.Epsilon, Delta: p.Delta, Size: p.Size, Persons: p.Persons,
			Recount: recounted, Beta: p.Beta})
	if err != nil {
		return nil, err
	}
	tree, err := NewQuantileTree(
		QuantileTreeParams{Epsilon: p.Epsilon, Delta: p.Delta, Size: p.Size, Persons: p.Persons,
			Depth: shallow, Beta: p.Beta})
	if err != nil {
		return nil, err
	}
	hierarchy, err := NewHierarchy(
		HierarchyParams{Epsilon: p.Epsilon, Size: p.Size, Persons: p.Persons, Beta: p.Beta})
	if err != nil {
		return nil, err
	}
	sparse, err := NewPrivTree(
		PrivTreeParams{Epsilon: p.Epsilon, Size: p.Size, Persons: p.Persons, Beta: p.Beta})
	if err != nil {
		return nil, err
	}
	histogram, err := NewHistogram(
		HistogramParams{Epsilon: p.Epsilon, Size: p.Size, Persons: p.Persons, Cells: small,
			Beta: p.Beta})
	if err != nil {
		return nil, err
	}
	size := float(p.Size)
	thin := float64(p.Persons)*p.Epsilon.Float64() < size/2
	switch {
	case p.Goal == Function && size <= mostCells &&
		hierarchy.ErrorAnywhere() < sparse.ErrorAnywhere():
		return &Advice{[]Learner{hierarchy, sparse, merr, tree, histogram},
			phrase.Of("%v values can all be counted, and a tree of counts keeps the noise of "+
				"sums small", p.Size), false}, nil
	case p.Goal == Function && bitsOf(p.Size) <= deepest:
		return &Advice{[]Learner{sparse, merr, tree, hierarchy, histogram},
			phrase.Of("there are many values for so few persons: a tree of counts is grown where " +
				"persons are"), size > mostCells}, nil
	case p.Goal == Density && size <= small && !thin:
		return &Advice{[]Learner{histogram, hierarchy, sparse, merr, tree},
				phrase.Of("%v values can all be counted, with enough persons for each", p.Size),
				false},
			nil
	case p.Goal == Density && size <= small:
		return &Advice{[]Learner{tree, merr, sparse, histogram, hierarchy},
			phrase.Of("there are too few persons to count each value: cells with the same number " +
				"of persons"), true}, nil
	}
	return &Advice{[]Learner{merr, tree, sparse, hierarchy, histogram},
		phrase.Of("the domain is too large to count each value: places where the approximation " +
			"is worst"), true}, nil
}

// What Advise asks for.
const (
	recounted = 6 // sixteenths of ε
	shallow   = 4 // levels of the quantile tree
)
