package mechanism_test

import (
	"fmt"
	"math/big"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/privacy"
)

func ExampleExponential() {
	epsilon, _ := privacy.ParseEpsilon("1")
	vote, _ := mechanism.NewExponential(
		mechanism.ExponentialParams{Epsilon: epsilon, Sensitivity: 1})
	winner, _ := vote.Release(coin.NewSeeded(1), []int64{12, 57, 49}, nil)
	loss, _ := vote.Loss(1)
	fmt.Println("candidate", winner, "with", loss)
	fmt.Println("at most", vote.ErrorBound(0.05, big.NewInt(3)),
		"votes behind, in 95 of 100 releases")
	// Output:
	// candidate 1 with ε = 1
	// at most 8 votes behind, in 95 of 100 releases
}

func ExampleLaplaceNoise() {
	base, _ := coin.NewBase(2, 1) // ε = ln 2
	noise, _ := mechanism.NewLaplaceNoise(base)
	fmt.Printf("standard deviation %.2f, at most %d in 95 of 100 draws\n", noise.StdDev(),
		noise.Bound(0.05))
	// Output:
	// standard deviation 2.00, at most 4 in 95 of 100 draws
}

func ExamplePermuteAndFlip() {
	epsilon, _ := privacy.ParseEpsilon("1")
	vote, _ := mechanism.NewPermuteAndFlip(mechanism.PermuteAndFlipParams{
		Epsilon: epsilon, Sensitivity: 1,
	})
	winner, _ := vote.Release(coin.NewSeeded(1), []int64{12, 57, 49}, nil)
	fmt.Println("candidate", winner)
	// Output:
	// candidate 1
}

func ExampleStableChoice() {
	epsilon, _ := privacy.ParseEpsilon("1")
	delta, _ := privacy.ParseDelta("1e-6")
	most, _ := mechanism.NewStableChoice(mechanism.StableChoiceParams{
		Epsilon: epsilon, Delta: delta, Newcomers: 1,
	})
	towns := []string{"Bern", "Oslo", "Riga"} // those that occur, in alphabetical order
	if i, chosen, _ := most.Release(coin.NewSeeded(1), []int64{3, 81, 77}, nil); chosen {
		fmt.Println("many live in", towns[i])
	}
	loss, _ := most.Loss(1)
	fmt.Println(loss, "and an answer from", most.NeededScore(0.01), "persons on")
	// Output:
	// many live in Oslo
	// ε = 1, δ = 0.000001 and an answer from 38 persons on
}

func ExampleGaussian() {
	epsilon, _ := privacy.ParseEpsilon("1")
	delta, _ := privacy.ParseDelta("1e-6")
	rho, _ := privacy.RhoFor(epsilon, delta)
	counts, _ := mechanism.NewGaussian(mechanism.GaussianParams{Rho: rho, L2SensitivitySquared: 2})
	noisy, _ := counts.Release(coin.NewSeeded(1), []int64{120, 80, 0}, nil)
	loss, _ := counts.Loss(1)
	approximate, _ := loss.At(delta)
	fmt.Println(noisy, "± at most", counts.ErrorBound(0.05), "each")
	fmt.Println(approximate)
	// Output:
	// [133 82 8] ± at most 13 each
	// ε ≤ 0.999999999632, δ = 0.000001
}

func ExampleInteriorPoint() {
	base, _ := coin.NewBase(3, 2) // e^ε is its square
	median, _ := mechanism.NewInteriorPoint(mechanism.InteriorPointParams{
		Base: base, DomainSize: big.NewInt(121),
	})
	ages := []uint64{}
	for age := uint64(20); age < 80; age++ {
		ages = append(ages, age, age)
	}
	age, _ := median.Release(coin.NewSeeded(1), ages, nil)
	loss, _ := median.Loss(1)
	fmt.Println("median age about", age)
	fmt.Println(loss)
	// Output:
	// median age about 48
	// ε ≤ 0.810930216217
}

func ExampleLaplace() {
	epsilon, _ := privacy.ParseEpsilon("0.5")
	histogram, _ := mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: epsilon, L1Sensitivity: 2})
	noisy, _ := histogram.Release(coin.NewSeeded(1), []int64{120, 80, 0}, nil)
	loss, _ := histogram.Loss(1)
	fmt.Println(noisy)
	fmt.Println(loss)
	fmt.Println("95 % of counts are off by at most", histogram.ErrorBound(0.05))
	// Output:
	// [120 81 -13]
	// ε = 0.5
	// 95 % of counts are off by at most 12
}

func ExampleLaplaceTopUp() {
	asked := func(text string) *mechanism.Laplace {
		epsilon, _ := privacy.ParseEpsilon(text)
		m, _ := mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: epsilon, L1Sensitivity: 2})
		return m
	}
	src, counts := coin.NewSeeded(1), []int64{120, 80, 0}
	rough, fine := asked("0.1"), asked("0.5")
	first, _ := rough.Release(src, counts, nil)
	topUp, _ := mechanism.NewLaplaceTopUp(rough, fine)
	second, _ := topUp.Release(src, counts, first, nil)
	more, _ := topUp.Loss(1)
	fmt.Println(first, second)
	fmt.Println("more:", more)
	// Output:
	// [152 73 5] [120 81 -1]
	// more: ε = 0.4
}

