package classify

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/meter"
	"hush/core/privacy"
)

// universal is all of Universal with exact bases, for two first cases.
func universal(class Enumerable, persons, rules uint64, votes *StableVotes,
	half string) *Universal {
	a := pipeline(class, persons, persons, rules, 2, 1, Partition, votes)
	return &Universal{a, class, epsilon(half), meter.Sum("votes, then a rule",
		meter.Once(a.spend.Loss), meter.Once(privacy.PureLoss(epsilon(half)))), 2}
}

// law is that of the answers to two cases and of the rule.
func (u *Universal) law(limits coin.Limits, cases []Point) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		return coin.Enumerate(limits, func(src coin.Source) (string, error) {
			l, err := u.Start(src, people(u.class.Sizes(), rows), nil)
			if err != nil {
				return "", err
			}
			text := ""
			for _, p := range append(cases, cases[0]) {
				a, err := l.Answer(p, nil)
				if err != nil {
					return "", err
				}
				text += fmt.Sprint(a.Yes, a.Stable, " ")
			}
			return text + fmt.Sprint(l.Rule()), nil
		})
	}
}

// coarse cuts noise of two phases in one go: its mass is part of the figures.
var coarse = coin.Limits{Tail: big.NewRat(1, 1<<7)}

func TestAuditUniversal(t *testing.T) {
	votes := stableVotes(base(3, 2), base(3, 2), "0.2", 2, 1, 1)
	for _, tt := range []struct {
		name  string
		class Enumerable
	}{{"thresholds", stumps(Below, 3)}, {"intervals", boxes(3)}} {
		if testing.Short() && tt.name == "intervals" {
			continue // minutes
		}
		u := universal(tt.class, 2, 1, votes, "0.5")
		audittest.Holds(
			t, audit.Audit[string]{Name: "universal, " + tt.name + ", 2 persons",
				Space: audit.Space{Persons: 2, Values: 2 * len(everyPoint(tt.class.Sizes()))},
				Claim: claimOf(u.Loss(1)), Law: u.law(coarse, []Point{{0}, {1}})})
	}
}

// plainUniversal is Universal whose votes are of people as they are.
func plainUniversal() *Universal {
	votes := stableVotes(base(3, 2), base(3, 2), "0.2", 2, 1, 1)
	u := universal(stumps(Below, 3), 2, 1, votes, "0.5")
	u.answers.relabel = nil
	if err := u.answers.price(must(votes.Loss(1))); err != nil {
		panic(err)
	}
	u.spend = meter.Sum("votes, then a rule", meter.Once(u.answers.spend.Loss),
		meter.Once(privacy.PureLoss(u.half)))
	return u
}

// TestAuditUniversalPlain: without relabelling, and caught where the rule is not paid for.
func TestAuditUniversalPlain(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of big fractions")
	}
	u := plainUniversal()
	a := audit.Audit[string]{Name: "universal, plain votes, 2 persons",
		Space: audit.Space{Persons: 2, Values: 6}, Claim: claimOf(u.Loss(1)),
		Law: u.law(coarse, []Point{{0}, {1}})}
	audittest.Holds(t, a)
	strong := plainUniversal()
	strong.half = epsilon("8")
	a.Name, a.Law = "universal, plain votes, a rule at sixteen times its price",
		strong.law(coarse, []Point{{0}, {1}})
	audittest.Caught(t, a)
}

// TestPlantedUniversal: the candidate rules must be those that differ on the cases; those that
// differ on the persons are a planted mistake.
func TestPlantedUniversal(t *testing.T) {
	u := universal(stumps(Below, 3), 2, 1, stableVotes(base(3, 2), base(3, 2), "0.01", 2, 1, 1),
		"0.5")
	audittest.Caught(
		t, audit.Audit[string]{Name: "universal, anchored at the persons",
			Space: audit.Space{Persons: 2, Values: 6}, Claim: claimOf(u.Loss(1)),
			Law: func(rows []int) (*coin.Law[string], error) {
				cases := []Point{{0}, {1}}
				for i, e := range people(u.class.Sizes(), rows) {
					if e.Point != nil {
						cases[i] = e.Point
					}
				}
				return u.law(coarse, cases)(rows)
			}})
}

func TestUniversal(t *testing.T) {
	skipShort(t)
	random := rand.New(rand.NewPCG(15, 16))
	const size, n, m = 1 << 20, 1_000_000, 40
	u, err := NewUniversal(
		UniversalParams{Class: stumps(Below, size), Epsilon: epsilon("4"), Delta: delta("1e-8"),
			Persons: n, Queries: m})
	if err != nil {
		t.Fatal(err)
	}
	if loss := must(u.Loss(1)); !loss.AtMost(privacy.ApproximateLoss(epsilon("4"), delta("1e-8"))) {
		t.Errorf("loss %v", loss)
	}
	l := must(u.Start(coin.NewSeeded(7), noisyThreshold(random, n, size, 0.2), nil))
	wrong := 0
	for i := range 400 {
		x := random.Uint64N(size)
		a := must(l.Answer(Point{x}, nil))
		if (l.Rule() != nil) != (i >= m) {
			t.Fatalf("after case %d the rule is %v", i, l.Rule())
		}
		if i >= m && a.Yes != (x < size/2) {
			wrong++
		}
	}
	if wrong > 36 {
		t.Errorf("%v: %d of 360 later cases wrong", l.Rule(), wrong)
	}
}

func TestFirstPhase(t *testing.T) {
	class := stumps(Below, 1<<40)
	for _, alpha := range []float64{0.2, 0.05, 0.01} {
		m := FirstPhase(class, alpha, 0.05)
		cover := func(n uint64) float64 {
			return 2 / float64(n) * (2*class.LogGrowth(int(2*n)) + math.Log(40)) / math.Ln2
		}
		if cover(m) > alpha || cover(m-m/32-1) < alpha {
			t.Errorf("α %g: %d cases, cover %g", alpha, m, cover(m))
		}
	}
}

// TestUniversalPaysForBoth: the losses of the first phase's answers and of the published rule add
// up to the claimed loss, and the claim to the granted budget.
func TestUniversalPaysForBoth(t *testing.T) {
	class := stumps(Below, 64)
	u := must(NewUniversal(UniversalParams{
		Class: class, Epsilon: epsilon("4"), Delta: delta("1e-6"), Persons: 100_000, Queries: 3,
	}))
	learner := must(NewSemiPrivate(SemiPrivateParams{
		Class: class, Anchors: []Point{{1}, {20}, {40}}, Epsilon: u.half,
	}))
	spent := must(u.answers.Loss(1)).Plus(must(learner.Loss(1)))
	claimed := must(u.Loss(1))
	if !spent.AtMost(claimed) {
		t.Errorf("claimed %v, spent %v", claimed, spent)
	}
	if granted := privacy.ApproximateLoss(epsilon("4"), delta("1e-6")); !claimed.AtMost(granted) {
		t.Errorf("claimed %v, granted %v", claimed, granted)
	}
	if twice := 2 * learner.choice.Base().Log(); twice > u.half.Float64() ||
		twice < 0.999*u.half.Float64() {
		t.Errorf("the rule is drawn with 2·ln r = %g, granted %g", twice, u.half.Float64())
	}
}
