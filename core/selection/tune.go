package selection

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/privacy"
)

// To tune a question's parameters, the question is run with several combinations of them, and the
// run with the best noisy score is published (tune.md).

// RunsPerTry is the number of runs that random stopping expects for each combination.
const RunsPerTry = 4

// Stopping returns the law of the number of runs with the smallest proven loss, where each run
// draws one of the candidates at random. It considers the laws that find a run from the better half
// of the best candidate's runs as often as random stopping with perTry runs for each candidate, and
// that take at most twice as many runs. The loss is stated for runs with all of ε. Why: tune.md,
// How many runs.
func Stopping(epsilon privacy.Epsilon, candidates, perTry int64) (*Option, error) {
	if candidates < 1 || perTry < 1 {
		return nil, refuse("candidates", fmt.Sprintf("%d, %d runs each", candidates, perTry),
			"at least 1")
	}
	runs := perTry * candidates
	options, err := Advise(AdviseParams{
		Loss:  privacy.PureLoss(epsilon),
		Share: big.NewRat(1, 2*candidates),
		// Miss of Geometric with stop 1/runs
		Beta: big.NewRat(2*candidates-1, 2*candidates-1+runs),
		Runs: uint64(2 * runs),
	})
	if err != nil {
		return nil, err
	}
	surely := slices.IndexFunc(options, func(o Option) bool {
		return o.Repetitions != nil && o.Repetitions.Miss(1) == 0 // at least one run is published
	})
	return &options[surely], nil
}

// OneOfBest returns the law of the number of runs that publishes, with probability 95 %, one of the
// best share of all possible runs: the cheapest law with at most twice the runs of random stopping,
// 19/share. The error (share) says that this exceeds 2^11 runs. Why: tune.md, One of the best.
func OneOfBest(epsilon privacy.Epsilon, share *big.Rat) (*Option, error) {
	const most = 1 << 11
	if err := checkShare("share", share); err != nil {
		return nil, err
	}
	runs := math.Ceil(19 / floatOf(share))
	if runs > most {
		return nil, refuse("share", ratText(share), "at least 19/%d", most)
	}
	beta := big.NewRat(1, 20)
	options, err := Advise(AdviseParams{Loss: privacy.PureLoss(epsilon), Share: share, Beta: beta,
		Runs: uint64(2 * runs)})
	if err != nil {
		return nil, err
	}
	surely := slices.IndexFunc(options, func(o Option) bool {
		return o.Repetitions != nil && o.Repetitions.Miss(1) == 0 && o.Miss <= floatOf(beta)
	})
	return &options[surely], nil // random stopping is one of them
}

// Pays reports whether a law costs less for this many combinations than running each of them once.
func Pays(law *Option, epsilon privacy.Epsilon, combinations int64) bool {
	once := new(big.Rat).Mul(epsilon.Rat(), big.NewRat(combinations, 1))
	repeated, _ := law.Loss.Epsilon()
	return once.Cmp(repeated) > 0
}

// RunParams state what trying combinations may cost, and how often they are run.
type RunParams struct {
	Epsilon      privacy.Epsilon // of all
	Delta        privacy.Delta   // of all; 0: none is spent
	Combinations int64
	Law          *Option // law of the number of runs; nil: each combination once
	Until        bool    // the first run that is good enough ends them, in place of a law
	Halves       bool    // the run and its score look at different people
}

// RunShare is the part of ε and δ that one run may cost.
type RunShare struct {
	Epsilon privacy.Epsilon // of the run and its score
	Score   privacy.Epsilon // of the score: a quarter, or as much where it looks at other people
	Delta   privacy.Delta   // of the run
}

// ShareOfRun divides ε and δ among the runs.
func ShareOfRun(p RunParams) (share RunShare, err error) {
	if p.Combinations < 1 {
		return share, refuse("combinations", fmt.Sprint(p.Combinations), "at least 1")
	}
	share.Epsilon = p.Epsilon.Part(1, p.Combinations)
	switch {
	case p.Until:
		share.Epsilon = p.Epsilon.Part(1, 2)
	case p.Law != nil:
		if share.Epsilon, err = Each(p.Epsilon, p.Law.Repetitions); err != nil {
			return share, err
		}
	}
	if share.Score = share.Epsilon.Part(1, 4); p.Halves {
		share.Score = share.Epsilon // each person pays for one of the two
	}
	part := p.Delta.Rat()
	if p.Law == nil && !p.Until {
		part.Quo(part, big.NewRat(p.Combinations, 1))
	} else if !p.Delta.IsZero() {
		// The total δ is a multiple of one run's, as long as it stays below 1. The multiple is at
		// most e^100 times the expected number of runs.
		unit, whole := new(big.Rat), privacy.NoPrivacy()
		for bits := uint(60); bits < 1<<12 && !whole.Protects(); bits *= 2 {
			unit.SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), bits))
			one, err := privacy.NewLoss(share.Epsilon.Rat(), unit)
			if err != nil {
				return share, err // unreachable: δ is not negative
			}
			if whole, err = p.whole(one); err != nil {
				return share, err
			}
		}
		part.Mul(part, unit).Quo(part, whole.Delta())
	}
	share.Delta, err = privacy.NewDelta(floored(part))
	return share, err
}

