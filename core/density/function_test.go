package density

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"hush/core/param"
	"hush/core/phrase"
)

// TestFunction: of random cells, wide and narrow, heavy and empty, a function of few points is off
// by no more than is said, at every value, and has few points; one of as many points as cells is
// the same at all bounds.
func TestFunction(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		bounds, mass, at, persons := []*big.Int{new(big.Int)}, []float64(nil), int64(0), 0.0
		for range 300 {
			at += 1 + int64(math.Exp(3*random.Float64()))*random.Int64N(2)
			m := math.Exp(6*random.NormFloat64()) * float64(random.IntN(2))
			bounds, mass, persons = append(bounds, big.NewInt(at)), append(mass, m), persons+m
		}
		d := newDistribution(bounds, mass, persons, phrase.Plain("random"))
		for _, points := range []int{2, 10, 40, 300} {
			const within = 1
			f := must(d.Function(points, within))
			if len(f.Points()) > points {
				t.Errorf("%d points of at most %d", len(f.Points()), points)
			}
			most := ThinnedBy(points, len(mass), within, persons) + 1e-6*persons
			for x := range at {
				at := big.NewInt(x)
				if off := math.Abs(f.Count(at) - d.Count(at)); off > most {
					t.Fatalf("%d points: off by %g of %g at %d, want at most %g", points, off,
						persons, x, most)
				}
			}
		}
	}
	var refused *param.Error
	if _, err := uniformOf(big.NewInt(9)).Function(1, 1); !errors.As(err, &refused) ||
		refused.Field != "points" {
		t.Error(err)
	}
}
