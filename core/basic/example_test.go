package basic_test

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"hush/core/basic"
	"hush/core/coin"
	"hush/core/privacy"
)

// column is a list of values, −1 for none: all that an algorithm wants of its data.
type column []int

func (c column) Len() int                  { return len(c) }
func (c column) Code(i int) (uint64, bool) { return uint64(c[i]), c[i] >= 0 }

// staff is a small firm: hours a week, none for two people, and the department, 0 or 1.
func staff() (hours, department column) {
	for i := range 400 {
		hours, department = append(hours, 20+i%21), append(department, i%2)
	}
	hours[17], hours[50] = -1, -1
	return hours, department
}

var hoursScale = basic.Scale{Size: big.NewInt(61), First: new(big.Rat), Step: big.NewRat(1, 1)}

func show(e basic.Estimate, unit string) {
	fmt.Printf("%s%s, from %s to %s\n", e.Value.FloatString(1), unit, e.Low.FloatString(1),
		e.High.FloatString(1))
}

func ExampleCount() {
	epsilon, _ := privacy.ParseEpsilon("0.5")
	hours, _ := staff()
	count, _ := basic.NewCount(basic.CountParams{
		Epsilon: epsilon, Where: func(code uint64) bool { return code >= 30 },
	})
	answer, _ := count.Release(coin.NewSeeded(1), hours, nil)
	loss, _ := count.Loss(1)
	show(answer, " people with 30 hours or more")
	fmt.Println(loss)
	// Output:
	// 208.0 people with 30 hours or more, from 202.0 to 214.0
	// ε = 0.5
}

func ExampleShare() {
	epsilon, _ := privacy.ParseEpsilon("0.5")
	hours, _ := staff()
	share, _ := basic.NewShare(basic.ShareParams{
		Epsilon: epsilon, People: 400, Where: func(code uint64) bool { return code >= 30 },
	})
	answer, _ := share.Release(coin.NewSeeded(1), hours, nil)
	fmt.Printf("%s ± %.3f\n", answer.Value.FloatString(3), share.Forecast(400).Bound)
	// Output:
	// 0.520 ± 0.015
}

func ExampleSum() {
	epsilon, _ := privacy.ParseEpsilon("0.5")
	hours, _ := staff()
	sum, _ := basic.NewSum(basic.SumParams{Epsilon: epsilon, Scale: hoursScale, People: 400})
	answer, _ := sum.Release(coin.NewSeeded(1), hours, nil)
	show(answer, " hours")
	// Output:
	// 12116.0 hours, from 11757.0 to 12475.0
}

func ExampleMean() {
	epsilon, _ := privacy.ParseEpsilon("0.5")
	hours, _ := staff()
	mean, _ := basic.NewMean(basic.MeanParams{Epsilon: epsilon, Scale: hoursScale, People: 400})
	answer, _ := mean.Release(coin.NewSeeded(1), hours, nil)
	forecast := mean.Forecast(400)
	show(answer, " hours")
	fmt.Printf("if everybody has a value: off by %.1f on average at most,", forecast.Expected)
	fmt.Printf(" by %.1f in 5 of 100 releases\n", forecast.Bound)
	// Output:
	// 30.4 hours, from 29.5 to 31.4
	// if everybody has a value: off by 0.6 on average at most, by 1.4 in 5 of 100 releases
}

func ExampleVariance() {
	epsilon, _ := privacy.ParseEpsilon("2")
	hours, _ := staff()
	variance, _ := basic.NewVariance(basic.VarianceParams{
		Epsilon: epsilon, Scale: hoursScale, People: 400,
	})
	answer, _ := variance.Release(coin.NewSeeded(1), hours, nil)
	show(answer, " hours²")
	// Output:
	// 40.9 hours², from 31.9 to 50.0
}

func ExampleHistogram() {
	epsilon, _ := privacy.ParseEpsilon("1")
	hours, _ := staff()
	histogram, _ := basic.NewHistogram(basic.HistogramParams{Epsilon: epsilon, Size: 61, Width: 10})
	counts, _ := histogram.Release(coin.NewSeeded(1), hours, nil)
	fmt.Println(counts, "±", histogram.Noise().SimultaneousErrorBound(basic.Beta, histogram.Bins()))
	// Output:
	// [0 1 183 189 18 5 0] ± 10
}

func ExampleByGroup() {
	epsilon, _ := privacy.ParseEpsilon("1")
	hours, department := staff()
	mean, _ := basic.NewMean(basic.MeanParams{Epsilon: epsilon, Scale: hoursScale, People: 400})
	byDepartment, _ := basic.NewByGroup(mean, 2)
	answers, _ := byDepartment.Release(coin.NewSeeded(1), hours, department, nil)
	loss, _ := byDepartment.Loss(1)
	for _, answer := range answers {
		show(answer, " hours")
	}
	fmt.Println("together", loss)
	// Output:
	// 30.7 hours, from 29.3 to 32.1
	// 30.0 hours, from 28.6 to 31.4
	// together ε = 1
}

func ExampleSmallestEpsilon() {
	epsilon, _ := basic.SmallestEpsilon(0.5, func(e privacy.Epsilon) (float64, error) {
		mean, err := basic.NewMean(basic.MeanParams{Epsilon: e, Scale: hoursScale, People: 10_000})
		if err != nil {
			return 0, err
		}
		return mean.Forecast(10_000).Bound, nil
	})
	fmt.Println("for a mean within half an hour: ε =", epsilon)
	// Output:
	// for a mean within half an hour: ε = 0.0523
}

// words are texts, "" for none.
type words []string

func (w words) Len() int          { return len(w) }
func (w words) Has(i int) bool    { return w[i] != "" }
func (w words) Code(i int) []byte { return []byte(w[i]) }

