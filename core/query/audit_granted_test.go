package query

import (
	"fmt"
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// Audits of what constructors build from ε and δ: bases are fractions near powers of e, so chances
// have 48 bits, and what they lose and tails are cut: it counts as δ.

// short are limits of Laplace noise that is clamped from top on.
func short(top int) coin.Limits { return coin.Limits{Top: uint64(top), Bits: 48} }

// cutAt cuts tails.
func cutAt(tail uint) coin.Limits {
	return coin.Limits{Tail: big.NewRat(1, 1<<tail), Bits: 48}
}

// lawWith enumerates a run within limits.
func lawWith(limits coin.Limits,
	run func(src coin.Source, rows []int) (string, error)) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		return coin.Enumerate(limits, func(src coin.Source) (string, error) {
			return run(src, rows)
		})
	}
}

// gaussianLaw is that of a run of Gaussian noise alone, equally often on every path.
func gaussianLaw(limits coin.Limits,
	run func(src coin.Source, rows []int) (string, error)) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		return audittest.FirstTries(limits, func(src coin.Source) (string, error) {
			return run(src, rows)
		})
	}
}

// granted is the loss that was granted, whatever the mechanism says of itself, and what short
// chances and tails lose.
func granted(ofEpsilon, ofDelta string, lost int64) audit.Claim {
	claim := claimOf(privacy.ApproximateLoss(epsilon(ofEpsilon), delta(ofDelta)), nil)
	claim.Delta = new(big.Rat).Add(claim.Delta, big.NewRat(1, lost))
	return claim
}

const (
	hardly = 1e9  // one part is lost by short chances
	little = 1000 // one part by tails
)

// wideCounts is a release of counts, not clamped.
func wideCounts(m Conjunctive) func(src coin.Source, rows []int) (string, error) {
	return func(src coin.Source, rows []int) (string, error) {
		r, err := m.Release(src, recordsOf(rows, 2), nil)
		if err != nil {
			return "", err
		}
		return fmt.Sprint(r.Counts), nil
	}
}

func TestAuditGrantedMarginals(t *testing.T) {
	pure := must(NewMarginals(MarginalsParams{
		Epsilon: epsilon("1"), Columns: each(), Width: 2}))
	audittest.Holds(
		t, audit.Audit[string]{Name: "all conjunctions of 2 attributes, ε = 1",
			Space: cube(2, 2), Claim: granted("1", "0", hardly),
			Law: lawWith(short(3), marginalRun(pure))})
	for _, product := range []bool{false, true} {
		p := MarginalsParams{
			Epsilon: epsilon("3"), Delta: delta("0.05"), Columns: each(), Width: 2}
		name := "all conjunctions of 2 attributes, Gaussian"
		if testing.Short() && !product {
			continue
		}
		if product {
			p.Width, p.Product, name = 1, true, "2 attributes taken as independent, Gaussian"
		}
		m := must(NewMarginals(p))
		audittest.Holds(
			t, audit.Audit[string]{Name: name, Space: cube(1, 2),
				Claim: granted("3", "0.05", little),
				Law:   gaussianLaw(cutAt(14), wideCounts(m))})
	}
}

func TestPlantedGrantedMarginals(t *testing.T) {
	m := must(NewMarginals(MarginalsParams{
		Epsilon: epsilon("3"), Delta: delta("0.05"), Width: 2}))
	twin := *m
	twin.noise.rho = must(privacy.NewRho(new(big.Rat).Mul(m.noise.rho.Rat(), rat(3, 1))))
	audittest.Caught(
		t, audit.Audit[string]{
			Name:  "all conjunctions of 2 attributes, each with the Gaussian noise of one",
			Space: cube(1, 2), Claim: granted("3", "0.05", little),
			Law: gaussianLaw(cutAt(14), wideCounts(&twin))})
}

func TestAuditGrantedOracle(t *testing.T) {
	for _, text := range []string{"0", "0.05"} {
		o := must(NewOracle(OracleParams{
			Epsilon: epsilon("1"), Delta: delta(text), Queries: 2, Unit: 2}))
		audittest.Holds(
			t, audit.Audit[string]{Name: "statistical queries, ε = 1, δ = " + text,
				Space: cube(2, 2), Claim: granted("1", text, hardly),
				Law: lawWith(short(5), askThree(o, 4, true))})
	}
}

func TestPlantedGrantedOracle(t *testing.T) {
	o := must(NewOracle(OracleParams{
		Epsilon: epsilon("1"), Delta: delta("0.05"), Queries: 2, Unit: 2}))
	twin := *o
	twin.laplace = must(mechanism.NewLaplace(mechanism.LaplaceParams{
		Epsilon: epsilon("1"), L1Sensitivity: 2}))
	audittest.Caught(
		t, audit.Audit[string]{Name: "statistical queries, all of ε for each of 2",
			Space: cube(2, 2), Claim: granted("1", "0.05", hardly),
			Law: lawWith(short(5), askThree(&twin, 4, true))})
}

// countAt is a count's noise, whatever a mechanism has paid for.
func countAt(text string) *mechanism.Laplace {
	return must(mechanism.NewLaplace(mechanism.LaplaceParams{
		Epsilon: epsilon(text), L1Sensitivity: 1}))
}

