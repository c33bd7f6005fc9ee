package web

import (
	"regexp"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/domain"
	"hush/core/message"
	"hush/core/task"
	"hush/web/say"
)

// lessonOn opens the lesson of a task on a fake engine.
func lessonOn(t *testing.T, id string) (*Model, *fakeEngine) {
	t.Helper()
	f := newFake(nil)
	m := NewModel()
	m.Start(f, f, func() {})
	f.settle()
	m.Go("/learn/" + id)
	return m, f
}

func TestLearn(t *testing.T) {
	m, f := lessonOn(t, "mean")
	if m.View != ViewLearn || m.Learn.Progress == nil {
		t.Fatal("opening a lesson draws nothing")
	}
	f.settle()
	first := m.Learn.Taught
	if first == nil || len(first.Draws) != m.Learn.Draws || m.Learn.Progress != nil {
		t.Fatalf("after the answer the lesson is %+v", m.Learn)
	}
	wide := spreads(first)[0]

	m.ChangeLesson(func(l *Learn) { l.Epsilon = "10" })
	f.settle()
	if narrow := spreads(m.Learn.Taught)[0]; narrow.off >= wide.off || narrow.high-narrow.low >= wide.high-wide.low {
		t.Errorf("at ε = 10 the mean is off by %g (%g to %g), at ε = 1 by %g (%g to %g)", narrow.off, narrow.low, narrow.high, wide.off, wide.low, wide.high)
	}

	m.ChangeLesson(func(l *Learn) { l.Part = 5 })
	f.settle()
	if got, want := m.Learn.Taught.Quiet.Plan.People, int64(m.Learn.Set().Rows*5/100); got != want {
		t.Errorf("a twentieth of the people are %d, want %d", got, want)
	}

	m.ChangeLesson(func(l *Learn) { l.Draws = 100 })
	m.StopLesson()
	f.settle()
	if m.Learn.Progress != nil || len(m.Learn.Taught.Draws) == 100 {
		t.Error("a lesson that was stopped has drawn")
	}
}

// TestLessonsInAnotherLanguage: the same numbers tell how the draws differ.
func TestLessonsInAnotherLanguage(t *testing.T) {
	brackets := pseudo(t)
	t.Cleanup(func() { say.Use(nil) })
	for _, taught := range task.Catalogue() {
		var counts []int
		for _, l := range []*message.Language{nil, brackets} {
			say.Use(l)
			m, f := lessonOn(t, taught.ID)
			f.settle()
			counts = append(counts, len(spreads(m.Learn.Taught)))
		}
		if counts[0] != counts[1] {
			t.Errorf("%s: %d numbers tell how the draws differ, in another language %d", taught.ID, counts[0], counts[1])
		}
	}
}

// In every lesson something can be turned: how many people, how much privacy loss, and how many values are possible; and some number tells how the
// draws differ.
func TestLessonsAreTurned(t *testing.T) {
	for _, taught := range task.Catalogue() {
		m, f := lessonOn(t, taught.ID)
		f.settle()
		if len(spreads(m.Learn.Taught)) == 0 {
			t.Errorf("%s: no number tells how the draws differ", taught.ID)
		}
		stops, _ := m.Learn.widers()
		if stops == nil {
			t.Errorf("%s: the number of possible values cannot be turned", taught.ID)
			continue
		}
		before := encode(m.Learn.lesson().Recipe)
		m.ChangeLesson(func(l *Learn) { l.Wider, l.Draws = stops[1], 1 })
		f.settle()
		if after := encode(m.Learn.lesson().Recipe); after == before {
			t.Errorf("%s: the question stays as it is", taught.ID)
		}
		if m.Learn.Taught == nil {
			t.Errorf("%s: refused where the values are wider: %+v", taught.ID, m.Learn.Fault)
		}
		m.ChangeLesson(func(l *Learn) { l.Wider = 0 })
		if encode(m.Learn.lesson().Recipe) != before {
			t.Errorf("%s: turned back, the question is another one", taught.ID)
		}
	}
}

