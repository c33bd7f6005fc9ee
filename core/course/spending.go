package course

import (
	"math"

	"hush/core/coin"
	"hush/core/mechanism"
)

// SpendingEpsilon is the ε of each answer of the lesson, and Times how often it may be asked.
const SpendingEpsilon = "0.5"

// Times are the stops of the slider.
var Times = []int{1, 2, 5, 10, 20, 50}

// Spending holds what an attacker makes of the same question, asked again and again.
type Spending struct {
	Answers []int64   // about one clinic, as many as the last of Times
	Right   []int     // for each of Times: of Guesses secrets
	Most    []float64 // for each of Times: of 100, by the sum of all ε
}

// Spend asks about each of Guesses people's clinics as often as the last of Times. The attacker
// takes each answer for a vote, as is best with this noise, and tosses a coin where votes are even.
func Spend(seed coin.Seed) *Spending {
	m, src := laplace(SpendingEpsilon, 1), coin.NewSeeded(seed)
	s := &Spending{Right: make([]int, len(Times))}
	for i, times := range Times {
		s.Most = append(s.Most, Odds(float64(times)*Epsilon(SpendingEpsilon)))
		if i == len(Times)-1 {
			for range times {
				s.Answers = append(s.Answers, m.AddTo(src, ClinicIll+1))
			}
		}
	}
	for range Guesses {
		ill, votes, stop := heads(src), 0, 0
		for asked := 1; stop < len(Times); asked++ {
			if m.AddTo(src, ClinicIll+one(ill)) > ClinicIll {
				votes++
			} else {
				votes--
			}
			if asked == Times[stop] {
				guess := votes > 0 || votes == 0 && heads(src)
				s.Right[stop] += int(one(guess == ill))
				stop++
			}
		}
	}
	return s
}

// Ways are three ways to spend the same ε on one number: how far each is off, on average of
// WaysDraws.
type Ways struct {
	Apart float64 // WaysAnswers answers with an equal part each, averaged
	Top   float64 // one of them, topped up to all of ε
	Once  float64 // one answer with all of ε
}

// WaysAnswers answers with SpendingEpsilon each cost WaysEpsilon in all.
const (
	WaysAnswers = 5
	WaysEpsilon = "2.5"
	WaysDraws   = 200
)

// SpendAlike measures them.
func SpendAlike(seed coin.Seed) Ways {
	first, then, src := laplace(SpendingEpsilon, 1), laplace(WaysEpsilon, 1), coin.NewSeeded(seed)
	more, err := mechanism.NewNoiseTopUp(first.Noise(), then.Noise())
	if err != nil {
		panic("course: internal error: " + err.Error())
	}
	var w Ways
	for range WaysDraws {
		var sum int64
		for range WaysAnswers {
			sum += first.AddTo(src, ClinicIll)
		}
		w.Apart += math.Abs(float64(sum)/WaysAnswers-ClinicIll) / WaysDraws
		rough := first.AddTo(src, ClinicIll)
		w.Top += math.Abs(float64(more.Draw(src, ClinicIll, rough)-ClinicIll)) / WaysDraws
		w.Once += math.Abs(float64(then.AddTo(src, ClinicIll)-ClinicIll)) / WaysDraws
	}
	return w
}
