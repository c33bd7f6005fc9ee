package selection

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Repetitions is the law of the number of times that a candidate is run before the best run is
// published. The number is drawn independently of the data and never shown; the law's shape decides
// the cost.
type Repetitions interface {
	// Cost returns the loss of publishing the best run when each run has loss one.
	Cost(one privacy.Loss) (privacy.Loss, error)

	// Mean bounds the expected number of runs from above.
	Mean() *big.Rat

	// Miss returns the probability that no run is among the best share of one run's results, for
	// forecasts: F(1 − share), where F is the generating function of the number of runs.
	Miss(share float64) float64

	// String names the law: "geometric, stop 1/100".
	String() string

	// Phrase is String in any language.
	Phrase() phrase.Phrase

	draw(src coin.Source) uint64 // H: best.md own-law
}

// Geometric stops after each run with probability stop, from 2^-30 to 1. It costs three times the
// loss of one run; 1/stop runs are expected.
//
// limit, unless it is 0, is the largest number of runs, after which the best so far is published.
// It must be at least 1/stop, and with x = (1−stop)^limit adds ln((1+x)/(1−x)) to ε.
//
// Reference: Liu, Talwar, 2019, Algorithm 2, Theorems 3.2, 3.4 and 3.5. Proof: best.md.
func Geometric(stop *big.Rat, limit uint64) (Repetitions, error) {
	stop, err := checkStop(stop)
	if err != nil {
		return nil, err
	}
	// H: best.md limit-long
	if enough := new(big.Rat).SetInt(new(big.Int).SetUint64(limit)); limit > 0 &&
		enough.Mul(enough, stop).Cmp(ratOf(1)) < 0 {
		return nil, refuse("limit", countText(limit), "0 for none, or at least 1/(%s)",
			stop.RatString())
	}
	return geometric{newTrials(stop), limit}, nil
}

// trials draws the number of coins of stop until one falls.
type trials struct {
	stop *big.Rat
	base coin.Base // 1/(1−stop); 1 where stop is 1
}

func newTrials(stop *big.Rat) trials {
	stay := new(big.Rat).Sub(ratOf(1), stop)
	if stay.Sign() == 0 {
		return trials{stop: stop}
	}
	base, err := coin.BaseFromRat(stay.Inv(stay))
	if err != nil {
		panic("selection: internal error: a chance to go on of at least 1")
	}
	return trials{stop, base}
}

func (t trials) draw(src coin.Source) uint64 {
	if t.base.IsOne() {
		return 1
	}
	return min(src.Geometric(t.base), math.MaxUint64-1) + 1
}

type geometric struct {
	trials
	limit uint64
}

func (g geometric) Cost(l privacy.Loss) (privacy.Loss, error) {
	one, err := oddsOf(l)
	if err != nil {
		return privacy.Loss{}, err
	}
	total := one.times(ratOf(3))
	if g.limit > 0 {
		left := survival(g.stop, g.limit)
		extra := new(big.Rat).Add(ratOf(1), left)
		total = total.plus(extra.Quo(extra, left.Sub(ratOf(1), left)))
	}
	return whole(one, total, l.Delta(), g.Mean())
}

func (g geometric) Mean() *big.Rat { return new(big.Rat).Inv(g.stop) }

func (g geometric) Miss(share float64) float64 {
	stop, s := floatOf(g.stop), 1-share
	miss := stop * s / (1 - (1-stop)*s)
	if g.limit > 0 {
		miss += math.Pow((1-stop)*s, float64(g.limit)) * share / (1 - (1-stop)*s)
	}
	return miss
}

func (g geometric) String() string { return g.Phrase().String() }

func (g geometric) Phrase() phrase.Phrase {
	if g.limit > 0 {
		return phrase.Of("geometric, stop %s, at most %d", g.stop.RatString(), g.limit)
	}
	return phrase.Of("geometric, stop %s", g.stop.RatString())
}

func (g geometric) draw(src coin.Source) uint64 {
	if runs := g.trials.draw(src); g.limit == 0 || runs < g.limit {
		return runs
	}
	return g.limit
}

