package density

import (
	"math"
	"math/big"

	"hush/core/coin"
)

// part is a set of candidates. A choice among the candidates of many parts looks more closely only
// at parts in which its draw can end.
//
// Each candidate has at least one ticket in its part. The bounds of a part may be wide: they decide
// how long a draw takes and never what comes out.
type part[C any] interface {
	// bounds are a score no candidate exceeds, one that no candidate is below, and one that some
	// candidate has or exceeds.
	bounds() (upper, least, best int64)

	// tickets is their number.
	tickets() *big.Int

	// logTickets is the natural logarithm of that, to decide how closely to look.
	logTickets() float64

	// pick draws a ticket, all equally likely. It returns the candidate, its score and how many
	// tickets it has.
	pick(src coin.Source) (candidate C, score int64, tickets uint64)

	// split divides the part into smaller ones with no more tickets and no higher bounds; nil if it
	// has one candidate.
	split() []part[C]
}

// rereader is a part whose bounds follow A, and which outlives a round.
type rereader interface{ again() }

// reread makes parts of an earlier round read A again.
func reread[C any](parts []part[C]) {
	for _, p := range parts {
		if p, reads := p.(rereader); reads {
			p.again()
		}
	}
}

// chooser draws a candidate with probability proportional to r^score. Proof: lazy.md, Theorem 1.
type chooser[C any] struct {
	base coin.Base
	// a candidate of a part that is not looked at closer is kept with chance e^-near at least
	near float64
	// split all parts down to one score: for audits, where a draw that starts again never ends
	exact bool
	room  *room[C] // may be nil: there is none to use again
}

// room holds what refine fills: the parts that it returns, the parts that wait or waited, and the
// heap of waiting parts.
type room[C any] struct {
	done, seen []weighed[C]
	waiting    heap
}

// choose returns a candidate. If nothing is not nil, it is one more outcome, with that score and
// multiplicity, for which chosen is false.
func (c chooser[C]) choose(src coin.Source, all []part[C], nothing *nothing,
	pause func() error) (candidate C, chosen bool, err error) {
	parts, err := c.refine(all, pause)
	if err != nil {
		return candidate, false, err
	}
	g := newTickets(parts, nothing)
	var step coin.Step
	if pause != nil {
		step = func(int64, int64) error { return pause() }
	}
	for {
		candidate, i, kept, err := c.try(src, parts, g, step)
		if kept || err != nil {
			return candidate, i < len(parts), err
		}
	}
}

// try draws a part by its bound and a ticket of it, and keeps the candidate with the chance that
// corrects for the bound and for the candidate's other tickets. For nothing, i is the number of
// parts.
func (c chooser[C]) try(src coin.Source, parts []weighed[C], g *tickets,
	step coin.Step) (candidate C, i int, kept bool, err error) {
	if i, err = src.Choose(g, c.base, step); err != nil || i == len(parts) {
		return candidate, i, true, err
	}
	candidate, score, many := parts[i].pick(src)
	if score > parts[i].upper {
		panic("density: internal error: a candidate has a higher score than its part's bound")
	}
	return candidate, i,
		src.Bernoulli(coin.Ratio(1, many).TimesPower(c.base, uint64(parts[i].upper-score))), nil
}

// weighed is a part with its bounds.
type weighed[C any] struct {
	part[C]
	upper int64
	near  bool    // every candidate is likely to be kept
	log   float64 // of its weight in a draw
	sure  float64 // of a weight that its candidates have at least
}

func (c chooser[C]) weigh(p part[C], log float64) weighed[C] {
	upper, least, best := p.bounds()
	many := p.logTickets()
	w := weighed[C]{part: p, upper: upper, log: many + float64(upper)*log,
		sure: float64(best) * log}
	if w.near = float64(upper-least)*log <= c.near; w.near {
		w.sure = max(w.sure, many+float64(least)*log)
	}
	if c.exact {
		w.near = upper == least
	}
	return w
}

