package course

import "hush/core/coin"

// The study of the last lesson: half of the people smoke.
const (
	StudyEpsilon = "1"
	studyHalf    = 100
	illSmokers   = 80 // of 100
	illOthers    = 20
)

// Study is what an insurer makes of private studies about made-up towns. Ana smokes.
type Study struct {
	Found   int     // of Guesses studies: those in which smokers fall ill more often
	Right   int     // of Guesses guesses whether Ana falls ill: because she smokes
	Smokers float64 // share of ill smokers in the first study
	Others  float64
}

// RunStudies runs Guesses studies, with Ana, or with somebody else in her place, with noise or
// exactly where the ε is empty. The people of both are the same otherwise.
func RunStudies(seed coin.Seed, epsilon string, with bool) *Study {
	people, noise := coin.NewSeeded(seed), coin.NewSeeded(seed+1)
	count := func(counts []int64) []int64 { return counts }
	if epsilon != "" {
		m := laplace(epsilon, 2) // a person leaves one cell, and enters another
		count = func(counts []int64) []int64 {
			noisy, _ := m.Release(noise, counts, nil) // without a step nothing can end it
			return noisy
		}
	}
	ill := func(smokes bool) bool {
		if smokes {
			return people.Bernoulli(coin.Ratio(illSmokers, 100))
		}
		return people.Bernoulli(coin.Ratio(illOthers, 100))
	}
	s := &Study{}
	for i := range Guesses {
		ana, other := ill(true), ill(true)
		first := other
		if with {
			first = ana
		}
		cells := make([]int64, 4) // ill and well smokers, ill and well others
		put := func(at int, ill bool) {
			if !ill {
				at++
			}
			cells[at]++
		}
		put(0, first)
		for range studyHalf - 1 {
			put(0, ill(true))
		}
		for range studyHalf {
			put(2, ill(false))
		}
		seen := count(cells)
		smokers, others := share(seen[0], seen[1]), share(seen[2], seen[3])
		s.Found += int(one(smokers > others))
		s.Right += int(one(smokers > 0.5 == ana))
		if i == 0 {
			s.Smokers, s.Others = smokers, others
		}
	}
	return s
}

// share is that of yes, where noise may have moved both counts below 0.
func share(yes, no int64) float64 {
	yes, no = max(yes, 0), max(no, 0)
	if yes+no == 0 {
		return 0
	}
	return float64(yes) / float64(yes+no)
}
