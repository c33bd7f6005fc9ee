package threshold

import (
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
)

// TestPlantedTreeLog breaks whole runs. How the path is broken is for TestPlantedPath.
func TestPlantedTreeLog(t *testing.T) {
	caught := func(name string, sharp coin.Base, change func(l *treeLogLaws)) {
		t.Run(name, func(t *testing.T) {
			tree := tiny(8, 1, 0, 1, Relative, sharp)
			laws := lawsOf(tree)
			change(laws)
			audittest.Caught(
				t, audit.Audit[int]{
					Name: "TreeLog " + name, Space: audit.Space{Persons: 4, Values: 8},
					Claim: claimOf(tree.Loss(1)), Law: laws.law})
		})
	}
	// replaced makes a climb with another way to choose the node.
	replaced := func(l *treeLogLaws, node func(src coin.Source, n *nodes) (code int, chosen bool)) {
		l.climb = func(src coin.Source, codes domain.Sorted, lo, hi, level int) (*big.Int, error) {
			n := must(nodesAt(codes, lo, hi, level, nil))
			first, last := new(big.Int), new(big.Int).Lsh(oneInt, uint(codes.Bits()-level))
			last.Sub(last, oneInt)
			if code, chosen := node(src, n); chosen {
				first, last = domain.Leaves(codes, code, level)
			}
			leaves := endsAndMiddle(first, last)
			var scores []int64
			for _, leaf := range leaves {
				scores = append(scores, int64(depthOf(codes, leaf)))
			}
			i, err := l.tree.climb.end.Release(src, scores, nil)
			return leaves[i], err
		}
	}
	caught("that takes the first of nodes of equal weight", base(4000, 1), func(l *treeLogLaws) {
		replaced(l, func(src coin.Source, n *nodes) (int, bool) {
			i, chosen, _ := l.tree.climb.choose.ReleaseGroups(src, n, nil)
			first := -1
			n.each(nil, func(from, to int) bool {
				if chosen && first < 0 && to-from == n.weights[i] {
					first = from
				}
				return true
			})
			return first, chosen
		})
	})
	caught("that never chooses nothing", base(3, 2), func(l *treeLogLaws) {
		replaced(l, func(src coin.Source, n *nodes) (int, bool) {
			if n.Len() == 0 {
				return 0, false
			}
			i := must(src.Choose(heavierIsBetter{n}, base(3, 2), nil))
			return must(n.pick(src, i, nil)), true
		})
	})
	caught("that takes the heaviest node", base(40, 1), func(l *treeLogLaws) {
		replaced(l, func(src coin.Source, n *nodes) (int, bool) {
			if n.Len() == 0 {
				return 0, false
			}
			return must(n.pick(src, n.Len()-1, nil)), true
		})
	})
	caught("that answers 0 when the codes are few", base(3, 2), func(l *treeLogLaws) {
		l.climb = func(src coin.Source, codes domain.Sorted, lo, hi, level int) (*big.Int, error) {
			if hi-lo <= l.tree.path.stop+1 {
				return new(big.Int), nil
			}
			return l.tree.climb.up(src, codes, lo, hi, level, nil)
		}
	})
	caught("that keeps to the codes there are", base(3, 2), func(l *treeLogLaws) {
		l.climb = func(src coin.Source, codes domain.Sorted, lo, hi, level int) (*big.Int, error) {
			x, err := l.tree.climb.up(src, codes, lo, hi, level, nil)
			if n := codes.Len(); n > 0 && x.Cmp(codes.Number(n-1)) > 0 {
				x = codes.Number(n - 1)
			}
			return x, err
		}
	})
}

type heavierIsBetter struct{ coin.Groups }

func (h heavierIsBetter) Group(i int) (int64, uint64, *big.Int) {
	weight, m, many := h.Groups.Group(i)
	return -weight, m, many
}
