package task

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
)

// ContingencyTable is a noisy count for each cell of a table of several columns.
type ContingencyTable struct {
	Axes   []Axis  `json:"axes"`   // 1 to 4 columns
	Counts []int64 `json:"counts"` // persons, noisy; the place of the last axis changes fastest
	// Raw are the noisy counts, around which the true ones lie, before they were fitted to n
	// people; nil: they were not fitted.
	Raw []int64 `json:"raw,omitempty"`
	// Impossible are the cells that were declared empty in advance: their counts are 0.
	Impossible []int `json:"impossible,omitempty"`
	// Margins are the errors of cells and of their sums, for every set of axes.
	Margins []Margin `json:"margins"`
	// AllError is a bound: with probability 95 % all counts at once are within AllError persons of
	// the true ones.
	AllError int64 `json:"allError"`
	People   int64 `json:"people"`          // n, public
	Whole    bool  `json:"whole,omitempty"` // all are in a cell, with a value or without

	// by axis, sums that are more exact than adding up Raw; nil: there are none
	columns []*columnSums
}

// Margin states how far off the counts are in a table over some of its axes. Those counts are sums
// of cells, so that tables and their margins add up.
type Margin struct {
	Of []int `json:"of"` // which axes, from 0, ascending; all of them: the cells; none: the total
	// Error and Sure are bounds: with probability 95 % a count is within Error persons of the true
	// one, and with 97.5 % within Sure.
	Error int64 `json:"error"`
	Sure  int64 `json:"sure"`
}

const (
	paramMissing    = "missing"
	paramImpossible = "impossible"
)

// roleBy is the role of the columns of a table.
var roleBy = ask.Role{
	Name: "by", Label: "a column of the table",
	Help: "Each category of a column becomes a row or a column of the table, and so does each " +
		"bin of numbers or dates. Lists, bounds and cut points are public.",
	Domains: binnedKinds, Min: 1, Max: basic.MaxTableColumns, Usual: 2, Cuts: true, Binned: true,
}

var tableTask = ask.Task{
	ID:       "table",
	Title:    "Table",
	Question: "How many people are in each group, or in each combination of groups?",
	Sentence: "How many {many} by {by}?",
	Heading:  "{many} by {by}",
	Synonyms: "contingency table, cross table, crosstab, pivot table, two-way table, count by " +
		"group, rows per group, histogram by group, breakdown, frequency table",
	Answer: "a count for each combination of the categories or bins of one to four columns, " +
		"with shares and sums that add up",
	Algorithm: "discrete Laplace mechanism on the cells of a table",
	How: "Each combination is a cell, and each person is in at most one cell. Each cell's count " +
		"gets a random whole number added; small ones are likelier than large ones. Since a " +
		"person is in one cell only, more columns and cells need no more noise, but each cell " +
		"has fewer people. Sums of rows and columns are sums of the released counts.",
	Simple: "Noise on each count is the simple mechanism, and for one table nothing is better. " +
		"For several tables of the same columns, ask for all of them in one release.",
	Source: "Dwork, McSherry, Nissim, Smith 2006; Barak et al. 2007",
	Limits: "Cells with fewer people than the error drown in the noise, and are marked. Sums of " +
		"many cells carry the noise of all of them.",
	Judged: "Before release: the error of one count against n divided by the number of cells. " +
		"After: each count's error against that count, and all together against the largest count.",
	Others: []ask.Role{roleBy},
	Params: []ask.Param{
		{
			Name: paramMissing, Label: "Count those without a value, too", Kind: ask.Flag,
			Default: "false",
			Help:    "Adds a row “no value” for each column. Otherwise they are in no cell.",
			Effect:  "It costs no privacy.",
		},
		{
			Name: paramImpossible, Label: "Impossible combinations", Kind: ask.Lines,
			Default: "",
			Help: "One in each line, as “sex = male, pregnant = yes”. They are public: nobody " +
				"looks in the data for them.",
			Effect: "They get no noise, and people in them are not counted.",
		},
	},
	Example: &ask.Example{
		Sample: "clinic",
		Recipe: ask.Recipe{Others: []ask.Field{
			{Role: "by", Column: 3, Label: "district", Domain: districts},
			{Role: "by", Column: 4, Label: "department", Domain: departments},
		}}},
	Films:   []string{"laplace", "topup"},
	Costs:   ask.Costs{"": "basic.Table"},
	Exact:   exactTable,
	Prepare: prepareTable,
}

