package density_test

import (
	"fmt"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/density"
	"hush/core/domain"
	"hush/core/privacy"
)

func ExampleMERR() {
	epsilon, _ := privacy.ParseEpsilon("1")
	// 3000 persons with a number of 32 bits each, most of them small.
	codes := make([]uint32, 3000)
	for i := range codes {
		codes[i] = uint32(i * i * 400)
	}
	merr, _ := density.NewMERR(density.MERRParams{
		Epsilon: epsilon, Size: big.NewInt(1 << 32), Persons: 3000, Rounds: 6,
	})
	d, _ := merr.Release(coin.NewSeeded(1), domain.SortedCodes(codes, 32), nil)
	loss, _ := merr.Loss(1)
	low, high := d.Within(big.NewInt(1e9))
	fmt.Printf("%v: about %.0f of 3000 persons have at most 10^9, with 95 %% between %.0f and "+
		"%.0f\n",
		loss, d.Count(big.NewInt(1e9)), low, high)
	// Output: ε = 1: about 1601 of 3000 persons have at most 10^9, with 95 % between 1518 and 1918
}

func ExamplePrivTree() {
	epsilon, _ := privacy.ParseEpsilon("1")
	// 3000 persons with a number of 40 bits each, over many magnitudes.
	codes := make([]uint64, 3000)
	for i := range codes {
		codes[i] = 1 << (i / 75) * uint64(75+i%75) / 75
	}
	slices.Sort(codes)
	tree, _ := density.NewPrivTree(density.PrivTreeParams{
		Epsilon: epsilon, Size: big.NewInt(1 << 40), Persons: 3000,
	})
	d, _ := tree.Release(coin.NewSeeded(1), domain.SortedCodes(codes, 40), nil)
	loss, _ := tree.Loss(1)
	fmt.Printf("%v: about %.0f of 3000 persons have at most 10^6, off by at most %.0f in 95 of "+
		"100 releases\n", loss, d.Count(big.NewInt(1e6)), tree.ErrorAnywhere())
	// Output: ε = 1: about 1494 of 3000 persons have at most 10^6, off by at most 659 in 95 of 100 releases
}
