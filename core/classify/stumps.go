package classify

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"hush/core/phrase"
)

// Stump is a cut in one column: it says yes to codes below At or, if Above, to At and the codes
// above it.
type Stump struct {
	Column int
	At     uint64
	Above  bool
}

// Says returns the answer for a case.
func (s Stump) Says(p Point) bool { return (p[s.Column] < s.At) != s.Above }

func (s Stump) String() string { return s.Phrase().String() }

// Phrase is String in any language.
func (s Stump) Phrase() phrase.Phrase {
	switch {
	case s.At == 0 && s.Above:
		return phrase.Of("always")
	case s.At == 0:
		return phrase.Of("never")
	case s.Above:
		return phrase.Glue(column(s.Column), " ≥ ", s.At)
	}
	return phrase.Glue(column(s.Column), " < ", s.At)
}

// Direction says which side of a cut may say yes.
type Direction string

const (
	Below  Direction = "below"  // codes below the cut
	Above  Direction = "above"  // the others
	Either Direction = "either" // the data decide
)

// StumpsParams are the parameters of Stumps.
type StumpsParams struct {
	Sizes     []uint64  // of the columns; 1 to 64 columns of at most 2^63 codes; required
	Direction Direction // of all cuts; "" stands for Either
}

// Stumps is the class of cuts in one of the columns: thresholds where there is one column,
// otherwise decision stumps.
//
// # Labellings
//
// Of k different points, in one column, k + 1 for one direction and 2k for either; in several
// columns at most their sum, those met in an earlier column being left out by comparing them point
// by point. Proof: relabel.md, Lemma 6.
//
// # Learning
//
// The rule with the fewest mistakes. O(columns · persons · log persons).
//
// # Errors
//
// [*param.Error] (sizes, direction) from the constructor.
type Stumps struct {
	sizes     []uint64
	direction Direction
}

var _ Enumerable = (*Stumps)(nil)

// NewStumps checks the parameters.
func NewStumps(p StumpsParams) (*Stumps, error) {
	if err := checkSizes(p.Sizes, 64, 1<<63); err != nil {
		return nil, err
	}
	switch p.Direction {
	case "":
		p.Direction = Either
	case Below, Above, Either:
	default:
		return nil, refuse("direction", fmt.Sprintf("%q", p.Direction), "below, above or either")
	}
	return &Stumps{slices.Clone(p.Sizes), p.Direction}, nil
}

func (c *Stumps) String() string { return c.Phrase().String() }

// Phrase is String in any language.
func (c *Stumps) Phrase() phrase.Phrase {
	if len(c.sizes) == 1 {
		return phrase.Of("thresholds")
	}
	return phrase.Of("decision stumps in %d columns", len(c.sizes))
}

// Sizes returns the sizes of the columns.
func (c *Stumps) Sizes() []uint64 { return slices.Clone(c.sizes) }

// Dimension is 1 for one direction and 2 for either in one column, otherwise at most the largest d
// with 2^d ≤ labellings of d points.
func (c *Stumps) Dimension() int {
	if len(c.sizes) == 1 {
		if c.direction == Either {
			return 2
		}
		return 1
	}
	d := 1
	for float64(d+1)*math.Ln2 <= c.LogGrowth(d+1) {
		d++
	}
	return d
}

// LogGrowth counts the cuts in each column, and never and always once.
func (c *Stumps) LogGrowth(n int) float64 {
	ways, each := 2.0, 1.0
	if c.direction == Either {
		each = 2
	}
	for _, size := range c.sizes {
		ways += each * max(math.Min(float64(n), float64(size))-1, 0)
	}
	return min(math.Log(ways), float64(n)*math.Ln2)
}

// LearnedError is 1/(s+1) for one column and direction: the rule changes only without the outermost
// yes.
func (c *Stumps) LearnedError(s, n int) float64 {
	switch {
	case len(c.sizes) > 1:
		return unionError(c.LogGrowth(n), s)
	case c.direction == Either:
		return essentialError(2, s) // also without the only no on the side of the yeses
	}
	return essentialError(1, s)
}

