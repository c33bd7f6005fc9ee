package task

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"hush/core/ask"
	"hush/core/audit"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// tunedHistogram tries two bin widths for the numbers 0 and 1; the score is the likelihood, which
// one person moves by many points.
func tunedHistogram(epsilon string) *tuned {
	_, p, err := ask.Prepare(All{}, ask.Recipe{
		Version: ask.RecipeVersion, Epsilon: epsilon, Task: "histogram", Column: 1,
		Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "1"},
		Params: ask.Params{"try-width": "1, 2"},
	}, 1)
	return must(p, err).(*tuned)
}

// measured tells a source when the score is known: what is drawn afterwards is its noise.
type measured struct {
	tunable
	known func(moves uint64)
	moves uint64 // in place of the question's own, where it is not 0
}

func (m measured) score(r ask.Result, d ask.Data, step coin.Step) (int64, uint64, error) {
	points, moves, err := m.tunable.score(r, d, step)
	if m.moves > 0 {
		moves = m.moves
	}
	m.known(moves)
	return points, moves, err
}

// scoreQuiet draws noise of 0 once the score is known, and keeps the chance of that, which gives
// its base.
type scoreQuiet struct {
	coin.Source
	known bool
	zero  coin.Chance
}

func (s *scoreQuiet) Bernoulli(p coin.Chance) bool {
	if s.known {
		s.zero = p
		return true
	}
	return s.Source.Bernoulli(p)
}

// triedRun is what one run gives, with its score without noise and the base of that noise.
type triedRun struct {
	answer string
	points int64
	base   string
}

// noisyRun is what one run gives, with its noisy score.
type noisyRun struct {
	answer string
	score  int64
}

// Scores are given in steps, which hides what noise makes of less, and kept within their range,
// beyond which they tell no more.
const (
	scoreStep = 32
	mostScore = 512
)

// runLaw is the law of the run with combination i and its noisy score; all is found by the run
// itself but for the noise of the score, which it draws last: that is a kernel.
func (t *tuned) runLaw(i int, moves uint64) func(rows []int) (*coin.Law[noisyRun], error) {
	a := questionAudit{columns: func(value int) []uint64 { return []uint64{uint64(value)} },
		recipe: ask.Recipe{Column: 1}}
	limits := coin.Limits{Tail: big.NewRat(1, 1<<12), Bits: 48}
	noises := map[string]*coin.Law[int64]{}
	return func(rows []int) (*coin.Law[noisyRun], error) {
		data := a.data(rows)
		runs, err := coin.Enumerate(limits, func(src coin.Source) (run triedRun, err error) {
			quiet := &scoreQuiet{Source: src}
			twin := *t
			twin.inner = append([]tunable(nil), t.inner...)
			twin.inner[i] = measured{t.inner[i], func(uint64) { quiet.known = true }, moves}
			scored, err := twin.candidate(quiet, i, data, nil)
			if err != nil {
				return run, err
			}
			best, err := scored.Output.release()
			if err != nil {
				return run, err
			}
			p := quiet.zero.Rat() // (r−1)/(r+1)
			r := new(big.Rat).Quo(new(big.Rat).Add(big1, p), new(big.Rat).Sub(big1, p))
			return triedRun{fmt.Sprint(best.(*bestRun).how.Value, " ",
				best.(*bestRun).Result.Table(ask.Voice{}, "")), scored.Score, r.RatString()}, nil
		})
		if err != nil {
			return nil, err
		}
		return coin.Then(runs, func(run triedRun) (*coin.Law[noisyRun], error) {
			key := fmt.Sprint(run.points, " ", run.base)
			if noises[key] == nil {
				noises[key] = must(scoreLaw(run))
			}
			law := coin.NewLaw[noisyRun]()
			for _, score := range noises[key].Outcomes() {
				law.Add(noisyRun{run.answer, score}, noises[key].Mass(score))
			}
			law.AddCut(noises[key].Cut())
			return law, nil
		})
	}
}

