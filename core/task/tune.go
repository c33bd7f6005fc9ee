package task

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/message"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/selection"
)

// tunable is a prepared question any two of whose results can be compared on the data.
type tunable interface {
	ask.Prepared
	// score says how good a result of run is for the data, in whole points: replacing one person
	// moves it by at most moves, which may depend on the result. Its error is that of step, which
	// is told no progress.
	score(r ask.Result, data ask.Data, step coin.Step) (points int64, moves uint64, err error)
	// perfect is the score of a result that is off by nobody; ok is false where points do not count
	// people.
	perfect() (points int64, ok bool)
}

// tuned runs a question with one of several combinations of parameters, many times, and releases
// the run with the best noisy score, or the first whose noisy score is good enough (tune.md of
// core/selection).
type tuned struct {
	query *ask.Query
	of    string // the parameters
	tried []ask.Combination
	inner []tunable
	each  privacy.Epsilon   // of one run: the question, and its score
	law   *selection.Option // of the number of runs; nil: each combination once
	noise privacy.Epsilon   // of the score
	one   privacy.Loss
	until *goal // the first run that is good enough ends them; nil: the best is released
	best  int64 // one of so many percent of all runs is wanted; 0: not
	// runs see one half of the rows, and scores the other; nil: both see all
	halves []*selection.Halves // by combination
}

// goal is what ends a search.
type goal struct {
	search    *selection.Threshold
	sought    *selection.Unknown // finds the threshold first; nil: it is given
	people    int64              // by so many the noisy score may be off, where it is given
	off       int64              // and so much more the answer, with probability 1 − basic.Beta
	threshold int64              // of the score
}

// mechanism is what is paid for.
func (g *goal) mechanism() mechanism.Mechanism {
	if g.sought != nil {
		return g.sought
	}
	return g.search
}

// tuning lets a question's parameters be tuned: where the recipe has values to be tried, ε and δ
// are divided among what a run costs, and the question is prepared with each combination.
func tuning(
	prepare func(q *ask.Query) (ask.Prepared, error)) func(q *ask.Query) (ask.Prepared, error) {
	return func(q *ask.Query) (ask.Prepared, error) {
		if !q.Tries() {
			return prepare(q)
		}
		of, tried, err := q.Combinations()
		if err != nil {
			return nil, err
		}
		return newTuned(q, of, tried)
	}
}

func newTuned(q *ask.Query, of string, tried []ask.Combination) (*tuned, error) {
	if err := q.CheckPersons(maxTuned); err != nil {
		return nil, err
	}
	t := &tuned{query: q, of: of, tried: tried}
	var err error
	if t.best, err = q.OneOfBest(); err != nil {
		return nil, err
	}
	aim, err := q.GoodEnough()
	if err != nil {
		return nil, err
	}
	if aim != nil && len(tried) == 2 {
		return nil, ask.Refuse(ask.ParamGood, q.Recipe.Params[ask.ParamGood],
			phrase.Of("nothing for two combinations: each of them once costs no more, and the "+
				"better one is released"))
	}
	halves, err := q.InHalves()
	if err != nil {
		return nil, err
	}
	delta, err := t.divide(aim, halves)
	if err != nil {
		return nil, err
	}
	run := t.each.Part(3, 4)
	if halves {
		run = t.each
	}
	var losses []privacy.Loss
	for _, c := range tried {
		with := *q
		with.Recipe.Params = maps.Clone(q.Recipe.Params)
		for name, value := range c.Params {
			delete(with.Recipe.Params, ask.TryName(name))
			with.Recipe.Params[name] = value
		}
		with.Epsilon, with.Trial, with.Half, with.Shared = run, true, halves, delta
		inner, err := q.Task.Prepare(&with)
		if err != nil {
			return nil, t.fault(c, err)
		}
		scored, ok := inner.(tunable)
		if l, voting := inner.(*labelling); !ok || voting && l.rule == nil {
			return nil, ask.Refuse(q.FirstTried(), c.Label,
				phrase.Of("nothing where no rule is released: there is nothing to compare on the "+
					"data"))
		}
		loss, err := inner.Loss()
		if err != nil {
			return nil, err
		}
		if halves {
			half, err := selection.NewHalves(loss, t.noise)
			if err != nil {
				return nil, err
			}
			t.halves = append(t.halves, half)
			if loss, err = half.Loss(1); err != nil {
				return nil, err
			}
		}
		t.inner, losses = append(t.inner, scored), append(losses, loss)
	}
	worst, err := selection.Worst(losses...)
	if err != nil {
		return nil, err
	}
	if t.one = worst; !halves {
		t.one = worst.Plus(privacy.PureLoss(t.noise))
	}
	if aim != nil {
		t.until, err = t.aim(aim)
	}
	return t, err
}

