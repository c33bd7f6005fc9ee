package basic

import (
	"math/big"

	"hush/core/coin"
	"hush/core/mechanism"
)

// Quantiler releases several quantiles of a column at once: [Quantiles] or [JointExp].
type Quantiler interface {
	mechanism.Mechanism

	// Release chooses a code for each target, ascending.
	Release(src coin.Source, values Values, step coin.Step) ([]uint64, error)

	// ReleaseWide is Release for distinct codes of any size, ascending, each with the persons who
	// have it.
	ReleaseWide(src coin.Source, sorted mechanism.SortedCodes, step coin.Step) ([]*big.Int, error)

	// RankErrors bounds, for each target, how many persons the released value is away from it: all
	// at once with probability at least 1 − beta, for any data.
	RankErrors(beta float64) []float64

	// TypicalRankError is about how many persons the value that is furthest off is away from its
	// target, on average: a rule of thumb, fitted to the table of jointexp.md.
	TypicalRankError() float64
}

var (
	_ Quantiler = (*Quantiles)(nil)
	_ Quantiler = (*JointExp)(nil)
)

// AdviseQuantiles takes the algorithm with the smaller mean error for these public facts, as
// measured in jointexp.md: [JointExp] for two targets and more, unless there are too many persons
// for it to choose so many targets that those left out follow from them.
func AdviseQuantiles(p QuantilesParams) (Quantiler, error) {
	joint, err := NewJointExp(JointExpParams{Epsilon: p.Epsilon, Size: p.Size, Targets: p.Targets,
		People: p.People})
	if err != nil || len(p.Targets) == 1 {
		return NewQuantiles(p) // which says what is wrong with its own parameters
	}
	left := p.Epsilon.Float64() * float64(p.People) / float64(joint.Chosen()+1)
	if joint.Chosen() == affordable(p.People) && joint.Chosen() < len(p.Targets) &&
		left > mostBetween {
		return NewQuantiles(p)
	}
	return joint, nil
}

// mostBetween is how many persons, for ε = 1, may lie between two chosen targets with others
// between them: a proportion is off by about a tenth of that, splits by about 25.
const mostBetween = 200
