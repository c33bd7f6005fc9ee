package meter

import (
	"fmt"

	"hush/core/phrase"
	"hush/core/privacy"
)

// Part is one part of a composite: what one of its draws may cost, and how many draws there are.
type Part struct {
	Loss  privacy.Loss
	Times uint64 // 0: any number, which only [Proved] can pay for
}

// Once returns a part that is drawn once.
func Once(loss privacy.Loss) Part { return Part{loss, 1} }

// Each returns a part that is drawn this many times.
func Each(loss privacy.Loss, times uint64) Part { return Part{loss, times} }

// whole says what a composite may draw, and why that costs its loss.
type whole struct {
	parts []Part
	proof string // "": the sum
}

// Sum returns a composite whose loss is the sum of its parts (basic composition).
func Sum(name phrase.Key, parts ...Part) *Spend {
	var losses []privacy.Loss
	for _, p := range parts {
		if p.Times > 0 {
			losses = append(losses, privacy.Several(p).Sum())
		}
	}
	return &Spend{Name: name, Loss: plus(losses), whole: &whole{parts: parts}}
}

// Composed returns a composite whose loss is the smallest that [privacy.Compose] proves for its
// parts at delta, none of which may depend on the data. With δ = 0 that is the sum. The error is
// [privacy.ErrNoBound].
func Composed(name phrase.Key, delta privacy.Delta, parts ...Part) (*Spend, error) {
	if delta.IsZero() {
		return Sum(name, parts...), nil
	}
	losses := make([]privacy.Several, len(parts))
	for i, p := range parts {
		losses[i] = privacy.Several(p)
	}
	total, err := privacy.ComposeSeveral(losses, delta)
	if err != nil {
		return nil, err
	}
	return &Spend{Name: name, Loss: total.Loss, whole: &whole{parts, "privacy/compose.md"}}, nil
}

// Proved returns the spend of a composite whose loss follows from its parts by a proof (H: meter.md
// parts-proved), which proof names: random stopping, subsamples, parts of the people, the levels of
// a tree.
func Proved(name phrase.Key, proof string, loss privacy.Loss, parts ...Part) *Spend {
	return &Spend{Name: name, Loss: loss, whole: &whole{parts, proof}}
}

// Proof names the reason why the loss of a composite follows from its parts; "" for a sum, and for
// a primitive.
func (s *Spend) Proof() string {
	if s.whole == nil {
		return ""
	}
	return s.whole.proof
}

// fits reports whether the draws fit the parts; for a sum it is enough that they cost no more.
func (s *Spend) fits(drawn []item) bool {
	if s.whole == nil {
		return len(drawn) == 0
	}
	left := make([]uint64, len(s.whole.parts))
	for i, p := range s.whole.parts {
		left[i] = p.Times
	}
	need := make([]uint64, len(drawn))
	take := func(may func(p Part, loss privacy.Loss) bool) (all bool) {
		all = true
		for j, it := range drawn {
			for i, p := range s.whole.parts {
				switch {
				case need[j] == 0 || !may(p, it.spend.Loss):
				case p.Times == 0:
					need[j] = 0
				default:
					taken := min(need[j], left[i])
					need[j], left[i] = need[j]-taken, left[i]-taken
				}
			}
			all = all && need[j] == 0
		}
		return all
	}
	for j, it := range drawn {
		if !it.spend.Loss.AtMost(privacy.Loss{}) { // an answer of a sparse vector is paid for
			need[j] = it.times
		}
	}
	// what has a part of its own takes that; the rest takes what is left
	same := func(p Part, loss privacy.Loss) bool { return p.Loss == loss }
	equal := func(p Part, loss privacy.Loss) bool {
		return Covers(p.Loss, loss) && Covers(loss, p.Loss)
	}
	larger := func(p Part, loss privacy.Loss) bool { return Covers(p.Loss, loss) }
	return take(same) || take(equal) || take(larger) ||
		s.whole.proof == "" && Covers(s.Loss, sum(drawn, (*Spend).ofEntry))
}

// Covers reports whether a loss of may allows what was spent: by both accounts of the loss; by e^ε
// where both are exact or, for noise that has only a ρ, at the δ of may.
func Covers(may, spent privacy.Loss) bool {
	if spent == may || spent.AtMost(may) { // mostly it is one and the same loss
		return true
	}
	if odds, exact := may.Odds(); exact {
		if have, exact := spent.Odds(); exact && have.Cmp(odds) <= 0 &&
			spent.Delta().Cmp(may.Delta()) <= 0 {
			return true
		}
	}
	delta, err := privacy.NewDelta(may.Delta())
	if err != nil {
		return false
	}
	stated, err := spent.At(delta)
	return err == nil && stated.AtMost(may)
}

// sum returns the basic composition of the draws, by the cost of each.
func sum(items []item, of func(*Spend) privacy.Loss) privacy.Loss {
	var losses []privacy.Loss
	for _, it := range items {
		losses = append(losses, privacy.Several{Loss: of(it.spend), Times: it.times}.Sum())
	}
	return plus(losses)
}

// plus is basic composition; a single loss stays as it is.
func plus(losses []privacy.Loss) (all privacy.Loss) {
	for i, loss := range losses {
		if i == 0 {
			all = loss
		} else {
			all = all.Plus(loss)
		}
	}
	return all
}

func (it item) text() string {
	return fmt.Sprintf("%d × %s (%s)", it.times, string(it.spend.Name), text(it.spend.Loss))
}

// text states a loss in numbers.
func text(l privacy.Loss) string {
	result := ""
	if epsilon, known := l.Epsilon(); known {
		result = "ε = " + epsilon.FloatString(9)
	} else {
		result = "ρ = " + l.Rho().FloatString(9)
	}
	if delta := l.Delta(); delta.Sign() > 0 {
		float, _ := delta.Float64()
		result += fmt.Sprintf(", δ = %g", float)
	}
	return result
}
