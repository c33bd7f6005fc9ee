package task

import (
	"errors"
	"slices"

	"hush/core/ask"
	"hush/core/classify"
)

// Lasts reports whether further cases may be asked.
func (c *labelling) Lasts() bool { return c.ballot != nil }

// More has the votes label one further case. The ballot holds the rules, which are secret, and no
// data.
func (c *labelling) More(r ask.Result, cells []string) (next ask.Result, more bool, err error) {
	point, values, err := readCase(c.features, cells)
	if err != nil {
		return nil, false, err
	}
	answer, err := c.ballot.Answer(point)
	if errors.Is(err, classify.ErrNoMore) {
		return nil, false, ask.ErrEnded
	}
	if err != nil {
		return nil, false, err // unreachable: answers have no other error
	}
	labels := *r.(*Labels)
	labels.Cases = slices.Clip(labels.Cases)
	labels.add(values, answer)
	labels.Left = votesLeft(c.ballot)
	return &labels, labels.Left.Cases > 0 && labels.Left.Unstable > 0, nil
}
