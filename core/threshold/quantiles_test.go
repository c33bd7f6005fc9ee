package threshold

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

func ExampleQuantiles() {
	var ages []uint64
	for i := range uint64(20000) {
		ages = append(ages, 18+i*72/20000)
	}
	release, _ := NewQuantiles(QuantilesParams{Epsilon: epsilon("1"), Size: big.NewInt(128), Persons: 20000})
	function, _ := release.Release(coin.NewSeeded(1), domain.SortedCodes(ages, 7), nil)
	fmt.Println("median age", function.Quantile(0.5))
	fmt.Printf("under 30: about %.0f of 3,334, off by at most %.0f with probability 95 %%\n", function.Count(big.NewInt(29)), release.ErrorBound())
	// Output:
	// median age 54
	// under 30: about 3311 of 3,334, off by at most 1430 with probability 95 %
}

func tinyLaplace(r coin.Base) *mechanism.Laplace {
	return must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: r, L1Sensitivity: 2}))
}

// tinyQuantiles cuts a domain of four values at interior points of two codes.
func tinyQuantiles(depth int) *Quantiles {
	return must(newQuantiles(big.NewInt(4), 4, depth, fewFinder(2, 2, base(3, 2)), tinyLaplace(base(3, 2)), 0.05))
}

// TestWindowMoves checks quantiles.md, Lemma 1: one code more changes at most one of the codes in the window, and so does one code replaced.
func TestWindowMoves(t *testing.T) {
	random := rand.New(rand.NewPCG(33, 34))
	rounds := 100_000
	if *long {
		rounds = 3_000_000
	}
	for range rounds {
		list, x, y := randomCodes(random, 5, 12), random.Uint64N(32), random.Uint64N(32)
		count := 1 + random.IntN(7)
		window := func(list []uint64) []int {
			in := interval{new(big.Int), big.NewInt(31), 0, len(list)}
			w := middle(domain.SortedCodes(list, 5), in, count)
			if w.Len() != count {
				t.Fatalf("%d codes, want %d", w.Len(), count)
			}
			return ints(numbers(w))
		}
		small, one, other := window(list), window(with(list, x)), window(with(list, y))
		if difference(small, one) > 2 || difference(one, other) > 2 {
			t.Fatalf("codes %v, %d and %d: windows %v, %v and %v", list, x, y, small, one, other)
		}
	}
}

// TestCutsOfParts checks that no code is lost or counted twice, and how many are left in a cell when every point is an interior one.
func TestCutsOfParts(t *testing.T) {
	random := rand.New(rand.NewPCG(35, 36))
	for range 3000 {
		list := randomCodes(random, 5, 30)
		needs, depth := 1+random.IntN(5), 1+random.IntN(4)
		q := &Quantiles{size: big.NewInt(32), bits: 5, depth: depth, finder: anyInterior{random, needs}}
		codes := domain.SortedCodes(list, 5)
		cuts := must(q.cuts(nil, codes, newStages(nil, depth)))
		if len(cuts) != 1<<depth-1 {
			t.Fatalf("%d cuts", len(cuts))
		}
		last, from := int64(-1), 0
		cell := func(to int) {
			if limit := float64(len(list))/math.Ldexp(1, depth) + float64(needs); float64(to-from) > limit {
				t.Fatalf("codes %v, depth %d, window %d: a cell has %d codes, more than %g", list, depth, needs, to-from, limit)
			}
		}
		for _, cut := range cuts {
			if cut.lo.Cmp(cut.hi) > 0 {
				continue
			}
			at := cut.lo.Int64()
			below, notAbove := codes.Rank(cut.lo)
			if at <= last || cut.from != below || cut.to != notAbove || cut.from < from {
				t.Fatalf("codes %v: cut at %d after %d with codes %d to %d, after %d", list, at, last, cut.from, cut.to, from)
			}
			cell(cut.from)
			last, from = at, cut.to
		}
		cell(len(list))
	}
}

// anyInterior finds any interior point at all.
type anyInterior struct {
	random *rand.Rand
	needs  int
}

