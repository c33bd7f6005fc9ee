package meter_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// drawOf draws something of an input.
func drawOf(src coin.Source, s *meter.Spend, in meter.Input) uint64 {
	out, _ := meter.Draw(src, s, func() meter.Input { return in },
		func(src coin.Source) (uint64, error) { return src.Uniform(1 << 60), nil })
	return out
}

// TestClaims compares inputs of two runs with each field of a claim: what just fits passes, and one
// more does not.
func TestClaims(t *testing.T) {
	values := func(list ...int64) meter.Input { return meter.Input{Values: list} }
	people := func(list ...string) meter.Input { return meter.Input{People: list} }
	labels := func(names string, list ...int64) meter.Input {
		return meter.Input{Labels: strings.Split(names, ""), Values: list}
	}
	none := meter.Input{Labels: []string{}}
	weighted := meter.Claim{L1: 4, Each: 4, Weights: []uint64{1, 3}}
	few := meter.Claim{Each: 1, L1: 2, Newcomers: 1}
	ways := meter.Claim{L1: 4, Weights: []uint64{1, 1}, Moves: [][]uint64{{2}, {1, 1, 1, 1}}}
	pair := meter.Claim{L1: 4, Moves: [][]uint64{{1, 2}}}
	const otherwise = "otherwise than claimed"
	const further, differ = "further than claimed", "candidates differ"
	for _, test := range []struct {
		name    string
		claim   meter.Claim
		was, is meter.Input
		want    string // "": nothing
	}{
		{"weights that fit", weighted, values(5, 5, 5), values(6, 4, 5), ""},
		{"the third has the first weight", weighted, values(5, 5, 5), values(5, 5, 9), ""},
		{"the second weight", weighted, values(5, 5, 5), values(5, 7, 5), further},
		{"the second weight in a sum", weighted, values(5, 5, 5), values(7, 6, 5), further},
		{"squares have weights", meter.Claim{L2Squared: 10, Weights: []uint64{1, 3}},
			values(0, 0), values(1, 1), ""},
		{"squares of weights", meter.Claim{L2Squared: 9, Weights: []uint64{1, 3}}, values(0, 0),
			values(1, 1), "squares of moves"},
		{"down as far as up", meter.Claim{L1: 1}, values(7), values(5), further},
		{"one step more", meter.Claim{L1: 1}, values(5), values(7), further},
		{"the largest move", meter.Claim{L1: 4, Each: 2}, values(5, 5), values(8, 5),
			"largest move"},
		{"one of two ways", ways, values(5, 5, 5, 5), values(7, 5, 5, 5), ""},
		{"the other way, half of it", ways, values(5, 5, 5, 5), values(5, 5, 4, 6), ""},
		{"both ways at once", ways, values(5, 5, 5, 5), values(7, 6, 5, 5), otherwise},
		{"further in one way", ways, values(5, 5, 5, 5), values(5, 7, 5, 5), otherwise},
		{"three in place of two", ways, values(5, 5, 5, 5, 5), values(6, 5, 6, 5, 6), otherwise},
		{"further down", ways, values(5, 7, 5, 5), values(5, 5, 5, 5), otherwise},
		{"the larger move first", pair, values(0, 0), values(2, 1), ""},
		{"two of the larger moves", pair, values(0, 0), values(2, 2), otherwise},
		{"nothing is claimed", meter.Claim{}, values(5), values(6), further},
		{"a sum that wraps", meter.Claim{L1: 3}, values(-1<<62, -1<<62), values(1<<62, 1<<62),
			further},
		{"a square that wraps", meter.Claim{L2Squared: 3}, values(0), values(1 << 32),
			"squares of moves"},
		{"the whole range", meter.Claim{L1: 3}, values(math.MinInt64, math.MinInt64),
			values(math.MaxInt64, math.MaxInt64), further},
		{"more values", meter.Claim{L1: 3}, values(1), values(1, 2), "number of values"},
		{"fewer values", meter.Claim{L1: 3}, values(1, 2), values(1), "number of values"},
		{"one goes, another comes", few, labels("ab", 1, 7), labels("bc", 7, 1), ""},
		{"two go", few, labels("abc", 1, 1, 7), labels("c", 7), differ},
		{"two come", few, labels("c", 7), labels("abc", 1, 1, 7), differ},
		{"all go", few, labels("ab", 1, 1), none, differ},
		{"one of 2 goes", few, labels("ab", 2, 7), labels("b", 7), differ},
		{"one of 2 comes", few, labels("b", 7), labels("ab", 2, 7), differ},
		{"one that stays moves", few, labels("ab", 3, 7), labels("ba", 8, 3), ""},
		{"one that stays moves twice", few, labels("ab", 3, 7), labels("ba", 9, 3), further},
		{"a person is replaced", meter.Claim{People: 1}, people("x", "y"), people("y", "z"), ""},
		{"a person comes", meter.Claim{People: 1}, people("x"), people("x", "x"), ""},
		{"two persons come", meter.Claim{People: 1}, people("x"), people("x", "x", "y"),
			"more people"},
		{"two persons go", meter.Claim{People: 1}, people("x", "x", "y"), people("x"),
			"more people"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &meter.Spend{Name: "test", Loss: pure("1"), Claim: test.claim}
			_, found := both(func(src coin.Source, second bool) {
				in := test.was
				if second {
					in = test.is
				}
				drawOf(src, s, in)
			})
			switch {
			case test.want == "" && len(found) > 0:
				t.Errorf("found %v", found)
			case test.want != "" &&
				(len(found) == 0 || !strings.Contains(found[0].What, test.want)):
				t.Errorf("found %v, want %q", found, test.want)
			}
		})
	}
}

