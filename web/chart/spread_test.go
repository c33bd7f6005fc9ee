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

func TestBinsHoldEveryDraw(t *testing.T) {
	edges, counts := bins([]float64{1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9}, 20)
	sum := 0
	for _, n := range counts {
		sum += n
	}
	if sum != 12 || len(edges) != len(counts)+1 || edges[0] != 1 || edges[len(edges)-1] != 9 {
		t.Errorf("bins are %v with %v", edges, counts)
	}
	if edges, counts := bins([]float64{4, 4}, 20); len(counts) != 1 || counts[0] != 2 ||
		len(edges) != 2 {
		t.Errorf("equal draws are in %v with %v", edges, counts)
	}
}
