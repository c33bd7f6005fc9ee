package task

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/joint"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
	queries "hush/core/query"
	"hush/core/table"
)

// Joint holds made-up rows of several columns that keep the relations between them, and the noisy
// tables of pairs that they were fitted to.
type Joint struct {
	// Axes are the columns; the last place of each is for people without a value.
	Axes  []Axis       `json:"axes"`
	Model *joint.Model `json:"model"`
	// Accepted are the criteria that the rows meet; nil: there were none.
	Accepted *Accepted `json:"accepted,omitempty"`

	tables  []*ContingencyTable // made when they are first needed, as columns
	columns map[int]*columnSums
	pairs   *joint.Pairs  // of one that was reopened, as spans
	spans   [][]valueSpan // the range of numbers of each column's places
}

// Accepted states the criteria that made-up rows had to meet to be released, and met: never by how
// much.
type Accepted struct {
	Criteria []string `json:"criteria"` // as they were written, one for each line
	Ways     int      `json:"ways"`     // how many were tried
	Way      string   `json:"way"`      // the one that made these rows
}

// check refuses results that no search releases.
func (a *Accepted) check() error {
	if len(a.Criteria) == 0 || a.Ways < 1 {
		return ask.Refuse("accepted", phrase.Of("%d criteria and %d ways", len(a.Criteria), a.Ways),
			phrase.Of("at least one of each"))
	}
	return nil
}

// valueSpan is the first and the last number of a place; NaN where it has none.
type valueSpan struct{ first, last float64 }

func (s valueSpan) middle() float64 { return (s.first + s.last) / 2 }

// What such rows do not show, in sentences.
const (
	OnlyPairs phrase.Key = "Two columns go together as in the data, but for noise. What only " +
		"three or more show was not measured: do not look for it in these rows."
	OnlyChosen phrase.Key = "The pairs that were counted go together as in the data, but for " +
		"noise. Other pairs, and what only three or more columns show, were not measured: do " +
		"not look for them in these rows."
)

// keeps returns the sentence for this many pairs of some columns.
func keeps(columns, pairs int) phrase.Key {
	if pairs < columns*(columns-1)/2 {
		return OnlyChosen
	}
	return OnlyPairs
}

const jointTitle phrase.Key = "Made-up data that keeps what goes together"

var roleKept = ask.Role{
	Name: "kept", Label: "a column to keep",
	Help: "The columns of the made-up file, in their order. Each category is a place, and so is " +
		"each bin of numbers or dates. Lists, bounds and cut points are public.",
	Domains: binnedKinds, Min: 2, Max: joint.MostColumns, Cuts: true, Binned: true,
}

const mostJoined = 1 << 28 // places of all people together

// joined is a question with the tables from which it will be answered.
type joined struct {
	query  *ask.Query
	cells  cells
	of     [][2]int // the pairs of columns that are counted
	size   int      // cells of all their tables
	pairs  *joint.Pairs
	params joint.PairsParams // parameters of the tables of pairs
	loss   privacy.Loss
	each   float64 // the mean error of a count
}

// by returns the question with its loss divided among the tables by these parameters.
func (j joined) by(of joint.PairsParams) (*joined, error) {
	j.params = of
	var err error
	if j.pairs, err = ask.Remember(j.query, of, joint.NewPairs); err != nil {
		return nil, err
	}
	if j.loss, err = j.pairs.Loss(1); err != nil {
		return nil, err
	}
	j.each = j.pairs.Error()
	return &j, j.simplify()
}

// As returns the question with the part for columns alone that accounts for the noise of an
// answer's tables: today's part, or that of versions until 28 November 2026.
func (j *joined) As(_ ask.Plan, was ask.Result) ask.Prepared {
	t, is := was.(*Joint)
	if !is || j.params.Alone == 0 || j.pairs.Made(t.Model.Measured) {
		return j
	}
	before := j.params
	var err error
	if before.Alone, err = joint.PartByNoise(before, int(max(j.query.People, 1))); err != nil {
		return j
	}
	if of, err := j.by(before); err == nil && of.pairs.Made(t.Model.Measured) {
		return of
	}
	return j // the tables do not follow from the question: core/verify says so
}

