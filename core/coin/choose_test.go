package coin

import (
	"errors"
	"math"
	"math/big"
	"math/bits"
	"testing"
)

// list is Groups as a slice.
type list []group

type group struct {
	score int64
	m     uint64
	many  *big.Int
}

func (l list) Len() int { return len(l) }

func (l list) Group(i int) (int64, uint64, *big.Int) { return l[i].score, l[i].m, l[i].many }

// many repeats a pattern n times with scores that fall from block to block, so that partial sums
// change their unit.
type many struct {
	pattern list
	n       int
	drop    int64 // score difference from one repetition to the next
}

func (g many) Len() int { return g.n * len(g.pattern) }

func (g many) Group(i int) (int64, uint64, *big.Int) {
	p := g.pattern[i%len(g.pattern)]
	return p.score - g.drop*int64(i/len(g.pattern)), p.m, p.many
}

func lists() map[string]struct {
	groups Groups
	base   Base
} {
	r := base(3, 2)
	huge := new(big.Int).Lsh(bigOne, 3000)
	near1 := base(1<<33+1, 1<<33)
	return map[string]struct {
		groups Groups
		base   Base
	}{
		"one": {list{{score: 7, m: 1}}, r},
		"scores": {
			list{{score: 0, m: 1}, {score: 1, m: 1}, {score: 2, m: 1}, {score: 9, m: 1}}, r},
		"negative scores": {
			list{{score: -3, m: 5}, {score: 4, m: 1}, {score: 0, m: 3}, {score: -3, m: 0}}, r},
		"base 1": {list{{score: -3, m: 5}, {score: 4, m: 1}, {score: 0, m: 3}}, Base{}},
		"zero first": {
			list{{score: -100, m: 0}, {score: 4, m: 1}, {score: -200, many: new(big.Int)},
				{score: 5, m: 2}}, r},
		"long multiplicities": {list{{score: 7000, many: huge}, {score: 0, m: 9},
			{score: 7400, many: new(big.Int).Sub(new(big.Int).Lsh(huge, 300), bigOne)},
			{score: 6999, many: new(big.Int).Lsh(huge, 2)}}, r},
		"far apart":  {list{{score: 0, m: 1}, {score: 1000, m: 1}, {score: 500, m: 1 << 40}}, r},
		"power base": {list{{score: 0, m: 3}, {score: 1, m: 17}, {score: 2, m: 1000}}, r.Pow(5)},
		"falling":    {many{list{{score: 0, m: 3}, {score: 1, m: 1}, {score: 5, m: 0}}, 50, 1}, r},
		"beyond 2^16": {list{{score: 5, m: 1}, {score: 5 + 1<<16, many: powerNear(r, 1<<16)},
			{score: 8 + 1<<16, many: powerNear(r, 1<<16+2)}, {score: 6, m: 2}}, r},
		"lengths beyond 2^16": {list{{score: 0, many: powerNear(r, 3<<16)}, {score: 3 << 17,
			many: powerNear(r, 9<<16)}, {score: 1, many: powerNear(r, 3<<16)}}, r},
		"beyond 2^32": {list{{score: -3, m: 9}, {score: 1<<33 - 3, m: 11},
			{score: 1<<34 + 7, m: 60}, {score: 1<<32 + 1, m: 12}}, near1},
		"full blocks": {
			many{list{{score: 0, m: 3}, {score: 1, m: 1}, {score: 700, m: 1}}, blockLen, 0}, r},
	}
}

// newChooser runs the two passes.
func newChooser(t *testing.T, s *bitSource, g Groups, r Base) *chooser {
	c := &chooser{groups: g, powers: s.of(r)}
	if c.findLowest() != nil || c.sumBlocks() != nil {
		t.Fatal("it failed without a step")
	}
	return c
}

func weightOf(g Groups, i int, r Base, lowest int64) *big.Rat {
	score, m, many := g.Group(i)
	if many == nil {
		many = new(big.Int).SetUint64(m)
	}
	w := new(big.Rat).SetInt(many)
	if score-lowest < 1<<12 {
		return w.Quo(w, r.Pow(uint64(score-lowest)).Rat())
	}
	power := powerFloat(r, uint64(score-lowest))
	exact, _ := power.Quo(new(big.Float).SetPrec(400).SetInt(many), power).Rat(nil)
	return exact
}

