package threshold

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/privacy"
)

// example are the codes of the published example: 4 bits, trimmed by one at either end.
var example = []uint64{1, 2, 2, 3, 8, 9, 9, 10, 10, 14}

func TestWeightsOfExample(t *testing.T) {
	codes := domain.SortedCodes(example, 4)
	lo, hi := trimmed(len(example), 1)
	for level, want := range []string{"0:8", "0:3 1:5", "00:3 10:5", "001:3 100:3 101:2",
		"0010:2 0011:1 1000:1 1001:2 1010:2"} {
		n := must(nodesAt(codes, lo, hi, level, nil))
		have := ""
		n.each(nil, func(from, to int) bool {
			have += fmt.Sprintf(" %0*b:%d", level, example[from]>>(4-level), to-from)
			return true
		})
		if have[1:] != want {
			t.Errorf("level %d: %s, want %s", level, have[1:], want)
		}
	}
}

func TestLeavesOfExample(t *testing.T) {
	codes := domain.SortedCodes(example, 4)
	first, last := domain.Leaves(codes, 5, 2) // 10
	if have := fmt.Sprint(endsAndMiddle(first, last)); have != "[8 11 9 10]" {
		t.Errorf("have %s", have)
	}
	var scores []int
	for x := range int64(16) {
		scores = append(scores, depthOf(codes, big.NewInt(x)))
	}
	if want := []int{0, 1, 3, 4, 4, 4, 4, 4, 5, 5, 3, 1, 1, 1, 1, 0}; !slices.Equal(scores, want) {
		t.Errorf("scores %v", scores)
	}
	for _, x := range []struct{ first, last int64 }{{6, 6}, {6, 7}, {4, 7}, {0, 15}} {
		leaves := endsAndMiddle(big.NewInt(x.first), big.NewInt(x.last))
		seen := map[string]bool{}
		for _, leaf := range leaves {
			seen[leaf.String()] = true
		}
		if len(seen) != len(leaves) || len(leaves) != min(int(x.last-x.first)+1, 4) {
			t.Errorf("%v: leaves %v", x, leaves)
		}
	}
}

// TestEndOfExample compares the last choice among 8, 9, 10 and 11 with the published probabilities.
func TestEndOfExample(t *testing.T) {
	c := must(newClimb(base(3, 2), must(coin.ExpBelow(rat("1/2"))),
		must(privacy.ParseDelta("1/10"))))
	codes := domain.SortedCodes(example, 4)
	law := must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
		return c.end.Release(
			src, []int64{int64(depthOf(codes, big.NewInt(8))), int64(depthOf(codes, big.NewInt(9))),
				int64(depthOf(codes, big.NewInt(10))), int64(depthOf(codes, big.NewInt(11)))}, nil)
	}))
	for i, want := range []float64{.3994863047, .3994863047, .1469627985, .0540645922} {
		if have := float(law.Mass(i)); math.Abs(have-want) > 5e-11 {
			t.Errorf("leaf %d has chance %.10f, want %.10f", i, have, want)
		}
	}
}

// TestChooseCost is the cost of the choice where its δ outweighs its base: with one code and with
// none.
func TestChooseCost(t *testing.T) {
	r, d := base(101, 100), delta("1/3")
	c := must(newClimb(r, r, d))
	law := func(codes ...uint64) *coin.Law[bool] {
		return must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (bool, error) {
			_, chosen, err := c.chooseOf(
				src, must(nodesAt(domain.SortedCodes(codes, 4), 0, len(codes), 2, nil)), nil)
			return chosen, err
		}))
	}
	none, one := law(), law(7)
	if ratio := new(big.Rat).Quo(none.Mass(false), one.Mass(false)); ratio.Cmp(rat("3/2")) != 0 {
		t.Errorf("⊥ becomes %v times less likely", ratio)
	}
	if have := float(c.chosen.add); math.Abs(have-math.Log(1.5)) > 1e-12 {
		t.Errorf("adding a code costs %g, want ln(3/2)", have)
	}
	if one.Mass(true).Cmp(d.Rat()) != 0 || c.chosen.removeDelta.Cmp(d.Rat()) != 0 ||
		math.Abs(float(c.chosen.remove)-math.Log(1.01)) > 1e-12 {
		t.Errorf("a single code shows with chance %v, removing it costs %v and %v", one.Mass(true),
			c.chosen.remove, c.chosen.removeDelta)
	}
}

