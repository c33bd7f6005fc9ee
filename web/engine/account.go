package engine

import (
	"errors"
	"math/big"

	"hush/core/param"
	"hush/core/privacy"
	"hush/web/say"
)

// Spent adds up what was spent, by basic composition: exactly, or rounded up where numbers are
// long.
func (s Spending) Spent() privacy.Loss {
	if s.Total != nil {
		return *s.Total
	}
	var sum privacy.Loss
	for _, loss := range s.losses() {
		sum = sum.Plus(loss).Short()
	}
	return sum.Whole()
}

// losses returns the cost of each entry beyond those before it.
//
// A top-up costs the rest beyond the answer that it improves. If copies of a ledger each topped up
// the same answer, the second and each further top-up costs up to ε₁ + ε₂ given that answer, where
// ε₁ is the cost of the answer and those before it: 2·ε₁ more than its rest. Proof: topup.md of
// core/basic, Theorem 3.
func (s Spending) losses() []privacy.Loss {
	losses := make([]privacy.Loss, 0, len(s.Entries))
	chains := map[string]*big.Rat{} // the cost of an answer with those before it, by its id
	topped := map[string]bool{}     // an answer was made more exact before
	all := new(big.Rat)             // of any answer
	for _, entry := range s.Entries {
		loss := entry.Loss.Short()
		chain, _ := loss.Epsilon()
		all.Add(all, chain)
		if loss.IsRest() && entry.Replaces != "" {
			before, known := chains[entry.Replaces]
			if !known {
				before = new(big.Rat).Sub(all, chain)
			}
			if topped[entry.Replaces] || entry.Replaces == OtherCopy {
				loss = loss.Plus(twice(before))
			}
			topped[entry.Replaces] = true
			chain = chain.Add(chain, before)
		}
		chains[entry.ID] = chain
		losses = append(losses, loss)
	}
	return losses
}

// OtherCopy stands for the entry that a top-up replaces if it came with a ledger file that does not
// name it, beside other top-ups here.
const OtherCopy = "?"

// twice is the loss of 2·ε, without a ρ: the ρ of a top-up given its past is its own.
func twice(epsilon *big.Rat) privacy.Loss {
	loss, err := privacy.NewLoss(new(big.Rat).Add(epsilon, epsilon), nil)
	if err != nil {
		panic("engine: internal error: " + err.Error()) // ε is a sum of losses
	}
	return loss.WithRho(new(big.Rat))
}

// with returns what is spent including a further release.
func (s Spending) with(loss privacy.Loss) privacy.Loss {
	return s.Spent().Plus(loss).Short().Whole()
}

// Account adds up the entries. An invalid limit is a *param.Error.
func (s Spending) Account() (Account, error) {
	if s.Limit != nil {
		if _, err := s.Limit.bounds(); err != nil {
			return Account{}, err
		}
	}
	spent := s.Spent()
	epsilon, finite := spent.Epsilon()
	account := Account{Spending: s, Spent: privacy.Number(epsilon),
		Delta: privacy.Number(spent.Delta()), Count: len(s.Entries)}
	if !finite {
		account.Spent = ""
	}
	return account, nil
}

// Admit refuses, with *OverLimitError, a loss for which the limit leaves no room.
func (s Spending) Admit(loss privacy.Loss) error {
	if s.Limit == nil {
		return nil
	}
	b, err := s.Budget()
	if err != nil {
		return err
	}
	if b.After(loss).Over {
		return &OverLimitError{Budget: b, Loss: loss}
	}
	return nil
}

// Released reports whether anything was released: it is then too late to set a δ aside.
func (s Spending) Released() bool { return len(s.Entries) > 0 || s.Total != nil }

// LimitChange is a data set together with its new limit.
type LimitChange struct {
	Spending
	To *Limit `json:"to"` // nil: none
}

