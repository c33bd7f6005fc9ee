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
	"hush/core/domain"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
	queries "hush/core/query"
)

// TableSet holds the tables of every set of this many columns, from one release. They agree with
// each other and with the number of people.
type TableSet struct {
	// Axes are 2 to 8 columns; the last place of each is for people without a value.
	Axes     []Axis           `json:"axes"`
	Together int              `json:"together"` // columns in a table, 1 to 3
	Release  *queries.Release `json:"release"`

	tables []*ContingencyTable // made when they are first needed
}

// The ways to release several tables.
const (
	byResiduals   = "residuals"
	byIndependent = "independent"
	byFull        = "full"
)

const (
	paramFit     = "fit"
	paramWeights = "weights"
)

// mostTables is the largest number of columns that several tables can have.
const mostTables = 8

var roleTables = ask.Role{
	Name: "by", Label: "a column of the tables",
	Help: "Each category of a column becomes a row or a column of tables, and so does each bin " +
		"of numbers or dates. Lists, bounds and cut points are public.",
	Domains: binnedKinds, Min: 2, Max: mostTables, Cuts: true, Binned: true,
}

var tablesTask = ask.Task{
	ID:       "tables",
	Title:    "Several tables",
	Question: "How many people are in each combination of groups, for every pair of columns?",
	Sentence: "How many {many} by every two of {by}?",
	Heading:  "{many} by every two of {by}",
	Synonyms: "marginals, cross tables, contingency tables, pivot tables, all pairs, " +
		"ResidualPlanner, consistent tables",
	Answer: "a table for every one, two or three of the columns, with shares and sums; all of " +
		"them agree",
	Algorithm: "residuals of tables with discrete Gaussian noise, independent noise for each " +
		"table, or one full table",
	How: "The residual of a table is what it adds to the tables of fewer columns. Each residual " +
		"is measured once, with noise, so the part that two tables share is paid for once, and " +
		"every table is a sum of residuals. Where δ is 0, each table gets its own noise, or one " +
		"table of all columns is counted and added up. The choice depends only on the numbers of " +
		"people, columns and categories. Last, the counts are fitted: what is published are the " +
		"nearest counts that n people could give.",
	Simple: "Separate noise on each table is the simple mechanism. From three columns on " +
		"residuals are better; for a few columns of two categories the full table is.",
	Source: "Xiao, He, Zhang, Kifer 2023; McKenna, Sheldon, Miklau 2019; Barak et al. 2007",
	Limits: "The error is a number of people in every cell: cells with fewer people drown in the " +
		"noise, and counts that are not fitted may be below 0. Relations among three columns " +
		"show only in tables of three.",
	Judged: "Before release: the error of a count against n divided by the cells of a table. " +
		"After: each count's error against that count, and all together against the count in " +
		"which most people are.",
	Others: []ask.Role{roleTables},
	Params: []ask.Param{
		{Name: paramTogether, Label: "Columns of a table", Kind: ask.Integer, Default: "2", Min: 1,
			Max:    3,
			Help:   "Each set of this many columns gets a table.",
			Effect: "It costs no privacy; the fewer, the smaller the error."},
		{Name: paramMethod, Label: "Method", Kind: ask.Chosen, Default: auto, Rivals: true,
			Choices: []ask.Choice{
				{Value: auto, Label: "the best for this many columns and categories"},
				{Value: byResiduals, Label: "residuals of tables; needs a δ"},
				{Value: byIndependent, Label: "noise of its own for each table"},
				{Value: byFull, Label: "one table of all columns, added up"}},
			Help:   "All state their error before the data are looked at.",
			Effect: "Privacy is the same for all."},
		ask.AllowedDeltaParam,
		{Name: paramWeights, Label: "Tables that matter more", Kind: ask.Lines, Default: "",
			Help: "One table per line: its columns, separated by commas, then “=” and its " +
				"weight, a whole number. All other tables have weight one. The more the tables " +
				"that need a residual weigh, the more exactly it is measured.",
			Effect: "It costs no privacy: other tables get more noise."},
		{Name: paramFit, Label: "Counts that people could give", Kind: ask.Flag, Default: "true",
			Help: "Noise can make a count negative. These are the nearest counts that n people " +
				"could have in all tables at once, unless there are too many columns to find " +
				"them. Intervals stay around the original counts.",
			Effect: "It costs no privacy, and brings the counts closer, most where many are " +
				"small."},
	},
	Example: &ask.Example{
		Sample: "clinic",
		Recipe: ask.Recipe{Others: []ask.Field{
			{Role: "by", Column: 3, Label: "district", Domain: districts},
			{Role: "by", Column: 4, Label: "department", Domain: departments},
			{Role: "by", Column: 1, Label: "age",
				Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"},
				Cuts:   []string{"18", "65"}},
		}}},
	Films: []string{"laplace"},
	Costs: ask.Costs{
		"":                   "query.Residuals",
		"method full":        "query.Tables",
		"method independent": "query.Tables",
	},
	Exact:   exactTables,
	Prepare: prepareTables,
}

