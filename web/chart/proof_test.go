package chart

import (
	"encoding/json"
	"math"
	"testing"

	"hush/web/webtest"
)

// TestProofCharts compares the pictures of three findings: within the claim, beyond it, and without
// end.
func TestProofCharts(t *testing.T) {
	for _, c := range []struct{ id, bug string }{{"count", ""}, {"stable-choice", "always"},
		{"exponential", "named"}} {
		m, _ := webtest.Proving(t, "/prove/"+c.id+"?bug="+c.bug)
		for name, option := range map[string]json.RawMessage{
			"laws": Laws(m.Proof.Finding), "ratios": Ratios(m.Proof.Finding),
			"need": Need(m.Proof.Finding),
		} {
			webtest.Golden(t, "chart-proof-"+c.id+"-"+name+".json", webtest.Indent(t, option))
		}
	}
}

// TestAxesEndEvenly: the end is on a mark, not below what is drawn, and the marks are few.
func TestAxesEndEvenly(t *testing.T) {
	for _, most := range []float64{3, 6} {
		for x := 0.002; x < 300; x *= 1.013 {
			end, step := evenEnd(x, most)
			marks := end / step
			if end < x-1e-9 || math.Abs(marks-math.Round(marks)) > 1e-9 ||
				math.Round(marks) > most || marks < 1.5 || end > 2.5*x {
				t.Errorf("%g with at most %g marks ends at %g in steps of %g", x, most, end, step)
			}
		}
	}
	if end, step := evenEnd(0.63, 6); end != 0.8 || step != 0.2 {
		t.Errorf("0.63 ends at %v in steps of %v, want 0.8 and 0.2", end, step)
	}
}
