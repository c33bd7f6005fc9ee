package task

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/privacy"
)

// stated holds a question's statements about itself before it is answered, for everybody or by
// group.
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

// figure holds the facts about a question's number that are not about its release.
type figure struct {
	name phrase.Key // "mean"
	many phrase.Key // Estimates.Many, of people and of shares

	// of is [ask.OfPeople] where people are counted, [ask.OfShare] for a part of all from 0 to 1,
	// and empty for a number in the unit of the values.
	of ask.ErrorOf

	// short says that the name stands before the column's: “mean age”, but “sum of visits”.
	short bool

	// scale returns the range of a number of n values between lo and hi; nil: that range itself.
	// Whether the number has the values' unit, and whether those of groups add up, follows from it.
	scale func(lo, hi, n float64) (float64, float64)

	// exact is the number without noise for some people; it may be NaN for nobody.
	exact func(people []ask.Person) float64

	// before and after are the sizes that the error is judged against, before the release and after
	// it; known and found name them in words. Those that a figure of people lacks are those of a
	// count.
	before       func(e *estimate) float64
	after        func(e *estimate, value float64) float64
	known, found phrase.Key

	// sizes returns the answer that after judges against about; nil: about itself.
	sizes func(e *estimate, about float64) float64
}

// plain says that the number has no unit of the values: it counts people, or does not double with
// the values.
func (f figure) plain() bool {
	_, one, _ := f.ranges(0, 1, 1)
	_, two, _ := f.ranges(0, 2, 1)
	return f.of != "" || two != 2*one
}

// adds says that the numbers of all groups add up to that of everybody: it grows with the people.
func (f figure) adds() bool {
	_, one, _ := f.ranges(0, 1, 1)
	_, two, _ := f.ranges(0, 1, 2)
	return two == 2*one
}

// ranges is the range of a number of n values between lo and hi.
func (f figure) ranges(lo, hi, n float64) (from, to float64, ok bool) {
	switch {
	case f.of == ask.OfPeople:
		return 0, n, n > 0
	case f.of == ask.OfShare:
		return 0, 1, true
	case f.scale != nil:
		lo, hi = f.scale(lo, hi, n)
	}
	return lo, hi, lo < hi
}

// whole is the figure with what follows for one of people, or why something is missing.
func (f figure) whole(id string) (figure, error) {
	if f.of == ask.OfPeople && f.before == nil && f.known == "" {
		f.before = func(e *estimate) float64 { return float64(e.typical()) }
		f.known = againstSame
	}
	if f.of == ask.OfPeople && f.after == nil && f.found == "" {
		f.after, f.found = itself, againstTypical
	}
	for _, one := range []struct {
		name  string
		is    bool
		write string
	}{
		{"name", f.name != "", "what the number is called"},
		{"many", f.many != "" || f.of == "", "its name with %s for the people, whatever they are"},
		{"before", f.before != nil, "what the error is judged against before the release"},
		{"known", f.known != "", "in words what before is"},
		{"after", f.after != nil, "what the error is judged against after the release, as itself"},
		{"found", f.found != "", "in words what after is"},
		{"exact", f.exact != nil, "the number of some people without noise"},
	} {
		if !one.is {
			return f, ask.Lacks(id, "figure."+one.name, one.write)
		}
	}
	return f, nil
}

// itself judges a number against itself.
func itself(_ *estimate, value float64) float64 { return value }

// numberTask is a question with one number as its answer, and the texts about that number.
type numberTask struct {
	ask.Task
	figure
}

// estimate is a prepared question whose answers are numbers.
type estimate struct {
	figure
	hiding
	query   *ask.Query
	finding *finding // of the groups; nil: they are not searched for
	asked   stated
	all     asked
	group   *basic.ByGroup[basic.Estimate] // nil: everybody at once
	cells   cells                          // which the groups are, of a public list of them

	// the question with the wider intervals of earlier versions; nil: they were the same
	widely func() (ask.Prepared, error)
}

