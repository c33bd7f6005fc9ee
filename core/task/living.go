package task

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/joint"
	"hush/core/message"
	"hush/core/phrase"
)

// LivingTable answers questions from a release of Joint alone, without its data. It costs nothing.
type LivingTable struct {
	Axes    []Axis // the last place of each is for people without a value
	Release *Release

	say   ask.Voice
	spans [][]valueSpan
	of    *joint.Living
}

// LivingKind is the kind of a question to a living table.
type LivingKind string

// The kinds of question.
const (
	LivingCount    LivingKind = "count"    // how many, in a table of up to three columns
	LivingMean     LivingKind = "mean"     // of the first column, for each place of the second
	LivingQuantile LivingKind = "quantile" // likewise
	LivingLine     LivingKind = "line"     // of the first column by the second, by least squares
	LivingLogistic LivingKind = "logistic" // the odds of a place of the first column, by the others
)

// LivingQuestion is a question to a living table. It holds no data.
type LivingQuestion struct {
	Kind    LivingKind        `json:"kind"`
	Columns []int             `json:"columns,omitempty"`
	Place   int               `json:"place,omitempty"` // the yes of a logistic regression
	Part    string            `json:"part,omitempty"`  // of a quantile: "0.5"
	Where   []LivingCondition `json:"where,omitempty"`
}

// LivingCondition keeps the people in one place of a column.
type LivingCondition struct {
	Column int `json:"column"`
	Place  int `json:"place"`
}

// LivingAnswer is the answer of a living table.
type LivingAnswer struct {
	Sentence string
	Note     string // how the error is known
	Known    joint.Known
	Title    string // describes the numbers
	Names    []string
	Rows     []LivingRow
}

// LivingRow is a number with its places.
type LivingRow struct {
	Places           []string // as many as LivingAnswer.Names
	Value, Low, High string
	Known            joint.Known
	At, From, To     float64 // the same as numbers, for drawing
	Apart            bool    // it is of another kind than the rows below: the slope of a line
}

// Ranged reports whether a number has ends that are known.
func (r LivingRow) Ranged() bool { return r.Low != "" }

// The limits of a question.
const (
	mostLivingColumns = 3
	MostPredictors    = 5 // columns in a logistic regression
	mostCoefficients  = 200
	mostLivingWhere   = 5
	mostLivingCells   = 1 << 13
	livingBeta        = 0.05
)

// NewLivingTable opens a release. It refuses a release that is not of Joint, or that does not
// follow from its question.
func NewLivingTable(say *message.Language, r *Release) (*LivingTable, error) {
	again, err := ask.Redo(say, All{}, r)
	if err != nil {
		return nil, err
	}
	result, is := again.Release.Answer.Result.(*Joint)
	if !is {
		return nil, ask.Refuse("task", string(r.Recipe.Task),
			phrase.Of("a release of “%s”", jointTitle))
	}
	was := r.Answer.Result.(*Joint)
	if result.pairs == nil {
		return nil, ask.Refuse("way", "another", phrase.Of("one of those tried"))
	}
	of, err := joint.NewLiving(was.Model, result.pairs)
	if err != nil {
		return nil, err
	}
	return &LivingTable{Axes: result.Axes, Release: r, say: r.Voice(say), spans: result.spans,
		of: of}, nil
}

// Reopen restores, in an answer from a file, what follows from the question: columns, places, and
// the noise of each table.
func (j *joined) Reopen(r ask.Result) (ask.Result, bool) {
	was := r.(*Joint)
	model := *was.Model
	model.Measured = j.pairs.Blank(int(max(j.query.People, 1)))
	for k := range model.Measured.Tables {
		model.Measured.Tables[k].Counts = was.Model.Measured.Tables[k].Counts
	}
	if len(model.Measured.Singles) != len(was.Model.Measured.Singles) {
		return r, true // it does not follow from the question: core/verify says so
	}
	for i := range model.Measured.Singles {
		model.Measured.Singles[i].Counts = was.Model.Measured.Singles[i].Counts
	}
	out := &Joint{Axes: j.cells.axes(), Model: &model, pairs: j.pairs}
	for i, d := range j.cells.dimensions {
		out.spans = append(out.spans, spansOf(j.query.Others[j.cells.first+i], d))
	}
	return out, true
}

