package learn

import (
	"regexp"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/message"
	"hush/core/task"
	"hush/web/chart/taught"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/lesson"
	"hush/web/state/place"
	"hush/web/webtest"
)

func TestLearn(t *testing.T) {
	m, f := webtest.LessonOn(t, "mean")
	if m.View != place.ViewLearn || m.Learn.Progress == nil {
		t.Fatal("opening a lesson draws nothing")
	}
	f.Settle()
	first := m.Learn.Taught
	if first == nil || len(first.Draws) != m.Learn.Draws || m.Learn.Progress != nil {
		t.Fatalf("after the answer the lesson is %+v", m.Learn)
	}
	wide := taught.Spreads(first)[0]

	m.Learn.Change(func(l *lesson.Lesson) { l.Epsilon = "10" })
	f.Settle()
	if narrow := taught.Spreads(m.Learn.Taught)[0]; narrow.Off >= wide.Off ||
		narrow.High-narrow.Low >= wide.High-wide.Low {
		t.Errorf("at ε = 10 the mean is off by %g (%g to %g), at ε = 1 by %g (%g to %g)",
			narrow.Off, narrow.Low, narrow.High, wide.Off, wide.Low, wide.High)
	}

	m.Learn.Change(func(l *lesson.Lesson) { l.Part = 5 })
	f.Settle()
	if got, want := m.Learn.Taught.Quiet.Plan.People, int64(m.Learn.Set().Rows*5/100); got != want {
		t.Errorf("a twentieth of the people are %d, want %d", got, want)
	}

	m.Learn.Change(func(l *lesson.Lesson) { l.Draws = 100 })
	m.Learn.Stop()
	f.Settle()
	if m.Learn.Progress != nil || len(m.Learn.Taught.Draws) == 100 {
		t.Error("a lesson that was stopped has drawn")
	}
}

// TestLessonsInAnotherLanguage: the same numbers tell how the draws differ.
func TestLessonsInAnotherLanguage(t *testing.T) {
	brackets := webtest.Pseudo(t)
	t.Cleanup(func() { say.Use(nil) })
	for _, asked := range task.Catalogue() {
		var counts []int
		for _, l := range []*message.Language{nil, brackets} {
			say.Use(l)
			m, f := webtest.LessonOn(t, asked.ID)
			m.Learn.Change(func(l *lesson.Lesson) { l.Draws = 1 })
			f.Settle()
			counts = append(counts, len(taught.Spreads(m.Learn.Taught)))
		}
		if counts[0] != counts[1] {
			t.Errorf("%s: %d numbers tell how the draws differ, in another language %d", asked.ID,
				counts[0], counts[1])
		}
	}
}

// In every lesson something can be turned: how many people, how much privacy loss, and how many
// values are possible; and some number tells how the draws differ.
func TestLessonsAreTurned(t *testing.T) {
	for _, asked := range task.Catalogue() {
		m, f := webtest.LessonOn(t, asked.ID)
		m.Learn.Change(func(l *lesson.Lesson) { l.Draws = 1 })
		f.Settle()
		if len(taught.Spreads(m.Learn.Taught)) == 0 {
			t.Errorf("%s: no number tells how the draws differ", asked.ID)
		}
		stops, _ := m.Learn.Widers()
		if stops == nil {
			t.Errorf("%s: the number of possible values cannot be turned", asked.ID)
			continue
		}
		before := engine.Encode(m.Learn.Whole().Recipe)
		m.Learn.Change(func(l *lesson.Lesson) { l.Wider, l.Draws = stops[1], 1 })
		f.Settle()
		if after := engine.Encode(m.Learn.Whole().Recipe); after == before {
			t.Errorf("%s: the question stays as it is", asked.ID)
		}
		if m.Learn.Taught == nil {
			t.Errorf("%s: refused where the values are wider: %+v", asked.ID, m.Learn.Fault)
		}
		m.Learn.Change(func(l *lesson.Lesson) { l.Wider = 0 })
		if engine.Encode(m.Learn.Whole().Recipe) != before {
			t.Errorf("%s: turned back, the question is another one", asked.ID)
		}
	}
}