var (
	_ ask.Refining = (*estimate)(nil)
	_ ask.Drawing  = (*estimate)(nil)
)

// noise is nil where groups were found: they are released too, and a top-up would have to find the
// same ones.
func (e *estimate) noise() *basic.Noise {
	if e.finding != nil {
		return nil
	}
	return e.asked.Noise()
}

// newEstimate turns a question of package basic into one of the catalogue, by group where the
// recipe says so. make receives the ε that is left for the question after the groups are found.
func newEstimate(q *ask.Query, of figure,
	make func(epsilon privacy.Epsilon) (asked, error)) (ask.Prepared, error) {
	if _, err := typicalSize(q); err != nil {
		return nil, err
	}
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
	if of, err = of.whole(q.Recipe.Task); err != nil {
		return nil, err
	}
	e := &estimate{figure: of, query: q, finding: f, asked: question, all: question, cells: cells}
	e.whose = e
	switch {
	case f != nil:
		if e.group, err = basic.NewByGroup[basic.Estimate](question, basic.MaxGroups); err != nil {
			// however many groups are found, the price is the same
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

// scale returns the scale of a numeric domain's codes.
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

// scaleAndDelta returns the parameters of a sum or a mean, apart from ε and n.
func scaleAndDelta(q *ask.Query) (s basic.Scale, delta privacy.Delta, err error) {
	if s, err = scale(q.Domain); err == nil {
		delta, err = q.Delta()
	}
	return s, delta, err
}

// named is the name of the number, with the noun for the people who are counted.
func (e *estimate) named() string {
	return e.answer().Title(e.query.Say)
}

// answer returns an answer without numbers.
func (e *estimate) answer() *Estimates {
	return &Estimates{Name: e.name, Noun: e.query.Counted(), Of: e.of, Many: e.many}
}

// Loss is the loss of the answers and of finding the groups before.
func (e *estimate) Loss() (privacy.Loss, error) { return e.withGroups(e.asked.Loss(1)) }

// withGroups adds the loss of finding the groups to that of the answers.
func (e *estimate) withGroups(answers privacy.Loss, err error) (privacy.Loss, error) {
	if err != nil || e.finding == nil {
		return answers, err
	}
	groups, err := e.finding.groups.EntryLoss()
	return groups.Plus(answers), err
}

// OfPerson is the loss of a person with several entries, where groups are found, or where Gaussian
// noise is made for a person's groups.
func (e *estimate) OfPerson() (loss privacy.Loss, ok bool, err error) {
	return e.ofPerson(e.asked.Loss(1))
}

func (e *estimate) ofPerson(answers privacy.Loss, err error) (loss privacy.Loss, ok bool, _ error) {
	switch {
	case e.finding == nil:
		loss, ok = e.asked.Noise().OfPerson()
		return loss, ok, nil
	case err != nil:
		return loss, false, err
	}
	return e.finding.ofPerson(e.query, answers)
}

// Loosely returns the question, where groups are found, with the bound of versions up to November
// 2026: the answers had no ρ beyond the one that their ε implies.
func (e *estimate) Loosely() ask.Prepared { return loosely{e} }

type loosely struct{ *estimate }

// Widely returns the question with the wider intervals of versions up to November 2026.
func (e *estimate) Widely() ask.Prepared {
	if e.widely == nil {
		return nil
	}
	before, err := e.widely()
	if err != nil {
		return nil
	}
	return before
}

func (l loosely) Loss() (privacy.Loss, error) { return l.withGroups(l.answers()) }

func (l loosely) OfPerson() (privacy.Loss, bool, error) { return l.ofPerson(l.answers()) }

func (l loosely) answers() (privacy.Loss, error) {
	answers, err := l.asked.Loss(1)
	epsilon, known := answers.Epsilon()
	if err != nil || !known || l.finding == nil {
		return answers, err
	}
	return privacy.NewLoss(epsilon, answers.Delta())
}

// several returns the loss granted to a person with several rows in the question's groups.
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
	if of := e.asked.Noise().Averages(); e.finding == nil && of > 1 {
		sums = e.query.Say.Format("%s, the average of %d releases", sums, of)
	}
	if e.finding != nil {
		return e.query.Say.Format("stability histogram that finds the groups, then %s", sums)
	}
	return sums
}

// typical is the number of people that a forecast is about: all, or those of an average group.
func (e *estimate) typical() int64 { return e.cells.even(e.query.People, e.finding != nil) }

func (e *estimate) Bound() float64 { return e.points() * e.asked.Forecast(e.typical()).Bound }

// points is the factor by which an error is multiplied for display: errors of shares are in
// percentage points.
func (e *estimate) points() float64 {
	if e.of == ask.OfShare {
		return 100
	}
	return 1
}

// Typical is exact for a count, a share of all and a sum, apart from the rounding of a sum; for
// quotients it is the mean to first order, for values half way to an end of the range.
func (e *estimate) Typical() (off float64, exact bool) {
	return e.points() * e.asked.Forecast(e.typical()).Typical, e.counted()
}

// counted reports whether the number is a count, divided at most by a public number.
func (e *estimate) counted() bool {
	return e.of == ask.OfPeople || e.of == ask.OfShare && e.group == nil
}

// Unit is the unit of the values: an error of 106 means € 106.
func (e *estimate) Unit() ask.Unit {
	unit := strings.TrimSpace(e.query.Recipe.Unit)
	switch {
	case e.of == ask.OfPeople:
		return ask.Unit{Text: phrase.Plain(e.query.Many()), Of: e.of}
	case e.of == ask.OfShare:
		return ask.Unit{Text: phrase.Of("points"), Of: ask.OfPercent}
	case e.plain() || unit == "":
		return ask.Unit{Text: phrase.Plain(e.query.Say.Format("± of the %s", e.named())), Of: e.of}
	}
	return ask.Unit{Text: phrase.Plain(unit), Of: e.of}
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
			{Label: label, Value: "± " + e.number(e.asked.Forecast(size).Bound),
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
	x *= e.points()
	text := fmt.Sprintf("%g", x)
	if x != 0 && !math.IsInf(x, 0) && !math.IsNaN(x) {
		digits := max(0, 1-int(math.Floor(math.Log10(x))))
		shift := math.Pow(10, float64(digits))
		text = fmt.Sprintf("%.*f", digits, math.Ceil(x*shift)/shift)
	}
	switch {
	case e.of == ask.OfPeople:
		return text + " " + e.query.Many()
	case e.of == ask.OfShare:
		return points(e.query.Say, text)
	case e.plain():
		return text
	}
	return e.query.WithUnit(text)
}

// ends returns the public bounds of the values.
func (e *estimate) ends() (lo, hi float64) {
	s, err := scale(e.query.Domain)
	if err != nil {
		return 0, 0
	}
	lo, _ = s.First.Float64()
	step, _ := s.Step.Float64()
	size, _ := s.Size.Float64()
	return lo, lo + step*(size-1)
}

func (e *estimate) width() float64 {
	lo, hi := e.ends()
	return hi - lo
}

// Judge compares the error with the number itself or with the public range: for groups, counts as
// in a histogram, and other numbers one by one.
func (e *estimate) Judge(r ask.Result) ask.Verdict {
	show := e.shown
	if r == nil {
		return e.expected()
	}
	var list []ask.Against
	var sum, weights float64
	for _, row := range r.(*Estimates).Rows {
		value, off := row.number.value, max(row.number.off(), e.least())
		list = append(list, ask.Within(e.points()*off, e.points()*e.after(e, value)))
		if off > 0 {
			sum, weights = sum+value/(off*off), weights+1/(off*off)
		}
	}
	v := ask.OfMany(list)
	if e.of == ask.OfPeople {
		v = ask.OfCounts(list)
	} else if e.group != nil && weights > 0 {
		v = v.Expecting(e.points() * e.after(e, sum/weights))
	}
	if e.group == nil {
		v.Cells = nil
	}
	v = e.query.Because(v, show, e.found)
	if e.finding != nil && len(list) == 1 {
		v.Text = e.query.Say.Text("No group was large enough to be found.") + " " + v.Text
	}
	return v
}

// expected returns the verdict before a release: against the typical size that the owner states, or
// otherwise as far as it holds for all sizes.
func (e *estimate) expected() ask.Verdict {
	if size, err := typicalSize(e.query); err == nil && size > 0 {
		about := min(e.points()*e.before(e), e.points()*e.after(e, size/e.points()))
		return e.query.Because(ask.Within(e.Bound(), about).Verdict(), e.shown,
			"the typical size stated")
	}
	if e.alike() {
		return e.query.Because(ask.Within(e.Bound(), e.points()*e.before(e)).Verdict(), e.shown,
			e.known)
	}
	v := e.query.Before(e.Bound(), e.points()*e.before(e), e.shown, e.sized, e.known)
	if v.Grade == ask.Unknown && takesTypical(e.query) {
		v.Text += " " + e.query.Say.Text("State a typical size, if you know one.")
	}
	if v.Grade != ask.Good && !e.plain() {
		v.Text += " " + e.query.Say.Text("Half the range is half the error.")
	}
	return v
}

// ParamTypical is the parameter with a typical size of the answer, stated by the owner: it is
// public and has no effect on the answer.
const ParamTypical = "typical"

var typicalParam = ask.Param{
	Name: ParamTypical, Label: "Typical size, if you know it", Kind: ask.Text, OfValues: true,
	Help: "A public number of about the size of the answer, for example from another year or " +
		"source: in the column's unit, or in percent for a share. Leave it empty if you do not " +
		"know one.",
	Effect: "The verdict before a release is judged against it. It changes neither the answer " +
		"nor its price.",
}

// takesTypical reports whether a question takes a typical size.
func takesTypical(q *ask.Query) bool {
	return slices.ContainsFunc(q.Task.Params, func(p ask.Param) bool {
		return p.Name == ParamTypical
	})
}

// typicalSize returns the size stated, or 0 if none is.
func typicalSize(q *ask.Query) (float64, error) {
	if !takesTypical(q) {
		return 0, nil
	}
	text := strings.TrimSpace(q.Param(ParamTypical))
	if text == "" {
		return 0, nil
	}
	size, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(text, "%")), 64)
	if err != nil || math.IsInf(size, 0) || math.IsNaN(size) {
		return 0, ask.Refuse(ParamTypical, fmt.Sprintf("%.20q", text),
			phrase.Of("a number, or nothing"))
	}
	return size, nil
}

// least is the error of a count, or of its part of all, disregarding that intervals end at nobody
// and at all.
func (e *estimate) least() float64 {
	if e.counted() {
		return e.Bound() / e.points()
	}
	return 0
}

// sized writes the answer that is judged against about.
func (e *estimate) sized(about float64) string {
	switch {
	case e.of == ask.OfShare:
		return e.query.Say.Format("%s %%", phrase.Prose(about))
	case e.sizes != nil:
		about = e.sizes(e, about)
	}
	return e.shown(about)
}

// alike reports whether answers of all sizes are judged alike.
func (e *estimate) alike() bool {
	lo, hi := e.ends()
	return min(e.after(e, lo), e.after(e, 0), e.after(e, hi)) >= e.before(e)
}

// shown writes an error of the answer.
func (e *estimate) shown(x float64) string {
	switch {
	case e.of == ask.OfPeople:
		return e.query.CountUp(x)
	case e.of == ask.OfShare:
		return points(e.query.Say, phrase.Prose(x))
	case e.plain():
		return phrase.Prose(x)
	}
	return e.query.Amount(x)
}

func (f figure) scaleOf(r ask.Recipe, people int64) (lo, hi float64, ok bool) {
	lo, hi, valued := rangeOf(r.Domain)
	lo, hi, ok = f.ranges(lo, hi, float64(people))
	return lo, hi, ok && (valued || f.of != "")
}

// scaleUnit is the unit of numbers on that scale.
func (e *estimate) scaleUnit() string {
	switch e.of {
	case ask.OfPeople:
		return many(e.query)
	case ask.OfShare:
		return ""
	}
	return e.query.Recipe.Unit
}

// Frame draws the number, or the number of each group, in the middle of its range.
func (e *estimate) Frame() *ask.Frame {
	lo, hi, ok := e.scaleOf(e.query.Recipe, e.query.People)
	if !ok || e.finding != nil { // nobody knows how many groups there are
		return nil
	}
	f := &ask.Frame{Kind: ask.FrameNumber, Unit: e.scaleUnit(), Lo: lo, Hi: hi,
		Even:  lo + (hi-lo)/2,
		Error: e.Bound() / e.points(),
		Axis: e.query.Say.Format("%s of %s", Capital(e.named()),
			axisOf(e.query))}
	if e.group == nil {
		return f
	}
	f.Kind = ask.FrameBars
	axes := e.cells.axes()
	for i := range e.cells.count() {
		f.Labels = append(f.Labels, cellName(axes, i))
	}
	if e.adds() {
		f.Even /= float64(len(f.Labels))
	}
	return f
}

func (e *estimate) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	out := e.answer()
	if e.group == nil {
		one, err := e.all.Release(src, values(data.Main), step)
		if err != nil {
			return nil, err
		}
		out.Rows = []Estimate{e.written("", one, one)}
		return out, nil
	}
	if e.finding != nil {
		return e.runFound(src, data, step)
	}
	groups := e.cells.groups(data, values(data.Group))
	list, together, err := e.group.ReleaseTogether(src, values(data.Main), groups, step)
	if err != nil {
		return nil, err
	}
	axes := e.cells.axes()
	for i, one := range list {
		out.Rows = append(out.Rows, e.written(cellName(axes, i), one, together[i]))
	}
	if len(axes) > 1 {
		out.Axes = axes
	}
	return out, nil
}

