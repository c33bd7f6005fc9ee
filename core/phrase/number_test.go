package phrase

import (
	"math"
	"math/big"
	"strings"
	"testing"
)

// spaced writes the space between groups as one.
func spaced(text string) string { return strings.ReplaceAll(text, space, " ") }

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 3200: "3 200", 11127: "11 127",
		-1234567: "−1 234 567", math.MinInt64: "−9 223 372 036 854 775 808"} {
		if got := spaced(Grouped(n)); got != want {
			t.Errorf("Grouped(%d) = %q, want %q", n, got, want)
		}
	}
	for text, want := range map[string]string{"1720.50": "1 720.50", "-12345": "−12 345",
		"2026-01-31": "2026-01-31", "1e6": "1e6", "": "", "-": "-", "12.": "12.", "Bern": "Bern"} {
		if got := spaced(GroupedText(text)); got != want {
			t.Errorf("GroupedText(%q) = %q, want %q", text, got, want)
		}
	}
	for x, want := range map[float64]string{0: "0", 331090: "331 000", 1720: "1 720", 0.5: "0.5",
		0.012345: "0.0123", 99.96: "100", 9.999e-7: "0.000001", -4321: "−4 320",
		2e15: "2 000 000 000 000 000", 1e20: "100 000 000 000 000 000 000", -7.5: "−7.5",
		12.345: "12.3", 98765: "98 800", 0.021449: "0.0214", 1234.5: "1 230", 999.6: "1 000",
		1e-20:   "0.00000000000000000001",
		-2.5e45: "−2.5 × 10^45", 3e-300: "3 × 10^−300", math.MaxFloat64: "1.8 × 10^308"} {
		if got := spaced(Prose(x)); got != want {
			t.Errorf("Prose(%g) = %q, want %q", x, got, want)
		}
	}
	if got := Prose(math.Inf(1)); got != "+∞" {
		t.Errorf("Prose(+Inf) = %q", got)
	}
}

// TestChance: the stated chance is never smaller than the true one.
func TestChance(t *testing.T) {
	for text, want := range map[string]string{"0": "0", "1/2": "1 in 2", "0.0001": "1 in 10 000",
		"0.0000001": "1 in 10 million", "1/123456": "1 in 123 000",
		"1/1999999":   "1 in 1.99 million",
		"0.000000001": "1 in 1 billion", "1e-20": "1 in 10^20", "3/4": "1 in 1"} {
		p, _ := new(big.Rat).SetString(text)
		if got := spaced(Chance(p).String()); got != want {
			t.Errorf("Chance(%s) = %q, want %q", text, got, want)
		}
	}
}
