package selection

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Way names the way in which a [Contest] chooses.
type Way string

// The ways to choose among candidates that can only be run.
const (
	BySplitting   Way = "split"       // every candidate once, ε split among them
	ByAmplifying  Way = "once"        // every candidate once, and one result or none: 2 × one run
	ByStopping    Way = "stopping"    // the best of a random number of runs: 3 × one run
	ByHardStop    Way = "hard"        // the same with a limit on the number of runs
	ByApproximate Way = "approximate" // the same with a limit, and runs that have a δ of their own
	ByBinomial    Way = "binomial"    // the same by the negative binomial law: 2.5 × one run
	ByLogarithmic Way = "logarithmic" // the same by the logarithmic law: 2 × one run
	ByOracle      Way = "oracle"      // a percentile search whose probabilities are exact
	BySampling    Way = "sampled"     // a percentile search whose probabilities are measured
	ByThreshold   Way = "unknown"     // a search for a threshold, then runs until one reaches it
)

// ContestParams are the parameters of a Contest.
type ContestParams struct {
	Way     Way
	Epsilon privacy.Epsilon // for the choice
	// above 0 for BySampling and ByThreshold, whose samples may mislead, and for ByApproximate; the
	// others spend none
	Delta privacy.Delta
	// Candidates is the number of counts compared, and Persons the number of people they count;
	// both are public.
	Candidates int64
	Persons    int64
}

// Contest chooses the largest count, or nearly the largest, by one of the ways for candidates that
// can only be run. A run draws one of the counts uniformly and adds noise. It serves to compare
// these ways in lessons.
//
// # Guarantee
//
// ε-DP, and (ε, δ)-DP for those that need a δ, for neighbours that replace one person, who is
// counted once; for the choice alone: how many candidates were drawn has no guarantee. Numbers of
// samples are drawn from floating-point laws that are near theirs, so nothing is to be published by
// BySampling and ByThreshold. Proof: contest.md. The caller counts a person once, and shows in
// lessons alone how many were drawn (H: contest.md counted-once, lesson).
//
// # Errors
//
// *param.Error for the field way where a search would take more runs than a computer makes in
// hours, and those of the mechanisms named in contest.md. Whether it fails depends on the
// parameters, never on the counts.
type Contest struct {
	params ContestParams
	price  privacy.Loss
	off    int64
	facts  ContestFacts
	choose func(src coin.Source, scores []int64, step coin.Step) (index int, drawn int64, err error)
	whole  bool // choose draws what it simulates itself, and counts as one primitive
	spend  *meter.Spend
}

// ContestFacts state what a Contest takes. Facts about another way are 0.
type ContestFacts struct {
	Run       float64 // ε of one run
	Runs      float64 // expected number of runs
	Miss      float64 // chance that no run draws a given candidate
	Limit     int64   // of the number of runs
	Delta     float64 // of one run
	Apart     float64 // log-odds by which answers of a search may be off, 95 %
	Questions int64   // a search asks at most
	Samples   uint64  // runs for each of them, or to find the threshold
	Search    float64 // ε of the search for a threshold
}

// beta95 is the chance that an error exceeds its bound.
const beta95 = 0.05

// mostDrawn is the largest number of candidates that one choice draws: as many as a computer runs
// in hours.
const mostDrawn = 1 << 32

// MostDrawn is mostDrawn as a number of runs.
const MostDrawn uint64 = mostDrawn

// NewContest prepares one of the ways.
func NewContest(p ContestParams) (*Contest, error) {
	if p.Candidates < 1 {
		return nil, refuse("candidates", fmt.Sprint(p.Candidates), "at least 1")
	}
	c := &Contest{params: p}
	if err := c.prepare(); err != nil {
		return nil, err
	}
	c.spend = &meter.Spend{Name: "search for a candidate", Loss: c.price,
		Claim: meter.Claim{Each: 1}}
	return c, nil
}

