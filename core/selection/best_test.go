package selection

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/param"
	"hush/core/privacy"
)

// runsLaw is the exact law of the number of runs, from the sampler itself; what is beyond most
// runs, or was cut, is cut mass.
func runsLaw(t testing.TB, r Repetitions, most uint64) *coin.Law[uint64] {
	t.Helper()
	// Geometric draws branch up to most, which stands for all from there on and is cut below.
	limits := coin.Limits{Top: most}
	var law *coin.Law[uint64]
	switch r := r.(type) {
	case geometric:
		law = must(coin.Enumerate(limits, func(src coin.Source) (uint64, error) {
			return r.draw(src), nil
		}))
	case negativeBinomial:
		law = until(limits, most, r.round)
	case poisson:
		piece := until(limits, most, r.round)
		law = coin.NewLaw[uint64]()
		law.Add(0, ratOf(1))
		for range r.pieces {
			law = must(coin.Then(law, func(runs uint64) (*coin.Law[uint64], error) {
				next := coin.NewLaw[uint64]()
				for _, k := range piece.Outcomes() {
					next.Add(runs+k, piece.Mass(k))
				}
				next.AddCut(piece.Cut())
				return next, nil
			}))
		}
	}
	short := coin.NewLaw[uint64]()
	short.AddCut(law.Cut())
	for _, k := range law.Outcomes() {
		if k >= most {
			short.AddCut(law.Mass(k))
		} else {
			short.Add(k, law.Mass(k))
		}
	}
	return short
}

// until is the law of a round repeated until it is kept, its geometric draw up to most.
func until(limits coin.Limits, most uint64,
	round func(coin.Source) (uint64, bool)) *coin.Law[uint64] {
	type try struct {
		k    uint64
		kept bool
	}
	law := coin.NewLaw[try]()
	whole := must(coin.Enumerate(limits, func(src coin.Source) (try, error) {
		k, kept := round(src)
		return try{k, kept}, nil
	}))
	for _, o := range whole.Outcomes() {
		if o.k > most-1 {
			law.AddCut(whole.Mass(o))
		} else {
			law.Add(o, whole.Mass(o))
		}
	}
	return coin.Until(law, func(o try) (uint64, bool) { return o.k, o.kept })
}

// most is the number of runs from which on laws are cut: mass of about 2^-32 with a stop of 1/2.
const most = 32

// bestLaw is the exact law of BestOf: itself where the runs are limited, else the best of this many
// runs for each number of them.
func bestLaw(t testing.TB, r Repetitions,
	candidate func(rows []int) Candidate[int]) func(rows []int) (*coin.Law[int], error) {
	if g, ok := r.(geometric); ok && g.limit > 0 {
		m := &Best{repetitions: r}
		return func(rows []int) (*coin.Law[int], error) {
			return coin.Enumerate(coin.Limits{Top: g.limit - 1},
				func(src coin.Source) (int, error) {
					return outputOf(BestOf(src, m, candidate(rows), nil))
				})
		}
	}
	runs := runsLaw(t, r, most)
	return func(rows []int) (*coin.Law[int], error) {
		one, err := coin.Enumerate(coin.Limits{}, candidate(rows))
		if err != nil {
			return nil, err
		}
		start := coin.NewLaw[Scored[int]]()
		start.Add(Scored[int]{nothing, math.MinInt64}, ratOf(1))
		mixed := coin.NewLaw[int]()
		mixed.AddCut(runs.Cut())
		for k, best := uint64(0), start; k < most; k++ {
			for _, o := range best.Outcomes() {
				mixed.Add(o.Output, new(big.Rat).Mul(runs.Mass(k), best.Mass(o)))
			}
			best = must(coin.Then(best, func(lead Scored[int]) (*coin.Law[Scored[int]], error) {
				next := coin.NewLaw[Scored[int]]()
				for _, result := range one.Outcomes() {
					if lead.Output == nothing || better(result, lead) {
						next.Add(result, one.Mass(result))
					} else {
						next.Add(lead, one.Mass(result))
					}
				}
				return next, nil
			}))
		}
		return mixed, nil
	}
}

