package task

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/message"
	"hush/core/privacy"
	"hush/core/selection"
)

// The ways to choose that only lessons offer, for candidates that can only be run: a candidate is one possible value, drawn at random, and a noisy count of
// the people who have it (contest.md).
const (
	selectSplit       = "split"
	selectStopping    = "stopping"
	selectBinomial    = "binomial"
	selectLogarithmic = "logarithmic"
	selectOracle      = "oracle"
	selectSampled     = "sampled"
	selectUnknown     = "unknown"

	mostContenders = 1 << 12 // values in a lesson
	mostDrawn      = 1 << 32 // candidates of one choice: as many as a computer runs in hours
)

var contestChoices = []ask.Choice{
	{selectSplit, "every value, ε split among them"},
	{selectStopping, "random stopping, 3 × one run"},
	{selectBinomial, "negative binomial stopping, 2.5 × one run"},
	{selectLogarithmic, "logarithmic stopping, 2 × one run"},
	{selectOracle, "percentile search, exact oracle"},
	{selectSampled, "percentile search, sampled"},
	{selectUnknown, "search for a threshold, then 2 × one run"},
}

// Reached is how good a choice is and what it took. It is told in lessons only: no guarantee covers it.
type Reached struct {
	Percentile float64 `json:"percentile"` // of the other values, how many fewer people have, in percent
	Drawn      int64   `json:"drawn"`      // candidates
}

// contest is one of these ways.
type contest struct {
	name  string
	price privacy.Loss
	facts []ask.Forecast
	off   int64 // people by which a candidate's count may be off, 95 %
	// choose returns the index of a score, or −1, and how many candidates were drawn.
	choose func(src coin.Source, scores []int64, step coin.Step) (index int, drawn int64, err error)
}

// contest prepares one of them for so many values.
func newContest(q *ask.Query, chosen string, epsilon privacy.Epsilon, size *big.Int) (*contest, error) {
	if size.Cmp(big.NewInt(mostContenders)) > 0 {
		return nil, ask.Refuse(paramSelector, fmt.Sprintf("%q", chosen), message.Format("at most %d possible values", mostContenders))
	}
	k := size.Int64()
	switch chosen {
	case selectSplit:
		return splitContest(epsilon, k)
	case selectStopping:
		r, err := selection.Geometric(big.NewRat(1, 4*k), 0)
		return stoppedContest(epsilon, k, r, err, "3", message.Text("random stopping"), message.Text("Theorem 3.2 of Liu and Talwar"))
	case selectBinomial:
		r, err := selection.NegativeBinomial(big.NewRat(1, 2), big.NewRat(1, 8*k))
		return stoppedContest(epsilon, k, r, err, "2.5", message.Text("stopping by the negative binomial law of shape 1/2"), message.Text("Papernot and Steinke"))
	case selectLogarithmic:
		r, err := selection.Logarithmic(big.NewRat(1, 32*k))
		return stoppedContest(epsilon, k, r, err, "2", message.Text("stopping by the logarithmic law"), message.Text("Papernot and Steinke"))
	case selectOracle:
		return oracleContest(q, epsilon, k)
	}
	delta, err := q.AllowedDelta()
	if err != nil {
		return nil, err
	}
	if delta.IsZero() {
		return nil, ask.Refuse(ask.ParamDelta, q.Param(ask.ParamDelta), message.Text("auto, or a number above 0: samples may mislead"))
	}
	if chosen == selectSampled {
		return sampledContest(q, epsilon, delta, k)
	}
	return unknownContest(q, epsilon, delta, k)
}

// whereSearchesPay is what comparing them shows (TestSearchesPayNowhereInReach).
const whereSearchesPay = "The percentile searches pay only where far more than billions of runs cost nothing: there they near twice the loss of one run and hardly ever miss, where random stopping stays at three times and " +
	"logarithmic stopping misses more often. With fewer runs they leave less of ε for one run than random stopping does."

// told is the last line of every forecast.
func told() ask.Forecast {
	return ask.Forecast{message.Text("The price is for"), message.Text("the value alone"),
		message.Text("how many candidates were drawn and the percentile reached are told in lessons only: they have no guarantee")}
}

