package query

import (
	"fmt"
	"math"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
)

func localRun(m *Local) func(src coin.Source, rows []int) (string, error) {
	return func(src coin.Source, rows []int) (string, error) {
		r, err := m.Release(src, recordsOf(rows, 2), nil)
		if err != nil {
			return "", err
		}
		return keyOf(r.Counts), nil
	}
}

func keyOf(counts []int64) string {
	text := ""
	for _, c := range counts {
		text += string(rune('a'+c+20)) + " "
	}
	return text
}

func TestAuditLocal(t *testing.T) {
	m := must(NewLocal(LocalParams{Base: base(3, 1)}))
	audittest.Holds(t, audit.Audit[string]{Name: "randomised response, 2 attributes",
		Space: audit.Space{Persons: 2, Values: 4, NoNone: true}, Claim: claimOf(m.Loss(1)),
		Law: enumerated(1, localRun(m))})
}

func TestPlantedLocal(t *testing.T) {
	m := must(NewLocal(LocalParams{Base: base(3, 1)}))
	audittest.Caught(t, audit.Audit[string]{Name: "randomised response that lies too rarely",
		Space: audit.Space{Persons: 2, Values: 4, NoNone: true},
		Claim: claimOf(lossOf(base(2, 1), 1)), Law: enumerated(1, localRun(m))})
}

// answerRun is the answer of one person, who has the attribute or not.
func answerRun(m *Local) func(src coin.Source, rows []int) (string, error) {
	return func(src coin.Source, rows []int) (string, error) {
		yes, err := m.Answer(src, rows[0] == 1)
		return fmt.Sprint(yes), err
	}
}

func TestAuditLocalAnswer(t *testing.T) {
	m := must(NewLocal(LocalParams{Base: base(3, 1)}))
	audittest.Holds(t, audit.Audit[string]{Name: "randomised response, one answer",
		Space: cube(1, 1), Claim: claimOf(m.Loss(1)), Law: enumerated(1, answerRun(m))})
	audittest.Caught(t, audit.Audit[string]{Name: "randomised response, one answer that is " +
		"given twice", Space: cube(1, 1), Claim: claimOf(m.Loss(1)),
		Law: enumerated(1, func(src coin.Source, rows []int) (string, error) {
			first, err := answerRun(m)(src, rows)
			if err != nil {
				return "", err
			}
			second, err := answerRun(m)(src, rows)
			return first + second, err
		})})
}

// TestLocalCounts: counts are right on average, off as is said, and far more than central noise.
func TestLocalCounts(t *testing.T) {
	const n, d, runs = 4000, 4, 60
	records := must(NewRecords(n, d))
	for i := range n {
		if i%2 == 0 {
			records.Yes(i, 0)
		}
	}
	m := must(NewLocal(LocalParams{Epsilon: epsilon("1")}))
	var _ coin.Chance = m.truth // H: local.md exact
	sum, squares := 0.0, 0.0
	noise := 0.0
	for seed := range runs {
		r := must(m.Release(coin.NewSeeded(coin.Seed(seed)), records, nil))
		off := float64(r.Counts[0]) - n/2
		sum, squares, noise = sum+off, squares+off*off, r.Noise
	}
	spread := math.Sqrt(squares / runs)
	if math.Abs(sum/runs) > noise/2 || spread < noise/1.4 || spread > noise*1.4 ||
		noise < 5*2*d {
		t.Errorf("off by %.0f on average, %.0f in spread, said %.0f", sum/runs, spread, noise)
	}
	if _, err := NewLocal(LocalParams{}); err == nil {
		t.Error("without ε")
	}
}
