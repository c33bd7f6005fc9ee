package domain_test

import (
	"fmt"

	"hush/core/domain"
)

func ExampleNew() {
	ages, err := domain.New(domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "120"})
	if err != nil {
		panic(err)
	}
	fmt.Println(ages.Describe(), "-", ages.Size(), "values,", ages.Bits(), "bits")
	for _, cell := range []string{"31", "1e2", "121", "n/a"} {
		code, ok := ages.Encode([]byte(cell))
		fmt.Println(cell, code, ok, ages.Why([]byte(cell)))
	}
	// Output:
	// whole numbers from 0 to 120 - 121 values, 7 bits
	// 31 31 true read
	// 1e2 100 true read
	// 121 0 false outside
	// n/a 0 false unreadable
}
