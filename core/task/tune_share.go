package task

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/mechanism"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/selection"
)

// tuned runs a question with one of several combinations of parameters, many times, and releases
// the run with the best noisy score, or the first whose noisy score is good enough (tune.md of
// core/selection).
type tuned struct {
	query *ask.Query
	of    string // names of the parameters
	tried []ask.Combination
	inner []tunable
	each  privacy.Epsilon   // of one run: the question, and its score
	law   *selection.Option // of the number of runs; nil: each combination once
	noise privacy.Epsilon   // of the score
	one   privacy.Loss
	until *goal // ends the runs with the first that is good enough; nil: the best is released
	best  int64 // one of the best this many percent of all runs is wanted; 0: not
	// runs see one half of the rows, and scores the other; nil: both see all
	halves []*selection.Halves // by combination
}

// goal says what ends a search.
type goal struct {
	search    *selection.Threshold
	sought    *selection.Unknown // finds the threshold first; nil: the threshold is given
	people    int64              // by this many the noisy score may be off, where it is given
	off       int64              // and so much more the answer, with probability 1 − basic.Beta
	threshold int64              // of the score
}

// mechanism returns the mechanism whose loss is paid.
func (g *goal) mechanism() mechanism.Mechanism {
	if g.sought != nil {
		return g.sought
	}
	return g.search
}

// tiers returns the thresholds of a search, for scores that are perfect where nobody is wrong: off
// by a hundredth of all people, a fiftieth, a twentieth and so on, and finally by all.
func tiers(perfect, people int64) (list []int64) {
	for _, parts := range []int64{100, 50, 20, 10, 5, 2, 1} {
		level := perfect - max(people/parts, 1)
		if len(list) == 0 || level < list[len(list)-1] {
			list = append(list, level)
		}
	}
	return list
}

// aim prepares the search for a good enough answer.
func (t *tuned) aim(aim *ask.Aim) (*goal, error) {
	g := &goal{people: aim.People}
	for i, inner := range t.inner {
		perfect, ok := inner.perfect()
		if t.halves != nil { // rules are right for at most the people whom the score looks at
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
	} else if g.search, err = selection.Until(t.one, int64(len(t.tried)),
		privacy.Delta{}); err != nil {
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

// sought returns the parameters of a search for a good enough run.
func (t *tuned) sought(runs uint64, perfect int64) (selection.SoughtParams, error) {
	delta, err := t.query.SearchDelta()
	return selection.SoughtParams{Epsilon: t.query.Epsilon, Delta: delta,
		Combinations: int64(len(t.tried)), Levels: tiers(perfect, t.query.People), Runs: runs}, err
}

// stopping returns the law of the number of runs for this many candidates, computed once
// (selection.Stopping).
func stopping(q *ask.Query, candidates, perTry int64) (*selection.Option, error) {
	return ask.Remember(q, stops{q.Epsilon, candidates, perTry}, stops.law)
}

// stops holds the parameters of a law of the number of runs.
type stops struct {
	epsilon            privacy.Epsilon
	candidates, perTry int64
}

func (s stops) law() (*selection.Option, error) {
	return selection.Stopping(s.epsilon, s.candidates, s.perTry)
}

// oneOfBest holds the parameters of the law for a search for one of the best.
type oneOfBest struct {
	epsilon privacy.Epsilon
	percent int64
}

func (b oneOfBest) law() (*selection.Option, error) {
	return selection.OneOfBest(b.epsilon, big.NewRat(b.percent, 100))
}

// repeats returns the law for this many combinations; nil where running each once costs no more.
func repeats(q *ask.Query, combinations int64) (*selection.Option, error) {
	law, err := stopping(q, combinations, selection.RunsPerTry)
	if err != nil || !selection.Pays(law, q.Epsilon, combinations) {
		return nil, err
	}
	return law, nil
}

// timesOne writes how many times the loss of one run a law costs.
func timesOne(law *selection.Option, epsilon privacy.Epsilon) string {
	loss, _ := law.Loss.Epsilon()
	times, _ := loss.Quo(loss, epsilon.Rat()).Float64()
	return fmt.Sprintf("%.3g", times)
}

// divide determines how often combinations are run and what a run may cost: its ε, of which the
// score gets a quarter, and its δ, nil where the task has none.
func (t *tuned) divide(aim *ask.Aim, halves bool) (share *privacy.Delta, err error) {
	q, k := t.query, int64(len(t.tried))
	switch {
	case t.best > 0:
		t.law, err = ask.Remember(q, oneOfBest{q.Epsilon, t.best}, oneOfBest.law)
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

// divideSought is divide for a search for a good enough run, which gets the whole δ.
func (t *tuned) divideSought(runs uint64, halves, spends bool) (share *privacy.Delta, err error) {
	p, err := t.sought(runs, 0)
	if err != nil {
		return nil, err
	}
	run, err := ask.Remember(t.query, p, selection.SoughtParams.Run)
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
