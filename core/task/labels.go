package task

import (
	"fmt"
	"slices"
	"strings"

	"hush/core/classify"
	"hush/core/domain"
)

// Labels are the labels of public cases, and the rule where one was released.
type Labels struct {
	Features []string       `json:"features"` // published names
	Outcome  [2]string      `json:"outcome"`  // what counts as yes, and as no
	Cases    []LabelledCase `json:"cases"`
	// Rule labels further cases at no cost; empty where none was released. RuleParts is the same for programs.
	Rule      string         `json:"rule,omitempty"`
	RuleParts *PublishedRule `json:"ruleParts,omitempty"`
	// Extra: with probability 95 % the rule labels no more people wrongly than the best that it was chosen from, plus Extra.
	Extra int64 `json:"extra,omitempty"`
	// Yes, No and Without count the cases by label.
	Yes     int `json:"yes"`
	No      int `json:"no"`
	Without int `json:"without"`

	learned classify.Rule // while the rule is compared with others
}

// LabelledCase is a case and its label; an empty one says that the votes were too close.
type LabelledCase struct {
	Values []string `json:"values"`
	Label  string   `json:"label"`
}

// PublishedRule is a rule written out: it says yes to the cases that meet all conditions, or, for two features, to those on the left of the line
// from From to To.
type PublishedRule struct {
	Conditions []RuleCondition `json:"conditions,omitempty"`
	From       []string        `json:"from,omitempty"`
	To         []string        `json:"to,omitempty"`
	Always     bool            `json:"always,omitempty"`
	Never      bool            `json:"never,omitempty"`
}

// RuleCondition is From ≤ feature < Below; an empty one of them is no bound.
type RuleCondition struct {
	Feature string `json:"feature"`
	From    string `json:"from,omitempty"`
	Below   string `json:"below,omitempty"`
	Is      string `json:"is,omitempty"` // of a feature with two categories, in place of both
}

// write puts a rule in words.
func (c *labelling) write(r classify.Rule) (text string, parts *PublishedRule) {
	yes, no := c.outcome[0], c.outcome[1]
	parts = &PublishedRule{}
	sizes := c.class.Sizes()
	within := func(i int, low, beyond uint64) {
		f := c.features[i]
		condition := RuleCondition{Feature: f.name()}
		switch {
		case low == 0 && beyond >= sizes[i]:
			return
		case f.Field.Domain.Kind == domain.Category:
			condition.Is = f.start(low)
		default:
			if low > 0 {
				condition.From = f.start(low)
			}
			if beyond < sizes[i] {
				condition.Below = f.start(beyond)
			}
		}
		parts.Conditions = append(parts.Conditions, condition)
	}
	switch r := r.(type) {
	case classify.Stump:
		switch {
		case r.Above:
			within(r.Column, r.At, sizes[r.Column])
		case r.At == 0:
			parts.Never = true
		default:
			within(r.Column, 0, r.At)
		}
	case classify.Box:
		parts.Never = r.Low == nil
		for i, low := range r.Low {
			within(i, low, r.High[i]+1)
		}
	case classify.Line:
		if parts.Never, parts.Always = r.P == r.Q && !r.Always, r.P == r.Q && r.Always; r.P != r.Q {
			for i, f := range c.features {
				parts.From, parts.To = append(parts.From, f.start(r.P[i])), append(parts.To, f.start(r.Q[i]))
			}
			return fmt.Sprintf("%s left of the line from (%s) to (%s) in the plane of %s (to the right) and %s (up), else %s", yes,
				strings.Join(parts.From, ", "), strings.Join(parts.To, ", "), c.features[0].name(), c.features[1].name(), no), parts
		}
	}
	parts.Always = parts.Always || !parts.Never && len(parts.Conditions) == 0
	switch {
	case parts.Never:
		return "always " + no, parts
	case parts.Always:
		return "always " + yes, parts
	}
	var words []string
	for _, p := range parts.Conditions {
		switch {
		case p.Is != "":
			words = append(words, p.Feature+" "+p.Is)
		case p.Below == "":
			words = append(words, p.Feature+" from "+p.From+" on")
		case p.From == "":
			words = append(words, p.Feature+" below "+p.Below)
		default:
			words = append(words, p.Feature+" from "+p.From+" to below "+p.Below)
		}
	}
	return yes + " for " + strings.Join(words, " and ") + ", else " + no, parts
}

func (c *labelling) state(result Result) string {
	r := result.(*Labels)
	text := fmt.Sprintf("Of %d new cases %d are labelled %s and %d %s", len(r.Cases), r.Yes, r.Outcome[0], r.No, r.Outcome[1])
	if r.Without > 0 {
		text += fmt.Sprintf("; for %d the votes were too close", r.Without)
	}
	text += "."
	if r.Rule != "" {
		text += fmt.Sprintf(" The rule: %s. It labels at most %s more wrongly than the best rule that tells the cases apart (in 95 of 100 releases).", r.Rule, people(r.Extra))
	}
	return text
}

// Kind is "labels".
func (*Labels) Kind() string { return "labels" }

// Table lists the cases with their labels.
func (l *Labels) Table(string) [][]string {
	rows := [][]string{append(slices.Clone(l.Features), "label")}
	for _, c := range l.Cases {
		label := c.Label
		if label == "" {
			label = "votes too close"
		}
		rows = append(rows, append(slices.Clone(c.Values), label))
	}
	return rows
}
