package privacy

import (
	"bufio"
	"errors"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// judgement is a line of testdata/judged.txt, or of what judge.py writes.
type judgement struct {
	class, parts, delta string
	low, high           *big.Rat // nil: dp_accounting could not say, but why
	why                 string
}

// judged reads what dp_accounting gives for lists of releases.
func judged(t *testing.T, name string) (all []judgement) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	in := bufio.NewScanner(file)
	for in.Buffer(nil, 1<<20); in.Scan(); {
		f := strings.Fields(in.Text())
		if f[0] == "#" {
			continue
		}
		j := judgement{class: f[0], parts: f[1], delta: f[2]}
		if f[3] == "-" || f[3] == "inf" || f[4] == "inf" {
			j.why = strings.Join(f[3:], " ")
		} else {
			j.low, j.high = ratio(t, f[3]), ratio(t, f[4])
		}
		all = append(all, j)
	}
	return all
}

// planned are the parts of a list as a plan has them: with their losses, and with pairs but for
// those of which an ε is all that is known.
func planned(t *testing.T, parts string) (plan []Planned) {
	t.Helper()
	for part := range strings.SplitSeq(parts, "+") {
		times, rest, _ := strings.Cut(part, "x")
		kind, base, _ := strings.Cut(rest, ":")
		if kind == "pure" {
			loss, err := NewLoss(ratio(t, base), nil)
			if err != nil {
				t.Fatal(err)
			}
			n := ratio(t, times).Num().Int64()
			plan = append(plan, slices.Repeat([]Planned{{Loss: loss}}, int(n))...)
			continue
		}
		of := planOf(t, part)[0]
		base, shift, _ := strings.Cut(base, ":")
		moved := ratio(t, shift)
		var loss Loss
		var err error
		if kind == "laplace" {
			loss, err = LossFromOdds(power(ratio(t, base), int(moved.Num().Int64()), exactly), nil)
		} else {
			var rho Rho
			rho, err = NewRho(LogUp(ratio(t, base)))
			loss = ConcentratedLoss(rho)
		}
		if err != nil {
			t.Fatal(err)
		}
		for range of.Times {
			plan = append(plan, Planned{loss, []Pairs{{of.Pair, 1}}})
		}
	}
	return plan
}

func exactly(x *big.Rat) *big.Rat { return x }

