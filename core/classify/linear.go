package classify

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"hush/core/phrase"
)

// Linear is a halfspace of any dimension: it says yes where Weights · codes ≥ Least. Sums are
// exact.
type Linear struct {
	Weights []*big.Int // of the columns
	Least   *big.Int
}

// Says returns the answer for a case.
func (l Linear) Says(p Point) bool { return l.sum(p).Cmp(l.Least) >= 0 }

func (l Linear) sum(p Point) *big.Int {
	sum, term := new(big.Int), new(big.Int)
	for i, code := range p {
		sum.Add(sum, term.Mul(l.Weights[i], term.SetUint64(code)))
	}
	return sum
}

func (l Linear) String() string { return l.Phrase().String() }

// Phrase is String in any language.
func (l Linear) Phrase() phrase.Phrase {
	largest := oneInt
	for _, w := range l.Weights {
		if w.CmpAbs(largest) > 0 {
			largest = new(big.Int).Abs(w)
		}
	}
	part := func(x *big.Int) float64 {
		of, _ := new(big.Rat).SetFrac(x, largest).Float64()
		return of
	}
	var words []phrase.Phrase
	for i, w := range l.Weights {
		words = append(words, phrase.Glue(fmt.Sprintf("%+.3g · ", part(w)), column(i)))
	}
	return phrase.Glue(phrase.Join(words, " "), fmt.Sprintf(" ≥ %.4g", part(l.Least)))
}

// Halfspaces is the class of halfspaces of any number of columns. For two columns [Plane] is the
// same, and lists its labellings faster.
//
// # Learning
//
// By linear programs: a rule without a mistake is found wherever there is one, exactly. Where there
// is none, finding the fewest mistakes is NP-hard; learned is the halfspace with the fewest among
// those of two sets of weights, that with the least hinge loss and that with the least where all
// persons of either label count as much together: if few persons say yes, weights that cost least
// often say no to all. The programs are solved in floats (leastHinge), and whether that there is no
// rule is true, in whole numbers (separate). A rule is a function of its sample, and privacy asks
// no more of it. O(persons · (columns + log persons)) for each corner, of which there are some tens
// to hundreds.
//
// Proof: answers.md, Theorem 1 for Plain answers; halfspaces.md for the learner; relabel.md, Lemma
// 5 for labellings.
//
// # Errors
//
// [*param.Error] (sizes) from the constructor.
type Halfspaces struct{ sizes []uint64 }

var _ Oracle = (*Halfspaces)(nil)

// NewHalfspaces returns the class for columns of these sizes: 1 to 64 columns of at most 2^53
// codes.
func NewHalfspaces(sizes []uint64) (*Halfspaces, error) {
	if err := checkSizes(sizes, 64, 1<<53); err != nil {
		return nil, err
	}
	return &Halfspaces{slices.Clone(sizes)}, nil
}

func (c *Halfspaces) String() string { return c.Phrase().String() }

// Phrase is String in any language.
func (c *Halfspaces) Phrase() phrase.Phrase {
	return phrase.Of("halfspaces of %d columns", len(c.sizes))
}

// Sizes returns the sizes of the columns.
func (c *Halfspaces) Sizes() []uint64 { return slices.Clone(c.sizes) }

// Dimension is one more than the number of columns.
func (c *Halfspaces) Dimension() int { return len(c.sizes) + 1 }

// LogGrowth is at most Cover's count 2·Σ (n−1 choose i), i ≤ columns.
func (c *Halfspaces) LogGrowth(n int) float64 {
	return min(math.Ln2+sauer(len(c.sizes), max(n-1, 0)), float64(n)*math.Ln2)
}

// LearnedError is the bound for a learner without mistakes, which this one is.
func (c *Halfspaces) LearnedError(s, n int) float64 { return unionError(c.LogGrowth(n), s) }

// Learn finds a rule.
func (c *Halfspaces) Learn(sample []Votes, p *pace) Rule {
	s := newSides(sample, len(c.sizes))
	w, first := leastHinge(s.kinks(1, 1), c.Dimension(), p)
	rule, wrong := fewestAlong(s.weights(w), sample, p)
	if wrong == 0 {
		return rule
	}
	if !s.torn {
		if exact := s.separate(first, p); exact != nil {
			rule, _ = fewestAlong(exact, sample, p)
			return rule
		}
	}
	yes, no := totals(sample)
	w, _ = leastHinge(s.kinks(float64(no), float64(yes)), c.Dimension(), p)
	if even, now := fewestAlong(s.weights(w), sample, p); now < wrong {
		return even
	}
	return rule
}

// Consistent returns the rule that Learn finds, if it makes no mistake.
func (c *Halfspaces) Consistent(sample []Votes) (Rule, bool) {
	rule := c.Learn(sample, nil)
	return rule, mistakes(rule, sample) == 0
}

// ConsistentWork is the work of some corners, in floats and then exact.
func (c *Halfspaces) ConsistentWork(n int) float64 {
	d := float64(c.Dimension())
	return 40 * d * d * (float64(n) + d)
}

// fewestAlong returns the halfspace with these weights that makes the fewest mistakes, and their
// number. Its threshold lies half-way between the sums of two persons; of equals the first is
// taken.
func fewestAlong(weights []*big.Int, sample []Votes, p *pace) (Linear, int64) {
	l := Linear{Weights: weights, Least: new(big.Int)}
	sums := make([]*big.Int, len(sample))
	for i, v := range sample {
		sums[i] = l.sum(v.Point)
	}
	rising := order(len(sample), p, func(i, j int) int { return sums[i].Cmp(sums[j]) })
	_, wrong := totals(sample) // of a rule that always says yes
	if len(sample) > 0 {
		l.Least.Set(sums[rising[0]])
	}
	now, best := wrong, wrong
	for at, i := range rising {
		now += sample[i].Yes - sample[i].No
		last := at == len(rising)-1
		if now >= best || !last && sums[rising[at+1]].Cmp(sums[i]) == 0 {
			continue
		}
		best = now
		l.Least.Add(sums[i], oneInt)
		if !last { // half-way, rounded up
			l.Least.Rsh(l.Least.Add(l.Least, sums[rising[at+1]]), 1)
		}
	}
	return l, best
}
