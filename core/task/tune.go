package task

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"

	"hush/core/basic"
	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/param"
	"hush/core/privacy"
	"hush/core/selection"
)

// Tuned says which value of a parameter was chosen privately, and among which. It is part of a Result whose task can be tuned.
type Tuned struct {
	Parameter string   `json:"parameter,omitempty"` // its label
	Value     string   `json:"value,omitempty"`
	Among     []string `json:"among,omitempty"`
}

// setTuned is how the wrapper writes it, and chosen how it finds it again.
func (t *Tuned) setTuned(by Tuned) { *t = by }
func (t *Tuned) chosen() string    { return t.Value }

// tunable is a prepared question whose result is a distribution, so that any two of its results can be compared on the data.
type tunable interface {
	prepared
	// cells are the first codes beyond each range of values, ascending, and how many people the result puts there.
	cells(r Result) (ends []uint64, people []float64)
}

const (
	paramTry = "try"
	noTry    = "none"
	mostTry  = 32
)

// tryParam is the field for the values to be tried of the parameter of a task.
func tryParam(label, example string) Param {
	return Param{
		Name: paramTry, Label: label, Kind: Text, Default: noTry,
		Help:   fmt.Sprintf("Several of them with commas between, such as %s: many are tried, and the one that makes the people likeliest is released alone; or none.", example),
		Effect: "From four values on, trying costs three times the privacy loss of one run, however many there are; two or three are each paid for.",
	}
}

// tuned runs a question with one of several values of a parameter, many times, and releases the run with the best noisy score (tune.md).
type tuned struct {
	query       *query
	parameter   *Param
	values      []string
	inner       []tunable
	each        privacy.Epsilon // of one run: the question, and its score
	repetitions selection.Repetitions
	score       privacy.Epsilon
	one         privacy.Loss
}

// prepareTuned divides ε among what a run costs, and prepares the question with each value.
func prepareTuned(q *query) (prepared, error) {
	t := &tuned{query: q}
	at := slices.IndexFunc(q.task.Params, func(p Param) bool { return p.Name == q.task.Tunes })
	t.parameter = &q.task.Params[at]
	for value := range strings.SplitSeq(q.param(paramTry), ",") {
		if value = strings.TrimSpace(value); slices.Contains(t.values, value) {
			return nil, refuse(paramTry, fmt.Sprintf("%.100q", value), "different values")
		}
		t.values = append(t.values, value)
	}
	if err := q.checkPersons(maxTuned); err != nil {
		return nil, err
	}
	k := int64(len(t.values))
	if k < 2 || k > mostTry {
		return nil, refuse(paramTry, counted(int(k), "value", "values"), fmt.Sprintf("2 to %d, with commas between", mostTry))
	}
	t.each = q.epsilon.Part(1, k)
	if k > 3 {
		var err error
		if t.repetitions, err = selection.Geometric(big.NewRat(1, 4*k), 0); err != nil {
			return nil, err
		}
		if t.each, err = selection.Each(q.epsilon, t.repetitions); err != nil {
			return nil, err
		}
	}
	t.score = t.each.Part(1, 4)
	var losses []privacy.Loss
	for _, value := range t.values {
		if err := t.parameter.check(value); err != nil {
			return nil, tryFault(err)
		}
		with := *q
		with.recipe.Params = maps.Clone(q.recipe.Params)
		with.recipe.Params[t.parameter.Name] = value
		with.epsilon = t.each.Part(3, 4)
		inner, err := q.task.prepare(&with)
		if err != nil {
			return nil, tryFault(err)
		}
		loss, err := inner.loss()
		if err != nil {
			return nil, err
		}
		t.inner, losses = append(t.inner, inner.(tunable)), append(losses, loss)
	}
	worst, err := selection.Worst(losses...)
	if err != nil {
		return nil, err
	}
	t.one = worst.Plus(privacy.PureLoss(t.score))
	return t, nil
}

// tryFault marks the field of the list.
func tryFault(err error) error {
	return refuse(paramTry, "one that is refused: "+err.Error(), "values that are possible each by itself")
}

func (t *tuned) loss() (privacy.Loss, error) {
	if t.repetitions != nil {
		return t.repetitions.Cost(t.one)
	}
	var sum privacy.Loss
	for range t.values {
		sum = sum.Plus(t.one)
	}
	return sum, nil
}

func (t *tuned) algorithm() string {
	if t.repetitions == nil {
		return t.inner[0].algorithm() + "; once for each value tried"
	}
	return t.inner[0].algorithm() + "; the best of many runs by random stopping"
}

func (t *tuned) bound() float64 {
	worst := 0.0
	for _, inner := range t.inner {
		worst = math.Max(worst, inner.bound())
	}
	return worst
}

func (t *tuned) unit() string { return t.inner[0].unit() }

func (t *tuned) forecast() []Forecast {
	k := len(t.values)
	one := fmt.Sprintf("ε = %.3g", t.each.Float64())
	list := []Forecast{{"Each run has", one, fmt.Sprintf("a quarter of it for the score; releasing one run for each of the %d values would leave ε = %.3g to each", k, t.query.epsilon.Float64()/float64(k))}}
	if t.repetitions != nil {
		list = append(list, Forecast{"Cost of trying", "3 × one run", fmt.Sprintf("about %d runs are expected, and all are covered; paying for each value would be %d ×", 4*k, k)})
	}
	for i, inner := range t.inner {
		list = append(list, Forecast{t.parameter.Label + " " + t.values[i], "± " + fmt.Sprintf("%.0f", math.Ceil(inner.bound())), inner.unit()})
	}
	return list
}