// formula is the law of BestOf with Geometric repetitions as the proof has it:
// γp/((γ+(1−γ)p_>)(γ+(1−γ)p_≥)).
func formula(stop *big.Rat, f finite,
	score func(output int) int64) func(rows []int) (*coin.Law[int], error) {
	return func(rows []int) (*coin.Law[int], error) {
		weights, total := f.on(rows), int64(0)
		for _, w := range weights {
			total += w
		}
		law, stay := coin.NewLaw[int](), new(big.Rat).Sub(ratOf(1), stop)
		for x, w := range weights {
			above, from := int64(0), int64(0)
			for y, v := range weights {
				if score(y) > score(x) {
					above += v
				}
				if score(y) >= score(x) {
					from += v
				}
			}
			p := new(big.Rat).Mul(stop, big.NewRat(w, total))
			for _, part := range []int64{above, from} {
				den := new(big.Rat).Mul(stay, big.NewRat(part, total))
				p.Quo(p, den.Add(den, stop))
			}
			law.Add(x, p)
		}
		return law, nil
	}
}

func own(output int) int64 { return int64(output) }

// cutTo allows a claim the mass that an audit cuts off.
func cutTo(claim audit.Claim) audit.Claim {
	claim.Delta = new(big.Rat).Add(claim.Delta, big.NewRat(1, 1<<20))
	return claim
}

func cost(r Repetitions, l privacy.Loss) audit.Claim {
	return claimOf(must(NewBest(BestParams{l, r})).Loss(1))
}

func TestAuditBest(t *testing.T) {
	holds := func(name string, f finite, claim audit.Claim,
		law func([]int) (*coin.Law[int], error)) {
		audittest.Holds(
			t, audit.Audit[int]{Name: "best, " + name, Space: f.space(), Claim: claim, Law: law})
	}
	flat := func(int) int64 { return 0 }
	for _, stop := range []string{"1/1000", "1/10"} {
		r := must(Geometric(rat(stop), 0))
		holds("sharp, geometric by formula, stop "+stop, sharp, cost(r, sharp.loss(t, "0")),
			formula(rat(stop), sharp, own))
		holds("graded, geometric by formula, stop "+stop, graded, cost(r, graded.loss(t, "0")),
			formula(rat(stop), graded, own))
		holds("graded, equal scores, geometric by formula, stop "+stop, graded,
			cost(r, graded.loss(t, "0")), formula(rat(stop), graded, flat))
		holds("leaky, geometric by formula, stop "+stop+", approximate", leaky,
			cost(r, leaky.loss(t, "1/50")), formula(rat(stop), leaky, own))
	}
	for _, test := range []struct {
		name  string
		r     Repetitions
		limit bool
	}{
		{"geometric, stop 1/4, limit 4", must(Geometric(rat("1/4"), 4)), true},
		{"geometric, stop 1/2, limit 6", must(Geometric(rat("1/2"), 6)), true},
		{"geometric, stop 1/2, limit 2", must(Geometric(rat("1/2"), 2)), true},
		{"geometric, stop 1/2", must(Geometric(rat("1/2"), 0)), false},
		{"logarithmic, stop 1/2", must(Logarithmic(rat("1/2"))), false},
		{"shape 1/2, stop 1/2", must(NegativeBinomial(rat("1/2"), rat("1/2"))), false},
		{"shape -1/2, stop 1/2", must(NegativeBinomial(rat("-1/2"), rat("1/2"))), false},
		{"Poisson, mean 1/3", must(Poisson(rat("1/3"))), false},
		{"Poisson, mean 3", must(Poisson(rat("3"))), false},
	} {
		for _, f := range []struct {
			name  string
			f     finite
			delta string
		}{{"sharp", sharp, "0"}, {"graded", graded, "0"}, {"leaky", leaky, "1/50"}} {
			claim := cost(test.r, f.f.loss(t, f.delta))
			if !test.limit {
				claim = cutTo(claim)
			}
			holds(f.name+", "+test.name, f.f, claim, bestLaw(t, test.r, f.f.candidate))
		}
	}
}

