package classify

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Linear is a halfspace of any dimension: it says yes where Weights · x ≥ 0, x being the codes of a case, each scaled to [−1, 1], and then 1, all divided by
// the root of their number so that x has length at most 1.
type Linear struct {
	Weights []float64
	sizes   []uint64
}

// Says is the answer for a case.
func (l Linear) Says(p Point) bool {
	sum := l.Weights[len(p)]
	for i, code := range p {
		sum += l.Weights[i] * scaled(code, l.sizes[i])
	}
	return sum >= 0
}

func (l Linear) String() string {
	var words []string
	for i, w := range l.Weights {
		name := "1"
		if i < len(l.sizes) {
			name = column(i)
		}
		words = append(words, fmt.Sprintf("%+.3g · %s", w, name))
	}
	return strings.Join(words, " ") + " ≥ 0"
}

func scaleInto(x []float64, p Point, sizes []uint64) {
	length := math.Sqrt(float64(len(x)))
	for i, code := range p {
		x[i] = scaled(code, sizes[i]) / length
	}
	x[len(p)] = 1 / length
}

// scaled is a code from −1 to 1.
func scaled(code, size uint64) float64 { return 2*float64(code)/float64(max(size-1, 1)) - 1 }

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// Halfspaces is the class of halfspaces of any number of columns. It is no Enumerable class (Plane is, for two columns): there is no relabelling by it,
// only Plain answers and polls.
//
// # Learning
// Logistic regression with hardly any regularisation: where halfspaces separate the sample clearly, it finds one; else it need not have the fewest mistakes. In
// floats: a rule is a function of its sample, and privacy asks no more of it. O(persons · columns²) some twenty times.
//
// Proof: answers.md, Theorem 1 for Plain answers, poll.md for polls; relabel.md, Lemma 5 says why there is no relabelling.
//
// # Errors
// *param.Error (sizes) from the constructor.
type Halfspaces struct{ sizes []uint64 }

var _ Class = (*Halfspaces)(nil)

// NewHalfspaces is the class for columns of these sizes: 1 to 64 columns of at most 2^53 codes.
func NewHalfspaces(sizes []uint64) (*Halfspaces, error) {
	if err := checkSizes(sizes, 64, 1<<53); err != nil {
		return nil, err
	}
	return &Halfspaces{slices.Clone(sizes)}, nil
}

func (c *Halfspaces) String() string { return fmt.Sprintf("halfspaces of %d columns", len(c.sizes)) }

// Sizes are those of the columns.
func (c *Halfspaces) Sizes() []uint64 { return slices.Clone(c.sizes) }

// Dimension is one more than the columns.
func (c *Halfspaces) Dimension() int { return len(c.sizes) + 1 }

// LogGrowth is Cover's count 2·Σ (n−1 choose i), i ≤ columns, at most.
func (c *Halfspaces) LogGrowth(n int) float64 {
	return min(math.Ln2+sauer(len(c.sizes), max(n-1, 0)), float64(n)*math.Ln2)
}

// LearnedError is that of a learner without mistakes, which this one is for samples that are clearly separated.
func (c *Halfspaces) LearnedError(s, n int) float64 { return unionError(c.LogGrowth(n), s) }

// Learn finds a rule.
func (c *Halfspaces) Learn(sample []Votes) Rule {
	return Linear{fitLogistic(sample, c.sizes, 1e-6, nil), c.sizes}
}

// fitLogistic minimises (1/n)·Σ ln(1 + e^(−y·w·x)) + ridge/2·|w|² + push·w by Newton's method with steps halved until they help. n is the number of persons of
// the sample, at least 1.
func fitLogistic(sample []Votes, sizes []uint64, ridge float64, push []float64) []float64 {
	d := len(sizes) + 1
	w, x := make([]float64, d), make([]float64, d)
	if push == nil {
		push = make([]float64, d)
	}
	yes, no := totals(sample)
	n := float64(max(yes+no, 1))
	objective := func(w []float64) float64 {
		sum := 0.0
		for _, v := range sample {
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
			scaleInto(x, v.Point, sizes)
			p := 1 / (1 + math.Exp(-dot(w, x)))
			slope := (float64(v.No)*p - float64(v.Yes)*(1-p)) / n
			bend := float64(v.Yes+v.No) * p * (1 - p) / n
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

// softplus is ln(1 + e^z).
func softplus(z float64) float64 { return max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) }

// solveSymmetric solves a positive definite system by Cholesky's decomposition; only the lower triangle of a is read, and it is overwritten.
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