func ExampleAveraged() {
	small, _ := privacy.ParseRho("0.01")
	large, _ := privacy.ParseRho("0.1")
	src, counts := coin.NewSeeded(1), []int64{120, 80, 0}
	rough, _ := mechanism.NewGaussian(
		mechanism.GaussianParams{Rho: small, L2SensitivitySquared: 2})
	first, _ := rough.Release(src, counts, nil)
	again, _ := mechanism.NewAveraged(
		mechanism.AveragedParams{First: small, Then: large, L2SensitivitySquared: 2})
	second, _ := again.Fresh(src, counts, nil)
	more, _ := again.Loss(1)
	left, _ := privacy.NewRho(more.Rho())
	means := mechanism.Means([]mechanism.Draw{{Rho: small, Sums: first},
		{Rho: left, Sums: second}})
	fmt.Println(first, "then", means, "within", again.WholeBound(1, 0.05))
	fmt.Println("more: ρ =", more.Rho().FloatString(2))
	// Output:
	// [142 79 20] then [125 79 -1] within 7
	// more: ρ = 0.09
}

func ExampleNoiseTopUp() {
	rough, _ := coin.NewBase(5, 4)
	fine, _ := coin.NewBase(2, 1)
	first, _ := mechanism.NewLaplaceNoise(rough)
	then, _ := mechanism.NewLaplaceNoise(fine)
	topUp, _ := mechanism.NewNoiseTopUp(first, then)
	fmt.Println(topUp.Draw(coin.NewSeeded(1), 100, 107))
	// Output:
	// 99
}

func ExampleChoosing() {
	epsilon, _ := privacy.ParseEpsilon("1")
	delta, _ := privacy.ParseDelta("1e-6")
	choosing, _ := mechanism.NewChoosing(mechanism.ChoosingParams{
		Epsilon: epsilon, Delta: delta, Newcomers: 1, Beta: big.NewRat(1, 100),
	})
	i, chosen, _ := choosing.Release(coin.NewSeeded(1), []int64{30, 300}, nil)
	fmt.Println(i, chosen)
	// Output:
	// 1 true
}

func ExampleStabilityHistogram() {
	epsilon, _ := privacy.ParseEpsilon("1")
	delta, _ := privacy.ParseDelta("1e-6")
	histogram, _ := mechanism.NewStabilityHistogram(mechanism.StabilityHistogramParams{
		Epsilon: epsilon, Delta: delta,
	})
	towns, counts := []string{"Bern", "Oslo", "Riga", "Vaduz"}, []int64{140, 1, 77, 2}
	shown, _ := histogram.Release(coin.NewSeeded(1), counts, nil)
	for _, s := range shown {
		fmt.Println(towns[s.Index], s.Count)
	}
	loss, _ := histogram.Loss(1)
	fmt.Println("shown from", histogram.Threshold(), "on:", loss)
	// Output:
	// Bern 140
	// Riga 77
	// shown from 28 on: ε = 1, δ ≤ 8.54e-7
}

func ExampleAboveThreshold() {
	epsilon, _ := privacy.ParseEpsilon("1")
	search, _ := mechanism.NewAboveThreshold(mechanism.AboveThresholdParams{
		EpsilonThreshold: epsilon.Part(1, 2), EpsilonQueries: epsilon.Part(1, 2), Sensitivity: 1,
	})
	run := search.Start(coin.NewSeeded(1), 100)
	for year, cases := range []int64{4, 17, 180, 40} {
		if above, _ := run.Above(cases); above {
			fmt.Println("about 100 cases were passed first in year", year)
			break
		}
	}
	loss, _ := search.Loss(1)
	fmt.Println(loss, "for the whole search, right to", search.ErrorBound(0.05, 4), "cases")
	// Output:
	// about 100 cases were passed first in year 2
	// ε = 1 for the whole search, right to 27 cases
}

func ExampleDistanceTest() {
	epsilon, _ := privacy.ParseEpsilon("0.5")
	delta, _ := privacy.ParseDelta("1e-6")
	test, _ := mechanism.NewDistanceTest(
		mechanism.DistanceTestParams{Epsilon: epsilon, Delta: delta})
	fmt.Println("an answer that survives 60 replacements:", test.Allows(coin.NewSeeded(1), 60))
	fmt.Println("one that hangs on a single person:", test.Allows(coin.NewSeeded(1), 0))
	// Output:
	// an answer that survives 60 replacements: true
	// one that hangs on a single person: false
}

func ExampleClippedThreshold() {
	epsilon, _ := privacy.ParseEpsilon("1")
	delta, _ := privacy.ParseDelta("1e-6")
	search, _ := mechanism.NewClippedThreshold(mechanism.ClippedThresholdParams{
		AboveThresholdParams: mechanism.AboveThresholdParams{
			EpsilonThreshold: epsilon.Part(1, 2), EpsilonQueries: epsilon.Part(1, 2),
			Sensitivity: 1,
		},
		Delta: delta,
		Cap:   200,
	})
	run := search.Start(coin.NewSeeded(1))
	for level, weight := range []int64{3, 12, 260, 8} {
		if above, _ := run.Above(weight); above {
			fmt.Println("first heavy level:", level)
			break
		}
	}
	loss, _ := search.Loss(1)
	fmt.Println("threshold", search.Threshold(), "for", loss)
	// Output:
	// first heavy level: 2
	// threshold 145 for ε = 1, δ ≤ 7.97e-7
}

// What nine tenths of the people have at most was released by any means; now how far off it is.
func ExampleLargestError() {
	epsilon, _ := privacy.ParseEpsilon("0.2")
	certificate, _ := mechanism.NewLargestError(mechanism.LargestErrorParams{Epsilon: epsilon})
	const off = 7 // people on the wrong side of the value: secret
	released := certificate.Release(coin.NewSeeded(1), off)
	loss, _ := certificate.Loss(1)
	fmt.Println("off by at most", certificate.Within(released, 0.05), "people, with", loss)
	// Output:
	// off by at most 26 people, with ε = 0.2
}
