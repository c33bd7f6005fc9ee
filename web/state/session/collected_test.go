package session_test

import (
	"testing"

	"hush/core/ask"
	"hush/web/exhibit"
	"hush/web/webtest"
)

func TestPageTakesAnswers(t *testing.T) {
	m, _ := webtest.Several(t, "histogram", "median", "mean")
	if got := m.Lost(); got != "the file" {
		t.Errorf("a reload would lose %q", got)
	}
	for _, i := range []int{2, 0, 2} { // in the order of adding, each once
		r := m.History.Past[i].Release
		r.Verdict = exhibit.Judged(ask.Good)
		m.Figures.Collect(r)
	}
	if list := m.Page.Releases(); len(list) != 2 || list[0].Answer.Kind() != "estimates" ||
		list[1].Answer.Kind() != "histogram" {
		t.Fatalf("%d are on the page", len(list))
	}
	noise := m.History.Past[1].Release
	noise.Verdict = exhibit.Judged(ask.Noise)
	if m.Figures.Collect(noise); m.Page.Has(noise) || m.Answer.MayCopy(noise) {
		t.Error("noise is collected, though nobody says that it is known")
	}
	m.Answer.Know(noise, true)
	if m.Figures.Collect(noise); !m.Page.Has(noise) {
		t.Error("known noise is not collected")
	}
	if m.Answer.Know(noise, false); m.Answer.MayCopy(noise) {
		t.Error("noise is handed out after the tick was taken back")
	}
	first := m.Page.Pieces[0].ID
	m.Figures.TakeOff(first)
	m.Figures.TakeOff(first)
	if list := m.Page.Releases(); len(list) != 2 || list[0].Answer.Kind() != "histogram" {
		t.Errorf("%d are left", len(list))
	}
	m.Answer.ClearHistory()
	m.Forget()
	if got := m.Lost(); got != "" {
		t.Errorf("a reload would lose %q", got)
	}
	for len(m.Page.Pieces) > 0 {
		m.Figures.TakeOff(m.Page.Pieces[0].ID)
	}
	if got := m.Lost(); got != "" {
		t.Errorf("a reload would lose %q", got)
	}
}

// TestAnswersAreNamed: answers are distinguished by the day and by a name made of their published
// parts.
func TestAnswersAreNamed(t *testing.T) {
	m, _ := webtest.Several(t, "histogram", "histogram")
	one, other := &m.History.Past[0], &m.History.Past[1]
	if one.ID == other.ID || len(one.ID) != 9 || one.When() != "2026-01-31 · "+one.ID {
		t.Errorf("they are called %q and %q", one.When(), other.When())
	}
	if m.History.Of(other.Release) != other || m.History.Of(nil) != nil {
		t.Error("what is kept of a release is not found")
	}
}
