package query

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/coin"
)

func pieces(t *testing.T, f Function, alpha *big.Rat, rule Rule, both bool) Decomposition {
	t.Helper()
	return must(Decompose(f, alpha, rule, both, 0, nil))
}

// exactMeans are those on the sets of a product distribution with chances of one half, as parts of
// Top.
func exactMeans(f Function, d Decomposition) (means []*big.Rat) {
	for _, p := range d {
		means = append(means, mean(nil, f, p, half(f.Size()), 1))
	}
	return means
}

// TestVectors are the test vectors of the specification, worked out by hand and by brute force
// there.
func TestVectors(t *testing.T) {
	type piece struct{ in, out []int }
	for _, v := range []struct {
		name      string
		f         Function
		threshold *big.Rat
		both      bool
		want      []piece
		means     []*big.Rat
	}{
		{"A .2", vectorA(), rat(1, 5), false,
			[]piece{{nil, []int{1, 2, 3}}, {[]int{1}, []int{3}}, {[]int{2}, []int{1, 3}},
				{[]int{3}, []int{1, 2}}, {[]int{1, 3}, nil}, {[]int{2, 3}, []int{1}}},
			[]*big.Rat{rat(0, 1), rat(1, 2), rat(1, 4), rat(1, 4), rat(3, 4), rat(1, 2)}},
		{"A .3", vectorA(), rat(3, 10), false, []piece{{nil, []int{1}}, {[]int{1}, nil}},
			[]*big.Rat{rat(1, 4), rat(5, 8)}},
		{"A .45", vectorA(), rat(9, 20), false, []piece{{nil, []int{1}}, {[]int{1}, nil}},
			[]*big.Rat{rat(1, 4), rat(5, 8)}},
		{"B .25", vectorB(), rat(1, 4), false,
			[]piece{{nil, []int{1, 2, 4}}, {[]int{1}, []int{2}}, {[]int{2}, []int{1, 4}},
				{[]int{1, 2}, nil}, {[]int{4}, []int{1, 2}}, {[]int{2, 4}, []int{1}}},
			[]*big.Rat{rat(1, 10), rat(3, 5), rat(7, 20), rat(17, 20), rat(2, 5), rat(13, 20)}},
		{"C .3", vectorC(), rat(3, 10), true,
			[]piece{{nil, []int{1, 2, 3}}, {[]int{1, 2, 3}, nil}, {[]int{1}, []int{2}},
				{[]int{1, 2}, []int{3}}, {[]int{2}, []int{1}}, {[]int{3}, []int{1, 2}}},
			[]*big.Rat{rat(1, 8), rat(1, 8), rat(5, 8), rat(5, 8), rat(5, 8), rat(5, 8)}},
		{"C .55", vectorC(), rat(11, 20), true, []piece{{nil, []int{3}}, {[]int{3}, nil}},
			[]*big.Rat{rat(1, 2), rat(1, 2)}},
	} {
		t.Run(v.name, func(t *testing.T) {
			d := pieces(t, v.f, v.threshold, Exact, v.both)
			means := exactMeans(v.f, d)
			if len(d) != len(v.want) {
				t.Fatalf("%d pieces: %v, want %d", len(d), d, len(v.want))
			}
			for i, want := range v.want {
				in, out := set(v.f.Size(), want.in...), set(v.f.Size(), want.out...)
				at := slices.IndexFunc(d, func(p Piece) bool {
					return p.In.key() == in.key() && p.Out.key() == out.key()
				})
				if at < 0 {
					t.Fatalf("no piece %v among %v", want, d)
				}
				if !v.both && at != i {
					t.Errorf("piece %v is number %d, want %d", want, at, i)
				}
				if means[at].Cmp(v.means[i]) != 0 {
					t.Errorf("mean of %v is %v, want %v", want, means[at], v.means[i])
				}
			}
		})
	}
	if d := pieces(t, vectorB(), rat(7, 20), Exact, false); len(d) != 2 ||
		d[1].In.key() != set(4, 1).key() {
		t.Errorf("B .35: %v", d)
	}
	if d := pieces(t, vectorB(), rat(3, 20), Exact, false); len(d) != 12 {
		t.Errorf("B .15: %d pieces, want 12", len(d))
	}
	deviations := []int64{2, 4, 1, 3, 2, 1} // twentieths
	for i, p := range pieces(t, vectorB(), rat(1, 4), Exact, false) {
		worst, mean := new(big.Rat), mean(nil, vectorB(), p, half(4), 1)
		for _, s := range everySet(4) {
			if p.Contains(s) {
				off := new(big.Rat).Sub(rat(vectorB().Value(s), 10), mean)
				if off.Abs(off).Cmp(worst) > 0 {
					worst = off
				}
			}
		}
		if worst.Cmp(rat(deviations[i], 20)) != 0 {
			t.Errorf("B .25, piece %d: largest deviation %v, want %d/20", i, worst, deviations[i])
		}
	}
}

