package basic

import (
	"math/big"

	"hush/core/coin"
)

// jointSums are the forward sums of one data set: the total weight of all lists that share their
// beginning. Lemma 1 of jointexp.md.
type jointSums struct {
	*level
	cells  *cells
	want   []int64    // persons wanted before each target and after the last, times unit
	enough []int      // the least number of persons, at least 1, that is not below want
	over   []weight   // of that number
	short  []weight   // of one less
	nobody []weight   // of 0
	powers []weight   // base^(−unit·k)
	sizes  []weight   // of cells
	terms  []weight   // scratch
	ends   [][]weight // [j−1][k]: of j targets, the last in cell k
	starts [][]weight // [j][k]: of j targets in cells before k, and the distance of the next in k
	total  weight
}

// forward adds up the weights of lists with these gaps, as parts of this many persons, target by
// target. Progress counts targets.
func (l *level) forward(c *cells, gaps []int64, persons int, step coin.Step) (*jointSums, error) {
	w := c.persons()
	s := &jointSums{level: l, cells: c, sizes: make([]weight, w+1)}
	most := persons // that are wanted anywhere: a part may want more than it has
	for i, gap := range gaps {
		want := gap * int64(persons)
		if l.more != nil {
			want += l.more[i] * l.unit // may be below 0
		}
		enough := max(1, (want+l.unit-1)/l.unit)
		s.want = append(s.want, want)
		s.enough = append(s.enough, int(enough))
		s.over = append(s.over, l.power(enough*l.unit-want))
		s.short = append(s.short, l.power(abs(want-(enough-1)*l.unit)))
		most = max(most, int(enough))
	}
	s.powers = make([]weight, most+1)
	person := l.power(l.unit)
	s.powers[0] = one
	for k := range most {
		s.powers[k+1] = s.powers[k].times(person)
	}
	for i := range gaps {
		s.nobody = append(s.nobody, s.near(i, 0))
	}
	start := make([]weight, w+1)
	for k := range start {
		s.sizes[k], start[k] = weightOf(c.sizes[k]), s.near(0, k)
	}
	s.starts = [][]weight{start}
	m := len(gaps) - 1
	for j := 1; j <= m; j++ {
		end := make([]weight, w+1)
		for k := range end {
			for _, term := range s.within(j, k) {
				end[k] = end[k].plus(term)
			}
		}
		s.ends = append(s.ends, end)
		if j < m {
			s.starts = append(s.starts, s.shifted(j, end))
		}
		if step != nil {
			if err := step(int64(j), int64(m)); err != nil {
				return nil, err
			}
		}
	}
	for _, term := range s.last() {
		s.total = s.total.plus(term)
	}
	return s, nil
}

// power returns base^(−d).
func (l *level) power(d int64) weight {
	x := one
	for j := 0; d > 0; j, d = j+1, d>>1 {
		if d&1 == 1 {
			x = x.times(l.below[j])
		}
	}
	return x
}

// near returns base^(−distance(i, persons)).
func (s *jointSums) near(i, persons int) weight {
	if more := persons - s.enough[i]; more >= 0 {
		return s.over[i].times(s.powers[more])
	}
	return s.short[i].times(s.powers[s.enough[i]-1-persons])
}

// distance returns the difference, times unit, between this many persons from target i−1 to target
// i, counted from 0, and the number wanted.
func (s *jointSums) distance(i, persons int) uint64 {
	return uint64(abs(s.unit*int64(persons) - s.want[i]))
}

// inverse is a positive number, num/den, that is not above (chance of a list to be proposed)/(its
// weight) for any list.
func (s *jointSums) inverse() (num, den *big.Int) {
	num, den = bigOf(1), bigOf(s.total.m)
	den.Mul(den, big.NewInt(1<<slackBits+1))
	if exp := s.total.exp - slackBits; exp < 0 {
		num.Lsh(num, uint(-exp))
	} else {
		den.Lsh(den, uint(exp))
	}
	return num, den
}

// slackBits limits what roundings may add up to: a part of 2^−8, Lemma 2 of jointexp.md.
const slackBits = 8

// last returns the terms of total, by the cell of the last target.
func (s *jointSums) last() []weight {
	w, m := s.cells.persons(), len(s.ends)
	terms := make([]weight, w+1)
	for k, end := range s.ends[m-1] {
		terms[k] = end.times(s.near(m, w-k))
	}
	return terms
}

// within returns the terms of ends[j−1][k], by the number of targets in cell k, from 1 on. The next
// call overwrites them.
func (s *jointSums) within(j, k int) []weight {
	s.terms = s.terms[:0]
	lists := s.sizes[k] // multisets of u points, and the distances between them
	for u := 1; u <= j; u++ {
		s.terms = append(s.terms, lists.times(s.starts[j-u][k]))
		larger := s.sizes[k].plus(whole(uint64(u)))
		lists = lists.times(larger).over(uint64(u) + 1).times(s.nobody[j-u])
	}
	return s.terms
}

// before returns the terms of starts[j][k], by the cell of target j.
func (s *jointSums) before(j, k int) []weight {
	terms := make([]weight, k)
	for from := range terms {
		terms[from] = s.ends[j-1][from].times(s.near(j, k-from))
	}
	return terms
}

// shifted returns, for each k, the sum of ends[from]·near(i, k − from) over from < k. The terms at
// least enough before k form a sum that is multiplied by one power at each step. The nearer terms
// form a window: a block's part from some position to its end, and the next block's up to another.
func (s *jointSums) shifted(i int, ends []weight) []weight {
	window := s.enough[i] - 1
	toEnd, fromStart := make([]weight, len(ends)), make([]weight, len(ends))
	for k := len(ends) - 1; window > 0 && k >= 0; k-- {
		toEnd[k] = ends[k]
		if k+1 < len(ends) && (k+1)%window > 0 {
			toEnd[k] = ends[k].plus(toEnd[k+1].times(s.powers[1]))
		}
	}
	sums, far := make([]weight, len(ends)), weight{}
	for k := range ends {
		if window > 0 {
			fromStart[k] = ends[k].times(s.powers[k%window])
			if k%window > 0 {
				fromStart[k] = fromStart[k].plus(fromStart[k-1])
			}
		}
		if from := k - s.enough[i]; from >= 0 {
			far = far.times(s.powers[1]).plus(ends[from])
			sums[k] = far.times(s.over[i])
		}
		if window > 0 && k > 0 {
			sums[k] = sums[k].plus(s.window(k, window, toEnd, fromStart).times(s.short[i]))
		}
	}
	return sums
}

// window is the sum of the ends before k, as many as the window holds, each times a power by its
// position in it.
func (s *jointSums) window(k, window int, toEnd, fromStart []weight) weight {
	from := k - window
	switch {
	case from < 0:
		return fromStart[k-1].times(s.powers[-from])
	case from%window == 0:
		return toEnd[from]
	}
	return toEnd[from].plus(fromStart[k-1].times(s.powers[window-from%window]))
}
