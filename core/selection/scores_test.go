package selection

import (
	"errors"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/privacy"
)

func noise(num, den int64) mechanism.LaplaceNoise {
	return must(mechanism.NewLaplaceNoise(must(coin.NewBase(num, den))))
}

// twice is the repetitions of the audits: at most two runs.
var twice = must(Geometric(rat("1/2"), 2))

// ballots are the scores of two candidates on a data set of persons with values 0 and 1: candidate
// 0 counts value 0, candidate 1 counts value 1 threefold.
func ballots(rows []int) []int64 {
	scores := []int64{0, 0}
	for _, value := range rows {
		switch value {
		case 0:
			scores[0]++
		case 1:
			scores[1] += 3
		}
	}
	return scores
}

var ballotSpace = audit.Space{Persons: 2, Values: 2}

// choiceLaw is the law of the index chosen; noise is cut where less than 2^−9 is left.
func choiceLaw(release func(src coin.Source, rows []int) (int, error)) func(rows []int) (
	*coin.Law[int], error) {
	return func(rows []int) (*coin.Law[int], error) {
		return coin.Enumerate(few, func(src coin.Source) (int, error) { return release(src, rows) })
	}
}

// cutNoise allows a claim what few cuts from up to four draws.
func cutNoise(claim audit.Claim) audit.Claim {
	claim.Delta = claim.Delta.Add(claim.Delta, rat("1/100"))
	return claim
}

// ballotScores is NoisyScores with a rational base for each candidate: 4 for one that moves by 1,
// about its cube root for one that moves by 3.
func ballotScores(reach int64) *NoisyScores {
	return &NoisyScores{best: &Best{repetitions: twice},
		noises: []mechanism.LaplaceNoise{noise(4, 1), noise(158, 100)},
		shifts: []int64{0, 1}, reach: []int64{reach, 3 * reach}, spends: make([]*meter.Spend, 2)}
}

func TestAuditNoisyScores(t *testing.T) {
	// 1.58³ < 4, so one run is ln 4-DP.
	m := ballotScores(0)
	audittest.Holds(
		t, audit.Audit[int]{Name: "noisy scores, two sensitivities", Space: ballotSpace,
			Claim: cutNoise(cost(twice, odds("4", "0"))),
			Law: choiceLaw(func(src coin.Source, rows []int) (int, error) {
				index, _, err := m.Release(src, ballots(rows), nil)
				return index, err
			})})
	// Cut noise: the largest values have mass δ of their own.
	reach := reachFor(must(coin.NewBase(4, 1)), 1, rat("1/20"))
	cut := &NoisyScores{noises: []mechanism.LaplaceNoise{noise(4, 1)}, shifts: []int64{0},
		reach: []int64{reach}, spends: make([]*meter.Spend, 1)}
	exact := func(m *NoisyScores) func(rows []int) (*coin.Law[int64], error) {
		return func(rows []int) (*coin.Law[int64], error) {
			one, err := coin.Enumerate(coin.Limits{Top: 20}, func(src coin.Source) (int64, error) {
				return m.noises[0].AddTo(src, 0), nil
			})
			if err != nil {
				return nil, err
			}
			return coin.Until(one, func(z int64) (int64, bool) {
				return z + ballots(rows)[0], z <= m.reach[0] && z >= -m.reach[0]
			}), nil
		}
	}
	audittest.Holds(
		t, audit.Audit[int64]{Name: "cut noise, δ = 1/20",
			Space: audit.Space{Persons: 2, Values: 1},
			Claim: audit.Claim{Odds: rat("4"), Delta: rat("1/20")}, Law: exact(cut)})
	short := *cut
	short.reach = []int64{reach - 1}
	audittest.Caught(
		t, audit.Audit[int64]{Name: "noise cut one too soon",
			Space: audit.Space{Persons: 2, Values: 1},
			Claim: audit.Claim{Odds: rat("4"), Delta: rat("1/20")}, Law: exact(&short)})
}

