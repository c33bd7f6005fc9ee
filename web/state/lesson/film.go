package lesson

import (
	"hush/core/coin"
	"hush/web/engine"
	"hush/web/film"
	"hush/web/state/place"
)

// Showing is a film of a run of an algorithm on made-up data, of which one frame is shown.
type Showing struct {
	ID      string // the film's; empty: none
	Seed    coin.Seed
	Film    *film.Film // nil: it is being made
	At      int        // the frame shown
	Playing bool       // frames follow by themselves
	Fault   *engine.Fault

	request engine.Request
}

// ShowFilm asks for a film with fresh coins, and shows its first frame. If it is the same film, the
// earlier run stays until the new one is there.
func (l *Learn) ShowFilm(id string) {
	s := &l.Showing
	if id != s.ID {
		s.Film = nil
	}
	*s = Showing{ID: id, Seed: s.Seed + 1, Film: s.Film, At: s.At}
	film := engine.Film.With(film.Request{ID: id, Seed: s.Seed})
	s.request = l.Call(film, func(r engine.Request, kind string, body []byte) {
		if s := &l.Showing; r == s.request {
			switch kind {
			case engine.ReplyFailed:
				s.Fault = place.Failure(body)
			case engine.ReplyDone:
				s.Film, s.At = engine.Film.Read(body), 0
			}
			l.Update()
		}
	})
	l.Update()
}

// Last reports whether no frame follows.
func (s *Showing) Last() bool { return s.Film == nil || s.At == len(s.Film.Frames)-1 }

// StepFilm moves this many frames forward, or back; a playing film stops.
func (l *Learn) StepFilm(by int) {
	s := &l.Showing
	if s.Film == nil {
		return
	}
	s.Playing = false
	s.At = max(0, min(s.At+by, len(s.Film.Frames)-1))
	l.Update()
}

// PlayFilm starts a film, from its beginning if it has ended, or stops it.
func (l *Learn) PlayFilm() {
	s := &l.Showing
	if s.Film == nil {
		return
	}
	if s.Playing = !s.Playing; s.Playing && s.Last() {
		s.At = 0
	}
	l.Update()
}

// FilmGoesOn shows the next frame of a playing film, and reports whether another is to follow.
func (l *Learn) FilmGoesOn() bool {
	s := &l.Showing
	if !s.Playing {
		return false
	}
	if s.At++; s.Last() {
		s.Playing = false
	}
	l.Update()
	return s.Playing
}
