package classify

import (
	"math"
	"slices"

	"hush/core/phrase"
)

// Box says yes to the cases whose code lies from Low to High, both included, in every column;
// without a Low, to none.
type Box struct{ Low, High []uint64 }

// Says returns the answer for a case.
func (b Box) Says(p Point) bool {
	for i, low := range b.Low {
		if p[i] < low || p[i] > b.High[i] {
			return false
		}
	}
	return b.Low != nil
}

func (b Box) String() string { return b.Phrase().String() }

// Phrase is String in any language.
func (b Box) Phrase() phrase.Phrase {
	var words []phrase.Phrase
	for i, low := range b.Low {
		words = append(words, phrase.Glue(low, " ≤ ", column(i), " ≤ ", b.High[i]))
	}
	if len(words) == 0 {
		return phrase.Of("never")
	}
	return phrase.Join(words, phrase.Glue(" ", phrase.Key("and"), " "))
}

// Boxes is the class of boxes along the axes: intervals in one column, rectangles in two, and,
// where every column has two codes, conjunctions of columns that are yes or no, each as it is or
// denied.
//
// # Labellings
//
// One rule for each set of points that some box cuts out: the smallest box around it, which has a
// point on each of its sides; a side that no point is beyond goes to the end of its column. In one
// column of k different codes these are 1 + k(k+1)/2.
//
// # Learning
//
// The smallest box around all yeses if it holds no no, else the box with the fewest mistakes.
//
// # Errors
//
// [*param.Error] (sizes) from the constructor.
//
// # Cost
//
// About Π k(k+1)/2 over the columns, k being the different codes in it, at most Sizes.
//
// Proof: relabel.md, Lemma 4 (labellings); answers.md, LearnedError.
type Boxes struct{ sizes []uint64 }

var _ Enumerable = (*Boxes)(nil)

// NewBoxes returns the class for columns of these sizes: 1 to 16 columns of at most 2^63 codes.
func NewBoxes(sizes []uint64) (*Boxes, error) {
	if err := checkSizes(sizes, 16, 1<<63); err != nil {
		return nil, err
	}
	return &Boxes{slices.Clone(sizes)}, nil
}

func (c *Boxes) String() string { return c.Phrase().String() }

// Phrase is String in any language.
func (c *Boxes) Phrase() phrase.Phrase {
	switch {
	case !slices.ContainsFunc(c.sizes, func(size uint64) bool { return size > 2 }):
		return phrase.Of("conjunctions of %d columns", len(c.sizes))
	case len(c.sizes) == 1:
		return phrase.Of("intervals")
	}
	return phrase.Of("boxes in %d columns", len(c.sizes))
}

// Sizes returns the sizes of the columns.
func (c *Boxes) Sizes() []uint64 { return slices.Clone(c.sizes) }

// Dimension is two for each column, or one for a column with two codes, but at least two in all.
func (c *Boxes) Dimension() int { return c.essential() }

// essential returns the largest number of yeses that can all matter: without any one of them the
// smallest box around the others would be smaller. In each column these are the only one with the
// lowest code and the only one with the highest; of three or more yeses, at most one in a column of
// two codes.
func (c *Boxes) essential() (most int) {
	for _, size := range c.sizes {
		most += int(min(size-1, 2))
	}
	return max(most, 2)
}

// LogGrowth counts the intervals in each column, and is at most Sauer's bound.
func (c *Boxes) LogGrowth(n int) float64 {
	return min(math.Log(c.boxes(n)), sauer(c.Dimension(), n))
}

// boxes returns one more than the product of the numbers of intervals.
func (c *Boxes) boxes(n int) float64 {
	product := 1.0
	for _, size := range c.sizes {
		k := math.Min(float64(n), float64(size))
		product *= k * (k + 1) / 2
	}
	return product + 1
}

// LearnedError: the smallest box changes only without a yes that alone reaches one of its sides.
func (c *Boxes) LearnedError(s, _ int) float64 { return essentialError(c.essential(), s) }

// Work counts the boxes and, at each column, the additions over the columns after it.
func (c *Boxes) Work(n int) float64 {
	work, before := 0.0, 1.0
	for i, size := range c.sizes {
		k := math.Min(float64(n), float64(size))
		before *= k * (k + 1) / 2
		after := 1.0
		for _, later := range c.sizes[i+1:] {
			after *= math.Min(2*float64(n), float64(later))
		}
		work += before * after
	}
	return work
}

// Learn finds a rule.
func (c *Boxes) Learn(sample []Votes, p *pace) Rule {
	var hull Box
	for _, v := range sample {
		if v.Yes > 0 {
			hull = hull.around(v.Point)
		}
	}
	if !slices.ContainsFunc(sample, func(v Votes) bool { return v.No > 0 && hull.Says(v.Point) }) {
		return hull
	}
	return fewest(c, sample, p)
}