func (c *Contest) prepare() error {
	k := c.params.Candidates
	switch c.params.Way {
	case BySplitting:
		return c.split()
	case ByAmplifying:
		return c.amplified()
	case ByStopping:
		r, err := Geometric(big.NewRat(1, 4*k), 0)
		return c.stopped(r, err)
	case ByHardStop, ByApproximate:
		r, err := Geometric(big.NewRat(1, 4*k), uint64(hardStop*k))
		err = c.stopped(r, err)
		c.facts.Limit = hardStop * k
		return err
	case ByBinomial:
		r, err := NegativeBinomial(big.NewRat(1, 2), big.NewRat(1, 8*k))
		return c.stopped(r, err)
	case ByLogarithmic:
		r, err := Logarithmic(big.NewRat(1, 32*k))
		return c.stopped(r, err)
	}
	c.whole = true
	switch c.params.Way {
	case ByOracle:
		return c.oracle()
	case BySampling:
		return c.sampled()
	case ByThreshold:
		return c.unknown()
	}
	// H: contest.md way
	return refuse("way", fmt.Sprintf("%q", c.params.Way), "one of the ways")
}

// Loss is the price of the choice for neighbours that differ in d persons.
func (c *Contest) Loss(d privacy.Distance) (privacy.Loss, error) {
	return c.price.Group(d)
}

// ErrorBound bounds the error of a candidate's count in people, with probability 95 %.
func (c *Contest) ErrorBound() int64 { return c.off }

// Facts returns the facts about the contest.
func (c *Contest) Facts() ContestFacts { return c.facts }

// Release returns the index of a score, or −1, and the number of candidates drawn, which no
// guarantee covers.
func (c *Contest) Release(src coin.Source, scores []int64,
	step coin.Step) (index int, drawn int64, err error) {
	if !c.whole {
		return c.choose(src, scores, step)
	}
	type outcome struct {
		index int
		drawn int64
	}
	out, err := meter.Draw(src, c.spend,
		func() meter.Input { return meter.Input{Values: scores} },
		func(src coin.Source) (outcome, error) {
			index, drawn, err := c.choose(src, scores, step)
			return outcome{index, drawn}, err
		})
	return out.index, out.drawn, err
}

func (c *Contest) split() error {
	share := c.params.Epsilon.Part(1, c.params.Candidates)
	noise, err := mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: share, L1Sensitivity: 1})
	if err != nil {
		return err
	}
	one, err := noise.Loss(1)
	if err != nil {
		return err
	}
	each := meter.Sum("noise for each", meter.Each(one, uint64(c.params.Candidates)))
	c.price = each.Loss
	c.off, c.facts.Run = noise.ErrorBound(beta95), share.Float64()
	c.choose = func(src coin.Source, scores []int64, step coin.Step) (int, int64, error) {
		src = meter.Within(src, each)
		best, most := 0, int64(math.MinInt64)
		for i, score := range scores {
			if noisy := noise.AddTo(src, score); noisy > most {
				best, most = i, noisy
			}
		}
		return best, c.params.Candidates, nil
	}
	return nil
}

// amplified runs each candidate once with half of ε, and chooses one of the results, or none, by
// the exponential mechanism. The best possible result is a count of all people; a result loses a
// factor e in weight for each n/K people that it falls short, with K candidates and n people.
func (c *Contest) amplified() error {
	p := c.params
	run := p.Epsilon.Part(1, 2)
	noise, err := mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: run, L1Sensitivity: 1})
	if err != nil {
		return err
	}
	one, err := noise.Loss(1)
	if err != nil {
		return err
	}
	base, err := coin.BaseFromRat(new(big.Rat).Add(big.NewRat(1, 1),
		big.NewRat(p.Candidates, max(p.Persons, 1))))
	if err != nil {
		return err
	}
	// c ≥ e^ε/(e^ε − 1): everything then costs twice one run
	within, err := oddsOf(one)
	if err != nil {
		return err
	}
	odds := within.down()
	dummies := new(big.Rat).Quo(odds, new(big.Rat).Sub(odds, big.NewRat(1, 1)))
	least := new(big.Int).Quo(dummies.Num(), dummies.Denom()).Int64() + 1
	m, err := NewAmplify(AmplifyParams{Loss: one, Dummies: uint64(max(least, 2)), Base: base,
		Best: p.Persons, Candidates: uint64(p.Candidates)})
	if err != nil {
		return err
	}
	if c.price, err = m.Loss(1); err != nil {
		return err
	}
	c.off, c.facts = noise.ErrorBound(beta95),
		ContestFacts{Run: run.Float64(), Runs: float64(p.Candidates)}
	c.choose = func(src coin.Source, scores []int64, step coin.Step) (int, int64, error) {
		var all []Candidate[int]
		for i, score := range scores {
			all = append(all, func(src coin.Source) (Scored[int], error) {
				return Scored[int]{Output: i, Score: noise.AddTo(src, score)}, nil
			})
		}
		result, found, err := OnceEach(src, m, all, step)
		if err != nil || !found {
			return -1, p.Candidates, err
		}
		return result.Output, p.Candidates, nil
	}
	return nil
}

