package audittest

import "hush/core/coin"

// FirstTries is the law of a run that draws discrete Gaussian noise, which tries until an attempt
// is accepted: that of the run given that the first attempt of each draw is. Attempts are alike and
// independent of what came before, so it is the law of the run itself where every path draws
// equally often from equal noises, and nothing else.
func FirstTries[T comparable](limits coin.Limits,
	run func(src coin.Source) (T, error)) (*coin.Law[T], error) {
	type try struct {
		outcome  T
		rejected bool
	}
	law, err := coin.Enumerate(limits, func(src coin.Source) (t try, err error) {
		defer func() {
			if reason := recover(); reason == (again{}) {
				t, err = try{rejected: true}, nil
			} else if reason != nil {
				panic(reason)
			}
		}()
		t.outcome, err = run(&firstTries{Source: src})
		return t, err
	})
	if err != nil {
		return nil, err
	}
	return coin.Until(law, func(t try) (T, bool) { return t.outcome, !t.rejected }), nil
}

// again is the panic of a second attempt.
type again struct{}

// firstTries ends a run at a second attempt. An attempt is a geometric draw, a sign, and a coin on
// which it is accepted, unless it is refused without.
type firstTries struct {
	coin.Source
	trying bool
}

func (s *firstTries) Geometric(r coin.Base) uint64 {
	if s.trying {
		panic(again{})
	}
	s.trying = true
	return s.Source.Geometric(r)
}

func (s *firstTries) Bernoulli(p coin.Chance) bool {
	accepted := s.Source.Bernoulli(p)
	s.trying = s.trying && !accepted
	return accepted
}
