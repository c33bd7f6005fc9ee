package task

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/threshold"
)

// spans draws a median or several quantiles, with one value below and one above each, and certifies
// all of them at once. The values around are sought a public number of people away; where the
// measured largest error is less than that, each quantile lies between its two values. Proof:
// score.md of core/threshold, largesterror.md of core/mechanism.
type spans struct {
	query   *ask.Query
	targets []*big.Rat
	median  bool
	off     *certificate
	joint   *basic.JointExp // draws all values; nil: there are too many people
	ranks   *threshold.Ranks
	finder  chosenFinder // for ranks
	around  int64        // people
}

// spanShare is the part of ε that certifies spans, in percent: a quarter, for one value and for
// nine. With a fifth or a third, spans were wider or more of them open.
const spanShare = 25

// spanning extends a task by spans of the values for the parts that partsOf returns; without parts
// the question is the plain one.
func spanning(t ask.Task, partsOf func(*ask.Query) ([]*big.Rat, error)) ask.Task {
	plain := t.Prepare
	t.Prepare = func(q *ask.Query) (ask.Prepared, error) {
		wanted, wished := wantsSpans(q), wishesSpans(q)
		if q.Tries() || q.Recipe.Group != nil || len(q.Recipe.Others) > 0 || !wanted && !wished {
			return plain(q) // the plain question refuses spans by group
		}
		targets, err := partsOf(q)
		if err == nil && len(targets) > 0 {
			var s ask.Prepared
			if s, err = newSpans(q, targets, t.ID == medianTask.ID); err == nil {
				return s, nil
			}
		}
		if wished { // that there are none follows from public facts alone
			return plain(q)
		}
		return nil, err
	}
	return t
}

func newSpans(q *ask.Query, targets []*big.Rat, median bool) (ask.Prepared, error) {
	if err := q.CheckPersons(basic.MaxPeople); err != nil {
		return nil, err
	}
	chosen := q.Param(paramAlgorithm)
	if chosen == levels || chosen == methodLevels {
		return nil, ask.Refuse(paramAlgorithm, fmt.Sprintf("%q", chosen),
			phrase.Of("another algorithm where an interval of values is wanted"))
	}
	largest, err := mechanism.NewLargestError(
		mechanism.LargestErrorParams{Epsilon: q.Epsilon.Part(spanShare, 100)})
	if err != nil {
		return nil, err
	}
	s := &spans{query: q, targets: targets, median: median, off: &certificate{largest}}
	rest := *q
	rest.Epsilon = q.Epsilon.Part(100-spanShare, 100)
	if chosen == auto || chosen == jointly {
		if s.together(&rest) {
			return s, nil
		}
	}
	if chosen != jointly {
		if err := s.each(&rest); err != nil {
			return nil, err
		}
	}
	if !s.fits(1) || s.ranks == nil {
		return nil, ask.Refuse(paramStated, fmt.Sprintf("%q", spanned),
			phrase.Of("another choice: the ends of an interval would be %s people away, of %s",
				phrase.Grouped(s.around), phrase.Grouped(q.People)))
	}
	return s, nil
}

// reach is how many people away the values around are sought, so that about 5 in 100 spans are open
// where few people share a value; where the quantile is between two crowds, nearly all are. It is
// one and a half times the margin that is added to the largest error, plus about three times the
// typical error of the values. (With twice that error, 7 to 23 in 100 are open: SPANS.md.)
func (s *spans) reach(typical float64) int64 {
	return int64(math.Ceil(1.5*float64(s.off.largest.Margin(basic.Beta)) + 3*typical))
}

// fits reports whether neighbouring targets are far enough apart for values around them: each needs
// that many people on either side that are nearer to it than to other values; values counts them
// between two targets.
func (s *spans) fits(values int64) bool {
	last := new(big.Rat)
	for i, t := range append(slices.Clone(s.targets), big.NewRat(1, 1)) {
		wide := s.around
		if i > 0 && i < len(s.targets) {
			wide *= values
		}
		between := new(big.Rat).Sub(t, last)
		if between.Mul(between, big.NewRat(s.query.People, 1)).Cmp(big.NewRat(wide, 1)) < 0 {
			return false
		}
		last = t
	}
	return true
}

