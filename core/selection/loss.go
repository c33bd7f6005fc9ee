package selection

import (
	"fmt"
	"math/big"
	"slices"

	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Worst returns the loss of running any one of several candidates: the largest ε with the largest
// δ, or the largest ρ where none has an ε or a δ. It returns privacy.ErrNoBound where one has no ε
// and another has: state it at a δ first ([privacy.Loss.At]). Proof: calls.md, One of several.
func Worst(losses ...privacy.Loss) (privacy.Loss, error) {
	if len(losses) > 0 && !slices.ContainsFunc(losses, func(l privacy.Loss) bool {
		return !concentrated(l)
	}) {
		return slices.MaxFunc(losses, func(a, b privacy.Loss) int {
			return a.Rho().Cmp(b.Rho())
		}), nil
	}
	var worst privacy.Loss
	for _, l := range losses {
		one, err := oddsOf(l)
		if err != nil {
			return privacy.Loss{}, err
		}
		delta := l.Delta()
		if d := worst.Delta(); d.Cmp(delta) > 0 {
			delta = d
		}
		if e, _ := worst.Epsilon(); e.Cmp(one.epsilon) > 0 {
			one, _ = oddsOf(worst) // it had an ε
		}
		if worst, err = one.loss(delta); err != nil {
			return privacy.Loss{}, err // unreachable: ε and δ are those of losses
		}
	}
	return worst, nil
}

// concentrated reports whether a loss is a ρ alone.
func concentrated(l privacy.Loss) bool {
	_, has := l.Epsilon()
	return !has && l.Delta().Sign() == 0
}

// bound is an upper bound on ε, with e^ε as a rational where it is known exactly.
type bound struct {
	epsilon *big.Rat
	odds    *big.Rat // e^ε, or nil
}

// oddsOf returns the ε of one run.
func oddsOf(l privacy.Loss) (bound, error) {
	epsilon, ok := l.Epsilon()
	if !ok { // H: calls.md has-epsilon
		return bound{}, privacy.ErrNoBound
	}
	if epsilon.Sign() == 0 { // H: calls.md loss-size
		return bound{}, refuse("loss", "ε = 0", "the loss of one run, with an ε above 0")
	}
	if epsilon.Cmp(ratOf(1000)) > 0 { // H: calls.md loss-size
		return bound{}, refuse("loss", l.String(), "an ε of at most 1000")
	}
	odds, exact := l.Odds()
	if !exact {
		odds = nil
	}
	return bound{epsilon, odds}, nil
}

// up and down enclose the bound's e^ε.
func (b bound) up() *big.Rat {
	if b.odds != nil {
		return b.odds
	}
	return privacy.ExpUp(b.epsilon)
}

func (b bound) down() *big.Rat {
	if b.odds != nil {
		return b.odds
	}
	return privacy.ExpDown(b.epsilon)
}

// times returns the bound k·ε.
func (b bound) times(k *big.Rat) bound {
	product := bound{epsilon: new(big.Rat).Mul(b.epsilon, k)}
	if b.odds != nil && k.IsInt() && k.Num().IsInt64() && k.Num().Int64() <= 16 {
		product.odds = ratOf(1)
		for range k.Num().Int64() {
			product.odds.Mul(product.odds, b.odds)
		}
	}
	return product.checked()
}

// plus returns the bound ε + ln odds.
func (b bound) plus(odds *big.Rat) bound {
	if odds.Cmp(ratOf(1)) == 0 {
		return b
	}
	sum := bound{epsilon: new(big.Rat).Add(b.epsilon, privacy.LogUp(odds))}
	if b.odds != nil {
		sum.odds = new(big.Rat).Mul(b.odds, odds)
	}
	return sum.checked()
}

// checked drops an e^ε with too many digits: ε remains.
func (b bound) checked() bound {
	if b.odds != nil && b.odds.Num().BitLen()+b.odds.Denom().BitLen() > 1<<14 {
		b.odds = nil
	}
	return b
}

func (b bound) loss(delta *big.Rat) (privacy.Loss, error) {
	if b.odds != nil {
		return privacy.LossFromOdds(b.odds, delta)
	}
	return privacy.NewLoss(b.epsilon, delta)
}

// whole returns the loss of a selection with the ε of total, if each run has exactly the ε of one;
// delta is the δ of one run, and calls bounds the expected number of runs on every data set. Proof:
// calls.md, Theorem.
func whole(one, total bound, delta, calls *big.Rat) (privacy.Loss, error) {
	if delta.Sign() == 0 {
		return total.loss(nil)
	}
	if total.epsilon.Cmp(ratOf(4096)) > 0 {
		return privacy.NoPrivacy(), nil
	}
	factor := new(big.Rat).Add(ratOf(1), total.up())
	factor.Quo(factor, new(big.Rat).Add(ratOf(1), one.down()))
	factor.Mul(factor, delta).Mul(factor, calls)
	return total.loss(factor)
}

// survival returns an upper bound on (1−stop)^limit, exact while that has few digits: the chance
// that a coin of stop has not fallen in limit trials.
func survival(stop *big.Rat, limit uint64) *big.Rat {
	stay := new(big.Rat).Sub(ratOf(1), stop)
	if stay.Sign() == 0 {
		return stay
	}
	if limit*uint64(stay.Denom().BitLen()) <= 1<<12 && limit <= 1<<12 {
		power := ratOf(1)
		for range limit {
			power.Mul(power, stay)
		}
		return power
	}
	exponent := privacy.LogUp(stay)
	exponent.Mul(exponent, new(big.Rat).SetInt(new(big.Int).SetUint64(limit)))
	if floor := ratOf(-1 << 16); exponent.Cmp(floor) < 0 {
		exponent = floor
	}
	if exponent.Sign() > 0 {
		return ratOf(1) // rounding of a logarithm near 0
	}
	return privacy.ExpUp(exponent)
}

func checkStop(stop *big.Rat) (*big.Rat, error) {
	// H: threshold.md stop-range; best.md stop-range
	if stop == nil || stop.Cmp(smallestStop) < 0 || stop.Cmp(ratOf(1)) > 0 {
		return nil, refuse("stop", ratText(stop), "a probability from 2^-30 to 1")
	}
	return new(big.Rat).Set(stop), nil
}

var smallestStop = big.NewRat(1, 1<<30)

func ratOf(n int64) *big.Rat { return big.NewRat(n, 1) }

func ratText(r *big.Rat) phrase.Phrase {
	if r == nil {
		return phrase.Of(param.NotSet)
	}
	return phrase.Plain(r.RatString())
}

func floatOf(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}

func refuse(field string, value any, want phrase.Key, args ...any) error {
	return param.Refuse("selection", field, value, want, args...)
}

func countText(n uint64) string { return fmt.Sprint(n) }
