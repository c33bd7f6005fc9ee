package coin

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"sort"
	"testing"
)

// scripted is the production bit source fed with these words; reading beyond them panics with
// noWords.
func scripted(words ...uint64) *bitSource {
	return newBitSource(Seeded, 8, func(block []byte) {
		if len(words) == 0 {
			panic(noWords{})
		}
		binary.LittleEndian.PutUint64(block, words[0])
		words = words[1:]
	})
}

type noWords struct{}

// decided runs f on these words only; ok is false when f wants more.
func decided[T any](f func(Source) T, words ...uint64) (result T, ok bool) {
	defer func() {
		if reason := recover(); reason != nil {
			if reason != (noWords{}) {
				panic(reason)
			}
			ok = false
		}
	}()
	return f(scripted(words...)), true
}

// chances whose exact value can be written out. None takes the path of small fractions without a
// power.
func chances(t *testing.T) map[string]Chance {
	r := base(3, 2)
	e, err := ExpBelow(rat("1/1000"))
	if err != nil {
		t.Fatal(err)
	}
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil)
	return map[string]Chance{
		"(2/3)^7":         Ratio(1, 1).TimesPower(r, 7),
		"5/7·(2/3)^1":     Ratio(5, 7).TimesPower(r, 1),
		"1 − (2/3)^3/2":   Ratio(1, 2).TimesPower(r, 3).Complement(),
		"(2/3)^6 in twos": Ratio(1, 1).TimesPower(r.Pow(2), 3),
		"(2/3)^300":       Ratio(1, 1).TimesPower(r, 300),
		"5/2·(2/3)^9":     RatioTimesPower(big.NewInt(5), big.NewInt(2), r, 9),
		"1/8 as a power":  Ratio(1, 1).TimesPower(base(2, 1), 3),
		"2^−200":          Ratio(1, 1).TimesPower(base(2, 1), 200),
		"e^−0.7 nearly":   Ratio(1, 1).TimesPower(e, 700),
		"just below 1":    Ratio(1, 1).TimesPower(base(1<<62, 1<<62-1), 1),
		"0 with a power":  Ratio(0, 1).TimesPower(r, 2),
		"long fraction": RatioBig(
			ten, new(big.Int).Add(new(big.Int).Mul(ten, big.NewInt(3)), bigOne)),
		"long with power": RatioBig(ten, new(big.Int).Add(ten, bigOne)).TimesPower(r, 2),
		"long zero":       RatioBig(new(big.Int), ten),
		"long one":        RatioBig(ten, ten),
		"very long fraction": RatioBig(new(big.Int).Lsh(bigOne, 99999),
			new(big.Int).Sub(new(big.Int).Lsh(bigOne, 100001), bigOne)),
	}
}

// TestBernoulliBitByBit walks all bit strings of growing length: the strings on which every
// continuation is decided true have mass at most p, those not decided false at least p, and the gap
// halves with every bit.
func TestBernoulliBitByBit(t *testing.T) {
	for name, p := range chances(t) {
		if p.complement {
			continue // true and false swap; TestBernoulliBoundary covers it
		}
		toss := func(src Source) bool { return src.Bernoulli(p) }
		for _, depth := range []int{1, 2, 3, 4, 6, 8, 11} {
			yes, no := 0, 0
			for prefix := range 1 << depth {
				low := uint64(prefix) << (64 - depth)
				high := low | math.MaxUint64>>depth
				atLow, okLow := decided(toss, low)
				atHigh, okHigh := decided(toss, high)
				switch {
				case okLow && okHigh && atLow && atHigh:
					yes++
				case okLow && okHigh && !atLow && !atHigh:
					no++
				}
			}
			between(t, name, int64(yes), int64(1<<depth-no), depth, p.Rat())
			if gap := 1<<depth - yes - no; gap > 1 {
				t.Errorf("%s: %d strings of %d bits are undecided, want at most one", name, gap,
					depth)
			}
		}
	}
}

// between fails the test unless yes/2^bits ≤ p ≤ notNo/2^bits.
func between(t *testing.T, name string, yes, notNo int64, bits int, p *big.Rat) {
	t.Helper()
	betweenBig(t, name, big.NewInt(yes), big.NewInt(notNo), bits, p)
}