// tablesMade is a way to release tables, with its mechanism.
type tablesMade struct {
	queries.Choice
	queries.Conjunctive
}

// tablesAsked holds the parameters of a release of tables, and the way wanted.
type tablesAsked struct {
	method string
	queries.ChoiceParams
}

// makeTables makes the best way that can be used, or the way that is wanted.
func makeTables(asked tablesAsked) (tablesMade, error) {
	choices, err := queries.ChooseTables(asked.ChoiceParams)
	if err != nil {
		return tablesMade{}, err
	}
	wanted := asked.method
	for _, choice := range choices {
		if choice.Name != wanted && (wanted != auto || choice.Name == "MWEM") {
			continue
		}
		method, err := choice.New()
		if err == nil {
			return tablesMade{choice, method}, nil
		}
		if wanted != auto { // ε too small for noise that can be drawn
			return tablesMade{}, ask.Refuse(paramMethod, wanted, err)
		}
	}
	return tablesMade{}, ask.Refuse(paramMethod, wanted,
		phrase.Of("another method: this one needs a δ above 0, or has too many cells"))
}

// severalTables is a question with the way in which it will be answered. Residuals can be topped
// up.
type severalTables struct {
	tablesDrawn
	query    *ask.Query
	cells    cells
	together int
	choice   queries.Choice
	loss     privacy.Loss
	fits     bool // the counts are fitted to n people
}

var (
	_ ask.Refining = (*severalTables)(nil)
	_ ask.Drawing  = (*severalTables)(nil)
)

func prepareTables(q *ask.Query) (ask.Prepared, error) {
	c, err := cellsOf(q, roleTables.Name)
	if err != nil {
		return nil, err
	}
	c.withNone(q)
	if len(q.Recipe.Filter) > 0 {
		for i := range c.dimensions {
			places := c.dimensions[i].Places
			places[len(places)-1].Label = q.Say.Text("no value, or not counted")
		}
	}
	t := &severalTables{query: q, cells: c,
		together: int(min(q.Integer(paramTogether), int64(len(c.dimensions))))}
	size, columns := 0, make([]queries.Column, len(c.dimensions))
	for i, d := range c.dimensions {
		for range d.Places[1:] { // a person without a value has no attribute
			columns[i], size = append(columns[i], queries.Set{}.With(size)), size+1
		}
	}
	if all := tableCells(c.sizes(), t.together); all > basic.MaxCells || size > queries.MaxSize {
		return nil, ask.Refuse("others", phrase.Of("%s cells", message.Grouped(int64(all))),
			phrase.Of("at most %d cells in all tables: fewer categories, or wider bins",
				basic.MaxCells))
	}
	if err := q.CheckPersons(mostWords / int64((size+63)/64)); err != nil {
		return nil, err
	}
	delta, err := q.AllowedDelta()
	if err != nil {
		return nil, err
	}
	margins, err := tableWeights(c.axes(), t.together, q.Param(paramWeights))
	if err != nil {
		return nil, err
	}
	made, err := ask.Remember(q, tablesAsked{q.Param(paramMethod), queries.ChoiceParams{
		Epsilon: q.Epsilon, Delta: delta, Persons: int(max(q.People, 1)), Size: size,
		Width: t.together, Columns: columns, Margins: margins}}, makeTables)
	if err != nil {
		return nil, err
	}
	t.choice, t.method = made.Choice, made.Conjunctive // many questions share it: it stays as it is
	t.fits = q.Flag(paramFit) && queries.FitsTo(columns, max(t.together, t.choice.Together))
	if t.loss, err = t.method.Loss(1); err != nil {
		return nil, err
	}
	// the parts cost slightly less: the simpler number is published
	spent, err := privacy.NewDelta(t.loss.Delta())
	if err != nil {
		return nil, err
	}
	if t.loss.AtMost(privacy.ApproximateLoss(q.Epsilon, spent)) {
		t.loss = t.loss.Raised(q.Epsilon, spent)
	}
	return t, nil
}