// paperF and paperT are the maps of Section 3 as they stand there.
func paperF(f Function, threshold *big.Rat, s Set) Set {
	j := emptySet(f.Size())
	for x := range f.Size() {
		if s.Has(x) && influential(f, threshold, j, x) {
			j = j.With(x)
		}
	}
	return j
}

func paperT(f Function, threshold *big.Rat, s Set) Set {
	j, rejected := emptySet(f.Size()), emptySet(f.Size())
	for x := range f.Size() {
		if influential(f, threshold, j, x) {
			if s.Has(x) {
				j = j.With(x)
			} else {
				rejected = rejected.With(x)
			}
		}
	}
	return rejected
}

func influential(f Function, threshold *big.Rat, j Set, x int) bool {
	return rat(f.Value(j.With(x))-f.Value(j), f.Top()).Cmp(threshold) > 0
}

// TestMaps compares the pieces with the paper's maps F and T, on random coverage functions.
func TestMaps(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 1))
	for range 60 {
		f := Coverage{randomRecords(random, 1+random.IntN(12), 1+random.IntN(6))}
		threshold := rat(1+random.Int64N(9), 20)
		d := pieces(t, f, threshold, Exact, false)
		for _, s := range everySet(f.Size()) {
			p := d[d.Find(s)]
			if in := paperF(f, threshold, s); in.key() != p.In.key() {
				t.Fatalf("F(%v) = %v, want %v", s.Members(), p.In.Members(), in.Members())
			}
			if out := paperT(f, threshold, p.In); out.key() != p.Out.key() {
				t.Fatalf("T(%v) = %v, want %v", p.In.Members(), p.Out.Members(), out.Members())
			}
		}
	}
}

// tiles fails the test unless every set belongs to exactly one piece.
func tiles(t *testing.T, d Decomposition, size int) {
	t.Helper()
	for _, s := range everySet(size) {
		holders := 0
		for _, p := range d {
			if p.Contains(s) {
				holders++
			}
		}
		if holders != 1 {
			t.Fatalf("%v belongs to %d pieces of %v", s.Members(), holders, d)
		}
	}
}

// TestTiles splits by coins, that is by any answers a noisy test may give, with and without a
// limit.
func TestTiles(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	for range 2000 {
		size, passes := 1+random.IntN(6), 1+random.IntN(2)
		s := newSplitter(size, passes, random.IntN(12))
		for x, pass := range s.elements() {
			for i := range s.open(x) {
				if !s.full() && random.IntN(3) == 0 {
					s.split(i, x, pass)
				}
			}
		}
		if s.limit > 0 && len(s.pieces) > s.limit {
			t.Fatalf("%d pieces, at most %d", len(s.pieces), s.limit)
		}
		tiles(t, s.pieces, size)
	}
}

// own is a Function of a test's own.
type own struct {
	ground int
	most   int64
	of     func(s Set) int64
}

func (f own) Size() int         { return f.ground }
func (f own) Top() int64        { return f.most }
func (f own) Value(s Set) int64 { return f.of(s) }

