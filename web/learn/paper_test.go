package learn

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/study"
	"hush/web/chart/taught"
	"hush/web/state/form"
	"hush/web/webtest"
)

// TestPapers: each paper's page says all that it has to, shows its film, leads to its form with the
// settings, and measures; its picture and its table have a line and a column for each line.
func TestPapers(t *testing.T) {
	for _, s := range study.Catalogue() {
		t.Run(s.ID, func(t *testing.T) {
			if testing.Short() && s.ID != "interior-points" && s.ID != "cuts" {
				t.Skip("seconds of runs: core/study measures")
			}
			m, f := webtest.LessonOn(t, s.ID)
			if m.Learn.Study == nil || m.Learn.Progress == nil {
				t.Fatal("opening the page measures nothing")
			}
			f.Settle()
			c := m.Learn.Curves
			if c == nil || m.Learn.Progress != nil || len(c.X) != len(s.Points) {
				t.Fatalf("measured: %+v, %+v", c, m.Learn.Fault)
			}
			page := app.HTMLString((&Page{Model: m}).Render())
			for _, want := range []string{string(s.Title), string(s.Asked), string(s.Found),
				string(s.Simple), string(s.Least), string(s.Made), string(s.Also), "not a release",
				m.Learn.StudyForm()} {
				if !strings.Contains(page, app.HTMLString(app.Text(want))) {
					t.Errorf("the page does not say %q", want)
				}
			}
			_, encoded, _ := strings.Cut(m.Learn.StudyForm(), "?q=")
			r, err := form.DecodeRecipe(encoded)
			if err != nil || r.Task != s.Task || r.Epsilon != "1" {
				t.Errorf("the form asks %+v, %v", r, err)
			}
			for name, value := range s.Params {
				if r.Params[name] != value {
					t.Errorf("the form has %s = %q, want %q", name, r.Params[name], value)
				}
			}
			var option struct{ Series []struct{ Data [][2]float64 } }
			if err := json.Unmarshal(taught.Curves(&s, c), &option); err != nil ||
				len(option.Series) != len(s.Lines) {
				t.Errorf("%d lines drawn, want %d (%v)", len(option.Series), len(s.Lines), err)
			}
			drawn := 0
			for _, one := range option.Series {
				drawn += len(one.Data)
			}
			head, rows := taught.CurveRows(&s, c)
			if drawn < 2*len(s.Points) || len(head) != len(s.Points)+1 ||
				len(rows) != len(s.Lines) || len(rows[0]) != len(head) {
				t.Errorf("%d points drawn; a table of %d rows and %d columns", drawn, len(rows),
					len(head))
			}
			some := 0
			for _, row := range rows {
				for _, cell := range row[1:] {
					if cell != "–" {
						some++
					}
				}
			}
			if taught.Undrawn(c) != (some > drawn) {
				t.Errorf("%d numbers in the table, %d drawn, and the page says otherwise", some,
					drawn)
			}
		})
	}
}

// TestPapersGrowAlong: each axis of a paper is in the list, and measured when it is chosen; the
// page then draws it.
func TestPapersGrowAlong(t *testing.T) {
	m, f := webtest.LessonOn(t, "cuts")
	f.Settle()
	before := m.Learn.Curves
	for axis, a := range m.Learn.Study.Axes() {
		m.Learn.Grow(axis)
		if m.Learn.Curves != nil {
			t.Error("the curves of another axis are shown")
		}
		f.Settle()
		c := m.Learn.Curves
		if c == nil || m.Learn.Axis != axis || !slices.Equal(c.X, a.Points) ||
			axis > 0 && c.X[0] == before.X[0] {
			t.Fatalf("along %s: %+v, %+v", a.X, c, m.Learn.Fault)
		}
		page := app.HTMLString((&Page{Model: m}).Render())
		if !strings.Contains(page, app.HTMLString(app.Text(string(a.X)+", both"))) &&
			!strings.Contains(page, string(a.X)+", both on logarithmic scales") {
			t.Errorf("the page does not draw along %s", a.X)
		}
		if strings.Count(page, "paper-axis") == 0 {
			t.Error("nothing else can be chosen")
		}
	}
	m.Learn.Show("mean")
	m.Learn.Grow(1)
	if f.Settle(); m.Learn.Axis != 0 || m.Learn.Curves != nil {
		t.Error("a page that was left measures")
	}
}

// TestPapersAreMeasuredAgain: other coins keep the curves until new ones are there, a stopped
// measurement keeps them, and a page that is left measures no more.
func TestPapersAreMeasuredAgain(t *testing.T) {
	m, f := webtest.LessonOn(t, "interior-points")
	f.Settle()
	first := m.Learn.Curves
	m.Learn.Measure()
	if m.Learn.Progress == nil || m.Learn.Curves != first {
		t.Error("the earlier curves are gone")
	}
	m.Learn.Stop()
	if f.Settle(); m.Learn.Progress != nil || m.Learn.Curves != first {
		t.Error("a measurement that was stopped has measured")
	}
	m.Learn.Measure()
	if f.Settle(); m.Learn.Curves == first || m.Learn.Seed != 3 {
		t.Errorf("not measured again: seed %d", m.Learn.Seed)
	}
	m.Learn.Show("mean")
	if m.Learn.Study != nil {
		t.Error("a lesson is a paper, too")
	}
	m.Learn.Measure()
	if f.Settle(); m.Learn.Curves != nil || m.Learn.Taught == nil {
		t.Error("a page that was left measures")
	}
}
