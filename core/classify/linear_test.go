package classify

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// leastByGonum is the least hinge loss by gonum's linear program: w is the difference of two
// weights that are at least 0, then come ξ and the slacks.
func leastByGonum(t *testing.T, kinks []kink) float64 {
	t.Helper()
	var used []int // weights that move any kink
	for j := range kinks[0].z {
		if slices.ContainsFunc(kinks, func(k kink) bool { return k.z[j] != 0 }) {
			used = append(used, j)
		}
	}
	n, d := len(kinks), len(used)
	a, b, cost := mat.NewDense(n, 2*d+2*n, nil), make([]float64, n), make([]float64, 2*d+2*n)
	for i, k := range kinks {
		for j, from := range used {
			a.Set(i, j, k.z[from])
			a.Set(i, d+j, -k.z[from])
		}
		a.Set(i, 2*d+i, 1)
		a.Set(i, 2*d+n+i, -1)
		b[i], cost[2*d+i] = k.one, k.cost
	}
	least, _, err := lp.Simplex(cost, a, b, 1e-10, nil)
	if err != nil {
		t.Fatal(err)
	}
	return least
}

// labelled draws points and gives them labels: by a rule, which errs for a part of them.
func labelled(random *rand.Rand, sizes []uint64, n int, says func(Point) bool,
	errors float64) []Votes {
	examples := make([]Example, n)
	for i := range examples {
		p := randomPoint(random, sizes)
		examples[i] = Example{p, says(p) != (random.Float64() < errors)}
	}
	return votes(examples, sizes, nil)
}

func randomPoint(random *rand.Rand, sizes []uint64) (p Point) {
	for _, size := range sizes {
		p = append(p, random.Uint64N(size))
	}
	return p
}

// TestLeastHinge: our corners reach the optimum of gonum's, ties, repeated points and columns of
// one code included.
func TestLeastHinge(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 22))
	for _, sizes := range [][]uint64{{50, 50, 50}, {3, 3}, {1, 20}, {2, 2, 2, 2, 2}, {1000}} {
		for _, errors := range []float64{0, 0.1, 0.5} {
			for range 8 {
				sample := labelled(random, sizes, 40, func(p Point) bool {
					return p[0] < sizes[0]/2+1
				}, errors)
				kinks := newSides(sample, len(sizes)).kinks(1, 1)
				w, _ := leastHinge(kinks, len(sizes)+1, nil)
				sum := 0.0
				for _, k := range kinks {
					sum += k.cost * max(0, k.one-dot(k.z, w))
				}
				if want := leastByGonum(t, kinks); sum > want+1e-6 {
					t.Errorf("%v, %g errors: %.9f, want %.9f", sizes, errors, sum, want)
				}
			}
		}
	}
}

// TestHalfspaces: where a line makes no mistake, as Plane finds exactly, the learner makes none;
// where none does, it makes at least as many as the best line, and hardly more.
func TestHalfspaces(t *testing.T) {
	random := rand.New(rand.NewPCG(23, 24))
	for _, size := range []uint64{4, 30, 1 << 30} {
		plane, class := must(NewPlane([2]uint64{size, size})),
			must(NewHalfspaces([]uint64{size, size}))
		separable, best, found := 0, int64(0), int64(0)
		for range 150 {
			line := Line{P: [2]uint64(randomPoint(random, class.sizes)),
				Q: [2]uint64(randomPoint(random, class.sizes))}
			sample := labelled(random, class.sizes, 24, line.Says, random.Float64()*0.2)
			least, now := mistakes(plane.Learn(sample, nil), sample),
				mistakes(class.Learn(sample, nil), sample)
			if now < least || least == 0 && now > 0 {
				t.Fatalf("%d mistakes, the best line makes %d: %v", now, least, sample)
			}
			if _, ok := class.Consistent(sample); ok != (least == 0) {
				t.Fatalf("consistent: %v, %d mistakes", ok, least)
			}
			if least == 0 {
				separable++
			}
			best, found = best+least, found+now
		}
		if separable < 20 || separable > 130 || float64(found) > 1.3*float64(best) {
			t.Errorf("size %d: %d of 150 separable, %d mistakes, by the best lines %d", size,
				separable, found, best)
		}
	}
}

// TestSeparateExactly: a rule is found between parallel planes that are as close as whole numbers
// can be, where floats do not find it, and none is found where a person in the middle of two others
// of one plane has the other label.
func TestSeparateExactly(t *testing.T) {
	const size = 1 << 53
	class, random, byFloats := must(NewHalfspaces([]uint64{size, size, size})),
		rand.New(rand.NewPCG(25, 26)), 0
	for range 30 {
		var sample []Votes
		for len(sample) < 40 {
			p := randomPoint(random, class.sizes)
			rest := new(big.Int).SetUint64(7 * size)
			rest.Sub(rest, new(big.Int).SetUint64(3*p[0]+5*p[1]))
			z, left := new(big.Int).DivMod(rest, big.NewInt(7), new(big.Int))
			if yes, no := left.Int64() == 0, left.Int64() == 6; z.IsUint64() &&
				z.Uint64()+1 < size && (yes || no) {
				if p[2] = z.Uint64(); yes { // 3x + 5y + 7z = c
					sample = append(sample, Votes{p, 1, 0})
				} else { // c + 1
					p[2]++
					sample = append(sample, Votes{p, 0, 1})
				}
			}
		}
		sample = merged(sample, nil)
		s := newSides(sample, 3)
		w, _ := leastHinge(s.kinks(1, 1), 4, nil)
		if _, wrong := fewestAlong(s.weights(w), sample, nil); wrong == 0 {
			byFloats++
		}
		if rule, ok := class.Consistent(sample); !ok {
			t.Errorf("%d mistakes by %v", mistakes(rule, sample), rule)
		}
		if between, ok := middle(sample); !ok {
			t.Error("no two persons with a point in the middle")
		} else if rule, ok := class.Consistent(merged(append(sample, between), nil)); ok {
			t.Errorf("%v makes no mistake where every rule does", rule)
		}
	}
	if byFloats > 10 {
		t.Errorf("%d of 30 are found by floats alone: the test is too easy", byFloats)
	}
}

// middle is a person who says yes between two who say no.
func middle(sample []Votes) (Votes, bool) {
	for i, a := range sample {
	next:
		for _, b := range sample[:i] {
			var p Point
			for j, code := range a.Point {
				if p = append(p, (code+b.Point[j])/2); a.No == 0 || b.No == 0 ||
					(code+b.Point[j])%2 == 1 {
					continue next
				}
			}
			return Votes{p, 1, 0}, true
		}
	}
	return Votes{}, false
}