func (a anyInterior) Name() string                                { return "any" }
func (a anyInterior) Needs() int                                  { return a.needs }
func (a anyInterior) Loss(privacy.Distance) (privacy.Loss, error) { return privacy.Loss{}, nil }
func (a anyInterior) Release(_ coin.Source, codes domain.Sorted, _ coin.Step) (*big.Int, error) {
	lo, hi := codes.Number(0).Int64(), codes.Number(codes.Len()-1).Int64()
	return big.NewInt(lo + a.random.Int64N(hi-lo+1)), nil
}

// TestCountsMoveByTwo is the exact sensitivity of the counts: for each set of cuts, the counts of neighbours differ by 2 in all.
func TestCountsMoveByTwo(t *testing.T) {
	space := audit.Space{Persons: 4, Values: 6}
	sets := space.DataSets()
	worst := 0
	for points := range 1 << 6 {
		count := func(rows []int) []int64 {
			list := codesOf(rows)
			codes := domain.SortedCodes(list, 3)
			var cuts []interval
			for at := range int64(6) {
				if points>>at&1 == 1 {
					below, notAbove := codes.Rank(big.NewInt(at))
					cuts = append(cuts, interval{big.NewInt(at), big.NewInt(at), below, notAbove})
				}
			}
			_, exact := toCount(cuts, len(list), big.NewInt(6), nil)
			return exact
		}
		for i, a := range sets {
			for _, b := range sets[:i] {
				if shared(a, b) < space.Persons-1 {
					continue
				}
				x, y := count(a), count(b)
				moved := 0
				for i := range x {
					moved += int(max(x[i]-y[i], y[i]-x[i]))
				}
				worst = max(worst, moved)
			}
		}
	}
	if worst != 2 {
		t.Errorf("counts move by up to %d", worst)
	}
}

// TestAnswersMoveByTwo is the same for persons with answers: code 2x + 1 is value x with a yes. A changed answer moves one person from one count
// to another, as a changed value does.
func TestAnswersMoveByTwo(t *testing.T) {
	space := audit.Space{Persons: 3, Values: 8}
	sets := space.DataSets()
	every := must(NewEveryValue(EveryValueParams{Epsilon: epsilon("1"), Size: big.NewInt(4)}))
	worst := 0
	for points := range 1<<4 + 1 {
		count := func(rows []int) []int64 {
			var list []uint64
			data := Labelled{}
			for _, code := range codesOf(rows) {
				list, data.Yes = append(list, code/2), append(data.Yes, code%2 == 1)
			}
			yes := data.answers()
			codes := domain.SortedCodes(list, 2)
			if points == 1<<4 {
				return every.toCount(codes, yes)
			}
			var cuts []interval
			for at := range int64(4) {
				if points>>at&1 == 1 {
					below, notAbove := codes.Rank(big.NewInt(at))
					cuts = append(cuts, interval{big.NewInt(at), big.NewInt(at), below, notAbove})
				}
			}
			_, exact := toCount(cuts, len(list), big.NewInt(4), yes)
			return exact
		}
		for i, a := range sets {
			for _, b := range sets[:i] {
				if shared(a, b) < space.Persons-1 {
					continue
				}
				x, y := count(a), count(b)
				moved := 0
				for i := range x {
					moved += int(max(x[i]-y[i], y[i]-x[i]))
				}
				worst = max(worst, moved)
			}
		}
	}
	if worst != 2 {
		t.Errorf("counts move by up to %d", worst)
	}
}