// spansOf returns the numbers of the places of a column.
func spansOf(o ask.Other, d dimension) []valueSpan {
	nan := valueSpan{math.NaN(), math.NaN()}
	spans := make([]valueSpan, len(d.Places))
	for place := range spans {
		spans[place] = nan
	}
	switch o.Field.Domain.Kind {
	case domain.Integer, domain.Decimal, domain.Float64:
	default:
		return spans
	}
	plain, err := domain.New(o.Field.Domain.Plain())
	if err != nil || d.starts == nil {
		return spans
	}
	bins := binsOf{o.Field.Domain, o.Values, d.starts, o.Values.Size().Uint64()}
	for place := range d.starts {
		first, last := bins.limits(place)
		low, err1 := strconv.ParseFloat(plain.Decode(first), 64)
		high, err2 := strconv.ParseFloat(plain.Decode(last), 64)
		if err1 == nil && err2 == nil {
			spans[place] = valueSpan{low, high}
		}
	}
	return spans
}

// valued reports which places of a column have a value.
func (t *LivingTable) valued(column int) []bool {
	has := make([]bool, len(t.Axes[column].Places))
	for place := range has {
		has[place] = place+1 < len(has)
	}
	return has
}

// label writes a column together with one of its places.
func (t *LivingTable) label(column, place int) string {
	return t.Axes[column].Column + ": " + t.Axes[column].Places[place].Label
}

// Numbers reports whether a column holds numbers, so that there are means.
func (t *LivingTable) Numbers(column int) bool { return !math.IsNaN(t.spans[column][0].first) }

// Ordered reports whether a column's places have an order, so that there are quantiles.
func (t *LivingTable) Ordered(column int) bool { return t.Axes[column].Bins() }

// KnownInWords says how the error of a number is known.
func KnownInWords(k joint.Known) phrase.Key {
	switch k {
	case joint.ByCounts:
		return "Measured: the true number is in the range in 95 of 100 releases."
	case joint.ByBounds:
		return "Not measured: follows from pairs only. The pairs leave this range possible, in " +
			"95 of 100 releases."
	case joint.Unmeasured:
		return "Not measured: follows from pairs only. How far off it is, nobody knows."
	}
	return "Public, without noise."
}

// KnownInShort is KnownInWords for a table.
func KnownInShort(k joint.Known) phrase.Key {
	switch k {
	case joint.ByCounts:
		return "measured"
	case joint.ByBounds:
		return "bounds from pairs"
	case joint.Unmeasured:
		return "not measured: follows from pairs only"
	}
	return "public"
}

// check refuses questions that cannot be asked.
func (t *LivingTable) check(q LivingQuestion) error {
	least, most := 0, mostLivingColumns
	switch q.Kind {
	case LivingCount:
	case LivingMean, LivingQuantile:
		least, most = 1, 2
	case LivingLine:
		least, most = 2, 2
	case LivingLogistic:
		least, most = 2, 1+MostPredictors
	default:
		return ask.Refuse("kind", fmt.Sprintf("%.20q", string(q.Kind)),
			phrase.Of("count, mean, quantile, line or logistic"))
	}
	if len(q.Columns) < least || len(q.Columns) > most {
		return ask.Refuse("columns", phrase.Of("%d columns", len(q.Columns)),
			phrase.Of("from %d to %d columns", least, most))
	}
	if len(q.Where) > mostLivingWhere {
		return ask.Refuse("where", phrase.Of("%d conditions", len(q.Where)),
			phrase.Of("at most %d conditions", mostLivingWhere))
	}
	seen, cells := map[int]bool{}, 1
	for _, column := range q.Columns {
		if column < 0 || column >= len(t.Axes) || seen[column] {
			return ask.Refuse("columns", strconv.Itoa(column),
				phrase.Of("columns of the table, each once"))
		}
		seen[column] = true
		cells *= len(t.Axes[column].Places)
	}
	if cells > mostLivingCells && q.Kind != LivingLogistic {
		return ask.Refuse("columns", phrase.Of("%d cells", cells),
			phrase.Of("at most %d cells: fewer columns, or those with fewer places",
				mostLivingCells))
	}
	for _, w := range q.Where {
		if w.Column < 0 || w.Column >= len(t.Axes) || seen[w.Column] || w.Place < 0 ||
			w.Place >= len(t.Axes[w.Column].Places) {
			return ask.Refuse("where", phrase.Of("column %d, place %d", w.Column+1, w.Place+1),
				phrase.Of("a place of a column that is not asked about, each column once"))
		}
		seen[w.Column] = true
	}
	return nil
}

