package query

import "math/bits"

// People adds up, over persons, submodular functions with values from 0 to 1: the input of a
// private release. The methods give exact sums over all persons; one replaced person changes each
// marginal by at most MarginalSensitivity, and each mean by at most 1, that is 2^unit. Proof:
// pieces.md, Lemmas 1 and 2.
type People interface {
	Function
	Persons() int

	// Passes is 1 for a monotone function, which needs no tests from above, else 2.
	Passes() int

	// MarginalSensitivity is 1 where each person's marginal is from 0 to 1, and 2 where it is
	// signed.
	MarginalSensitivity() uint64

	// Marginals gives for each open element x of the piece what the tests of that pass compare
	// (Piece.ends).
	Marginals(p Piece, pass int) []int64

	// mean is the sum over persons of the mean value of the person on sets drawn by l, each rounded
	// to a multiple of 2^−unit, in that unit.
	mean(l law) int64 // H: pieces.md own-people
}

// meanUnit is the number that stands for one person in the means of a release.
const (
	meanBits = 20
	meanUnit = 1 << meanBits
)

var _, _ People = Coverage{}, (*Graph)(nil)

// Passes is 1: a coverage is monotone.
func (c Coverage) Passes() int { return 1 }

// MarginalSensitivity is 1: a person either counts or does not.
func (c Coverage) MarginalSensitivity() uint64 { return 1 }

// Marginals returns, for each x, the number of persons with x and nothing of p.In, from below; pass
// is 0.
func (c Coverage) Marginals(p Piece, pass int) []int64 {
	counts := make([]int64, c.size)
	for i := range c.Persons() {
		row := c.Row(i)
		if row.Meets(p.In) {
			continue
		}
		for w, word := range row {
			for ; word != 0; word &= word - 1 {
				counts[64*w+bits.TrailingZeros64(word)]++
			}
		}
	}
	return counts
}

func (c Coverage) mean(l law) int64 {
	sum := int64(0)
	for i := range c.Persons() {
		sum += int64(c.meanOf(l, i))
	}
	return sum
}

// meanOf returns one person's contribution to a mean.
func (c Coverage) meanOf(l law, person int) uint64 {
	row := c.Row(person)
	if row.Meets(l.piece.In) {
		return 1 << l.unit
	}
	return 1<<l.unit - l.misses(row)>>(fine-l.unit)
}

// Passes is 2: a cut function is not monotone.
func (g *Graph) Passes() int { return 2 }

// MarginalSensitivity is 2: an edge that used to leave the cut may now enter it.
func (g *Graph) MarginalSensitivity() uint64 { return 2 }

// Marginals returns, for each x, how many more edges cross when x joins p.In (pass 0) or leaves the
// largest set of the piece (pass 1).
func (g *Graph) Marginals(p Piece, pass int) []int64 {
	marginals := make([]int64, g.Vertices)
	same := func(other int) bool { return p.In.Has(other) } // the other end is where x goes to
	if pass == 1 {
		same = p.Out.Has
	}
	for _, e := range g.Edges {
		if e[0] == e[1] {
			continue
		}
		for i, x := range e {
			if same(e[1-i]) {
				marginals[x]--
			} else {
				marginals[x]++
			}
		}
	}
	return marginals
}

func (g *Graph) mean(l law) int64 {
	sum := int64(0)
	for _, e := range g.Edges {
		if e[0] != e[1] {
			sum += int64(l.parts(e[0], e[1]) >> (fine - l.unit))
		}
	}
	return sum
}