func TestAuditGeneralised(t *testing.T) {
	two := must(
		mechanism.NewExponential(
			mechanism.ExponentialParams{Base: must(coin.NewBase(1001, 1000)),
				Sensitivity: resolution}))
	m := &Generalised{two, []uint64{1, 3}, 1}
	law := func(factor int64) func(rows []int) (*coin.Law[int], error) {
		return choiceLaw(func(src coin.Source, rows []int) (int, error) {
			scores := ballots(rows)
			return m.Release(src, []int64{factor * scores[0], factor * scores[1]}, nil)
		})
	}
	claim := claimOf(two.Loss(1))
	audittest.Holds(
		t, audit.Audit[int]{Name: "generalised exponential mechanism", Space: ballotSpace,
			Claim: claim, Law: law(1)})
	audittest.Caught(
		t, audit.Audit[int]{
			Name:  "generalised exponential mechanism with sensitivities a third of the true ones",
			Space: ballotSpace, Claim: claim, Law: law(3)})
}

func TestPlantedScores(t *testing.T) {
	m := ballotScores(0)
	// H: scores.md moves
	m.noises[1] = noise(4, 1) // for a score that moves by 1, on one that moves by 3
	audittest.Caught(
		t, audit.Audit[int64]{Name: "noisy score with a third of the noise", Space: ballotSpace,
			Claim: claimOf(odds("4", "0"), nil), Law: func(rows []int) (*coin.Law[int64], error) {
				return coin.Enumerate(coin.Limits{Top: 20}, func(src coin.Source) (int64, error) {
					// clamped: exact with draws up to 20
					return min(max(m.measure(src, 1, ballots(rows)[1]), -5), 10), nil
				})
			}})
}

// TestNoisyScoresError: with a shift, the score chosen is within the bound of the best one's own
// sensitivity in 95 of 100 selections, whichever is best, on scores that come as near as they may.
func TestNoisyScoresError(t *testing.T) {
	sensitivities := []uint64{1, 4, 32, 1, 4, 32}
	m := must(associatedScores(must(privacy.ParseEpsilon("2")), sensitivities))
	if m.ErrorBound(1) < 3.5*m.ErrorBound(0) || m.ErrorBound(2) < 7.5*m.ErrorBound(1) {
		t.Errorf("bounds are %v, %v and %v", m.ErrorBound(0), m.ErrorBound(1), m.ErrorBound(2))
	}
	const runs = 150
	for best := range sensitivities {
		scores := make([]int64, len(sensitivities))
		scores[best] = int64(m.ErrorBound(best)) + 1 // any other is beyond the bound
		missed := 0
		for seed := range coin.Seed(runs) {
			if must(m.pick(coin.NewSeeded(seed), scores)) != best {
				missed++
			}
		}
		if missed > runs/20 {
			t.Errorf("candidate %d is missed %d times of %d", best, missed, runs)
		}
	}
	if miss := m.best.repetitions.Miss(1.0 / 6); miss > 1.0/50 {
		t.Errorf("the best is not drawn with %v", miss)
	}
}

func TestScoresChoose(t *testing.T) {
	epsilon := must(privacy.ParseEpsilon("1"))
	src := coin.NewSeeded(11)
	many := must(Geometric(rat("1/200"), 0))
	flat, steep := []uint64{1, 1, 1, 1, 1}, []uint64{1, 1, 1, 1, 400}
	scores := []int64{100, 400, 500, 300, 520}
	for _, test := range []struct {
		name  string
		shift string
		sens  []uint64
		want  map[int]bool
	}{
		{"plain", "", flat, map[int]bool{2: true, 4: true}},
		{"shifted, the best is unsteady", "1/20", steep, map[int]bool{1: true, 2: true}},
	} {
		p := NoisyScoresParams{Epsilon: epsilon, Sensitivities: test.sens, Repetitions: many}
		if test.shift != "" {
			p.Shift = rat(test.shift)
		}
		m := must(NewNoisyScores(p))
		good := 0
		for range 100 {
			index, chosen, err := m.Release(src, scores, nil)
			if err != nil || !chosen {
				t.Fatal(err)
			}
			if test.want[index] {
				good++
			}
		}
		if good < 85 {
			t.Errorf("%s: %d of 100 choices are good", test.name, good)
		}
	}
	g := must(NewGeneralised(GeneralisedParams{Epsilon: epsilon, Sensitivities: steep}))
	good := 0
	for range 100 {
		if index := must(g.Release(src, scores, nil)); index == 2 {
			good++
		}
	}
	if good < 95 {
		t.Errorf("generalised: %d of 100 choices are the best steady one", good)
	}
}

