package query

import (
	"math"

	"hush/core/phrase"
)

// universe is a distribution on all 2^d possible records. It is public: it comes only from released
// figures, so floats may hold it.
type universe struct {
	size   int
	weight []float64 // of each record; its share is that part of their sum
	sum    float64
}

// mostCells bounds the universe: with its counts and answers it needs four numbers of 8 bytes for
// each cell.
const mostCells = 1 << 22

func newUniverse(size int) (*universe, error) {
	cells, err := cellsOf(size)
	if err != nil {
		return nil, err
	}
	u := &universe{size, make([]float64, cells), 1}
	for i := range u.weight {
		u.weight[i] = 1 / float64(cells)
	}
	return u, nil
}

// cellsOf returns 2^size, if that many cells fit in memory.
func cellsOf(size int) (int, error) {
	if size >= 1 && size <= 62 && 1<<size <= mostCells { // H: mwem.md universe; sampled.md universe
		return 1 << size, nil
	}
	cells := phrase.Of("2^%d cells", size)
	if size <= 62 {
		cells = phrase.Glue(cells, " ", phrase.Of("take %.3g GB", math.Ldexp(32, size)/1e9))
	}
	return 0, refuse("attributes", phrase.Glue(size, ": ", cells),
		"at most 22 (2^22 cells, %.2g GB): a universe is kept whole in memory", 32*mostCells/1e9)
}

// mask returns a set of fewer than 64 elements as one word.
func mask(s Set) uint64 {
	if len(s) == 0 {
		return 0
	}
	return s[0]
}

// share returns the part of the distribution with all attributes of yes and none of no.
func (u *universe) share(yes, no Set) float64 {
	sum, y, n := 0.0, int(mask(yes)), int(mask(no))
	for x := y; x < len(u.weight); x = (x + 1) | y {
		if x&n == 0 {
			sum += u.weight[x]
		}
	}
	return sum / u.sum
}

// tilt multiplies the weight of the records with all attributes of s by e^step, and keeps track of
// the sum. A long step is taken in pieces: counts that contradict each other add up to steps whose
// power of e is no float64, and beyond mostTilt there is nothing left to tilt.
func (u *universe) tilt(s Set, step float64) {
	const piece, mostTilt = 300, 1500
	step = min(max(step, -mostTilt), mostTilt)
	for ; math.Abs(step) > piece; step -= math.Copysign(piece, step) {
		u.tiltBy(s, math.Exp(math.Copysign(piece, step)))
	}
	u.tiltBy(s, math.Exp(step))
}

// tiltBy visits only the records with all attributes of s. A sum that shrank a thousandfold has
// lost three digits, and one far from 1 may lose all, so the weights are then made to sum to 1
// again.
func (u *universe) tiltBy(s Set, factor float64) {
	const few, many = 1e-3, 1e3
	y, before, sum := int(mask(s)), 0.0, u.sum
	for x := y; x < len(u.weight); x = (x + 1) | y {
		before += u.weight[x]
		u.weight[x] *= factor
	}
	u.sum += (factor - 1) * before
	if !(u.sum > few*sum) || u.sum < few || u.sum > many {
		u.normalize()
	}
}

// normalize makes the weights sum to 1.
func (u *universe) normalize() {
	sum := 0.0
	for _, w := range u.weight {
		sum += w
	}
	for x := range u.weight {
		u.weight[x] /= sum
	}
	u.sum = 1
}

// supersets turns values of records into sums over all records that have the attributes of a mask:
// what each conjunction sums to.
func supersets[T int64 | float64](values []T) []T {
	sums := append([]T(nil), values...)
	for bit := 1; bit < len(sums); bit <<= 1 {
		for x := range sums {
			if x&bit == 0 {
				sums[x] += sums[x|bit]
			}
		}
	}
	return sums
}

// expected returns how many of n persons the distribution gives each conjunction, rounded.
func (u *universe) expected(persons int) []int64 {
	u.normalize()
	sums := supersets(u.weight)
	counts := make([]int64, len(sums))
	for i, share := range sums {
		counts[i] = int64(math.Round(share * float64(persons)))
	}
	return counts
}

// Round is the result of one round of multiplicative weights: the weight of the records with all
// attributes of Set is multiplied by e^Step. The distribution of a release depends only on the sum
// of the steps of each set.
type Round struct {
	Set  Set     `json:"set"`
	Step float64 `json:"step"`

	// Count is the noisy number of persons measured for Set, where it was.
	Count *int64 `json:"count,omitempty"`
}

// open returns the distribution that the rounds make.
func (r *Release) open() (*universe, error) {
	if r.cells != nil {
		return r.cells, nil
	}
	u, err := newUniverse(r.Size)
	if err != nil {
		return nil, err
	}
	for _, round := range r.Rounds {
		u.tilt(round.Set, round.Step)
	}
	u.normalize()
	r.cells = u
	return u, nil
}

// fit tilts the distribution so that it agrees with the counts measured, going through all of them
// several times (iterative proportional fitting). Each count is first brought between 1/2 and n −
// 1/2.
func (u *universe) fit(rounds []Round, persons, times int) {
	for range times {
		u.normalize()
		for i := range rounds {
			r := &rounds[i]
			if r.Count == nil {
				continue
			}
			n := float64(persons)
			want := min(max(float64(*r.Count), 0.5), n-0.5) / n
			have := min(max(u.share(r.Set, nil), 1e-12), 1-1e-12)
			step := math.Log(want/(1-want)) - math.Log(have/(1-have))
			u.tilt(r.Set, step)
			r.Step += step
		}
	}
}

// cells counts the persons of each possible record.
func cells(records *Records) []int64 {
	counts := make([]int64, 1<<records.Size())
	for i := range records.Persons() {
		counts[mask(records.Row(i))]++
	}
	return counts
}
