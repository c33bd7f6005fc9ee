package density

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"hush/core/param"
	"hush/core/phrase"
)

// of makes a distribution with cells of these widths and masses.
func of(widths []int64, mass ...float64) *Distribution {
	at, bounds, sum := int64(0), []*big.Int{new(big.Int)}, 0.0
	for i, m := range mass {
		w := int64(1)
		if widths != nil {
			w = widths[i]
		}
		at, sum = at+w, sum+m
		bounds = append(bounds, big.NewInt(at))
	}
	d := newDistribution(bounds, mass, sum, phrase.Plain("made up"))
	d.band = bandAround(d, 0.5)
	return d
}

func ends(d *Distribution) string {
	text := ""
	for i := range d.Cells() {
		_, last, _ := d.Cell(i)
		text += fmt.Sprint(last, " ")
	}
	return text
}

// TestPiecesVector is the run of the literature's program: of equal errors the pairs further right
// stay apart.
func TestPiecesVector(t *testing.T) {
	d := of(nil, .1, .1, .1, .1, .05, .05, .05, .05, .2, .2, 0, 0)
	runs := merged(d.runs(), 5, 2, d.flatError())
	if got := fmt.Sprint(runs); got != "[{0 4} {4 8} {8 10} {10 11} {11 12}]" {
		t.Error(got)
	}
	if e := d.flatError()(run{0, 8}); math.Abs(e-0.1) > 1e-12 {
		t.Errorf("error of the first eight: %g, want 0.1", e)
	}
	if p := must(d.Pieces(5)); p.Cells() > 5 || math.Abs(p.Total()-1) > 1e-12 {
		t.Errorf("%d cells with %g", p.Cells(), p.Total())
	}
}

// TestBestPieces compares with all ways to join eight cells.
func TestBestPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for range 50 {
		mass, widths := make([]float64, 8), make([]int64, 8)
		for i := range mass {
			mass[i], widths[i] = random.Float64(), 1+random.Int64N(4)
		}
		d := of(widths, mass...)
		failure := d.flatError()
		sum := func(runs []run) (all float64) {
			for _, r := range runs {
				all += failure(r)
			}
			return all
		}
		for most := 1; most <= 8; most++ {
			least := math.Inf(1)
			for cuts := range 1 << 7 {
				runs := []run{{0, 1}}
				for i := 1; i < 8; i++ {
					if cuts>>(i-1)&1 == 1 {
						runs = append(runs, run{i, i})
					}
					runs[len(runs)-1].to = i + 1
				}
				if len(runs) <= most {
					least = min(least, sum(runs))
				}
			}
			if have := d.best(d.runs(), most); len(have) > most ||
				math.Abs(sum(have)-least) > 1e-9 {
				t.Fatalf("%d pieces: %v with %g, want %g", most, have, sum(have), least)
			}
		}
	}
}

// TestPiecesFindSteps recovers three steps under a little noise, and Fewest finds how many there
// are.
func TestPiecesFindSteps(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	mass := make([]float64, 90)
	for i := range mass {
		mass[i] = []float64{10, 40, 5}[i/30] + random.Float64()*0.1
	}
	d := of(nil, mass...)
	d.band = bandAround(d, 10)
	p := must(d.Pieces(9))
	for _, b := range []int64{30, 60} {
		if off := math.Abs(p.below(big.NewInt(b)) - d.below(big.NewInt(b))); off > 0.5 {
			t.Errorf("the step at %d is off by %g", b, off)
		}
	}
	if f := d.Fewest(); f.Cells() < 3 || f.Cells() > 12 || !f.near(d) {
		t.Errorf("%d pieces: %s", f.Cells(), ends(f))
	}
	if k := p.kolmogorov(d); k > 10 {
		t.Errorf("off by %g", k)
	}
}

