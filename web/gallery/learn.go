package gallery

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/study"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/film"
	"hush/web/learn"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/asking"
	"hush/web/state/course"
	"hush/web/state/lesson"
)

// learnSpecimens shows the page of lessons, and a lesson in its states.
func learnSpecimens() []Specimen {
	made := func(state string) *task.Release {
		for _, a := range exhibit.Answers() {
			if a.State == state {
				return a.Release
			}
		}
		panic("web: internal error: no made-up answer " + state)
	}
	number := func() *task.Taught {
		t := &task.Taught{Quiet: made("one number")}
		for _, value := range []string{"41.5", "40.9", "41.2", "42.0", "41.3"} {
			t.Draws = append(t.Draws,
				exhibit.Release("mean", "Mean", "The mean of age is about "+value+".",
					&task.Estimates{
						Name: "mean",
						Rows: []task.Estimate{{Value: value, Low: "40.0", High: "43.0"}}}))
		}
		return t
	}
	chosen := func(value, count string, percentile float64, drawn int64) *task.Taught {
		r := exhibit.Release("mode", "Most frequent value", "Most frequent of district: "+value+".",
			&task.Winner{Value: value, Score: say.Text("people"), Count: count, Error: "4",
				Reached: &task.Reached{Percentile: percentile, Drawn: drawn}})
		return &task.Taught{Quiet: r, Draws: []*task.Release{r}}
	}
	difference := &task.Difference{First: 6.6, Made: 4.02, Anew: 3.95, MadeBoth: 4.3, AnewBoth: 3.4,
		Taught: &task.Taught{Quiet: made("histogram"),
			Draws: []*task.Release{made("histogram"), made("histogram")}}}
	var states []variant
	for _, l := range []struct {
		name, task string
		change     func(*lesson.Lesson)
	}{
		{"all lessons", "", nil},
		{"begun", "mean", nil},
		{"being drawn", "mean", func(l *lesson.Lesson) {
			l.Taught, l.Progress = number(),
				&engine.Progress{Phase: "computing", Done: 3, Total: 10}
		}},
		{"one number", "mean", func(l *lesson.Lesson) { l.Taught = number() }},
		{"counts", "histogram", func(l *lesson.Lesson) {
			l.Taught = &task.Taught{Quiet: made("histogram"),
				Draws: []*task.Release{made("histogram")}}
		}},
		{"people set aside", "classify", func(l *lesson.Lesson) {
			rule := made("labels and a rule")
			l.Aside, l.Taught = 100,
				&task.Taught{Quiet: rule, Draws: []*task.Release{rule, rule, rule},
					Aside: &ask.Aside{People: 100, Quiet: 91, Draws: []int{90, 84, 91}}}
		}},
		{"algorithms side by side", "mean", func(l *lesson.Lesson) {
			l.Taught, l.Beside = number(), []lesson.Beside{
				{Name: "one algorithm", Taught: number()},
				{Name: "another algorithm", Taught: number()},
				{Name: "a third",
					Fault: &engine.Fault{Code: engine.Refused, Field: "release",
						Want: "at least 9,000 people"}},
			}
		}},
		{"choices side by side", "mode", func(l *lesson.Lesson) {
			l.Taught, l.Beside = chosen("Market", "861", 100, 6), []lesson.Beside{
				{Name: say.Text("permute and flip"), Taught: chosen("Market", "861", 100, 6)},
				{Name: say.Text("random stopping"), Taught: chosen("Harbour", "770", 80, 17)},
				{Name: "search for a threshold", Taught: chosen("Market", "859", 100, 65_429_505)},
				{Name: say.Text("percentile search, sampled"),
					Fault: &engine.Fault{Code: engine.Refused, Field: "selector",
						Want: "more privacy loss, or fewer possible values"}},
			}
		}},
		{"refused", "mean", func(l *lesson.Lesson) {
			l.Fault = &engine.Fault{Code: engine.Refused, Message: "refused", Field: "hi",
				Want: "bounds with fewer than 2^64 values between them"}
		}},
	} {
		states = append(states, variant{l.name, func(m *state.Model) {
			m.Learn.Show(l.task)
			m.Learn.Progress = nil
			if l.change != nil {
				l.change(&m.Learn.Lesson)
			}
		}})
	}
	states = append(states,
		variant{"a paper", func(m *state.Model) {
			m.Learn.Show("candidates")
			m.Learn.Progress = nil
			m.Learn.Curves = &study.Curves{X: []int{4, 16, 1024}, Y: [][]float64{
				{34, 0, 54, 0, 8, 0, 3}, {184, 40, 62, 0, 11, 0.5, 4.7},
				{20330, 196, study.None, study.None, 19, 5, 8.9}}}
		}},
		variant{"a paper, being measured", func(m *state.Model) {
			m.Learn.Show("interior-points")
			m.Learn.Progress = &engine.Progress{Phase: "computing", Done: 3, Total: 10}
		}},
		variant{"rows of a person", func(m *state.Model) {
			m.Learn.Show(lesson.RowsLesson)
			m.Learn.Rows.Running = false
			m.Learn.Rows.Taught = &task.Visits{People: 1000, Rows: 4012,
				Bounds: []task.VisitBound{
					{Rows: 1, LeftOut: 3012, Noise: 30, Off: 3010},
					{Rows: 8, LeftOut: 401, Noise: 240, Off: 407.5},
					{Rows: 20, LeftOut: 12, Noise: 599, Off: 181},
					{Rows: 30, LeftOut: 0, Noise: 899, Off: 290}}}
		}},
		variant{"difference of two prices", func(m *state.Model) {
			m.Learn.Show(lesson.DifferenceLesson)
			m.Learn.Progress = nil
			m.Learn.Difference.Taught = difference
		}},
		variant{"difference of two prices, being drawn", func(m *state.Model) {
			m.Learn.Show(lesson.DifferenceLesson)
			m.Learn.Progress = &engine.Progress{Phase: "computing", Done: 3, Total: 100}
		}},
		variant{"rows of a person, counted", func(m *state.Model) {
			m.Learn.Show(lesson.RowsLesson)
		}},
		variant{"a file of one's own to be chosen", func(m *state.Model) {
			m.Data.Account.Frozen = []ask.Recipe{m.Question.Recipe()}
			m.Learn.Show(lesson.OwnLesson)
		}},
		variant{"a file of one's own without a question", func(m *state.Model) {
			m.Forecast.Estimate = asking.Estimate{}
			m.Learn.Show(lesson.OwnLesson)
		}},
		variant{"made-up data in the place of one's own", func(m *state.Model) {
			m.Data.Sample = true
			m.Learn.Show(lesson.OwnLesson)
		}},
		variant{"a file of one's own that cannot be noted", func(m *state.Model) {
			m.Data.Opened.StorageRefused = "the browser refuses"
			m.Learn.Show(lesson.OwnLesson)
		}},
		variant{"a file of one's own, not private", func(m *state.Model) {
			m.Data.Account.Looked = "2026-01-31T12:00:00.000Z"
			m.Learn.Show(lesson.OwnLesson)
			m.Learn.Progress, m.Learn.Taught = nil, number()
		}},
	)
	for number := 1; number <= course.Lessons; number++ {
		states = append(states, variant{fmt.Sprintf("lesson %d answered", number),
			func(m *state.Model) {
				m.Course.Show(fmt.Sprintf("/learn/%d?bet=2&answer=2", number))
				m.Course.Recall("100000")
			}})
	}
	states = append(states,
		variant{"what offices do", func(m *state.Model) {
			m.Course.Show("/learn/offices?bet=1&at=4&answer=2")
		}},
		variant{"poll, begun", func(m *state.Model) { m.Course.Show("/learn/poll") }},
		variant{"poll, a pupil asked", func(m *state.Model) {
			m.Course.Show(pollAddress)
			m.Course.Poll.Recall("")
		}},
		variant{"poll, a pupil's code", func(m *state.Model) {
			m.Course.Show(pollAddress)
			m.Course.Poll.Source = coin.NewSeeded(1)
			m.Course.Poll.Recall("")
			m.Course.Say(true)
			m.Course.Poll.Recall("")
		}},
		variant{"poll, codes pasted", func(m *state.Model) {
			m.Course.Show(pollAddress + "&teach=1")
			src, codes := coin.NewSeeded(1), "12\n"
			for i := range 25 {
				codes += m.Course.Poll.Of.Answer(src, i < 10) + "\n"
			}
			m.Course.Paste(codes + "11A")
		}},
		variant{"plan of a class", func(m *state.Model) { m.Course.Show("/learn/plan") }},
		variant{"sheet to print", func(m *state.Model) { m.Course.Show("/learn/sheet") }},
		variant{"lesson 1 begun", func(m *state.Model) { m.Course.Show("/learn/1") }},
		variant{"lesson 1 solved", func(m *state.Model) {
			m.Course.Show("/learn/1?bet=3&at=all&answer=1")
		}},
		variant{"lesson 3 presented", func(m *state.Model) {
			m.Course.Show("/learn/3")
			m.Course.Present()
			m.Course.Go(course.StepReveal)
		}})
	return append(
		exhibits(func(m *state.Model, b *parts.Browser) app.UI {
			return &learn.Page{Model: m, Browser: b}
		}, states), filmSpecimens()...)
}

// pollAddress is the poll that is shown.
const pollAddress = "/learn/poll?ask=Have+you+ever+copied+homework%3F"

// filmSpecimens shows the films, each stopped before its last frame.
func filmSpecimens() []Specimen {
	states := []variant{{"film failed", func(m *state.Model) {
		m.Learn.Showing.Fault = &engine.Fault{Code: engine.Internal, Message: exhibit.ManyWays}
	}}}
	for _, id := range film.IDs() {
		states = append(states, variant{"film of " + film.Name(id), func(m *state.Model) {
			f, err := film.Run(film.Request{ID: id, Seed: 1})
			if err != nil {
				panic("web: internal error: " + err.Error())
			}
			m.Learn.Showing = lesson.Showing{ID: id, Film: f, At: len(f.Frames) - 2}
		}})
	}
	return exhibits(func(m *state.Model, _ *parts.Browser) app.UI {
		return new(learn.Page).
			Section("film", say.Text("See it work"), &learn.FilmView{Learn: &m.Learn})
	}, states)
}