// TestLipschitz checks Lemma 3.1 and Theorem 3.12 on random functions, with values off by up to the
// tolerance of each rule: inside a piece no element changes the function by more than α, and the
// number of pieces is within the bound.
func TestLipschitz(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 1))
	runs := 60
	if *long {
		runs = 2000
	}
	for run := range runs {
		var exact Function = Coverage{randomRecords(random, 4+random.IntN(30), 2+random.IntN(5))}
		both := run%2 == 1
		if both {
			exact = randomGraph(random, 4+random.IntN(30), 2+random.IntN(5))
		}
		alpha := rat(2+random.Int64N(10), 20)
		for name, rule := range map[string]Rule{"exact": Exact, "two thresholds": TwoThresholds,
			"one threshold": OneThreshold} {
			const scale = 1000
			most := new(big.Rat).Mul(rule.Tolerance, alpha)
			most.Mul(most, rat(exact.Top()*scale, 1))
			reach := new(big.Int).Div(most.Num(), most.Denom()).Int64()
			f := own{exact.Size(), exact.Top() * scale, func(s Set) int64 {
				// Decompose asks once for each set
				return exact.Value(s)*scale + random.Int64N(2*reach+1) - reach
			}}
			d := pieces(t, f, alpha, rule, both)
			tiles(t, d, exact.Size())
			bound := piecesWithin(rule, alpha, exact.Size())
			if both {
				bound.Mul(bound, bound)
			}
			if big.NewInt(int64(len(d))).Cmp(bound) > 0 {
				t.Fatalf("%s: %d pieces, at most %v", name, len(d), bound)
			}
			for _, p := range d {
				for _, s := range everySet(exact.Size()) {
					if !p.Contains(s) {
						continue
					}
					for _, x := range p.free(exact.Size()).minus(s).Members() {
						change := rat(exact.Value(s.With(x))-exact.Value(s), exact.Top())
						if change.Cmp(alpha) > 0 || both && new(big.Rat).Neg(change).
							Cmp(alpha) > 0 {
							t.Fatalf("%s: %d changes %v by %v on piece %v, at most %v", name, x,
								s.Members(), change, p, alpha)
						}
					}
				}
			}
		}
	}
}

func TestDecomposeLimit(t *testing.T) {
	for limit := 1; limit < 8; limit++ {
		d := must(Decompose(vectorB(), rat(1, 100), Exact, false, limit, nil))
		if len(d) != limit {
			t.Errorf("limit %d: %d pieces", limit, len(d))
		}
		tiles(t, d, 4)
	}
}

// depth is the largest whole number below 1/((Include − 2·Tolerance)·α): how many elements In can
// have at most (decompose.md, Lemma 4).
func depth(r Rule, alpha *big.Rat) int {
	each := new(big.Rat).Mul(r.Tolerance, big.NewRat(2, 1))
	each.Sub(r.Include, each).Mul(each, alpha)
	up := each.Inv(each)
	whole := new(big.Int).Sub(up.Num(), big.NewInt(1))
	return int(whole.Div(whole, up.Denom()).Int64())
}

// piecesWithin bounds the pieces of a monotone function of d attributes by Σ_{j≤depth} (d choose
// j).
func piecesWithin(r Rule, alpha *big.Rat, d int) *big.Int {
	return new(big.Int).Add(countSubsets(d, depth(r, alpha)), big.NewInt(1))
}

func TestDepth(t *testing.T) {
	for _, v := range []struct {
		rule  Rule
		alpha *big.Rat
		want  int
	}{{Exact, rat(1, 4), 3}, {Exact, rat(3, 10), 3}, {TwoThresholds, rat(1, 4), 11},
		{OneThreshold, rat(1, 4), 7}} {
		if got := depth(v.rule, v.alpha); got != v.want {
			t.Errorf("depth at α = %v is %d, want %d", v.alpha, got, v.want)
		}
	}
	if n := piecesWithin(Exact, rat(1, 4), 4); n.Int64() != 15 {
		t.Errorf("%v pieces, want 1 + 4 + 6 + 4", n)
	}
}

// isSubmodular says whether what x adds to a set does not grow with the set.
func isSubmodular(f Function) bool {
	for _, s := range everySet(f.Size()) {
		for x := range f.Size() {
			for y := range x {
				if !s.Has(x) && !s.Has(y) && f.Value(s.With(x))+f.Value(s.With(y)) <
					f.Value(s.With(x).With(y))+f.Value(s) {
					return false
				}
			}
		}
	}
	return true
}

// TestSubmodular: coverage and cuts are.
func TestSubmodular(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	for range 20 {
		for _, f := range []Function{Coverage{randomRecords(random, 9, 5)},
			randomGraph(random, 9, 5)} {
			if !isSubmodular(f) {
				t.Errorf("%v is not submodular", f)
			}
		}
	}
	if isSubmodular(own{3, 9, func(s Set) int64 { return int64(s.Len() * s.Len()) }}) {
		t.Error("the square of the size is submodular")
	}
}