type contingency struct {
	hiding
	query      *ask.Query
	cells      cells
	axes       []Axis
	mechanism  *basic.Table
	impossible []int
	none       bool
}

var (
	_ ask.Refining = (*contingency)(nil)
	_ ask.Drawing  = (*contingency)(nil)
)

func (t *contingency) noise() *basic.Noise { return t.mechanism.Noise() }

func prepareTable(q *ask.Query) (ask.Prepared, error) {
	c, err := cellsOf(q, roleBy.Name)
	if err != nil {
		return nil, err
	}
	t := &contingency{query: q, cells: c, none: q.Flag(paramMissing)}
	t.whose = t
	if t.none {
		if len(q.Recipe.Filter) > 0 {
			return nil, ask.Refuse(paramMissing, "true", phrase.Of("“no” with a condition on who "+
				"counts: anyone who does not meet it would count as one without a value"))
		}
		c.withNone(q)
	}
	t.axes = c.axes()
	if t.mechanism, err = basic.NewTable(
		basic.TableParams{Epsilon: q.Epsilon, Sizes: c.sizes()}); err != nil {
		return nil, err
	}
	if t.impossible, err = impossible(t.axes, q.Param(paramImpossible)); err != nil {
		return nil, err
	}
	if len(t.impossible) == t.mechanism.Cells() {
		return nil, ask.Refuse(paramImpossible, phrase.Of("all %d cells", len(t.impossible)),
			phrase.Of("at least one combination that can be"))
	}
	return t, nil
}

// impossible returns the cells, ascending, that have all places of one of the lines.
func impossible(axes []Axis, lines string) (list []int, err error) {
	var ruled []map[int]int // maps an axis to its place
	for number, line := range strings.Split(lines, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		rule, err := combinationOf(axes, line)
		if err != nil {
			return nil, ask.Refuse(paramImpossible,
				phrase.Of("line %d, %s", number+1, fmt.Sprintf("%.100q", line)), err)
		}
		ruled = append(ruled, rule)
	}
	if ruled == nil {
		return nil, nil
	}
	for cell := range cellsIn(axes) {
		at := placesOf(axes, cell)
		if slices.ContainsFunc(ruled, func(rule map[int]int) bool {
			for axis, place := range rule {
				if at[axis] != place {
					return false
				}
			}
			return true
		}) {
			list = append(list, cell)
		}
	}
	return list, nil
}

// combinationOf reads “sex = male, pregnant = yes”; quotes protect a comma as in a CSV file.
func combinationOf(axes []Axis, line string) (map[int]int, error) {
	reader := csv.NewReader(strings.NewReader(line))
	reader.TrimLeadingSpace = true
	parts, err := reader.Read()
	if err != nil {
		return nil, phrase.Errorf("columns and places, as “sex = male, pregnant = yes”")
	}
	rule := map[int]int{}
	for _, part := range parts {
		column, value, _ := strings.Cut(part, "=")
		column, value = strings.TrimSpace(column), strings.TrimSpace(value)
		axis := slices.IndexFunc(axes, func(a Axis) bool { return a.Column == column })
		if axis < 0 {
			return nil, phrase.Errorf("a column of the table before each “=”: %q is none", column)
		}
		place := slices.IndexFunc(axes[axis].Places, func(p Place) bool { return p.Label == value })
		if _, twice := rule[axis]; place < 0 || twice {
			return nil, phrase.Errorf("one place of %s behind “=”, as “%s”: %q is none", column,
				axes[axis].Places[0].Label, value)
		}
		rule[axis] = place
	}
	return rule, nil
}

func (t *contingency) Loss() (privacy.Loss, error) { return t.mechanism.Loss(1) }

func (t *contingency) Algorithm() string { return t.query.Say.Text(tableTask.Algorithm) }

// possible is the number of cells that are counted.
func (t *contingency) possible() int { return t.mechanism.Cells() - len(t.impossible) }

func (t *contingency) errors() (one, all int64) {
	noise := t.mechanism.Noise()
	return noise.ErrorBound(basic.Beta), noise.SimultaneousErrorBound(basic.Beta, t.possible())
}

