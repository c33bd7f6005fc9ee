package query

import (
	"fmt"
	"strings"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/meter"
)

// roundsOf writes the rounds of a release down.
func roundsOf(r *Release) string {
	var text strings.Builder
	for _, round := range r.Rounds {
		fmt.Fprint(&text, mask(round.Set), " ")
		if round.Count != nil {
			fmt.Fprint(&text, *round.Count, " ")
		} else {
			fmt.Fprint(&text, round.Step > 0, " ")
		}
	}
	return text.String()
}

func released[M interface {
	Release(coin.Source, *Records, coin.Step) (*Release, error)
}](m M, size int) func(src coin.Source, rows []int) (string, error) {
	return func(src coin.Source, rows []int) (string, error) {
		r, err := m.Release(src, recordsOf(rows, size), nil)
		if err != nil {
			return "", err
		}
		return roundsOf(r), nil
	}
}

func TestAuditMWEM(t *testing.T) {
	m := must(NewMWEM(MWEMParams{Base: base(3, 2), Width: 2, Rounds: 2}))
	audittest.Holds(
		t, audit.Audit[string]{Name: "MWEM, 2 attributes, 2 rounds", Space: cube(2, 2),
			Claim: claimOf(m.Loss(1)), Law: enumerated(2, released(m, 2))})
	if testing.Short() {
		return
	}
	one := must(NewMWEM(MWEMParams{Base: base(3, 2), Width: 3, Rounds: 1}))
	audittest.Holds(
		t, audit.Audit[string]{Name: "MWEM, 3 attributes, 1 round", Space: cube(3, 3),
			Claim: claimOf(one.Loss(1)), Law: enumerated(3, released(one, 3))})
}

func TestPlantedMWEM(t *testing.T) {
	seconds(t)
	m := must(NewMWEM(MWEMParams{Base: base(3, 2), Width: 2, Rounds: 2}))
	one := must(NewMWEM(MWEMParams{Base: base(3, 2), Width: 2, Rounds: 1}))
	audittest.Caught(
		t, audit.Audit[string]{Name: "MWEM that pays for one round of two", Space: cube(2, 2),
			Claim: claimOf(one.Loss(1)), Law: enumerated(2, released(m, 2))})
}

func TestAuditBoosting(t *testing.T) {
	seconds(t)
	for name, learner := range map[string]Learner{
		"exhaustive": must(NewExhaustive(LearnerParams{Base: base(3, 2), Width: 2})),
		"greedy":     must(NewGreedy(LearnerParams{Base: base(3, 2), Width: 2})),
	} {
		m := must(NewBoosting(
			BoostingParams{Learner: learner, Base: base(3, 2), Gap: rat(1, 4), Rounds: 1}))
		audittest.Holds(
			t, audit.Audit[string]{
				Name:  "weights from a learner, " + name + ", 2 attributes, 1 round",
				Space: cube(2, 2), Claim: claimOf(m.Loss(1)), Law: enumerated(2, released(m, 2))})
	}
	m := must(NewBoosting(
		BoostingParams{Learner: must(NewExhaustive(LearnerParams{Base: base(3, 2), Width: 1})),
			Base: base(3, 2), Gap: rat(1, 4), Rounds: 2}))
	audittest.Holds(
		t, audit.Audit[string]{Name: "weights from a learner, 1 attribute, 2 rounds",
			Space: cube(4, 1), Claim: claimOf(m.Loss(1)), Law: enumerated(2, released(m, 1))})
}

func TestPlantedBoosting(t *testing.T) {
	learner := must(NewExhaustive(LearnerParams{Base: base(3, 2), Width: 2}))
	m := must(NewBoosting(
		BoostingParams{Learner: learner, Base: base(3, 2), Gap: rat(1, 4), Rounds: 1}))
	weak := must(
		NewBoosting(
			BoostingParams{Learner: must(NewExhaustive(LearnerParams{Base: base(6, 1), Width: 2})),
				Base: base(6, 1), Gap: rat(1, 4), Rounds: 1}))
	audittest.Caught(
		t, audit.Audit[string]{Name: "weights from a learner with a fifth of the noise",
			Space: cube(2, 2), Claim: claimOf(m.Loss(1)), Law: enumerated(2, released(weak, 2))})
}

// sampledLaw is the law of Sampled with one correction, the threshold's noise summed in closed
// form.
func sampledLaw(m *Sampled, r1, r2 coin.Base) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		return thresholds(r1, r2, int64(len(rows))+3, 1, m.checks,
			func(src coin.Source) (string, error) {
				return released(m, 2)(onlyTop{src, uint64(len(rows))}, rows)
			})
	}
}

