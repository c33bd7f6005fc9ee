package threshold

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// heavyLevels are the levels of all codes against the path to the heavier child, by definition.
func heavyLevels(list []uint64, bitLength, stop int) []int {
	return levelsByDefinition(list, bitLength,
		walkOf(list, bitLength, stop, func(left, right int) bool { return left >= right }), stop)
}

// largest is the largest multiplicity.
func largest(levels []int) int {
	most, run := 0, 0
	for i, level := range levels {
		if i > 0 && level != levels[i-1] {
			run = 0
		}
		run++
		most = max(most, run)
	}
	return most
}

func TestHeavyPathOfExample(t *testing.T) {
	lo, hi := trimmed(len(example), 1)
	if have := heavyLevels(example[lo:hi], 4, 2); !slices.Equal(have, []int{0, 0, 0, 2, 2, 3}) ||
		largest(have) != 3 {
		t.Errorf("levels %v, the largest multiplicity is %d", have, largest(have))
	}
	h := &HeavyPaths{rounds: 1, trim: 1, path: path{stop: 2}}
	all := h.paths(domain.SortedCodes(example, 4))
	if have := expand(all[1].codes.(*levels)); !slices.Equal(have, []int{0, 0, 0, 2, 2, 3}) {
		t.Errorf("levels %v", have)
	}
}

// TestHeavyPathLemma checks heavy.md, Lemma 1, on random pairs that differ in one code: either the
// levels are neighbours too, or some level has at least stop members in both; and from stop = 2 on
// the largest multiplicities differ by at most 1.
func TestHeavyPathLemma(t *testing.T) {
	pairs := 100_000
	if *long {
		pairs = 5_000_000
	}
	random := rand.New(rand.NewPCG(17, 18))
	apart := 0
	for range pairs {
		const bitLength = 5
		list, x := randomCodes(random, bitLength, 22), random.Uint64()>>(64-bitLength)
		stop := 1 + random.IntN(5)
		small, large := heavyLevels(list, bitLength, stop),
			heavyLevels(with(list, x), bitLength, stop)
		p, q := largest(small), largest(large)
		if !insertion(small, large) {
			if apart++; min(p, q) < stop {
				t.Fatalf("codes %v and %d, stop %d: levels %v and %v", list, x, stop, small, large)
			}
		}
		if stop >= 2 && (q < p || q > p+1) {
			t.Fatalf("codes %v and %d, stop %d: levels %v and %v, largest %d and %d", list, x, stop,
				small, large, p, q)
		}
	}
	if apart < pairs/1000 {
		t.Errorf("only %d pairs whose levels are no neighbours", apart)
	}
}

// TestHeavyQueries checks heavy.md, Lemma 2, on whole chains of rounds: up to the first that
// reaches the cap for either data set, clipped queries differ by at most 1 and the rounds are
// neighbours.
func TestHeavyQueries(t *testing.T) {
	pairs := 100_000
	if *long {
		pairs = 3_000_000
	}
	random := rand.New(rand.NewPCG(19, 20))
	reached := 0
	for range pairs {
		const bitLength = 6
		h := &HeavyPaths{rounds: 3, trim: random.IntN(2), path: path{stop: 2 + random.IntN(3)}}
		limit := int64(1 + random.IntN(h.path.stop))
		list, x := randomCodes(random, bitLength, 24), random.Uint64()>>(64-bitLength)
		a, b := h.paths(domain.SortedCodes(list, bitLength)),
			h.paths(domain.SortedCodes(with(list, x), bitLength))
		clipA, clipB := mechanism.Clip{Cap: limit}, mechanism.Clip{Cap: limit}
		for i := range h.rounds {
			if i > 0 && !insertion(expand(a[i].codes.(*levels)), expand(b[i].codes.(*levels))) {
				t.Fatalf("codes %v and %d: round %d has %v and %v", list, x, i,
					expand(a[i].codes.(*levels)), expand(b[i].codes.(*levels)))
			}
			q, p := clipA.Next(int64(a[i+1].codes.(*levels).most())),
				clipB.Next(int64(b[i+1].codes.(*levels).most()))
			if q-p > 1 || p-q > 1 {
				t.Fatalf("codes %v and %d, cap %d: query %d is %d and %d", list, x, limit, i, q, p)
			}
			if q == limit || p == limit {
				reached++
				break
			}
		}
	}
	if reached < pairs/100 {
		t.Errorf("the cap was reached %d times only", reached)
	}
}

func TestHeavyPathsStaysWithinItsBudget(t *testing.T) {
	for _, e := range []string{"0.01", "1", "50"} {
		for _, d := range []string{"1e-20", "1e-6", "0.5"} {
			for name, p := range map[string]HeavyPathsParams{
				"8 bits": {Size: values(8), Beta: 0.5}, "64 bits": {Size: values(64)},
				"2^20 bits, 5 rounds": {Size: values(1 << 20), Rounds: 5},
			} {
				p.Epsilon, p.Delta = epsilon(e), delta(d)
				h, err := NewHeavyPaths(p)
				if err != nil {
					t.Errorf("ε = %s, δ = %s, %s: %v", e, d, name, err)
					continue
				}
				loss := must(h.Loss(1))
				spent, _ := loss.Epsilon()
				if spent.Cmp(p.Epsilon.Rat()) > 0 || loss.Delta().Cmp(p.Delta.Rat()) > 0 ||
					float(spent) < 0.7*p.Epsilon.Float64() {
					t.Errorf("ε = %s, δ = %s, %s: loss %v", e, d, name, loss)
				}
				if h.path.stop < 2 || int64(h.path.stop) <= h.stop.Threshold() ||
					h.needs <= h.rounds*h.path.stop { // H: heavy.md cap-in-stop
					t.Errorf("stop %d, needs %d", h.path.stop, h.needs)
				}
			}
		}
	}
}