// NegativeBinomial is the truncated negative binomial law: Pr[J = k] is proportional to (1−stop)^k
// · Π_{l<k} (l+shape)/(l+1), k ≥ 1. It costs 2 + shape times the loss of one run. shape is above −1
// and at most 1 with a denominator of at most 2^16, stop from 2^-30 to 1; shape 1 is [Geometric]
// and shape 0 the logarithmic law.
//
// A smaller shape is cheaper and less reliable: with few expected runs, Miss falls like a smaller
// power of stop.
//
// Reference: Papernot, Steinke, "Hyperparameter Tuning with Renyi Differential Privacy", 2022,
// Definition 1; the pure bound is ours (best.md).
func NegativeBinomial(shape, stop *big.Rat) (Repetitions, error) {
	stop, err := checkStop(stop)
	if err != nil {
		return nil, err
	}
	// H: best.md shape
	if shape == nil || shape.Cmp(ratOf(-1)) <= 0 || shape.Cmp(ratOf(1)) > 0 || shape.Denom().
		BitLen() > 17 {
		return nil, refuse("shape", ratText(shape),
			"a fraction above -1 and at most 1 with a denominator of at most 2^16")
	}
	return negativeBinomial{newTrials(stop), new(big.Rat).Set(shape)}, nil
}

// Logarithmic is [NegativeBinomial] with shape 0: twice the loss of one run.
func Logarithmic(stop *big.Rat) (Repetitions, error) { return NegativeBinomial(new(big.Rat), stop) }

type negativeBinomial struct {
	trials
	shape *big.Rat
}

func (n negativeBinomial) Cost(l privacy.Loss) (privacy.Loss, error) {
	one, err := oddsOf(l)
	if err != nil {
		return privacy.Loss{}, err
	}
	return whole(one, one.times(new(big.Rat).Add(ratOf(2), n.shape)), l.Delta(), n.Mean())
}

// Mean is shape·(1−γ)/(γ(1 − γ^shape)), its limit (1−γ)/(γ·ln(1/γ)) for shape 0, and 1 for γ = 1.
func (n negativeBinomial) Mean() *big.Rat {
	if n.base.IsOne() {
		return ratOf(1)
	}
	against := new(big.Rat).Inv(n.stop)
	mean := new(big.Rat).Sub(against, ratOf(1))
	least := new(big.Rat) // of (1 − γ^shape)/shape
	switch log := privacy.LogDown(against); n.shape.Sign() {
	case 0:
		least = log
	case 1:
		log.Mul(log, n.shape)
		least.Sub(ratOf(1), privacy.ExpUp(log.Neg(log))).Quo(least, n.shape)
	default:
		rise := new(big.Rat).Neg(n.shape)
		least.Sub(privacy.ExpDown(log.Mul(log, rise)), ratOf(1)).Quo(least, rise)
	}
	return mean.Quo(mean, least)
}

// about is Mean in floating point.
func (n negativeBinomial) about() float64 {
	if n.base.IsOne() {
		return 1
	}
	stop, shape := floatOf(n.stop), floatOf(n.shape)
	if shape == 0 {
		return (1 - stop) / (-stop * math.Log(stop))
	}
	return shape * (1 - stop) / (-stop * math.Expm1(shape*math.Log(stop)))
}

// Miss is F(s) = ((1−(1−γ)s)^(−shape) − 1)/(γ^(−shape) − 1), and ln(1−(1−γ)s)/ln γ for shape 0.
func (n negativeBinomial) Miss(share float64) float64 {
	if n.base.IsOne() {
		return 1 - share
	}
	stop, shape := floatOf(n.stop), floatOf(n.shape)
	near := math.Log1p(-(1 - stop) * (1 - share))
	if shape == 0 {
		return near / math.Log(stop)
	}
	return math.Expm1(-shape*near) / math.Expm1(-shape*math.Log(stop))
}

func (n negativeBinomial) String() string { return n.Phrase().String() }

func (n negativeBinomial) Phrase() phrase.Phrase {
	if n.shape.Sign() == 0 {
		return phrase.Of("logarithmic, stop %s", n.stop.RatString())
	}
	return phrase.Of("negative binomial of shape %s, stop %s", n.shape.RatString(),
		n.stop.RatString())
}

// draw repeats geometric draws until one is kept: about as often as there will be runs.
func (n negativeBinomial) draw(src coin.Source) uint64 {
	for {
		if runs, kept := n.round(src); kept {
			return runs
		}
	}
}