// grantedMWEM has one round, of a choice and a count.
func grantedMWEM(text string) *MWEM {
	return must(NewMWEM(MWEMParams{
		Epsilon: epsilon("1"), Delta: delta(text), Width: 2, Rounds: 1}))
}

func TestAuditGrantedMWEM(t *testing.T) {
	for _, text := range []string{"0", "0.05"} {
		m := grantedMWEM(text)
		audittest.Holds(
			t, audit.Audit[string]{Name: "MWEM, 2 attributes, ε = 1, δ = " + text,
				Space: cube(2, 2), Claim: granted("1", text, hardly),
				Law: lawWith(short(3), released(m, 2))})
	}
}

func TestPlantedGrantedMWEM(t *testing.T) {
	m := grantedMWEM("0")
	twin := *m
	twin.count = countAt("1")
	audittest.Caught(
		t, audit.Audit[string]{Name: "MWEM, a count paid from nowhere", Space: cube(2, 2),
			Claim: granted("1", "0", hardly), Law: lawWith(short(3), released(&twin, 2))})
}

// TestAuditGrantedBoosting: a round may choose twice and count twice, with ε = 1 each.
func TestAuditGrantedBoosting(t *testing.T) {
	learner := must(NewExhaustive(LearnerParams{Epsilon: epsilon("1"), Width: 1}))
	m := must(NewBoosting(BoostingParams{
		Learner: learner, Epsilon: epsilon("1"), Gap: rat(1, 4), Rounds: 1}))
	audittest.Holds(
		t, audit.Audit[string]{Name: "weights from a learner, ε = 4, 1 round",
			Space: cube(2, 1), Claim: granted("4", "0", hardly),
			Law: lawWith(short(3), released(m, 1))})
}

// grantedSampled makes one correction, at a large ε: tails of a threshold's noise are cut.
func grantedSampled(text string) *Sampled {
	return must(NewSampled(SampledParams{Epsilon: epsilon("6"), Delta: delta(text),
		Workload: OfWidth(1), Threshold: rat(1, 4), Updates: 1, Checks: 2}))
}

func TestAuditGrantedSampled(t *testing.T) {
	m := grantedSampled("0.05")
	audittest.Holds(
		t, audit.Audit[string]{Name: "sampled conjunctions, ε = 6, δ = 0.05",
			Space: cube(2, 2), Claim: granted("6", "0.05", little),
			Law: lawWith(cutAt(12), released(m, 2))})
}

func TestPlantedGrantedSampled(t *testing.T) {
	m := grantedSampled("0.05")
	twin := *m
	twin.count = countAt("24")
	audittest.Caught(
		t, audit.Audit[string]{Name: "sampled conjunctions, a count with four times all of ε",
			Space: cube(2, 2), Claim: granted("6", "0.05", little),
			Law: lawWith(cutAt(12), released(&twin, 2))})
}

// grantedPieces are two pieces, half of ε and δ for the tests and half for Gaussian means, in whole
// persons.
func grantedPieces() *Pieces {
	m := must(NewPieces(PiecesParams{Epsilon: epsilon("6"), Delta: delta("0.1"), Most: 2,
		Threshold: rat(1, 4), Workloads: []Workload{OfWidth(1)}}))
	m.unit = 0
	return m
}

// piecesLaw is the law of the pieces, and then of their means.
func piecesLaw(m *Pieces) func([]int) (*coin.Law[string], error) {
	people := disjunctions(2)
	return func(rows []int) (*coin.Law[string], error) {
		shapes, err := coin.Enumerate(cutAt(14), func(src coin.Source) (string, error) {
			d, err := m.split(src, people(rows), nil, nil)
			return shape(d), err
		})
		if err != nil {
			return nil, err
		}
		return coin.Then(shapes, func(text string) (*coin.Law[string], error) {
			return audittest.FirstTries(cutAt(14), func(src coin.Source) (string, error) {
				r, err := m.measure(src, people(rows), unshape(text), nil)
				if err != nil {
					return "", err
				}
				return fmt.Sprint(text, r.Means), nil
			})
		})
	}
}

func TestAuditGrantedPieces(t *testing.T) {
	m := grantedPieces()
	audittest.Holds(
		t, audit.Audit[string]{Name: "pieces of disjunctions, ε = 6, δ = 0.1", Space: cube(2, 2),
			Claim: granted("6", "0.1", little), Law: piecesLaw(m)})
}

func TestPlantedGrantedPieces(t *testing.T) {
	m := grantedPieces()
	twin := *m
	twin.means = must(newNoise(epsilon("24"), delta("0.1")))
	audittest.Caught(
		t, audit.Audit[string]{Name: "pieces of disjunctions, means for four times all of ε",
			Space: cube(2, 2), Claim: granted("6", "0.1", little), Law: piecesLaw(&twin)})
}

func TestAuditGrantedPairs(t *testing.T) {
	m := must(NewPairs(PairsParams{Epsilon: epsilon("1")}))
	audittest.Holds(
		t, audit.Audit[string]{Name: "edges between each two of 3 vertices, ε = 1",
			Space: audit.Space{Persons: 1, Values: 4, NoNone: true},
			Claim: granted("1", "0", hardly),
			Law:   lawWith(short(2), pairsRun(m))})
}

