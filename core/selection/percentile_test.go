package selection

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/param"
	"hush/core/privacy"
)

// coarse is a sparse vector with steps of a whole sensitivity and base 2: e^ε is 2·4.
func coarse() *mechanism.AboveThreshold {
	two := must(coin.NewBase(2, 1))
	return must(
		mechanism.NewAboveThreshold(
			mechanism.AboveThresholdParams{BaseThreshold: two, BaseQueries: two, Sensitivity: 1}))
}

// few bounds noise in audits: about 2^−9 is cut from each draw.
var few = coin.Limits{Tail: rat("1/512")}

// share is Pr[output ≥ x] on a data set.
func (f finite) share(rows []int, x int) *big.Rat {
	total, from := int64(0), int64(0)
	for y, w := range f.on(rows) {
		total += w
		if y >= x {
			from += w
		}
	}
	return big.NewRat(from, total)
}

// near allows a claim the mass that few cuts.
func near(claim audit.Claim) audit.Claim {
	claim.Delta = new(big.Rat).Add(claim.Delta, rat("1/256"))
	return claim
}

// percentilesLaw is the law of the query that is answered "above", nothing for none.
func percentilesLaw(m *Percentiles,
	probability func(rows []int, query int) *big.Rat) func(rows []int) (*coin.Law[int], error) {
	return func(rows []int) (*coin.Law[int], error) {
		return coin.Enumerate(few, func(src coin.Source) (int, error) {
			run := m.Start(src)
			for query := range 3 {
				if above, err := run.Above(probability(rows, query)); above || err != nil {
					return query, err
				}
			}
			return nothing, nil
		})
	}
}

func TestAuditPercentiles(t *testing.T) {
	for _, f := range []struct {
		name string
		f    finite
	}{{"sharp", sharp}, {"graded", graded}} {
		loss := f.f.loss(t, "0")
		m := must(NewPercentiles(
			PercentilesParams{Loss: loss, Epsilon: must(privacy.ParseEpsilon("1")),
				Target: rat("2/5")}))
		m.above, m.ruler.steps = coarse(), 1
		audittest.Holds(
			t, audit.Audit[int]{Name: "percentiles, " + f.name + ", 3 queries", Space: f.f.space(),
				Claim: near(claimOf(m.Loss(1))),
				Law: percentilesLaw(m, func(rows []int, query int) *big.Rat {
					return f.f.share(rows, 2-query)
				})})
	}
}

func TestPlantedPercentiles(t *testing.T) {
	m := must(NewPercentiles(
		PercentilesParams{Loss: sharp.loss(t, "0"), Epsilon: must(privacy.ParseEpsilon("1")),
			Target: rat("2/5")}))
	m.above, m.ruler.steps = coarse(), 1
	top := func(rows []int, query int) *big.Rat { return sharp.share(rows, 2) }
	caught := func(name string, m *Percentiles, of func([]int, int) *big.Rat) {
		audittest.Caught(
			t, audit.Audit[int]{Name: "percentiles " + name, Space: sharp.space(),
				Claim: near(claimOf(m.Loss(1))), Law: percentilesLaw(m, of)})
	}
	fine := *m
	fine.ruler.steps = 16
	caught("measured in finer steps than the noise allows", &fine, top)
	caught("that compare medians", m, func(rows []int, _ int) *big.Rat {
		if p := sharp.share(rows, 2); p.Cmp(rat("1/2")) > 0 {
			return rat("1")
		}
		return rat("0")
	})
}

// binomial lists the ways to have each count in this many runs of which each counts with
// probability share.
type binomial struct {
	samples uint64
	share   *big.Rat
}

func (b binomial) Len() int { return int(b.samples) + 1 }

func (b binomial) Group(i int) (int64, uint64, *big.Int) {
	ways := new(big.Int).Binomial(int64(b.samples), int64(i))
	yes := new(big.Int).Exp(b.share.Num(), big.NewInt(int64(i)), nil)
	no := new(big.Int).Sub(b.share.Denom(), b.share.Num())
	return 0, 0,
		ways.Mul(ways, yes).Mul(ways, no.Exp(no, big.NewInt(int64(b.samples)-int64(i)), nil))
}

func sampled(loss privacy.Loss, delta string) *SampledPercentiles {
	m := must(NewSampledPercentiles(SampledPercentilesParams{coarseSampling(loss, delta), 2}))
	m.above, m.ruler.steps = coarse(), 1
	return m
}

