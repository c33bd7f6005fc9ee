package basic

import (
	"slices"

	"hush/core/phrase"
)

// Sums returns what the noise gave last, before an answer was made of it: public, as every function
// of it is that a question answers with. nil: nothing was drawn.
func (n *Noise) Sums() []int64 { return slices.Clone(n.drawn) }

// Bases are the exact r of discrete Laplace noise on sum j: Bases[j mod len]. Gaussian noise has
// none.
func (n *Noise) Bases() []string {
	if n.kind != Laplace {
		return nil
	}
	return n.bases()
}

// Give makes each later release of a question answer from numbers that were drawn before, without
// a look at the data or a coin. Anyone who has the sums can work that answer out, so it costs no
// privacy. [*param.Error] (sums) refuses such a release where they are fewer or more than the
// question has.
func (n *Noise) Give(sums []int64) { n.given = append([]int64{}, sums...) }

// again is what was given, of this many sums.
func (n *Noise) again(sums int) ([]int64, error) {
	if len(n.given) != sums {
		return nil, refuse("sums", phrase.Of("%d numbers", len(n.given)), "%d, one for each sum",
			sums)
	}
	n.drawn = slices.Clone(n.given)
	return slices.Clone(n.given), nil
}