// Set returns the limit in the form that is kept, or an error if it cannot be set. What is fixed
// with the first release cannot be changed after it: a limit that sets a δ aside can be raised, by
// a second one on top of it, or removed, or replaced by one that sets nothing aside, after which no
// limit can set a δ aside again.
func (c LimitChange) Set() (*Limit, error) {
	if c.To == nil {
		return nil, nil
	}
	to := Limit{Epsilon: c.To.Epsilon, Delta: c.To.Delta, Slack: c.To.Slack}
	b, err := to.bounds()
	switch {
	case err != nil:
		return nil, err
	case b.filter == nil:
		to.Slack = ""
		return &to, nil
	case !c.Released():
		to.Rho = b.filter.Params().Rho.String()
		return &to, nil
	case c.Limit != nil && c.Limit.Slack != "":
		return c.raise(to)
	}
	return nil, param.Refuse("engine", "slack", to.Slack,
		"0: a δ can be set aside before the first release only")
}

// raise puts a second limit on top of one that sets a δ aside; with the same numbers it returns the
// old one.
func (c LimitChange) raise(to Limit) (*Limit, error) {
	have, err := c.Limit.sums()
	if err != nil {
		return nil, err
	}
	wanted, err := to.sums()
	if err != nil {
		return nil, err
	}
	if wanted.same(have) {
		return c.Limit, nil
	}
	b, err := c.Budget()
	switch {
	case err != nil:
		return nil, err
	case b.Over:
		return nil, param.Refuse("engine", "slack", to.Slack, "0, and from then on the plain sum "+
			"counts: more is spent than this limit admits")
	case !wanted.above(have):
		return nil, param.Refuse("engine", "slack", to.Slack, "0, so that the plain sum counts "+
			"from then on; or a larger ε and no smaller δ: the first release fixed the δ set "+
			"aside and the limit's ε and δ")
	}
	epsilon, _ := b.Spent.Epsilon()
	to.Raised = &Raised{From: *c.Limit, Epsilon: privacy.NumberDown(epsilon),
		Delta: privacy.NumberDown(b.Spent.Delta()), Rho: privacy.NumberDown(b.Spent.Rho())}
	raised, err := to.bounds()
	if err == nil && raised.filter != nil {
		to.Rho = raised.filter.Params().Rho.String()
	}
	return &to, err
}

// bounds are the terms of a limit: the loss that all releases together may reach, and what admits
// them.
type bounds struct {
	loss privacy.Loss
	// what the releases since it was raised may reach (everything, if it never was), and the filter
	// that admits them if a δ is set aside
	open   privacy.Loss
	filter *privacy.Filter // nil: their sum
	before Before
}

// Before is the loss that was spent before a limit was raised.
type Before struct {
	Raised              int          // how often; 0: never
	Loss                privacy.Loss // the limit at that time: all of it counts as spent
	First               privacy.Loss // the limit before it was first raised
	epsilon, delta, rho *big.Rat     // spent then, rounded down
}

// mostRaised is the largest number of times that a limit can be raised.
const mostRaised = 64

func (l Limit) bounds() (b bounds, err error) {
	all, err := l.sums()
	if err != nil {
		return b, err
	}
	open := all
	if l.Raised != nil {
		from, err := l.Raised.From.bounds()
		if err != nil {
			return b, err
		}
		less, err := l.Raised.From.sums()
		if err == nil && (from.before.Raised >= mostRaised || !all.above(less)) {
			err = param.Refuse("engine", "raised", l.Epsilon,
				"a limit above the one before, raised at most %d times", mostRaised)
		}
		if err == nil {
			open, err = all.less(less)
		}
		if err != nil {
			return b, err
		}
		b.before = Before{Raised: from.before.Raised + 1, Loss: from.loss,
			First: from.before.First}
		if from.before.Raised == 0 {
			b.before.First = from.loss
		}
		if err = l.Raised.read(&b.before); err != nil {
			return b, err
		}
	}
	p := privacy.FilterParams{Epsilon: open.epsilon, Delta: open.delta, Slack: open.slack}
	b.loss = all.loss()
	if b.open = open.loss(); p.Slack.IsZero() {
		return b, nil
	}
	if l.Rho != "" {
		if p.Rho, err = privacy.ParseRho(l.Rho); err != nil {
			return b, err
		}
	}
	if b.filter, err = privacy.NewFilter(p); err != nil {
		return bounds{}, err
	}
	return b, nil
}