// scoreLaw is the law of a run's noisy score.
func scoreLaw(run triedRun) (*coin.Law[int64], error) {
	r, ok := new(big.Rat).SetString(run.base)
	if !ok || run.points > mostScore || run.points < -mostScore {
		return nil, errors.New("no base, or a score beyond its range")
	}
	noise := must(mechanism.NewLaplaceNoise(must(coin.BaseFromRat(r))))
	law, above := coin.NewLaw[int64](), big.NewRat(0, 1) // at most Pr[score ≥ low + step]
	for low := int64(mostScore); low >= -mostScore; low -= scoreStep {
		from := big.NewRat(1, 1)
		high := from
		if low > -mostScore {
			toss := must(coin.Enumerate(coin.Limits{Bits: 64},
				func(src coin.Source) (bool, error) {
					return src.Bernoulli(noise.AtLeast(low - run.points)), nil
				}))
			from, high = new(big.Rat).Set(toss.Mass(true)),
				new(big.Rat).Sub(big1, toss.Mass(false))
		}
		if mass := from.Sub(from, above); mass.Sign() > 0 {
			law.Add(low, mass)
		}
		above = high
	}
	law.AddCut(new(big.Rat).Sub(big1, law.Total()))
	return law, nil
}

// allLaw returns the law of the release of two runs, one of each value: the second only where its
// score is better.
func (t *tuned) allLaw(moves uint64) func(rows []int) (*coin.Law[string], error) {
	first, second := t.runLaw(0, moves), t.runLaw(1, moves)
	return func(rows []int) (*coin.Law[string], error) {
		a, err := first(rows)
		if err != nil {
			return nil, err
		}
		b, err := second(rows)
		if err != nil {
			return nil, err
		}
		law := coin.NewLaw[string]()
		add := func(one, other *coin.Law[noisyRun], ties int64) {
			at := map[int64]*big.Rat{} // of the other, by score
			for _, o := range other.Outcomes() {
				if at[o.score] == nil {
					at[o.score] = new(big.Rat)
				}
				at[o.score].Add(at[o.score], other.Mass(o))
			}
			less := map[int64]*big.Rat{}
			for score := int64(-mostScore); score <= mostScore; score += scoreStep {
				less[score] = new(big.Rat)
				for s, mass := range at {
					if s < score+ties {
						less[score].Add(less[score], mass)
					}
				}
			}
			for _, o := range one.Outcomes() {
				law.Add(o.answer, new(big.Rat).Mul(one.Mass(o), less[o.score]))
			}
		}
		add(a, b, 1)
		add(b, a, 0)
		law.AddCut(new(big.Rat).Sub(big1, law.Total()))
		return law, nil
	}
}

// cutClaim is the claim of a loss without δ, which is allowed what is cut.
func cutClaim(loss privacy.Loss) audit.Claim {
	claim := must(audit.ClaimOf(loss))
	claim.Delta = big.NewRat(1, 1000)
	return claim
}

var onePerson = audit.Space{Persons: 1, Values: 2}

// runAudit is that of one run with bins of one value.
func (t *tuned) runAudit(name string, claim audit.Claim, moves uint64) audit.Audit[noisyRun] {
	return audit.Audit[noisyRun]{Name: name, Space: onePerson, Claim: claim,
		Law: t.runLaw(0, moves)}
}

// TestAuditTunedHistogram: a real question whose score moves by more than 1, one run with its score
// and the better of two.
func TestAuditTunedHistogram(t *testing.T) {
	tried := tunedHistogram("4")
	moved := uint64(0)
	twin := *tried
	twin.inner = []tunable{measured{tried.inner[0], func(m uint64) { moved = max(moved, m) }, 0}}
	src := coin.NewSeeded(1)
	a := questionAudit{columns: func(v int) []uint64 { return []uint64{uint64(v)} },
		recipe: ask.Recipe{Column: 1}}
	for range 20 {
		must(twin.candidate(src, 0, a.data([]int{1}), nil))
	}
	if moved < 2 || tried.law != nil {
		t.Fatalf("a score that moves by %d, a law %v", moved, tried.law)
	}
	one := cutClaim(tried.one)
	audittest.Holds(t, tried.runAudit("a histogram tried, one run and its score", one, 0))
	if testing.Short() {
		return
	}
	audittest.Holds(t, audit.Audit[string]{Name: "a histogram of two widths tried",
		Space: onePerson, Claim: cutClaim(must(tried.Loss())), Law: tried.allLaw(0)})
}

func TestPlantedTunedHistogram(t *testing.T) {
	tried, rich := tunedHistogram("4"), tunedHistogram("12")
	one := cutClaim(tried.one)
	audittest.Caught(t, tried.runAudit(
		"a histogram tried, a score whose sensitivity is taken to be 1", one, 1))
	rich.noise = tried.noise
	audittest.Caught(t, rich.runAudit("a histogram tried, with three times its share", one, 0))
}