// TestAccuracy runs whole releases and compares every cut with the truth, in both directions.
func TestAccuracy(t *testing.T) {
	random := rand.New(rand.NewPCG(77, 78))
	for name, release := range map[string]Bounded{
		"tree":        must(NewQuantiles(QuantilesParams{Epsilon: epsilon("1"), Size: values(16), Persons: 20_000})),
		"every value": must(NewEveryValue(EveryValueParams{Epsilon: epsilon("1"), Size: big.NewInt(100)})),
		"one value":   must(NewEveryValue(EveryValueParams{Epsilon: epsilon("1"), Size: big.NewInt(1)})),
	} {
		atPoints, ofCount, ofAll := release.AccuracyBound()
		good := 0
		const runs = 10
		for run := range runs {
			list, yes := make([]uint64, 20_000), make([]bool, 20_000)
			bits, last := 16, int64(1<<16)
			for i := range list {
				list[i] = random.Uint64N(1 << 16)
				switch name {
				case "every value":
					list[i], bits, last = list[i]%100, 7, 100
				case "one value":
					list[i], bits, last = 0, 1, 1
				}
			}
			slices.Sort(list)
			for i := range yes {
				yes[i] = random.IntN(20_000) < i
			}
			codes := domain.SortedCodes(list, bits)
			a, err := release.ReleaseAccuracy(coin.NewSeeded(coin.Seed(run)), Labelled{codes, yes}, nil)
			if err != nil {
				t.Fatal(err)
			}
			yeses := make([]int, len(yes)+1)
			for i := range yes {
				yeses[i+1] = yeses[i]
				if yes[i] {
					yeses[i+1]++
				}
			}
			right := math.Abs(a.All()-20_000) <= ofAll
			for x := int64(0); x <= last; x++ {
				below, _ := codes.Rank(big.NewInt(x))
				truth := float64(below - yeses[below] + yeses[len(yes)] - yeses[below])
				for _, c := range []Cut{{big.NewInt(x), true}, {big.NewInt(x), false}} {
					want, bound := truth, atPoints
					if !c.Above {
						want = 20_000 - truth
					}
					low, high, measured := a.Range(c)
					if !measured {
						bound += ofCount
					}
					if about := a.Right(c); measured && (low != about || high != about) || low > high {
						t.Fatalf("cut at %d: %g in %g … %g", x, about, low, high)
					}
					right = right && want >= low-bound && want <= high+bound
				}
			}
			if right {
				good++
			}
		}
		if good < runs-2 || atPoints >= 4*release.ErrorBound() {
			t.Errorf("%s: within %g persons in %d of %d runs", name, atPoints, good, runs)
		}
	}
	// 8 yeses below 4; 2 yeses and 4 noes at 4; 10 noes above.
	a := newAccuracy(big.NewInt(10), []*big.Int{big.NewInt(4)}, measured{[]int64{8, 0}, []int64{2}}, measured{[]int64{0, 10}, []int64{4}})
	for x, want := range map[int64]float64{0: 14, 2: 18, 4: 22, 5: 20, 7: 16, 10: 10} {
		below, above := a.Right(Cut{big.NewInt(x), false}), a.Right(Cut{big.NewInt(x), true})
		if math.Abs(below-want) > 1e-9 || math.Abs(above-(24-want)) > 1e-9 {
			t.Errorf("cut at %d: %g and %g right, want %g and %g", x, below, above, want, 24-want)
		}
		ranges := map[int64][2]float64{0: {14, 22}, 2: {14, 22}, 4: {22, 22}, 5: {10, 20}, 7: {10, 20}, 10: {10, 10}}
		if low, high, _ := a.Range(Cut{big.NewInt(x), false}); low != ranges[x][0] || high != ranges[x][1] {
			t.Errorf("cut at %d: from %g to %g, want %v", x, low, high, ranges[x])
		}
	}
}

func TestNewCDF(t *testing.T) {
	f := newCDF(big.NewInt(100), []*big.Int{big.NewInt(10), big.NewInt(20)}, []int64{8, 10, 30}, []int64{2, 5})
	again, err := NewCDF(big.NewInt(100), f.points, f.before, f.upTo, f.total)
	if err != nil || again.Count(big.NewInt(15)) != f.Count(big.NewInt(15)) || again.Quantile(0.3).Cmp(f.Quantile(0.3)) != 0 {
		t.Errorf("%v, %v", again, err)
	}
	points := []*big.Int{big.NewInt(3), big.NewInt(5)}
	for name, make := range map[string]func() (*CDF, error){
		"too few counts": func() (*CDF, error) { return NewCDF(big.NewInt(9), points, []float64{1}, []float64{1, 2}, 3) },
		"points out of order": func() (*CDF, error) {
			return NewCDF(big.NewInt(9), []*big.Int{points[1], points[0]}, []float64{0, 1}, []float64{1, 2}, 3)
		},
		"a point too large": func() (*CDF, error) { return NewCDF(big.NewInt(5), points, []float64{0, 1}, []float64{1, 2}, 3) },
		"falling counts":    func() (*CDF, error) { return NewCDF(big.NewInt(9), points, []float64{0, 1}, []float64{2, 2}, 3) },
		"more than in all":  func() (*CDF, error) { return NewCDF(big.NewInt(9), points, []float64{0, 1}, []float64{1, 4}, 3) },
		"a count that is not a number": func() (*CDF, error) {
			return NewCDF(big.NewInt(9), points, []float64{0, math.NaN()}, []float64{1, 2}, 3)
		},
	} {
		if _, err := make(); err == nil {
			t.Errorf("%s: taken", name)
		} else {
			wantRefusal(t, err, "points")
		}
	}
}

