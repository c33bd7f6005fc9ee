package classify

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/internal/stattest"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/privacy"
)

func relabelling(c Class, r coin.Base) *Relabelling { return must(NewRelabelling(c, r)) }

// TestAuditRelabelling: noise of base 3/2 on the number of new yeses, with the loss of both.
func TestAuditRelabelling(t *testing.T) {
	for _, tt := range []struct {
		class   Enumerable
		persons int
		base    coin.Base
	}{
		{stumps(Below, 3), 3, base(3, 2)}, {stumps(Below, 4), 3, base(3, 1)},
		{stumps(Either, 3), 3, base(3, 2)}, {boxes(4), 3, base(3, 2)},
		{plane(2, 2), 3, base(3, 2)}, {boxes(2, 2), 3, base(9, 8)}, {trees(2, 2, 2), 3, base(3, 2)},
		{halfspaces(2, 2), 3, base(3, 2)},
	} {
		m := relabelling(tt.class, tt.base)
		sizes := tt.class.Sizes()
		noise := must(
			mechanism.NewLaplace(mechanism.LaplaceParams{Base: base(3, 2), L1Sensitivity: 1}))
		audittest.Holds(t, audit.Audit[int64]{
			Name:  fmt.Sprintf("number of new yeses with noise, %v of %v", m, sizes),
			Space: audit.Space{Persons: tt.persons, Values: 2 * len(everyPoint(sizes))},
			Claim: claimOf(m.LossOf(must(noise.Loss(1)))),
			Law: func(rows []int) (*coin.Law[int64], error) {
				return coin.Enumerate(coin.Limits{Top: uint64(tt.persons + 1)},
					func(src coin.Source) (int64, error) {
						yes, _ := totals(
							votes(must(m.Relabel(src, people(sizes, rows), nil)), sizes, nil))
						return min(max(must(noise.Release(src, []int64{yes}, nil))[0], -1),
							int64(tt.persons)+1), nil
					})
			},
		})
	}
}

// newLabels is the law of the new labels of the first persons, all but one.
func newLabels(t *testing.T, m *Relabelling, examples []Example) *coin.Law[string] {
	t.Helper()
	law, err := coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
		renamed, err := m.relabel(src, examples, nil)
		text := ""
		for _, e := range renamed[:len(examples)-1] {
			text += fmt.Sprint(e.Yes)[:1]
		}
		return text, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return law
}

// TestRelabelledRatio: the new labels of all other persons are (2·ln(1+r), 0)-close when one person
// is replaced, on every pair of data sets of ordered persons; and with many persons at one point
// that is nearly reached.
func TestRelabelledRatio(t *testing.T) {
	persons := 3
	if *long {
		persons = 4
	}
	bases := []coin.Base{base(5, 3), base(9, 8), base(4, 1)}
	if testing.Short() {
		bases = bases[:1]
	}
	for _, c := range []Enumerable{stumps(Below, 4), stumps(Either, 3), stumps(Either, 2, 2),
		boxes(4), boxes(2, 2), plane(2, 2), trees(1, 2, 2), trees(2, 4)} {
		for _, r := range bases {
			m := relabelling(c, r)
			claim := claimOf(m.LossOf(privacy.Loss{}))
			sizes := c.Sizes()
			values := 2 * len(everyPoint(sizes))
			rows := make([]int, persons)
			var each func(i int)
			each = func(i int) {
				if i < persons-1 {
					for rows[i] = audit.None; rows[i] < values; rows[i]++ {
						each(i + 1)
					}
					return
				}
				var laws []*coin.Law[string]
				for rows[i] = audit.None; rows[i] < values; rows[i]++ {
					laws = append(laws, newLabels(t, m, people(sizes, rows)))
				}
				for _, p := range laws {
					for _, q := range laws {
						if odds := audit.Odds(p, q, new(big.Rat)); odds == nil ||
							odds.Cmp(claim.Odds) > 0 {
							t.Fatalf("%v, persons %v and one more: odds %v, claimed %v", m,
								rows[:i], odds, claim.Odds)
						}
					}
				}
			}
			each(0)
		}
	}
	// A rule that says no to all persons has two ways to label a further one below them, one of
	// them right, and one, wrong, above; the best rule the other way round.
	m := relabelling(stumps(Below, 4), base(5, 3))
	at := func(last Example) *coin.Law[string] {
		return newLabels(
			t, m, append(slices.Repeat([]Example{{Point{1}, true}, {Point{3}, false}}, 20), last))
	}
	claim := claimOf(m.LossOf(privacy.Loss{}))
	odds := audit.Odds(at(Example{Point{0}, false}), at(Example{Point{2}, true}), new(big.Rat))
	if least := new(big.Rat).Mul(claim.Odds, big.NewRat(99, 100)); odds.Cmp(least) < 0 ||
		odds.Cmp(claim.Odds) > 0 {
		t.Errorf("odds %v, want nearly %v", odds.FloatString(4), claim.Odds.FloatString(4))
	}
}

