package classify_test

import (
	"fmt"

	"hush/core/classify"
	"hush/core/coin"
	"hush/core/privacy"
)

func ExampleStumps() {
	class, _ := classify.NewStumps(classify.StumpsParams{Sizes: []uint64{100, 20}})
	rule := class.Learn([]classify.Votes{
		{Point: classify.Point{20, 3}, Yes: 0, No: 5},
		{Point: classify.Point{40, 9}, Yes: 4, No: 1},
		{Point: classify.Point{60, 3}, Yes: 6, No: 0},
	}, nil)
	fmt.Println(rule, rule.Says(classify.Point{50, 0}))
	// Output: column 1 ≥ 40 true
}

// Labels by a noisy majority of rules learned from different people (PATE), to compare with stable
// votes; and how many cases a universal algorithm labels by vote before its rule is as good.
func ExamplePoll() {
	class, _ := classify.NewStumps(classify.StumpsParams{Sizes: []uint64{100}})
	people := make([]classify.Example, 20_000)
	for i := range people {
		age := uint64(i % 100)
		people[i] = classify.Example{Point: classify.Point{age}, Yes: age >= 60}
	}
	epsilon, _ := privacy.ParseEpsilon("1")
	poll, err := classify.NewPoll(classify.PollParams{Class: class, Epsilon: epsilon,
		Persons: uint64(len(people)), Queries: 10, Rules: 401, Noise: classify.LaplaceNoise})
	if err != nil {
		fmt.Println(err)
		return
	}
	ballot, err := poll.Start(coin.NewSeeded(1), people, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, age := range []uint64{20, 80} {
		yes, err := ballot.Answer(classify.Point{age})
		fmt.Println(age, yes, err)
	}
	loss, _ := poll.Loss(1)
	fmt.Println(loss, "first cases:", classify.FirstPhase(class, 0.1, 0.05))
	// Output:
	// 20 false <nil>
	// 80 true <nil>
	// ε = 1 first cases: 417
}

// Where nobody has public cases, an even grid of possible ones serves as such: no data decide it.
func ExampleGrid() {
	epsilon, _ := privacy.ParseEpsilon("1")
	ages, _ := classify.NewStumps(classify.StumpsParams{Sizes: []uint64{120}})
	grid, _ := classify.Grid(ages.Sizes(), 12)
	learner, err := classify.NewSemiPrivate(classify.SemiPrivateParams{
		Class: ages, Anchors: grid, Epsilon: epsilon})
	if err != nil {
		fmt.Println(err)
		return
	}
	var people []classify.Example
	for i := range uint64(1000) {
		people = append(people, classify.Example{Point: classify.Point{i % 120}, Yes: i%120 >= 60})
	}
	rule, _ := learner.Learn(coin.NewSeeded(1), people, nil)
	fmt.Println(len(grid), "possible cases; at 20 and at 90:",
		rule.Says(classify.Point{20}), rule.Says(classify.Point{90}))
	// Output:
	// 12 possible cases; at 20 and at 90: false true
}