// within returns a condition in the form of the model.
func (t *LivingTable) within(w LivingCondition) joint.Within {
	places := make([]bool, len(t.Axes[w.Column].Places))
	places[w.Place] = true
	return joint.Within{Column: w.Column, Places: places}
}

// among names the people who meet the conditions: "people with district: Mill, ward: A".
func (t *LivingTable) among(where []LivingCondition) string {
	if len(where) == 0 {
		return t.say.Many()
	}
	var list []string
	for _, w := range where {
		list = append(list, t.label(w.Column, w.Place))
	}
	return t.say.Format("%s with %s", t.say.Many(), strings.Join(list, ", "))
}

// count answers how many people are in the cells of a table.
func (t *LivingTable) count(a *LivingAnswer, q LivingQuestion, where []joint.Within) {
	a.Title = t.say.Format("number of %s", t.say.Many())
	for _, column := range q.Columns {
		a.Names = append(a.Names, t.Axes[column].Column)
	}
	first := 0
	for cell, n := range t.of.Table(q.Columns, where, livingBeta) {
		row, rest := countRow(n), cell
		for k := len(q.Columns) - 1; k >= 0; k-- {
			places := t.Axes[q.Columns[k]].Places
			row.Places = append([]string{places[rest%len(places)].Label}, row.Places...)
			rest /= len(places)
		}
		a.Rows = append(a.Rows, row)
		if n.Value > a.Rows[first].At {
			first = cell
		}
	}
	most := a.Rows[first]
	if len(q.Columns) == 0 {
		a.Sentence = t.say.Format("About %s %s%s.", most.Value, t.among(q.Where), t.range95(most))
		return
	}
	// The row was chosen by looking, so it gets the interval that holds for all of them at once,
	// and leads only where its interval lies above all others.
	cells, names := t.of.Table(q.Columns, where, livingBeta/float64(len(a.Rows))),
		strings.Join(most.Places, " · ")
	leads := true
	for cell, n := range cells {
		leads = leads && (cell == first || n.High < cells[first].Low)
	}
	if most = countRow(cells[first]); most.Known != joint.Unmeasured {
		a.Note = t.say.Text("The range in the sentence holds for all rows at once; each range in " +
			"the table holds on its own.")
	}
	if leads || most.Known == joint.Unmeasured {
		a.Sentence = t.say.Format("Most common among %s: %s, about %s%s.", t.among(q.Where),
			names, most.Value, t.range95(most))
		return
	}
	a.Sentence = t.say.Format("Nothing is clearly the most common among %s. First in the made-up "+
		"rows: %s, about %s%s.", t.among(q.Where), names, most.Value, t.range95(most))
}

// countRow writes a number of people.
func countRow(n joint.Number) LivingRow {
	row := LivingRow{Known: n.Known, At: n.Value, From: n.Low, To: n.High,
		Value: message.Grouped(int64(math.Round(n.Value)))}
	if n.Known == joint.ByCounts || n.Known == joint.ByBounds {
		row.Low, row.High = phrase.EndsTo(0, n.Low, n.High)
	}
	return row
}

// range95 writes the range of a number in brackets. For a number that was not measured it says that
// this is the made-up rows' number.
func (t *LivingTable) range95(r LivingRow) string {
	switch {
	case r.Known == joint.Unmeasured:
		return t.say.Text(" in the made-up rows")
	case !r.Ranged():
		return ""
	}
	return t.say.Format(" (%s to %s)", r.Low, r.High)
}

// grouped calls a function for all people, or for those in each place of the second column.
func (t *LivingTable) grouped(a *LivingAnswer, q LivingQuestion, where []joint.Within,
	each func(where []joint.Within) (LivingRow, bool)) error {
	if len(q.Columns) == 1 {
		if row, ok := each(where); ok {
			a.Rows = append(a.Rows, row)
		}
	} else {
		by := t.Axes[q.Columns[1]]
		a.Names = []string{by.Column}
		for place := range by.Places {
			row, ok := each(append(where[:len(where):len(where)],
				t.within(LivingCondition{q.Columns[1], place})))
			if ok {
				row.Places = []string{by.Places[place].Label}
				a.Rows = append(a.Rows, row)
			}
		}
	}
	if len(a.Rows) == 0 {
		return ask.Refuse("where", t.among(q.Where),
			phrase.Of("people with a value: the made-up rows have nobody like that"))
	}
	return nil
}

