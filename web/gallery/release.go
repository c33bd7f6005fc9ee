package gallery

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/parts"
	"hush/web/publish"
	"hush/web/publish/answer"
	"hush/web/state"
	"hush/web/state/asking"
	"hush/web/state/dataset"
	"hush/web/state/release"
)

// pane shows the answer, or its preview, above the bar.
func pane(m *state.Model, b *parts.Browser) app.UI {
	return app.Div().Class("stack wide").Body(
		&answer.Pane{Model: m, Browser: b, Progress: m.Answer.Progress},
		&publish.Bar{Model: m, Browser: b})
}

// releaseSpecimens shows the preview and the bar up to an answer.
func releaseSpecimens() []Specimen {
	failed := func(f engine.Fault) func(*state.Model) {
		return func(m *state.Model) {
			m.Answer.Shown = release.Shown{Phase: release.Failed, Failure: &f}
		}
	}
	spentBefore := func(losses string, limited bool) func(*state.Model) {
		return func(m *state.Model) {
			a := exhibit.Spent(exhibit.Fingerprint, losses)
			if !limited {
				a.Limit = nil
			}
			m.Data.Account = &a
		}
	}
	judged := func(g ask.Grade) func(*state.Model) {
		return func(m *state.Model) {
			m.Forecast.Plan.Verdict = exhibit.Judged(g)
			if g != ask.Good {
				m.Help.List = exhibit.Helps(m.Question.Recipe())
			}
		}
	}
	frame := func(i int) func(*state.Model) {
		return func(m *state.Model) { m.Forecast.Plan.Frame = &exhibit.Frames()[i] }
	}
	doubt := Specimen{State: "asked once more", Draw: func(b *parts.Browser) app.UI {
		return &publish.Bar{Model: exhibit.Model(judged(ask.Noise)), Browser: b, Asks: true}
	}}
	claims := Specimen{State: "asked what came from outside", Draw: func(b *parts.Browser) app.UI {
		m := exhibit.Model(func(m *state.Model) {
			r := m.Question.Recipe()
			r.Label, r.Source, r.Count = "height", "A census", 1
			r.Noun = codebook.Noun{One: "patient", Many: "patients"}
			m.Saved.Adopt(r)
		})
		return &publish.Bar{Model: m, Browser: b, Asks: true}
	}}
	return append(exhibits(pane, []variant{
		{"no file yet", func(m *state.Model) {
			m.Data.File, m.Forecast.Estimate = dataset.File{}, asking.Estimate{}
		}},
		{"something at fault", func(m *state.Model) { m.Forecast.Estimate = asking.Estimate{} }},
		{"ready", func(*state.Model) {}},
		{"dearer than the limit leaves", func(m *state.Model) {
			a := exhibit.Spent(exhibit.Fingerprint, "3,0")
			m.Data.Account = &a
		}},
		{"column being read", func(m *state.Model) {
			m.Answer.Shown = release.Shown{Phase: release.Running,
				Cost:     m.Forecast.Plan.Loss,
				Progress: engine.Progress{Phase: "reading", Done: 45, Total: 100}}
		}},
		{"being drawn", func(m *state.Model) {
			m.Answer.Shown = release.Shown{Phase: release.Running,
				Cost:     m.Forecast.Plan.Loss,
				Progress: engine.Progress{Phase: "computing"}}
		}},
		{"made-up rows being fitted", func(m *state.Model) {
			m.Question.Form.Task = "joint"
			m.Answer.Shown = release.Shown{Phase: release.Running, Left: 24 * time.Second,
				Cost: m.Forecast.Plan.Loss, Progress: engine.Progress{Phase: "computing",
					Done: 580, Total: 1000}}
		}},
		{"looked at", func(m *state.Model) {
			m.Data.Account.Looked, m.Data.Account.Frozen = "2026-01-31T12:00:00.000Z",
				[]ask.Recipe{{Task: "mean", Label: "age", Epsilon: "0.5"}}
		}},
		{"looked at, and frozen before", func(m *state.Model) {
			m.Data.Account.Looked, m.Data.Account.Frozen = "2026-01-31T12:00:00.000Z",
				[]ask.Recipe{m.Question.Recipe()}
		}},
		{"cancelled", failed(engine.Fault{Code: engine.Cancelled})},
		{"found nothing", failed(engine.Fault{Code: engine.FoundNothing, Message: "the search " +
			"ended before an answer was good enough"})},
		{"over the limit", failed(engine.Fault{Code: engine.OverLimit, Message: "this release is " +
			"refused: it costs ε = 0.5, ε = 3 was spent on this data set before, and the limit " +
			"is ε = 3 in all"})},
		{"failed", failed(engine.Fault{Code: engine.Internal, Message: exhibit.ManyWays + "."})},
		{"good to publish", judged(ask.Good)},
		{"rough", judged(ask.Rough)},
		{"mostly noise", judged(ask.Noise)},
		{"a frame of bins", frame(0)},
		{"a frame of bars", frame(1)},
		{"a frame of a number", frame(2)},
		{"a frame of a curve", frame(3)},
		{"question incomplete", func(m *state.Model) {
			m.Question.Form.Column, m.Forecast.Estimate = 2, asking.Estimate{}
		}},
		{"persons being counted", func(m *state.Model) {
			m.Forecast.Estimate = asking.Estimate{
				Progress: &engine.Progress{Phase: "reading", Done: 3, Total: 10}}
		}},
		{"too large for the memory", func(m *state.Model) {
			m.Forecast.Estimate = asking.Estimate{
				Failure: &engine.Fault{
					Code:    engine.TooLarge,
					Message: "This column needs 5.2 GB of memory, and a page has at most 3.2 GB."}}
		}},
		{"half spent", spentBefore("3/2,0", true)},
		{"most spent", spentBefore("12/5,0", true)},
		{"all spent, over the limit", spentBefore("3,0", true)},
		{"no limit", spentBefore("1,1/1000000", false)},
		{"losses of many digits", spentBefore("1/3,1/3000000 1/7,0", true)},
	}), doubt, claims)
}
