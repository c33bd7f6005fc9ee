package basic

import (
	"fmt"

	"hush/core/privacy"
)

// SmallestEpsilon returns the smallest ε of three significant digits, from 10^−9 to 100, at which
// an error is at most wanted: the inverse of a forecast. errorAt makes the forecast for an ε, such
// as the Bound of a question's [Forecast], and must not grow with ε (forecasts do not); the ε
// returned always reaches the wanted error.
//
// It is a [*param.Error] for field error when ε = 100 does not reach it, and errorAt's own error,
// where the largest ε gives one. Cost: about 14 forecasts.
func SmallestEpsilon(wanted float64,
	errorAt func(privacy.Epsilon) (float64, error)) (privacy.Epsilon, error) {
	// ε number i is (100 + i mod 900)·10^(i div 900 − 11), so that they ascend: 1.00e−9, 1.01e−9 …
	// 9.99e1, 1.00e2.
	at := func(i int) privacy.Epsilon {
		e, err := privacy.ParseEpsilon(fmt.Sprintf("%de%d", 100+i%900, i/900-11))
		if err != nil {
			panic("basic: internal error: " + err.Error())
		}
		return e
	}
	const largest = 900 * 11
	reaches := func(i int) (bool, error) {
		off, err := errorAt(at(i))
		return err == nil && off <= wanted, err
	}
	ok, err := reaches(largest)
	if err != nil {
		return privacy.Epsilon{}, err
	}
	if !ok {
		return privacy.Epsilon{},
			refuse("error", fmt.Sprint(wanted), "an error that ε = 100 reaches")
	}
	// high reaches it; low does not, or is too small a parameter to be used
	low, high := -1, largest
	for low+1 < high {
		middle := low + (high-low)/2
		if ok, _ := reaches(middle); ok {
			high = middle
		} else {
			low = middle
		}
	}
	return at(high), nil
}
