package ask

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/table"
)

// Query is a recipe whose every part has been checked against the catalogue and the file's public
// facts.
type Query struct {
	Say    *message.Language // the language of its texts; nil: English
	Task   *Task
	Recipe Recipe
	Space  Space // of the main column
	// the main column's; nil where there is none, or where its texts are long
	Domain  domain.Domain
	Groups  domain.Domain   // of a public list of groups; nil: there is none
	Others  []Other         // in the recipe's order
	Epsilon privacy.Epsilon // the total that may be spent on each entry of a person
	// People is how many entries all n persons have, which is public: the number of persons, unless
	// a person has several entries (table.Use).
	People int64
	// Whole is the total that may be spent on a person.
	Whole  privacy.Epsilon
	Label  string
	Trial  bool           // it is one of many runs, to be compared with others
	Half   bool           // it learns from one half of the rows (selection.Trains)
	Taught bool           // a lesson asks it
	Shared *privacy.Delta // its δ; nil: what the recipe allows
	memory memory         // nil: nothing is remembered
}

// Prepared is a question ready to be priced and run. Everything in it is public.
type Prepared interface {
	Loss() (privacy.Loss, error)
	Algorithm() string
	Forecast() []Forecast
	// Bound is the headline error, which is not exceeded in 95 of 100 releases whatever the data
	// are; +Inf: none is known. Unit is the unit that it is measured in.
	Bound() float64
	Unit() Unit
	// Typical is the headline error on average: exact by the law of the noise, or else a rule of
	// thumb, measured on made-up data.
	Typical() (off float64, exact bool)
	Run(src coin.Source, data Data, step coin.Step) (Result, error)
	// State words the result of a run in one sentence.
	State(r Result) string
	// Judge returns the verdict on the result of a run or, for nil, on the answer to come, from
	// public facts only. Cells are the rows of the answer's table, in their order.
	Judge(r Result) Verdict
}

// Unit is the unit of a headline error.
type Unit struct {
	Text phrase.Phrase
	Of   ErrorOf
}

// InPeople returns a unit that counts people; the text has a place for their noun.
func (q *Query) InPeople(text phrase.Key) Unit { return Unit{phrase.Of(text, q.Many()), OfPeople} }

// Data holds the columns read for a question.
type Data struct {
	Main   *Column   // nil where there is none
	Group  *Column   // nil: everybody at once
	Others []*Column // the further ones, in the recipe's order
}

// Codes are the codes of a column's rows: at most one for each.
type Codes interface {
	Len() int
	Code(i int) (uint64, bool)
}

// Column is one column as it is held: for each row a code or none, or its text where codes do not
// fit 64 bits or groups are to be found. One of the first two is set.
type Column struct {
	Codes  Codes
	Texts  *table.TextColumn
	Counts []uint64 // persons that each row stands for; nil: one each

	Once *domain.Sorted // keeps sorted values for many runs; nil: nothing is kept
}

// MaxLabel is the largest length of a column's published name, in bytes.
const MaxLabel = 200

func checkLabel(field, label string) error {
	if len(label) > MaxLabel {
		return Refuse(field, phrase.Of("%d bytes long", len(label)),
			phrase.Of("at most %d bytes", MaxLabel))
	}
	return nil
}

// Prepare checks a recipe's question against the catalogue alone, for a file of this many people.
// It speaks English.
func Prepare(c Catalogue, r Recipe, people int64) (*Query, Prepared, error) {
	return newQuery(nil, c, r, people, nil)
}

// Price is the plan of a recipe's question for a file of this many people, computed from these two
// alone: a release of the question must state the same. It is in the given language; nil is
// English.
func Price(say *message.Language, c Catalogue, r Recipe, people int64) (Plan, error) {
	q, p, err := newQuery(say, c, r, people, nil)
	if err != nil {
		return Plan{}, err
	}
	return q.plan(p)
}

