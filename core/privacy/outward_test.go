package privacy

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// refBits are the digits of what these tests compare with: far more than the code has, and worked
// out in another way.
const refBits = 800

func ref(x *big.Rat) *big.Float { return new(big.Float).SetPrec(refBits).SetRat(x) }

func refOf(x float64) *big.Float { return new(big.Float).SetPrec(refBits).SetFloat64(x) }

// refExp is e^x: the series at x/2^64, squared 64 times.
func refExp(x *big.Float) *big.Float {
	small := new(big.Float).SetMantExp(x, -64)
	sum, term := refOf(1), refOf(1)
	for i := 1; i < 40; i++ {
		term.Mul(term, small).Quo(term, refOf(float64(i)))
		sum.Add(sum, term)
	}
	for range 64 {
		sum.Mul(sum, sum)
	}
	return sum
}

// refLog is ln x, by Newton's method on refExp.
func refLog(x *big.Float) *big.Float {
	exp := x.MantExp(nil)
	y := new(big.Float).Mul(refOf(float64(exp)), refOf(0.6931471805599453))
	for range 14 { // the first guess is off by less than 1, and each round doubles the digits
		e := refExp(y)
		step := new(big.Float).Sub(x, e)
		step.Quo(step, e.Add(e, x))
		y.Add(y, step.Add(step, step))
	}
	return y
}

// outward fails unless what was rounded up is no less than it should be, and hardly more.
func outward(t *testing.T, name string, have *big.Rat, want *big.Float) {
	t.Helper()
	off := ref(have)
	off.Sub(off, want).Quo(off, want)
	// refExp loses 64 bits, and so do differences
	if off.Cmp(new(big.Float).SetMantExp(refOf(-1), -500)) < 0 {
		t.Errorf("%s: %s is %.3g of it too small: rounded inward", name, have.FloatString(40), off)
	}
	if off.Cmp(new(big.Float).SetMantExp(refOf(1), -60)) > 0 {
		t.Errorf("%s: %s is %.3g of it too large", name, have.FloatString(40), off)
	}
}

// oddNumbers are rationals of many digits below a bound, from small to large.
func oddNumbers(n int, bound float64) (list []*big.Rat) {
	r := rand.New(rand.NewPCG(71, 72))
	for i := range n {
		x := new(big.Rat).SetFrac64(1+r.Int64N(1<<60), 1<<60-r.Int64N(1<<40)) // about 0 to 1
		x.Mul(x, new(big.Rat).SetFloat64(bound))
		if i%3 == 0 {
			x.Quo(x, big.NewRat(1009+r.Int64N(1000), 1))
		}
		list = append(list, x)
	}
	return list
}

// TestRoundedOutward: every bound of a loss is at least what its formula says, in 800 bits, and
// hardly more. Each formula is written down once more here, with nothing of the code.
func TestRoundedOutward(t *testing.T) {
	slacks := oddNumbers(30, 0.1)
	for i, e := range oddNumbers(30, 4) {
		slack, times := slacks[29-i], uint64(1+i*i)
		epsilon, unit := ref(e), refOf(1)
		odds := refExp(epsilon)
		tanh := new(big.Float).Sub(odds, unit)
		tanh.Quo(tanh, new(big.Float).Add(odds, unit))
		rho := new(big.Float).Mul(tanh, epsilon)
		outward(t, "ρ of an ε", Loss{epsilon: e}.pureRho(), rho)

		large := new(big.Rat).Add(e, big.NewRat(100, 1)) // its tanh is 1
		outward(t, "ρ of an ε above 100", Loss{epsilon: large}.pureRho(), ref(large))

		many := refOf(float64(times))
		mean := new(big.Float).Mul(rho, many) // ε·tanh(ε/2)
		log := refLog(new(big.Float).Quo(unit, ref(slack)))
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
		if converted.Sign() > 0 { // else no ε is needed
			outward(t, "ε of a ρ", epsilonFromRho(e, slack), converted)
		}

		given := new(big.Rat).Add(one, e)
		loss, err := LossFromOdds(given, nil)
		if err != nil {
			t.Fatal(err)
		}
		outward(t, "ε of odds", loss.epsilon, refLog(ref(given)))
		rate := refOf(3.0 / 8)
		thin := func(odds *big.Float) *big.Float {
			gain := new(big.Float).Sub(odds, unit)
			return refLog(gain.Add(gain.Mul(gain, rate), unit))
		}
		for name, c := range map[string]struct {
			loss Loss
			odds *big.Float
		}{"ε of a subsample": {Loss{epsilon: e}, odds},
			"ε of a subsample with odds": {loss, ref(given)}} {
			sample, err := c.loss.Subsampled(3, 8)
			if err != nil {
				t.Fatal(err)
			}
			outward(t, name, sample.epsilon, thin(c.odds))
		}

		for _, d := range []uint64{2, 3, 7, 64, 65, 200} {
			sum, term := refOf(0), refOf(1)
			for range d {
				sum.Add(sum, term)
				term.Mul(term, odds)
			}
			if d > 64 { // d times the largest term
				term.Quo(term, odds)
				sum.Mul(term, refOf(float64(d)))
			}
			factor, _ := groupFactor(e, d)
			outward(t, "factor of a group", factor, sum)
			small := new(big.Rat).Quo(slack, new(big.Rat).Mul(factor, big.NewRat(2, 1)))
			outward(t, "δ of a group", groupDelta(e, small, d), sum.Mul(sum, ref(small)))
		}

		half := new(big.Rat).Quo(e, big.NewRat(9, 1))
		if half.Cmp(Loss{epsilon: e}.pureRho()) < 0 {
			outward(t, "a ρ of its own", Loss{epsilon: e}.WithRho(half).rho, ref(half))
		}
	}
}