func betweenBig(t *testing.T, name string, yes, notNo *big.Int, bits int, p *big.Rat) {
	t.Helper()
	scaled := new(big.Rat).Mul(p, powerOfTwo(bits))
	if new(big.Rat).SetInt(yes).Cmp(scaled) > 0 || new(big.Rat).SetInt(notNo).Cmp(scaled) < 0 {
		t.Errorf("%s: with %d bits decided true on %v, not decided false on %v, but p·2^%d = %s",
			name, bits, yes, notNo, bits, scaled.FloatString(3))
	}
}

// search returns the smallest word for which f holds, as a big number, 2^64 if none; f must be
// monotone.
func search(f func(u uint64) bool) *big.Int {
	low := uint64(0)
	for bit := 63; bit >= 0; bit-- {
		if next := low | 1<<bit; !f(next - 1) {
			low = next
		}
	}
	if low == math.MaxUint64 && !f(low) {
		return new(big.Int).Lsh(bigOne, 64)
	}
	return new(big.Int).SetUint64(low)
}

// TestBernoulliBoundary finds where the decision changes among all 2^64 first words and, behind
// each undecided word, among all 2^64 second words. Decisions are monotone in the word
// (TestBernoulliIsMonotone), so the masses are exact.
func TestBernoulliBoundary(t *testing.T) {
	for name, p := range chances(t) {
		exact := p.Rat()
		if p.complement {
			exact.Sub(one, exact)
		}
		below := func(words ...uint64) (yes, ok bool) {
			yes, ok = decided(func(src Source) bool { return src.Bernoulli(p) }, words...)
			return yes != p.complement, ok
		}
		yes := search(func(u uint64) bool { b, ok := below(u); return !(ok && b) })
		notNo := search(func(u uint64) bool { b, ok := below(u); return ok && !b })
		betweenBig(t, name, yes, notNo, 64, exact)
		undecided := new(big.Int).Sub(notNo, yes)
		if undecided.Cmp(big.NewInt(1)) > 0 {
			t.Errorf("%s: %v words are undecided, want at most one once p is refined", name,
				undecided)
		}
		if undecided.Sign() == 0 {
			continue
		}
		u := yes.Uint64()
		yes2 := search(func(v uint64) bool { b, ok := below(u, v); return !(ok && b) })
		notNo2 := search(func(v uint64) bool { b, ok := below(u, v); return ok && !b })
		prefix := new(big.Int).Lsh(yes, 64)
		betweenBig(t, name, new(big.Int).Add(prefix, yes2), new(big.Int).Add(prefix, notNo2), 128,
			exact)
		if gap := new(big.Int).Sub(notNo2, yes2); gap.Cmp(big.NewInt(1)) > 0 {
			t.Errorf("%s: %v second words are undecided, want at most one", name, gap)
		}
	}
}

func TestBernoulliIsMonotone(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 1))
	for name, p := range chances(t) {
		words := make([]uint64, 300)
		centre := search(func(u uint64) bool {
			b, ok := decided(func(src Source) bool { return src.Bernoulli(p) }, u)
			return ok && b == p.complement
		}).Uint64()
		for i := range words {
			words[i] = random.Uint64()
			if i%2 == 0 {
				words[i] = centre + random.Uint64N(200) - 100
			}
		}
		sort.Slice(words, func(i, j int) bool { return words[i] < words[j] })
		rank := 0 // true, undecided, false
		for _, u := range words {
			b, ok := decided(func(src Source) bool { return src.Bernoulli(p) }, u)
			now := 1
			if ok && b != p.complement {
				now = 0
			} else if ok {
				now = 2
			}
			if now < rank {
				t.Fatalf("%s: the decision goes back at %d", name, u)
			}
			rank = now
		}
	}
}

// blind makes the 64-bit enclosures of a base useless, so that every draw takes the exact path.
func blind(s *bitSource, r Base) {
	p := s.of(r)
	for i := range p.levels {
		p.levels[i] = new([256]bounds)
		for d := range p.levels[i] {
			p.levels[i][d].hi = dyadic{1 << 63, -60}
		}
	}
}

