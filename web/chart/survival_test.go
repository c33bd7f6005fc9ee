package chart

import (
	"testing"

	"hush/core/domain"
	"hush/core/task"
	"hush/web/exhibit"
)

// TestSurvivalFigures: releases side by side say when half are still without the event with the
// range of that time; where the band does not say until when, they say from when on, and where the
// curve stays above one half, nothing.
func TestSurvivalFigures(t *testing.T) {
	curve := func(points ...task.SurvivalPoint) []task.SurvivalCurve {
		return []task.SurvivalCurve{{Points: points}}
	}
	point := func(value string, free, low, high float64) task.SurvivalPoint {
		return task.SurvivalPoint{Value: value, Free: free, Low: low, High: high}
	}
	for want, curves := range map[string][]task.SurvivalCurve{
		"20 (10 to 30)": curve(point("10", 60, 55, 90), point("20", 50, 30, 70),
			point("30", 40, 20, 50)),
		"20 (0 to 30)": curve(point("10", 60, 45, 90), point("20", 50, 30, 70),
			point("30", 40, 20, 50)),
		"20 (not before 10)": curve(point("10", 70, 60, 90), point("20", 50, 40, 80),
			point("30", 40, 20, 60)),
		"10 (not before 0)": curve(point("10", 50, 40, 60), point("20", 45, 30, 55)),
		"":                  curve(point("10", 90, 80, 100), point("20", 80, 40, 90)),
	} {
		r := exhibit.Release("survival", "Survival curve", "", &task.Survival{Event: "relapse",
			Curves: curves})
		r.Recipe.Domain = domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "30"}
		said := ""
		for _, f := range Figures(r) {
			if f.Name == "half are still without it at" {
				said = f.Text
			}
		}
		if said != want {
			t.Errorf("%+v: %q, want %q", curves, said, want)
		}
	}
}
