package task

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/param"
	"hush/core/privacy"
)

// query is a recipe whose every part has been checked against the catalogue and the file's public facts.
type query struct {
	task    *Task
	recipe  Recipe
	space   space           // of the main column
	domain  domain.Domain   // of the main column; nil where there is none, or where its texts are long
	groups  domain.Domain   // of a public list of groups; nil: there is none
	finding *finding        // of the groups; nil: they are not searched for
	others  []other         // in the recipe's order
	epsilon privacy.Epsilon // for the answer: without what the finding costs
	people  int64           // n, public
	label   string
	many    bool           // it is one of many runs, to be compared with others
	taught  bool           // a lesson asks it
	shared  *privacy.Delta // its δ; nil: what the recipe allows
	memory  memory         // nil: nothing is remembered
}

// prepared is a question ready to be priced and run. Everything in it is public.
type prepared interface {
	loss() (privacy.Loss, error)
	algorithm() string
	forecast() []Forecast
	// bound is the headline error of forecast, at 95 %, and unit what it is measured in.
	bound() float64
	unit() unit
	run(src coin.Source, data data, step coin.Step) (Result, error)
	// state says in one sentence what run returned.
	state(r Result) string
}

// unit is what a headline error is measured in.
type unit struct {
	text string
	of   ErrorOf
}

func inPeople(text message.Key) unit { return unit{message.Text(text), OfPeople} }

// data is what was read for a question: for each row a code of each column, or none.
type data struct {
	held                         // the main column, to be sorted
	values  basic.Values         // of the main column; nil where there is none, or where its texts are long
	groups  basic.Values         // by a public list; nil: there is none
	labels  basic.Labels[string] // the groups' names, where groups are to be found
	others  []basic.Values       // of the further columns, in the recipe's order
	columns []held               // the same, to be sorted
}

// MaxLabel is how many bytes the name has at most under which a column is published.
const MaxLabel = 200

// newQuery checks a recipe's question; n is people.
func newQuery(r Recipe, people int64, memory memory) (*query, prepared, error) {
	if r.Version != RecipeVersion {
		return nil, nil, refuse("version", fmt.Sprint(r.Version), message.Format("recipe version %d", RecipeVersion))
	}
	t, err := find(r.Task)
	if err != nil {
		return nil, nil, err
	}
	if len(r.Label) > MaxLabel {
		return nil, nil, refuse("label", message.Format("%d bytes long", len(r.Label)), message.Format("at most %d bytes", MaxLabel))
	}
	if err := t.check(r.Params); err != nil {
		return nil, nil, err
	}
	q := &query{task: t, recipe: r, people: people, memory: memory}
	if q.others, err = t.checkOthers(r.Others); err != nil {
		return nil, nil, err
	}
	if err := q.main(); err != nil {
		return nil, nil, err
	}
	if r.Group != nil {
		if !t.ByGroup {
			return nil, nil, refuse("groupColumn", message.Format("column %d", r.Group.Column), message.Text("no groups for this question"))
		}
	}
	if q.epsilon, err = privacy.ParseEpsilon(r.Epsilon); err != nil {
		return nil, nil, err
	}
	if r.Group != nil {
		if err := q.grouped(*r.Group); err != nil {
			return nil, nil, err
		}
	}
	prepare := t.prepare
	if q.tries() {
		prepare = prepareTuned
	}
	p, err := prepare(q)
	if err != nil {
		return nil, nil, err
	}
	return q, p, nil
}

// main checks the main column.
func (q *query) main() (err error) {
	r := q.recipe
	if len(q.task.Domains) == 0 {
		if r.Column != 0 || r.Domain.Kind != "" {
			return refuse("column", fmt.Sprint(r.Column), message.Text("0: this question has no main column"))
		}
		q.label = strings.TrimSpace(r.Label)
		if q.label == "" {
			q.label = names(q.others)
		}
		return nil
	}
	q.label = published(r.Label, r.Column)
	if !slices.Contains(q.task.Domains, r.Domain.Kind) {
		return refuse("kind", fmt.Sprintf("%q", r.Domain.Kind), message.Format("one of %q for this question", q.task.Domains))
	}
	if r.Domain.IsWide() && !q.task.LongTexts {
		return refuse("length", fmt.Sprint(r.Domain.Length), message.Text("at most 8 bytes for this question"))
	}
	if q.space, err = newSpace(r.Domain); err != nil {
		return err
	}
	q.domain = q.space.narrow
	return nil
}

