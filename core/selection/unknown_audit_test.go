package selection

import (
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// coarseUnknown has a search of few samples and coarse steps, and a second step of at most 3 runs.
func coarseUnknown(t testing.TB, f finite, above *mechanism.AboveThreshold,
	samples uint64) *Unknown {
	search := &Search{
		sampling{newRuler(privacy.LogUp(rat("8"))), above, nil, nil, rat("1/4"), samples},
		[]int64{2, 0}, rat("3/4")}
	search.ruler.steps = 1
	return &Unknown{search, newThreshold(f.loss(t, "0"), "1/2", 3), nil}
}

// parts is the claim of both steps, 1/20 for samples that mislead.
func (m *Unknown) parts() audit.Claim {
	claim := claimOf(m.search.above.Loss(1)).Plus(claimOf(m.threshold.Loss(1)))
	claim.Delta.Add(claim.Delta, rat("1/20"))
	return claim
}

// unknownLaw is the law of both steps, how many samples reach the upper level drawn at once.
func unknownLaw(m *Unknown, f finite) func(rows []int) (*coin.Law[int], error) {
	return func(rows []int) (*coin.Law[int], error) {
		level, err := coin.Enumerate(few, func(src coin.Source) (int64, error) {
			count, err := src.Choose(binomial{m.search.samples, f.share(rows, 2)}, coin.Base{}, nil)
			if err != nil {
				return 0, err
			}
			return m.search.ThresholdFrom(src, []uint64{uint64(count), m.search.samples})
		})
		if err != nil {
			return nil, err
		}
		return coin.Then(level, func(level int64) (*coin.Law[int], error) {
			return thresholdLaw(m.threshold, level, f.candidate)(rows)
		})
	}
}

// TestAuditUnknown: a search and then a run that reaches what it found, in steps with
// twelve samples, and by FirstAboveUnknown with one.
func TestAuditUnknown(t *testing.T) {
	for _, f := range []struct {
		name string
		f    finite
	}{{"sharp", sharp}, {"graded", graded}} {
		if testing.Short() && f.name == "graded" {
			continue
		}
		many := coarseUnknown(t, f.f, coarse(), 12)
		audittest.Holds(
			t, audit.Audit[int]{Name: "unknown threshold, " + f.name + ", 12 samples in steps",
				Space: f.f.space(), Claim: near(many.parts()),
				Law: unknownLaw(many, f.f)})
		if testing.Short() || f.name == "graded" {
			continue // many runs
		}
		one := coarseUnknown(t, f.f, coarse(), 1)
		limits := few
		limits.Bits = 60
		audittest.Holds(
			t, audit.Audit[int]{Name: "unknown threshold, " + f.name + ", 1 sample",
				Space: f.f.space(), Claim: near(one.parts()),
				Law: func(rows []int) (*coin.Law[int], error) {
					return coin.Enumerate(limits, func(src coin.Source) (int, error) {
						run, _, found, err := FirstAboveUnknown(src, one,
							f.f.candidate(rows), nil)
						return outputOf(run, found, err)
					})
				}})
	}
}

func TestPlantedUnknown(t *testing.T) {
	caught := func(name string, m *Unknown, claim audit.Claim) {
		audittest.Caught(
			t, audit.Audit[int]{Name: "unknown threshold " + name, Space: sharp.space(),
				Claim: near(claim), Law: unknownLaw(m, sharp)})
	}
	paid := coarseUnknown(t, sharp, coarse(), 12)
	huge := must(coin.NewBase(1<<20, 1))
	quiet := must(
		mechanism.NewAboveThreshold(
			mechanism.AboveThresholdParams{BaseThreshold: huge, BaseQueries: huge, Sensitivity: 1}))
	silent := coarseUnknown(t, sharp, quiet, 12)
	silent.search.ruler.steps = 4
	caught("sought without noise", silent, paid.parts())
	caught("whose search is not paid for", silent, claimOf(paid.threshold.Loss(1)))
}
