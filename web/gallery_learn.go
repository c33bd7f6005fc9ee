package web

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/motion"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
)

// learnSpecimens is the page of lessons, and a lesson in its states.
func learnSpecimens() []Specimen {
	made := func(state string) *task.Release {
		for _, a := range answers() {
			if a.state == state {
				return a.release
			}
		}
		panic("web: internal error: no made-up answer " + state)
	}
	number := func() *task.Taught {
		t := &task.Taught{Quiet: made("one number")}
		for _, value := range []string{"41.5", "40.9", "41.2", "42.0", "41.3"} {
			t.Draws = append(t.Draws, release("mean", "Mean", "The mean of age is about "+value+".",
				&task.Estimates{Name: "mean", Rows: []task.Estimate{{Value: value, Low: "40.0", High: "43.0"}}}))
		}
		return t
	}
	chosen := func(value, count string, percentile float64, drawn int64) *task.Taught {
		r := release("mode", "Most frequent value", "Most frequent of district: "+value+".",
			&task.Winner{Value: value, Score: say.Text("people"), Count: count, Error: "4", Reached: &task.Reached{Percentile: percentile, Drawn: drawn}})
		return &task.Taught{Quiet: r, Draws: []*task.Release{r}}
	}
	var states []state
	for _, l := range []struct {
		name, task string
		change     func(*Learn)
	}{
		{"all lessons", "", nil},
		{"begun", "mean", nil},
		{"being drawn", "mean", func(l *Learn) {
			l.Taught, l.Progress = number(), &engine.Progress{Phase: "computing", Done: 3, Total: 10}
		}},
		{"one number", "mean", func(l *Learn) { l.Taught = number() }},
		{"counts", "histogram", func(l *Learn) {
			l.Taught = &task.Taught{Quiet: made("histogram"), Draws: []*task.Release{made("histogram")}}
		}},
		{"people set aside", "classify", func(l *Learn) {
			rule := made("labels and a rule")
			l.Aside, l.Taught = 100, &task.Taught{Quiet: rule, Draws: []*task.Release{rule, rule, rule}, Aside: &ask.Aside{People: 100, Quiet: 91, Draws: []int{90, 84, 91}}}
		}},
		{"algorithms side by side", "mean", func(l *Learn) {
			l.Taught, l.Beside = number(), []Beside{
				{Name: "one algorithm", Taught: number()}, {Name: "another algorithm", Taught: number()},
				{Name: "a third", Fault: &engine.Fault{Code: engine.Refused, Field: "release", Want: "at least 9,000 people"}},
			}
		}},
		{"choices side by side", "mode", func(l *Learn) {
			l.Taught, l.Beside = chosen("Market", "861", 100, 6), []Beside{
				{Name: say.Text("permute and flip"), Taught: chosen("Market", "861", 100, 6)}, {Name: say.Text("random stopping"), Taught: chosen("Harbour", "770", 80, 17)},
				{Name: "search for a threshold", Taught: chosen("Market", "859", 100, 65_429_505)},
				{Name: say.Text("percentile search, sampled"), Fault: &engine.Fault{Code: engine.Refused, Field: "selector", Want: "more privacy loss, or fewer possible values"}},
			}
		}},
		{"refused", "mean", func(l *Learn) {
			l.Fault = &engine.Fault{Code: engine.Refused, Message: "refused", Field: "hi", Want: "bounds with fewer than 2^64 values between them"}
		}},
	} {
		states = append(states, state{l.name, func(m *Model) {
			m.learn(l.task)
			m.Learn.Progress = nil
			if l.change != nil {
				l.change(&m.Learn)
			}
		}})
	}
	states = append(states,
		state{"a file of one's own to be chosen", func(m *Model) { m.Ledger.Frozen = []ask.Recipe{m.Recipe()}; m.learn(ownLesson) }},
		state{"a file of one's own without a question", func(m *Model) { m.Forecast = Forecast{}; m.learn(ownLesson) }},
		state{"made-up data in the place of one's own", func(m *Model) { m.Data.Sample = true; m.learn(ownLesson) }},
		state{"a file of one's own that cannot be noted", func(m *Model) { m.Data.Opened.StorageRefused = "the browser refuses"; m.learn(ownLesson) }},
		state{"a file of one's own, not private", func(m *Model) {
			m.Ledger.Looked = "2026-01-31T12:00:00.000Z"
			m.learn(ownLesson)
			m.Learn.Progress, m.Learn.Taught = nil, number()
		}},
	)
	return append(exhibits(func(m *Model, b *browser) app.UI { return &LearnPage{Model: m, Browser: b} }, states), filmSpecimens()...)
}

// filmSpecimens are the pictures that move, each stopped before its last frame.
func filmSpecimens() []Specimen {
	states := []state{{"film failed", func(m *Model) { m.Learn.Showing.Fault = &engine.Fault{Code: engine.Internal, Message: manyWays} }}}
	for _, id := range motion.IDs() {
		states = append(states, state{"film of " + say.Text(motion.Name(id)), func(m *Model) {
			f, err := motion.Run(say.Language(), motion.Request{ID: id, Seed: 1})
			if err != nil {
				panic("web: internal error: " + err.Error())
			}
			m.Learn.Showing = Showing{ID: id, Film: f, At: len(f.Frames) - 2}
		}})
	}
	return exhibits(func(m *Model, _ *browser) app.UI {
		return new(LearnPage).section("film", say.Text("See it work"), &FilmView{Model: m})
	}, states)
}