// TestRecordedInputIsKept: what a caller makes of its counts later does not change what was
// recorded of them.
func TestRecordedInputIsKept(t *testing.T) {
	s := &meter.Spend{Name: "test", Loss: pure("1"), Claim: meter.Claim{L1: 1}}
	replay, found := both(func(src coin.Source, second bool) {
		counts := []int64{3}
		drawOf(src, s, meter.Input{Values: counts})
		counts[0] = 50
	})
	if len(found) > 0 || replay.Inputs()[0].Input.Values[0] != 3 {
		t.Errorf("found %v, kept %v", found, replay.Inputs())
	}
}

// TestEveryDrawIsCompared: the second of two draws, and the third, move too far.
func TestEveryDrawIsCompared(t *testing.T) {
	s := &meter.Spend{Name: "test", Loss: pure("1"), Claim: meter.Claim{L1: 1}}
	for at := range 5 {
		replay, found := both(func(src coin.Source, second bool) {
			for k := range 5 {
				in := meter.Input{Values: []int64{4}}
				if second && k == at {
					in.Values[0] = 6
				}
				drawOf(src, s, in)
			}
		})
		if len(found) != 1 {
			t.Errorf("draw %d: found %v", at, found)
		}
		for k, drawn := range replay.Inputs() {
			if drawn.Broke != (k == at) {
				t.Errorf("draw %d of %d: broke %v", k, at, drawn.Broke)
			}
		}
	}
}

// TestCoinsInsideAreOthers: what a primitive draws is not what is drawn beside it.
func TestCoinsInsideAreOthers(t *testing.T) {
	m := meter.Record(seed)
	s := &meter.Spend{Name: "test", Loss: pure("1")}
	if inside, outside := drawOf(m, s, meter.Input{}), m.Uniform(1<<60); inside == outside {
		t.Errorf("both are %d", inside)
	}
}