func TestPlantedBest(t *testing.T) {
	caught := func(name string, f finite, claim audit.Claim,
		law func([]int) (*coin.Law[int], error)) {
		audittest.Caught(
			t, audit.Audit[int]{Name: "best " + name, Space: f.space(), Claim: claim, Law: law})
	}
	one := sharp.loss(t, "0")
	rare := must(Geometric(rat("1/1000"), 0))
	caught("at the loss of one run", sharp, claimOf(one, nil), formula(rat("1/1000"), sharp, own))
	caught("at twice the loss, geometric", sharp, cost(must(Logarithmic(rat("1/2"))), one),
		formula(rat("1/1000"), sharp, own))
	forgetful := cost(rare, leaky.loss(t, "1/50"))
	forgetful.Delta = rat("1/25")
	caught("with the δ of one run", leaky, forgetful, formula(rat("1/1000"), leaky, own))

	// The best of a fixed number of runs has no such guarantee (B.1): the loss of k runs is what it
	// costs.
	fixed := func(k int) func([]int) (*coin.Law[int], error) {
		low := finite{{1, 2}, {2, 1}} // the worst output all k times
		return func(rows []int) (*coin.Law[int], error) {
			return coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
				best := 0
				for range k {
					result, err := low.candidate(rows)(src)
					if err != nil {
						return 0, err
					}
					best = max(best, result.Output)
				}
				return best, nil
			})
		}
	}
	caught("of 8 runs at the loss of one", finite{{1, 2}, {2, 1}}, claimOf(odds("2", "0"), nil),
		fixed(8))
	caught("of 8 runs at three times the loss", finite{{1, 2}, {2, 1}}, cost(rare, odds("2", "0")),
		fixed(8))
	all := claimOf(odds("256", "0"), nil)
	audittest.Holds(
		t, audit.Audit[int]{Name: "best of 8 runs at eight times the loss",
			Space: audit.Space{Persons: 1, Values: 1}, Claim: all, Law: fixed(8)})
	all.Odds = rat("255")
	caught("of 8 runs a little below eight times the loss", finite{{1, 2}, {2, 1}}, all, fixed(8))

	// The number of runs may not depend on the results, nor be revealed.
	patient := must(Geometric(rat("1/2"), 2))
	// H: best.md own-law
	caught("that runs again while the score is low", sharp, cost(patient, one),
		func(rows []int) (*coin.Law[int], error) {
			return coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
				best := 0
				for run := 0; run < 8 && best == 0; run++ {
					result, err := sharp.candidate(rows)(src)
					if err != nil {
						return 0, err
					}
					best = max(best, result.Output)
				}
				return best, nil
			})
		})
	// Ties broken by the data: the loss does not cover who comes first.
	caught("with ties broken by the data", sharp, claimOf(one, nil), // H: calls.md covers
		func(rows []int) (*coin.Law[int], error) {
			toward := func(output int) int64 { return int64(output * (2*rows[0] + 1)) }
			return formula(rat("1/1000"), sharp, toward)(rows)
		})
	// Hard stops before 1/stop runs.
	short := geometric{newTrials(rat("1/1000")), 2}
	free := cost(must(Geometric(rat("1/1000"), 0)), one)
	free.Odds = rat("2") // a hard stop that is called free of charge, at the loss of one run
	caught("with a hard stop after two runs at the loss of one", sharp, free,
		bestLaw(t, short, sharp.candidate))
}

// TestBestLaw finds BestOf, its formula and its number of runs the same law.
func TestBestLaw(t *testing.T) {
	stop := rat("1/2")
	for c := range graded {
		rows := make([]int, 2)
		for i := range rows {
			rows[i] = audit.None
			if i < c {
				rows[i] = 0
			}
		}
		want := must(formula(stop, graded, own)(rows))
		have := must(bestLaw(t, must(Geometric(stop, 0)), graded.candidate)(rows))
		for x := range graded[c] {
			apart := new(big.Rat).Sub(want.Mass(x), have.Mass(x))
			if apart.Sign() < 0 || apart.Cmp(have.Cut()) > 0 {
				t.Errorf("%v, output %d: %v, want %v", rows, x, have.Mass(x).FloatString(12),
					want.Mass(x).FloatString(12))
			}
		}
	}
}

