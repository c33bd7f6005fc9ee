package sample

import (
	"strconv"

	"hush/core/coin"
)

// dice draws the shapes that the data sets are made of, in whole numbers.
type dice struct{ src coin.Source }

// percent returns true in p of 100 cases.
func (d dice) percent(p uint64) bool { return d.src.Bernoulli(coin.Ratio(p, 100)) }

// bell returns roughly a normal variable of the given mean and standard deviation, at most six
// deviations away: the sum of twelve uniform numbers of [0, 1) has mean 6 and standard deviation 1.
func (d dice) bell(mean, deviation int64) int64 {
	const unit = 1000
	var sum int64
	for range 12 {
		sum += int64(d.src.Uniform(unit))
	}
	return mean + deviation*(sum-6*unit)/unit
}

// tail returns a number from 0 with mean about mean and a long exponential tail.
func (d dice) tail(mean int64) int64 {
	base, err := coin.NewBase(mean+1, mean) // Geometric(1 + 1/mean) has mean exactly mean
	if err != nil {
		panic("sample: internal error: " + err.Error())
	}
	return int64(d.src.Geometric(base))
}

// pick returns an index with chance proportional to its weight.
func (d dice) pick(weights ...uint64) int {
	var sum uint64
	for _, w := range weights {
		sum += w
	}
	at := d.src.Uniform(sum)
	for i, w := range weights {
		if at < w {
			return i
		}
		at -= w
	}
	panic("sample: internal error: weights do not sum up")
}

func clamp(x, low, high int64) int64 { return max(low, min(x, high)) }

func whole(x int64) string { return strconv.FormatInt(x, 10) }

// decimal writes x hundredths (places = 2) or tenths (places = 1) with that many places.
func decimal(x int64, places int) string {
	text := strconv.FormatInt(x, 10)
	for len(text) <= places {
		text = "0" + text
	}
	return text[:len(text)-places] + "." + text[len(text)-places:]
}
