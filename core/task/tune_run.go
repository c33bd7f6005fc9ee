package task

import (
	"errors"
	"math"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/param"
	"hush/core/selection"
)

// bestRun is the run that is released.
type bestRun struct {
	ask.Result
	how  ask.Tuned
	with tunable // the question that made it
}

// Best returns the result that the run releases, and how it was chosen.
func (b *bestRun) Best() (ask.Result, ask.Tuned) { return b.Result, b.how }

// Judge returns, before a run, the middle verdict of all combinations tried, as Typical does: which
// is best is not known, and it is hardly ever worse. After the run it returns the verdict on the
// best.
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

func (t *tuned) State(result ask.Result) string {
	b := result.(*bestRun)
	return t.chosen(b, b.with.State(b.Result))
}

// StatedBefore is the former statement of the best run's question.
func (t *tuned) StatedBefore(result ask.Result) string {
	b := result.(*bestRun)
	if w, is := b.with.(ask.Reworded); is {
		if text := w.StatedBefore(b.Result); text != "" {
			return t.chosen(b, text)
		}
	}
	return ""
}

// StatesConditions asks the best run's question.
func (t *tuned) StatesConditions(result ask.Result) bool {
	b := result.(*bestRun)
	c, is := b.with.(ask.Conditioned)
	return is && c.StatesConditions(b.Result)
}

// chosen adds to a statement how its run was chosen.
func (t *tuned) chosen(b *bestRun, statement string) string {
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
		return t.query.Say.Format("%s %s %s, drawn at random among %s, gave the first answer "+
			"whose noisy score was good enough: off by at most %s. A search releases an answer "+
			"that is off by more than %s in at most 5 of 100 cases. The score counts %s.",
			statement, Capital(b.how.Parameter), b.how.Value, among, t.query.Count(b.how.Good),
			t.query.Count(b.how.Within), b.how.By) + halved
	}
	return t.query.Say.Format("%s %s %s was chosen privately among %s; the score counts %s. "+
		"Ranges hold in 95 of 100 runs, of which the best is shown.", statement,
		Capital(b.how.Parameter), b.how.Value, among, b.how.By) + halved
}

func (t *tuned) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	blind := blindly(step) // the number of runs is secret
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

// first searches for a run that is good enough. If there is none, that is the answer, which is paid
// for like any other.
func (t *tuned) first(src coin.Source, all []selection.Candidate[attempt],
	step coin.Step) (ask.Result, error) {
	g := t.until
	run, people, found, err := g.run(src, all, step)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, ask.FoundNothing("the search ended before an answer was good enough: by its "+
			"noisy score, none was off by at most %s. That is the release, and its privacy loss "+
			"is spent. If you allow an error of more people or spend more ε, a search finds an "+
			"answer more often",
			t.query.Count(people))
	}
	run.Output.result.how.Good, run.Output.result.how.Within = people, people+g.off
	return run.Output.release()
}

// run returns the run that is good enough, and how many people it is off by at most, according to
// its noisy score.
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
	// the number of runs that find the threshold is public; afterwards no progress is reported
	run, level, found, err := selection.FirstAboveUnknown(src, g.sought, any, step)
	return run, g.threshold - level, found, err
}

// attempt is the outcome of a run: a result, or the refusal of its draw, for example because a
// shape cannot be fitted. A refusal has the worst score and is shown only if it is chosen: a
// refusal shown for another run would reveal more runs than are paid for.
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

// candidate returns one run with combination i, and its noisy score. Its error is that of step.
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

// validated returns a candidate that runs on one half of the rows and is scored on the other.
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

// halfOf returns the data of one half of the rows: rows of the other half have no value in further
// columns.
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
