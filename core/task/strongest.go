package task

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// covarianceSteps is how many parts a column's range has when its values are multiplied.
const covarianceSteps = 1024

var strongestTask = Task{
	ID:        "strongest",
	Title:     "Strongest relation",
	Question:  "Which column has most to do with a yes or no?",
	Answer:    "the name of one column, and how strongly it goes with the answer",
	Algorithm: "permute and flip over absolute covariances",
	How: "For each column, how much higher its values are among those with a yes than among those with a no is worked out, on a scale on which nobody counts more than one person. " +
		"One column is drawn at random, and each person's worth of relation less makes it less likely by the same factor.",
	Simple: "The exponential mechanism would be the simple one. Permute and flip is as simple, and never worse at the same ε.",
	Source: "McKenna, Sheldon 2020; Liu, Talwar 2019",
	Others: []Role{
		{
			Name: roleOutcome, Label: "the yes or no", Help: "List two categories: first what counts as yes, then what counts as no.",
			Domains: []domain.Kind{domain.Category}, Min: 1, Max: 1, Values: 2,
		},
		{
			Name: roleFeature, Label: "the value to compare", Help: "Two or more columns of numbers or times, of which one is chosen. A value counts by its place in the whole range, so choose ranges no wider than needed.",
			Domains: []domain.Kind{domain.Integer, domain.Decimal, domain.Date, domain.Timestamp}, Min: 2, Max: 32,
		},
	},
	Params: []Param{countParam},
	Example: &Example{"clinic", Recipe{Others: []Field{
		{Role: roleOutcome, Column: 4, Label: "department", Domain: domain.Spec{Kind: domain.Category, Categories: []string{"heart", "children"}}},
		{Role: roleFeature, Column: 1, Label: "age", Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"}},
		{Role: roleFeature, Column: 2, Label: "wait_minutes", Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "300"}},
		{Role: roleFeature, Column: 5, Label: "visits", Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "40"}},
	}}},
	Films:   []string{"flip"},
	prepare: prepareStrongest,
}

// strongest chooses a column by the absolute covariance with the outcome: see strongest.md.
type strongest struct {
	query  *query
	choice *mechanism.PermuteAndFlip
	score  *mechanism.Laplace // nil: none
}

func prepareStrongest(q *query) (prepared, error) {
	if err := q.checkPersons(1 << 32); err != nil {
		return nil, err
	}
	fields, first := q.role(roleFeature)
	for i, f := range fields {
		if _, err := smallSize(f.domain); err != nil {
			return nil, at(first+i, err)
		}
	}
	s, epsilon := &strongest{query: q}, q.epsilon
	var err error
	if q.flag(paramCounted) {
		if s.score, err = mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: q.epsilon.Part(1, 4), L1Sensitivity: covarianceSteps}); err != nil {
			return nil, err
		}
		epsilon = q.epsilon.Part(3, 4)
	}
	s.choice, err = mechanism.NewPermuteAndFlip(mechanism.PermuteAndFlipParams{Epsilon: epsilon, Sensitivity: covarianceSteps})
	return s, err
}

func (s *strongest) loss() (privacy.Loss, error) {
	loss, err := s.choice.Loss(1)
	if err != nil || s.score == nil {
		return loss, err
	}
	score, err := s.score.Loss(1)
	return loss.Plus(score), err
}

func (s *strongest) algorithm() string { return strongestTask.Algorithm }

// strength writes a score of the mechanism as the covariance in percent of the largest possible one: that of half of the people with a yes,
// at the upper end of the range, and the others at its lower end, n/4.
func (s *strongest) strength(steps int64) string {
	return fmt.Sprintf("%.2g", s.percent(steps))
}

func (s *strongest) percent(steps int64) float64 {
	return 100 * math.Max(0, float64(steps)) / covarianceSteps / (float64(max(s.query.people, 1)) / 4)
}

func (s *strongest) behind() int64 {
	fields, _ := s.query.role(roleFeature)
	return s.choice.ErrorBound(basic.Beta, big.NewInt(int64(len(fields))))
}

func (s *strongest) bound() float64 { return s.percent(s.behind()) }
func (s *strongest) unit() string   { return "% of the strongest possible relation" }

func (s *strongest) forecast() []Forecast {
	list := []Forecast{{"Behind the strongest by at most", s.strength(s.behind()) + " %", "of the strongest possible relation, in 95 of 100 releases"}}
	if s.score != nil {
		list = append(list, Forecast{"Its strength", "± " + s.strength(s.score.ErrorBound(basic.Beta)) + " %", "in 95 of 100 releases"})
	}
	return append(list, Forecast{"100 %", "would be", "one half of the people with a yes, all at one end of the range, the other half at the other end"})
}

func (s *strongest) run(src coin.Source, data data, step coin.Step) (Result, error) {
	fields, first := s.query.role(roleFeature)
	scores := make([]int64, len(fields))
	for i, f := range fields {
		size, err := smallSize(f.domain)
		if err != nil {
			return nil, err // unreachable: it was checked
		}
		if scores[i], err = covariance(data.others[first+i], data.others[0], size, s.query.people, step); err != nil {
			return nil, err
		}
	}
	i, err := s.choice.Release(src, scores, nil)
	if err != nil {
		return nil, err
	}
	out := &Winner{Value: fields[i].name(), Behind: s.strength(s.behind()) + " %", Score: "strength, %"}
	if s.score != nil {
		out.Count, out.Error = s.strength(s.score.Noise().AddTo(src, scores[i])), s.strength(s.score.ErrorBound(basic.Beta))
	}
	return out, nil
}

// covariance is ⌊|m·Σxy − Σx·Σy|/n⌋ over the m persons with both, x in 1024 parts of a range of size values and y 1 for the first category, else
// 0. One person moves it by at most 1024 (strongest.md).
func covariance(feature, outcome basic.Values, size uint64, n int64, step coin.Step) (int64, error) {
	weights, _ := feature.(basic.Counted)
	var m, x, y, xy int64
	for i := range feature.Len() {
		if step != nil && i%(1<<18) == 0 {
			if err := step(0, 1); err != nil {
				return 0, err
			}
		}
		persons := int64(1)
		if weights != nil {
			persons = int64(min(weights.Persons(i), 1<<32))
		}
		code, known := feature.Code(i)
		answer, answered := outcome.Code(i)
		if !known || !answered {
			continue
		}
		part := covarianceSteps * persons
		if size > 1 {
			hi, lo := bits.Mul64(min(code, size-1), covarianceSteps)
			whole, _ := bits.Div64(hi, lo, size-1)
			part = int64(whole) * persons
		}
		m, x = m+persons, x+part
		if answer == 0 {
			y, xy = y+persons, xy+part
		}
	}
	product := new(big.Int).Mul(big.NewInt(m), big.NewInt(xy))
	product.Sub(product, new(big.Int).Mul(big.NewInt(x), big.NewInt(y))).Abs(product)
	return product.Quo(product, big.NewInt(max(n, 1))).Int64(), nil
}

func (s *strongest) state(result Result) string {
	r := result.(*Winner)
	outcome, _ := s.query.role(roleOutcome)
	text := fmt.Sprintf("Of the columns compared, %s goes most with %s; at most %s of the strongest possible relation behind the best (in 95 of 100 releases).", r.Value, outcome[0].name(), r.Behind)
	if r.Count != "" {
		text += fmt.Sprintf(" Its strength is about %s %% (± %s, in 95 of 100 releases).", r.Count, r.Error)
	}
	return text
}