// together draws all values by one choice, or returns false if there are too many people for that,
// or too few.
func (s *spans) together(q *ask.Query) bool {
	if q.Domain == nil && q.People > mostBits/int64(q.Space.Size().BitLen()) {
		return false
	}
	p := basic.JointExpParams{Epsilon: q.Epsilon, Size: q.Space.Size(), Targets: s.targets,
		People: q.People, Around: 1}
	joint, err := basic.NewJointExp(p)
	if err != nil {
		return false
	}
	p.Around = min(s.reach(joint.TypicalRankError()), p.People)
	if s.around = p.Around; !s.fits(2) {
		return false
	}
	s.joint, err = basic.NewJointExp(p)
	return err == nil
}

// each draws every value separately, in a window of its own.
func (s *spans) each(q *ask.Query) (err error) {
	if s.finder, err = newFinder(q, int64(3*len(s.targets))); err != nil {
		return err
	}
	p := threshold.RanksParams{Finder: s.finder.Finder, Size: q.Space.Size(), Parts: s.targets,
		Around: 1}
	if s.ranks, err = threshold.NewRanks(p); err != nil {
		return err
	}
	off := s.ranks.TypicalError(q.People)
	if _, exponential := s.finder.Finder.(*threshold.Exponential); !exponential {
		off = float64(s.ranks.ErrorBound()) / 2 // nobody measured the error of others
	}
	p.Around = s.reach(off)
	s.around = p.Around
	s.ranks, err = threshold.NewRanks(p)
	return err
}

func (s *spans) Loss() (privacy.Loss, error) { return s.off.with(s.ends(1)) }

// OfPerson is the loss of a person with several entries.
func (s *spans) OfPerson() (privacy.Loss, bool, error) {
	return s.off.ofPerson(s.query, s.ends)
}

// ends returns the loss of the values and of those around them.
func (s *spans) ends(d privacy.Distance) (privacy.Loss, error) {
	if s.joint != nil {
		return s.joint.Loss(d)
	}
	return s.ranks.Loss(d)
}

func (s *spans) Algorithm() string {
	if s.joint != nil {
		return s.query.Say.Text("joint exponential mechanism, with values around each")
	}
	return s.query.Say.Format("%s on windows of %s, with values around each", s.finder.Name(),
		s.query.Count(int64(s.finder.Needs())))
}

// Bound is not known: any number of people may have no value.
func (s *spans) Bound() float64 { return math.Inf(1) }

func (s *spans) Typical() (off float64, exact bool) {
	if s.joint != nil {
		return s.joint.TypicalRankError(), false
	}
	return s.ranks.TypicalError(s.query.People), false
}

func (s *spans) Unit() ask.Unit { return s.query.InPeople("%s on the wrong side") }

func (s *spans) Forecast() []ask.Forecast {
	say := s.query.Say
	return append(s.off.forecast(s.query, s),
		ask.Forecast{Label: say.Text("Interval of values"),
			Value: say.Format("from %s below to %s above", s.query.Count(s.around),
				s.query.Count(s.around)),
			Detail: say.Text("how far from each value its ends are sought; the distance in the " +
				"column's unit depends on the data. A release that is off by more states no " +
				"interval: where few people share a value that is seldom, and where many do it " +
				"may be most of them")},
		ask.Forecast{Label: say.Text("Used"), Value: s.Algorithm(),
			Detail: say.Text("a value and the ends of its interval share the privacy loss, so " +
				"the value is less exact than without an interval. If many people share a value, " +
				"the exponential mechanism gives an interval more often")})
}

// Range supposes that everybody has a value and that values are spread evenly: the ends are then as
// far from a value as around people take up.
func (s *spans) Range() string {
	spec, say := s.query.Recipe.Domain, s.query.Say
	lo, hi, ok := rangeOf(spec)
	if !ok || s.query.People == 0 {
		return ""
	}
	far := (hi - lo) * min(float64(s.around)/float64(s.query.People), 1)
	switch {
	case spec.Kind == domain.Date || spec.Kind == domain.Timestamp && far >= 2*daySeconds:
		return say.Format("± %s days", message.Prose(far/daySeconds))
	case spec.Kind == domain.Timestamp:
		return say.Format("± %s minutes", message.Prose(far/60))
	}
	return "± " + s.query.Amount(far)
}