// tiers are the thresholds that a search has, of scores that are perfect where nobody is wrong: off
// by a hundredth of all people, a fiftieth, a twentieth and so on, and in the end by all.
func tiers(perfect, people int64) (list []int64) {
	for _, parts := range []int64{100, 50, 20, 10, 5, 2, 1} {
		level := perfect - max(people/parts, 1)
		if len(list) == 0 || level < list[len(list)-1] {
			list = append(list, level)
		}
	}
	return list
}

// aim prepares the search for an answer that is good enough.
func (t *tuned) aim(aim *ask.Aim) (*goal, error) {
	g := &goal{people: aim.People}
	for i, inner := range t.inner {
		perfect, ok := inner.perfect()
		if t.halves != nil { // rules are right for those at most whom the score looks at
			perfect -= selection.Trained(t.query.People)
		}
		if !ok {
			return nil, ask.Refuse(ask.ParamGood, t.query.Recipe.Params[ask.ParamGood],
				phrase.Of("nothing: this score does not count people, and the best is released"))
		}
		if i > 0 && perfect-aim.People != g.threshold {
			panic("task: internal error: combinations whose scores differ in kind")
		}
		g.threshold = perfect - aim.People
	}
	var err error
	if aim.Runs > 0 {
		p, err := t.sought(aim.Runs, g.threshold)
		if err != nil {
			return nil, err
		}
		if g.sought, err = p.Search(t.one); err != nil {
			return nil, err
		}
		_, g.search = g.sought.Parts()
	} else if g.search, err = selection.Until(t.one, int64(len(t.tried))); err != nil {
		return nil, err
	}
	noise, err := mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: t.noise, L1Sensitivity: 1})
	if err != nil {
		return nil, err
	}
	g.off = noise.ErrorBound(2 * basic.Beta / g.search.Calls(0))
	return g, nil
}

// sought are the parameters of a search for what is good enough.
func (t *tuned) sought(runs uint64, perfect int64) (selection.SoughtParams, error) {
	delta, err := t.query.SearchDelta()
	return selection.SoughtParams{Epsilon: t.query.Epsilon, Delta: delta,
		Combinations: int64(len(t.tried)), Levels: tiers(perfect, t.query.People), Runs: runs}, err
}

// stopping is the law of the number of runs for so many candidates, worked out once
// (selection.Stopping).
func stopping(q *ask.Query, candidates, perTry int64) (*selection.Option, error) {
	return ask.Remember(q, fmt.Sprint("stopping ", q.Epsilon, candidates, perTry),
		func() (*selection.Option, error) {
			return selection.Stopping(q.Epsilon, candidates, perTry)
		})
}

// repeats is the law for so many combinations; nil where each of them once costs no more.
func repeats(q *ask.Query, combinations int64) (*selection.Option, error) {
	law, err := stopping(q, combinations, selection.RunsPerTry)
	if err != nil || !selection.Pays(law, q.Epsilon, combinations) {
		return nil, err
	}
	return law, nil
}

// timesOne is how many times the loss of one run a law costs, as text.
func timesOne(law *selection.Option, epsilon privacy.Epsilon) string {
	loss, _ := law.Loss.Epsilon()
	times, _ := loss.Quo(loss, epsilon.Rat()).Float64()
	return fmt.Sprintf("%.3g", times)
}

