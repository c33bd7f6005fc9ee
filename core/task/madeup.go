package task

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/density"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/table"
)

// MadeUp holds a released distribution for each of some columns, from which rows are made up.
type MadeUp struct {
	Columns []MadeUpColumn `json:"columns"` // in the recipe's order
	People  int64          `json:"people"`
}

// MadeUpColumn is a column with its distribution.
type MadeUpColumn struct {
	Name    string  `json:"name"`
	Density Density `json:"density"`
	// Missing is the part of made-up rows without a value, in millionths; 0 where everybody may
	// have one.
	Missing int64 `json:"missing,omitempty"`
}

// Lost states, as a sentence, what made-up rows do not show.
const Lost phrase.Key = "Each column is made up separately: relations between columns are lost."

const (
	roleColumn     = "column"
	mostMadeUp     = 16 // columns
	mostCategories = 200
)

var madeUpTask = ask.Task{
	ID:       "madeup",
	Title:    "Made-up data",
	Question: "What would such a file look like with nobody in it?",
	Sentence: "What would made-up {many} look like, by {column}?",
	Heading:  "Made-up {many} by {column}",
	Synonyms: "synthetic data, fake data, test data, sample, simulated",
	Answer: "as many made-up rows as you like, each column distributed about as in the data, " +
		"and these distributions",
	Algorithm: "a private distribution of each column; made-up rows drawn from them",
	How: "Divides the privacy loss evenly among the columns, and gives each a distribution " +
		"of its own, by the algorithm that suits its number of possible values. " +
		"Rows drawn from these contain nobody's data and may be published, as many as you like. " +
		Lost,
	Simple: "A histogram of each column is the simple mechanism, used for columns with few " +
		"values. Made-up rows lose relations between columns: ask for the figure that you want.",
	Source: "Diakonikolas, Hardt, Schmidt 2015; Hay, Rastogi, Miklau, Suciu 2010",
	Limits: "Each column is made up separately, so these rows lose relations in the data. Rare " +
		"values are missing, or made up.",
	Judged: "Before release: the error of counts in the worst column against a quarter of n; " +
		"left open if equal numbers of people at each value would give another verdict. After: " +
		"also each range's error against the people in it; noise if most ranges are.",
	Others: []ask.Role{{
		Name: roleColumn, Label: "values to make up", Help: "The columns of the made-up file, in " +
			"their order. Each takes an equal part of the privacy loss, so leave out any that " +
			"you do not need.",
		Domains: []domain.Kind{domain.Integer, domain.Decimal, domain.Float64, domain.Date,
			domain.Timestamp, domain.Category}, Min: 1, Max: mostMadeUp, Usual: mostMadeUp,
	}},
	Params: []ask.Param{statedParam},
	Example: &ask.Example{Sample: "clinic", Recipe: ask.Recipe{Others: []ask.Field{
		{Role: roleColumn, Column: 1, Label: "age",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"}},
		{Role: roleColumn, Column: 2, Label: "wait_minutes",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "300"}},
		{Role: roleColumn, Column: 3, Label: "district", Domain: districts},
	}}},
	Films:    []string{"laplace", "merr"},
	Costs:    ask.Costs{"": "density.MadeUp"},
	Inexact:  "made-up rows are drawn anew, each column for itself",
	Unframed: "several densities: how high they are, only the data tell",
	Prepare:  prepareMadeUp,
}

// madeUp asks for the distribution of each column, with an equal part of ε.
type madeUp struct {
	query     *ask.Query
	columns   []*densityQuery
	mechanism *density.MadeUp
	off       *certificate // for all columns at once
	worst     bool         // the typical error is that of the worst column by itself
}

func prepareMadeUp(asked *ask.Query) (ask.Prepared, error) {
	if err := asked.CheckPersons(maxTree); err != nil {
		return nil, err
	}
	off, q, err := certified(asked, everyCount)
	if err != nil {
		return nil, err
	}
	m, learners := &madeUp{query: asked, off: off}, []density.Learner(nil)
	for i, f := range q.Others {
		one := *q
		one.Task, one.Label, one.Epsilon = &densityTask, f.Name(q.Say),
			q.Epsilon.Part(1, int64(len(q.Others)))
		one.Recipe.Domain, one.Recipe.Params = f.Field.Domain,
			ask.Params{paramGoal: string(density.Density)}
		var err error
		if one.Space, err = ask.NewSpace(f.Field.Domain); err != nil {
			return nil, ask.OtherFault(i, err)
		}
		one.Domain = one.Space.Codes()
		if f.Field.Domain.Kind == domain.Category {
			// Neighbours on a list have nothing in common, so each category is counted.
			n := len(f.Field.Domain.Categories)
			if n > mostCategories {
				return nil, ask.Refuse(ask.OtherField(i, "categories"), phrase.Of("%d of them", n),
					phrase.Of("at most %d for made-up data", mostCategories))
			}
			one.Recipe.Params[paramMethod], one.Recipe.Params[paramPieces] = "histogram",
				strconv.Itoa(n)
		}
		p, err := newDensity(&one, nil)
		if err != nil {
			return nil, ask.OtherFault(i, err)
		}
		column := p.(*densityQuery)
		column.most = max(mostCells, mostCounted/len(q.Others)) // all columns are drawn at once
		m.columns, learners = append(m.columns, column), append(learners, column.chosen)
	}
	m.mechanism, err = density.NewMadeUp(density.MadeUpParams{Learners: learners})
	return m, err
}

