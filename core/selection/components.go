package selection

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// ComponentsParams are the parameters of Components.
type ComponentsParams struct {
	// Epsilon is the loss granted for one selection: all runs, the components and the choice of the
	// rank together. Required.
	Epsilon privacy.Epsilon

	// Ranks are the numbers of components to try: from 1 to Dimensions, public. With a single one
	// there is one run, which needs no score. Required.
	Ranks []int

	// Dimensions is the number of coordinates, from 1 to 32. Required.
	Dimensions int

	// Side is the number of values of each coordinate, even, from 2 to 2^10. Required.
	Side int64

	// Worth is the part of the largest possible energy of all persons that a component must add to
	// be kept, from 0 to 1: a public price for simplicity. Required.
	Worth *big.Rat

	// Repetitions is the law of the number of runs. Required, without Poisson: some run must be
	// published.
	Repetitions Repetitions
}

// Components finds the directions in which points are most spread around the middle of the box, and
// how many of them are worth keeping: private principal components whose rank is chosen among many
// runs.
//
// # Guarantee
//
// Epsilon-DP for neighbours that replace one person, or one of those that a row stands for. Proof:
// components.md.
//
// # Input and output
//
// Points; the orthonormal components, the strongest first, of the run with the best noisy score:
// the energy that they capture, Σ (v·x)² over components and persons, less Worth for each
// component.
//
// # Errors
//
// [*param.Error] from the constructor for each field; from Release what step returns.
//
// # Cost and accuracy
//
// O(runs · n · dimensions²). The noise on each entry of the scatter matrix is that of
// dimensions²·(Side/2)² over half of a run's ε; of all of it with a single rank.
//
// # Reference
//
// Dwork, Talwar, Thakurta, Zhang, "Analyze Gauss", 2014 (noise on the scatter matrix, here
// Laplace); Liu, Talwar, 2019, section 5.2.
type Components struct {
	best    *Best // nil: a single rank, and one run
	ranks   []int
	dim     int
	side    int64
	price   *big.Rat // of one component and one person
	scatter *mechanism.Laplace
	score   *mechanism.Laplace // nil with best
}

// Axes are the result of one run, the strongest axis first.
type Axes struct {
	Vectors [][]int64 // orthonormal, in units of 2^-15
	// Energy is the energy of all persons along each axis, Σ (v·x)², according to the run's noisy
	// matrix; it may be below 0.
	Energy []float64
}

// ComponentUnit stands for 1 in a component's entries.
const ComponentUnit = 1 << 15

// NewComponents checks the parameters.
func NewComponents(p ComponentsParams) (*Components, error) {
	switch {
	case p.Dimensions < 1 || p.Dimensions > 32: // H: components.md settings
		return nil, refuse("dimensions", fmt.Sprint(p.Dimensions), "a whole number from 1 to 32")
	case len(p.Ranks) == 0 || slices.Min(p.Ranks) < 1 || slices.Max(p.Ranks) > p.Dimensions:
		return nil, refuse("ranks", fmt.Sprint(p.Ranks), "numbers of components from 1 to %d",
			p.Dimensions)
	case p.Side < 2 || p.Side > 1<<10 || p.Side%2 != 0:
		return nil, refuse("side", fmt.Sprint(p.Side), "an even whole number from 2 to 2^10")
	case p.Worth == nil || p.Worth.Sign() < 0 || p.Worth.Cmp(ratOf(1)) > 0:
		return nil, refuse("worth", ratText(p.Worth), "a number from 0 to 1")
	}
	if _, random := p.Repetitions.(poisson); random {
		return nil, refuse("repetitions", p.Repetitions.String(), "a law with at least one run")
	}
	m := &Components{ranks: slices.Clone(p.Ranks), dim: p.Dimensions, side: p.Side}
	m.price = new(big.Rat).Mul(p.Worth, ratOf(m.energy()))
	if slices.Min(p.Ranks) == slices.Max(p.Ranks) {
		sensitivity, _ := m.sensitivities()
		var err error
		m.scatter, err = mechanism.NewLaplace(
			mechanism.LaplaceParams{Epsilon: p.Epsilon, L1Sensitivity: sensitivity})
		return m, err
	}
	each, _, err := shareOut(p.Epsilon, privacy.Delta{}, p.Repetitions)
	if err != nil {
		return nil, err
	}
	if m.best, err = NewBest(BestParams{privacy.PureLoss(each), p.Repetitions}); err != nil {
		return nil, err
	}
	scatter, score := m.sensitivities()
	if m.scatter,
		err = mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: each.Part(1, 2), L1Sensitivity: scatter}); err != nil {
		return nil, err
	}
	m.score, err = mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: each.Part(1, 2), L1Sensitivity: score})
	return m, err
}

// energy is the largest squared distance of a person from the middle.
func (m *Components) energy() int64 { return int64(m.dim) * (m.side / 2) * (m.side / 2) }

// sensitivities are how far one person can move the upper triangle of the scatter matrix, in sum of
// absolute values, and the score.
func (m *Components) sensitivities() (scatter, score uint64) {
	return uint64(m.dim) * uint64(m.energy()), uint64(m.energy())
}

