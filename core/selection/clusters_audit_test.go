package selection

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// A whole run of Clusters or Components is enumerated, all noise and the starting centres, but for
// its last noise, on the score: what the run found and its true score are few states, and the score
// gets the noise of the same mechanism as a kernel. Chances have 64 bits and tails are cut, so the
// masses are intervals.

// found is what a run found, in words, and its score.
type found = Scored[string]

// withoutNoise is a source on which noise of one base is 0.
type withoutNoise struct {
	coin.Source
	zero coin.Chance
}

// quiet makes the noise of m zero.
func quiet(src coin.Source, m *mechanism.Laplace) coin.Source {
	return &withoutNoise{src, zeroOf(m)}
}

// zeroOf is the coin that m flips for no noise.
func zeroOf(m *mechanism.Laplace) coin.Chance {
	var first recorder
	m.Noise().AddTo(&first, 0)
	return first.chance
}

// recorder keeps the first coin.
type recorder struct {
	coin.Source
	chance coin.Chance
}

func (r *recorder) Bernoulli(p coin.Chance) bool {
	r.chance = p
	return true
}

func (s *withoutNoise) Bernoulli(p coin.Chance) bool {
	return p.Rat().Cmp(s.zero.Rat()) == 0 || s.Source.Bernoulli(p)
}

// scoredLaw returns the law of one run with its noisy score; run gives the score without noise.
// Scores are clamped to −1 … most + 1, beyond which none says more, and rounded to steps, which
// hides a part of one step's loss.
func scoredLaw(limits coin.Limits, score *mechanism.Laplace, most, step int64,
	run func(src coin.Source, rows []int) (found, error)) func(rows []int) (
	*coin.Law[found], error) {
	return func(rows []int) (*coin.Law[found], error) {
		states, err := coin.Enumerate(limits, func(src coin.Source) (found, error) {
			return run(quiet(src, score), rows)
		})
		if err != nil {
			return nil, err
		}
		return coin.Then(states, func(s found) (*coin.Law[found], error) {
			noisy, noise := coin.NewLaw[found](), score.Noise()
			for low := int64(-1); low <= most+1; low += step {
				// Pr[low ≤ score + Z < low + step], the first and the last without end
				mass := new(big.Rat).SetInt64(1)
				if low > -1 {
					mass, _ = enclosed(noise.AtLeast(low - s.Score))
				}
				if low+step <= most+1 {
					_, above := enclosed(noise.AtLeast(low + step - s.Score))
					mass.Sub(mass, above)
				}
				if mass.Sign() > 0 {
					noisy.Add(found{Output: s.Output, Score: low}, mass)
				}
			}
			noisy.AddCut(new(big.Rat).Sub(ratOf(1), noisy.Total()))
			return noisy, nil
		})
	}
}

// enclosed is a chance to 64 bits.
func enclosed(p coin.Chance) (low, high *big.Rat) {
	law := must(coin.Enumerate(coin.Limits{Bits: 64}, func(src coin.Source) (bool, error) {
		return src.Bernoulli(p), nil
	}))
	return new(big.Rat).Set(law.Mass(true)), new(big.Rat).Sub(ratOf(1), law.Mass(false))
}

// floored64 is the largest multiple of 2^−64 below.
func floored64(x *big.Rat) *big.Rat {
	n := new(big.Int).Lsh(x.Num(), 64)
	return new(big.Rat).SetFrac(n.Quo(n, x.Denom()), new(big.Int).Lsh(big.NewInt(1), 64))
}

// chosenLaw is at least the law of what BestOf publishes of such runs with geometric repetitions of
// this stop, by the formula of best.md, which falls with the mass of better runs; the rest is cut.
func chosenLaw(stop *big.Rat, one func([]int) (*coin.Law[found], error)) func([]int) (
	*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		runs, err := one(rows)
		if err != nil {
			return nil, err
		}
		at := map[int64]*big.Rat{}
		for _, o := range runs.Outcomes() {
			if at[o.Score] == nil {
				at[o.Score] = new(big.Rat)
			}
			at[o.Score].Add(at[o.Score], runs.Mass(o))
		}
		var scores []int64
		for score := range at {
			scores = append(scores, score)
		}
		slices.SortFunc(scores, func(a, b int64) int { return int(b - a) })
		stay, above := new(big.Rat).Sub(ratOf(1), stop), new(big.Rat).Set(runs.Cut())
		factor := map[int64]*big.Rat{}
		for _, score := range scores {
			p := new(big.Rat).Set(stop)
			for range 2 { // of those above, and of those from there
				den := new(big.Rat).Mul(stay, above)
				p.Quo(p, den.Add(den, stop))
				if factor[score] == nil {
					factor[score] = p
					above.Add(above, at[score])
				}
			}
		}
		law := coin.NewLaw[string]()
		for _, o := range runs.Outcomes() {
			law.Add(o.Output, floored64(new(big.Rat).Mul(factor[o.Score], runs.Mass(o))))
		}
		law.AddCut(new(big.Rat).Sub(ratOf(1), law.Total()))
		return law, nil
	}
}

