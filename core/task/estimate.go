package task

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/codebook"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Estimates are released numbers, one for everybody or one for each group.
type Estimates struct {
	Name phrase.Key `json:"name"` // of the number: "mean"; see Title
	// Noun is whom the rows are about, where the recipe says so.
	Noun codebook.Noun `json:"noun,omitzero"`
	Rows []Estimate    `json:"rows"`
	// Axes are the columns whose places the groups combine, the last one's changing fastest; nil
	// where the groups are of one column, and in releases of earlier versions.
	Axes []Axis `json:"axes,omitempty"`
	// Found says that the groups are released too: the last row is then that of everybody in
	// another group, and with axes the last place of the first one.
	Found bool `json:"found,omitempty"`
}

// Estimate is one number with the interval in which the true one lies with probability 95 %.
type Estimate struct {
	Group string `json:"group,omitempty"` // empty: everybody
	Value string `json:"value"`           // decimals, rounded to what the interval resolves
	Low   string `json:"low"`
	High  string `json:"high"`
	// Size is how many people are in a group that was found, noisy; for all others how many are in
	// none of them. All cells of a group have the same.
	Size *Estimate `json:"size,omitempty"`
}

// stated is what a question says of itself before it is answered, for everybody or by group.
type stated interface {
	Loss(privacy.Distance) (privacy.Loss, error)
	Noise() *basic.Noise
	Forecast(valued int64) basic.Forecast
}

// asked is a basic question about everybody, which can be asked by group too.
type asked interface {
	stated
	basic.Question[basic.Estimate]
	Release(coin.Source, basic.Values, coin.Step) (basic.Estimate, error)
}

// figure is what a question says of its number, beside how it is released.
type figure struct {
	name phrase.Key // "mean"

	// of is [ask.OfPeople] where people are counted, [ask.OfShare] for a part of all from 0 to 1,
	// and nothing for a number of values.
	of ask.ErrorOf

	// plain has no unit of the values.
	plain bool

	// adds says that the numbers of all groups add up to that of everybody.
	adds bool

	// scale is the range of a number of n values between lo and hi; nil: the same.
	scale func(lo, hi, n float64) (float64, float64)

	// before and after are what the error is judged against, before the release and after it, and
	// known and found say so in words.
	before       func(e *estimate) float64
	after        func(e *estimate, value float64) float64
	known, found phrase.Key
}

// itself is a number judged against itself.
func itself(_ *estimate, value float64) float64 { return value }

// numberTask is a question of one number, with what it says of that.
type numberTask struct {
	ask.Task
	figure
}

// estimate is a prepared question whose answers are numbers.
type estimate struct {
	figure
	query   *ask.Query
	finding *finding // of the groups; nil: they are not searched for
	asked   stated
	all     asked
	group   *basic.ByGroup[basic.Estimate] // nil: everybody at once
	cells   cells                          // which the groups are, of a public list of them
}

// FurtherGroups is the role of columns whose places are combined with the groups.
const FurtherGroups = "and"

// roleAnd is that of columns by whose combinations with the groups a question is answered.
var roleAnd = ask.Role{
	Name: FurtherGroups, Label: "a further column of groups",
	Help: "Each combination of its categories, or of its bins, with the groups is a group of its " +
		"own. Lists, bounds and cut points are public.",
	Domains: binnedKinds, Max: basic.MaxTableColumns - 1, Cuts: true, Binned: true,
}

// newEstimate makes a question of the catalogue out of one of basic, by group where the recipe says
// so. make is given the ε that is left for it when the groups have been found.
func newEstimate(q *ask.Query, of figure,
	make func(epsilon privacy.Epsilon) (asked, error)) (ask.Prepared, error) {
	cells, err := groupCells(q)
	if err != nil {
		return nil, err
	}
	f, epsilon, err := newFinding(q, cells.count())
	if err != nil {
		return nil, err
	}
	question, err := make(epsilon)
	if err != nil {
		return nil, err
	}
	e := &estimate{figure: of, query: q, finding: f, asked: question, all: question, cells: cells}
	switch {
	case f != nil:
		if e.group, err = basic.NewByGroup[basic.Estimate](question, basic.MaxGroups); err != nil {
			// however many are found, the price is the same
			return nil, err
		}
	case len(e.cells.dimensions) > 0:
		granted, err := several(q)
		if err != nil {
			return nil, err
		}
		if e.group, err = basic.NewByGroupOf[basic.Estimate](question, uint64(e.cells.count()),
			granted); err != nil {
			return nil, err
		}
	default:
		return e, nil
	}
	e.asked = e.group
	if f == nil {
		return e, nil
	}
	return e, nil
}

