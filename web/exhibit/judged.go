package exhibit

import (
	"hush/core/ask"
	"hush/core/task"
	"hush/web/state"
	"hush/web/state/release"
	"hush/web/state/stage"
)

// Judged returns a verdict such as a question about ages might get.
func Judged(g ask.Grade) *ask.Verdict {
	v := ask.Verdict{Grade: g, Error: 12, About: 250, Text: "Counts are off by up to 12 people, " +
		"and an even spread would put 250 in each bar, twenty times that."}
	switch g {
	case ask.Rough:
		v.Error, v.Text = 98, "Counts are off by up to 98 people, and an even spread would put "+
			"250 in each bar, less than three times that."
	case ask.Noise:
		v.Error, v.Text = 240, "Counts are off by up to 240 people, and an even spread would put "+
			"250 in each bar: nobody could tell them apart."
	}
	return &v
}

// Helps returns changes that would improve a question; the last is one that a person must choose.
func Helps(r ask.Recipe) []ask.Help {
	dearer := r
	dearer.Epsilon = "1.2"
	return []ask.Help{
		{Text: "ε = 1.2", Recipe: dearer, Grade: ask.Good, Error: 41, Exact: true},
		{Text: "A range up to 90", Recipe: r, Grade: ask.Rough, Error: 98.4, Exact: true},
		{Text: "6 groups, not 16", Grade: ask.Rough, Error: 1234.5},
	}
}

// Frames returns pictures of answers to come, one of each kind.
func Frames() []ask.Frame {
	return []ask.Frame{
		{Kind: ask.FrameBins, Axis: "age in years", Unit: "people", Hi: 500, Even: 250, Error: 12,
			Edges: []float64{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120}},
		{Kind: ask.FrameBars, Axis: "ward", Unit: "people", Hi: 3000, Even: 1000, Error: 12,
			Labels: []string{"Hill", "Mill", LongName}},
		{Kind: ask.FrameNumber, Axis: "cost", Unit: "€", Hi: 12000, Even: 6000, Error: 31.5},
		{Kind: ask.FrameCurve, Axis: "age in years", Unit: "people", Edges: []float64{0, 120},
			Hi: 3000, Error: -1},
	}
}

// Graded shows a release on the page, judged by the given grade.
func Graded(g ask.Grade) func(*state.Model) {
	return func(m *state.Model) {
		r := *Answers()[0].Release
		r.Plan.Verdict, r.Verdict = Judged(g), Judged(g)
		r.Recipe = m.Question.Recipe()
		switch g {
		case ask.Good:
			r.Recipe.Data, r.Recipe.Source = "Visits 2026", "Clinic of Example, 2026"
		case ask.Noise:
			r.Statement = "People by age: too few people to tell."
		}
		Show(m, &r)
	}
}

// Show makes a release the session's last answer.
func Show(m *state.Model, r *task.Release) {
	m.Answer.Shown = release.Shown{Phase: release.Done, Result: r}
	m.History.Add(r, "2026-01-31")
	m.Way.GoTo(stage.Answer)
}
