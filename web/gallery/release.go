package gallery

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/parts"
	"hush/web/publish"
	"hush/web/state"
)

// releaseSpecimens is step 4 up to an answer.
func releaseSpecimens() []Specimen {
	failed := func(f engine.Fault) func(*state.Model) {
		return func(m *state.Model) {
			m.Release = state.Release{Phase: state.ReleaseFailed, Failure: &f}
		}
	}
	return exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		return &publish.ReleaseStep{Model: m, Browser: b}
	}, []variant{
		{"no file yet", func(m *state.Model) {
			m.Data, m.Forecast = state.Data{}, state.Forecast{}
		}},
		{"something at fault", func(m *state.Model) { m.Forecast = state.Forecast{} }},
		{"ready", func(*state.Model) {}},
		{"dearer than the limit leaves", func(m *state.Model) {
			a := exhibit.Spent(exhibit.Fingerprint, "3,0")
			m.Account = &a
		}},
		{"column being read", func(m *state.Model) {
			m.Release = state.Release{Phase: state.ReleaseRunning,
				Progress: engine.Progress{Phase: "reading", Done: 45, Total: 100}}
		}},
		{"being drawn", func(m *state.Model) {
			m.Release = state.Release{Phase: state.ReleaseRunning,
				Progress: engine.Progress{Phase: "computing"}}
		}},
		{"looked at", func(m *state.Model) {
			m.Account.Looked, m.Account.Frozen = "2026-01-31T12:00:00.000Z",
				[]ask.Recipe{{Task: "mean", Label: "age", Epsilon: "0.5"}}
		}},
		{"looked at, and frozen before", func(m *state.Model) {
			m.Account.Looked, m.Account.Frozen = "2026-01-31T12:00:00.000Z",
				[]ask.Recipe{m.Recipe()}
		}},
		{"cancelled", failed(engine.Fault{Code: engine.Cancelled})},
		{"over the limit", failed(engine.Fault{Code: engine.OverLimit, Message: "this release is " +
			"refused: it costs ε = 0.5, ε = 3 was spent on this data set before, and the limit " +
			"is ε = 3 in all"})},
		{"failed", failed(engine.Fault{Code: engine.Internal, Message: exhibit.ManyWays + "."})},
	})
}