// scale is what a numeric domain's codes mean.
func scale(d domain.Domain) (basic.Scale, error) {
	numeric, ok := d.(domain.Numeric)
	if !ok {
		return basic.Scale{},
			ask.Refuse("kind", fmt.Sprintf("%q", d.Spec().Kind),
				phrase.Of("whole or decimal numbers"))
	}
	first, step := numeric.Linear()
	return basic.Scale{Size: d.Size(), First: first, Step: step}, nil
}

// scaleAndDelta are what a sum and a mean are made from, beside ε and n.
func scaleAndDelta(q *ask.Query) (s basic.Scale, delta privacy.Delta, err error) {
	if s, err = scale(q.Domain); err == nil {
		delta, err = q.Delta()
	}
	return s, delta, err
}

// named is what the number is called, with the noun of those who are counted.
func (e *estimate) named() string {
	return (&Estimates{Name: e.name, Noun: e.query.Counted()}).Title(e.query.Say)
}

// Title is what the number is called, with the noun of those who are counted.
func (e *Estimates) Title(say *message.Language) string {
	switch {
	case e.Noun.Many == "":
	case e.Name == countName:
		return say.Format("number of %s with a value", e.Noun.Many)
	case e.Name == shareName:
		return say.Format("share of %s with a value", e.Noun.Many)
	}
	return say.Text(e.Name)
}

// Loss is that of the answers, and of finding the groups before.
func (e *estimate) Loss() (privacy.Loss, error) {
	loss, err := e.asked.Loss(1)
	if err != nil || e.finding == nil {
		return loss, err
	}
	found, err := e.finding.groups.EntryLoss()
	return found.Plus(loss), err
}

// OfPerson is the loss of a person with several entries, where groups are found, or where Gaussian
// noise is made for a person's groups.
func (e *estimate) OfPerson() (loss privacy.Loss, ok bool, err error) {
	if e.finding == nil {
		loss, ok = e.asked.Noise().OfPerson()
		return loss, ok, nil
	}
	answers, err := e.asked.Loss(1)
	if err != nil {
		return loss, false, err
	}
	return e.finding.ofPerson(e.query, answers)
}

// several is what a person with several rows in the question's groups is granted.
func several(q *ask.Query) (s basic.Several, err error) {
	g, k, ok := q.InGroups()
	if !ok {
		return s, nil
	}
	s = basic.Several{Groups: g, Rows: k, Epsilon: q.Whole}
	s.Delta, err = q.WholeDelta()
	return s, err
}

func (e *estimate) Algorithm() string {
	sums := e.query.Say.Format("%s mechanism on exact sums", e.asked.Noise().Kind())
	if e.finding != nil {
		return e.query.Say.Format("stability histogram that finds the groups, then %s", sums)
	}
	return sums
}

// typical is how many people a forecast is about: all, or those of a group of equal share.
func (e *estimate) typical() int64 { return e.cells.even(e.query.People, e.finding) }

func (e *estimate) Bound() float64 { return e.asked.Forecast(e.typical()).Bound }

// Typical is exact for a count, a share of all and a sum, but for what of a sum is rounded; for
// quotients it is the mean to first order, for values half way to an end of the range.
func (e *estimate) Typical() (off float64, exact bool) {
	return e.asked.Forecast(e.typical()).Typical, e.counted()
}

// counted says that the number is a count, by a public number at most.
func (e *estimate) counted() bool {
	return e.of == ask.OfPeople || e.of == ask.OfShare && e.group == nil
}

func (e *estimate) Unit() ask.Unit {
	text := e.query.Say.Format("± of the %s", e.named())
	if e.of == ask.OfPeople {
		text = e.query.Many()
	}
	return ask.Unit{Text: phrase.Plain(text), Of: e.of}
}

func (e *estimate) Forecast() []ask.Forecast {
	n := e.query.People
	size := e.typical()
	if e.finding != nil {
		label := e.query.Say.Text("Off by at most, in a group of a tenth of all")
		if len(e.cells.dimensions) > 0 {
			label = e.query.Say.Text(
				"Off by at most, in an equal part of a group of a tenth of all")
		}
		return []ask.Forecast{
			{Label: label, Value: "± " + e.number(e.Bound()),
				Detail: e.query.Say.Format("in 95 of 100 releases, if %s have a value",
					e.query.Count(size))},
			e.finding.forecast(e.query),
		}
	}
	if e.group != nil {
		return []ask.Forecast{
			{Label: e.query.Say.Text("Off by at most, in a group of equal share"),
				Value: "± " + e.number(e.asked.Forecast(size).Bound),
				Detail: e.query.Say.Format("in 95 of 100 releases, if %s have a value",
					e.query.Count(size))},
			{Label: e.query.Say.Text("In a group a tenth of that"),
				Value: "± " + e.number(e.asked.Forecast(max(size/10, 1)).Bound),
				Detail: e.query.Say.Format("if %s have a value",
					e.query.Count(max(size/10, 1)))},
		}
	}
	return []ask.Forecast{
		{Label: e.query.Say.Text("Off by at most"),
			Value:  "± " + e.number(e.asked.Forecast(n).Bound),
			Detail: e.query.Say.Text("in 95 of 100 releases, if everybody has a value")},
		{Label: e.query.Say.Text("If only half have a value"),
			Value:  "± " + e.number(e.asked.Forecast(max(n/2, 1)).Bound),
			Detail: e.query.Say.Text("in 95 of 100 releases")},
	}
}