// tinyClusters are two clusters on a line of two values, with ε so large that noise is a few
// persons and clusters of one are published.
func tinyClusters(rounds int) *Clusters {
	return must(NewClusters(
		ClustersParams{Epsilon: must(privacy.ParseEpsilon("60")), Sizes: []int{2}, Dimensions: 1,
			Side: 2, Rounds: rounds, Repetitions: must(Geometric(rat("1/4"), 0))}))
}

// line has a person's value as its only coordinate.
func line(rows []int) cloud {
	points := make(cloud, len(rows))
	for i, v := range rows {
		if v != audit.None {
			points[i] = []int64{int64(v)}
		}
	}
	return points
}

// runOf is one run.
func (m *Clusters) runOf(src coin.Source, rows []int) (found, error) {
	run, err := m.run(src, line(rows), nil, nil)
	return found{Output: fmt.Sprint(run.Output.Centres, run.Output.Sizes), Score: run.Score}, err
}

var clusterLimits = coin.Limits{Tail: rat("1/512"), Bits: 40}

// law is that of one run.
func (m *Clusters) law(persons int) func([]int) (*coin.Law[found], error) {
	return scoredLaw(clusterLimits, m.score, int64(persons)*silhouette, 64, m.runOf)
}

// runClaim returns the cost of a run as stated to BestOf.
func runClaim(p privacy.Epsilon, r Repetitions) audit.Claim {
	each, _, err := shareOut(p, privacy.Delta{}, r)
	return claimOf(privacy.PureLoss(each), err)
}

func TestAuditClusters(t *testing.T) {
	for _, persons := range []int{1, 2} {
		if testing.Short() && persons > 1 {
			continue
		}
		m := tinyClusters(1)
		space := audit.Space{Persons: persons, Values: 2}
		claim := near(runClaim(must(privacy.ParseEpsilon("60")), m.best.repetitions))
		audittest.Holds(
			t, audit.Audit[found]{Name: fmt.Sprintf("clusters, one run, persons: %d", persons),
				Space: space, Claim: claim, Law: m.law(persons)})
	}
}

// TestAuditClustersChosen: the whole selection, whose runs' scores are given in steps.
func TestAuditClustersChosen(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of big fractions")
	}
	m := tinyClusters(1)
	audittest.Holds(
		t, audit.Audit[string]{Name: "clusters, best of a geometric number of runs",
			Space: audit.Space{Persons: 1, Values: 2}, Claim: near(claimOf(m.Loss(1))),
			Law: chosenLaw(rat("1/4"), m.law(1))})
}

// drawn is a number that gets the noise of m. All neighbours have it from low to high: beyond,
// noisy values say no more.
type drawn struct {
	m                *mechanism.Laplace
	value, low, high int64
}

// drawnLaws are laws of such numbers as Release gives them, within low and high, each worked out
// once.
type drawnLaws map[drawn]*coin.Law[int64]

func (l drawnLaws) of(n drawn) (law *coin.Law[int64], err error) {
	if l[n] == nil {
		l[n], err = coin.Enumerate(coin.Limits{Top: uint64(n.high - n.low), Bits: 48},
			func(src coin.Source) (int64, error) {
				noisy, err := n.m.Release(src, []int64{n.value}, nil)
				return min(max(noisy[0], n.low), n.high), err
			})
	}
	return l[n], err
}

// together is the law of up to four such numbers.
func (l drawnLaws) together(numbers ...drawn) (*coin.Law[[4]int64], error) {
	law := coin.NewLaw[[4]int64]()
	law.Add([4]int64{}, ratOf(1))
	for i, n := range numbers {
		one, err := l.of(n)
		if err != nil {
			return nil, err
		}
		law, err = coin.Then(law, func(before [4]int64) (*coin.Law[[4]int64], error) {
			next := coin.NewLaw[[4]int64]()
			for _, x := range one.Outcomes() {
				before[i] = x
				next.Add(before, one.Mass(x))
			}
			next.AddCut(one.Cut())
			return next, nil
		})
		if err != nil {
			return nil, err
		}
	}
	return law, nil
}

