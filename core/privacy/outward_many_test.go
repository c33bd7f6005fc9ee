package privacy

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// rootEncloses fails unless the exact squares of a root's ends enclose x.
func rootEncloses(t *testing.T, x *big.Rat) {
	t.Helper()
	low, high := SqrtDown(x), SqrtUp(x)
	if new(big.Rat).Mul(low, low).Cmp(x) > 0 || new(big.Rat).Mul(high, high).Cmp(x) < 0 {
		t.Errorf("the root of %s is not from %s to %s", x.RatString(), low.FloatString(50),
			high.FloatString(50))
	}
}

// TestRootEncloses: a root's ends enclose it, by their exact squares.
func TestRootEncloses(t *testing.T) {
	for i := int64(0); i < 50; i++ {
		rootEncloses(t, big.NewRat(i, 1))
		rootEncloses(t, big.NewRat(i*i, 49))
	}
	for _, x := range oddNumbers(200, 1e6) {
		rootEncloses(t, x)
	}
}

// TestShortenedOutward: what is shortened is on its side of the number, wherever the last of its
// bits is, and within one unit of it.
func TestShortenedOutward(t *testing.T) {
	for drop := uint(1); drop < 40; drop++ {
		for zeros := uint(0); zeros <= drop+2; zeros++ {
			x := new(big.Int).Lsh(oneInt, resultBits+drop)
			x.Add(x, new(big.Int).Lsh(oneInt, zeros))
			exact := dyadic(x, -7)
			unit := dyadic(new(big.Int).Lsh(oneInt, drop), -7)
			low, high := shorten(x, 7, false), shorten(x, 7, true)
			if low.Cmp(exact) > 0 || high.Cmp(exact) < 0 ||
				new(big.Rat).Sub(high, low).Cmp(unit) > 0 {
				t.Errorf("%d bits dropped, %d zeros: from %s to %s", drop, zeros, low, high)
			}
		}
	}
}

// TestManyRoundedOutward: of many inputs none is rounded inward in any of the steps of a formula,
// which the last rounding hides in most.
func TestManyRoundedOutward(t *testing.T) {
	small := oddNumbers(800, 1.0/64)
	slacks := oddNumbers(800, 0.1)
	for i, e := range small {
		slack, times := slacks[799-i], uint64(1+i%3)
		epsilon, unit, many := ref(e), refOf(1), refOf(float64(times))
		log := refLog(new(big.Float).Quo(unit, ref(slack)))
		odds := refExp(epsilon)
		mean := new(big.Float).Sub(odds, unit)
		mean.Quo(mean, new(big.Float).Add(odds, unit)).Mul(mean, epsilon).Mul(mean, many)
		spread := new(big.Float).Mul(log, epsilon)
		spread.Mul(spread, epsilon).Mul(spread, many).Mul(spread, refOf(2))
		outward(t, "advanced composition", advancedEpsilon([]Several{{Loss{epsilon: e}, times}},
			slack), mean.Add(mean, spread.Sqrt(spread)))

		over := bestOrder(toFloat(e), logFloat(slack))
		alpha := ref(new(big.Rat).Add(one, over))
		converted := refLog(new(big.Float).Quo(ref(over), alpha))
		converted.Mul(converted, ref(over)).Add(converted, log)
		converted.Sub(converted, refLog(alpha)).Quo(converted, ref(over))
		converted.Add(converted, new(big.Float).Mul(alpha, epsilon))
		if converted.Sign() > 0 {
			outward(t, "ε of a ρ", epsilonFromRho(e, slack), converted)
		}
	}
}

// TestOddsOfExactWeights: the smallest odds of a law are no smaller than in exact rationals, also
// where each of many powers is rounded.
func TestOddsOfExactWeights(t *testing.T) {
	random := rand.New(rand.NewPCG(73, 74))
	for range 300 {
		x := big.NewRat(101+random.Int64N(400), 100)
		total := 2 + random.IntN(12)
		mass, sum := make([]*big.Int, 2*total+1), new(big.Int)
		for j := range mass {
			mass[j] = big.NewInt(random.Int64N(1 << 40))
			sum.Add(sum, mass[j])
		}
		for j := range mass {
			mass[j] = fixUp(new(big.Rat).SetFrac(mass[j], sum))
		}
		slack := unfix(fixDown(big.NewRat(random.Int64N(100), 10_000)))
		want := big.NewRat(1, 1)
		above, weighed, power := new(big.Rat), new(big.Rat), new(big.Rat)
		for j := total; j > 0; j-- {
			power.SetInt64(1)
			for range j {
				power.Quo(power, x)
			}
			above.Add(above, unfix(mass[total+j]))
			weighed.Add(weighed, power.Mul(power, unfix(mass[total+j])))
			if y := new(big.Rat).Sub(above, slack); y.Quo(y, weighed).Cmp(want) > 0 {
				want.Set(y)
			}
		}
		if got := smallestOdds(mass, x, slack); got == nil || got.Cmp(want) < 0 {
			t.Fatalf("x = %s, %d steps: the odds are rounded inward", x, total)
		}
	}
}

// TestChoiceTakesEveryInterval: the worst choice can stand on the lowest interval.
func TestChoiceTakesEveryInterval(t *testing.T) {
	for at := range 4 {
		w := &worst{up: make([]share, 4), down: make([]share, 4)}
		w.up[at] = whole
		h := make([]share, 8)
		for i := range h {
			h[i] = whole
		}
		if got := w.choice(h, make([]share, 9), 4); got != whole {
			t.Errorf("interval %d: the choice is %v, want %v", at, got, whole)
		}
	}
}

// TestRaisedKeepsRho: a raised loss has a ρ of its own, at least that of before and by six digits
// no more, however small it is.
func TestRaisedKeepsRho(t *testing.T) {
	for _, rho := range []*big.Rat{big.NewRat(1, 3), big.NewRat(1, 3_000_007),
		big.NewRat(123_456_789, 1_000_000_007), big.NewRat(7, 9_999_999_999)} {
		l := Loss{epsilon: big.NewRat(50, 1), rho: rho}
		raised := l.Raised(Epsilon{big.NewRat(60, 1)}, Delta{})
		most := new(big.Rat).Mul(rho, big.NewRat(100_001, 100_000))
		if raised.rho == nil || raised.rho.Cmp(rho) < 0 || raised.rho.Cmp(most) > 0 {
			t.Errorf("ρ of %s is raised to %v", rho, raised.rho)
		}
	}
}
