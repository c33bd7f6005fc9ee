package selection

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

const comparedPreface = `# Selections, compared

Made by a test; do not edit (` + "`go test ./core/selection -run TestCompared -update`" + `).
By how many people the candidate chosen falls short of the best, the mean of 400 selections from
seeds, ε = 1 and δ = 10^-6 where one is spent.

## Scores that people move by different amounts

20 candidates with scores from 0 to 380 people, which one person moves by 1, but for three in the
middle that a person moves by more, and whose scores are no better. The simple way is the
exponential mechanism for the largest of these sensitivities.

| three scores move by | exponential mechanism | generalised | noisy scores, shifted | noisy scores with a δ |
|---|---|---|---|---|
`

const comparedOnce = `
## Candidates that can only be run

As many candidates as named with scores evenly from 0 to 200 people. "Each once" (amplification)
runs every candidate once with half of ε and chooses one of the results or none; none falls short by
all. The simple way splits ε.

| candidates | ε split | each once | each once: none | random stopping | negative binomial |
|---|---|---|---|---|---|
`

const comparedClusters = `
## Clusters

How many of 20 releases at ε = 2 find all of three groups of points, and no others: with the number
of groups chosen among 2 to 6 and the starting places among about 30 runs, and, the simple way, one
run with all of ε from one random start that knows there are three.

| people | chosen among runs | one run, told the number |
|---|---|---|
`

// TestCompared writes COMPARED.md.
func TestCompared(t *testing.T) {
	if testing.Short() && !*audittest.Update {
		t.Skip("seconds of selections: the long tests compare the whole file")
	}
	const times = 400
	var b strings.Builder
	b.WriteString(comparedPreface)
	epsilon, delta := must(privacy.ParseEpsilon("1")), must(privacy.ParseDelta("1e-6"))
	stops := must(Geometric(big.NewRat(1, 80), 0))
	for _, most := range []uint64{1, 10, 100} {
		sensitivities, scores := make([]uint64, 20), make([]int64, 20)
		for i := range scores {
			scores[i], sensitivities[i] = int64(20*i), 1
			if i >= 9 && i < 12 {
				sensitivities[i] = most
			}
		}
		plain := must(mechanism.NewExponential(
			mechanism.ExponentialParams{Epsilon: epsilon, Sensitivity: most}))
		generalised := must(NewGeneralised(
			GeneralisedParams{Epsilon: epsilon, Sensitivities: sensitivities}))
		noisy := NoisyScoresParams{Epsilon: epsilon, Sensitivities: sensitivities,
			Repetitions: stops}
		noisy.Shift = big.NewRat(1, 20)
		shifted := must(NewNoisyScores(noisy))
		noisy.Shift, noisy.Delta = nil, delta
		bounded := must(NewNoisyScores(noisy))
		short := make([]float64, 4)
		for run := range coin.Seed(times) {
			src := coin.NewSeeded(run)
			for i, choose := range []func() int{
				func() int { return must(plain.Release(src, scores, nil)) },
				func() int { return must(generalised.Release(src, scores, nil)) },
				func() int { return indexOf(t)(shifted.Release(src, scores, nil)) },
				func() int { return indexOf(t)(bounded.Release(src, scores, nil)) },
			} {
				short[i] += float64(380-scores[choose()]) / times
			}
		}
		fmt.Fprintf(&b, "| %d |", most)
		for _, x := range short {
			fmt.Fprintf(&b, " %.1f |", x)
		}
		b.WriteString("\n")
		if most == 100 && short[1] > short[0] {
			t.Errorf("generalised falls short by %.1f, the plain mechanism by %.1f", short[1],
				short[0])
		}
	}
	b.WriteString(comparedOnce)
	for _, k := range []int64{5, 20, 100} {
		scores := make([]int64, k)
		for i := range scores {
			scores[i] = 200 * int64(i) / (k - 1)
		}
		fmt.Fprintf(&b, "| %d |", k)
		for _, way := range []Way{BySplitting, ByAmplifying, ByStopping, ByBinomial} {
			c := must(NewContest(
				ContestParams{Way: way, Epsilon: epsilon, Candidates: k, Persons: 200}))
			short, none := 0.0, 0
			for run := range coin.Seed(times) {
				index, _, err := c.Release(coin.NewSeeded(run), scores, nil)
				if err != nil {
					t.Fatal(err)
				}
				if index < 0 {
					none++
					short += 200. / times
				} else {
					short += float64(200-scores[index]) / times
				}
			}
			fmt.Fprintf(&b, " %.1f |", short)
			if way == ByAmplifying {
				fmt.Fprintf(&b, " %.0f %% |", 100*float64(none)/times)
			}
		}
		b.WriteString("\n")
	}
	b.WriteString(comparedClusters)
	for _, n := range []int{600, 2000, 6000} {
		points := groups(n)
		chosen := newClusters(t, "2", 1024, 2, 3, 4, 5, 6)
		// a run has a third of ε, and there is hardly ever a second one
		once := must(NewClusters(ClustersParams{Epsilon: must(privacy.ParseEpsilon("6")),
			Sizes: []int{3}, Dimensions: 2, Side: 1024,
			Repetitions: must(Geometric(rat("999/1000"), 0))}))
		fmt.Fprintf(&b, "| %d | %d | %d |\n", n, allFound(chosen, points), allFound(once, points))
	}
	audittest.Document(t, "COMPARED.md", b.String())
}

// allFound is in how many of 20 releases the three groups are found, and no others.
func allFound(m *Clusters, points cloud) (times int) {
	for run := range coin.Seed(20) {
		if isGroups(must(m.Release(coin.NewSeeded(run), points, nil))) {
			times++
		}
	}
	return times
}

// indexOf is the candidate chosen by a selection that always chooses one.
func indexOf(t *testing.T) func(index int, chosen bool, err error) int {
	return func(index int, chosen bool, err error) int {
		if err != nil || !chosen {
			t.Fatal(chosen, err)
		}
		return index
	}
}