// number writes a forecast error with two significant digits, rounded up.
func (e *estimate) number(x float64) string {
	measure := ""
	if e.of == ask.OfPeople {
		measure = " " + e.query.Many()
	}
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return fmt.Sprintf("%g", x) + measure
	}
	digits := max(0, 1-int(math.Floor(math.Log10(x))))
	shift := math.Pow(10, float64(digits))
	return fmt.Sprintf("%.*f", digits, math.Ceil(x*shift)/shift) + measure
}

func (e *estimate) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	out := &Estimates{Name: e.name, Noun: e.query.Counted()}
	if e.group == nil {
		one, err := e.all.Release(src, values(data.Main), step)
		if err != nil {
			return nil, err
		}
		out.Rows = []Estimate{e.written("", one)}
		return out, nil
	}
	if e.finding != nil {
		return e.runFound(src, data, step)
	}
	groups := e.cells.groups(data, values(data.Group))
	list, err := e.group.Release(src, values(data.Main), groups, step)
	if err != nil {
		return nil, err
	}
	axes := e.cells.axes()
	for i, one := range list {
		out.Rows = append(out.Rows, e.written(cellName(axes, i), one))
	}
	if len(axes) > 1 {
		out.Axes = axes
	}
	return out, nil
}

// written is written, a count with an interval from nobody to all.
func (e *estimate) written(group string, one basic.Estimate) Estimate {
	if e.of == ask.OfPeople {
		return writtenCount(group, one, e.query.People)
	}
	return written(group, one)
}

// writtenCount is a number of people with an interval from nobody to all n.
func writtenCount(group string, e basic.Estimate, n int64) Estimate {
	low, high := new(big.Rat), big.NewRat(n, 1)
	return texts(group, e, digitsOf(e), func(x *big.Rat) *big.Rat {
		switch {
		case x.Cmp(low) < 0:
			return low
		case x.Cmp(high) > 0:
			return high
		}
		return x
	})
}

// written rounds an estimate to the digits that its interval resolves: the ends outwards, so that
// it still holds.
func written(group string, e basic.Estimate) Estimate {
	return texts(group, e, digitsOf(e), func(x *big.Rat) *big.Rat { return x })
}

// digitsOf are as many behind the point as an interval resolves.
func digitsOf(e basic.Estimate) int {
	width, _ := new(big.Rat).Sub(e.High, e.Low).Float64()
	switch {
	case width > 0:
		return min(max(0, 2-int(math.Floor(math.Log10(width)))), 12)
	case !e.Value.IsInt():
		return 12
	}
	return 0
}

// texts writes an estimate with that many digits, the ends of its interval kept by end.
func texts(group string, e basic.Estimate, digits int, end func(*big.Rat) *big.Rat) Estimate {
	return Estimate{Group: group, Value: e.Value.FloatString(digits),
		Low: rounded(end(e.Low), digits, false), High: rounded(end(e.High), digits, true)}
}

// rounded writes x with that many digits, rounded down or up.
func rounded(x *big.Rat, digits int, up bool) string {
	unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil))
	scaled := new(big.Rat).Mul(x, unit)
	whole := new(big.Int).Div(scaled.Num(), scaled.Denom()) // towards −∞
	if up && !scaled.IsInt() {
		whole.Add(whole, one)
	}
	return new(big.Rat).Quo(new(big.Rat).SetInt(whole), unit).FloatString(digits)
}