func (m *madeUp) Loss() (privacy.Loss, error) { return m.off.with(m.mechanism.Loss(1)) }

func (m *madeUp) Algorithm() string {
	var list []string
	for _, c := range m.columns {
		list = append(list, c.query.Label+": "+c.Algorithm())
	}
	return strings.Join(list, "; ")
}

func (m *madeUp) Bound() float64 {
	worst := 0.0
	for _, c := range m.columns {
		worst = math.Max(worst, c.Bound())
	}
	return worst
}

// Typical is about the largest error of all columns, which is larger than that of the worst by
// itself: of k that vary by half of their mean each, by 0.3·√(2·ln k) of it.
func (m *madeUp) Typical() (off float64, exact bool) {
	for _, c := range m.columns {
		one, _ := c.Typical()
		off = math.Max(off, one)
	}
	if m.worst {
		return off, false
	}
	off *= 1 + 0.3*math.Sqrt(2*math.Log(float64(len(m.columns))))
	return min(off, m.Bound(), float64(m.query.People)), false
}

// As is the question with the typical error that a plan states: until 29 November 2026 it was that
// of the worst column by itself.
func (m *madeUp) As(plan ask.Plan, _ ask.Result) ask.Prepared {
	before := *m
	before.worst = true
	off, _ := before.Typical()
	if plan.Off == nil || math.Abs(plan.Off.Typical-off) <= 1e-9*off {
		return &before
	}
	return m
}

func (m *madeUp) Unit() ask.Unit {
	return m.query.InPeople("%s in any count of a column")
}

func (m *madeUp) Forecast() []ask.Forecast {
	n := m.query.People
	list := append(m.off.forecast(m.query, m), []ask.Forecast{
		{Label: m.query.Say.Text("What is lost"), Value: m.query.Say.Text("relations between " +
			"columns"),
			Detail: m.query.Say.Text(Lost)},
		{Label: m.query.Say.Text("Each column has"),
			Value: epsilonText(m.columns[0].query.Epsilon.Float64()),
			Detail: m.query.Say.Format("an equal part of the ε spent, for %s",
				m.query.Say.Count(int64(len(m.columns)), "one column", "%d columns",
					len(m.columns)))},
	}...)
	for _, c := range m.columns {
		off := withinOf(c.chosen, n)
		list = append(list,
			ask.Forecast{Label: Capital(c.query.Label),
				Value: "± " + m.query.Count(off),
				Detail: m.query.Say.Format(
					"in a count up to a value, where it is measured, by %s; in 95 of 100 releases",
					c.chosen.Name())})
	}
	return list
}

// Judge returns the verdict on the worst column, judged as a distribution; it is no better than
// most rows.
func (m *madeUp) Judge(r ask.Result) ask.Verdict {
	about := float64(m.query.People) / 4
	v := m.off.expected(m, about).Verdict()
	if r == nil {
		return m.expected(v)
	}
	v = m.off.stated(m, r.(*MadeUp).Columns[0].Density.Error, about).Verdict()
	var people []float64
	for i, c := range r.(*MadeUp).Columns {
		v.Cells = append(v.Cells, m.columns[i].cells(&c.Density)...)
		for _, cell := range c.Density.Cells {
			people = append(people, cell.People)
		}
		if c.Missing > 0 {
			v.Cells = append(v.Cells,
				ask.Judge(m.columns[i].within(&c.Density),
					missingPeople(c.Missing, m.query.People)))
		}
	}
	all := v.Grade
	if v = v.ByRows(); v.Grade != all { // a further release is judged by its rows, too
		slices.Sort(people)
		v = v.Expecting(people[len(people)/2])
	}
	return m.query.Because(v, m.query.CountUp, againstQuarter)
}

// expected returns the verdict before a release. The number of ranges in a column depends on the
// people; where each value may be a range, only the least size of a range that exceeds the noise is
// known.
func (m *madeUp) expected(v ask.Verdict) ask.Verdict {
	narrowest := float64(m.query.People)
	for _, c := range m.columns {
		size, _ := new(big.Float).SetInt(c.query.Domain.Size()).Float64()
		narrowest = min(narrowest, float64(m.query.People)/size)
	}
	said := m.query.Because(v, m.query.CountUp, againstQuarter)
	if v.Error < 0 || v.Grade == ask.Noise || ask.Judge(v.Error, narrowest) == v.Grade {
		return said
	}
	said.Grade = ask.Unknown
	said.Text = m.query.Say.Format("Off by up to %s in any count up to a value: a range that has "+
		"fewer than %s is mostly noise.", m.query.CountUp(v.Error), m.query.CountUp(2*v.Error))
	return said
}

