package web

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/engine"
)

// releaseSpecimens is step 4 up to an answer.
func releaseSpecimens() []Specimen {
	failed := func(f engine.Fault) func(*Model) {
		return func(m *Model) { m.Release = Release{Phase: ReleaseFailed, Failure: &f} }
	}
	return exhibits(func(m *Model, b *browser) app.UI { return &ReleaseStep{Model: m, Browser: b} }, []variant{
		{"no file yet", func(m *Model) { m.Data, m.Forecast = Data{}, Forecast{} }},
		{"something at fault", func(m *Model) { m.Forecast = Forecast{} }},
		{"ready", func(*Model) {}},
		{"dearer than the limit leaves", func(m *Model) {
			a := spentOf(exhibitPrint, "3,0")
			m.Ledger = &a
		}},
		{"column being read", func(m *Model) {
			m.Release = Release{Phase: ReleaseRunning, Progress: engine.Progress{Phase: "reading", Done: 45, Total: 100}}
		}},
		{"being drawn", func(m *Model) {
			m.Release = Release{Phase: ReleaseRunning, Progress: engine.Progress{Phase: "computing"}}
		}},
		{"looked at", func(m *Model) {
			m.Ledger.Looked, m.Ledger.Frozen = "2026-01-31T12:00:00.000Z", []task.Recipe{{Task: "mean", Label: "age", Epsilon: "0.5"}}
		}},
		{"looked at, and frozen before", func(m *Model) {
			m.Ledger.Looked, m.Ledger.Frozen = "2026-01-31T12:00:00.000Z", []task.Recipe{m.Recipe()}
		}},
		{"cancelled", failed(engine.Fault{Code: engine.Cancelled})},
		{"over the limit", failed(engine.Fault{Code: engine.OverLimit, Message: "this release is refused: it costs ε = 0.5, ε = 3 was spent on this data set before, and the limit is ε = 3 in all"})},
		{"failed", failed(engine.Fault{Code: engine.Internal, Message: manyWays + "."})},
	})
}