func (t *tuned) run(src coin.Source, data data, step coin.Step) (Result, error) {
	var blind coin.Step // how many runs there are is secret
	if step != nil {
		blind = func(int64, int64) error { return step(0, 1) }
	}
	candidate := func(i int) selection.Candidate[attempt] {
		return func(src coin.Source) (selection.Scored[attempt], error) { return t.candidate(src, i, data, blind) }
	}
	if t.repetitions == nil {
		best := selection.Scored[attempt]{Score: math.MinInt64}
		for i := range t.values {
			scored, err := candidate(i)(src)
			if err != nil {
				return nil, err
			}
			if i == 0 || scored.Score > best.Score {
				best = scored
			}
		}
		return best.Output.result, best.Output.refused
	}
	var all []selection.Candidate[attempt]
	for i := range t.values {
		all = append(all, candidate(i))
	}
	any, err := selection.OneOf(all)
	if err != nil {
		return nil, err
	}
	m, err := selection.NewBest(selection.BestParams{Loss: t.one, Repetitions: t.repetitions})
	if err != nil {
		return nil, err
	}
	best, _, err := selection.BestOf(src, m, any, blind)
	if err != nil {
		return nil, err
	}
	return best.Output.result, best.Output.refused
}

// attempt is what a run gives: a result, or the refusal of what it drew, as of a shape that cannot be fitted. A refusal has the worst score and
// comes out only if it is chosen: shown for a run that is not, it would tell of more runs than are paid for.
type attempt struct {
	result  Result
	refused error
}

// candidate is one run with value i, and its noisy score. Its error is that of step.
func (t *tuned) candidate(src coin.Source, i int, data data, step coin.Step) (none selection.Scored[attempt], err error) {
	result, err := t.inner[i].run(src, data, step)
	if refused := new(param.Error); errors.As(err, &refused) {
		return selection.Scored[attempt]{Output: attempt{refused: err}, Score: math.MinInt64}, nil
	}
	if err != nil {
		return none, err
	}
	result.(interface{ setTuned(Tuned) }).setTuned(Tuned{Parameter: t.parameter.Label, Value: t.values[i], Among: t.values})
	size, err := smallSize(t.query.domain)
	if err != nil {
		return none, err // unreachable: the task checks it
	}
	scale := newLikelihood(size)
	scale.ends, scale.points, scale.absent = scale.of(t.inner[i].cells(result))
	noise, err := mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: t.score, L1Sensitivity: scale.sensitivity()})
	if err != nil {
		return none, err
	}
	total, err := scale.total(data.values, step)
	if err != nil {
		return none, err
	}
	// Points count from the least likely range on, so the offset of all people, who are public, goes back in.
	offset := -scale.absent * t.query.people
	return selection.Scored[attempt]{Output: attempt{result: result}, Score: noise.Noise().AddTo(src, total+offset)}, nil
}

// likelihood scores a released distribution by the people's log-likelihood: a person whose value is in a range gets the logarithm of the
// range's density, in 64ths, as points above that of the thinnest range. A person without a value gets what an even distribution would give.
type likelihood struct {
	size   uint64
	ends   []uint64
	points []int64 // at least 0
	absent int64   // at least 0
}

func newLikelihood(size uint64) likelihood { return likelihood{size: size} }

// even is the part of the people that are spread over all values when densities are compared, so that no range is impossible.
const even = 0.05

// of turns a result into points. They depend on the result alone.
func (l likelihood) of(ends []uint64, people []float64) ([]uint64, []int64, int64) {
	total := 0.0
	for _, p := range people {
		total += math.Max(p, 0)
	}
	logs, least := make([]int64, len(ends)), int64(0) // that of an even distribution is 0
	first := uint64(0)
	for i, end := range ends {
		width := float64(end-first) / float64(l.size)
		if end < first || i == len(ends)-1 {
			width = float64(l.size-first) / float64(l.size)
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
	return ends, logs, -least
}

// sensitivity is by how many points one person can move the total.
func (l likelihood) sensitivity() uint64 {
	return uint64(max(slices.Max(l.points), l.absent, 1))
}

// total adds up the people's points.
func (l likelihood) total(values basic.Values, step coin.Step) (total int64, err error) {
	weights, _ := values.(basic.Counted)
	for i := range values.Len() {
		if step != nil && i%(1<<16) == 0 {
			if err := step(0, 1); err != nil {
				return 0, err
			}
		}
		persons := int64(1)
		if weights != nil {
			persons = int64(min(weights.Persons(i), maxTuned))
		}
		points := l.absent
		if code, ok := values.Code(i); ok {
			cell, _ := slices.BinarySearch(l.ends, code+1)
			points = l.points[min(cell, len(l.points)-1)]
		}
		total += persons * points
	}
	return total, nil
}

// maxTuned bounds the number of people where values are tried: points of at most 64·(64·ln 2 + 4) each stay within int64.
const maxTuned = 1 << 48

func (t *tuned) state(result Result) string {
	value := result.(interface{ chosen() string }).chosen()
	i := max(slices.Index(t.values, value), 0)
	return fmt.Sprintf("%s %s %s was chosen privately among %s: ranges hold in 95 of 100 runs, of which the best is shown.", t.inner[i].state(result), Capital(t.parameter.Label), value, strings.Join(t.values, ", "))
}
