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
// out by a fair coin: any Go function will do, as do the coverage of records and the cuts of a
// graph.
func ExampleLearn() {
	// The part that k of 12 sensors see: each sees half of the rest.
	seen := query.Func{Ground: 12, Most: 16, Of: func(s query.Set) int64 {
		return 16 - 16>>min(s.Len(), 4)
	}}
	graph, err := query.NewGraph(3, []query.Edge{{0, 1}, {0, 1}, {1, 2}, {0, 2}})
	if err != nil {
		panic(err)
	}
	for _, f := range []struct {
		name     string
		function query.Function
		monotone bool
		asked    []int
	}{{"sensors", seen, true, []int{0, 3, 4, 7, 9}}, {"cuts", graph, false, []int{0, 2}}} {
		fair, err := query.Independent(f.function.Size(), big.NewRat(1, 2))
		if err != nil {
			panic(err)
		}
		learned, err := query.Learn(coin.NewSeeded(1), f.function, big.NewRat(1, 4),
			query.Exact, !f.monotone, fair, 1, nil)
		if err != nil {
			panic(err)
		}
		asked, err := query.NewSet(f.function.Size(), f.asked...)
		if err != nil {
			panic(err)
		}
		value, _ := learned.Value(asked).Float64()
		fmt.Printf("%s: %d pieces; of %d elements %.3f, truly %.3f\n", f.name, len(learned.Pieces),
			asked.Len(), value, float64(f.function.Value(asked))/float64(f.function.Top()))
	}
	// Output:
	// sensors: 13 pieces; of 5 elements 0.935, truly 0.938
	// cuts: 6 pieces; of 2 elements 0.750, truly 0.750
}

// A submodular function of one's own: a shop serves the streets that its places see. It is checked,
// split into pieces on which no further place adds a quarter of all, and asked without privacy.
func ExampleIsSubmodular() {
	streets := [][]int{{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 1, 2, 3}}
	serves := query.Func{Ground: len(streets), Most: 4, Of: func(places query.Set) int64 {
		seen := map[int]bool{}
		for _, place := range places.Members() {
			for _, street := range streets[place] {
				seen[street] = true
			}
		}
		return int64(len(seen))
	}}
	is, err := query.IsSubmodular(serves)
	fmt.Println("submodular:", is, err)
	quarter := big.NewRat(1, 4)
	pieces, err := query.Decompose(serves, quarter, query.Exact, false, 0, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println("pieces:", len(pieces), "at most", query.Exact.Pieces(quarter, serves.Size()),
		"of at most", query.Exact.Depth(quarter), "places")
	fmt.Printf("for all but 1 %% within a tenth of a piece's mean: pieces of %.4f\n",
		query.Gamma(0.1, 0.01, true))
	// Output:
	// submodular: true <nil>
	// pieces: 12 at most 26 of at most 3 places
	// for all but 1 % within a tenth of a piece's mean: pieces of 0.0007
}
