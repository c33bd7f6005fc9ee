package classify

import (
	"testing"
)

func TestTrees(t *testing.T) {
	class := must(NewTrees([]uint64{4, 4}, 2))
	var sample []Votes
	for _, p := range everyPoint(class.Sizes()) {
		if p[0] >= 1 && p[1] >= 2 {
			sample = append(sample, Votes{p, 3, 0})
		} else {
			sample = append(sample, Votes{p, 0, 3})
		}
	}
	sample[0].Yes = 1
	if r := class.Learn(sample, nil); mistakes(r, sample) != 1 {
		t.Errorf("%v makes %d mistakes, want 1", r, mistakes(r, sample))
	}
	if one := class.Learn(sample[15:], nil).String(); one != "yes" {
		t.Errorf("one point: %s", one)
	}
	if class.Learn(nil, nil).Says(Point{0, 0}) {
		t.Error("nobody says yes")
	}
	if d := class.Dimension(); d < 4 || d > 16 {
		t.Errorf("dimension at most %d", d)
	}
}