// TestLossLawRoundedUp: each mass is at least the exact one, with x^n as it is, and hardly more.
func TestLossLawRoundedUp(t *testing.T) {
	for i, e := range oddNumbers(24, 1.5) {
		x := ExpUp(e)
		for _, counts := range [][]int{{1}, {1, 1}, {2}, {1, 2, 1}, {3, 1, 1, 2}} {
			total := 0
			exact := map[int]*big.Rat{0: big.NewRat(1, 1)}
			for _, n := range counts {
				total += n
				odds := big.NewRat(1, 1)
				for range n {
					odds.Mul(odds, x)
				}
				all := new(big.Rat).Add(odds, one)
				next := map[int]*big.Rat{}
				for j, p := range exact {
					for to, share := range map[int]*big.Rat{j + n: new(big.Rat).Quo(odds, all),
						j - n: new(big.Rat).Inv(all)} {
						if next[to] == nil {
							next[to] = new(big.Rat)
						}
						next[to].Add(next[to], share.Mul(share, p))
					}
				}
				exact = next
			}
			for j, mass := range lossLaw(x, counts, total) {
				want := exact[j-total]
				if want == nil {
					want = new(big.Rat)
				}
				off := unfix(mass)
				off.Sub(off, want)
				if off.Sign() < 0 || off.Cmp(ratPow2(-100)) > 0 {
					t.Errorf("base %d, %v: the mass of %d is off by %g", i, counts, j-total,
						toFloat(off))
				}
			}
		}
	}
}

// TestSmallestOddsRoundedUp: whatever masses there are, y is at least the largest of (Σ mass −
// slack)/(Σ mass·x^(−j)), in fractions.
func TestSmallestOddsRoundedUp(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	slacks := oddNumbers(24, 0.05)
	for i, e := range oddNumbers(24, 1) {
		x := ExpUp(e)
		for total := 1; total <= 4; total++ {
			mass := make([]*big.Int, 2*total+1)
			for j := range mass {
				mass[j] = fixUp(big.NewRat(1+r.Int64N(1<<40), 1<<42+r.Int64N(1<<30)))
			}
			want, sum, weighed := big.NewRat(1, 1), new(big.Rat), new(big.Rat)
			for j := total; j > 0; j-- {
				m := unfix(mass[total+j])
				sum.Add(sum, m)
				for range j {
					m.Quo(m, x)
				}
				weighed.Add(weighed, m)
				if y := new(big.Rat).Sub(sum, slacks[i]); y.Quo(y, weighed).Cmp(want) > 0 {
					want = y
				}
			}
			off := smallestOdds(mass, x, slacks[i])
			off.Sub(off, want)
			if off.Sign() < 0 || off.Cmp(ratPow2(-100)) > 0 {
				t.Errorf("%d masses, base %d: y is off by %g", total, i, toFloat(off))
			}
		}
	}
	// What weighs nothing in 320 bits is no reason for a small ε.
	none := []*big.Int{new(big.Int), new(big.Int), pow2(10)}
	if y := smallestOdds(none, ratPow2(400), ratPow2(-315)); y != nil {
		t.Errorf("weights that round to nothing: y = %v", y)
	}
	if y := smallestOdds([]*big.Int{new(big.Int), new(big.Int), pow2(workBits)}, ratPow2(400),
		big.NewRat(1, 2)); y != nil {
		t.Errorf("a weight that rounds to nothing: y = %v", y)
	}
}

