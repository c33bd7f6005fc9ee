package query

import (
	"math/big"
	"strconv"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/privacy"
)

// Learner finds a conjunction of high score, privately, where one replaced person changes every
// score by at most 1. If the score is the number of persons whom a conjunction classifies
// correctly, it is an agnostic learner.
type Learner interface {
	mechanism.Mechanism

	// Learn chooses among conjunctions of up to the learner's width of d attributes, the empty one
	// among them. Replacing a person moves each score by at most 1 (H: learners.md scores-move).
	// step may be nil.
	Learn(src coin.Source, d int, score func(s Set) int64, step coin.Step) (Set, error)
}

// LearnerParams are the parameters of Exhaustive and Greedy. Exactly one of Epsilon and Base is
// given.
type LearnerParams struct {
	Epsilon privacy.Epsilon // the privacy loss granted for one choice

	// Base is r itself, in place of Epsilon: the loss is then 2·ln r for Exhaustive, 2·Width·ln r
	// for Greedy.
	Base coin.Base

	// Width is the most attributes of a conjunction, at least 1. Required.
	Width int
}

// Exhaustive scores every conjunction and chooses with the exponential mechanism.
//
// # Guarantee
//
// Pure Epsilon-DP for neighbours between which no score changes by more than 1. Proof: learners.md.
//
// # Errors
//
// [*param.Error] (epsilon, base, width) from the constructor, (width) from Learn for more than 2^20
// conjunctions.
//
// # Cost and accuracy
//
// One score for each of the N conjunctions, Σ (d choose j) + 1. With probability 1 − β the score is
// within about (2/ε)·ln(N/β) of the best.
//
// # Reference
//
// McSherry, Talwar, 2007; Kasiviswanathan, Lee, Nissim, Raskhodnikova, Smith, "What Can We Learn
// Privately?", 2008, Section 3.
type Exhaustive struct {
	choice *mechanism.Exponential
	width  int
}

// Greedy adds one attribute after another, each by the exponential mechanism, and may stop before
// the width is reached.
//
// # Guarantee
//
// Pure Epsilon-DP: Width choices of Epsilon/Width each. Proof: learners.md.
//
// # Errors
//
// [*param.Error] (epsilon, base, width) from the constructor.
//
// # Cost and accuracy
//
// At most Width·(d + 1) scores, so any d. Heuristic: it may miss a conjunction of which no part
// scores well.
type Greedy struct {
	choice *mechanism.Exponential
	width  int
	spend  *meter.Spend
}

var _, _ Learner = (*Exhaustive)(nil), (*Greedy)(nil)

// NewExhaustive checks the parameters.
func NewExhaustive(p LearnerParams) (*Exhaustive, error) {
	if p.Width < 1 { // H: learners.md width
		return nil, refuse("width", strconv.Itoa(p.Width), "at least 1")
	}
	choice, err := mechanism.NewExponential(
		mechanism.ExponentialParams{Epsilon: p.Epsilon, Base: p.Base, Sensitivity: 1})
	return &Exhaustive{choice, p.Width}, err
}

// Loss returns the loss of one choice.
func (l *Exhaustive) Loss(d privacy.Distance) (privacy.Loss, error) { return l.choice.Loss(d) }

// ErrorBound returns a number such that, with probability 1 − beta, the score of the conjunction
// chosen is at most that far below the best.
func (l *Exhaustive) ErrorBound(beta float64, d int) int64 {
	return l.choice.ErrorBound(beta, CountConjunctions(d, l.width))
}

// CountConjunctions returns the number of conjunctions of 0 to width of d attributes.
func CountConjunctions(d, width int) *big.Int {
	n := countSubsets(d, width)
	return n.Add(n, big.NewInt(1))
}

// Learn scores all conjunctions.
func (l *Exhaustive) Learn(src coin.Source, d int, score func(Set) int64,
	step coin.Step) (Set, error) {
	width := min(l.width, d)
	if err := checkClass(d, width); err != nil { // H: learners.md few-enough
		return nil, err
	}
	sets := append([]Set{emptySet(d)}, subsets(d, width)...)
	scores := make([]int64, len(sets))
	for i, s := range sets {
		if step != nil && i%1024 == 0 {
			if err := step(int64(i), int64(len(sets))); err != nil {
				return nil, err
			}
		}
		scores[i] = score(s)
	}
	chosen, err := l.choice.Release(src, scores, nil)
	if err != nil {
		return nil, err // unreachable: the empty set is a candidate
	}
	return sets[chosen], nil
}

// NewGreedy checks the parameters.
func NewGreedy(p LearnerParams) (*Greedy, error) {
	if p.Width < 1 || p.Width > 1<<10 { // H: learners.md width
		return nil, refuse("width", strconv.Itoa(p.Width), "from 1 to 1024")
	}
	if p.Epsilon.IsSet() {
		p.Epsilon = p.Epsilon.Part(1, int64(p.Width))
	}
	choice, err := mechanism.NewExponential(
		mechanism.ExponentialParams{Epsilon: p.Epsilon, Base: p.Base, Sensitivity: 1})
	if err != nil {
		return nil, err
	}
	each, err := choice.Loss(1)
	return &Greedy{choice, p.Width,
		meter.Sum("one attribute after the other", meter.Each(each, uint64(p.Width)))}, err
}

// Loss returns the loss of all choices together.
func (l *Greedy) Loss(d privacy.Distance) (privacy.Loss, error) {
	return l.spend.Loss.Group(d)
}

// Learn grows a conjunction. The first candidate is always to keep it as it is.
func (l *Greedy) Learn(src coin.Source, d int, score func(Set) int64, step coin.Step) (Set, error) {
	src = meter.Within(src, l.spend)
	best := emptySet(d)
	for i := range l.width {
		if step != nil {
			if err := step(int64(i), int64(l.width)); err != nil {
				return nil, err
			}
		}
		sets := []Set{best}
		for x := range d {
			if !best.Has(x) {
				sets = append(sets, best.With(x))
			}
		}
		scores := make([]int64, len(sets))
		for j, s := range sets {
			scores[j] = score(s)
		}
		chosen, err := l.choice.Release(src, scores, nil)
		if err != nil {
			return nil, err // unreachable: best is a candidate
		}
		best = sets[chosen]
	}
	return best, nil
}