// divide finds how often combinations are run and what a run may cost: its ε, of which a quarter is
// the score's, and its δ, nil where the task has none.
func (t *tuned) divide(aim *ask.Aim, halves bool) (share *privacy.Delta, err error) {
	q, k := t.query, int64(len(t.tried))
	switch {
	case t.best > 0:
		t.law, err = ask.Remember(q, fmt.Sprint("best ", q.Epsilon, t.best),
			func() (*selection.Option, error) {
				return selection.OneOfBest(q.Epsilon, big.NewRat(t.best, 100))
			})
	case aim == nil:
		t.law, err = repeats(q, k)
	}
	if err != nil {
		return nil, err
	}
	p := selection.RunParams{Epsilon: q.Epsilon, Combinations: k, Law: t.law, Until: aim != nil,
		Halves: halves}
	spends := slices.ContainsFunc(q.Task.Params, func(p ask.Param) bool {
		return p.Name == ask.ParamDelta
	})
	if aim != nil && aim.Runs > 0 {
		return t.divideSought(aim.Runs, halves, spends)
	}
	if spends {
		if p.Delta, err = q.AllowedDelta(); err != nil {
			return nil, err
		}
	}
	run, err := selection.ShareOfRun(p)
	if err != nil {
		return nil, err
	}
	t.each, t.noise = run.Epsilon, run.Score
	if !spends {
		return nil, nil
	}
	return &run.Delta, nil
}

// divideSought is divide for a search of what is good enough: all of δ is the search's.
func (t *tuned) divideSought(runs uint64, halves, spends bool) (share *privacy.Delta, err error) {
	p, err := t.sought(runs, 0)
	if err != nil {
		return nil, err
	}
	run, err := ask.Remember(t.query,
		fmt.Sprint("sought ", p.Epsilon, p.Delta, p.Combinations, len(p.Levels), runs), p.Run)
	if refused := new(param.Error); errors.As(err, &refused) && refused.Field == "epsilon" {
		return nil, ask.Refuse(ask.ParamGood, t.query.Recipe.Params[ask.ParamGood],
			phrase.Of("more ε, fewer combinations, or a number of people: %d runs are not enough",
				runs))
	}
	if err != nil {
		return nil, err
	}
	if t.each, t.noise = run, run.Part(1, 4); halves {
		t.noise = run
	}
	if spends {
		share = new(privacy.Delta)
	}
	return share, nil
}

// fault marks the field of the value that is refused, where it is one of a list that is tried.
func (t *tuned) fault(c ask.Combination, err error) error {
	var refused *param.Error
	if t.query.Tries() && errors.As(err, &refused) {
		if _, tried := c.Params[refused.Field]; tried {
			return ask.TryFault(ask.TryName(refused.Field), err)
		}
		if !slices.ContainsFunc(t.query.Task.Params, func(p ask.Param) bool {
			return p.Name == refused.Field
		}) {
			return err
		}
		return ask.TryFault(t.query.FirstTried(), err)
	}
	return err
}

func (t *tuned) Loss() (privacy.Loss, error) {
	if t.until != nil {
		return t.until.mechanism().Loss(1)
	}
	return selection.CostOfTrying(t.law, int64(len(t.tried)), t.one)
}

func (t *tuned) Algorithm() string {
	switch {
	case t.until != nil && t.until.sought != nil:
		return t.query.Say.Format("%s; a search for a threshold, and the first run that reaches it",
			t.inner[0].Algorithm())
	case t.until != nil:
		return t.query.Say.Format("%s; the first run that is good enough",
			t.inner[0].Algorithm())
	case t.law == nil:
		return t.query.Say.Format("%s; once for each value tried", t.inner[0].Algorithm())
	}
	return t.query.Say.Format("%s; the best of a random number of runs (%s)",
		t.inner[0].Algorithm(), t.law.Rule)
}

func (t *tuned) Bound() float64 {
	worst := 0.0
	for _, inner := range t.inner {
		worst = math.Max(worst, inner.Bound())
	}
	return worst
}

// Typical is the one in the middle of those that are tried: the best is not known.
func (t *tuned) Typical() (off float64, exact bool) {
	var all []float64
	for _, inner := range t.inner {
		one, _ := inner.Typical()
		all = append(all, one)
	}
	slices.Sort(all)
	return all[(len(all)-1)/2], false
}

func (t *tuned) Unit() ask.Unit { return t.inner[0].Unit() }