// coarseSampling takes few samples.
func coarseSampling(loss privacy.Loss, delta string) SamplingParams {
	return SamplingParams{Loss: loss, Epsilon: must(privacy.ParseEpsilon("1")),
		Delta: must(privacy.ParseDelta(delta)), Target: rat("1/2"), Slack: rat("3"),
		Regulariser: rat("1/2")}
}

// TestAuditSampled has the whole law: how many of the samples reach the score, and the noisy
// answers to two queries.
func TestAuditSampled(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of big fractions")
	}
	m := sampled(sharp.loss(t, "0"), "1/10")
	if m.samples > 30 {
		t.Fatalf("%d samples are too many to enumerate", m.samples)
	}
	claim := claimOf(coarse().Loss(1))
	claim.Delta = rat("1/10")
	audittest.Holds(
		t, audit.Audit[int]{Name: "sampled percentiles, 2 queries", Space: sharp.space(),
			Claim: claim, Law: func(rows []int) (*coin.Law[int], error) {
				return coin.Enumerate(coin.Limits{Tail: rat("1/64")},
					func(src coin.Source) (int, error) {
						run := m.Start(src)
						for query := range 2 {
							count, err := src.Choose(
								binomial{m.samples, sharp.share(rows, 2-query)},
								coin.Base{}, nil)
							if err != nil {
								return 0, err
							}
							if above, err := run.AboveCount(uint64(count)); above || err != nil {
								return query, err
							}
						}
						return nothing, nil
					})
			}})
}

// TestAuditSearch has one set of samples for three levels.
func TestAuditSearch(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of big fractions")
	}
	m := &Search{
		sampling{newRuler(privacy.LogUp(rat("8"))), coarse(), nil, nil, rat("1/4"), 5},
		[]int64{2, 1, 0}, rat("3/4")}
	m.ruler.steps = 1
	three := func(rows []int) func(src coin.Source) ([]uint64, error) {
		return func(src coin.Source) ([]uint64, error) {
			return countAbove(src, &m.sampling, graded.candidate(rows), m.levels, nil)
		}
	}
	claim := claimOf(m.above.Loss(1))
	claim.Delta = rat("1/20")
	audittest.Holds(
		t, audit.Audit[int]{Name: "search among 3 levels, 5 samples", Space: graded.space(),
			Claim: claim, Law: func(rows []int) (*coin.Law[int], error) {
				counts, err := coin.Enumerate(coin.Limits{},
					func(src coin.Source) ([3]uint64, error) {
						counts, err := three(rows)(src)
						return [3]uint64(counts), err
					})
				if err != nil {
					return nil, err
				}
				return coin.Then(counts, func(counts [3]uint64) (*coin.Law[int], error) {
					return coin.Enumerate(few, func(src coin.Source) (int, error) {
						level, err := m.ThresholdFrom(src, counts[:])
						return int(level), err
					})
				})
			}})
}

func TestSamplesFor(t *testing.T) {
	// About (8/(a²ξ))·ln(2/δ*) for small a.
	n := must(samplesFor(rat("1/100"), rat("1/10"), rat("1/1000000")))
	if want := 8 / 1e-4 / .1 * math.Log(2e6); math.Abs(float64(n)/want-1) > .01 {
		t.Errorf("%d samples, want about %.0f", n, want)
	}
	// The least whole number above 2(1 + c/3)/c²·ln(2/δ*)/ξ, c = e^(a/2) − 1, or 1/(2c'²) of that.
	for _, slack := range []string{"1", "3/4", "1/2", "1/3"} {
		for _, failure := range []string{"1/50", "1/1000", "1/77"} {
			a, d := floatOf(rat(slack))/2, floatOf(rat(failure))
			up, down := math.Expm1(a), -math.Expm1(-a)
			want := max(2*(1+up/3)/(up*up), 1/(2*down*down)) / .125 * math.Log(2/d)
			have := must(samplesFor(rat(slack), rat("1/8"), rat(failure)))
			if float64(have) != math.Floor(want)+1 {
				t.Errorf("slack %s, failure %s: %d samples, want above %g", slack, failure, have,
					want)
			}
		}
	}
	// With this many, both tails are below δ*/2 where they are worst: exactly, for one mean.
	m, xi, failure := must(samplesFor(rat("1"), rat("1/8"), rat("1/50"))), rat("1/8"), rat("1/100")
	for _, mean := range []*big.Rat{rat("1/50"), rat("1/8"), rat("1/2"), rat("9/10")} {
		centre := new(big.Rat).Add(mean, xi)
		high := new(big.Rat).Mul(centre, privacy.ExpDown(rat("1/2")))
		low := new(big.Rat).Mul(centre, privacy.ExpUp(rat("-1/2")))
		above, below := new(big.Rat), new(big.Rat)
		all := new(big.Int).Exp(mean.Denom(), new(big.Int).SetUint64(m), nil)
		for k := range (binomial{m, mean}).Len() {
			_, _, ways := binomial{m, mean}.Group(k)
			f := frequency(uint64(k), m)
			f.Add(f, xi)
			mass := new(big.Rat).SetFrac(ways, all)
			if f.Cmp(high) > 0 {
				above.Add(above, mass)
			}
			if f.Cmp(low) < 0 {
				below.Add(below, mass)
			}
		}
		if above.Cmp(failure) > 0 || below.Cmp(failure) > 0 {
			t.Errorf("mean %v, %d samples: tails %v and %v", mean, m, above.FloatString(6),
				below.FloatString(6))
		}
	}
}

