package threshold_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/privacy"
	"hush/core/threshold"
)

func ExampleAdvise() {
	epsilon, _ := privacy.ParseEpsilon("1")
	delta, _ := privacy.ParseDelta("1e-6")
	for _, bits := range []uint{64, 1024} {
		size := new(big.Int).Lsh(big.NewInt(1), bits)
		advice, _ := threshold.Advise(threshold.AdviceParams{
			Epsilon: epsilon, Delta: delta, Size: size, Persons: 500,
		})
		fmt.Println(advice.Text)
	}
	// Output:
	// a 64-bit domain: the exponential mechanism needs 189 people, TreeLog 423; used: the exponential mechanism
	// a 1024-bit domain: TreeLog needs 463 people, the exponential mechanism 2851; used: TreeLog
}

func ExampleAgnostic() {
	epsilon, _ := privacy.ParseEpsilon("1")
	// 2,000 persons with an age; those over 40 mostly said yes, one in eight another thing.
	var ages []uint64
	var yes []bool
	for i := range uint64(2000) {
		age := 18 + i*72/2000
		ages, yes = append(ages, age), append(yes, (age >= 40) != (i%8 == 0))
	}
	learner, _ := threshold.NewAgnostic(threshold.AgnosticParams{
		Epsilon: epsilon, Size: big.NewInt(128), Direction: threshold.Either,
	})
	data := threshold.Labelled{Codes: domain.SortedCodes(ages, 7), Yes: yes}
	cut, _ := learner.Learn(coin.NewSeeded(1), data, nil)
	fmt.Println("yes from", cut.At, "on:", cut.Above)
	fmt.Println("at most", learner.ErrorBound(0.05), "mistakes more than the best cut makes")
	// Output:
	// yes from 40 on: true
	// at most 17 mistakes more than the best cut makes
}

func ExampleExponential() {
	epsilon, _ := privacy.ParseEpsilon("1")
	codes := make([]uint64, 200)
	for i := range codes {
		codes[i] = 1e18 + uint64(i*i)*1e12
	}
	finder, _ := threshold.NewExponential(threshold.ExponentialParams{
		Epsilon: epsilon, Size: new(big.Int).Lsh(big.NewInt(1), 64),
	})
	point, _ := finder.Release(coin.NewSeeded(1), domain.SortedCodes(codes, 64), nil)
	fmt.Println("persons needed:", finder.Needs())
	fmt.Println("interior point:", codes[0] <= point.Uint64() && point.Uint64() <= codes[199])
	// Output:
	// persons needed: 189
	// interior point: true
}

func ExampleHeavyPaths() {
	epsilon, _ := privacy.ParseEpsilon("1")
	delta, _ := privacy.ParseDelta("1e-6")
	codes := make([]uint64, 2500)
	for i := range codes {
		codes[i] = 1e18 + uint64(i*i)*1e12
	}
	finder, _ := threshold.NewHeavyPaths(threshold.HeavyPathsParams{
		Epsilon: epsilon, Delta: delta, Size: new(big.Int).Lsh(big.NewInt(1), 64),
	})
	point, _ := finder.Release(coin.NewSeeded(1), domain.SortedCodes(codes, 64), nil)
	fmt.Println("persons needed:", finder.Needs())
	fmt.Println("interior point:", codes[0] <= point.Uint64() && point.Uint64() <= codes[2499])
	// Output:
	// persons needed: 2403
	// interior point: true
}

func ExampleRealizable() {
	epsilon, _ := privacy.ParseEpsilon("1")
	// 2,000 persons with a year of birth; those born before 1980 said yes.
	var years []uint64
	var yes []bool
	for i := range uint64(2000) {
		years, yes = append(years, 1940+i*60/2000), append(yes, 1940+i*60/2000 < 1980)
	}
	learner, _ := threshold.NewRealizable(threshold.RealizableParams{
		Epsilon: epsilon, Size: big.NewInt(2048),
	})
	data := threshold.Labelled{Codes: domain.SortedCodes(years, 11), Yes: yes}
	cut, _ := learner.Learn(coin.NewSeeded(1), data, nil)
	fmt.Println("yes below", cut.At)
	fmt.Println("at most", learner.Mistakes(), "mistakes, found with the", learner.Finder().Name())
	// Output:
	// yes below 1980
	// at most 46 mistakes, found with the exponential mechanism
}