// mostShown is how many combinations are listed where people read them.
const mostShown = 8

func (t *tuned) Forecast() []ask.Forecast {
	k, total := len(t.tried), t.query.Epsilon.Float64()
	one, naive := epsilonText(t.each.Float64()), epsilonText(float64(k)*t.each.Float64())
	list := []ask.Forecast{
		{Label: t.query.Say.Format("Price of trying %s", fmt.Sprint(k)), Value: epsilonText(total),
			Detail: t.query.Say.Format("in place of %s, which releasing each of them as "+
				"accurately would cost; for the same price each of them would have ε = %.3g", naive,
				total/float64(k))},
		{Label: t.query.Say.Text("Each run has"), Value: one,
			Detail: t.query.Say.Format("a quarter of it for the score: %s",
				t.query.Say.Text(t.query.Task.Tunes))},
	}
	if t.halves != nil {
		list[1].Detail = t.query.Say.Format("for one half of the people, and as much for the "+
			"score, on the other half: %s", t.query.Say.Text(t.query.Task.Tunes))
	}
	switch {
	case t.until != nil:
		list = append(list, t.until.forecast(t)...)
	case t.law == nil:
		list[0].Detail = t.query.Say.Text("each is paid for: for so few nothing costs less")
	default:
		times := timesOne(t.law, t.query.Epsilon)
		law := t.query.Say.Format("by the law with the smallest proven price of those "+
			"that find a good run as often as random stopping does, in twice its time: %s",
			t.law.Rule)
		if t.best > 0 {
			law = t.query.Say.Format("so that in 95 of 100 releases one of them is among the best "+
				"%d %% of all that such runs give; the noisy score chooses: %s", t.best, t.law.Rule)
		}
		list = append(list,
			ask.Forecast{Label: t.query.Say.Text("Why it is private"),
				Value: t.query.Say.Format("%s × one run", times),
				Detail: t.query.Say.Format("only the best of a random number of runs is shown, "+
					"and how many there were is secret: that costs at most %s times one run, "+
					"and paying for each value %d times (Liu, Talwar 2019; Papernot, Steinke 2022)",
					times, k)},
			ask.Forecast{Label: t.query.Say.Text("Runs"),
				Value: t.query.Say.Format("%.0f expected", t.law.Runs), Detail: law})
	}
	for i, inner := range t.inner {
		if i == mostShown {
			list = append(list,
				ask.Forecast{Label: t.query.Say.Text("And"),
					Value:  t.query.Say.Format("%d more", k-mostShown),
					Detail: t.query.Say.Text("drawn or listed by the values to try")})
			break
		}
		one := ask.OffOf(inner).Forecast(t.query.Say, inner.Unit())
		one.Label = t.tried[i].Label
		one.Value = t.query.Say.Format("typically %s", one.Value)
		list = append(list, one)
	}
	return list
}

// forecast is what is said of a search before it.
func (g *goal) forecast(t *tuned) []ask.Forecast {
	k := len(t.tried)
	if g.sought != nil {
		return g.foretold(t)
	}
	good := 1 / float64(2*k) // the better half of the best combination's runs
	return []ask.Forecast{
		{Label: t.query.Say.Text("Why it is private"),
			Value: t.query.Say.Format("%s × one run", "2"),
			Detail: t.query.Say.Text("only the first run whose noisy score is good enough is " +
				"shown, and how many there were before is secret: that costs twice one run, and " +
				"the best of all two and a half times (Liu, Talwar 2019, Theorem 3.1)")},
		{Label: t.query.Say.Text("Good enough"),
			Value: t.query.Say.Format("off by at most %s", t.query.Count(g.people)),
			Detail: t.query.Say.Format("by the noisy score; then off by at most %s, in 95 of 100 "+
				"releases", t.query.Count(g.people+g.off))},
		{Label: t.query.Say.Text("Runs"),
			Value: t.query.Say.Format("at most %.0f expected", g.search.Calls(0)),
			Detail: t.query.Say.Format("after each that is not good enough a coin ends the search "+
				"with nothing: in %.0f of 100 releases if one run in %d is good enough, in all if "+
				"none is; the loss is spent either way", 100*g.search.Miss(good), 2*k)},
	}
}