// tiny allows a claim what short chances lose.
func tiny(epsilon privacy.Epsilon) audit.Claim {
	claim := claimOf(privacy.PureLoss(epsilon), nil)
	claim.Delta = rat("1/1000000000")
	return claim
}

// lineOfFour is two clusters of two persons on a line of four values, four rounds, and what a run
// has.
func lineOfFour() (m *Clusters, each privacy.Epsilon) {
	total, r := must(privacy.ParseEpsilon("6")), must(Geometric(rat("1/4"), 0))
	m = must(NewClusters(ClustersParams{Epsilon: total, Sizes: []int{2}, Dimensions: 1, Side: 4,
		Repetitions: r}))
	each, _, err := shareOut(total, privacy.Delta{}, r)
	return m, must(each, err)
}

var fourSpace = audit.Space{Persons: 2, Values: 4}

// centresToTry are two centres: at the ends, in the middle, and in one place.
var centresToTry = [][2]int64{{0, 3}, {1, 2}, {2, 2}}

// roundOf audits what one round publishes, counts and sums, given the centres before.
func (m *Clusters) roundOf(name string,
	claim audit.Claim) func(centres [2]int64) audit.Audit[[4]int64] {
	laws := drawnLaws{}
	return func(centres [2]int64) audit.Audit[[4]int64] {
		return audit.Audit[[4]int64]{Name: name, Space: fourSpace, Claim: claim,
			Law: func(rows []int) (*coin.Law[[4]int64], error) {
				counts, sums, err := m.measure(line(rows),
					[][]int64{{centres[0]}, {centres[1]}}, nil)
				if err != nil {
					return nil, err
				}
				return laws.together(drawn{m.counts, counts[0], 0, 2},
					drawn{m.counts, counts[1], 0, 2},
					drawn{m.sums, sums[0], -4, 2}, drawn{m.sums, sums[1], -4, 2})
			}}
	}
}

// scoreOf audits the score of centres.
func (m *Clusters) scoreOf(name string,
	claim audit.Claim) func(centres [2]int64) audit.Audit[[4]int64] {
	laws := drawnLaws{}
	return func(centres [2]int64) audit.Audit[[4]int64] {
		return audit.Audit[[4]int64]{Name: name, Space: fourSpace, Claim: claim,
			Law: func(rows []int) (*coin.Law[[4]int64], error) {
				total, err := m.silhouettes(line(rows), [][]int64{{centres[0]}, {centres[1]}}, nil)
				if err != nil {
					return nil, err
				}
				return laws.together(drawn{m.score, total, 0, 2 * silhouette})
			}}
	}
}

// rounds runs audits of rounds from several states.
func rounds[S any](t *testing.T, want audit.Verdict, states []S,
	round func(S) audit.Audit[[4]int64]) {
	t.Helper()
	report, err := audit.Rounds(states, round, nil)
	if err != nil {
		t.Fatal(err)
	}
	audittest.Expect(t, report, want)
}

// TestAuditClusterRounds: each of four rounds costs at most 3/16 of a run, from some centres, and
// the score the quarter left. The rest of a run is post-processing, so these add up to the run.
func TestAuditClusterRounds(t *testing.T) {
	m, each := lineOfFour()
	rounds(t, audit.Holds, centresToTry,
		m.roundOf("clusters, a round of four", tiny(each.Part(3, 16))))
	rounds(t, audit.Holds, centresToTry[:1],
		m.scoreOf("clusters, the score", tiny(each.Part(1, 4))))
}

func TestPlantedClusters(t *testing.T) {
	m, each := lineOfFour()
	laplace := func(epsilon privacy.Epsilon, sensitivity uint64) *mechanism.Laplace {
		return must(mechanism.NewLaplace(mechanism.LaplaceParams{
			Epsilon: epsilon, L1Sensitivity: sensitivity}))
	}
	counts, sums, _ := m.sensitivities()
	twice, single, sure := *m, *m, *m
	twice.counts, twice.sums = laplace(each.Part(3, 16), counts), laplace(each.Part(3, 16), sums)
	single.counts, single.sums = laplace(each.Part(3, 32), 1), laplace(each.Part(3, 32), 1)
	sure.score = laplace(each.Part(1, 4), 1)
	rounds(t, audit.Violated, centresToTry,
		twice.roundOf("clusters, a round at twice its share", tiny(each.Part(3, 16))))
	rounds(t, audit.Violated, centresToTry,
		single.roundOf("clusters, a round with sensitivities 1", tiny(each.Part(3, 16))))
	rounds(t, audit.Violated, centresToTry[:1],
		sure.scoreOf("clusters, a score with sensitivity 1", tiny(each.Part(1, 4))))
}