// TestRepetitionLaws compares the samplers with their laws, and the numbers computed from them with
// the formulas.
func TestRepetitionLaws(t *testing.T) {
	weight := func(shape, stop float64, k uint64) float64 { // up to a factor
		w := math.Pow(1-stop, float64(k))
		for l := 1.0; l < float64(k); l++ {
			w *= (l + shape) / (l + 1)
		}
		return w
	}
	for _, test := range []struct {
		r      Repetitions
		weight func(k uint64) float64
	}{
		{must(Geometric(rat("1/3"), 0)), func(k uint64) float64 { return weight(1, 1.0/3, k) }},
		{must(NegativeBinomial(rat("1"), rat("1/3"))), func(k uint64) float64 {
			return weight(1, 1.0/3, k)
		}},
		{must(NegativeBinomial(rat("1/2"), rat("1/3"))), func(k uint64) float64 {
			return weight(.5, 1.0/3, k)
		}},
		{must(NegativeBinomial(rat("-1/2"), rat("1/3"))), func(k uint64) float64 {
			return weight(-.5, 1.0/3, k)
		}},
		{must(Logarithmic(rat("1/3"))), func(k uint64) float64 { return weight(0, 1.0/3, k) }},
		{must(Poisson(rat("5/3"))), func(k uint64) float64 {
			w := math.Exp(-5.0 / 3)
			for l := 1.0; l <= float64(k); l++ {
				w *= 5.0 / 3 / l
			}
			return w
		}},
	} {
		law, total, mean := runsLaw(t, test.r, 60), 0.0, 0.0
		for k := uint64(0); k < 60; k++ {
			if _, none := test.r.(poisson); k > 0 || none {
				total += test.weight(k)
				mean += float64(k) * test.weight(k)
			}
		}
		for k := uint64(0); k < 20; k++ {
			want := test.weight(k) / total
			if _, none := test.r.(poisson); k == 0 && !none {
				want = 0
			}
			if have := floatOf(law.Mass(k)); math.Abs(have-want) > 1e-9 {
				t.Errorf("%v: Pr[%d runs] is %v, want %v", test.r, k, have, want)
			}
		}
		if have := floatOf(test.r.Mean()); math.Abs(have-mean/total) > 1e-8 {
			t.Errorf("%v: mean %v, want %v", test.r, have, mean/total)
		}
		for _, share := range []float64{.01, .3, 1} {
			want := 0.0
			for k := uint64(0); k < 60; k++ {
				want += floatOf(law.Mass(k)) * math.Pow(1-share, float64(k))
			}
			if have := test.r.Miss(share); math.Abs(have-want) > 1e-9 {
				t.Errorf("%v: Miss(%v) is %v, want %v", test.r, share, have, want)
			}
		}
	}
}

// TestRepetitionVectors compares the best of scores with probabilities .5, .3, .2 with numbers
// computed apart from this code.
func TestRepetitionVectors(t *testing.T) {
	tenth := rat("1/10")
	for _, test := range []struct {
		r    Repetitions
		mean float64
		want [3]float64
	}{
		{must(Geometric(tenth, 0)), 10, [3]float64{.0909090909, .1948051948, .7142857143}},
		{must(Geometric(tenth, 10)), 10, [3]float64{.0912186421, .2212378311, .6875435268}},
		{must(Geometric(tenth, 30)), 10, [3]float64{.0909090909, .1948426788, .7142482302}},
		{must(Logarithmic(tenth)), 3.908650337, [3]float64{.2596373105, .2932046582, .4471580313}},
		{must(NegativeBinomial(rat("1/2"), tenth)), 6.581138830,
			[3]float64{.1611262658, .2503945955, .5884791387}},
	} {
		low, high := test.r.Miss(.5), test.r.Miss(.2)
		for i, have := range []float64{low, high - low, 1 - high} {
			if math.Abs(have-test.want[i]) > 2e-10 {
				t.Errorf("%v: output %d has %v, want %v", test.r, i, have, test.want[i])
			}
		}
		if have := floatOf(test.r.Mean()); math.Abs(have-test.mean) > 1e-8 {
			t.Errorf("%v: mean %v, want %v", test.r, have, test.mean)
		}
	}
}

