package task

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/message"
	"hush/core/param"
	"hush/core/privacy"
	"hush/core/selection"
)

// Tuned says which values of parameters were chosen privately, and among which.
type Tuned struct {
	Parameter string   `json:"parameter"` // its label; of several with commas between, as in Value and Among
	Value     string   `json:"value"`
	Among     []string `json:"among"`
	By        string   `json:"by"` // what the noisy score counts
}

// tunable is a prepared question any two of whose results can be compared on the data.
type tunable interface {
	prepared
	// score says how good a result of run is for the data, in whole points: replacing one person moves it by at most moves, which may depend on the
	// result. Its error is that of step, which is told no progress.
	score(r Result, data data, step coin.Step) (points int64, moves uint64, err error)
}

// tuned runs a question with one of several combinations of parameters, many times, and releases the run with the best noisy score (tune.md).
type tuned struct {
	query *query
	of    string // the parameters
	tried []combination
	inner []tunable
	each  privacy.Epsilon   // of one run: the question, and its score
	law   *selection.Option // of the number of runs; nil: each combination once
	noise privacy.Epsilon   // of the score
	one   privacy.Loss
}

// prepareTuned divides ε and δ among what a run costs, and prepares the question with each combination.
func prepareTuned(q *query) (prepared, error) {
	of, tried, err := q.combinations()
	if err != nil {
		return nil, err
	}
	return newTuned(q, of, tried)
}

func newTuned(q *query, of string, tried []combination) (*tuned, error) {
	if err := q.checkPersons(maxTuned); err != nil {
		return nil, err
	}
	t := &tuned{query: q, of: of, tried: tried}
	delta, err := t.divide()
	if err != nil {
		return nil, err
	}
	var losses []privacy.Loss
	for _, c := range tried {
		with := *q
		with.recipe.Params = maps.Clone(q.recipe.Params)
		for name, value := range c.params {
			delete(with.recipe.Params, TryName(name))
			with.recipe.Params[name] = value
		}
		with.epsilon, with.many, with.shared = t.each.Part(3, 4), true, delta
		inner, err := q.task.prepare(&with)
		if err != nil {
			return nil, t.fault(c, err)
		}
		scored, ok := inner.(tunable)
		if l, voting := inner.(*labelling); !ok || voting && l.rule == nil {
			return nil, refuse(q.firstTried(), c.label, message.Text("nothing where no rule is released: there is nothing to compare on the data"))
		}
		loss, err := inner.loss()
		if err != nil {
			return nil, err
		}
		t.inner, losses = append(t.inner, scored), append(losses, loss)
	}
	worst, err := selection.Worst(losses...)
	if err != nil {
		return nil, err
	}
	t.one = worst.Plus(privacy.PureLoss(t.noise))
	return t, nil
}

// runsPerTry is how many runs random stopping would have for each combination.
const runsPerTry = 4

// stopping is the law of the number of runs, of candidates one of which is drawn at random from so many for each run: the smallest proven loss among those that find a
// run of the better half of the best candidate's as often as random stopping does after perTry runs for each candidate, and that take twice as many at most. Its loss is
// that where one run has all of ε. Why: tune.md, How many runs.
func (q *query) stopping(candidates, perTry int64) (*selection.Option, error) {
	return remember(q, fmt.Sprint("stopping ", q.epsilon, candidates, perTry), func() (*selection.Option, error) {
		runs := perTry * candidates
		options, err := selection.Advise(selection.AdviseParams{
			Loss:  privacy.PureLoss(q.epsilon),
			Share: big.NewRat(1, 2*candidates),
			Beta:  big.NewRat(2*candidates-1, 2*candidates-1+runs), // Miss of Geometric with stop 1/runs
			Runs:  uint64(2 * runs),
		})
		if err != nil {
			return nil, err
		}
		surely := slices.IndexFunc(options, func(o selection.Option) bool {
			return o.Repetitions != nil && o.Repetitions.Miss(1) == 0 // some run is published
		})
		return &options[surely], nil
	})
}

// repeats is the law for so many combinations; nil where each of them once costs no more.
func (q *query) repeats(combinations int64) (*selection.Option, error) {
	law, err := q.stopping(combinations, runsPerTry)
	if err != nil {
		return nil, err
	}
	once := new(big.Rat).Mul(q.epsilon.Rat(), big.NewRat(combinations, 1))
	if repeated, _ := law.Loss.Epsilon(); once.Cmp(repeated) <= 0 {
		return nil, nil
	}
	return law, nil
}

