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
	"hush/core/phrase"
	"hush/core/privacy"
)

func tinyLaplace(r coin.Base) *mechanism.Laplace {
	return must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: r, L1Sensitivity: 2}))
}

// tinyQuantiles cuts a domain of four values at interior points of two codes.
func tinyQuantiles(depth int) *Quantiles {
	return must(
		newQuantiles(big.NewInt(4), 4, depth, fewFinder(2, 2, base(3, 2)), tinyLaplace(base(3, 2)),
			0.05))
}

// TestWindowMoves checks quantiles.md, Lemma 1: one code more changes at most one of the codes in
// the window, and so does one code replaced.
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

// TestCutsOfParts checks that no code is lost or counted twice, and how many are left in a cell
// when every point is an interior one.
func TestCutsOfParts(t *testing.T) {
	random := rand.New(rand.NewPCG(35, 36))
	for range 3000 {
		list := randomCodes(random, 5, 30)
		needs, depth := 1+random.IntN(5), 1+random.IntN(4)
		q := &Quantiles{size: big.NewInt(32), bits: 5, depth: depth,
			finder: anyInterior{random, needs}}
		codes := domain.SortedCodes(list, 5)
		cuts := must(q.cuts(nil, codes, newStages(nil, depth)))
		if len(cuts) != 1<<depth-1 {
			t.Fatalf("%d cuts", len(cuts))
		}
		last, from := int64(-1), 0
		cell := func(to int) {
			if limit := float64(len(list))/math.Ldexp(1, depth) +
				float64(needs); float64(to-from) > limit {
				t.Fatalf("codes %v, depth %d, window %d: a cell has %d codes, more than %g", list,
					depth, needs, to-from, limit)
			}
		}
		for _, cut := range cuts {
			if cut.lo.Cmp(cut.hi) > 0 {
				continue
			}
			at := cut.lo.Int64()
			below, notAbove := codes.Rank(cut.lo)
			if at <= last || cut.from != below || cut.to != notAbove || cut.from < from {
				t.Fatalf("codes %v: cut at %d after %d with codes %d to %d, after %d", list, at,
					last, cut.from, cut.to, from)
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

func (a anyInterior) Name() phrase.Phrase                         { return phrase.Plain("any") }
func (a anyInterior) Needs() int                                  { return a.needs }
func (a anyInterior) TypicalError(persons int64) float64          { return partOfNeeds(a, persons) }
func (a anyInterior) Loss(privacy.Distance) (privacy.Loss, error) { return privacy.Loss{}, nil }
func (a anyInterior) Release(_ coin.Source, codes domain.Sorted, _ coin.Step) (*big.Int, error) {
	lo, hi := codes.Number(0).Int64(), codes.Number(codes.Len()-1).Int64()
	return big.NewInt(lo + a.random.Int64N(hi-lo+1)), nil
}

// TestCountsMoveByTwo is the exact sensitivity of the counts: for each set of cuts, the counts of
// neighbours differ by 2 in all.
func TestCountsMoveByTwo(t *testing.T) {
	space := audit.Space{Persons: 4, Values: 6}
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
		worst = max(worst, mostMoved(space, count))
	}
	if worst != 2 {
		t.Errorf("counts move by up to %d", worst)
	}
}

// mostMoved is by how much the counts of neighbours differ in all, at most.
func mostMoved(space audit.Space, count func(rows []int) []int64) (worst int) {
	sets := space.DataSets()
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
	return worst
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

func cutsAudit(name string, q *Quantiles, claim audit.Claim,
	cuts func(src coin.Source, codes domain.Sorted) ([]interval, error)) audit.Audit[string] {
	return audit.Audit[string]{
		Name: name, Space: audit.Space{Persons: 4, Values: int(q.size.Int64())}, Claim: claim,
		Law: func(rows []int) (*coin.Law[string], error) {
			codes := sortedRows(rows, q.bits)
			return coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
				found, err := cuts(src, codes)
				return pointsOf(found), err
			})
		},
	}
}

// callsOf is how many interior points a replaced person pays for: depth ones of whole intervals, or
// 2·depth − 1 of windows.
func callsOf(q *Quantiles) int {
	if _, whole := q.finder.(*Exponential); whole {
		return q.depth
	}
	return 2*q.depth - 1
}

func cutsClaim(q *Quantiles) audit.Claim {
	claim := audit.Pure(1, 1)
	for range callsOf(q) {
		claim = claim.Plus(claimOf(q.finder.Loss(1)))
	}
	return claim
}

func TestAuditQuantiles(t *testing.T) {
	for depth := 1; depth <= 3; depth++ {
		q := tinyQuantiles(depth)
		audittest.Holds(
			t, cutsAudit(fmt.Sprintf("cuts of the quantile tree, depth %d", depth), q, cutsClaim(q),
				func(src coin.Source, codes domain.Sorted) ([]interval, error) {
					return q.cuts(src, codes, newStages(nil, depth))
				}))
	}
}

// wholeQuantiles cuts a domain of five values by the exponential mechanism on whole intervals.
func wholeQuantiles(depth int, r coin.Base) *Quantiles {
	finder := newExponential(big.NewInt(5), 3, r, big.NewRat(1, 2))
	return must(newQuantiles(big.NewInt(5), 4, depth, finder, tinyLaplace(r), 0.05))
}

func TestAuditWholeIntervals(t *testing.T) {
	for depth := 1; depth <= 2; depth++ {
		for _, r := range []coin.Base{base(3, 2), base(20, 1)} {
			q := wholeQuantiles(depth, r)
			audittest.Holds(t, cutsAudit(
				fmt.Sprintf("cuts of the quantile tree on whole intervals, depth %d, base %v",
					depth, r), q, cutsClaim(q),
				func(src coin.Source, codes domain.Sorted) ([]interval, error) {
					return q.cuts(src, codes, newStages(nil, depth))
				}))
		}
	}
}

func TestPlantedWholeIntervals(t *testing.T) {
	r := base(20, 1)
	whole, windows := wholeQuantiles(2, r), wholeQuantiles(2, r)
	windows.finder = few{windows.finder, 2}
	for name, q := range map[string]*Quantiles{
		"quantile tree on windows for the price of whole intervals":   windows,
		"quantile tree on whole intervals for the price of one level": whole,
	} {
		claim := cutsClaim(whole)
		if q == whole {
			claim = cutsClaim(wholeQuantiles(1, r))
		}
		audittest.Caught(t, cutsAudit(name, q, claim,
			func(src coin.Source, codes domain.Sorted) ([]interval, error) {
				return q.cuts(src, codes, newStages(nil, q.depth))
			}))
	}
}

func TestPlantedQuantiles(t *testing.T) {
	q := tinyQuantiles(2)
	root := interval{new(big.Int), big.NewInt(3), 0, 0}
	caught := func(
		name string, cuts func(src coin.Source, codes domain.Sorted) ([]interval, error)) {
		audittest.Caught(t, cutsAudit("quantile tree "+name, q, cutsClaim(q), cuts))
	}
	caught("with the noise of one interior point in all",
		func(src coin.Source, codes domain.Sorted) ([]interval, error) {
			strong := must(
				newQuantiles(big.NewInt(4), 4, 2, fewFinder(2, 2, base(81, 16)),
					tinyLaplace(base(3, 2)), 0.05))
			return strong.cuts(src, codes, newStages(nil, 2))
		})
	caught("whose window has as many codes as there are",
		func(src coin.Source, codes domain.Sorted) ([]interval, error) {
			in := root
			in.to = codes.Len()
			if codes.Len() == 0 {
				return nil, nil
			}
			at, err := q.finder.Release(src, middle(codes, in, codes.Len()), nil)
			return []interval{{at, at, 0, 0}}, err
		})
	caught("that splits at the exact median when many have it",
		func(src coin.Source, codes domain.Sorted) ([]interval, error) {
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
		"60 bits": {Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: values(60),
			Persons: 50_000},
		"few values": {Epsilon: epsilon("1"), Size: big.NewInt(5), Persons: 3000},
	} {
		q := must(NewQuantiles(p))
		loss := must(q.Loss(1))
		if e, _ := loss.Epsilon(); e.Cmp(p.Epsilon.Rat()) > 0 || loss.Delta().
			Cmp(p.Delta.Rat()) > 0 || float(e) < 0.99 {
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
		t.Logf("%s: depth %d with the %s, error at most %.0f of %d persons", name, q.Depth(),
			q.Finder().Name(), q.ErrorBound(), p.Persons)
	}
}

func TestQuantilesRefuses(t *testing.T) {
	good := QuantilesParams{Epsilon: epsilon("1"), Size: values(16), Persons: 1000}
	for field, change := range map[string]func(p *QuantilesParams){
		"epsilon": func(p *QuantilesParams) { p.Epsilon = privacy.Epsilon{} },
		"size":    func(p *QuantilesParams) { p.Size = nil },
		"persons": func(p *QuantilesParams) { p.Persons = 0 }, // H: quantiles.md persons
		"beta":    func(p *QuantilesParams) { p.Beta = 1 },
		"depth":   func(p *QuantilesParams) { p.Depth = 17 }, // H: quantiles.md depth
	} {
		p := good
		change(&p)
		_, err := NewQuantiles(p)
		wantRefusal(t, err, field)
	}
	less, more := good, good
	less.Depth, more.Persons = -1, 1<<40+1
	_, err := NewQuantiles(less)
	wantRefusal(t, err, "depth") // H: quantiles.md depth
	_, err = NewQuantiles(more)
	wantRefusal(t, err, "persons") // H: quantiles.md persons
	q := must(NewQuantiles(good))
	_, err = q.Release(coin.NewSeeded(1), domain.SortedCodes([]uint64{}, 15), nil)
	wantRefusal(t, err, "codes") // H: quantiles.md bits
	seen := map[int64]bool{}
	if _, err := q.Release(coin.NewSeeded(1), domain.SortedCodes([]uint64{1, 2, 3}, 16),
		func(done, total int64) error {
			seen[done] = total == int64(q.Depth()+1)
			return nil
		}); err != nil || !seen[int64(q.Depth()+1)] {
		t.Errorf("stages %v, %v", seen, err)
	}
	stop := errors.New("stop")
	for at := range int64(q.Depth() + 2) {
		_, err := q.Release(coin.NewSeeded(1), domain.SortedCodes([]uint64{1, 2, 3}, 16),
			func(done, total int64) error {
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

// TestQuantilesShareDelta: all calls of the finder that one person is in, each with its own loss,
// compose to no more than is claimed, by a rule that EachOf did not choose by.
func TestQuantilesShareDelta(t *testing.T) {
	for _, tt := range []struct {
		bits    uint
		persons uint64
		epsilon string
	}{{1024, 1 << 20, "1"}, {4096, 1 << 20, "4"}, {16, 1000, "1"}, {16, 1000, "0.1"}} {
		granted := delta("1e-8")
		q := must(NewQuantiles(QuantilesParams{
			Epsilon: epsilon(tt.epsilon), Delta: granted, Persons: tt.persons,
			Size: new(big.Int).Lsh(oneInt, tt.bits),
		}))
		if _, tree := q.finder.(*TreeLog); tree != (tt.bits > 64) {
			t.Fatalf("%d bits are searched by %s", tt.bits, q.finder.Name())
		}
		spent := must(q.counts.Loss(1))
		var calls []privacy.Loss
		for range callsOf(q) {
			calls = append(calls, must(q.finder.Loss(1)))
		}
		claimed := must(q.Loss(1))
		composed, err := privacy.Compose(calls, granted)
		if err != nil {
			t.Fatal(err)
		}
		if whole := composed.Loss.Plus(spent); !whole.AtMost(claimed) {
			t.Errorf("%d bits, depth %d: claimed %v, spent %v", tt.bits, q.depth, claimed, whole)
		}
		if !claimed.AtMost(privacy.ApproximateLoss(epsilon(tt.epsilon), granted)) {
			t.Errorf("%d bits: claimed %v", tt.bits, claimed)
		}
	}
}

// TestQuantilesCountWhatTheyPayFor: wherever the cuts are, replacing a person moves the exact
// counts, with or without answers, by no more than their noise pays for, and by that much
// somewhere.
func TestQuantilesCountWhatTheyPayFor(t *testing.T) {
	const size, persons = 5, 3
	share := func(q *Quantiles) float64 {
		spent, _ := must(q.counts.Loss(1)).Epsilon()
		x, _ := spent.Float64()
		return x
	}
	q := must(NewQuantiles(QuantilesParams{
		Epsilon: epsilon("1"), Size: big.NewInt(size), Persons: persons, Depth: 2,
	}))
	space := audit.Space{Persons: persons, Values: 2 * size} // a code, and an answer
	counts := func(rows []int, answered bool, at int) []int64 {
		rows = slices.Clone(rows)
		slices.Sort(rows)
		codes, yes := []uint64{}, []bool{}
		for _, row := range rows {
			if row != audit.None {
				codes, yes = append(codes, uint64(row/2)), append(yes, row%2 == 1)
			}
		}
		if !answered {
			yes = nil
		}
		sorted := domain.SortedCodes(codes, q.bits)
		below, upTo := sorted.Rank(big.NewInt(int64(at)))
		cut := interval{big.NewInt(int64(at)), big.NewInt(int64(at)), below, upTo}
		_, exact := toCount([]interval{cut}, len(codes), q.size, yes)
		return exact
	}
	for _, answered := range []bool{false, true} {
		worst := int64(0)
		for at := range size {
			for _, rows := range space.DataSets() {
				before := counts(rows, answered, at)
				for i := range rows {
					for value := audit.None; value < space.Values; value++ {
						other, moved := slices.Clone(rows), int64(0)
						other[i] = value
						for j, count := range counts(other, answered, at) {
							moved += max(count-before[j], before[j]-count)
						}
						worst = max(worst, moved)
					}
				}
			}
		}
		paid := float64(worst) * q.counts.Noise().Log()
		if paid > share(q)*(1+1e-9) || paid < share(q)*(1-1e-6) {
			t.Errorf("answers %v: counts move by %d, which takes ε = %g of %g",
				answered, worst, paid, share(q))
		}
	}
}