// runFound finds the groups and answers for each of them, and for all others together. With further
// columns it answers for each combination.
func (e *estimate) runFound(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	found, err := e.finding.groups.Find(src, labels(data.Group), half(step, 0))
	if err != nil {
		return nil, err
	}
	crossed := len(e.cells.dimensions) > 0
	c := e.cells.of(e.query, e.finding.names(e.query, found, crossed))
	group, err := basic.NewByGroup[basic.Estimate](e.all, uint64(c.count()))
	if err != nil {
		return nil, err // unreachable: finding keeps to what can be asked about
	}
	list, together, err := group.ReleaseTogether(src, values(data.Main),
		c.groups(data, found.Groups()), half(step, 1))
	if err != nil {
		return nil, err
	}
	out := e.answer()
	out.Found = true
	if crossed {
		out.Axes = c.axes()
	}
	sizes := append(found.Sizes, found.Rest)
	for i, one := range list {
		row := e.written(cellName(c.axes(), i), one, together[i])
		size := writtenCount("", sizes[i/e.cells.count()], e.query.People)
		row.Size = &size
		out.Rows = append(out.Rows, row)
	}
	return out, nil
}

// written writes an estimate, a count with an interval from nobody to all, along with the interval
// that holds for all groups at once.
func (e *estimate) written(group string, one, together basic.Estimate) Estimate {
	write := written
	if e.of == ask.OfPeople {
		write = func(group string, x basic.Estimate) Estimate {
			return writtenCount(group, x, e.query.People)
		}
	}
	row := write(group, one)
	row.together = write(group, together).number
	return row
}
