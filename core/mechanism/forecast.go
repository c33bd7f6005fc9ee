package mechanism

import (
	"math"
	"math/big"
)

// The functions of this file serve error bounds and curves. No draw and no privacy loss depends on
// them.

// ceilBound rounds a bound up to a whole number from 0 to the largest int64. The 10^-9 keeps the
// last bit of a float from pushing up a bound that is already whole.
func ceilBound(x float64) int64 {
	switch x = math.Ceil(x - 1e-9); {
	case x <= 0:
		return 0
	case x < 1<<63:
		return int64(x)
	}
	return math.MaxInt64 // also when x is NaN
}

// logInt returns ln n for n ≥ 1 of any size.
func logInt(n *big.Int) float64 {
	shift := max(n.BitLen()-64, 0)
	top, _ := new(big.Float).SetInt(new(big.Int).Rsh(n, uint(shift))).Float64()
	return math.Log(top) + float64(shift)*math.Ln2
}

// MadeUpScores describes plausible scores of candidates, from public facts. The typical distance of
// a choice from the best is its distance in the middle one of three shapes. Even: all candidates
// are alike, and their scores differ by Spread, by chance. Skewed: the second best has half the
// lead of the best one, the third a third. Tied: a quarter of the candidates share the lead.
type MadeUpScores struct {
	Candidates float64
	Spread     float64 // the standard deviation of a score by chance alone
	Lead       float64 // the best candidate's, ahead of most others
}

// CountsOf describes the scores of values, where a score counts the persons with the value.
func CountsOf(candidates *big.Int, persons int64) MadeUpScores {
	k, n := math.Exp(logInt(candidates)), float64(max(persons, 1))
	return MadeUpScores{Candidates: k, Spread: math.Sqrt(n / k), Lead: n / (1 + math.Log(k))}
}

// AnswersOf describes the scores of rules, where a score counts the persons whom the rule answers
// correctly: half of them by chance, and a twentieth more for the best rule, since many are nearly
// as good.
func AnswersOf(logRules float64, persons int64) MadeUpScores {
	n := float64(max(persons, 1))
	return MadeUpScores{Candidates: math.Exp(min(logRules, 300)), Spread: math.Sqrt(n) / 2,
		Lead: n / 20}
}

// mostScores is the number of scores that stand for all in a forecast.
const mostScores = 200

// behind returns how far the exponential mechanism with weights e^(rate·score) is behind the best
// score on average, in the middle one of the three shapes. Permute and flip is hardly ever further
// behind.
func (s MadeUpScores) behind(rate float64) float64 {
	if s.Candidates <= 1 {
		return 0
	}
	number := min(s.Candidates, mostScores)
	best := normalQuantile(0.5 / s.Candidates)
	even := expectedBehind(number, s.Candidates, rate, func(part float64) float64 {
		return s.Spread * max(0, normalQuantile(part)-best)
	})
	skewed := expectedBehind(number, s.Candidates, rate, func(part float64) float64 {
		return s.Lead * (1 - 1/max(part*s.Candidates+0.5, 1))
	})
	tied := expectedBehind(number, s.Candidates, rate, func(part float64) float64 {
		if part < max(0.25, 1/s.Candidates) {
			return 0
		}
		return s.Lead
	})
	return max(min(even, skewed), min(max(even, skewed), tied))
}

// expectedBehind returns the mean distance from the best score of a draw with weights
// e^(−rate·distance): distance gives the distance of the candidate that a part of all candidates
// are ahead of. The best candidate stands for itself, and number − 1 others for the rest.
func expectedBehind(number, candidates, rate float64, distance func(part float64) float64) float64 {
	weights, sum := 1.0, 0.0
	for i := 1.0; i < number; i++ {
		// i − ½ of number − 1, on a logarithmic scale: many near the best, few for the rest
		from, to := math.Pow(candidates, (i-1)/(number-1)), math.Pow(candidates, i/(number-1))
		d := distance((from + to) / 2 / candidates)
		w := (to - from) * math.Exp(-rate*d)
		weights, sum = weights+w, sum+w*d
	}
	return sum / weights
}

// normalQuantile returns the value below which a part of a standard normal law lies.
func normalQuantile(part float64) float64 {
	return math.Sqrt2 * math.Erfinv(2*min(part, 1-1e-9)-1)
}

// TypicalRankError estimates the average rank error in persons, among n, of a choice in which a
// rank k off has weight e^(−rate·k): the mean over two shapes of made-up data, one spread evenly
// over the domain, one over a tenth of it. Where many persons share each of the size values, the
// error is smaller, since ties cost nothing; either shape takes neighbouring values to be
// n/(4·size) persons apart. Domains of more than 64 bits hold texts, whose number is taken as the
// square root of the size.
func TypicalRankError(rate, persons float64, size *big.Int) float64 {
	most := rate * persons / 2 // of the exponent, at either end
	if most < 1e-6 {
		return persons / 4
	}
	even := 1/rate - persons/2/math.Expm1(most)
	inside, outside := -math.Expm1(-most)/most, 9*math.Exp(-most)
	if size.BitLen() > 65 {
		outside = math.Exp(min(logInt(size)/2-most, 600))
	}
	skewed := (inside*even + outside*persons/2) / (inside + outside)
	return (even + skewed) / 2 * tiesSpare(rate*persons/4/math.Exp(logInt(size)))
}

// tiesSpare returns the mean error as a part of 1/rate where neighbouring values are a distance of
// gap/rate persons apart: Σ d·e^(−rate·d) over Σ e^(−rate·d), for the distances 0 and (j −
// ½)·gap/rate on both sides.
func tiesSpare(gap float64) float64 {
	if gap < 1e-3 {
		return 1
	}
	q, root := math.Exp(-gap), math.Exp(-gap/2)
	sum := root * (0.5/(1-q) + q/(1-q)/(1-q))
	return 2 * gap * sum / (1 + 2*root/(1-q))
}
