package threshold

import (
	"math/big"
	"sort"

	"hush/core/mechanism"
)

// Accuracy says, for every cut of a domain, about how many persons it classifies correctly. Like a
// [CDF] it is a release: asking it costs nothing.
type Accuracy struct {
	size   *big.Int
	points []*big.Int
	// Noisy sums, of persons with a yes and of those with a no: at 2i those below point i, at 2i +
	// 1 those up to it, and last all.
	yes, no []float64
}

// measurement is what a Bounded measures: all persons, or persons with a yes and persons with a no.
type measurement struct {
	size   *big.Int
	points []*big.Int
	of     []measured
}

// measured are noisy counts of the cells between points, and of the points.
type measured struct{ cells, atoms []int64 }

// function returns the function for all persons.
func function(m *measurement, err error) (*CDF, error) {
	if err != nil {
		return nil, err
	}
	return newCDF(m.size, m.points, m.of[0].cells, m.of[0].atoms), nil
}

// accuracy returns the accuracy of every cut from the persons with a yes and the persons with a no.
func accuracy(m *measurement, err error) (*Accuracy, error) {
	if err != nil {
		return nil, err
	}
	return newAccuracy(m.size, m.points, m.of[0], m.of[1]), nil
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

// accuracyBound divides beta among all that is bounded: the number of persons classified correctly,
// a sum of this many counts, for at most one cut more than there are counts in either direction;
// the counts; and the number of all persons.
func accuracyBound(counts *mechanism.Laplace, most int, beta float64) (right, count, all float64) {
	noise := counts.Noise()
	return noise.SumBound(most, beta/4/float64(most+1)), noise.SumBound(1, beta/4/float64(2*most)),
		noise.SumBound(2*most, beta/4)
}

// Points returns the cuts at which it was measured, ascending. The result must not be written to.
func (a *Accuracy) Points() []*big.Int { return a.points }

// All returns about how many persons have a code and an answer.
func (a *Accuracy) All() float64 { return max(a.yes[len(a.yes)-1]+a.no[len(a.no)-1], 0) }

// Right returns about how many of them a cut classifies correctly: between two points in proportion
// to the values between them.
func (a *Accuracy) Right(c Cut) float64 {
	i, measured := a.place(c)
	if measured {
		return a.clip(a.rightAt(i, c.Above))
	}
	from, to := new(big.Int), a.size // cuts just above the point before, and at the next one
	if i > 0 {
		from.Add(a.points[i/2-1], oneInt)
	}
	if i/2 < len(a.points) {
		to = a.points[i/2]
	}
	part := ratio(new(big.Int).Sub(c.At, from), new(big.Int).Sub(to, from))
	start := a.rightAt(i-1, c.Above)
	return a.clip(start + part*(a.rightAt(i, c.Above)-start))
}

// Range returns the least and the largest number that the measurements allow, and whether the cut
// itself was measured: then both are Right. Between two points it depends on where in the cell its
// persons are.
func (a *Accuracy) Range(c Cut) (low, high float64, measured bool) {
	i, measured := a.place(c)
	if measured {
		right := a.Right(c)
		return right, right, true
	}
	yes, no := a.yes[i], a.no[i]
	if i > 0 {
		yes, no = yes-a.yes[i-1], no-a.no[i-1]
	}
	if !c.Above {
		yes, no = no, yes
	}
	start := a.rightAt(i-1, c.Above)
	return a.clip(start - max(yes, 0)), a.clip(start + max(no, 0)), false
}

// place returns the position of a cut in the sums: the measured one, or else the end of the cell
// that it is in.
func (a *Accuracy) place(c Cut) (i int, measured bool) {
	// the first point not below the cut
	at := sort.Search(len(a.points), func(i int) bool { return a.points[i].Cmp(c.At) >= 0 })
	switch {
	case at < len(a.points):
		return 2 * at, a.points[at].Cmp(c.At) == 0
	default:
		return 2 * at, c.At.Cmp(a.size) >= 0
	}
}

func (a *Accuracy) clip(right float64) float64 { return min(max(right, 0), a.All()) }

// rightAt returns the number for the cut after position i; −1 is before all.
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
