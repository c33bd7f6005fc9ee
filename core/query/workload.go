package query

import (
	"math/big"
	"math/bits"
	"strconv"

	"hush/core/coin"
	"hush/core/phrase"
)

// Workload is a public distribution of queries, that is, of sets: all sets of Width elements alike
// or, where Width is 0, each element x independently with probability Chances[x]/2^32 (a product
// distribution).
type Workload struct {
	Width   int      `json:"width,omitempty"`
	Chances []uint64 `json:"chances,omitempty"`
}

const certain = 1 << 32 // a chance of 1 in Chances

// OfWidth returns the workload of all sets of that many elements.
func OfWidth(w int) Workload { return Workload{Width: w} }

// UpToWidth returns the workloads of each width from 1 on.
func UpToWidth(w int) (all []Workload) {
	for i := range w {
		all = append(all, OfWidth(i+1))
	}
	return all
}

// Independent returns the product distribution on size elements that have the same chance, from 0
// to 1, rounded down to a multiple of 2^−32.
func Independent(size int, chance *big.Rat) (Workload, error) {
	if chance == nil || chance.Sign() < 0 || chance.Cmp(big.NewRat(1, 1)) > 0 {
		return Workload{}, refuse("chance", "outside", "a number from 0 to 1")
	}
	fixed := new(big.Int).Lsh(chance.Num(), 32)
	each := fixed.Quo(fixed, chance.Denom()).Uint64()
	w := Workload{Chances: make([]uint64, size)}
	for x := range w.Chances {
		w.Chances[x] = each
	}
	return w, nil
}

func (w Workload) check(size int) error {
	switch {
	case w.Width < 0 || w.Width > size: // H: decompose.md workload-fits
		return refuse("width", strconv.Itoa(w.Width), "from 1 to %d", size)
	case w.Width == 0 && len(w.Chances) != size: // H: decompose.md workload-fits
		return refuse("chances", phrase.Of("%d chances", len(w.Chances)),
			"%d, one for each element", size)
	case w.Width > 0 && w.Chances != nil:
		return refuse("chances", "given", "none where a width is given")
	}
	for _, p := range w.Chances {
		if p > certain { // H: decompose.md workload-fits
			return refuse("chances", strconv.FormatUint(p, 10), "at most 2^32")
		}
	}
	return nil
}

// meanSize returns the mean number of elements of a set of the workload.
func (w Workload) meanSize() float64 {
	sum := float64(w.Width)
	for _, chance := range w.Chances {
		sum += float64(chance) / certain
	}
	return sum
}

// Percent returns the chance of the first element in percent, rounded; 0 for sets of a fixed width.
// In an [Independent] workload it is the chance of all elements.
func (w Workload) Percent() int {
	if len(w.Chances) == 0 {
		return 0
	}
	return int((100*w.Chances[0] + certain/2) / certain)
}

// holds reports whether the workload may draw s.
func (w Workload) holds(s Set) bool { return w.Width == 0 || w.Width == s.Len() }

// Draw draws a set of the workload from those in the piece, which contains one.
func (w Workload) Draw(src coin.Source, p Piece, size int) Set {
	s, open := p.In, p.free(size).Members()
	if w.Width == 0 {
		for _, x := range open {
			if src.Bernoulli(coin.Ratio(w.Chances[x], certain)) {
				s = s.With(x)
			}
		}
		return s
	}
	for i := range w.Width - p.In.Len() {
		j := i + int(src.Uniform(uint64(len(open)-i)))
		open[i], open[j] = open[j], open[i]
		s = s.With(open[i])
	}
	return s
}

// law is a workload on the sets of one piece, with its probabilities as whole multiples of 2^−fine,
// rounded down. Given that a set lies in the piece, its open elements are again independent, or a
// uniform set of rest among open elements.
type law struct {
	piece      Piece
	unit       uint // a mean is counted in parts of 2^−unit persons
	free       Set
	chances    []uint64 // for independent elements
	rest, open int
	// for a width: miss[f] is the chance that f given open elements are all left out
	miss []uint64
}

const fine = 62

// on returns the law on a piece; false where the workload has no set in it.
func (w Workload) on(p Piece, size int) (law, bool) {
	l := law{piece: p, unit: meanBits, free: p.free(size), chances: w.Chances}
	l.rest, l.open = w.Width-p.In.Len(), l.free.Len()
	if w.Width == 0 {
		for x := range size {
			if p.In.Has(x) && w.Chances[x] == 0 || p.Out.Has(x) && w.Chances[x] == certain {
				return law{}, false
			}
		}
		return l, true
	}
	if l.rest < 0 || l.rest > l.open {
		return law{}, false
	}
	l.miss = make([]uint64, l.open+1)
	l.miss[0] = 1 << fine
	for f := range l.open {
		// (open−f−1 choose rest)/(open−f choose rest) = (open−f−rest)/(open−f)
		l.miss[f+1] = times(l.miss[f], max(l.open-f-l.rest, 0), l.open-f)
	}
	return l, true
}

// times returns ⌊x·num/den⌋ for num ≤ den.
func times(x uint64, num, den int) uint64 {
	high, low := bits.Mul64(x, uint64(num))
	quotient, _ := bits.Div64(high, low, uint64(den))
	return quotient
}

// misses returns the chance, times 2^fine, that a set of the piece holds no member of row, which
// meets no forced element.
func (l law) misses(row Set) uint64 {
	if l.chances == nil {
		return l.miss[row.shared(l.free)]
	}
	chance := uint64(1) << fine
	for i, word := range row {
		if i < len(l.free) {
			word &= l.free[i]
		} else {
			word = 0
		}
		for ; word != 0; word &= word - 1 {
			high, low := bits.Mul64(chance, certain-l.chances[64*i+bits.TrailingZeros64(word)])
			chance = high<<32 | low>>32
		}
	}
	return chance
}

// parts returns the chance, times 2^fine, that a set of the piece holds exactly one of two
// different elements.
func (l law) parts(u, v int) uint64 {
	uFree, vFree := l.free.Has(u), l.free.Has(v)
	switch {
	case !uFree && !vFree:
		if l.piece.In.Has(u) != l.piece.In.Has(v) {
			return 1 << fine
		}
		return 0
	case !uFree:
		return l.parts(v, u)
	case !vFree:
		if l.piece.In.Has(v) {
			return 1<<fine - l.holdsOne(u)
		}
		return l.holdsOne(u)
	case l.chances == nil:
		return 4 * times(times(1<<(fine-1), l.rest, l.open), l.open-l.rest, l.open-1)
	}
	p, q := l.chances[u], l.chances[v]
	return both(p, certain-q) + both(q, certain-p)
}

// both returns p·q/2^64 times 2^fine.
func both(p, q uint64) uint64 {
	high, low := bits.Mul64(p, q)
	return high<<fine | low>>(64-fine)
}

// holdsOne returns the chance, times 2^fine, that a set of the piece holds the open element x.
func (l law) holdsOne(x int) uint64 {
	if l.chances == nil {
		return times(1<<fine, l.rest, l.open)
	}
	return l.chances[x] << (fine - 32)
}
