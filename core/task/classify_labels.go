package task

import (
	"slices"

	"hush/core/ask"
	"hush/core/classify"
)

// Labels are the labels of public cases, and the rule where one was released.
type Labels struct {
	Features []string       `json:"features"` // published names
	Outcome  [2]string      `json:"outcome"`  // what counts as yes, and as no
	Cases    []LabelledCase `json:"cases"`
	// Rule labels further cases at no cost; empty where none was released. RuleParts is the same
	// rule for programs.
	Rule      string                  `json:"rule,omitempty"`
	RuleParts *classify.PublishedRule `json:"ruleParts,omitempty"`
	// Extra is a bound: with probability 95 % the rule labels at most Extra people more incorrectly
	// than the best rule of those that it was chosen from.
	Extra int64 `json:"extra,omitempty"`
	// Yes, No and Without count the cases by label.
	Yes     int `json:"yes"`
	No      int `json:"no"`
	Without int `json:"without"`
	// Left counts the further cases that the votes had answered, one at a time, when this was
	// written; nil if there were to be none.
	Left *VotesLeft `json:"left,omitempty"`

	learned classify.Rule // while the rule is compared with others
}

// add adds a case and its answer.
func (l *Labels) add(values []string, a classify.Answer) {
	label := ""
	switch {
	case !a.Stable:
		l.Without++
	case a.Yes:
		l.Yes++
		label = l.Outcome[0]
	default:
		l.No++
		label = l.Outcome[1]
	}
	l.Cases = append(l.Cases, LabelledCase{values, label})
}

// LabelOf is the label of a case.
func (l *Labels) LabelOf(i int) string { return l.Cases[i].Label }

// LabelledCase is a case and its label; an empty label says that the votes were too close.
type LabelledCase struct {
	Values []string `json:"values"`
	Label  string   `json:"label"`
}

// Kind is "labels".
func (*Labels) Kind() string { return "labels" }

// Table lists the cases with their labels.
func (l *Labels) Table(say ask.Voice, _ string) [][]string {
	rows := [][]string{append(slices.Clone(l.Features), say.Text("label"))}
	for _, c := range l.Cases {
		label := c.Label
		if label == "" {
			label = say.Text("votes too close")
		}
		rows = append(rows, append(slices.Clone(c.Values), label))
	}
	return rows
}

// VotesLeft is the number of further cases that the votes answer: how many in all, and how many of
// them may be too close.
type VotesLeft struct {
	Cases    uint64 `json:"cases"`
	Unstable uint64 `json:"unstable"`
}

func votesLeft(b *classify.Ballot) *VotesLeft {
	cases, unstable := b.Left()
	return &VotesLeft{cases, unstable}
}
