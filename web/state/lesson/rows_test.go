package lesson_test

import (
	"testing"

	"hush/web/state/lesson"
	"hush/web/webtest"
)

// TestRowsLesson: the lesson about the bound on rows counts visits, again with other noise, and is
// left without a trace.
func TestRowsLesson(t *testing.T) {
	m, f := webtest.Started(t)
	m.Learn.Show(lesson.RowsLesson)
	r := &m.Learn.Rows
	if !r.Shown || !r.Running || r.Best() != -1 || m.Learn.Task != nil {
		t.Fatalf("shown: %+v", r)
	}
	f.Settle()
	if r.Running || r.Fault != nil || r.Taught == nil || r.Taught.Bounds[r.Best()].Rows < 3 {
		t.Fatalf("taught: %+v", r)
	}
	first := r.Taught
	m.Learn.ChangeRows("0.1")
	f.Settle()
	if r.Taught.Rows != first.Rows || r.Taught.Bounds[0].Off == first.Bounds[0].Off {
		t.Errorf("again: %+v, before %+v", r.Taught, first)
	}
	m.Learn.ChangeRows("10")
	f.Settle()
	if less := r.Taught.Bounds[2]; less.Noise >= first.Bounds[2].Noise || r.Epsilon != "10" {
		t.Errorf("with more ε: %+v", less)
	}
	m.Learn.Show("mean")
	if m.Learn.Rows.Shown || m.Learn.Task == nil {
		t.Error("the lesson stays beside another")
	}
	f.Settle()
}
