package classify

import (
	"math"
	"slices"
	"strconv"

	"hush/core/phrase"
)

// Tree is a decision tree: a leaf, or a cut in one column with a tree on either side.
type Tree struct {
	Yes          bool // of a leaf
	Column       int
	At           uint64
	Below, Other *Tree // codes below At, and the others; nil in a leaf
}

// Says returns the answer for a case.
func (t *Tree) Says(p Point) bool {
	for t.Below != nil {
		if p[t.Column] < t.At {
			t = t.Below
		} else {
			t = t.Other
		}
	}
	return t.Yes
}

func (t *Tree) String() string { return t.Phrase().String() }

// Phrase is String in any language.
func (t *Tree) Phrase() phrase.Phrase {
	if t.Below == nil {
		return phrase.Of(map[bool]phrase.Key{true: "yes", false: "no"}[t.Yes])
	}
	return phrase.Of("if %s < %d then (%v) else (%v)", column(t.Column), t.At, t.Below, t.Other)
}

// Trees is the class of decision trees of a given depth. It learns; for relabelling, and for rules
// to publish, its labellings are [Listed] where columns have few codes.
//
// # Learning
//
// Greedy: the cut that leaves the least Gini impurity, the first of equals; no cut where none
// helps. The tree need not be the best of the class. Impurities are floats: a tree is a function of
// its sample, and privacy asks no more of it. O(depth · columns · persons · log persons).
//
// Proof: answers.md, Theorem 1 for Plain answers; relabel.md, Lemma 5 for labellings.
//
// # Errors
//
// [*param.Error] (sizes, depth) from the constructor.
type Trees struct {
	sizes []uint64
	depth int
}

var _ Oracle = (*Trees)(nil)

// NewTrees returns the class for columns of these sizes: 1 to 64 columns of at most 2^63 codes, and
// depth from 1 to 8 cuts on a path.
func NewTrees(sizes []uint64, depth int) (*Trees, error) {
	if err := checkSizes(sizes, 64, 1<<63); err != nil {
		return nil, err
	}
	if depth < 1 || depth > 8 {
		return nil, refuse("depth", strconv.Itoa(depth), "from 1 to 8")
	}
	return &Trees{slices.Clone(sizes), depth}, nil
}

func (c *Trees) String() string { return c.Phrase().String() }

// Phrase is String in any language.
func (c *Trees) Phrase() phrase.Phrase { return phrase.Of("decision trees of depth %d", c.depth) }

// Sizes returns the sizes of the columns.
func (c *Trees) Sizes() []uint64 { return slices.Clone(c.sizes) }

// LogGrowth counts what each node can be, a cut in one of the columns between two codes, and what
// each leaf can be.
func (c *Trees) LogGrowth(n int) float64 {
	cuts := 1.0
	for _, size := range c.sizes {
		cuts += max(math.Min(float64(n), float64(size))-1, 0)
	}
	leaves := float64(int(1) << c.depth)
	return min((leaves-1)*math.Log(max(cuts, 1))+leaves*math.Ln2,
		float64(pointsAmong(n, c.sizes))*math.Ln2)
}

// Dimension is at most the largest d with 2^d ≤ labellings of d points.
func (c *Trees) Dimension() int {
	d := 1
	for float64(d+1)*math.Ln2 <= c.LogGrowth(d+1)*(1+1e-12) && d < 1<<16 {
		d++
	}
	return d
}

// LearnedError is the bound for a learner without mistakes; this one may make some.
func (c *Trees) LearnedError(s, n int) float64 { return unionError(c.LogGrowth(n), s) }

// Learn grows a tree.
func (c *Trees) Learn(sample []Votes, p *pace) Rule {
	return c.grow(slices.Clone(sample), c.depth, p)
}

func (c *Trees) grow(sample []Votes, depth int, p *pace) *Tree {
	yes, no := totals(sample)
	leaf := &Tree{Yes: yes > no}
	if depth == 0 || yes == 0 || no == 0 {
		return leaf
	}
	best := impurity(yes, no)
	var at uint64
	var found *Tree
	for column := range c.sizes {
		sorted := byColumn(sample, column, p)
		var y, n int64 // below the cut
		for i, now := range sorted[:len(sorted)-1] {
			v := sample[now]
			y, n = y+v.Yes, n+v.No
			if at = sample[sorted[i+1]].Point[column]; at == v.Point[column] {
				continue
			}
			if split := impurity(y, n) + impurity(yes-y, no-n); split < best {
				best, found = split, &Tree{Column: column, At: at}
			}
		}
	}
	if found == nil {
		return leaf
	}
	below, other := parted(sample, found.Column, found.At)
	found.Below, found.Other = c.grow(below, depth-1, p), c.grow(other, depth-1, p)
	return found
}

// Consistent tries all cuts, columns and codes ascending: the first for which both sides have a
// tree of one cut less.
func (c *Trees) Consistent(sample []Votes) (Rule, bool) {
	if t := c.consistent(sample, c.depth); t != nil {
		return t, true
	}
	return nil, false
}

// consistent returns a tree without a mistake, with at most this many cuts on a path, or nil.
func (c *Trees) consistent(sample []Votes, depth int) *Tree {
	yes, no := totals(sample)
	if yes == 0 || no == 0 {
		return &Tree{Yes: yes > 0}
	}
	if depth == 0 {
		return nil
	}
	for column := range c.sizes {
		for _, at := range values(distinct(sample), column)[1:] {
			below, other := parted(sample, column, at)
			t := &Tree{Column: column, At: at}
			if t.Below = c.consistent(below, depth-1); t.Below == nil {
				continue
			}
			if t.Other = c.consistent(other, depth-1); t.Other != nil {
				return t
			}
		}
	}
	return nil
}

// ConsistentWork is the work of all cuts below all cuts.
func (c *Trees) ConsistentWork(n int) float64 {
	cuts := 0.0
	for _, size := range c.sizes {
		cuts += max(math.Min(float64(n), float64(size))-1, 0)
	}
	return float64(n) * math.Pow(2*cuts+1, float64(c.depth))
}

// parted returns the votes below a cut, and the others.
func parted(sample []Votes, column int, at uint64) (below, other []Votes) {
	for _, v := range sample {
		if v.Point[column] < at {
			below = append(below, v)
		} else {
			other = append(other, v)
		}
	}
	return below, other
}

// impurity returns half of Gini's impurity times the number of persons.
func impurity(yes, no int64) float64 { return float64(yes) * float64(no) / float64(max(yes+no, 1)) }
