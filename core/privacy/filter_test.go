package privacy

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"testing"

	"hush/core/param"
)

// newFilter is the filter of these numbers, with the largest ρ.
func newFilter(t *testing.T, epsilonText, deltaSum, slack string) *Filter {
	t.Helper()
	f, err := NewFilter(FilterParams{Epsilon: epsilon(t, epsilonText), Delta: delta(t, deltaSum),
		Slack: delta(t, slack)})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestFilterVectors: ρ* at ε = 1, computed with mpmath to 10 digits.
func TestFilterVectors(t *testing.T) {
	for slack, want := range map[string]float64{"1e-6": .0243559704, "9e-7": .0241296223,
		"5e-7": .0229374467} {
		f := newFilter(t, "1", "1e-7", slack)
		if got := toFloat(f.Params().Rho.r); math.Abs(got-want) > 1e-10 {
			t.Errorf("δ set aside %s: ρ* = %.10f, want %.10f", slack, got, want)
		}
	}
	if got := newFilter(t, "1", "5e-7", "5e-7").Guarantee().Exact(); got !=
		"ε = 1, δ = 1/1000000" {
		t.Errorf("guarantee %s", got)
	}
}

func TestFilterParams(t *testing.T) {
	small, large := rho(t, "0.02"), rho(t, "0.0244")
	for _, c := range []struct {
		name  string
		p     FilterParams
		field string
	}{
		{"no ε", FilterParams{Slack: delta(t, "1e-6")}, "epsilon"},
		// H: filter.md delta-below-one
		{"no slack", FilterParams{Epsilon: epsilon(t, "1"), Delta: delta(t, "1e-6")}, "slack"},
		// H: filter.md delta-below-one
		{"δ of 1", FilterParams{Epsilon: epsilon(t, "1"), Delta: delta(t, "1/2"),
			Slack: delta(t, "1/2")}, "slack"},
		// H: filter.md rho-fits
		{"ρ above what the slack allows", FilterParams{Epsilon: epsilon(t, "1"),
			Slack: delta(t, "1e-6"), Rho: large}, "rho"},
		{"a smaller ρ", FilterParams{Epsilon: epsilon(t, "1"), Slack: delta(t, "1e-6"),
			Rho: small}, ""},
		{"the ρ found before", newFilter(t, "1", "0", "1e-6").Params(), ""},
	} {
		_, err := NewFilter(c.p)
		var refused *param.Error
		switch {
		case c.field == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.field != "" && (!errors.As(err, &refused) || refused.Field != c.field):
			t.Errorf("%s: %v, want a fault of %s", c.name, err, c.field)
		}
	}
}

// TestFilterAdmits: a release needs one of the two counts, and always its δ.
func TestFilterAdmits(t *testing.T) {
	f := newFilter(t, "1", "5e-7", "5e-7") // ρ* = .0229374467
	times := func(n int, epsilonText, deltaText string) (sum Loss) {
		for range n {
			sum = sum.Plus(mustLoss(t, epsilonText, deltaText))
		}
		return sum
	}
	own := func(text, rhoText string) Loss {
		return PureLoss(epsilon(t, text)).WithRho(ratio(t, rhoText))
	}
	gauss := ConcentratedLoss(rho(t, "0.0229"))
	for _, c := range []struct {
		name  string
		spent Loss
		want  bool
	}{
		{"nothing", Loss{}, true},
		{"all of ε at once, of which ρ is too large", mustLoss(t, "1", "0"), true},
		{"more than ε, and than ρ*", mustLoss(t, "1.1", "0"), false}, // H: filter.md within
		{"114 small ones, ε = 2.28 and ρ = .0228", times(114, "0.02", "0"), true},
		{"115 of them, ρ = .022999", times(115, "0.02", "0"), false}, // H: filter.md within
		{"with all the δ of releases", times(50, "0.02", "1e-8"), true},
		{"a δ more than that, though less than in all", times(60, "0.02", "1e-8"), false},
		{"a δ more, within ε", mustLoss(t, "0.1", "6e-7"), false}, // H: filter.md within
		{"one of a ρ of its own", times(100, "0.02", "0").Plus(own("1", "0.0029")), true},
		{"Gaussian noise, which has no ε", gauss, true},
		{"too much of it", gauss.Plus(ConcentratedLoss(rho(t, "0.0001"))), false},
		{"no guarantee", NoPrivacy(), false},
	} {
		if got := f.Admits(c.spent); got != c.want {
			t.Errorf("%s: admitted is %v", c.name, got)
		}
	}
	// .02418 is above the ρ* of the slack, 9e-7, and below that of all of δ, 1e-6: what releases
	// leave of their δ does not become slack.
	if newFilter(t, "1", "1e-7", "9e-7").Admits(ConcentratedLoss(rho(t, "0.02418"))) {
		t.Error("the split of δ was chosen on the way")
	}
	// Optimal composition admits more of these, and is for a list fixed in advance.
	each, _, err := EachOf(20, epsilon(t, "1"), delta(t, "5e-7"), PureLoss)
	if err != nil {
		t.Fatal(err)
	}
	if f.Admits(Several{PureLoss(each), 20}.Sum()) {
		t.Errorf("20 of ε = %v by the optimal rule", each.Float64())
	}
}

// TestFilterLeft: what is left is admitted, and a little more is not.
func TestFilterLeft(t *testing.T) {
	f := newFilter(t, "1", "5e-7", "5e-7")
	for _, spent := range []Loss{{}, mustLoss(t, "0.3", "1e-7"), mustLoss(t, "1", "0"),
		Several{mustLoss(t, "0.02", "0"), 100}.Sum(), ConcentratedLoss(rho(t, "0.01"))} {
		left := f.Left(spent)
		with := func(part string) bool {
			loss, err := NewLoss(new(big.Rat).Mul(left, ratio(t, part)), nil)
			return err == nil && f.Admits(spent.Plus(loss))
		}
		if left.Sign() > 0 && (!with("1") || with("1.000002")) {
			t.Errorf("after %v is left %v", spent, toFloat(left))
		}
		if left.Sign() == 0 && f.Admits(spent.Plus(mustLoss(t, "1e-9", "0"))) {
			t.Errorf("after %v is left nothing, and more is admitted", spent)
		}
	}
	if left := f.Left(mustLoss(t, "0.1", "1e-6")); left.Sign() != 0 {
		t.Errorf("with more δ than there is, ε = %v is left", toFloat(left))
	}
	if left := f.Left(ConcentratedLoss(rho(t, "0.03"))); left.Sign() != 0 {
		t.Errorf("with more ρ than there is, ε = %v is left", toFloat(left))
	}
	wide := newFilter(t, "0.1", "0", "0.9") // ρ* is that of an ε above .1
	if left := toFloat(wide.Left(Loss{})); left < .5 {
		t.Errorf("of a slack of .9 is left ε = %v", left)
	}
}

// A response is randomised response of ε = moves·ln base, which with chance delta tells the truth.
type response struct {
	moves int
	delta *big.Rat
}

// adversary chooses, after each answer, the next of some responses, or stops.
type adversary struct {
	base      *big.Rat
	responses []response
	odds      *big.Rat // e^ε of the claim
	admits    func(count []int) bool

	known    map[string]*big.Rat
	admitted map[string]bool
}

// delta is the largest δ that the adversary reaches at odds, exactly: the mean under P of
// max(0, 1 − odds/e^L), L the loss so far in multiples of ln base.
func (a *adversary) delta(count []int, loss int) *big.Rat {
	if a.known == nil {
		a.known, a.admitted = map[string]*big.Rat{}, map[string]bool{}
	}
	state := fmt.Sprint(count, loss)
	if best, known := a.known[state]; known {
		return best
	}
	best := new(big.Rat).Sub(one, new(big.Rat).Quo(a.odds, toThe(a.base, loss)))
	if best.Sign() < 0 {
		best.SetInt64(0)
	}
	for i, r := range a.responses {
		next := append([]int(nil), count...)
		next[i]++
		name := fmt.Sprint(next)
		if _, asked := a.admitted[name]; !asked {
			a.admitted[name] = a.admits(next)
		}
		if !a.admitted[name] {
			continue
		}
		odds := toThe(a.base, r.moves)
		truth := new(big.Rat).Quo(odds, new(big.Rat).Add(odds, one))
		sum := new(big.Rat).Mul(truth, a.delta(next, loss+r.moves))
		sum.Add(sum, truth.Mul(truth.Sub(one, truth), a.delta(next, loss-r.moves)))
		if r.delta.Sign() > 0 {
			sum.Mul(sum, new(big.Rat).Sub(one, r.delta)).Add(sum, r.delta)
		}
		if sum.Cmp(best) > 0 {
			best = sum
		}
	}
	a.known[state] = best
	return best
}

func toThe(base *big.Rat, n int) *big.Rat {
	if n < 0 {
		return toThe(new(big.Rat).Inv(base), -n)
	}
	exponent := big.NewInt(int64(n))
	return new(big.Rat).SetFrac(new(big.Int).Exp(base.Num(), exponent, nil),
		new(big.Int).Exp(base.Denom(), exponent, nil))
}

// TestFilterAgainstAnAdversary: chosen on the way, randomised responses that the filter admits
// reach no more than its δ, and those that a mistaken filter admits reach more.
func TestFilterAgainstAnAdversary(t *testing.T) {
	for _, c := range []struct {
		base, deltaSum string
		responses      []response
		breaks         map[string]bool // the mistakes that these responses show
	}{
		{"11/10", "0", []response{{1, new(big.Rat)}, {3, new(big.Rat)}},
			map[string]bool{"twice ρ": true, "a list": true}},
		{"6/5", "1/100", []response{{1, new(big.Rat)}, {1, big.NewRat(1, 100)}},
			map[string]bool{"twice ρ": true, "all of δ": true, "no δ": true}},
		{"6/5", "0", []response{{1, new(big.Rat)}},
			map[string]bool{"twice ρ": true, "choices": true}},
	} {
		f := newFilter(t, "1", c.deltaSum, "1/100")
		p := f.Params()
		sum := func(count []int, of func(response) Loss) (all Loss) {
			for i, r := range c.responses {
				all = all.Plus(Several{of(r), uint64(count[i])}.Sum())
			}
			return all
		}
		loss := func(r response) Loss {
			l, err := LossFromOdds(toThe(ratio(t, c.base), r.moves), r.delta)
			if err != nil {
				t.Fatal(err)
			}
			return l
		}
		within := func(spent Loss, mostRho *big.Rat) bool {
			return spent.epsilonOrZero().Cmp(p.Epsilon.r) <= 0 || spent.Rho().Cmp(mostRho) <= 0
		}
		reaches := func(odds *big.Rat, admits func([]int) bool) *big.Rat {
			a := adversary{base: ratio(t, c.base), responses: c.responses, odds: odds,
				admits: admits}
			return a.delta(make([]int, len(c.responses)), 0)
		}
		claim := f.Guarantee().Delta()
		right := reaches(ExpDown(one), func(n []int) bool { return f.Admits(sum(n, loss)) })
		if right.Cmp(claim) > 0 || toFloat(right) < .2*toFloat(claim) {
			t.Errorf("base %s: an adversary reaches δ = %g, the claim is %g", c.base,
				toFloat(right), toFloat(claim))
		}
		for name, admits := range map[string]func([]int) bool{
			"twice ρ": func(n []int) bool { // H: filter.md within
				spent := sum(n, loss)
				return spent.Delta().Cmp(p.Delta.Rat()) <= 0 &&
					within(spent, new(big.Rat).Mul(p.Rho.r, two))
			},
			"choices": func(n []int) bool {
				return f.Admits(sum(n, func(r response) Loss { return loss(r).Ranged() }))
			},
			"all of δ": func(n []int) bool { // the sum of ε, with the δ that is set aside
				spent := sum(n, loss)
				return f.Admits(spent) || spent.AtMost(f.Guarantee())
			},
			"no δ": func(n []int) bool { return within(sum(n, loss), p.Rho.r) },
			"a list": func(n []int) bool { // the optimal rule, of the releases so far
				return fixedDelta(ratio(t, c.base), c.responses, n).Cmp(p.Slack.r) <= 0
			},
		} {
			if !c.breaks[name] {
				continue
			}
			if wrong := reaches(ExpUp(one), admits); wrong.Cmp(claim) <= 0 {
				t.Errorf("base %s: with the mistake %q an adversary reaches δ = %g only", c.base,
					name, toFloat(wrong))
			}
		}
	}
}

// TestTwoFilters: chosen on the way, responses of which each is admitted by one of two filters
// reach no more than both together, and more than one alone.
func TestTwoFilters(t *testing.T) {
	base := ratio(t, "21/20")
	both := []response{{1, new(big.Rat)}, {1, new(big.Rat)}}
	each, err := LossFromOdds(base, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := newFilter(t, "0.3", "0", "1/50")
	admits := func(n int) bool { return f.Admits(Several{each, uint64(n)}.Sum()) }
	reaches := func(epsilon string) float64 {
		a := adversary{base: base, responses: both, odds: ExpDown(ratio(t, epsilon)),
			admits: func(n []int) bool { return admits(n[0]) && admits(n[1]) }}
		return toFloat(a.delta(make([]int, 2), 0))
	}
	if off := reaches("0.6"); off > .04 || off < .002 {
		t.Errorf("an adversary reaches δ = %g, the claim is .04", off)
	}
	if off := reaches("0.3"); off <= .02 {
		t.Errorf("for the price of one an adversary reaches δ = %g only", off)
	}
}

// TestTwoLedgersInTurn: two ledgers used in turn, each by its own sum, break the claim of one, and
// those of which all together are admitted, as an import checks, do not.
func TestTwoLedgersInTurn(t *testing.T) {
	base := ratio(t, "21/20")
	each, err := LossFromOdds(base, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := newFilter(t, "0.3", "0", "1/50")
	admits := func(n int) bool { return f.Admits(Several{each, uint64(n)}.Sum()) }
	for name, c := range map[string]struct {
		admits func(n []int) bool
		breaks bool
	}{
		// H: filter.md every-release
		"each by itself": {func(n []int) bool { return admits(n[0]) && admits(n[1]) }, true},
		"all together":   {func(n []int) bool { return admits(n[0] + n[1]) }, false},
	} {
		a := adversary{base: base, odds: ExpDown(ratio(t, "0.3")), admits: c.admits,
			responses: []response{{1, new(big.Rat)}, {1, new(big.Rat)}}}
		off := toFloat(a.delta(make([]int, 2), 0))
		t.Logf("%s: δ = %g, %.2f of the claim", name, off, off/.02)
		if off > .02 != c.breaks {
			t.Errorf("%s: an adversary reaches δ = %g, the claim is .02", name, off)
		}
	}
}

// TestNumberDown: what is written is read again, and is no more.
func TestNumberDown(t *testing.T) {
	for text, want := range map[string]string{"1/3": "0.333333333333", "0": "0", "1/8": "0.125",
		"100": "100", "1e-40": "0", "2/30000000000": "0.0000000000666666666666",
		"12345678901234567890/7": "1763668414460000000"} {
		have := NumberDown(ratio(t, text))
		back, ok := ParseNumber(have)
		if have != want || !ok || back.Cmp(ratio(t, text)) > 0 {
			t.Errorf("%s is written as %s, want %s", text, have, want)
		}
	}
}

// fixedDelta is the δ at ε = 1 of a list of responses that is fixed in advance, rounded up.
func fixedDelta(base *big.Rat, responses []response, count []int) *big.Rat {
	law := map[int]*big.Rat{0: one} // by loss
	for i, r := range responses {
		odds := toThe(base, r.moves)
		lie := new(big.Rat).Inv(new(big.Rat).Add(odds, one))
		for range count[i] {
			next := map[int]*big.Rat{}
			add := func(loss int, chance *big.Rat) {
				if next[loss] == nil {
					next[loss] = new(big.Rat)
				}
				next[loss].Add(next[loss], chance)
			}
			for loss, chance := range law {
				add(loss-r.moves, new(big.Rat).Mul(chance, lie))
				add(loss+r.moves, new(big.Rat).Mul(chance, new(big.Rat).Sub(one, lie)))
			}
			law = next
		}
	}
	sum := new(big.Rat)
	for loss, chance := range law {
		over := new(big.Rat).Sub(one, new(big.Rat).Quo(ExpDown(one), toThe(base, loss)))
		if over.Sign() > 0 {
			sum.Add(sum, over.Mul(over, chance))
		}
	}
	return sum
}

// TestConvertedLossIsJoint: of 40 randomised responses, stated as (ε, δ) by their ρ, the law cut
// at e^ε times the other loses at most δ and keeps the moments of ρ.
func TestConvertedLossIsJoint(t *testing.T) {
	const k, each = 40, .2
	spent := Several{PureLoss(epsilon(t, "0.2")), k}.Sum()
	stated, err := spent.At(delta(t, "1e-3"))
	if err != nil {
		t.Fatal(err)
	}
	e := toFloat(stated.epsilonOrZero())
	cut, moment := 0.0, map[float64]float64{1.5: 0, 3: 0, 10: 0}
	for up := range k + 1 {
		ways, _ := math.Lgamma(k + 1)
		a, _ := math.Lgamma(float64(up) + 1)
		b, _ := math.Lgamma(float64(k-up) + 1)
		loss := each * float64(2*up-k)
		logP := ways - a - b + float64(up)*each - k*math.Log1p(math.Exp(each))
		kept := math.Exp(logP + min(0, e-loss))
		cut += math.Exp(logP) - kept
		for order := range moment {
			moment[order] += kept * math.Exp((order-1)*min(loss, e))
		}
	}
	if cut > 1e-3 || cut == 0 || toFloat(stated.Delta()) != 1e-3 {
		t.Errorf("cut off is %g", cut)
	}
	for order, m := range moment {
		if most := math.Exp(order * (order - 1) * toFloat(stated.Rho())); m > most {
			t.Errorf("order %g: %g, above %g", order, m, most)
		}
	}
}

// TestStated: a loss that was stored without its ρ is charged what its ε implies, with a δ or
// without, and one that states it is read back as it was charged, or more.
func TestStated(t *testing.T) {
	for _, text := range []string{`{"epsilon":"1","delta":"0"}`,
		`{"epsilon":"1","delta":"1/1000000"}`} {
		var old Loss
		if err := json.Unmarshal([]byte(text), &old); err != nil {
			t.Fatal(err)
		}
		if rho := toFloat(old.Rho()); math.Abs(rho-.4621171573) > 1e-10 {
			t.Errorf("%s is charged ρ = %g", text, rho)
		}
		stored, err := json.Marshal(old.Stated())
		if err != nil {
			t.Fatal(err)
		}
		var read Loss
		if err := json.Unmarshal(stored, &read); err != nil || read.rho == nil ||
			read.Rho().Cmp(old.Rho()) < 0 || math.Abs(toFloat(read.Rho())-.4621171573) > 1e-10 {
			t.Errorf("%s is stored as %s", text, stored)
		}
	}
	high := Loss{epsilon: big.NewRat(1, 1), rho: big.NewRat(1, 2)} // by ε²/2
	if rho := toFloat(high.Stated().Rho()); rho > .4622 {
		t.Errorf("a larger ρ than ε implies stays: %g", rho)
	}
}

// TestBriefDown: a number that is left is never overstated.
func TestBriefDown(t *testing.T) {
	for number, want := range map[string]string{"5/2": "2.5", "1/3": "0.3333…", "2/3": "0.6666…",
		"1/1000000": "0.000001", "12345": "12340…", "99999/100000": "0.9999…", "0": "0"} {
		r, _ := new(big.Rat).SetString(number)
		if got := BriefDown(r); got != want {
			t.Errorf("%s is written as %q, want %q", number, got, want)
		}
	}
}
