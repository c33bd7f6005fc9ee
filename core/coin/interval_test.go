package coin

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func (x interval) rats() (lo, hi *big.Rat) {
	scale := powerOfTwo(int(x.exp))
	return new(big.Rat).Mul(new(big.Rat).SetInt(x.lo), scale),
		new(big.Rat).Mul(new(big.Rat).SetInt(x.hi), scale)
}

func (x dyadic) rat() *big.Rat {
	return new(big.Rat).
		Mul(new(big.Rat).SetInt(new(big.Int).SetUint64(x.m)), powerOfTwo(int(x.exp)))
}

// encloses fails the test unless lo ≤ x ≤ hi and hi − lo ≤ 2^−bits·x.
func encloses(t *testing.T, name string, lo, hi, x *big.Rat, bits int) {
	t.Helper()
	if lo.Cmp(x) > 0 || hi.Cmp(x) < 0 {
		t.Errorf("%s: %v is outside", name, x.FloatString(30))
	}
	width := new(big.Rat).Sub(hi, lo)
	if width.Cmp(new(big.Rat).Mul(x, powerOfTwo(-bits))) > 0 {
		t.Errorf("%s: wider than 2^-%d of the value", name, bits)
	}
}

func randomInt(random *rand.Rand, maxBits int) *big.Int {
	n := new(big.Int)
	for bits := 1 + random.IntN(maxBits); n.BitLen() < bits; {
		n.Lsh(n, 1).Or(n, big.NewInt(random.Int64N(2)))
		if n.Sign() == 0 {
			n.SetInt64(1)
		}
	}
	return n
}

func TestQuotientEncloses(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		num, den := randomInt(random, 600), randomInt(random, 600)
		prec := 1 + random.IntN(200)
		x := new(big.Rat).SetFrac(num, den)
		q := quotient(num, den, uint(prec)+2)
		if q.hi.BitLen() > prec+3 {
			t.Fatalf("%d bits, want %d and a carry", q.hi.BitLen(), prec+2)
		}
		lo, hi := q.rats()
		encloses(t, "quotient", lo, hi, x, prec-2)
		b := q.bounds()
		encloses(t, "bounds", b.lo.rat(), b.hi.rat(), x, min(prec-2, 61))
		bits := random.IntN(300)
		down, up := q.fixed(uint(bits))
		scaled := new(big.Rat).Mul(x, powerOfTwo(bits))
		if new(big.Rat).SetInt(down).Cmp(scaled) > 0 || new(big.Rat).SetInt(up).Cmp(scaled) < 0 {
			t.Fatalf("fixed: %v is outside of %v, %v", scaled, down, up)
		}
	}
}

// TestLongRatiosAreEnclosed: a chance beyond 64 bits is decided by bounds that hold it.
func TestLongRatiosAreEnclosed(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		den := new(big.Int).Lsh(big.NewInt(1+random.Int64N(1<<62)), 2+random.UintN(60))
		num := new(big.Int).Rsh(den, random.UintN(40))
		num.Sub(num, big.NewInt(random.Int64N(2)))
		if den.IsUint64() {
			continue
		}
		for _, p := range []Chance{RatioBig(num, den), RatioTimesPower(num, den, Base{}, 0)} {
			encloses(t, "chance", p.long.near.lo.rat(), p.long.near.hi.rat(),
				new(big.Rat).SetFrac(num, den), 62)
		}
	}
}