// round draws k with probability proportional to (1−γ)^k and keeps it with probability Π_{1≤l<k}
// (l+shape)/(l+1).
func (n negativeBinomial) round(src coin.Source) (runs uint64, kept bool) {
	runs = n.trials.draw(src)
	a, b := n.shape.Num().Int64(), n.shape.Denom().Int64()
	if a == b {
		return runs, true
	}
	for l := uint64(1); l < runs; l++ {
		if !src.Bernoulli(n.keep(l, a, b)) {
			return runs, false
		}
	}
	return runs, true
}

// keep returns the chance (l + a/b)/(l+1).
func (n negativeBinomial) keep(l uint64, a, b int64) coin.Chance {
	if l < 1<<40 {
		return coin.Ratio(uint64(int64(l)*b+a), (l+1)*uint64(b))
	}
	x := new(big.Rat).SetInt(new(big.Int).SetUint64(l))
	x.Quo(new(big.Rat).Add(x, n.shape), new(big.Rat).Add(x, ratOf(1)))
	return coin.RatioBig(x.Num(), x.Denom())
}

// Poisson runs a candidate a Poisson number of times with this mean, above 0 and at most 2^20.
// There may be no run at all: nothing is then published. It costs ε + mean·tanh(ε/2), less than
// [Geometric] as long as the mean is small.
//
// Reference: Papernot, Steinke, 2022, Theorem 6 bounds its Rényi divergence only; the pure bound is
// ours (best.md).
func Poisson(mean *big.Rat) (Repetitions, error) {
	if mean == nil || mean.Sign() <= 0 || mean.Cmp(ratOf(1<<20)) > 0 { // H: best.md mean
		return nil, refuse("mean", ratText(mean), "a number above 0 and at most 2^20")
	}
	// Pieces of a mean of at most 1/2, one accepted draw each.
	twice := new(big.Rat).Mul(mean, ratOf(2))
	pieces := new(big.Int).Add(twice.Num(), new(big.Int).Sub(twice.Denom(), big.NewInt(1)))
	pieces.Quo(pieces, twice.Denom())
	return poisson{new(big.Rat).Set(mean), pieces.Uint64(),
		twice.Quo(twice, new(big.Rat).SetInt(pieces))}, nil
}

type poisson struct {
	mean   *big.Rat
	pieces uint64
	twice  *big.Rat // the mean of a piece, doubled: at most 1
}

var half = func() coin.Base {
	two, err := coin.NewBase(2, 1)
	if err != nil {
		panic("selection: internal error: no base 2")
	}
	return two
}()

func (p poisson) Cost(l privacy.Loss) (privacy.Loss, error) {
	one, err := oddsOf(l)
	if err != nil {
		return privacy.Loss{}, err
	}
	odds := one.up()
	slope := new(big.Rat).Sub(odds, ratOf(1))
	slope.Quo(slope, new(big.Rat).Add(odds, ratOf(1))).Mul(slope, p.mean)
	return whole(one, bound{epsilon: slope.Add(slope, one.epsilon)}, l.Delta(), p.mean)
}

func (p poisson) Mean() *big.Rat { return new(big.Rat).Set(p.mean) }

func (p poisson) Miss(share float64) float64 { return math.Exp(-floatOf(p.mean) * share) }

func (p poisson) String() string { return p.Phrase().String() }

func (p poisson) Phrase() phrase.Phrase { return phrase.Of("Poisson, mean %s", p.mean.RatString()) }

func (p poisson) draw(src coin.Source) (runs uint64) {
	for range p.pieces {
		for {
			if k, kept := p.round(src); kept {
				runs += k
				break
			}
		}
	}
	return runs
}

// round draws k with probability 2^(−k−1) and keeps it with probability (2μ)^k/k!, μ the mean of a
// piece.
func (p poisson) round(src coin.Source) (k uint64, kept bool) {
	k = src.Geometric(half)
	for l := uint64(1); l <= k; l++ {
		den := new(big.Int).Mul(p.twice.Denom(), new(big.Int).SetUint64(l))
		if !src.Bernoulli(coin.RatioBig(p.twice.Num(), den)) {
			return k, false
		}
	}
	return k, true
}
