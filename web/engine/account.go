package engine

import (
	"errors"

	"hush/core/param"
	"hush/core/privacy"
	"hush/web/say"
)

// Spent adds up what was spent by basic composition: exactly, or where numbers are long rounded up.
func (s Spending) Spent() privacy.Loss {
	if s.Total != nil {
		return *s.Total
	}
	var sum privacy.Loss
	for _, entry := range s.Entries {
		sum = sum.Plus(entry.Loss.Short()).Short()
	}
	return sum
}

// Account adds up. A limit that is none is a *param.Error.
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

// Admit refuses a loss that the limit does not leave, with *OverLimitError.
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

// Released reports whether anything was released: then it is too late to set a δ aside.
func (s Spending) Released() bool { return len(s.Entries) > 0 || s.Total != nil }

// LimitChange is a data set whose limit is to be another.
type LimitChange struct {
	Spending
	To *Limit `json:"to"` // nil: none
}

// Set is the limit as it is kept, or why it cannot be that one. What is fixed with the first
// release cannot be changed after it: a limit that sets a δ aside can only be taken away, or become
// one that does not. That it never does again.
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
		if have, err := c.Limit.bounds(); err != nil || have.filter.Same(b.filter) {
			return c.Limit, err
		}
		return nil, param.Refuse("engine", "slack", to.Slack, "0, and from then on the plain sum "+
			"counts: what this limit sets aside, and its ε and δ, are fixed since the first "+
			"release")
	}
	return nil, param.Refuse("engine", "slack", to.Slack,
		"0: a δ can be set aside before the first release only")
}

// bounds are what a limit says: the loss that all releases together may reach, and the filter that
// admits them where a δ is set aside for one.
type bounds struct {
	loss   privacy.Loss
	filter *privacy.Filter // nil: their sum
}

func (l Limit) bounds() (b bounds, err error) {
	var p privacy.FilterParams
	if p.Epsilon, err = privacy.ParseEpsilon(l.Epsilon); err != nil {
		return b, err
	}
	for _, d := range []struct {
		field, text string
		into        *privacy.Delta
	}{{"delta", l.Delta, &p.Delta}, {"slack", l.Slack, &p.Slack}} {
		if d.text == "" {
			continue
		}
		if *d.into, err = privacy.ParseDelta(d.text); err != nil {
			return b, asField(err, d.field)
		}
	}
	if p.Slack.IsZero() {
		return bounds{loss: privacy.ApproximateLoss(p.Epsilon, p.Delta)}, nil
	}
	if l.Rho != "" {
		if p.Rho, err = privacy.ParseRho(l.Rho); err != nil {
			return b, err
		}
	}
	if b.filter, err = privacy.NewFilter(p); err != nil {
		return bounds{}, err
	}
	b.loss = b.filter.Guarantee()
	return b, nil
}

// asField is a refusal of what was typed elsewhere.
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
	if e.Budget.Filter != nil {
		return say.Format("this release is refused: it costs %s, which is more than is left of "+
			"the limit of %s in all", e.Loss, e.Budget.Limit)
	}
	return say.Format("this release is refused: it costs %s, %s was spent on this data set "+
		"before, and the limit is %s in all",
		e.Loss, e.Budget.Spent, e.Budget.Limit)
}