// foretold is what is said of a search for what is good enough.
func (g *goal) foretold(t *tuned) []ask.Forecast {
	k := len(t.tried)
	best := "0"
	if law, err := repeats(t.query, int64(k)); err == nil && law != nil {
		if each, err := selection.Each(t.query.Epsilon, law.Repetitions); err == nil {
			best = fmt.Sprintf("%.3g", each.Float64())
		}
	}
	return []ask.Forecast{
		{Label: t.query.Say.Text("Why it is private"),
			Value: t.query.Say.Format("%s × one run, and the search", "2"),
			Detail: t.query.Say.Format("a threshold is found by how many runs reach it, with "+
				"noise (Liu, Talwar 2019, Theorem 4.7). So many runs leave one of them little: "+
				"the best of all leaves it ε = %s", best)},
		{Label: t.query.Say.Text("Good enough"),
			Value: t.query.Say.Text("is what the search finds"),
			Detail: t.query.Say.Format("in half of the releases at least as good as what one "+
				"run in %d reaches; then off by at most %s more, in 95 of 100 releases", 2*k,
				t.query.Count(g.off))},
		{Label: t.query.Say.Text("Runs"),
			Value: t.query.Say.Format("%s, and at most %s expected",
				message.Grouped(int64(g.sought.Samples())),
				message.Grouped(int64(math.Ceil(g.search.Calls(0))))),
			Detail: t.query.Say.Text("the first to find the threshold, which takes minutes for " +
				"many people, then until one reaches it, or a coin ends the search with nothing")},
	}
}

// bestRun is the run that is released.
type bestRun struct {
	ask.Result
	how  ask.Tuned
	with tunable // what made it
}

// Best is what the run is released as.
func (b *bestRun) Best() (ask.Result, ask.Tuned) { return b.Result, b.how }

func (t *tuned) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	blind := blindly(step) // how many runs there are is secret
	if data.Main != nil {  // all runs look at the same people
		once := *data.Main
		once.Once = new(domain.Sorted)
		data.Main = &once
	}
	var all []selection.Candidate[attempt]
	for i := range t.tried {
		if t.halves != nil {
			all = append(all, t.validated(i, data, blind))
			continue
		}
		all = append(all, func(src coin.Source) (selection.Scored[attempt], error) {
			return t.candidate(src, i, data, blind)
		})
	}
	if t.until != nil {
		return t.first(src, all, step)
	}
	best, err := selection.BestTried(src, t.law, t.one, all, blind)
	if err != nil {
		return nil, err
	}
	return best.Output.release()
}

// first is the search for a run that is good enough. That there was none is its answer, which is
// paid for like any other.
func (t *tuned) first(src coin.Source, all []selection.Candidate[attempt],
	step coin.Step) (ask.Result, error) {
	g := t.until
	run, people, found, err := g.run(src, all, step)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, ask.FoundNothing("the search ended before an answer was good enough: by its "+
			"noisy score, none was off by at most %s. That is what this release says, and its "+
			"privacy loss is spent. If you allow more people or spend more ε, a search finds an "+
			"answer more often", t.query.Count(people))
	}
	run.Output.result.how.Good, run.Output.result.how.Within = people, people+g.off
	return run.Output.release()
}

// run is the run that is good enough, and by how many people it is off at most, by its noisy score.
func (g *goal) run(src coin.Source, all []selection.Candidate[attempt],
	step coin.Step) (run selection.Scored[attempt], people int64, found bool, err error) {
	if g.sought == nil {
		run, found, err = selection.FirstTried(src, g.search, g.threshold, all, blindly(step))
		return run, g.people, found, err
	}
	any, err := selection.OneOf(all)
	if err != nil {
		return run, 0, false, err
	}
	// how many runs find the threshold is public, and afterwards no progress is told
	run, level, found, err := selection.FirstAboveUnknown(src, g.sought, any, step)
	return run, g.threshold - level, found, err
}

// attempt is what a run gives: a result, or the refusal of what it drew, as of a shape that cannot
// be fitted. A refusal has the worst score and comes out only if it is chosen: shown for a run that
// is not, it would tell of more runs than are paid for.
type attempt struct {
	result  *bestRun
	refused error
}