func shared(a, b []int) int { return (len(a) + len(b) - difference(a, b)) / 2 }

// pointsOf prints where the cuts are: what is released before the counts.
func pointsOf(cuts []interval) string {
	text := ""
	for _, cut := range cuts {
		if cut.lo.Cmp(cut.hi) <= 0 {
			text += cut.lo.String() + " "
		}
	}
	return text
}

func cutsAudit(name string, q *Quantiles, claim audit.Claim, cuts func(src coin.Source, codes domain.Sorted) ([]interval, error)) audit.Audit[string] {
	return audit.Audit[string]{
		Name: name, Space: audit.Space{Persons: 4, Values: 4}, Claim: claim,
		Law: func(rows []int) (*coin.Law[string], error) {
			codes := sortedRows(rows, 2)
			return coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
				found, err := cuts(src, codes)
				return pointsOf(found), err
			})
		},
	}
}

// cutsClaim is that of 2·depth − 1 interior points.
func cutsClaim(q *Quantiles) audit.Claim {
	claim := audit.Pure(1, 1)
	for range 2*q.depth - 1 {
		claim = claim.Plus(claimOf(q.finder.Loss(1)))
	}
	return claim
}

func TestAuditQuantiles(t *testing.T) {
	for depth := 1; depth <= 3; depth++ {
		q := tinyQuantiles(depth)
		audittest.Holds(t, cutsAudit(fmt.Sprintf("cuts of the quantile tree, depth %d", depth), q, cutsClaim(q), func(src coin.Source, codes domain.Sorted) ([]interval, error) {
			return q.cuts(src, codes, newStages(nil, depth))
		}))
	}
}

func TestPlantedQuantiles(t *testing.T) {
	q := tinyQuantiles(2)
	root := interval{new(big.Int), big.NewInt(3), 0, 0}
	caught := func(name string, cuts func(src coin.Source, codes domain.Sorted) ([]interval, error)) {
		audittest.Caught(t, cutsAudit("quantile tree "+name, q, cutsClaim(q), cuts))
	}
	caught("with the noise of one interior point in all", func(src coin.Source, codes domain.Sorted) ([]interval, error) {
		strong := must(newQuantiles(big.NewInt(4), 4, 2, fewFinder(2, 2, base(81, 16)), tinyLaplace(base(3, 2)), 0.05))
		return strong.cuts(src, codes, newStages(nil, 2))
	})
	caught("whose window has as many codes as there are", func(src coin.Source, codes domain.Sorted) ([]interval, error) {
		in := root
		in.to = codes.Len()
		if codes.Len() == 0 {
			return nil, nil
		}
		at, err := q.finder.Release(src, middle(codes, in, codes.Len()), nil)
		return []interval{{at, at, 0, 0}}, err
	})
	caught("that splits at the exact median when many have it", func(src coin.Source, codes domain.Sorted) ([]interval, error) {
		if n := codes.Len(); n > 2 && codes.Lcp(0, n-1) == 2 {
			at := codes.Number(0)
			return []interval{{at, at, 0, 0}}, nil
		}
		return q.cuts(src, codes, newStages(nil, 2))
	})
}