// timesOne is how many times the loss of one run a law costs, as text.
func timesOne(law *selection.Option, epsilon privacy.Epsilon) string {
	loss, _ := law.Loss.Epsilon()
	times, _ := loss.Quo(loss, epsilon.Rat()).Float64()
	return fmt.Sprintf("%.3g", times)
}

// divide finds how often combinations are run and what a run may cost: its ε, of which a quarter is the score's, and its δ, nil where the task has none.
func (t *tuned) divide() (share *privacy.Delta, err error) {
	q, k := t.query, int64(len(t.tried))
	if t.law, err = q.repeats(k); err != nil {
		return nil, err
	}
	t.each = q.epsilon.Part(1, k)
	if t.law != nil {
		if t.each, err = selection.Each(q.epsilon, t.law.Repetitions); err != nil {
			return nil, err
		}
	}
	t.noise = t.each.Part(1, 4)
	if !slices.ContainsFunc(q.task.Params, func(p Param) bool { return p.Name == paramDelta }) {
		return nil, nil
	}
	allowed, err := q.allowedDelta()
	if err != nil {
		return nil, err
	}
	part := allowed.Rat()
	if t.law == nil {
		part.Quo(part, big.NewRat(k, 1))
	} else if !allowed.IsZero() {
		// δ of the whole is a multiple of that of one run.
		unit := big.NewRat(1, 1<<60)
		one, err := privacy.NewLoss(t.each.Rat(), unit)
		if err != nil {
			return nil, err // unreachable: δ is not negative
		}
		whole, err := t.law.Repetitions.Cost(one)
		if err != nil {
			return nil, err
		}
		part.Mul(part, unit).Quo(part, whole.Delta())
	}
	delta, err := privacy.NewDelta(floored(part))
	return &delta, err
}

// floored is a number of at most 64 digits, a little below.
func floored(x *big.Rat) *big.Rat {
	shift := uint(max(0, 64+x.Denom().BitLen()-x.Num().BitLen()))
	n := new(big.Int).Lsh(x.Num(), shift)
	return new(big.Rat).SetFrac(n.Quo(n, x.Denom()), new(big.Int).Lsh(one, shift))
}

// fault marks the field of the value that is refused, where it is one that is tried.
func (t *tuned) fault(c combination, err error) error {
	var refused *param.Error
	if errors.As(err, &refused) {
		if _, tried := c.params[refused.Field]; tried {
			return tryFault(TryName(refused.Field), err)
		}
		if !slices.ContainsFunc(t.query.task.Params, func(p Param) bool { return p.Name == refused.Field }) {
			return err
		}
		return tryFault(t.query.firstTried(), err)
	}
	return err
}

// tryFault marks the field of a list.
func tryFault(field string, err error) error {
	return refuse(field, message.Format("one that is refused: %s", err), message.Text("values that are possible each by itself"))
}

func (t *tuned) loss() (privacy.Loss, error) {
	if t.law != nil {
		return t.law.Repetitions.Cost(t.one)
	}
	return t.paid(), nil
}

// paid is the loss of a release for each combination: the naive price.
func (t *tuned) paid() (sum privacy.Loss) {
	for range t.tried {
		sum = sum.Plus(t.one)
	}
	return sum
}

func (t *tuned) algorithm() string {
	if t.law == nil {
		return message.Format("%s; once for each value tried", t.inner[0].algorithm())
	}
	return message.Format("%s; the best of a random number of runs (%s)", t.inner[0].algorithm(), t.law.Rule)
}

func (t *tuned) bound() float64 {
	worst := 0.0
	for _, inner := range t.inner {
		worst = math.Max(worst, inner.bound())
	}
	return worst
}

func (t *tuned) unit() unit { return t.inner[0].unit() }

// mostShown is how many combinations are listed where people read them.
const mostShown = 8

