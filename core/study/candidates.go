package study

import (
	"math"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/selection"
)

const candidateRuns = 40

var candidates = Study{
	ID: "candidates", Source: "Liu, Talwar 2019",
	Title: "The best of many private runs",
	Asked: "What does it cost to publish the best of many private results if nothing is known " +
		"about each but that it is private?",
	Found: "Hardly more than one result: run them in random order a random number of times, and " +
		"publish the best. With random stopping this costs three times the loss of one run, " +
		"however many there were; if you know beforehand what is good enough, twice that loss.",
	Also: "Why trying ten and publishing the best is not free: let a run fail with a chance of " +
		"3/4 if a certain person is in the data and of 1/4 if she is not, which is ε = 1.1. If " +
		"even the best of ten is a failure, all ten were, and that is 59 049 times as likely " +
		"with her as without: ε = 11, all ten paid for. After a random number of runs nobody " +
		"knows how many failed, and the same result is 8 times as likely. Made-up data are often " +
		"chosen like that: drawn until they look right, with nobody counting. Write criteria " +
		"beforehand instead; then all ways are tried for twice the cost of one run.",
	Simple: "With up to about ten candidates, dividing the budget evenly does as well. Where one " +
		"person moves each score only a little, the exponential mechanism is best for any " +
		"number; random stopping is for candidates of which nothing is known but that they are " +
		"private.",
	Least: "The dotted line: no choice with this ε is nearer to the best on all data. On easy " +
		"data such as these, where many candidates come near the best, a measured line can lie " +
		"below it. Its constant is known, and proved beside the code. The paper's Theorem D.2 " +
		"says that no useful selection costs less than twice one run; since it bounds ε, it is " +
		"not in this picture.",
	Made: "Scores lie evenly from 0 to 200 people, and a person moves each by at most 1. The " +
		"figure shows the gap to the best score within which 38 of 40 runs stay; each spends all " +
		"of ε = 1.",
	Y: "people the choice falls short by",
	Lines: []Line{
		{"budget divided evenly, proved", Bound, -1},
		{"budget divided evenly, measured", Measured, 0},
		{"random stopping, proved", Bound, -1},
		{"random stopping, measured", Measured, 2},
		{"exponential mechanism, proved", Bound, -1},
		{"exponential mechanism, measured", Measured, 4},
		{"least possible", Least, -1},
	},
	Axis: Axis{"candidates", []int{4, 16, 64, 256, 1024}, measureCandidates},
	Task: "mode", Params: map[string]string{"selector": "flip"},
	Films: []string{"stopping", "search"},
}

func measureCandidates(k int, seed coin.Seed, tell func(float64) error) ([]float64, error) {
	scores, sensitivities := make([]int64, k), make([]uint64, k)
	for i := range scores {
		scores[i], sensitivities[i] = int64(200*i/(k-1)), 1
	}
	even := must(mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: one.Part(1, int64(k)), L1Sensitivity: 1}))
	law := must(selection.Geometric(big.NewRat(1, 40*int64(k)), 0))
	random := must(selection.NewNoisyScores(selection.NoisyScoresParams{Epsilon: one,
		Sensitivities: sensitivities, Repetitions: law}))
	exponential := must(mechanism.NewExponential(
		mechanism.ExponentialParams{Epsilon: one, Sensitivity: 1}))
	var short [3][]float64
	for run := range coin.Seed(candidateRuns) {
		if err := tell(float64(run) / candidateRuns); err != nil {
			return nil, err
		}
		src := coin.NewSeeded(candidateRuns*seed + run)
		noisy, err := even.Release(src, scores, nil)
		if err != nil {
			return nil, err
		}
		best, _, err := random.Release(src, scores, nil)
		if err != nil {
			return nil, err
		}
		drawn, err := exponential.Release(src, scores, nil)
		if err != nil {
			return nil, err
		}
		for i, chosen := range []int{slices.Index(noisy, slices.Max(noisy)), best, drawn} {
			short[i] = append(short[i], float64(200-scores[chosen]))
		}
	}
	each := must(mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: must(selection.Each(one, law)), L1Sensitivity: 1}))
	return []float64{
		2 * float64(even.ErrorBound(beta/float64(k))), high(short[0]),
		2 * float64(each.ErrorBound(share(law, k))), high(short[1]),
		float64(exponential.ErrorBound(beta, big.NewInt(int64(k)))), high(short[2]),
		packing(math.Log(float64(k-1))) - 1, // at most t is less than t + 1
	}, nil
}

// share is a chance q, found by halving, with which the noise of a run may be large if the best
// candidate is to be drawn without large noise, and no run to have any, but for β: F(1 − (1 − q)/k)
// + 1 − F(1 − q) ≤ β, F being the generating function of the number of runs. Proof: study.md,
// Lemma 3.
func share(law selection.Repetitions, k int) float64 {
	q := 1.0
	for law.Miss((1-q)/float64(k))+1-law.Miss(q) > beta {
		q /= 2
	}
	return q
}
