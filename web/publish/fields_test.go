package publish

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/web/exhibit"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/state/place"
	"hush/web/webtest"
)

func TestFurtherColumnsDrawn(t *testing.T) {
	m, _ := webtest.WithRoles(t)
	m.Edit("", func(q *form.Question) { q.Others[0].Column, q.Others[1].Column = 4, 1 })
	m.Edit("", func(q *form.Question) { q.AddField(m.Task(), m.Task().Others[1]) })
	m.Forecast.Failure = place.Failure([]byte(`{"field":"others.1.lo","want":"a number"}`))
	below := webtest.Shallow{Elsewhere: []string{"publish.TaskChoices"}} // the gallery's
	webtest.Golden(t, "roles.html", below.Draw(&QuestionStep{Model: m}))
	below.Golden(t, "roles")
}

// TestTooLongNamesAreNotOffered: what would be refused as a published name is not proposed.
func TestTooLongNamesAreNotOffered(t *testing.T) {
	for length, want := range map[int]bool{ask.MaxLabel: true, ask.MaxLabel + 1: false} {
		m := exhibit.Model(func(m *state.Model) {
			m.Data.Opened.Fields[0].Name = strings.Repeat("x", length)
		})
		shown := app.HTMLString((&ColumnFields{Model: m}).label())
		if strings.Contains(shown, "use-name") != want ||
			strings.Contains(shown, "is not offered") == want {
			t.Errorf("a name of %d bytes: %s", length, shown)
		}
	}
}
