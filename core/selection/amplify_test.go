package selection

import (
	"errors"
	"math"
	"strings"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/param"
	"hush/core/privacy"
)

func amplify(loss privacy.Loss, dummies uint64, base coin.Base, candidates uint64) *Amplify {
	return must(
		NewAmplify(AmplifyParams{Loss: loss, Dummies: dummies, Base: base, Best: 2,
			Candidates: candidates}))
}

func onceLaw(m *Amplify,
	candidate func(rows []int) Candidate[int]) func(rows []int) (*coin.Law[int], error) {
	return func(rows []int) (*coin.Law[int], error) {
		return coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
			var each []Candidate[int]
			for range m.candidates {
				each = append(each, candidate(rows))
			}
			return outputOf(OnceEach(src, m, each, nil))
		})
	}
}

func TestAuditAmplify(t *testing.T) {
	two, million := must(coin.NewBase(2, 1)), must(coin.NewBase(1000000, 1))
	for _, test := range []struct {
		name  string
		f     finite
		delta string
		m     func(loss privacy.Loss) *Amplify
	}{
		{"sharp, 3 candidates, 2 dummies, best only", sharp, "0", func(l privacy.Loss) *Amplify {
			return amplify(l, 2, million, 3)
		}},
		{"sharp, 5 candidates, 4 dummies, best only", sharp, "0", func(l privacy.Loss) *Amplify {
			return amplify(l, 4, million, 5)
		}},
		{"graded, 4 candidates, 2 dummies, base 2", graded, "0", func(l privacy.Loss) *Amplify {
			return amplify(l, 2, two, 4)
		}},
		{"graded, 2 candidates, 2 dummies, all alike", graded, "0", func(l privacy.Loss) *Amplify {
			return amplify(l, 2, coin.Base{}, 2)
		}},
		{"leaky, 3 candidates, 3 dummies, approximate", leaky, "1/50",
			func(l privacy.Loss) *Amplify { return amplify(l, 3, two, 3) }},
	} {
		m := test.m(test.f.loss(t, test.delta))
		audittest.Holds(
			t, audit.Audit[int]{Name: "once each, " + test.name, Space: test.f.space(),
				Claim: claimOf(m.Loss(1)), Law: onceLaw(m, test.f.candidate)})
	}
}

func TestPlantedAmplify(t *testing.T) {
	million := must(coin.NewBase(1000000, 1))
	m := amplify(sharp.loss(t, "0"), 2, million, 5)
	claim := claimOf(m.Loss(1))
	none := *m
	none.dummies = 0
	// Without dummies a result that is hardly ever worth anything is chosen for want of others.
	audittest.Caught(
		// H: amplify.md dummies
		t, audit.Audit[int]{Name: "once each without dummies", Space: sharp.space(), Claim: claim,
			Law: onceLaw(&none, func(rows []int) Candidate[int] {
				return finite{{1, 0, 2}, {2, 0, 1}}.candidate(rows)
			})})
	audittest.Caught(
		t, audit.Audit[int]{Name: "once each at the loss of one run", Space: sharp.space(),
			Claim: claimOf(sharp.loss(t, "0"), nil), Law: onceLaw(m, sharp.candidate)})
}

func TestAmplifyChooses(t *testing.T) {
	m := amplify(odds("2", "0"), 2, must(coin.NewBase(4, 1)), 3)
	fixed := func(score int64) Candidate[int] {
		return func(coin.Source) (Scored[int], error) { return Scored[int]{int(score), score}, nil }
	}
	law := must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
		return outputOf(OnceEach(src, m, []Candidate[int]{fixed(0), fixed(1), fixed(7)}, nil))
	}))
	// Weights 1/16, 1/4, 1 and 2 for nothing.
	for outcome, want := range map[int]string{0: "1/53", 1: "4/53", 7: "16/53", nothing: "32/53"} {
		if law.Mass(outcome).Cmp(rat(want)) != 0 {
			t.Errorf("outcome %d has %v, want %s", outcome, law.Mass(outcome), want)
		}
	}
	// H: amplify.md as-announced
	if _, _, err := OnceEach(coin.NewSeeded(1), m, []Candidate[int]{fixed(0)}, nil); err == nil {
		t.Error("another number of candidates than announced")
	}
	for field, p := range map[string]AmplifyParams{
		"dummies": {Loss: odds("2", "0"), Dummies: 1, Candidates: 3}, // H: amplify.md dummies
		// H: amplify.md as-announced
		"candidates": {Loss: odds("2", "0"), Dummies: 2},
	} {
		var refused *param.Error
		if _, err := NewAmplify(p); !errors.As(err, &refused) || refused.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	if shortfall(math.MaxInt64, math.MinInt64) != 1<<61 || shortfall(-5, 3) != 0 ||
		shortfall(5, 3) != 2 {
		t.Error("shortfalls")
	}
}

