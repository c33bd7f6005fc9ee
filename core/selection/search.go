package selection

import (
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// SearchParams are the parameters of Search.
type SearchParams struct {
	SamplingParams // Target is the probability of reaching the level sought

	// Levels are the scores to choose from, the highest first. Required, public.
	Levels []int64
}

// Search finds a high score that the candidate still reaches with about the target probability, to
// serve as a threshold for Threshold.
//
// # Guarantee
//
// (Epsilon, Delta + x)-DP, x as in [SampledPercentiles] with the number of Samples. Neighbours
// replace one person. Proof: percentile.md.
//
// # Input and output
//
// [FindThreshold] returns one of the levels, the last where none before it is reached often enough.
//
// # Errors
//
// [*param.Error] from the constructor for each field; from FindThreshold what the candidate or step
// returns.
//
// # Reference
//
// Liu, Talwar, 2019, Algorithm 5 (sparse1), Theorem 4.6. Differs: explicit constants.
type Search struct {
	sampling
	levels []int64
	target *big.Rat // regularised
}

// NewSearch checks the parameters.
func NewSearch(p SearchParams) (*Search, error) {
	if err := checkLevels(p.Levels); err != nil {
		return nil, err
	}
	s, err := newSampling(p.SamplingParams, int64(len(p.Levels)), 1, true)
	if err != nil {
		return nil, err
	}
	return &Search{s, slices.Clone(p.Levels), new(big.Rat).Add(p.Target, p.Regulariser)}, nil
}

func checkLevels(levels []int64) error {
	if len(levels) == 0 || len(levels) > 1<<20 {
		return refuse("levels", phrase.Of("%d of them", len(levels)),
			"1 to 2^20 scores, the highest first")
	}
	for i := 1; i < len(levels); i++ {
		if levels[i] >= levels[i-1] { // H: percentile.md levels-fall
			return refuse("levels", phrase.Of("%d after %d", levels[i], levels[i-1]),
				"scores that fall, the highest first")
		}
	}
	return nil
}

// FindThreshold runs the candidate Samples times and chooses a level. step may be nil; its units
// are runs.
func FindThreshold[T any](src coin.Source, m *Search, candidate Candidate[T],
	step coin.Step) (int64, error) {
	src = meter.Within(src, m.spend)
	counts, err := countAbove(src, &m.sampling, candidate, m.levels, step)
	if err != nil {
		return 0, err
	}
	return m.from(src, counts)
}

// ThresholdFrom is FindThreshold for a candidate whose runs were made elsewhere, for this search
// alone (H: percentile.md own-samples): counts has, for each level, how many of Samples runs
// reached it. It returns the first level whose measured logarithm is above the noisy target.
func (m *Search) ThresholdFrom(src coin.Source, counts []uint64) (int64, error) {
	if len(counts) != len(m.levels) { // H: percentile.md samples
		return 0, refuse("counts", phrase.Of("%d of them", len(counts)), "%d, one for each level",
			len(m.levels))
	}
	return m.from(meter.Within(src, m.spend), counts)
}

func (m *Search) from(src coin.Source, counts []uint64) (int64, error) {
	run := m.above.Start(src, m.ruler.log(m.target))
	for i, count := range counts {
		share := frequency(count, m.samples)
		stop, err := run.Above(m.ruler.log(share.Add(share, m.regulariser)))
		if err != nil {
			return 0, err // unreachable: the run ends with the first above
		}
		if stop {
			return m.levels[i], nil
		}
	}
	return m.levels[len(m.levels)-1], nil
}

// UnknownParams are the parameters of Unknown.
type UnknownParams struct {
	// Loss covers one run of the candidate. Required, with an ε.
	Loss privacy.Loss

	// Epsilon is spent beyond twice the loss of one run, nearly all of it on the search. Required.
	Epsilon privacy.Epsilon

	// Delta is the probability that sampling may fail. Required, above 0.
	Delta privacy.Delta

	// Levels are the thresholds to choose from, the highest first. Required, public.
	Levels []int64

	// Share is the probability with which a run should reach the threshold: 1/(2K) where one of K
	// candidates has a good median. Required.
	Share *big.Rat

	// Beta is the probability of missing the best level that is reached with probability Share,
	// above 0 and below 1. Required.
	Beta *big.Rat
}

// Unknown first finds its own threshold and then a run that reaches it, at slightly more than twice
// the loss of one run, so that no threshold has to be known.
//
// # Guarantee
//
// The loss of Search and that of Threshold together: about (2ε + Epsilon, Delta)-DP for candidates
// without δ. Neighbours replace one person. Proof: percentile.md. The number of runs grows like
// ((R+2)/β)^(13·ε/Epsilon) for R levels, beyond reach unless Epsilon is several times ε; then it is
// refused. Logarithmic repetitions cost 2ε too.
//
// # Errors
//
// [*param.Error] from the constructor for each field, (epsilon) where it would take more than 2^40
// runs; from [FirstAboveUnknown] what the candidate or step returns.
//
// # Reference
//
// Liu, Talwar, 2019, Theorem 4.7. Differs: explicit constants, the slack that needs the fewest
// samples, and 15/16 of Epsilon in place of a half for the search.
type Unknown struct {
	search    *Search
	threshold *Threshold
	spend     *meter.Spend
}

// NewUnknown checks the parameters and divides the loss.
func NewUnknown(p UnknownParams) (*Unknown, error) {
	one, err := oddsOf(p.Loss)
	switch {
	case err != nil:
		return nil, err
	case !p.Epsilon.IsSet():
		return nil, refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	case p.Delta.IsZero():
		return nil, refuse("delta", "0", "a number above 0: sampling may fail")
	}
	for _, share := range []struct {
		field string
		value *big.Rat
	}{{"share", p.Share}, {"beta", p.Beta}} {
		if err := checkShare(share.field, share.value); err != nil {
			return nil, err
		}
	}
	if err := checkLevels(p.Levels); err != nil {
		return nil, err
	}
	var best *Unknown
	for halvings := range int64(10) { // the slack that needs the fewest samples
		m, err := newUnknown(p, one, new(big.Rat).Quo(p.Epsilon.Rat(), ratOf(2<<halvings)))
		if err != nil {
			return nil, err
		}
		if m != nil && (best == nil || m.search.samples < best.search.samples) {
			best = m
		}
	}
	if best == nil {
		return nil, refuse("epsilon", p.Epsilon.String(),
			"more, or a smaller loss, fewer levels or a larger beta: it takes more than 2^40 runs")
	}
	return best, nil
}

// limitParts is the number of parts of Epsilon, one of which pays for the limit on the second
// step's runs: the search needs e^(1/ε) runs, the limit ln(1/ε).
const limitParts = 16

// newUnknown divides the parameters with this slack: M = (6Δ/ε)·ln((R+2)/β') for the search's own ε
// and half the failure, ξ = ½·share·e^(−2M−a) and target + ξ = share·e^(−M−a/2). It returns nil
// where that takes too many runs.
func newUnknown(p UnknownParams, one bound, slack *big.Rat) (*Unknown, error) {
	each := p.Epsilon.Part(limitParts-1, limitParts)
	beta := new(big.Rat).Quo(p.Beta, ratOf(2))
	reach := privacy.LogUp(new(big.Rat).Quo(ratOf(int64(len(p.Levels)+1)), beta))
	reach.Mul(reach, new(big.Rat).Add(one.epsilon, slack)).Mul(reach, ratOf(6)).
		Quo(reach, each.Rat())
	reach.Add(reach, new(big.Rat).Quo(slack, ratOf(2))) // M + a/2
	if reach.Cmp(ratOf(16)) > 0 {
		return nil, nil
	}
	target := privacy.ExpDown(new(big.Rat).Neg(reach))
	target.Mul(target, p.Share)
	regulariser := privacy.ExpDown(reach.Mul(reach, ratOf(-2)))
	regulariser.Mul(regulariser, p.Share).Quo(regulariser, ratOf(2))
	stop := new(big.Rat).Quo(new(big.Rat).Mul(regulariser, beta), ratOf(2))
	if stop.Cmp(smallestStop) < 0 || slack.Cmp(smallestStop) < 0 {
		return nil, nil
	}
	if samples, err := samplesFor(slack, regulariser, p.Delta.Rat()); err != nil ||
		samples > mostSamples/64 {
		return nil, nil
	}
	search, err := NewSearch(
		SearchParams{SamplingParams{Loss: p.Loss, Epsilon: each, Delta: p.Delta,
			Target: target.Sub(target, regulariser), Slack: slack, Regulariser: regulariser},
			p.Levels})
	if err != nil {
		return nil, err
	}
	// x = (1−γ)^T ≤ 1/(1 + parts/ε) makes the limit cost ln(1/(1−x)) ≤ x/(1−x) ≤ ε/parts.
	enough := privacy.LogUp(
		new(big.Rat).Add(ratOf(1), new(big.Rat).Quo(ratOf(limitParts), p.Epsilon.Rat())))
	if least := big.NewRat(1, 2); enough.Cmp(least) < 0 {
		enough = least // Threshold requires at least 1 + 1/(e·γ) runs
	}
	enough.Quo(enough, stop).Add(enough, ratOf(2))
	threshold, err := NewThreshold(
		ThresholdParams{Loss: p.Loss, Stop: stop,
			Limit: new(big.Int).Quo(enough.Num(), enough.Denom()).Uint64()})
	if err != nil {
		return nil, err
	}
	return &Unknown{search, threshold, meter.Sum("first above an unknown threshold",
		meter.Once(search.spend.Loss), meter.Once(threshold.spend.Loss))}, nil
}

// Loss is the loss of one selection for data sets that differ in d persons.
func (m *Unknown) Loss(d privacy.Distance) (privacy.Loss, error) {
	return m.spend.Loss.Group(d)
}

// Samples is the number of runs of the candidate that find the threshold.
func (m *Unknown) Samples() uint64 { return m.search.samples }

// Parts returns the two steps of FirstAboveUnknown, which together have the loss Loss.
func (m *Unknown) Parts() (*Search, *Threshold) { return m.search, m.threshold }

// FirstAboveUnknown finds a threshold, level, which may be published, and then a run that reaches
// it; found is false if it gave up. step may be nil; its units are runs during the search for the
// threshold, and afterwards it receives no progress.
func FirstAboveUnknown[T any](src coin.Source, m *Unknown, candidate Candidate[T],
	step coin.Step) (result Scored[T], level int64, found bool, err error) {
	src = meter.Within(src, m.spend)
	if level, err = FindThreshold(src, m.search, candidate, step); err != nil {
		return Scored[T]{}, 0, false, err
	}
	result, found, err = FirstAbove(src, m.threshold, level, candidate, step)
	return result, level, found, err
}
