package threshold

import (
	"fmt"
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Direction says which side of a cut may say yes.
type Direction string

const (
	Below  Direction = "below"  // codes below the cut say yes
	Above  Direction = "above"  // the others do
	Either Direction = "either" // the data decide, privately
)

// AgnosticParams are the parameters of Agnostic.
type AgnosticParams struct {
	// Epsilon is the privacy loss granted for one replaced person. Required.
	Epsilon privacy.Epsilon

	// Size is the number of values of the domain. Required.
	Size *big.Int

	// Direction is that of the cut; "" stands for Below.
	Direction Direction
}

// Agnostic learns a cut from data for which every cut makes mistakes: it chooses among all cuts of
// the domain by their number of mistakes, with the exponential mechanism.
//
// # Guarantee
//
// Pure ε-DP for neighbours that differ in one replaced person, code or answer or both, n public.
// Proof: agnostic.md.
//
// # Input and output
//
// Labelled codes; a cut, chosen with probability proportional to r^−mistakes.
//
// # Errors
//
// [*param.Error] (epsilon, size, direction) from the constructor, (codes) from Learn for codes of
// another number of bits.
//
// # Cost and accuracy
//
// Two passes over the codes. Between neighbouring codes the number of mistakes is the same, so
// there are few groups of cuts; those that make many more mistakes than the best are hardly ever
// chosen, and are one group. With probability 1 − β there are at most ErrorBound(β) more mistakes
// than the best cut makes. That grows with the bits of the domain, not with the persons.
//
// # Reference
//
// McSherry, Talwar, "Mechanism Design via Differential Privacy", 2007; Kasiviswanathan et al.,
// "What Can We Learn Privately?", 2008, Section 3.
type Agnostic struct {
	size      *big.Int
	bits      int
	direction Direction
	cuts      *big.Int // how many there are to choose from, in all directions
	base      coin.Base
	cost      cost
	width     int // cuts with this many more mistakes than the best are left to the outer group
	spend     *meter.Spend
}

// NewAgnostic checks the parameters.
func NewAgnostic(p AgnosticParams) (*Agnostic, error) {
	bitLength, err := checkSize(p.Size)
	if err != nil {
		return nil, err
	}
	switch p.Direction {
	case "":
		p.Direction = Below
	case Below, Above, Either:
	default: // H: agnostic.md direction
		return nil, refuse("direction", fmt.Sprintf("%q", p.Direction), "below, above or either")
	}
	if err := checkEpsilon(p.Epsilon); err != nil {
		return nil, err
	}
	base, err := coin.ExpBelow(p.Epsilon.Part(1, 2).Rat())
	if err != nil {
		return nil, refuse("epsilon", p.Epsilon.String(), "at least 2^-59")
	}
	return newAgnostic(p.Size, bitLength, p.Direction, base), nil
}

func newAgnostic(size *big.Int, bitLength int, direction Direction, base coin.Base) *Agnostic {
	cuts := new(big.Int).Add(size, oneInt)
	if direction == Either {
		cuts.Lsh(cuts, 1)
	}
	all := both(privacy.LogUp(base.Rat()))
	return &Agnostic{
		size: new(big.Int).Set(size), bits: bitLength, direction: direction, cuts: cuts, base: base,
		cost: all, spend: leaf("cut by the exponential mechanism", all.replace()),
		width: int(min((logInt(cuts)+20)/base.Log(), math.MaxInt32)) + 1,
	}
}

// Loss is ε for d = 1, and group privacy beyond.
func (a *Agnostic) Loss(d privacy.Distance) (privacy.Loss, error) {
	return a.cost.replace().Group(d)
}

// ErrorBound returns a t such that with probability at least 1 − beta the cut makes at most t more
// mistakes than the best one.
func (a *Agnostic) ErrorBound(beta float64) int {
	limit := new(big.Rat).SetFloat64(beta)
	if limit == nil || limit.Sign() <= 0 {
		return 1 << 53
	}
	return max(power(a.base, limit.Quo(new(big.Rat).SetInt(a.cuts), limit))-1, 0)
}

// TypicalError returns about how many more mistakes the cut makes than the best one, on this many
// persons: a rule of thumb. It is half the typical error of a median: near the best cut, mistakes
// rise as a square does.
func (a *Agnostic) TypicalError(persons int64) float64 {
	return 0.5 * mechanism.TypicalRankError(a.base.Log(), float64(persons), a.size)
}

// Learn finds a cut.
func (a *Agnostic) Learn(src coin.Source, data Labelled, step coin.Step) (Cut, error) {
	if data.Codes.Bits() != a.bits { // H: treelog.md bits
		return Cut{},
			refuse("codes", phrase.Of("%d bits long", data.Codes.Bits()), "codes of %d bits",
				a.bits)
	}
	return learn(src, a.spend, data, func(src coin.Source) (Cut, error) {
		return a.learn(src, data, step)
	})
}

func (a *Agnostic) learn(src coin.Source, data Labelled, step coin.Step) (Cut, error) {
	stages := newStages(step, 3)
	best := len(data.Yes)
	err := a.eachGroup(data, stages, func(g group) { best = min(best, g.mistakes) })
	if err != nil {
		return Cut{}, err
	}
	near, err := a.near(data, best+a.width, stages)
	if err != nil {
		return Cut{}, err
	}
	for {
		cut, ok, err := near.draw(src, stages.pause())
		if err != nil {
			return Cut{}, err
		}
		if ok {
			return cut, stages.next()
		}
	}
}

// group is the cuts above one code (or none) and not above the next larger one, in one direction:
// all make the same mistakes.
type group struct {
	after    int // index of the code the cuts are above, −1 for none
	from     int // index of the next larger code; the number of codes if there is none
	above    bool
	mistakes int
}

// eachGroup calls f with every group in the allowed directions, and ends a stage.
func (a *Agnostic) eachGroup(data Labelled, stages *stages, f func(g group)) error {
	n, yes := len(data.Yes), 0
	for _, says := range data.Yes {
		if says {
			yes++
		}
	}
	g := group{after: -1}
	wrong := yes // mistakes of Below: a no below the cut, or a yes from the cut on
	for seen := 0; ; seen++ {
		if pause := stages.pause(); pause != nil && seen%(1<<16) == 0 {
			if err := pause(); err != nil {
				return err
			}
		}
		if a.direction != Above {
			f(group{g.after, g.from, false, wrong})
		}
		if a.direction != Below {
			f(group{g.after, g.from, true, n - wrong})
		}
		if g.from == n {
			return stages.next()
		}
		end := endOfRun(data.Codes, g.from)
		for _, says := range data.Yes[g.from:end] {
			if says {
				wrong--
			} else {
				wrong++
			}
		}
		g.after, g.from = g.from, end
	}
}

// near lists the groups with at most this many mistakes.
func (a *Agnostic) near(data Labelled, limit int, stages *stages) (*nearCuts, error) {
	c := &nearCuts{Agnostic: a, data: data, limit: limit}
	err := a.eachGroup(data, stages, func(g group) {
		if g.mistakes <= limit {
			c.groups = append(c.groups, g)
		} else {
			c.more = true
		}
	})
	return c, err
}

// nearCuts holds the groups to choose from and, if there are more, all cuts as one group.
type nearCuts struct {
	*Agnostic
	data   Labelled
	limit  int
	groups []group
	more   bool
}

func (c *nearCuts) Len() int {
	if c.more {
		return len(c.groups) + 1
	}
	return len(c.groups)
}

// Group returns mistakes as scores. All cuts together count as having one more than the limit; draw
// corrects for that.
func (c *nearCuts) Group(i int) (int64, uint64, *big.Int) {
	if i == len(c.groups) {
		return int64(c.limit) + 1, 0, c.cuts
	}
	_, count := c.span(c.groups[i])
	return int64(c.groups[i].mistakes), 0, count
}

// span returns the first cut of a group and the number of its cuts.
func (c *nearCuts) span(g group) (first, count *big.Int) {
	first = new(big.Int)
	if g.after >= 0 {
		first = c.data.Codes.Number(g.after)
		first.Add(first, oneInt)
	}
	count = new(big.Int).Set(c.size)
	if g.from < len(c.data.Yes) {
		count = c.data.Codes.Number(g.from)
	}
	return first, count.Add(count.Sub(count, first), oneInt)
}

// draw is one round. A cut drawn from all cuts is passed over if its group is listed; otherwise it
// is kept with the probability that its mistakes give it. So every cut is kept with a probability
// proportional to r^−mistakes. False asks for another round.
func (c *nearCuts) draw(src coin.Source, pause func() error) (Cut, bool, error) {
	i, err := src.Choose(c, c.base, stepOf(pause))
	if err != nil {
		return Cut{}, false, err
	}
	if i < len(c.groups) {
		first, count := c.span(c.groups[i])
		return Cut{At: first.Add(first, src.UniformBig(count)), Above: c.groups[i].above}, true, nil
	}
	at := src.UniformBig(new(big.Int).Add(c.size, oneInt))
	cut := Cut{At: at, Above: c.direction == Above || c.direction == Either &&
		src.Bernoulli(coin.Ratio(1, 2))}
	excess := c.mistakes(cut) - c.limit - 1
	if excess < 0 {
		return Cut{}, false, nil
	}
	return cut, src.Bernoulli(coin.Ratio(1, 1).TimesPower(c.base, uint64(excess))), nil
}

// mistakes returns the number of mistakes of one cut.
func (c *nearCuts) mistakes(cut Cut) int {
	below, _ := c.data.Codes.Rank(cut.At)
	wrong := 0
	for i, says := range c.data.Yes {
		if says != ((i < below) != cut.Above) {
			wrong++
		}
	}
	return wrong
}
