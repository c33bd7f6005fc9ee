package selection

import (
	"fmt"
	"math"
	"slices"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// Points are rows of whole coordinates, each for one person or several.
type Points interface {
	Len() int
	// Point writes row i's coordinates, from 0 to Side − 1, and returns the number of persons that
	// the row stands for; 0 where a coordinate is missing. It depends on that row alone, and there
	// are so few persons that sums stay within 64 bits (H: clusters.md in-box, few-enough;
	// components.md in-box, few-enough; directions.md in-box, few-enough).
	Point(i int, coordinates []int64) (persons int64)
}

// ClustersParams are the parameters of Clusters.
type ClustersParams struct {
	// Epsilon is the loss granted for one selection: all runs, the centres, the sizes and the
	// choice of k together. Required.
	Epsilon privacy.Epsilon

	// Sizes are the numbers of clusters to try: from 2 to 64, public. Required.
	Sizes []int

	// Dimensions is the number of coordinates, from 1 to 64. Required.
	Dimensions int

	// Side is the number of values of each coordinate, even, from 2 to 2^20. Required.
	Side int64

	// Rounds is the number of times that centres move in one run, 1 to 20; 0 stands for 4.
	Rounds int

	// Repetitions is the law of the number of runs. Required, without Poisson: some run must be
	// published.
	Repetitions Repetitions
}

// Clusters finds centres of groups of points, and the number of groups: private k-means in which k
// and the starting centres are chosen among many runs.
//
// # Guarantee
//
// Epsilon-DP for neighbours that replace one person, or one of those that a row stands for. Proof:
// clusters.md.
//
// # Input and output
//
// Points; the centres and the noisy sizes of the run with the best noisy score. The score is a
// person's 1 − a/b, a and b the squared distances to the nearest and the second nearest centre,
// summed over all persons in steps of 1/1024.
//
// # Errors
//
// [*param.Error] from the constructor for each field; from Release what step returns.
//
// # Cost and accuracy
//
// O(runs · rounds · k · n · dimensions). Centres that hold fewer persons than noise can make
// (MinSize) are left out of a run's result.
//
// # Reference
//
// Blum, Dwork, McSherry, Nissim, "Practical Privacy: the SuLQ Framework", 2005 (private k-means);
// Liu, Talwar, 2019, section 5.2. Differs: starting centres are drawn from the public box, and k is
// part of the selection.
type Clusters struct {
	best    *Best
	sizes   []int
	dim     int
	side    int64
	rounds  int
	counts  *mechanism.Laplace // noise on the counts of one round
	sums    *mechanism.Laplace
	score   *mechanism.Laplace
	minSize int64
}

// silhouette is the largest score of one person.
const silhouette = 1 << 10

// NewClusters checks the parameters.
func NewClusters(p ClustersParams) (*Clusters, error) {
	switch {
	// H: clusters.md settings
	case len(p.Sizes) == 0 || slices.Min(p.Sizes) < 2 || slices.Max(p.Sizes) > 64:
		return nil, refuse("sizes", fmt.Sprint(p.Sizes), "numbers of clusters from 2 to 64")
	case p.Dimensions < 1 || p.Dimensions > 64:
		return nil, refuse("dimensions", fmt.Sprint(p.Dimensions), "a whole number from 1 to 64")
	case p.Side < 2 || p.Side > 1<<20 || p.Side%2 != 0:
		return nil, refuse("side", fmt.Sprint(p.Side), "an even whole number from 2 to 2^20")
	case p.Rounds < 0 || p.Rounds > 20:
		return nil, refuse("rounds", fmt.Sprint(p.Rounds),
			"a whole number from 1 to 20, or 0 for 4")
	}
	if _, random := p.Repetitions.(poisson); random {
		return nil, refuse("repetitions", p.Repetitions.String(), "a law with at least one run")
	}
	each, _, err := shareOut(p.Epsilon, privacy.Delta{}, p.Repetitions)
	if err != nil {
		return nil, err
	}
	m := &Clusters{sizes: slices.Clone(p.Sizes), dim: p.Dimensions, side: p.Side, rounds: p.Rounds}
	if m.rounds == 0 {
		m.rounds = 4
	}
	if m.best, err = NewBest(BestParams{privacy.PureLoss(each), p.Repetitions}); err != nil {
		return nil, err
	}
	// A quarter of a run's loss is for its score, the rest for the rounds: in each, half for counts
	// and half for sums.
	part := each.Part(3, int64(8*m.rounds))
	counts, sums, score := m.sensitivities()
	for _, use := range []struct {
		out         **mechanism.Laplace
		epsilon     privacy.Epsilon
		sensitivity uint64
	}{{&m.counts, part, counts}, {&m.sums, part, sums}, {&m.score, each.Part(1, 4), score}} {
		if *use.out,
			err = mechanism.NewLaplace(
			mechanism.LaplaceParams{
				Epsilon: use.epsilon, L1Sensitivity: use.sensitivity}); err != nil {
			return nil, err
		}
	}
	m.minSize = int64(math.Ceil(3 * m.counts.StdDev()))
	return m, nil
}

// sensitivities are how far one person can move the counts of all clusters together, the sums, and
// the score.
func (m *Clusters) sensitivities() (counts, sums, score uint64) {
	return 2, uint64(m.side) * uint64(m.dim), silhouette
}

// Loss is the loss of one selection for data sets that differ in d persons.
func (m *Clusters) Loss(d privacy.Distance) (privacy.Loss, error) { return m.best.Loss(d) }

// MinSize is the number of persons that a centre must appear to hold to be published.
func (m *Clusters) MinSize() int64 { return m.minSize }

// SizeError returns a t such that a published size is off by more than t with probability at most
// beta.
func (m *Clusters) SizeError(beta float64) int64 { return m.counts.ErrorBound(beta) }

// TypicalError is the mean error of one published size.
func (m *Clusters) TypicalError() float64 { return m.counts.ExpectedError() }

// Clustering is the result of one run.
type Clustering struct {
	Centres [][]int64 // coordinates
	// noisy numbers of the persons who were nearest to each centre before its last move
	Sizes []int64
}

// Release runs private k-means a random number of times and returns the best run. step may be nil;
// it can end the work and receives no progress.
func (m *Clusters) Release(src coin.Source, points Points, step coin.Step) (Clustering, error) {
	result, _, err := BestOf(src, m.best, func(src coin.Source) (Scored[Clustering], error) {
		return m.run(src, points, step, nil)
	}, step)
	return result.Output, err
}

// run is one candidate: it draws k and starting centres without the data, moves the centres in
// rounds, and scores the result. moved, if not nil, receives the centres at the start and after
// each round.
func (m *Clusters) run(src coin.Source, points Points, step coin.Step,
	moved func(centres [][]int64)) (Scored[Clustering], error) {
	k := m.sizes[src.Uniform(uint64(len(m.sizes)))]
	centres := make([][]int64, k)
	for c := range centres {
		centres[c] = make([]int64, m.dim)
		for j := range m.dim {
			centres[c][j] = int64(src.Uniform(uint64(m.side)))
		}
	}
	if moved == nil {
		moved = func([][]int64) {}
	}
	moved(centres)
	var sizes []int64
	for range m.rounds {
		counts, sums, err := m.measure(points, centres, step)
		if err != nil {
			return Scored[Clustering]{}, err
		}
		if sizes, err = m.counts.Release(src, counts, nil); err != nil {
			return Scored[Clustering]{}, err
		}
		if sums, err = m.sums.Release(src, sums, nil); err != nil {
			return Scored[Clustering]{}, err
		}
		for c, size := range sizes {
			if size < m.minSize {
				continue // too few persons to locate them
			}
			for j := range m.dim {
				centres[c][j] = min(max(m.side/2+floorDiv(sums[c*m.dim+j], size), 0), m.side-1)
			}
		}
		moved(centres)
	}
	var found Clustering
	for c, size := range sizes {
		if size >= m.minSize {
			found.Centres, found.Sizes = append(found.Centres, centres[c]),
				append(found.Sizes, size)
		}
	}
	total, err := m.silhouettes(points, found.Centres, step)
	if err != nil {
		return Scored[Clustering]{}, err
	}
	return Scored[Clustering]{found, m.score.AddTo(src, total)}, nil
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// measure counts the persons nearest to each centre, and sums up their coordinates relative to the
// middle of the box.
func (m *Clusters) measure(points Points, centres [][]int64,
	step coin.Step) (counts, sums []int64, err error) {
	counts, sums = make([]int64, len(centres)), make([]int64, len(centres)*m.dim)
	err = eachPoint(points, m.dim, step, func(at []int64, persons int64) {
		c, _, _ := nearest(at, centres)
		counts[c] += persons
		for j, x := range at {
			sums[c*m.dim+j] += persons * (x - m.side/2)
		}
	})
	return counts, sums, err
}

// silhouettes returns the score of centres: at most silhouette for each person; 0 where there are
// fewer than two centres.
func (m *Clusters) silhouettes(points Points, centres [][]int64,
	step coin.Step) (total int64, err error) {
	if len(centres) < 2 {
		return 0, nil
	}
	err = eachPoint(points, m.dim, step, func(at []int64, persons int64) {
		_, a, b := nearest(at, centres)
		if b > 0 {
			total += persons * (silhouette - (silhouette*a+b-1)/b)
		}
	})
	return total, err
}

// eachPoint visits the points. It calls step without progress, since the number of runs is secret.
func eachPoint(points Points, dimensions int, step coin.Step,
	f func(at []int64, persons int64)) error {
	at := make([]int64, dimensions)
	for i := range points.Len() {
		if i%4096 == 0 {
			if err := pause(step); err != nil {
				return err
			}
		}
		if persons := points.Point(i, at); persons > 0 {
			f(at, persons)
		}
	}
	return nil
}

// nearest returns the first centre with the least squared distance, that distance, and the least
// distance to another centre.
func nearest(at []int64, centres [][]int64) (c int, a, b int64) {
	a, b = math.MaxInt64, math.MaxInt64
	for i, centre := range centres {
		d := int64(0)
		for j, x := range at {
			d += (x - centre[j]) * (x - centre[j])
		}
		switch {
		case d < a:
			c, a, b = i, d, a
		case d < b:
			b = d
		}
	}
	return c, a, b
}