func epsilonText(epsilon float64) string { return fmt.Sprintf("ε = %.3g", epsilon) }

func splitContest(epsilon privacy.Epsilon, k int64) (*contest, error) {
	each := epsilon.Part(1, k)
	noise, err := mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: each, L1Sensitivity: 1})
	if err != nil {
		return nil, err
	}
	one, err := noise.Loss(1)
	if err != nil {
		return nil, err
	}
	c := &contest{name: message.Text("a noisy count of every value, the budget split"), off: noise.ErrorBound(basic.Beta)}
	for range k {
		c.price = c.price.Plus(one)
	}
	c.facts = []ask.Forecast{
		{message.Text("Proven price"), message.Format("%d × one run", k), message.Format("each candidate is paid for: %s in all; for fewer than three nothing costs less", epsilonText(epsilon.Float64()))},
		{message.Text("One run has"), epsilonText(each.Float64()), message.Text("counts of one column would cost less together; candidates in general do not")},
		{message.Text("Candidates drawn"), fmt.Sprint(k), message.Text("each once")},
	}
	c.choose = func(src coin.Source, scores []int64, step coin.Step) (int, int64, error) {
		noisy, err := noise.Release(src, scores, nil)
		if err != nil {
			return -1, 0, err
		}
		best := 0
		for i, score := range noisy {
			if score > noisy[best] {
				best = i
			}
		}
		return best, k, nil
	}
	return c, nil
}

// noisyCandidate draws a value and counts it with noise; drawn counts the runs.
func noisyCandidate(scores []int64, noise mechanism.LaplaceNoise, drawn *int64) selection.Candidate[int] {
	return func(src coin.Source) (selection.Scored[int], error) {
		*drawn++
		i := int(src.Uniform(uint64(len(scores))))
		return selection.Scored[int]{Output: i, Score: noise.AddTo(src, scores[i])}, nil
	}
}

// stoppedContest publishes the best of a random number of runs.
func stoppedContest(epsilon privacy.Epsilon, k int64, r selection.Repetitions, err error, times, name, source string) (*contest, error) {
	if err != nil {
		return nil, err
	}
	each, err := selection.Each(epsilon, r)
	if err != nil {
		return nil, err
	}
	laplace, err := mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: each, L1Sensitivity: 1})
	if err != nil {
		return nil, err
	}
	best, err := selection.NewBest(selection.BestParams{Loss: privacy.PureLoss(each), Repetitions: r})
	if err != nil {
		return nil, err
	}
	price, err := best.Loss(1)
	if err != nil {
		return nil, err
	}
	mean, _ := r.Mean().Float64()
	return &contest{
		name: name, price: price, off: laplace.ErrorBound(basic.Beta),
		facts: []ask.Forecast{
			{message.Text("Proven price"), message.Format("%s × one run", times), message.Format("%s, however many runs there are: %s in all", source, epsilonText(epsilon.Float64()))},
			{message.Text("One run has"), epsilonText(each.Float64()), message.Text("for the noisy count of one value drawn at random")},
			{message.Text("Candidates drawn"), message.Format("%.0f expected", mean), message.Text("a coin that nobody sees ends the runs")},
			{message.Text("Misses"), fmt.Sprintf("%.2g %%", 100*r.Miss(1/float64(k))), message.Text("of the choices never draw the most frequent value")},
		},
		choose: func(src coin.Source, scores []int64, step coin.Step) (int, int64, error) {
			var drawn int64
			result, found, err := selection.BestOf(src, best, noisyCandidate(scores, laplace.Noise(), &drawn), blindly(step))
			if err != nil || !found {
				return -1, drawn, err
			}
			return result.Output, drawn, nil
		},
	}, nil
}

// levels are the thresholds of the searches: a half, a quarter … of the people, and 0.
func levelsOf(q *ask.Query) []int64 {
	list := []int64{0}
	for n := max(q.People/32, 1); n <= max(q.People/2, 1); n *= 2 {
		list = append([]int64{n}, list...)
	}
	return list
}

// chances are those of noise with a base of 1 + 1/steps.
type chances struct{ steps int64 }