// TestMeter finds that logarithms which differ by the sensitivity differ by the steps.
func TestMeter(t *testing.T) {
	m := newRuler(privacy.LogUp(rat("4")))
	for _, x := range []string{"1/1000000", "1/3", "1", "7/5", "123456789"} {
		low, high := rat(x), new(big.Rat).Mul(rat(x), rat("4"))
		if d := m.log(high) - m.log(low); d < 1023 || d > 1024 {
			t.Errorf("%s and four times that are %d steps apart", x, d)
		}
		if d := m.log(new(big.Rat).Mul(rat(x), rat("2"))) - m.log(low); d < 511 || d > 513 {
			t.Errorf("%s and twice that are %d steps apart", x, d)
		}
	}
	if m.log(new(big.Rat)) >= m.log(rat("1/1000000000000")) ||
		m.most() <= m.log(rat("1000000000000")) {
		t.Error("0 and 1 are not at the ends")
	}
}

// TestPercentilesMeasureTwice: log-odds of two neighbours of an ε-DP candidate are up to 2ε apart,
// and that is what the noise is made for, to a step: p as large and 1 − p as small as they may be.
func TestPercentilesMeasureTwice(t *testing.T) {
	for _, factor := range []string{"3/2", "4", "101/100"} {
		r := rat(factor)
		m := must(NewPercentiles(PercentilesParams{Loss: odds(factor, "0"),
			Epsilon: must(privacy.ParseEpsilon("1")), Target: rat("1/3")}))
		low := new(big.Rat).Inv(new(big.Rat).Add(r, ratOf(1))) // and 1 − low is r times that
		high := new(big.Rat).Sub(ratOf(1), low)
		logOdds := func(p *big.Rat) int64 {
			return m.ruler.log(new(big.Rat).Quo(p, new(big.Rat).Sub(ratOf(1), p)))
		}
		if d := logOdds(high) - logOdds(low); d > resolution || d < resolution-2 {
			t.Errorf("factor %s: neighbours are %d steps apart, want %d", factor, d, resolution)
		}
		if want := logOdds(rat("1/3")); m.ruler.log(m.target) != want {
			t.Errorf("the target stands at %d steps, want %d", m.ruler.log(m.target), want)
		}
		two := must(coin.ExpBelow(big.NewRat(1, 4*resolution)))
		paid := must(mechanism.NewAboveThreshold(mechanism.AboveThresholdParams{
			BaseThreshold: must(coin.ExpBelow(big.NewRat(1, 2*resolution))), BaseQueries: two,
			Sensitivity: resolution}))
		if have, want := m.ErrorBound(.05, 3), m.ruler.length(paid.ErrorBound(.05, 3)+1); have !=
			want {
			t.Errorf("the noise is off by %g, want that of steps of all log-odds: %g", have, want)
		}
	}
}

// dice is a candidate whose scores are uniform from 0 to 99, whatever the data.
func dice(src coin.Source) (Scored[int], error) {
	s := int(src.Uniform(100))
	return Scored[int]{s, int64(s)}, nil
}

