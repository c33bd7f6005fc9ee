package learn

import (
	"fmt"
	"html"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/coin"
	rules "hush/core/course"
	"hush/core/phrase"
	"hush/web/parts"
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

// classOn draws a page beside the lessons at an address.
func classOn(path string) (*state.Model, func() string) {
	f := webtest.NewFake(nil)
	m := state.NewModel()
	m.Start(f, f, func() {})
	m.Go(path)
	return m, func() string {
		return html.UnescapeString(app.HTMLString(&Page{Model: m, Revision: m.Revision}))
	}
}

// TestPollOnThePage: a pupil sees the question and then the code alone; the teacher sees the link,
// what the codes tell, and each wrong line with its reason.
func TestPollOnThePage(t *testing.T) {
	m, draw := classOn("/learn/poll?ask=Do+you%3F&e=1")
	m.Course.Poll.Source = coin.NewSeeded(1)
	has := func(when string, all ...string) {
		t.Helper()
		for _, text := range all {
			if !strings.Contains(draw(), text) {
				t.Errorf("%s the page lacks %q", when, text)
			}
		}
	}
	has("before it is known what is kept,", ">Do you?<", "about 73 of 100")
	if strings.Contains(draw(), `disabled="false"`) {
		t.Error("a pupil can answer before it is known what is kept")
	}
	m.Course.Poll.Recall("")
	if !strings.Contains(draw(), `disabled="false"`) || strings.Contains(draw(), "poll-codes") {
		t.Error("a pupil cannot answer, or sees the teacher's page")
	}
	m.Course.Say(true)
	m.Course.Poll.Recall("")
	has("with a code", m.Course.Poll.Code(), "This browser keeps nothing")
	m.Course.Poll.Recall(m.Course.Keeper.(*webtest.Fake).Polls)
	has("with a code that is kept", m.Course.Poll.Code(), "gives the same code")
	if strings.Contains(draw(), "poll-yes") {
		t.Error("who has answered is asked again")
	}

	m, draw = classOn("/learn/poll?ask=Do+you%3F&e=1&teach=1")
	has("before codes", "#/learn/poll?ask=Do+you%3F&e=1<")
	if strings.Contains(draw(), "poll-told") {
		t.Error("without codes something is told")
	}
	var codes []string
	for i := range 100 {
		codes = append(codes, m.Course.Poll.Of.Answer(coin.NewSeeded(coin.Seed(i)), i < 40))
	}
	m.Course.Paste("hello\n11\n" + strings.Join(codes, "\n") + "\n15A\n" + codes[0][:2] + "?")
	s, wrong := m.Course.Poll.Count()
	has("with codes", "Line 1, “hello”, is no code", "Line 103, “15A”, is a code of a poll with "+
		"another ε", fmt.Sprintf("%.0f %% to %.0f %% say yes", 100*s.Low, 100*s.Top),
		"of 100 pupils", string(course.Discussion[2].Say))
	if len(wrong) != 4 {
		t.Errorf("%d lines are wrong: %+v", len(wrong), wrong)
	}
}

// TestPollPrintsWholeRange: the range that a teacher reads holds the range that is proved, also
// where its ends are no whole percents.
func TestPollPrintsWholeRange(t *testing.T) {
	printed := regexp.MustCompile(`(\d+) % to (\d+) % say yes`)
	inside := 0
	for _, pupils := range []int{1, 3, 7, 25, 30, 61, 100} {
		for yes := range pupils + 1 {
			s := rules.NewPoll("Do you?", 3).Estimate(pupils, yes)
			ends := printed.FindStringSubmatch(html.UnescapeString(app.HTMLString(told(s))))
			if ends == nil {
				t.Fatalf("%d of %d: no range", yes, pupils)
			}
			low, top := 0, 0
			fmt.Sscan(ends[1], &low)
			fmt.Sscan(ends[2], &top)
			least, most := math.Round(s.Low*float64(pupils)), math.Round(s.Top*float64(pupils))
			if low*pupils > 100*int(least) || top*pupils < 100*int(most) ||
				float64(low) <= 100*s.Low-1 || float64(top) >= 100*s.Top+1 {
				t.Errorf("%d of %d: %q for %g to %g", yes, pupils, ends[0], s.Low, s.Top)
			}
			if low*pupils < 100*int(least) {
				inside++
			}
		}
	}
	if inside == 0 {
		t.Error("no end of a range is rounded")
	}
}

// TestPlanAndSheet: the plan names each lesson with its minutes, in order; the sheet asks each
// question before any answer is shown.
func TestPlanAndSheet(t *testing.T) {
	_, draw := classOn("/learn/plan")
	plan, last := draw(), 0
	for number := 1; number <= course.Lessons; number++ {
		at := strings.Index(plan, `href="`+lessonPath(number)+`"`)
		if at < last {
			t.Errorf("lesson %d comes at %d, after %d", number, at, last)
		}
		last = at
	}
	for _, want := range []string{"Minute 0 to 2", "Minute 43 to 45", `href="#/learn/poll"`,
		string(course.All[4].Speaker)} {
		if !strings.Contains(plan, want) {
			t.Errorf("the plan lacks %q", want)
		}
	}
	_, draw = classOn("/learn/sheet")
	questions, answers, _ := strings.Cut(draw(), "class-answers")
	for i := range course.Lessons {
		w := &course.All[i]
		if !strings.Contains(questions, string(w.Question)) ||
			strings.Contains(questions, string(w.Why)) ||
			strings.Contains(questions, string(w.Keep)) ||
			!strings.Contains(answers, string(w.Why)) {
			t.Errorf("lesson %d: the sheet lacks its question or answer, or gives it away", i+1)
		}
	}
	if rooms := strings.Count(questions, "class-room"); rooms != course.Lessons {
		t.Errorf("there is room for %d answers", rooms)
	}
}

// TestTermsAreExplained: each term of the glossary that a reader meets in a lesson stands in its
// words in plain words, at every step: before the bet, after it, and with the answer.
func TestTermsAreExplained(t *testing.T) {
	tags := regexp.MustCompile(`<[^>]*>`)
	met := 0
	for number := 1; number <= course.Offices; number++ {
		m, draw := lessonOn(t, course.Path(number))
		for step, act := range []func(){func() {}, func() { m.Course.Choose(1) },
			func() { m.Course.Reply(1) }} {
			act()
			page := draw()
			shown, _, _ := strings.Cut(page, `class="words no-print"`)
			shown = shown[strings.Index(shown, "lesson-page"):]
			shown, _, _ = strings.Cut(shown, "lesson-next")
			shown = strings.ToLower(tags.ReplaceAllString(shown, " "))
			words := tags.ReplaceAllString(explained(t, m), "\n")
			for _, w := range parts.Glossary {
				forms := w.Forms
				if forms == nil {
					forms = []phrase.Key{w.Term}
				}
				if slices.ContainsFunc(forms, func(f phrase.Key) bool {
					return strings.Contains(shown, strings.ToLower(string(f)))
				}) {
					if met++; !strings.Contains(words, string(w.Plain)) {
						t.Errorf("lesson %d, step %d: %q is met and not explained", number, step,
							w.Term)
					}
				}
			}
		}
	}
	if met < 10 {
		t.Errorf("only %d terms are met", met)
	}
}

// explained draws the words below a lesson, as far as it is shown.
func explained(t *testing.T, m *state.Model) string {
	t.Helper()
	v := &Lesson{Course: &m.Course, Revision: m.Revision}
	return html.UnescapeString(app.HTMLString(parts.Explain(v.texts(m.Course.Words())...)))
}
