package basic

import (
	"fmt"
	"math/big"

	"hush/core/coin"
	"hush/core/privacy"
)

// staff is a small firm: hours a week, none for two people, and the department, 0 or 1.
func staff() (hours, department column) {
	for i := range 400 {
		hours, department = append(hours, 20+i%21), append(department, i%2)
	}
	hours[17], hours[50] = -1, -1
	return hours, department
}

var hoursScale = Scale{Size: big.NewInt(61), First: new(big.Rat), Step: big.NewRat(1, 1)}

func show(e Estimate, unit string) {
	fmt.Printf("%s%s, from %s to %s\n", e.Value.FloatString(1), unit, e.Low.FloatString(1), e.High.FloatString(1))
}

func ExampleCount() {
	hours, _ := staff()
	count, _ := NewCount(CountParams{Epsilon: epsilon("0.5"), Where: func(code uint64) bool { return code >= 30 }})
	answer, _ := count.Release(coin.NewSeeded(1), hours, nil)
	loss, _ := count.Loss(1)
	show(answer, " people with 30 hours or more")
	fmt.Println(loss)
	// Output:
	// 208.0 people with 30 hours or more, from 202.0 to 214.0
	// ε = 0.5
}

func ExampleShare() {
	hours, _ := staff()
	share, _ := NewShare(ShareParams{Epsilon: epsilon("0.5"), People: 400, Where: func(code uint64) bool { return code >= 30 }})
	answer, _ := share.Release(coin.NewSeeded(1), hours, nil)
	fmt.Printf("%s ± %.3f\n", answer.Value.FloatString(3), share.Forecast(400).Bound)
	// Output:
	// 0.520 ± 0.015
}

func ExampleSum() {
	hours, _ := staff()
	sum, _ := NewSum(SumParams{Epsilon: epsilon("0.5"), Scale: hoursScale, People: 400})
	answer, _ := sum.Release(coin.NewSeeded(1), hours, nil)
	show(answer, " hours")
	// Output:
	// 12116.0 hours, from 11757.0 to 12475.0
}

func ExampleMean() {
	hours, _ := staff()
	mean, _ := NewMean(MeanParams{Epsilon: epsilon("0.5"), Scale: hoursScale, People: 400})
	answer, _ := mean.Release(coin.NewSeeded(1), hours, nil)
	forecast := mean.Forecast(400)
	show(answer, " hours")
	fmt.Printf("if everybody has a value: off by %.1f on average at most, by %.1f in 5 of 100 releases\n", forecast.Expected, forecast.Bound)
	// Output:
	// 30.4 hours, from 29.3 to 31.6
	// if everybody has a value: off by 0.6 on average at most, by 2.3 in 5 of 100 releases
}

func ExampleVariance() {
	hours, _ := staff()
	variance, _ := NewVariance(VarianceParams{Epsilon: epsilon("2"), Scale: hoursScale, People: 400})
	answer, _ := variance.Release(coin.NewSeeded(1), hours, nil)
	show(answer, " hours²")
	// Output:
	// 40.9 hours², from 23.9 to 57.2
}

func ExampleHistogram() {
	hours, _ := staff()
	histogram, _ := NewHistogram(HistogramParams{Epsilon: epsilon("1"), Size: 61, Width: 10})
	counts, _ := histogram.Release(coin.NewSeeded(1), hours, nil)
	fmt.Println(counts, "±", histogram.Noise().SimultaneousErrorBound(Beta, histogram.Bins()))
	// Output:
	// [0 1 183 189 18 5 0] ± 10
}

func ExampleMedian() {
	hours, _ := staff()
	median, _ := NewMedian(MedianParams{Epsilon: epsilon("0.5"), Size: hoursScale.Size})
	answer, _ := median.Release(coin.NewSeeded(1), hours, nil)
	fmt.Println(answer, "hours, at most", median.Choice().ErrorBound(Beta), "people off the middle")
	// Output:
	// 30 hours, at most 28 people off the middle
}

func ExampleByGroup() {
	hours, department := staff()
	mean, _ := NewMean(MeanParams{Epsilon: epsilon("1"), Scale: hoursScale, People: 400})
	byDepartment, _ := NewByGroup(mean, 2)
	answers, _ := byDepartment.Release(coin.NewSeeded(1), hours, department, nil)
	loss, _ := byDepartment.Loss(1)
	for _, answer := range answers {
		show(answer, " hours")
	}
	fmt.Println("together", loss)
	// Output:
	// 30.7 hours, from 28.9 to 32.7
	// 30.0 hours, from 28.0 to 32.0
	// together ε = 1
}

func ExampleSmallestEpsilon() {
	epsilon, _ := SmallestEpsilon(0.5, func(e privacy.Epsilon) (float64, error) {
		mean, err := NewMean(MeanParams{Epsilon: e, Scale: hoursScale, People: 10_000})
		if err != nil {
			return 0, err
		}
		return mean.Forecast(10_000).Bound, nil
	})
	fmt.Println("for a mean within half an hour: ε =", epsilon)
	// Output:
	// for a mean within half an hour: ε = 0.0895
}
