package session

import (
	_ "embed"
	"encoding/json"
	"slices"

	"hush/core/sample"
	"hush/core/task"
)

// exampleText is a release of a bundled data set, drawn once with the system's own coins: a visitor
// sees an answer before a question. landing_test.go draws it.
//
//go:embed landing.json
var exampleText []byte

// exampleName is the data set that the example is about.
const exampleName = "clinic"

// Landing returns that release. Its answer is a histogram.
func Landing() *task.Release {
	r := new(task.Release)
	if err := json.Unmarshal(exampleText, r); err != nil {
		panic("web: internal error: " + err.Error())
	}
	return r
}

// LandingSet returns the data set that the example is about.
func LandingSet() sample.Set {
	sets := sample.Sets()
	return sets[slices.IndexFunc(sets, func(s sample.Set) bool { return s.Name == exampleName })]
}
