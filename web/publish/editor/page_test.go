package editor

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/state"
	"hush/web/state/edit"
)

// TestRestCanBeDrawn: a page that stopped after it was paid for has a button that draws the rest,
// says that it costs nothing, and says of a draw that failed why.
func TestRestCanBeDrawn(t *testing.T) {
	m := exhibit.Model(func(m *state.Model) {
		for range 3 {
			m.Page.AddQuestion(m.Recipe())
		}
		planned := m.Page.Planned()
		planned[0].Paid, planned[1].Paid = 2, 3
		planned[2].Failed = &engine.Fault{Code: engine.TooLarge, Message: "it is too large"}
		m.Page.Run = edit.Run{Entry: "entry"}
	})
	html := app.HTMLString(&Page{Model: m, Revision: 1})
	for _, want := range []string{`id="release-page"`, "Draw the 2 figures that are left",
		"2 figures are paid for", "They cost nothing more.", "3 to be drawn",
		"Its draw failed, and is paid for: it is too large"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(html, "The page costs nothing more.") {
		t.Error("the page is said to be drawn to its end")
	}
}