func (m *madeUp) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	releases, err := m.mechanism.Release(src, func(i int, step coin.Step) (domain.Sorted, error) {
		return sorted(data.Others[i], step)
	}, step)
	if err != nil {
		return nil, err
	}
	out := &MadeUp{People: m.query.People}
	for i, c := range m.columns {
		shaped, err := c.shaped(releases[i])
		if err != nil {
			return nil, err
		}
		d := c.write(shaped)
		written, _, err := d.distribution(c.query.Recipe.Domain)
		if err != nil {
			return nil, err
		}
		out.Columns = append(out.Columns,
			MadeUpColumn{Name: c.query.Label, Density: *d, Missing: written.Missing()})
	}
	if m.off == nil {
		return out, nil
	}
	return out, m.certify(src, out, data, step)
}

// certify measures the largest error of all columns.
func (m *madeUp) certify(src coin.Source, out *MadeUp, data ask.Data, step coin.Step) error {
	largest := int64(0)
	for i, c := range m.columns {
		codes, err := sorted(data.Others[i], blindly(step))
		if err != nil {
			return err
		}
		gap, err := c.gap(&out.Columns[i].Density, codes, step)
		if err != nil {
			return err
		}
		largest = max(largest, gap)
	}
	off := m.off.release(src, largest, m.query.People)
	for i, c := range m.columns {
		if err := c.certify(&out.Columns[i].Density, off); err != nil {
			return err
		}
	}
	return nil
}

// Synthetic returns a CSV file of made-up rows under the columns' names, in the columns' own
// notation, each cell drawn independently from its column's release; r is the recipe of the
// release. It costs nothing. The refusals are for the field "rows".
func (m *MadeUp) Synthetic(say *message.Language, src coin.Source, r ask.Recipe,
	rows string) (string, error) {
	n, err := strconv.Atoi(strings.TrimSpace(rows))
	if most := MostSynthetic / max(len(m.Columns), 1); err != nil || n < 1 || n > most {
		return "", ask.Refuse("rows", fmt.Sprintf("%.20q", rows),
			phrase.Of("a whole number from 1 to %d", most))
	}
	if len(r.Others) != len(m.Columns) {
		return "", ask.Refuse("others", fmt.Sprint(len(r.Others)),
			phrase.Of("the %d columns of the release", len(m.Columns)))
	}
	head, spaces := make([][]byte, len(m.Columns)), make([]ask.Space, len(m.Columns))
	releases, missing := make([]*density.Distribution, len(m.Columns)),
		make([]int64, len(m.Columns))
	for i := range m.Columns {
		c := &m.Columns[i]
		head[i], missing[i] = []byte(ask.Defuse(c.Name)), c.Missing
		if releases[i], spaces[i], err = c.Density.distribution(r.Others[i].Domain); err != nil {
			return "", err
		}
	}
	drawn, err := density.DrawRows(src, releases, missing, n)
	if err != nil {
		return "", err
	}
	file := table.AppendRow(nil, head, ',')
	for _, codes := range drawn {
		row := make([][]byte, len(codes))
		for i, code := range codes {
			if code != nil {
				cell := spaces[i].Show(say, code)
				if r.Others[i].Domain.Kind == domain.Category {
					// other kinds: only numbers start like formulas
					cell = ask.Defuse(cell)
				}
				row[i] = []byte(cell)
			}
		}
		file = table.AppendRow(file, row, ',')
	}
	return string(file), nil
}

func (m *madeUp) State(result ask.Result) string {
	var list []string
	for _, c := range result.(*MadeUp).Columns {
		list = append(list, c.Name)
	}
	return m.query.Say.Format(
		"Rows of %s can be made up that hold nobody's data. %s",
		strings.Join(list, ", "), m.query.Say.Text(Lost))
}

// missingPeople is the number of people without a value.
func missingPeople(millionths, people int64) float64 {
	return float64(millionths) / density.Millionths * float64(people)
}

// Kind is "madeup".
func (*MadeUp) Kind() string { return "madeup" }

// Table lists the ranges of each column, one row for each.
func (m *MadeUp) Table(say ask.Voice, _ string) [][]string {
	rows := [][]string{{say.Text("column"), say.Text("from"), say.Text("to"), say.Many()}}
	for _, c := range m.Columns {
		for _, cell := range c.Density.Cells {
			rows = append(rows,
				[]string{c.Name, cell.First, cell.Last,
					fmt.Sprintf("%.0f", math.Round(cell.People))})
		}
		if c.Missing > 0 {
			rows = append(rows,
				[]string{c.Name, say.Text("no value"), "",
					fmt.Sprintf("%.0f", math.Round(missingPeople(c.Missing, m.People)))})
		}
	}
	return rows
}
