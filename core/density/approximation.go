package density

import (
	"math/big"
	"math/bits"
	"slices"
	"sort"
)

// approximation is MERR's A: a rising function of public numbers, persons with a code below b for
// every b from 0 to the size of the domain. Between break points it is the straight line, rounded
// down to whole persons, so that scores are whole numbers. It holds nothing that was not released
// before: what may depend on it, and why it must rise, is in merr.md. Proof: merr.md, Theorem 1.
type approximation struct {
	persons int64
	at      []*big.Int // ascending, from 0 to the size
	sum     []int64    // the sum of the measurements at each point
	times   []int64    // their number
	value   []int64    // rising, from 0
	short   []uint64   // at, of a domain of fewer than 2^64 values; else none
	scratch struct{ part, width big.Int }
}

func newApproximation(size *big.Int, persons int64) *approximation {
	a := &approximation{
		persons: persons, at: []*big.Int{new(big.Int), size}, sum: make([]int64, 2),
		times: make([]int64, 2), value: []int64{0, persons},
	}
	if size.IsUint64() {
		a.short = []uint64{0, size.Uint64()}
	}
	return a
}

// segment returns the index of the last break point not above b, but never of the very last one.
func (a *approximation) segment(b *big.Int) int {
	return min(sort.Search(len(a.at), func(i int) bool { return a.at[i].Cmp(b) > 0 })-1,
		len(a.at)-2)
}

// before returns A(b). A b beyond the domain counts as its end.
func (a *approximation) before(b *big.Int) int64 {
	if a.short != nil && b.IsUint64() {
		return a.beforeShort(b.Uint64())
	}
	i := a.segment(b)
	if b.Cmp(a.at[i+1]) >= 0 {
		return a.value[i+1]
	}
	part, width := &a.scratch.part, &a.scratch.width
	part.Sub(b, a.at[i])
	width.Sub(a.at[i+1], a.at[i])
	rise := a.value[i+1] - a.value[i]
	if rise == 0 || part.Sign() == 0 {
		return a.value[i]
	}
	part.Mul(part, big.NewInt(rise)).Quo(part, width)
	return a.value[i] + part.Int64()
}

// beforeShort returns A(b) where short is given.
func (a *approximation) beforeShort(b uint64) int64 {
	low, high := 0, len(a.short)-1 // short[low] ≤ b < short[high], but for the end of the domain
	for high-low > 1 {
		if middle := (low + high) / 2; a.short[middle] <= b {
			low = middle
		} else {
			high = middle
		}
	}
	if b >= a.short[high] {
		return a.value[high]
	}
	rise := a.value[high] - a.value[low]
	up, down := bits.Mul64(b-a.short[low], uint64(rise))
	whole, _ := bits.Div64(up, down, a.short[high]-a.short[low]) // below rise
	return a.value[low] + int64(whole)
}

// straight reports whether no break point lies strictly between lo and hi.
func (a *approximation) straight(lo, hi *big.Int) bool {
	return a.at[a.segment(lo)+1].Cmp(hi) >= 0
}

// measured adds a noisy number of persons below b. Several numbers at one point are averaged; 0
// needs none.
func (a *approximation) measured(b *big.Int, noisy int64) {
	if b.Sign() <= 0 {
		return
	}
	noisy = min(max(noisy, 0), a.persons)
	if last := a.at[len(a.at)-1]; b.Cmp(last) > 0 {
		b = last
	}
	i := sort.Search(len(a.at), func(i int) bool { return a.at[i].Cmp(b) >= 0 })
	if a.at[i].Cmp(b) > 0 {
		a.at = append(a.at[:i], append([]*big.Int{b}, a.at[i:]...)...)
		for _, list := range []*[]int64{&a.sum, &a.times, &a.value} {
			*list = append((*list)[:i], append([]int64{0}, (*list)[i:]...)...)
		}
		if a.short != nil {
			a.short = slices.Insert(a.short, i, b.Uint64())
		}
	}
	a.sum[i] += noisy
	a.times[i]++
}

// repair makes the values rise again: isotonic regression by pooling adjacent violators, means
// rounded down.
func (a *approximation) repair() {
	type pool struct {
		sum, times int64
		from       int
	}
	var pools []pool
	last := len(a.at) - 1
	end := last + 1
	if a.times[last] == 0 {
		end, a.value[last] = last, a.persons
	}
	for i := 1; i < end; i++ {
		p := pool{a.sum[i], a.times[i], i}
		for k := len(pools) - 1; k >= 0 && pools[k].sum*p.times >= p.sum*pools[k].times; k-- {
			p = pool{pools[k].sum + p.sum, pools[k].times + p.times, pools[k].from}
			pools = pools[:k]
		}
		pools = append(pools, p)
	}
	for k, p := range pools {
		to := end
		if k+1 < len(pools) {
			to = pools[k+1].from
		}
		for i := p.from; i < to; i++ {
			a.value[i] = p.sum / p.times
		}
	}
}