func (t *contingency) Bound() float64 { one, _ := t.errors(); return float64(one) }

// Typical is exact: counts are off by the noise alone.
func (t *contingency) Typical() (off float64, exact bool) {
	return t.mechanism.Noise().ExpectedError(), true
}

func (t *contingency) Unit() ask.Unit { return t.query.InPeople("%s in each count") }

func (t *contingency) Forecast() []ask.Forecast {
	one, all := t.errors()
	return countsForecast(t.query, one, all, t.query.Say.Format("All %s counts at once",
		message.Grouped(int64(t.possible()))))
}

// margins returns the errors of all sums of cells over some axes.
func (t *contingency) margins() (list []Margin) {
	noise := t.mechanism.Noise()
	for set := range 1 << len(t.axes) {
		m, summed := Margin{Of: []int{}}, 1
		for i, a := range t.axes {
			if set>>i&1 == 1 {
				m.Of = append(m.Of, i)
			} else {
				summed *= len(a.Places)
			}
		}
		m.Error, m.Sure = noise.SumErrorBound(summed, basic.Beta),
			noise.SumErrorBound(summed, basic.Beta/2)
		list = append(list, m)
	}
	return list
}

func (t *contingency) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	counts, err := t.mechanism.Release(src, t.cells.columns(data, nil), step)
	if err != nil {
		return nil, err
	}
	for _, cell := range t.impossible {
		counts[cell] = 0
	}
	_, all := t.errors()
	return &ContingencyTable{Axes: t.axes, Counts: counts, Impossible: t.impossible,
		Margins: t.margins(), AllError: all, People: t.query.People, Whole: t.none}, nil
}

// State names the cell with the most people.
func (t *contingency) State(result ask.Result) string {
	out := result.(*ContingencyTable)
	if out.level() {
		return noDifference(t.query)
	}
	at, certain := leader(out.Counts, out.AllError)
	text := phrase.Key("%s may be the largest group: about %s (%s in 95 of 100 releases).")
	if certain {
		text = "%s is the largest group: about %s (%s in 95 of 100 releases)."
	}
	return t.query.Say.Format(text, Capital(placeName(t.axes, at)),
		ofAll(t.query, out.Counts[at]), offAtOnce(t.query.Say, out.CellError(), out.AllError))
}

// level reports whether no cell certainly has more people than another.
func (t *ContingencyTable) level() bool {
	var counted []int64
	for cell, count := range t.Counts {
		if !t.CannotBe(cell) {
			counted = append(counted, count)
		}
	}
	return levelCounts(counted, t.AllError)
}

// StatesConditions reports that cells without a clear difference are described with the conditions.
func (t *contingency) StatesConditions(r ask.Result) bool { return r.(*ContingencyTable).level() }

// StatedBefore is the former sentence about the cell with the highest count where no cell leads.
func (t *contingency) StatedBefore(r ask.Result) string {
	out := r.(*ContingencyTable)
	at, certain := leader(out.Counts, out.AllError)
	if certain {
		return ""
	}
	return t.query.Say.Format("No group by %s clearly leads: the highest count, %s, is about %s "+
		"(± %s in 95 of 100 releases).", t.cells.named(), placeName(t.axes, at),
		ofAll(t.query, out.Counts[at]), message.Grouped(out.AllError))
}

// Judge compares each count with its own error, and all of them with an even spread over the cells.
func (t *contingency) Judge(r ask.Result) ask.Verdict {
	one, _ := t.errors()
	if r == nil {
		even := float64(t.query.People) / float64(t.possible())
		return t.query.Because(ask.Within(float64(one), even).Verdict(), t.query.CountUp,
			againstSame)
	}
	return t.query.Because(r.(*ContingencyTable).verdict(), t.query.CountUp, againstTypical)
}

// verdict judges each count by its own error; the count of an impossible cell is known.
func (t *ContingencyTable) verdict() ask.Verdict {
	off := float64(t.CellError())
	var counted []ask.Against
	for cell, count := range t.Counts {
		if !t.CannotBe(cell) {
			counted = append(counted, ask.Within(off, float64(count)))
		}
	}
	v := ask.OfCounts(counted)
	grades := v.Cells
	v.Cells = nil
	for cell := range t.Counts {
		if t.CannotBe(cell) {
			v.Cells = append(v.Cells, ask.Good)
		} else {
			v.Cells, grades = append(v.Cells, grades[0]), grades[1:]
		}
	}
	return v
}