// refine splits the parts in which a draw may well end, the likeliest first, until a draw is likely
// to be kept. Floats decide only how closely to look. The parts are valid until room is used again.
func (c chooser[C]) refine(all []part[C], pause func() error) ([]weighed[C], error) {
	log := c.base.Log()
	r := c.room
	if r == nil {
		r = new(room[C])
	}
	r.done, r.seen, r.waiting = r.done[:0], r.seen[:0], r.waiting[:0]
	sure := math.Inf(-1) // of all weight
	add := func(p part[C]) {
		w := c.weigh(p, log)
		sure = max(sure, w.sure)
		if w.near {
			r.done = append(r.done, w)
		} else {
			r.waiting.push(waiter{w.log, len(r.seen)})
			r.seen = append(r.seen, w)
		}
	}
	for _, p := range all {
		add(p)
	}
	for work := 1; len(r.waiting) > 0; work++ {
		if work%1024 == 0 && pause != nil {
			if err := pause(); err != nil {
				return nil, err
			}
		}
		// What is left waiting weighs at most e^-2 of all, whatever the number of parts.
		if !c.exact && r.waiting[0].log <= sure-2-math.Log(float64(len(r.waiting))) {
			break
		}
		w := r.seen[r.waiting.pop().at]
		smaller := w.split()
		if smaller == nil {
			r.done = append(r.done, w)
		}
		for _, p := range smaller {
			add(p)
		}
	}
	for _, w := range r.waiting {
		r.done = append(r.done, r.seen[w.at])
	}
	return r.done, nil
}

// waiter is the weight of a part in a draw, as a logarithm, and the index of the part.
type waiter struct {
	log float64
	at  int
}

// heap is a heap with the heaviest first.
type heap []waiter

func (h *heap) push(w waiter) {
	*h = append(*h, w)
	list := *h
	i := len(list) - 1
	for i > 0 && list[(i-1)/2].log < w.log {
		list[i] = list[(i-1)/2]
		i = (i - 1) / 2
	}
	list[i] = w
}

func (h *heap) pop() waiter {
	list := *h
	first, last := list[0], len(list)-1
	moved := list[last]
	list = list[:last]
	*h = list
	if last == 0 {
		return first
	}
	i := 0
	for {
		child := 2*i + 1
		if child+1 < last && list[child+1].log > list[child].log {
			child++
		}
		if child >= last || list[child].log <= moved.log {
			list[i] = moved
			return first
		}
		list[i] = list[child]
		i = child
	}
}

// nothing is an outcome other than the candidates: ⊥.
type nothing struct {
	score int64
	many  *big.Int // multiplicity, in units of which each ticket has unit
	unit  *big.Int
}

// tickets returns the groups of a draw: the parts, each with its upper bound for a score, and
// perhaps nothing.
type tickets struct {
	scores []int64 // complements: lower is better
	many   []*big.Int
}

func newTickets[C any](parts []weighed[C], nothing *nothing) *tickets {
	g := &tickets{scores: make([]int64, len(parts)), many: make([]*big.Int, len(parts))}
	for i, p := range parts {
		g.scores[i], g.many[i] = ^p.upper, p.tickets()
	}
	if nothing != nil {
		for i, many := range g.many {
			g.many[i] = new(big.Int).Mul(many, nothing.unit)
		}
		g.scores, g.many = append(g.scores, ^nothing.score), append(g.many, nothing.many)
	}
	return g
}

func (g *tickets) Len() int                              { return len(g.scores) }
func (g *tickets) Group(i int) (int64, uint64, *big.Int) { return g.scores[i], 0, g.many[i] }

// logInt returns ln n for n ≥ 1 of any size, to decide how closely to look.
func logInt(n *big.Int) float64 {
	shift := max(n.BitLen()-64, 0)
	if shift > 0 {
		n = new(big.Int).Rsh(n, uint(shift))
	}
	return math.Log(float64(n.Uint64())) + float64(shift)*math.Ln2
}
