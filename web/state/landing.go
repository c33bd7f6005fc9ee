package state

import (
	_ "embed"
	"encoding/json"
	"slices"

	"hush/core/sample"
	"hush/core/task"
)

// exampleText is a release of a bundled data set, drawn once with the system's own coins: a visitor
// sees an answer before a question. web/state/landing_test.go draws it.
//
//go:embed landing.json
var exampleText []byte

// exampleName is the data set that it is about.
const exampleName = "clinic"

// LandingRelease is that release. It answers with a histogram.
func LandingRelease() *task.Release {
	r := new(task.Release)
	if err := json.Unmarshal(exampleText, r); err != nil {
		panic("web: internal error: " + err.Error())
	}
	return r
}

// LandingSet is the data set that the example is about.
func LandingSet() sample.Set {
	sets := sample.Sets()
	return sets[slices.IndexFunc(sets, func(s sample.Set) bool { return s.Name == exampleName })]
}

// TryExample opens the example's data set, asks its question and shows its answer: it was released
// before, so that nothing is spent.
func (m *Publish) TryExample() {
	r := LandingRelease()
	m.Waiting, m.RecipeFault = &r.Recipe, ""
	m.OpenSample(LandingSet())
	m.takeBookOf(LandingSet()) // so that all can be asked next
	m.learn(r.Recipe)
	m.BookNote = "" // its bins end at round numbers, which is nobody's concern here
	m.example = r
}

// showExample shows its answer, now that the data are open.
func (m *Publish) showExample() {
	if m.example == nil {
		return
	}
	m.Release = Release{Phase: ReleaseDone, Result: m.example, Example: true}
	m.example, m.chosen = nil, StageAnswer
	m.window.Reveal(ReleaseID)
}
