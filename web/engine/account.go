package engine

import (
	"hush/core/privacy"
	"hush/web/say"
)

// Spent adds up what was spent, exactly, by basic composition.
func (s Spending) Spent() privacy.Loss {
	var sum privacy.Loss
	for _, entry := range s.Entries {
		sum = sum.Plus(entry.Loss)
	}
	return sum
}

// Account adds up. A limit that is none is a *param.Error.
func (s Spending) Account() (Account, error) {
	if s.Limit != nil {
		if _, err := s.Limit.loss(); err != nil {
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
	limit, err := s.Limit.loss()
	if err != nil {
		return err
	}
	if spent := s.Spent(); !spent.Plus(loss).AtMost(limit) {
		return &OverLimitError{Spent: spent, Loss: loss, Limit: limit}
	}
	return nil
}

// loss is the limit as the loss that all releases together may reach.
func (l Limit) loss() (privacy.Loss, error) {
	epsilon, err := privacy.ParseEpsilon(l.Epsilon)
	if err != nil {
		return privacy.Loss{}, err
	}
	var delta privacy.Delta
	if l.Delta != "" {
		if delta, err = privacy.ParseDelta(l.Delta); err != nil {
			return privacy.Loss{}, err
		}
	}
	return privacy.ApproximateLoss(epsilon, delta), nil
}

// OverLimitError says that a release would cost more than the data set's limit leaves. Losses and
// limits are public.
type OverLimitError struct {
	Spent privacy.Loss // so far
	Loss  privacy.Loss // of the release that was refused
	Limit privacy.Loss
}

func (e *OverLimitError) Error() string {
	return say.Format("this release is refused: it costs %s, %s was spent on this data set "+
		"before, and the limit is %s in all",
		e.Loss, e.Spent, e.Limit)
}