// hardStop limits the number of runs for each candidate, where there is a limit: eight times the
// expected number, which the limit cuts off with a chance of e^-8.
const hardStop = 32

// adder adds noise to a count.
type adder interface {
	AddTo(src coin.Source, count int64) int64
}

// gaussian is discrete Gaussian noise for one count.
type gaussian struct{ *mechanism.Gaussian }

func (g gaussian) AddTo(src coin.Source, count int64) int64 {
	noisy, err := g.Release(src, []int64{count}, nil)
	if err != nil {
		panic("selection: internal error: one noisy count without a step fails")
	}
	return noisy[0]
}

// noisyCandidate draws a value and counts it with noise; drawn counts the runs.
func noisyCandidate(scores []int64, noise adder, drawn *int64) Candidate[int] {
	return func(src coin.Source) (Scored[int], error) {
		*drawn++
		i := int(src.Uniform(uint64(len(scores))))
		return Scored[int]{Output: i, Score: noise.AddTo(src, scores[i])}, nil
	}
}

// stopped chooses the best of a random number of runs.
func (c *Contest) stopped(r Repetitions, err error) error {
	if err != nil {
		return err
	}
	run, err := c.runOf(r)
	if err != nil {
		return err
	}
	best, err := NewBest(BestParams{Loss: run.loss, Repetitions: r})
	if err != nil {
		return err
	}
	if c.price, err = best.Loss(1); err != nil {
		return err
	}
	mean, _ := r.Mean().Float64()
	epsilon, _ := run.loss.Epsilon()
	c.off, c.facts = run.off, ContestFacts{Run: floatOf(epsilon), Runs: mean,
		Miss: r.Miss(1 / float64(c.params.Candidates)), Delta: floatOf(run.loss.Delta())}
	c.choose = func(src coin.Source, scores []int64, step coin.Step) (int, int64, error) {
		var drawn int64
		result, found,
			err := BestOf(src, best, noisyCandidate(scores, run.noise, &drawn), blindly(step))
		if err != nil || !found {
			return -1, drawn, err
		}
		return result.Output, drawn, nil
	}
	return nil
}

// contestRun is one run of a candidate.
type contestRun struct {
	noise adder
	loss  privacy.Loss
	off   int64 // how many people its count is off by at most, 95 %
}

// runOf gives a run as much loss as these repetitions allow: Laplace noise or, for ByApproximate,
// Gaussian noise with a δ of its own. The total δ is a multiple of that of one run (calls.md).
func (c *Contest) runOf(r Repetitions) (run contestRun, err error) {
	p := c.params
	each, err := Each(p.Epsilon, r)
	if err != nil {
		// H: contest.md way
		return run, refuse("way", fmt.Sprintf("%q", p.Way),
			"more privacy loss: the limit on the number of runs alone costs more than %s",
			p.Epsilon.String())
	}
	if p.Way != ByApproximate {
		laplace, err := mechanism.NewLaplace(
			mechanism.LaplaceParams{Epsilon: each, L1Sensitivity: 1})
		if err != nil {
			return run, err
		}
		return contestRun{laplace, privacy.PureLoss(each), laplace.ErrorBound(beta95)}, nil
	}
	share, err := ShareOfRun(RunParams{Epsilon: p.Epsilon, Delta: p.Delta,
		Combinations: p.Candidates, Law: &Option{Repetitions: r}})
	if err != nil {
		return run, err
	}
	rho, err := privacy.RhoFor(share.Epsilon, share.Delta)
	if err != nil {
		return run, err
	}
	normal, err := mechanism.NewGaussian(
		mechanism.GaussianParams{Rho: rho, L2SensitivitySquared: 1})
	if err != nil {
		return run, err
	}
	return contestRun{gaussian{normal}, privacy.ApproximateLoss(share.Epsilon, share.Delta),
		normal.ErrorBound(beta95)}, nil
}

