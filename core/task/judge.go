package task

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/phrase"
)

// The verdict of each question: what its error is judged against, before the release and after it.
// The thresholds are ask.Judge's alone. VERDICT.md has the rule in words, from each ask.Task.

const (
	againstSame    phrase.Key = "as many as each has if all have the same"
	againstTypical phrase.Key = "the count that most are in"
	againstQuarter phrase.Key = "a quarter of all"
	againstChance  phrase.Key = "half of all, which chance gets right"
	againstAll     phrase.Key = "all of them"
	againstIts     phrase.Key = "what was released"
)

// chance is how many of those who are labelled at random are labelled rightly, in percent.
const chance = 50

// parsed reads a number of an answer, which may have a unit behind it.
func parsed(text string) float64 {
	number, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	x, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// Judge: each count against itself, all against an even spread.
func (h *histogram) Judge(r ask.Result) ask.Verdict {
	one, _ := h.errors()
	if r == nil {
		even := float64(h.query.People) / float64(h.mechanism.Bins())
		return h.query.Because(ask.Within(float64(one), even).Verdict(), h.query.CountUp,
			againstSame)
	}
	var list []ask.Against
	for _, b := range r.(*Histogram).Bins {
		list = append(list, ask.Within(float64(one), float64(b.Count)))
	}
	return h.query.Because(ask.OfCounts(list), h.query.CountUp, againstTypical)
}

// ends are the public bounds of the values.
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

// Judge: each number against itself or the public range; of groups, counts as those of a histogram,
// other numbers one by one.
func (e *estimate) Judge(r ask.Result) ask.Verdict {
	show := e.shown
	if r == nil {
		return e.query.Because(ask.Within(e.Bound(), e.before(e)).Verdict(), show, e.known)
	}
	var list []ask.Against
	var sum, weights float64
	for _, row := range r.(*Estimates).Rows {
		value := parsed(row.Value)
		off := max(parsed(row.High)-value, value-parsed(row.Low), e.least())
		list = append(list, ask.Within(off, e.after(e, value)))
		if off > 0 {
			sum, weights = sum+value/(off*off), weights+1/(off*off)
		}
	}
	v := ask.OfMany(list)
	if e.of == ask.OfPeople {
		v = ask.OfCounts(list)
	} else if e.group != nil && weights > 0 {
		v = v.Expecting(e.after(e, sum/weights))
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

// least is the error of a count, and of its part of all, whose interval ends at nobody and at all.
func (e *estimate) least() float64 {
	if e.counted() {
		return e.Bound()
	}
	return 0
}

// shown writes a number of the answer.
func (e *estimate) shown(x float64) string {
	switch {
	case e.of == ask.OfPeople:
		return e.query.CountUp(x)
	case e.plain:
		return phrase.Prose(x)
	}
	return e.query.Amount(x)
}

// usual is an error whose bound is proven for the worst data and far above what is usual, judged
// against about.
func usual(p ask.Prepared, about float64) ask.Against {
	typical, _ := p.Typical()
	return ask.Usually(p.Bound(), typical, about)
}

// rankAbout is how many of n people lie between parts of them that are told apart: the least
// distance of neighbours, at most a quarter.
func rankAbout(parts []float64, n float64) float64 {
	least, last := 0.25, 0.0
	for _, p := range append(slices.Clone(parts), 1) {
		least, last = min(least, p-last), p
	}
	return least * n
}

// Judge: the rank error against a quarter of the people.
func (m *median) Judge(r ask.Result) ask.Verdict {
	about := rankAbout([]float64{0.5}, float64(m.query.People))
	against := m.off.expected(m, about)
	if r != nil {
		against = m.off.stated(m, r.(*Median).RankError, about)
	}
	return m.query.Because(against.Verdict(), m.query.CountUp, againstQuarter)
}

// Judge: the rank errors against how many people lie between neighbouring parts.
func (q *quantiles) Judge(r ask.Result) ask.Verdict {
	var parts []float64
	for _, t := range q.targets {
		part, _ := t.Float64()
		parts = append(parts, part)
	}
	about := rankAbout(parts, float64(q.query.People))
	against := q.off.expected(q, about)
	if r != nil {
		against = q.off.stated(q, r.(*Quantiles).Rows[0].RankError, about)
	}
	v := against.Verdict()
	if r != nil {
		for _, row := range r.(*Quantiles).Rows {
			v.Cells = append(v.Cells, ask.Judge(min(float64(row.RankError), v.Error), about))
		}
	}
	return q.query.Because(v, q.query.CountUp, "as many as lie between neighbouring parts")
}

// Judge: the error of any count against a quarter of those who have a value.
func (d *distribution) Judge(r ask.Result) ask.Verdict {
	if r == nil {
		return d.query.Because(d.off.expected(d, float64(d.query.People)/4).Verdict(),
			d.query.CountUp, againstQuarter)
	}
	out := r.(*Distribution)
	v := d.off.stated(d, out.Error, out.Total/4).Verdict()
	for _, p := range out.Points {
		v.Cells = append(v.Cells, ask.Judge(v.Error, p.UpTo))
	}
	return d.query.Because(v, d.query.CountUp, "a quarter of those with a value")
}

// Judge: the error of counts against a quarter of the people, each range's against its own.
func (d *densityQuery) Judge(r ask.Result) ask.Verdict {
	v := usual(d, float64(d.query.People)/4).Verdict()
	if r != nil {
		v.Cells = d.cells(r.(*Density))
	}
	return d.query.Because(v, d.query.CountUp, againstQuarter)
}

func (d *densityQuery) cells(r *Density) (cells []ask.Grade) {
	for _, c := range r.Cells {
		cells = append(cells, ask.Judge(d.within(), c.People))
	}
	return cells
}

// Judge: that of the worst column, as of a distribution.
func (m *madeUp) Judge(r ask.Result) ask.Verdict {
	v := usual(m, float64(m.query.People)/4).Verdict()
	if r != nil {
		for i, c := range r.(*MadeUp).Columns {
			v.Cells = append(v.Cells, m.columns[i].cells(&c.Density)...)
			if c.Missing > 0 {
				v.Cells = append(v.Cells,
					ask.Judge(m.columns[i].within(), missingPeople(c.Missing, m.query.People)))
			}
		}
	}
	return m.query.Because(v, m.query.CountUp, againstQuarter)
}

// Judge: the smallest group that is released against groups of the same size; after, each group's
// size against itself. A centre at the end of a range is what noise leaves, or what the range cut.
func (c *clusters) Judge(r ask.Result) ask.Verdict {
	n, least := float64(c.query.People), float64(c.mechanism.MinSize())
	if r == nil {
		return c.query.Because(
			ask.Within(least, n/float64(c.query.Integer(paramMost))).Verdict(), c.query.CountUp,
			againstSame)
	}
	out := r.(*Clusters)
	var list []ask.Against
	for _, one := range out.Centres {
		list = append(list, ask.Within(float64(out.Error), float64(one.People)))
	}
	v := ask.OfCounts(list)
	if len(list) == 0 {
		v = ask.Within(least, 0).Verdict()
		v.Text = c.query.Say.Format("No group of at least %s was found by %s.",
			c.query.Count(out.Least), strings.Join(out.Columns, ", "))
		return v
	}
	edges := 0
	for i, one := range out.Centres {
		if c.atEdge(one) {
			edges++
			if v.Cells[i] == ask.Good {
				v.Cells[i] = ask.Rough
			}
		}
	}
	v = c.query.Because(v, c.query.CountUp, "the group that most are in")
	if edges > 0 {
		if v.Grade == ask.Good {
			v.Grade = ask.Rough
		}
		v.Text += " " + c.query.Say.Count(int64(edges),
			"One centre lies at the end of a range: noise, or values beyond it.",
			"%d centres lie at the end of a range: noise, or values beyond it.", edges)
	}
	return v
}

// edge is the part of a range at each end in which a centre is not to be trusted.
const edge = 0.005

// atEdge says whether a centre lies at an end of a range.
func (c *clusters) atEdge(one Cluster) bool {
	fields, _ := c.query.Role(roleCoordinate)
	for i, f := range fields {
		size, err := smallSize(f.Values)
		if err != nil || i >= len(one.Values) {
			return false // unreachable: it was checked
		}
		code, ok := f.Values.Encode([]byte(one.Values[i]))
		if at := float64(code) / float64(max(size-1, 1)); ok && min(at, 1-at) < edge {
			return true
		}
	}
	return false
}

// Judge: by how much the best may be missed against all; after, against how many have the value.
func (m *mode) Judge(r ask.Result) ask.Verdict {
	v := ask.Within(m.Bound(), float64(m.query.People)).Verdict()
	if r == nil {
		return m.query.Because(v, m.query.CountUp, againstAll)
	}
	switch out := r.(*Winner); {
	case out.Value == "":
		v.Grade = ask.Noise
		v.Text = m.query.Say.Format("No value of %s is frequent enough to be named.", m.query.Label)
		return v
	case out.Count != "":
		count := parsed(out.Count)
		v = ask.Within(m.Bound(), count).Verdict().
			Worse(ask.Within(parsed(out.Error), count).Verdict())
		return m.query.Because(v, m.query.CountUp, "how many have the value")
	}
	return m.query.Because(v, m.query.CountUp, againstAll)
}

// Judge: by how much the strongest may be missed against the strongest possible relation; after,
// against the released strength.
func (s *strongest) Judge(r ask.Result) ask.Verdict {
	show := func(x float64) string { return phrase.Prose(x) + s.measure() }
	about := 100.0
	if s.inUnits {
		about = s.widest()
	}
	v := ask.Within(s.Bound(), about).Verdict()
	if r != nil && s.counted {
		out := r.(*Winner)
		strength := parsed(out.Count)
		v = ask.Within(parsed(out.Behind), strength).Verdict().
			Worse(ask.Within(parsed(out.Error), strength).Verdict())
		return s.query.Because(v, show, "the strength released")
	}
	return s.query.Because(v, show, "the strongest possible relation")
}

// widest is the widest range among the columns.
func (s *strongest) widest() (most float64) {
	fields, _ := s.query.Role(roleFeature)
	for _, f := range fields {
		size, _ := f.Values.Size().Float64()
		step, _ := stepOf(f.Values).Float64()
		most = max(most, (size-1)*step)
	}
	return most
}

// Judge: further mistakes against chance; after, what the cut-off does better than chance.
func (c *cutoff) Judge(r ask.Result) ask.Verdict {
	v := c.query.Because(ask.Within(c.Bound(), float64(c.query.People)/2).Verdict(),
		c.query.CountUp, againstChance)
	if r == nil {
		return v
	}
	out := r.(*Cutoff)
	if out.Curve == nil {
		return v
	}
	var cells []ask.Grade
	chosen := ask.Verdict{Grade: ask.Noise, Error: -1}
	for _, p := range out.Curve {
		one := ask.Within(max(p.High-p.Right, p.Right-p.Low), p.Right-chance)
		cells = append(cells, one.Grade())
		if p.Chosen {
			chosen = one.Verdict()
		}
	}
	percent := func(x float64) string { return phrase.Prose(x) + " %" }
	chosen = c.query.Because(chosen, percent, "how much more often than chance it is right")
	v = v.Worse(chosen)
	v.Cells = cells
	return v
}

// Judge: further mistakes against chance, and the count of right answers against itself.
func (r *rule) Judge(result ask.Result) ask.Verdict {
	off, half := max(r.errorBound(), r.extra), float64(r.query.People)/2
	if typical, _ := r.Typical(); r.releases != nil { // of which no bound is known
		off = max(off, int64(math.Ceil(typical)))
	}
	if result == nil {
		return r.query.Because(ask.Within(float64(off), half).Verdict(), r.query.CountUp,
			againstChance)
	}
	right := float64(result.(*LearnedRule).Right)
	if right < half {
		return r.query.Because(ask.Within(float64(off), right).Verdict(), r.query.CountUp,
			"those answered rightly")
	}
	return r.query.Because(ask.Within(float64(off), half).Verdict(), r.query.CountUp,
		againstChance)
}

// Judge: further mistakes against chance. A case whose votes were too close has no label.
func (c *labelling) Judge(r ask.Result) ask.Verdict {
	show, about := c.query.CountUp, float64(c.query.People)/2
	if c.voting != nil {
		show, about = func(x float64) string { return phrase.Prose(x) + " %" }, chance
	}
	v := ask.Within(c.Bound(), about).Verdict()
	if r == nil {
		return c.query.Because(v, show, againstChance)
	}
	out := r.(*Labels)
	if n := len(out.Cases); n > 0 && c.voting != nil {
		v = v.Worse(ask.Within(100*float64(out.Without)/float64(n), chance).Verdict())
	}
	for _, one := range out.Cases {
		grade := v.Grade
		if one.Label == "" {
			grade = ask.Noise
		}
		v.Cells = append(v.Cells, grade)
	}
	return c.query.Because(v, show, againstChance)
}

// Judge: the typical error of an answer against a combination that is as frequent as chance makes
// it; after, each answer of the table against itself.
func (c *conjunctions) Judge(r ask.Result) ask.Verdict {
	if r == nil {
		return c.query.Because(ask.Typically(c.typical(), c.even()).Verdict(), c.query.CountUp,
			"as many as have a combination if all are equally frequent")
	}
	var list []ask.Against
	for _, one := range r.(*Conjunctions).listed() {
		list = append(list, one.Found.against())
	}
	return c.query.Because(ask.OfCounts(list), c.query.CountUp, againstTypical)
}

// against is an answer's error and the answer.
func (f Found) against() ask.Against {
	if f.Sure {
		return ask.Within(f.Error, f.People)
	}
	return ask.Typically(f.Error, f.People)
}

// even is how many people have a combination of as many attributes as may be asked for together, or
// any of them where that is asked for, if each column divides them evenly.
func (c *conjunctions) even() float64 {
	share, columns := 0.0, map[int]float64{}
	for _, a := range c.attributes.list {
		if a.Side == "" {
			columns[a.Of]++
		}
	}
	for _, a := range c.attributes.list {
		switch a.Side {
		case "":
			share += 1 / columns[a.Of]
		case NotIt:
			share += 1 - 1/columns[a.Of]
		default:
			share += 0.5
		}
	}
	share /= float64(len(c.attributes.list))
	if c.choice.Name == methodAny {
		return float64(c.query.People) * (1 - math.Pow(1-share, float64(c.width)))
	}
	return float64(c.query.People) * math.Pow(share, float64(c.width))
}

// Judge: the typical error for a set of half of the places against the half of all contacts that
// leave it; after, each count of the table against itself.
func (c *contacts) Judge(r ask.Result) ask.Verdict {
	show := func(x float64) string {
		return c.query.Say.Format("%s contacts", phrase.Prose(math.Ceil(x)))
	}
	if r == nil {
		what := phrase.Key("the half of all that leave half of the places")
		if !c.halves() {
			what = "those that leave such a set, if they join all places alike"
		}
		return c.query.Because(
			ask.Typically(c.typical, 2*c.even()*float64(c.query.People)).Verdict(), show, what)
	}
	var list []ask.Against
	for _, found := range r.(*Contacts).listed() {
		list = append(list, found.against())
	}
	return c.query.Because(ask.OfCounts(list), show, "the count that most are in")
}

// Judge: that in the middle of all that are tried before a run, as Typical is: the best of them is
// not known, and is hardly ever worse. After it, that of the best.
func (t *tuned) Judge(r ask.Result) ask.Verdict {
	if r != nil {
		b := r.(*bestRun)
		return b.with.Judge(b.Result)
	}
	var all []ask.Verdict
	for _, inner := range t.inner {
		all = append(all, inner.Judge(nil))
	}
	return ask.Middle(all)
}