// mostFramed is the number of rows drawn of a table to come.
const mostFramed = 20

// Frame draws a bar for each place of a single column, and otherwise the cells of a table.
func (t *contingency) Frame() *ask.Frame {
	one, _ := t.errors()
	return tableFrame(t.query, t.axes, t.possible(), float64(one))
}

// tableFrame draws a table of which this many cells are counted, each off by at most off.
func tableFrame(q *ask.Query, axes []Axis, possible int, off float64) *ask.Frame {
	n, last := float64(q.People), axes[len(axes)-1]
	f := &ask.Frame{Kind: ask.FrameBars, Axis: last.Column, Unit: many(q), Hi: n,
		Even: n / float64(possible), Error: off}
	for _, p := range last.Places {
		f.Labels = append(f.Labels, p.Label)
	}
	if len(axes) > 1 {
		f.Kind = ask.FrameTable
		f.Rows = rowNames(axes, mostFramed)
	}
	return f
}

// Kind is "table".
func (*ContingencyTable) Kind() string { return "table" }

// Check refuses counts that do not fit the axes.
func (t *ContingencyTable) Check() error {
	cells := 1
	for _, a := range t.Axes {
		if len(a.Places) == 0 || len(a.Places) > basic.MaxCells/cells {
			return ask.Refuse("axes", phrase.Of("%d places", len(a.Places)),
				phrase.Of("at least one in each column, and at most %d cells", basic.MaxCells))
		}
		cells *= len(a.Places)
	}
	switch {
	case len(t.Axes) < 1 || len(t.Axes) > basic.MaxTableColumns:
		return ask.Refuse("axes", fmt.Sprint(len(t.Axes)),
			phrase.Of("1 to %d columns", basic.MaxTableColumns))
	case len(t.Counts) != cells || t.Raw != nil && len(t.Raw) != cells:
		return ask.Refuse("counts", fmt.Sprint(len(t.Counts)), phrase.Of("%d, one a cell", cells))
	case len(t.Margins) != 1<<len(t.Axes) || !slices.IsSorted(t.Impossible):
		return ask.Refuse("margins", fmt.Sprint(len(t.Margins)),
			phrase.Of("one for each set of columns"))
	}
	for _, cell := range t.Impossible {
		if cell < 0 || cell >= cells {
			return ask.Refuse("impossible", fmt.Sprint(cell), phrase.Of("a cell of the table"))
		}
	}
	return nil
}

// CannotBe reports whether a cell was declared empty.
func (t *ContingencyTable) CannotBe(cell int) bool {
	_, found := slices.BinarySearch(t.Impossible, cell)
	return found
}

// cellMargin returns the margin of the cells.
func (t *ContingencyTable) cellMargin() Margin {
	for _, m := range t.Margins {
		if len(m.Of) == len(t.Axes) {
			return m
		}
	}
	return t.unknown()
}

// unknown is the margin of counts about which nothing is known.
func (t *ContingencyTable) unknown() Margin { return Margin{Error: t.People, Sure: t.People} }

// CellError bounds the error of a cell's count, with probability 95 %, in persons.
func (t *ContingencyTable) CellError() int64 { return t.cellMargin().Error }

// margin returns the margin of the sums over some axes, ascending.
func (t *ContingencyTable) margin(of []int) Margin {
	for _, m := range t.Margins {
		if slices.Equal(m.Of, of) {
			return m
		}
	}
	return t.unknown()
}

