package query

import (
	"strconv"

	"hush/core/phrase"
)

// Function is a submodular function (H: decompose.md submodular) on the subsets of 0, 1, …,
// Size() − 1, with whole values from 0 to Top(): it stands for the function Value/Top with values
// in [0, 1]. A set has the same value each time (H: decompose.md one-value).
type Function interface {
	Size() int
	Top() int64
	Value(s Set) int64
}

// Coverage is the number of records that meet a set: a disjunction over the set. It is monotone and
// submodular.
type Coverage struct{ *Records }

// Top returns the number of persons.
func (c Coverage) Top() int64 { return int64(c.Persons()) }

// Value counts the records with an attribute of s.
func (c Coverage) Value(s Set) int64 {
	n := int64(0)
	for i := range c.Persons() {
		if c.Row(i).Meets(s) {
			n++
		}
	}
	return n
}

// Edge joins two vertices. An Edge of equal ends crosses no cut; {-1, -1} stands for a person
// without one.
type Edge [2]int

// Graph is a list of edges, one for each person, on the public vertices 0 … Vertices − 1.
type Graph struct {
	Vertices int
	Edges    []Edge
}

// NewGraph checks the number of vertices, and that each edge either has both ends among them or is
// {-1, -1}.
func NewGraph(vertices int, edges []Edge) (*Graph, error) {
	if vertices < 1 || vertices > MaxSize {
		return nil, refuse("vertices", strconv.Itoa(vertices), "from 1 to %d", MaxSize)
	}
	if len(edges) == 0 {
		return nil, refuse("edges", "none", "at least one")
	}
	for _, e := range edges {
		if e != (Edge{-1, -1}) && (min(e[0], e[1]) < 0 || max(e[0], e[1]) >= vertices) {
			return nil, refuse("edges", phrase.Key("an edge with an end outside"),
				"ends from 0 to %d", vertices-1)
		}
	}
	return &Graph{Vertices: vertices, Edges: edges}, nil
}

// Size returns the number of vertices.
func (g *Graph) Size() int { return g.Vertices }

// Top returns the number of edges.
func (g *Graph) Top() int64 { return int64(len(g.Edges)) }

// Persons returns the number of edges; each belongs to one person.
func (g *Graph) Persons() int { return len(g.Edges) }

// Value counts the edges with exactly one end in s: the cut function, submodular and not monotone.
func (g *Graph) Value(s Set) int64 {
	n := int64(0)
	for _, e := range g.Edges {
		if e[0] != e[1] && s.Has(e[0]) != s.Has(e[1]) {
			n++
		}
	}
	return n
}
