package plot

import (
	"math"
	"testing"
)

func TestNumbersHaveOneRule(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 999: "999", 1000: "1\u00a0000",
		-1234567.5: "−1\u00a0234\u00a0567.5", 0.25: "0.25", -0.5: "−0.5"} {
		if got := Number(x); got != want {
			t.Errorf("%g is written %q, want %q", x, got, want)
		}
	}
	for text, want := range map[string]string{"12345.60": "12\u00a0345.60",
		"2024-05-01": "2024-05-01",
		"-0.5":       "−0.5", "Hill": "Hill", "": ""} {
		if got := Written(text); got != want {
			t.Errorf("%s is written %q, want %q", text, got, want)
		}
	}
	if !Years(1900, 2100) || Years(0, 20_000) || Years(1900, 10_000) {
		t.Error("years are taken for other numbers, or others for years")
	}
}

// TestAxesEndEvenly: the end is on a mark, not below what is drawn, and the marks are few.
func TestAxesEndEvenly(t *testing.T) {
	for _, most := range []float64{3, 6} {
		for x := 0.002; x < 300; x *= 1.013 {
			end, step := EvenEnd(x, most)
			marks := end / step
			if end < x-1e-9 || math.Abs(marks-math.Round(marks)) > 1e-9 ||
				math.Round(marks) > most || marks < 1.5 || end > 2.5*x {
				t.Errorf("%g with at most %g marks ends at %g in steps of %g", x, most, end, step)
			}
		}
	}
	if end, step := EvenEnd(0.63, 6); end != 0.8 || step != 0.2 {
		t.Errorf("0.63 ends at %v in steps of %v, want 0.8 and 0.2", end, step)
	}
}
