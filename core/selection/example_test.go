package selection_test

import (
	"fmt"
	"math/big"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/privacy"
	"hush/core/selection"
)

// Three questions, each answered with noise; the largest noisy count is published, at three times
// the loss of one answer.
func ExampleBestOf() {
	each, err := privacy.ParseEpsilon("0.5")
	if err != nil {
		fmt.Println(err)
		return
	}
	count, err := mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: each, L1Sensitivity: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	var candidates []selection.Candidate[string]
	for name, persons := range map[string]int64{"Monday": 310, "Tuesday": 480, "Friday": 120} {
		candidates = append(candidates, func(src coin.Source) (selection.Scored[string], error) {
			return selection.Scored[string]{Output: name, Score: count.Noise().AddTo(src, persons)},
				nil
		})
	}
	one, err := selection.OneOf(candidates)
	if err != nil {
		fmt.Println(err)
		return
	}
	repetitions, err := selection.Geometric(big.NewRat(1, 100), 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	best, err := selection.NewBest(
		selection.BestParams{Loss: privacy.PureLoss(each), Repetitions: repetitions})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, _, err := selection.BestOf(coin.NewSeeded(3), best, one, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	loss, err := best.Loss(1)
	fmt.Println(result.Output, loss, err)
	// Output: Tuesday ε = 1.5 <nil>
}

// One candidate whose score a person moves by 10, and two by 1: the best of a random number of
// noisy measurements is chosen.
func ExampleNoisyScores() {
	epsilon, _ := privacy.ParseEpsilon("1")
	repetitions, _ := selection.Geometric(big.NewRat(1, 60), 0)
	scores := []int64{900, 400, 100}
	plain, err := selection.NewNoisyScores(selection.NoisyScoresParams{Epsilon: epsilon,
		Sensitivities: []uint64{10, 1, 1}, Repetitions: repetitions})
	if err != nil {
		fmt.Println(err)
		return
	}
	index, chosen, err := plain.Release(coin.NewSeeded(1), scores, nil)
	loss, _ := plain.Loss(1)
	fmt.Println(index, chosen, err, loss)
	// Output:
	// 0 true <nil> ε ≤ 0.999999046326
}
