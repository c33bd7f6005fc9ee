package task

import (
	"math/big"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/selection"
)

const (
	paramScale = "scale"
	byRange    = "range"
	byUnits    = "units"

	selectGeneralised = string(selection.ByGeneralised)
	selectNoisy       = string(selection.ByNoisyScores)
)

var strongestTask = ask.Task{
	ID:       "strongest",
	Title:    "Strongest relation",
	Question: "Which column has most to do with a yes or no?",
	Sentence: "Which of {feature} has most to do with {outcome}?",
	Heading:  "Strongest relation with {outcome}",
	Synonyms: "correlation, covariance, association, predictor, feature selection",
	Answer:   "the name of one column, and how strongly it goes with the answer",
	Algorithm: "permute and flip, or the generalised exponential mechanism, over absolute " +
		"covariances",
	How: "The score of a column is how much higher its values are among people with a yes than " +
		"among people with a no, scaled so that nobody counts for more than one person. One " +
		"column is drawn at random; each person by which a relation is weaker makes its column " +
		"less likely by the same factor.",
	Simple: "The exponential mechanism would be the simple choice. Permute and flip is as " +
		"simple, and never worse at the same ε; the generalised mechanism is for columns that " +
		"one person can move by different amounts.",
	Source: "McKenna, Sheldon 2020; Raskhodnikova, Smith 2016; Liu, Talwar 2019",
	Limits: "Compares how much higher each column is among people with a yes. Other " +
		"relations go unnoticed, and none is a cause.",
	Judged: "Before release: how far the released column may be behind the strongest, against " +
		"the strongest possible relation. After: both that and the error of the strength, " +
		"against the strength.",
	Others: []ask.Role{
		{
			Name: ask.RoleOutcome, Label: "the yes or no",
			Help: "List two categories: first the one that counts as yes, then the one that " +
				"counts as no.",
			Domains: []domain.Kind{domain.Category}, Min: 1, Max: 1, Values: 2,
		},
		{
			Name: roleFeature, Label: "the value to compare", Help: "Two or more columns of " +
				"numbers or times; one of them is chosen. A value counts by its position in the " +
				"whole range, so choose ranges no wider than needed.",
			Domains: []domain.Kind{domain.Integer, domain.Decimal, domain.Date, domain.Timestamp},
			Min:     2, Max: 32,
		},
	},
	Params: []ask.Param{
		{
			Name: paramScale, Label: "Columns are compared", Kind: ask.Chosen, Default: byRange,
			Choices: []ask.Choice{{Value: byRange, Label: "each by its own range"},
				{Value: byUnits, Label: "in their own unit, which is the same for all"}},
			Help: "Relative to its range, a narrow column can be as strong as a wide one. In one " +
				"unit, such as money, the larger difference is the stronger relation.",
			Effect: "In one unit, a person can move a wide column more than a narrow one; the " +
				"generalised mechanism then keeps narrow columns sharp.",
		},
		{
			Name: paramSelector, Label: "How the winner is chosen", Kind: ask.Chosen, Default: auto,
			Choices: []ask.Choice{{Value: auto, Label: "by the smaller proven bound"},
				{Value: selectFlip, Label: "permute and flip"},
				{Value: selectGeneralised, Label: "generalised exponential mechanism"},
				{Value: selectNoisy, Label: "noisy scores, the best of a random number of runs"}},
			Help: "Which bound is smaller depends only on public facts: how the columns' ranges " +
				"differ. Noisy scores are worse than the others on all the data we measured, " +
				"columns drawn at random: they are used only if you ask for them.",
			Effect: "All keep ε.",
		},
		countParam,
	},
	Example: &ask.Example{Sample: "clinic", Recipe: ask.Recipe{Others: []ask.Field{
		{Role: ask.RoleOutcome, Column: 4, Label: "department",
			Domain: domain.Spec{Kind: domain.Category, Categories: []string{"heart", "children"}}},
		{Role: roleFeature, Column: 1, Label: "age",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"}},
		{Role: roleFeature, Column: 2, Label: "wait_minutes",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "300"}},
		{Role: roleFeature, Column: 5, Label: "visits",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "40"}},
	}}},
	Films:    []string{"flip"},
	Costs:    ask.Costs{"": "selection.Association"},
	Inexact:  "a winner by a scaled distance of groups",
	Unframed: "the strength is of a pair that the data choose",
	Prepare:  prepareStrongest,
}

