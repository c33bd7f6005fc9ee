package engine

import (
	"slices"

	"hush/core/privacy"
)

// Joined is a data set to which a ledger file adds new releases.
type Joined struct {
	Here Spending `json:"here"` // before
	File Spending `json:"file"` // with the releases that are new here, and no others
}

// Kept returns the limit here once they are added. It is never above the one before: either that
// one or, if it sets aside a δ that no longer covers all releases, its ε and δ with nothing set
// aside, permanently.
//
// The amount set aside stays if the file sets aside the same, neither limit was raised since, and
// all releases together are within it: filter.md of core/privacy, Theorem 3.
func (j Joined) Kept() (*Limit, error) {
	here, there := j.Here.Limit, j.File.Limit
	if here == nil || here.Slack == "" || len(j.File.Entries) == 0 {
		return here, nil
	}
	plain := &Limit{Epsilon: here.Epsilon, Delta: here.Delta}
	if there == nil || there.Slack == "" || here.Raised != nil || there.Raised != nil {
		return plain, nil
	}
	one, err := here.bounds()
	if err != nil {
		return nil, err
	}
	other, err := there.bounds()
	if err != nil {
		return nil, err
	}
	if one.filter == nil || other.filter == nil || !one.filter.Same(other.filter) ||
		!one.filter.Admits(j.spent()) {
		return plain, nil
	}
	return here, nil
}

// spent is the cost of all releases together.
func (j Joined) spent() privacy.Loss {
	if j.Here.Total != nil {
		return j.Here.Spent().Plus(j.File.Spent()).Short()
	}
	return Spending{Entries: slices.Concat(j.Here.Entries, j.File.Entries)}.Spent()
}