// Over returns the table over some of its axes, ascending, in which each count is the sum of its
// cells. Over no axis it has one count, the total, which is n where everybody is in a cell.
func (t *ContingencyTable) Over(axes ...int) *ContingencyTable {
	out := &ContingencyTable{AllError: t.margin(axes).Error, People: t.People, Whole: t.Whole,
		Counts: []int64{0}}
	for _, i := range axes {
		out.Axes = append(out.Axes, t.Axes[i])
		out.Counts = make([]int64, len(out.Counts)*len(t.Axes[i].Places))
	}
	if t.Raw != nil {
		out.Raw = make([]int64, len(out.Counts))
	}
	for _, m := range t.Margins { // those with some of these axes only
		of := []int{}
		for place, i := range axes {
			if slices.Contains(m.Of, i) {
				of = append(of, place)
			}
		}
		if len(of) == len(m.Of) {
			out.Margins = append(out.Margins, Margin{of, m.Error, m.Sure})
		}
	}
	possible := make([]bool, len(out.Counts))
	for cell, count := range t.Counts {
		places := placesOf(t.Axes, cell)
		var at []int
		for _, i := range axes {
			at = append(at, places[i])
		}
		to := cellAt(out.Axes, at)
		out.Counts[to] += count
		if t.Raw != nil {
			out.Raw[to] += t.Raw[cell]
		}
		possible[to] = possible[to] || !t.CannotBe(cell)
	}
	for cell, can := range possible {
		if !can {
			out.Impossible = append(out.Impossible, cell)
		}
	}
	switch {
	case t.Raw != nil && t.Whole && len(axes) == 0:
		out.Raw[0] = t.People
	case t.columns != nil && len(axes) == 1:
		out.take(t.columns[axes[0]])
	}
	return out
}

// Estimated is a released number with an interval that holds the true one in 95 of 100 releases.
type Estimated struct{ Value, Low, High float64 }

// raw returns the count of a cell with the law of the noise, before fitting.
func (t *ContingencyTable) raw(cell int) int64 {
	if t.Raw != nil {
		return t.Raw[cell]
	}
	return t.Counts[cell]
}

// Count returns a cell's count, limited to nobody and all. A fitted count is inside its interval,
// too.
func (t *ContingencyTable) Count(cell int) Estimated {
	if t.CannotBe(cell) {
		return Estimated{}
	}
	low, high := peopleBand(t.raw(cell), t.CellError(), t.People)
	return t.estimated(float64(t.Counts[cell]), float64(low), float64(high))
}

// estimated returns a value with its interval. Noise or a fit may put the value outside: then the
// interval extends to it.
func (t *ContingencyTable) estimated(value, low, high float64) Estimated {
	return Estimated{value, min(low, value), max(high, value)}
}

// Shares returns each cell's part of all people, or of those at its place on one axis: within is
// that axis, or below 0 for all.
func (t *ContingencyTable) Shares(within int) []Estimated {
	shares := make([]Estimated, len(t.Counts))
	if within < 0 {
		for cell := range shares {
			c, n := t.Count(cell), float64(max(t.People, 1))
			shares[cell] = Estimated{min(max(c.Value, 0)/n, 1), max(c.Low, 0) / n,
				min(c.High/n, 1)}
		}
		return shares
	}
	whole := t.Over(within)
	// both the cell and its whole are within these in 95 of 100 releases
	cellOff, wholeOff := t.cellMargin().Sure, whole.cellMargin().Sure
	for cell := range shares {
		if t.CannotBe(cell) {
			continue
		}
		at := placesOf(t.Axes, cell)[within]
		low := shareOf(t.raw(cell)-cellOff, whole.raw(at)+wholeOff, 0)
		high := shareOf(t.raw(cell)+cellOff, whole.raw(at)-wholeOff, 1)
		share := shareOf(t.Counts[cell], whole.Counts[at], 0)
		if t.Raw == nil {
			share = min(max(share, low), high)
		}
		shares[cell] = t.estimated(share, low, high)
	}
	return shares
}

// shareOf returns a part of a whole, between 0 and 1, or none where there is no whole.
func shareOf(part, whole int64, none float64) float64 {
	if whole <= 0 {
		return none
	}
	return min(float64(max(part, 0))/float64(whole), 1)
}

// Table lists the cells, one row for each.
func (t *ContingencyTable) Table(say ask.Voice, _ string) [][]string {
	rows := [][]string{append(AxisNames(t.Axes), say.Many(), say.Text("low (95 %)"),
		say.Text("high (95 %)"))}
	for cell := range t.Counts {
		row := labelsOf(t.Axes, cell)
		if t.CannotBe(cell) {
			rows = append(rows, append(row, say.Text("cannot be"), "", ""))
			continue
		}
		c := t.Count(cell)
		rows = append(rows, append(row, wholeText(c.Value), wholeText(c.Low), wholeText(c.High)))
	}
	return rows
}

