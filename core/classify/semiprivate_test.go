package classify

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

func TestAuditSemiPrivate(t *testing.T) {
	for _, tt := range []struct {
		class   Enumerable
		anchors []Point
	}{{stumps(Below, 4), []Point{{1}, {3}}}, {boxes(4), []Point{{0}, {2}, {3}}},
		{plane(2, 2), []Point{{0, 0}, {1, 1}, {1, 0}}}, {boxes(2, 2), everyPoint([]uint64{2, 2})},
		{trees(2, 2, 2), []Point{{0, 0}, {0, 1}, {1, 1}}},
		{halfspaces(2, 2), everyPoint([]uint64{2, 2})}} {
		m := must(NewSemiPrivate(
			SemiPrivateParams{Class: tt.class, Anchors: tt.anchors, Base: base(3, 2)}))
		audittest.Holds(
			t, audit.Audit[string]{
				Name:  fmt.Sprintf("semi-private, %v of %v", tt.class, tt.class.Sizes()),
				Space: audit.Space{Persons: 3, Values: 2 * len(everyPoint(tt.class.Sizes()))},
				Claim: claimOf(m.Loss(1)), Law: ruleLaw(m.Learn, tt.class)})
	}
}

// ruleLaw is the law of the rule learned.
func ruleLaw(learn func(coin.Source, []Example, coin.Step) (Rule, error),
	class Class) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		return coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
			rule, err := learn(src, people(class.Sizes(), rows), nil)
			return fmt.Sprint(rule), err
		})
	}
}

// TestPlantedSemiPrivate: with the persons' own points for anchors it is not private at all.
func TestPlantedSemiPrivate(t *testing.T) {
	class := stumps(Below, 4)
	m := must(NewSemiPrivate(
		SemiPrivateParams{Class: class, Anchors: []Point{{1}}, Base: base(3, 2)}))
	audittest.Caught(
		t, audit.Audit[string]{Name: "semi-private, anchored at the persons",
			Space: audit.Space{Persons: 3, Values: 8}, Claim: claimOf(m.Loss(1)),
			Law: ruleLaw(func(src coin.Source, examples []Example, step coin.Step) (Rule, error) {
				sample := votes(examples, class.Sizes(), nil)
				return chooseRule(src, class, distinct(sample), sample, base(3, 2), nil)
			}, class)})
}

// TestSemiPrivateCover: rules that agree on the anchors agree on nearly all of the population, at
// random anchors.
func TestSemiPrivateCover(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	const size = 1 << 20
	bad := 0
	for range 200 {
		class := boxes(size)
		m := must(NewSemiPrivate(
			SemiPrivateParams{Class: class, Anchors: randomPoints(random, []uint64{size}, 400),
				Epsilon: epsilon("1")}))
		codes := values(m.anchors, 0)
		widest, last := uint64(0), uint64(0)
		for _, code := range codes { // two intervals that agree differ on two gaps at most
			widest, last = max(widest, code-last), code
		}
		if 2*float64(widest)/size > m.Cover(0.05) {
			bad++
		}
	}
	if bad > 10 {
		t.Errorf("%d of 200 covers too coarse", bad)
	}
}

// TestSemiPrivateChoosesWithTheBasePaidFor: what the rule is drawn with, 2·ln r for a replaced
// person, is no more than its loss.
func TestSemiPrivateChoosesWithTheBasePaidFor(t *testing.T) {
	m := must(NewSemiPrivate(SemiPrivateParams{Class: stumps(Below, 4), Anchors: []Point{{1}},
		Epsilon: must(privacy.ParseEpsilon("1"))}))
	loss := must(m.Loss(1))
	paid, _ := loss.Epsilon()
	if drawn := m.choice.Base().Pow(2).Rat(); drawn.Cmp(privacy.ExpUp(paid)) > 0 {
		t.Errorf("a rule is drawn with base %v, paid with ε = %v", m.choice.Base(), paid)
	}
}
