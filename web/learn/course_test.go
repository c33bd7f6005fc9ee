package learn

import (
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/state"
	"hush/web/state/course"
	"hush/web/webtest"
)

// lessonOn draws a lesson at an address.
func lessonOn(t *testing.T, path string) (*state.Model, func() string) {
	t.Helper()
	f := webtest.NewFake(nil)
	m := state.NewModel()
	m.Start(f, f, func() {})
	m.Go(path)
	return m, func() string {
		return html.UnescapeString(app.HTMLString(&Lesson{Course: &m.Course,
			Revision: m.Revision}))
	}
}

// TestLessonHoldsBack: before the bet nothing of the attack, the sentence or the answer is on the
// page; what a lesson reveals it shows at every stop; and the check says whether the answer holds.
func TestLessonHoldsBack(t *testing.T) {
	for number := 1; number <= course.Offices; number++ {
		m, draw := lessonOn(t, course.Path(number))
		w := m.Course.Words()
		hidden := []string{string(w.Keep), string(w.Yes), string(w.No), string(w.Question),
			string(w.Why), "lesson-reveal"}
		for _, text := range hidden {
			if strings.Contains(draw(), text) {
				t.Errorf("lesson %d: before the bet it shows %q", number, text)
			}
		}
		m.Course.Choose(w.Right)
		for _, text := range []string{string(w.Yes), string(w.Keep), "lesson-reveal"} {
			if !strings.Contains(draw(), text) {
				t.Errorf("lesson %d: after the bet it lacks %q", number, text)
			}
		}
		if strings.Contains(draw(), string(w.Why)) {
			t.Errorf("lesson %d: the answer is there before it is asked for", number)
		}
		wrong := w.Right%len(w.Bets) + 1
		if m.Course.Choose(wrong); !strings.Contains(draw(), string(w.No)) {
			t.Errorf("lesson %d: a wrong bet is not told", number)
		}
		stops, _ := course.Stops(number)
		seen := map[string]bool{}
		for _, at := range stops {
			m.Course.Turn(at)
			seen[draw()] = true
		}
		if len(seen) != len(stops) {
			t.Errorf("lesson %d: %d stops show %d things", number, len(stops), len(seen))
		}
		if m.Course.Reply(w.RightAnswer); !strings.Contains(draw(), "That is right.") {
			t.Errorf("lesson %d: the right answer is not told", number)
		}
		m.Course.Reply(w.RightAnswer%len(w.Answers) + 1)
		if !strings.Contains(draw(), "Not so. The answer is: "+
			string(w.Answers[w.RightAnswer-1])) {
			t.Errorf("lesson %d: a wrong answer is not told", number)
		}
	}
}

// TestPresented: a presented lesson shows one step a screen.
func TestPresented(t *testing.T) {
	for number := 1; number <= course.Offices; number++ {
		m, draw := lessonOn(t, course.Path(number))
		w := m.Course.Words()
		steps := []string{string(w.Lead), string(w.Bet), "lesson-reveal", string(w.Keep),
			string(w.Question), string(w.Why)}
		m.Course.Present()
		for step, own := range steps {
			shown := draw()
			for i, text := range steps {
				if strings.Contains(shown, text) != (i == step) {
					t.Errorf("lesson %d, step %d: %q is shown, or its own is not", number, step,
						text)
				}
			}
			if !strings.Contains(shown, fmt.Sprintf("Step %d of %d", step+1, course.Steps)) {
				t.Errorf("lesson %d: %q does not say which step it is", number, own)
			}
			m.Course.Go(1)
		}
	}
}

// TestListOfLessons: the list says what is done and where to go on.
func TestListOfLessons(t *testing.T) {
	f := webtest.NewFake(nil)
	m := state.NewModel()
	m.Start(f, f, func() {})
	draw := func() string {
		return html.UnescapeString(app.HTMLString(&Page{Model: m, Revision: m.Revision}))
	}
	m.Go("/learn")
	for _, want := range []string{"0 of 6 done", "about 25 minutes left", "Begin",
		`href="#/learn/1"`, `href="#/learn/6"`, "The laboratory", "Five papers", "For teachers"} {
		if !strings.Contains(draw(), want) {
			t.Errorf("the list lacks %q", want)
		}
	}
	m.Course.Recall("110000")
	for _, want := range []string{"2 of 6 done", "about 16 minutes left", "Continue", "done"} {
		if !strings.Contains(draw(), want) {
			t.Errorf("after two lessons the list lacks %q", want)
		}
	}
	m.Course.Recall("111111")
	if !strings.Contains(draw(), "all done") || strings.Contains(draw(), "Continue") {
		t.Error("after all lessons the list goes on")
	}
}