// Loss is the loss of one selection for data sets that differ in d persons.
func (m *Components) Loss(d privacy.Distance) (privacy.Loss, error) {
	if m.best == nil {
		return m.scatter.Loss(d)
	}
	return m.best.Loss(d)
}

// Release runs private principal components a random number of times and returns the best run, with
// one component in each row. people is n, public. step may be nil; it can end the work and receives
// no progress.
func (m *Components) Release(src coin.Source, points Points, people int64,
	step coin.Step) (Axes, error) {
	if m.best == nil {
		return m.axes(src, points, m.ranks[0], step)
	}
	result, _, err := BestOf(src, m.best, func(src coin.Source) (Scored[Axes], error) {
		return m.run(src, points, people, step)
	}, step)
	return result.Output, err
}

// run is one candidate: it draws a rank without the data, computes the components of a noisy
// scatter matrix, and returns their noisy score.
func (m *Components) run(src coin.Source, points Points, people int64,
	step coin.Step) (none Scored[Axes], err error) {
	rank := m.ranks[src.Uniform(uint64(len(m.ranks)))]
	axes, err := m.axes(src, points, rank, step)
	if err != nil {
		return none, err
	}
	total, err := m.captured(points, axes.Vectors, step)
	if err != nil {
		return none, err
	}
	price := new(big.Rat).Mul(m.price, new(big.Rat).SetInt64(people))
	price.Mul(price, ratOf(int64(rank)))
	whole := new(big.Int).Quo(price.Num(), price.Denom())
	return Scored[Axes]{axes, m.score.AddTo(src, total) - whole.Int64()}, nil
}

// axes returns the strongest axes of the noisy scatter matrix.
func (m *Components) axes(src coin.Source, points Points, rank int,
	step coin.Step) (none Axes, err error) {
	sums, err := m.measure(points, step)
	if err != nil {
		return none, err
	}
	if sums, err = m.scatter.Release(src, sums, nil); err != nil {
		return none, err
	}
	return m.strongest(sums, rank), nil
}

// measure adds up the products of coordinates relative to the middle: the upper triangle of the
// scatter matrix, row by row.
func (m *Components) measure(points Points, step coin.Step) ([]int64, error) {
	sums := make([]int64, m.dim*(m.dim+1)/2)
	err := eachPoint(points, m.dim, step, func(at []int64, persons int64) {
		next := 0
		for i := range at {
			for j := i; j < m.dim; j++ {
				sums[next] += persons * (at[i] - m.side/2) * (at[j] - m.side/2)
				next++
			}
		}
	})
	return sums, err
}

// strongest returns the eigenvectors of the noisy matrix with the largest eigenvalues. This is
// post-processing, so floats suffice.
func (m *Components) strongest(sums []int64, rank int) (axes Axes) {
	vectors, values := eigenvectors(m.matrix(sums))
	axes.Energy = values[:rank]
	for _, vector := range vectors[:rank] {
		largest := slices.MaxFunc(vector, func(a, b float64) int {
			return cmp.Compare(math.Abs(a), math.Abs(b))
		})
		sign := math.Copysign(1, largest) // the largest entry is positive
		whole := make([]int64, m.dim)
		for j, x := range vector {
			whole[j] = int64(math.Round(sign * ComponentUnit * x))
		}
		axes.Vectors = append(axes.Vectors, whole)
	}
	return axes
}

// matrix returns the symmetric matrix with this upper triangle.
func (m *Components) matrix(upper []int64) [][]float64 {
	matrix, next := make([][]float64, m.dim), 0
	for i := range matrix {
		matrix[i] = make([]float64, m.dim)
	}
	for i := range m.dim {
		for j := i; j < m.dim; j++ {
			matrix[i][j] = float64(upper[next])
			matrix[j][i] = matrix[i][j]
			next++
		}
	}
	return matrix
}

// EnergyError estimates the error of a run's energies: with probability 1 − beta none of them is
// off by more, since no eigenvalue moves by more than the norm of the noise (Weyl). It is measured
// on draws of the noise from a fixed seed, so it is the same each time and independent of data.
func (m *Components) EnergyError(beta float64) float64 {
	const draws = 400
	src, upper := coin.NewSeeded(1), make([]int64, m.dim*(m.dim+1)/2)
	var norms []float64
	for range draws {
		for i := range upper {
			upper[i] = m.scatter.AddTo(src, 0)
		}
		_, values := eigenvectors(m.matrix(upper))
		norms = append(norms, max(values[0], -values[m.dim-1]))
	}
	slices.Sort(norms)
	return norms[min(int(math.Ceil((1-beta)*draws)), draws)-1]
}

// captured adds up the persons' energy along the components, each from 0 to energy.
func (m *Components) captured(points Points, components [][]int64,
	step coin.Step) (total int64, err error) {
	const squared = ComponentUnit * ComponentUnit
	err = eachPoint(points, m.dim, step, func(at []int64, persons int64) {
		sum := int64(0) // together at most 2^30 times the energy, and a little for rounding
		for _, v := range components {
			dot := int64(0)
			for j, x := range at {
				dot += v[j] * (x - m.side/2)
			}
			sum += dot * dot
		}
		total += persons * min(sum/squared, m.energy())
	})
	return total, err
}
