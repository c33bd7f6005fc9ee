package classify

import (
	"fmt"
	"math"
	"slices"

	"hush/core/coin"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// LogisticParams are the parameters of Logistic.
type LogisticParams struct {
	Sizes   []uint64        // of the columns; 1 to 64 of at most 2^53 codes; required
	Epsilon privacy.Epsilon // required
	Persons uint64          // n; required
	Ridge   float64         // Λ, of the regularisation; 0 stands for 10^-5
}

// Logistic is logistic regression by objective perturbation. It is for comparison and teaching, not
// for releases: its noise and its optimum are computed in floats, so its proof, which is about real
// numbers, does not hold to the last bit. Its result is an [Inexact], which no release takes.
//
// # Guarantee
//
// In real numbers ε-DP for neighbours that differ in one replaced person, n public. In floats none
// is claimed. Proof: the paper's Theorem 9; a bounded x, here of length at most 1 (scaleInto), is
// what it asks.
//
// # Errors
//
// [*param.Error] (sizes, epsilon, persons, ridge) from the constructor.
//
// # Reference
//
// Chaudhuri, Monteleoni, Sarwate, "Differentially Private Empirical Risk Minimization", 2011,
// Algorithm 2. Differs: a person without a point has x = 0, which adds a constant to the objective;
// and Λ is raised wherever ε' would be below ε/2, not only below 0.
type Logistic struct {
	sizes   []uint64
	epsilon float64
	persons float64
	ridge   float64
}

// Inexact is a rule whose privacy is proven only in real numbers. It is not a release. It says yes
// where Weights · x ≥ 0; x is the codes of a case, each scaled to [−1, 1], and then 1, all divided
// by the root of their number so that x has length at most 1.
type Inexact struct {
	Weights []float64
	sizes   []uint64
}

// Says returns the answer for a case.
func (r Inexact) Says(p Point) bool {
	x := make([]float64, len(r.Weights))
	scaleInto(x, p, r.sizes)
	return dot(r.Weights, x) >= 0
}

func (r Inexact) String() string { return r.Phrase().String() }

// Phrase is String in any language.
func (r Inexact) Phrase() phrase.Phrase {
	return phrase.Of("weights %.3g of scaled columns", r.Weights)
}

// NewLogistic checks the parameters.
func NewLogistic(p LogisticParams) (*Logistic, error) {
	switch err := checkSizes(p.Sizes, 64, 1<<53); {
	case err != nil:
		return nil, err
	case !p.Epsilon.IsSet():
		return nil, refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	case p.Persons == 0:
		return nil, refuse("persons", "0", "at least 1")
	case p.Ridge < 0 || !(p.Ridge <= 1):
		return nil, refuse("ridge", fmt.Sprintf("%g", p.Ridge),
			"a number above 0 and at most 1, or 0 for 10^-5")
	case p.Ridge == 0:
		p.Ridge = 1e-5
	}
	return &Logistic{slices.Clone(p.Sizes), p.Epsilon.Float64(), float64(p.Persons), p.Ridge}, nil
}

// Learn perturbs the objective and minimises it. step may be nil; it learns no progress.
func (m *Logistic) Learn(src coin.Source, examples []Example, step coin.Step) (Inexact, error) {
	const bend = 0.25 // the largest second derivative of the loss
	ridge := max(m.ridge, bend/(m.persons*math.Expm1(m.epsilon/4)))
	strength := m.epsilon - 2*math.Log1p(bend/(m.persons*ridge)) // the paper's ε', at least ε/2
	d := len(m.sizes) + 1
	push, length := make([]float64, d), 0.0
	for i := range push {
		// a normal, for the direction
		push[i] = math.Sqrt(-2*math.Log(uniform(src))) * math.Cos(2*math.Pi*uniform(src))
		// exponentials, for a length with density ∝ t^(d−1)·e^(−strength·t/2)
		length -= math.Log(uniform(src)) * 2 / strength
	}
	norm := math.Sqrt(dot(push, push))
	for i := range push {
		push[i] *= length / norm / m.persons
	}
	// Persons without a point are no part of the sample: the objective is that of all n, times n
	// over those with one.
	p := &pace{step: step}
	sample := votes(examples, m.sizes, p)
	yes, no := totals(sample)
	scale := m.persons / float64(max(yes+no, 1))
	for i := range push {
		push[i] *= scale
	}
	weights := fitLogistic(sample, m.sizes, ridge*scale, push, p)
	if p.err != nil {
		return Inexact{}, p.err
	}
	return Inexact{weights, m.sizes}, nil
}

// uniform returns a number between 0 and 1.
func uniform(src coin.Source) float64 { return (float64(src.Uniform(1<<53)) + 0.5) / (1 << 53) }

// scaleInto writes a case as a vector of length at most 1.
func scaleInto(x []float64, p Point, sizes []uint64) {
	length := math.Sqrt(float64(len(x)))
	for i, code := range p {
		x[i] = (2*float64(code)/float64(max(sizes[i]-1, 1)) - 1) / length
	}
	x[len(p)] = 1 / length
}

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// fitLogistic minimises (1/n)·Σ ln(1 + e^(−y·w·x)) + ridge/2·|w|² + push·w by Newton's method with
// steps halved until they help. n is the number of persons of the sample, at least 1.
func fitLogistic(sample []Votes, sizes []uint64, ridge float64, push []float64, p *pace) []float64 {
	d := len(sizes) + 1
	w, x := make([]float64, d), make([]float64, d)
	yes, no := totals(sample)
	n := float64(max(yes+no, 1))
	objective := func(w []float64) float64 {
		sum := 0.0
		for _, v := range sample {
			if !p.on() {
				break
			}
			scaleInto(x, v.Point, sizes)
			z := dot(w, x)
			sum += float64(v.Yes)*softplus(-z) + float64(v.No)*softplus(z)
		}
		return sum/n + ridge/2*dot(w, w) + dot(push, w)
	}
	now := objective(w)
	for range 60 {
		gradient, hessian := make([]float64, d), make([][]float64, d)
		for i := range hessian {
			hessian[i] = make([]float64, d)
			hessian[i][i] = ridge
			gradient[i] = ridge*w[i] + push[i]
		}
		for _, v := range sample {
			if !p.on() {
				return w
			}
			scaleInto(x, v.Point, sizes)
			yes := 1 / (1 + math.Exp(-dot(w, x)))
			slope := (float64(v.No)*yes - float64(v.Yes)*(1-yes)) / n
			bend := float64(v.Yes+v.No) * yes * (1 - yes) / n
			for i := range d {
				gradient[i] += slope * x[i]
				for j := range i + 1 {
					hessian[i][j] += bend * x[i] * x[j]
				}
			}
		}
		step := solveSymmetric(hessian, gradient)
		next := make([]float64, d)
		better := false
		for length := 1.0; length > 1e-4 && !better; length /= 2 {
			for i := range next {
				next[i] = w[i] - length*step[i]
			}
			if value := objective(next); value < now {
				better = now-value > 1e-11*(1+math.Abs(now))
				w, now = next, value
				break
			}
		}
		if !better {
			break
		}
	}
	return w
}

// softplus returns ln(1 + e^z).
func softplus(z float64) float64 { return max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) }

// solveSymmetric solves a positive definite system by Cholesky's decomposition; only the lower
// triangle of a is read, and it is overwritten.
func solveSymmetric(a [][]float64, b []float64) []float64 {
	d := len(b)
	x := slices.Clone(b)
	for i := range d {
		for j := range i + 1 {
			sum := a[i][j]
			for k := range j {
				sum -= a[i][k] * a[j][k]
			}
			if i == j {
				a[i][i] = math.Sqrt(max(sum, 1e-300))
			} else {
				a[i][j] = sum / a[j][j]
			}
		}
		for k := range i {
			x[i] -= a[i][k] * x[k]
		}
		x[i] /= a[i][i]
	}
	for i := d - 1; i >= 0; i-- {
		for k := i + 1; k < d; k++ {
			x[i] -= a[k][i] * x[k]
		}
		x[i] /= a[i][i]
	}
	return x
}
