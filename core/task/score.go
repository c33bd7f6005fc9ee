package task

import (
	"math"
	"math/big"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/density"
	queries "hush/core/query"
	"hush/core/threshold"
)

// What scores count, in the words of forms and reports. Sensitivities are proved in score.md.
const (
	byLikelihood = "how likely the released distribution makes the people's values"
	byGap        = "by how many people the released distribution is off where it is most off"
	byRank       = "how many people are on the wrong side of the released values"
	byRight      = "how many people the released rule answers rightly"
	byQuestions  = "by how many people answers to public random questions are off, on average"
)

// perfect is that of points which do not count people.
func (*histogram) perfect() (int64, bool) { return 0, false }

// perfect is that of a gap; a likelihood has none.
func (d *densityQuery) perfect() (int64, bool) { return 0, !d.likely() }

// perfect is that of points that are minus the people for whom a result is wrong.
func (*distribution) perfect() (int64, bool) { return 0, true }
func (*median) perfect() (int64, bool)       { return 0, true }
func (*quantiles) perfect() (int64, bool)    { return 0, true }
func (*conjunctions) perfect() (int64, bool) { return 0, true }
func (*contacts) perfect() (int64, bool)     { return 0, true }

// perfect is that of points for all whom a rule answers rightly.
func (c *cutoff) perfect() (int64, bool)    { return c.query.People, true }
func (r *rule) perfect() (int64, bool)      { return r.query.People, true }
func (c *labelling) perfect() (int64, bool) { return c.query.People, true }

// score is the likelihood of the bins.
func (h *histogram) score(r ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	var ends []uint64
	var people []float64
	for i, bin := range r.(*Histogram).Bins {
		_, last := h.mechanism.Range(i, h.size)
		ends, people = append(ends, last+1), append(people, float64(bin.Count))
	}
	return density.NewLikelihood(h.size, ends, people).
		Score(values(data.Main), h.query.People, step)
}

// score is the likelihood of the cells where a density is wanted, else the gap of the distribution
// function.
func (d *densityQuery) score(r ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	release, s, err := r.(*Density).distribution(d.query.Recipe.Domain)
	if err != nil {
		return 0, 0, err
	}
	if !d.likely() {
		return gapOf(release, data, step)
	}
	var ends []uint64
	var people []float64
	for i := range release.Cells() {
		_, last, mass := release.Cell(i)
		ends, people = append(ends, last.Uint64()+1), append(people, mass)
	}
	return density.NewLikelihood(s.Size().Uint64(), ends, people).
		Score(values(data.Main), d.query.People, step)
}

// likely says whether a density is wanted, and its likelihood can be told.
func (d *densityQuery) likely() bool {
	return density.Goal(d.query.Param(paramGoal)) != density.Function &&
		d.query.Domain.Size().IsUint64()
}

// gapOf is minus the largest error of a distribution function.
func gapOf(release *density.Distribution, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	codes, err := sorted(data.Main, blindly(step))
	if err != nil {
		return 0, 0, err
	}
	gap, err := release.Gap(codes, step)
	return -gap, 1, err
}

// blindly tells step no progress.
func blindly(step coin.Step) coin.Step {
	if step == nil {
		return nil
	}
	return func(int64, int64) error { return step(0, 1) }
}

// score is the gap of the distribution function: each point is a cell of its own, and so is what
// lies between two.
func (d *distribution) score(r ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	f, s, err := r.(*Distribution).function(d.query.Recipe.Domain)
	if err != nil {
		return 0, 0, err
	}
	bounds, mass, upTo := []*big.Int{new(big.Int)}, []float64(nil), 0.0
	add := func(end *big.Int, people float64) {
		if end.Cmp(bounds[len(bounds)-1]) > 0 {
			bounds, mass, upTo = append(bounds, end), append(mass, math.Max(people-upTo, 0)),
				math.Max(people, upTo)
		}
	}
	for i, at := range f.Points() {
		below, through := f.At(i)
		add(at, below)
		add(new(big.Int).Add(at, one), through)
	}
	add(s.Size(), f.Total())
	release, err := density.NewDistribution(bounds, mass, float64(d.query.People), "", nil, nil,
		nil)
	if err != nil {
		return 0, 0, err
	}
	return gapOf(release, data, step)
}

