package selection

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/param"
	"hush/core/privacy"
)

// selections is how often a choice is made for each figure of UTILITY.md.
const selections = 300

const utilityFile = "UTILITY.md"

// contender is a way to choose among candidates with these scores at a whole ε of 1.
type contender struct {
	name string
	make func(t *testing.T, total privacy.Epsilon, scores []int64) (
		choose func(src coin.Source) int, runs float64)
}

func contenders() []contender {
	repeated := func(law func(k int64) Repetitions) func(*testing.T, privacy.Epsilon, []int64) (
		func(coin.Source) int, float64) {
		return func(t *testing.T, total privacy.Epsilon, scores []int64) (func(coin.Source) int,
			float64) {
			r := law(int64(len(scores)))
			sensitivities := make([]uint64, len(scores))
			for i := range sensitivities {
				sensitivities[i] = 1
			}
			m := must(NewNoisyScores(
				NoisyScoresParams{Epsilon: total, Sensitivities: sensitivities, Repetitions: r}))
			return func(src coin.Source) int {
				index, _, err := m.Release(src, scores, nil)
				if err != nil {
					t.Fatal(err)
				}
				return index
			}, floatOf(r.Mean())
		}
	}
	return []contender{
		{"budget split among all",
			func(t *testing.T, total privacy.Epsilon, scores []int64) (func(coin.Source) int,
				float64) {
				each := must(
					mechanism.NewLaplace(
						mechanism.LaplaceParams{Epsilon: total.Part(1, int64(len(scores))),
							L1Sensitivity: 1}))
				return func(src coin.Source) int {
					noisy := must(each.Release(src, scores, nil))
					best := 0
					for i, score := range noisy {
						if score > noisy[best] {
							best = i
						}
					}
					return best
				}, float64(len(scores))
			}},
		{"random stopping, 3ε",
			repeated(func(k int64) Repetitions { return must(Geometric(big.NewRat(1, 4*k), 0)) })},
		{"shape 1/2, 2.5ε",
			repeated(func(k int64) Repetitions {
				return must(NegativeBinomial(big.NewRat(1, 2), big.NewRat(1, 8*k)))
			})},
		{"logarithmic, 2ε",
			repeated(func(k int64) Repetitions { return must(Logarithmic(big.NewRat(1, 32*k))) })},
		{"exponential mechanism",
			func(t *testing.T, total privacy.Epsilon, scores []int64) (func(coin.Source) int,
				float64) {
				m := must(mechanism.NewExponential(
					mechanism.ExponentialParams{Epsilon: total, Sensitivity: 1}))
				return func(src coin.Source) int { return must(m.Release(src, scores, nil)) }, 1
			}},
		{"random stopping, at most 8k runs", repeated(func(k int64) Repetitions {
			return must(Geometric(big.NewRat(1, 4*k), uint64(8*k)))
		})},
		{"until one has 180, 2ε", untilGood},
		{"percentile search, exact oracle", searched(ByOracle)},
		{"percentile search, sampled", searched(BySampling)},
		{"search for a threshold, then runs", searched(ByThreshold)},
	}
}

// pictured is how many of the contenders are in the picture.
const pictured = 5

// untilGood takes the first run whose noisy score is 180, nine tenths of the best.
func untilGood(t *testing.T, total privacy.Epsilon,
	scores []int64) (func(coin.Source) int, float64) {
	k := int64(len(scores))
	share := must(ShareOfRun(RunParams{Epsilon: total, Combinations: k, Until: true}))
	search := must(Until(privacy.PureLoss(share.Epsilon), k, privacy.Delta{}))
	noise := must(mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: share.Epsilon, L1Sensitivity: 1}))
	good := 0.0
	for _, score := range scores {
		if score >= 180 {
			good++
		}
	}
	return func(src coin.Source) int {
		var all []Candidate[int]
		for i, score := range scores {
			all = append(all, func(src coin.Source) (Scored[int], error) {
				return Scored[int]{Output: i, Score: noise.AddTo(src, score)}, nil
			})
		}
		first, found, err := FirstTried(src, search, 180, all, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !found {
			return 0
		}
		return first.Output
	}, search.Calls(good / float64(k))
}

