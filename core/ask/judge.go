package ask

import (
	"cmp"
	"math"
	"slices"

	"hush/core/phrase"
)

// Spread is the distance by which an answer may be off.
type Spread struct {
	Bound   float64 // holds in 95 of 100 releases; +Inf: none is known
	Typical float64 // on average; 0: it is not known
}

// usually is how often the typical error goes into the error that at most 5 of 100 releases exceed:
// Laplace noise needs ln 20 < 3, and most other laws need less.
const usually = 3

// Judged returns the error that verdicts use, which 95 of 100 releases stay within: the bound where
// it is tight; three times the typical error where the bound is proven for worst-case data, which
// are rare; the typical error where there is no bound.
func (s Spread) Judged() float64 {
	switch {
	case s.Typical <= 0:
		return s.Bound
	case math.IsInf(s.Bound, 1):
		return s.Typical
	}
	return min(s.Bound, usually*s.Typical)
}

// Against is an error together with the number that it is judged against.
type Against struct {
	Spread
	About float64
}

// Within returns a bound at 95 %, judged against about.
func Within(bound, about float64) Against { return Against{Spread{Bound: bound}, about} }

// Usually returns a bound at 95 % that is far above the usual error, judged against about.
func Usually(bound, typical, about float64) Against {
	return Against{Spread{Bound: bound, Typical: typical}, about}
}

// Typically returns a typical error, judged against about.
func Typically(err, about float64) Against {
	return Against{Spread{Bound: math.Inf(1), Typical: err}, about}
}

// Grade returns the grade of one answer. Where the bound, which the bars show, is too large for the
// answer to be good, the grade is at most rough, however rare such data are.
func (a Against) Grade() Grade {
	g := Judge(a.Judged(), a.About)
	if g == Good && !math.IsInf(a.Bound, 1) && Judge(a.Bound, a.About) != Good {
		return Rough
	}
	return g
}

// part returns the error relative to the number it is judged against.
func (a Against) part() float64 {
	switch err := a.Judged(); {
	case a.About > 0:
		return err / a.About
	case err == 0:
		return 0
	}
	return math.Inf(1)
}

// Needs returns the least value of About for which the answer is good.
func (a Against) Needs() float64 { return goodPart * a.Verdict().most() }

// Verdict returns the verdict on one answer.
func (a Against) Verdict() Verdict { return a.graded(a.Grade()) }

func (a Against) graded(g Grade) Verdict {
	v := Verdict{Grade: g, Error: a.Judged(), About: a.About,
		typical: a.Typical > 0 && math.IsInf(a.Bound, 1), Usual: a.Judged() < a.Bound}
	if math.IsInf(v.Error, 0) || math.IsNaN(v.Error) {
		v.Error = -1
	}
	if !math.IsInf(a.Bound, 1) {
		v.bound = a.Bound
	}
	return v
}

// OfMany returns the verdict on answers that are read one by one, such as those for groups: noise
// where more than half of them are noise, and good where more than half are good. Its error is the
// error of the middle answer.
func OfMany(list []Against) Verdict {
	if len(list) == 0 {
		return Verdict{Grade: Noise, Error: -1}
	}
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(x, y Against) int { return cmp.Compare(x.part(), y.part()) })
	v := sorted[(len(sorted)-1)/2].Verdict()
	if upper := sorted[len(sorted)/2]; v.Grade == Good && upper.Grade() != Good {
		v = upper.graded(Rough)
	}
	v.Cells = grades(list)
	return v
}

// OfCounts returns the verdict on counts that people are divided among: their error relative to the
// count in which a typical person lies. About is each count; counts below 0 hold nobody.
func OfCounts(list []Against) Verdict {
	var sum, squares, errors float64
	for _, a := range list {
		c := max(a.About, 0)
		sum, squares, errors = sum+c, squares+c*c, errors+c*a.Judged()
	}
	if sum == 0 {
		v := Verdict{Grade: Noise, Error: -1, Cells: grades(list)}
		if len(list) > 0 {
			v.Error = list[0].graded(Noise).Error
		}
		return v
	}
	v := Within(errors/sum, squares/sum).Verdict()
	v.typical = list[0].Typical > 0 && math.IsInf(list[0].Bound, 1)
	v.Usual = list[0].Judged() < list[0].Bound
	v.Cells = grades(list)
	return v
}

// grades returns the grade of each answer.
func grades(list []Against) (grades []Grade) {
	for _, a := range list {
		grades = append(grades, a.Grade())
	}
	return grades
}

// least is the largest factor by which an answer may fall short of the size that it is judged
// against before its release. For a mean that is one part in 4 000 of its range: a range wider than
// that is a mistake.
const least = 1000