// tableWeights reads “sex, race = 4”, one line for each table with a weight other than 1; quotes
// protect a comma as in a CSV file.
func tableWeights(axes []Axis, together int, lines string) (list []queries.Margin, err error) {
	for number, line := range strings.Split(lines, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		margin, err := weightOf(axes, together, line)
		if err == nil && slices.ContainsFunc(list, func(m queries.Margin) bool {
			return slices.Equal(m.Columns, margin.Columns)
		}) {
			err = phrase.Errorf("each table once")
		}
		if err != nil {
			return nil, ask.Refuse(paramWeights,
				phrase.Of("line %d, %s", number+1, fmt.Sprintf("%.100q", line)), err)
		}
		list = append(list, margin)
	}
	return list, nil
}

// mostTableWeight is the largest weight of a table.
const mostTableWeight = 1000

func weightOf(axes []Axis, together int, line string) (m queries.Margin, err error) {
	at := strings.LastIndex(line, "=")
	if at < 0 {
		return m, phrase.Errorf("columns, “=” and a weight, as “sex, race = 4”")
	}
	weight, err := strconv.ParseUint(strings.TrimSpace(line[at+1:]), 10, 64)
	if err != nil || weight < 1 || weight > mostTableWeight {
		return m, phrase.Errorf("a whole number from 1 to %d behind the “=”", mostTableWeight)
	}
	names, err := namesIn(line[:at])
	if err != nil || len(names) != together {
		return m, phrase.Errorf("%d columns with commas between, before the “=”", together)
	}
	m.Weight = weight
	m.Columns, err = axesNamed(axes, names)
	return m, err
}

// namesIn reads “sex, race”; quotes protect a comma as in a CSV file.
func namesIn(line string) ([]string, error) {
	reader := csv.NewReader(strings.NewReader(line))
	reader.TrimLeadingSpace = true
	return reader.Read()
}

// axesNamed returns the positions, ascending, of different axes with these names.
func axesNamed(axes []Axis, names []string) (list []int, err error) {
	for _, name := range names {
		name = strings.TrimSpace(name)
		axis := slices.IndexFunc(axes, func(a Axis) bool { return a.Column == name })
		if axis < 0 || slices.Contains(list, axis) {
			return nil, phrase.Errorf("different columns of the tables: %q is none", name)
		}
		list = append(list, axis)
	}
	slices.Sort(list)
	return list, nil
}

// tableCells is the total number of cells in all tables of this many columns.
func tableCells(sizes []uint64, together int) float64 {
	sums := make([]float64, together+1)
	sums[0] = 1
	for _, size := range sizes {
		for k := together; k > 0; k-- {
			sums[k] += sums[k-1] * float64(size)
		}
	}
	return sums[together]
}

func (t *severalTables) Loss() (privacy.Loss, error) { return t.loss, nil }

func (t *severalTables) Algorithm() string {
	say, columns := t.query.Say, len(t.cells.dimensions)
	switch t.choice.Name {
	case byResiduals:
		noise := say.Format("discrete Gaussian noise on the residuals of all tables of %d of %d "+
			"columns", t.together, columns)
		if of := t.Averages(); of > 1 {
			return say.Format("%s, the average of %d releases", noise, of)
		}
		return noise
	case byFull:
		return say.Format("noisy counts of the full table of %d columns", columns)
	}
	return say.Format("noisy counts of all tables of %d of %d columns, brought into agreement",
		t.together, columns)
}

// off is the error that a count stays within in 95 of 100 releases, on average over the tables.
func (t *severalTables) off() float64 {
	return min(t.choice.Error*meanToSure, 1)*float64(t.query.People) + t.rounded()
}

// rounded bounds the error that averages have because they are rounded to whole numbers.
func (t *severalTables) rounded() float64 {
	if m := t.residuals(); m != nil {
		return m.AverageOff(t.together)
	}
	return 0
}

// meanToSure times the mean error, which is √(2/π) standard deviations, holds 95 % of the noise.
const meanToSure = sureOf95 / 0.7979

func (t *severalTables) Bound() float64 { return math.Ceil(t.off()) }

// Typical is the mean error of a count, on average over the tables, by the law of the noise. How
// much of it remains after fitting depends on the data.
func (t *severalTables) Typical() (off float64, exact bool) {
	off = t.choice.Error * float64(t.query.People)
	if t.fits {
		return off * fitLeaves, false
	}
	return off, t.Averages() == 1
}

