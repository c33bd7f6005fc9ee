package query

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"hush/core/coin"
)

// chanceOf is the exact chance with which a workload draws s, given the piece.
func chanceOf(w Workload, p Piece, s Set, size int) *big.Rat {
	if !p.Contains(s) || !w.holds(s) {
		return new(big.Rat)
	}
	if w.Width > 0 {
		rest, open := int64(w.Width-p.In.Len()), int64(p.free(size).Len())
		return new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Binomial(open, rest))
	}
	chance := rat(1, 1)
	for _, x := range p.free(size).Members() {
		part := rat(int64(w.Chances[x]), certain)
		if !s.Has(x) {
			part.Sub(rat(1, 1), part)
		}
		chance.Mul(chance, part)
	}
	return chance
}

// TestMeans compares the means of people with sums over all sets, for both kinds of people and of
// workloads, on every piece of random decompositions.
func TestMeans(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	for run := range 60 {
		var people People = Coverage{randomRecords(random, 1+random.IntN(8), 1+random.IntN(6))}
		if run%2 == 1 {
			people = randomGraph(random, 1+random.IntN(8), 1+random.IntN(6))
		}
		size := people.Size()
		uneven := Workload{Chances: make([]uint64, size)}
		for x := range size {
			uneven.Chances[x] = []uint64{0, certain, certain / 2, certain / 3, 5}[random.IntN(5)]
		}
		for _, p := range must(Decompose(people, rat(1, 4), Exact, run%2 == 1, 0, nil)) {
			for _, w := range append(UpToWidth(size), half(size), uneven) {
				l, ok := w.on(p, size)
				total, want := new(big.Rat), new(big.Rat)
				for _, s := range everySet(size) {
					c := chanceOf(w, p, s, size)
					total.Add(total, c)
					want.Add(want, new(big.Rat).Mul(c, rat(people.Value(s), 1)))
				}
				if !ok {
					continue
				}
				if total.Cmp(rat(1, 1)) != 0 {
					t.Fatalf("the law on %v has mass %v", p, total)
				}
				exact, _ := want.Float64()
				if got := float64(people.mean(l)) / meanUnit; math.Abs(got-exact) > float64(
					people.Persons())*2/meanUnit {
					t.Fatalf("%T, piece %v, workload %v: mean %v, want %v", people, p, w, got,
						exact)
				}
			}
		}
	}
}

// TestWorkloadOn: a workload has no law on exactly those pieces that it never draws a set of.
func TestWorkloadOn(t *testing.T) {
	p := Piece{set(3, 1), set(3, 2)}
	for name, w := range map[string]Workload{
		"width 3":     OfWidth(3),
		"never 1":     {Chances: []uint64{0, 1, 1}},
		"always 2":    {Chances: []uint64{1, certain, 1}},
		"width 0 set": {Chances: []uint64{certain, 0, 0}},
		"width 1":     OfWidth(1),
	} {
		_, ok := w.on(p, 3)
		if want := name == "width 0 set" || name == "width 1"; ok != want {
			t.Errorf("%s: %v", name, ok)
		}
	}
}

// TestMarginals compares marginals with differences of values.
func TestMarginalsOfPeople(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 1))
	for run := range 40 {
		var people People = Coverage{randomRecords(random, 9, 5)}
		if run%2 == 1 {
			people = randomGraph(random, 9, 5)
		}
		for _, p := range must(Decompose(people, rat(1, 5), Exact, run%2 == 1, 0, nil)) {
			for pass := range people.Passes() {
				marginals := people.Marginals(p, pass)
				for _, x := range p.free(5).Members() {
					from, to := p.ends(5, x, pass)
					if want := people.Value(to) - people.Value(from); marginals[x] != want {
						t.Fatalf("%T, piece %v, pass %d: marginal of %d is %d, want %d", people, p,
							pass, x, marginals[x], want)
					}
				}
			}
		}
	}
}

// TestDraw compares the frequencies of drawn sets with their chances.
func TestDraw(t *testing.T) {
	src := coin.NewSeeded(1)
	p := Piece{set(5, 2), set(5, 4)}
	for _, w := range []Workload{
		OfWidth(3), half(5), {Chances: []uint64{certain / 4, 1, certain, 7, certain / 8}}} {
		const draws = 20000
		seen := map[string]int{}
		for range draws {
			seen[w.Draw(src, p, 5).key()]++
		}
		for _, s := range everySet(5) {
			want, _ := chanceOf(w, p, s, 5).Float64()
			sd := math.Sqrt(want * (1 - want) / draws)
			if got := float64(seen[s.key()]) / draws; math.Abs(got-want) > 5*sd {
				t.Errorf("%v: %v of the draws, want %v", s.Members(), got, want)
			}
		}
	}
}

// TestWidthLemma checks Lemma 4.3: for a monotone function a uniform set of w elements passes a
// bound at most twice as often as a set of independent elements with chance w/N.
func TestWidthLemma(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 1))
	for range 40 {
		d := 2 + random.IntN(6)
		f := Coverage{randomRecords(random, 8, d)}
		everything := Piece{emptySet(d), emptySet(d)}
		for w := 1; w < d; w++ {
			for bound := range f.Top() {
				var widthAbove, widthBelow, freeAbove, freeBelow float64
				for _, s := range everySet(d) {
					v := f.Value(s)
					uniform, _ := chanceOf(OfWidth(w), everything, s, d).Float64()
					p := float64(w) / float64(d)
					independent := math.Pow(p, float64(s.Len())) * math.Pow(1-p, float64(d-s.Len()))
					if v > bound {
						widthAbove, freeAbove = widthAbove+uniform, freeAbove+independent
					}
					if v < bound {
						widthBelow, freeBelow = widthBelow+uniform, freeBelow+independent
					}
				}
				if widthAbove > 2*freeAbove+1e-12 || widthBelow > 2*freeBelow+1e-12 {
					t.Fatalf("width %d of %d: above %v and %v, below %v and %v", w, d, widthAbove,
						freeAbove, widthBelow, freeBelow)
				}
			}
		}
	}
}
