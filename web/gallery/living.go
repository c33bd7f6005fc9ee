package gallery

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/exhibit"
	"hush/web/living"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
)

// livingSpecimens is the page of a living table: one that is open, and a file that does not open.
func livingSpecimens() []Specimen {
	saved := exhibit.Saved(say.Language(), "joint")
	states := []variant{
		{"no file yet", func(*state.Model) {}},
		{"a histogram", func(m *state.Model) { m.Living.Open(exhibit.LongName+".json", saved) }},
		{"a file that was changed", func(m *state.Model) {
			m.Living.Open("table.json", strings.Replace(saved, `"stdDev": `, `"stdDev": 1`, 1))
		}},
	}
	return exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		return &living.Page{Living: &m.Living, Browser: b}
	}, states)
}
