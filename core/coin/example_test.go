package coin_test

import (
	"fmt"
	"math/big"

	"hush/core/coin"
)

func ExampleNewSeeded() {
	src := coin.NewSeeded(7)
	fmt.Println(src.Uniform(100), src.Uniform(100), src.Origin())
	fmt.Println(src.UniformBig(new(big.Int).Lsh(big.NewInt(1), 80)))
	// Output:
	// 3 64 seeded
	// 489481567271001897861796
}

func ExampleExpBelow() {
	r, err := coin.ExpBelow(big.NewRat(1, 10)) // e^0.1, rounded towards more privacy
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.15f\n", r.Log())
	src := coin.NewSeeded(7)
	fmt.Println(src.Geometric(r), src.Geometric(r), src.Geometric(r))
	// Output:
	// 0.100000000000000
	// 34 4 9
}

func ExampleChance() {
	r, err := coin.NewBase(3, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := coin.Ratio(3, 5).TimesPower(r, 2)
	fmt.Println(p.Rat(), p.Complement().Rat())
	fmt.Println(coin.NewSeeded(7).Bernoulli(p.TimesPower(r, 1<<62)))
	// Output:
	// 4/15 11/15
	// false
}

// scores are groups of one outcome each.
type scores []int64

func (s scores) Len() int                              { return len(s) }
func (s scores) Group(i int) (int64, uint64, *big.Int) { return s[i], 1, nil }

func ExampleSource_choose() {
	r, err := coin.NewBase(3, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	src := coin.NewSeeded(7)
	var counts [3]int
	for range 1000 {
		i, err := src.Choose(scores{0, 1, 2}, r, nil) // weights 1, 2/3, 4/9
		if err != nil {
			fmt.Println(err)
			return
		}
		counts[i]++
	}
	fmt.Println(counts)
	// Output:
	// [481 309 210]
}

func ExampleEnumerate() {
	r, err := coin.NewBase(3, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	law, err := coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
		if src.Bernoulli(coin.Ratio(1, 4)) {
			return 100, nil
		}
		return src.Choose(scores{0, 1}, r, nil)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, outcome := range law.Outcomes() {
		fmt.Println(outcome, law.Mass(outcome))
	}
	// Output:
	// 0 9/20
	// 1 3/10
	// 100 1/4
}