// TestJoined: cells of one density become one, whatever their widths; counts stay.
func TestJoined(t *testing.T) {
	d := of([]int64{1, 1, 3, 1, 2, 1}, 4, 4, 12, 5, 0, 0)
	joined := d.Joined()
	if want := "4 5 8 "; ends(joined) != want {
		t.Errorf("cells end at %s, want %s", ends(joined), want)
	}
	for b := range int64(10) {
		if have, want := joined.below(big.NewInt(b)),
			d.below(big.NewInt(b)); math.Abs(have-want) > 1e-9 {
			t.Errorf("%g below %d, want %g", have, b, want)
		}
	}
}

// TestWorstIntervals compares dynamic programming with all choices of intervals.
func TestWorstIntervals(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n, k := 2+random.IntN(5), 1+random.IntN(3)
		at, target := make([]float64, n), make([]float64, n)
		for i := range at {
			at[i], target[i] = float64(i)/float64(n-1), random.Float64()
		}
		coefficients := []float64{random.Float64() * 2, random.Float64() * 2}
		c := worst(at, target, coefficients, k, 1)
		off := func(i int) float64 { return cumulative(coefficients, at[i]) - target[i] }
		var most func(from, k int) float64
		most = func(from, k int) (best float64) {
			for a := from; k > 0 && a < n; a++ {
				for b := a + 1; b < n; b++ {
					best = max(best, math.Abs(off(b)-off(a))+most(b, k-1))
				}
			}
			return best
		}
		if want := most(0, k); math.Abs(c.value-want) > 1e-9 {
			t.Fatalf("%d intervals: %g, want %g", k, c.value, want)
		}
		sum := -c.fixed
		for j, x := range c.row {
			sum += x * coefficients[j]
		}
		if math.Abs(sum-c.value) > 1e-9 {
			t.Fatalf("the cut says %g of %g", sum, c.value)
		}
	}
}