func TestHeavyPathsSuccess(t *testing.T) {
	runs := 60
	if *long {
		runs = 2000
	}
	for _, bits := range []int{64, 1024} {
		h := must(NewHeavyPaths(
			HeavyPathsParams{Epsilon: epsilon("1"), Delta: delta("1e-6"),
				Size: values(uint(bits))}))
		for _, shape := range shapes {
			if good := successes(t, h, bits, h.Needs(), runs, shape.make); float64(good) < 0.95*
				float64(runs) {
				t.Errorf("%d bits, %s data: %d of %d runs", bits, shape.name, good, runs)
			}
		}
	}
}

// TestHeavyPathsBranches takes every way through the algorithm: stopping at each round, and at
// none.
func TestHeavyPathsBranches(t *testing.T) {
	h := must(NewHeavyPaths(
		HeavyPathsParams{Epsilon: epsilon("2"), Delta: delta("1e-4"), Size: values(64), Rounds: 2}))
	src := coin.NewSeeded(7)
	list := make([]uint64, h.Needs())
	for i := range list {
		list[i] = 1<<40 + uint64(i)<<20
	}
	codes := domain.SortedCodes(list, 64)
	all := h.paths(codes)
	for at := range 3 {
		x := must(h.from(src, all, at, newStages(nil, 4)))
		if at == 0 && depthOf(codes, x) < 1 {
			t.Errorf("stopping at round %d gave %v", at, x)
		}
	}
	empty := h.paths(domain.SortedCodes([]uint64{}, 64))
	for at := range 3 {
		if x, err := h.from(src, empty, at, newStages(nil, 4)); err != nil || x.BitLen() > 64 {
			t.Errorf("without a code, stopping at round %d: %v, %v", at, x, err)
		}
	}
	seen := map[int64]bool{}
	if _, err := h.Release(src, codes, func(done, total int64) error {
		seen[done] = total == 4
		return nil
	}); err != nil || len(seen) == 0 {
		t.Errorf("stages %v, %v", seen, err)
	}
	stop := errors.New("stop")
	if _, err := h.Release(src, codes, func(int64, int64) error { return stop }); !errors.Is(
		err, stop) {
		t.Errorf("a cancelled run gave %v", err)
	}
}

// TestLevelsBeyondTheTree: levels 0 … 4 are codes of three bits, of which 5, 6 and 7 are no levels.
// Without codes they come up often.
func TestLevelsBeyondTheTree(t *testing.T) {
	src, codes := coin.NewSeeded(8), domain.SortedCodes([]uint64{}, 4)
	heavy := must(
		NewHeavyPaths(
			HeavyPathsParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: values(4),
				Rounds: 2}))
	tree := must(
		NewTreeLog(TreeLogParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: values(4),
			Rounds: 2}))
	all := heavy.paths(codes)
	for range 200 {
		for at := range 3 {
			if x := must(heavy.from(src, all, at, newStages(nil, 4))); x.BitLen() > 4 {
				t.Fatalf("stopping at round %d gave %v", at, x)
			}
		}
		if x := must(tree.Release(src, codes, nil)); x.BitLen() > 4 {
			t.Fatalf("TreeLog gave %v", x)
		}
	}
}

func TestHeavyPathsRefuses(t *testing.T) {
	good := HeavyPathsParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: values(64)}
	for field, change := range map[string]func(p *HeavyPathsParams){
		"epsilon": func(p *HeavyPathsParams) { p.Epsilon = privacy.Epsilon{} },
		"delta":   func(p *HeavyPathsParams) { p.Delta = privacy.Delta{} },
		"size":    func(p *HeavyPathsParams) { p.Size = new(big.Int) },
		"beta":    func(p *HeavyPathsParams) { p.Beta = 2 },
		"rounds":  func(p *HeavyPathsParams) { p.Rounds = -1 },
	} {
		p := good
		change(&p)
		_, err := NewHeavyPaths(p)
		wantRefusal(t, err, field)
	}
	_, err := must(NewHeavyPaths(good)).
		Release(coin.NewSeeded(1), domain.SortedCodes([]uint64{}, 63), nil)
	wantRefusal(t, err, "codes") // H: treelog.md bits
}

// TestHeavyPathsRounds: each further round needs more persons than it saves, in any domain that
// exists.
func TestHeavyPathsRounds(t *testing.T) {
	for bits, want := range map[uint][2]int{8: {961, 2391}, 64: {997, 2403}, 65536: {1119, 2423}} {
		for i, persons := range want {
			h := must(NewHeavyPaths(HeavyPathsParams{Epsilon: must(privacy.ParseEpsilon("1")),
				Delta: must(privacy.ParseDelta("0.000001")), Beta: 0.05,
				Size: new(big.Int).Lsh(big.NewInt(1), bits), Rounds: i + 1}))
			if h.Needs() != persons {
				t.Errorf("%d bits, %d rounds: %d persons, want %d", bits, i+1, h.Needs(), persons)
			}
		}
	}
}
