package task

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/privacy"
)

// query is a recipe whose every part has been checked against the catalogue and the file's public facts.
type query struct {
	task    *Task
	recipe  Recipe
	domain  domain.Domain
	groups  domain.Domain // nil: everybody at once
	epsilon privacy.Epsilon
	people  int64 // n, public
	label   string
}

// prepared is a question ready to be priced and run. Everything in it is public.
type prepared interface {
	loss() (privacy.Loss, error)
	algorithm() string
	forecast() []Forecast
	// bound is the headline error of forecast, at 95 %, and unit what it is measured in.
	bound() float64
	unit() string
	run(src coin.Source, data data, step coin.Step) (Answer, error)
	// state says the answer in one sentence.
	state(a Answer) string
}

// data is what was read for a question. groups is nil where it is about everybody.
type data struct{ values, groups basic.Values }

const maxLabel = 200

// newQuery checks a recipe's question; n is people.
func newQuery(r Recipe, people int64) (*query, prepared, error) {
	if r.Version != RecipeVersion {
		return nil, nil, refuse("version", fmt.Sprint(r.Version), fmt.Sprintf("recipe version %d", RecipeVersion))
	}
	t, err := find(r.Task)
	if err != nil {
		return nil, nil, err
	}
	if len(r.Label) > maxLabel {
		return nil, nil, refuse("label", fmt.Sprintf("%d bytes long", len(r.Label)), fmt.Sprintf("at most %d bytes", maxLabel))
	}
	if err := t.check(r.Params); err != nil {
		return nil, nil, err
	}
	q := &query{task: t, recipe: r, people: people, label: strings.TrimSpace(r.Label)}
	if q.label == "" {
		q.label = fmt.Sprintf("column %d", r.Column)
	}
	if !slices.Contains(t.Domains, r.Domain.Kind) {
		return nil, nil, refuse("kind", fmt.Sprintf("%q", r.Domain.Kind), fmt.Sprintf("one of %q for this question", t.Domains))
	}
	if q.domain, err = domain.New(r.Domain); err != nil {
		return nil, nil, err
	}
	if r.Group != nil {
		if !t.ByGroup {
			return nil, nil, refuse("groupColumn", fmt.Sprintf("column %d", r.Group.Column), "no groups for this question")
		}
		if q.groups, err = domain.New(r.Group.spec()); err != nil {
			return nil, nil, err
		}
	}
	if q.epsilon, err = privacy.ParseEpsilon(r.Epsilon); err != nil {
		return nil, nil, err
	}
	p, err := t.prepare(q)
	if err != nil {
		return nil, nil, err
	}
	return q, p, nil
}

// groupFault marks the field of the groups where their domain is refused.
func groupFault(err error) error {
	var refused *param.Error
	if errors.As(err, &refused) {
		return refuse("groups", refused.Value, refused.Want)
	}
	return err
}

// param returns a parameter's text, or its default.
func (q *query) param(name string) string { return q.task.get(q.recipe.Params, name) }

// plan prices a prepared question.
func (q *query) plan(p prepared) (Plan, error) {
	loss, err := p.loss()
	if err != nil {
		return Plan{}, err
	}
	return Plan{
		Task:      q.task.Title,
		People:    q.people,
		Loss:      loss,
		Guarantee: guarantee(loss, q.recipe),
		Algorithm: p.algorithm(),
		Column:    q.label,
		Domain:    q.domain.Describe(),
		Forecast:  p.forecast(),
		ErrorUnit: p.unit(),
	}, nil
}

// percentOf writes part of all as a percentage with a sensible number of digits.
func percentOf(part, all int64) string {
	if all == 0 {
		return "–"
	}
	p := 100 * float64(part) / float64(all)
	switch {
	case p >= 100:
		return "more than everyone"
	case p >= 10:
		return fmt.Sprintf("%.0f %%", p)
	case p >= 0.01:
		return fmt.Sprintf("%.2g %%", p)
	}
	return "under 0.01 %"
}

// people writes a number of persons.
func people(n int64) string {
	if n == 1 {
		return "1 person"
	}
	return fmt.Sprintf("%d people", n)
}