func (a attempt) release() (ask.Result, error) {
	if a.refused != nil {
		return nil, a.refused
	}
	return a.result, nil
}

// candidate is one run with combination i, and its noisy score. Its error is that of step.
func (t *tuned) candidate(src coin.Source, i int, data ask.Data,
	step coin.Step) (none selection.Scored[attempt], err error) {
	result, err := t.inner[i].Run(src, data, step)
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
	noise, err := mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: t.noise, L1Sensitivity: moves})
	if err != nil {
		return none, err
	}
	return selection.Scored[attempt]{Output: attempt{result: t.outcome(result, i)},
		Score: noise.AddTo(src, points)}, nil
}

func (t *tuned) outcome(result ask.Result, i int) *bestRun {
	return &bestRun{
		result, ask.Tuned{Parameter: t.of, Value: t.tried[i].Value, Among: t.values(),
			By: t.query.Say.Text(t.query.Task.Tunes)}, t.inner[i]}
}

// validated is candidate on one half of the rows, scored on the other.
func (t *tuned) validated(i int, data ask.Data, step coin.Step) selection.Candidate[attempt] {
	train, rest := halfOf(data, true), halfOf(data, false)
	return selection.Validated(t.halves[i], func(src coin.Source) (attempt, error) {
		result, err := t.inner[i].Run(src, train, step)
		if refused := new(param.Error); errors.As(err, &refused) {
			return attempt{refused: err}, nil
		}
		if err != nil {
			return attempt{}, err
		}
		return attempt{result: t.outcome(result, i)}, nil
	}, func(a attempt) (int64, error) {
		if a.refused != nil {
			return math.MinInt64 / 2, nil // the worst score, whatever the noise
		}
		points, _, err := t.inner[i].score(a.result.Result, rest, step)
		return points, err
	})
}

// halfOf is what the rows of one half say: those of the other have no value in further columns.
func halfOf(data ask.Data, trains bool) ask.Data {
	data.Others = slices.Clone(data.Others) // the outcome is one of them: see ask.Task.Halves
	for i, c := range data.Others {
		data.Others[i] = &ask.Column{Codes: halfCodes{c.Codes, trains}}
	}
	return data
}

type halfCodes struct {
	ask.Codes
	trains bool
}

func (h halfCodes) Code(i int) (uint64, bool) {
	if selection.Trains(i) != h.trains {
		return 0, false
	}
	return h.Codes.Code(i)
}

// values are what is tried, in words.
func (t *tuned) values() (list []string) {
	for _, c := range t.tried {
		list = append(list, c.Value)
	}
	return list
}

// maxTuned bounds the number of people where values are tried: points of at most 64·(64·ln 2 + 4)
// each stay within int64.
const maxTuned = 1 << 48

func (t *tuned) State(result ask.Result) string {
	b := result.(*bestRun)
	among := t.query.Say.Format("%d values", len(b.how.Among))
	if len(b.how.Among) <= mostShown {
		among = strings.Join(b.how.Among, "; ")
		if !strings.Contains(b.how.Parameter, ",") {
			among = strings.Join(b.how.Among, ", ")
		}
	}
	halved := ""
	if t.halves != nil {
		halved = " " + t.query.Say.Text("It was learned from one half of the rows, which its "+
			"numbers are about, and scored on the other.")
	}
	if g := t.until; g != nil {
		return t.query.Say.Format("%s %s %s, drawn at random among %s, gave the first answer that "+
			"was good enough: by its noisy score it is off by at most %s, and in 95 of 100 "+
			"releases by at most %s. The score counts %s.", b.with.State(b.Result),
			Capital(b.how.Parameter), b.how.Value, among, t.query.Count(b.how.Good),
			t.query.Count(b.how.Within), b.how.By) + halved
	}
	return t.query.Say.Format("%s %s %s was chosen privately among %s; the score counts %s. "+
		"Ranges hold in 95 of 100 runs, of which the best is shown.", b.with.State(b.Result),
		Capital(b.how.Parameter), b.how.Value, among, b.how.By) + halved
}