// TestLearn: with the Lipschitz constant that the theorem asks for its promise holds, and for a
// function of few influential elements exactly.
func TestLearn(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 1))
	// A user's own function: the square root of the size, rounded to thousandths, is submodular,
	// and steep at small sets only.
	root := own{12, 1000, func(s Set) int64 {
		return []int64{0, 289, 408, 500, 577, 645, 707, 764, 816, 866, 913, 957, 1000}[s.Len()]
	}}
	if !isSubmodular(root) {
		t.Fatal("the root is not submodular")
	}
	for name, f := range map[string]Function{
		"root": root, "coverage": Coverage{randomRecords(random, 40, 8)},
		"cut": randomGraph(random, 40, 8)} {
		both := name == "cut"
		const alpha, beta = 0.3, 0.2
		gamma := new(big.Rat).SetFloat64(alpha * alpha / (6 * math.Log(2/beta)))
		if !both {
			gamma.Mul(gamma, rat(9, 4)) // 3α²/(8·ln(2/β)) for a monotone function
		}
		l := must(Learn(coin.NewSeeded(1), f, gamma, Exact, both, half(f.Size()), 1, nil))
		far := 0
		for _, s := range everySet(f.Size()) {
			off := new(big.Rat).Sub(l.Means[l.Pieces.Find(s)], rat(f.Value(s), f.Top()))
			if off.Abs(off).Cmp(rat(3, 10)) > 0 {
				far++
			}
		}
		if part := float64(far) / float64(int(1)<<f.Size()); part > beta {
			t.Errorf("%s: %v of the sets are further than %v off", name, part, alpha)
		}
	}
	// By sampling, for a width: the mean of the root on sets of 4 elements is √(4/12).
	l := must(Learn(coin.NewSeeded(1), root, rat(1, 1), Exact, false, OfWidth(4), 10, nil))
	if v := l.Means[l.Pieces.Find(set(12, 1, 2, 3, 4))]; v.Cmp(rat(577, 1000)) != 0 {
		t.Errorf("mean over width 4 is %v, want 577/1000", v)
	}
}

// TestRounded: rounded values are off by at most half a step, which for the baseline of the paper's
// tolerant algorithm is what its rule tolerates; and without the tolerance some would not do.
func TestRounded(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 1))
	worst := new(big.Rat)
	for range 40 {
		exact := Coverage{randomRecords(random, 1+random.IntN(300), 5)}
		f := Rounded{exact, toleratedSteps}
		if f.Top() != toleratedSteps || f.Size() != 5 {
			t.Errorf("%d steps of %d attributes", f.Top(), f.Size())
		}
		for _, s := range everySet(5) {
			off := rat(f.Value(s), f.Top())
			off.Sub(off, rat(exact.Value(s), exact.Top())).Abs(off)
			if off.Cmp(worst) > 0 {
				worst = off
			}
		}
	}
	most := new(big.Rat).Mul(TwoThresholds.Tolerance, rat(1, 4))
	if worst.Cmp(most) > 0 || worst.Cmp(most.Mul(most, rat(9, 10))) < 0 {
		t.Errorf("values are off by %v, and %v is allowed", worst, most)
	}
}

// TestBaseline: what is learned from exact values, and from rounded ones, answers conjunctions of
// records that depend on one attribute, and says that it protects nobody.
func TestBaseline(t *testing.T) {
	records := must(NewRecords(400, 6))
	for i := range 400 {
		for x := range 6 {
			// nobody has 4, which the lower threshold alone splits off
			if x == 0 || i%4 == 0 && x != 4 {
				records.Yes(i, x)
			}
		}
	}
	params := ChoiceParams{Epsilon: epsilon("1"), Persons: 400, Size: 6, Width: 2}
	list := must(Baseline(params))
	counts := map[string]int{}
	for _, choice := range list[1:] {
		method := must(choice.New())
		if loss := must(method.Loss(1)); loss.Protects() {
			t.Errorf("its loss is %v", loss)
		}
		release := must(method.Release(coin.NewSeeded(1), records, nil))
		for _, c := range []struct {
			members []int
			want    float64
		}{{[]int{1}, 400}, {[]int{2}, 100}, {[]int{1, 2}, 100}, {[]int{3, 4}, 100}, {[]int{5}, 0}} {
			if a := must(release.Ask(set(6, c.members...))); math.Abs(a.Persons-c.want) > 80 {
				t.Errorf("%s, %v: %.0f, want %.0f", choice.Name, c.members, a.Persons, c.want)
			}
		}
		if err := release.check(); err != nil {
			t.Error(err)
		}
		counts[choice.Name] = len(release.Pieces)
	}
	// half the threshold splits off more
	if counts["exact"] < 2 || counts["tolerant"] <= counts["exact"] {
		t.Errorf("%v pieces", counts)
	}
	params.Size = mostExact + 1
	if list := must(Baseline(params)); len(list) != 1 || list[0].Name != "local" {
		t.Errorf("%v", list)
	}
}