// TestQuantilesError runs whole releases and looks for the largest error at any value.
func TestQuantilesError(t *testing.T) {
	runs := 12
	if *long {
		runs = 500
	}
	random := rand.New(rand.NewPCG(37, 38))
	for name, p := range map[string]QuantilesParams{
		"16 bits, pure": {Epsilon: epsilon("1"), Size: values(16), Persons: 20_000},
		"60 bits":       {Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: values(60), Persons: 50_000},
		"few values":    {Epsilon: epsilon("1"), Size: big.NewInt(5), Persons: 3000},
	} {
		q := must(NewQuantiles(p))
		loss := must(q.Loss(1))
		if e, _ := loss.Epsilon(); e.Cmp(p.Epsilon.Rat()) > 0 || loss.Delta().Cmp(p.Delta.Rat()) > 0 || float(e) < 0.99 {
			t.Errorf("%s: loss %v", name, loss)
		}
		good := 0
		for run := range runs {
			list := make([]uint64, p.Persons-p.Persons/10) // a tenth have no value
			for i := range list {
				switch run % 3 {
				case 0:
					list[i] = random.Uint64() >> (64 - q.bits)
				case 1:
					list[i] = uint64(random.ExpFloat64() * math.Ldexp(1, q.bits-4))
				case 2:
					list[i] = []uint64{0, 1, uint64(random.IntN(4))}[random.IntN(3)]
				}
				list[i] = min(list[i], new(big.Int).Sub(p.Size, oneInt).Uint64())
			}
			slices.Sort(list)
			codes := domain.SortedCodes(list, q.bits)
			f := must(q.Release(coin.NewSeeded(coin.Seed(run)), codes, nil))
			worst := math.Abs(f.Total() - float64(len(list)))
			for i := range 3000 {
				x := new(big.Int).SetUint64(list[i*len(list)/3000])
				for range 2 {
					_, upTo := codes.Rank(x)
					worst = max(worst, math.Abs(f.Count(x)-float64(upTo)))
					x.Sub(x, oneInt)
				}
			}
			if worst <= q.ErrorBound() {
				good++
			}
		}
		if float64(good) < 0.9*float64(runs) {
			t.Errorf("%s: within %g persons in %d of %d runs", name, q.ErrorBound(), good, runs)
		}
		t.Logf("%s: depth %d with the %s, error at most %.0f of %d persons", name, q.Depth(), q.Finder().Name(), q.ErrorBound(), p.Persons)
	}
}

// TestSumBound compares the bound on sums of noise with frequencies.
func TestSumBound(t *testing.T) {
	counts := tinyLaplace(base(11, 10))
	src := coin.NewSeeded(9)
	for _, n := range []int{1, 15, 127} {
		bound := counts.Noise().SumBound(n, 0.05)
		beyond, largest := 0, 0.0
		for range 2000 {
			sum, worst := 0.0, 0.0
			for _, z := range must(counts.Release(src, make([]int64, n), nil)) {
				sum += float64(z)
				worst = max(worst, math.Abs(sum))
			}
			if worst > bound {
				beyond++
			}
			largest = max(largest, worst)
		}
		if beyond > 100 || largest < bound/2 {
			t.Errorf("%d noises: %d of 2000 sums beyond %g, the largest is %g", n, beyond, bound, largest)
		}
	}
}

func TestCDF(t *testing.T) {
	points := []*big.Int{big.NewInt(10), big.NewInt(20), big.NewInt(21)}
	f := newCDF(big.NewInt(100), points, []int64{8, 10, 0, 30}, []int64{2, 5, 1})
	if f.Total() != 56 {
		t.Errorf("total %g", f.Total())
	}
	for x, want := range map[int64]float64{-1: 0, 4: 4, 9: 8, 10: 10, 19: 20, 15: 10 + 10*5.0/9, 20: 25, 21: 26, 99: 56, 500: 56, 60: 26 + 30*39.0/78} {
		if have := f.Count(big.NewInt(x)); math.Abs(have-want) > 1e-9 {
			t.Errorf("up to %d: %g, want %g", x, have, want)
		}
	}
	for q, want := range map[float64]int64{0: 0, 4.0 / 56: 4, 0.5: 27, 10.0 / 56: 10, 9.5 / 56: 10, 23.0 / 56: 20, 25.5 / 56: 21, 1: 99} {
		if have := f.Quantile(q); have.Int64() != want {
			t.Errorf("quantile %g is %v, want %d", q, have, want)
		}
	}
	if s := f.scaled(2); s.Total() != 112 || s.Count(big.NewInt(20)) != 50 || f.Total() != 56 {
		t.Errorf("scaled: %g, %g", s.Total(), s.Count(big.NewInt(20)))
	}
	if len(f.Points()) != 3 {
		t.Error("points")
	}
	if below, upTo := f.At(1); below != 20 || upTo != 25 {
		t.Errorf("at point 1: %g, %g", below, upTo)
	}
}

