package query_test

import (
	"encoding/json"
	"fmt"
	"math/big"

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
	// a release to publish draws from coin.NewCrypto
	release, err := marginals.Release(coin.NewSeeded(1), records, nil)
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
	fmt.Printf("about %.0f of %d have both, with noise of standard deviation %.1f\n",
		answer.Persons, opened.Persons, answer.Noise)
	// Output: about 1664 of 10000 have both, with noise of standard deviation 8.5
}

// Attributes of one column exclude each other: more categories need no more noise.
func ExampleTables() {
	records, err := query.NewRecords(10_000, 7)
	if err != nil {
		panic(err)
	}
	for person := range 10_000 {
		records.Yes(person, person%4)                       // four districts
		records.Yes(person, []int{4, 4, 5, 6}[person/50%4]) // three departments
	}
	var columns []query.Column
	for _, categories := range [][]int{{0, 1, 2, 3}, {4, 5, 6}} {
		var column query.Column
		for _, x := range categories {
			column = append(column, query.Set{}.With(x))
		}
		columns = append(columns, column)
	}
	epsilon, err := privacy.ParseEpsilon("1")
	if err != nil {
		panic(err)
	}
	tables, err := query.NewTables(
		query.TablesParams{Epsilon: epsilon, Columns: columns, Width: 2})
	if err != nil {
		panic(err)
	}
	// a release to publish draws from coin.NewCrypto
	release, err := tables.Release(coin.NewSeeded(1), records, nil)
	if err != nil {
		panic(err)
	}
	both, err := query.NewSet(7, 1, 4)
	if err != nil {
		panic(err)
	}
	answer, err := release.Ask(both)
	if err != nil {
		panic(err)
	}
	fmt.Printf("about %.0f of %d have both, with noise of standard deviation %.1f\n",
		answer.Persons, release.Persons, answer.Noise)
	// Output: about 1250 of 10000 have both, with noise of standard deviation 2.7
}

// Tables of a workload are released together: they agree with each other and with n.
func ExampleResiduals() {
	records, err := query.NewRecords(10_000, 4)
	if err != nil {
		panic(err)
	}
	for person := range 10_000 {
		for x := range 4 {
			if person>>x%3 == 0 {
				records.Yes(person, x)
			}
		}
	}
	var columns []query.Column
	for x := range 4 { // each attribute is a column of its own
		columns = append(columns, query.Column{query.Set{}.With(x)})
	}
	epsilon, err := privacy.ParseEpsilon("1")
	if err != nil {
		panic(err)
	}
	delta, err := privacy.ParseDelta("0.00001")
	if err != nil {
		panic(err)
	}
	residuals, err := query.NewResiduals(query.ResidualsParams{Epsilon: epsilon, Delta: delta,
		Columns: columns, Margins: []query.Margin{{Columns: []int{0, 1}},
			{Columns: []int{1, 2, 3}, Weight: 2}}})
	if err != nil {
		panic(err)
	}
	// a release to publish draws from coin.NewCrypto
	release, err := residuals.Release(coin.NewSeeded(1), records, nil)
	if err != nil {
		panic(err)
	}
	for _, columns := range [][]int{{0, 1}, {1}, {1, 2}} {
		table, err := release.Table(columns...)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%.1f, each with noise of standard deviation %.1f\n", table.Persons,
			table.StdDev)
	}
	// Output:
	// [5009.2 1671.8 1661.3 1657.7], each with noise of standard deviation 7.4
	// [6670.5 3329.5], each with noise of standard deviation 6.9
	// [4998.6 1671.9 1658.9 1670.6], each with noise of standard deviation 8.0
}

// A submodular function is learned from its values alone, for sets of which each element is in or
// out by a fair coin: here the cuts of a graph.
func ExampleLearn() {
	graph, err := query.NewGraph(3, []query.Edge{{0, 1}, {0, 1}, {1, 2}, {0, 2}})
	if err != nil {
		panic(err)
	}
	fair, err := query.Independent(3, big.NewRat(1, 2))
	if err != nil {
		panic(err)
	}
	learned, err := query.Learn(coin.NewSeeded(1), graph, big.NewRat(1, 4), query.Exact, true, fair,
		1, nil)
	if err != nil {
		panic(err)
	}
	asked, err := query.NewSet(3, 0, 2)
	if err != nil {
		panic(err)
	}
	value, _ := learned.Means[learned.Pieces.Find(asked)].Float64()
	fmt.Printf("%d pieces; of the set %.3f, truly %.3f\n", len(learned.Pieces), value,
		float64(graph.Value(asked))/float64(graph.Top()))
	// Output:
	// 6 pieces; of the set 0.750, truly 0.750
}