// whole returns the loss of all runs if one of them costs one.
func (p RunParams) whole(one privacy.Loss) (privacy.Loss, error) {
	if !p.Until {
		return p.Law.Repetitions.Cost(one)
	}
	search, err := Until(one, p.Combinations, privacy.Delta{})
	if err != nil {
		return privacy.Loss{}, err
	}
	return search.Loss(1)
}

// Until returns the search for the first good enough run, where each run draws one of this many
// combinations at random and costs one together with its score. It gives up so rarely that at most
// twice RunsPerTry runs are expected for each combination, as many as Stopping may take. If the
// loss of a run is a ρ, delta is the δ at which the search's loss is stated, see RhoOfRun. Why:
// tune.md, The first that is good enough.
func Until(one privacy.Loss, combinations int64, delta privacy.Delta) (*Threshold, error) {
	if combinations < 1 {
		return nil, refuse("combinations", fmt.Sprint(combinations), "at least 1")
	}
	return NewThreshold(ThresholdParams{Loss: one, Stop: stopOf(combinations), Delta: delta})
}

func stopOf(combinations int64) *big.Rat { return big.NewRat(1, 2*RunsPerTry*combinations) }

// floored rounds a number slightly down, to at most 64 digits.
func floored(x *big.Rat) *big.Rat {
	shift := uint(max(0, 64+x.Denom().BitLen()-x.Num().BitLen()))
	n := new(big.Int).Lsh(x.Num(), shift)
	return new(big.Rat).SetFrac(n.Quo(n, x.Denom()), new(big.Int).Lsh(big.NewInt(1), shift))
}

// CostOfTrying returns the loss of trying this many combinations by a law, where one run costs one
// together with its score; without a law, that of a release for each combination, the naive price.
func CostOfTrying(law *Option, combinations int64, one privacy.Loss) (sum privacy.Loss, err error) {
	if law != nil {
		return law.Repetitions.Cost(one)
	}
	for range combinations {
		sum = sum.Plus(one)
	}
	return sum, nil
}

// BestTried runs the candidates according to a law, with one drawn at random for each run, or each
// of them once without a law. It returns the run with the best score. one is the loss of a run with
// its score, whose noise covers the effect of one person on the points of a result (H: tune.md
// score-moves); candidates and law are public (H: tune.md public-combinations). step receives no
// progress: the number of runs is secret.
func BestTried[T any](src coin.Source, law *Option, one privacy.Loss, candidates []Candidate[T],
	step coin.Step) (best Scored[T], err error) {
	if law == nil {
		run := runOf(one)
		src = meter.Within(src,
			meter.Sum("each once", meter.Each(run.Loss, uint64(len(candidates)))))
		best.Score = math.MinInt64
		for i, candidate := range candidates {
			scored, err := once(src, run, candidate)
			if err != nil {
				return Scored[T]{}, err
			}
			if i == 0 || scored.Score > best.Score {
				best = scored
			}
		}
		return best, nil
	}
	any, err := OneOf(candidates)
	if err != nil {
		return best, err
	}
	m, err := NewBest(BestParams{Loss: one, Repetitions: law.Repetitions})
	if err != nil {
		return best, err
	}
	best, _, err = BestOf(src, m, any, step)
	return best, err
}

// FirstTried runs candidates drawn at random until a run's score is at least threshold, which is
// public. found is false if the search gave up. step receives no progress.
func FirstTried[T any](src coin.Source, search *Threshold, threshold int64,
	candidates []Candidate[T], step coin.Step) (first Scored[T], found bool, err error) {
	any, err := OneOf(candidates)
	if err != nil {
		return first, false, err
	}
	return FirstAbove(src, search, threshold, any, step)
}
