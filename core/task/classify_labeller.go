package task

import (
	"errors"
	"slices"

	"hush/core/ask"
	"hush/core/classify"
	"hush/core/message"
	"hush/core/param"
	"hush/core/phrase"
)

// mostLabelled bounds the number of cases in a file.
const mostLabelled = 100_000

// Labeller labels further cases by the rule of a release: post-processing, which costs nothing.
type Labeller struct {
	features []classify.Feature
	outcome  [2]string
	rule     classify.Rule
}

// NewLabeller reads the rule of a release, which may come from a file. It refuses a release without
// one, and one that contradicts itself.
func NewLabeller(say *message.Language, r *Release) (*Labeller, error) {
	l, ok := r.Answer.Result.(*Labels)
	if !ok || l.RuleParts == nil || r.Recipe.Task != classifyTask.ID {
		return nil, ask.Refuse(paramRules, "none", phrase.Of("a release of a rule"))
	}
	q := &ask.Query{Say: say, Task: &classifyTask, Recipe: r.Recipe}
	err := classifyTask.Check(r.Recipe.Params)
	if err == nil {
		q.Others, err = classifyTask.CheckOthers(r.Recipe.Others)
	}
	if err != nil {
		return nil, err
	}
	c := &labelling{query: q}
	var fields []ask.Other
	fields, c.first = q.Role(roleFeature)
	c.features = featuresOf(say, fields)
	if c.class, err = c.newClass(q.Param(paramRules)); err != nil {
		return nil, err
	}
	ragged := func(one LabelledCase) bool { return len(one.Values) != len(c.features) }
	if len(l.Features) != len(c.features) || slices.ContainsFunc(l.Cases, ragged) {
		return nil, ask.Refuse("cases", phrase.Of("%d features", len(l.Features)),
			phrase.Of("%d, as in the recipe, and that many values of each case", len(c.features)))
	}
	rule, err := classify.NewPublisher(c.features, l.Outcome).Read(l.RuleParts)
	if refused := new(param.Error); errors.As(err, &refused) {
		return nil, ask.Refuse(refused.Field, refused.Value, refused.Want)
	}
	if err != nil {
		return nil, err
	}
	return &Labeller{c.features, l.Outcome, rule}, nil
}

func (l *Labeller) label(p classify.Point) string {
	if l.rule.Says(p) {
		return l.outcome[0]
	}
	return l.outcome[1]
}

// Label labels one case, whose features are cells of text. *param.Error (case.0, case.1…) refuses a
// case.
func (l *Labeller) Label(cells []string) (string, error) {
	point, _, err := readCase(l.features, cells)
	if err != nil {
		return "", err
	}
	return l.label(point), nil
}

// LabelAll labels the cases of a table, and returns it with their labels under a header in English:
// it is a file for programs. *param.Error (cases) refuses it.
func (l *Labeller) LabelAll(table string) ([][]string, error) {
	all, err := readCases(l.features, table, mostLabelled)
	if err != nil {
		return nil, err
	}
	labels := &Labels{Outcome: l.outcome}
	for _, f := range l.features {
		labels.Features = append(labels.Features, f.Name)
	}
	for i, p := range all.points {
		labels.add(all.values[i], classify.Answer{Yes: l.rule.Says(p), Stable: true})
	}
	return labels.Table(ask.Voice{}, ""), nil
}

// Transfer returns, in words, a rule fitted to the labels that votes released, and made from the
// release alone: it labels right of the labelled cases as the votes did. ok is false where a rule
// was released, and where there are not two labelled cases of each kind.
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