// validated trains a model of 0 or 1 on person 0 and scores it on person 1, who is served by model
// 1 where the value is 0.
func validated(noise *mechanism.Laplace, exact bool) func(rows []int) Candidate[int] {
	coinOf := func(rows []int) coin.Chance {
		if rows[0] == 0 {
			return coin.Ratio(2, 3)
		}
		return coin.Ratio(1, 3)
	}
	return func(rows []int) Candidate[int] {
		train := func(src coin.Source) (int, error) {
			if src.Bernoulli(coinOf(rows)) {
				return 1, nil
			}
			return 0, nil
		}
		count := func(model int) (int64, error) {
			if model == 1 && rows[1] == 0 {
				return 1, nil
			}
			return 0, nil
		}
		candidate := Validated(must(halvesOf(odds("2", "0"), noise)), train, count)
		return func(src coin.Source) (Scored[int], error) {
			if exact {
				model, err := train(src)
				served, _ := count(model)
				return Scored[int]{model, served}, err
			}
			result, err := candidate(src)
			// clamped, so that the law is exact with draws up to 3
			result.Score = min(max(result.Score, -2), 3)
			return result, err
		}
	}
}

// validatedSpace has one person in each of two data sets, so rows in order; neighbours differ in
// one of them.
func validatedLaw(candidate func(rows []int) Candidate[int],
	r Repetitions) func(rows []int) (*coin.Law[int], error) {
	return func(rows []int) (*coin.Law[int], error) {
		m := &Best{repetitions: r}
		return coin.Enumerate(coin.Limits{Top: 3, Runs: 1 << 22},
			func(src coin.Source) (int, error) {
				result, _, err := BestOf(src, m, candidate(rows), nil)
				return result.Output*10 + int(result.Score), err
			})
	}
}

func TestAuditValidated(t *testing.T) {
	noise := must(
		mechanism.NewLaplace(
			mechanism.LaplaceParams{Base: must(coin.NewBase(2, 1)), L1Sensitivity: 1}))
	r := must(Geometric(rat("1/2"), 3))
	training, validation := must(r.Cost(odds("2", "0"))), must(r.Cost(must(noise.Loss(1))))
	both := must(r.Cost(odds("2", "0").Plus(must(noise.Loss(1)))))
	one := audit.Space{Persons: 1, Values: 1}
	law := validatedLaw(validated(noise, false), r)
	for _, other := range []int{audit.None, 0} {
		audittest.Holds(
			t, audit.Audit[int]{
				Name: "validated, training set, other " + []string{"∅", "0"}[other+1], Space: one,
				Claim: claimOf(training, nil),
				Law: func(rows []int) (*coin.Law[int], error) {
					return law([]int{rows[0], other})
				}})
		audittest.Holds(
			t, audit.Audit[int]{
				Name: "validated, validation set, other " + []string{"∅", "0"}[other+1], Space: one,
				Claim: claimOf(validation, nil),
				Law: func(rows []int) (*coin.Law[int], error) {
					return law([]int{other, rows[0]})
				}})
	}
	audittest.Holds(
		t, audit.Audit[int]{Name: "validated, one data set for both", Space: one,
			Claim: claimOf(both, nil),
			Law: func(rows []int) (*coin.Law[int], error) {
				return law([]int{rows[0], rows[0]})
			}})
}