// around returns the smallest box around the box and a point.
func (b Box) around(p Point) Box {
	if b.Low == nil {
		return Box{slices.Clone(p), slices.Clone(p)}
	}
	for i, code := range p {
		b.Low[i], b.High[i] = min(b.Low[i], code), max(b.High[i], code)
	}
	return b
}

// Dichotomies lists never, and the boxes that have an anchor on each of their sides.
func (c *Boxes) Dichotomies(anchors []Point, sample []Votes, p *pace,
	visit func(int64, func() Rule) bool) {
	s := &boxSearch{visit: visit}
	s.wrong, _ = totals(sample)
	s.rule = func() Rule { return s.box(c.sizes) }
	if !visit(s.wrong, func() Rule { return Box{} }) || len(anchors) == 0 {
		return
	}
	s.low, s.high = make([]uint64, len(c.sizes)), make([]uint64, len(c.sizes))
	s.enter(anchors, sample)
}

// boxSearch visits the boxes, one column after another. Before column j it knows, for each
// combination of codes of the columns from j on, the sum over the points with these codes that lie
// within the interval chosen in every earlier column.
type boxSearch struct {
	lines     []line
	low, high []uint64
	wrong     int64 // mistakes of never
	visit     func(int64, func() Rule) bool
	rule      func() Rule
}

// box returns the box of the chosen ranks. A side beyond which there is no anchor extends to the
// end of its column.
func (s *boxSearch) box(sizes []uint64) Box {
	b := Box{slices.Clone(s.low), slices.Clone(s.high)}
	for j, l := range s.lines {
		if b.Low[j] == l.codes[0] {
			b.Low[j] = 0
		}
		if b.High[j] == l.codes[len(l.codes)-1] {
			b.High[j] = sizes[j] - 1
		}
	}
	return b
}

// line is a column in ranks: one for each anchor's code and, between two of them, one for all other
// codes there.
type line struct {
	codes  []uint64
	anchor []bool
}

// cell sums up points: how many fewer persons are wrong if the points get a yes, and which sides of
// the box have an anchor among them: bit 2j for the low side of column j, bit 2j+1 for the high
// side. occupied says that there is an anchor.
type cell struct {
	gain     int64
	sides    uint32
	occupied bool
}

// enter builds the cells of all columns and starts.
func (s *boxSearch) enter(anchors []Point, sample []Votes) {
	cells := 1
	for column := range s.low {
		l := newLine(values(anchors, column), sample, column)
		s.lines = append(s.lines, l)
		cells *= len(l.codes)
	}
	all := make([]cell, cells)
	for _, p := range anchors {
		all[s.at(p)].occupied = true
	}
	for _, v := range sample {
		all[s.at(v.Point)].gain += v.Yes - v.No
	}
	s.search(0, all)
}

// newLine ranks the codes of a column.
func newLine(codes []uint64, sample []Votes, column int) line {
	gaps := make([]bool, len(codes))
	for _, v := range sample {
		i, found := slices.BinarySearch(codes, v.Point[column])
		if !found && i > 0 && i < len(codes) {
			gaps[i] = true
		}
	}
	var l line
	for i, code := range codes {
		if gaps[i] {
			l.codes, l.anchor = append(l.codes, code-1), append(l.anchor, false)
		}
		l.codes, l.anchor = append(l.codes, code), append(l.anchor, true)
	}
	return l
}

// at returns the index of a point's cell. Anything beyond all anchors of a column is in the cell of
// its last anchor.
func (s *boxSearch) at(p Point) (index int) {
	for j, l := range s.lines {
		rank, _ := slices.BinarySearch(l.codes, max(p[j], l.codes[0]))
		index = index*len(l.codes) + min(rank, len(l.codes)-1)
	}
	return index
}

// search visits the intervals of column j. cells are the cells of the columns from j on.
func (s *boxSearch) search(j int, cells []cell) bool {
	if j == len(s.lines) {
		all := uint32(1)<<(2*j) - 1
		return cells[0].sides != all || s.visit(s.wrong-cells[0].gain, s.rule)
	}
	l := s.lines[j]
	width := len(cells) / len(l.codes)
	within, closed := make([]cell, width), make([]cell, width)
	lowSide, highSide := uint32(1)<<(2*j), uint32(2)<<(2*j)
	for a, low := range l.codes {
		if !l.anchor[a] {
			continue
		}
		clear(within)
		s.low[j] = low
		for b := a; b < len(l.codes); b++ {
			for i, c := range cells[b*width : (b+1)*width] {
				sum := &within[i]
				sum.gain += c.gain
				sum.sides |= c.sides
				sum.occupied = sum.occupied || c.occupied
				if b == a && c.occupied {
					sum.sides |= lowSide
				}
				closed[i] = *sum
				if c.occupied {
					closed[i].sides |= highSide
				}
			}
			s.high[j] = l.codes[b]
			if l.anchor[b] && !s.search(j+1, closed) {
				return false
			}
		}
	}
	return true
}