// powerFloat is r^k in 400 digits, where all of them are too many.
func powerFloat(r Base, k uint64) *big.Float {
	power := func() *big.Float { return new(big.Float).SetPrec(400) }
	square, result := power().SetRat(r.Rat()), power().SetInt64(1)
	for ; k > 0; k >>= 1 {
		if k&1 == 1 {
			result.Mul(result, square)
		}
		square.Mul(square, square)
	}
	return result
}

// powerNear is a whole number about r^k.
func powerNear(r Base, k uint64) *big.Int {
	whole, _ := powerFloat(r, k).Int(nil)
	return whole
}

// TestChooseHeights checks what the proof needs of every group: its height is at least its weight,
// little more, the same at every look, and the positions that lead to it are exactly as many as its
// height says.
// TestNegligibleBlocks: a block that is not worked out sums up to what working it out gives, up to
// where its weights begin to count.
func TestNegligibleBlocks(t *testing.T) {
	huge := new(big.Int).Lsh(bigOne, 90)
	for _, r := range []Base{base(2, 1), base(3, 2)} {
		skipped, worked := 0, 0
		for d := range int64(500) {
			groups := make(list, 2*blockLen+100)
			for i := range groups {
				groups[i] = group{score: 7, m: uint64(i % 3)}
				if i >= blockLen {
					groups[i] = group{score: 7 + d + int64(i%5), m: uint64(i%7) << (d % 60)}
				}
				if i > 2*blockLen {
					groups[i].many = huge
				}
			}
			c := newChooser(t, scripted(), groups, r)
			total := u128{}
			for k, b := range c.blocks {
				want := block{exp: 2 * tiny}
				for i := k * blockLen; i < min((k+1)*blockLen, len(groups)); i++ {
					if w := c.upper(i); w.m > 0 {
						want.raise(w.exp)
						h, _ := w.up(want.exp)
						want.sum = want.sum.plus(u128{lo: h})
						want.count++
					}
				}
				want.raise(c.exp)
				if b.sum != want.sum || b.count != want.count || b.exp != want.exp {
					t.Fatalf("base %v, distance %d, block %d: %+v, want %+v", r, d, k, b, want)
				}
				total = total.plus(want.sum)
				if c.negligible(&b) {
					skipped++
				} else {
					worked++
				}
			}
			if c.total != total {
				t.Fatalf("base %v, distance %d: the sum is %v, want %v", r, d, c.total, total)
			}
		}
		if skipped < 100 || worked < 600 {
			t.Errorf("base %v: %d blocks are skipped and %d worked out", r, skipped, worked)
		}
	}
}

func TestChooseHeights(t *testing.T) {
	for name, test := range lists() {
		s := scripted()
		c := newChooser(t, s, test.groups, test.base)
		unit := powerOfTwo(int(c.exp))
		position, block, covered := u128{}, u128{}, u128{}
		every := max(1, test.groups.Len()/1000)
		for i := range test.groups.Len() {
			if i%blockLen == 0 {
				position = block
				block = block.plus(c.blocks[i/blockLen].sum)
			}
			upper := c.upper(i)
			h, large := upper.up(c.exp)
			if large {
				t.Fatalf("%s: height of group %d leaves 64 bits", name, i)
			}
			if h == 0 {
				if _, m, many := test.groups.Group(i); m > 0 || many != nil && many.Sign() > 0 {
					t.Errorf("%s: group %d cannot be chosen", name, i)
				}
				continue
			}
			if i%every == 0 {
				w := weightOf(test.groups, i, test.base, c.lowest)
				height := new(big.Rat).Mul(unit, new(big.Rat).SetInt(new(big.Int).SetUint64(h)))
				if height.Cmp(w) < 0 {
					t.Errorf("%s: height of group %d is below its weight", name, i)
				}
				slack := new(big.Rat).Mul(w, new(big.Rat).Add(one, powerOfTwo(-56)))
				if height.Cmp(slack.Add(slack, unit)) > 0 {
					t.Errorf("%s: height of group %d is far above its weight", name, i)
				}
				for _, p := range []u128{position, position.plus(u128{lo: h - 1})} {
					if at, height, ok := c.at(p); !ok || at != i || height != h {
						t.Errorf("%s: position %v leads to group %d, %d, %v, want %d, %d", name, p,
							at, height, ok, i, h)
					}
				}
			}
			position = position.plus(u128{lo: h})
			covered = covered.plus(u128{lo: h})
			if block.less(position) {
				t.Fatalf("%s: the heights of a block are more than its sum", name)
			}
		}
		if block != c.total {
			t.Errorf("%s: blocks sum to %v, total %v", name, block, c.total)
		}
		if c.total.hi>>32 > 0 || c.total.hi == 0 && c.total.lo>>62 == 0 {
			t.Errorf("%s: total %v, want at least 2^62 and at most 2^64 per group", name, c.total)
		}
		// Each change of a block's unit loses at most one position per group, and halves at least
		// what was lost before.
		if rest := c.total.minus(covered); rest.hi > 0 || rest.lo > 2*uint64(test.groups.Len()) {
			t.Errorf("%s: %v of %v positions lead nowhere", name, rest, c.total)
		}
	}
}

