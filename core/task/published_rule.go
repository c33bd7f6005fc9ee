package task

import (
	"fmt"
	"strings"

	"hush/core/ask"
	"hush/core/classify"
	"hush/core/domain"
	"hush/core/message"
)

// PublishedRule is a rule written out. It says yes to the cases that meet all conditions; or, for two features, to those on the left of the line from From to To;
// or to those that a tree leads to a yes.
type PublishedRule struct {
	Conditions []RuleCondition `json:"conditions,omitempty"`
	From       []string        `json:"from,omitempty"`
	To         []string        `json:"to,omitempty"`
	Tree       *RuleTree       `json:"tree,omitempty"`
	Always     bool            `json:"always,omitempty"`
	Never      bool            `json:"never,omitempty"`
}

// RuleCondition is From ≤ feature < Below; an empty one of them is no bound.
type RuleCondition struct {
	Number  int    `json:"number"` // of the feature, from 1
	Feature string `json:"feature"`
	From    string `json:"from,omitempty"`
	Below   string `json:"below,omitempty"`
	Is      string `json:"is,omitempty"` // of a feature with two categories, in place of both
}

// RuleTree is a leaf, which says yes or no, or a cut: cases whose feature is below At go one way, the others the other.
type RuleTree struct {
	Yes     bool      `json:"yes,omitempty"`
	Number  int       `json:"number,omitempty"` // of the feature, from 1; 0 in a leaf
	Feature string    `json:"feature,omitempty"`
	At      string    `json:"at,omitempty"`
	Below   *RuleTree `json:"below,omitempty"`
	Other   *RuleTree `json:"other,omitempty"`
}

// write puts a rule in words.
func (c *labelling) write(r classify.Rule) (text string, parts *PublishedRule) {
	yes, no := c.outcome[0], c.outcome[1]
	parts = &PublishedRule{}
	sizes := c.class.Sizes()
	switch r := r.(type) {
	case classify.Stump:
		switch {
		case r.Above:
			c.within(parts, r.Column, r.At, sizes[r.Column])
		case r.At == 0:
			parts.Never = true
		default:
			c.within(parts, r.Column, 0, r.At)
		}
	case classify.Box:
		parts.Never = r.Low == nil
		for i, low := range r.Low {
			c.within(parts, i, low, r.High[i]+1)
		}
	case *classify.Tree:
		parts.Never, parts.Always = r.Below == nil && !r.Yes, r.Below == nil && r.Yes
		if r.Below != nil {
			parts.Tree, text = c.writeTree(r)
			return Capital(text), parts
		}
	case classify.Line:
		if parts.Never, parts.Always = r.P == r.Q && !r.Always, r.P == r.Q && r.Always; r.P != r.Q {
			for i, f := range c.features {
				parts.From, parts.To = append(parts.From, startOf(f, r.P[i])), append(parts.To, startOf(f, r.Q[i]))
			}
			return message.Format("%s left of the line from (%s) to (%s) in the plane of %s (to the right) and %s (up), else %s", yes,
				strings.Join(parts.From, ", "), strings.Join(parts.To, ", "), c.features[0].Name(), c.features[1].Name(), no), parts
		}
	}
	parts.Always = parts.Always || !parts.Never && len(parts.Conditions) == 0
	switch {
	case parts.Never:
		return message.Format("always %s", no), parts
	case parts.Always:
		return message.Format("always %s", yes), parts
	}
	var words []string
	for _, p := range parts.Conditions {
		words = append(words, p.String())
	}
	return message.Format("%s for %s, else %s", yes, strings.Join(words, " "+message.Text("and")+" "), no), parts
}

func (p RuleCondition) String() string {
	switch {
	case p.Is != "":
		return p.Feature + " " + p.Is
	case p.Below == "":
		return message.Format("%s from %s on", p.Feature, p.From)
	case p.From == "":
		return message.Format("%s below %s", p.Feature, p.Below)
	}
	return message.Format("%s from %s to below %s", p.Feature, p.From, p.Below)
}

// within adds the condition that a feature's code is from low to below beyond, if it is one.
func (c *labelling) within(parts *PublishedRule, i int, low, beyond uint64) {
	f, size := c.features[i], c.class.Sizes()[i]
	condition := RuleCondition{Number: i + 1, Feature: f.Name()}
	switch {
	case low == 0 && beyond >= size:
		return
	case f.Field.Domain.Kind == domain.Category:
		condition.Is = startOf(f, low)
	default:
		if low > 0 {
			condition.From = startOf(f, low)
		}
		if beyond < size {
			condition.Below = startOf(f, beyond)
		}
	}
	parts.Conditions = append(parts.Conditions, condition)
}

