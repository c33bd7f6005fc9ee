package query

import (
	"strconv"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// PairsParams are the parameters of Pairs.
type PairsParams struct {
	Epsilon privacy.Epsilon // the privacy loss granted; exactly one of Epsilon and Base is given
	Base    coin.Base       // r itself, in place of Epsilon: the loss is then 2·ln r
}

// Pairs counts the edges between every two vertices, with noise: the standard mechanism to compare
// cuts by [Pieces] with. A cut is the sum of the counts across it.
//
// # Guarantee
//
// Pure Epsilon-DP for neighbours that differ in one replaced edge, which leaves one count and joins
// another. Proof: marginals.md.
//
// # Errors
//
// [*param.Error] (epsilon, base) from the constructor, (vertices) from Release for more than 1024
// vertices.
//
// # Cost and accuracy
//
// V·(V − 1)/2 counts. The noise of a cut of s of V vertices has the standard deviation √(s·(V − s))
// times that of one count, about 2.8/ε: whatever the number of edges.
type Pairs struct{ laplace *mechanism.Laplace }

var _ mechanism.Mechanism = (*Pairs)(nil)

const mostPairVertices = 1024

// NewPairs checks the parameters.
func NewPairs(p PairsParams) (*Pairs, error) {
	laplace, err := mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: p.Epsilon, Base: p.Base, L1Sensitivity: 2,
			LargestMove: 1})
	return &Pairs{laplace}, err
}

// Loss returns the loss of all counts together.
func (m *Pairs) Loss(d privacy.Distance) (privacy.Loss, error) { return m.laplace.Loss(d) }

// StdDev returns the standard deviation of one count, in edges.
func (m *Pairs) StdDev() float64 { return m.laplace.StdDev() }

// Release counts. step may be nil.
func (m *Pairs) Release(src coin.Source, g *Graph, step coin.Step) (*Release, error) {
	if err := checkPairs(g.Vertices); err != nil {
		return nil, err
	}
	counts := make([]int64, g.Vertices*(g.Vertices-1)/2)
	for _, e := range g.Edges {
		if e[0] != e[1] {
			counts[pairIndex(e[0], e[1])]++
		}
	}
	noisy, err := m.laplace.Release(src, counts, step)
	if err != nil {
		return nil, err
	}
	loss, err := m.Loss(1)
	return &Release{Format: format, Method: ByPairs, Kind: Cuts, Size: g.Vertices,
			Persons: len(g.Edges), Loss: loss, Origin: src.Origin(), Noise: m.StdDev(),
			Counts: noisy},
		err
}

func checkPairs(vertices int) error {
	if vertices < 2 || vertices > mostPairVertices { // H: marginals.md vertices
		return refuse("vertices", strconv.Itoa(vertices), "from 2 to %d", mostPairVertices)
	}
	return nil
}

// pairIndex numbers the pairs of different vertices: {0,1}, {0,2}, {1,2}, {0,3}, ….
func pairIndex(u, v int) int {
	u, v = min(u, v), max(u, v)
	return v*(v-1)/2 + u
}
