package classify

import (
	"fmt"
	"strings"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/mechanism"
)

// twin is a vote written out, with parts to break. Its law is made step by step, states of equal
// future merging, so that runs may be long.
type twin struct {
	m              *StableVotes
	threshold, ask mechanism.LaplaceNoise
	measure        func(yes, k int) int64
	resets         bool // there is no end to unstable answers
	tells          bool // an unstable answer is the majority's
}

// stage is how far a vote has come: what was answered, the noisy threshold of the run, if there is
// one, and the unstable answers.
type stage struct {
	stable, yes int // answers that were stable, and that were yes
	running     bool
	height      int64
	unstable    uint64
}

// newTwin has the bases of m.
func newTwin(m *StableVotes, r1, r2 coin.Base) twin {
	return twin{m: m, threshold: must(mechanism.NewLaplaceNoise(r1)),
		ask: must(mechanism.NewLaplaceNoise(r2)), measure: distance}
}

// law is that of the numbers of stable answers and of yeses, these cases being asked for. Further
// rules, which nobody can replace, say yes so often.
func (w twin) law(k, further int, cases []int) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		yes := voters(rows, 2)
		now := coin.NewLaw[stage]()
		now.Add(stage{}, oneRat)
		for _, at := range cases {
			next, err := coin.Then(now, func(s stage) (*coin.Law[stage], error) {
				return coin.Enumerate(fineTail, func(src coin.Source) (stage, error) {
					return w.answer(src, s, yes[at]+further, k), nil
				})
			})
			if err != nil {
				return nil, err
			}
			now = next
		}
		return coin.Then(now, func(s stage) (*coin.Law[string], error) {
			one := coin.NewLaw[string]()
			one.Add(fmt.Sprint(s.stable, " stable, ", s.yes, " yes"), oneRat)
			return one, nil
		})
	}
}

func (w twin) answer(src coin.Source, s stage, yes, k int) stage {
	if s.unstable == w.m.unstable && !w.resets {
		return s
	}
	if !s.running {
		s.running, s.height = true, w.threshold.AddTo(src, -w.m.gamma)
	}
	says := 2*yes > k
	if src.Bernoulli(w.ask.AtLeast(s.height + w.measure(yes, k))) {
		s.running, s.height = false, 0
		s.unstable++
		if w.resets {
			s.unstable = 0
		}
		if !w.tells {
			says = src.Uniform(2) == 1
		}
	} else {
		s.stable++
	}
	if says {
		s.yes++
	}
	return s
}

// TestTwinIsFaithful: unbroken, the twin has the law of the mechanism.
func TestTwinIsFaithful(t *testing.T) {
	skipShort(t)
	m := stableVotes(base(3, 1), base(2, 1), "0.3", 3, 2, 1)
	other := newTwin(m, base(3, 1), base(2, 1)).law(3, 0, []int{0, 0, 0})
	for _, rows := range (audit.Space{Persons: 3, Values: 2, NoNone: true}).DataSets() {
		p, q := must(coin.Enumerate(fineTail, func(src coin.Source) (string, error) {
			answers, err := transcript(own(m, 3)(src), voters(rows, 1), 3, inTurn)
			stable := strings.Count(answers, "Y") + strings.Count(answers, "N")
			return fmt.Sprint(stable, " stable, ", strings.Count(strings.ToUpper(answers), "Y"),
				" yes"), err
		})), must(other(rows))
		for _, o := range p.Outcomes() {
			if p.Mass(o).Cmp(q.Mass(o)) != 0 {
				t.Errorf("%v: %q has mass %v and %v", rows, o, p.Mass(o), q.Mass(o))
			}
		}
	}
}
