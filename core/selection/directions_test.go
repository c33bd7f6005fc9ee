package selection

import (
	"math"
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

func newDirections(epsilon string, dimensions int, side int64, ranks ...int) *Directions {
	return must(
		NewDirections(
			ComponentsParams{Epsilon: must(privacy.ParseEpsilon(epsilon)), Ranks: ranks,
				Dimensions: dimensions, Side: side,
				Worth: DirectionWorth(rat("1/10"), dimensions), Repetitions: twice}))
}

// middleOf audits the noisy sums by which the middle of one person of 4 × 4 values is found.
func (m *Directions) middleOf(name string, claim audit.Claim) func(int) audit.Audit[[4]int64] {
	laws := drawnLaws{}
	return func(int) audit.Audit[[4]int64] {
		return audit.Audit[[4]int64]{Name: name, Space: squareSpace, Claim: claim,
			Law: func(rows []int) (*coin.Law[[4]int64], error) {
				sums, err := m.locate(square(rows, 4), nil)
				if err != nil {
					return nil, err
				}
				return laws.together(drawn{m.middle, sums[0], -2, 1},
					drawn{m.middle, sums[1], -2, 1}, drawn{m.middle, sums[2], 0, 2})
			}}
	}
}

// TestAuditDirections: the middle costs a tenth, and a run of the components seen from an edge what
// any run costs.
func TestAuditDirections(t *testing.T) {
	m := newDirections("10", 2, 4, 1, 2)
	tenth := tiny(must(privacy.ParseEpsilon("1")))
	rounds(t, audit.Holds, []int{0}, m.middleOf("directions, the middle", tenth))

	whole, each := onSquare("48", 2)
	law := scoredLaw(clusterLimits, whole.score, 2, 1,
		func(src coin.Source, rows []int) (found, error) {
			run, err := whole.run(src, &seenFrom{square(rows, 2), []int64{0, 1}, 2},
				int64(len(rows)), nil)
			return found{Output: written(run.Output), Score: run.Score}, err
		})
	audittest.Holds(
		t, audit.Audit[found]{Name: "directions, one run seen from an edge",
			Space: audit.Space{Persons: 1, Values: 4},
			Claim: near(claimOf(privacy.PureLoss(each), nil)), Law: law})
}

func TestPlantedDirections(t *testing.T) {
	m := newDirections("10", 2, 4, 1, 2)
	tenth := must(privacy.ParseEpsilon("1"))
	one, twice := *m, *m
	one.middle = must(mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: tenth, L1Sensitivity: 4}))
	twice.middle = must(mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: must(privacy.ParseEpsilon("2")), L1Sensitivity: 8}))
	rounds(t, audit.Violated, []int{0},
		one.middleOf("directions, a middle with the sensitivity of one coordinate", tiny(tenth)))
	rounds(t, audit.Violated, []int{0},
		twice.middleOf("directions, a middle with a fifth", tiny(tenth)))
}

// TestDirectionsSeeAnyMiddle: the sums move by no more than is claimed, by three quarters of it
// somewhere, and coordinates stay within the box wherever they are seen from.
func TestDirectionsSeeAnyMiddle(t *testing.T) {
	m := newDirections("1", 2, 4, 1)
	all := cloud{nil}
	for x := range int64(4) {
		for y := range int64(4) {
			all = append(all, []int64{x, y})
		}
	}
	most := int64(0)
	for _, from := range all {
		for _, to := range all {
			a, b := must(m.locate(cloud{from}, nil)), must(m.locate(cloud{to}, nil))
			change := int64(0)
			for i := range a {
				change += max(a[i]-b[i], b[i]-a[i])
			}
			most = max(most, change)
		}
	}
	if most > 8 || most < 6 {
		t.Errorf("the sums move by %d of 8", most)
	}
	at := make([]int64, 2)
	for _, middle := range all[1:] {
		for _, p := range all[1:] {
			seen := &seenFrom{cloud{p}, middle, 4}
			// H: directions.md seen-in-box
			if n := seen.Point(0, at); n != 1 || min(at[0], at[1]) < 0 || max(at[0], at[1]) > 3 {
				t.Fatalf("%v from %v: %v, %d", p, middle, at, n)
			}
		}
	}
}

// TestDirectionsFindWhatIsOffTheMiddle: people far from the middle of the box differ along (1, 1);
// without their own middle, the direction would be that of the corner they are in.
func TestDirectionsFindWhatIsOffTheMiddle(t *testing.T) {
	src := coin.NewSeeded(5)
	var points cloud
	for range 20_000 {
		a := int64(src.Uniform(160)) - 80
		points = append(points, []int64{800 + a, 220 + a + int64(src.Uniform(21)) - 10})
	}
	m := newDirections("1", 2, 1024, 1, 2)
	found := must(m.Release(coin.NewSeeded(6), points, int64(len(points)), nil))
	v := found.Vectors[0]
	if math.Abs(float64(v[0]-v[1])) > 0.1*ComponentUnit {
		t.Errorf("the direction is %v", v)
	}
	want := 2 * 160.0 * 160 / 12
	if off := math.Abs(found.Variance[0] - want); off >
		m.EnergyError(0.01)/float64(found.Persons) {
		t.Errorf("the variance is %.0f, and should be about %.0f", found.Variance[0], want)
	}
	if m := found.Middle; max(m[0]-800, 800-m[0], m[1]-220, 220-m[1]) > 8 {
		t.Errorf("the middle is %v", m)
	}
}

// TestEnergyErrorHolds: energies of nobody are off by more in about 5 of 100 runs, and by half of
// it in most.
func TestEnergyErrorHolds(t *testing.T) {
	m := newComponents(t, "1", 4, 256, 4)
	bound, beyond, half := m.EnergyError(0.05), 0, 0
	const runs = 1000
	for i := range runs {
		sums := must(m.scatter.Release(coin.NewSeeded(coin.Seed(100+i)), make([]int64, 10), nil))
		axes := m.strongest(sums, 4)
		off := max(axes.Energy[0], -axes.Energy[3])
		if off > bound {
			beyond++
		}
		if off > bound/2 {
			half++
		}
	}
	if beyond < 20 || beyond > 100 || half < runs/3 {
		t.Errorf("%d and %d of %d runs are beyond the bound and half of it", beyond, half, runs)
	}
}

// TestSingleRank: one number of components is one run, whose matrix has all of ε.
func TestSingleRank(t *testing.T) {
	one, two := newComponents(t, "1", 3, 64, 2), newComponents(t, "1", 3, 64, 1, 2)
	all := privacy.PureLoss(must(privacy.ParseEpsilon("1")))
	if loss := must(one.Loss(1)); loss.String() != all.String() {
		t.Errorf("one run costs %v", loss)
	}
	if a, b := one.EnergyError(0.05), two.EnergyError(0.05); !(a < b/4) {
		t.Errorf("one run is off by %.0f, and the best of many by %.0f", a, b)
	}
	axes := must(one.Release(coin.NewSeeded(1), cloud{{60, 60, 32}}, 1, nil))
	if len(axes.Vectors) != 2 || len(axes.Energy) != 2 {
		t.Errorf("%v", axes)
	}
}

func TestDirectionWorth(t *testing.T) {
	if have := DirectionWorth(big.NewRat(1, 10), 4); have.Cmp(big.NewRat(1, 100)) != 0 {
		t.Errorf("a tenth in four dimensions is worth %v", have)
	}
}
