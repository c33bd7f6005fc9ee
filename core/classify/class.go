package classify

import (
	"fmt"
	"math"
	"strconv"

	"hush/core/param"
	"hush/core/phrase"
)

// Rule is a classifier: it labels every case. A Rule is immutable.
type Rule interface {
	Says(p Point) bool
	fmt.Stringer
}

// Class is a set of rules to learn from. Each method says what the proofs need of it. Proof:
// relabel.md, Theorem 1 and Lemmas 3 to 6, needs that labellings are those of the anchors, each
// once; answers.md, Theorem 1, that a rule is a function of its sample; answers.md, LearnedError,
// is about forecasts.
type Class interface {
	fmt.Stringer

	// Sizes are the public numbers of codes of the columns.
	Sizes() []uint64

	// Learn finds a rule that makes few mistakes on a sample, none where the class has such a rule
	// and the class is Enumerable. It is a function of the sample alone. The points of a sample are
	// different, in ascending order, and fit Sizes. Where p has ended, what is returned means
	// nothing.
	Learn(sample []Votes, p *pace) Rule

	// Dimension is the Vapnik–Chervonenkis dimension, or an upper bound of it.
	Dimension() int

	// LogGrowth is at least the logarithm of how many ways there are to label n points by rules of
	// the class.
	LogGrowth(n int) float64

	// LearnedError bounds the mean part of n persons that a rule learned from s of them, drawn
	// without replacement, answers wrongly, when some rule of the class makes no mistake on the n.
	// For forecasts.
	LearnedError(s, n int) float64
}

// Enumerable is a class whose different labellings of given points can be listed.
type Enumerable interface {
	Class

	// Work is about how many steps Dichotomies takes on n anchors and n votes at most, whatever
	// they are.
	Work(n int) float64

	// Dichotomies visits for each way the class labels the anchors exactly one rule that does, in
	// an order that depends on the anchors alone (H: relabel.md each-once), with how many persons
	// of the sample the rule answers wrongly, until visit returns false. The rule is made when
	// asked for. Anchors are different, fit Sizes and are in ascending order. Where p has ended,
	// what is visited means nothing.
	Dichotomies(anchors []Point, sample []Votes, p *pace,
		visit func(mistakes int64, rule func() Rule) bool)
}

// fewest returns the first rule with the fewest mistakes.
func fewest(c Enumerable, sample []Votes, p *pace) (best Rule) {
	least := int64(math.MaxInt64)
	c.Dichotomies(distinct(sample), sample, p, func(mistakes int64, rule func() Rule) bool {
		if mistakes < least {
			least, best = mistakes, rule()
		}
		return least > 0
	})
	return best
}

// unionError returns LearnedError for any learner without mistakes: a rule that is wrong for more
// than a part a of the persons is right for s of them with a chance of at most e^(−as); over all
// labellings, the mean of the worst is at most (ln(labellings) + 1)/s.
func unionError(logGrowth float64, s int) float64 {
	return min(1, (logGrowth+1)/float64(max(s, 1)))
}

// essentialError returns LearnedError where the rule learned changes only when one of this many
// persons is taken out of the sample: the last of s + 1 persons, who might be any of them, gets a
// wrong answer only if it is one of these.
func essentialError(essential, s int) float64 { return min(1, float64(essential)/float64(s+1)) }

// sauer returns Sauer's bound on LogGrowth: the sum of the binomials (n choose i), i ≤ d, is at
// most (en/d)^d, and at most 2^n.
func sauer(d, n int) float64 {
	if n <= d {
		return float64(n) * math.Ln2
	}
	return float64(d) * (1 + math.Log(float64(n)/float64(d)))
}

func refuse(field string, value any, want phrase.Key, args ...any) error {
	return param.Refuse("classify", field, value, want, args...)
}

// checkSizes refuses columns if they are too many, or if any is empty or too large.
func checkSizes(sizes []uint64, most int, largest uint64) error {
	if len(sizes) == 0 || len(sizes) > most {
		return refuse("sizes", phrase.Of("%d columns", len(sizes)), "from 1 to %d columns", most)
	}
	for _, size := range sizes {
		if size == 0 || size > largest {
			return refuse("sizes", strconv.FormatUint(size, 10),
				"from 1 to %d codes in each column", largest)
		}
	}
	return nil
}

// column names a column by its number from 1.
func column(i int) phrase.Phrase { return phrase.Of("column %d", i+1) }