func ExampleQuantiles() {
	epsilon, _ := privacy.ParseEpsilon("1")
	var ages []uint64
	for i := range uint64(20000) {
		ages = append(ages, 18+i*72/20000)
	}
	release, _ := threshold.NewQuantiles(threshold.QuantilesParams{
		Epsilon: epsilon, Size: big.NewInt(128), Persons: 20000,
	})
	function, _ := release.Release(coin.NewSeeded(1), domain.SortedCodes(ages, 7), nil)
	fmt.Println("median age", function.Quantile(0.5))
	fmt.Printf("under 30: about %.0f of 3,334, off by at most %.0f with probability 95 %%\n",
		function.Count(big.NewInt(29)), release.ErrorBound())
	// Output:
	// median age 54
	// under 30: about 3298 of 3,334, off by at most 1053 with probability 95 %
}

func ExampleRanks() {
	epsilon, _ := privacy.ParseEpsilon("1/3")
	var ages []uint64
	for i := range uint64(20000) {
		ages = append(ages, 18+i*72/20000)
	}
	size := big.NewInt(128)
	finder, _ := threshold.NewExponential(threshold.ExponentialParams{Epsilon: epsilon, Size: size})
	parts := []*big.Rat{big.NewRat(1, 4), big.NewRat(1, 2), big.NewRat(3, 4)}
	ranks, _ := threshold.NewRanks(threshold.RanksParams{Finder: finder, Size: size, Parts: parts})
	quartiles, _ := ranks.Release(coin.NewSeeded(1), domain.SortedCodes(ages, 7), nil)
	fmt.Println(quartiles, "each with at most", ranks.ErrorBound(), "of 20,000 on the wrong side")
	// Output:
	// [35 53 72] each with at most 47 of 20,000 on the wrong side
}

func ExampleAdviseRelease() {
	epsilon, _ := privacy.ParseEpsilon("1")
	ages, _ := threshold.AdviseRelease(threshold.QuantilesParams{
		Epsilon: epsilon, Size: big.NewInt(121), Persons: 20000,
	})
	incomes, _ := threshold.AdviseRelease(threshold.QuantilesParams{
		Epsilon: epsilon, Size: new(big.Int).Lsh(big.NewInt(1), 32), Persons: 20000,
	})
	fmt.Printf("%T within %.0f persons, ", ages, ages.ErrorBound())
	fmt.Printf("%T within %.0f\n", incomes, incomes.ErrorBound())
	// Output:
	// *threshold.EveryValue within 84 persons, *threshold.Quantiles within 1654
}

func ExampleBinarySearch() {
	epsilon, _ := privacy.ParseEpsilon("1")
	codes := make([]uint64, 1200)
	for i := range codes {
		codes[i] = 1e18 + uint64(i*i)*1e12
	}
	finder, _ := threshold.NewBinarySearch(threshold.BinarySearchParams{
		Epsilon: epsilon, Size: new(big.Int).Lsh(big.NewInt(1), 64),
	})
	point, _ := finder.Release(coin.NewSeeded(1), domain.SortedCodes(codes, 64), nil)
	fmt.Println("persons needed:", finder.Needs())
	fmt.Println("interior point:", codes[0] <= point.Uint64() && point.Uint64() <= codes[1199])
	// Output:
	// persons needed: 916
	// interior point: true
}

// A private value amid floating-point numbers between public bounds, and their median. Any float64
// between the bounds may be the answer: no step and no bins have to be chosen.
func ExampleTreeLog() {
	epsilon, _ := privacy.ParseEpsilon("1")
	delta, _ := privacy.ParseDelta("1e-6")
	weights := make([]float64, 2000)
	for i := range weights {
		weights[i] = 60 + 10*math.Sin(float64(i))
	}

	floats, _ := domain.New(domain.Spec{Kind: domain.Float64, Lo: "0", Hi: "500"})
	var codes []uint64
	for _, w := range weights { // a weight that is out of bounds has no code, and counts for nobody
		if code, ok := floats.Encode(strconv.AppendFloat(nil, w, 'g', -1, 64)); ok {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	sorted, size := domain.SortedCodes(codes, floats.Bits()), floats.Size()
	tree, _ := threshold.NewTreeLog(
		threshold.TreeLogParams{Epsilon: epsilon, Delta: delta, Size: size})
	point, _ := tree.Release(coin.NewSeeded(1), sorted, nil) // coin.NewCrypto() to publish

	loss, _ := tree.Loss(1)
	fmt.Println("a weight amid theirs:", floats.Decode(point.Uint64()))
	fmt.Println(loss, "and", tree.Needs(), "people needed")

	half := []*big.Rat{big.NewRat(1, 2)}
	median, _ := threshold.NewRanks(threshold.RanksParams{Finder: tree, Size: size, Parts: half})
	points, _ := median.Release(coin.NewSeeded(1), sorted, nil)
	fmt.Println("about their median:", floats.Decode(points[0].Uint64()))
	// Output:
	// a weight amid theirs: 56
	// ε ≤ 0.999999046326, δ ≤ 0.000001 and 423 people needed
	// about their median: 59.99999999999999
}