// TestWorstCandidates looks for a candidate that breaks a bound, among random ones and those that
// move each output by the most allowed.
func TestWorstCandidates(t *testing.T) {
	tries := 60
	if *long {
		tries = 5000
	}
	random := rand.New(rand.NewPCG(5, 3))
	closest := 0.0
	for range tries {
		f := make(finite, 2)
		for i := range 3 + random.IntN(2) {
			w := 1 + random.Int64N(60)
			up := []int64{1, 2, 4}[random.IntN(3)]
			if i%7 == 0 {
				w *= 10
			}
			f[0], f[1] = append(f[0], w*2), append(f[1], w*up)
		}
		// Equal totals: the rest goes to the worst output, and the loss is measured.
		s0, s1 := int64(0), int64(0)
		for i := range f[0] {
			s0, s1 = s0+f[0][i], s1+f[1][i]
		}
		f[0][0], f[1][0] = f[0][0]+max(0, s1-s0), f[1][0]+max(0, s0-s1)
		if f.same() {
			continue
		}
		loss := f.loss(t, "0")
		stop := big.NewRat(1, 2+random.Int64N(200))
		r := must(Geometric(stop, 0))
		claim := cost(r, loss)
		report := must(
			audit.Run(audit.Audit[int]{Space: f.space(), Claim: claim, Law: formula(stop, f, own)},
				nil))
		if report.Verdict() != audit.Holds {
			t.Fatalf("candidate %v, stop %v: %s", f, stop, report.Row())
		}
		closest = max(closest, math.Log(floatOf(report.Odds))/math.Log(floatOf(claim.Odds)))
	}
	if closest < .6 || closest > 1 {
		t.Errorf("the closest candidate has %.3f of the loss claimed", closest)
	}
}

func TestPoissonIsCheapWhenRare(t *testing.T) {
	one := odds("2", "0")
	for _, test := range []struct {
		mean string
		most float64
	}{{"1/3", 1.17}, {"1", 1.49}, {"4", 2.93}} {
		epsilon, _ := must(must(NewBest(BestParams{one, must(Poisson(rat(test.mean)))})).Loss(1)).
			Epsilon()
		if have := floatOf(epsilon) / math.Ln2; have > test.most || have < 1 {
			t.Errorf("mean %s costs %.3f times one run", test.mean, have)
		}
	}
}

func TestRefusals(t *testing.T) {
	field := func(err error) string {
		var refused *param.Error
		if !errors.As(err, &refused) {
			return ""
		}
		return refused.Field
	}
	_, err := Geometric(rat("1/4"), 3) // H: best.md limit-long
	if field(err) != "limit" {
		t.Error(err)
	}
	// H: best.md shape
	for _, shape := range []*big.Rat{nil, rat("-1"), rat("2"), rat("1/65537000000")} {
		if _, err := NegativeBinomial(shape, rat("1/4")); field(err) != "shape" {
			t.Error(err)
		}
	}
	for _, mean := range []*big.Rat{nil, rat("0"), rat("1048577")} { // H: best.md mean
		if _, err := Poisson(mean); field(err) != "mean" {
			t.Error(err)
		}
	}
	for _, stop := range []*big.Rat{nil, rat("0"), rat("1/1073741825"), rat("9/8")} {
		if _, err := Logarithmic(stop); field(err) != "stop" { // H: best.md stop-range
			t.Error(err)
		}
	}
	large := must(privacy.NewLoss(rat("1001"), nil))
	if _, err := must(Logarithmic(rat("1/4"))).Cost(large); field(err) != "loss" {
		t.Error(err) // H: calls.md loss-size
	}
	if _, err := NewBest(BestParams{Loss: odds("2", "0")}); field(err) != "repetitions" {
		t.Error(err)
	}
	if _, err := OneOf[int](nil); field(err) != "candidates" {
		t.Error(err)
	}
	if _, err := OneOf([]Candidate[int]{nil}); field(err) != "candidates" {
		t.Error(err)
	}
}