// Where algorithms can be compared each is asked in turn, at the same ε, and draws or is refused with a reason; the page says which is simple, and
// when it is better.
func TestAlgorithmsBeside(t *testing.T) {
	compared := 0
	for _, taught := range task.Catalogue() {
		m, f := lessonOn(t, taught.ID)
		f.settle()
		m.Learn.Draws = 2
		p := m.Learn.Algorithms()
		if p == nil {
			continue
		}
		compared++
		m.CompareAlgorithms()
		f.settle()
		if len(m.Learn.Beside) != len(p.AllChoices()) {
			t.Fatalf("%s: %d algorithms beside, want %d (%+v)", taught.ID, len(m.Learn.Beside), len(p.AllChoices()), m.Learn.Fault)
		}
		drawn := 0
		for _, b := range m.Learn.Beside {
			switch {
			case b.Taught == nil && (b.Fault == nil || b.Fault.Want == ""):
				t.Errorf("%s: %s neither draws nor says why not", taught.ID, b.Name)
			case b.Taught != nil && b.Taught.Draws[0].Recipe.Epsilon != m.Learn.Epsilon:
				t.Errorf("%s: %s is asked at ε = %s", taught.ID, b.Name, b.Taught.Draws[0].Recipe.Epsilon)
			case b.Taught != nil:
				drawn++
			}
		}
		if drawn == 0 {
			t.Errorf("%s: no algorithm draws", taught.ID)
		}
		if m.Learn.Taught == nil {
			t.Errorf("%s: the lesson's own answers are gone", taught.ID)
		}
		page := app.HTMLString(&LearnPage{Model: m, Revision: m.Revision})
		if !strings.Contains(page, app.HTMLString(app.Text(taught.Simple))) || !strings.Contains(page, "Typical distance by algorithm") {
			t.Errorf("%s: the page does not say when the simple mechanism is better", taught.ID)
		}
	}
	if compared < 8 {
		t.Errorf("algorithms are compared in %d lessons only", compared)
	}
}

func TestLeadingNumber(t *testing.T) {
	for text, want := range map[string]float64{"38 (± 120 people)": 38, "1\u202f234.5 ± 3": 1234.5, "−2": -2, "12.5 % (11 to 14 %)": 12.5, "7 people": 7,
		"987 of 3200 people (± 12)": 987, "9 cases": 9, "58, 31: 1240 ± 2 people": 1240, "319 contacts with others (± 14)": 319} {
		if got, ok := leadingNumber(text); !ok || got != want {
			t.Errorf("%q is read as %g (%v), want %g", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "2024-05-01 (± 3)", "Harbour", "3 to 5", "heart from 23 on (at most 30 people more)", "bike left of the line"} {
		if got, ok := leadingNumber(text); ok {
			t.Errorf("%q is read as the number %g", text, got)
		}
	}
}

func TestWider(t *testing.T) {
	for _, c := range []struct {
		hi     string
		powers int
		want   string
	}{{"100", 0, "100"}, {"100", 2, "10000"}, {"12.5", 1, "125"}, {"12.5", 3, "12500"}, {"12.345", 1, "123.45"}} {
		if got := wider(domain.Spec{Hi: c.hi}, c.powers).Hi; got != c.want {
			t.Errorf("%s with %d powers of ten is %s, want %s", c.hi, c.powers, got, c.want)
		}
	}
}

func TestBinsHoldEveryDraw(t *testing.T) {
	edges, counts := bins([]float64{1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9}, 20)
	sum := 0
	for _, n := range counts {
		sum += n
	}
	if sum != 12 || len(edges) != len(counts)+1 || edges[0] != 1 || edges[len(edges)-1] != 9 {
		t.Errorf("bins are %v with %v", edges, counts)
	}
	if edges, counts := bins([]float64{4, 4}, 20); len(counts) != 1 || counts[0] != 2 || len(edges) != 2 {
		t.Errorf("equal draws are in %v with %v", edges, counts)
	}
}

// Every lesson of the catalogue can be shown.
func TestLessonsAreShown(t *testing.T) {
	for _, taught := range task.Catalogue() {
		m, f := lessonOn(t, taught.ID)
		f.settle()
		page := app.HTMLString(&LearnPage{Model: m, Revision: m.Revision})
		for _, want := range []string{string(taught.Title), "not a release", m.Learn.Taught.Draws[0].Statement} {
			if !strings.Contains(page, app.HTMLString(app.Text(want))) {
				t.Errorf("%s: the page does not say %q", taught.ID, want)
			}
		}
	}
}

// TestPutToTheTest: people set aside are labelled, and how many of them rightly is shown; of other questions nobody is.
func TestPutToTheTest(t *testing.T) {
	m, f := lessonOn(t, "classify")
	f.settle()
	page := func() string { return app.HTMLString((&LearnPage{Model: m}).Render()) }
	chosen := regexp.MustCompile(`<option [^>]*value="halfplane" selected|<option [^>]*selected value="halfplane"`) // go-app writes attributes in any order
	if text := page(); !strings.Contains(text, `id="learn-aside"`) || strings.Contains(text, "Put to the test") || !chosen.MatchString(text) {
		t.Errorf("without people set aside: %s", text)
	}
	m.ChangeLesson(func(l *Learn) { l.Aside, l.Part, l.Params["rules"] = 50, 1000, "stumps" })
	f.settle()
	a := m.Learn.Taught.Aside
	if a == nil || a.People != 50 || a.Quiet < 35 || m.Learn.Taught.Quiet.Plan.People != 40_000 {
		t.Fatalf("%+v, %v", a, m.Learn.Fault)
	}
	if text := page(); !strings.Contains(text, "Put to the test") || !strings.Contains(text, `id="learn-aside-private"`) {
		t.Error(text)
	}
	m, f = lessonOn(t, "mean")
	f.settle()
	if strings.Contains(page(), "learn-aside") {
		t.Error("a mean labels nobody")
	}
}
