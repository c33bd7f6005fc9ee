package lesson_test

import (
	"slices"
	"testing"

	"hush/web/state/lesson"
	"hush/web/webtest"
)

// TestDifferenceLesson: the lesson about differences draws both answers and shows their film, takes
// other ε, of which the second is always larger, and is left without a trace.
func TestDifferenceLesson(t *testing.T) {
	m, f := webtest.Started(t)
	m.Learn.Show(lesson.DifferenceLesson)
	d := &m.Learn.Difference
	if !d.Shown || d.Taught != nil || m.Learn.Progress == nil || m.Learn.Task != nil {
		t.Fatalf("shown: %+v", d)
	}
	f.Settle()
	first := d.Taught
	if first == nil || m.Learn.Fault != nil || m.Learn.Progress != nil ||
		m.Learn.Showing.ID != "topup" || m.Learn.Showing.Film == nil {
		t.Fatalf("taught: %+v, %v", d, m.Learn.Fault)
	}
	if first.MadeBoth <= first.Made || first.AnewBoth >= first.Anew || first.First <= first.Made {
		t.Errorf("taught %+v", first)
	}
	m.Learn.ChangeDifference(d.First, d.Then)
	f.Settle()
	if d.Taught.MadeBoth == first.MadeBoth {
		t.Error("drawn again it is the same")
	}
	m.Learn.ChangeDifference("1", "0.5")
	f.Settle()
	if d.First != "1" || d.Then != "1.5" || m.Learn.Fault != nil || d.Taught.First >= first.First {
		t.Errorf("from ε = %s to %s: %+v", d.First, d.Then, m.Learn.Fault)
	}
	for _, first := range d.FirstEpsilons() {
		d.First = first
		if slices.Contains(d.ThenEpsilons(), first) || len(d.ThenEpsilons()) == 0 {
			t.Errorf("from %s to %v", first, d.ThenEpsilons())
		}
	}
	m.Learn.Show("mean")
	if m.Learn.Difference.Shown || m.Learn.Task == nil {
		t.Error("the lesson stays beside another")
	}
	f.Settle()
}