// TestRelabellingVector: three persons at 1, 2 and 3 with labels 1, 0, 1 and thresholds that say
// yes below a cut, e^(1/2) being the base: the laws of the labels 000, 100, 110, 111, computed by
// hand.
func TestRelabellingVector(t *testing.T) {
	m := relabelling(stumps(Below, 4), must(coin.ExpBelow(big.NewRat(1, 2))))
	law := newLabels(t, m, []Example{{Point{1}, true}, {Point{2}, false}, {Point{3}, true}, {}})
	for labels, want := range map[string]float64{"fff": .1887703344, "tff": .3112296656,
		"ttf": .1887703344, "ttt": .3112296656} {
		if got, _ := law.Mass(labels).Float64(); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %.10f, want %.10f", labels, got, want)
		}
	}
	odds, _ := must(m.LossOf(privacy.Loss{})).Epsilon()
	if got, _ := odds.Float64(); math.Abs(got-1.948154) > 1e-6 {
		t.Errorf("loss %.6f, want 1.948154", got)
	}
}

// TestRelabellingLeavesOut: a person with a point that the class does not have counts as one
// without, and gets no point.
func TestRelabellingLeavesOut(t *testing.T) {
	m := relabelling(stumps(Below, 4), must(coin.ExpBelow(big.NewRat(1, 2))))
	for _, unfit := range []Point{{4}, {1, 1}} { // H: relabel.md fits
		for seed := range coin.Seed(20) {
			all := []Example{{Point{1}, true}, {unfit, true}, {Point{3}, false}}
			got := must(m.relabel(coin.NewSeeded(seed), all, nil))
			all[1] = Example{}
			want := must(m.relabel(coin.NewSeeded(seed), all, nil))
			if got[1].Point != nil || got[0].Yes != want[0].Yes || got[2].Yes != want[2].Yes {
				t.Fatalf("%v is relabelled as %v, want %v", unfit, got, want)
			}
		}
	}
}

// TestChooseRule: the seeded draw has the law that mistakes say.
func TestChooseRule(t *testing.T) {
	class := boxes(4)
	sample := votes(
		[]Example{{Point{0}, true}, {Point{1}, false}, {Point{1}, true}, {Point{2}, true},
			{Point{3}, false}}, class.Sizes(), nil)
	var rules []string
	var weights []float64
	class.Dichotomies(distinct(sample), sample, nil, func(mistakes int64, rule func() Rule) bool {
		rules, weights = append(rules, rule().String()),
			append(weights, math.Pow(1.5, -float64(mistakes)))
		return true
	})
	src := coin.NewSeeded(1)
	draw := func() int64 {
		return int64(
			slices.Index(
				rules, must(chooseRule(src, class, distinct(sample), sample, base(3, 2), nil)).
					String()))
	}
	stattest.Accept(t, stattest.Sample(draw), stattest.FromPMF(0, weights))
}

// TestRelabelStops: what step returns ends the work.
func TestRelabelStops(t *testing.T) {
	stop := errors.New("stop")
	m := relabelling(stumps(Below, 1<<20), base(3, 2))
	examples := make([]Example, 1<<18)
	for i := range examples {
		examples[i] = Example{Point{uint64(i)}, i%2 == 0}
	}
	list, err := m.Relabel(coin.NewSeeded(1), examples, func(int64, int64) error { return stop })
	if !errors.Is(err, stop) || list != nil {
		t.Errorf("%d new labels, %v", len(list), err)
	}
}

// TestRelabellingSpendsExactly: what the draw spends is what LossOf adds to a mechanism on the new
// labels, to the last digit.
func TestRelabellingSpendsExactly(t *testing.T) {
	m := relabelling(stumps(Below, 3), base(3, 2))
	noise := must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: base(3, 2), L1Sensitivity: 1}))
	account := meter.New(coin.NewSeeded(1))
	renamed := must(m.Relabel(account, []Example{{Point{0}, true}, {Point{2}, false}}, nil))
	must(noise.Release(account, []int64{int64(len(renamed))}, nil))
	if have := must(audit.ClaimOf(account.Spent())); have.Odds.Cmp(big.NewRat(75, 8)) != 0 {
		t.Errorf("e^ε %v, want 75/8", have.Odds)
	}
	if want := claimOf(m.LossOf(must(noise.Loss(1)))); want.Odds.Cmp(big.NewRat(75, 8)) != 0 {
		t.Errorf("e^ε claimed %v, want 75/8", want.Odds)
	}
}
