package lesson_test

import (
	"testing"

	"hush/web/engine"
	"hush/web/state"
	"hush/web/state/lesson"
	"hush/web/webtest"
)

// TestSettingsInTheAddress: whatever is turned stands in the address, and a link asks the same;
// what no control can set changes nothing.
func TestSettingsInTheAddress(t *testing.T) {
	for name, c := range map[string]struct {
		id    string
		turn  func(*state.Model)
		shows func(*state.Model) any
	}{
		"a question": {"median", func(m *state.Model) {
			m.Learn.Change(func(l *lesson.Lesson) {
				l.Epsilon, l.Part, l.Wider, l.Draws, l.Seed = "0.5", 25, 2, 100, 7
				l.Params["algorithm"] = m.Learn.Algorithms().AllChoices()[1].Value
			})
		}, func(m *state.Model) any { return m.Learn.Whole() }},
		"people set aside": {"classify", func(m *state.Model) {
			m.Learn.Change(func(l *lesson.Lesson) { l.Aside, l.Part = 50, 1000 })
		}, func(m *state.Model) any { return m.Learn.Whole() }},
		"rows": {lesson.RowsLesson, func(m *state.Model) { m.Learn.ChangeRows("1") },
			func(m *state.Model) any { return []any{m.Learn.Rows.Epsilon, m.Learn.Rows.Seed} }},
		"difference": {lesson.DifferenceLesson, func(m *state.Model) {
			m.Learn.ChangeDifference("0.5", "2")
		}, func(m *state.Model) any {
			return []any{m.Learn.Difference.First, m.Learn.Difference.Then,
				m.Learn.Difference.Seed}
		}},
		"a paper": {"candidates", func(m *state.Model) {
			m.Learn.Measure()
			m.Learn.Grow(len(m.Learn.Study.Axes()) - 1)
		}, func(m *state.Model) any { return []any{m.Learn.Axis, m.Learn.Seed} }},
	} {
		m, f := webtest.LessonOn(t, c.id)
		if usual := m.Learn.Address(); usual != "/learn/"+c.id {
			t.Errorf("%s begins at %s", name, usual)
		}
		before := engine.Encode(c.shows(m))
		c.turn(m)
		want := engine.Encode(c.shows(m))
		if want == before {
			t.Fatalf("%s: nothing was turned", name)
		}
		other, _ := webtest.LessonOn(t, f.Addressed[len("/learn/"):])
		if got := engine.Encode(c.shows(other)); got != want {
			t.Errorf("%s: %s shows\n%s\nand its sender saw\n%s", name, f.Addressed, got, want)
		}
		broken, _ := webtest.LessonOn(t, c.id+"?epsilon=7e9&people=3&wider=99&draws=1e9&aside=4"+
			"&seed=-1&first=9&then=x&axis=77&p.algorithm=none")
		if got := engine.Encode(c.shows(broken)); got != before {
			t.Errorf("%s: an address that nobody could have made shows %s", name, got)
		}
	}
}
