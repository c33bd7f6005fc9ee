package ask

import (
	"cmp"
	"math"
	"slices"

	"hush/core/phrase"
)

// Spread is how far an answer may be off.
type Spread struct {
	Bound   float64 // holds in 95 of 100 releases; +Inf: none is known
	Typical float64 // on average; 0: it is not known
}

// usually times the typical error is exceeded in at most 5 of 100 releases: Laplace noise needs ln
// 20 < 3, and most other laws need less.
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

// Against is an error, and what it is judged against.
type Against struct {
	Spread
	About float64
}

// Within is an error bound at 95 %, judged against about.
func Within(bound, about float64) Against { return Against{Spread{Bound: bound}, about} }

// Usually is an error bound at 95 % that is far above what is usual, judged against about.
func Usually(bound, typical, about float64) Against {
	return Against{Spread{Bound: bound, Typical: typical}, about}
}

// Typically is a typical error, judged against about.
func Typically(err, about float64) Against {
	return Against{Spread{Bound: math.Inf(1), Typical: err}, about}
}

// Grade is that of one answer. Where its bound, which its bars show, is too much for it to be good,
// it is rough at best, however seldom data are like that.
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

// Needs is what About must be at least for the answer to be good.
func (a Against) Needs() float64 { return goodPart * a.Verdict().most() }

// Verdict is that on one answer.
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

// OfMany is the verdict on answers that are read one by one, as of groups: noise where more than
// half of them are, and good where more than half are good. Its error is that of the one in the
// middle.
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

// OfCounts is the verdict on counts that people are divided among: their error against the count in
// which a typical person lies. About is each count; those below 0 hold nobody.
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

// grades are those of single answers.
func grades(list []Against) (grades []Grade) {
	for _, a := range list {
		grades = append(grades, a.Grade())
	}
	return grades
}

// least is by how much smaller an answer may be than what it is judged against before its release.
// A mean is then one part in 4 000 of its range: a range that is wider than that is a mistake.
const least = 1000

// Before is the verdict on an answer to come that is at most about in size: where it is good for
// large answers and not for small ones, nobody knows it before, and the verdict says from where on
// it is good. Sized writes an answer of a size.
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

// ByRows is the verdict on an answer that is read row by row: it is no better than most of them.
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

// Worse is the verdict on an answer that has both: the worse of them, with the first one's cells.
func (v Verdict) Worse(other Verdict) Verdict {
	if !other.Grade.worse(v.Grade) {
		return v
	}
	other.Cells = v.Cells
	return other
}

// Middle is the verdict in the middle of some, the better of two.
func Middle(list []Verdict) Verdict {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(v, w Verdict) int {
		return cmp.Or(cmp.Compare(v.Grade.rank(), w.Grade.rank()), cmp.Compare(v.Error, w.Error))
	})
	return sorted[(len(sorted)-1)/2]
}

// Expecting tells Help what the answers of a further release are likely to be judged against, where
// the released ones say it better together than the one in the middle.
func (v Verdict) Expecting(about float64) Verdict {
	v.expected = about
	return v
}

// Because gives a verdict its sentence: how far the answer is off, and what that is judged against,
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

// publish is what a released result says in a sentence, and its verdict. An answer that is mostly
// noise is not stated: the number would be read as one, and the verdict says how far it is off.
// Lessons tell all, to show what noise does.
func (q *Query) publish(p Prepared, r Result) (statement string, v Verdict) {
	v = p.Judge(r)
	if q.hidden(v) {
		return q.Say.Format("%s: too few %s to tell.", q.Named(), q.Many()) + q.averaged(p), v
	}
	return q.stated(p, r, p.State(r)), v
}

// hidden tells whether a verdict leaves nothing to state.
func (q *Query) hidden(v Verdict) bool { return v.Grade == Noise && !q.Taught }

// stated is a statement with all that is said beside it.
func (q *Query) stated(p Prepared, r Result, statement string) string {
	statement += q.averaged(p)
	if c, is := p.(Conditioned); is && c.StatesConditions(r) {
		return statement
	}
	return q.meant(statement)
}

// averaged says of how many releases an answer is the average; empty: it is none.
func (q *Query) averaged(p Prepared) string {
	if of, is := p.(Refining); is && of.Averages() > 1 {
		return " " + q.Say.Format("That is the average of %d releases.", of.Averages())
	}
	return ""
}

// Reworded is a question whose State said more of some results in earlier versions: the numbers in
// it were others.
type Reworded interface {
	// StatedBefore is what it said; empty: the same numbers as today.
	StatedBefore(Result) string
}

// statedBefore is the statement of versions up to November 2026; empty: it has the same numbers.
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
