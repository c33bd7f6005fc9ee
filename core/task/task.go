package task

import (
	"fmt"

	"hush/core/domain"
	"hush/core/message"
	"hush/core/param"
)

// Task is one entry of the catalogue.
type Task struct {
	ID        string      `json:"id"`
	Section   message.Key `json:"section"` // under which it stands with others
	Title     message.Key `json:"title"`
	Question  message.Key `json:"question"`  // in plain words, as a person would ask it
	Answer    message.Key `json:"answer"`    // what is released
	Algorithm message.Key `json:"algorithm"` // the mechanism's name in the field
	How       message.Key `json:"how"`       // the mechanism in plain words
	Simple    message.Key `json:"simple"`    // which mechanism is the simple one, and when it is the better one
	Source    string      `json:"source"`    // paper or book
	Limits    message.Key `json:"limits"`    // what the answer cannot say
	// Domains are the kinds of main column it can ask about; empty: it has none, and reads Others only.
	Domains []domain.Kind `json:"domains,omitempty"`
	Others  []Role        `json:"others,omitempty"` // further columns
	// LongTexts says that the main column may hold texts of more than 8 bytes.
	LongTexts bool    `json:"longTexts,omitempty"`
	ByGroup   bool    `json:"byGroup"` // whether it can be asked for each group
	Params    []Param `json:"params"`
	// Example is asked of made-up data where the question is taught.
	Example *Example `json:"example,omitempty"`
	// Films show its algorithms at work, the main one first: IDs of web/film.
	Films []string `json:"films,omitempty"`
	// Tunes says what a noisy score counts by which the best of many runs is chosen, where parameters can be tuned (Param.Tries, tune.md); empty: none
	// can. Its prepared questions are then tunable.
	Tunes message.Key `json:"tunes,omitempty"`

	prepare func(q *query) (prepared, error)
}

// Catalogue lists every task, in the order in which a page shows them.
func Catalogue() []Task {
	var list []Task
	for _, section := range []struct {
		name  message.Key
		tasks []Task
	}{
		{"How values lie", []Task{histogramTask, medianTask, quantilesTask, distributionTask, densityTask, modeTask, madeUpTask}},
		{"One number", []Task{countTask, shareTask, meanTask, sumTask, varianceTask}},
		{"What goes together", []Task{cutoffTask, strongestTask, ruleTask, classifyTask, conjunctionsTask, clustersTask, contactsTask}},
	} {
		for _, t := range section.tasks {
			t.Section = section.name
			list = append(list, t)
		}
	}
	return list
}

// find returns the task of that ID.
func find(id string) (*Task, error) {
	var ids []string
	for _, t := range Catalogue() {
		if t.ID == id {
			return &t, nil
		}
		ids = append(ids, t.ID)
	}
	return nil, refuse("task", fmt.Sprintf("%q", id), message.Format("one of %q", ids))
}

func refuse(field, value, want string) error {
	return &param.Error{Package: "task", Field: field, Value: value, Want: want}
}