// TestSearchFinds looks for a level that a tenth of the runs reach, with a budget that leaves
// little noise.
func TestSearchFinds(t *testing.T) {
	levels := make([]int64, 21)
	for i := range levels {
		levels[i] = int64(100 - 5*i)
	}
	m := must(NewSearch(
		SearchParams{
			SamplingParams{Loss: odds("11/10", "0"), Epsilon: must(privacy.ParseEpsilon("50")),
				Delta:  must(privacy.ParseDelta("1e-6")),
				Target: rat("1/10"), Slack: rat("1/2"), Regulariser: rat("1/100")}, levels}))
	src := coin.NewSeeded(4)
	for range 20 {
		if level := must(FindThreshold(src, m, dice, nil)); level < 80 || level > 95 {
			t.Errorf("level %d is reached by %d %%, want about 10", level, 100-level)
		}
	}
}

// TestUnknown selects where the search has a multiple of the candidate's loss, and refuses where it
// has not.
func TestUnknown(t *testing.T) {
	p := UnknownParams{Loss: odds("101/100", "0"), Epsilon: must(privacy.ParseEpsilon("2")),
		Delta:  must(privacy.ParseDelta("1e-6")),
		Levels: []int64{95, 75, 0}, Share: rat("1/4"), Beta: rat("1/4")}
	m := must(NewUnknown(p))
	epsilon, _ := must(m.Loss(1)).Epsilon()
	if spent := floatOf(epsilon); spent > 2+2*math.Log(1.01) || spent < 1 || must(m.Loss(1)).
		Delta().Cmp(p.Delta.Rat()) != 0 {
		t.Errorf("the loss is %v", must(m.Loss(1)))
	}
	parts := must(m.search.Loss(1)).Plus(must(m.threshold.Loss(1)))
	if !parts.AtMost(must(m.Loss(1))) {
		t.Errorf("the loss is %v, that of both steps %v", must(m.Loss(1)), parts)
	}
	src, good := coin.NewSeeded(9), 0
	for range 5 {
		result, _, found, err := FirstAboveUnknown(src, m, dice, nil)
		if err != nil {
			t.Fatal(err)
		}
		if found && result.Score >= 75 {
			good++
		}
	}
	if good < 3 {
		t.Errorf("%d of 5 runs reach what a quarter of the runs reach, with %d samples each", good,
			m.Samples())
	}
	p.Epsilon = must(privacy.ParseEpsilon("90"))
	if epsilon, _ := must(must(NewUnknown(p)).Loss(1)).
		Epsilon(); floatOf(epsilon) > 90+2*math.Log(1.01) || floatOf(epsilon) < 80 {
		t.Errorf("the loss for much ε is %v", epsilon)
	}
	p.Epsilon = must(privacy.ParseEpsilon("2"))
	p.Loss = odds("3", "0")
	if _, err := NewUnknown(p); err == nil {
		t.Error("an unaffordable search was not refused")
	}
}

// aboveSampled answers whether the candidate reaches the score with at least the target
// probability, with noise: true ends the run. step may be nil; its units are runs of this
// candidate, whose number is public.
func aboveSampled[T any](r *SampledRun, candidate Candidate[T], threshold int64,
	step coin.Step) (bool, error) {
	count, err := countAbove(r.src, &r.mechanism.sampling, candidate, []int64{threshold}, step)
	if err != nil {
		return false, err
	}
	return r.AboveCount(count[0])
}

