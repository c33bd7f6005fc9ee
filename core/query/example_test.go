package query_test

import (
	"encoding/json"
	"fmt"

	"hush/core/coin"
	"hush/core/privacy"
	"hush/core/query"
)

// A release is made once, saved, and asked without the data.
func ExampleRelease() {
	records, err := query.NewRecords(10_000, 3)
	if err != nil {
		panic(err)
	}
	for person := range 10_000 {
		for attribute, every := range []int{2, 3, 5} {
			if person%every == 0 {
				records.Yes(person, attribute)
			}
		}
	}
	epsilon, err := privacy.ParseEpsilon("1")
	if err != nil {
		panic(err)
	}
	marginals, err := query.NewMarginals(query.MarginalsParams{Epsilon: epsilon, Width: 2})
	if err != nil {
		panic(err)
	}
	release, err := marginals.Release(coin.NewSeeded(1), records, nil) // a release to publish draws from coin.NewCrypto
	if err != nil {
		panic(err)
	}
	saved, err := json.Marshal(release)
	if err != nil {
		panic(err)
	}
	var opened query.Release
	if err := json.Unmarshal(saved, &opened); err != nil {
		panic(err)
	}
	both, err := query.NewSet(3, 0, 1)
	if err != nil {
		panic(err)
	}
	answer, err := opened.Ask(both)
	if err != nil {
		panic(err)
	}
	fmt.Printf("about %.0f of %d have both, with noise of standard deviation %.1f\n", answer.Persons, opened.Persons, answer.Noise)
	// Output: about 1664 of 10000 have both, with noise of standard deviation 8.5
}
