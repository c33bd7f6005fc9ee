package selection

import (
	"fmt"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// square has points of two coordinates, 2·y + x for a person's value where side is 2.
func square(rows []int, side int) cloud {
	points := make(cloud, len(rows))
	for i, v := range rows {
		if v != audit.None {
			points[i] = []int64{int64(v % side), int64(v / side)}
		}
	}
	return points
}

// onSquare are components of two coordinates of this side, and what a run has.
func onSquare(epsilon string, side int64) (m *Components, each privacy.Epsilon) {
	total, r := must(privacy.ParseEpsilon(epsilon)), must(Geometric(rat("1/4"), 0))
	m = must(NewComponents(ComponentsParams{Epsilon: total, Ranks: []int{1, 2}, Dimensions: 2,
		Side: side, Worth: rat("1/8"), Repetitions: r}))
	each, _, err := shareOut(total, privacy.Delta{}, r)
	return m, must(each, err)
}

// written is all that a run publishes except its score; energies come from whole numbers and are
// written to a millionth.
func written(a Axes) string { return fmt.Sprintf("%v %.6f", a.Vectors, a.Energy) }

var squareSpace = audit.Space{Persons: 1, Values: 16}

// scatterOf audits the noisy matrix of one person of 16 values, of which one entry in a corner is 4
// and the others are from −2 or 0 to 4.
func (m *Components) scatterOf(name string, claim audit.Claim) func(int) audit.Audit[[4]int64] {
	laws := drawnLaws{}
	return func(int) audit.Audit[[4]int64] {
		return audit.Audit[[4]int64]{Name: name, Space: squareSpace, Claim: claim,
			Law: func(rows []int) (*coin.Law[[4]int64], error) {
				sums, err := m.measure(square(rows, 4), nil)
				if err != nil {
					return nil, err
				}
				return laws.together(drawn{m.scatter, sums[0], 0, 4},
					drawn{m.scatter, sums[1], -2, 4}, drawn{m.scatter, sums[2], 0, 4})
			}}
	}
}

// energyOf audits the score of components: the axes, a diagonal, and nothing.
func (m *Components) energyOf(name string, claim audit.Claim) func(int) audit.Audit[[4]int64] {
	laws := drawnLaws{}
	return func(which int) audit.Audit[[4]int64] {
		components := [][][]int64{{{ComponentUnit, 0}, {0, ComponentUnit}}, {{23170, 23170}},
			{{0, 0}}}[which]
		return audit.Audit[[4]int64]{Name: name, Space: squareSpace, Claim: claim,
			Law: func(rows []int) (*coin.Law[[4]int64], error) {
				total, err := m.captured(square(rows, 4), components, nil)
				if err != nil {
					return nil, err
				}
				return laws.together(drawn{m.score, total, 0, m.energy()})
			}}
	}
}

// TestAuditComponents: the matrix costs half of a run and the score half, and a whole run, which
// chooses among two ranks, and the best of many what they claim.
func TestAuditComponents(t *testing.T) {
	m, each := onSquare("3", 4)
	half := tiny(each.Part(1, 2))
	rounds(t, audit.Holds, []int{0}, m.scatterOf("components, the scatter matrix", half))
	rounds(t, audit.Holds, []int{0, 1, 2}, m.energyOf("components, the score", half))

	whole, each := onSquare("48", 2)
	persons := 1
	law := scoredLaw(clusterLimits, whole.score, 2*int64(persons), 1,
		func(src coin.Source, rows []int) (found, error) {
			run, err := whole.run(src, square(rows, 2), int64(len(rows)), nil)
			return found{Output: written(run.Output), Score: run.Score}, err
		})
	space := audit.Space{Persons: persons, Values: 4}
	audittest.Holds(
		t, audit.Audit[found]{Name: "components, one run", Space: space,
			Claim: near(claimOf(privacy.PureLoss(each), nil)), Law: law})
	audittest.Holds(
		t, audit.Audit[string]{Name: "components, best of a geometric number of runs",
			Space: space, Claim: near(claimOf(whole.Loss(1))), Law: chosenLaw(rat("1/4"), law)})
}

func TestPlantedComponents(t *testing.T) {
	m, each := onSquare("3", 4)
	half := tiny(each.Part(1, 2))
	laplace := func(epsilon privacy.Epsilon, sensitivity uint64) *mechanism.Laplace {
		return must(mechanism.NewLaplace(mechanism.LaplaceParams{
			Epsilon: epsilon, L1Sensitivity: sensitivity}))
	}
	scatter, score := m.sensitivities()
	twice, one, sure := *m, *m, *m
	twice.scatter, twice.score = laplace(each, scatter), laplace(each, score)
	one.scatter = laplace(each.Part(1, 2), scatter/4)
	sure.score = laplace(each.Part(1, 2), 1)
	rounds(t, audit.Violated, []int{0, 1, 2},
		twice.energyOf("components, the score with all of a run", half))
	rounds(t, audit.Violated, []int{0},
		twice.scatterOf("components, a matrix with all of a run", half))
	rounds(t, audit.Violated, []int{0},
		one.scatterOf("components, a matrix with the sensitivity of one entry", half))
	rounds(t, audit.Violated, []int{0, 1, 2},
		sure.energyOf("components, a score with sensitivity 1", half))
}