// CellName names a cell by its places, joined by "·".
func (t *ContingencyTable) CellName(cell int) string { return cellName(t.Axes, cell) }

// RowNames names the combinations of places on all axes but the last, at most most of them.
func (t *ContingencyTable) RowNames(most int) []string { return rowNames(t.Axes, most) }

func rowNames(axes []Axis, most int) (names []string) {
	rest := axes[:len(axes)-1]
	for row := range min(cellsIn(rest), most) {
		names = append(names, cellName(rest, row))
	}
	return names
}

// RowLabels returns the places of a row on all axes but the last.
func (t *ContingencyTable) RowLabels(row int) []string {
	return labelsOf(t.Axes[:len(t.Axes)-1], row)
}

// wholeText writes a whole number.
func wholeText(x float64) string { return strconv.FormatFloat(math.Round(x), 'f', -1, 64) }

// File returns the table for programs: a row for each cell, with the edges of bins, the count and
// its part of all.
func (t *ContingencyTable) File(string) [][]string {
	var header []string
	for _, a := range t.Axes {
		if a.Bins() {
			header = append(header, a.Column+" from", a.Column+" to")
		} else {
			header = append(header, a.Column)
		}
	}
	rows := [][]string{append(header, "count", "low", "high", "share")}
	shares := t.Shares(-1)
	for cell := range t.Counts {
		var row []string
		for i, at := range placesOf(t.Axes, cell) {
			if place := t.Axes[i].Places[at]; t.Axes[i].Bins() {
				row = append(row, place.From, place.To) // empty for people without a value
			} else {
				row = append(row, place.Label)
			}
		}
		c := t.Count(cell)
		rows = append(rows, append(row, wholeText(c.Value), wholeText(c.Low), wholeText(c.High),
			strconv.FormatFloat(shares[cell].Value, 'f', 6, 64)))
	}
	return rows
}

// Wide returns the table as people lay it out: a column for each place on the last axis, a row for
// each combination on the others, and sums at the ends.
func (t *ContingencyTable) Wide(string) [][]string {
	last := len(t.Axes) - 1
	header := AxisNames(t.Axes[:last])
	for _, p := range t.Axes[last].Places {
		header = append(header, t.Axes[last].Column+" "+p.Label)
	}
	rows := [][]string{append(header, "total")}
	each := len(t.Axes[last].Places)
	totals := make([]int64, each+1)
	for from := 0; from < len(t.Counts); from += each {
		row, sum := t.RowLabels(from/each), int64(0)
		for i, count := range t.Counts[from : from+each] {
			row, sum = append(row, fmt.Sprint(count)), sum+count
			totals[i] += count
		}
		totals[each] += sum
		rows = append(rows, append(row, fmt.Sprint(sum)))
	}
	if last == 0 {
		return rows
	}
	row := append([]string{"total"}, make([]string, last-1)...)
	for _, sum := range totals {
		row = append(row, fmt.Sprint(sum))
	}
	return append(rows, row)
}

// exactTable compares each count with the number of people in its cell.
func exactTable(r ask.Recipe, answer ask.Result, people []ask.Person) (list []ask.Miss) {
	t := answer.(*ContingencyTable)
	counts := make([]float64, len(t.Counts))
	for _, p := range people {
		var at []int
		for i, a := range t.Axes {
			if place := exactPlace(a, r.Others[i].Domain, p.Others[i]); place >= 0 {
				at = append(at, place)
			}
		}
		if len(at) == len(t.Axes) {
			counts[cellAt(t.Axes, at)] += float64(p.Times)
		}
	}
	for cell, count := range t.Counts {
		list = append(list, miss(t.CellName(cell), float64(count)-counts[cell],
			float64(t.AllError)+1))
	}
	return list
}

// take replaces the noisy counts of a table of one column, and their errors, by better known sums.
func (t *ContingencyTable) take(s *columnSums) {
	t.Raw = s.raw()
	m := Margin{[]int{0}, s.within(basic.Beta), s.within(basic.Beta / 2)}
	t.AllError = m.Error
	for i := range t.Margins {
		if len(t.Margins[i].Of) == 1 {
			t.Margins[i] = m
		}
	}
}
