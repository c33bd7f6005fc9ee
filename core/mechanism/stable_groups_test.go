package mechanism

import (
	"math/big"
	"testing"

	"hush/core/coin"
	"hush/core/privacy"
)

// TestStableChoiceGroups finds the law of grouped candidates to be that of the same candidates one
// by one.
func TestStableChoiceGroups(t *testing.T) {
	for _, delta := range []string{"1/100", "3/100"} {
		m := must(NewStableChoice(
			StableChoiceParams{Base: base(3, 2), Delta: must(privacy.ParseDelta(delta)),
				Newcomers: 1}))
		single := must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
			i, ok, err := m.Release(src, []int64{1, 1, 4, 4, 4, 9}, nil)
			if !ok {
				return -1, err
			}
			return []int{0, 0, 1, 1, 1, 2}[i], err
		}))
		for _, wide := range []bool{false, true} {
			grouped := must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
				var groups coin.Groups = list{{1, 2}, {4, 3}, {9, 1}}
				if wide {
					groups = bigList{groups}
				}
				i, _, err := m.ReleaseGroups(src, groups, nil)
				return i, err
			}))
			for _, o := range []int{-1, 0, 1, 2} {
				if single.Mass(o).Cmp(grouped.Mass(o)) != 0 || single.Mass(o).Sign() == 0 {
					t.Errorf("δ = %s, outcome %d: mass %v and %v", delta, o, single.Mass(o),
						grouped.Mass(o))
				}
			}
		}
		if _, ok, err := m.ReleaseGroups(coin.NewSeeded(1), list{}, nil); ok || err != nil {
			t.Errorf("nothing to choose from gave %v, %v", ok, err)
		}
	}
}

// bigList gives multiplicities as big integers.
type bigList struct{ coin.Groups }

func (b bigList) Group(i int) (int64, uint64, *big.Int) {
	score, m, _ := b.Groups.Group(i)
	return score, 0, new(big.Int).SetUint64(m)
}