// Work is two sorts for each column, and the lookup of each labelling.
func (c *Stumps) Work(n int) float64 {
	return float64(len(c.sizes)) * float64(n) * (2 + 4*math.Log2(float64(n+1)))
}

// Learn finds the rule with the fewest mistakes: of several, the one that says yes least, in the
// first column.
func (c *Stumps) Learn(sample []Votes, p *pace) Rule { return fewest(c, sample, p) }

// Dichotomies lists never and, for each column, the cuts after each value, from the side that says
// yes to few points.
func (c *Stumps) Dichotomies(anchors []Point, sample []Votes, p *pace,
	visit func(int64, func() Rule) bool) {
	var seen *labellings
	if len(c.sizes) > 1 {
		seen = newLabellings(anchors)
	}
	var now Stump
	rule := func() Rule { return now }
	offer := func(s Stump, mistakes int64, key uint64) bool {
		now = s
		return !seen.add(key, s) || visit(mistakes, rule)
	}
	yes, _ := totals(sample)
	never := Stump{}
	if c.direction == Above {
		never = Stump{At: c.sizes[0], Above: true}
	}
	if !offer(never, yes, 0) {
		return
	}
	for column := range c.sizes {
		if c.direction != Above && !c.sweep(column, Below, anchors, sample, p, seen, offer) {
			return
		}
		if c.direction != Below && !c.sweep(column, Above, anchors, sample, p, seen, offer) {
			return
		}
	}
}

// sweep offers the cuts in one column and direction, except never, and except always where the
// other direction has it.
func (c *Stumps) sweep(column int, direction Direction, anchors []Point, sample []Votes, p *pace,
	seen *labellings, offer func(Stump, int64, uint64) bool) bool {
	turn := 1 // from low to high codes, or back
	if direction == Above {
		turn = -1
	}
	along := func(a, b uint64) int { return turn * cmp.Compare(a, b) }
	places := order(len(anchors), p, func(i, j int) int {
		return along(anchors[i][column], anchors[j][column])
	})
	sorted := order(len(sample), p, func(i, j int) int {
		return along(sample[i].Point[column], sample[j].Point[column])
	})
	wrong, _ := totals(sample)
	key, passed := uint64(0), 0
	for i, at := range places {
		key ^= seen.key(at)
		value := anchors[at][column]
		last := i+1 == len(places)
		if !last && anchors[places[i+1]][column] == value {
			continue
		}
		if last && direction == Above && c.direction == Either {
			break // all anchors: the cut below them all says so too
		}
		for ; passed < len(sorted) &&
			along(sample[sorted[passed]].Point[column], value) <= 0; passed++ {
			v := sample[sorted[passed]]
			wrong += v.No - v.Yes
		}
		cut := Stump{Column: column, At: value + 1}
		if direction == Above {
			cut = Stump{Column: column, At: value, Above: true}
		}
		if !offer(cut, wrong, key) {
			return false
		}
	}
	return true
}

// labellings holds the labellings of anchors met so far. Labellings with different keys are
// different; those with the same key are compared point by point.
type labellings struct {
	anchors []Point
	keys    []uint64
	rules   map[uint64][]Rule
}

func newLabellings(anchors []Point) *labellings {
	l := &labellings{anchors, make([]uint64, len(anchors)), map[uint64][]Rule{}}
	for i := range l.keys {
		l.keys[i] = scrambled(uint64(i))
	}
	return l
}

// scrambled spreads numbers over 64 bits (the finaliser of MurmurHash3): the key of a labelling is
// the exclusive or of those of its yeses.
func scrambled(x uint64) uint64 {
	x++
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// key returns the key of one anchor; a nil labellings needs none.
func (l *labellings) key(anchor int) uint64 {
	if l == nil {
		return 0
	}
	return l.keys[anchor]
}

// add reports whether a rule labels the anchors as none before did. For a nil labellings it always
// does.
func (l *labellings) add(key uint64, r Rule) bool {
	if l == nil {
		return true
	}
	for _, other := range l.rules[key] {
		if !slices.ContainsFunc(l.anchors, func(p Point) bool {
			return other.Says(p) != r.Says(p)
		}) {
			return false
		}
	}
	l.rules[key] = append(l.rules[key], r)
	return true
}