// TestLeastIsNoMore: no rule gives less than Least, on lists of all kinds that nobody chose, and
// neither does dp_accounting, which shares no code.
func TestLeastIsNoMore(t *testing.T) {
	for _, j := range judged(t, "testdata/judged.txt") {
		plan, d := planned(t, j.parts), delta(t, j.delta)
		least := Least(plan, d)
		if least.Cmp(new(big.Rat).Mul(j.high, ratio(t, "1.00000001"))) > 0 {
			t.Errorf("%s at %s: %s, and dp_accounting proves %s", j.parts, j.delta,
				least.FloatString(9), j.high.FloatString(9))
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		var plan []Planned
		for range 1 + random.IntN(6) {
			epsilon := big.NewRat(1+random.Int64N(1000), 1+random.Int64N(1000))
			loss, _ := NewLoss(epsilon, nil)
			switch p := (Planned{Loss: loss}); random.IntN(5) {
			case 0:
				p.Loss = loss.Ranged()
				plan = append(plan, p, p)
			case 1: // it proves a ρ of its own
				p.Loss = loss.WithRho(new(big.Rat).Mul(loss.Rho(), big.NewRat(1, 3)))
				plan = append(plan, p)
			case 2:
				r := big.NewRat(1001+random.Int64N(3000), 1000)
				pair, _ := LaplacePair(r, 3)
				p.Loss, _ = LossFromOdds(power(r, 6, exactly), nil)
				p.Pairs = []Pairs{{pair, 2}}
				plan = append(plan, p)
			case 3: // Gaussian noise, as a question states it
				r := big.NewRat(1001+random.Int64N(500), 1000)
				pair, _ := GaussianPair(r, 1)
				rho, _ := NewRho(LogUp(r))
				p.Loss, _ = ConcentratedLoss(rho).At(delta(t, "1e-7"))
				p.Pairs = []Pairs{{pair, 1}}
				plan = append(plan, p)
			default:
				plan = append(plan, p)
			}
		}
		d := delta(t, []string{"1e-6", "1e-4", "1e-2", "1e-1"}[i%4])
		var losses []Loss
		for _, p := range plan {
			losses = append(losses, p.Loss)
		}
		total, err := Compose(losses, d)
		if err != nil {
			t.Fatal(err)
		}
		if exact, err := composeByLaw(plan, d); err == nil {
			total.Considered = append(total.Considered, Candidate{Distribution, exact})
		}
		for _, c := range total.Considered {
			of, _ := NewDelta(c.Loss.Delta())
			if least := Least(plan, of); c.Loss.epsilonOrZero().Cmp(least) < 0 {
				t.Errorf("plan %d: %s gives %s, and at least it is %s", i, c.Rule,
					c.Loss.epsilonOrZero().FloatString(9), least.FloatString(9))
			}
		}
	}
}

// TestLeastIsNear: of one release Least is its own ε at δ, and of a list far out nearly the sum.
func TestLeastIsNear(t *testing.T) {
	d := delta(t, "1e-6")
	for _, c := range []struct{ parts, share string }{{"1xpure:0.1", "0.99995"}, {"1xpure:3", "1"},
		{"1xpure:0.5+40xpure:0.01", "0.8"}, {"20xpure:98.7", "1"}, {"12xlaplace:9:2", "0.99"},
		{"1xgaussian:33/32:1", "0.9"}, {"30xgaussian:8:1", "0.4"}, {"200xpure:10", "0.95"},
		{"16xlaplace:5/4:1", "0.85"}} {
		plan := planned(t, c.parts)
		exact, err := ComposePlan(plan, d)
		if err != nil {
			t.Fatal(err)
		}
		least := Least(plan, d)
		want := new(big.Rat).Mul(exact.Loss.epsilonOrZero(), ratio(t, c.share))
		if want.Mul(want, ratio(t, "0.999999")); least.Cmp(want) < 0 {
			t.Errorf("%s: %s, want at least %s of %s", c.parts, least.FloatString(6), c.share,
				exact.Loss.epsilonOrZero().FloatString(6))
		}
	}
}

// TestPlantedLaws: a law that says too little is found, whatever it says, and another rule stands.
func TestPlantedLaws(t *testing.T) {
	d := delta(t, "1e-6")
	for _, parts := range []string{"20xpure:98.7", "12xpure:30", "2xpure:0.5",
		"1xpure:3+20xpure:0.1", "16xlaplace:11/10:1", "3xgaussian:33/32:1"} {
		plan := planned(t, parts)
		honest, err := ComposePlan(plan, d)
		if err != nil {
			t.Fatal(err)
		}
		least := Least(plan, d)
		var own *big.Rat // the largest ε of one part at δ
		for i := range plan {
			one := Least(plan[i:i+1], d)
			if own == nil || own.Cmp(one) < 0 {
				own = one
			}
		}
		for name, says := range map[string]*big.Rat{"nothing": new(big.Rat),
			"a thousandth": new(big.Rat).Mul(least, big.NewRat(1, 1000)),
			"below a part": new(big.Rat).Mul(own, big.NewRat(999, 1000)),
			"just below":   new(big.Rat).Sub(least, ratPow2(-40))} {
			planted := func([]Planned, Delta) (Loss, error) {
				return Loss{epsilon: says, delta: d.Rat()}, nil
			}
			total, err := composePlan(plan, d, planted)
			if err != nil {
				t.Fatal(err)
			}
			if total.Rule == Distribution || total.Loss.epsilonOrZero().
				Cmp(honest.Loss.epsilonOrZero()) < 0 {
				t.Errorf("%s: a law that says %s gives %s by %s", parts, name,
					total.Loss.epsilonOrZero().FloatString(6), total.Rule)
			}
			if err := Contradiction(plan, Loss{epsilon: says, delta: d.Rat()}); !errors.Is(err,
				ErrContradiction) {
				t.Errorf("%s: a total that says %s is taken: %v", parts, name, err)
			}
		}
		if err := Contradiction(plan, honest.Loss); err != nil {
			t.Errorf("%s: %v", parts, err)
		}
		if sum := sumOf(plan); !sum.noEpsilon {
			sum.delta = d.Rat()
			if err := Contradiction(plan, sum); err != nil {
				t.Errorf("%s: the sum: %v", parts, err)
			}
			sum.epsilon.Add(sum.epsilon, ratPow2(-60))
			if err := Contradiction(plan, sum); err == nil {
				t.Errorf("%s: more than the sum is taken", parts)
			}
		}
	}
	// Where nothing else is known, nothing is said.
	rho, _ := NewRho(big.NewRat(1, 10))
	gaussian := []Planned{{Loss: ConcentratedLoss(rho)}}
	if total, err := composePlan(gaussian, Delta{}, func([]Planned, Delta) (Loss, error) {
		return Loss{epsilon: new(big.Rat)}, nil
	}); err == nil {
		t.Errorf("ε = 0 of Gaussian noise at δ = 0: %v", total.Loss)
	}
}
