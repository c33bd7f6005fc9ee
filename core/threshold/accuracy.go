package threshold

import (
	"math/big"
	"sort"

	"hush/core/mechanism"
)

// Accuracy says of every cut of a domain about how many persons it answers rightly. Like a CDF it is a release: asking it costs nothing.
type Accuracy struct {
	size   *big.Int
	points []*big.Int
	// Noisy sums, of persons with a yes and of those with a no: at 2i those below point i, at 2i + 1 those up to it, and last all.
	yes, no []float64
}

func newAccuracy(size *big.Int, points []*big.Int, yes, no measured) *Accuracy {
	return &Accuracy{size, points, yes.sums(), no.sums()}
}

// sums adds up cells and points in their order.
func (m measured) sums() []float64 {
	var sums []float64
	sum := int64(0)
	for i, cell := range m.cells {
		sum += cell
		sums = append(sums, float64(sum))
		if i < len(m.atoms) {
			sum += m.atoms[i]
			sums = append(sums, float64(sum))
		}
	}
	return sums
}

// accuracyBound divides beta among the numbers of persons answered rightly, of which each is a sum of so many counts, for at most one cut more than there are
// counts in either direction, and the number of all persons.
func accuracyBound(counts *mechanism.Laplace, most int, beta float64) (right, all float64) {
	noise := counts.Noise()
	return noise.SumBound(most, beta/4/float64(most+1)), noise.SumBound(2*most, beta/2)
}

// Points are the cuts it was measured at, ascending. The result is not to be written to.
func (a *Accuracy) Points() []*big.Int { return a.points }

// All is about how many persons have a code and an answer.
func (a *Accuracy) All() float64 { return max(a.yes[len(a.yes)-1]+a.no[len(a.no)-1], 0) }

// Right is about how many of them a cut answers rightly: between two points in proportion to the values between them.
func (a *Accuracy) Right(c Cut) float64 {
	i := sort.Search(len(a.points), func(i int) bool { return a.points[i].Cmp(c.At) >= 0 }) // the first point not below the cut
	var right float64
	switch {
	case i < len(a.points) && a.points[i].Cmp(c.At) == 0:
		right = a.rightAt(2*i, c.Above)
	case c.At.Cmp(a.size) >= 0:
		right = a.rightAt(len(a.yes)-1, c.Above)
	default:
		from, to := new(big.Int), a.size // cuts just above the point before, and at the next one
		start := 0.0
		if i > 0 {
			from.Add(a.points[i-1], oneInt)
			start = a.rightAt(2*i-1, c.Above)
		} else {
			start = a.rightAt(-1, c.Above)
		}
		if i < len(a.points) {
			to = a.points[i]
		}
		part := ratio(new(big.Int).Sub(c.At, from), new(big.Int).Sub(to, from))
		right = start + part*(a.rightAt(2*i, c.Above)-start)
	}
	return min(max(right, 0), a.All())
}

// rightAt is the number for the cut behind place i; −1 is before all.
func (a *Accuracy) rightAt(i int, above bool) float64 {
	last := len(a.yes) - 1
	yes, no := 0.0, 0.0
	if i >= 0 {
		yes, no = a.yes[i], a.no[i]
	}
	if above {
		return no + a.yes[last] - yes
	}
	return yes + a.no[last] - no
}