// TestChooseBeyond2To16: a position leads to its group where there are more than 2^16 of them.
func TestChooseBeyond2To16(t *testing.T) {
	c := newChooser(t, scripted(), many{list{{score: 0, m: 1}}, 1<<17 + 9, 0}, base(3, 2))
	h, _ := c.upper(0).up(c.exp)
	for _, want := range []int{1<<16 - 1, 1 << 16, 1<<16 + 1, 1 << 17, 1<<17 + 8} {
		hi, lo := bits.Mul64(uint64(want), h)
		if i, _, ok := c.at(u128{hi, lo}); !ok || i != want {
			t.Errorf("place %d leads to %d, %v", want, i, ok)
		}
	}
	// A block of its own weighs about as much as one group of the first, by a multiplicity of
	// 2^16 bits and one, far behind.
	const far = 112_036 // (3/2)^far has 2^16 bits and more
	many := powerNear(base(3, 2), far)
	groups := make(list, blockLen+1)
	for i := range groups {
		groups[i] = group{score: 0, m: 1}
	}
	groups[blockLen] = group{score: far, many: many}
	c = newChooser(t, scripted(), groups, base(3, 2))
	if h, _ := c.upper(blockLen).up(c.exp); many.BitLen() != 1<<16+1 ||
		c.blocks[1].sum.less(u128{lo: h}) {
		t.Errorf("a multiplicity of %d bits has the height %d in a block of %v", many.BitLen(), h,
			c.blocks[1].sum)
	}
}

// TestLowestOfAllBlocks: the lowest score weighs most wherever it stands, also in a block before
// the last.
func TestLowestOfAllBlocks(t *testing.T) {
	for _, lowest := range []int{0, blockLen - 1, blockLen, 2*blockLen + 3} {
		groups := make(list, 2*blockLen+4)
		for i := range groups {
			groups[i] = group{score: 100, m: 1}
		}
		groups[lowest].score = -100
		i, err := NewSeeded(1).Choose(groups, base(3, 1), nil)
		if i != lowest || err != nil {
			t.Errorf("the lowest of all is %d, and %d is chosen, %v", lowest, i, err)
		}
	}
}

// TestKeepBoundary counts exactly the words on which a group picked is kept: its share is weight
// over height.
func TestKeepBoundary(t *testing.T) {
	for name, test := range lists() {
		for i := range min(test.groups.Len(), 4) {
			shared := scripted()
			c := newChooser(t, shared, test.groups, test.base)
			h, _ := c.upper(i).up(c.exp)
			if h == 0 {
				continue
			}
			exact := weightOf(test.groups, i, test.base, c.lowest)
			exact.Quo(exact, new(big.Rat).SetInt(new(big.Int).SetUint64(h)))
			exact.Mul(exact, powerOfTwo(-int(c.exp)))
			keep := func(u uint64) (yes, ok bool) {
				return decided(func(src Source) bool { return src.(*bitSource).keep(c, i, h) }, u)
			}
			yes := search(func(u uint64) bool { b, ok := keep(u); return !(ok && b) })
			notNo := search(func(u uint64) bool { b, ok := keep(u); return ok && !b })
			betweenBig(t, name, yes, notNo, 64, exact)
			if gap := new(big.Int).Sub(notNo, yes); gap.Cmp(big.NewInt(2)) > 0 {
				t.Errorf("%s: %v words leave group %d open, want at most two", name, gap, i)
			}
		}
	}
}