// strongest chooses a column by its association with the outcome.
type strongest struct {
	query     *ask.Query
	mechanism *selection.Association
	inUnits   bool // columns are compared in their own unit, otherwise each relative to its range
	counted   bool // the strength is released too
}

func prepareStrongest(q *ask.Query) (ask.Prepared, error) {
	if err := q.CheckPersons(1 << 32); err != nil {
		return nil, err
	}
	s := &strongest{query: q, inUnits: q.Param(paramScale) == byUnits,
		counted: q.Flag(paramCounted)}
	p := selection.AssociationParams{
		Epsilon: q.Epsilon, Chooser: selection.Chooser(q.Param(paramSelector)), Strength: s.counted,
		Persons: q.People}
	fields, first := q.Role(roleFeature)
	for i, f := range fields {
		size, err := smallSize(f.Values)
		if err != nil {
			return nil, ask.OtherFault(first+i, err)
		}
		p.Sizes = append(p.Sizes, size)
		if !s.inUnits {
			continue
		}
		_, numeric := f.Values.(domain.Numeric)
		if _, all := fields[0].Values.(domain.Numeric); numeric != all || !numeric &&
			f.Domain.Kind != fields[0].Domain.Kind {
			return nil, ask.Refuse(ask.OtherField(first+i, "kind"), string(f.Domain.Kind),
				phrase.Of("the kind of the first column, where columns are compared in their own "+
					"unit"))
		}
		r := new(big.Rat).SetInt(new(big.Int).SetUint64(size - 1))
		p.Ranges = append(p.Ranges, r.Mul(r, stepOf(f.Values)))
	}
	var err error
	s.mechanism, err = selection.NewAssociation(p)
	return s, err
}

func (s *strongest) Loss() (privacy.Loss, error) { return s.mechanism.Loss(1) }

func (s *strongest) Algorithm() string {
	switch s.mechanism.Chooser() {
	case selection.ByGeneralised:
		return s.query.Say.Text("generalised exponential mechanism over absolute covariances")
	case selection.ByNoisyScores:
		return s.query.Say.Text(
			"noisy absolute covariances of columns drawn at random, the best of them")
	}
	return s.query.Say.Text("permute and flip over absolute covariances")
}

// strength writes a score of the mechanism as a strength.
func (s *strongest) strength(score float64) string {
	text, _ := s.printed(score)
	return text
}

func (s *strongest) printed(score float64) (text string, number float64) {
	if !s.inUnits {
		return printed("%.2g", s.mechanism.Amount(score))
	}
	return printed("%.4g", s.mechanism.Amount(score))
}

// measure is the unit of strengths, to stand behind a number.
func (s *strongest) measure() string {
	if !s.inUnits {
		return " %"
	}
	return ""
}

func (s *strongest) Bound() float64 { return s.mechanism.Amount(s.mechanism.Behind()) }

// Typical is the error on made-up relations.
func (s *strongest) Typical() (off float64, exact bool) {
	return s.mechanism.Amount(s.mechanism.Typically()), false
}

func (s *strongest) Unit() ask.Unit {
	if s.inUnits {
		return ask.Unit{Text: phrase.Of("in the columns' unit")}
	}
	return ask.Unit{Text: phrase.Of("% of the strongest possible relation"), Of: ask.OfPercent}
}

