package course

import (
	"math"

	"hush/core/coin"
)

// The payroll of the lesson on bounds.
const (
	PayrollPeople = 200
	BoundsEpsilon = "0.1"
	ChiefPay      = 48_000
	leastPay      = 1_500
	meanAbove     = 1_800 // the pay above leastPay, on average
	usualPay      = 3_000 // of the person in the chief's place
	publicBound   = 5_000
)

// Tops are the stops of the slider: the upper end of the range of pay, from 0, in EUR.
var Tops = []int64{2_000, 3_000, 4_000, 5_000, 7_000, 10_000, 20_000, 50_000}

// Range is what a range of pay, from 0, does to the average.
type Range struct {
	Top   int64
	Cut   int     // people who earn more, and count as if they earned Top
	Bias  float64 // by how much the average is too low for that, in EUR
	Noise float64 // how far the noise moves it, on average
	Off   float64 // how far an answer is off in all, on average of RangeDraws
	First float64 // one answer
}

// RangeDraws is the number of answers drawn for each range.
const RangeDraws = 100

// Ranges is an average of made-up pay, with each range.
type Ranges struct {
	Mean float64 // without noise and range
	All  []Range // one for each of Tops
}

// payroll makes up pay: most near the least, a few much more.
func payroll(src coin.Source) (pay []int64) {
	base, err := coin.NewBase(meanAbove/10+1, meanAbove/10)
	if err != nil {
		panic("course: internal error: " + err.Error())
	}
	for range PayrollPeople {
		pay = append(pay, leastPay+10*int64(min(src.Geometric(base), 10_000)))
	}
	return pay
}

// DrawRanges draws them.
func DrawRanges(seed coin.Seed) *Ranges {
	src := coin.NewSeeded(seed)
	pay := payroll(src)
	out := &Ranges{}
	for _, x := range pay {
		out.Mean += float64(x) / PayrollPeople
	}
	for _, top := range Tops {
		m, r := laplace(BoundsEpsilon, uint64(top)), Range{Top: top}
		var sum int64
		for _, x := range pay {
			r.Cut += int(one(x > top))
			sum += min(x, top)
		}
		r.Bias = out.Mean - float64(sum)/PayrollPeople
		r.Noise = m.ExpectedError() / PayrollPeople
		for i := range RangeDraws {
			answer := float64(m.AddTo(src, sum)) / PayrollPeople
			r.Off += math.Abs(answer-out.Mean) / RangeDraws
			if i == 0 {
				r.First = answer
			}
		}
		out.All = append(out.All, r)
	}
	return out
}

// Best is the range whose answers are off least.
func (r *Ranges) Best() Range {
	best := r.All[0]
	for _, one := range r.All {
		if one.Off < best.Off {
			best = one
		}
	}
	return best
}

// Chief counts in how many of Guesses files it is guessed rightly whether the chief's pay is among
// the others: by the range, where it was read off the data, and by the private average, where the
// range is public and the attacker knows everybody else's pay.
func Chief(seed coin.Seed) (fromData, fromPublic int) {
	m, src := laplace(BoundsEpsilon, publicBound), coin.NewSeeded(seed)
	for range Guesses {
		pay := payroll(src)[1:]
		chief := heads(src)
		own := int64(usualPay)
		if chief {
			own = ChiefPay
		}
		var top, rest int64
		for _, x := range pay {
			top, rest = max(top, x), rest+min(x, publicBound)
		}
		top = max(top, own)
		fromData += int(one(top >= ChiefPay == chief))
		seen := m.AddTo(src, rest+min(own, publicBound)) - rest
		fromPublic += int(one(seen > (usualPay+publicBound)/2 == chief))
	}
	return fromData, fromPublic
}
