package task

import (
	"math"
	"math/big"
	"slices"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/density"
	"hush/core/message"
	queries "hush/core/query"
)

// What scores count, in the words of forms and reports. Sensitivities are proved in score.md.
const (
	byLikelihood = "how likely the released distribution makes the people's values"
	byGap        = "by how many people the released distribution is off where it is most off"
	byRank       = "how many people are on the wrong side of the released values"
	byRight      = "how many people the released rule answers rightly"
	byQuestions  = "by how many people answers to public random questions are off, on average"
)

// likelihood scores a released distribution by the people's log-likelihood: a person whose value is in a range gets the logarithm of the
// range's density, in 64ths, as points above that of the thinnest range. A person without a value gets what an even distribution would give.
type likelihood struct {
	ends   []uint64
	points []int64 // at least 0
	absent int64   // at least 0
}

// even is the part of the people that are spread over all values when densities are compared, so that no range is impossible.
const even = 0.05

// newLikelihood turns a result into points: the first codes beyond each range of values, ascending, and how many people the result puts there. Points depend on the
// result alone.
func newLikelihood(size uint64, ends []uint64, people []float64) likelihood {
	total := 0.0
	for _, p := range people {
		total += math.Max(p, 0)
	}
	logs, least := make([]int64, len(ends)), int64(0) // that of an even distribution is 0
	first := uint64(0)
	for i, end := range ends {
		width := float64(end-first) / float64(size)
		if end < first || i == len(ends)-1 {
			width = float64(size-first) / float64(size)
		}
		share := 0.0
		if total > 0 {
			share = math.Max(people[i], 0) / total
		}
		logs[i] = int64(math.Floor(64 * math.Log(even+(1-even)*share/width)))
		least, first = min(least, logs[i]), end
	}
	for i := range logs {
		logs[i] -= least
	}
	return likelihood{ends, logs, -least}
}

// moves is by how many points one person can move the total.
func (l likelihood) moves() uint64 { return uint64(max(slices.Max(l.points), l.absent, 1)) }

// score adds up the points of so many people, from those of the least likely range on: the offset is that of everybody, who are public.
func (l likelihood) score(values basic.Values, people int64, step coin.Step) (points int64, moves uint64, err error) {
	total, err := l.total(values, step)
	return total - l.absent*people, l.moves(), err
}

// total adds up the people's points.
func (l likelihood) total(values basic.Values, step coin.Step) (total int64, err error) {
	persons := personsIn(values)
	for i := range values.Len() {
		if step != nil && i%(1<<16) == 0 {
			if err := step(0, 1); err != nil {
				return 0, err
			}
		}
		points := l.absent
		if code, ok := values.Code(i); ok {
			cell, _ := slices.BinarySearch(l.ends, code+1)
			points = l.points[min(cell, len(l.points)-1)]
		}
		total += int64(min(persons(i), maxTuned)) * points
	}
	return total, nil
}

// score is the likelihood of the bins.
func (h *histogram) score(r ask.Result, data ask.Data, step coin.Step) (points int64, moves uint64, err error) {
	var ends []uint64
	var people []float64
	for i, bin := range r.(*Histogram).Bins {
		_, last := h.mechanism.Range(i, h.size)
		ends, people = append(ends, last+1), append(people, float64(bin.Count))
	}
	return newLikelihood(h.size, ends, people).score(values(data.Main), h.query.People, step)
}

// score is the likelihood of the cells where a density is wanted, else the gap of the distribution function.
func (d *densityQuery) score(r ask.Result, data ask.Data, step coin.Step) (points int64, moves uint64, err error) {
	release, s, err := r.(*Density).distribution(d.query.Recipe.Domain)
	if err != nil {
		return 0, 0, err
	}
	if density.Goal(d.query.Param(paramGoal)) == density.Function || !s.Size().IsUint64() {
		return gapOf(release, data, step)
	}
	var ends []uint64
	var people []float64
	for i := range release.Cells() {
		_, last, mass := release.Cell(i)
		ends, people = append(ends, last.Uint64()+1), append(people, mass)
	}
	return newLikelihood(s.Size().Uint64(), ends, people).score(values(data.Main), d.query.People, step)
}

