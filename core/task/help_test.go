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
		"quantiles targets":     {0, 100, basic.MaxTargets}, // percent, and how many
		"distribution method":   {maxEach},
		"density rounds":        {1, mostRounds},
		"density pieces":        {mostCells, mostCounted, 1, mostPieces},
		"density degree":        {degree.Min, 1, degree.Max, 0},
		"conjunctions rounds":   {1, mostRounds},
		"conjunctions together": {18, 2}, // an example: two attributes
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
