package density

import (
	"fmt"
	"math"
	"math/big"
	"slices"
)

// Shape is what is known about a density beforehand, whatever the data say.
type Shape string

const (
	Rising     Shape = "rising"      // the density never falls
	Falling    Shape = "falling"     // the density never rises
	Unimodal   Shape = "unimodal"    // it rises and then falls
	Bimodal    Shape = "bimodal"     // it does so at most twice
	Trimodal   Shape = "trimodal"    // at most three times
	LogConcave Shape = "log-concave" // its logarithm is concave: unimodal with light tails
	// the hazard rate rises: of those who are left, an ever larger part has the next value
	HazardRate Shape = "hazard rate"
)

// Shaped returns the nearest distribution of a shape, with as many persons: by weighted least
// squares on densities (Rising, Falling, and Modal) or on hazard rates, or by least absolute
// differences of logarithms weighted by persons (LogConcave). The bands remain those of the
// distribution, so they show where a shape does not fit.
//
// It is free: post-processing. Proof: learn.md, Shapes. Where there are many cells they are merged
// first, to 512, or 40 for LogConcave. *param.Error (shape).
func (d *Distribution) Shaped(shape Shape) (*Distribution, error) {
	switch shape {
	case Rising:
		return d.withDensities(weightedRising(d.densities()))
	case Falling:
		density, width := d.densities()
		return d.withDensities(reversed(weightedRising(reversed(density), reversed(width))))
	case Unimodal:
		return d.Modal(1)
	case Bimodal:
		return d.Modal(2)
	case Trimodal:
		return d.Modal(3)
	case LogConcave:
		return d.logConcave()
	case HazardRate:
		return d.hazardRate()
	}
	return nil, refuse("shape", string(shape),
		`one of "rising", "falling", "unimodal", "bimodal", "trimodal", "log-concave", "hazard rate"`)
}

// mostShaped bounds the cells of Modal, whose work grows with their square.
const mostShaped = 512

// mostConcave bounds the cells of a linear program.
const mostConcave = 40

// Modal returns the nearest distribution, by least squares on densities, that rises and falls at
// most modes times. *param.Error (modes) unless it is 1 to 8.
func (d *Distribution) Modal(modes int) (*Distribution, error) {
	if modes < 1 || modes > 8 {
		return nil, refuse("modes", fmt.Sprint(modes), "1 to 8")
	}
	if len(d.mass) > mostShaped {
		coarse, err := d.Pieces(mostShaped)
		if err != nil {
			return nil, err
		}
		return coarse.Modal(modes)
	}
	density, width := d.densities()
	m := len(density)
	up := make([][]float64, m+1) // up[i][j] is the cost of the cells i … i+j−1 rising
	down := make([][]float64, m+1)
	backwards, widthBackwards := reversed(density), reversed(width)
	for i := range m {
		up[i] = risingCosts(density[i:], width[i:])
		down[i] = risingCosts(backwards[i:], widthBackwards[i:]) // by how many cells are behind it
	}
	// cost[s][j]: the first j cells in s runs, rising and falling in turn.
	runs := 2 * modes
	cost, start := make([][]float64, runs+1), make([][]int, runs+1)
	cost[0] = make([]float64, m+1)
	for j := 1; j <= m; j++ {
		cost[0][j] = math.Inf(1)
	}
	for s := 1; s <= runs; s++ {
		cost[s], start[s] = make([]float64, m+1), make([]int, m+1)
		for j := range m + 1 {
			cost[s][j] = math.Inf(1)
			for i := range j + 1 {
				c := cost[s-1][i]
				switch {
				case i == j:
				case s%2 == 1:
					c += up[i][j-i]
				default:
					c += down[m-j][j-i]
				}
				if c < cost[s][j] {
					cost[s][j], start[s][j] = c, i
				}
			}
		}
	}
	fitted := make([]float64, m)
	for s, end := runs, m; s > 0; s-- {
		from := start[s][end]
		if s%2 == 1 {
			copy(fitted[from:end], weightedRising(density[from:end], width[from:end]))
		} else {
			copy(fitted[from:end],
				reversed(weightedRising(reversed(density[from:end]), reversed(width[from:end]))))
		}
		end = from
	}
	return d.withDensities(fitted)
}

// risingCosts returns, for every j, the weighted squares that remain when the first j numbers are
// made to rise, in one pass of pooling.
func risingCosts(x, weights []float64) []float64 {
	type pool struct{ mean, weight, squares float64 } // squares about the mean
	costs := make([]float64, 1, len(x)+1)
	var pools []pool
	total := 0.0
	for i, v := range x {
		p := pool{v, weights[i], 0}
		for k := len(pools) - 1; k >= 0 && pools[k].mean >= p.mean; k-- {
			q := pools[k]
			weight := q.weight + p.weight
			gap := q.mean - p.mean
			total -= q.squares
			p = pool{(q.mean*q.weight + p.mean*p.weight) / weight, weight,
				q.squares + p.squares + gap*gap*q.weight*p.weight/weight}
			pools = pools[:k]
		}
		pools, total = append(pools, p), total+p.squares
		costs = append(costs, total)
	}
	return costs
}