// chancesFor has a loss of at most this.
func chancesFor(epsilon float64) chances { return chances{int64(math.Ceil(1 / epsilon))} }

func (c chances) odds() *big.Rat { return big.NewRat(c.steps+1, c.steps) }

func (c chances) loss() (privacy.Loss, error) { return privacy.LossFromOdds(c.odds(), nil) }

func (c chances) epsilon() float64 { return math.Log1p(1 / float64(c.steps)) }

// farthest is beyond where a chance is 0 or 1 to all intents: counts further from a level are moved there.
const farthest = 40

// of is Pr[score + noise ≥ level]: r^(1−s)/(r+1) for s = level − score from 1 on, 1 − r^s/(r+1) below.
func (c chances) of(score, level int64) *big.Rat {
	s := min(max(level-score, -farthest*c.steps), farthest*c.steps)
	size := s - 1
	if s < 1 {
		size = -s
	}
	exponent := big.NewInt(size)
	p := new(big.Rat).SetFrac(new(big.Int).Exp(big.NewInt(c.steps), exponent, nil), new(big.Int).Exp(big.NewInt(c.steps+1), exponent, nil))
	p.Quo(p, new(big.Rat).Add(c.odds(), big.NewRat(1, 1)))
	if s < 1 {
		p.Sub(big.NewRat(1, 1), p)
	}
	return p
}

// near is that chance in floating point, for draws.
func (c chances) near(score, level int64) float64 {
	s := float64(level - score)
	if s >= 1 {
		return math.Exp((1-s)*c.epsilon()) / (2 + 1/float64(c.steps))
	}
	return 1 - math.Exp(s*c.epsilon())/(2+1/float64(c.steps))
}

// percentile is what is asked of every value, at each level from the highest: whether its noisy count reaches the level in half of the runs.
var percentile = big.NewRat(1, 2)

// asked is how many questions there are at most.
func askedOf(q *ask.Query, k int64) int64 { return k * int64(len(levelsOf(q))) }

// search asks one value after another at each level until one is above.
func searchFor(q *ask.Query, k int64, above func(value int, level int64) (bool, error)) (index int, asked int64, err error) {
	for _, level := range levelsOf(q) {
		for i := range int(k) {
			asked++
			if yes, err := above(i, level); yes || err != nil {
				return i, asked, err
			}
		}
	}
	return -1, asked, nil
}

func oracleContest(q *ask.Query, epsilon privacy.Epsilon, k int64) (*contest, error) {
	run := chancesFor(epsilon.Float64() / 4)
	one, err := run.loss()
	if err != nil {
		return nil, err
	}
	m, err := selection.NewPercentiles(selection.PercentilesParams{Loss: one, Epsilon: epsilon, Target: percentile})
	if err != nil {
		return nil, err
	}
	price, err := m.Loss(1)
	if err != nil {
		return nil, err
	}
	apart := m.ErrorBound(basic.Beta, int(askedOf(q, k)))
	off := int64(math.Ceil(apart / run.epsilon()))
	return &contest{
		name: message.Text("percentile search with an exact oracle"), price: price, off: off,
		facts: []ask.Forecast{
			{message.Text("Proven price"), epsilonText(epsilon.Float64()), message.Text("for all answers together (Theorem 4.1 of Liu and Talwar); the oracle's candidates cost nothing")},
			{message.Text("Answers are right"), "± " + people(off), message.Format("in 95 of 100 choices: %.3g in log-odds, which one person moves by twice ε = %.3g of a candidate", apart, run.epsilon())},
			{message.Text("Questions"), message.Format("at most %d", askedOf(q, k)), message.Text("each value at each level, from half of the people down; the probabilities are exact, which black boxes do not tell")},
		},
		choose: func(src coin.Source, scores []int64, step coin.Step) (int, int64, error) {
			r := m.Start(src)
			return searchFor(q, k, func(i int, level int64) (bool, error) { return r.Above(run.of(scores[i], level)) })
		},
	}, nil
}