// TestFastAndExactPathsAgree gives both paths the same words.
func TestFastAndExactPathsAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	small, err := ExpBelow(rat("1/1000000"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []Base{base(3, 2), base(2, 1), small, small.Pow(3000)} {
		for range 300 {
			words := []uint64{random.Uint64() >> random.IntN(64), random.Uint64(), random.Uint64(),
				random.Uint64()}
			p := Ratio(1, 3).TimesPower(r, random.Uint64N(30))
			fast, exact := scripted(words...), scripted(words...)
			blind(exact, r)
			if a, b := fast.Bernoulli(p), exact.Bernoulli(p); a != b {
				t.Errorf("%v: coin %v on the fast path, %v on the exact path, words %v", r, a, b,
					words)
			}
			fast, exact = scripted(words...), scripted(words...)
			blind(exact, r)
			if a, b := fast.Geometric(r), exact.Geometric(r); a != b {
				t.Errorf("%v: %d on the fast path, %d on the exact path, words %v", r, a, b, words)
			}
		}
	}
}

// TestGeometricBoundary counts exactly the words that lead to k or more, for each k.
func TestGeometricBoundary(t *testing.T) {
	for _, r := range []Base{base(3, 2), base(2, 1), base(101, 100), base(3, 2).Pow(4),
		base(math.MaxInt64, 1)} {
		draw := func(u uint64) (uint64, bool) {
			return decided(func(src Source) uint64 { return src.Geometric(r) }, u)
		}
		for k := uint64(1); k < 80; k++ {
			yes := search(func(u uint64) bool { at, ok := draw(u); return !ok || at < k })
			notNo := search(func(u uint64) bool { at, ok := draw(u); return ok && at < k })
			exact := new(big.Rat).Inv(r.Pow(k).Rat())
			betweenBig(t, r.String(), yes, notNo, 64, exact)
			if gap := new(big.Int).Sub(notNo, yes); gap.Cmp(big.NewInt(2)) > 0 {
				// one at k, and word 0
				t.Errorf("%v: %v words leave open whether %d is reached, want at most two", r, gap,
					k)
			}
		}
	}
}

// TestGeometricBitByBit walks all bit strings: those that surely reach k have mass at most r^(−k),
// those that may, at least.
func TestGeometricBitByBit(t *testing.T) {
	r := base(3, 2)
	const depth = 12
	var sure, may [12]int64
	for prefix := range 1 << depth {
		low := uint64(prefix) << (64 - depth)
		most, ok := decided(func(src Source) uint64 { return src.Geometric(r) }, low)
		least, okHigh := decided(func(src Source) uint64 {
			return src.Geometric(r)
		}, low|math.MaxUint64>>depth)
		for k := range sure {
			if okHigh && least >= uint64(k) {
				sure[k]++
			}
			if !ok || most >= uint64(k) {
				may[k]++
			}
		}
	}
	for k := range sure {
		between(t, "geometric", sure[k], may[k], depth, new(big.Rat).Inv(r.Pow(uint64(k)).Rat()))
		if may[k]-sure[k] > 1 {
			t.Errorf("%d strings of %d bits leave open whether %d is reached", may[k]-sure[k],
				depth, k)
		}
	}
}

// TestGeometricSaturates draws from a base so near 1 that the true value leaves 64 bits.
func TestGeometricSaturates(t *testing.T) {
	r, err := BaseFromRat(new(big.Rat).Add(one, powerOfTwo(-100)))
	if err != nil {
		t.Fatal(err)
	}
	if k, ok := decided(func(src Source) uint64 { return src.Geometric(r) }, 1<<63); !ok ||
		k != math.MaxUint64 {
		t.Errorf("have %d, %v", k, ok)
	}
	if k, ok := decided(func(src Source) uint64 { return src.Geometric(r) }, math.MaxUint64,
		1<<20); !ok || k == 0 || k == math.MaxUint64 {
		t.Errorf("have %d, %v, want a value inside", k, ok)
	}
}

// TestUniformBoundary finds, for each value, the run of words that lead to it: all runs are equally
// long.
func TestUniformBoundary(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 5, 6, 7, 64, 100, 257} {
		share := new(big.Int).Quo(new(big.Int).Lsh(bigOne, 64), new(big.Int).SetUint64(n))
		accepted := func(u, v uint64) (above, at bool) {
			// result > v; result = v and the word was accepted
			x, ok := decided(func(src Source) uint64 { return src.Uniform(n) }, u)
			if !ok { // rejected: whichever value the word leads to
				hi := new(big.Int).Mul(new(big.Int).SetUint64(u), new(big.Int).SetUint64(n))
				return hi.Rsh(hi, 64).Uint64() > v, false
			}
			return x > v, x == v
		}
		for v := range n {
			first := search(func(u uint64) bool { above, at := accepted(u, v); return above || at })
			after := search(func(u uint64) bool { above, _ := accepted(u, v); return above })
			if got := new(big.Int).Sub(after, first); got.Cmp(share) != 0 {
				t.Errorf("of %d values, %d has %v words, want %v", n, v, got, share)
			}
		}
	}
	for _, n := range []uint64{1<<63 + 1, math.MaxUint64} {
		// Nearly one word per value: the largest word leads to the largest value.
		if x, ok := decided(func(src Source) uint64 {
			return src.Uniform(n)
		}, math.MaxUint64); !ok || x != n-1 {
			t.Errorf("n = %d: have %d, %v", n, x, ok)
		}
	}
}