// Where algorithms can be compared each is asked in turn, at the same ε, and draws or is refused
// with a reason; the page says which is simple, and when it is better.
func TestAlgorithmsBeside(t *testing.T) {
	compared := 0
	for _, asked := range task.Catalogue() {
		m, f := webtest.LessonOn(t, asked.ID)
		m.Learn.Change(func(l *lesson.Lesson) { l.Draws = 2 })
		f.Settle()
		p := m.Learn.Algorithms()
		if p == nil {
			continue
		}
		compared++
		m.Learn.CompareAlgorithms()
		f.Settle()
		if len(m.Learn.Beside) != len(p.AllChoices()) {
			t.Fatalf("%s: %d algorithms beside, want %d (%+v)", asked.ID, len(m.Learn.Beside),
				len(p.AllChoices()), m.Learn.Fault)
		}
		drawn := 0
		for _, b := range m.Learn.Beside {
			switch {
			case b.Taught == nil && (b.Fault == nil || b.Fault.Want == ""):
				t.Errorf("%s: %s neither draws nor says why not", asked.ID, b.Name)
			case b.Taught != nil && b.Taught.Draws[0].Recipe.Epsilon != m.Learn.Epsilon:
				t.Errorf("%s: %s is asked at ε = %s", asked.ID, b.Name,
					b.Taught.Draws[0].Recipe.Epsilon)
			case b.Taught != nil:
				drawn++
			}
		}
		if drawn == 0 {
			t.Errorf("%s: no algorithm draws", asked.ID)
		}
		if m.Learn.Taught == nil {
			t.Errorf("%s: the lesson's own answers are gone", asked.ID)
		}
		page := app.HTMLString(&Page{Model: m, Revision: m.Revision})
		if !strings.Contains(page, app.HTMLString(app.Text(asked.Simple))) ||
			!strings.Contains(page, "Typical distance by algorithm") {
			t.Errorf("%s: the page does not say when the simple mechanism is better", asked.ID)
		}
	}
	if compared < 8 {
		t.Errorf("algorithms are compared in %d lessons only", compared)
	}
}

// Every lesson of the catalogue can be shown.
func TestLessonsAreShown(t *testing.T) {
	for _, asked := range task.Catalogue() {
		m, f := webtest.LessonOn(t, asked.ID)
		f.Settle()
		page := app.HTMLString(&Page{Model: m, Revision: m.Revision})
		for _, want := range []string{string(asked.Title), "not a release",
			m.Learn.Taught.Draws[0].Statement} {
			if !strings.Contains(page, app.HTMLString(app.Text(want))) {
				t.Errorf("%s: the page does not say %q", asked.ID, want)
			}
		}
	}
}

// TestPutToTheTest: people set aside are labelled, and how many of them rightly is shown; of other
// questions nobody is.
func TestPutToTheTest(t *testing.T) {
	m, f := webtest.LessonOn(t, "classify")
	f.Settle()
	page := func() string { return app.HTMLString((&Page{Model: m}).Render()) }
	// go-app writes attributes in any order
	chosen := regexp.MustCompile(
		`<option [^>]*value="halfplane" selected|<option [^>]*selected value="halfplane"`)
	if text := page(); !strings.Contains(text, `id="learn-aside"`) ||
		strings.Contains(text, "Put to the test") || !chosen.MatchString(text) {
		t.Errorf("without people set aside: %s", text)
	}
	m.Learn.Change(func(l *lesson.Lesson) {
		l.Aside, l.Part, l.Params["rules"] = 50, 1000, "stumps"
	})
	f.Settle()
	a := m.Learn.Taught.Aside
	if a == nil || a.People != 50 || a.Quiet < 35 || m.Learn.Taught.Quiet.Plan.People != 40_000 {
		t.Fatalf("%+v, %v", a, m.Learn.Fault)
	}
	if text := page(); !strings.Contains(text, "Put to the test") ||
		!strings.Contains(text, `id="learn-aside-private"`) {
		t.Error(text)
	}
	m, f = webtest.LessonOn(t, "mean")
	f.Settle()
	if strings.Contains(page(), "learn-aside") {
		t.Error("a mean labels nobody")
	}
}

// TestQuietHasALittleNoise: the answer that draws are compared with is drawn at a large ε, and
// every place that shows it says so; none claims that it has no noise.
func TestQuietHasALittleNoise(t *testing.T) {
	m, f := webtest.LessonOn(t, "mean")
	f.Settle()
	page := app.HTMLString(&Page{Model: m, Revision: m.Revision})
	e := &Embed{model: m}
	for name, html := range map[string]string{"lesson": page, "demo": app.HTMLString(e)} {
		plain := strings.ReplaceAll(html, "\u00a0", " ")
		if strings.Count(plain, "lmost without noise, ε = 100") < 2 {
			t.Errorf("the %s does not say what it compares with", name)
		}
		left := strings.ReplaceAll(plain, "lmost without noise", "")
		if at := strings.Index(strings.ToLower(left), "without noise"); at >= 0 {
			t.Errorf("the %s claims: %s", name, left[max(0, at-60):at+40])
		}
	}
	option, _ := taught.Draw(m.Learn.Taught)
	if !strings.Contains(string(option), "almost without noise") {
		t.Errorf("the picture does not say what it compares with")
	}
}