// gapOf is minus the largest error of a distribution function.
func gapOf(release *density.Distribution, data ask.Data, step coin.Step) (points int64, moves uint64, err error) {
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

// score is the gap of the distribution function: each point is a cell of its own, and so is what lies between two.
func (d *distribution) score(r ask.Result, data ask.Data, step coin.Step) (points int64, moves uint64, err error) {
	f, s, err := r.(*Distribution).function(d.query.Recipe.Domain)
	if err != nil {
		return 0, 0, err
	}
	bounds, mass, upTo := []*big.Int{new(big.Int)}, []float64(nil), 0.0
	add := func(end *big.Int, people float64) {
		if end.Cmp(bounds[len(bounds)-1]) > 0 {
			bounds, mass, upTo = append(bounds, end), append(mass, math.Max(people-upTo, 0)), math.Max(people, upTo)
		}
	}
	for i, at := range f.Points() {
		below, through := f.At(i)
		add(at, below)
		add(new(big.Int).Add(at, one), through)
	}
	add(s.Size(), f.Total())
	release, err := density.NewDistribution(bounds, mass, float64(d.query.People), "", nil, nil, nil)
	if err != nil {
		return 0, 0, err
	}
	return gapOf(release, data, step)
}

// score is minus the people on the wrong side of the median.
func (m *median) score(r ask.Result, data ask.Data, step coin.Step) (points int64, moves uint64, err error) {
	out := r.(*Median)
	return rankScore(m.query.Space, []string{out.Value}, []string{out.Exact}, []*big.Rat{big.NewRat(1, 2)}, data, step)
}

// score is minus the people on the wrong side of the worst of the values.
func (q *quantiles) score(r ask.Result, data ask.Data, step coin.Step) (points int64, moves uint64, err error) {
	var values, exact []string
	for _, row := range r.(*Quantiles).Rows {
		values, exact = append(values, row.Value), append(exact, row.Exact)
	}
	return rankScore(q.query.Space, values, exact, q.targets, data, step)
}

// rankScore is −⌈max_i max(p_i·m − notAbove_i, below_i − p_i·m)⌉ or 0, m being how many have a value.
func rankScore(s ask.Space, values, exact []string, parts []*big.Rat, data ask.Data, step coin.Step) (points int64, moves uint64, err error) {
	codes, err := sorted(data.Main, blindly(step))
	if err != nil {
		return 0, 0, err
	}
	m, worst := big.NewRat(int64(codes.Len()), 1), new(big.Rat)
	for i, value := range values {
		code, ok := s.Find(value)
		if exact[i] != "" {
			code, ok = s.Read(exact[i])
		}
		if !ok {
			panic("task: internal error: a released value that is not possible")
		}
		below, notAbove := codes.Rank(code)
		target := new(big.Rat).Mul(parts[i], m)
		for _, off := range []*big.Rat{new(big.Rat).Sub(target, big.NewRat(int64(notAbove), 1)), new(big.Rat).Sub(big.NewRat(int64(below), 1), target)} {
			if off.Cmp(worst) > 0 {
				worst = off
			}
		}
	}
	return -ceil(worst).Int64(), 1, nil
}

// ceil rounds up a number that is not negative.
func ceil(x *big.Rat) *big.Int {
	up := new(big.Int).Add(x.Num(), new(big.Int).Sub(x.Denom(), one))
	return up.Quo(up, x.Denom())
}

// score is how many people the cut-off answers rightly.
func (c *cutoff) score(r ask.Result, data ask.Data, step coin.Step) (points int64, moves uint64, err error) {
	out := r.(*Cutoff)
	labelled, err := labelled(data.Main, data.Others[0], blindly(step))
	if err != nil {
		return 0, 0, err
	}
	below := labelled.Codes.Len()
	if out.At != "" {
		at, ok := c.query.Space.Read(out.At)
		if !ok {
			panic("task: internal error: a released cut-off that is not possible")
		}
		below, _ = labelled.Codes.Rank(at)
	}
	for i, yes := range labelled.Yes {
		if yes == (i >= below == out.Above) {
			points++
		}
	}
	return points, 1, nil
}

// score is how many people the rule answers rightly.
func (r *rule) score(result ask.Result, data ask.Data, step coin.Step) (points int64, moves uint64, err error) {
	examples, err := r.examples(data)
	if err != nil {
		return 0, 0, err
	}
	return examples.Right(result.(*LearnedRule).set), 1, nil
}

// score is how many people the rule labels rightly.
func (c *labelling) score(result ask.Result, data ask.Data, step coin.Step) (points int64, moves uint64, err error) {
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

// publicQuestions is how many random questions combinations and contacts are compared by, and publicSeed what draws them: the same for all data.
const (
	publicQuestions = 200
	publicSeed      = 5
)

// score is minus the mean error of answers to random conjunctions.
func (c *conjunctions) score(r ask.Result, data ask.Data, step coin.Step) (points int64, moves uint64, err error) {
	records, err := c.attributes.records(data, c.query.People, nil)
	if err != nil {
		return 0, 0, err
	}
	all := func(int) bool { return true }
	truth := queries.NewExamples(records, all, all) // of people who all say yes, a rule is right for those who meet it
	src, off, size := coin.NewSeeded(publicSeed), int64(0), len(c.attributes.list)
	for range publicQuestions {
		if step != nil {
			if err := step(0, 1); err != nil {
				return 0, 0, err
			}
		}
		chosen := []int{int(src.Uniform(uint64(size)))}
		for range src.Uniform(uint64(c.width)) {
			if x := int(src.Uniform(uint64(size))); !slices.Contains(chosen, x) {
				chosen = append(chosen, x)
			}
		}
		found, err := r.(*Conjunctions).Ask(chosen, false)
		if err != nil {
			return 0, 0, err
		}
		set, err := queries.NewSet(size, chosen...)
		if err != nil {
			return 0, 0, err // unreachable: different attributes of the list
		}
		off += max(truth.Right(set)-int64(math.Round(found.People)), int64(math.Round(found.People))-truth.Right(set))
	}
	return -(off / publicQuestions), 1, nil
}

// score is minus the mean error of answers for random sets of vertices.
func (c *contacts) score(r ask.Result, data ask.Data, step coin.Step) (points int64, moves uint64, err error) {
	src, size := coin.NewSeeded(publicSeed), len(c.vertices)
	in := make([][publicQuestions]bool, size)
	var sets [publicQuestions][]int
	for i := range sets {
		for v := range size {
			if in[v][i] = src.Uniform(2) == 1; in[v][i] {
				sets[i] = append(sets[i], v)
			}
		}
	}
	var leave [publicQuestions]int64
	stopped := error(nil)
	ends := valuesOf(data.Others)
	forEachPerson(ends[0], c.query.People, func(row, person int) {
		if step != nil && person%(1<<12) == 0 && stopped == nil {
			stopped = step(0, 1)
		}
		u, hasU := ends[0].Code(row)
		v, hasV := ends[1].Code(row)
		if !hasU || !hasV || stopped != nil {
			return
		}
		from, to := &in[u], &in[v]
		for i := range leave {
			if from[i] != to[i] {
				leave[i]++
			}
		}
	})
	if stopped != nil {
		return 0, 0, stopped
	}
	off := int64(0)
	for i, set := range sets {
		found, err := r.(*Contacts).Ask(set)
		if err != nil {
			return 0, 0, message.Errorf("task: internal error: %w", err)
		}
		answer := int64(math.Round(found.People))
		off += max(leave[i]-answer, answer-leave[i])
	}
	return -(off / publicQuestions), 1, nil
}
