package query

import (
	"math"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Conjunctive is a mechanism that releases the conjunctions of records.
type Conjunctive interface {
	mechanism.Mechanism
	Release(src coin.Source, records *Records, step coin.Step) (*Release, error)
}

var _, _, _, _, _ Conjunctive = (*Marginals)(nil), (*MWEM)(nil), (*Boosting)(nil), (*Sampled)(nil),
	conjunctions{}

// conjunctions turns Pieces around: ReleaseConjunctions is its Release.
type conjunctions struct{ *Pieces }

func (c conjunctions) Release(src coin.Source, records *Records, step coin.Step) (*Release, error) {
	return c.ReleaseConjunctions(src, records, step)
}

// ChoiceParams are the public facts that a method is chosen by.
type ChoiceParams struct {
	Epsilon privacy.Epsilon // the privacy loss granted; required
	Delta   privacy.Delta

	Persons int // n; required
	Size    int // d, the number of attributes; required
	Width   int // w, the largest conjunction that will be asked; required
	Rounds  int // of MWEM, from 1 to 1000; 0: as many as MWEMRounds advises
}

// Choice is a method with the error to be expected of it.
type Choice struct {
	Name string // "marginals", "product", "MWEM" or "pieces"

	// Error is about the mean error of a random conjunction of up to Width attributes, as a part of
	// n. It is a rule of thumb: the noise is known, but how far attributes are from independent is
	// not, and must not be looked up.
	Error float64

	New func() (Conjunctive, error) // makes the method, which may take a second where there is a δ
}

// Choose compares the methods by public facts alone and returns those that can be used, the best
// first: Choose(…)[0] is the automatic choice. All have the loss (Epsilon, Delta). The rule of
// thumb is fitted to TestCompare: pieces are taken to be off by 0.12, product by 0.015·(1 − 1/w),
// [MWEM] by 0.14 divided by its rounds and a sixth of its choices' error bound.
func Choose(p ChoiceParams) ([]Choice, error) {
	if !p.Epsilon.IsSet() {
		return nil, refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	}
	if p.Persons < 1 || p.Size < 1 || p.Size > MaxSize || p.Width < 1 {
		return nil, refuse("width", phrase.Of("%d of %d attributes", p.Width, p.Size),
			"at least 1, with at least one attribute and one person")
	}
	p.Width = min(p.Width, p.Size)
	n := float64(p.Persons)
	var choices []Choice
	counted := func(name string, width int, off func(noise float64) float64) {
		k, _ := countSubsets(p.Size, width).Float64()
		choices = append(choices,
			Choice{name, off(p.meanNoise(k) / n), func() (Conjunctive, error) {
				return NewMarginals(
					MarginalsParams{Epsilon: p.Epsilon, Delta: p.Delta, Width: width,
						Product: name == "product"})
			}})
	}
	counted("product", 1, func(noise float64) float64 {
		return 0.015*(1-1/float64(p.Width)) + noise/2
	})
	if p.Width <= 64 {
		choices = append(choices,
			Choice{"pieces", 0.12 + noiseOfPieces(p)/n, func() (Conjunctive, error) {
				most, threshold := PiecesAdvice(p.Persons, p.Size, p.Epsilon, p.Width)
				pieces, err := NewPieces(
					PiecesParams{Epsilon: p.Epsilon, Delta: p.Delta, Most: most,
						Threshold: threshold, Workloads: UpToWidth(p.Width)})
				return conjunctions{pieces}, err
			}})
	}
	if p.Width > 1 && checkClass(p.Size, p.Width) == nil {
		counted("marginals", p.Width, func(noise float64) float64 { return noise })
		if _, err := cellsOf(p.Size); err == nil {
			rounds := p.Rounds
			if rounds == 0 {
				rounds = MWEMRounds(p.Persons, p.Size, p.Epsilon)
			}
			each := p.Epsilon.Float64() / float64(2*rounds)
			if !p.Delta.IsZero() {
				each = max(each, math.Sqrt(p.rho()/float64(rounds)))
			}
			k, _ := countSubsets(p.Size, p.Width).Float64()
			choices = append(choices,
				Choice{"MWEM", 0.14/float64(rounds) + 2*math.Log(k)/each/6/n,
					func() (Conjunctive, error) {
						return NewMWEM(
							MWEMParams{Epsilon: p.Epsilon, Delta: p.Delta, Width: p.Width,
								Rounds: rounds})
					}})
		}
	}
	for i := range choices { // four at most
		for j := i; j > 0 && choices[j].Error < choices[j-1].Error; j-- {
			choices[j], choices[j-1] = choices[j-1], choices[j]
		}
	}
	return choices, nil
}

// meanNoise is about the mean of the absolute noise on each of k counts, in persons.
func (p ChoiceParams) meanNoise(k float64) float64 {
	if p.Delta.IsZero() {
		return k / p.Epsilon.Float64()
	}
	return math.Sqrt(k / p.rho() / math.Pi)
}

// rho is about the largest ρ whose zCDP is (ε, δ)-DP: the root of ε = ρ + 2·√(ρ·ln(1/δ)). It serves
// the rule of thumb only.
func (p ChoiceParams) rho() float64 {
	l := -math.Log(p.Delta.Float64())
	root := math.Sqrt(l+p.Epsilon.Float64()) - math.Sqrt(l)
	return root * root
}

// noiseOfPieces is about the noise of a mean, in persons, when there are as many pieces as advised.
func noiseOfPieces(p ChoiceParams) float64 {
	most, _ := PiecesAdvice(p.Persons, p.Size, p.Epsilon, p.Width)
	return 2 * float64(most*p.Width) / p.Epsilon.Float64()
}