// simplify raises the loss of the parts, which is slightly less, to the loss granted: the simpler
// number is published.
func (j *joined) simplify() error {
	spent, err := privacy.NewDelta(j.loss.Delta())
	if err != nil {
		return err
	}
	if j.loss.AtMost(privacy.ApproximateLoss(j.query.Epsilon, spent)) {
		j.loss = j.loss.Raised(j.query.Epsilon, spent)
	}
	return nil
}

func (j *joined) Loss() (privacy.Loss, error) { return j.loss, nil }

func (j *joined) Algorithm() string {
	if j.pairs != nil && j.pairs.Alone() {
		return j.query.Say.Count(int64(len(j.of)),
			"a noisy table of the two columns, one of each column, and rows of the greatest "+
				"entropy that fit them", "%d noisy tables of two columns, one of each column, and "+
				"rows of the greatest entropy that fit them", len(j.of))
	}
	return j.query.Say.Count(int64(len(j.of)),
		"a noisy table of the two columns, and rows of the greatest entropy that fit it",
		"%d noisy tables of two columns, and rows of the greatest entropy that fit them",
		len(j.of))
}

// off is the error that a count stays within in 95 of 100 releases, on average over the cells.
func (j *joined) off() float64 {
	return min(j.each*meanToSure, float64(j.query.People))
}

func (j *joined) Bound() float64 { return math.Ceil(j.off()) }

// Typical is the mean error of a count in a table; how much of it remains after the fit depends on
// the data.
func (j *joined) Typical() (off float64, exact bool) { return j.each * fitLeaves, false }

func (j *joined) Unit() ask.Unit { return j.query.InPeople("%s in each count of two columns") }

func (j *joined) Forecast() []ask.Forecast {
	say, n := j.query.Say, j.query.People
	off := int64(j.Bound())
	return []ask.Forecast{
		{Label: say.Text("Each count of two columns is off by at most"),
			Value: j.query.Count(off),
			Detail: say.Format("in 95 of 100 releases, on average over the tables; %s of all %s",
				percentOf(say, off, n), j.query.Count(n))},
		{Label: say.Text("What is kept"), Value: say.Count(int64(len(j.of)), "one pair of columns",
			"%d pairs of columns", len(j.of)),
			Detail: say.Text(keeps(len(j.cells.dimensions), len(j.of)))},
		{Label: say.Text("Smallest group that stands out"), Value: j.query.Count(2 * off),
			Detail: say.Text("smaller ones drown in the noise")},
	}
}

func (j *joined) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	columns := j.cells.columns(data, nil)
	places := make([][]uint8, len(columns))
	for i, column := range columns {
		places[i] = make([]uint8, column.Len())
		for row := range places[i] {
			places[i][row] = uint8(len(j.cells.dimensions[i].Places) - 1)
			if place, has := column.Code(row); has {
				places[i][row] = uint8(place)
			}
		}
	}
	first, second := stagesOf(step)
	measured, err := j.pairs.ReleaseCounted(src, places, data.Others[0].Counts, first)
	if err != nil {
		return nil, err
	}
	model, err := joint.Fit(src, measured, second)
	if err != nil {
		return nil, err
	}
	out := &Joint{Axes: j.cells.axes(), Model: model}
	return out, out.Check()
}

// ofCounting is the share of progress that counting the pairs takes, in thousandths.
const ofCounting = 20

// stagesOf divides progress between counting and fitting.
func stagesOf(step coin.Step) (counting, fitting coin.Step) {
	if step == nil {
		return nil, nil
	}
	const whole, counted = 1000 * joint.MostSweeps, ofCounting * joint.MostSweeps
	return func(done, total int64) error { return step(counted*done/max(total, 1), whole) },
		func(done, total int64) error {
			part := float64(done) / float64(max(total, 1))
			return step(counted+int64(part*(whole-counted)), whole)
		}
}

