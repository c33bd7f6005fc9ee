package gallery

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/living"
	"hush/web/parts"
	"hush/web/state"
)

// livingSpecimens shows the page of a living table before a file is open. TestLivingTable looks at
// the others in a browser.
func livingSpecimens() []Specimen {
	return exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		return &living.Page{Living: &m.Living, Browser: b}
	}, []variant{{"no file yet", func(*state.Model) {}}})
}