// TestPolynomials finds a density that is a polynomial, and two pieces with a jump between them.
func TestPolynomials(t *testing.T) {
	mass := make([]float64, 40)
	for i := range mass {
		u := (float64(i) + 0.5) / 40
		mass[i] = 100 * (1 + 4*u*(1-u))
	}
	d := of(nil, mass...)
	pieces, fitted, err := d.Polynomials(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(pieces) != 1 || pieces[0].Error > d.Total()*0.002 ||
		fitted.kolmogorov(d) > d.Total()*0.002 {
		t.Errorf("%+v, off by %g of %g", pieces, fitted.kolmogorov(d), d.Total())
	}
	flat, _, err := d.Polynomials(1, 0)
	if err != nil || flat[0].Error < 10*pieces[0].Error {
		t.Errorf("a flat piece is off by %g, a polynomial by %g, %v", flat[0].Error,
			pieces[0].Error, err)
	}
	for i := range mass {
		mass[i] = 10 + 3*float64(i%20)
		if i >= 20 {
			mass[i] = 100 - 4*float64(i%20)
		}
	}
	d = of(nil, mass...)
	two, fitted, err := d.Polynomials(4, 1)
	if err != nil || fitted.kolmogorov(d) > d.Total()*0.01 ||
		math.Abs(fitted.Total()-d.Total()) > 1e-6 {
		t.Errorf("%+v, off by %g of %g, %v", two, fitted.kolmogorov(d), d.Total(), err)
	}
}

// shapesOf checks what a shape promises, to rounding.
func hasShape(d *Distribution, shape Shape) bool {
	density, width := d.densities()
	const little = 1e-7
	modes, falls := map[Shape]int{Unimodal: 1, Bimodal: 2, Trimodal: 3}[shape], false
	left := d.Total()
	rate, slope := 0.0, math.Inf(1)
	for i, f := range density {
		switch {
		case i == 0:
		case shape == Rising && f < density[i-1]*(1-little)-little,
			shape == Falling && f > density[i-1]*(1+little)+little:
			return false
		case modes > 0 && f < density[i-1]*(1-little):
			falls = true
		case modes > 0 && falls && f > density[i-1]*(1+little)+little:
			if modes--; modes == 0 {
				return false
			}
			falls = false
		case shape == LogConcave && f > 0 && density[i-1] > 0:
			s := (math.Log(f) - math.Log(density[i-1])) / (width[i] + width[i-1])
			if s > slope+1e-3*math.Abs(slope) {
				return false
			}
			slope = s
		}
		if shape == HazardRate && left > 1e-6*d.Total() {
			r := -math.Log1p(-min(d.mass[i]/left, 1-1e-15)) / width[i]
			if r < rate*(1-1e-3) {
				return false
			}
			rate = r
			left -= d.mass[i]
		}
	}
	return true
}

// TestShapes gives each shape to noisy distributions, and finds one that has it already unchanged.
func TestShapes(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, shape := range []Shape{Rising, Falling, Unimodal, Bimodal, Trimodal, LogConcave,
		HazardRate} {
		for range 20 {
			widths, mass := make([]int64, 30), make([]float64, 30)
			for i := range mass {
				widths[i], mass[i] = 1+random.Int64N(5),
					max(20*math.Exp(-float64((i-12)*(i-12))/60)+4*random.NormFloat64(), 0)
			}
			d := of(widths, mass...)
			s := must(d.Shaped(shape))
			if !hasShape(s, shape) || math.Abs(s.Total()-d.Total()) > 1e-6*d.Total() {
				t.Fatalf("%s: %v of %v, %g persons of %g", shape, s.mass, d.mass, s.Total(),
					d.Total())
			}
			if again := must(s.Shaped(shape)); again.kolmogorov(s) > 1e-4*s.Total() {
				t.Errorf("%s: moves by %g when it has the shape", shape, again.kolmogorov(s))
			}
		}
	}
}

// TestModal counts modes, and compares the fit of one mode with that of every place for it.
func TestModal(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		mass := make([]float64, 12)
		for i := range mass {
			mass[i] = random.Float64()
		}
		d := of(nil, mass...)
		density, width := d.densities()
		squares := func(fit []float64) (sum float64) {
			for i, f := range fit {
				sum += (f - density[i]) * (f - density[i]) * width[i]
			}
			return sum
		}
		best := math.Inf(1)
		for mode := range mass {
			fit := weightedRising(density[:mode], width[:mode])
			fit = append(fit,
				reversed(weightedRising(reversed(density[mode:]), reversed(width[mode:])))...)
			best = min(best, squares(fit))
		}
		one, _ := must(d.Modal(1)).densities()
		if have := squares(one); math.Abs(have-best) > 1e-9 {
			t.Errorf("squares %g, want %g", have, best)
		}
		last := squares(one)
		for modes := 2; modes <= 6; modes++ {
			fit, _ := must(d.Modal(modes)).densities()
			if have := squares(fit); have > last+1e-9 {
				t.Errorf("%d modes fit worse than one less", modes)
			} else {
				last = have
			}
		}
		if last > 1e-9 {
			t.Errorf("6 modes of 12 cells leave %g", last)
		}
	}
}

// TestShapesOfUnevenCells: cells of one code beside cells of 2^61 bend the linear program so far
// that gonum's solver panics; ours answers, or says that they are too uneven.
func TestShapesOfUnevenCells(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	answered := 0
	for range 100 {
		end := new(big.Int)
		bounds, mass := []*big.Int{end}, []float64(nil)
		for range 3 + random.IntN(40) {
			end = new(big.Int).Add(end, new(big.Int).SetUint64(1<<random.IntN(62)))
			bounds, mass = append(bounds, end), append(mass, float64(random.IntN(200)))
		}
		d := newDistribution(bounds, mass, 1e4, phrase.Plain("uneven"))
		shaped, err := d.Shaped(LogConcave)
		if refused, ok := errors.AsType[*param.Error](err); err != nil &&
			(!ok || refused.Field != "shape") {
			t.Fatalf("%v: %v", bounds, err)
		}
		if err == nil {
			answered++
			if off := math.Abs(shaped.Total() - d.Total()); !(off < 1e-6*d.Total()) {
				t.Errorf("%v: %v persons are %v", bounds, d.Total(), shaped.Total())
			}
		}
	}
	if answered < 50 {
		t.Errorf("only %d of 100 were answered", answered)
	}
}