// searched chooses by one of the searches; nil where it is refused.
func searched(way Way) func(*testing.T, privacy.Epsilon, []int64) (func(coin.Source) int, float64) {
	return func(t *testing.T, total privacy.Epsilon, scores []int64) (func(coin.Source) int,
		float64) {
		p := ContestParams{Way: way, Epsilon: total, Candidates: int64(len(scores)), Persons: 200}
		if way != ByOracle {
			p.Delta = must(privacy.ParseDelta("1e-6"))
		}
		m, err := NewContest(p)
		if refused := new(param.Error); errors.As(err, &refused) {
			return nil, 0
		}
		if err != nil {
			t.Fatal(err)
		}
		runs := float64(m.Facts().Samples)
		return func(src coin.Source) int {
			index, _, err := m.Release(src, scores, nil)
			if err != nil {
				t.Fatal(err)
			}
			return max(index, 0)
		}, runs
	}
}

// TestUtility compares the file with what selections drawn from seeds give; -update and ./build.sh
// bench selection write it anew.
func TestUtility(t *testing.T) {
	if testing.Short() && !*audittest.Update {
		t.Skip("some seconds of selections")
	}
	total := must(privacy.ParseEpsilon("1"))
	var table, chart strings.Builder
	ks := []int{10, 100, 1000}
	lines := make([][]string, pictured)
	for _, k := range ks {
		scores := make([]int64, k)
		for i := range scores {
			scores[i] = int64(200 * i / (k - 1))
		}
		src := coin.NewSeeded(coin.Seed(k))
		split := make([]int, selections)
		for c, method := range contenders() {
			choose, runs := method.make(t, total, scores)
			if choose == nil {
				fmt.Fprintf(&table, "| %d | %s | refused | | | |\n", k, method.name)
				continue
			}
			rank, short, beats := 0.0, 0.0, 0
			for i := range selections {
				index := choose(src)
				rank += float64(index) / float64(k-1)
				short += float64(200 - scores[index])
				if c == 0 {
					split[i] = index
				} else if index > split[i] {
					beats++
				}
			}
			n := float64(selections)
			better := "–"
			if c > 0 {
				better = fmt.Sprintf("%.0f %%", 100*float64(beats)/n)
				if float64(beats)/n < .5 && k > 10 && c < pictured {
					t.Errorf("%s beats splitting the budget among %d candidates in %s of the runs",
						method.name, k, better)
				}
			}
			if c < pictured {
				lines[c] = append(lines[c], fmt.Sprintf("%.1f", 100*rank/n))
			}
			fmt.Fprintf(&table, "| %d | %s | %.0f | %.1f | %.1f | %s |\n", k, method.name, runs,
				100*rank/n, short/n, better)
		}
	}
	chart.WriteString("```mermaid\nxychart-beta\n  title \"Percentile of the candidate chosen: " +
		"split, random stopping, shape 1/2, logarithmic, exponential\"\n")
	chart.WriteString(
		"  x-axis \"candidates\" [10, 100, 1000]\n  y-axis \"percentile\" 0 --> 100\n")
	for _, line := range lines {
		fmt.Fprintf(&chart, "  line [%s]\n", strings.Join(line, ", "))
	}
	chart.WriteString("```\n")
	text := fmt.Sprintf(`# What a selection reaches

Made by TestUtility; do not edit (./build.sh bench selection). k candidates have scores evenly from 0 to 200 persons, each of which one person moves by 1; all
of ε = 1 is spent. A run measures one score. Means of %d selections drawn from seeds: the expected number of runs, the percentile of the candidate chosen among the k (the best without
privacy has 100), by how many persons it falls short of the best, and how often it beats the choice made with the budget split among all.

| k | Method | Runs | Percentile | Short by | Beats splitting |
|---|---|---|---|---|---|
%s
%s
The exponential mechanism needs scores that one person moves a little, and is the better choice where they are. The others only need candidates that are private by
themselves; among few of them splitting the budget is better: Advise says which. Who knows what is good enough pays 2ε, and stops there; what is not found counts as the worst.
The percentile searches have so little of ε for one run, and so much noise in its measured chance, that they tell candidates apart only among people by the thousand: here are 200.
`, selections, table.String(), chart.String())
	audittest.Document(t, utilityFile, text)
}