// limits returns the least and the greatest number of the people in each place of a column.
func (t *LivingTable) limits(column int) (firsts, lasts []float64, err error) {
	if !t.Numbers(column) {
		return nil, nil, ask.Refuse("columns", t.Axes[column].Column,
			phrase.Of("a column of numbers"))
	}
	for _, s := range t.spans[column] {
		firsts, lasts = append(firsts, s.first), append(lasts, s.last)
	}
	return firsts, lasts, nil
}

// means answers questions about the mean of a column.
func (t *LivingTable) means(a *LivingAnswer, q LivingQuestion, where []joint.Within) error {
	firsts, lasts, err := t.limits(q.Columns[0])
	if err != nil {
		return err
	}
	axis := t.Axes[q.Columns[0]]
	a.Title = t.say.Format("mean of %s", withUnit(axis))
	if err := t.grouped(a, q, where, func(where []joint.Within) (LivingRow, bool) {
		m, ok := t.of.Mean(q.Columns[0], firsts, lasts, where, livingBeta)
		return livingRow(m), ok
	}); err != nil {
		return err
	}
	a.Sentence = t.say.Format("The mean of %s of %s is about %s%s.", axis.Column,
		t.among(q.Where), a.Rows[0].Value, t.range95(a.Rows[0]))
	if len(q.Columns) == 2 {
		a.Sentence = t.say.Format("The mean of %s of %s, by %s.", axis.Column, t.among(q.Where),
			t.Axes[q.Columns[1]].Column)
	}
	worst := joint.ByCounts
	for _, row := range a.Rows {
		if row.Known == joint.Unmeasured {
			worst = row.Known
		}
	}
	a.Note = t.binned(q.Columns[0], worst)
	return nil
}

// middles returns the numbers that people in the places of a column count as.
func (t *LivingTable) middles(column int) (list []float64, err error) {
	firsts, lasts, err := t.limits(column)
	for place := range firsts {
		list = append(list, valueSpan{firsts[place], lasts[place]}.middle())
	}
	return list, err
}

// binned states the number that people in a bin count as.
func (t *LivingTable) binned(column int, known joint.Known) string {
	half := t.halfBin(column)
	switch {
	case half == 0:
		return ""
	case known == joint.Unmeasured:
		return t.say.Format("Each person counts as the middle of a bin, at most %s away.",
			phrase.AtMost(half))
	}
	return t.say.Format("Each person counts as the middle of a bin, at most %s away; the range "+
		"holds wherever in their bins people are.", phrase.AtMost(half))
}

// halfBin is half the width of a column's widest bin; 0 if each of its places is one number.
func (t *LivingTable) halfBin(column int) (half float64) {
	for _, s := range t.spans[column] {
		if d := (s.last - s.first) / 2; d > half {
			half = d
		}
	}
	return half
}

func withUnit(a Axis) string {
	if a.Unit == "" {
		return a.Column
	}
	return a.Column + " (" + a.Unit + ")"
}

// livingRow writes a number other than a count, with the digits that its range resolves.
func livingRow(n joint.Number) LivingRow {
	digits := 2
	if width := n.High - n.Low; n.Known != joint.Unmeasured && width > 0 {
		digits = min(max(0, 2-int(math.Floor(math.Log10(width)))), 9)
	}
	return rowOf(n, digits)
}

// rowOf writes a number with this many digits behind the point, its ends rounded outwards.
func rowOf(n joint.Number, digits int) LivingRow {
	row := LivingRow{Known: n.Known, At: n.Value, From: n.Low, To: n.High}
	row.Value = strings.Replace(strconv.FormatFloat(n.Value, 'f', digits, 64), "-", "−", 1)
	if n.Known != joint.Unmeasured {
		row.Low, row.High = phrase.EndsTo(digits, n.Low, n.High)
	}
	return row
}

