package engine

import (
	"encoding/json"
	"slices"

	"hush/core/ask"
	"hush/core/phrase"
)

// ErrLookedAt refuses a release. Questions chosen by somebody who has seen what the data say, and a
// choice among draws with that knowledge, reveal the data outside of every guarantee.
var ErrLookedAt error = phrase.Fault("this release is refused: the owner has looked at the true " +
	"answers of this data set. Since then only questions frozen before may be released, " +
	"unchanged and once each")

// Thaw returns the frozen questions that are left when this one is asked. Once somebody has looked,
// a question that was not frozen is refused with ErrLookedAt. Each may be asked once: from several
// draws the owner could choose the one closest to the answer seen.
func (s Spending) Thaw(r ask.Recipe) ([]ask.Recipe, error) {
	i := s.frozen(r)
	switch {
	case i >= 0:
		return slices.Delete(slices.Clone(s.Frozen), i, i+1), nil
	case s.Looked != "":
		return nil, ErrLookedAt
	}
	return s.Frozen, nil
}

// Freeze returns the frozen questions with one more. After the look it is too late.
func (c Charge) Freeze() ([]ask.Recipe, error) {
	switch {
	case c.Looked != "":
		return nil, ErrLookedAt
	case c.frozen(c.Recipe) >= 0:
		return c.Frozen, nil
	}
	return append(slices.Clone(c.Frozen), c.Recipe), nil
}

// MayAsk reports whether a question is still allowed after a look, or no look has happened.
func (s Spending) MayAsk(r ask.Recipe) bool { return s.Looked == "" || s.frozen(r) >= 0 }

// IsFrozen reports whether a question was frozen.
func (s Spending) IsFrozen(r ask.Recipe) bool { return s.frozen(r) >= 0 }

// frozen returns the index of a question among the frozen ones, compared letter by letter apart
// from words that decide nothing in its answer, or −1 if it is not among them.
func (s Spending) frozen(r ask.Recipe) int {
	text := recipeText(r)
	return slices.IndexFunc(s.Frozen, func(f ask.Recipe) bool { return recipeText(f) == text })
}

func recipeText(r ask.Recipe) string {
	text, err := json.Marshal(r.Bare())
	if err != nil {
		panic("engine: internal error: " + err.Error())
	}
	return string(text)
}
