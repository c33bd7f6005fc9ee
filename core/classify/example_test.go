package classify_test

import (
	"fmt"

	"hush/core/classify"
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

// How many cases a universal algorithm labels by vote before its rule is as good.
func ExampleFirstPhase() {
	class, _ := classify.NewStumps(classify.StumpsParams{Sizes: []uint64{100}})
	fmt.Println("first cases:", classify.FirstPhase(class, 0.1, 0.05))
	// Output: first cases: 417
}
