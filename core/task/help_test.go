package task

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"hush/core/ask"
	"hush/core/basic"
)

// TestHelpNamesTheLimits: a number in what is said of a parameter is the limit that the code has.
func TestHelpNamesTheLimits(t *testing.T) {
	degree := densityTask.Params[slices.IndexFunc(densityTask.Params, func(p ask.Param) bool {
		return p.Name == paramDegree
	})]
	limits := map[string][]int64{
		"quantiles targets":     {0, 100, basic.MaxTargets, 100}, // percent, how many, and all
		"distribution method":   {maxLevels, maxSparse, maxEach},
		"density rounds":        {1, mostRounds},
		"density pieces":        {mostCells, mostCounted, 1, mostPieces},
		"density degree":        {degree.Min, 1, degree.Max, 0},
		"conjunctions rounds":   {1, mostRounds},
		"conjunctions pieces":   {64, 1, 4096},
		"conjunctions together": {18, 2},                      // an example: two attributes
		"contacts shares":       {mostShares, 1, 99, 10, 50},  // and an example
		"joint criteria":        {1, 0, 5, 2, 3, 10, 3, 0, 1}, // examples of lines
		// examples of places
		"histogram edges": {18, 65}, "density edges": {18, 65, 40},
	}
	numbers := regexp.MustCompile(`\d+`)
	for _, task := range Catalogue() {
		for _, p := range task.Params {
			name := task.ID + " " + p.Name
			said := append(numbers.FindAllString(string(p.Help), -1),
				numbers.FindAllString(string(p.Effect), -1)...)
			if want := fmt.Sprint(limits[name]); p.Name != ask.ParamDelta &&
				fmt.Sprint(said) != want {
				t.Errorf("%s: the numbers in its help are %s, want %s", name, said, want)
			}
		}
	}
}

// TestHelpAndCurveAgree: the ε from which on a curve calls an answer good is the one that help
// names.
func TestHelpAndCurveAgree(t *testing.T) {
	file := ages(3000)
	s, compared := open(t, file), 0
	for id, params := range map[string]ask.Params{"count": nil, "sum": nil, "mean": nil,
		"median": nil, "variance": nil, "share": nil, "histogram": {"width": "5"}} {
		for _, epsilon := range []string{"0.01", "0.05", "0.3"} {
			r := recipe(s, id, 0, ageDomain, params)
			r.Epsilon = epsilon
			list, err := s.Help(r)
			if err != nil {
				t.Fatal(err)
			}
			curve, err := s.Curve(r)
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(curve, func(p ask.Point) bool { return p.Grade == ask.Good })
			for _, help := range list {
				if help.Grade != ask.Good || help.Text != "ε = "+help.Recipe.Epsilon {
					continue
				}
				if compared++; i < 0 || curve[i].Epsilon != help.Recipe.Epsilon {
					t.Errorf("%s at ε = %s: help says %q, and the curve is %v", id, epsilon,
						help.Text, curve)
				}
			}
		}
	}
	if compared < 4 {
		t.Errorf("help named an ε %d times", compared)
	}
}
