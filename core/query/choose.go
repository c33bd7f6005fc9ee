package query

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// Conjunctive is a mechanism that releases the conjunctions of records.
type Conjunctive interface {
	mechanism.Mechanism
	Release(src coin.Source, records *Records, step coin.Step) (*Release, error)
}

var _, _, _, _ Conjunctive = (*Marginals)(nil), (*MWEM)(nil), (*Boosting)(nil), (*Sampled)(nil)

// ChoiceParams are the public facts that a method is chosen by.
type ChoiceParams struct {
	Epsilon privacy.Epsilon // the privacy loss granted; required
	Delta   privacy.Delta

	Persons int // n; required
	Size    int // d, the number of attributes; required
	Width   int // w, the largest conjunction that will be asked; required
}

// Choice is a method with the error to be expected of it.
type Choice struct {
	Name   string // "marginals", "product" or "MWEM"
	Method Conjunctive

	// Error is about the mean error of a random conjunction of up to Width attributes, as a part of n. It is a rule of thumb: the noise is known, but how far
	// attributes are from independent is not, and must not be looked up.
	Error float64
}

// Choose compares the methods by public facts alone and returns those that can be used, the best first (Choose(…)[0] is the automatic choice). The rule of thumb
// is fitted to TestCompare: product is taken to be off by 0.015·(1 − 1/w), MWEM by 0.14 divided by its
// rounds and a sixth of its choices' error bound.
func Choose(p ChoiceParams) ([]Choice, error) {
	if !p.Epsilon.IsSet() {
		return nil, refuse("epsilon", "not set", "a number above 0 and at most 100")
	}
	if p.Persons < 1 || p.Size < 1 || p.Size > MaxSize || p.Width < 1 {
		return nil, refuse("width", strconv.Itoa(p.Width)+" of "+strconv.Itoa(p.Size)+" attributes", "at least 1, with at least one attribute and one person")
	}
	p.Width = min(p.Width, p.Size)
	n := float64(p.Persons)
	var choices []Choice
	product, err := NewMarginals(MarginalsParams{Epsilon: p.Epsilon, Delta: p.Delta, Width: 1, Product: true})
	if err != nil {
		return nil, err
	}
	noise, err := product.MeanNoise(p.Size)
	if err != nil {
		return nil, err
	}
	choices = append(choices, Choice{"product", product, 0.015*(1-1/float64(p.Width)) + noise/n/2})
	if p.Width > 1 && checkClass(p.Size, p.Width) == nil {
		marginals, err := NewMarginals(MarginalsParams{Epsilon: p.Epsilon, Delta: p.Delta, Width: p.Width})
		if err != nil {
			return nil, err
		}
		noise, err := marginals.MeanNoise(p.Size)
		if err != nil {
			return nil, err
		}
		choices = append(choices, Choice{"marginals", marginals, noise / n})
		if _, err := cellsOf(p.Size); err == nil {
			rounds := MWEMRounds(p.Persons, p.Size, p.Epsilon)
			m, err := NewMWEM(MWEMParams{Epsilon: p.Epsilon, Delta: p.Delta, Width: p.Width, Rounds: rounds})
			if err != nil {
				return nil, err
			}
			each, _, err := privacy.EachOf(2*uint64(rounds), p.Epsilon, p.Delta)
			if err != nil {
				return nil, err
			}
			k, _ := countSubsets(p.Size, p.Width).Float64()
			choices = append(choices, Choice{"MWEM", m, 0.14/float64(rounds) + 2*math.Log(k)/each.Float64()/6/n})
		}
	}
	slices.SortStableFunc(choices, func(a, b Choice) int { return cmp.Compare(a.Error, b.Error) })
	return choices, nil
}