// writeTree is a tree for programs and in words.
func (c *labelling) writeTree(t *classify.Tree) (*RuleTree, string) {
	if t.Below == nil {
		if t.Yes {
			return &RuleTree{Yes: true}, c.outcome[0]
		}
		return &RuleTree{}, c.outcome[1]
	}
	f := c.features[t.Column]
	out := &RuleTree{Number: t.Column + 1, Feature: f.Name(), At: startOf(f, t.At)}
	condition := message.Format("%s below %s", f.Name(), out.At)
	if f.Field.Domain.Kind == domain.Category {
		condition = f.Name() + " " + startOf(f, 0)
	}
	var below, other string
	out.Below, below = c.writeTree(t.Below)
	out.Other, other = c.writeTree(t.Other)
	if t.Below.Below != nil {
		below = "(" + below + ")"
	}
	if t.Other.Below != nil {
		other = "(" + other + ")"
	}
	return out, message.Format("if %s %s, else %s", condition, below, other)
}

// readRule is a rule that says of every case what the written one does. It refuses what write does not write.
func (c *labelling) readRule(p *PublishedRule) (classify.Rule, error) {
	switch {
	case p.Never:
		return classify.Box{}, nil
	case p.Tree != nil:
		return c.readTree(p.Tree, 0)
	case len(p.From) > 0:
		return c.readLine(p)
	}
	var box classify.Box
	for _, size := range c.class.Sizes() {
		box.Low, box.High = append(box.Low, 0), append(box.High, size-1)
	}
	for _, condition := range p.Conditions {
		if err := c.readCondition(condition, box); err != nil {
			return nil, err
		}
	}
	return box, nil
}

// readCondition narrows a box.
func (c *labelling) readCondition(condition RuleCondition, box classify.Box) error {
	i, from := condition.Number-1, condition.From
	if condition.Is != "" {
		from = condition.Is
	}
	if from != "" {
		low, err := c.readCode(condition.Number, from)
		if err != nil {
			return err
		}
		box.Low[i] = low
	}
	switch {
	case condition.Is != "":
		box.High[i] = box.Low[i]
	case condition.Below != "":
		beyond, err := c.readCode(condition.Number, condition.Below)
		if err != nil {
			return err
		}
		if beyond <= box.Low[i] {
			return unreadableRule(condition.String())
		}
		box.High[i] = beyond - 1
	}
	return nil
}

// readCode is the code of a value, or the bin that it begins, of a feature by its number.
func (c *labelling) readCode(number int, value string) (uint64, error) {
	if number < 1 || number > len(c.features) {
		return 0, unreadableRule(message.Format("feature %d", number))
	}
	f := c.features[number-1]
	spec := f.Domain
	spec.Mark, spec.Group = "", "" // of cells; a rule is written without
	plain, err := domain.New(spec)
	if err != nil {
		return 0, err
	}
	code, ok := plain.Encode([]byte(value))
	if !ok {
		return 0, unreadableRule(value)
	}
	return codeOf(f, code), nil
}

func (c *labelling) readLine(p *PublishedRule) (classify.Rule, error) {
	var line classify.Line
	if len(p.From) != 2 || len(p.To) != 2 || len(c.features) != 2 {
		return nil, unreadableRule(message.Text("a line in another number of features than two"))
	}
	for i := range 2 {
		var err error
		if line.P[i], err = c.readCode(i+1, p.From[i]); err != nil {
			return nil, err
		}
		if line.Q[i], err = c.readCode(i+1, p.To[i]); err != nil {
			return nil, err
		}
	}
	if line.P == line.Q {
		return nil, unreadableRule(message.Text("a line from a point to itself"))
	}
	return line, nil
}

func (c *labelling) readTree(t *RuleTree, depth int) (*classify.Tree, error) {
	if t == nil || depth > 8 {
		return nil, unreadableRule(message.Text("a tree without an end"))
	}
	if t.Number == 0 {
		return &classify.Tree{Yes: t.Yes}, nil
	}
	at, err := c.readCode(t.Number, t.At)
	if err != nil {
		return nil, err
	}
	out := &classify.Tree{Column: t.Number - 1, At: at}
	if out.Below, err = c.readTree(t.Below, depth+1); err != nil {
		return nil, err
	}
	out.Other, err = c.readTree(t.Other, depth+1)
	return out, err
}

func unreadableRule(what string) error {
	return ask.Refuse("ruleParts", fmt.Sprintf("%.100q", what), message.Text("a rule as a release writes it"))
}