func (e *estimate) State(result ask.Result) string {
	rows, name := result.(*Estimates).Rows, e.named()
	value, low, high := e.spoken(rows[0])
	switch {
	case e.group == nil:
		return e.query.Say.Format(
			"The %s of %s is about %s (between %s and %s in 95 of 100 releases).", name,
			e.query.Label, value, low, high)
	case e.finding != nil && len(e.cells.dimensions) > 0:
		axes := result.(*Estimates).Axes
		return e.query.Say.Format(
			"The %s of %s by %s, for %s and for all others, each with its 95 %% interval.",
			name, e.query.Label, named(axes),
			e.query.Say.Count(int64(len(axes[0].Places)-1), "one group found", "%d groups found",
				len(axes[0].Places)-1))
	case e.finding != nil && len(rows) == 1:
		return e.query.Say.Format("No group was large enough to be found. The %s of %s for "+
			"everybody who is in some group is about %s (between %s and %s in 95 of 100 releases).",
			name, e.query.Label, value, low, high)
	case e.finding != nil:
		return e.query.Say.Format(
			"The %s of %s for %s and for all others, each with its 95 %% interval.",
			name, e.query.Label,
			e.query.Say.Count(int64(len(rows)-1), "one group found", "%d groups found",
				len(rows)-1))
	}
	if by := e.cells.named(); by != "" {
		return e.query.Say.Format("The %s of %s by %s: %d groups, each with its 95 %% interval.",
			name, e.query.Label, by, len(rows))
	}
	return e.query.Say.Format("The %s of %s for each of %d groups, each with its 95 %% interval.",
		name, e.query.Label, len(rows))
}

// spoken are the numbers of a row as a sentence has them: rounded to a hundredth of the interval,
// its ends outwards, in groups and with their unit.
func (e *estimate) spoken(row Estimate) (value, low, high string) {
	from, to := parsed(row.Low), parsed(row.High)
	unit := math.Pow(10, math.Floor(math.Log10(max(to-from, 1e-9)))-1)
	if e.of == ask.OfPeople || !strings.Contains(row.Value, ".") {
		unit = max(unit, 1)
	}
	write := func(x float64, round func(float64) float64) string {
		digits := max(0, int(math.Round(-math.Log10(unit))))
		text := strconv.FormatFloat(round(x/unit)*unit, 'f', digits, 64)
		return message.GroupedText(text)
	}
	value, low, high = message.Prose(parsed(row.Value)), message.Prose(from), message.Prose(to)
	if to > from+1e-9 {
		at := min(max(parsed(row.Value), from), to) // nobody is told of more people than there are
		value, low, high = write(at, math.Round), write(from, math.Floor), write(to, math.Ceil)
	}
	if e.plain {
		return value, low, high
	}
	return e.query.WithUnit(value), low, e.query.WithUnit(high)
}

// Kind is "estimates".
func (*Estimates) Kind() string { return "estimates" }

// GroupName is what the group of a row is called; where groups were found, the last row is that of
// all others.
func (e *Estimates) GroupName(say *message.Language, row int) string {
	return groupName(say, e.Rows[row].Group, e.Found && e.Axes == nil && row == len(e.Rows)-1)
}

// File is the table as programs read it: counts are whole numbers.
func (e *Estimates) File(column string) [][]string {
	name, counts := e.Title(nil), 0 // how many cells at the end of a row are counts
	if e.Counts() {
		name, counts = "count", 3
	}
	header := []string{name, "low", "high"}
	if e.Found {
		header = append(header, "people", "people low", "people high")
		counts += 3
	}
	rows := e.Table(ask.Voice{}, column)
	if len(rows[0]) > len(header) {
		header = append([]string{string(e.rows())}, header...)
	}
	rows[0] = header
	for _, row := range rows[1:] {
		wholes(row[len(row)-counts:])
	}
	return rows
}

// rows is what each row is about, where there are several.
func (e *Estimates) rows() phrase.Key {
	if e.Directions() {
		return "direction"
	}
	return "group"
}

// Directions reports whether each row is a direction, and none a group of people.
func (e *Estimates) Directions() bool { return e.Name == spreadName }

// Counts reports whether the numbers are of people.
func (e *Estimates) Counts() bool { return e.Name == countName }

// wholes writes whole numbers without a fraction.
func wholes(cells []string) {
	for i, cell := range cells {
		if whole, fraction, _ := strings.Cut(cell, "."); strings.Trim(fraction, "0") == "" {
			cells[i] = whole
		}
	}
}

// Table lists what was released, a row each.
func (e *Estimates) Table(say ask.Voice, column string) [][]string {
	grouped := len(e.Rows) > 0 && e.Rows[0].Group != ""
	header := []string{say.Format("%s of %s", e.Title(say.Language), column),
		say.Text("low (95 %)"),
		say.Text("high (95 %)")}
	if grouped {
		header = append([]string{say.Text(e.rows())}, header...)
	}
	if e.Found {
		header = append(header, say.Format("%s in the group", say.Many()), say.Text("low (95 %)"),
			say.Text("high (95 %)"))
	}
	rows := [][]string{header}
	for i, r := range e.Rows {
		row := []string{r.Value, r.Low, r.High}
		if e.Counts() {
			wholes(row)
		}
		if grouped {
			row = append([]string{e.GroupName(say.Language, i)}, row...)
		}
		if e.Found {
			size := []string{r.Size.Value, r.Size.Low, r.Size.High}
			wholes(size)
			row = append(row, size...)
		}
		rows = append(rows, row)
	}
	return rows
}