// score is minus the people on the wrong side of the median.
func (m *median) score(r ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	out := r.(*Median)
	return rankScore(m.query.Space, []string{out.Value}, []string{out.Exact},
		[]*big.Rat{big.NewRat(1, 2)}, data, step)
}

// score is minus the people on the wrong side of the worst of the values.
func (q *quantiles) score(r ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	var values, exact []string
	for _, row := range r.(*Quantiles).Rows {
		values, exact = append(values, row.Value), append(exact, row.Exact)
	}
	return rankScore(q.query.Space, values, exact, q.targets, data, step)
}

// rankScore is threshold.RankScore of released values.
func rankScore(s ask.Space, values, exact []string, parts []*big.Rat, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	codes, err := sorted(data.Main, blindly(step))
	if err != nil {
		return 0, 0, err
	}
	at := make([]*big.Int, len(values))
	for i, value := range values {
		code, ok := s.Shown(value)
		if exact[i] != "" {
			code, ok = s.Read(exact[i])
		}
		if !ok {
			panic("task: internal error: a released value that is not possible")
		}
		at[i] = code
	}
	return threshold.RankScore(codes, at, parts), 1, nil
}

// score is how many people the cut-off answers rightly.
func (c *cutoff) score(r ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	out := r.(*Cutoff)
	labelled, err := labelled(data.Main, data.Others[0], blindly(step))
	if err != nil {
		return 0, 0, err
	}
	cut := threshold.Cut{Above: out.Above}
	if out.At != "" {
		at, ok := c.query.Space.Read(out.At)
		if !ok {
			panic("task: internal error: a released cut-off that is not possible")
		}
		cut.At = at
	}
	return labelled.Right(cut), 1, nil
}

// score is how many people the rule answers rightly.
func (r *rule) score(result ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	examples, err := r.examples(data)
	if err != nil {
		return 0, 0, err
	}
	return examples.Right(result.(*LearnedRule).set), 1, nil
}

// score is how many people the rule labels rightly.
func (c *labelling) score(result ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	examples, err := c.examples(data, step)
	if err != nil {
		return 0, 0, err
	}
	for _, e := range examples {
		if e.Point != nil && result.(*Labels).learned.Says(e.Point) == e.Yes {
			points++
		}
	}
	return points, 1, nil
}

// score is minus the mean error of answers to random questions of what is released.
func (c *conjunctions) score(r ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	records, err := c.attributes.records(data, c.query.People, nil)
	if err != nil {
		return 0, 0, err
	}
	answers := r.(*Conjunctions)
	answer := func(chosen []int) (float64, error) {
		found, err := answers.Ask(chosen, answers.Any())
		return found.People, err
	}
	points, err = queries.ConjunctionScore(records, answers.Release.Kind, c.width, answer, step)
	return points, 1, err
}

// score is minus the mean error of answers for random sets of vertices.
func (c *contacts) score(r ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	score := queries.NewCutScore(len(c.vertices))
	stopped := error(nil)
	ends := valuesOf(data.Others)
	forEachPerson(ends[0], c.query.People, func(row, person int) {
		if step != nil && person%(1<<12) == 0 && stopped == nil {
			stopped = step(0, 1)
		}
		u, hasU := ends[0].Code(row)
		v, hasV := ends[1].Code(row)
		if hasU && hasV && stopped == nil {
			score.Edge(u, v)
		}
	})
	if stopped != nil {
		return 0, 0, stopped
	}
	points, err = score.Points(func(set []int) (float64, error) {
		found, err := r.(*Contacts).Ask(set)
		return found.People, err
	})
	return points, 1, err
}