func sampledContest(q *ask.Query, epsilon privacy.Epsilon, delta privacy.Delta, k int64) (*contest, error) {
	// With a regulariser of 1/8 log-odds are within ± ln 9; slack and ε of a run are such that the error bound, 24·(ε + slack)/Epsilon·ln((N+1)/β), is about that for β = 1/2.
	slack := epsilon.Float64() * math.Log(9) / 24 / math.Log(2*float64(askedOf(q, k)+1))
	run := chancesFor(slack)
	one, err := run.loss()
	if err != nil {
		return nil, err
	}
	m, err := selection.NewSampledPercentiles(selection.SampledPercentilesParams{
		SamplingParams: selection.SamplingParams{Loss: one, Epsilon: epsilon, Delta: delta, Target: percentile, Slack: big.NewRat(1, run.steps), Regulariser: big.NewRat(1, 8)},
		Queries:        uint64(askedOf(q, k)),
	})
	if err != nil {
		return nil, err
	}
	if runs := float64(m.Samples()) * float64(askedOf(q, k)); runs > mostDrawn {
		return nil, tooMany(selectSampled, message.Format("it takes up to 2^%.0f runs", math.Log2(runs)))
	}
	price, err := m.Loss(1)
	if err != nil {
		return nil, err
	}
	off := int64(math.Ceil(math.Log(9) / run.epsilon()))
	return &contest{
		name: message.Text("percentile search with sampled candidates"), price: price, off: off,
		facts: []ask.Forecast{
			{message.Text("Proven price"), epsilonText(epsilon.Float64()), message.Format("and δ = %s for all answers together (Theorem 4.4 of Liu and Talwar); the candidates cost nothing more", delta)},
			{message.Text("One run has"), epsilonText(run.epsilon()), message.Text("so little, since one person moves a measured log-odds by twice that, and a slack as large")},
			{message.Text("Answers are right"), "± " + people(off), message.Text("in about half of the choices")},
			{message.Text("Candidates drawn"), message.Format("%s for each question", short(m.Samples())), message.Format("of which there are at most %d; their number is drawn from its law at once", askedOf(q, k))},
		},
		choose: func(src coin.Source, scores []int64, step coin.Step) (int, int64, error) {
			r := m.Start(src)
			index, asked, err := searchFor(q, k, func(i int, level int64) (bool, error) {
				return r.AboveCount(heads(src, m.Samples(), run.near(scores[i], level)))
			})
			return index, asked * int64(m.Samples()), err
		},
	}, nil
}

// A run has from 1/leastPart to 1/largestPart of ε, by powers of two.
const leastPart, largestPart = 1 << 8, 1 << 2

// unknown is a search for a threshold, with the part of ε that a run has.
type unknown struct {
	*selection.Unknown
	run  chances
	part int64
}

// unknown leaves as much of ε for a run as the number of runs allows.
func newUnknown(q *ask.Query, epsilon privacy.Epsilon, delta privacy.Delta, k int64) (unknown, error) {
	return ask.Remember(q, fmt.Sprint("unknown ", epsilon, delta, k, q.People), func() (best unknown, err error) {
		for part := int64(leastPart); part >= largestPart; part /= 2 {
			run := chancesFor(epsilon.Float64() / float64(part))
			one, err := run.loss()
			if err != nil {
				return best, err
			}
			m, err := selection.NewUnknown(selection.UnknownParams{Loss: one, Epsilon: epsilon.Part(part-2, part), Delta: delta, Levels: levelsOf(q), Share: big.NewRat(1, 2*k), Beta: percentile})
			if err != nil || m.Samples() > mostDrawn {
				break
			}
			best = unknown{m, run, part}
		}
		if best.Unknown == nil {
			err = tooMany(selectUnknown, message.Format("even with a part of 1/%d of ε for one run it takes more runs", leastPart))
		}
		return best, err
	})
}

