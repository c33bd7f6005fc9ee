package chart

import (
	"math"
	"strconv"
	"strings"
)

// LeadingNumber reads the number with which a figure begins, as in "1 234.5 (± 3 people)" or "987
// of 3200 people", or the one after a name, as in "58, 31: 1240 people". Units are English words.
func LeadingNumber(text string) (float64, bool) {
	if _, behind, found := strings.Cut(text, ": "); found {
		text = behind
	}
	text, _, _ = strings.Cut(text, " (")
	text, _, _ = strings.Cut(text, " ±")
	text, _, _ = strings.Cut(text, " of ")
	for _, unit := range []string{" people", " person", " %", " cases", " contacts with others"} {
		text = strings.TrimSuffix(text, unit)
	}
	text = strings.NewReplacer("\u202f", "", "\u00a0", "", " ", "", "−", "-").Replace(text)
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil && !math.IsInf(x, 0) && !math.IsNaN(x)
}