// TestChoicesRoundedUp: what the recursion for choices starts from and multiplies by is at least
// what it stands for, and at most a unit of 2^-63 more.
func TestChoicesRoundedUp(t *testing.T) {
	unit := refOf(1)
	units := func(name string, have share, want *big.Float) {
		t.Helper()
		off := refOf(0).SetUint64(uint64(have))
		off.Sub(off, new(big.Float).SetMantExp(want, 63))
		if off.Sign() < 0 || off.Cmp(refOf(1+1e-9)) > 0 {
			t.Errorf("%s is off by %.3g units", name, off)
		}
	}
	for _, step := range oddNumbers(12, 0.2) {
		const steps, zero = 8, 24
		w, h := newWorst(step, steps, zero)
		power := func(n int) *big.Float { // e^(−n·step)
			return refExp(ref(new(big.Rat).Mul(step, big.NewRat(int64(-n), 1))))
		}
		minus := func(a, b *big.Float) *big.Float { return new(big.Float).Sub(a, b) }
		all := minus(unit, power(steps))
		for s := range steps + 1 {
			units("up", w.up[s], new(big.Float).Quo(minus(unit, power(steps-s)), all))
			units("down", w.down[s], new(big.Float).Quo(minus(power(steps-s), power(steps)), all))
		}
		odds := power(-1)
		kappa := minus(odds, unit)
		kappa.Mul(kappa, odds).Quo(kappa, all.Mul(all, refOf(4)))
		units("what lies between", w.between, kappa)
		for i := 1; i < zero; i++ {
			units("the start", h[zero-i], minus(unit, power(i)))
		}
		if h[0] != whole {
			t.Errorf("beyond the lattice: %d, want %d", h[0], whole)
		}
	}
	r := rand.New(rand.NewPCG(75, 76))
	for range 1000 {
		x, y := r.Uint64N(1<<63+1), r.Uint64N(1<<63+1)>>r.UintN(60)
		product := new(big.Int).Mul(new(big.Int).SetUint64(x), new(big.Int).SetUint64(y))
		want := divUp(product, pow2(63))
		if have := share(x).of(share(y)); uint64(have) != want.Uint64() {
			t.Errorf("%d · %d is %d units, want %v", x, y, have, want)
		}
	}
}

// TestSlackOfChoicesRoundedDown: the least slack, in units of 2^-63, at which choices compose to an
// ε is enough for it, and a little less is not.
func TestSlackOfChoicesRoundedDown(t *testing.T) {
	eta := big.NewRat(3, 10)
	for _, k := range []uint64{1, 2} {
		at := func(slack *big.Rat) *big.Rat { return choicesEpsilon(k, eta, slack) }
		units := func(n uint64) *big.Rat {
			return new(big.Rat).SetFrac(new(big.Int).SetUint64(n), pow2(63))
		}
		target := at(big.NewRat(1, 50))
		low, high := uint64(1), uint64(1)<<63/50+1
		for low < high {
			if middle := low + (high-low)/2; at(units(middle)).Cmp(target) <= 0 {
				high = middle
			} else {
				low = middle + 1
			}
		}
		less := new(big.Rat).Sub(units(high), ratPow2(-70))
		if at(units(high)).Cmp(target) != 0 || at(less).Cmp(target) <= 0 {
			t.Errorf("%d choices: ε is %v at %d units and %v at a little less", k,
				at(units(high)), high, at(less))
		}
	}
}

// TestFixedPointEncloses: before they are shortened, exponentials, logarithms and their series
// enclose what they stand for, by less than 2^-270.
func TestFixedPointEncloses(t *testing.T) {
	encloses := func(name string, lo, hi *big.Int, bits int, want *big.Float) {
		t.Helper()
		scaled := new(big.Float).SetMantExp(want, bits)
		low, high := refOf(0).SetInt(lo), refOf(0).SetInt(hi)
		wide := new(big.Float).Sub(high, low)
		if low.Cmp(scaled) > 0 || high.Cmp(scaled) < 0 ||
			wide.Cmp(new(big.Float).SetMantExp(refOf(1), bits-250)) > 0 {
			t.Errorf("%s: from %.3g below to %.3g above", name, scaled.Sub(scaled, low),
				high.Sub(high, scaled))
		}
	}
	for i, x := range oddNumbers(60, 6) {
		l, h := expFixed(x)
		encloses("exp", l, h, workBits, refExp(ref(x)))
		for _, y := range []*big.Rat{x, new(big.Rat).Inv(x),
			new(big.Rat).Quo(x, big.NewRat(1<<40, 1))} {
			l, h = logFixed(y)
			encloses("log", l, h, workBits-1, refLog(ref(y)))
		}
		small := new(big.Rat).Quo(x, big.NewRat(1<<12, 1))
		fixed := fixDown(small)
		l, h = expSeries(fixed)
		encloses("the series of exp", l, h, workBits, refExp(ref(unfix(fixed))))
		n, d := big.NewInt(int64(i)+1), big.NewInt(int64(3*i)+7)
		l, h = artanh(n, d) // ln((d+n)/(d−n))/2
		half := refLog(ref(new(big.Rat).SetFrac(new(big.Int).Add(d, n), new(big.Int).Sub(d, n))))
		encloses("artanh", l, h, workBits, half.Quo(half, refOf(2)))
	}
}