// onlyTop makes geometric draws end at a top from which a clamped count does not change.
type onlyTop struct {
	coin.Source
	top uint64
}

func (s onlyTop) Geometric(r coin.Base) uint64 {
	if script, ok := s.Source.(*scripted); ok && script.next && len(script.script) > 0 {
		return script.Geometric(r)
	}
	for k := range s.top { // Pr[k] = (1 − 1/r)·r^(−k), and all the rest at the top
		if s.Source.Bernoulli(coin.Ratio(1, 1).TimesPower(r, 1).Complement()) {
			return k
		}
	}
	return s.top
}

func sampled(r1, r2, r coin.Base) *Sampled {
	return &Sampled{
		above: must(
			mechanism.NewAboveThreshold(
				mechanism.AboveThresholdParams{BaseThreshold: r1, BaseQueries: r2,
					Sensitivity: 1})),
		count:    must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: r, L1Sensitivity: 1})),
		workload: OfWidth(1), threshold: rat(1, 4), updates: 1, checks: 2,
		spend: &meter.Spend{},
	}
}

func TestAuditSampled(t *testing.T) {
	r1, r2 := base(3, 2), base(5, 4)
	m := sampled(r1, r2, r1)
	audittest.Holds(
		t, audit.Audit[string]{Name: "sampled conjunctions, 2 attributes, 1 correction",
			Space: cube(2, 2),
			Claim: claimOf(m.above.Loss(1)).Plus(claimOf(m.count.Loss(1))),
			Law:   sampledLaw(m, r1, r2)})
}

func TestPlantedSampled(t *testing.T) {
	r1, r2 := base(3, 2), base(5, 4)
	m := sampled(r1, r2, base(1000, 1))
	audittest.Caught(
		t, audit.Audit[string]{Name: "sampled conjunctions whose count has hardly any noise",
			Space: cube(2, 2),
			Claim: claimOf(m.above.Loss(1)).Plus(claimOf(sampled(r1, r2, r1).count.Loss(1))),
			Law:   sampledLaw(m, r1, r2)})
}

// ruleLearner is built from a base.
func ruleLearner(r coin.Base, greedy bool) *RuleLearner {
	l := &RuleLearner{
		count: must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: r, L1Sensitivity: 1}))}
	if greedy {
		l.learner = must(NewGreedy(LearnerParams{Base: r, Width: 2}))
	} else {
		l.learner = must(NewExhaustive(LearnerParams{Base: r, Width: 2}))
	}
	return l
}

// ruleRun has as its values the records of two attributes, with the answer as the third bit; none
// stands for no answer.
func ruleRun(l *RuleLearner) func(src coin.Source, rows []int) (string, error) {
	return func(src coin.Source, rows []int) (string, error) {
		known := func(person int) bool { return rows[person] != audit.None }
		masks := make([]int, len(rows))
		for i, v := range rows {
			masks[i] = max(v, 0)
		}
		e := NewExamples(recordsOf(masks, 2), func(person int) bool {
			return rows[person]>>2&1 == 1
		}, known)
		rule, err := l.Release(src, e, nil)
		return fmt.Sprint(mask(rule.Set), rule.Right), err
	}
}

func TestAuditRule(t *testing.T) {
	for _, greedy := range []bool{false, true} {
		l := ruleLearner(base(3, 2), greedy)
		claim := claimOf(l.learner.Loss(1)).Plus(claimOf(l.count.Loss(1)))
		audittest.Holds(
			t, audit.Audit[string]{
				Name:  fmt.Sprintf("rule learner, 2 attributes, greedy %v", greedy),
				Space: audit.Space{Persons: 2, Values: 8},
				Claim: claim, Law: enumerated(2, ruleRun(l))})
	}
}

func TestPlantedRule(t *testing.T) {
	l := ruleLearner(base(3, 2), true)
	claim := claimOf(must(NewExhaustive(LearnerParams{Base: base(3, 2), Width: 2})).Loss(1)).
		Plus(claimOf(l.count.Loss(1)))
	strong := ruleLearner(base(3, 1), true)
	audittest.Caught(
		t, audit.Audit[string]{
			Name:  "rule learner that pays for one choice of two, with less noise",
			Space: audit.Space{Persons: 2, Values: 8},
			Claim: claim, Law: enumerated(2, ruleRun(strong))})
}