// fitLeaves is the part of the error that remains after fitting, as a rule of thumb: .35 to .63 on
// made-up data (TestForecasts), .46 to .76 on the Adult data (PEERS.md).
const fitLeaves = 0.6

func (t *severalTables) Unit() ask.Unit { return t.query.InPeople("%s in each count") }

// number is the number of tables.
func (t *severalTables) number() int { return len(columnSets(len(t.cells.dimensions), t.together)) }

// columnSets returns all sets of together of the numbers below all, ascending.
func columnSets(all, together int) (sets [][]int) {
	var extend func(set []int, from int)
	extend = func(set []int, from int) {
		if len(set) == together {
			sets = append(sets, set)
			return
		}
		for i := from; i < all; i++ {
			extend(append(slices.Clone(set), i), i+1)
		}
	}
	extend(nil, 0)
	return sets
}

func (t *severalTables) Forecast() []ask.Forecast {
	say, n := t.query.Say, t.query.People
	off := int64(t.Bound())
	return []ask.Forecast{
		{Label: say.Text("Each count is off by at most"), Value: t.query.Count(off),
			Detail: say.Format("in 95 of 100 releases, on average over the tables; %s of all %s",
				percentOf(say, off, n), t.query.Count(n))},
		{Label: say.Text("Tables"), Value: message.Grouped(int64(t.number())),
			Detail: say.Format("of %d columns each; all agree with each other and with n",
				t.together)},
		{Label: say.Text("Smallest group that stands out"), Value: t.query.Count(2 * off),
			Detail: say.Text("smaller ones drown in the noise")},
	}
}

func (t *severalTables) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	first, second := step, coin.Step(nil)
	if t.fits {
		first, second = halves(step)
	}
	release, err := t.release(src, data, first)
	if err != nil {
		return nil, err
	}
	t.drawn, release.Loss = release.Draws(), t.loss
	if t.fits {
		if err := release.Fit(second); err != nil {
			return nil, err
		}
	}
	out := &TableSet{Axes: t.cells.axes(), Together: t.together, Release: release}
	return out, out.Check()
}

// release draws, or rebuilds the release from an earlier draw.
func (t *severalTables) release(src coin.Source, data ask.Data, step coin.Step) (*queries.Release,
	error) {
	if t.given != nil {
		return t.residuals().Again(t.given, int(max(t.query.People, 1)), src.Origin())
	}
	size := 0
	from := make([]int, len(t.cells.dimensions)) // the first attribute of each column
	for i, d := range t.cells.dimensions {
		from[i], size = size, size+len(d.Places)-1
	}
	records, err := queries.NewRecords(int(max(t.query.People, 1)), size)
	if err != nil {
		return nil, err
	}
	columns := t.cells.columns(data, nil)
	forEachPerson(columns[0], t.query.People, func(row, person int) {
		for i, column := range columns {
			if place, _ := column.Code(row); place+1 < uint64(len(t.cells.dimensions[i].Places)) {
				records.Yes(person, from[i]+int(place))
			}
		}
	})
	return t.method.Release(src, records, step)
}

// State says which tables there are, and how exact they are.
func (t *severalTables) State(result ask.Result) string {
	out := result.(*TableSet)
	worst := int64(0)
	for _, table := range out.Tables() {
		worst = max(worst, table.CellError())
		for cell := range table.Counts {
			// a count that fits the others need not be in the middle of its interval
			c := table.Count(cell)
			value := math.Round(c.Value)
			worst = max(worst, int64(math.Ceil(max(value-c.Low, c.High-value))))
		}
	}
	say, all := t.query.Say, len(out.Tables())
	tables := say.Count(int64(all), "one table of them all",
		"%d tables that agree, each of %d of these columns", all, t.together)
	if out.Release.Fitted != nil {
		return say.Format("%s by %s: %s. Each true count is in its interval, which reaches up to "+
			"%s to either side, in 95 of 100 releases.", Capital(t.query.Many()), t.cells.named(),
			tables, t.query.Count(worst))
	}
	return say.Format("%s by %s: %s. Each count is within %s of the true one in 95 of 100 "+
		"releases.", Capital(t.query.Many()), t.cells.named(), tables, t.query.Count(worst))
}

// Frame draws the first table.
func (t *severalTables) Frame() *ask.Frame {
	first := cells{dimensions: t.cells.dimensions[:t.together]}
	return tableFrame(t.query, first.axes(), first.count(), t.Bound())
}

