package threshold

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

// noisyLevels is the most telling thing that path.md, Theorem 2, lets one do with the levels of a
// path: release the multiset itself with noise. A multiset is released as another one with
// probability proportional to odds^(−members in which they differ), so one member more or less
// changes any probability by little more than odds. Levels that differ in two members are told
// apart.
type noisyLevels struct {
	bits  int
	most  int
	sets  []string
	index map[string]int
	laws  []*coin.Law[string]
	odds  *big.Rat // the largest ratio between two multisets of which one has one member more
}

// newNoisyLevels is for up to most codes of that many bits.
func newNoisyLevels(bits, most int, odds int64) *noisyLevels {
	n := &noisyLevels{bits: bits, most: most, index: map[string]int{}, odds: big.NewRat(1, 1)}
	var members [][]int
	var extend func(set []int)
	extend = func(set []int) {
		n.index[fmt.Sprint(set)] = len(members)
		members, n.sets = append(members, slices.Clone(set)), append(n.sets, fmt.Sprint(set))
		for level := 0; level <= bits && len(set) < most; level++ {
			if len(set) == 0 || level >= set[len(set)-1] {
				extend(append(set, level))
			}
		}
	}
	extend([]int{})
	weights := make([][]*big.Rat, len(members))
	for i, a := range members {
		total := new(big.Rat)
		for _, b := range members {
			w := coin.Base.Rat(base(odds, 1).Pow(uint64(difference(a, b))))
			weights[i], total = append(weights[i], w.Inv(w)), total.Add(total, w)
		}
		law := coin.NewLaw[string]()
		for j, w := range weights[i] {
			law.Add(n.sets[j], w.Quo(w, total))
		}
		n.laws = append(n.laws, law)
	}
	for i, a := range members {
		for j, b := range members {
			if difference(a, b) == 1 {
				for k := range members {
					if ratio := new(big.Rat).
						Quo(weights[i][k], weights[j][k]); ratio.Cmp(n.odds) > 0 {
						n.odds = ratio
					}
				}
			}
		}
	}
	return n
}

// difference is how many members two sorted multisets do not share.
func difference(a, b []int) int {
	common, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			common, i, j = common+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return len(a) + len(b) - 2*common
}

// walker gives the levels kept of the codes list[lo:hi].
type walker func(src coin.Source, list []uint64, lo, hi int) []int

// law is that of the noisy levels of a walk.
func (n *noisyLevels) law(trim int, walk walker) func(rows []int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		list := codesOf(rows)
		lo, hi := trimmed(len(list), trim)
		walks, err := coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
			return fmt.Sprint(walk(src, list, lo, hi)), nil
		})
		if err != nil {
			return nil, err
		}
		return coin.Then(walks, func(set string) (*coin.Law[string], error) {
			return n.laws[n.index[set]], nil
		})
	}
}

// cost is that of Theorem 2 for the path and this noise.
func (n *noisyLevels) cost(p path) cost {
	return p.cost(n.bits, 8).plus(both(privacy.LogUp(n.odds)))
}

func (n *noisyLevels) audit(name string, p path, trim int) audit.Audit[string] {
	return audit.Audit[string]{
		Name:  name,
		Space: audit.Space{Persons: n.most, Values: 1 << n.bits},
		Claim: claimOf(n.cost(p).replace(), nil),
		Law: n.law(trim, func(src coin.Source, list []uint64, lo, hi int) []int {
			return expand(p.walk(src, domain.SortedCodes(list, n.bits), lo, hi))
		}),
	}
}

// paths to audit: of either form, with fine and with coarse advantages.
var paths = map[string]path{
	"relative, stop 1":         {form: Relative, scale: 12, stop: 1, base: base(7, 5)},
	"relative, coarse, stop 2": {form: Relative, scale: 3, stop: 2, base: base(4, 1)},
	"absolute, stop 2":         {form: Absolute, stop: 2, base: base(3, 1)},
}

func TestAuditPath(t *testing.T) {
	eight, four := newNoisyLevels(3, 4, 1024), newNoisyLevels(2, 6, 1024)
	for name, p := range paths {
		n := four
		if p.stop == 1 {
			n = eight
		}
		t.Run(name, func(t *testing.T) {
			a := n.audit(fmt.Sprintf("path, %s, its levels with noise", name), p, 0)
			audittest.Holds(t, a)
			directions(t, a, n.cost(p))
		})
	}
}

// TestAuditPathLong has a person more, trimming, and more noise.
func TestAuditPathLong(t *testing.T) {
	if !*long {
		t.Skip("minutes: with -long only")
	}
	n := newNoisyLevels(3, 5, 1_000_000)
	for name, p := range paths {
		holds(t, n.audit(name, p, 0))
		holds(t, n.audit(name+", trimmed", p, 1))
	}
}

// walkOf is one path, node by node.
func walkOf(list []uint64, bitLength, stop int, left func(left, right int) bool) (o outcome) {
	for o.length < bitLength && len(list) > stop {
		l := 0
		for _, c := range list {
			l += int(1 - c>>(bitLength-1-o.length)&1)
		}
		toLeft := l == len(list)
		if l > 0 && l < len(list) {
			toLeft = left(l, len(list)-l)
		}
		o.length++
		if o.prefix <<= 1; toLeft {
			list = list[:l]
		} else {
			list = list[l:]
			o.prefix++
		}
	}
	return o
}

// TestPlantedPath breaks the walk in the ways it is easily broken.
func TestPlantedPath(t *testing.T) {
	n := newNoisyLevels(2, 5, 1024)
	caught := func(name string, p path, trim int, walk walker) {
		t.Run(name, func(t *testing.T) {
			a := n.audit("path "+name, p, trim)
			a.Law = n.law(trim, walk)
			audittest.Caught(t, a)
		})
	}
	two, one := paths["relative, coarse, stop 2"], paths["relative, stop 1"]
	three := path{form: Relative, scale: 12, stop: 3, base: base(7, 5)}
	caught("whose last batch is kept whole", two, 0,
		func(src coin.Source, list []uint64, lo, hi int) []int {
			all := levelsByDefinition(list[lo:hi], 2, walkOf(list[lo:hi], 2, 2, two.coin(src)), 0)
			kept := max(len(all)-2, 0)
			for 0 < kept && kept < len(all) && all[kept] == all[kept-1] {
				kept++
			}
			return all[:kept]
		})
	caught("that deletes only what reached its end", three, 0,
		func(src coin.Source, list []uint64, lo, hi int) []int {
			o := walkOf(list[lo:hi], 2, 3, three.coin(src))
			return slices.DeleteFunc(levelsByDefinition(list[lo:hi], 2, o, 0),
				func(level int) bool {
					return level == o.length
				})
		})
	caught("that always takes the heavier child", one, 0,
		func(src coin.Source, list []uint64, lo, hi int) []int {
			o := walkOf(list[lo:hi], 2, 1, func(left, right int) bool { return left >= right })
			return levelsByDefinition(list[lo:hi], 2, o, 1)
		})
	caught("that takes either child equally often", one, 0,
		func(src coin.Source, list []uint64, lo, hi int) []int {
			o := walkOf(list[lo:hi], 2, 1, func(int, int) bool {
				return src.Bernoulli(coin.Ratio(1, 2))
			})
			return levelsByDefinition(list[lo:hi], 2, o, 1)
		})
	caught("chosen on the trimmed codes, with the levels of all", one, 1,
		func(src coin.Source, list []uint64, lo, hi int) []int {
			return levelsByDefinition(list, 2, walkOf(list[lo:hi], 2, 1, one.coin(src)), 1)
		})
}