// names lists columns in a line.
func names(fields []other) string {
	const most = 5
	var list []string
	for i, f := range fields {
		if i == most && len(fields) > most+1 {
			return strings.Join(list, ", ") + " " + message.Format("and %d more", len(fields)-most)
		}
		list = append(list, f.name())
	}
	return strings.Join(list, ", ")
}

// grouped takes the list of groups, or prepares to find them.
func (q *query) grouped(g Group) (err error) {
	if g.Find == nil {
		q.groups, err = domain.New(g.spec())
		return err
	}
	if len(g.Names) > 0 {
		return refuse("groups", message.Format("%d names", len(g.Names)), message.Text("no list where the groups are to be found"))
	}
	q.finding, q.epsilon, err = newFinding(*g.Find, q.epsilon, q.people)
	return err
}

// groupFault marks the field of the groups where their domain is refused.
func groupFault(err error) error {
	var refused *param.Error
	if errors.As(err, &refused) {
		return refuse("groups", refused.Value, refused.Want)
	}
	return err
}

// plan prices a prepared question.
func (q *query) plan(p prepared) (Plan, error) {
	loss, err := p.loss()
	if err != nil {
		return Plan{}, err
	}
	loss, err = q.granted(loss)
	if err != nil {
		return Plan{}, err
	}
	plan := Plan{
		Task:      message.Text(q.task.Title),
		People:    q.people,
		Loss:      loss,
		Guarantee: guarantee(loss, q.recipe),
		Algorithm: p.algorithm(),
		Column:    q.label,
		Forecast:  p.forecast(),
		ErrorUnit: p.unit().text, ErrorOf: p.unit().of,
	}
	if r := q.recipe; r.Column > 0 {
		plan.Domain = q.space.describe()
	}
	for _, o := range q.others {
		plan.Others = append(plan.Others, PlanColumn{Role: o.Role, Column: o.name(), Domain: message.Said(o.domain.Describe())})
	}
	return plan, nil
}

// granted raises a loss that is a little below the ε or δ asked for to that: the simpler number is what is written down and published.
func (q *query) granted(loss privacy.Loss) (privacy.Loss, error) {
	if !loss.Protects() && q.taught {
		return loss, nil // of a baseline in a lesson, which promises nothing
	}
	epsilon, known := loss.Epsilon()
	delta, err := privacy.NewDelta(loss.Delta())
	if !known || err != nil {
		return loss, err
	}
	granted, allowed := q.epsilon, privacy.Delta{}
	if slices.ContainsFunc(q.task.Params, func(p Param) bool { return p.Name == paramDelta }) {
		if allowed, err = q.allowedDelta(); err != nil {
			return loss, err
		}
	}
	near := func(x, of *big.Rat) bool { return x.Cmp(of) < 0 && x.Cmp(new(big.Rat).Mul(of, big.NewRat(9, 10))) > 0 }
	nearEpsilon, nearDelta := near(epsilon, granted.Rat()), near(delta.Rat(), allowed.Rat())
	if !nearEpsilon && (!nearDelta || epsilon.Cmp(granted.Rat()) != 0) {
		return loss, nil
	}
	if nearDelta {
		delta = allowed
	}
	return privacy.ApproximateLoss(granted, delta), nil
}

// percentOf writes part of all as a percentage with a sensible number of digits.
func percentOf(part, all int64) string {
	if all == 0 {
		return "–"
	}
	p := 100 * float64(part) / float64(all)
	switch {
	case p >= 100:
		return message.Text("more than everyone")
	case p >= 10:
		return fmt.Sprintf("%.0f %%", p)
	case p >= 0.01:
		return fmt.Sprintf("%.2g %%", p)
	}
	return message.Text("under 0.01 %")
}

// people writes a number of persons.
func people(n int64) string { return message.Count(n, "1 person", "%s people", message.Grouped(n)) }
