package course_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/coin"
	rules "hush/core/course"
	"hush/web/exhibit"
	"hush/web/state"
	"hush/web/state/course"
	"hush/web/webtest"
)

// opened returns a page that shows an address.
func opened(path string) (*state.Model, *webtest.Fake) {
	f := webtest.NewFake(nil)
	m := state.NewModel()
	m.Start(f, f, func() {})
	m.Go(path)
	return m, f
}

// TestCourse walks through each lesson: nothing is drawn before the bet, a question answered ends
// it, whatever the answer, and the device keeps that.
func TestCourse(t *testing.T) {
	for number := 1; number <= course.Lessons; number++ {
		m, f := opened(course.Path(number))
		c := &m.Course
		if c.Number != number || c.Bet != 0 {
			t.Fatalf("lesson %d: shown is %d, with the bet %d", number, c.Number, c.Bet)
		}
		if empty := c.Drawn == (course.Drawn{}); empty == (number == 1) {
			t.Errorf("lesson %d: before the bet there is something to see, or no office", number)
		}
		c.Choose(1)
		if c.Drawn == (course.Drawn{}) || c.Count() != 0 {
			t.Errorf("lesson %d: a bet shows nothing, or ends it", number)
		}
		c.Reply(1)
		if !c.Done[number-1] || c.Count() != 1 || len(f.Course) != course.Lessons {
			t.Errorf("lesson %d: an answer does not end it; kept is %q", number, f.Course)
		}
		again, _ := opened("/learn")
		again.News("course", []byte(`"`+f.Course+`"`))
		if again.Course.Done != c.Done || again.Course.Number != 0 {
			t.Errorf("lesson %d: after a reload %v are done", number, again.Course.Done)
		}
		again.Course.Forget()
		if again.Course.Count() != 0 || again.Course.Next() != 1 {
			t.Error("what is begun again is not forgotten")
		}
	}
}

// TestCourseInTheAddress: a link made at any stop shows the same in a fresh profile; one that
// anybody wrote shows a lesson as it begins.
func TestCourseInTheAddress(t *testing.T) {
	for number := 1; number <= course.Offices; number++ {
		stops, _ := course.Stops(number)
		for _, at := range stops {
			m, f := opened(course.Path(number))
			m.Course.Choose(2)
			m.Course.Turn(at)
			m.Course.Redraw()
			m.Course.Reply(2)
			other, _ := opened(f.Addressed)
			a, b := m.Course, other.Course
			if a.At != b.At || a.Seed != b.Seed || a.Bet != b.Bet || a.Answer != b.Answer ||
				fmt.Sprintf("%+v", exact(a.Drawn)) != fmt.Sprintf("%+v", exact(b.Drawn)) {
				t.Errorf("%s shows something else", f.Addressed)
			}
			if b.Count() != 0 {
				t.Errorf("%s makes a lesson done that its reader has not done", f.Addressed)
			}
		}
	}
	for _, path := range []string{"/learn/2?at=7&bet=9&answer=-1&seed=x", "/learn/2?%zz",
		"/learn/2?answer=1", "/learn/2?seed=99999999999999999999"} {
		m, _ := opened(path)
		if c := m.Course; c.Number != 2 || c.At != "1" || c.Bet != 0 || c.Answer != 0 ||
			c.Seed != 1 || c.Address() != "/learn/2" {
			t.Errorf("%s shows %s", path, c.Address())
		}
	}
	for _, path := range []string{"/learn", "/learn/0", "/learn/7", "/learn/mean", "/ledger", ""} {
		if m, _ := opened(path); m.Course.Number != 0 {
			t.Errorf("%q shows lesson %d", path, m.Course.Number)
		}
	}
}

// exact is what is drawn, behind its pointers.
func exact(d course.Drawn) []any {
	var all []any
	if d.Office != nil {
		all = append(all, *d.Office)
	}
	if d.Noisy != nil {
		all = append(all, *d.Noisy)
	}
	if d.Crowd != nil {
		all = append(all, *d.Crowd)
	}
	if d.Guessing != nil {
		all = append(all, *d.Guessing)
	}
	if d.Spending != nil {
		all = append(all, *d.Spending, d.Ways)
	}
	if d.Ranges != nil {
		all = append(all, *d.Ranges, d.Chief)
	}
	if d.Town != nil {
		all = append(all, d.Town.Cells, d.Right)
		for _, p := range d.Published {
			all = append(all, *p)
		}
	}
	for _, s := range d.Studies {
		if s != nil {
			all = append(all, *s)
		}
	}
	return all
}