// TestNodesByDefinition compares the scan with a map from prefixes to counts, and its uniform pick
// with the nodes of that weight.
func TestNodesByDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		bitLength := 1 + random.IntN(8)
		list := randomCodes(random, bitLength, 40)
		codes := domain.SortedCodes(list, bitLength)
		lo, hi := trimmed(len(list), random.IntN(3))
		level := random.IntN(bitLength + 1)
		counts := map[uint64]int{}
		for _, c := range list[lo:hi] {
			counts[c>>(bitLength-level)]++
		}
		byWeight := map[int]uint64{}
		for _, count := range counts {
			byWeight[count]++
		}
		n := must(nodesAt(codes, lo, hi, level, nil))
		if fmt.Sprint(n.counts) != fmt.Sprint(byWeight) || !slices.IsSorted(n.weights) ||
			len(n.weights) != len(byWeight) {
			t.Fatalf("codes %v, level %d: weights %v, counts %v, want %v", list[lo:hi], level,
				n.weights, n.counts, byWeight)
		}
		for i, weight := range n.weights {
			law := must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (uint64, error) {
				code, err := n.pick(src, i, nil)
				return list[code] >> (bitLength - level), err
			}))
			if uint64(len(law.Outcomes())) != byWeight[weight] {
				t.Fatalf("%d nodes of weight %d, want %d", len(law.Outcomes()), weight,
					byWeight[weight])
			}
			for _, node := range law.Outcomes() {
				if counts[node] != weight || law.Mass(node).
					Cmp(new(big.Rat).SetFrac64(1, int64(byWeight[weight]))) != 0 {
					t.Fatalf("node %b of weight %d picked with chance %v for weight %d", node,
						counts[node], law.Mass(node), weight)
				}
			}
		}
	}
}

// climbByDefinition is the law of a climb, node by node over the whole level.
func climbByDefinition(choose, end coin.Base, delta *big.Rat, list []uint64, bitLength, trim,
	level int) map[uint64]*big.Rat {
	lo, hi := trimmed(len(list), trim)
	law := map[uint64]*big.Rat{}
	weights := map[uint64]int{}
	for _, c := range list[lo:hi] {
		weights[c>>(bitLength-level)]++
	}
	nothing := new(big.Rat).Mul(against(delta), choose.Rat())
	total := new(big.Rat).Set(nothing)
	for _, w := range weights {
		total.Add(total, choose.Pow(uint64(w)).Rat())
	}
	spread := func(node uint64, mass *big.Rat) {
		first := node << (bitLength - level)
		last := first + 1<<(bitLength-level) - 1
		leaves := map[uint64]bool{first: true, last: true}
		if middle := first + (last-first)/2; level < bitLength {
			leaves[middle], leaves[middle+1] = true, true
		}
		sum := new(big.Rat)
		chance := map[uint64]*big.Rat{}
		for leaf := range leaves {
			below, notBelow := 0, 0
			for _, c := range list {
				if c <= leaf {
					below++
				}
				if c >= leaf {
					notBelow++
				}
			}
			chance[leaf] = end.Pow(uint64(min(below, notBelow))).Rat()
			sum.Add(sum, chance[leaf])
		}
		for leaf, x := range chance {
			if law[leaf] == nil {
				law[leaf] = new(big.Rat)
			}
			law[leaf].Add(law[leaf], x.Quo(x.Mul(x, mass), sum))
		}
	}
	spread(0, nothing.Quo(nothing, total))
	for node, w := range weights {
		mass := choose.Pow(uint64(w)).Rat()
		spread(node, mass.Quo(mass, total))
	}
	return law
}

func TestClimbByDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	delta := must(privacy.ParseDelta("1/10"))
	c := must(newClimb(base(3, 2), base(4, 3), delta))
	for range 150 {
		bitLength := 1 + random.IntN(5)
		list := randomCodes(random, bitLength, 9)
		codes := domain.SortedCodes(list, bitLength)
		trim, level := random.IntN(3), random.IntN(bitLength+1)
		lo, hi := trimmed(len(list), trim)
		law := must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (uint64, error) {
			x, err := c.up(src, codes, lo, hi, level, nil)
			return x.Uint64(), err
		}))
		want := climbByDefinition(base(3, 2), base(4, 3), delta.Rat(), list, bitLength, trim, level)
		if len(want) != len(law.Outcomes()) {
			t.Fatalf("codes %v, level %d: %d outcomes, want %d", list, level, len(law.Outcomes()),
				len(want))
		}
		for leaf, mass := range want {
			if law.Mass(leaf).Cmp(mass) != 0 {
				t.Fatalf("codes %v, level %d, leaf %d: chance %v, want %v", list, level, leaf,
					law.Mass(leaf), mass)
			}
		}
	}
}

// TestClimbLemma checks climb.md, Lemma 2, on random data and every level: if the level is an
// interior point of the levels, the path's node there is heavy, and below each node that has a code
// one of the leaves is an interior point of the codes.
func TestClimbLemma(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	checked := 0
	for range 20_000 {
		bitLength := 1 + random.IntN(6)
		list := randomCodes(random, bitLength, 14)
		codes := domain.SortedCodes(list, bitLength)
		stop := 1 + random.IntN(3)
		p := path{form: Absolute, stop: stop}
		for _, o := range pathsByDefinition(p, 1, list, bitLength) {
			l := follow(codes, stop, o.turns)
			for level := range bitLength + 1 {
				if depthOf(l, big.NewInt(int64(level))) < 1 {
					continue
				}
				checked++
				heavy := 0
				n := must(nodesAt(codes, 0, len(list), level, nil))
				n.each(nil, func(from, to int) bool {
					if level <= o.length &&
						list[from]>>(bitLength-level) == o.prefix>>(o.length-level) {
						heavy = to - from
					}
					best := 0
					for _, leaf := range endsAndMiddle(domain.Leaves(codes, from, level)) {
						best = max(best, depthOf(codes, leaf))
					}
					if best < 1 {
						t.Fatalf("codes %v, path %v, level %d: no leaf below code %d is an "+
							"interior point", list, o, level, list[from])
					}
					return true
				})
				if heavy <= stop {
					t.Fatalf("codes %v, path %v, level %d: the path's node has %d codes, want "+
						"more than %d", list, o, level, heavy, stop)
				}
			}
		}
	}
	if checked < 50_000 {
		t.Errorf("only %d levels checked", checked)
	}
}

func TestScanStops(t *testing.T) {
	list := make([]uint64, 1<<17)
	for i := range list {
		list[i] = uint64(i)
	}
	codes := domain.SortedCodes(list, 20)
	stop := errors.New("stop")
	pause := func() error { return stop }
	if _, err := nodesAt(codes, 0, len(list), 20, pause); !errors.Is(err, stop) {
		t.Errorf("a scan that was to stop gave %v", err)
	}
	c := must(newClimb(base(3, 2), base(3, 2), must(privacy.ParseDelta("1/10"))))
	if _, err := c.up(coin.NewSeeded(1), codes, 0, len(list), 20, pause); !errors.Is(err, stop) {
		t.Errorf("a climb that was to stop gave %v", err)
	}
}