// TestOverIsThorough: spends of one name, parts of a primitive, composites that were put away and
// losses of one ε and another δ are told apart.
func TestOverIsThorough(t *testing.T) {
	cheap := &meter.Spend{Name: "test", Loss: pure("1/100")}
	dear := &meter.Spend{Name: "test", Loss: pure("1")}
	pair := meter.Sum("pair", meter.Once(pure("1/100")), meter.Once(pure("1/100")))
	exact := func(delta string) privacy.Loss {
		r, _ := new(big.Rat).SetString(delta)
		loss, err := privacy.LossFromOdds(big.NewRat(3, 2), r)
		if err != nil {
			t.Fatal(err)
		}
		return loss
	}
	odds := func(num, den int64) privacy.Loss {
		loss, err := privacy.LossFromOdds(big.NewRat(num, den), nil)
		if err != nil {
			t.Fatal(err)
		}
		return loss
	}
	rare := func(delta string) *meter.Spend {
		return &meter.Spend{Name: phrase.Key("test"), Loss: exact(delta)}
	}
	for name, c := range map[string]struct {
		paid privacy.Loss
		run  func(src coin.Source)
		over bool
	}{
		"two of one name": {pure("1/50"), func(src coin.Source) { // H: meter.md within-parts
			drawOf(src, cheap, meter.Input{})
			drawOf(src, dear, meter.Input{})
		}, true},
		"the dear one first": {pure("1.01"), func(src coin.Source) {
			drawOf(src, dear, meter.Input{})
			drawOf(src, cheap, meter.Input{})
		}, false},
		"in a primitive": {pure("1"), func(src coin.Source) {
			drawOf(meter.Within(src, dear), cheap, meter.Input{})
		}, true},
		"in a composite": {pair.Loss, func(src coin.Source) {
			inside := meter.Within(src, pair)
			drawOf(inside, cheap, meter.Input{})
			drawOf(inside, cheap, meter.Input{})
			meter.Done(src, inside)
		}, false},
		"put away too dear": {pair.Loss, func(src coin.Source) { // H: meter.md within-parts
			inside := meter.Within(src, pair)
			drawOf(inside, dear, meter.Input{})
			meter.Done(src, inside)
		}, true},
		"in a composite of a composite": {pair.Loss, func(src coin.Source) {
			inside := meter.Within(src, pair)
			drawOf(meter.Within(inside, cheap), dear, meter.Input{})
		}, true},
		"two of 3/2 for 9/4": {odds(9, 4), func(src coin.Source) {
			s := &meter.Spend{Name: "test", Loss: odds(3, 2)}
			drawOf(src, s, meter.Input{})
			drawOf(src, s, meter.Input{})
		}, false},
		"twice for half as much again, and a δ": {exact("1/1000"), func(src coin.Source) {
			drawOf(src, &meter.Spend{Name: "test", Loss: odds(2, 1)}, meter.Input{})
		}, true},
		"its δ": {exact("1/1000"), func(src coin.Source) {
			drawOf(src, rare("1/1000"), meter.Input{})
		}, false},
		"a larger δ": {exact("1/1000000"), func(src coin.Source) {
			drawOf(src, rare("1/1000"), meter.Input{})
		}, true},
		"a δ of none": {exact("0"), func(src coin.Source) {
			drawOf(src, rare("1/1000"), meter.Input{})
		}, true},
	} {
		m := meter.New(coin.NewSeeded(seed))
		c.run(m)
		if err := m.Over(c.paid); (err != nil) != c.over {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// groupsOf are groups of one score.
type groupsOf []uint64

func (g groupsOf) Len() int                              { return len(g) }
func (g groupsOf) Group(i int) (int64, uint64, *big.Int) { return 5, g[i], nil }

func baseOf(t *testing.T, num int64) coin.Base {
	t.Helper()
	base, err := coin.NewBase(num, 1)
	if err != nil {
		t.Fatal(err)
	}
	return base
}

// TestChoicesOutsideArePublic: a choice outside of a primitive differs by any multiplicity, and by
// its base.
func TestChoicesOutsideArePublic(t *testing.T) {
	base := baseOf(t, 3)
	for _, other := range []struct {
		groups groupsOf
		base   coin.Base
		same   bool
	}{{groupsOf{3, 4}, base, true}, {groupsOf{3, 5}, base, false},
		{groupsOf{3, 4}, baseOf(t, 4), false}} {
		_, found := both(func(src coin.Source, second bool) {
			g, base := groupsOf{3, 4}, base
			if second {
				g, base = other.groups, other.base
			}
			if _, err := src.Choose(g, base, nil); err != nil {
				t.Fatal(err)
			}
		})
		if (len(found) > 0) == other.same {
			t.Errorf("%v: found %v", other, found)
		}
	}
}