// TestErrorsEndTheWork checks that a candidate's error and a listener's come out, and that the
// listener learns no number of runs.
func TestErrorsEndTheWork(t *testing.T) {
	broken := errors.New("broken")
	src := coin.NewSeeded(1)
	best := must(NewBest(BestParams{odds("2", "0"), must(Geometric(rat("1/50"), 0))}))
	if _, found,
		err := BestOf(src, best, func(coin.Source) (Scored[int], error) {
		return Scored[int]{}, broken
	}, nil); found || !errors.Is(err, broken) {
		t.Errorf("%v, %v", found, err)
	}
	calls := 0
	step := func(done, total int64) error {
		if done != 0 || total != 1 {
			t.Errorf("progress %d of %d", done, total)
		}
		if calls++; calls == 2 {
			return broken
		}
		return nil
	}
	threshold := newThreshold(odds("2", "0"), "1/1000", 0)
	low := func(coin.Source) (Scored[int], error) { return Scored[int]{0, 0}, nil }
	if _, found, err := FirstAbove(src, threshold, 1, low, step); found ||
		!errors.Is(err, broken) || calls != 2 {
		t.Errorf("%v, %v after %d", found, err, calls)
	}
}

func TestOneOfAndWorst(t *testing.T) {
	each := func(k int) Candidate[int] {
		return func(coin.Source) (Scored[int], error) { return Scored[int]{k, int64(k)}, nil }
	}
	law := must(
		coin.Enumerate(coin.Limits{}, must(OneOf([]Candidate[int]{each(0), each(1), each(2)}))))
	for k := range 3 {
		if law.Mass(Scored[int]{k, int64(k)}).Cmp(rat("1/3")) != 0 {
			t.Errorf("candidate %d has mass %v", k, law.Mass(Scored[int]{k, int64(k)}))
		}
	}
	worst := must(Worst(odds("2", "1/10"), odds("3", "1/100"), odds("5/2", "0")))
	if odds, _ := worst.Odds(); odds.Cmp(rat("3")) != 0 || worst.Delta().Cmp(rat("1/10")) != 0 {
		t.Errorf("the worst is %v", worst)
	}
	rho := func(text string) privacy.Loss {
		return privacy.ConcentratedLoss(must(privacy.ParseRho(text)))
	}
	if worst = must(Worst(rho("1"), rho("3"), rho("2"))); worst.Rho().Cmp(rat("3")) != 0 {
		t.Errorf("the worst is %v", worst)
	}
	if _, err := Worst(rho("1"), odds("2", "0")); !errors.Is(err, privacy.ErrNoBound) {
		t.Error(err)
	}
}

// TestMeanRunsAreRoundedUp: δ is paid for each run, so their mean is never below what it is: where
// a power is known exactly, and where it is a logarithm.
func TestMeanRunsAreRoundedUp(t *testing.T) {
	for _, c := range []struct{ shape, stop, want string }{{"1/2", "1/4", "3"},
		{"-1/2", "1/4", "3/2"}, {"1/2", "1/9", "6"}, {"-1/2", "1/25", "3"}, {"1", "1/5", "5"}} {
		have := must(NegativeBinomial(rat(c.shape), rat(c.stop))).Mean()
		off := have.Sub(have, rat(c.want))
		if gap, _ := off.Float64(); off.Sign() < 0 || gap > 1e-20 {
			t.Errorf("shape %s, stop %s: the mean is %g off from %s", c.shape, c.stop, gap, c.want)
		}
	}
	for _, stop := range []string{"1/3", "1/10", "1/777", "2/5", "1/100000"} {
		against := new(big.Rat).Inv(rat(stop))
		log := privacy.LogDown(against)
		want := against.Sub(against, ratOf(1)).Quo(against, log)
		if have := must(Logarithmic(rat(stop))).Mean(); have.Cmp(want) < 0 {
			t.Errorf("stop %s: the mean is %v, want at least %v", stop, have.FloatString(45),
				want.FloatString(45))
		}
	}
}
