package chart

import "testing"

func TestLeadingNumber(t *testing.T) {
	for text, want := range map[string]float64{"38 (± 120 people)": 38, "1\u00a0234.5 ± 3": 1234.5,
		"−2": -2, "12.5 % (11 to 14 %)": 12.5, "7 people": 7,
		"987 of 3200 people (± 12)": 987, "9 cases": 9, "58, 31: 1240 ± 2 people": 1240,
		"319 contacts with others (± 14)": 319} {
		if got, ok := LeadingNumber(text); !ok || got != want {
			t.Errorf("%q is read as %g (%v), want %g", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "2024-05-01 (± 3)", "Harbour", "3 to 5",
		"heart from 23 on (at most 30 people more)", "bike left of the line"} {
		if got, ok := LeadingNumber(text); ok {
			t.Errorf("%q is read as the number %g", text, got)
		}
	}
}