// newQuery checks a recipe's question; n is people.
func newQuery(say *message.Language, c Catalogue, r Recipe, people int64,
	memory memory) (*Query, Prepared, error) {
	if r.Version != RecipeVersion {
		return nil, nil,
			Refuse("version", fmt.Sprint(r.Version), phrase.Of("recipe version %d", RecipeVersion))
	}
	t, err := find(c, r.Task)
	if err != nil {
		return nil, nil, err
	}
	if err := checkLabel("label", r.Label); err != nil {
		return nil, nil, err
	}
	for _, c := range r.Filter {
		if err := checkLabel("filter", c.Label); err != nil {
			return nil, nil, err
		}
	}
	if err := t.Check(r.Params); err != nil {
		return nil, nil, err
	}
	entries := r.Use.Entries()
	if entries > 1 && t.OfAll && r.Group == nil {
		return nil, nil, Refuse("use.rows", fmt.Sprint(entries),
			phrase.Of("one row of each person, or groups: the total number of rows is secret, so "+
				"ask for the number of rows, or for a mean"))
	}
	if entries > 1 && r.Count > 0 && r.Group != nil && r.Group.Find != nil {
		return nil, nil, Refuse("use.rows", fmt.Sprint(entries),
			phrase.Of("one row of each person, or a list of groups: of counts nobody knows whose "+
				"rows name a group"))
	}
	if people > math.MaxInt64/entries {
		return nil, nil, table.ErrTooMany // unreachable: persons are fewer than 2^32
	}
	q := &Query{Say: say, Task: t, Recipe: r, People: people * entries, memory: memory}
	if q.Others, err = t.CheckOthers(r.Others); err != nil {
		return nil, nil, err
	}
	if err := q.main(); err != nil {
		return nil, nil, err
	}
	if r.Group != nil {
		if !t.ByGroup {
			return nil, nil,
				Refuse("groupColumn", phrase.Of("column %d", r.Group.Column),
					phrase.Of("no groups for this question"))
		}
		if err := checkLabel("groupColumn", r.Group.Label); err != nil {
			return nil, nil, err
		}
	}
	if q.Whole, err = privacy.ParseEpsilon(r.Epsilon); err != nil {
		return nil, nil, err
	}
	q.Epsilon = q.Whole.Part(1, entries)
	if r.Group != nil {
		if err := q.grouped(*r.Group); err != nil {
			return nil, nil, err
		}
	}
	p, err := t.Prepare(q)
	if err != nil {
		return nil, nil, err
	}
	return q, p, nil
}

// main checks the main column and makes its domain.
func (q *Query) main() (err error) {
	r := q.Recipe
	if len(q.Task.Domains) == 0 {
		if r.Column != 0 || r.Domain.Kind != "" {
			return Refuse("column", fmt.Sprint(r.Column),
				phrase.Of("0: this question has no main column"))
		}
		q.Label = strings.TrimSpace(r.Label)
		if q.Label == "" {
			q.Label = names(q.Say, q.Others)
		}
		return nil
	}
	q.Label = published(q.Say, r.Label, r.Column)
	if !slices.Contains(q.Task.Domains, r.Domain.Kind) {
		return Refuse("kind", fmt.Sprintf("%q", r.Domain.Kind),
			phrase.Of("one of %q for this question", q.Task.Domains))
	}
	if r.Domain.IsWide() && !q.Task.LongTexts {
		return Refuse("length", fmt.Sprint(r.Domain.Length),
			phrase.Of("at most 8 bytes for this question"))
	}
	if q.Space, err = NewSpace(r.Domain); err != nil {
		return err
	}
	q.Domain = q.Space.narrow
	return nil
}

// names writes the names of columns in one line.
func names(say *message.Language, fields []Other) string {
	const most = 5
	var list []string
	for i, f := range fields {
		if i == most && len(fields) > most+1 {
			return strings.Join(list, ", ") + " " + say.Format("and %d more", len(fields)-most)
		}
		list = append(list, f.Name(say))
	}
	return strings.Join(list, ", ")
}

// grouped takes over the list of groups, or leaves it to the question to find them.
func (q *Query) grouped(g Group) (err error) {
	if g.Find == nil {
		q.Groups, err = domain.New(g.Spec())
		return err
	}
	if !q.Task.FindsGroups() {
		return Refuse("groupColumn", phrase.Of("groups to be found"),
			phrase.Of("a list of groups for this question"))
	}
	if len(g.Names) > 0 {
		return Refuse("groups", phrase.Of("%d names", len(g.Names)),
			phrase.Of("no list where the groups are to be found"))
	}
	return nil
}

// groupFault marks the field of the groups where their domain is refused.
func groupFault(err error) error {
	var refused *param.Error
	if errors.As(err, &refused) {
		return Refuse("groups", refused.Value, refused.Want)
	}
	return err
}