// TestMarginIsCertain finds that a lead of more than twice the reach always wins, once it is drawn.
func TestMarginIsCertain(t *testing.T) {
	m := must(NewNoisyScores(
		NoisyScoresParams{Epsilon: must(privacy.ParseEpsilon("1")),
			Delta:         must(privacy.ParseDelta("1e-4")),
			Sensitivities: []uint64{1, 1}, Repetitions: must(Geometric(rat("1/500"), 0))}))
	lead := 2*m.reach[0] + 1
	if lead < 50 || lead > 200 {
		t.Fatalf("a lead of %d", lead)
	}
	src, lost := coin.NewSeeded(2), 0
	for range 200 {
		if index, _, err := m.Release(src, []int64{0, lead}, nil); err != nil || index != 1 {
			lost++
		}
	}
	if lost > 3 { // the winner is never drawn with probability about 1/500
		t.Errorf("a certain winner lost %d of 200 times", lost)
	}
}

func TestGeneralisedError(t *testing.T) {
	m := must(NewGeneralised(
		GeneralisedParams{Epsilon: must(privacy.ParseEpsilon("1/2")),
			Sensitivities: []uint64{1, 20, 5}, Beta: rat("1/10")}))
	src, scores, failed := coin.NewSeeded(8), []int64{100, 130, 110}, 0
	for range 300 {
		index := must(m.Release(src, scores, nil))
		for j, score := range scores {
			if float64(scores[index]) < float64(score)-m.ErrorBound(j) {
				failed++
				break
			}
		}
	}
	if failed > 45 {
		t.Errorf("%d of 300 choices are beyond the bound for 1/10", failed)
	}
}

func TestScoresShareOut(t *testing.T) {
	for _, r := range []Repetitions{must(Geometric(rat("1/50"), 0)), must(Logarithmic(rat("1/50"))),
		must(Poisson(rat("2")))} {
		m := must(NewNoisyScores(
			NoisyScoresParams{Epsilon: must(privacy.ParseEpsilon("1")),
				Delta: must(privacy.ParseDelta("1e-6")), Sensitivities: []uint64{2},
				Repetitions: r}))
		loss := must(m.Loss(1))
		epsilon, _ := loss.Epsilon()
		if epsilon.Cmp(rat("1")) > 0 || floatOf(epsilon) < .999 || loss.Delta().
			Cmp(rat("1/1000000")) > 0 || floatOf(loss.Delta()) < .9e-6 {
			t.Errorf("%v: %v", r, loss)
		}
	}
	for _, p := range []NoisyScoresParams{
		{Sensitivities: []uint64{1}, Repetitions: twice},
		{Epsilon: must(privacy.ParseEpsilon("1")), Sensitivities: []uint64{1}},
		{Epsilon: must(privacy.ParseEpsilon("10")), Repetitions: twice},
		// H: scores.md move-size
		{Epsilon: must(privacy.ParseEpsilon("10")), Sensitivities: []uint64{0}, Repetitions: twice},
	} {
		var refused *param.Error
		if _, err := NewNoisyScores(p); !errors.As(err, &refused) {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

// TestScoresRefuse: another number of scores than announced, and sensitivities that are none.
func TestScoresRefuse(t *testing.T) {
	one := must(privacy.ParseEpsilon("1"))
	src := coin.NewSeeded(1)
	noisy := must(NewNoisyScores(NoisyScoresParams{Epsilon: one, Sensitivities: []uint64{1, 1},
		Repetitions: must(Geometric(rat("1/50"), 0))}))
	general := must(NewGeneralised(GeneralisedParams{Epsilon: one, Sensitivities: []uint64{1, 1}}))
	for name, c := range map[string]struct {
		field string
		make  func() error
	}{
		"too wide": {"sensitivities", func() error { // H: scores.md move-size
			_, err := NewGeneralised(GeneralisedParams{Epsilon: one,
				Sensitivities: []uint64{1, 1<<40 + 1}})
			return err
		}},
		"a score too few": {"scores", func() error { // H: scores.md as-many
			_, _, err := noisy.Release(src, []int64{1}, nil)
			return err
		}},
		"one too many": {"scores", func() error { // H: scores.md as-many
			_, err := general.Release(src, []int64{1, 2, 3}, nil)
			return err
		}},
	} {
		var refused *param.Error
		if err := c.make(); !errors.As(err, &refused) || refused.Field != c.field {
			t.Errorf("%s: %v, want a fault of %s", name, err, c.field)
		}
	}
}
