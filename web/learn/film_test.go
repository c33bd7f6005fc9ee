package learn

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/film"
	"hush/web/webtest"
)

// Every lesson has a film, and the page says what happens in it.
func TestFilmsOfLessons(t *testing.T) {
	for _, taught := range task.Catalogue() {
		for _, id := range taught.Films {
			if film.Name(id) == "" {
				t.Errorf("%s: there is no film %q", taught.ID, id)
			}
		}
		m, f := webtest.LessonOn(t, taught.ID)
		f.Settle()
		s := &m.Learn.Showing
		if s.Film == nil {
			t.Errorf("%s: nothing shows its algorithm at work", taught.ID)
			continue
		}
		page := app.HTMLString(&FilmView{Learn: &m.Learn})
		for _, want := range []string{s.Film.Title, s.Film.Frames[0].Text, "Not a release"} {
			if !strings.Contains(page, app.HTMLString(app.Text(want))) {
				t.Errorf("%s: the page does not say %q", taught.ID, want)
			}
		}
	}
}
