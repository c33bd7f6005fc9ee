package task

import (
	"math"
	"testing"
)

// TestTeachVisits: a small bound leaves visits out and needs little noise, a large one the other
// way round; what an answer is off by is no less than the bias less the noise, and the best bound
// lies between the ends.
func TestTeachVisits(t *testing.T) {
	v := must(TeachVisits(VisitsLesson{Epsilon: "0.1", Seed: 1}))
	if v.People != visitPeople || v.Rows < 3*visitPeople || v.Rows > 5*visitPeople {
		t.Fatalf("%d visits of %d people", v.Rows, v.People)
	}
	best := 0
	for i, b := range v.Bounds {
		if i > 0 && (b.LeftOut > v.Bounds[i-1].LeftOut || b.Noise <= v.Bounds[i-1].Noise) {
			t.Errorf("%+v after %+v", b, v.Bounds[i-1])
		}
		if b.Off < float64(b.LeftOut)-b.Noise || b.Off > float64(b.LeftOut)+b.Noise {
			t.Errorf("%+v: off by neither bias nor noise", b)
		}
		// 95 % of discrete Laplace noise of scale k/ε is within k/ε·ln 20
		if want := float64(b.Rows) / 0.1 * math.Log(20); math.Abs(b.Noise-want) > 0.05*want+1 {
			t.Errorf("%d rows: noise within %v, want %v", b.Rows, b.Noise, want)
		}
		if b.Off < v.Bounds[best].Off {
			best = i
		}
	}
	if first, last := v.Bounds[0], v.Bounds[len(v.Bounds)-1]; first.LeftOut != v.Rows-v.People ||
		last.LeftOut > v.Rows/100 || best == 0 || best == len(v.Bounds)-1 {
		t.Errorf("the best bound is %+v of %+v", v.Bounds[best], v.Bounds)
	}
	again := must(TeachVisits(VisitsLesson{Epsilon: "0.1", Seed: 1}))
	if again.Bounds[3] != v.Bounds[3] {
		t.Error("the same seed teaches something else")
	}
	if _, err := TeachVisits(VisitsLesson{Epsilon: "much"}); err == nil {
		t.Error("ε = much is taken")
	}
}