func (t *tuned) forecast() []Forecast {
	k, total := len(t.tried), t.query.epsilon.Float64()
	one, naive := epsilonText(t.each.Float64()), epsilonText(float64(k)*t.each.Float64())
	list := []Forecast{
		{message.Format("Price of trying %s", fmt.Sprint(k)), epsilonText(total), message.Format("in place of %s, which releasing each of them as accurately would cost; for the same price each of them would have ε = %.3g", naive, total/float64(k))},
		{message.Text("Each run has"), one, message.Format("a quarter of it for the score: %s", message.Text(t.query.task.Tunes))},
	}
	if t.law == nil {
		list[0].Detail = message.Text("each is paid for: for so few nothing costs less")
	} else {
		times := timesOne(t.law, t.query.epsilon)
		list = append(list,
			Forecast{message.Text("Why it is private"), message.Format("%s × one run", times), message.Format("only the best of a random number of runs is shown, and how many there were is secret: that costs at most %s times one run, "+
				"and paying for each value %d times (Liu, Talwar 2019; Papernot, Steinke 2022)", times, k)},
			Forecast{message.Text("Runs"), message.Format("%.0f expected", t.law.Runs), message.Format("by the law with the smallest proven price of those that find a good run as often as random stopping does, in twice its time: %s", t.law.Rule)})
	}
	for i, inner := range t.inner {
		if i == mostShown {
			list = append(list, Forecast{message.Text("And"), message.Format("%d more", k-mostShown), message.Text("drawn or listed by the values to try")})
			break
		}
		list = append(list, Forecast{t.tried[i].label, "± " + fmt.Sprintf("%.0f", math.Ceil(inner.bound())), inner.unit().text})
	}
	return list
}

// bestRun is the run that is released.
type bestRun struct {
	Result
	Tuned
	with tunable // what made it
}

func (t *tuned) run(src coin.Source, data data, step coin.Step) (Result, error) {
	blind := blindly(step)         // how many runs there are is secret
	data.once = new(domain.Sorted) // all runs look at the same people
	candidate := func(i int) selection.Candidate[attempt] {
		return func(src coin.Source) (selection.Scored[attempt], error) { return t.candidate(src, i, data, blind) }
	}
	if t.law == nil {
		best := selection.Scored[attempt]{Score: math.MinInt64}
		for i := range t.tried {
			scored, err := candidate(i)(src)
			if err != nil {
				return nil, err
			}
			if i == 0 || scored.Score > best.Score {
				best = scored
			}
		}
		return best.Output.release()
	}
	var all []selection.Candidate[attempt]
	for i := range t.tried {
		all = append(all, candidate(i))
	}
	any, err := selection.OneOf(all)
	if err != nil {
		return nil, err
	}
	m, err := selection.NewBest(selection.BestParams{Loss: t.one, Repetitions: t.law.Repetitions})
	if err != nil {
		return nil, err
	}
	best, _, err := selection.BestOf(src, m, any, blind)
	if err != nil {
		return nil, err
	}
	return best.Output.release()
}

// attempt is what a run gives: a result, or the refusal of what it drew, as of a shape that cannot be fitted. A refusal has the worst score and
// comes out only if it is chosen: shown for a run that is not, it would tell of more runs than are paid for.
type attempt struct {
	result  *bestRun
	refused error
}

func (a attempt) release() (Result, error) {
	if a.refused != nil {
		return nil, a.refused
	}
	return a.result, nil
}

// candidate is one run with combination i, and its noisy score. Its error is that of step.
func (t *tuned) candidate(src coin.Source, i int, data data, step coin.Step) (none selection.Scored[attempt], err error) {
	result, err := t.inner[i].run(src, data, step)
	if refused := new(param.Error); errors.As(err, &refused) {
		return selection.Scored[attempt]{Output: attempt{refused: err}, Score: math.MinInt64}, nil
	}
	if err != nil {
		return none, err
	}
	points, moves, err := t.inner[i].score(result, data, step)
	if err != nil {
		return none, err
	}
	noise, err := mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: t.noise, L1Sensitivity: moves})
	if err != nil {
		return none, err
	}
	out := &bestRun{result, Tuned{Parameter: t.of, Value: t.tried[i].value, Among: t.values(), By: message.Text(t.query.task.Tunes)}, t.inner[i]}
	return selection.Scored[attempt]{Output: attempt{result: out}, Score: noise.Noise().AddTo(src, points)}, nil
}

// values are what is tried, in words.
func (t *tuned) values() (list []string) {
	for _, c := range t.tried {
		list = append(list, c.value)
	}
	return list
}

// maxTuned bounds the number of people where values are tried: points of at most 64·(64·ln 2 + 4) each stay within int64.
const maxTuned = 1 << 48

func (t *tuned) state(result Result) string {
	b := result.(*bestRun)
	among := message.Format("%d values", len(b.Among))
	if len(b.Among) <= mostShown {
		among = strings.Join(b.Among, "; ")
		if !strings.Contains(b.Parameter, ",") {
			among = strings.Join(b.Among, ", ")
		}
	}
	return message.Format("%s %s %s was chosen privately among %s; the score counts %s. Ranges hold in 95 of 100 runs, of which the best is shown.", b.with.state(b.Result), Capital(b.Parameter), b.Value, among, b.By)
}
