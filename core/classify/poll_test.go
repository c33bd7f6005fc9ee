package classify

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
)

func TestAuditPoll(t *testing.T) {
	m := must(NewPoll(
		PollParams{Class: stumps(Below, 3), Epsilon: epsilon("1"), Persons: 3, Queries: 2,
			Rules: 3}))
	audittest.Holds(
		t, audit.Audit[string]{Name: "poll of 3 rules, 2 cases, Laplace",
			Space: audit.Space{Persons: 3, Values: 6}, Claim: claimOf(m.Loss(1)),
			Law: pollLaw(m, 1)})
}

// pollLaw asks for case 1 so many times more often than paid for.
func pollLaw(m *Poll, times int) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		return coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
			text := ""
			b, err := m.Start(src, people(m.answers.class.Sizes(), rows), nil)
			for range 2 * times {
				var yes bool
				if b.asked == m.queries {
					b.asked = 0 // the twin forgets
				}
				if yes, err = b.Answer(Point{1}); err != nil {
					return "", err
				}
				text += fmt.Sprint(yes)[:1]
			}
			return text, err
		})
	}
}

func TestPlantedPoll(t *testing.T) {
	m := must(NewPoll(
		PollParams{Class: stumps(Below, 2), Epsilon: epsilon("0.1"), Persons: 1, Queries: 2,
			Rules: 1}))
	audittest.Caught(
		t, audit.Audit[string]{Name: "poll that goes on after its last case",
			Space: audit.Space{Persons: 1, Values: 4}, Claim: claimOf(m.Loss(1)),
			Law: pollLaw(m, 3)})
}

// TestPollIsGood: rules that mostly agree are answered right by either noise.
func TestPollIsGood(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	const size, n, m = 1 << 20, 20_000, 20
	examples := noisyThreshold(random, n, size, 0)
	for _, noise := range []Noise{LaplaceNoise, GaussianNoise} {
		p := PollParams{Class: stumps(Below, size), Epsilon: epsilon("1"), Persons: n, Queries: m,
			Rules: 401, Noise: noise}
		if noise == GaussianNoise {
			p.Delta = delta("1e-6")
		}
		b := must(must(NewPoll(p)).Start(coin.NewSeeded(5), examples, nil))
		wrong := 0
		for i := range uint64(m) {
			x := (2*i + 1) * size / (2 * m)
			if yes, err := b.Answer(Point{x}); err != nil || yes != (x < size/2) {
				wrong++
			}
		}
		if _, err := b.Answer(Point{1}); !errors.Is(err, ErrNoMore) || wrong > 2 {
			t.Errorf("%s: %d of %d wrong; one more: %v", noise, wrong, m, err)
		}
	}
}
