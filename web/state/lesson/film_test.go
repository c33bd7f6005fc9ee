package lesson_test

import (
	"testing"

	"hush/web/webtest"
)

// A lesson's film is there with the lesson, goes on and back frame by frame and no further, and
// plays to its end.
func TestFilmIsStepped(t *testing.T) {
	m, f := webtest.LessonOn(t, "median")
	f.Settle()
	s := &m.Learn.Showing
	if s.Film == nil || s.At != 0 || s.ID != m.Learn.Task.Films[0] {
		t.Fatalf("the lesson shows %+v", s)
	}
	m.Learn.StepFilm(-1)
	m.Learn.StepFilm(1)
	if s.At != 1 {
		t.Errorf("one step on from the beginning is frame %d", s.At)
	}
	m.Learn.StepFilm(1000)
	if s.At != len(s.Film.Frames)-1 || !s.Last() {
		t.Errorf("after the end is frame %d", s.At)
	}
	m.Learn.PlayFilm()
	frames := 1
	for m.Learn.FilmGoesOn() {
		frames++
	}
	if frames != len(s.Film.Frames)-1 || !s.Last() || s.Playing {
		t.Errorf("played from its end, a film of %d frames shows %d more and is at %d",
			len(s.Film.Frames), frames, s.At)
	}
	m.Learn.StepFilm(-2)
	m.Learn.PlayFilm()
	m.Learn.StepFilm(-1)
	if s.Playing || m.Learn.FilmGoesOn() {
		t.Error("a film that was stepped goes on playing")
	}
	m.Learn.PlayFilm()
	if m.Learn.PlayFilm(); s.Playing {
		t.Error("a film that was stopped plays")
	}

	earlier := s.Film
	m.Learn.ShowFilm(s.ID)
	if s.Film != earlier {
		t.Error("the earlier run is gone before the new one is there")
	}
	f.Settle()
	if s.Film == earlier || s.At != 0 || s.Seed != 2 {
		t.Errorf("other coins show frame %d of the run of seed %d", s.At, s.Seed)
	}
}