// blindly hides progress from step: the number of runs is secret.
func blindly(step coin.Step) coin.Step {
	if step == nil {
		return nil
	}
	return func(int64, int64) error { return step(0, 1) }
}

// levels are the thresholds of the searches: half of the people, a quarter …, and 0.
func (p ContestParams) levels() []int64 {
	list := []int64{0}
	for n := max(p.Persons/32, 1); n <= max(p.Persons/2, 1); n *= 2 {
		list = append([]int64{n}, list...)
	}
	return list
}

// chances computes chances for noise with base 1 + 1/steps.
type chances struct{ steps int64 }

// chancesFor returns noise with a loss of at most epsilon.
func chancesFor(epsilon float64) chances { return chances{int64(math.Ceil(1 / epsilon))} }

func (c chances) odds() *big.Rat { return big.NewRat(c.steps+1, c.steps) }

func (c chances) loss() (privacy.Loss, error) { return privacy.LossFromOdds(c.odds(), nil) }

func (c chances) epsilon() float64 { return math.Log1p(1 / float64(c.steps)) }

// farthest is the distance beyond which a chance is practically 0 or 1: counts further from a level
// are moved there.
const farthest = 40

// of returns Pr[score + noise ≥ level]: r^(1−s)/(r+1) for s = level − score from 1 on, 1 −
// r^s/(r+1) below.
func (c chances) of(score, level int64) *big.Rat {
	s := min(max(level-score, -farthest*c.steps), farthest*c.steps)
	size := s - 1
	if s < 1 {
		size = -s
	}
	exponent := big.NewInt(size)
	p := new(big.Rat).
		SetFrac(new(big.Int).Exp(big.NewInt(c.steps), exponent, nil),
			new(big.Int).Exp(big.NewInt(c.steps+1), exponent, nil))
	p.Quo(p, new(big.Rat).Add(c.odds(), big.NewRat(1, 1)))
	if s < 1 {
		p.Sub(big.NewRat(1, 1), p)
	}
	return p
}

// near returns that chance in floating point, for draws.
func (c chances) near(score, level int64) float64 {
	s := float64(level - score)
	if s >= 1 {
		return math.Exp((1-s)*c.epsilon()) / (2 + 1/float64(c.steps))
	}
	return 1 - math.Exp(s*c.epsilon())/(2+1/float64(c.steps))
}

// percentile is the question to every candidate, at each level from the highest: whether its noisy
// count reaches the level in half of the runs.
var percentile = big.NewRat(1, 2)

// questions is the largest number of questions.
func (p ContestParams) questions() int64 { return p.Candidates * int64(len(p.levels())) }

// search asks one candidate after another at each level until one is above it.
func (c *Contest) search(
	above func(value int, level int64) (bool, error)) (index int, asked int64, err error) {
	for _, level := range c.params.levels() {
		for i := range int(c.params.Candidates) {
			asked++
			if yes, err := above(i, level); yes || err != nil {
				return i, asked, err
			}
		}
	}
	return -1, asked, nil
}

func (c *Contest) oracle() error {
	p := c.params
	run := chancesFor(p.Epsilon.Float64() / 4)
	one, err := run.loss()
	if err != nil {
		return err
	}
	m, err := NewPercentiles(PercentilesParams{Loss: one, Epsilon: p.Epsilon, Target: percentile})
	if err != nil {
		return err
	}
	if c.price, err = m.Loss(1); err != nil {
		return err
	}
	apart := m.ErrorBound(beta95, int(p.questions()))
	c.off, c.facts = int64(math.Ceil(apart/run.epsilon())),
		ContestFacts{Run: run.epsilon(), Apart: apart, Questions: p.questions()}
	c.choose = func(src coin.Source, scores []int64, step coin.Step) (int, int64, error) {
		r := m.Start(src)
		return c.search(func(i int, level int64) (bool, error) {
			return r.Above(run.of(scores[i], level))
		})
	}
	return nil
}