func TestPercentileRefusals(t *testing.T) {
	for field, change := range map[string]func(*SamplingParams){ // H: percentile.md settings
		"delta": func(p *SamplingParams) {
			p.Delta = privacy.Delta{}
		}, "slack": func(p *SamplingParams) {
			p.Slack = nil
		}, "regulariser": func(p *SamplingParams) { p.Regulariser = rat("0") },
		"target": func(p *SamplingParams) {
			p.Target = rat("1")
		}, "epsilon": func(p *SamplingParams) { p.Epsilon = privacy.Epsilon{} },
	} {
		p := coarseSampling(odds("2", "0"), "1/10")
		change(&p)
		_, sampling := NewSampledPercentiles(SampledPercentilesParams{p, 2})
		_, search := NewSearch(SearchParams{p, []int64{1, 0}})
		for _, err := range []error{sampling, search} {
			if refused := new(param.Error); !errors.As(err, &refused) || refused.Field != field {
				t.Errorf("%s: %v", field, err)
			}
		}
	}
	one := must(privacy.ParseEpsilon("1"))
	if _, err := NewPercentiles(
		// H: percentile.md pure
		PercentilesParams{Loss: odds("2", "1/10"), Epsilon: one, Target: rat("1/2")}); err == nil {
		t.Error("an oracle for a candidate with a δ")
	}
	m := must(NewPercentiles(
		PercentilesParams{Loss: odds("2", "0"), Epsilon: one, Target: rat("1/2")}))
	run := m.Start(coin.NewSeeded(1))
	if _, err := run.Above(rat("3/2")); err == nil { // H: percentile.md probability
		t.Error("a probability of 3/2")
	}
	for above := false; !above; {
		above = must(run.Above(rat("1")))
	}
	// H: percentile.md halted
	if _, err := run.Above(rat("1")); !errors.Is(err, mechanism.ErrHalted) {
		t.Errorf("after the first answer: %v", err)
	}
	s := sampled(odds("2", "0"), "1/10").Start(coin.NewSeeded(1))
	for range 2 {
		s.run = coarse().Start(coin.NewSeeded(1), 0)
		if _, err := aboveSampled(s, dice, 50, nil); err != nil {
			t.Error(err)
		}
	}
	if _, err := aboveSampled(s, dice, 50, nil); err == nil { // H: percentile.md as-announced
		t.Error("more candidates than announced")
	}
	s = sampled(odds("2", "0"), "1/10").Start(coin.NewSeeded(1))
	if _, err := s.AboveCount(s.mechanism.samples + 1); err == nil { // H: percentile.md samples
		t.Error("more runs than samples")
	}
	for _, levels := range [][]int64{nil, {0, 1}, {1, 1}} { // H: percentile.md levels-fall
		_, err := NewSearch(SearchParams{coarseSampling(odds("2", "0"), "1/10"), levels})
		if refused := new(param.Error); !errors.As(err, &refused) || refused.Field != "levels" {
			t.Errorf("levels %v: %v", levels, err)
		}
	}
	search := must(NewSearch(SearchParams{coarseSampling(odds("2", "0"), "1/10"), []int64{1, 0}}))
	// H: percentile.md samples
	if _, err := search.ThresholdFrom(coin.NewSeeded(1), []uint64{3}); err == nil {
		t.Error("counts for one of two levels")
	}
}

// TestSamplingPaysForEachRun: all samples of all measurements are runs whose δ is paid for; each
// measurement may mislead, in either direction, with its part of the δ for that; and logarithms are
// measured in steps as wide as those of two neighbours may differ.
func TestSamplingPaysForEachRun(t *testing.T) {
	const ofRun, failing = 1e-9, 1e-3
	p := SamplingParams{
		Loss:    must(privacy.NewLoss(rat("1"), rat("1/1000000000"))),
		Epsilon: must(privacy.ParseEpsilon("1/2")), Delta: must(privacy.ParseDelta("0.001")),
		Target: rat("1/2"), Slack: rat("3/4"), Regulariser: rat("1/4"),
	}
	for _, times := range []int64{1, 2, 5} {
		percentiles := must(NewSampledPercentiles(SampledPercentilesParams{p, uint64(times)}))
		search := must(NewSearch(SearchParams{p, []int64{9, 8, 7, 6, 5}[:times]}))
		for _, tt := range []struct {
			name       string
			m          sampling
			logarithms int64
			runs       float64 // of a sample
		}{{"percentiles", percentiles.sampling, 2, float64(times)},
			{"search", search.sampling, 1, 1}} {
			each := new(big.Rat).Quo(p.Delta.Rat(), ratOf(2*tt.logarithms*times))
			samples := must(samplesFor(p.Slack, p.Regulariser, each))
			if tt.m.samples != samples {
				t.Errorf("%s, %d times: %d samples, want %d", tt.name, times, tt.m.samples, samples)
			}
			factor := (1 + math.Exp(0.5)) / (1 + math.E)
			want := failing + factor*ofRun*tt.runs*float64(samples)
			if got := tt.m.spend.Loss.Delta(); math.Abs(floatOf(got)/want-1) > 1e-9 {
				t.Errorf("%s, %d times: δ = %v, want %g", tt.name, times, got, want)
			}
			width := 1.75 * float64(tt.logarithms)
			if got := floatOf(tt.m.ruler.width); math.Abs(got-width) > 1e-9 {
				t.Errorf("%s, %d times: steps are %g wide together, want %g", tt.name, times, got,
					width)
			}
		}
	}
}
