package classify

import (
	"fmt"
	"math/big"
	"sort"
	"strings"

	"hush/core/domain"
	"hush/core/phrase"
)

// Feature is a column that rules look at: the possible values, and public cuts that make classes of
// them.
type Feature struct {
	Name   string // published
	Values domain.Domain
	// codes, ascending: cut c parts the codes below c from the others; none: each value is its own
	// class
	Cuts []uint64
}

// Size returns the number of codes of the feature, or of its bins.
func (f Feature) Size() *big.Int {
	if len(f.Cuts) > 0 {
		return big.NewInt(int64(len(f.Cuts)) + 1)
	}
	return f.Values.Size()
}

// Code returns a code, or its bin: the number of cuts at or below it.
func (f Feature) Code(code uint64) uint64 {
	if len(f.Cuts) == 0 {
		return code
	}
	return uint64(sort.Search(len(f.Cuts), func(i int) bool { return f.Cuts[i] > code }))
}

// Start returns the first value of a code or bin.
func (f Feature) Start(code uint64) string {
	if len(f.Cuts) == 0 {
		return f.Values.Decode(code)
	}
	if code == 0 {
		return f.Values.Decode(0)
	}
	return f.Values.Decode(f.Cuts[min(int(code), len(f.Cuts))-1])
}

// Publisher writes rules on codes as rules on values, in words and for programs, and reads them
// back.
type Publisher struct {
	features []Feature
	outcome  [2]string
}

// NewPublisher returns a Publisher for rules on these features; outcome names what counts as yes
// and as no.
func NewPublisher(features []Feature, outcome [2]string) *Publisher {
	return &Publisher{features, outcome}
}

func (p *Publisher) sizes() (list []uint64) {
	for _, f := range p.features {
		list = append(list, f.Size().Uint64())
	}
	return list
}

// PublishedRule is a rule written out. It says yes to the cases that meet all conditions, or, for
// two features, to those on the left of the line from From to To, or to those that a tree leads to
// a yes.
type PublishedRule struct {
	Conditions []RuleCondition `json:"conditions,omitempty"`
	From       []string        `json:"from,omitempty"`
	To         []string        `json:"to,omitempty"`
	Tree       *RuleTree       `json:"tree,omitempty"`
	Always     bool            `json:"always,omitempty"`
	Never      bool            `json:"never,omitempty"`
}

// RuleCondition is From ≤ feature < Below; if one of them is empty, there is no such bound.
type RuleCondition struct {
	Number  int    `json:"number"` // of the feature, from 1
	Feature string `json:"feature"`
	From    string `json:"from,omitempty"`
	Below   string `json:"below,omitempty"`
	Is      string `json:"is,omitempty"` // of a feature with two categories, in place of both
}

// RuleTree is a leaf, which says yes or no, or a cut: cases whose feature is below At go one way,
// all others the other way.
type RuleTree struct {
	Yes     bool      `json:"yes,omitempty"`
	Number  int       `json:"number,omitempty"` // of the feature, from 1; 0 in a leaf
	Feature string    `json:"feature,omitempty"`
	At      string    `json:"at,omitempty"`
	Below   *RuleTree `json:"below,omitempty"`
	Other   *RuleTree `json:"other,omitempty"`
}

// Write writes a rule in words and for programs.
func (p *Publisher) Write(r Rule) (text phrase.Phrase, parts *PublishedRule) {
	yes, no := p.outcome[0], p.outcome[1]
	parts = &PublishedRule{}
	sizes := p.sizes()
	switch r := r.(type) {
	case Stump:
		switch {
		case r.Above:
			p.within(parts, r.Column, r.At, sizes[r.Column])
		case r.At == 0:
			parts.Never = true
		default:
			p.within(parts, r.Column, 0, r.At)
		}
	case Box:
		parts.Never = r.Low == nil
		for i, low := range r.Low {
			p.within(parts, i, low, r.High[i]+1)
		}
	case *Tree:
		parts.Never, parts.Always = r.Below == nil && !r.Yes, r.Below == nil && r.Yes
		if r.Below != nil {
			parts.Tree, text = p.writeTree(r)
			return text, parts
		}
	case Line:
		if parts.Never, parts.Always = r.P == r.Q && !r.Always, r.P == r.Q && r.Always; r.P != r.Q {
			for i, f := range p.features {
				parts.From, parts.To = append(parts.From, f.Start(r.P[i])),
					append(parts.To, f.Start(r.Q[i]))
			}
			return phrase.Of("%s left of the line from (%s) to (%s) in the plane of %s (to the "+
				"right) and %s (up), else %s", yes,
				strings.Join(parts.From, ", "), strings.Join(parts.To, ", "), p.features[0].Name,
				p.features[1].Name, no), parts
		}
	}
	parts.Always = parts.Always || !parts.Never && len(parts.Conditions) == 0
	switch {
	case parts.Never:
		return phrase.Of("always %s", no), parts
	case parts.Always:
		return phrase.Of("always %s", yes), parts
	}
	var words []phrase.Phrase
	for _, c := range parts.Conditions {
		words = append(words, c.Phrase())
	}
	and := phrase.Glue(" ", phrase.Key("and"), " ")
	return phrase.Of("%s for %s, else %s", yes, phrase.Join(words, and), no), parts
}

// Phrase returns the condition in words.
func (p RuleCondition) Phrase() phrase.Phrase {
	switch {
	case p.Is != "":
		return phrase.Plain(p.Feature + " " + p.Is)
	case p.Below == "":
		return phrase.Of("%s from %s on", p.Feature, p.From)
	case p.From == "":
		return phrase.Of("%s below %s", p.Feature, p.Below)
	}
	return phrase.Of("%s from %s to below %s", p.Feature, p.From, p.Below)
}

