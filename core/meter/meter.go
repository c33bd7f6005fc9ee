// Package meter measures what a release really spends.
//
// A [Meter] is a [coin.Source] that also keeps accounts, so it goes wherever the coins go. Every
// primitive that decides something private draws through [Draw] and says what that costs ([Spend])
// and how far its input may move between neighbours ([Claim]). A composite takes its coins from
// [Within]: everything drawn with them must fit the parts from which its own loss was computed.
//
// # What it shows
//
// Where [Meter.Over] reports nothing, the primitives drawn together cost at most what was debited:
// by basic composition of what stands at the root, and below it by the rule of each composite.
// Where the data decides how much is spent (AboveThreshold may halt early), less is drawn than the
// public worst case, never more. [Record] and [Meter.Replay] check the other half: that on
// neighbours all that is public is equal, and that inputs move no further than was claimed. Proof:
// meter.md.
//
// # What it does not see
//
// What is released without a coin: the replay does, by comparing what is published. Whether the law
// of a primitive has the loss that it states: audits do, by enumeration. Whether the rule of a
// composite is proved: its proof is named, not read.
//
// # Cost
//
// Without a meter one comparison of types for each draw; with one a count in a short list. Inputs
// are written down in recordings only.
package meter

import (
	"math/big"

	"hush/core/coin"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Spend is the cost of one call of a primitive, or of one run of a composite. It is made once, in
// the constructor, and public. The maker of a primitive must show that it has this loss where its
// input moves as its claim says (H: meter.md primitive-loss).
type Spend struct {
	Name   phrase.Key   // the field's name: "discrete Laplace noise"
	Loss   privacy.Loss // of one replaced entry, for the whole call
	Claim  Claim        // of a primitive, for one replaced entry
	Person *Person      // of several replaced entries; nil: group privacy says it
	whole  *whole       // of a composite; nil: a primitive
}

// Person is what the draw of a primitive costs where all entries of a person are replaced, and how
// far its input then moves, by a theorem that prices them together.
type Person struct {
	Loss  privacy.Loss
	Claim Claim
}

// Claim says how far the input of a primitive may move between neighbours
// (H: meter.md inputs-move). A profile of zero is not claimed; values about which nothing is
// claimed may not move at all.
type Claim struct {
	L1, L2Squared, Each uint64 // of Values: the sum of all moves, of their squares, the largest one
	// Weights multiply the moves: value j has weight j mod len; none are ones.
	Weights []uint64
	// Moves, of Values: all move as in one of these, or less: each number is that of another value,
	// number i of one with weight i mod len(Weights). none: not claimed.
	Moves     [][]uint64
	OneSigned bool   // all moves up, or all down
	Series    bool   // OneSigned holds for all draws of this Spend together
	People    uint64 // of People: how many may be replaced
	// Newcomers, of Values with Labels: this many may be in one input only, on either side, with
	// values of at most Each there, or of 1. L1 counts them; else the others move as claimed.
	Newcomers uint64
}

// Input is what a primitive looks at. It is made in recordings only.
type Input struct {
	Values []int64  // counts, sums, scores, by public place, or by Labels where there are some
	Labels []string // of the candidates, where which ones there are depends on the data
	People []string // what people have, in any order, for an algorithm audited whole
	Public string   // parameters that must be equal in both runs
}

// Meter is a source of coins that keeps accounts. It is not safe for concurrent use.
type Meter struct {
	src   coin.Source // of draws outside of primitives
	inner coin.Source // of draws inside of primitives
	spend *Spend      // whose account this is; nil: the root
	items []item
	below []*Meter
	tape  *tape // nil: nothing is recorded

	entries uint64 // of a person; 0: one
}

// Of says how many entries a person has: draws are then debited to a person, and in a recording the
// inputs of two runs may differ by as much as that many replaced entries move ([Person], or else as
// many steps of one entry).
func (m *Meter) Of(entries uint64) *Meter {
	m.entries = entries
	if m.tape != nil {
		m.tape.entries = entries
	}
	return m
}

// item is one Spend and the number of times that it was drawn.
type item struct {
	spend *Spend
	times uint64
}

// New returns a meter for one release, which draws from src. If src is a recording, the release is
// recorded there.
func New(src coin.Source) *Meter {
	if m, ok := src.(*Meter); ok {
		return &Meter{src: m.src, inner: m.inner, tape: m.tape}
	}
	return &Meter{src: src, inner: src}
}

// Draw runs draw and, if src is a meter, reports to it what draw spends. In a recording input and
// outcome are written down; a replay compares the input and returns the outcome of the recording.
// draw takes its coins from the source given to it: what it calls spends nothing of its own.
// Outcomes are values, or slices of values. Which primitives are called, in which order and with
// which parameters, is public (H: meter.md public-run).
func Draw[T any](src coin.Source, s *Spend, in func() Input,
	draw func(coin.Source) (T, error)) (T, error) {
	return Among(src, s, in, draw, nil)
}

// Among is Draw for a choice among candidates that depend on the data, where an outcome holds
// indices into the list of candidates. In a replay move translates an outcome of the recording:
// place returns the index of a recorded candidate in this run, and false if it is not there. move
// returns false when this run could not give the outcome; see [Rare].
func Among[T any](src coin.Source, s *Spend, in func() Input,
	draw func(coin.Source) (T, error),
	move func(out T, place func(int) (int, bool)) (T, bool)) (T, error) {
	m, ok := src.(*Meter)
	switch {
	case !ok:
		return draw(src)
	case m.tape == nil:
		return draw(m.coins(s))
	}
	return taped(m, s, in(), draw, move)
}

// coins counts one draw and returns the source for it. A composite that is drawn as a unit keeps
// accounts inside, which no tape records.
func (m *Meter) coins(s *Spend) coin.Source {
	m.add(s)
	if s.whole == nil {
		return m.inner
	}
	return m.inside(&Meter{src: m.inner, inner: m.inner, spend: s})
}

func (m *Meter) inside(below *Meter) *Meter {
	m.below = append(m.below, below)
	return below
}

// Within returns the source from which a composite draws, and reports to the meter what it spends.
// Without a meter it returns src itself. Everything drawn from it must fit the parts of s.
func Within(src coin.Source, s *Spend) coin.Source {
	m, ok := src.(*Meter)
	if !ok {
		return src
	}
	m.add(s)
	if m.tape != nil {
		m.tape.open(s)
	}
	return m.inside(&Meter{src: m.src, inner: m.inner, spend: s, tape: m.tape})
}

// Done says that nothing more is drawn from inside, the source that Within last took from src. It
// keeps the accounts short where there are many runs, and does nothing without a meter.
func Done(src, inside coin.Source) {
	m, ok := src.(*Meter)
	if !ok {
		return
	}
	last := len(m.below) - 1
	if last >= 0 && coin.Source(m.below[last]) == inside && m.below[last].beyond() == nil {
		m.below = m.below[:last]
	}
}

// Label names the values of the next draw from src, by their indices, where the candidates depend
// on the data. Without a recording it does nothing.
func Label(src coin.Source, name func(i int) string) {
	if m, ok := src.(*Meter); ok && m.tape != nil {
		m.tape.label = name
	}
}

// Rare says that the last draw of s had a chance of at most its δ, so that nothing is claimed from
// here on. Without a recording it does nothing.
func Rare(src coin.Source, s *Spend) {
	if m, ok := src.(*Meter); ok && m.tape != nil {
		m.tape.rare(s)
	}
}

// add counts one draw.
func (m *Meter) add(s *Spend) {
	last := len(m.items) - 1
	for i := last; i >= 0 && i > last-4; i-- {
		if m.items[i].spend == s {
			m.items[i].times++
			return
		}
	}
	m.items = append(m.items, item{s, 1})
}

// Spent returns the loss drawn so far for a person with the entries of [Meter.Of], by basic
// composition.
func (m *Meter) Spent() privacy.Loss {
	return sum(m.items, func(s *Spend) privacy.Loss { return s.ofPerson(m.entries) })
}

// ofEntry returns the loss of one entry, by which the parts of composites are accounted for.
func (s *Spend) ofEntry() privacy.Loss { return s.Loss }

// ofPerson returns the loss of a person with this many entries: the loss that protects nobody where
// group privacy gives none.
func (s *Spend) ofPerson(entries uint64) privacy.Loss {
	switch {
	case entries <= 1:
		return s.Loss
	case s.Person != nil:
		return s.Person.Loss
	}
	loss, err := s.Loss.Group(privacy.Distance(entries))
	if err != nil {
		return privacy.NoPrivacy()
	}
	return loss
}

// Over returns an error that names what spent more than it may: everything together more than was
// debited to a person, or a composite more than the parts of its loss. It reads public facts only,
// and draws nothing. It may be called again after further draws.
func (m *Meter) Over(debited privacy.Loss) error {
	if !debited.Protects() {
		return nil // a baseline that promises nothing
	}
	if !Covers(debited, m.Spent()) { // H: meter.md within-parts
		return over("all of it", m.items, debited)
	}
	return m.beyond()
}

// beyond finds a composite that drew more than its parts.
func (m *Meter) beyond() error {
	if m.spend != nil && !m.spend.fits(m.items) { // H: meter.md within-parts
		return over(string(m.spend.Name), m.items, m.spend.Loss)
	}
	for _, inside := range m.below {
		if err := inside.beyond(); err != nil {
			return err
		}
	}
	return nil
}

func over(name string, items []item, may privacy.Loss) error {
	parts := make([]phrase.Phrase, len(items))
	for i, it := range items {
		parts[i] = phrase.Plain(it.text())
	}
	return phrase.Errorf("meter: internal error: %s spent %s, more than %s: nothing is shown, "+
		"and the debit stays",
		name, phrase.Join(parts, ", "), text(may))
}

var _ coin.Source = (*Meter)(nil)

// Origin returns the origin of the source it draws from.
func (m *Meter) Origin() coin.Origin { return m.src.Origin() }

// Bernoulli is a draw outside of primitives: its chance is public.
func (m *Meter) Bernoulli(p coin.Chance) bool {
	if m.tape != nil {
		m.tape.direct("bernoulli", func() string { return p.String() })
	}
	return m.src.Bernoulli(p)
}

// Uniform is a draw outside of primitives: n is public.
func (m *Meter) Uniform(n uint64) uint64 {
	if m.tape != nil {
		m.tape.direct("uniform", func() string { return new(big.Int).SetUint64(n).String() })
	}
	return m.src.Uniform(n)
}

// UniformBig is a draw outside of primitives: n is public.
func (m *Meter) UniformBig(n *big.Int) *big.Int {
	if m.tape != nil {
		m.tape.direct("uniform", n.String)
	}
	return m.src.UniformBig(n)
}

// Geometric is a draw outside of primitives: r is public.
func (m *Meter) Geometric(r coin.Base) uint64 {
	if m.tape != nil {
		m.tape.direct("geometric", r.String)
	}
	return m.src.Geometric(r)
}

// Choose is a draw outside of primitives: the groups are public.
func (m *Meter) Choose(g coin.Groups, r coin.Base, step coin.Step) (int, error) {
	if m.tape != nil {
		m.tape.direct("choose", func() string { return digest(g) + r.String() })
	}
	return m.src.Choose(g, r, step)
}
