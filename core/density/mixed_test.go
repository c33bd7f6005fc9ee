package density

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/param"
)

// TestMixed fits mixtures to noisy mixtures and checks the shape of each component found.
func TestMixed(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, shape := range []Shape{Unimodal, LogConcave, HazardRate} {
		for range 5 {
			mass := make([]float64, 36)
			for i := range mass {
				first, second := float64(i-8)/3, float64(i-24)/4
				mass[i] = max(900*math.Exp(-first*first/2)+500*math.Exp(-second*second/2)+
					4*random.NormFloat64(), 0)
			}
			d := of(nil, mass...)
			components := must(d.components(shape, 2))
			for _, one := range components {
				if !hasShape(one, shape) {
					t.Fatalf("a component is not %s: %v", shape, one.mass)
				}
			}
			two, one := must(d.Mixed(shape, 2)), must(d.Shaped(shape))
			if math.Abs(two.Total()-d.Total()) > 1e-6*d.Total() ||
				!slices.Equal(two.mass, summed(components)) {
				t.Errorf("%g persons are %g", d.Total(), two.Total())
			}
			if off := two.kolmogorov(d); off > one.kolmogorov(d)/4 || off > 0.01*d.Total() {
				t.Errorf("two of %s are off by %g of %g, one by %g", shape, off, d.Total(),
					one.kolmogorov(d))
			}
			if same := must(d.Mixed(shape, 1)); !slices.Equal(same.mass, one.mass) {
				t.Errorf("a mixture of one is not one of %s", shape)
			}
		}
	}
	d := of(nil, 1, 2, 3)
	for shape, components := range map[Shape]int{Falling: 2, Bimodal: 2, Unimodal: 0, LogConcave: 5,
		"square": 2} {
		var refused *param.Error
		if _, err := d.Mixed(shape, components); !errors.As(err, &refused) ||
			refused.Field != "components" {
			t.Errorf("%d of %s: %v", components, shape, err)
		}
	}
	if nobody := must(of(nil, make([]float64, 9)...).Mixed(LogConcave, 2)); nobody.Total() != 0 {
		t.Errorf("%g persons of none", nobody.Total())
	}
}

// TestMixedWithin draws mixtures of members of a family and distributions of few cells, and holds
// their distance against what is said of it; and counts the pieces that the proof makes.
func TestMixedWithin(t *testing.T) {
	const values = 3000
	random := rand.New(rand.NewPCG(5, 6))
	bell := func(i, at, wide float64) float64 { return math.Exp(-math.Abs(i-at) / wide) }
	near := 0.0
	for range 200 {
		components, cells := 1+random.IntN(3), 1+random.IntN(60)
		shape := []Shape{Falling, Unimodal, LogConcave, HazardRate}[random.IntN(4)]
		truth := make([]float64, values)
		for range components {
			at, wide := values*random.Float64(), values*math.Exp(-6*random.Float64())/3
			if shape == Falling {
				at = 0
			}
			one, sum := make([]float64, values), 0.0
			for i := range one {
				one[i] = bell(float64(i), at, wide)
				sum += one[i]
			}
			for i, f := range one {
				truth[i] += f / sum / float64(components)
			}
		}
		// The cells of the rest: flat, with the persons of the truth.
		off, apart, upTo, flat := 0.0, 0.0, 0.0, 0.0
		for cell := range cells {
			from, to := cell*values/cells, (cell+1)*values/cells
			mass := 0.0
			for _, f := range truth[from:to] {
				mass += f
			}
			for _, f := range truth[from:to] {
				h := mass / float64(to-from)
				upTo, flat, apart = upTo+f, flat+h, apart+math.Abs(f-h)/2
				off = max(off, math.Abs(upTo-flat))
			}
		}
		within := MixedWithin(shape, components, big.NewInt(values), cells, off)
		if apart > within {
			t.Errorf("%d of %s in %d cells: apart by %g, said to be within %g", components, shape,
				cells, apart, within)
		}
		near = max(near, apart/within)
	}
	if near < 0.1 {
		t.Errorf("the bound is never nearer than %g to what it bounds", near)
	}
}

// TestLeveled makes the histograms of the proof, and counts their jumps.
func TestLeveled(t *testing.T) {
	const values = 3000
	hill := func(i, at, wide int) float64 {
		return math.Exp(-math.Abs(float64(i-at)) / float64(wide))
	}
	for _, growth := range []float64{1, 0.25, 1.0 / 16} {
		for _, law := range []struct {
			shape Shape
			like  func(i int) float64
		}{
			{Falling, func(i int) float64 { return 1 / float64(1+i) }},
			{Rising, func(i int) float64 { return float64(i) }},
			{Unimodal, func(i int) float64 { return 1 / (1 + math.Abs(float64(i-1000))) }},
			{Bimodal, func(i int) float64 { return hill(i, 500, 80) + hill(i, 2000, 9) }},
			{LogConcave, func(i int) float64 { return hill(i, 900, 70) }},
			{HazardRate, func(i int) float64 {
				return math.Exp(-float64(i)*float64(i)/200_000) * float64(1+i)
			}},
		} {
			density, sum, most := make([]float64, values), 0.0, 0.0
			for i := range density {
				density[i] = law.like(i)
				sum += density[i]
			}
			for i := range density {
				density[i] /= sum
				most = max(most, density[i])
			}
			// Of a hazard rate, level sets of it and of those who are left; else of the density.
			left, rest := growth/8, make([]float64, values) // those who are left
			for i, all := values-1, 0.0; i >= 0; i-- {
				all += density[i]
				rest[i] = all
			}
			level := func(f, top, least float64) float64 {
				return math.Floor(math.Log(top/max(f, least)) / math.Log1p(growth))
			}
			place := make([][2]float64, values)
			for i, f := range density {
				switch law.shape {
				case HazardRate:
					place[i] = [2]float64{level(f/rest[i], 1, left/2/values),
						level(rest[i], 1, left/2)}
				case LogConcave:
					place[i][0] = level(f, most, left/2*most)
				default:
					place[i][0] = level(f, 1, left/values)
				}
			}
			jumps, off := -1.0, 0.0
			for from := 0; from < values; jumps++ {
				to, mass := from, 0.0
				for ; to < values && place[to] == place[from]; to++ {
					mass += density[to]
				}
				for _, f := range density[from:to] {
					off += math.Abs(f-mass/float64(to-from)) / 2
				}
				from = to
			}
			mostJumps, mostOff := leveled(law.shape, values, growth)
			if jumps > mostJumps || off > mostOff {
				t.Errorf("%s at %g: %g jumps, %g said; off by %g, %g said", law.shape, growth,
					jumps, mostJumps, off, mostOff)
			}
			if jumps < mostJumps/20 || off < mostOff/200 {
				t.Errorf("%s at %g: %g jumps and %g are far below %g and %g", law.shape, growth,
					jumps, off, mostJumps, mostOff)
			}
		}
	}
}