// read reads what was spent until a limit was raised.
func (r Raised) read(into *Before) error {
	for _, text := range []struct {
		text string
		into **big.Rat
	}{{r.Epsilon, &into.epsilon}, {r.Delta, &into.delta}, {r.Rho, &into.rho}} {
		number, ok := privacy.ParseNumber(text.text)
		if !ok {
			return param.Refuse("engine", "raised", text.text, "a number of at least 0")
		}
		*text.into = number
	}
	return nil
}

// sums holds the numbers of a limit.
type sums struct {
	epsilon      privacy.Epsilon
	delta, slack privacy.Delta
}

func (l Limit) sums() (s sums, err error) {
	if s.epsilon, err = privacy.ParseEpsilon(l.Epsilon); err != nil {
		return s, err
	}
	for _, d := range []struct {
		field, text string
		into        *privacy.Delta
	}{{"delta", l.Delta, &s.delta}, {"slack", l.Slack, &s.slack}} {
		if d.text == "" {
			continue
		}
		if *d.into, err = privacy.ParseDelta(d.text); err != nil {
			return s, asField(err, d.field)
		}
	}
	if all := new(big.Rat).Add(s.delta.Rat(), s.slack.Rat()); all.Cmp(big.NewRat(1, 1)) >= 0 {
		return s, param.Refuse("engine", "slack", l.Slack,
			"a number that is below 1 together with δ")
	}
	return s, nil
}

// loss bounds the loss of all releases.
func (s sums) loss() privacy.Loss {
	all, err := privacy.NewDelta(new(big.Rat).Add(s.delta.Rat(), s.slack.Rat()))
	if err != nil {
		panic("engine: internal error: " + err.Error()) // sums have checked it
	}
	return privacy.ApproximateLoss(s.epsilon, all)
}

func (s sums) same(t sums) bool {
	return s.epsilon.Cmp(t.epsilon) == 0 && s.delta.Cmp(t.delta) == 0 && s.slack.Cmp(t.slack) == 0
}

// above reports whether anything can be spent above t.
func (s sums) above(t sums) bool {
	return s.epsilon.Cmp(t.epsilon) > 0 && s.delta.Cmp(t.delta) >= 0 && s.slack.Cmp(t.slack) >= 0
}

// less returns s minus t, if s is above t.
func (s sums) less(t sums) (open sums, err error) {
	minus := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
	if open.epsilon, err = privacy.NewEpsilon(minus(s.epsilon.Rat(), t.epsilon.Rat())); err != nil {
		return open, err
	}
	if open.delta, err = privacy.NewDelta(minus(s.delta.Rat(), t.delta.Rat())); err != nil {
		return open, err
	}
	open.slack, err = privacy.NewDelta(minus(s.slack.Rat(), t.slack.Rat()))
	return open, err
}

// asField moves a refusal to another field.
func asField(err error, field string) error {
	var refused *param.Error
	if errors.As(err, &refused) {
		other := *refused
		other.Field = field
		return &other
	}
	return err
}

// OverLimitError says that a release would cost more than the data set's limit leaves. Losses and
// limits are public.
type OverLimitError struct {
	Budget Budget       // so far
	Loss   privacy.Loss // of the release that was refused
}

func (e *OverLimitError) Error() string {
	if e.Budget.Fixed() {
		return say.Format("this release is refused: it costs %s, which is more than is left of "+
			"the limit of %s in all", e.Loss, e.Budget.Limit)
	}
	return say.Format("this release is refused: it costs %s, %s was spent on this data set "+
		"before, and the limit is %s in all",
		e.Loss, e.Budget.Spent, e.Budget.Limit)
}