// hazardRate makes the hazard rates of the cells rise, weighted by the persons left times the
// length of the cell.
func (d *Distribution) hazardRate() (*Distribution, error) {
	_, width := d.densities()
	left, total := d.Total(), d.Total()
	rate, weight := make([]float64, len(d.mass)), make([]float64, len(d.mass))
	const most = 40 // e^-40 of those at the start of a cell are left at its end
	for i, m := range d.mass {
		rate[i], weight[i] = most/width[i], left*width[i]
		if left > 0 && m < left {
			rate[i] = min(-math.Log1p(-m/left)/width[i], rate[i])
		}
		if left <= 0 {
			weight[i] = 1e-300 // nobody is left: any rate will do
		}
		left -= m
	}
	fitted := weightedRising(rate, weight)
	density := make([]float64, len(fitted))
	left = total
	for i, r := range fitted {
		gone := left * -math.Expm1(-r*width[i])
		density[i] = gone / width[i]
		left -= gone
	}
	return d.withDensities(density)
}

// logConcave solves the linear program: min Σ persons·|φ_i − ln density_i| for a φ that is concave
// in the middles of the cells.
func (d *Distribution) logConcave() (*Distribution, error) {
	if len(d.mass) > mostConcave {
		coarse, err := d.Pieces(mostConcave)
		if err != nil {
			return nil, err
		}
		return coarse.logConcave()
	}
	density, width := d.densities()
	m, total := len(density), d.Total()
	if m < 3 || total <= 0 {
		return d, nil
	}
	middle := make([]float64, m)
	at := 0.0
	for i, w := range width {
		middle[i] = at + w/2
		at += w
	}
	mean := total / at
	// φ_i = y_i − z_i above or below the target; slopes fall. Variables: y, z, slacks of m − 2
	// constraints. Cells of nobody weigh nearly nothing and have a target far below.
	const far = -30
	target, cost := make([]float64, m), make([]float64, 2*m+m-2)
	for i, f := range density {
		target[i] = far
		if f > 0 {
			target[i] = max(math.Log(f/mean), far)
		}
		cost[i] = d.mass[i]/total + 1e-6
		cost[m+i] = cost[i]
	}
	matrix, right := make([][]float64, m-2), make([]float64, m-2)
	for i := range matrix {
		matrix[i] = make([]float64, len(cost))
		// (φ_{i+2} − φ_{i+1})/(x_{i+2} − x_{i+1}) − (φ_{i+1} − φ_i)/(x_{i+1} − x_i) ≤ 0, times the
		// mean gap
		left, next := middle[i+1]-middle[i], middle[i+2]-middle[i+1]
		unit := math.Min(left, next)
		row := []float64{unit / left, -unit/left - unit/next, unit / next}
		for k, x := range row {
			matrix[i][i+k] = x
			matrix[i][m+i+k] = -x
			right[i] -= x * target[i+k]
		}
		matrix[i][2*m+i] = 1
	}
	x, _, ok := minimise(cost, matrix, right)
	if !ok {
		return nil, refuse("shape", string(LogConcave),
			"another shape: this distribution has cells too uneven for it")
	}
	fitted := make([]float64, m)
	for i := range fitted {
		fitted[i] = mean * math.Exp(target[i]+x[i]-x[m+i])
	}
	return d.withDensities(fitted)
}

// densities holds the persons for a part of the domain, and the part of the domain that each cell
// is.
func (d *Distribution) densities() (density, width []float64) {
	density, width = make([]float64, len(d.mass)), make([]float64, len(d.mass))
	for i, m := range d.mass {
		width[i] = ratio(new(big.Int).Sub(d.bounds[i+1], d.bounds[i]), d.Size())
		density[i] = m / width[i]
	}
	return density, width
}

// withDensities returns the distribution with other densities of its cells, scaled to as many
// persons.
func (d *Distribution) withDensities(density []float64) (*Distribution, error) {
	_, width := d.densities()
	mass, sum := make([]float64, len(density)), 0.0
	for i, f := range density {
		mass[i] = max(f, 0) * width[i]
		sum += mass[i]
	}
	for i := range mass {
		if sum > 0 {
			mass[i] *= d.Total() / sum
		}
	}
	return d.inherit(slices.Clone(d.bounds), mass), nil
}

func reversed(list []float64) []float64 {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}
