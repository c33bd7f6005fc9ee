package density_test

import (
	"fmt"
	"math/big"

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