// within adds the condition that a feature's code is at least low and below beyond, if it is a
// condition.
func (p *Publisher) within(parts *PublishedRule, i int, low, beyond uint64) {
	f, size := p.features[i], p.sizes()[i]
	condition := RuleCondition{Number: i + 1, Feature: f.Name}
	switch {
	case low == 0 && beyond >= size:
		return
	case f.Values.Spec().Kind == domain.Category:
		condition.Is = f.Start(low)
	default:
		if low > 0 {
			condition.From = f.Start(low)
		}
		if beyond < size {
			condition.Below = f.Start(beyond)
		}
	}
	parts.Conditions = append(parts.Conditions, condition)
}

// writeTree writes a tree for programs and in words.
func (p *Publisher) writeTree(t *Tree) (*RuleTree, phrase.Phrase) {
	if t.Below == nil {
		if t.Yes {
			return &RuleTree{Yes: true}, phrase.Plain(p.outcome[0])
		}
		return &RuleTree{}, phrase.Plain(p.outcome[1])
	}
	f := p.features[t.Column]
	out := &RuleTree{Number: t.Column + 1, Feature: f.Name, At: f.Start(t.At)}
	condition := phrase.Of("%s below %s", f.Name, out.At)
	if f.Values.Spec().Kind == domain.Category {
		condition = phrase.Plain(f.Name + " " + f.Start(0))
	}
	var below, other phrase.Phrase
	out.Below, below = p.writeTree(t.Below)
	out.Other, other = p.writeTree(t.Other)
	if t.Below.Below != nil {
		below = phrase.Glue("(", below, ")")
	}
	if t.Other.Below != nil {
		other = phrase.Glue("(", other, ")")
	}
	return out, phrase.Of("if %s %s, else %s", condition, below, other)
}

// Read returns a rule that labels every case as the written one does. It refuses anything that
// Write does not produce.
func (p *Publisher) Read(written *PublishedRule) (Rule, error) {
	switch {
	case written.Never:
		return Box{}, nil
	case written.Tree != nil:
		return p.readTree(written.Tree, 0)
	case len(written.From) > 0:
		return p.readLine(written)
	}
	var box Box
	for _, size := range p.sizes() {
		box.Low, box.High = append(box.Low, 0), append(box.High, size-1)
	}
	for _, condition := range written.Conditions {
		if err := p.readCondition(condition, box); err != nil {
			return nil, err
		}
	}
	return box, nil
}

// readCondition narrows a box.
func (p *Publisher) readCondition(condition RuleCondition, box Box) error {
	i, from := condition.Number-1, condition.From
	if condition.Is != "" {
		from = condition.Is
	}
	if from != "" {
		low, err := p.readCode(condition.Number, from)
		if err != nil {
			return err
		}
		box.Low[i] = low
	}
	switch {
	case condition.Is != "":
		box.High[i] = box.Low[i]
	case condition.Below != "":
		beyond, err := p.readCode(condition.Number, condition.Below)
		if err != nil {
			return err
		}
		if beyond <= box.Low[i] {
			return unreadableRule(quoted(condition.Below))
		}
		box.High[i] = beyond - 1
	}
	return nil
}

// readCode returns the code of a value of a feature given by its number, or the bin that the value
// begins.
func (p *Publisher) readCode(number int, value string) (uint64, error) {
	if number < 1 || number > len(p.features) {
		return 0, unreadableRule(phrase.Of("feature %d", number))
	}
	f := p.features[number-1]
	spec := f.Values.Spec()
	spec.Mark, spec.Group = "", "" // of cells; a rule is written without
	plain, err := domain.New(spec)
	if err != nil {
		return 0, err
	}
	code, ok := plain.Encode([]byte(value))
	if !ok {
		return 0, unreadableRule(quoted(value))
	}
	return f.Code(code), nil
}

func (p *Publisher) readLine(written *PublishedRule) (Rule, error) {
	var line Line
	if len(written.From) != 2 || len(written.To) != 2 || len(p.features) != 2 {
		return nil, unreadableRule(phrase.Of("a line in another number of features than two"))
	}
	for i := range 2 {
		var err error
		if line.P[i], err = p.readCode(i+1, written.From[i]); err != nil {
			return nil, err
		}
		if line.Q[i], err = p.readCode(i+1, written.To[i]); err != nil {
			return nil, err
		}
	}
	if line.P == line.Q {
		return nil, unreadableRule(phrase.Of("a line from a point to itself"))
	}
	return line, nil
}

func (p *Publisher) readTree(t *RuleTree, depth int) (*Tree, error) {
	if t == nil || depth > 8 {
		return nil, unreadableRule(phrase.Of("a tree without an end"))
	}
	if t.Number == 0 {
		return &Tree{Yes: t.Yes}, nil
	}
	at, err := p.readCode(t.Number, t.At)
	if err != nil {
		return nil, err
	}
	out := &Tree{Column: t.Number - 1, At: at}
	if out.Below, err = p.readTree(t.Below, depth+1); err != nil {
		return nil, err
	}
	out.Other, err = p.readTree(t.Other, depth+1)
	return out, err
}

func unreadableRule(what phrase.Phrase) error {
	return refuse("ruleParts", what, "a rule as a release writes it")
}

// quoted returns a text from a file, in quotation marks and cut short.
func quoted(text string) phrase.Phrase { return phrase.Plain(fmt.Sprintf("%.100q", text)) }