func TestPlantedValidated(t *testing.T) {
	noise := must(
		mechanism.NewLaplace(
			mechanism.LaplaceParams{Base: must(coin.NewBase(2, 1)), L1Sensitivity: 1}))
	r := must(Geometric(rat("1/2"), 3))
	validation := must(r.Cost(must(noise.Loss(1))))
	one := audit.Space{Persons: 1, Values: 1}
	law := validatedLaw(validated(noise, true), r)
	audittest.Caught(
		t, audit.Audit[int]{Name: "validated without noise", Space: one,
			Claim: claimOf(validation, nil),
			Law:   func(rows []int) (*coin.Law[int], error) { return law([]int{0, rows[0]}) }})
}

func TestEach(t *testing.T) {
	total := must(privacy.ParseEpsilon("3"))
	for _, test := range []struct {
		r    Repetitions
		want float64
	}{
		{must(Geometric(rat("1/100"), 0)), 1},
		{must(Logarithmic(rat("1/100"))), 1.5},
		{must(NegativeBinomial(rat("-1/2"), rat("1/100"))), 2},
		{must(Poisson(rat("1"))), 2.1995},
	} {
		each := must(Each(total, test.r))
		epsilon, _ := must(test.r.Cost(privacy.PureLoss(each))).Epsilon()
		if epsilon.Cmp(total.Rat()) > 0 || math.Abs(each.Float64()-test.want) > .001 {
			t.Errorf("%v: %v each, want %v", test.r, each.Float64(), test.want)
		}
	}
	if _, err := Each(must(privacy.ParseEpsilon("1/1000")),
		must(Geometric(rat("1/100"), 100))); err == nil {
		t.Error("a hard stop that costs more than the whole was not refused")
	}
}

func TestAdvise(t *testing.T) {
	for _, test := range []struct {
		name, share, beta string
		runs              uint64
		first             string
		reliable          bool
	}{
		{"one run is nearly enough", "9/10", "1/5", 100, "1 runs, all paid for", true},
		{"half of the runs are good", "1/2", "1/5", 1 << 10, "logarithmic", true},
		{"one in 2000 is good", "1/2000", "1/10", 1 << 20, "negative binomial of shape 1/2", true},
		{"too few runs", "1/2000", "1/10", 100, "", false},
	} {
		options := must(
			Advise(AdviseParams{Loss: odds("3", "0"), Share: rat(test.share), Beta: rat(test.beta),
				Runs: test.runs}))
		first := options[0]
		if len(options) != 8 || !strings.HasPrefix(first.Rule.String(), test.first) ||
			(first.Miss <= floatOf(rat(test.beta))) != test.reliable {
			t.Errorf("%s: %+v", test.name, first)
		}
		for i, option := range options {
			if option.Runs > float64(test.runs)+1e-6 && option.Runs > 1 {
				t.Errorf("%s: %s takes %v runs", test.name, option.Rule, option.Runs)
			}
			if option.Repetitions != nil {
				if have := must(
					option.Repetitions.Cost(
						odds("3", "0"))); have.String() != option.Loss.String() {
					t.Errorf("%s: %s says %v, costs %v", test.name, option.Rule, option.Loss, have)
				}
			}
			x, _ := first.Loss.Epsilon()
			if y, _ := option.Loss.Epsilon(); i > 0 && option.Miss <= floatOf(rat(test.beta)) &&
				y.Cmp(x) < 0 {
				t.Errorf("%s: %s is cheaper than the first", test.name, option.Rule)
			}
		}
	}
}

// TestTrains: about half of the rows are trained on, also of every second and every fourth one.
func TestTrains(t *testing.T) {
	for rows, want := int64(0), int64(0); rows < 100; rows++ {
		if got := Trained(rows); got != want { // H: validate.md by-number
			t.Errorf("%d of %d rows are trained on, want %d", got, rows, want)
		}
		if Trains(int(rows)) {
			want++
		}
	}
	for _, step := range []int{1, 2, 4, 7} {
		n := 0
		for i := range 10_000 {
			if Trains(step * i) {
				n++
			}
		}
		if n < 4800 || n > 5200 {
			t.Errorf("%d of 10 000 rows, %d apart", n, step)
		}
	}
}
