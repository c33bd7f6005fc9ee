package privacy_test

import (
	"fmt"
	"slices"

	"hush/core/privacy"
)

func ExampleCompose() {
	tenth, _ := privacy.ParseEpsilon("0.1")
	small, _ := privacy.ParseDelta("1e-6")
	total, _ := privacy.Compose(slices.Repeat([]privacy.Loss{privacy.PureLoss(tenth)}, 100), small)
	fmt.Printf("%v by %s composition\n", total.Loss, total.Rule)
	for _, c := range total.Considered {
		fmt.Printf("%s: %v\n", c.Rule, c.Loss)
	}
	// Output:
	// ε ≤ 4.77456758811, δ = 0.000001 by optimal composition
	// optimal: ε ≤ 4.77456758811, δ = 0.000001
	// concentrated: ε ≤ 5.21907523827, δ = 0.000001
	// advanced: ε ≤ 5.75610551934, δ = 0.000001
	// basic: ε = 10
}

func ExampleLoss() {
	tenth, _ := privacy.ParseEpsilon("0.1")
	half, _ := privacy.ParseEpsilon("0.5")
	small, _ := privacy.ParseDelta("1e-6")
	both := privacy.PureLoss(tenth).Plus(privacy.ApproximateLoss(half, small))
	fmt.Println(both)
	fmt.Println(both.Exact())
	fmt.Println(both.Sentence())
	// Output:
	// ε = 0.6, δ = 0.000001
	// ε = 3/5, ρ = 63727584349/500000000000, δ = 1/1000000
	// If any one person's data had been different, no result would have been more than 1.83 times as likely. The odds of a guess about one person's data change by that factor at most, even for somebody who knows everyone else's data. Exceptions to this have a chance of at most 1 in 1 million.
}
