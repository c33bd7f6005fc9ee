package privacy

import (
	"bufio"
	"errors"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func laplacePair(t *testing.T, base string, shift int) Pair {
	t.Helper()
	pair, err := LaplacePair(ratio(t, base), shift)
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

func composed(t *testing.T, list ...Pairs) *LossDistribution {
	t.Helper()
	d, err := ComposePairs(list)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// nearly asks for have to be at least want, and above it by at most within.
func nearly(t *testing.T, what string, have, want *big.Rat, within string) {
	t.Helper()
	excess := new(big.Rat).Sub(have, want)
	if excess.Sign() < 0 || excess.Cmp(ratio(t, within)) > 0 {
		a, _ := have.Float64()
		b, _ := want.Float64()
		t.Errorf("%s is %.15g, want %.15g, or more by at most %s", what, a, b, within)
	}
}

// TestLossDistributionIsExact compares with fractions worked out by hand: pairs of one base, whose
// losses are places of the lattice.
func TestLossDistributionIsExact(t *testing.T) {
	for _, c := range []struct {
		what  string
		list  []Pairs
		odds  string
		delta string
	}{
		{"two counts", []Pairs{{laplacePair(t, "3/2", 1), 2}}, "1", "1/5"},
		{"two counts", []Pairs{{laplacePair(t, "3/2", 1), 2}}, "3/2", "3/25"},
		{"two counts", []Pairs{{laplacePair(t, "3/2", 1), 2}}, "2", "1/25"},
		{"two counts", []Pairs{{laplacePair(t, "5/4", 1), 2}}, "5/4", "5/81"},
		// 36/175·(1 − 3⁻¹) + … at e^L = 3, 27/16, 4/3
		{"histogram and count", []Pairs{{laplacePair(t, "3/2", 1), 2},
			{laplacePair(t, "4/3", 1), 1}}, "1", "47/175"},
		{"histogram and count", []Pairs{{laplacePair(t, "3/2", 1), 2},
			{laplacePair(t, "4/3", 1), 1}}, "3/2", "3/25"},
		{"histogram and count", []Pairs{{laplacePair(t, "3/2", 1), 2},
			{laplacePair(t, "4/3", 1), 1}}, "2", "12/175"},
	} {
		within := "1e-30"
		if len(c.list) > 1 {
			within = "1/1000" // bases that differ: split onto a lattice
		}
		have := composed(t, c.list...).Delta(LogDown(ratio(t, c.odds)))
		nearly(t, c.what+" at "+c.odds, have, ratio(t, c.delta), within)
	}
}

// TestLaplacePairsByShift compares with the law of the noise itself, summed over its places.
func TestLaplacePairsByShift(t *testing.T) {
	for _, base := range []string{"3/2", "9/8", "3"} {
		r := ratio(t, base)
		for shift := 1; shift <= 6; shift++ {
			d := composed(t, Pairs{laplacePair(t, base, shift), 1})
			for _, odds := range []string{"1", "3/2", "2", "5"} {
				want := hockeyStick(r, shift, ratio(t, odds))
				nearly(t, base+" moved by "+strconv.Itoa(shift)+" at "+odds,
					d.Delta(LogDown(ratio(t, odds))), want, "1e-30")
			}
		}
	}
	two, apart := composed(t, Pairs{laplacePair(t, "3/2", 1), 2}),
		composed(t, Pairs{laplacePair(t, "3/2", 2), 1})
	gap := new(big.Rat).Sub(apart.Delta(new(big.Rat)), two.Delta(new(big.Rat)))
	if gap.Sub(gap, ratio(t, "2/15")).Abs(gap).Cmp(ratio(t, "1e-30")) > 0 {
		t.Errorf("a move of 2 against two of 1: 2/15 and %v", gap)
	}
}

// hockeyStick is Σ max(0, P(z) − odds·Q(z)) for discrete Laplace noise at 0 and at shift, exactly:
// P falls below odds·Q from some place on.
func hockeyStick(r *big.Rat, shift int, odds *big.Rat) *big.Rat {
	// Σ_{z≤k} P(z) is r^(k+1)/(1+r) for k < 0, else 1 − r^−k/(1+r)
	cumulative := func(k int) *big.Rat {
		if k < 0 {
			return new(big.Rat).Quo(signedPower(r, k+1), new(big.Rat).Add(one, r))
		}
		return new(big.Rat).Sub(one,
			new(big.Rat).Quo(signedPower(r, -k), new(big.Rat).Add(one, r)))
	}
	best := new(big.Rat)
	for k := -2; k <= shift+2; k++ {
		s := new(big.Rat).Mul(odds, cumulative(k-shift))
		if s.Sub(cumulative(k), s).Cmp(best) > 0 {
			best = s
		}
	}
	return best
}

func signedPower(r *big.Rat, n int) *big.Rat {
	p := big.NewRat(1, 1)
	for range max(n, -n) {
		p.Mul(p, r)
	}
	if n < 0 {
		p.Inv(p)
	}
	return p
}

// TestLossDistributionIsOptimal: of equal ε it is the optimal composition that is known.
func TestLossDistributionIsOptimal(t *testing.T) {
	delta, _ := NewDelta(ratio(t, "1e-6"))
	for _, k := range []int{1, 2, 8, 16, 64} {
		loss, _ := NewLoss(ratio(t, "1/20"), nil)
		pair, err := PairOf(loss)
		if err != nil {
			t.Fatal(err)
		}
		have, err := composed(t, Pairs{pair, uint64(k)}).At(delta)
		if err != nil {
			t.Fatal(err)
		}
		want := optimalEpsilon(slices.Repeat([]Loss{loss}, k), delta.Rat())
		gap := new(big.Rat).Sub(have.epsilon, want)
		if gap.Abs(gap).Cmp(ratio(t, "1e-25")) > 0 {
			t.Errorf("%d releases of 1/20: %v, want %v", k, have, want.FloatString(30))
		}
	}
}

// TestLossDistributionAgainstOthers holds ε to what dp_accounting gives, which shares no code: at
// least its estimate from below, and above the one from above by less than 1 %. Above the former by
// less than 0.2 %, in fact, where bases differ.
func TestLossDistributionAgainstOthers(t *testing.T) {
	file, err := os.Open("testdata/accounting.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, plans := 0, map[string]*LossDistribution{}
	for in := bufio.NewScanner(file); in.Scan(); {
		fields := strings.Fields(in.Text())
		if fields[0] == "#" {
			continue
		}
		lines++
		t.Run(fields[0]+" "+fields[1], func(t *testing.T) {
			delta, err := NewDelta(ratio(t, fields[1]))
			if err != nil {
				t.Fatal(err)
			}
			d := plans[fields[0]]
			if d == nil {
				d = composed(t, planOf(t, fields[0])...)
				plans[fields[0]] = d
			}
			loss, err := d.At(delta)
			if err != nil {
				t.Fatal(err)
			}
			low := new(big.Rat).Sub(ratio(t, fields[2]), ratio(t, "1e-8")) // its digits
			high := ratio(t, fields[3])
			high.Mul(high, ratio(t, "1.001"))
			if loss.epsilon.Cmp(low) < 0 || loss.epsilon.Cmp(high) > 0 {
				t.Errorf("ε is %s, want %s to %s", loss.epsilon.FloatString(9), fields[2],
					high.FloatString(9))
			}
			// and the other way round
			back := d.Delta(loss.epsilon)
			if back.Cmp(new(big.Rat).Mul(delta.Rat(), ratio(t, "1.000001"))) > 0 {
				t.Errorf("δ at that ε is %s", back.FloatString(15))
			}
		})
	}
	if lines < 30 {
		t.Errorf("%d lines only", lines)
	}
}

// planOf reads the parts of a plan as testdata/accounting.py writes them.
func planOf(t *testing.T, text string) []Pairs {
	t.Helper()
	var list []Pairs
	for part := range strings.SplitSeq(text, "+") {
		times, rest, _ := strings.Cut(part, "x")
		fields := strings.Split(rest, ":")
		n, err := strconv.ParseUint(times, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		shift, err := strconv.Atoi(fields[2])
		if err != nil {
			t.Fatal(err)
		}
		of := map[string]func(*big.Rat, int) (Pair, error){"laplace": LaplacePair,
			"gaussian": GaussianPair}[fields[0]]
		pair, err := of(ratio(t, fields[1]), shift)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, Pairs{pair, n})
	}
	return list
}

// TestSplitsKeepBothLaws: what a pair's outcomes have under P and under Q, they have on any
// lattice, but for rounding upwards; one place too low or all of it in one place would not.
func TestSplitsKeepBothLaws(t *testing.T) {
	for _, text := range []string{"1xlaplace:3/2:1", "1xlaplace:9/8:5", "1xlaplace:2:3"} {
		pair := planOf(t, text)[0].Pair
		for _, step := range []string{"1.01", "5/4", "7"} {
			d := pair.onLattice(ratio(t, step))
			p, q := new(big.Rat), new(big.Rat)
			for i, m := range d.law {
				p.Add(p, m.rat())
				q.Add(q, new(big.Rat).Quo(m.rat(), signedPower(d.step, d.first+i)))
			}
			wantP, wantQ := new(big.Rat), new(big.Rat)
			for _, o := range pair.outcomes {
				wantP.Add(wantP, o.mass)
				wantQ.Add(wantQ, new(big.Rat).Quo(o.mass, signedPower(pair.base, int(o.power))))
			}
			nearly(t, text+" on "+step+": P", p, wantP, "1e-25")
			nearly(t, text+" on "+step+": Q", q, wantQ, "1e-25")
		}
	}
}

// TestPairsOfLosses: a loss alone is randomised response, and its δ is added.
func TestPairsOfLosses(t *testing.T) {
	loss, _ := NewLoss(ratio(t, "1/2"), ratio(t, "1e-7"))
	pair, err := PairOf(loss)
	if err != nil {
		t.Fatal(err)
	}
	d := composed(t, Pairs{pair, 3})
	nearly(t, "δ at the sum", d.Delta(ratio(t, "3/2")), ratio(t, "3e-7"), "1e-25")
	delta, _ := NewDelta(ratio(t, "2e-7"))
	if _, err := d.At(delta); !errors.Is(err, ErrNoBound) {
		t.Errorf("three times δ = 1e-7 within 2e-7: %v", err)
	}
	rho, _ := NewRho(ratio(t, "1/10"))
	// H: lossdistribution.md has-epsilon
	if _, err := PairOf(ConcentratedLoss(rho)); !errors.Is(err, ErrNoBound) {
		t.Errorf("a loss of ρ alone has a pair: %v", err)
	}
	if none, err := ComposePairs(nil); err != nil || none.Delta(new(big.Rat)).Sign() != 0 {
		t.Errorf("nothing released: %v, %v", none, err)
	}
}

// TestPairsRefuse: parameters alone are refused.
func TestPairsRefuse(t *testing.T) {
	for _, c := range []struct {
		base  string
		shift int
	}{
		{"1/2", 1},               // H: lossdistribution.md base
		{"2", 0}, {"2", 1 << 20}, // H: lossdistribution.md shift
	} {
		if _, err := LaplacePair(ratio(t, c.base), c.shift); err == nil {
			t.Errorf("LaplacePair(%s, %d) is taken", c.base, c.shift)
		}
		if _, err := GaussianPair(ratio(t, c.base), c.shift); err == nil {
			t.Errorf("GaussianPair(%s, %d) is taken", c.base, c.shift)
		}
	}
	// H: lossdistribution.md base
	if _, err := GaussianPair(ratio(t, "1.00000001"), 1); err == nil {
		t.Error("Gaussian noise whose tail is not followed is taken")
	}
}

// TestPairsAreSymmetric: Q gives the odds of a power what P gives those of its negative, but for
// what counts as revealed, for each pair that can be made.
func TestPairsAreSymmetric(t *testing.T) {
	gaussian, err := GaussianPair(ratio(t, "9/8"), 3)
	if err != nil {
		t.Fatal(err)
	}
	loss, err := PairOf(mustLoss(t, "1/3", "1e-9"))
	if err != nil {
		t.Fatal(err)
	}
	law := func(p Pair) map[int64]*big.Rat {
		masses := map[int64]*big.Rat{}
		for _, o := range p.outcomes {
			if masses[o.power] == nil {
				masses[o.power] = new(big.Rat)
			}
			masses[o.power].Add(masses[o.power], o.mass)
		}
		return masses
	}
	uneven := gaussian // what no constructor makes
	uneven.outcomes = slices.Delete(slices.Clone(gaussian.outcomes), 3, 4)
	for _, c := range []struct {
		name string
		of   Pair
		want bool
	}{
		{"Laplace", laplacePair(t, "5/4", 1), true}, {"by 4", laplacePair(t, "5/4", 4), true},
		{"Gaussian", gaussian, true}, {"a loss", loss, true},
		{"an outcome left out", uneven, false}, // H: lossdistribution.md symmetric
	} {
		masses, symmetric := law(c.of), true
		for power, mass := range masses {
			under := new(big.Rat).Quo(mass, signedPower(c.of.base, int(power))) // of Q
			gap, allowed := new(big.Rat).Set(under), new(big.Rat)
			if back := masses[-power]; back != nil {
				gap.Sub(gap, back)
				allowed.Mul(back, ratio(t, "1e-30"))
			} else if c.of.revealed != nil { // beyond the last place
				allowed = c.of.revealed
			}
			if gap.Abs(gap).Cmp(allowed) > 0 {
				symmetric = false
			}
		}
		if symmetric != c.want {
			t.Errorf("%s: symmetric is %v", c.name, symmetric)
		}
	}
}

// TestMassesRoundUp: products and sums are never too small, and by a unit at most too large.
func TestMassesRoundUp(t *testing.T) {
	unit := ratPow2(-massBits)
	for _, a := range []string{"1", "1/3", "2/3", "1e-30", "1e-38", "0", "0.999999999999"} {
		for _, b := range []string{"1", "1/7", "1e-19", "2/3", "0"} {
			x, y := massUp(ratio(t, a)), massUp(ratio(t, b))
			exact := new(big.Rat).Mul(x.rat(), y.rat())
			excess := new(big.Rat).Sub(x.times(y).rat(), exact)
			if excess.Sign() < 0 || excess.Cmp(unit) >= 0 {
				t.Errorf("%s·%s is off by %v", a, b, excess)
			}
		}
	}
}

// TestComposePlan: the least rule is taken, and named.
func TestComposePlan(t *testing.T) {
	odds, delta := ratio(t, "21/20"), delta(t, "1e-6")
	loss, err := LossFromOdds(signedPower(odds, 2), nil)
	if err != nil {
		t.Fatal(err)
	}
	histogram := Planned{Loss: loss, Pairs: []Pairs{{laplacePair(t, "21/20", 1), 2}}}
	for _, c := range []struct {
		plan []Planned
		rule Rule
		most string
	}{
		{[]Planned{histogram}, Distribution, "0.0976"},
		{slices.Repeat([]Planned{histogram}, 16), Distribution, "1.1721"}, // dp_accounting: 1.1715
		{append(slices.Repeat([]Planned{histogram}, 16),
			Planned{Loss: ConcentratedLoss(rho(t, "0.01"))}), Concentrated, "1.98"},
	} {
		total, err := ComposePlan(c.plan, delta)
		if err != nil {
			t.Fatal(err)
		}
		have, _ := total.Loss.Epsilon()
		sum := new(big.Rat)
		for _, p := range c.plan {
			sum.Add(sum, p.Loss.Rho())
		}
		for _, by := range total.Considered {
			if by.Rule == Distribution && by.Loss.Rho().Cmp(sum) != 0 {
				t.Errorf("%d figures: ρ = %v, their sum is %v", len(c.plan), by.Loss.Rho(), sum)
			}
		}
		if total.Rule != c.rule || have.Cmp(ratio(t, c.most)) > 0 {
			t.Errorf("%d figures: %s by %s, want at most %s by %s", len(c.plan),
				have.FloatString(6), total.Rule, c.most, c.rule)
		}
	}
}

func BenchmarkComposePairs(b *testing.B) {
	var list []Pairs
	for i := range 64 {
		pair, err := LaplacePair(big.NewRat(int64(100+i), 97), 1)
		if err != nil {
			b.Fatal(err)
		}
		list = append(list, Pairs{pair, 2})
	}
	for b.Loop() {
		if _, err := ComposePairs(list); err != nil {
			b.Fatal(err)
		}
	}
}