func (c *Contest) sampled() error {
	// With a regulariser of 1/8, log-odds are within ± ln 9; slack and ε of a run are chosen so
	// that the error bound, 24·(ε + slack)/Epsilon·ln((N+1)/β), is about that for β = 1/2.
	p := c.params
	slack := p.Epsilon.Float64() * math.Log(9) / 24 / math.Log(2*float64(p.questions()+1))
	run := chancesFor(slack)
	one, err := run.loss()
	if err != nil {
		return err
	}
	m, err := NewSampledPercentiles(SampledPercentilesParams{
		SamplingParams: SamplingParams{Loss: one, Epsilon: p.Epsilon, Delta: p.Delta,
			Target: percentile, Slack: big.NewRat(1, run.steps), Regulariser: big.NewRat(1, 8)},
		Queries: uint64(p.questions()),
	})
	if err != nil {
		return err
	}
	if runs := float64(m.Samples()) * float64(p.questions()); runs > mostDrawn {
		return c.tooMany(phrase.Of("it takes up to 2^%.0f runs", math.Log2(runs)))
	}
	if c.price, err = m.Loss(1); err != nil {
		return err
	}
	c.off, c.facts = int64(math.Ceil(math.Log(9)/run.epsilon())),
		ContestFacts{Run: run.epsilon(), Questions: p.questions(), Samples: m.Samples()}
	c.choose = func(src coin.Source, scores []int64, step coin.Step) (int, int64, error) {
		r := m.Start(src)
		index, asked, err := c.search(func(i int, level int64) (bool, error) {
			return r.AboveCount(heads(src, m.Samples(), run.near(scores[i], level)))
		})
		return index, asked * int64(m.Samples()), err
	}
	return nil
}

// A run gets from 1/leastPart to 1/largestPart of ε, by powers of two.
const leastPart, largestPart = 1 << 8, 1 << 2

// unknown gives a run as much of ε as the number of runs allows.
func (c *Contest) unknown() error {
	p := c.params
	var m *Unknown
	var run chances
	var rest privacy.Epsilon
	for part := int64(leastPart); part >= largestPart; part /= 2 {
		with := chancesFor(p.Epsilon.Float64() / float64(part))
		one, err := with.loss()
		if err != nil {
			return err
		}
		search := p.Epsilon.Part(part-2, part)
		larger, err := NewUnknown(
			UnknownParams{Loss: one, Epsilon: search, Delta: p.Delta, Levels: p.levels(),
				Share: big.NewRat(1, 2*p.Candidates), Beta: percentile})
		if err != nil || larger.Samples() > mostDrawn {
			break
		}
		m, run, rest = larger, with, search
	}
	if m == nil {
		return c.tooMany(
			phrase.Of("even with a part of 1/%d of ε for one run it takes more runs", leastPart))
	}
	var err error
	if c.price, err = m.Loss(1); err != nil {
		return err
	}
	rate, err := coin.BaseFromRat(run.odds())
	if err != nil {
		return err
	}
	noise, err := mechanism.NewLaplaceNoise(rate)
	if err != nil {
		return err
	}
	search, threshold := m.Parts()
	c.off, c.facts = noise.Bound(beta95),
		ContestFacts{Run: run.epsilon(), Samples: m.Samples(), Search: rest.Float64()}
	c.choose = func(src coin.Source, scores []int64, step coin.Step) (int, int64, error) {
		at, err := search.ThresholdFrom(src, reaching(src, run, m.Samples(), scores, p.levels()))
		if err != nil {
			return -1, 0, err
		}
		drawn := int64(m.Samples())
		result, reached,
			err := FirstAbove(src, threshold, at, noisyCandidate(scores, noise, &drawn),
			blindly(step))
		if err != nil || !reached {
			return -1, drawn, err
		}
		return result.Output, drawn, nil
	}
	return nil
}

// tooMany refuses a search that would need too many runs.
func (c *Contest) tooMany(why phrase.Phrase) error {
	return refuse("way", fmt.Sprintf("%q", c.params.Way),
		"more privacy loss, or fewer possible values: %s, and a lesson draws at most 2^%d", why,
		bits.Len(mostDrawn-1))
}

// reaching draws how many of this many runs reach each of the levels, the highest first: among
// those that reach a level, it draws how many reach the next higher one.
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

// heads draws how many of n coins with chance p fall. Each coin compares random bits with those of
// p until one differs.
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

// fairHeads draws how many of n coins show a 1: one by one up to 2^16 coins, beyond by the normal
// law, which is within 0.56/√n of theirs (Berry, Esseen).
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