func TestBoundsArithmeticEncloses(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func() uint64 { // also the ends of the range, where carries happen
		switch random.IntN(6) {
		case 0:
			return math.MaxUint64 - random.Uint64N(3)
		case 1:
			return 1<<63 + random.Uint64N(3)
		case 2:
			return 1 + random.Uint64N(100)
		}
		return random.Uint64() | 1
	}
	for range 20000 {
		a, b := word(), word()
		x, y := new(big.Rat).SetInt(new(big.Int).SetUint64(a)),
			new(big.Rat).SetInt(new(big.Int).SetUint64(b))
		product := whole(a).times(whole(b))
		encloses(t, "product", product.lo.rat(), product.hi.rat(), new(big.Rat).Mul(x, y), 62)
		ratio := whole(a).over(whole(b))
		encloses(t, "ratio", ratio.lo.rat(), ratio.hi.rat(), new(big.Rat).Quo(x, y), 62)
		wide := whole(a).over(bounds{whole(b).lo, mulUp(whole(b).hi, dyadic{5 << 61, -63})})
		if wide.lo.rat().Cmp(new(big.Rat).Quo(x, new(big.Rat).Mul(y, big.NewRat(5, 4)))) > 0 ||
			wide.hi.rat().Cmp(new(big.Rat).Quo(x, y)) < 0 {
			t.Fatalf("%d over %d to 5/4 of it: %v to %v", a, b, wide.lo.rat(), wide.hi.rat())
		}

		exp := int64(random.IntN(70)) - ratio.hi.exp*int64(random.IntN(2))
		scaled := func(d dyadic) *big.Rat {
			return new(big.Rat).Mul(d.rat(), powerOfTwo(int(-exp)))
		}
		if down := new(big.Int).SetUint64(ratio.lo.down(exp)); new(big.Rat).SetInt(down).
			Cmp(scaled(ratio.lo)) > 0 {
			t.Fatalf("down(%d) = %v is above %v", exp, down, scaled(ratio.lo))
		}
		up, large := ratio.hi.up(exp)
		if !large && new(big.Rat).SetInt(new(big.Int).SetUint64(up)).Cmp(scaled(ratio.hi)) < 0 {
			t.Fatalf("up(%d) = %v is below %v", exp, up, scaled(ratio.hi))
		}
		if fits := scaled(ratio.hi).Cmp(powerOfTwo(63)) < 0; large && fits {
			t.Fatalf("up(%d) claims that %v leaves 64 bits", exp, scaled(ratio.hi))
		}
	}
	if n, large := (dyadic{}).up(0); n != 0 || large || (dyadic{}).down(0) != 0 {
		t.Error("zero does not stay zero")
	}
}

func TestMultipleEncloses(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 4))
	var scratch big.Int
	for range 1000 {
		n := randomInt(random, 300)
		b := multiple(n, &scratch)
		encloses(t, "multiple", b.lo.rat(), b.hi.rat(), new(big.Rat).SetInt(n), 62)
		top := new(big.Int).Sub(new(big.Int).Lsh(bigOne, uint(n.BitLen())), bigOne)
		b = multiple(top, &scratch)
		encloses(t, "multiple", b.lo.rat(), b.hi.rat(), new(big.Rat).SetInt(top), 62)
	}
	if (multiple(new(big.Int), &scratch) != bounds{}) {
		t.Error("zero does not stay zero")
	}
}

// TestPowersEnclose checks every power that can be written out, and beyond that two precisions
// against each other.
func TestPowersEnclose(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	for _, r := range []Base{base(3, 2), base(2, 1), base(1000001, 1000000), base(3, 2).Pow(5),
		base(math.MaxInt64, 1), {}} {
		p := newPowers(r)
		for i := range 400 {
			k := uint64(i)
			if i > 300 {
				k = random.Uint64N(3000)
			}
			x := new(big.Rat).Inv(r.Pow(k).Rat())
			b := p.bounds(k)
			encloses(t, "bounds", b.lo.rat(), b.hi.rat(), x, 58)
			lo, hi := r.inverse(k, 300).rats()
			encloses(t, "inverse", lo, hi, x, 280)
			if p.upper(k) != b.hi {
				t.Errorf("upper(%d) = %v, want %v", k, p.upper(k), b.hi)
			}
		}
	}
	small, err := ExpBelow(powerOfTwo(-40))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []Base{small, small.Pow(1 << 23), base(3, 2), base(3, 2).Pow(1 << 40),
		base(1<<40+1, 1<<40)} {
		p := newPowers(r)
		for range 300 {
			k := random.Uint64() >> random.IntN(64)
			fine, b := r.inverse(k, 512), p.bounds(k)
			if fine.exp == tiny { // below 2^(−2^61): nothing to compare but that both say so
				if b.lo.m != 0 || b.hi.exp > tiny+64 {
					t.Errorf("%v to the −%d is enclosed by %v", r, k, b)
				}
				continue
			}
			// In units of 2^fine.exp all four ends can be written out.
			unit := func(d dyadic) *big.Rat { return dyadic{d.m, d.exp - fine.exp}.rat() }
			lo, hi := unit(b.lo), unit(b.hi)
			encloses(t, r.String(), lo, hi, new(big.Rat).SetInt(fine.lo), 57)
			encloses(t, r.String(), lo, hi, new(big.Rat).SetInt(fine.hi), 57)
		}
	}
}

func TestTablesAreReusedAndBounded(t *testing.T) {
	var tables tables
	first := tables.of(base(3, 2))
	if tables.of(base(6, 4)) != first {
		t.Error("an equal base has another table")
	}
	for i := range int64(2 * maxTables) {
		tables.of(base(i+100, 99))
		if tables.of(base(3, 2)) != first {
			t.Fatal("a base in use was forgotten")
		}
	}
	if len(tables.recent) != maxTables {
		t.Errorf("%d tables are kept, want %d", len(tables.recent), maxTables)
	}
}