func (j *joined) State(result ask.Result) string {
	say, t := j.query.Say, result.(*Joint)
	return say.Format("Made-up rows of %s keep what goes together. %s",
		strings.Join(AxisNames(t.Axes), ", "), say.Text(t.Keeps()))
}

// Frame draws the first table.
func (j *joined) Frame() *ask.Frame {
	first := cells{dimensions: []dimension{j.cells.dimensions[j.of[0][0]],
		j.cells.dimensions[j.of[0][1]]}}
	return tableFrame(j.query, first.axes(), first.count(), j.Bound())
}

// Judge compares each count with its own error, and all of them with an even spread over the cells
// of a table.
func (j *joined) Judge(r ask.Result) ask.Verdict {
	var tables []*ContingencyTable
	if r != nil {
		tables = r.(*Joint).Tables()
	}
	return judgeTables(j.query, j.off(), float64(j.size)/float64(len(j.of)), tables)
}

// Kind is "joint".
func (*Joint) Kind() string { return "joint" }

// Check refuses a model that does not fit the columns.
func (t *Joint) Check() error {
	if t.Model == nil || len(t.Axes) != len(t.Model.Measured.Sizes) {
		return ask.Refuse("model", "another", phrase.Of("one of as many columns"))
	}
	for i, a := range t.Axes {
		if len(a.Places) != t.Model.Measured.Sizes[i] {
			return ask.Refuse("axes", phrase.Of("%d places", len(a.Places)),
				phrase.Of("%d, with one for people without a value", t.Model.Measured.Sizes[i]))
		}
	}
	if t.Accepted != nil {
		return t.Accepted.check()
	}
	return nil
}

// Tables returns the tables of all pairs: the counts are those of the made-up rows, scaled to n
// people, and Raw are the noisy ones, around which the true ones lie.
func (t *Joint) Tables() []*ContingencyTable {
	if t.tables != nil {
		return t.tables
	}
	of := t.Model.Measured
	cells := 0
	for _, one := range of.Tables {
		cells += len(one.Counts)
	}
	for _, one := range of.Tables {
		axes := []Axis{t.Axes[one.Columns[0]], t.Axes[one.Columns[1]]}
		made, part := make([]float64, len(one.Counts)), float64(of.Persons)/float64(t.Model.Rows())
		for row := range t.Model.Rows() {
			at := t.Model.Row(row)
			made[int(at[one.Columns[0]])*len(axes[1].Places)+int(at[one.Columns[1]])] += part
		}
		out := &ContingencyTable{Axes: axes, Counts: queries.LargestRemainders(made),
			Raw: one.Counts, People: int64(of.Persons), Whole: true,
			AllError: int64(math.Ceil(allSure(cells) * one.StdDev)),
			columns:  []*columnSums{t.sums(one.Columns[0]), t.sums(one.Columns[1])}}
		for _, m := range []struct {
			of     []int
			summed int
		}{{[]int{}, 0}, {[]int{0}, len(axes[1].Places)}, {[]int{1}, len(axes[0].Places)},
			{[]int{0, 1}, 1}} {
			off := one.StdDev * math.Sqrt(float64(m.summed))
			out.Margins = append(out.Margins, Margin{Of: m.of,
				Error: int64(math.Ceil(sureOf95 * off)), Sure: int64(math.Ceil(sureOf97 * off))})
		}
		t.tables = append(t.tables, out)
	}
	return t.tables
}

// Of returns the table of one column, or of two, ascending; nil for others. The table of one column
// is made from all tables that have it.
func (t *Joint) Of(columns ...int) *ContingencyTable {
	for k, one := range t.Model.Measured.Tables {
		if len(columns) == 2 && one.Columns == [2]int(columns) {
			return t.Tables()[k]
		}
		for axis, column := range one.Columns {
			if len(columns) == 1 && column == columns[0] {
				out := t.Tables()[k].Over(axis)
				out.AllError = t.sums(column).within(basic.Beta / float64(len(out.Counts)))
				return out
			}
		}
	}
	return nil
}