func (s *strongest) Forecast() []ask.Forecast {
	list := []ask.Forecast{
		{Label: s.query.Say.Text("Behind the strongest by at most"),
			Value: s.strength(s.mechanism.Behind()) + s.measure(),
			Detail: s.query.Say.Format("in 95 of 100 releases; %s",
				map[bool]string{true: s.query.Say.Text("of the strongest possible relation"),
					false: s.query.Say.Text("in the columns' unit")}[!s.inUnits])}}
	fields, _ := s.query.Role(roleFeature)
	why := s.query.Say.Format("its bound is %s%s", s.strength(float64(s.mechanism.FlipBound())),
		s.measure())
	if s.mechanism.Chooser() != selection.ByFlip {
		why = s.query.Say.Format("its bound is %s%s on average, the narrower the best column the "+
			"smaller; that of permute and flip is %s%s for each",
			s.strength(s.mechanism.MeanBound()), s.measure(),
			s.strength(float64(s.mechanism.FlipBound())), s.measure())
		for i, f := range fields {
			list = append(list,
				ask.Forecast{
					Label: s.query.Say.Format("Behind %s, if that is the strongest",
						f.Name(s.query.Say)),
					Value:  s.strength(s.mechanism.BoundOf(i)) + s.measure(),
					Detail: s.query.Say.Text("in 95 of 100 releases")})
		}
	}
	if s.counted {
		if off, err := s.mechanism.StrengthBound(s.mechanism.Widest()); err == nil {
			list = append(list,
				ask.Forecast{Label: s.query.Say.Text("Its strength"),
					Value:  "± " + s.strength(float64(off)) + s.measure(),
					Detail: s.query.Say.Text("in 95 of 100 releases; less for narrower columns")})
		}
	}
	list = append(list,
		ask.Forecast{Label: s.query.Say.Text("Used"), Value: s.Algorithm(), Detail: why})
	if s.inUnits {
		return append(list,
			ask.Forecast{Label: s.query.Say.Text("Strength"),
				Value: s.query.Say.Text("is a difference"),
				Detail: s.query.Say.Text("the difference between the means of those with a yes " +
					"and those with a no, if both groups are equally large; less otherwise")})
	}
	return append(list,
		ask.Forecast{Label: "100 %", Value: s.query.Say.Text("would be"),
			Detail: s.query.Say.Text("one half of the people with a yes, all at one end of the " +
				"range, the other half at the other end")})
}

// Judge compares how far the choice may be behind the strongest with the strongest possible
// relation and, after the release, with the released strength.
func (s *strongest) Judge(r ask.Result) ask.Verdict {
	show := func(x float64) string { return phrase.AtMost(x) + s.measure() }
	about := 100.0
	if s.inUnits {
		about = s.widest()
	}
	v := ask.Within(s.Bound(), about).Verdict()
	if r != nil && s.counted {
		out := r.(*Winner)
		return s.query.Because(out.number.against(out.number.behind), show, "the strength released")
	}
	return s.query.Because(v, show, "the strongest possible relation")
}

// widest returns the widest range among the columns.
func (s *strongest) widest() (most float64) {
	fields, _ := s.query.Role(roleFeature)
	for _, f := range fields {
		size, _ := f.Values.Size().Float64()
		step, _ := stepOf(f.Values).Float64()
		most = max(most, (size-1)*step)
	}
	return most
}

func (s *strongest) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	fields, first := s.query.Role(roleFeature)
	var columns []selection.Column
	for _, column := range valuesOf(data.Others[first : first+len(fields)]) {
		columns = append(columns, column)
	}
	found, err := s.mechanism.Release(src, columns, values(data.Others[0]), step)
	if err != nil {
		return nil, err
	}
	out := &Winner{Value: fields[found.Column].Name(s.query.Say), Score: s.scored()}
	out.Behind, out.number.behind = s.printed(s.mechanism.Behind())
	out.Behind += s.measure()
	if s.counted {
		off, err := s.mechanism.StrengthBound(found.Column)
		if err != nil {
			return nil, err
		}
		out.Count, out.number.count = s.printed(float64(found.Strength))
		out.Error, out.number.off = s.printed(float64(off))
	}
	return out, nil
}

// scored names the strength of a column.
func (s *strongest) scored() string {
	if s.inUnits {
		return s.query.Say.Text("difference, in the columns' unit")
	}
	return s.query.Say.Text("strength, %")
}

func (s *strongest) State(result ask.Result) string {
	r := result.(*Winner)
	outcome, _ := s.query.Role(ask.RoleOutcome)
	of := " " + s.query.Say.Text("of the strongest possible relation")
	if s.inUnits {
		of = " " + s.query.Say.Text("of the columns' unit")
	}
	text := s.query.Say.Format("Of the columns compared, %s goes most with %s; at most %s%s "+
		"behind the best (in 95 of 100 releases).", r.Value, outcome[0].Name(s.query.Say), r.Behind,
		of)
	if r.Count != "" {
		text += " " +
			s.query.Say.Format("Its strength is about %s%s (± %s, in 95 of 100 releases).", r.Count,
				s.measure(), r.Error)
	}
	return text
}