// quantiles answers questions about the value that a part of the people are at or below.
func (t *LivingTable) quantiles(a *LivingAnswer, q LivingQuestion, where []joint.Within) error {
	part, err := strconv.ParseFloat(q.Part, 64)
	if err != nil || !(part > 0 && part < 1) {
		return ask.Refuse("part", fmt.Sprintf("%.20q", q.Part),
			phrase.Of("a number above 0 and below 1, such as 0.5"))
	}
	column := q.Columns[0]
	axis, spans := t.Axes[column], t.spans[column]
	if !t.Ordered(column) {
		return ask.Refuse("columns", axis.Column, phrase.Of("a column of numbers or dates"))
	}
	has := t.valued(column)
	a.Title = t.say.Format("%s-quantile of %s", q.Part, withUnit(axis))
	if err := t.grouped(a, q, where, func(where []joint.Within) (row LivingRow, ok bool) {
		at, low, high, within, known, ok := t.of.Quantile(column, has, part, where, livingBeta)
		if !ok {
			return row, false
		}
		row = LivingRow{Known: known, Value: axis.Places[at].Label, At: float64(at),
			From: float64(low), To: float64(high)}
		if known != joint.Unmeasured {
			row.Low, row.High = axis.Places[low].Label, axis.Places[high].Label
		}
		if t.Numbers(column) {
			row.At = spans[at].first + within*(spans[at].last-spans[at].first)
			row.From, row.To = spans[low].first, spans[high].last
			row.Value = message.Prose(row.At)
			if known != joint.Unmeasured {
				row.Low, row.High = phrase.Ends(row.From, row.To)
			}
		}
		return row, true
	}); err != nil {
		return err
	}
	percent := strconv.FormatFloat(100*part, 'g', 4, 64)
	a.Sentence = t.say.Format("%s %% of %s have %s or less of %s%s.", percent, t.among(q.Where),
		a.Rows[0].Value, axis.Column, t.range95(a.Rows[0]))
	if len(q.Columns) == 2 {
		a.Sentence = t.say.Format("What %s %% of %s have at most of %s, by %s.", percent,
			t.among(q.Where), axis.Column, t.Axes[q.Columns[1]].Column)
	}
	return nil
}

// line answers how a column changes with another: the slope of a line, and the means between which
// it lies.
func (t *LivingTable) line(a *LivingAnswer, q LivingQuestion, where []joint.Within) error {
	if len(q.Where) > 0 {
		return ask.Refuse("where", phrase.Of("%d conditions", len(q.Where)),
			phrase.Of("none: a line of all people"))
	}
	ys, err := t.middles(q.Columns[0])
	if err != nil {
		return err
	}
	xs, err := t.middles(q.Columns[1])
	if err != nil {
		return err
	}
	x, y := t.Axes[q.Columns[1]], t.Axes[q.Columns[0]]
	line, ok := t.of.Line(q.Columns[1], q.Columns[0], xs, ys, livingBeta)
	if !ok {
		return ask.Refuse("columns", x.Column, phrase.Of("a column of several values"))
	}
	if err := t.means(a, q, where); err != nil {
		return err
	}
	slope := livingRow(line.Slope)
	slope.Places, slope.Apart = []string{t.say.Text("slope")}, true
	a.Sentence = t.say.Format("Where %s is higher by 1, %s is higher by about %s%s: the straight "+
		"line that is nearest.", x.Column, y.Column, slope.Value, t.range95(slope))
	var bins []string
	for _, column := range q.Columns {
		if t.halfBin(column) > 0 {
			bins = append(bins, t.Axes[column].Column)
		}
	}
	if len(bins) > 0 {
		slope.Places[0] = t.say.Text("slope, of the middles of bins")
		a.Sentence = t.say.Format("Where %s is higher by 1, %s is higher by about %s%s: the "+
			"straight line that is nearest to the middles of the bins of %s.", x.Column, y.Column,
			slope.Value, t.range95(slope), strings.Join(bins, ", "))
		note := t.say.Format("The slope is that of people who count as the middle of a bin of %s. "+
			"How far off it is for their own values, nobody knows: its range is not for these.",
			strings.Join(bins, ", "))
		a.Note = strings.TrimSpace(note + " " + a.Note)
	}
	a.Sentence += " " + t.say.Format("At %s = 0 it has %s.", x.Column,
		message.Prose(line.Intercept))
	a.Rows = append([]LivingRow{slope}, a.Rows...)
	return nil
}