func unknownContest(q *ask.Query, epsilon privacy.Epsilon, delta privacy.Delta, k int64) (*contest, error) {
	m, err := newUnknown(q, epsilon, delta, k)
	if err != nil {
		return nil, err
	}
	price, err := m.Loss(1)
	if err != nil {
		return nil, err
	}
	rate, err := coin.BaseFromRat(m.run.odds())
	if err != nil {
		return nil, err
	}
	noise, err := mechanism.NewLaplaceNoise(rate)
	if err != nil {
		return nil, err
	}
	search, threshold := m.Parts()
	return &contest{
		name: message.Text("a search for a threshold, then runs until one reaches it"), price: price, off: noise.Bound(basic.Beta),
		facts: []ask.Forecast{
			{message.Text("Proven price"), message.Format("2 × one run, and ε = %.3g", epsilon.Part(m.part-2, m.part).Float64()), message.Format("with δ = %s (Theorem 4.7 of Liu and Talwar), nearly all of the rest for the search: %s in all", delta, epsilonText(epsilon.Float64()))},
			{message.Text("One run has"), epsilonText(m.run.epsilon()), message.Format("the most for which %s runs suffice, as many as a computer makes in hours; random stopping leaves a third of all, ε = %.3g", short(mostDrawn), epsilon.Float64()/3)},
			{message.Text("Candidates drawn"), message.Format("%s and more", short(m.Samples())), message.Text("to find the threshold; their number is drawn from its law at once")},
			{message.Text("Misses"), "50 %", message.Text("of the choices at most miss the best level")},
		},
		choose: func(src coin.Source, scores []int64, step coin.Step) (int, int64, error) {
			at, err := search.ThresholdFrom(src, reaching(src, m.run, m.Samples(), scores, levelsOf(q)))
			if err != nil {
				return -1, 0, err
			}
			drawn := int64(m.Samples())
			result, reached, err := selection.FirstAbove(src, threshold, at, noisyCandidate(scores, noise, &drawn), blindly(step))
			if err != nil || !reached {
				return -1, drawn, err
			}
			return result.Output, drawn, nil
		},
	}, nil
}

func tooMany(chosen, why string) error {
	return ask.Refuse(paramSelector, fmt.Sprintf("%q", chosen), message.Format("more privacy loss, or fewer possible values: %s, and a lesson draws at most 2^%d", why, bits.Len(mostDrawn-1)))
}

// short writes a large number with its magnitude.
func short(n uint64) string {
	switch {
	case n >= 1_000_000_000:
		return message.Format("%.3g billion", float64(n)/1e9)
	case n >= 1_000_000:
		return message.Format("%.3g million", float64(n)/1e6)
	case n >= 1000:
		return message.Format("%.3g thousand", float64(n)/1e3)
	}
	return fmt.Sprint(n)
}

// reaching draws how many of so many runs reach each of the levels, the highest first: of those that reach a level, how many reach the next higher one.
func reaching(src coin.Source, run chances, runs uint64, scores, levels []int64) []uint64 {
	counts := make([]uint64, len(levels))
	left, before := runs, 1.0
	for l := len(levels) - 1; l >= 0; l-- {
		share := 0.0
		for _, score := range scores {
			share += run.near(score, levels[l]) / float64(len(scores))
		}
		left = heads(src, left, share/before)
		counts[l], before = left, share
	}
	return counts
}

// heads is how many of n coins of chance p fall. Each coin compares random bits with those of p until one differs.
func heads(src coin.Source, n uint64, p float64) (fell uint64) {
	if p >= 1 {
		return n
	}
	for p > 0 && n > 0 {
		ones := fairHeads(src, n)
		if p *= 2; p >= 1 { // a coin with a 0 is below p
			fell, n, p = fell+n-ones, ones, p-1
		} else {
			n -= ones
		}
	}
	return fell
}

// fairHeads is how many of n coins show a 1: one by one up to 2^16 of them, more by the normal law, which is within 0.56/√n of theirs (Berry, Esseen).
func fairHeads(src coin.Source, n uint64) (ones uint64) {
	if n > 1<<16 {
		u := (float64(src.Uniform(1<<52)) + 0.5) / (1 << 52)
		off := math.Sqrt(float64(n)/2) * math.Erfinv(2*u-1)
		return n/2 + uint64(int64(math.Round(off)))
	}
	const word = 63
	for ; n > 0; n -= min(n, word) {
		ones += uint64(bits.OnesCount64(src.Uniform(1 << min(n, word))))
	}
	return ones
}
