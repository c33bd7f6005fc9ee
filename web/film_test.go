package web

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/motion"
	"hush/core/task"
	"hush/web/say"
)

// A lesson's film is there with the lesson, goes on and back frame by frame and no further, and plays to its end.
func TestFilmIsStepped(t *testing.T) {
	m, f := lessonOn(t, "median")
	f.settle()
	s := &m.Learn.Showing
	if s.Film == nil || s.At != 0 || s.ID != m.Learn.Task.Films[0] {
		t.Fatalf("the lesson shows %+v", s)
	}
	m.StepFilm(-1)
	m.StepFilm(1)
	if s.At != 1 {
		t.Errorf("one step on from the beginning is frame %d", s.At)
	}
	m.StepFilm(1000)
	if s.At != len(s.Film.Frames)-1 || !s.last() {
		t.Errorf("after the end is frame %d", s.At)
	}
	m.PlayFilm()
	frames := 1
	for m.FilmGoesOn() {
		frames++
	}
	if frames != len(s.Film.Frames)-1 || !s.last() || s.Playing {
		t.Errorf("played from its end, a film of %d frames shows %d more and is at %d", len(s.Film.Frames), frames, s.At)
	}
	m.StepFilm(-2)
	m.PlayFilm()
	m.StepFilm(-1)
	if s.Playing || m.FilmGoesOn() {
		t.Error("a film that was stepped goes on playing")
	}
	m.PlayFilm()
	if m.PlayFilm(); s.Playing {
		t.Error("a film that was stopped plays")
	}

	earlier := s.Film
	m.ShowFilm(s.ID)
	if s.Film != earlier {
		t.Error("the earlier run is gone before the new one is there")
	}
	f.settle()
	if s.Film == earlier || s.At != 0 || s.Seed != 2 {
		t.Errorf("other coins show frame %d of the run of seed %d", s.At, s.Seed)
	}
}

// Every lesson has a film, and the page says what happens in it.
func TestFilmsOfLessons(t *testing.T) {
	for _, taught := range task.Catalogue() {
		for _, id := range taught.Films {
			if say.Text(motion.Name(id)) == "" {
				t.Errorf("%s: there is no film %q", taught.ID, id)
			}
		}
		m, f := lessonOn(t, taught.ID)
		f.settle()
		s := &m.Learn.Showing
		if s.Film == nil {
			t.Errorf("%s: nothing shows its algorithm at work", taught.ID)
			continue
		}
		page := app.HTMLString(&FilmView{Model: m})
		for _, want := range []string{s.Film.Title, s.Film.Frames[0].Text, "Not a release"} {
			if !strings.Contains(page, app.HTMLString(app.Text(want))) {
				t.Errorf("%s: the page does not say %q", taught.ID, want)
			}
		}
	}
}