// Before returns the verdict on a future answer of size at most about. Where large answers would be
// good and small ones would not, the grade is Unknown and the verdict says from which size on the
// answer is good. sized writes an answer of a given size.
func (q *Query) Before(bound, about float64, show, sized func(x float64) string,
	against phrase.Key) Verdict {
	v := q.Because(Within(bound, about).Verdict(), show, against)
	switch {
	case v.Error <= 0 || v.Grade == Noise:
		return v
	case v.Grade == Rough:
		v.From = sized(roughPart * v.Error)
		v.Text = q.Say.Format("Off by up to %s. That is rough at best, and noise where the answer "+
			"is below %s.", show(v.Error), v.From)
		return v
	}
	from := sized(goodPart * v.Error)
	if Judge(bound, about/least) != Good {
		v.Grade, v.From = Unknown, from
	}
	v.Text = q.Say.Format("Off by up to %s: good to publish where the answer is %s or more.",
		show(v.Error), from)
	return v
}

// ByRows returns the verdict on an answer that is read row by row: no better than most of the rows.
func (v Verdict) ByRows() Verdict {
	noise, good := 0, 0
	for _, g := range v.Cells {
		switch g {
		case Noise:
			noise++
		case Good:
			good++
		}
	}
	switch n := len(v.Cells); {
	case 2*noise > n:
		v.Grade = Noise
	case 2*good < n && v.Grade == Good:
		v.Grade = Rough
	}
	return v
}

// Worse returns the verdict on an answer with two parts: the worse of both, with the first one's
// cells.
func (v Verdict) Worse(other Verdict) Verdict {
	if !other.Grade.worse(v.Grade) {
		return v
	}
	other.Cells = v.Cells
	return other
}

// Middle returns the middle verdict of a list, the better one of two.
func Middle(list []Verdict) Verdict {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(v, w Verdict) int {
		return cmp.Or(cmp.Compare(v.Grade.rank(), w.Grade.rank()), cmp.Compare(v.Error, w.Error))
	})
	return sorted[(len(sorted)-1)/2]
}

// Expecting adds, for Help, what the answers of a further release are likely to be judged against,
// where all released answers together show that better than the middle one.
func (v Verdict) Expecting(about float64) Verdict {
	v.expected = about
	return v
}

// Because gives a verdict its sentence: how far the answer is off and what that is judged against,
// both written by show.
func (q *Query) Because(v Verdict, show func(x float64) string, against phrase.Key) Verdict {
	if v.Error < 0 {
		v.Text = q.Say.Text("How far the answer is off is not known.")
		return v
	}
	text := phrase.Key("Off by up to %s, judged against %s: %s.")
	switch {
	case v.typical:
		text = "Typically off by %s, judged against %s: %s."
	case v.Usual:
		text = "Off by up to %s on most data, judged against %s: %s."
	}
	v.Text = q.Say.Format(text, show(v.Error), show(max(v.About, 0)), q.Say.Text(against))
	noise := 0
	for _, g := range v.Cells {
		if g == Noise {
			noise++
		}
	}
	if noise > 0 && len(v.Cells) > 1 {
		v.Text += " " + q.Say.Count(int64(noise), "Of %d rows, %d is mostly noise.",
			"Of %d rows, %d are mostly noise.", len(v.Cells), noise)
	}
	return v
}

// publish returns the sentence that states a released result, and the verdict on it. An answer that
// is mostly noise is not stated, since people would read the number as an answer; the verdict says
// how far it is off. Lessons state every answer, to show what noise does.
func (q *Query) publish(p Prepared, r Result) (statement string, v Verdict) {
	v = p.Judge(r)
	v.Text = phrase.Settled(v.Text)
	if q.hidden(v) {
		statement = q.Say.Format("%s: too few %s to tell.", q.Named(), q.Many()) + q.averaged(p)
	} else {
		statement = q.stated(p, r, p.State(r))
	}
	return phrase.Settled(statement), v
}

// hidden reports whether a verdict leaves nothing to state.
func (q *Query) hidden(v Verdict) bool { return v.Grade == Noise && !q.Taught }

// stated returns a statement together with all that is said beside it.
func (q *Query) stated(p Prepared, r Result, statement string) string {
	statement += q.averaged(p)
	if c, is := p.(Conditioned); is && c.StatesConditions(r) {
		return statement
	}
	return q.meant(statement)
}

// averaged says how many releases an answer averages; empty if it is no average.
func (q *Query) averaged(p Prepared) string {
	if of, is := p.(Refining); is && of.Averages() > 1 {
		return " " + q.Say.Format("That is the average of %d releases.", of.Averages())
	}
	return ""
}

// Reworded is a question for which earlier versions stated other numbers about some results.
type Reworded interface {
	// StatedBefore returns the earlier statement; empty if its numbers are today's.
	StatedBefore(Result) string
}

// statedBefore returns the statement of versions up to November 2026; empty if its numbers are
// today's.
func (q *Query) statedBefore(p Prepared, r Result, v Verdict) string {
	if q.hidden(v) {
		return q.meant(q.Say.Format("Too few %s to tell. %s of %s: %s", q.Many(),
			q.Say.Text(q.Task.Title), q.Label, v.Text) + q.averaged(p))
	}
	if w, is := p.(Reworded); is {
		if text := w.StatedBefore(r); text != "" {
			return q.meant(text + q.averaged(p))
		}
	}
	return ""
}