// plan prices a prepared question.
func (q *Query) plan(p Prepared) (Plan, error) {
	loss, err := q.lossOf(p)
	if err != nil {
		return Plan{}, err
	}
	if err = q.checkTotal(loss); err != nil {
		return Plan{}, err
	}
	var off Off
	var forecast []Forecast
	var ranges string
	q.supposing(q.filled(), func() {
		off, forecast, ranges = OffOf(p), p.Forecast(), rangeOf(p)
	})
	plan := Plan{
		Task:      q.Say.Text(q.Task.Title),
		People:    q.Persons(),
		Loss:      loss,
		Guarantee: GuaranteeOf(q.Say, loss, q.Recipe),
		Algorithm: p.Algorithm(),
		Column:    q.Label,
		Forecast:  append([]Forecast{off.Forecast(q.Say, p.Unit())}, forecast...),
		Range:     ranges,
		ErrorUnit: q.Say.Phrase(p.Unit().Text), ErrorOf: p.Unit().Of,
		Off: &off,
	}
	verdict := q.before(p)
	plan.Verdict = &verdict
	if r := q.Recipe; r.Column > 0 {
		plan.Domain = q.Say.Phrase(q.Space.Describe())
	}
	for _, o := range q.Others {
		plan.Others = append(
			plan.Others,
			PlanColumn{Role: o.Role, Column: o.Name(q.Say),
				Domain: q.Say.Phrase(o.Values.Describe())})
	}
	plan.Frame = frameOf(p)
	plan.settle()
	return plan, nil
}

// settle takes out of the plan's texts what names from outside may hold and no sentence should.
func (p *Plan) settle() {
	texts := []*string{&p.Column, &p.Domain, &p.Range, &p.ErrorUnit, &p.Verdict.Text}
	for i := range p.Others {
		texts = append(texts, &p.Others[i].Column, &p.Others[i].Domain)
	}
	for i := range p.Forecast {
		f := &p.Forecast[i]
		texts = append(texts, &f.Label, &f.Value, &f.Detail)
	}
	if f := p.Frame; f != nil {
		texts = append(texts, &f.Axis, &f.Unit)
	}
	for _, text := range texts {
		*text = phrase.Settled(*text)
	}
}

// checkTotal refuses a question whose total δ, over all its parts, reaches 1/n: publishing one
// person at random, completely and in clear, has that δ. It depends on the plan's loss and on n,
// both public. A baseline in a lesson promises nothing, so it has no limit to keep.
func (q *Query) checkTotal(loss privacy.Loss) error {
	if q.Taught && !loss.Protects() || loss.Check(uint64(q.Persons())) == nil {
		return nil
	}
	field := "epsilon"
	switch group := q.Recipe.Group; {
	case group != nil && group.Find != nil:
		field = "findDelta"
	case q.takesDelta():
		field = ParamDelta
	}
	total, _ := loss.Delta().Float64()
	return Refuse(field, phrase.Of("δ = %.3g in all", total),
		phrase.Of("less than 1/%d in total (1 divided by the number of people): ask for a "+
			"smaller δ or a smaller ε, or let each person count less often",
			q.Persons()))
}

// filled is the number of entries that are assumed, before a release, to have a row.
func (q *Query) filled() int64 {
	entries, _ := q.Recipe.Use.Filled()
	return max(int64(math.Round(entries*float64(q.Persons()))), min(q.People, 1))
}

// supposing runs work as if this many entries were all there are, to find what a prepared question
// says then before its release. Afterwards q is as it was.
func (q *Query) supposing(entries int64, work func()) {
	defer func(all int64) { q.People = all }(q.People) // also where work panics
	q.People = entries
	work()
}

// before returns the verdict before a release. Where persons have several rows it assumes as many
// rows as they are known to have, or else all that count, and adds what the verdict would be with
// one row each.
func (q *Query) before(p Prepared) (v Verdict) {
	persons := q.Persons()
	q.supposing(q.filled(), func() { v = p.Judge(nil) })
	entries, known := q.Recipe.Use.Filled()
	switch {
	case entries == 1 && known:
	case known:
		v.Text += " " + q.Say.Format("This assumes that about %s rows of each person count.",
			strconv.FormatFloat(entries, 'g', 4, 64))
	default:
		var one Verdict
		q.supposing(persons, func() { one = p.Judge(nil) })
		if one.Grade != v.Grade {
			v.Text += " " + q.Say.Format("This assumes that each person has all %d rows; with "+
				"one row each it is %s.", q.Recipe.Use.Entries(), q.Say.Text(one.Grade.Words()))
		}
	}
	return v
}

// lossOf is the loss of a person from a prepared question.
func (q *Query) lossOf(p Prepared) (privacy.Loss, error) {
	loss, err := p.Loss()
	if err != nil {
		return loss, err
	}
	if loss, err = q.granted(loss); err != nil {
		return loss, err
	}
	return q.ofPerson(p, loss)
}