// Judge compares each count with its own error, and all of them with an even spread over the cells
// of a table.
func (t *severalTables) Judge(r ask.Result) ask.Verdict {
	var tables []*ContingencyTable
	if r != nil {
		tables = r.(*TableSet).Tables()
	}
	return judgeTables(t.query, t.off(), tableCells(t.cells.sizes(), t.together)/
		float64(t.number()), tables)
}

// judgeTables judges each count of some tables by its own error or, before there are any, a count
// that is off by off people against an even spread over the cells of a table.
func judgeTables(q *ask.Query, off, cells float64, tables []*ContingencyTable) ask.Verdict {
	if tables == nil {
		return q.Because(ask.Within(off, float64(q.People)/cells).Verdict(), q.CountUp, againstSame)
	}
	var list []ask.Against
	listCells(tables, func(table *ContingencyTable, cell int) bool {
		list = append(list,
			ask.Within(float64(table.CellError()), float64(table.Counts[cell])))
		return len(list) < maxListed
	})
	return q.Because(ask.OfCounts(list), q.CountUp, againstTypical)
}

// Kind is "tables".
func (*TableSet) Kind() string { return "tables" }

// Check refuses a release that does not fit the columns.
func (t *TableSet) Check() error {
	if len(t.Axes) < roleTables.Min || len(t.Axes) > mostTables || t.Together < 1 ||
		t.Together > min(3, len(t.Axes)) {
		return ask.Refuse("axes", phrase.Of("%d of %d columns", t.Together, len(t.Axes)),
			phrase.Of("1 to 3 of 2 to %d columns", mostTables))
	}
	if t.Release == nil || len(t.Release.Columns) != len(t.Axes) {
		return ask.Refuse("release", "another", phrase.Of("one of as many columns"))
	}
	for i, a := range t.Axes {
		if len(a.Places) != len(t.Release.Columns[i])+1 {
			return ask.Refuse("axes", phrase.Of("%d places", len(a.Places)),
				phrase.Of("%d, with one for people without a value",
					len(t.Release.Columns[i])+1))
		}
	}
	for _, columns := range columnSets(len(t.Axes), t.Together) {
		if _, err := t.Release.Table(columns...); err != nil {
			return err
		}
	}
	return nil
}

// Tables returns all of them, in the order of their columns.
func (t *TableSet) Tables() []*ContingencyTable {
	if t.tables == nil {
		for _, columns := range columnSets(len(t.Axes), t.Together) {
			t.tables = append(t.tables, t.Of(columns...))
		}
	}
	return t.tables
}

// Of returns the table of some columns, ascending, that are together in one of the tables, with
// rounded counts. It is nil for other columns.
func (t *TableSet) Of(columns ...int) *ContingencyTable {
	all, err := t.Release.Table(columns...)
	if err != nil {
		return nil
	}
	out := &ContingencyTable{Counts: make([]int64, len(all.Persons)),
		People: int64(t.Release.Persons), Whole: true}
	for _, i := range columns {
		out.Axes = append(out.Axes, t.Axes[i])
	}
	place := t.cells(columns)
	round := func(persons []float64) []int64 {
		counts := make([]int64, len(persons))
		for cell, at := range place {
			counts[at] = int64(math.Round(persons[cell]))
		}
		return counts
	}
	if out.Counts = round(all.Persons); all.Raw != nil {
		out.Raw = round(all.Raw)
		for cell, count := range queries.LargestRemainders(all.Persons) {
			out.Counts[place[cell]] = count
		}
	}
	for set := range 1 << len(columns) {
		m, of, summed := Margin{Of: []int{}}, []int{}, 1
		for k, i := range columns {
			if set>>k&1 == 1 {
				m.Of, of = append(m.Of, k), append(of, i)
			} else {
				summed *= all.Cells[k]
			}
		}
		sum, err := t.Release.Table(of...)
		if err != nil {
			return nil
		}
		// counts are rounded before they are added up
		off := math.Sqrt(sum.StdDev*sum.StdDev + float64(summed)/12)
		m.Error, m.Sure = int64(math.Ceil(sureOf95*off)), int64(math.Ceil(sureOf97*off))
		out.Margins = append(out.Margins, m)
		out.AllError = int64(math.Ceil(allSure(len(out.Counts)) * off)) // of all columns in the end
	}
	return out
}

// sureOf97 standard deviations hold 97.5 % of Laplace noise, and more of any other.
const sureOf97 = 2.61

