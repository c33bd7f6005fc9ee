package web

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/engine"
)

// releaseSpecimens is step 4 up to an answer.
func releaseSpecimens() []Specimen {
	show := func(state string, change func(*Model)) Specimen {
		return Specimen{State: state, Draw: func(b *browser) app.UI { return &ReleaseStep{Model: exhibit(change), Browser: b} }}
	}
	failed := func(f engine.Fault) func(*Model) {
		return func(m *Model) { m.Release = Release{Phase: ReleaseFailed, Failure: &f} }
	}
	return []Specimen{
		show("no file yet", func(m *Model) { m.Data, m.Forecast = Data{}, Forecast{} }),
		show("something at fault", func(m *Model) { m.Forecast = Forecast{} }),
		show("ready", func(*Model) {}),
		show("column being read", func(m *Model) {
			m.Release = Release{Phase: ReleaseRunning, Progress: engine.Progress{Phase: "reading", Done: 45, Total: 100}}
		}),
		show("being drawn", func(m *Model) {
			m.Release = Release{Phase: ReleaseRunning, Progress: engine.Progress{Phase: "computing"}}
		}),
		show("cancelled", failed(engine.Fault{Code: engine.Cancelled})),
		show("over the limit", failed(engine.Fault{Code: engine.OverLimit, Message: "this release is refused: it costs ε = 0.5, ε = 3 was spent on this data set before, and the limit is ε = 3 in all"})),
		show("failed", failed(engine.Fault{Code: engine.Internal, Message: manyWays + "."})),
	}
}