const daySeconds = 24 * 60 * 60

// parts returns the targets as numbers.
func (s *spans) parts() (list []float64) {
	for _, t := range s.targets {
		part, _ := t.Float64()
		list = append(list, part)
	}
	return list
}

// Judge uses the largest error, before and after the release.
func (s *spans) Judge(r ask.Result) ask.Verdict {
	about := rankAbout(s.parts(), float64(s.query.People))
	against := s.off.expected(s, about)
	var values []Beyond
	switch out := r.(type) {
	case *Median:
		against = s.off.stated(s, out.RankError, about)
		values = []Beyond{BeyondRange(s.query.Recipe.Domain, out.Value)}
	case *Quantiles:
		against = s.off.stated(s, out.Rows[0].RankError, about)
		values = (&quantiles{query: s.query}).beyond(out)
	}
	v := against.Verdict()
	why := phrase.Key("as many as lie between neighbouring parts")
	if s.median {
		why = againstQuarter
	} else if r != nil {
		v.Cells = slices.Repeat([]ask.Grade{v.Grade}, len(s.targets))
	}
	v = s.query.Because(v, s.query.CountUp, why)
	if r != nil {
		v = tooNarrow(s.query, v, values...)
	}
	return v
}

// Frame draws the values alone.
func (s *spans) Frame() *ask.Frame {
	if s.median {
		return (&median{query: s.query}).Frame()
	}
	return curve(s.query, s.query.Say.Format("%% of the %s below", many(s.query)), 100,
		100*s.Judge(nil).Error/max(float64(s.query.People), 1))
}

func (s *spans) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	sorting, finding := halves(step)
	codes, err := sorted(data.Main, sorting)
	if err != nil {
		return nil, err
	}
	var at []*big.Int
	if s.joint != nil {
		at, err = s.joint.ReleaseWide(src, distinct(codes), finding)
	} else {
		at, err = s.ranks.Release(src, codes, finding)
	}
	if err != nil {
		return nil, err
	}
	largest := -threshold.AroundScore(codes, at, s.targets, s.around)
	off := s.off.release(src, largest, s.query.People)
	var rows []Quantile
	say, space := s.query.Say, s.query.Space
	for i, t := range s.targets {
		lo, value, hi := at[3*i], at[3*i+1], at[3*i+2]
		row := Quantile{Part: trimDecimal(new(big.Rat).Mul(t, hundred)) + " %",
			Value: space.Show(say, value), Exact: space.Exact(say, value), RankError: off}
		if off+threshold.Definitions <= s.around {
			row.Span = &Span{Low: space.Show(say, lo), LowExact: space.Exact(say, lo),
				High: space.Show(say, hi), HighExact: space.Exact(say, hi)}
		}
		rows = append(rows, row)
	}
	if s.median {
		return &Median{Value: rows[0].Value, Exact: rows[0].Exact, RankError: off, Measured: true,
			Around: s.around, Span: rows[0].Span}, nil
	}
	return &Quantiles{Rows: rows, Measured: true, Around: s.around}, nil
}

func (s *spans) State(result ask.Result) string {
	say := s.query.Say
	open := " " + say.Text("This release cannot state an interval of values.")
	if m, is := result.(*Median); is {
		alone := (&median{query: s.query}).State(m)
		switch {
		case m.Span == nil:
			return alone + open
		case BeyondRange(s.query.Recipe.Domain, m.Value) != "":
			return alone
		}
		return say.Format("Half of the %s with a value of %s have %s or less (95 %%: %s).",
			s.query.Many(), s.query.Label, s.query.Value(m.Value),
			m.Span.Written(say, s.query.Recipe.Domain, s.query.Bare(m.Span.Low),
				s.query.Value(m.Span.High)))
	}
	out := result.(*Quantiles)
	text := (&quantiles{query: s.query, targets: s.targets}).State(out)
	if out.Rows[0].Span == nil {
		return text + open
	}
	return text
}