// granted raises a loss slightly below the ε or δ asked for to exactly those: the simpler number is
// the one to write down and publish.
func (q *Query) granted(loss privacy.Loss) (privacy.Loss, error) {
	if !loss.Protects() {
		return loss, nil // promises nothing: see checkTotal
	}
	if q.Recipe.Group != nil && q.Recipe.Group.Find != nil {
		return loss, nil // ε is divided between the groups and the answers
	}
	epsilon, known := loss.Epsilon()
	delta, err := privacy.NewDelta(loss.Delta())
	if !known || err != nil {
		return loss, err
	}
	allowed := privacy.Delta{}
	if q.takesDelta() {
		if allowed, err = q.AllowedDelta(); err != nil {
			return loss, err
		}
	}
	return raised(loss, epsilon, delta, q.Epsilon, allowed), nil
}

// Personal is a question whose loss for all rows of a person may be less than group privacy derives
// from its Loss for one entry; ok is false where it is not.
type Personal interface {
	OfPerson() (loss privacy.Loss, ok bool, err error)
}

// InGroups returns the bounds on a person's rows where these are rows in the groups by which the
// question is asked: at most k rows in each of at most g groups.
func (q *Query) InGroups() (g, k uint64, ok bool) {
	u, group := q.Recipe.Use, q.Recipe.Group
	if u == nil || group == nil || u.Groups == 0 || u.Column != group.Column {
		return 0, 0, false
	}
	return uint64(u.Groups), uint64(u.Rows), u.Entries() > 1
}

// Within returns a copy of q that may spend each on every entry, and on a person that amount for
// all entries together. each is at most what q may spend.
func (q *Query) Within(each privacy.Epsilon) (Query, error) {
	within, entries := *q, q.Recipe.Use.Entries()
	whole, err := privacy.NewEpsilon(new(big.Rat).Mul(each.Rat(), big.NewRat(entries, 1)))
	within.Epsilon, within.Whole = each, whole
	return within, err
}

// Persons is the number of persons, n.
func (q *Query) Persons() int64 { return q.People / q.Recipe.Use.Entries() }

// ofPerson derives the loss of a person, all of whose entries may change, from the loss of one
// entry by group privacy (group.md of core/privacy).
func (q *Query) ofPerson(p Prepared, each privacy.Loss) (loss privacy.Loss, err error) {
	entries := q.Recipe.Use.Entries()
	if entries == 1 || !each.Protects() {
		return each, nil
	}
	less := false
	if personal, is := p.(Personal); is {
		if loss, less, err = personal.OfPerson(); err != nil {
			return loss, err
		}
	}
	if !less {
		if loss, err = each.Group(privacy.Distance(entries)); err != nil {
			return loss, err
		}
	}
	if !loss.Protects() {
		return loss, nil
	}
	epsilon, known := loss.Epsilon()
	delta, err := privacy.NewDelta(loss.Delta())
	if !known || err != nil || q.Recipe.Group != nil && q.Recipe.Group.Find != nil {
		return loss, err
	}
	allowed := privacy.Delta{}
	if !delta.IsZero() {
		if allowed, err = q.personDelta(); err != nil {
			return loss, err
		}
	}
	return raised(loss, epsilon, delta, q.Whole, allowed), nil
}

// raised returns a loss of ε and δ, raised to the granted ε and δ where it is slightly below them.
func raised(loss privacy.Loss, epsilon *big.Rat, delta privacy.Delta, granted privacy.Epsilon,
	allowed privacy.Delta) privacy.Loss {
	near := func(x, of *big.Rat) bool {
		return x.Cmp(of) < 0 && x.Cmp(new(big.Rat).Mul(of, big.NewRat(9, 10))) > 0
	}
	nearEpsilon, nearDelta := near(epsilon, granted.Rat()), near(delta.Rat(), allowed.Rat())
	if !nearEpsilon && (!nearDelta || epsilon.Cmp(granted.Rat()) != 0) {
		return loss
	}
	if nearDelta {
		delta = allowed
	}
	return loss.Raised(granted, delta)
}

// CheckPersons refuses more people than algorithms on sorted codes can count.
func (q *Query) CheckPersons(most int64) error {
	if q.People > most {
		return Refuse("count", fmt.Sprint(q.People),
			phrase.Of("at most %d people for this question", most))
	}
	return nil
}