// TestCDFIsMonotone takes noisy counts of any kind: the function rises, its quantiles are inverse to it, and it is as near to a true function as
// the sums are.
func TestCDFIsMonotone(t *testing.T) {
	random := rand.New(rand.NewPCG(39, 40))
	for range 2000 {
		size := int64(1 + random.IntN(40))
		var points []*big.Int
		for x := range size {
			if random.IntN(4) == 0 {
				points = append(points, big.NewInt(x))
			}
		}
		n := len(points)
		cells, atoms := make([]int64, n+1), make([]int64, n)
		trueCells, trueAtoms := make([]int64, n+1), make([]int64, n)
		fill := func(noisy, exact []int64) {
			for i := range noisy {
				exact[i] = random.Int64N(10)
				noisy[i] = exact[i] + random.Int64N(13) - 6
			}
		}
		fill(cells, trueCells)
		fill(atoms, trueAtoms)
		f, truth := newCDF(big.NewInt(size), points, cells, atoms), newCDF(big.NewInt(size), points, trueCells, trueAtoms)
		off, sum := 0.0, 0.0
		for i := range cells {
			sum += float64(cells[i] - trueCells[i])
			off = max(off, math.Abs(sum))
			if i < n {
				sum += float64(atoms[i] - trueAtoms[i])
				off = max(off, math.Abs(sum))
			}
		}
		before := 0.0
		for x := int64(-1); x <= size; x++ {
			count := f.Count(big.NewInt(x))
			if count < before-1e-9 || count > f.Total()+1e-9 {
				t.Fatalf("count %g at %d after %g, total %g", count, x, before, f.Total())
			}
			before = count
		}
		for i := range points {
			below, upTo := f.At(i)
			b, u := truth.At(i)
			if math.Abs(below-b) > off || math.Abs(upTo-u) > off {
				t.Fatalf("at point %d: %g, %g, truly %g, %g; sums are off by %g at most", i, below, upTo, b, u, off)
			}
		}
		for k := range 11 {
			q := float64(k) / 10
			x := f.Quantile(q)
			if x.Sign() < 0 || x.Cmp(big.NewInt(size)) >= 0 {
				t.Fatalf("quantile %g is %v of %d", q, x, size)
			}
			if below := f.Count(new(big.Int).Sub(x, oneInt)); below > q*f.Total()+1e-6 {
				t.Fatalf("quantile %g of %g is %v, but %g are below it", q, f.Total(), x, below)
			}
			if upTo := f.Count(x); upTo < q*f.Total()-1e-6 && x.Int64() < size-1 {
				t.Fatalf("quantile %g of %g is %v, but only %g are up to it", q, f.Total(), x, upTo)
			}
		}
	}
}

func TestQuantilesRefuses(t *testing.T) {
	good := QuantilesParams{Epsilon: epsilon("1"), Size: values(16), Persons: 1000}
	for field, change := range map[string]func(p *QuantilesParams){
		"epsilon": func(p *QuantilesParams) { p.Epsilon = privacy.Epsilon{} },
		"size":    func(p *QuantilesParams) { p.Size = nil },
		"persons": func(p *QuantilesParams) { p.Persons = 0 },
		"beta":    func(p *QuantilesParams) { p.Beta = 1 },
		"depth":   func(p *QuantilesParams) { p.Depth = 17 },
	} {
		p := good
		change(&p)
		_, err := NewQuantiles(p)
		wantRefusal(t, err, field)
	}
	q := must(NewQuantiles(good))
	_, err := q.Release(coin.NewSeeded(1), domain.SortedCodes([]uint64{}, 15), nil)
	wantRefusal(t, err, "codes")
	seen := map[int64]bool{}
	if _, err := q.Release(coin.NewSeeded(1), domain.SortedCodes([]uint64{1, 2, 3}, 16), func(done, total int64) error {
		seen[done] = total == int64(q.Depth()+1)
		return nil
	}); err != nil || !seen[int64(q.Depth()+1)] {
		t.Errorf("stages %v, %v", seen, err)
	}
	stop := errors.New("stop")
	for at := range int64(q.Depth() + 2) {
		_, err := q.Release(coin.NewSeeded(1), domain.SortedCodes([]uint64{1, 2, 3}, 16), func(done, total int64) error {
			if done == at {
				return stop
			}
			return nil
		})
		if seen[at] && !errors.Is(err, stop) {
			t.Errorf("stopped at %d: %v", at, err)
		}
	}
}
