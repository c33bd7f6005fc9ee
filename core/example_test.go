package core_test

import (
	"fmt"
	"strings"

	"hush/core"
)

// The mean age of some people, for ε = 0.5 of 3.
func Example() {
	file := strings.NewReader("name,age\n" + strings.Repeat("Ann,30\nBo,40\nCy,50\n", 500))
	people, err := core.Open(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	ledger, _ := core.NewLedger("3", "0.000001")
	age := core.Recipe{Task: "mean", Column: people.Column("age"), Label: "age", Epsilon: "0.5",
		Domain: core.Domain{Kind: core.Integer, Lo: "0", Hi: "100"}}
	price, _ := people.Price(age)
	fmt.Println("It costs", price.Loss, "of", ledger.Limit())
	release, err := people.Release(ledger, age)
	if err != nil {
		fmt.Println(err)
		return
	}
	sentence, _, _ := strings.Cut(release.Statement, " about ") // near 40, never twice the same
	fmt.Println(sentence, "…; spent:", ledger.Spent())
	// Output:
	// It costs ε = 0.5 of ε = 3, δ = 0.000001
	// Mean age of those with a value is …; spent: ε = 0.5
}