func ExampleOpenGroups() {
	epsilon, _ := privacy.ParseEpsilon("0.5")
	delta, _ := privacy.ParseDelta("1e-6")
	var towns words
	var hours column
	for i := range 1000 {
		towns = append(towns, []string{"Bern", "Graz", "Ulm", "Bern"}[i%4])
		hours = append(hours, 30+i%11)
	}
	towns[7], towns[8] = "Nowhere", ""
	open, _ := basic.NewOpenGroups[string](basic.OpenGroupsParams{
		Epsilon: epsilon, Delta: delta, People: 1000,
	})
	found, _ := open.Find(coin.NewSeeded(1), basic.TextLabels(towns, nil), nil)
	for i, town := range found.Labels {
		show(found.Sizes[i], " people in "+town)
	}
	show(found.Rest, " elsewhere")

	mean, _ := basic.NewMean(basic.MeanParams{Epsilon: epsilon, Scale: hoursScale, People: 1000})
	byTown, _ := basic.NewByGroup(mean, uint64(len(found.Labels)+1))
	answers, _ := byTown.Release(coin.NewSeeded(2), hours, found.Groups(), nil)
	fmt.Printf("mean hours in Bern %s\n", answers[0].Value.FloatString(1))
	first, _ := open.Loss(1)
	second, _ := byTown.Loss(1)
	fmt.Println("together", first.Plus(second))
	// Output:
	// 498.0 people in Bern, from 486.0 to 510.0
	// 251.0 people in Graz, from 239.0 to 263.0
	// 261.0 people in Ulm, from 249.0 to 273.0
	// 0.0 elsewhere, from 0.0 to 38.0
	// mean hours in Bern 35.2
	// together ε = 1, δ ≤ 9.9e-7
}

func ExampleQuantiles() {
	epsilon, _ := privacy.ParseEpsilon("0.5")
	hours := make(column, 0, 10_000)
	for i := range 10_000 { // half of all people work exactly 40 hours
		hours = append(hours, min(40, i/100+15), max(40, i%80))[:i+1]
	}
	targets := []*big.Rat{big.NewRat(1, 4), big.NewRat(1, 2), big.NewRat(3, 4)}
	quartiles, _ := basic.NewQuantiles(basic.QuantilesParams{
		Epsilon: epsilon, Size: big.NewInt(100), Targets: targets, People: 10_000,
	})
	codes, _ := quartiles.Release(coin.NewSeeded(1), hours, nil)
	loss, _ := quartiles.Loss(1)
	fmt.Println("quartiles", codes)
	fmt.Println(loss)
	fmt.Printf("at most %.0f of 10000 persons away\n", slices.Max(quartiles.RankErrors(basic.Beta)))
	// Output:
	// quartiles [39 40 40]
	// ε = 0.5
	// at most 202 of 10000 persons away
}

func ExampleUpperBound() {
	epsilon, _ := privacy.ParseEpsilon("0.1")
	visits := make(column, 0, 10_000)
	for i := range 10_000 { // code 0 is one visit; hardly anybody has more than eight
		visits = append(visits, bits.TrailingZeros(uint(i+1)))
	}
	bound, _ := basic.NewUpperBound(basic.UpperBoundParams{Epsilon: epsilon, Size: 100})
	code, _ := bound.Release(coin.NewSeeded(1), visits, nil)
	loss, _ := bound.Loss(1)
	fmt.Println(code+1, "visits are hardly ever exceeded")
	fmt.Println(loss)
	fmt.Println("by at most", bound.ErrorBound(basic.Beta), "of 10000 persons")
	// Output:
	// 11 visits are hardly ever exceeded
	// ε = 0.1
	// by at most 169 of 10000 persons
}

func ExampleJointExp() {
	epsilon, _ := privacy.ParseEpsilon("0.5")
	hours := make(column, 0, 10_000)
	for i := range 10_000 { // half of all people work exactly 40 hours
		hours = append(hours, min(40, i/100+15), max(40, i%80))[:i+1]
	}
	targets := []*big.Rat{big.NewRat(1, 4), big.NewRat(1, 2), big.NewRat(3, 4)}
	quartiles, _ := basic.NewJointExp(basic.JointExpParams{
		Epsilon: epsilon, Size: big.NewInt(100), Targets: targets, People: 10_000,
	})
	codes, _ := quartiles.Release(coin.NewSeeded(1), hours, nil)
	loss, _ := quartiles.Loss(1)
	fmt.Println("quartiles", codes)
	fmt.Println(loss)
	fmt.Printf("at most %.0f of 10000 persons away\n", slices.Max(quartiles.RankErrors(basic.Beta)))
	// Output:
	// quartiles [39 40 40]
	// ε = 0.5
	// at most 193 of 10000 persons away
}

func ExampleNoise_TopUp() {
	hours, _ := staff()
	ask := func(text string) *basic.Mean {
		epsilon, _ := privacy.ParseEpsilon(text)
		mean, _ := basic.NewMean(
			basic.MeanParams{Epsilon: epsilon, Scale: hoursScale, People: int64(len(hours))})
		return mean
	}
	rough, fine := ask("0.1"), ask("1")
	first, _ := rough.Release(coin.NewSeeded(3), hours, nil)
	show(first, " hours")
	raw, _ := rough.Noise().Drawn()
	more, _ := fine.Noise().TopUp(rough.Noise(), raw)
	second, _ := fine.Release(coin.NewSeeded(4), hours, nil)
	show(second, " hours")
	fmt.Println("more:", more)
	// Output:
	// 24.1 hours, from 19.4 to 28.8
	// 30.1 hours, from 29.6 to 30.5
	// more: ε = 0.9
}
