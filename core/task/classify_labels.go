package task

import (
	"slices"

	"hush/core/ask"
	"hush/core/classify"
	"hush/core/phrase"
)

// Labels are the labels of public cases, and the rule where one was released.
type Labels struct {
	Features []string       `json:"features"` // published names
	Outcome  [2]string      `json:"outcome"`  // what counts as yes, and as no
	Cases    []LabelledCase `json:"cases"`
	// Rule labels further cases at no cost; empty where none was released. RuleParts is the same
	// for programs.
	Rule      string                  `json:"rule,omitempty"`
	RuleParts *classify.PublishedRule `json:"ruleParts,omitempty"`
	// Extra: with probability 95 % the rule labels no more people wrongly than the best that it was
	// chosen from, plus Extra.
	Extra int64 `json:"extra,omitempty"`
	// Yes, No and Without count the cases by label.
	Yes     int `json:"yes"`
	No      int `json:"no"`
	Without int `json:"without"`
	// Left is how many further cases the votes answered, one at a time, when this was written; nil:
	// none were asked for.
	Left *VotesLeft `json:"left,omitempty"`

	learned classify.Rule // while the rule is compared with others
}

// add takes in a case and its answer.
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

// LabelledCase is a case and its label; an empty one says that the votes were too close.
type LabelledCase struct {
	Values []string `json:"values"`
	Label  string   `json:"label"`
}

func (c *labelling) State(result ask.Result) string {
	r := result.(*Labels)
	if len(r.Cases) == 0 {
		return c.query.Say.Text("No case is labelled yet: they are asked one at a time.")
	}
	text := c.query.Say.Format("Of %d new cases %d are labelled %s and %d %s", len(r.Cases), r.Yes,
		r.Outcome[0], r.No, r.Outcome[1])
	if r.Without > 0 {
		text += c.query.Say.Format("; for %d the votes were too close", r.Without)
	}
	text += "."
	if r.Rule != "" {
		text += " " + c.query.Say.Format("The rule: %s. It labels at most %s more wrongly than "+
			"the best rule that tells the cases apart (in 95 of 100 releases).", r.Rule,
			c.query.Count(r.Extra))
	}
	return text
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

// Transfer is a rule fitted to the labels that votes released, in words, made of the release alone:
// right of labelled cases it labels as they are. ok is false where a rule was released, and where
// fewer than two cases have a label of each kind.
func Transfer(r *Release) (rule phrase.Phrase, right, labelled int, ok bool) {
	labels, is := r.Answer.Result.(*Labels)
	if !is || labels.RuleParts != nil || min(labels.Yes, labels.No) < 2 {
		return rule, 0, 0, false
	}
	_, p, err := ask.Prepare(All{}, r.Recipe, r.Plan.People)
	c, is := p.(*labelling)
	if err != nil || !is {
		return rule, 0, 0, false
	}
	var examples []classify.Example
	for _, one := range labels.Cases {
		point, _, err := readCase(c.features, one.Values)
		if err == nil && one.Label != "" {
			examples = append(examples, classify.Example{Point: point,
				Yes: one.Label == labels.Outcome[0]})
		}
	}
	fitted, right := classify.Transferred(c.class, examples)
	rule, _ = classify.NewPublisher(c.features, c.outcome).Write(fitted)
	return rule, right, len(examples), true
}
