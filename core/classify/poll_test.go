package classify

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
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

// pollLaw asks for case 1 this many times more often than paid for.
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

// gaussianPoll has large ε and δ, so that its noise is about as wide as the number of rules.
func gaussianPoll(persons, queries, rules uint64) *Poll {
	return must(NewPoll(
		PollParams{Class: stumps(Below, 2), Epsilon: epsilon("2"), Delta: delta("0.05"),
			Persons: persons, Queries: queries, Rules: rules, Noise: GaussianNoise}))
}

// gaussianPollLaw asks for all cases that are paid for: the first two, the second chosen by the
// answer to the first, in full, and of the others, which are all alike, the number of yeses.
func gaussianPollLaw(m *Poll) func([]int) (*coin.Law[string], error) {
	type state struct {
		deal  int
		first string
		yeses int
	}
	return func(rows []int) (*coin.Law[string], error) {
		var deals []*PollBallot
		law, err := coin.Enumerate(coin.Limits{}, func(src coin.Source) (state, error) {
			b, err := m.Start(src, people(m.answers.class.Sizes(), rows), nil)
			deals = append(deals, b)
			return state{deal: len(deals) - 1}, err
		})
		if err != nil {
			return nil, err
		}
		answers := map[string]*coin.Law[bool]{}
		ask := func(deal int, p Point) (*coin.Law[bool], error) {
			key := ""
			for _, r := range deals[deal].rules {
				key += fmt.Sprint(r.Says(p))
			}
			if answers[key] == nil {
				answers[key], err = audittest.FirstTries(
					coin.Limits{Tail: fineTail.Tail, Bits: 64},
					func(src coin.Source) (bool, error) {
						b := *deals[deal]
						b.src = src
						return b.Answer(p)
					})
			}
			return answers[key], err
		}
		for query := range m.queries {
			law, err = coin.Then(law, func(s state) (*coin.Law[state], error) {
				at := Point{1}
				if query == 1 && s.first == "true" {
					at = Point{0}
				}
				answer, err := ask(s.deal, at)
				if err != nil {
					return nil, err
				}
				next := coin.NewLaw[state]()
				next.AddCut(answer.Cut())
				for _, yes := range answer.Outcomes() {
					to := s
					switch {
					case query < 2:
						to.first += fmt.Sprint(yes)
					case yes:
						to.yeses++
					}
					next.Add(to, answer.Mass(yes))
				}
				return next, nil
			})
			if err != nil {
				return nil, err
			}
		}
		return coin.Then(law, func(s state) (*coin.Law[string], error) {
			all := coin.NewLaw[string]()
			all.Add(fmt.Sprint(s.first, s.yeses), big.NewRat(1, 1))
			return all, nil
		})
	}
}

func TestAuditPollGaussian(t *testing.T) {
	for _, test := range []struct{ persons, queries, rules uint64 }{
		{3, 2, 3}, {1, 8, 1}, {3, 8, 3},
	} {
		if testing.Short() && test.queries > 2 && test.rules > 1 {
			continue
		}
		m := gaussianPoll(test.persons, test.queries, test.rules)
		audittest.Holds(
			t, audit.Audit[string]{
				Name: fmt.Sprintf("poll, Gaussian, %d × %d cases and rules", test.queries,
					test.rules),
				Space: audit.Space{Persons: int(test.persons), Values: 4},
				Claim: claimOf(m.Loss(1)), Law: gaussianPollLaw(m)})
	}
}

func TestPlantedPollGaussian(t *testing.T) {
	m := gaussianPoll(1, 8, 1)
	twin := *m
	twin.gaussian = must(mechanism.NewGaussian(mechanism.GaussianParams{
		Rho: must(privacy.RhoFor(epsilon("2"), delta("0.05"))), L2SensitivitySquared: 1}))
	audittest.Caught(
		t, audit.Audit[string]{
			Name:  "poll, Gaussian, with the noise of one case for each of 8 cases",
			Space: audit.Space{Persons: 1, Values: 4}, Claim: claimOf(m.Loss(1)),
			Law: gaussianPollLaw(&twin)})
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