// allSure is the number of standard deviations that hold 95 % of all of this many noises at once:
// those of Laplace noise, which has the longest tail.
func allSure(cells int) float64 { return math.Log(float64(cells)/basic.Beta) / math.Sqrt2 }

// cells returns the positions of the cells of a table in the order of the axes: a release lists
// people without a value first.
func (t *TableSet) cells(columns []int) []int {
	at := []int{0}
	for _, i := range columns {
		places := len(t.Axes[i].Places)
		next := make([]int, 0, len(at)*places)
		for _, before := range at {
			for code := range places {
				next = append(next, before*places+(code+places-1)%places)
			}
		}
		at = next
	}
	return at
}

// name names one of several tables by its columns.
func (t *ContingencyTable) name() string { return strings.Join(AxisNames(t.Axes), " · ") }

// listCells visits the cells of all tables as long as next says so.
func listCells(tables []*ContingencyTable, next func(table *ContingencyTable, cell int) bool) {
	for _, table := range tables {
		for cell := range table.Counts {
			if !next(table, cell) {
				return
			}
		}
	}
}

// Table lists the cells of all tables, one row for each.
func (t *TableSet) Table(say ask.Voice, _ string) [][]string { return listedCells(say, t.Tables()) }

func listedCells(say ask.Voice, tables []*ContingencyTable) [][]string {
	rows := [][]string{{say.Text("Table"), say.Text("Group"), say.Many(),
		say.Text("low (95 %)"), say.Text("high (95 %)")}}
	listCells(tables, func(table *ContingencyTable, cell int) bool {
		c := table.Count(cell)
		rows = append(rows, []string{table.name(), table.CellName(cell), wholeText(c.Value),
			wholeText(c.Low), wholeText(c.High)})
		return len(rows)-1 < maxListed
	})
	return rows
}

// File returns all tables in one list for programs: with a column for each axis, or two for bins,
// which are empty where a table lacks that axis; people without a value have the word for it, and
// no edges. Counts are not rounded to whole people: they add up to those of the other tables.
func (t *TableSet) File(string) [][]string {
	header := []string{"table"}
	for _, a := range t.Axes {
		header = append(header, a.Column)
		if a.Bins() {
			header = append(header, a.Column+" from", a.Column+" to")
		}
	}
	rows := [][]string{append(header, "count", "low", "high")}
	for k, columns := range columnSets(len(t.Axes), t.Together) {
		table, exact := t.Tables()[k], make([]float64, len(t.Tables()[k].Counts))
		all, err := t.Release.Table(columns...)
		if err != nil {
			return rows
		}
		for cell, at := range t.cells(columns) {
			exact[at] = all.Persons[cell]
		}
		for cell := range table.Counts {
			row, at := []string{table.name()}, placesOf(table.Axes, cell)
			for i, a := range t.Axes {
				place := Place{}
				if mine := slices.Index(columns, i); mine >= 0 {
					place = a.Places[at[mine]]
				}
				row = append(row, place.Label)
				if a.Bins() {
					row = append(row, place.From, place.To)
				}
			}
			c := table.Count(cell)
			rows = append(rows, append(row, strconv.FormatFloat(exact[cell], 'f', 3, 64),
				wholeText(min(c.Low, math.Floor(exact[cell]))),
				wholeText(max(c.High, math.Ceil(exact[cell])))))
		}
	}
	return rows
}

// exactTables compares each count of each table with the number of people in its cell; people
// without a value are in the last place of a column.
func exactTables(r ask.Recipe, answer ask.Result, people []ask.Person) []ask.Miss {
	t := answer.(*TableSet)
	return missesOf(r, t.Axes, t.Tables(), people)
}

// missesOf compares each count in tables of some axes with the people.
func missesOf(r ask.Recipe, axes []Axis, tables []*ContingencyTable,
	people []ask.Person) (list []ask.Miss) {
	for _, one := range tables {
		counts := make([]int64, len(one.Counts))
		for _, p := range people {
			at := make([]int, len(one.Axes))
			for i, a := range one.Axes {
				axis := slices.IndexFunc(axes, func(b Axis) bool { return b.Column == a.Column })
				at[i] = exactPlace(a, r.Others[axis].Domain, p.Others[axis])
				if at[i] < 0 {
					at[i] = len(a.Places) - 1
				}
			}
			counts[cellAt(one.Axes, at)] += p.Times
		}
		for cell, count := range counts {
			list = append(list, miss(one.CellName(cell), float64(one.Counts[cell]-count),
				float64(one.AllError)+1))
		}
	}
	return list
}