// TestUniformBigBitByBit walks all bit strings of the length it reads: every value has exactly one.
func TestUniformBigBitByBit(t *testing.T) {
	for _, n := range []int64{1, 2, 3, 5, 8, 100, 1000} {
		bits := big.NewInt(n - 1).BitLen()
		seen := make([]int, n)
		for prefix := range uint64(1) << bits {
			x, ok := decided(func(src Source) *big.Int { return src.UniformBig(big.NewInt(n)) },
				prefix<<((64-bits)%64))
			if ok {
				seen[x.Int64()]++
			} else if prefix < uint64(n) {
				t.Errorf("n = %d: %d was drawn again", n, prefix)
			}
		}
		for v, count := range seen {
			if count != 1 {
				t.Errorf("n = %d: %d came %d times", n, v, count)
			}
		}
	}
	// Across words: 2^100 takes the leading 100 bits of two words.
	x, ok := decided(func(src Source) *big.Int {
		return src.UniformBig(new(big.Int).Lsh(bigOne, 100))
	}, 1<<63, 5<<28)
	if want := new(big.Int).Add(new(big.Int).Lsh(bigOne, 99), big.NewInt(5)); !ok ||
		x.Cmp(want) != 0 {
		t.Errorf("have %v, %v, want %v", x, ok, want)
	}
}

func TestPanics(t *testing.T) {
	for name, src := range map[string]Source{
		"bits": NewSeeded(1), "enumeration": newEnumeration(Limits{})} {
		t.Run(name, func(t *testing.T) {
			mustPanic(t, func() { src.Uniform(0) })
			mustPanic(t, func() { src.UniformBig(new(big.Int)) })
			mustPanic(t, func() { src.Geometric(Base{}) })
			mustPanic(t, func() { src.Choose(list{}, Base{}, nil) })
			mustPanic(t, func() { src.Choose(list{{score: 1}}, Base{}, nil) })
		})
	}
}

// TestCryptoFillsItsBlock: every word of a block is drawn; one of 0 has a chance of 2^−64.
func TestCryptoFillsItsBlock(t *testing.T) {
	src := NewCrypto().(*bitSource)
	for i := range len(src.block) / 8 {
		if src.word() == 0 {
			t.Fatalf("word %d of the block is 0", i)
		}
	}
}

// TestTablesOfPowers: a base and its square have tables of their own.
func TestTablesOfPowers(t *testing.T) {
	r, err := NewBase(3, 2)
	if err != nil {
		t.Fatal(err)
	}
	var list tables
	if one, two := list.of(r), list.of(r.Pow(2)); one == two || list.of(r) != one {
		t.Error("a base has the table of another")
	}
}

// TestThirdExtension: a chance of 1/3 is decided by the fourth word where three say nothing, after
// which a draw has 256 bits.
func TestThirdExtension(t *testing.T) {
	const third = math.MaxUint64 / 3
	for last, want := range map[uint64]bool{third - 1: true, third + 1: false} {
		d := newDraw(scripted(third, third, last), third)
		if got := d.below(Ratio(1, 3).enclose); got != want || d.n != 256 {
			t.Errorf("last word %x: %v after %d bits, want %v after 256", last, got, d.n, want)
		}
	}
}