// TestKeepWithoutEnclosures makes the 64-bit enclosures useless, so that only the exact path
// decides.
func TestKeepWithoutEnclosures(t *testing.T) {
	r := base(3, 2)
	groups := list{{score: 0, m: 3}, {score: 1, m: 2}, {score: 4, m: 7}}
	c := newChooser(t, scripted(), groups, r)
	for i := range groups {
		h, _ := c.upper(i).up(c.exp)
		for _, u := range []uint64{0, 1 << 40, 1 << 63, math.MaxUint64 - 1<<20, math.MaxUint64} {
			fast, exact := scripted(u, 1, 2, 3), scripted(u, 1, 2, 3)
			blinded := *c
			blind(exact, r)
			blinded.powers = exact.of(r)
			if a, b := fast.keep(c, i, h), exact.keep(&blinded, i, h); a != b {
				t.Errorf("group %d, word %d: %v on the fast path, %v on the exact path", i, u, a, b)
			}
		}
	}
}

// TestChooseExtremes has scores and powers whose weights no exponent of a float would hold.
func TestChooseExtremes(t *testing.T) {
	r, err := ExpBelow(rat("1048576"))
	if err != nil {
		t.Fatal(err)
	}
	s := NewSeeded(1)
	for name, groups := range map[string]list{
		"whole range": {{score: math.MaxInt64, m: math.MaxUint64},
			{score: math.MinInt64, m: 1}},
		"top of the range": {{score: math.MaxInt64, m: 1}, {score: math.MaxInt64 - 1000, m: 1}},
		"zero at the best": {{score: math.MaxInt64 - 1, many: new(big.Int).Lsh(bigOne, 1<<20)},
			{score: math.MaxInt64 - 9, m: 1}, {score: math.MinInt64}},
	} {
		for range 100 {
			if i, err := s.Choose(groups, r, nil); i != 1 || err != nil {
				t.Errorf("%s: have %d, %v", name, i, err)
			}
		}
	}
	// Equal scores at the end of the range: the multiplicities decide.
	counts := [2]int{}
	for range 1000 {
		i, _ := s.Choose(list{{score: math.MinInt64, m: 1}, {score: math.MinInt64, m: 3}}, r, nil)
		counts[i]++
	}
	if counts[0] < 150 || counts[0] > 350 { // 250 expected, ±7 standard deviations
		t.Errorf("have %v of weights 1, 3", counts)
	}
}

func TestChooseSteps(t *testing.T) {
	groups := many{list{{score: 0, m: 1}}, 2*blockLen + 5, 0}
	var done []int64
	step := func(d, total int64) error {
		if total != 2*int64(groups.Len()) {
			t.Errorf("total is %d", total)
		}
		done = append(done, d)
		return nil
	}
	if _, err := NewSeeded(1).Choose(groups, base(3, 2), step); err != nil {
		t.Fatal(err)
	}
	n := int64(groups.Len())
	want := []int64{blockLen, 2 * blockLen, n, n + blockLen, n + 2*blockLen, 2 * n}
	if len(done) != len(want) {
		t.Fatalf("steps at %v, want %v", done, want)
	}
	for i := range want {
		if done[i] != want[i] {
			t.Errorf("steps at %v, want %v", done, want)
		}
	}
	cancel := errors.New("cancelled")
	for after := range int64(6) {
		i, err := NewSeeded(1).Choose(groups, base(3, 2), func(d, _ int64) error {
			if d >= want[after] {
				return cancel
			}
			return nil
		})
		if i != -1 || err != cancel {
			t.Errorf("cancelled at %d: have %d, %v", want[after], i, err)
		}
	}
	if i, err := newEnumeration(Limits{}).Choose(list{{m: 1}}, Base{}, func(_, _ int64) error {
		return cancel
	}); i != -1 || err != cancel {
		t.Errorf("enumeration: have %d, %v", i, err)
	}
}

func TestU128(t *testing.T) {
	x, y := u128{5, math.MaxUint64}, u128{2, 3}
	if have := x.plus(y); have != (u128{8, 2}) {
		t.Error(have)
	}
	if have := x.plus(y).minus(y); have != x {
		t.Error(have)
	}
	if !y.less(x) || x.less(y) || x.less(x) || !(u128{1, 2}).less(u128{1, 3}) {
		t.Error("order")
	}
	for by, want := range map[uint64]u128{0: x, 1: {2, math.MaxUint64}, 64: {0, 5}, 66: {0, 1},
		128: {}, 1 << 40: {}} {
		if have := x.shifted(by); have != want {
			t.Errorf("shifted by %d: %v, want %v", by, have, want)
		}
	}
	// Uniform over 128 bits reads the leading bits and draws again above n.
	s := scripted(math.MaxUint64, 0, 1<<63, 1<<62)
	if have := s.uniform128(u128{0, 3}); have != (u128{0, 2}) {
		t.Error(have)
	}
}
