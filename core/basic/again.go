package basic

import (
	"slices"

	"hush/core/phrase"
)

// Sums returns what the noise last gave, before it became an answer. It is public, like every
// function of it that a question answers with. It is nil if nothing was drawn.
func (n *Noise) Sums() []int64 { return slices.Clone(n.drawn) }

// Give makes each later release of a question answer from numbers that were drawn before, without
// looking at the data or drawing a coin. Anyone who has the numbers can compute that answer, so it
// costs no privacy. again is what the question states about the draw: the bases of Laplace noise,
// or what the latest of the averaged releases cost. [*param.Error] (epsilon, topUp) where releases
// cannot be averaged into an answer to this question; and (sums) refuses such a release where there
// are fewer or more numbers than the question has.
func (n *Noise) Give(raw Raw) (again Raw, err error) {
	sums := raw.Sums
	if last := len(raw.Draws) - 1; last >= 0 {
		if sums = raw.Draws[last].Sums; n.kind != Gaussian {
			return Raw{}, refuse("topUp", n.kind.Phrase(),
				"discrete Gaussian noise in all releases")
		}
		if last > 0 {
			a, err := n.averaging(raw.Draws[:last])
			if err != nil {
				return Raw{}, err
			}
			n.use(a)
		}
	}
	n.given = append([]int64{}, sums...)
	return n.raw(sums), nil
}

// again returns the given numbers as this many sums.
func (n *Noise) again(sums int) ([]int64, error) {
	if len(n.given) != sums {
		return nil, refuse("sums", phrase.Of("%d numbers", len(n.given)), "%d, one for each sum",
			sums)
	}
	n.drawn = slices.Clone(n.given)
	if n.average != nil {
		return n.average.means(n.given)
	}
	return slices.Clone(n.given), nil
}
