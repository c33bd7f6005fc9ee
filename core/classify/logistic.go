package classify

import (
	"fmt"
	"math"

	"hush/core/coin"
	"hush/core/privacy"
)

// LogisticParams are the parameters of Logistic.
type LogisticParams struct {
	Sizes   []uint64        // of the columns; 1 to 64 of at most 2^53 codes; required
	Epsilon privacy.Epsilon // required
	Persons uint64          // n; required
	Ridge   float64         // Λ, of the regularisation; 0 stands for 0.001
}

// Logistic is logistic regression by objective perturbation. It is for comparison and for teaching, not for releases: its noise is drawn in floats and its optimum
// found in floats, so that its proof, which is about real numbers, does not hold to the last bit. Its result is an Inexact, which no release takes.
//
// # Guarantee
// In real numbers ε-DP for neighbours that differ in one replaced person, n public. In floats none is claimed. Proof: the paper's Theorem 9; a bounded x, here of length at most 1 (scaleInto), is what it asks.
//
// # Errors
// *param.Error (sizes, epsilon, persons, ridge) from the constructor.
//
// # Reference
// Chaudhuri, Monteleoni, Sarwate, "Differentially Private Empirical Risk Minimization", 2011, Algorithm 2. Differs: a person without a point has
// x = 0, which adds a constant to the objective.
type Logistic struct {
	class   *Halfspaces
	epsilon float64
	persons float64
	ridge   float64
}

// Inexact is a rule whose privacy is proven in real numbers only. It is no release.
type Inexact struct{ Rule }

// NewLogistic checks the parameters.
func NewLogistic(p LogisticParams) (*Logistic, error) {
	class, err := NewHalfspaces(p.Sizes)
	switch {
	case err != nil:
		return nil, err
	case !p.Epsilon.IsSet():
		return nil, refuse("epsilon", "not set", "a number above 0 and at most 100")
	case p.Persons == 0:
		return nil, refuse("persons", "0", "at least 1")
	case p.Ridge < 0 || !(p.Ridge <= 1):
		return nil, refuse("ridge", fmt.Sprintf("%g", p.Ridge), "a number above 0 and at most 1, or 0 for 0.001")
	case p.Ridge == 0:
		p.Ridge = 0.001
	}
	return &Logistic{class, p.Epsilon.Float64(), float64(p.Persons), p.Ridge}, nil
}

// Learn perturbs the objective and minimises it.
func (m *Logistic) Learn(src coin.Source, examples []Example) Inexact {
	const bend = 0.25 // the largest second derivative of the loss
	ridge, strength := m.ridge, 0.0
	gap := bend / (m.persons * ridge)
	if strength = m.epsilon - math.Log(1+2*gap+gap*gap); strength <= 0 {
		ridge, strength = bend/(m.persons*math.Expm1(m.epsilon/4)), m.epsilon/2
	}
	d := len(m.class.sizes) + 1
	push, length := make([]float64, d), 0.0
	for i := range push {
		push[i] = math.Sqrt(-2*math.Log(uniform(src))) * math.Cos(2*math.Pi*uniform(src)) // a normal, for the direction
		length -= math.Log(uniform(src)) * 2 / strength                                   // exponentials, for a length with density ∝ t^(d−1)·e^(−strength·t/2)
	}
	norm := math.Sqrt(dot(push, push))
	for i := range push {
		push[i] *= length / norm / m.persons
	}
	// Persons without a point are no part of the sample: the objective is that of all n, times n over those with one.
	sample := votes(examples, m.class.sizes, nil)
	yes, no := totals(sample)
	scale := m.persons / float64(max(yes+no, 1))
	for i := range push {
		push[i] *= scale
	}
	return Inexact{Linear{fitLogistic(sample, m.class.sizes, ridge*scale, push), m.class.sizes}}
}

// uniform is a number between 0 and 1.
func uniform(src coin.Source) float64 { return (float64(src.Uniform(1<<53)) + 0.5) / (1 << 53) }