func TestPlantedGrantedPairs(t *testing.T) {
	m := must(NewPairs(PairsParams{Epsilon: epsilon("1")}))
	twin := *m
	twin.laplace = must(mechanism.NewLaplace(mechanism.LaplaceParams{
		Epsilon: epsilon("1"), L1Sensitivity: 1}))
	audittest.Caught(
		t, audit.Audit[string]{
			Name:  "edges between each two of 3 vertices, ε = 1, with sensitivity 1",
			Space: audit.Space{Persons: 1, Values: 4, NoNone: true},
			Claim: granted("1", "0", hardly),
			Law:   lawWith(short(2), pairsRun(&twin))})
}

func TestAuditGrantedRule(t *testing.T) {
	for _, greedy := range []bool{false, true} {
		l := must(NewRuleLearner(RuleParams{Epsilon: epsilon("1"), Width: 2, Greedy: greedy}))
		audittest.Holds(
			t, audit.Audit[string]{
				Name:  fmt.Sprintf("rule learner, ε = 1, greedy %v", greedy),
				Space: audit.Space{Persons: 1, Values: 8}, Claim: granted("1", "0", hardly),
				Law: lawWith(short(2), ruleRun(l))})
	}
}

func TestPlantedGrantedRule(t *testing.T) {
	l := must(NewRuleLearner(RuleParams{Epsilon: epsilon("1"), Width: 2}))
	twin := *l
	twin.count = countAt("1")
	audittest.Caught(
		t, audit.Audit[string]{Name: "rule learner, ε = 1, a count paid from nowhere",
			Space: audit.Space{Persons: 1, Values: 8}, Claim: granted("1", "0", hardly),
			Law: lawWith(short(2), ruleRun(&twin))})
}

// releasedRuleRun has as its values a record of one attribute, with the answer as the second bit.
func releasedRuleRun(l *ReleasedRule) func(src coin.Source, rows []int) (string, error) {
	return func(src coin.Source, rows []int) (string, error) {
		masks := make([]int, len(rows))
		for i, v := range rows {
			masks[i] = max(v, 0) & 1
		}
		rule, err := l.Release(src, recordsOf(masks, 1), func(person int) bool {
			return rows[person]>>1&1 == 1
		}, func(person int) bool { return rows[person] != audit.None }, nil)
		return fmt.Sprint(mask(rule.Set), rule.Right), err
	}
}

func releasedRule() *ReleasedRule {
	return must(NewReleasedRule(
		ChoiceParams{Epsilon: epsilon("1"), Persons: 1, Size: 1, Width: 1}))
}

// TestAuditReleasedRule: what is looked at is more than the rule, so the two releases are audited
// with it.
func TestAuditReleasedRule(t *testing.T) {
	l := releasedRule()
	audittest.Holds(
		t, audit.Audit[string]{Name: "rule of two releases, ε = 1",
			Space: audit.Space{Persons: 1, Values: 4}, Claim: granted("1", "0", hardly),
			Law: lawWith(short(2), bothShown(l))})
}

// bothShown is what the two releases show, and the count.
func bothShown(l *ReleasedRule) func(src coin.Source, rows []int) (string, error) {
	return func(src coin.Source, rows []int) (string, error) {
		shown := *l
		var seen [2]string
		shown.yes, shown.no = watched{l.yes, &seen[0]}, watched{l.no, &seen[1]}
		rule, err := releasedRuleRun(&shown)(src, rows)
		return fmt.Sprint(seen, rule), err
	}
}

// watched notes the counts of a release, as far as they can be told apart by noise of up to 2.
type watched struct {
	Conjunctive
	counts *string
}

func (w watched) Release(src coin.Source, records *Records, step coin.Step) (*Release, error) {
	r, err := w.Conjunctive.Release(src, records, step)
	if err == nil {
		for _, c := range r.Counts {
			*w.counts += fmt.Sprint(clamp(c, 1), " ")
		}
	}
	return r, err
}

// TestPlantedReleasedRule: half of the people looked at for nothing, and a count paid from nowhere.
func TestPlantedReleasedRule(t *testing.T) {
	twin := *releasedRule()
	twin.count = countAt("1")
	audittest.Caught(
		t, audit.Audit[string]{Name: "rule of two releases, ε = 1, a count paid from nowhere",
			Space: audit.Space{Persons: 1, Values: 4}, Claim: granted("1", "0", hardly),
			Law: lawWith(short(2), bothShown(&twin))})
	twin = *releasedRule()
	twin.no = must(must(Choose(ChoiceParams{Epsilon: epsilon("1"), Persons: 1, Size: 1,
		Width: 1}))[0].New())
	audittest.Caught(
		t, audit.Audit[string]{Name: "rule of two releases, ε = 1, of which the second costs all",
			Space: audit.Space{Persons: 1, Values: 4}, Claim: granted("1", "0", hardly),
			Law: lawWith(short(2), bothShown(&twin))})
}
