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
// measured in jointexp.md: splits for one target, and for more people than [JointExp] takes.
// JointExp chooses as many targets as are worth it by one level, where it can or where few persons
// lie between the targets that it can choose, and otherwise by two.
func AdviseQuantiles(p QuantilesParams) (Quantiler, error) {
	together := JointExpParams{Epsilon: p.Epsilon, Size: p.Size, Targets: p.Targets,
		People: p.People}
	if len(p.Targets) < 2 || p.People > maxJointPeople {
		return NewQuantiles(p)
	}
	joint, err := NewJointExp(together)
	if err != nil {
		return NewQuantiles(p) // which says what is wrong with its own parameters
	}
	between := p.Epsilon.Float64() * float64(p.People) / float64(joint.Chosen()+1)
	together.Levels = 2
	if joint.Chosen() < together.worth() && between > mostBetween {
		return NewJointExp(together)
	}
	return joint, nil
}

// mostBetween is the largest number of persons, for ε = 1, that may lie between two targets chosen
// by one level with others between them before two levels are better.
const mostBetween = 80