// sums adds up a column in the tables of pairs that have it.
func (t *Joint) sums(column int) *columnSums {
	if t.columns == nil {
		t.columns = map[int]*columnSums{}
	}
	if t.columns[column] == nil {
		t.columns[column] = &columnSums{of: t.Model.Measured, column: column,
			known: map[float64]int64{}}
	}
	return t.columns[column]
}

// Table lists the cells of all tables of pairs, one row for each.
func (t *Joint) Table(say ask.Voice, _ string) [][]string { return listedCells(say, t.Tables()) }

// Synthetic returns a CSV file of made-up rows under the columns' names, in the columns' own
// notation; numbers and dates are spread evenly within their bins. r is the recipe of the release.
// It costs nothing. The refusals are for the field "rows".
func (t *Joint) Synthetic(say *message.Language, src coin.Source, r ask.Recipe,
	rows string) (string, error) {
	n, err := strconv.Atoi(strings.TrimSpace(rows))
	if most := t.Model.Most(MostSynthetic / max(len(t.Axes), 1)); err != nil || n < 1 || n > most {
		return "", ask.Refuse("rows", fmt.Sprintf("%.20q", rows),
			phrase.Of("a whole number from 1 to %d", most))
	}
	head, columns, err := t.written(say, r)
	if err != nil {
		return "", err
	}
	file := table.AppendRow(nil, head, ',')
	cells := make([][]byte, len(columns))
	err = t.Model.Draw(src, n, func(row []uint8) {
		for i, place := range row {
			cells[i] = columns[i](src, int(place))
		}
		file = table.AppendRow(file, cells, ',')
	})
	return string(file), err
}

// written returns the names of the columns in a file, and a function that writes a place of each
// column.
func (t *Joint) written(say *message.Language, r ask.Recipe) (head [][]byte,
	columns []func(src coin.Source, place int) []byte, err error) {
	fields, err := (&ask.Task{Others: []ask.Role{roleKept}}).CheckOthers(r.Others)
	if err != nil {
		return nil, nil, err
	}
	if len(fields) != len(t.Axes) {
		return nil, nil, ask.Refuse("others", fmt.Sprint(len(fields)),
			phrase.Of("the %d columns of the release", len(t.Axes)))
	}
	for i, f := range fields {
		d, err := dimensionOf(&ask.Query{Say: say}, f)
		if err != nil {
			return nil, nil, err
		}
		space, err := ask.NewSpace(f.Field.Domain)
		if err != nil {
			return nil, nil, err
		}
		if len(d.Places)+1 != len(t.Axes[i].Places) {
			return nil, nil, ask.Refuse("others", phrase.Of("%d places", len(d.Places)),
				phrase.Of("%d, as the release has", len(t.Axes[i].Places)-1))
		}
		bins := binsOf{f.Field.Domain, f.Values, d.starts, f.Values.Size().Uint64()}
		head = append(head, []byte(ask.Defuse(t.Axes[i].Column)))
		columns = append(columns, func(src coin.Source, place int) []byte {
			switch {
			case place == len(d.Places):
				return nil
			case d.starts == nil:
				return []byte(ask.Defuse(d.Places[place].Label))
			}
			first, last := bins.limits(place)
			code := first + src.Uniform(last-first+1)
			return []byte(space.Show(say, new(big.Int).SetUint64(code)))
		})
	}
	return head, columns, nil
}

// exactJoint compares the made-up rows' counts in each table with those of the people.
func exactJoint(r ask.Recipe, answer ask.Result, people []ask.Person) []ask.Miss {
	t := answer.(*Joint)
	return missesOf(r, t.Axes, t.Tables(), people)
}