// TestLeft: a lesson that was left stays as it is, whatever control of it is still on the screen.
func TestLeft(t *testing.T) {
	m, f := opened("/learn/3")
	m.Course.Choose(1)
	m.Go("/ledger")
	f.Addressed = ""
	m.Course.Choose(2)
	m.Course.Redraw()
	m.Course.Reply(1)
	if m.Course.Present(); f.Addressed != "" || f.Course != "" || m.Course.Presenting {
		t.Errorf("a lesson that was left writes %q and keeps %q", f.Addressed, f.Course)
	}
}

// TestPresenting: the steps come one after the other, the reveal only when it is asked for, and all
// that a step shows is there.
func TestPresenting(t *testing.T) {
	for number := 1; number <= course.Offices; number++ {
		m, _ := opened(course.Path(number))
		c := &m.Course
		c.Present()
		if !c.Presenting || c.Step != course.StepTitle || c.Drawn == (course.Drawn{}) {
			t.Fatalf("lesson %d is not presented from its title: %+v", number, c)
		}
		c.Go(-1)
		for range 2 * course.Steps {
			c.Go(1)
		}
		if c.Step != course.Steps-1 {
			t.Errorf("lesson %d ends at step %d", number, c.Step)
		}
		if c.Present(); c.Presenting || c.Count() != 0 {
			t.Error("presenting does not end, or makes the lesson done")
		}
	}
}

// TestWords: every text is there, one bet and one answer are right, and each number in the texts is
// what the attack of its lesson gives.
func TestWords(t *testing.T) {
	minutes := 0
	for i, w := range course.All {
		if w.Title == "" || w.About == "" || w.Lead == "" || w.Rule == "" || w.Bet == "" ||
			w.Yes == "" || w.No == "" || w.Keep == "" || w.Question == "" || w.Why == "" ||
			w.Speaker == "" || len(w.Bets) != 3 || len(w.Answers) < 2 || w.Right < 1 ||
			w.Right > len(w.Bets) || w.RightAnswer < 1 || w.RightAnswer > len(w.Answers) {
			t.Errorf("lesson %d lacks a text: %+v", i+1, w)
		}
		if i < course.Lessons {
			minutes += w.Minutes
		}
		stops, usual := course.Stops(i + 1)
		if !slices.Contains(stops, usual) {
			t.Errorf("lesson %d begins at %q, which is no stop", i+1, usual)
		}
	}
	if minutes > 30 {
		t.Errorf("the course takes %d minutes", minutes)
	}
	near := func(what string, got, want, off float64) {
		t.Helper()
		if math.Abs(got-want) > off {
			t.Errorf("%s: %.2f, want %.2f", what, got, want)
		}
	}
	says := func(lesson int, part string, text any) {
		t.Helper()
		if !strings.Contains(fmt.Sprint(text), part) {
			t.Errorf("lesson %d does not say %q", lesson, part)
		}
	}
	w := course.All
	says(1, strconv.Itoa(len(rules.Names)), w[0].Lead)
	says(1, strconv.Itoa(rules.FewestAsked), w[0].Rule)
	says(1, strconv.Itoa(len(rules.NewOffice(1).Tables)), w[0].Speaker)
	says(2, strconv.Itoa(rules.ClinicPeople), w[1].Lead)
	one := rules.DrawCrowd(1, rules.CrowdEpsilon, 1)
	near("lesson 2: as by a coin", one.Expected, 50, 3)
	if many := rules.DrawCrowd(1, rules.CrowdEpsilon, 100); many.Expected <= 99 {
		t.Errorf("lesson 2: %.1f of 100 readers see the outbreak", many.Expected)
	}
	near("lesson 3: the bet", rules.Odds(1), 73, 0.5)
	near("lesson 3: the sentence", rules.Odds(0.1), 52, 0.5)
	near("lesson 3: the question", rules.Odds(0.5), 62, 0.5)
	near("lesson 4: one answer", rules.Odds(rules.Epsilon(rules.SpendingEpsilon)), 62, 0.5)
	guessed := 0
	for seed := coin.Seed(1); seed <= 20; seed++ {
		right := rules.Spend(seed).Right
		guessed += right[len(right)-1]
	}
	if guessed <= 20*90 {
		t.Errorf("lesson 4: 50 answers give %d of 2 000", guessed)
	}
	near("lesson 4: the question", 12*0.25, 3, 0)
	fromData, _ := rules.Chief(1)
	near("lesson 5: the question", float64(fromData), 100, 0)
	study := rules.RunStudies(1, rules.StudyEpsilon, false)
	near("lesson 6: far more often", study.Smokers/study.Others, 4, 2)
}

// TestStill: a page without a browser shows lessons all the same.
func TestStill(t *testing.T) {
	m := state.NewModel()
	m.Start(exhibit.Still{}, exhibit.Still{}, func() {})
	m.Go("/learn/4")
	m.Course.Choose(3)
	if m.Course.Drawn.Spending == nil {
		t.Error("the lesson shows nothing")
	}
}
