package gallery

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/web/parts"
	"hush/web/publish"
	"hush/web/state"
	"hush/web/state/dataset"
	"hush/web/state/session"
)

// landingSpecimens shows the landing page, which stands while nothing is open, in its states.
func landingSpecimens() []Specimen {
	return exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		return &publish.Landing{Model: m, Browser: b, Answer: session.Landing()}
	}, []variant{
		{"nothing yet", func(m *state.Model) { m.Data.File = dataset.File{} }},
		{"a file is open, and an answer is kept", func(m *state.Model) {
			m.History.Add(session.Landing(), "2026-01-31")
		}},
		{"a question waits", func(m *state.Model) {
			m.Data.File, m.Saved.Waiting = dataset.File{}, &ask.Recipe{}
		}},
		{"a question with a filter waits", func(m *state.Model) {
			m.Data.File, m.Saved.Waiting = dataset.File{}, filtered()
		}},
		{"a broken link", func(m *state.Model) {
			m.Data.File, m.Saved.Fault = dataset.File{},
				"This is no question saved by Hush: the address is cut off or changed."
		}},
		{"a release that cannot be opened", func(m *state.Model) {
			m.Data.File, m.Answer.NotOpened = dataset.File{},
				"This is not a saved release: it holds no answer. Open the JSON file that Hush "+
					"saved."
		}},
	})
}
