package mechanism

import (
	"math/big"

	"hush/core/coin"
	"hush/core/meter"
)

// ReleaseGroups is Release for touched candidates in groups of equal score: Group returns the score
// (higher is better) and the number of candidates in the group. The caller draws one of them
// uniformly. With no group at all the result is ⊥. Proof: stable.md, Theorem 1, in which a group
// stands for that many candidates of its score.
func (m *StableChoice) ReleaseGroups(src coin.Source, groups coin.Groups,
	step coin.Step) (index int, chosen bool, err error) {
	in := func() meter.Input {
		scores, many := scoresOf(groups)
		return meter.Input{Values: scores, Public: many}
	}
	p, err := meter.Draw(src, m.spend, in, func(src coin.Source) (pick, error) {
		i, err := src.Choose(&touchedGroups{groups: groups, mechanism: m}, m.rate.base, step)
		if err != nil || i == groups.Len() {
			return pick{-1, false}, err
		}
		return pick{i, true}, nil
	})
	return p.index, p.chosen, err
}

// touchedGroups lists the groups and, last, ⊥; weights are multiplied by δ's numerator, as in
// touched.
type touchedGroups struct {
	groups    coin.Groups
	mechanism *StableChoice
	times     big.Int // scratch
}

func (t *touchedGroups) Len() int { return t.groups.Len() + 1 }

func (t *touchedGroups) Group(i int) (int64, uint64, *big.Int) {
	if i == t.groups.Len() {
		return ^int64(1), 0, t.mechanism.nothing
	}
	score, m, many := t.groups.Group(i)
	switch {
	case t.mechanism.unit.Cmp(oneInt) == 0:
		return ^score, m, many
	case many == nil:
		many = t.times.SetUint64(m)
	}
	return ^score, 0, t.times.Mul(many, t.mechanism.unit)
}

// Nothing describes ⊥ as a candidate, for a caller that makes the draw itself: its score, its
// multiplicity, and that of each candidate. A candidate of score q then has the weight unit·r^q,
// and ⊥ many·r^score.
func (m *StableChoice) Nothing() (score int64, many, unit *big.Int) {
	return 1, new(big.Int).Set(m.nothing), new(big.Int).Set(m.unit)
}
